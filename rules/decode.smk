"""Decoding: predictions for a task's test set, by a fine-tuned model, an API, or a trivial baseline."""

for bundle in RUN.bundles():

    rule:
        name:
            f"decode{bundle.suffix}"
        input:
            data=[task_manifest(task) for task in bundle.tasks],
            model=[f"{R}/finetune/{task}/{bundle.row}/seed-{{seed}}/model.json" for task in bundle.tasks],
        output:
            predictions=[f"{R}/decode/{task}/{bundle.row}/seed-{{seed}}/predictions.jsonl" for task in bundle.tasks],
            balance=[f"{R}/decode/{task}/{bundle.row}/seed-{{seed}}/decode.balance.json" for task in bundle.tasks],
        log:
            f"{LOG}/decode/{bundle.place}/seed-{{seed}}/decode.log",
        benchmark:
            f"{TIME}/decode/{bundle.place}/seed-{{seed}}/decode.tsv"
        wildcard_constraints:
            row=rows_of(*TRAINED),
        priority: len(bundle.tasks)
        conda:
            ENV
        threads: 1
        resources:
            **asks("decode"),
        params:
            version=version(decode),
            cells=lambda wc, b=bundle: b.cells(wc),
            decoding=lambda wc, b=bundle: [CONFIG.decode[task].model_dump() for task, _ in b.cells(wc)],
            gpus=GPUS,
            precision=CONFIG.hardware.precision,
            seed=CONFIG.seed,
            state=f"{R}/state/decode",
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
        **asks("decode_baseline"),
    params:
        version=version(decode),
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
        **asks("decode_llm"),
    params:
        version=version(decode),
        prompt=lambda wc: tree_fingerprint(f"{RESOURCES}/prompts/{wc.task}.yaml", SMALL),
        api=lambda wc: RUN.asked(CONFIG.rows[wc.row].tasks[wc.task]),
        # A function of `threads` is no parameter that Snakemake compares: another budget or pace runs nothing again.
        manner=lambda wc, threads: RUN.manner(CONFIG.rows[wc.row].tasks[wc.task]),
        budget=lambda wc, threads: CONFIG.api.budget.model_dump(),
        account=f"{R}/state/api",
        state=lambda wc: f"{R}/state/decode/{wc.task}/{wc.row}/seed-{wc.seed}",
    script:
        "../scripts/decode/decode_llm.py"
