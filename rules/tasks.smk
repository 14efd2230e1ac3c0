"""Tasks: records of every source become train, valid and test of nine data sets."""


include: "inputs/tasks.smk"


rule build:
    input:
        manifests=task_sources,
    output:
        train=f"{R}/tasks/{{task}}/train.parquet",
        valid=f"{R}/tasks/{{task}}/valid.parquet",
        test=f"{R}/tasks/{{task}}/test.parquet",
        card=f"{R}/tasks/{{task}}/card.md",
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
        path=lambda wc: CONFIG.tasks[wc.task].path or "",
        limit=lambda wc: CONFIG.tasks[wc.task].limit,
        facts=lambda wc: task_facts(wc.task),
        fingerprint=lambda wc: tree_fingerprint(CONFIG.tasks[wc.task].path or "none"),
    script:
        "../scripts/tasks/build.py"
