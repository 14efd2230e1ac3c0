"""Data cards: sources with licences, sizes, lengths and labels counted by hand, examples; for every task."""

from collections import Counter
from typing import Any

import pytest

from discobench.tasks import task
from discobench.tasks.card import card
from discobench.tasks.measures import measured, shares, unit
from tests.tasks.test_tasks import EXAMPLES, NAMES, si, zpr

FACTS = {
    "domain": "novel",
    "paper_train": 7,
    "paper_test": 3,
    "sources": [("data/a", "MIT"), ("data/b", None)],
}


def made(name: str, rows: list[dict[str, Any]], **facts: Any) -> str:
    found = task(name)
    splits = {split: measured(found, rows) for split in ("train", "valid", "test")}
    return card(found, splits, rows, FACTS | facts)


def nt(text: str, reference: str, **changes: Any) -> dict[str, Any]:
    return EXAMPLES["nt"] | {"id": text, "source_text": text, "references": [reference]} | changes


@pytest.mark.parametrize("name", NAMES)
def test_every_task_has_sources_sizes_lengths_and_examples(name: str) -> None:
    text = made(name, [EXAMPLES[name]])
    assert "| data/a | MIT |" in text and "| data/b | none recorded; nothing made from it can be released |" in text
    assert "| own | 1 | 1 | 1 |" in text
    assert "| train | 1 | 1 | 7 |" in text and "| test | 1 | 1 | 3 with validation |" in text
    assert f'"id": "{EXAMPLES[name]["id"]}"' in text
    assert "| 95 % | longest |" in text
    assert ("## Labels" in text) == (name not in ("te", "ti", "tc"))


def test_lengths_are_characters_without_blanks_or_words() -> None:
    rows = [nt("雨 停了。" * n, "The rain's over, " * n) for n in range(1, 12)]
    found = measured(task("nt"), rows)
    assert list(found.lengths["source"]) == [4 * n for n in range(1, 12)]
    assert list(found.lengths["target"]) == [3 * n for n in range(1, 12)]
    assert (found.mean("source"), found.percentiles("source")) == (24.0, [4, 12, 24, 32, 40, 44])
    assert [unit(task("nt"), name) for name in ("source", "target")] == ["characters", "words"]
    assert "| source | train | characters | 24.0 | 4 | 12 | 24 | 32 | 40 | 44 |" in made("nt", rows)


@pytest.mark.parametrize(
    ("name", "records", "labels"),
    [
        (
            "si",
            [si(), si(speakers=[], no_speaker=True), si(speakers=[{"text": "阿明", "start": None}])],
            ["one speaker", "no speaker", "one speaker, not all in the context"],
        ),
        ("si", [si(speakers=[{"text": "阿宁", "start": 0}, {"text": "雨", "start": 5}])], ["several speakers"]),
        (
            "zpr",
            [zpr(), zpr(zeros=[]), zpr(zeros=[{"offset": 0, "pronoun": "这"}, {"offset": 1, "pronoun": "我们的"}])],
            ["你", "no zero pronoun", "outside the inventory", "我们的"],
        ),
        ("mrc", [EXAMPLES["mrc"]], ["A of 2"]),
        ("nt", [nt("雨", "Rain"), nt("风", "Wind", references=["Wind", "A wind"])], ["1 reference", "2 references"]),
        ("te", [EXAMPLES["te"] | {"insertions": [{"type": "adjective"}] * 2}], ["adjective", "adjective"]),
    ],
)
def test_labels_are_counted(name: str, records: list[dict[str, Any]], labels: list[str]) -> None:
    assert measured(task(name), records).labels == Counter(labels)


def test_labels_come_with_their_share_and_rare_ones_together() -> None:
    rows = [zpr(id=str(n), zeros=[{"offset": 0, "pronoun": form}]) for n, form in enumerate(("你", "你", "我", "他"))]
    assert "| 你 | 2 (50.0%) | 2 (50.0%) | 2 (50.0%) |" in made("zpr", rows)
    assert shares(Counter("aab" + "cd"), 2) == [("a", 2), ("b", 1), ("2 others", 2)]


def test_examples_do_not_hang_on_the_order_of_records() -> None:
    rows = [nt(f"雨{n}", "Rain") for n in range(20)]
    assert made("nt", rows) == made("nt", rows[::-1])
    assert made("nt", rows).count("```json") == 3


def test_a_task_that_table_1_has_not_says_so_by_nothing() -> None:
    assert "None" not in made("nt", [EXAMPLES["nt"]], paper_train=None, paper_test=None, sources=[("own", "CC0-1.0")])
