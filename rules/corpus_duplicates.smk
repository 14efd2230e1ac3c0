"""What of the corpus is a repetition: documents, or their chapters, compared across the shards of a language."""


rule signatures:
    input:
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/clean.balance.json",
        rules=lambda w: cleaning_rules(genre_of(w).language),
    output:
        data=f"{R}/corpus/{{genre}}/{{shard}}/signatures.parquet",
        bands=f"{R}/corpus/{{genre}}/{{shard}}/bands.parquet",
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/signatures.balance.json",
    log:
        f"{LOG}/corpus/{{genre}}/{{shard}}/signatures.log",
    benchmark:
        f"{TIME}/corpus/{{genre}}/{{shard}}/signatures.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("signatures"),
    params:
        version=version(corpus),
        repeats=lambda w: genre_of(w).repeats,
        permutations=CONFIG.corpus.duplicates.permutations,
        threshold=CONFIG.corpus.duplicates.threshold,
        ngram=CONFIG.corpus.duplicates.ngram,
    script:
        "../scripts/corpus/signatures.py"


rule matches:
    input:
        manifests=lambda w: per_shard("signatures", sorted(of_language(w.language))),
    output:
        data=f"{R}/corpus/{{language}}/{{bucket}}/matches.parquet",
        manifest=f"{R}/corpus/{{language}}/{{bucket}}/matches.balance.json",
    log:
        f"{LOG}/corpus/{{language}}/{{bucket}}/matches.log",
    benchmark:
        f"{TIME}/corpus/{{language}}/{{bucket}}/matches.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("matches"),
    params:
        version=version(corpus),
        buckets=lambda w: CONFIG.corpus.duplicates.buckets[w.language],
        permutations=CONFIG.corpus.duplicates.permutations,
        threshold=CONFIG.corpus.duplicates.threshold,
    script:
        "../scripts/corpus/matches.py"


rule duplicates:
    input:
        cleans=lambda w: per_shard("clean", sorted(of_language(w.language))),
        signatures=lambda w: per_shard("signatures", sorted(of_language(w.language))),
        matches=lambda w: matches_manifests(w.language),
    output:
        data=f"{R}/corpus/{{language}}/duplicates.parquet",
        manifest=f"{R}/corpus/{{language}}/duplicates.balance.json",
    log:
        f"{LOG}/corpus/{{language}}/duplicates.log",
    benchmark:
        f"{TIME}/corpus/{{language}}/duplicates.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("duplicates"),
    params:
        version=version(corpus),
        limits=lambda w: limits(w.language),
    script:
        "../scripts/corpus/duplicates.py"


rule deduplicate:
    input:
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/clean.balance.json",
        duplicates=lambda w: f"{R}/corpus/{genre_of(w).language}/duplicates.balance.json",
    output:
        data=f"{R}/corpus/{{genre}}/{{shard}}/deduplicate.parquet",
        dropped=f"{R}/corpus/{{genre}}/{{shard}}/deduplicate.dropped.parquet",
        manifest=f"{R}/corpus/{{genre}}/{{shard}}/deduplicate.balance.json",
    log:
        f"{LOG}/corpus/{{genre}}/{{shard}}/deduplicate.log",
    benchmark:
        f"{TIME}/corpus/{{genre}}/{{shard}}/deduplicate.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("deduplicate"),
    params:
        version=version(corpus),
    script:
        "../scripts/corpus/deduplicate.py"
