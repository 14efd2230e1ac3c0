"""LOT: gaps as they stand, windows of stories, one work for a story in whatever set it is; stories of our own."""

from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import write_jsonl, write_text
from discobench.tasks import formats, task

TOLD = [f"第{n}天下了雪。" for n in range(6)]
STORY = "".join(TOLD)
GAP = {"story": "".join([*TOLD[:3], "<MASK>", *TOLD[4:]]), "plot": TOLD[3]}


def outcomes(name: str, folder: Path) -> list[tuple[dict[str, Any], str | None]]:
    found = task(name)
    rows = formats.read("lot", found, folder, ("train", "valid", "test"))
    return [(dict(row), reason or found.check(row)) for row, reason in rows]


def test_a_gap_is_infilled_where_it_is(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "plotcom/test.jsonl", [GAP])
    ((row, reason),) = outcomes("ti", tmp_path)
    assert reason is None
    assert (row["before"], row["target"], row["after"]) == (TOLD[1:3], TOLD[3], TOLD[4:6])
    assert row["id"] == f"{row['work_id']}:plotcom/test-1" and row["split"] is None


def test_a_story_is_completed_and_is_one_work_in_every_set(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "outgen/train.jsonl", [{"story": STORY, "outline": ["下雪"], "title": "雪"}])
    write_jsonl(tmp_path / "plotcom/val.jsonl", [GAP])
    (first, reason), (second, again) = outcomes("tc", tmp_path)
    assert reason is None and again == "the same story came before"
    assert (first["prompt"], first["target"]) == (TOLD[0], TOLD[1:5])
    assert first["work_id"] == second["work_id"]
    ids = [row["id"] for row, _ in outcomes("ti", tmp_path)]
    assert len(ids) == 2 == len(set(ids))
    assert {row["work_id"] for row, _ in outcomes("ti", tmp_path)} == {first["work_id"]}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"story": STORY, "plot": "雪。"}, "does not hold <MASK> once"),
        ({"story": f"<MASK>{STORY}", "plot": "雪。"}, "before and after must hold two sentences each"),
        ({"story": STORY, "sentence": "雪。", "label": 1}, "neither a plot nor an outline"),
    ],
)
def test_what_cannot_be_infilled_is_dropped_with_its_reason(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    write_jsonl(tmp_path / "test.jsonl", [row])
    ((_, reason),) = outcomes("ti", tmp_path)
    assert said in (reason or "")


def test_files_of_the_baselines_hold_stories_too(tmp_path: Path) -> None:
    write_text(tmp_path / "generation/test.source", "下雪<extra_id_1>\n")
    write_text(tmp_path / "generation/test.target", f"<extra_id_1>{STORY}\n")
    write_text(tmp_path / "understanding/test.target", "甲。<extra_id_1>乙。\n")
    assert [row["target"] for row, _ in outcomes("ti", tmp_path)] == [TOLD[2]]


def test_what_is_not_of_the_format_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"holds no \*\.jsonl of LOT"):
        outcomes("ti", tmp_path)
    write_jsonl(tmp_path / "test.jsonl", [{"plot": "雪。"}])
    with pytest.raises(DiscoError, match=r"test\.jsonl, line 1: story: Field required"):
        outcomes("ti", tmp_path)
    with pytest.raises(DiscoError, match=r"tasks\.nt\.files: format lot"):
        outcomes("nt", tmp_path)
