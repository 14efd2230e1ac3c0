"""Stage synthesis: text expansion from English books, zero pronouns from subtitles."""

from discobench.synthesis import VERSION as SYNTHESIS

TE = CONFIG.synthesis.te
TE_GENRES = [genre for genre in TE.genres if genre in RUN.genres]
ZPR = CONFIG.synthesis.zpr
PARSER = CONFIG.synthesis.parser


rule parser:
    output:
        manifest=f"{R}/synthesis/parser/parser.json",
    log:
        f"{LOG}/synthesis/parser.log",
    benchmark:
        f"{TIME}/synthesis/parser.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(3000),
        runtime=60,
    params:
        version=SYNTHESIS,
        source=PARSER.source,
        path=PARSER.path,
        package=PARSER.package,
        steps=PARSER.steps,
        seed=CONFIG.seed,
        fingerprint=lambda w: tree_fingerprint(PARSER.path or "none", SMALL),
    script:
        "../scripts/synthesis/parser.py"


rule parse:
    input:
        documents=f"{R}/corpus/{{genre}}/{{shard}}/deduplicate.balance.json",
        parser=f"{R}/synthesis/parser/parser.json",
    output:
        trees=f"{R}/synthesis/te/{{genre}}/{{shard}}/trees.parquet",
        manifest=f"{R}/synthesis/te/{{genre}}/{{shard}}/parse.balance.json",
    log:
        f"{LOG}/synthesis/te/{{genre}}/{{shard}}/parse.log",
    benchmark:
        f"{TIME}/synthesis/te/{{genre}}/{{shard}}/parse.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(8000),
        runtime=2880,
        gpu=GPUS,
    params:
        version=SYNTHESIS,
        max_tokens=PARSER.max_tokens,
        per_work=TE.per_work,
    script:
        "../scripts/synthesis/parse.py"


rule prune:
    input:
        documents=f"{R}/corpus/{{genre}}/{{shard}}/deduplicate.balance.json",
        trees=f"{R}/synthesis/te/{{genre}}/{{shard}}/parse.balance.json",
        rules=f"{RESOURCES}/te/rules.yaml",
    output:
        candidates=f"{R}/synthesis/te/{{genre}}/{{shard}}/candidates.parquet",
        manifest=f"{R}/synthesis/te/{{genre}}/{{shard}}/prune.balance.json",
    log:
        f"{LOG}/synthesis/te/{{genre}}/{{shard}}/prune.log",
    benchmark:
        f"{TIME}/synthesis/te/{{genre}}/{{shard}}/prune.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(8000),
        runtime=240,
    params:
        version=SYNTHESIS,
        rates=TE.rates,
        delete_heads=TE.delete_heads,
        sentences=TE.sentences,
        seed=CONFIG.seed,
    script:
        "../scripts/synthesis/prune.py"


rule te_language_model:
    input:
        documents=per_shard("deduplicate", TE_GENRES),
    output:
        model=f"{R}/synthesis/te/lm/{{fold}}/model.binary",
        manifest=f"{R}/synthesis/te/lm/{{fold}}/lm.balance.json",
    log:
        f"{LOG}/synthesis/te/lm/{{fold}}.log",
    benchmark:
        f"{TIME}/synthesis/te/lm/{{fold}}.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(2000 if TE.language_model.discount_fallback else 32000),
        runtime=1440,
    params:
        version=SYNTHESIS,
        folds=TE.folds,
        order=TE.language_model.order,
        prune=TE.language_model.prune,
        discount_fallback=TE.language_model.discount_fallback,
    script:
        "../scripts/synthesis/te_language_model.py"


rule filter:
    input:
        candidates=f"{R}/synthesis/te/{{genre}}/{{shard}}/prune.balance.json",
        models=[f"{R}/synthesis/te/lm/{fold}/lm.balance.json" for fold in range(TE.folds)],
    output:
        kept=f"{R}/synthesis/te/{{genre}}/{{shard}}/filter.parquet",
        dropped=f"{R}/synthesis/te/{{genre}}/{{shard}}/filter.dropped.parquet",
        manifest=f"{R}/synthesis/te/{{genre}}/{{shard}}/filter.balance.json",
    log:
        f"{LOG}/synthesis/te/{{genre}}/{{shard}}/filter.log",
    benchmark:
        f"{TIME}/synthesis/te/{{genre}}/{{shard}}/filter.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(8000),
        runtime=480,
    params:
        version=SYNTHESIS,
        max_perplexity=TE.max_perplexity,
        max_ratio=TE.max_ratio,
    script:
        "../scripts/synthesis/filter.py"


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
        mem_mb=grown(8000),
        runtime=1440,
    params:
        version=SYNTHESIS,
        path=ZPR.path,
        fingerprint=lambda w: tree_fingerprint(ZPR.path, SMALL),
        marks=ZPR.marks,
        valid=CONFIG.splits.valid,
        seed=CONFIG.seed,
    script:
        "../scripts/synthesis/align.py"


rule recover:
    input:
        alignment=f"{R}/synthesis/zpr/align.balance.json",
        pronouns=f"{RESOURCES}/zpr/pronouns.yaml",
    output:
        zeros=f"{R}/synthesis/zpr/zeros.parquet",
        manifest=f"{R}/synthesis/zpr/recover.balance.json",
    log:
        f"{LOG}/synthesis/zpr/recover.log",
    benchmark:
        f"{TIME}/synthesis/zpr/recover.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(8000),
        runtime=240,
    params:
        version=SYNTHESIS,
    script:
        "../scripts/synthesis/recover.py"
