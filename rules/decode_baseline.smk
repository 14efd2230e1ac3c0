rule decode_baseline:
    input:
        data=f"{R}/tasks/{{task}}/build.balance.json",
    output:
        predictions=f"{R}/decode/{{task}}/{{row}}/seed-{{seed}}/predictions.jsonl",
        balance=f"{R}/decode/{{task}}/{{row}}/seed-{{seed}}/decode.balance.json",
    log:
        f"{LOG}/decode/{{task}}/{{row}}/seed-{{seed}}/decode_baseline.log",
    benchmark:
        f"{TIME}/decode/{{task}}/{{row}}/seed-{{seed}}/decode_baseline.tsv"
    wildcard_constraints:
        row=rows_of("baseline"),
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(2000),
        runtime=30,
    params:
        version=decode.VERSION,
        baseline=lambda wc: RUN.checkpoint(wc.task, wc.row).source.split(":")[1],
        seed=CONFIG.seed,
    script:
        "../scripts/decode/decode_baseline.py"
