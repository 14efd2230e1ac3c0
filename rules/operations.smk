"""Operations: what a person asks before, during and after a run."""

import time


include: "inputs/operations.smk"


localrules:
    preflight,


# Asked anew each time, by a parameter that is never the same: the machine may have changed.
rule preflight:
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
        mem_mb=grown(500),
        runtime=10,
    params:
        asked=time.time_ns(),
        config=CONFIG.model_dump(),
    script:
        "../scripts/operations/preflight.py"


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
        mem_mb=grown(4000),
        runtime=240,
    params:
        texts=released_texts(),
        notice=release_notice(),
    script:
        "../scripts/operations/release_tasks.py"


rule submission:
    input:
        file=submission_file,
        data=[task_manifest(task) for task in SUBMITTED],
        models=submission_models(),
    output:
        scores=f"{SUBMISSION}/scores.json",
        answers=[f"{SUBMISSION}/{task}.jsonl" for task in SUBMITTED],
    log:
        f"{LOG}/operations/submission.log",
    benchmark:
        f"{TIME}/operations/submission.tsv"
    retries: 0
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(16000 if submission_models() else 4000),
        runtime=240,
        gpu=GPUS if submission_models() else 0,
    params:
        version=version(score),
        tasks=SUBMITTED,
        allowed=RUN.tasks,
        bootstrap=CONFIG.score.bootstrap,
        seed=CONFIG.seed,
        nltk_data=CONFIG.score.nltk_data,
        models=SCORERS,
        layers=CONFIG.score.bertscore_layers,
        comet_python=CONFIG.score.comet_python,
        comet_checkpoint=CONFIG.score.comet_checkpoint,
        comet_sha256=CONFIG.score.comet_sha256,
    script:
        "../scripts/operations/submission.py"
