"""From raw files to documents, statistics and packed tokens."""

PACKED = [f"{split}.{column}.npy" for split in ("train", "valid") for column in ("tokens", "documents", "words")]


include: "inputs/corpus.smk"
include: "corpus_duplicates.smk"


rule sources:
    output:
        files=f"{R}/corpus/{{genre}}/sources.jsonl",
        manifest=f"{R}/corpus/{{genre}}/sources.json",
    log:
        f"{LOG}/corpus/{{genre}}/sources.log",
    benchmark:
        f"{TIME}/corpus/{{genre}}/sources.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("sources"),
    params:
        version=version(corpus),
        place=lambda w: genre_of(w).model_dump(include=PLACE),
        limits=LIMITS,
        fingerprint=lambda w: sources_fingerprint(w),
    script:
        "../scripts/corpus/sources.py"


rule ingest:
    input:
        sources=f"{R}/corpus/{{genre}}/sources.json",
        rules=lambda w: cleaning_rules(genre_of(w).language),
    output:
        data=f"{R}/corpus/{{genre}}/{{shard}}/ingest.parquet",
        dropped=f"{R}/corpus/{{genre}}/{{shard}}/ingest.dropped.parquet",
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/ingest.balance.json",
    log:
        f"{LOG}/corpus/{{genre}}/{{shard}}/ingest.log",
    benchmark:
        f"{TIME}/corpus/{{genre}}/{{shard}}/ingest.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("ingest"),
    params:
        version=version(corpus),
        shards=lambda w: genre_of(w).shards,
        kind=lambda w: genre_of(w).model_dump(include=KIND),
        limits=LIMITS,
    script:
        "../scripts/corpus/ingest.py"


rule clean:
    input:
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/ingest.balance.json",
        rules=lambda w: cleaning_rules(genre_of(w).language),
    output:
        data=f"{R}/corpus/{{genre}}/{{shard}}/clean.parquet",
        attributes=f"{R}/corpus/{{genre}}/{{shard}}/attributes.parquet",
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/clean.balance.json",
    log:
        f"{LOG}/corpus/{{genre}}/{{shard}}/clean.log",
    benchmark:
        f"{TIME}/corpus/{{genre}}/{{shard}}/clean.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("clean"),
    params:
        version=version(corpus),
        language=lambda w: genre_of(w).language,
        width=lambda w: CONFIG.corpus.width[genre_of(w).language],
        simplify=lambda w: genre_of(w).simplify,
        shares=CONFIG.splits.model_dump(),
        seed=CONFIG.seed,
    script:
        "../scripts/corpus/clean.py"


rule ngrams:
    input:
        tasks=lambda w: [task_manifest(task) for task in outside_tasks(w.language)],
    output:
        data=f"{R}/corpus/{{language}}/ngrams.parquet",
        manifest=f"{R}/corpus/{{language}}/ngrams.balance.json",
    log:
        f"{LOG}/corpus/{{language}}/ngrams.log",
    benchmark:
        f"{TIME}/corpus/{{language}}/ngrams.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("ngrams"),
    params:
        version=version(corpus),
        ngram=lambda w: {task: RUN.overlap_ngram(task, w.language) for task in outside_tasks(w.language)},
    script:
        "../scripts/corpus/ngrams.py"


rule decontaminate:
    input:
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/deduplicate.balance.json",
        ngrams=lambda w: ngrams_manifest(genre_of(w).language),
    output:
        data=f"{R}/corpus/{{genre}}/{{shard}}/decontaminate.parquet",
        dropped=f"{R}/corpus/{{genre}}/{{shard}}/decontaminate.dropped.parquet",
        contamination=f"{R}/corpus/{{genre}}/{{shard}}/contamination.parquet",
        overlap=f"{R}/corpus/{{genre}}/{{shard}}/overlap.parquet",
        grams=f"{R}/corpus/{{genre}}/{{shard}}/gram.parquet",
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/decontaminate.balance.json",
    log:
        f"{LOG}/corpus/{{genre}}/{{shard}}/decontaminate.log",
    benchmark:
        f"{TIME}/corpus/{{genre}}/{{shard}}/decontaminate.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("decontaminate"),
    params:
        version=version(corpus),
        language=lambda w: genre_of(w).language,
        terms=lambda w: {task: RUN.overlap_terms(task) for task in outside_tasks(genre_of(w).language)},
    script:
        "../scripts/corpus/decontaminate.py"


rule contamination:
    input:
        manifests=per_shard("decontaminate", RUN.genres),
        ngrams=[ngrams_manifest(language) for language in ("zh", "en") if of_language(language)],
    output:
        data=f"{R}/corpus/contamination.parquet",
        overlaps=f"{R}/corpus/overlaps.parquet",
        exposure=f"{R}/corpus/exposure.parquet",
        manifest=f"{R}/corpus/contamination.balance.json",
    log:
        f"{LOG}/corpus/contamination.log",
    benchmark:
        f"{TIME}/corpus/contamination.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("contamination"),
    params:
        version=version(corpus),
    script:
        "../scripts/corpus/contamination.py"


rule statistics:
    input:
        manifests=per_shard("deduplicate", RUN.genres),
    output:
        data=f"{R}/corpus/statistics.parquet",
        manifest=f"{R}/corpus/statistics.balance.json",
    log:
        f"{LOG}/corpus/statistics.log",
    benchmark:
        f"{TIME}/corpus/statistics.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("statistics"),
    params:
        version=version(corpus),
    script:
        "../scripts/corpus/statistics.py"


# A table of its own, not a column of every document: a licence that is mended must not read the corpus again.
rule licences:
    input:
        manifests=[f"{R}/corpus/{genre}/sources.json" for genre in RUN.genres],
    output:
        data=f"{R}/corpus/licences.parquet",
        manifest=f"{R}/corpus/licences.balance.json",
    log:
        f"{LOG}/corpus/licences.log",
    benchmark:
        f"{TIME}/corpus/licences.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("licences"),
    params:
        version=version(corpus),
        genres={name: genre.model_dump(include=LICENSED) for name, genre in RUN.genres.items()},
    script:
        "../scripts/corpus/licences.py"


rule pack:
    input:
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/decontaminate.balance.json",
        tokenizer=lambda w: checkpoint_manifest(w.checkpoint),
    output:
        arrays=[f"{R}/corpus/{{genre}}/{{shard}}/packed/{{checkpoint}}/{name}" for name in PACKED],
        dropped=f"{R}/corpus/{{genre}}/{{shard}}/packed/{{checkpoint}}/pack.dropped.parquet",
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/packed/{{checkpoint}}/pack.balance.json",
    log:
        f"{LOG}/corpus/{{genre}}/{{shard}}/packed/{{checkpoint}}/pack.log",
    benchmark:
        f"{TIME}/corpus/{{genre}}/{{shard}}/packed/{{checkpoint}}/pack.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("pack"),
    params:
        version=version(corpus),
    script:
        "../scripts/corpus/pack.py"


rule index:
    input:
        manifests=lambda w: packed_shards(w.checkpoint),
        base=lambda w: checkpoint_manifest(CONFIG.checkpoints[w.checkpoint].base),
        tokenizer=lambda w: checkpoint_manifest(RUN.tokenizer(w.checkpoint)),
    output:
        documents=[f"{R}/corpus/packed/{{checkpoint}}/{split}.documents.npy" for split in ("train", "valid")],
        shards=f"{R}/corpus/packed/{{checkpoint}}/shards.json",
        manifest=f"{R}/corpus/packed/{{checkpoint}}/index.balance.json",
    log:
        f"{LOG}/corpus/packed/{{checkpoint}}/index.log",
    benchmark:
        f"{TIME}/corpus/packed/{{checkpoint}}/index.tsv"
    wildcard_constraints:
        checkpoint=any_of(CONFIG.pretrain),
    conda:
        ENV
    threads: 1
    resources:
        **asks("index"),
    params:
        version=version(corpus),
    script:
        "../scripts/corpus/index.py"
