"""Fine-tuning: one model per task, row and seed; a process for each, or with `run.together` for each row."""


include: "inputs/finetune.smk"


for bundle in RUN.bundles():

    rule:
        name:
            f"finetune{bundle.suffix}"
        input:
            data=[task_manifest(task) for task in bundle.tasks],
            checkpoint=lambda wc, b=bundle: [
                checkpoint_manifest(CONFIG.rows[row].tasks[task]) for task, row in b.cells(wc)
            ],
        output:
            model=[f"{R}/finetune/{task}/{bundle.row}/seed-{{seed}}/model.json" for task in bundle.tasks],
        log:
            f"{LOG}/finetune/{bundle.place}/seed-{{seed}}/finetune.log",
        benchmark:
            f"{TIME}/finetune/{bundle.place}/seed-{{seed}}/finetune.tsv"
        wildcard_constraints:
            row=rows_of(*TRAINED),
        priority: len(bundle.tasks)
        retries: RETRIES.finetune(bundle, NEEDS.runtime("finetune", gpus_to_finetune(bundle)))
        conda:
            ENV
        threads: 1
        resources:
            **trains("finetune", gpus_to_finetune(bundle), f"finetune/{bundle.place}/seed-{{seed}}/finetune.log"),
        params:
            version=version(finetune),
            cells=lambda wc, b=bundle: b.cells(wc),
            training=lambda wc, b=bundle: [RUN.training(*cell).model_dump() for cell in b.cells(wc)],
            answering=lambda wc, b=bundle: [RUN.answering(*cell) for cell in b.cells(wc)],
            grid=lambda wc, b=bundle: [RUN.grid(*cell) for cell in b.cells(wc)],
            precision=CONFIG.hardware.precision,
            state=f"{R}/state/finetune",
        script:
            "../scripts/finetune/finetune.py"
