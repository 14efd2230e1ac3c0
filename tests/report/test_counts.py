"""Every view of a table of scores has intervals, and says how many instances stand behind them."""

from dataclasses import replace

from discobench.report.counts import counted_in
from discobench.report.long import Judge, Score, long_table
from discobench.report.markup import latex, markdown, table_page
from discobench.report.view import view
from tests.report.test_views import LAYOUT, NOTICE, PAPER, ROWS, TEMPLATES


def test_scores_stand_with_their_interval_and_number() -> None:
    scores = [Score("copy", 1, "nt", "ter", 70.0, 60, (61.5, 78.5), "norm:no", "scores/copy.json")]
    scores += [replace(scores[0], metric="d-bleu", n=12, ci95=None), replace(scores[0], row="mbart", n=58)]
    lines = long_table(LAYOUT, 9, ROWS, scores, PAPER, Judge(False, {"default": 0.5}))
    found = view(LAYOUT, 9, lines, {row: str(entry["label"]) for row, entry in ROWS.items()}, NOTICE)
    said = "Instances (n; of d-BLEU documents): NT d-BLEU 12, TER 58–60."
    assert "[61.5–78.5]" in markdown(found) and said in markdown(found) and "[95 % interval" in markdown(found)
    assert r"\\{\scriptsize [61.5--78.5]}\end{tabular}" in latex(found) and said.replace("–", "--") in latex(found)
    page = table_page(TEMPLATES, found, "Demo")
    assert "<small>61.5–78.5</small>" in page and said in page
    one = [line | {"n": 60} for line in lines]
    assert counted_in(LAYOUT, one) == ("Instances (n; of d-BLEU documents): NT 60.",)
