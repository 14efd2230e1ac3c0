"""The page of a run: tables, corpus, balance sheet, ledger and provenance in one file."""

from pathlib import Path
from typing import Any

from discobench.files import write_text
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.report.balances import balance_sheet
from discobench.report.layout import read_layout
from discobench.report.ledger import read_ledger
from discobench.report.long import read_long
from discobench.report.markup import report_page
from discobench.report.paper import read_csv
from discobench.report.provenance import versions
from discobench.report.statistics import beside_paper
from discobench.report.view import banner, view
from scripts.job import job


def main(files: Any, page: Path, params: Any) -> None:
    layout, root = read_layout(files.layout), page.parent
    notice = banner(params.comparable, params.preset, params.tolerance)
    tables = [(int(path.stem.removeprefix("table")), read_long(path)) for path in files.tables]
    corpus = files.statistics and read_parquet(beside(files.statistics, "statistics.parquet"), "statistics")
    facts = {"preset": params.preset, "seeds": params.seeds, "fingerprint of the settings": params.fingerprint}
    values = {
        "title": params.title,
        "views": [view(layout, table, lines, params.labels, notice) for table, lines in tables],
        "statistics": beside_paper(corpus, read_csv(files.paper)) if corpus else [],
        "balances": balance_sheet(root, root.rglob("*.balance.json")),
        "ledger": read_ledger(files.ledger),
        "provenance": [*facts.items(), *versions().items()],
    }
    write_text(page, report_page(Path(params.templates), notice, **values))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.output.page, j.params)
