"""Report: scores beside the paper's, as tables and one page."""

from discobench.report.facts import TITLES
from discobench.report.layout import read_layout

PRINTED = read_layout(ROOT / "resources/paper/tables.yaml")
OWN = PRINTED.without_column({task: tasks.task(task).metrics[0] for task in RUN.tasks})
LAYOUT = PRINTED.with_tasks(OWN).with_readings(CONFIG.report.instead)
CAPTIONS = "../resources/report/captions/"
NUMBERED = {"table": "{table}"}
PARTS = {"a": 7, "b": 11}


include: "inputs/report.smk"


rule table:
    input:
        layout=f"{RESOURCES}/paper/tables.yaml",
        paper=lambda wc: f"{RESOURCES}/paper/table{wc.table}.csv",
        ledger=f"{RESOURCES}/paper/ledger.yaml",
        scores=table_scores,
        models=table_model_scores,
        rankings=table_rankings,
        instances=table_instances,
    output:
        csv=f"{R}/tables/table{{table}}.csv",
        pairs=f"{R}/tables/table{{table}}.pairs.csv",
        md=f"{R}/tables/table{{table}}.md",
        tex=f"{R}/tables/table{{table}}.tex",
        html=report(
            f"{R}/tables/table{{table}}.html", caption=f"{CAPTIONS}table.rst", category="Tables", labels=NUMBERED
        ),
    log:
        f"{LOG}/report/table{{table}}.log",
    benchmark:
        f"{TIME}/report/table{{table}}.tsv"
    wildcard_constraints:
        table=any_of(map(str, [*LAYOUT.scores, *LAYOUT.rankings])),
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
        instead=CONFIG.report.instead,
        comparable=CONFIG.report.comparable,
        tolerance=CONFIG.report.tolerance,
        trusted=CONFIG.report.trusted,
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
        html=report(f"{R}/tables/table1.html", caption=f"{CAPTIONS}sizes.rst", category="Tables", labels={"table": "1"}),
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


rule facts:
    input:
        found=fact_files,
        paper=lambda wc: f"{RESOURCES}/paper/table{wc.table}.csv",
    output:
        csv=f"{R}/tables/table{{table}}.csv",
        md=f"{R}/tables/table{{table}}.md",
        tex=f"{R}/tables/table{{table}}.tex",
        html=report(
            f"{R}/tables/table{{table}}.html", caption=f"{CAPTIONS}facts.rst", category="Tables", labels=NUMBERED
        ),
    log:
        f"{LOG}/report/table{{table}}.log",
    benchmark:
        f"{TIME}/report/table{{table}}.tsv"
    wildcard_constraints:
        table="|".join(map(str, TITLES)),
    conda:
        ENV
    threads: 1
    resources:
        **asks("facts"),
    params:
        version=version(reporting),
        templates=f"{RESOURCES}/report",
        preset=CONFIG.run.preset,
        title=CONFIG.report.title,
        comparable=CONFIG.report.comparable,
        tolerance=CONFIG.report.tolerance,
        settings=lambda wc: fact_settings(int(wc.table)),
    script:
        "../scripts/report/facts.py"


rule figure:
    input:
        layout=f"{RESOURCES}/paper/tables.yaml",
        table=lambda wc: f"{R}/tables/table{PARTS[wc.part]}.csv",
    output:
        csv=f"{R}/figures/figure2{{part}}.csv",
        svg=report(f"{R}/figures/figure2{{part}}.svg", caption=f"{CAPTIONS}figure.rst", category="Figures"),
        png=f"{R}/figures/figure2{{part}}.png",
        md=f"{R}/figures/figure2{{part}}.md",
        tex=f"{R}/figures/figure2{{part}}.tex",
        html=f"{R}/figures/figure2{{part}}.html",
    log:
        f"{LOG}/report/figure2{{part}}.log",
    benchmark:
        f"{TIME}/report/figure2{{part}}.tsv"
    wildcard_constraints:
        part="a|b",
    conda:
        ENV
    threads: 1
    resources:
        **asks("figure"),
    params:
        version=version(reporting),
        templates=f"{RESOURCES}/report",
        own=OWN,
        instead=CONFIG.report.instead,
        preset=CONFIG.run.preset,
        title=CONFIG.report.title,
        comparable=CONFIG.report.comparable,
        tolerance=CONFIG.report.tolerance,
        number=lambda wc: PARTS[wc.part],
    script:
        "../scripts/report/figure.py"


rule page:
    input:
        layout=f"{RESOURCES}/paper/tables.yaml",
        sizes=f"{R}/tables/table1.csv",
        table1=f"{RESOURCES}/paper/table1.csv",
        rates=f"{RESOURCES}/forecast.yaml",
        ledger=f"{RESOURCES}/paper/ledger.yaml",
        paper=f"{RESOURCES}/paper/table5.csv",
        tables=lambda wc: TABLES,
        pairs=lambda wc: [path.replace(".csv", ".pairs.csv") for path in TABLES],
        facts=lambda wc: FACTS,
        figures=lambda wc: FIGURES,
        printed=[f"{RESOURCES}/paper/table{n}.csv" for n in (1, 2, 5, 6, 7, 8, 9, 10, 11, 15, 16)],
        models=[checkpoint_manifest(name) for name in used_checkpoints()],
        corpus=lambda wc: CORPUS,
        leakage=f"{R}/tasks/leakage.json",
        expansions=lambda wc: EXPANSIONS,
        zeros=lambda wc: ZEROS,
        rankings=lambda wc: SUITES,
    output:
        page=report(f"{R}/index.html", caption=f"{CAPTIONS}page.rst", category="Report"),
        provenance=report(f"{R}/provenance.html", caption=f"{CAPTIONS}provenance.rst", category="Report"),
        config=f"{R}/config.json",
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
        instead=CONFIG.report.instead,
        comparable=CONFIG.report.comparable,
        tolerance=CONFIG.report.tolerance,
        seeds={row: RUN.seeds(row) for row in RUN.rows},
        words=task_words(),
        config=CONFIG.model_dump(mode="json"),
        fingerprint=report_facts(),
        here=lambda wc: ledger_choices(),
        jobs=NEEDS.cluster.jobs,
        models={name: CONFIG.checkpoints[name].paper.model_dump() for name in used_checkpoints()},
        labels={row: entry.label for row, entry in CONFIG.rows.items()},
    script:
        "../scripts/report/page.py"
