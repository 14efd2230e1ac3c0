"""What the linter says of tables made up here, of the paper's, and what it does not say."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from discobench.report.described import facts
from discobench.report.facts import TITLES, Fact, fact_lines
from discobench.report.linter import lint
from discobench.report.long import write_long
from discobench.report.wide import printed_tables, wide
from discobench.score.items import Item
from discobench.score.measure import Options
from discobench.score.registry import MEASURES
from tests.support import ROOT

PRINTED = ROOT / "resources" / "paper"
PAPER = sorted(PRINTED.glob("table*.csv"))
Rows = list[dict[str, str]]


def rules(**tables: Rows) -> list[tuple[str, str, str]]:
    found = lint({int(name[1:]): rows for name, rows in tables.items()})
    return [(finding.table, finding.printed, finding.implied) for finding in found]


def zpr(f1: str, p: str, r: str) -> dict[str, Rows]:
    model = {"group": "plain", "model": "M"}
    return {"t7": [model | {"ZPR_F1": f1}], "t8": [model | {"ZPR_precision": p, "ZPR_recall": r}]}


def test_f1_must_follow_from_precision_and_recall_as_they_are_rounded() -> None:
    assert rules(**zpr("24.5", "26.1", "31.0")) == [("7", "24.5", "28.3")]
    assert rules(**zpr("28.3", "26.1", "31.0")) == []
    assert rules(**zpr("28.4", "26.1", "31.0")) == []  # 26.15 and 31.05 give 28.39
    assert rules(**zpr("0.0", "0.0", "0.0")) == []


def test_totals_are_sums() -> None:
    def row(category: str, documents: str) -> dict[str, str]:
        numbers = {"documents": documents, "sentences": "10", "characters_or_words": "99"}
        return {"language": "zh", "category": category, "genre": category, **numbers}

    rows = [row("Novel", "3"), row("Poetry", "4"), row("Total", "8")]
    rows[-1] |= {"sentences": "20", "characters_or_words": "198"}
    assert rules(t5=rows) == [("5", "8", "7")]


def test_fractions_need_a_number_of_instances() -> None:
    names = ("repetition", "synonyms")
    values = [("50.0", "33.3"), ("25.0", "66.7")]
    rows = [
        {"task": "Generation (TC)", "model": str(n), **dict(zip(names, v, strict=True))} for n, v in enumerate(values)
    ]
    assert rules(t11=rows) == [("11", "1,294 instances", "1,000 = 250 + 500 + 250")]  # 4 and 3 are few enough
    rows[0] |= {"repetition": "50.1", "synonyms": "33.4"}
    assert rules(t11=rows)[0][1] == "250 instances"


def test_order_counts_and_steps() -> None:
    model = {"group": "plain", "model": "M"}
    assert rules(t7=[model | {"SI_F1": "80.0"}], t8=[model | {"SI_EM": "81.0"}]) == [("8", "81", "80")]
    long: Any = [
        {"table": "7", "row": "m", "group": "plain", "task": "mrc", "metric": "accuracy", "value": value, "n": "3"}
        for value in ("66.6667", "50.0000")
    ]
    assert rules(t7=wide(long[:1])) == []
    assert rules(t7=wide(long[1:])) == [("7", "50 of 3", "")]
    tuning = {"Task": "ZPR", "Batch Size": "5", "Epoch": "40"}
    assert rules(t1=[{"task": "ZPR", "train": "2.2M"}], t16=[tuning]) == [("16", "batch 5, 40 epochs", "17.6M steps")]


def long(table: int, *cells: tuple[str, str, str, str], task: str = "", n: str = "") -> Rows:
    """A run's table: group, row, metric and value of each cell."""
    keys = ("group", "row", "metric", "value")
    return [{"table": str(table), **dict(zip(keys, cell, strict=True)), "task": task, "n": n} for cell in cells]


def seeded(table: int, task: str, metric: str, *values: float, mean: float | None = None) -> Rows:
    """A cell of a run of several seeds, over 80 instances, whose value is their mean if not another."""
    told = f"{sum(values) / len(values) if mean is None else mean:.4f}"
    seeds = ";".join(f"{n}={value:.4f}" for n, value in enumerate(values, 1))
    return [row | {"seeds": seeds} for row in long(table, ("plain", "m", metric, told), task=task, n="80")]


def test_seeds_are_checked_one_by_one_not_their_mean() -> None:
    assert rules(t7=wide(seeded(7, "mrc", "accuracy", 50.0, 51.25))) == []  # 50.625 of 80 are 40.5
    assert rules(t7=wide(seeded(7, "mrc", "accuracy", 50.0, 50.6))) == [("7", "50.6 of 80", "")]
    parts = [*seeded(8, "zpr", "precision", 20.0, 40.0), *seeded(8, "zpr", "recall", 40.0, 20.0)]
    assert rules(t7=wide(seeded(7, "zpr", "f1", 26.6667, 26.6667)), t8=wide(parts)) == []
    (found,) = lint({7: wide(seeded(7, "zpr", "f1", 26.6667, 30.0)), 8: wide(parts)})
    assert (found.where, found.printed, found.implied) == ("plain, m, seed 2: ZPR F1", "30", "26.7")
    assert rules(t11=wide(seeded(11, "mrc", "repetition/sum", 50.0, 51.25))) == []


def test_a_cell_is_the_mean_of_its_seeds() -> None:
    for table, task, metric in ((7, "mrc", "accuracy"), (11, "mrc", "repetition/sum")):
        assert lint({table: wide(seeded(table, task, metric, 50.0, 51.25))}) == []
        (found,) = lint({table: wide(seeded(table, task, metric, 50.0, 51.25, mean=51.25))})
        assert (found.rule, found.printed, found.implied) == ("mean of seeds", "51.2500", "50.6250")


def sizes(train: str, both: str) -> Rows:
    found = {"train": train, "valid": "6.0000", "test": "8.0000", "valid and test": both}
    return wide(long(1, *(("task", "si", name, value) for name, value in found.items()), task="si", n="64"))


def test_a_runs_sizes_are_added_up() -> None:
    assert rules(t1=sizes("50.0000", "14.0000")) == []
    assert rules(t1=sizes("51.0000", "15.0000")) == [("1", "15", "14"), ("1", "64", "65")]
    tuning = wide(long(16, ("Tasks", "SI", "Batch Size", "1"), ("Tasks", "SI", "Epoch", "90000")))
    assert rules(t1=sizes("50.0000", "14.0000"), t16=tuning) == [("16", "batch 1, 90000 epochs", "4.5M steps")]


def test_totals_of_a_runs_corpus_are_by_language() -> None:
    genres = [("zh", "Electronic Novel", "4,870"), ("zh", "Others Movie Script", "7"), ("en", "Modernist Book", "112")]
    totals = [("zh", "Total", "4,877"), ("en", "Total", "113")]
    rows = wide(long(5, *((group, row, "documents", value) for group, row, value in genres + totals)))
    assert [row["genre"] for row in rows] == ["Novel", "Movie Script", "Book", "", ""]
    assert rules(t5=rows) == [("5", "113", "112")]


def test_averages_of_few_documents_may_be_whole() -> None:
    def genre(documents: str, characters: str) -> Rows:
        numbers = {"documents": documents, "sentences": "10", "characters_or_words": characters}
        return [{"language": "zh", "category": "Others", "genre": "Poetry", **numbers}]

    assert rules(t5=genre("1", "2345")) == rules(t5=genre("2", "4690")) == []
    assert rules(t5=genre("2000", "4000000")) == [("5", "2,000 exactly in each", "an estimate, not a count")]


def test_a_checkpoint_has_one_shape_and_measures_their_scale() -> None:
    here = wide(long(6, ("This run", "m", "parameters", "1,300"), ("This run", "m", "layers", "2+2")))
    there = wide(long(15, ("This run", "m", "Total Param.", "1300"), ("This run", "m", "Layer", "3+2")))
    assert rules(t6=here, t15=there) == [("6", "2+2", "3+2")]
    rated = wide(long(2, ("Tasks", "NT", "fluency", "5.10"), ("Tasks", "NT", "fluency_alpha", "0.60")))
    assert rules(t2=rated) == [("2", "5.10", "")]
    assert rules(t10=wide(long(10, ("plain", "m", "dist2", "1.2"), task="ti", n="80"))) == [("10", "1.2", "")]


@pytest.mark.parametrize(
    ("metric", "inside", "outside"),
    [
        *((name, "99.5", "100.5") for name in ("f1-run", "f1-averaged", "bleu-rare", "d-bleu", "bertscore")),
        *((name, "250.0", "-0.5") for name in ("ter", "ter-normalised")),
        ("ppl", "1.0", "0.9"),
    ],
)
def test_measures_and_their_readings_have_bounds(metric: str, inside: str, outside: str) -> None:
    def one(value: str) -> Rows:
        return wide(long(9, ("plain", "m", metric, value), task="nt", n="3"))

    assert rules(t9=one(inside)) == []
    assert rules(t9=one(outside)) == [("9", outside, "")]


def test_types_of_a_suite_add_up_to_all_of_it() -> None:
    cells = [("repetition/sum", "37.5000", "8"), ("ellipsis/sum", "50.0000", "4"), ("repetition/mean", "0.0000", "8")]

    def suite(overall: str, n: str) -> Rows:
        found = [*cells, ("overall/sum", overall, n)]
        return wide([row for m, value, n in found for row in long(11, ("plain", "m", m, value), task="mrc", n=n)])

    assert rules(t11=suite("41.6667", "12")) == []
    assert rules(t11=suite("50.0000", "12")) == [("11", "6 of 12", "5 of 12")]
    assert rules(t11=suite("45.0000", "12")) == [("11", "45 of 12", "")]


def test_the_command_reads_every_table_of_a_run(tmp_path: Path) -> None:
    """Cells as ``write_long`` leaves them; the paper's own lines of a descriptive table have no values."""
    for table in (1, 2, 5, 6, 7, 8, 9, 10, 11, 15, 16):
        lines = fact_lines(table, facts(table, [], PRINTED / f"table{table}.csv", {}), True) if table in TITLES else []
        write_long(tmp_path / f"table{table}.csv", lines)
    places = [Fact("zh", "Electronic Novel", "documents", "4,877", ""), Fact("zh", "Total", "documents", "4,878", "")]
    write_long(tmp_path / "table5.csv", fact_lines(5, places, True))
    command = [sys.executable, "-m", "discobench.report.linter", *map(str, sorted(tmp_path.glob("*.csv")))]
    text = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    assert text == "Table 5: zh, total of documents: total = sum of parts: printed 4,878, implied 4,877\n"


TEXTS = st.lists(st.text(alphabet="甲乙丙", max_size=9), min_size=1, max_size=6)


@given(TEXTS)
@example(["丙丁戊己", "丙丁戊己", "甲乙"])  # 4 of 7 bigrams are different ones, and 1 of 2 4-grams
def test_longer_ngrams_repeat_less_but_for_the_ends_of_texts(texts: list[str]) -> None:
    rows = [Item(f"s:{n}", [], text, "d", {}) for n, text in enumerate(texts)]
    two, four = (MEASURES["text", f"dist{n}"](rows, Options("zh", 1, 1)).value for n in (2, 4))
    bigrams, fours = (sum(max(0, len(text) - n) for text in texts) for n in (1, 3))
    assert not fours or two - 2 * len(texts) / bigrams <= four + 1e-9


def test_dist_4_may_be_a_little_less_than_dist_2() -> None:
    model = {"group": "plain", "model": "M"}
    assert rules(t10=[model | {"TI_Dist2": "0.57", "TI_Dist4": "0.50"}]) == []
    assert rules(t10=[model | {"TI_Dist2": "0.80", "TI_Dist4": "0.50"}]) == [("10", "0.8", "0.5")]


def test_the_papers_own_tables() -> None:
    found = lint(printed_tables(PAPER))
    by_table = {number: sum(f.table == number for f in found) for number in ("1", "5", "7", "9", "11", "16")}
    assert by_table == {"1": 0, "5": 2, "7": 6, "9": 0, "11": 4, "16": 1}
    assert any(f.where.startswith("zh Others Screenplay") and f.printed.startswith("30,000") for f in found)


def test_the_command_prints_what_it_finds() -> None:
    command = [sys.executable, "-m", "discobench.report.linter", *map(str, PAPER)]
    text = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    assert "Table 7: existing, BERT: ZPR F1: F1 = 2PR / (P + R): printed 24.5, implied 28.3" in text
