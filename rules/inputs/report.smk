"""What the rules of report take, worked out while planning."""

from discobench.config.load import resolve
from discobench.report.ledger import choices, read_ledger


def table_scores(wildcards):
    """The scores of the cells whose task has a column without a model in this table."""
    table = int(wildcards.table)
    if table in LAYOUT.rankings:
        return []
    tasks = {column.task for column in LAYOUT.columns(table) if column.metric not in score.MODEL_METRICS}
    return [cell_path("score", "scores.json", cell) for cell in RUN.cells() if cell.task in tasks]


def model_scores(task):
    """Scores of a task that a model gives, for all of its cells at once."""
    metrics = [m for m in tasks.task(task).metrics if m in score.MODEL_METRICS]
    return [f"{R}/score/{task}/model/{metric}.json" for metric in metrics if RUN.cells(task=task)]


def table_model_scores(wildcards):
    columns = LAYOUT.columns(int(wildcards.table))
    wanted = {f"{R}/score/{c.task}/model/{c.metric}.json" for c in columns}
    return [path for task in RUN.tasks for path in model_scores(task) if path in wanted]


def task_words():
    """What Table 1 says of each task of the run in words: metrics, domain, language."""
    found = {name: tasks.task(name) for name in RUN.tasks}
    return {
        name: {
            "metrics": ", ".join(LAYOUT.metrics[m].label if m in LAYOUT.metrics else m for m in task.metrics),
            "domain": CONFIG.tasks[name].domain,
            "language": " → ".join(dict.fromkeys(task.languages)),
        }
        for name, task in found.items()
    }


def table_instances(wildcards):
    """What lies beside the scores: counts per instance, by which rows are compared."""
    scores = [path.replace("scores.json", "instances.parquet") for path in table_scores(wildcards)]
    return scores + [path.replace(".json", ".parquet") for path in table_model_scores(wildcards)]


def origins():
    """Task -> row -> the row whose checkpoint it goes on training from, both in this run."""
    found = {}
    for task in RUN.tasks:
        here = {cell.checkpoint: cell.row for cell in RUN.cells(task=task)}
        bases = {row: CONFIG.checkpoints[name].base for name, row in here.items() if RUN.trained(name)}
        found[task] = {row: here[base] for row, base in bases.items() if base in here}
    return found


def fact_files(wildcards):
    """What a descriptive table is read from, beside the settings."""
    return {
        2: [f"{R}/annotation/agreement.json"] if CONFIG.annotation.sheets else [],
        5: [f"{R}/corpus/statistics.balance.json"] if RUN.genres else [],
        6: [checkpoint_manifest(name) for name in used_checkpoints()],
        15: [checkpoint_manifest(name) for name in RUN.pretrained()],
    }.get(int(wildcards.table), [])


def fact_settings(table):
    """What the run is told about the rows of a descriptive table."""
    if table == 6:
        return {name: CONFIG.checkpoints[name].paper.model_dump() for name in used_checkpoints()}
    return tunings() if table == 16 else {}


def tunings():
    """The fine-tuning of each task, and as <task>/<row> that of each row of the run that has settings of its own."""
    trained = [c for c in RUN.cells() if RUN.trained(c.checkpoint)]
    own = [c for c in trained if c.task in CONFIG.finetune.rows.get(c.row, {}) or RUN.grid(c.task, c.row)]
    found = {name: CONFIG.finetune.tasks[name].scaled() for name in RUN.tasks}
    found |= {f"{c.task}/{c.row}": RUN.training(c.task, c.row) for c in own}
    plain = {row for row in RUN.rows if CONFIG.rows[row].group == "plain"}
    grids = {f"{c.task}/{c.row}": {f"{k} of a grid": v for k, v in RUN.grid(c.task, c.row).items()} for c in own}
    return {
        key: training.model_dump(mode="json") | {"plain": key.partition("/")[2] in plain} | grids.get(key, {})
        for key, training in found.items()
    }


def used_checkpoints():
    """Checkpoints with weights that the run's rows use, and those they start from, in the registry's order."""
    used = {cell.checkpoint for cell in RUN.cells() if RUN.trained(cell.checkpoint)}
    used |= {CONFIG.checkpoints[name].base for name in used}
    return [name for name in CONFIG.checkpoints if name in used]


def table_rankings(wildcards):
    return SUITES if int(wildcards.table) in LAYOUT.rankings else []


def table_rows(table):
    """Rows of the registry that the run or the paper has in a table: label, group, and their tasks in this run."""
    wanted = {column.task for column in LAYOUT.columns(table)}
    ranked = {(CONFIG.suites[s].task, row) for s in RUN.suites for row in RUN.suite_rows(s)}
    rows = {}
    for row, entry in CONFIG.rows.items():
        tasks = [t for t in RUN.row_tasks(row) if t in wanted] if row in RUN.rows else []
        if table in LAYOUT.rankings:
            tasks = [t for t in tasks if (t, row) in ranked]
        if tasks or row in LAYOUT.rows:
            rows[row] = {"label": entry.label, "group": entry.group, "tasks": tasks}
    return rows


def report_facts():
    """What the numbers depend on: hyper-parameters of the run's cells, and how they are scored."""
    cells = RUN.cells()
    trained = [RUN.training(c.task, c.row).model_dump(mode="json") for c in cells if RUN.trained(c.checkpoint)]
    chosen = {c.checkpoint: CONFIG.checkpoints[c.checkpoint].model_dump(mode="json") for c in cells}
    decoding = {task: CONFIG.decode[task].model_dump(mode="json") for task in RUN.tasks}
    names = [[c.task, c.row, c.seed] for c in cells]
    return fingerprint([names, trained, chosen, decoding, CONFIG.score.model_dump(mode="json")])


def ledger_choices():
    """The values of the ledger's keys in this run, beside those of config.yaml alone."""
    shipped = resolve({}, ROOT)
    return choices(
        read_ledger(ROOT / "resources/paper/ledger.yaml"), *(c.model_dump(mode="json") for c in (CONFIG, shipped))
    )
