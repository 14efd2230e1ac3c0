"""Decoding: predictions for a task's test set, by a fine-tuned model, an API, or a trivial baseline."""

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
        prompt=lambda wc: tree_fingerprint(f"{RESOURCES}/prompts/{wc.task}.yaml", SMALL),
        model=lambda wc: RUN.checkpoint(wc.task, wc.row).source.split(":", 1)[1],
        api=lambda wc: RUN.endpoint(CONFIG.rows[wc.row].tasks[wc.task]).model_dump(),
        state=lambda wc: f"{R}/state/decode/{wc.task}/{wc.row}/seed-{wc.seed}",
    script:
        "../scripts/decode/decode_llm.py"
