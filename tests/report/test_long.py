"""Long tables: columns, verdicts, seeds, and the paper's values where they belong."""

from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import write_json, write_text
from discobench.report.facts import Fact
from discobench.report.layout import GROUPS, Column, kind, read_layout
from discobench.report.ledger import read_ledger, reasons
from discobench.report.long import COLUMNS, Judge, long_table, read_long, read_scores, write_long
from discobench.report.paper import printed, read_csv
from discobench.report.view import view
from tests.support import ROOT

PAPER = ROOT / "resources" / "paper"
LAYOUT = read_layout(PAPER / "tables.yaml")
LEDGER = read_ledger(PAPER / "ledger.yaml")
TOLERANCE = {"default": 0.5, "comet": 0.005}
STRICT = Judge(True, TOLERANCE)
SCALED = Judge(False, TOLERANCE)
AS_SHIPPED = Judge(True, TOLERANCE, reasons(LEDGER))
ROWS = {
    "copy": {"label": "Copy", "group": "baseline", "tasks": ["nt"]},
    "mbart": {"label": "mBART (CC25)", "group": "existing", "tasks": ["nt"]},
}


def scores(folder: Path, row: str, seed: int, **metrics: Any) -> Path:
    path = folder / row / f"seed-{seed}.json"
    write_json(path, {"task": "nt", "row": row, "seed": seed, "statuses": {"ok": 4}, "metrics": metrics})
    return path


def value(number: float, low: float = 1.0, high: float = 2.0) -> dict[str, Any]:
    return {"value": number, "n": 4, "ci95": [low, high], "signature": "tok:13a"}


def table(number: int, *paths: Path, judge: Judge = STRICT) -> list[dict[str, Any]]:
    found = [score for path in paths for score in read_scores(path)]
    return long_table(LAYOUT, number, ROWS, found, printed(LAYOUT, number, PAPER / f"table{number}.csv"), judge)


def only(lines: list[dict[str, Any]], row: str, metric: str, task: str = "nt") -> dict[str, Any]:
    (line,) = [line for line in lines if (line["row"], line["metric"], line["task"]) == (row, metric, task)]
    return line


@pytest.mark.parametrize(("number", "cells"), [(7, 106), (8, 33), (9, 100), (10, 36), (11, 72)])
def test_every_printed_value_has_its_place(number: int, cells: int) -> None:
    path = PAPER / f"table{number}.csv"
    filled = sum(bool(v) for line in read_csv(path) for k, v in line.items() if k not in ("group", "model", "task"))
    values = printed(LAYOUT, number, path)
    assert len(values) == filled == cells
    assert {row for row, _, _ in values} <= set(LAYOUT.rows)


def test_printed_values_of_differing_names() -> None:
    nine = printed(LAYOUT, 9, PAPER / "table9.csv")
    assert nine["disco-mbart", "pt", "ter"] == 84.6
    assert nine["anchibert", "cct", "comet"] == 0.67
    eleven = printed(LAYOUT, 11, PAPER / "table11.csv")
    assert eleven["disco-bart-large", "tc", "synonyms/sum"] == 84.0
    assert ("disco-bart-large", "tc", "synonyms/mean") not in eleven
    assert eleven["gpt-4", "tc", "synonyms/asked"] == 52.0
    assert ("gpt-4", "tc", "synonyms/sum") not in eleven


def test_an_unknown_line_or_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table8.csv"
    write_text(path, "group,model,SI_EM,ZPR_precision,ZPR_recall\nplain,Mamba,1,2,3\n")
    with pytest.raises(DiscoError, match="Mamba"):
        printed(LAYOUT, 8, path)
    write_text(path, "group,model,SI_EM\nplain,Transformer (base),1\n")
    with pytest.raises(DiscoError, match="ZPR_precision"):
        printed(LAYOUT, 8, path)
    with pytest.raises(DiscoError, match="allowed: 7, 8, 9, 10, 11"):
        LAYOUT.columns(12)


def test_rows_of_the_layout_are_rows_of_the_configuration() -> None:
    from discobench.config.load import resolve

    config = resolve({}, ROOT)
    assert {row: entry.group for row, entry in LAYOUT.rows.items()}.items() <= {
        row: entry.group for row, entry in config.rows.items()
    }.items()
    assert {entry.group for entry in config.rows.values()} == set(GROUPS)


@pytest.mark.parametrize(
    ("ours", "paper", "judge", "verdict"),
    [
        (24.3, 24.0, STRICT, "match"),
        (24.5, 24.0, STRICT, "match"),
        (24.6, 24.0, STRICT, "off by +0.60"),
        (24.0, None, STRICT, "not comparable (the paper prints no value)"),
        (None, 24.0, STRICT, "not run"),
        (24.0, 24.0, SCALED, "other scale"),
        (24.0, None, SCALED, "not comparable (the paper prints no value)"),
    ],
)
def test_verdicts(ours: float | None, paper: float | None, judge: Judge, verdict: str) -> None:
    """For descriptive tables in the same order."""
    assert judge.verdict(ours, paper, "bleu") == verdict
    if not judge.comparable or None in (ours, paper):
        ours_text, paper_text = ("" if number is None else f"{number}" for number in (ours, paper))
        assert Fact("g", "r", "c", ours_text, paper_text).verdict(judge.comparable) == verdict


def test_a_metric_has_a_tolerance_of_its_own() -> None:
    assert STRICT.verdict(0.774, 0.77, "comet") == "match"
    assert STRICT.verdict(0.80, 0.77, "comet") == "off by +0.03"


@pytest.mark.parametrize("metric", ["comet", "bertscore", "ppl", "meteor", "ellipsis/sum", "overall/asked"])
def test_what_the_paper_does_not_name_is_never_a_match(metric: str) -> None:
    assert AS_SHIPPED.verdict(24.0, 24.0, metric).startswith("not comparable (")
    trusting = Judge(True, TOLERANCE, reasons(LEDGER, [kind(metric)]))
    assert trusting.verdict(24.0, 24.0, metric) == "match"


def test_what_stands_apart_is_a_metric_of_the_tables() -> None:
    assert set(reasons(LEDGER)) < set(LAYOUT.metrics)


def test_another_reading_takes_the_place_and_the_printed_value(tmp_path: Path) -> None:
    read = LAYOUT.with_readings({"cct": {"ter": "ter-normalised"}, "nt": {"bleu": "d-bleu"}})
    assert (
        printed(read, 9, PAPER / "table9.csv")["anchibert", "cct", "ter-normalised"]
        == printed(LAYOUT, 9, PAPER / "table9.csv")["anchibert", "cct", "ter"]
    )
    assert ("nt", "d-bleu") in {(c.task, c.metric) for c in read.columns(7)}
    for number in (7, 8, 9, 10):
        of = [[(c.task, c.metric) for c in layout.columns(number)] for layout in (read, LAYOUT)]
        assert len(set(of[0])) == len(of[1])


def test_seeds_are_averaged(tmp_path: Path) -> None:
    first, second = (
        scores(tmp_path, "mbart", 1, bleu=value(23.8, 22, 25)),
        scores(tmp_path, "mbart", 2, bleu=value(24.4, 23, 26)),
    )
    line = only(table(7, second, first), "mbart", "bleu")
    assert line["value"] == pytest.approx(24.1)
    assert line["seeds"] == "1=23.8000;2=24.4000"
    assert (line["ci_low"], line["ci_high"]) == (22.5, 25.5)
    assert line["delta"] == pytest.approx(0.1)
    assert (line["paper"], line["verdict"], line["n"]) == (24.0, "match", 4)
    assert line["source"] == f"{first};{second}"


def test_what_was_not_run_says_so(tmp_path: Path) -> None:
    lines = table(9, scores(tmp_path, "mbart", 1, meteor={"not_run": "no WordNet"}, ter=value(71.0)))
    assert only(lines, "mbart", "meteor")["verdict"] == "not run (no WordNet)"
    assert only(lines, "mbart", "comet")["verdict"] == "not run"
    assert only(lines, "mbart", "ter")["verdict"] == "off by -0.90"
    assert only(lines, "mbart", "ter", task="pt")["paper"] == 88.2
    assert not [line for line in lines if line["row"] == "copy" and line["task"] == "pt"]


def test_model_scores_and_rankings_are_read_alike(tmp_path: Path) -> None:
    cells = [{"row": "mbart", "seed": 1, **value(0.77)}, {"row": "copy", "seed": 1, "not_run": "no checkpoint"}]
    write_json(tmp_path / "comet.json", {"task": "nt", "metric": "comet", "cells": cells})
    lines = table(9, tmp_path / "comet.json")
    assert only(lines, "mbart", "comet")["verdict"] == "match"
    assert only(lines, "copy", "comet")["verdict"] == "not run (no checkpoint)"
    entry = {"accuracy": 94.2, "n": 50, "ties": 0, "correct": 47, "ci95": [83.8, 97.9], "signature": "s"}
    readings = {"sum": {"repetition": entry}, "mean": {"repetition": entry | {"accuracy": 90.0}}}
    write_json(tmp_path / "r.json", {"suite": "nt", "task": "nt", "row": "mbart", "seed": 1, "readings": readings})
    lines = table(11, tmp_path / "r.json")
    assert only(lines, "mbart", "repetition/sum")["verdict"] == "match"
    assert only(lines, "mbart", "repetition/mean")["verdict"].startswith("not comparable")


def test_the_file_has_the_columns_of_the_contract(tmp_path: Path) -> None:
    lines = table(7, scores(tmp_path, "mbart", 1, bleu=value(24.1)))
    write_long(tmp_path / "t.csv", lines)
    header = (tmp_path / "t.csv").read_text("utf-8").split("\n")[0]
    first = "table,row,group,task,metric,value,n,seeds,ci_low,ci_high,paper,delta,verdict,signature,source"
    assert tuple(header.split(",")) == COLUMNS == (*first.split(","), "decoding")
    again = read_long(tmp_path / "t.csv")
    assert [line["value"] for line in again] == [line["value"] for line in lines]
    write_long(tmp_path / "again.csv", again)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "t.csv").read_bytes()


def test_rows_that_were_asked_in_other_words_share_a_signature(tmp_path: Path) -> None:
    paths = [
        scores(tmp_path, row, 1, bleu=value(24.1) | {"decoding": f"prompt:{n}"}) for n, row in enumerate(ROWS, start=1)
    ]
    lines = [line for line in table(7, *paths) if line["value"]]
    assert {line["signature"] for line in lines} == {"tok:13a"}
    assert [line["decoding"] for line in lines] == ["prompt:1", "prompt:2"]
    shown = view(LAYOUT, 7, lines, {row: row for row in ROWS}, "")
    assert [text for _, text in shown.signatures] == ["tok:13a", "prompt:1", "prompt:2"]


def test_a_task_that_no_table_knows_has_a_column_in_table_7() -> None:
    own = LAYOUT.without_column({"nt": "bleu", "punctuation": "bleu"})
    assert own == {"punctuation": "bleu"}
    wider = LAYOUT.with_tasks(own)
    assert wider.columns(7) == [*LAYOUT.columns(7), Column(task="punctuation", metric="bleu")]
    with pytest.raises(DiscoError, match=r"punctuation\.py: metrics begin with 'blue'; allowed: f1, "):
        LAYOUT.with_tasks({"punctuation": "blue"})
    assert all(wider.columns(number) == LAYOUT.columns(number) for number in (8, 9, 10, 11))
