from discobench.decode.prompts import path_of
from discobench.files import sha256


rule decode_llm:
    input:
        data=f"{R}/tasks/{{task}}/build.balance.json",
    output:
        predictions=f"{R}/decode/{{task}}/{{row}}/seed-{{seed}}/predictions.jsonl",
        balance=f"{R}/decode/{{task}}/{{row}}/seed-{{seed}}/decode.balance.json",
    log:
        f"{LOG}/decode/{{task}}/{{row}}/seed-{{seed}}/decode_llm.log",
    benchmark:
        f"{TIME}/decode/{{task}}/{{row}}/seed-{{seed}}/decode_llm.tsv"
    wildcard_constraints:
        row=rows_of("llm"),
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(1000),
        runtime=1440,
    params:
        version=decode.VERSION,
        prompt=lambda wc: sha256(path_of(wc.task)),
        model=lambda wc: RUN.checkpoint(wc.task, wc.row).source.split(":", 1)[1],
        api=CONFIG.api.model_dump(),
        state=lambda wc: f"{R}/state/decode/{wc.task}/{wc.row}/seed-{wc.seed}",
    script:
        "../scripts/decode/decode_llm.py"
