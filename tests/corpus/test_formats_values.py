"""JSON that holds many values: what was cut short is told, what came before is kept."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("rest", ["", " ", ",", ', {"text": "三'])
def test_a_list_without_an_end_is_told(tmp_path: Path, ingested: Callable[..., Any], rest: str) -> None:
    (tmp_path / "a.json").write_text('[{"text": "一"}, {"text": "二"}' + rest, "utf-8", newline="\n")
    outcomes = [(record["text"], reason) for record, reason in ingested(tmp_path)]
    assert outcomes == [("一", None), ("二", None), ("", "not JSON")]


@pytest.mark.parametrize("depth", [21, 990, 1020, 5000])
@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_lists_in_lists_without_end_are_no_text(
    tmp_path: Path, ingested: Callable[..., Any], name: str, depth: int
) -> None:
    (tmp_path / name).write_text("[" * depth + '"雨"' + "]" * depth + "\n", "utf-8", newline="\n")
    outcomes = [(record["text"], reason) for record, reason in ingested(tmp_path)]
    if name == "a.json" and depth == 21:  # the list around all of them is the file's
        assert outcomes == [("雨", None)]
    else:
        ((text, reason),) = outcomes
        assert (text, reason in {"nested too deep", "not JSON"}) == ("", True)


def test_an_empty_list_is_a_record_without_text(tmp_path: Path, ingested: Callable[..., Any]) -> None:
    (tmp_path / "a.jsonl").write_text('[]\n{"text": "雨"}\n{"text": []}\n', "utf-8", newline="\n")
    assert [reason for _, reason in ingested(tmp_path)] == ["no text field", None, "no text field"]
