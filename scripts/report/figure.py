"""One part of Figure 2 as SVG and PNG, and its figures as CSV, Markdown, LaTeX and HTML."""

from pathlib import Path
from typing import Any

from discobench.files import whole
from discobench.report.figure import TITLES, bars, figure_view, inlined_part, plot, write_bars
from discobench.report.layout import read_layout
from discobench.report.long import read_long
from discobench.report.markup import write_views
from discobench.report.view import banner
from scripts.job import job


def main(layout: Path, table: Path, out: Any, part: str, params: Any) -> None:
    columns = read_layout(layout).with_tasks(params.own).with_readings(params.instead)
    found = bars(columns, read_long(table))
    write_bars(out.csv, found)
    notice = banner(params.comparable, params.preset, params.tolerance)
    for kind, path in (("svg", out.svg), ("png", out.png)):
        with whole(path) as temporary:
            plot(found, f"Figure 2{part}. {TITLES[part]}", notice, temporary, kind)
    shown = figure_view(part, found, inlined_part(out.svg, part), params.number, notice)
    write_views(out, shown, Path(params.templates), params.title)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.layout, j.input.table, j.output, j.wildcards.part, j.params)
