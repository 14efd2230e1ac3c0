"""Report: scores beside the paper's, as tables and one page."""

from discobench.report.layout import read_layout

PRINTED = read_layout(ROOT / "resources/paper/tables.yaml")
OWN = PRINTED.without_column({task: tasks.task(task).metrics[0] for task in RUN.tasks})
LAYOUT = PRINTED.with_tasks(OWN)


include: "inputs/report.smk"


rule table:
    input:
        layout=f"{RESOURCES}/paper/tables.yaml",
        paper=lambda wc: f"{RESOURCES}/paper/table{wc.table}.csv",
        scores=table_scores,
        models=table_model_scores,
        rankings=table_rankings,
        instances=table_instances,
    output:
        csv=f"{R}/tables/table{{table}}.csv",
        pairs=f"{R}/tables/table{{table}}.pairs.csv",
        md=f"{R}/tables/table{{table}}.md",
        tex=f"{R}/tables/table{{table}}.tex",
        html=f"{R}/tables/table{{table}}.html",
    log:
        f"{LOG}/report/table{{table}}.log",
    benchmark:
        f"{TIME}/report/table{{table}}.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("table"),
    params:
        version=version(reporting),
        templates=f"{RESOURCES}/report",
        preset=CONFIG.run.preset,
        title=CONFIG.report.title,
        own=OWN,
        comparable=CONFIG.report.comparable,
        tolerance=CONFIG.report.tolerance,
        permutations=CONFIG.score.permutations,
        seed=CONFIG.seed,
        origins=origins(),
        rows=lambda wc: table_rows(int(wc.table)),
    script:
        "../scripts/report/table.py"


rule sizes:
    input:
        layout=f"{RESOURCES}/paper/tables.yaml",
        paper=f"{RESOURCES}/paper/table1.csv",
        data=[task_manifest(task) for task in RUN.tasks],
    output:
        csv=f"{R}/tables/table1.csv",
        md=f"{R}/tables/table1.md",
        tex=f"{R}/tables/table1.tex",
        html=f"{R}/tables/table1.html",
    log:
        f"{LOG}/report/sizes.log",
    benchmark:
        f"{TIME}/report/sizes.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("sizes"),
    params:
        version=version(reporting),
        templates=f"{RESOURCES}/report",
        preset=CONFIG.run.preset,
        title=CONFIG.report.title,
        comparable=CONFIG.report.comparable,
        tolerance=CONFIG.report.tolerance,
        words=task_words(),
    script:
        "../scripts/report/sizes.py"


rule page:
    input:
        layout=f"{RESOURCES}/paper/tables.yaml",
        sizes=f"{R}/tables/table1.csv",
        table1=f"{RESOURCES}/paper/table1.csv",
        ledger=f"{RESOURCES}/paper/ledger.yaml",
        paper=f"{RESOURCES}/paper/table5.csv",
        tables=lambda wc: TABLES,
        pairs=lambda wc: [path.replace(".csv", ".pairs.csv") for path in TABLES],
        models=[checkpoint_manifest(name) for name in used_checkpoints()],
        corpus=lambda wc: CORPUS,
        leakage=f"{R}/tasks/leakage.json",
        expansions=lambda wc: EXPANSIONS,
        rankings=lambda wc: SUITES,
        zeros=lambda wc: ZEROS,
    output:
        page=f"{R}/index.html",
    log:
        f"{LOG}/report/page.log",
    benchmark:
        f"{TIME}/report/page.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("page"),
    params:
        version=version(reporting),
        templates=f"{RESOURCES}/report",
        preset=CONFIG.run.preset,
        title=CONFIG.report.title,
        own=OWN,
        comparable=CONFIG.report.comparable,
        tolerance=CONFIG.report.tolerance,
        seeds=CONFIG.run.seeds,
        words=task_words(),
        fingerprint=report_facts(),
        forecast=page_forecast(),
        models={name: CONFIG.checkpoints[name].paper.model_dump() for name in used_checkpoints()},
        labels={row: entry.label for row, entry in CONFIG.rows.items()},
    script:
        "../scripts/report/page.py"
