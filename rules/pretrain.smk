"""Pretraining: a checkpoint goes on learning from the packed corpus."""


include: "inputs/pretrain.smk"


rule pretrain_checkpoint:
    input:
        base=lambda w: checkpoint_manifest(CONFIG.checkpoints[w.checkpoint].base),
        packed=f"{R}/corpus/packed/{{checkpoint}}/index.balance.json",
    output:
        manifest=f"{R}/pretrain/{{checkpoint}}/model.json",
    log:
        f"{LOG}/pretrain/{{checkpoint}}.log",
    benchmark:
        f"{TIME}/pretrain/{{checkpoint}}.tsv"
    wildcard_constraints:
        checkpoint=any_of(CONFIG.pretrain),
    priority: 10  # before fine-tuning, some of which waits for it
    retries: RETRIES.pretrain(NEEDS.runtime("pretrain_checkpoint", gpus_to_pretrain))
    conda:
        ENV
    threads: NEEDS.threads("pretrain_checkpoint", GPUS)
    resources:
        **trains("pretrain_checkpoint", gpus_to_pretrain, "pretrain/{checkpoint}.log", nodes_to_pretrain),
        # With GPUs the executor would take tasks for those of a GPU.
        **({} if GPUS else {"tasks": nodes_to_pretrain}),
        # Of no bearing on what is learned, and so no parameter.
        sharded=lambda w: int(CONFIG.pretrain[w.checkpoint].sharding == "full"),
    params:
        version=version(pretrain),
        family=lambda w: RUN.family(w.checkpoint),
        language=lambda w: CONFIG.checkpoints[w.checkpoint].language,
        base=lambda w: CONFIG.checkpoints[w.checkpoint].base,
        printed=lambda w: CONFIG.checkpoints[w.checkpoint].paper.parameters,
        training=lambda w: CONFIG.pretrain[w.checkpoint].training.model_dump(),
        recipe=lambda w: recipe(w.checkpoint),
        languages=lambda w: {g: RUN.genres[g].language for g in RUN.read_by(w.checkpoint)},
        seed=CONFIG.seed,
        precision=CONFIG.hardware.precision,
        state=f"{R}/state/pretrain",
    script:
        "../scripts/pretrain/pretrain_checkpoint.py"
