"""Models: checkpoints are drawn, fetched or taken from a folder."""


include: "inputs/models.smk"


# Where the command runs: compute nodes often have no network.
localrules:
    fetch,


rule initialise:
    input:
        tasks=lambda w: [task_manifest(t) for t in tasks_of(w.checkpoint)],
        documents=lambda w: per_shard("deduplicate", genres_of(w.checkpoint)),
    output:
        manifest=f"{R}/models/{{checkpoint}}/model.json",
    log:
        f"{LOG}/models/{{checkpoint}}/initialise.log",
    benchmark:
        f"{TIME}/models/{{checkpoint}}/initialise.tsv"
    wildcard_constraints:
        checkpoint=source_kind("tiny", "scratch"),
    conda:
        ENV
    threads: 1
    resources:
        **asks("initialise"),
    params:
        version=version(models),
        tasks=lambda w: tasks_of(w.checkpoint),
        source=lambda w: CONFIG.checkpoints[w.checkpoint].source,
        family=lambda w: RUN.family(w.checkpoint),
        language=lambda w: CONFIG.checkpoints[w.checkpoint].language,
        printed=lambda w: CONFIG.checkpoints[w.checkpoint].paper.parameters,
        architecture=lambda w: CONFIG.checkpoints[w.checkpoint].architecture,
        seed=CONFIG.seed,
    script:
        "../scripts/models/initialise.py"


rule fetch:
    output:
        manifest=f"{R}/models/{{checkpoint}}/model.json",
    log:
        f"{LOG}/models/{{checkpoint}}/fetch.log",
    benchmark:
        f"{TIME}/models/{{checkpoint}}/fetch.tsv"
    wildcard_constraints:
        checkpoint=source_kind("hub"),
    conda:
        ENV
    threads: 1
    resources:
        **asks("fetch"),
    params:
        version=version(models),
        source=lambda w: source_of(w.checkpoint),
        revision=lambda w: CONFIG.checkpoints[w.checkpoint].revision,
        family=lambda w: RUN.family(w.checkpoint),
        language=lambda w: CONFIG.checkpoints[w.checkpoint].language,
        printed=lambda w: CONFIG.checkpoints[w.checkpoint].paper.parameters,
        lock="checkpoints.lock.json",
    script:
        "../scripts/models/fetch.py"


rule localise:
    output:
        manifest=f"{R}/models/{{checkpoint}}/model.json",
    log:
        f"{LOG}/models/{{checkpoint}}/localise.log",
    benchmark:
        f"{TIME}/models/{{checkpoint}}/localise.tsv"
    wildcard_constraints:
        checkpoint=source_kind("path"),
    conda:
        ENV
    threads: 1
    resources:
        **asks("localise"),
    params:
        version=version(models),
        path=lambda w: source_of(w.checkpoint),
        fingerprint=lambda w: tree_fingerprint(source_of(w.checkpoint)),
        family=lambda w: RUN.family(w.checkpoint),
        language=lambda w: CONFIG.checkpoints[w.checkpoint].language,
        printed=lambda w: CONFIG.checkpoints[w.checkpoint].paper.parameters,
    script:
        "../scripts/models/localise.py"
