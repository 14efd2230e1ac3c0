"""Zero pronouns from subtitles: words aligned, pronouns that Chinese leaves out recovered and measured."""

ZPR = CONFIG.synthesis.zpr


rule align:
    output:
        pairs=f"{R}/synthesis/zpr/pairs.parquet",
        alignment=f"{R}/synthesis/zpr/alignment.parquet",
        manifest=f"{R}/synthesis/zpr/align.balance.json",
    log:
        f"{LOG}/synthesis/zpr/align.log",
    benchmark:
        f"{TIME}/synthesis/zpr/align.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("align"),
    params:
        version=version(synthesis),
        path=ZPR.path,
        fingerprint=lambda w: tree_fingerprint(ZPR.path, SMALL),
        marks=ZPR.marks,
        valid=CONFIG.splits.valid,
        seed=CONFIG.seed,
    script:
        "../scripts/synthesis/align.py"


rule zpr_language_model:
    input:
        pairs=f"{R}/synthesis/zpr/align.balance.json",
    output:
        models=[f"{R}/synthesis/zpr/lm/fold-{fold}.binary" for fold in range(ZPR.folds)],
        manifest=f"{R}/synthesis/zpr/lm/lm.balance.json",
    log:
        f"{LOG}/synthesis/zpr/lm.log",
    benchmark:
        f"{TIME}/synthesis/zpr/lm.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("zpr_language_model", mem_mb=ZPR.language_model.memory_mb, disk_mb=ZPR.language_model.disk_mb),
    params:
        version=version(synthesis),
        folds=ZPR.folds,
        order=ZPR.language_model.order,
        prune=ZPR.language_model.prune,
        discount_fallback=ZPR.language_model.discount_fallback,
    script:
        "../scripts/synthesis/zpr_language_model.py"


rule recover:
    input:
        alignment=f"{R}/synthesis/zpr/align.balance.json",
        models=f"{R}/synthesis/zpr/lm/lm.balance.json",
        pronouns=f"{RESOURCES}/zpr/pronouns.yaml",
    output:
        zeros=f"{R}/synthesis/zpr/zeros.parquet",
        trail=f"{R}/synthesis/zpr/trail.parquet",
        dropped=f"{R}/synthesis/zpr/recover.dropped.parquet",
        manifest=f"{R}/synthesis/zpr/recover.balance.json",
    log:
        f"{LOG}/synthesis/zpr/recover.log",
    benchmark:
        f"{TIME}/synthesis/zpr/recover.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("recover"),
    params:
        version=version(synthesis),
        unmarked=ZPR.unmarked,
        folds=ZPR.folds,
        roles=ZPR.roles,
        distance_cost=ZPR.distance_cost,
        window=ZPR.window,
    script:
        "../scripts/synthesis/recover.py"


# Aligns anew, the labelled pairs with the subtitles: as many steps as the training pairs went through.
rule zpr_quality:
    input:
        alignment=f"{R}/synthesis/zpr/align.balance.json",
        models=f"{R}/synthesis/zpr/lm/lm.balance.json",
        pronouns=f"{RESOURCES}/zpr/pronouns.yaml",
    output:
        quality=f"{R}/synthesis/zpr/quality.json",
    log:
        f"{LOG}/synthesis/zpr/quality.log",
    benchmark:
        f"{TIME}/synthesis/zpr/quality.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("zpr_quality"),
    params:
        version=version(synthesis),
        labelled=ZPR.labelled,
        fingerprint=lambda w: tree_fingerprint(ZPR.labelled or "none", SMALL),
        seed=CONFIG.seed,
        folds=ZPR.folds,
        roles=ZPR.roles,
        distance_cost=ZPR.distance_cost,
        window=ZPR.window,
    script:
        "../scripts/synthesis/zpr_quality.py"
