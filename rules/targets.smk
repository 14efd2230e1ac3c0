"""Targets by name: what a person asks for. None of them does any work of its own."""


localrules:
    corpus,
    te,
    zpr,
    pretrain,
    tables,
    diagnostic,
    figures,
    report,
    release_models,
    score_submission,


TABLES = [f"{R}/tables/table{n}.csv" for n in CONFIG.run.tables or (7, 8, 9, 10, 11)]
SUITES = [path for suite in RUN.suites if CONFIG.suites[suite].table for path in rankings(suite)]
OTHER_SUITES = [f"{R}/diagnose/{s}/accuracies.csv" for s in RUN.suites if not CONFIG.suites[s].table and rankings(s)]
SIZES = f"{R}/tables/table1.csv"
FACTS = [f"{R}/tables/table{n}.csv" for n in TITLES]
FIGURES = [f"{R}/figures/figure2{part}.csv" for part, n in PARTS.items() if f"{R}/tables/table{n}.csv" in TABLES]
CARDS = [f"{R}/tasks/{task}/card.md" for task in RUN.tasks]
PAGES = [f"{R}/index.html", f"{R}/leaderboard/index.html", SIZES, *CARDS, *FACTS, *FIGURES]
ALL = TABLES + OTHER_SUITES + (PAGES if CONFIG.run.page else [])
CORPUS = [f"{R}/corpus/{name}.balance.json" for name in ("statistics", "contamination", "licences") if RUN.genres]
EXPANSIONS = [f"{R}/synthesis/te/statistics.json", f"{R}/figures/te.svg"] if expansions(RUN.genres) else []

# How good the synthesis is that the run trains on, where there are labels to hold it against.
SYNTHESISED = "zpr" in RUN.tasks and CONFIG.tasks["zpr"].source == "zpr"
ZEROS = [f"{R}/synthesis/zpr/quality.json"] if SYNTHESISED and ZPR.labelled else []


rule corpus:
    input:
        CORPUS,
        [f"{R}/corpus/packed/{name}/index.balance.json" for name in RUN.pretrained()],


rule te:
    input:
        expansions(RUN.genres),


rule zpr:
    input:
        f"{R}/synthesis/zpr/recover.balance.json",
        ZEROS,


rule pretrain:
    input:
        [checkpoint_manifest(name) for name in RUN.pretrained()],


rule tables:
    input:
        TABLES,
        SIZES,


rule diagnostic:
    input:
        SUITES,
        OTHER_SUITES,


rule figures:
    input:
        FIGURES,


rule report:
    input:
        f"{R}/index.html",


rule release_models:
    input:
        models_to_release,


# The row is on the leaderboard where the run has one, and waits for it where it has not: nothing is trained for it.
rule score_submission:
    input:
        f"{SUBMISSION}/scores.json",
        [page for page in [f"{R}/leaderboard/index.html"] if Path(page).exists()],


for number in (1, *TITLES, 7, 8, 9, 10, 11):

    rule:
        name:
            f"table_{number}"
        input:
            f"{R}/tables/table{number}.csv",
        localrule: True


for task in RUN.tasks:

    rule:
        name:
            f"task_{task}"
        input:
            [cell_path("score", "scores.json", cell) for cell in RUN.cells(task=task)],
            model_scores(task),
            f"{R}/tasks/{task}/card.md",
        localrule: True


for row in RUN.rows:

    rule:
        name:
            f"row_{identifier(row)}"
        input:
            [cell_path("score", "scores.json", cell) for cell in RUN.cells(row=row)],
        localrule: True
