"""Readers on the real files, against counts made another way. Skipped where the files are not at hand."""

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from discobench.records import Balance
from discobench.synthesis.subtitles import read_pairs
from discobench.tasks import formats, task

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("DISCOBENCH_PUBLIC_DATA" not in os.environ, reason="DISCOBENCH_PUBLIC_DATA is not set"),
]
SPLITS = ("train", "valid", "test")
HAN = re.compile("[\u3400-\u9fff]")


def data(name: str) -> Path:
    return Path(os.environ["DISCOBENCH_PUBLIC_DATA"]) / name


def lines(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8").split("\n")


def read(name: str, form: str, folder: str) -> list[tuple[dict[str, Any], str | None]]:
    return [(dict(row), why) for row, why in formats.read(form, task(name), data(folder), SPLITS)]


def test_every_line_and_every_label_of_mzprt_is_read() -> None:
    records = [row for row, _ in read("zpr", "mzprt", "zpr/mzprt")]
    for path in sorted(data("zpr/mzprt/raw").glob("*.zh")):
        own = [row for row in records if f":{path.stem}-" in row["id"]]
        raw = [line for line in lines(path) if line and line != "[doc]"]
        labels = sum(len(re.findall("<[我你您他她它这這那自]", line)) for line in raw)
        assert len(own) == len(raw)
        assert sum(len(row["zeros"]) for row in own) == labels
        assert not [row["id"] for row in own if re.search("<[我你他她它]|>_[SOPRU]|_UN", row["text"])]
        assert [task("zpr").check(row) for row in own] == [None] * len(own)


def test_odd_labels_of_mzprt_are_read_and_titles_are_not() -> None:
    records = [row for row, _ in read("zpr", "mzprt", "zpr/mzprt")]
    forms = Counter(zero["pronoun"] for row in records for zero in row["zeros"])
    fiction = [row for row in records if row["domain"] == "novel"]
    assert (len(fiction), sum(len(row["zeros"]) for row in fiction)) == (857, 493)
    raw = "\n".join(path.read_bytes().decode("utf-8") for path in data("zpr/mzprt/raw").glob("*.zh"))
    for form in ("这", "那", "这个", "他們"):
        assert forms[form] == raw.count(f"<{form}>"), form
    assert all(forms[form] for form in ("这", "那")) and "<它的_Pa" in raw
    titles = [title for title in re.findall("<[^<>_]{4,}>", raw) if not re.search("自己", title)]
    texts = "\n".join(row["text"] for row in records)
    assert all(title in texts for title in titles)


def test_files_of_mzprt_without_a_split_give_both() -> None:
    """Novels aside, whose works are divided with those of NT, TI and TC."""
    counts: Counter[str | None] = Counter()
    for row, _ in read("zpr", "mzprt", "zpr/mzprt"):
        counts[row["split"]] += 1
    assert counts["train"] == 0 and counts[None] == 857
    assert 0 < counts["valid"] < counts["test"]


def test_episodes_are_read_once_and_none_is_a_test_episode() -> None:
    folder = data("zpr/tvsub/orignal/train/separated")
    balance = Balance("pairs")
    pairs = list(read_pairs(folder, {"valid": 0.1}, 1, balance))
    raw = {path for path in folder.iterdir() if re.fullmatch(r"\d+\.zh", path.name)}
    assert {row["work_id"] for row in pairs} == {path.stem for path in raw}
    assert len(pairs) + balance.dropped.total() == sum(len(path.read_bytes().split(b"\n")) - 1 for path in raw)
    tested = {"".join(HAN.findall(line)) for line in lines(data("zpr/tvsub/orignal/test/test.orignal.zh"))}
    shared = {text for row in pairs if len(text := "".join(HAN.findall(row["zh"]))) >= 8} & tested
    assert len(shared) <= 2, shared


def test_every_line_of_niutrans_is_read() -> None:
    records = [row for row, _ in read("cct", "niutrans", "cct/niutrans/双语数据")]
    sources = sorted(data("cct/niutrans/双语数据").rglob("source.txt"))
    assert len(records) == sum(path.read_bytes().count(b"\n") for path in sources)
    assert len({row["document_id"] for row in records}) == len(sources)
    assert len({row["work_id"] for row in records}) == len(list(data("cct/niutrans/双语数据").iterdir()))
    assert not [row["id"] for row in records if row["source_text"] != row["source_text"].strip()]


def test_every_line_of_other_sets_is_read() -> None:
    rows = read("nt", "document_mt_llm", "nt/document_mt_llm")
    counts = [len(lines(data(f"nt/document_mt_llm/Orignal_Dataset/Fiction/{n}.zh"))) for n in (1, 2)]
    assert len(rows) == sum(counts) + 2 and {why or task("nt").check(row) for row, why in rows} == {None}
    mzprt = {row["source_text"]: row["work_id"] for row, _ in read("nt", "mzprt", "zpr/mzprt")}
    assert all(mzprt.get(row["source_text"], row["work_id"]) == row["work_id"] for row, _ in rows)
    poems = {row["document_id"] for row, why in read("pt", "ctp", "pt/classical_chinese_ctp") if why is None}
    headings = sum(path.read_text("utf-8").count("\n## ") for path in data("pt/classical_chinese_ctp").iterdir())
    assert len(poems) == headings
    lost = read("pt", "plain_tang_poems", "pt/tnm_tang_poems")
    assert len(lost) == len(
        re.findall(r"(?m)^\d+\. ", data("pt/tnm_tang_poems/poems-plaintext.txt").read_text("utf-8"))
    )
    assert all("are lost" in (why or "") for _, why in lost)


def test_stories_of_lot_are_cut() -> None:
    for name in ("ti", "tc"):
        rows = read(name, "lot", "generation/lot")
        assert len(rows) == len(lines(data("generation/lot/generation/test.target")))
        assert {why or task(name).check(row) for row, why in rows} == {None}


def poems() -> list[tuple[dict[str, Any], str | None]]:
    folders = {
        "poetmt": "poetmt",
        "chinese_poetry_bilingual": "chinese_poetry_bilingual",
        "tang_poems": "300_tang_poems_v2",
    }
    return [found for form, name in folders.items() for found in read("pt", form, f"pt/{name}")]


def test_every_poem_is_read() -> None:
    found = poems()
    ids = {row["document_id"] for row, _ in found}
    wanted = sum((data("pt/poetmt") / f"{name}.jsonl").read_bytes().count(b"\n") for name in ("tang", "song"))
    parts = sorted(data("pt/300_tang_poems_v2").glob("*.json"))
    for path in (data("pt/chinese_poetry_bilingual/Tang/Tang.json"), *parts):
        wanted += len(json.loads(path.read_text("utf-8")))
    assert len(ids) == wanted
    assert sum(why is not None for _, why in found) < 30


def test_no_poem_of_two_collections_straddles_splits() -> None:
    texts: dict[str, list[str]] = {}
    for row, _ in poems():
        texts.setdefault(f"{row['document_id']}\n{row['work_id']}", []).append(row["source_text"])
    grams = [(name.split("\n")[1], _grams("".join(parts))) for name, parts in texts.items()]
    for n, (work, mine) in enumerate(grams):
        for other, theirs in grams[:n]:
            if other != work and len(mine & theirs) > 0.5 * min(len(mine), len(theirs)) > 0:
                pytest.fail(f"{work} and {other} share a poem")


def _grams(text: str) -> set[str]:
    characters = "".join(HAN.findall(text))
    return {characters[n : n + 2] for n in range(len(characters) - 1)}
