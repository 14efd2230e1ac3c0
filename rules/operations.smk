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
        mem_mb=grown(16000),
        runtime=240,
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
        mem_mb=grown(4000),
        runtime=240,
    params:
        texts=released_texts(),
        notice=release_notice(),
    script:
        "../scripts/operations/release_tasks.py"
