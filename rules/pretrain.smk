"""Pretraining: a checkpoint goes on learning from the packed corpus."""


rule pretrain_checkpoint:
    input:
        base=lambda w: checkpoint_manifest(CONFIG.checkpoints[w.checkpoint].base),
        packed=f"{R}/corpus/packed/{{checkpoint}}/pack.balance.json",
    output:
        manifest=f"{R}/pretrain/{{checkpoint}}/model.json",
    log:
        f"{LOG}/pretrain/{{checkpoint}}.log",
    benchmark:
        f"{TIME}/pretrain/{{checkpoint}}.tsv"
    wildcard_constraints:
        checkpoint=any_of(CONFIG.pretrain),
    priority: 10  # before fine-tuning, some of which waits for it
    retries: RETRIES.pretrain(minutes("pretrain_checkpoint"))
    conda:
        ENV
    threads: 8 if GPUS else 1
    resources:
        **trains(
            "pretrain_checkpoint", lambda w: sharing(CONFIG.pretrain[w.checkpoint].gpus), "pretrain/{checkpoint}.log"
        ),
    params:
        version=version(pretrain),
        family=lambda w: RUN.family(w.checkpoint),
        language=lambda w: CONFIG.checkpoints[w.checkpoint].language,
        base=lambda w: CONFIG.checkpoints[w.checkpoint].base,
        training=lambda w: CONFIG.pretrain[w.checkpoint].training.model_dump(),
        mask_share=lambda w: CONFIG.pretrain[w.checkpoint].mask_share,
        weights=lambda w: CONFIG.pretrain[w.checkpoint].weights,
        languages=lambda w: {g: RUN.genres[g].language for g in pack_genres(w.checkpoint)},
        seed=CONFIG.seed,
        precision=CONFIG.hardware.precision,
        state=f"{R}/state/pretrain",
    script:
        "../scripts/pretrain/pretrain_checkpoint.py"
