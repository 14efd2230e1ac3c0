"""Operations: what a person asks before, during and after a run."""

import time


include: "inputs/operations.smk"


localrules:
    preflight,
    forecast,
    status,


# Asked anew each time, by a parameter that is never the same: the machine may have changed.
rule preflight:
    input:
        rates=f"{RESOURCES}/forecast.yaml",
        paper=f"{RESOURCES}/paper/table5.csv",
        jobs=f"{RESOURCES}/jobs.yaml",
        cluster=f"{PROFILES}/slurm/cluster.yaml",
    output:
        report=f"{R}/operations/preflight.txt",
    log:
        f"{LOG}/operations/preflight.log",
    benchmark:
        f"{TIME}/operations/preflight.tsv"
    retries: 0
    conda:
        ENV
    threads: 1
    resources:
        **asks("preflight"),
    params:
        asked=time.time_ns(),
        config=CONFIG.model_dump(),
        scheduled=lambda wc: workflow.non_local_exec,
        slurm=lambda wc: goes_to_slurm(),
    script:
        "../scripts/operations/preflight.py"


# Reckoned anew each time: what was built and spent since is part of it.
rule forecast:
    input:
        rates=f"{RESOURCES}/forecast.yaml",
        paper=f"{RESOURCES}/paper/table5.csv",
    output:
        forecast=f"{R}/operations/forecast.md",
    log:
        f"{LOG}/operations/forecast.log",
    benchmark:
        f"{TIME}/operations/forecast.tsv"
    retries: 0
    conda:
        ENV
    threads: 1
    resources:
        **asks("forecast"),
    params:
        asked=time.time_ns(),
        config=CONFIG.model_dump(),
        place=lambda wc: place_of_jobs(),
        times=TIME,
        logs=LOG,
    script:
        "../scripts/operations/forecast.py"


# Looked at anew each time, while another command runs too.
rule status:
    output:
        status=f"{R}/operations/status.txt",
    log:
        f"{LOG}/operations/status.log",
    benchmark:
        f"{TIME}/operations/status.tsv"
    retries: 0
    conda:
        ENV
    threads: 1
    resources:
        **asks("status"),
    params:
        asked=time.time_ns(),
        expected=lambda wc: expected_results(),
        marks=".snakemake/incomplete",
        logs=LOG,
    script:
        "../scripts/operations/status.py"


rule rebuild_tasks:
    input:
        manifests=[task_manifest(task) for task in RUN.tasks],
        archive=archive_to_rebuild,
    output:
        folder=directory(f"{R}/release/rebuilt"),
    log:
        f"{LOG}/release/rebuild_tasks.log",
    benchmark:
        f"{TIME}/release/rebuild_tasks.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("rebuild_tasks"),
    params:
        tasks=RUN.tasks,
    script:
        "../scripts/operations/rebuild_tasks.py"


rule release_tasks:
    input:
        manifests=released,
        cards=[f"{R}/tasks/{task}/card.md" for task in RUN.tasks],
    output:
        archive=f"{R}/release/tasks-{CONFIG.release.version}.zip",
        sums=f"{R}/release/tasks-{CONFIG.release.version}.json",
    log:
        f"{LOG}/release/release_tasks.log",
    benchmark:
        f"{TIME}/release/release_tasks.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("release_tasks"),
    params:
        texts=released_texts(),
        notice=release_notice(),
    script:
        "../scripts/operations/release_tasks.py"


rule release_model:
    input:
        model=released_model,
        packed=f"{R}/corpus/packed/{{checkpoint}}/index.balance.json",
        base=lambda w: checkpoint_manifest(CONFIG.checkpoints[w.checkpoint].base),
    output:
        archive=f"{R}/release/{{checkpoint}}-{CONFIG.release.version}.zip",
        sums=f"{R}/release/{{checkpoint}}-{CONFIG.release.version}.json",
    log:
        f"{LOG}/release/{{checkpoint}}/release_model.log",
    benchmark:
        f"{TIME}/release/{{checkpoint}}/release_model.tsv"
    wildcard_constraints:
        checkpoint=any_of(CONFIG.pretrain),
    conda:
        ENV
    threads: 1
    resources:
        **asks("release_model"),
    params:
        facts=lambda w: model_facts(w.checkpoint),
    script:
        "../scripts/operations/release_model.py"


rule submission:
    input:
        file=submission_file,
        data=[task_manifest(task) for task in SUBMITTED],
        models=submission_models(trained=False),
    output:
        scores=f"{SUBMISSION}/scores.json",
        answers=[f"{SUBMISSION}/{task}.jsonl" for task in SUBMITTED],
    log:
        f"{LOG}/operations/{SUBMISSION.rpartition('/')[2]}/submission.log",
    benchmark:
        f"{TIME}/operations/{SUBMISSION.rpartition('/')[2]}/submission.tsv"
    retries: 0
    conda:
        ENV
    threads: 1
    resources:
        **asks("submission"),
    params:
        version=version(score),
        tasks=SUBMITTED,
        allowed=RUN.tasks,
        bootstrap=CONFIG.score.bootstrap,
        seed=CONFIG.seed,
        nltk_data=CONFIG.score.nltk_data,
        outside_inventory=CONFIG.score.outside_inventory,
        models={m: {key: checkpoint_manifest(name) for key, name in SCORERS[m].items()} for m in SCORERS},
        trained=trained_scorers(),
        layers=CONFIG.score.bertscore_layers,
        comet_python=CONFIG.score.comet_python,
        comet_checkpoint=CONFIG.score.comet_checkpoint,
        comet_sha256=CONFIG.score.comet_sha256,
    script:
        "../scripts/operations/submission.py"
