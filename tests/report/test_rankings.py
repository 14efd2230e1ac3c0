"""Table 11: instances, intervals and chance are shown, and what cannot be told apart is marked."""

from pathlib import Path
from typing import Any

from discobench.files import write_json
from discobench.report.layout import read_layout
from discobench.report.long import Judge, long_table, read_scores
from discobench.report.markup import latex, markdown, table_page
from discobench.report.pairs import RANKED, ranked, write_pairs
from discobench.report.paper import printed, read_csv
from discobench.report.rankings import read_comparisons
from discobench.report.view import View, banner, view
from tests.support import ROOT

LAYOUT = read_layout(ROOT / "resources/paper/tables.yaml")
ROWS = {
    name: {"label": label, "group": group, "tasks": ["nt"]}
    for name, label, group in (
        ("mbart", "mBART (CC25)", "existing"),
        ("bart-large", "BART (large)", "existing"),
        ("disco-mbart", "mBART (CC25)", "disco-bench"),
        ("gpt-4", "GPT-4", "llm"),
    )
}
RIGHT = {"mbart": 40, "bart-large": 36, "disco-mbart": 4, "gpt-4": 21}
N = 40


def ranking(folder: Path, row: str) -> Path:
    """Forty instances of reference, the first ones correct."""
    reading = "asked" if row == "gpt-4" else "sum"
    outcomes = ["correct" if n < RIGHT[row] else "wrong" for n in range(N)]
    entry = {"accuracy": 100 * RIGHT[row] / N, "n": N, "ci95": [10.0, 90.0], "signature": "s", "chance": 37.5}
    instances = [{"id": str(n), "type": "reference", "outcomes": {reading: o}} for n, o in enumerate(outcomes)]
    cell: dict[str, Any] = {"suite": "nt", "task": "nt", "row": row, "seed": 1, "instances": instances}
    write_json(folder / f"{row}.json", cell | {"readings": {reading: {"reference": entry, "overall": entry}}})
    return folder / f"{row}.json"


def shown(folder: Path) -> View:
    paths = [ranking(folder, row) for row in ROWS]
    scores = [score for path in paths for score in read_scores(path)]
    paper = printed(LAYOUT, 11, ROOT / "resources/paper/table11.csv")
    lines = long_table(LAYOUT, 11, ROWS, scores, paper, Judge(True, {"default": 0.5}))
    labels = {row: str(entry["label"]) for row, entry in ROWS.items()}
    return view(LAYOUT, 11, lines, labels, banner(True, "paper", {"default": 0.5}), comparisons=read_comparisons(paths))


def test_cells_that_cannot_be_told_apart_are_marked(tmp_path: Path) -> None:
    text = markdown(shown(tmp_path))
    assert "| BART (large) | 90.0≈ [10.0–90.0]" in text  # 4 instances to none: p = 0.125
    assert "**100.0** [10.0–90.0] / 95.9" in text
    assert "| mBART (CC25) | 10.0 [10.0–90.0] / 96.7" in text
    assert "reference: mBART (CC25) (mbart) above mBART (CC25) (disco-mbart), 36 to 0, p = 0.0000" in text
    assert "BART (large) (bart-large) above mBART (CC25) (mbart)" not in text
    assert "reference: GPT-4 (gpt-4) above mBART (CC25) (disco-mbart), 17 to 0, p = " in text


def test_every_pair_is_written_whether_told_apart_or_not(tmp_path: Path) -> None:
    write_pairs(tmp_path / "p.csv", ranked(11, read_comparisons([ranking(tmp_path, row) for row in ROWS])), RANKED)
    found = {(line["metric"], line["first"], line["second"]): line for line in read_csv(tmp_path / "p.csv")}
    alike, apart = (found["reference/sum", "mbart", row] for row in ("bart-large", "disco-mbart"))
    assert (alike["n"], alike["first_better"], alike["second_better"], alike["p"]) == ("40", "4", "0", "0.125000")
    assert float(apart["p_holm"]) < 0.05 < float(alike["p_holm"])


def test_instances_and_chance_are_shown(tmp_path: Path) -> None:
    found = shown(tmp_path)
    for text in (markdown(found), latex(found), table_page(ROOT / "resources/report", found, "Demo")):
        assert "reference n = 40, 37.5" in text and "several seeds are means over them" in text


def test_rows_that_were_asked_have_a_block_of_their_own(tmp_path: Path) -> None:
    blocks = {block.title: block for block in shown(tmp_path).blocks if block.sections}
    assert list(blocks) == ["Translation (NT), ranked by the whole answer", "Translation (NT), asked in words"]
    asked = blocks["Translation (NT), asked in words"].sections
    assert [label for section in asked for label, _ in section.rows] == ["GPT-4"]
    assert [(cell.value, cell.paper) for cell in asked[0].rows[0][1] if cell.value != "not run"] == [
        ("52.5", "71.6"),
        ("52.5", ""),
    ]
