"""Fine-tuning: one model per task, row and seed."""


rule finetune:
    input:
        data=lambda wc: task_manifest(wc.task),
        checkpoint=lambda wc: checkpoint_manifest(CONFIG.rows[wc.row].tasks[wc.task]),
    output:
        model=f"{R}/finetune/{{task}}/{{row}}/seed-{{seed}}/model.json",
    log:
        f"{LOG}/finetune/{{task}}/{{row}}/seed-{{seed}}/finetune.log",
    benchmark:
        f"{TIME}/finetune/{{task}}/{{row}}/seed-{{seed}}/finetune.tsv"
    wildcard_constraints:
        row=rows_of("plain", "encoder", "bart", "mbart", "gpt2", "t5"),
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(3000 if GPUS == 0 else 32000),
        runtime=60 if GPUS == 0 else 2880,
        gpu=GPUS,
    params:
        version=finetune.VERSION,
        training=lambda wc: RUN.training(wc.task, wc.row).model_dump(),
        precision=CONFIG.hardware.precision,
        gpus=GPUS,
        state=f"{R}/state/finetune",
    script:
        "../scripts/finetune/finetune.py"
