"""Stage synthesis: text expansion from English books; zero pronouns are in synthesis_zeros.smk."""

import time


include: "synthesis_zeros.smk"


TE = CONFIG.synthesis.te
PARSER = CONFIG.synthesis.parser


localrules:
    te_sample,


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
        **asks("parser"),
    params:
        version=version(synthesis),
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
        dropped=f"{R}/synthesis/te/{{genre}}/{{shard}}/parse.dropped.parquet",
        manifest=f"{R}/synthesis/te/{{genre}}/{{shard}}/parse.balance.json",
    log:
        f"{LOG}/synthesis/te/{{genre}}/{{shard}}/parse.log",
    benchmark:
        f"{TIME}/synthesis/te/{{genre}}/{{shard}}/parse.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("parse"),
        # Here, because they change how trees are made and not the trees: another value reruns nothing.
        batch_tokens=PARSER.batch_tokens,
        save_every=PARSER.save_every,
    params:
        version=version(synthesis),
        max_tokens=PARSER.max_tokens,
        per_work=TE.per_work,
        state=lambda w: f"{R}/state/parse/{w.genre}/{w.shard}",
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
        **asks("prune"),
    params:
        version=version(synthesis),
        rates=TE.rates,
        delete_heads=TE.delete_heads,
        max_share=TE.max_share,
        sentences=TE.sentences,
        seed=CONFIG.seed,
    script:
        "../scripts/synthesis/prune.py"


rule te_language_model:
    input:
        documents=lambda w: per_shard("deduplicate", [w.genre]),
    output:
        model=f"{R}/synthesis/te/{{genre}}/lm/{{fold}}/model.binary",
        manifest=f"{R}/synthesis/te/{{genre}}/lm/{{fold}}/lm.balance.json",
    log:
        f"{LOG}/synthesis/te/{{genre}}/lm/{{fold}}.log",
    benchmark:
        f"{TIME}/synthesis/te/{{genre}}/lm/{{fold}}.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("te_language_model", mem_mb=TE.language_model.memory_mb, disk_mb=TE.language_model.disk_mb),
    params:
        version=version(synthesis),
        folds=TE.folds,
        order=TE.language_model.order,
        prune=TE.language_model.prune,
        discount_fallback=TE.language_model.discount_fallback,
    script:
        "../scripts/synthesis/te_language_model.py"


rule te_score:
    input:
        candidates=f"{R}/synthesis/te/{{genre}}/{{shard}}/prune.balance.json",
        models=[f"{R}/synthesis/te/{{genre}}/lm/{fold}/lm.balance.json" for fold in range(TE.folds)],
    output:
        perplexities=f"{R}/synthesis/te/{{genre}}/{{shard}}/perplexities.parquet",
        manifest=f"{R}/synthesis/te/{{genre}}/{{shard}}/te_score.balance.json",
    log:
        f"{LOG}/synthesis/te/{{genre}}/{{shard}}/te_score.log",
    benchmark:
        f"{TIME}/synthesis/te/{{genre}}/{{shard}}/te_score.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("te_score"),
    params:
        version=version(synthesis),
    script:
        "../scripts/synthesis/te_score.py"


rule filter:
    input:
        candidates=f"{R}/synthesis/te/{{genre}}/{{shard}}/prune.balance.json",
        scores=f"{R}/synthesis/te/{{genre}}/{{shard}}/te_score.balance.json",
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
        **asks("filter"),
    params:
        version=version(synthesis),
        max_perplexity=TE.max_perplexity,
        max_ratio=TE.max_ratio,
    script:
        "../scripts/synthesis/filter.py"


rule te_statistics:
    input:
        pruned=expansions(RUN.genres, "prune"),
        scores=expansions(RUN.genres, "te_score"),
        kept=expansions(RUN.genres),
    output:
        statistics=f"{R}/synthesis/te/statistics.json",
        figure=f"{R}/figures/te.svg",
    log:
        f"{LOG}/synthesis/te/statistics.log",
    benchmark:
        f"{TIME}/synthesis/te/statistics.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("te_statistics"),
    params:
        version=version(synthesis),
        max_perplexity=TE.max_perplexity,
        max_ratio=TE.max_ratio,
    script:
        "../scripts/synthesis/te_statistics.py"


# Printed anew each time, by a parameter that is never the same.
rule te_sample:
    input:
        kept=expansions(RUN.genres),
    output:
        sample=f"{R}/synthesis/te/sample.txt",
    log:
        f"{LOG}/synthesis/te/sample.log",
    benchmark:
        f"{TIME}/synthesis/te/sample.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("te_sample"),
    params:
        asked=time.time_ns(),
        size=20,
        seed=TE.sample_seed,
    script:
        "../scripts/synthesis/te_sample.py"
