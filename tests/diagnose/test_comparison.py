"""Which rows can be told apart: tests by hand, by scipy's binomial and by the order of Holm's method."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.diagnose.comparison import compare, holm, mcnemar


def ranking(row: str, right: str, seed: int = 1, reading: str = "sum", other: str = "tie") -> dict[str, Any]:
    """A ranking whose n-th instance is correct where ``right`` has a 1; the first half are of one type."""
    types = ["reference" if n < len(right) // 2 else "ellipsis" for n in range(len(right))]
    instances = [
        {"id": str(n), "type": kind, "outcomes": {reading: "correct" if flag == "1" else other}}
        for n, (flag, kind) in enumerate(zip(right, types, strict=True))
    ]
    readings = {reading: {name: {"chance": 40.0} for name in ("overall", "reference", "ellipsis")}}
    return {"task": "nt", "row": row, "seed": seed, "readings": readings, "instances": instances}


def test_mcnemar_by_hand() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(1, 7) == pytest.approx(2 * (1 + 8) / 256)
    assert mcnemar(7, 1) == mcnemar(1, 7)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order_and_is_no_stricter_than_bonferroni(values: list[float]) -> None:
    corrected = holm(values)
    assert all(p <= c <= min(1.0, len(values) * p) + 1e-12 for p, c in zip(values, corrected, strict=True))
    by_p = [c for _, c in sorted(zip(values, corrected, strict=True))]
    assert by_p == sorted(by_p)


def test_pairs_are_of_the_same_instances() -> None:
    found = compare([ranking("a", "11111111"), ranking("b", "00000011"), ranking("c", "00000011")])
    lines = {(*line["rows"], line["type"]): line for line in found["pairs"]}
    assert set(lines) == {(*rows, kind) for rows in ("ab", "ac", "bc") for kind in ("overall", "ellipsis", "reference")}
    assert lines["a", "b", "overall"]["better"] == [6, 0]
    assert lines["a", "b", "overall"]["p"] == pytest.approx(2 / 64)
    assert lines["a", "b", "overall"]["holm"] == pytest.approx(9 * 2 / 64)
    assert (lines["a", "b", "reference"]["n"], lines["a", "b", "ellipsis"]["better"]) == (4, [2, 0])
    assert lines["b", "c", "overall"]["holm"] == 1.0
    assert {(c["type"], c["chance"]) for c in found["chances"]} == {
        (t, 40.0) for t in ("overall", "reference", "ellipsis")
    }


def test_seeds_are_averaged_by_instance() -> None:
    rankings = [ranking("a", "1100"), ranking("a", "1010", 2), ranking("b", "1000"), ranking("b", "1000", 2)]
    (line,) = [line for line in compare(rankings)["pairs"] if line["type"] == "overall"]
    assert (line["n"], line["better"]) == (4, [2, 0])


def test_one_row_has_no_pair() -> None:
    assert compare([ranking("a", "10")])["pairs"] == []
    assert compare([]) == {"pairs": [], "chances": []}


def test_rows_that_were_asked_are_compared_with_those_that_rank() -> None:
    """What is no hit is none for either: a tie of the one, an unread answer of the other."""
    asked = [
        ranking(row, right, reading="asked", other="unread") for row, right in (("x", "11111100"), ("y", "10000000"))
    ]
    found = compare([ranking("a", "00000011"), *asked])
    lines = {(*line["rows"], line["reading"]): line for line in found["pairs"] if line["type"] == "overall"}
    assert set(lines) == {("a", "x", "sum"), ("a", "y", "sum"), ("x", "y", "asked")}
    assert lines["a", "x", "sum"]["better"] == [2, 6]
    assert lines["a", "x", "sum"]["p"] == pytest.approx(mcnemar(2, 6))
    assert lines["a", "y", "sum"]["better"] == [2, 1]
    assert {(c["reading"], c["type"], c["chance"]) for c in found["chances"]} == {
        (reading, kind, 40.0) for reading in ("sum", "asked") for kind in ("overall", "reference", "ellipsis")
    }


def test_holm_counts_the_pairs_with_rows_that_were_asked() -> None:
    """Both types and overall, of one pair of models and two with the row that was asked."""
    rows = [ranking("a", "11111111"), ranking("b", "00000000"), ranking("x", "11111111", reading="asked")]
    lines = [line for line in compare(rows)["pairs"] if line["type"] == "overall"]
    assert [(line["rows"], line["p"]) for line in lines if line["rows"] == ["a", "b"]] == [(["a", "b"], 2 / 256)]
    assert max(line["holm"] / line["p"] for line in lines if line["p"] < 1) == pytest.approx(9)
