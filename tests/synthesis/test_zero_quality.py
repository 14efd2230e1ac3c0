"""The synthesis of zeros against labels: rates, parts, reasons, and the page that shows them."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.files import write_text
from discobench.report.markup import html
from discobench.synthesis.alignment import aligned, english_words
from discobench.synthesis.lines import line_of
from discobench.synthesis.pronouns import load_pronouns
from discobench.synthesis.quality import ADDED, MISSED, Labelled, part_of, quality, rates, summary
from discobench.synthesis.zeros import Synthesis
from discobench.tasks.formats.mzprt import labelled
from tests.support import ROOT

SYNTHESIS = Synthesis(load_pronouns(ROOT / "resources/zpr/pronouns.yaml"))


def row(zh: str, en: str, links: set[tuple[int, int]], gold: dict[int, str], part: str = "held out") -> Labelled:
    """A line of one-character words; marks are words too, with no link."""
    pair = {"id": "s:e:0", "work_id": "e", "zh": zh, "en": en}
    spans = [(n, n + 1) for n in range(len(zh))]
    return Labelled(line_of(pair, aligned("s:e:0", spans, english_words(en), links)), "Film", part, gold)


def only(entries: list[dict[str, object]], name: str) -> dict[str, int]:
    (entry,) = entries
    values = entry[name]
    assert isinstance(values, dict)
    return {reason: n for reason, n in values.items() if n}


@pytest.mark.parametrize(
    ("given_row", "missed", "added"),
    [
        (row("走", "He left", {(0, 1)}, {0: "他"}), {}, {}),
        (row("走", "He left", {(0, 1)}, {0: "她"}), {MISSED[3]: 1}, {ADDED[0]: 1}),
        (row("走啊", "He left", {(0, 1)}, {1: "他"}), {MISSED[4]: 1}, {ADDED[1]: 1}),
        (row("走", "He left", {(0, 1)}, {}), {}, {ADDED[2]: 1}),
        (row("走", "Just leave", {(0, 1)}, {0: "你"}), {MISSED[0]: 1}, {}),
        (row("我走", "I left", {(0, 0), (1, 1)}, {1: "我"}), {MISSED[1]: 1}, {}),
        (row("雨", "It rains", {(0, 1)}, {0: "它"}), {MISSED[2]: 1}, {}),
        (row("走", "Leave", {(0, 0)}, {0: "这"}), {MISSED[5]: 1}, {}),
    ],
)
def test_every_difference_has_one_reason(given_row: Labelled, missed: dict[str, int], added: dict[str, int]) -> None:
    found = quality([given_row], SYNTHESIS)
    assert (only(found, "missed"), only(found, "added")) == (missed, added)


def test_rates_are_made_of_counts_by_place_and_by_form() -> None:
    rows = [
        row("走", "He left", {(0, 1)}, {0: "他"}),
        row("走", "He left", {(0, 1)}, {0: "她"}),
        row("走", "Go", set(), {0: "你"}),
    ]
    (entry,) = quality(rows, SYNTHESIS)
    assert entry["both"] == {"precision": 0.5, "recall": 0.3333, "f1": 0.4, "found": 1, "predicted": 2, "gold": 3}
    assert entry["position"]["found"] == 2 and entry["lines"] == 3
    assert {form: (v["found"], v["predicted"], v["gold"]) for form, v in entry["forms"].items()} == {
        "他": (1, 2, 1),
        "她": (0, 0, 1),
        "你": (0, 0, 1),
    }


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_f1_is_the_harmonic_mean(found: int, more: int, others: int) -> None:
    values = rates(found, found + more, found + others)
    p, r = values["precision"], values["recall"]
    assert values["f1"] == pytest.approx(2 * p * r / (p + r) if p + r else 0, abs=2e-4)


def test_parts_are_by_document_and_the_page_shows_both(tmp_path: Path) -> None:
    text = "[doc]\n<他>_S走\n[doc]\n走\n[doc]\n"
    write_text(tmp_path / "raw/Film_test.zh", text)
    write_text(tmp_path / "raw/Film_test.en", "[doc]\nHe left\n[doc]\nGo\n[doc]\n")
    read = list(labelled(tmp_path))
    assert Counter(part_of(line["number"]) for line in read) == {"tuned on": 1, "held out": 1}
    assert [(line["zh"], line["en"], len(line["zeros"])) for line in read] == [("走", "He left", 1), ("走", "Go", 0)]
    rows = [row("走", "He left", {(0, 1)}, {0: "他"}, part) for part in ("held out", "tuned on")]
    shown = summary(quality(rows, SYNTHESIS))
    assert [entry["part"] for entry in shown] == ["tuned on", "held out"] and "forms" not in shown[0]
    page = html(ROOT / "resources/report", "zeros.html.j2", zeros=shown)
    assert page.count("100.0%") == 12 and page.count("held out") == 3
    assert html(ROOT / "resources/report", "zeros.html.j2", zeros=[]).strip() == ""
