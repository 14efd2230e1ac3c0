"""One descriptive table of the paper: long CSV, and its views as Markdown, LaTeX and HTML."""

from pathlib import Path
from typing import Any

from discobench.config.references import FACTS
from discobench.report.described import facts
from discobench.report.facts import fact_lines, fact_view
from discobench.report.long import write_long
from discobench.report.markup import write_views
from discobench.report.view import banner
from scripts.job import job


def main(files: Any, out: Any, table: int, params: Any) -> None:
    found = facts(table, list(files.found), files.paper, params.settings)
    lines = fact_lines(table, found, params.comparable, params.tolerance.get(FACTS, 0.0))
    write_long(out.csv, lines)
    shown = fact_view(table, lines, banner(params.comparable, params.preset, params.tolerance))
    write_views(out, shown, Path(params.templates), params.title)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.output, int(j.wildcards.table), j.params)
