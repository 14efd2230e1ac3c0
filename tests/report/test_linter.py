"""What the linter says of tables made up here, of the paper's, and what it does not say."""

import subprocess
import sys
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from discobench.report.linter import lint, printed_tables, wide
from discobench.score.items import Item
from discobench.score.measure import Options
from discobench.score.registry import MEASURES
from tests.support import ROOT

PAPER = sorted((ROOT / "resources" / "paper").glob("table*.csv"))
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
