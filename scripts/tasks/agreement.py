"""Read filled sheets back: how far the annotators agree, beside what the paper prints."""

from pathlib import Path
from typing import Any

from discobench.files import read_text, write_json, write_text
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.report.paper import read_csv
from discobench.tasks import task as find
from discobench.tasks.agreement import Finding, agreement, beside_paper, table
from discobench.tasks.annotation import answers, read_sheet
from discobench.tasks.build import bounded
from scripts.job import job


def findings(name: str, data: Path, sheets: list[Path], size: int) -> list[Finding]:
    task = find(name)
    sample = bounded(read_parquet(beside(data, "test.parquet"), task.schema), size)
    expected = {record["id"]: record for record in sample}
    return agreement([answers(task, path, read_sheet(path), expected) for path in sheets])


def main(data: list[Path], sheets: list[Path], paper: Path, values: Path, shown: Path, params: Any) -> None:
    printed = {row["task"]: row for row in read_csv(paper)}
    found: list[Finding] = []
    for n, (name, manifest) in enumerate(zip(params.tasks, data, strict=True)):
        measured = findings(name, manifest, sheets[2 * n : 2 * n + 2], params.size)
        found += beside_paper(name, measured, printed)
    write_json(values, found)
    write_text(shown, table(found))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.data, j.input.sheets, j.input.paper, j.output.values, j.output.table, j.params)
        j.say(read_text(j.output.table))
