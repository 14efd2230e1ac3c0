"""What the page of a run shows, read from the files that it names."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from discobench.files import read_json
from discobench.operations.made import code_of_jobs, versions
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.report import figure
from discobench.report.balances import balance_sheet, flows
from discobench.report.categories import categories
from discobench.report.expansions import expansions_shown
from discobench.report.facts import TITLES
from discobench.report.layout import Layout, read_layout
from discobench.report.leakage import leakage_shown
from discobench.report.ledger import read_ledger
from discobench.report.licences import licences_shown
from discobench.report.linter import lint
from discobench.report.long import contract, read_long
from discobench.report.models import model_lines
from discobench.report.outcomes import odd_answers, odd_outcomes
from discobench.report.overlaps import exposed
from discobench.report.pairs import Pair, read_pairs
from discobench.report.paper import read_csv
from discobench.report.rankings import read_comparisons
from discobench.report.sizes import by_task, size_view
from discobench.report.statistics import beside_paper
from discobench.report.view import view
from discobench.report.wide import printed_tables
from discobench.synthesis.quality import summary


def page_values(files: Any, root: Path, params: Any, notice: str) -> dict[str, Any]:
    """The values of the page's template; ``files`` and ``params`` are those of rule ``page``."""
    layout = read_layout(files.layout).with_tasks(params.own).with_readings(params.instead)
    tables = [(int(path.stem.removeprefix("table")), read_long(path)) for path in files.tables]
    overview = size_view(layout, read_long(files.sizes), params.words, by_task(read_csv(files.table1)), notice)
    compared = read_comparisons(files.rankings)
    seeds = "; ".join(f"{row} {', '.join(map(str, found))}" for row, found in params.seeds.items())
    facts = {"preset": params.preset, "seeds": seeds, "fingerprint of the settings": params.fingerprint}
    described = [read_csv(path) for path in (files.sizes, *files.facts)]
    balances = balance_sheet(root, root.rglob("*.balance.json"))
    return {
        "title": params.title,
        "views": [
            overview,
            *(
                view(layout, table, lines, params.labels, notice, _pairs(layout, table, path), compared)
                for (table, lines), path in zip(tables, files.pairs, strict=True)
            ),
        ],
        "models": model_lines(map(read_json, files.models), params.models),
        "leakage": leakage_shown(files.leakage),
        "balances": balances,
        "flows": flows(balances),
        "ledger": read_ledger(files.ledger),
        "here": params.here,
        "provenance": [*facts.items(), *code_of_jobs(root), *versions().items()],
        "contract": contract(chain.from_iterable([*(lines for _, lines in tables), *described])),
        "linted": {
            "The paper's tables": lint(printed_tables(list(files.printed))),
            "This run's tables": lint(printed_tables([files.sizes, *files.tables, *files.facts])),
        },
        "parts": categories(root, layout),
        "odd": odd_answers(root),
        "outcomes": odd_outcomes(root),
        "described": TITLES,
        "figures": [_figure(path) for path in files.figures],
        "expansions": expansions_shown(*files.expansions) if files.expansions else None,
        "zeros": [entry for path in files.zeros for entry in summary(read_json(path))],
        **_corpus(files, params.config["licences"]),
    }


def _pairs(layout: Layout, table: int, path: Path) -> list[Pair]:
    """Rows compared by their scores; those of rankings are compared from these."""
    return read_pairs(path) if table in layout.scores else []


def _figure(path: Path) -> dict[str, str]:
    """The drawing beside the figures at ``path``."""
    part = path.stem.removeprefix("figure2")
    return {
        "name": f"2{part}",
        "title": figure.TITLES[part],
        "svg": figure.inlined_part(path.with_suffix(".svg"), part),
    }


def _corpus(files: Any, known: Mapping[str, Any]) -> dict[str, Any]:
    """Statistics beside the paper's, overlaps with test sets, licences; empty where the run has no corpus."""
    found = {path.name.split(".")[0]: path for path in files.corpus}
    if not found:
        return {"statistics": [], "overlaps": [], "exposure": [], "licences": []}
    licences = read_parquet(beside(found["licences"], "licences.parquet"), "licence")
    rows = read_parquet(beside(found["statistics"], "statistics.parquet"), "statistics")
    overlaps, exposure = (
        read_parquet(beside(found["contamination"], f"{name}.parquet"), name) for name in ("overlaps", "exposure")
    )
    return {
        "statistics": beside_paper(rows, read_csv(files.paper)),
        "overlaps": overlaps,
        "exposure": exposed(exposure),
        "licences": licences_shown(licences, known),
    }
