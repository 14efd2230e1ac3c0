"""The page of a run: tables, models, corpus, balance sheet, ledger and provenance in one file."""

from pathlib import Path
from typing import Any

from discobench.files import write_json, write_text
from discobench.report.markup import provenance_page, report_page
from discobench.report.page import page_values
from discobench.report.trail import trails
from discobench.report.view import banner
from scripts.job import job


def main(files: Any, out: Any, params: Any) -> None:
    notice = banner(params.comparable, params.preset, params.tolerance)
    values = page_values(files, out.page.parent, params, notice)
    write_text(out.page, report_page(Path(params.templates), notice, **values))
    made = {name: values[name] for name in ("provenance", "title")}
    write_json(out.config, params.config)
    found = trails(out.page.parent)
    write_text(out.provenance, provenance_page(Path(params.templates), notice, trails=found, **made))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.output, j.params)
