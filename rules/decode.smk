"""Decoding: predictions for a task's test set."""


rule decode:
    input:
        data=lambda wc: task_manifest(wc.task),
        model=f"{R}/finetune/{{task}}/{{row}}/seed-{{seed}}/model.json",
    output:
        predictions=f"{R}/decode/{{task}}/{{row}}/seed-{{seed}}/predictions.jsonl",
        balance=f"{R}/decode/{{task}}/{{row}}/seed-{{seed}}/decode.balance.json",
    log:
        f"{LOG}/decode/{{task}}/{{row}}/seed-{{seed}}/decode.log",
    benchmark:
        f"{TIME}/decode/{{task}}/{{row}}/seed-{{seed}}/decode.tsv"
    wildcard_constraints:
        row=rows_of("plain", "encoder", "bart", "mbart", "gpt2", "t5"),
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(3000 if GPUS == 0 else 32000),
        runtime=60 if GPUS == 0 else 480,
        gpu=GPUS,
    params:
        version=decode.VERSION,
        decoding=lambda wc: CONFIG.decode[wc.task].model_dump(),
        gpus=GPUS,
        seed=CONFIG.seed,
    script:
        "../scripts/decode/decode.py"
