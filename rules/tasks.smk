"""Tasks: records of every source become train, valid and test of nine data sets."""


include: "inputs/tasks.smk"


rule build:
    input:
        manifests=task_sources,
    output:
        train=f"{R}/tasks/{{task}}/train.parquet",
        valid=f"{R}/tasks/{{task}}/valid.parquet",
        test=f"{R}/tasks/{{task}}/test.parquet",
        dropped=f"{R}/tasks/{{task}}/build.dropped.parquet",
        balance=f"{R}/tasks/{{task}}/build.balance.json",
    log:
        f"{LOG}/tasks/{{task}}/build.log",
    benchmark:
        f"{TIME}/tasks/{{task}}/build.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(4000),
        runtime=120,
    params:
        version=tasks.VERSION,
        source=lambda wc: CONFIG.tasks[wc.task].source,
        files=lambda wc: task_files(wc.task),
        limit=lambda wc: CONFIG.tasks[wc.task].limit,
        works=lambda wc: work_splits(wc.task),
    script:
        "../scripts/tasks/build.py"


# Not part of build: a licence that becomes known must not train models again.
rule card:
    input:
        data=f"{R}/tasks/{{task}}/build.balance.json",
    output:
        card=f"{R}/tasks/{{task}}/card.md",
    log:
        f"{LOG}/tasks/{{task}}/card.log",
    benchmark:
        f"{TIME}/tasks/{{task}}/card.tsv"
    conda:
        ENV
    threads: 1
    resources:
        mem_mb=grown(4000),
        runtime=60,
    params:
        version=tasks.VERSION,
        facts=lambda wc: task_facts(wc.task),
    script:
        "../scripts/tasks/card.py"
