"""Formats of SI and MRC on the sets as they were published, against counts made without the readers."""

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from discobench.tasks import formats, task
from discobench.tasks.build import divide, placed
from discobench.tasks.leakage import Leakage

pytestmark = pytest.mark.data
PLACES = {
    "spc_wp": ("si", "si/spc_wp"),
    "chenjiaxiang": ("si", "si/chenjiaxiang_wp"),
    "pdnc": ("si", "si/pdnc"),
    "c3": ("mrc", "mrc/c3/data"),
    "lfed": ("mrc", "mrc/lfed"),
}
SHARES = {"valid": 0.1, "test": 0.1}


def folder(name: str) -> Path:
    return Path(os.environ["DISCOBENCH_PUBLIC_DATA"]) / PLACES[name][1]


def read(name: str) -> list[tuple[dict[str, Any], str | None]]:
    found = task(PLACES[name][0])
    rows = formats.read(name, found, folder(name), ("train", "valid", "test"))
    return [(dict(row), reason or found.check(row)) for row, reason in rows]


def usable(name: str) -> list[dict[str, Any]]:
    return [row for row, reason in read(name) if reason is None]


def occurrences(text: str, name: str, pattern: str = "*") -> int:
    paths = [path for path in sorted(folder(name).rglob(pattern)) if path.is_file()]
    return sum(len(re.findall(text, path.read_text("utf-8"))) for path in paths)


def test_spc_has_every_instance() -> None:
    dropped = {row["id"]: reason for row, reason in read("spc_wp") if reason}
    assert len(usable("spc_wp")) + 1 == occurrences('"target_idx"', "spc_wp", "*_instances.json")
    assert dropped == {
        "spc_wp::dev-99": "its text has no instance",
        "spc_wp:dev-179:dev-180": "the same utterance in the same context came before",
    }


def test_spc_names_the_speakers_that_the_texts_print() -> None:
    blocks = (folder("spc_wp") / "dev/dev_unsplit.txt").read_text("utf-8").split("Instance index: ")[1:]
    printed = {f"dev-{block.split()[0]}": re.findall(r"Speaker: (\S+)", block)[0] for block in blocks}
    lines = (folder("spc_wp") / "name_list.txt").read_text("utf-8-sig").split("\n")
    aliases = {line.split()[1]: line.split()[1:] for line in lines if line.strip()}
    rows = {row["id"].split(":")[-1]: row for row in usable("spc_wp")}
    for name, speaker in printed.items():
        assert name not in rows or rows[name]["speakers"][0]["text"] in aliases[speaker]
    assert not any("[C" in row["context"] for row in rows.values())


def test_chenjiaxiang_has_every_block() -> None:
    assert len(usable("chenjiaxiang")) == occurrences(r"\n\[\d+(?:, \d+)*\]\n\d+", "chenjiaxiang")


@pytest.mark.parametrize("name", ["spc_wp", "chenjiaxiang"])
def test_splits_of_one_novel_share_no_sentence(name: str) -> None:
    rows = [row for row, _ in placed([(row, None) for row in usable(name)], {"shares": SHARES, "seed": 20231})]
    splits = divide(rows, name)
    lines = {split: {line for row in found for line in row["context"].split("\n")} for split, found in splits.items()}
    assert all(len(found) > 40 for found in splits.values())
    assert max(map(len, (lines["train"] & lines["test"]) | (lines["train"] & lines["valid"]))) < 8
    said = [{(row["utterance"], row["context"]) for row in splits[split]} for split in ("train", "test")]
    assert not said[0] & said[1]


def test_two_sets_of_one_novel_leak_into_each_other() -> None:
    leakage = Leakage({"zh": 13, "en": 8}, 0.5)
    leakage.hold(task("si"), "test", usable("chenjiaxiang"))
    leakage.train(task("si"), usable("spc_wp"))
    assert len({row["id"] for row in leakage.findings()}) > 0.9 * len(usable("chenjiaxiang"))


def test_pdnc_has_every_quotation() -> None:
    rows = usable("pdnc")
    assert len(rows) == occurrences(r'(?m)^"Q\d+",', "pdnc", "quotation_info.csv")
    assert sum(row["speakers"][0]["start"] is None for row in rows) < 0.03 * len(rows)


def test_c3_has_every_question() -> None:
    rows = read("c3")
    assert len(rows) == occurrences('"question"', "c3")
    assert Counter(reason for _, reason in rows if reason) == {"two choices have the text of the answer": 1}
    assert {len(row["choices"]) for row in usable("c3")} == {2, 3, 4}
    assert len({row["work_id"] for row, _ in rows}) == occurrences(r'(?m)^  "[^"]*"\r?\n \]', "c3")


def test_lfed_is_dropped_whole() -> None:
    rows = read("lfed")
    assert len(rows) == (folder("lfed") / "LFED.csv").read_bytes().count(b"\r\n") - 1
    assert all(reason for _, reason in rows)
    assert sum("letter of no choice" in (reason or "") for _, reason in rows) == 2
