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
