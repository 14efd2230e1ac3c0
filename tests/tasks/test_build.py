"""Building a task: nothing is lost without a reason, no work is in two splits, bounds are fair."""

import dataclasses
import re
from collections.abc import Iterable
from typing import Any

import pytest

from discobench.config import data as config
from discobench.errors import DiscoError
from discobench.sieve import Outcome, Record, Sieve
from discobench.tasks import task
from discobench.tasks.build import bounded, build, complete, divide, placed, refused
from discobench.tasks.windows import Windows, WindowTask, windows


def rows(n: int, split: str) -> list[dict[str, Any]]:
    return [
        complete(
            {
                "id": f"own:{split}{i}:0",
                "source": "own",
                "work_id": f"{split}{i}",
                "language": "zh",
                "split": split,
                "document_id": f"{split}{i}",
                "position": 0,
                "source_text": f"第{i}天下雨。",
                "references": [f"It rained on day {i}."],
            },
            "nt",
            "here",
        )
        for i in range(n)
    ]


def usable(records: Iterable[Record]) -> list[Outcome]:
    return [(record, None) for record in records]


ALL = [*rows(5, "train"), *rows(2, "valid"), *rows(2, "test")]


def test_counts_balance_and_splits_hold() -> None:
    broken = ALL[0] | {"id": "own:x:0", "source_text": " "}
    sieve = Sieve("tasks/nt")
    splits = build(task("nt"), usable([*ALL, broken]), {"train": 3}, sieve, "here")
    balance = sieve.balance
    assert {name: len(members) for name, members in splits.items()} == {"train": 3, "valid": 2, "test": 2}
    assert balance.kept + sum(balance.dropped.values()) == len(ALL) + 1
    assert "own:x:0" in [row["id"] for row in sieve.dropped] and len(sieve.dropped) == 3
    assert balance.dropped == {"source_text is empty": 1, "over the limit of records": 2}


def test_what_a_reader_drops_is_counted_with_its_reason() -> None:
    sieve = Sieve("tasks/nt")
    build(task("nt"), [*usable(ALL), ({"id": "own:odd", "source": "own"}, "no reference")], {}, sieve, "here")
    assert sieve.balance.dropped == {"no reference": 1}


def test_records_of_ones_own_that_are_not_used_are_told_by_file_and_line() -> None:
    sieve = Sieve("tasks/nt")
    odd = [({"id": f"odd{n}", "source": "own", "member": f"train.jsonl, line {n}"}, "no text") for n in (4, 7)]
    build(task("nt"), [*usable(ALL), *odd], {"train": 3}, sieve, "here")
    told = "train.jsonl, line 4: record 'odd4' is not used: no text"
    assert refused(sieve.dropped) == f"{told}; 1 more are in build.dropped.parquet."
    assert refused([row for row in sieve.dropped if row["id"] == "odd4"]) == f"{told}."
    assert refused([row for row in sieve.dropped if not row["member"]]) == ""


def test_a_work_without_a_split_gets_one_for_all_of_its_records() -> None:
    works = {"shares": {"valid": 0.3, "test": 0.3}, "seed": 1}
    bare = [row | {"split": None, "id": f"{row['id']}:{n}"} for row in ALL for n in range(3)]
    placed_rows = [row for row, _ in placed(usable(bare), works)]
    homes = {(row["work_id"], row["split"]) for row in placed_rows}
    assert len(homes) == len(ALL) and {split for _, split in homes} > {"train"}
    assert [row["split"] for row, _ in placed(usable(ALL), works)] == [row["split"] for row in ALL]


def test_a_bound_chooses_the_same_records_in_any_order() -> None:
    first = bounded(ALL, 4)
    second = bounded(ALL[::-1], 4)
    assert first == second[::-1]


def test_a_work_in_two_splits_is_refused() -> None:
    leak = ALL[0] | {"id": "own:leak:0", "split": "test"}
    with pytest.raises(DiscoError, match=r"work 'train0' is in splits train and test"):
        divide([*ALL, leak], "here")


def test_a_duplicate_id_is_refused() -> None:
    with pytest.raises(DiscoError, match="'own:train0:0' twice"):
        divide([*ALL, ALL[0]], "here")


NAMED = {"id": "a", "work_id": "w", "source": "own", "language": "zh"}


def test_an_empty_split_is_refused() -> None:
    with pytest.raises(DiscoError, match="here has no test record that can be used: found none at all"):
        build(task("nt"), usable(row for row in ALL if row["split"] != "test"), {}, Sieve("x"), "here")


def test_an_empty_split_says_why_its_records_are_not_used() -> None:
    blank = [row | {"source_text": " "} if row["split"] == "test" else row for row in ALL]
    with pytest.raises(DiscoError, match="found 2 dropped as 'source_text is empty'; add some"):
        build(task("nt"), usable(blank), {}, Sieve("x"), "here")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"perplexity_source": float("nan")}, "perplexity_source holds nan, a finite number"),
        ({"perplexity_source": 10**400}, "perplexity_source holds 1000.*, a finite number of 64 bits"),
        ({"insertions": [{"start": 2**63, "end": 1, "type": "a", "rule": "b"}]}, r"insertions\[0\].start holds 9223"),
        ({"id": " "}, "has no id"),
        ({"work_id": "\n"}, "has no work_id"),
        ({"source": None}, "record 'a' has no source; its licence is found by it"),
        ({"language": ""}, "has no language; write zh or en"),
    ],
)
def test_values_that_no_file_can_hold_are_refused(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(DiscoError, match=sentence):
        complete(NAMED | values, "te", "here")


def test_an_unknown_field_is_refused_and_a_missing_one_filled() -> None:
    with pytest.raises(DiscoError, match="unknown fields sorce"):
        complete({"id": "a", "sorce": "x"}, "nt", "file.jsonl")
    with pytest.raises(DiscoError, match="has no id"):
        complete({"source": "x"}, "nt", "file.jsonl")
    assert complete(NAMED, "nt", "here")["references"] == []
    null = complete(NAMED | {"text": "走", "zeros": None, "before": None, "after": None}, "zpr", "here")
    assert task("zpr").check(null) is None and task("zpr").gold(null) == [] and task("zpr").fields(null)["before"] == ""


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("nt", {"id": 5}, "id holds 5, a text is needed"),
        ("nt", {"references": "one"}, "references holds 'one', a list is needed"),
        ("nt", {"references": [None]}, r"references\[0\] is null"),
        ("nt", {"source_text": "a\ud800"}, "source_text holds half of a surrogate pair"),
        ("mrc", {"answer": "A"}, "answer holds 'A', an integer is needed"),
        ("mrc", {"answer": True}, "answer holds True, an integer is needed"),
        ("si", {"speakers": [{"text": "x"}]}, r"speakers\[0\] holds .*, an object with text, start is needed"),
        ("zpr", {"zeros": ["我"]}, r"zeros\[0\] holds '我', an object with offset, pronoun"),
    ],
)
def test_a_value_of_another_type_is_refused_with_its_record(name: str, fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DiscoError, match=rf"file\.jsonl: record .*: {sentence}"):
        complete({"id": "a", "work_id": "w"} | fields, name, "file.jsonl")


def document(*paragraphs: int) -> dict[str, Any]:
    """Paragraphs of so many sentences."""
    counted = iter(range(100))
    text = "\n".join("".join(f"第{next(counted):02}句。" for _ in range(size)) for size in paragraphs)
    spans = [{"start": found.start(), "end": found.end()} for found in re.finditer("[^。\n]+。", text)]
    return {"id": "d", "source": "s", "work_id": "w", "language": "zh", "split": "train", "text": text} | {
        "sentence_offsets": spans
    }


def numbers(found: Iterable[list[str]]) -> list[list[int]]:
    return [[int(sentence[1:3]) for sentence in window] for window in found]


def test_windows_are_of_one_paragraph_and_do_not_overlap() -> None:
    cut = document(4, 12, 5, 1)
    assert numbers(windows(cut, "paragraph")) == [list(range(n, n + 5)) for n in (4, 9, 16)]
    assert numbers(windows(cut, "document")) == [list(range(n, n + 5)) for n in (0, 5, 10, 15)]
    assert len(list(task("ti").records(cut))) == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"min_characters": 5}, "shorter than windows.min_characters"),
        ({"max_characters": 9}, "longer than windows.max_characters"),
        ({"max_dialogue": 0.3}, "quotation marks than windows.max_dialogue"),
        ({"min_characters": 3, "max_characters": 10, "max_dialogue": 0.4}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("name", ["ti", "tc"])
def test_windows_outside_the_limits_are_dropped_with_their_reason(
    name: str, limits: dict[str, Any], reason: str | None
) -> None:
    found = task(name)
    assert isinstance(found, WindowTask)
    found.windows = Windows(**limits)
    five = ["“雪？”", "雪停了。", "“走吧。”", "他没有动。", "他望着那座山，很久。"]
    said = found.check(found.from_window(five))
    assert (said is None) if reason is None else (reason in (said or ""))


def test_limits_and_their_defaults_are_those_of_the_configuration() -> None:
    assert dataclasses.asdict(Windows()) == config.Windows().model_dump()
