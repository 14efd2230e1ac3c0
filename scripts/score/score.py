"""Score one cell: predictions of a row and seed for a task."""

from pathlib import Path

from discobench.files import read_jsonl, write_json
from discobench.parquet import read_parquet, write_parquet
from discobench.records import beside
from discobench.score.cells import scores
from discobench.score.items import join, statuses
from discobench.score.measure import Options
from discobench.score.registry import evaluate
from discobench.tasks import task as task_named
from scripts.job import job


def main(tests: Path, answers: Path, out: Path, instances: Path, cell: dict[str, str], options: Options) -> None:
    """Write the scores of the cell and its metrics per instance."""
    task = task_named(cell["task"])
    lines = read_jsonl(answers)
    items = join(task, read_parquet(beside(tests, "test.parquet"), task.schema), lines, str(answers))
    results = evaluate(task, items, options)
    summary, rows = scores(results)
    write_parquet(instances, rows, "instance")
    write_json(out, {**cell, "statuses": statuses(lines), "metrics": summary})


if __name__ == "__main__":
    with job(globals()) as j:
        options = Options(j.params.language, j.params.bootstrap, j.params.seed, j.params.nltk_data)
        cell = {"task": j.wildcards.task, "row": j.wildcards.row, "seed": int(j.wildcards.seed)}
        main(j.input.task, j.input.predictions, j.output.scores, j.output.instances, cell, options)
