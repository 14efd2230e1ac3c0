"""Comparing the rows of a table on the counts beside their scores."""

from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import write_json
from discobench.parquet import write_parquet
from discobench.report.layout import read_layout
from discobench.report.long import Judge, long_table, read_scores
from discobench.report.pairs import compared, partners, read_pairs, units_of, write_pairs
from discobench.report.view import view
from tests.support import ROOT

LAYOUT = read_layout(ROOT / "resources" / "paper" / "tables.yaml")
ROWS = {
    "copy": {"label": "Copy", "group": "baseline", "tasks": ["mrc"]},
    "roberta-base": {"label": "RoBERTa", "group": "existing", "tasks": ["mrc"]},
    "roberta-large": {"label": "RoBERTa (large)", "group": "existing", "tasks": ["mrc"]},
    "disco-roberta-base": {"label": "RoBERTa, continued", "group": "disco-bench", "tasks": ["mrc"]},
}
ORIGINS = {"mrc": {"disco-roberta-base": "roberta-base"}}


def cell(root: Path, row: str, seed: int, right: list[int], signature: str = "accuracy") -> Path:
    folder = root / "score" / "mrc" / row / f"seed-{seed}"
    value = {"value": 100 * sum(right) / len(right), "n": len(right), "ci95": [0, 100], "signature": signature}
    write_json(folder / "scores.json", {"task": "mrc", "row": row, "seed": seed, "metrics": {"accuracy": value}})
    units = [
        {"id": f"s:{n}", "metric": "accuracy", "value": 100.0 * hit, "counts": [float(hit), 1.0]}
        for n, hit in enumerate(right)
    ]
    write_parquet(folder / "instances.parquet", units, "instance")
    return folder / "scores.json"


def pairs(*paths: Path) -> tuple[list[Any], list[Any]]:
    scores = [score for path in paths for score in read_scores(path)]
    lines = long_table(LAYOUT, 7, ROWS, scores, {}, Judge(False, {"default": 0.5}))
    return lines, compared(partners(lines, LAYOUT, ORIGINS), units_of(scores), 999, 1)


def test_models_are_held_against_the_best_and_their_origin(tmp_path: Path) -> None:
    lines, found = pairs(
        cell(tmp_path, "copy", 1, [0] * 40),
        cell(tmp_path, "roberta-base", 1, [0, 1] * 20),
        cell(tmp_path, "roberta-large", 1, [1] * 40),
        cell(tmp_path, "disco-roberta-base", 1, [1] * 20 + [0, 1] * 10),
        cell(tmp_path, "disco-roberta-base", 2, [1] * 39 + [0]),
    )
    named = [(pair["with"], pair["first"], pair["second"], pair["n"]) for pair in found]
    assert named == [
        ("best", "roberta-large", "roberta-base", 40),
        ("best", "roberta-large", "disco-roberta-base", 40),
        ("origin", "disco-roberta-base", "roberta-base", 40),
    ]
    assert [pair["difference"] for pair in found] == pytest.approx([50, 13.75, 36.25])
    assert all(pair["p"] <= pair["p_holm"] <= 3 * pair["p"] for pair in found)
    write_pairs(tmp_path / "p.csv", found)
    assert [pair["second"] for pair in read_pairs(tmp_path / "p.csv")] == [pair["second"] for pair in found]
    labels = {row: str(entry["label"]) for row, entry in ROWS.items()}
    shown = view(LAYOUT, 7, lines, labels, "", [pair | {"p_holm": 0.9} for pair in found])
    tied = {label: row[0].like for section in shown.blocks[0].sections for label, row in section.rows}
    assert tied == {"Copy": False, "RoBERTa": True, "RoBERTa (large)": False, "RoBERTa, continued": True}
    assert shown.pairs[0][1].startswith("RoBERTa (large) (roberta-large) against RoBERTa (roberta-base): +50.00, p =")


def test_rows_scored_on_other_instances_are_not_compared(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match="were not scored on the same instances"):
        pairs(cell(tmp_path, "roberta-base", 1, [0, 1]), cell(tmp_path, "roberta-large", 1, [1, 1, 1]))


def test_a_column_of_two_signatures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        DiscoError, match=r"Table 7, mrc accuracy: .*'accuracy' \(roberta-base\) and 'other' \(roberta-"
    ):
        pairs(cell(tmp_path, "roberta-base", 1, [0, 1]), cell(tmp_path, "roberta-large", 1, [1, 1], "other"))
