"""The page of a run: tables, models, corpus, balance sheet, ledger and provenance in one file."""

from pathlib import Path
from typing import Any

from discobench.config.load import parse
from discobench.config.selection import Selection
from discobench.files import write_json, write_text
from discobench.operations.forecast import Site
from discobench.operations.rates import read_rates
from discobench.operations.sizes import Sizes
from discobench.operations.tables import on_page
from discobench.report.markup import provenance_page, report_page
from discobench.report.page import page_values
from discobench.report.paper import read_csv
from discobench.report.trail import trails
from discobench.report.view import banner
from scripts.job import job


def reckoned(files: Any, results: Path, params: Any) -> dict[str, Any]:
    """The forecast: of the paper's sizes, or at another scale of the data sets that were built."""
    run, rates = Selection(parse(params.config, "configuration")), read_rates(files.rates)
    sizes = Sizes(run, rates, read_csv(files.paper), None if params.comparable else results)
    return on_page(run, rates, sizes, Site(params.jobs))


def main(files: Any, out: Any, params: Any) -> None:
    notice = banner(params.comparable, params.preset, params.tolerance)
    values = page_values(files, out.page.parent, params, notice)
    values["forecast"] = reckoned(files, out.page.parent, params)
    write_text(out.page, report_page(Path(params.templates), notice, **values))
    made = {name: values[name] for name in ("provenance", "title")}
    write_json(out.config, params.config)
    write_text(out.provenance, provenance_page(Path(params.templates), notice, trails=trails(out.page.parent), **made))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.output, j.params)
