"""One table of the paper: long CSV, and its views as Markdown, LaTeX and HTML."""

from pathlib import Path
from typing import Any

from discobench.report.layout import read_layout
from discobench.report.ledger import read_ledger, reasons
from discobench.report.long import Judge, long_table, read_scores, write_long
from discobench.report.markup import write_views
from discobench.report.pairs import COLUMNS, RANKED, compared, partners, ranked, units_of, write_pairs
from discobench.report.paper import printed
from discobench.report.rankings import read_comparisons
from discobench.report.view import banner, view
from scripts.job import job


def main(files: Any, out: Any, table: int, params: Any) -> None:
    layout = read_layout(files.layout).with_tasks(params.own).with_readings(params.instead)
    scores = [score for path in [*files.scores, *files.models, *files.rankings] for score in read_scores(path)]
    judge = Judge(params.comparable, params.tolerance, reasons(read_ledger(files.ledger), params.trusted))
    lines = long_table(layout, table, params.rows, scores, printed(layout, table, files.paper), judge)
    write_long(out.csv, lines)
    pairs = compared(partners(lines, layout, params.origins), units_of(scores), params.permutations, params.seed)
    comparisons = read_comparisons(files.rankings)
    of_ranks = table in layout.rankings
    write_pairs(out.pairs, *((ranked(table, comparisons), RANKED) if of_ranks else (pairs, COLUMNS)))
    notice = banner(params.comparable, params.preset, params.tolerance)
    labels = {row: entry["label"] for row, entry in params.rows.items()}
    shown = view(layout, table, lines, labels, notice, pairs, comparisons)
    write_views(out, shown, Path(params.templates), params.title)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.output, int(j.wildcards.table), j.params)
