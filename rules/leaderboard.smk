"""Leaderboard: a static site over the scores, predictions and accounts of the run, and the submissions in it."""

from discobench.operations import release
from discobench.report.board.names import ASSETS, page_names


include: "inputs/leaderboard.smk"


rule leaderboard:
    input:
        layout=f"{RESOURCES}/paper/tables.yaml",
        ledger=f"{RESOURCES}/paper/ledger.yaml",
        tables=lambda wc: TABLES,
        sizes=f"{R}/tables/table1.csv",
        facts=lambda wc: FACTS,
        data=[task_manifest(task) for task in RUN.tasks],
        cards=[f"{R}/tasks/{task}/card.md" for task in RUN.tasks],
        predictions=[cell_path("decode", "decode.balance.json", cell) for cell in RUN.cells()],
        scores=[cell_path("score", "scores.json", cell) for cell in RUN.cells()],
        models=[path for task in RUN.tasks for path in model_scores(task)],
        rankings=lambda wc: SUITES,
        leakage=f"{R}/tasks/leakage.json",
        page=f"{R}/index.html",  # its links lead there
        submissions=submissions,
    output:
        index=report(f"{R}/leaderboard/index.html", caption=f"{CAPTIONS}leaderboard.rst", category="Leaderboard"),
        pages=[f"{R}/leaderboard/{name}" for name in [*page_names(RUN.tasks), *ASSETS] if name != "index.html"],
    log:
        f"{LOG}/report/leaderboard.log",
    benchmark:
        f"{TIME}/report/leaderboard.tsv"
    conda:
        ENV
    threads: 1
    resources:
        **asks("leaderboard"),
    params:
        version=version(reporting),
        kept=KEPT_BOARD,
        templates=f"{RESOURCES}/report",
        preset=CONFIG.run.preset,
        title=CONFIG.report.title,
        own=OWN,
        instead=CONFIG.report.instead,
        comparable=CONFIG.report.comparable,
        tolerance=CONFIG.report.tolerance,
        trusted=CONFIG.report.trusted,
        here=lambda wc: ledger_choices(),
        examples=CONFIG.report.examples,
        cells=[[cell.task, cell.row] for cell in RUN.cells()],
        labels={row: entry.label for row, entry in CONFIG.rows.items()},
        groups={row: CONFIG.rows[row].group for row in RUN.rows},
        texts={task: release.whole_texts(RUN, task) for task in RUN.tasks},
        open_licences=[name for name, licence in CONFIG.licences.items() if licence.texts],
    script:
        "../scripts/report/leaderboard.py"
