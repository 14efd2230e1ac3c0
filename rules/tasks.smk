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
        **asks("build"),
    params:
        version=version(tasks),
        source=lambda wc: CONFIG.tasks[wc.task].source,
        files=lambda wc: task_files(wc.task),
        limit=lambda wc: CONFIG.tasks[wc.task].limit,
        windows=lambda wc: CONFIG.tasks[wc.task].windows.model_dump(),
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
        **asks("card"),
    params:
        version=version(tasks),
        facts=lambda wc: task_facts(wc.task),
    script:
        "../scripts/tasks/card.py"


rule leakage:
    input:
        data=[task_manifest(task) for task in RUN.tasks],
    output:
        report=f"{R}/tasks/leakage.json",
    log:
        f"{LOG}/tasks/leakage.log",
    benchmark:
        f"{TIME}/tasks/leakage.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("leakage"),
    params:
        version=version(tasks),
        tasks=RUN.tasks,
        ngram=CONFIG.leakage.ngram,
        overlap=CONFIG.leakage.overlap,
        threshold=CONFIG.leakage.threshold,
        strict=CONFIG.leakage.strict,
    script:
        "../scripts/tasks/leakage.py"


rule annotation_sheets:
    input:
        data=[task_manifest(task) for task in RUN.tasks],
    output:
        texts=sheets("csv"),
        books=sheets("xlsx"),
    log:
        f"{LOG}/annotation/annotation_sheets.log",
    benchmark:
        f"{TIME}/annotation/annotation_sheets.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("annotation_sheets"),
    params:
        version=version(tasks),
        tasks=RUN.tasks,
        size=CONFIG.annotation.size,
    script:
        "../scripts/tasks/annotation_sheets.py"


rule agreement:
    input:
        data=[task_manifest(task) for task in CONFIG.annotation.sheets],
        sheets=filled_sheets,
        paper=f"{RESOURCES}/paper/table2.csv",
    output:
        values=f"{R}/annotation/agreement.json",
        table=f"{R}/annotation/agreement.md",
    log:
        f"{LOG}/annotation/agreement.log",
    benchmark:
        f"{TIME}/annotation/agreement.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("agreement"),
    params:
        version=version(tasks),
        tasks=list(CONFIG.annotation.sheets),
        size=CONFIG.annotation.size,
    script:
        "../scripts/tasks/agreement.py"
