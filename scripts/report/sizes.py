"""Table 1: sizes and lengths of the run's data sets beside the paper's."""

from pathlib import Path
from typing import Any

from discobench.config.references import FACTS
from discobench.report.layout import read_layout
from discobench.report.long import Line, write_long
from discobench.report.markup import write_views
from discobench.report.paper import read_csv
from discobench.report.sizes import by_task, size_lines, size_view
from discobench.report.view import banner
from discobench.tasks import task as find
from discobench.tasks.measures import built
from scripts.job import job


def lines(name: str, manifest: Path, paper: Any, params: Any) -> list[Line]:
    task = find(name)
    near = params.tolerance.get(FACTS, 0.0)
    return size_lines(task, built(task, manifest), paper.get(name, {}), params.comparable, str(manifest), near)


def main(files: Any, out: Any, params: Any) -> None:
    paper = by_task(read_csv(files.paper))
    pairs = zip(params.words, files.data, strict=True)
    found = [line for name, data in pairs for line in lines(name, data, paper, params)]
    write_long(out.csv, found)
    notice = banner(params.comparable, params.preset, params.tolerance)
    shown = size_view(read_layout(files.layout), found, params.words, paper, notice)
    write_views(out, shown, Path(params.templates), params.title)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.output, j.params)
