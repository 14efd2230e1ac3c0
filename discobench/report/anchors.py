"""Where the page of provenance goes on from a cell: the part of it that a value's file belongs to."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from discobench.operations.made import within

TUNED = "16"
"""The table whose cells are settings: their part lists the models that were trained so."""
FLAT = {"corpus": "corpus", "annotation": "agreement"}
"""Stages with one part for all of their files."""
NAMED = {"tasks": "data", "models": "model", "pretrain": "model"}
"""Stages whose parts are called after the folder."""


def anchor(task: str, row: str) -> str:
    """Of the cells of a row in a task."""
    return f"{task}-{row}"


def ranked(suite: str, row: str) -> str:
    """Of the rankings of a row in a suite."""
    return f"suite-{suite}-{row}"


def tuned(task: str) -> str:
    """Of the settings of a task's fine-tuning."""
    return f"tuning-{task}"


def anchor_of(line: Mapping[str, Any]) -> str:
    """Of a line of a long table; empty where it has no value, or none that the run made."""
    if line["value"] in (None, ""):
        return ""
    if str(line["table"]) == TUNED:
        return tuned(line["task"])
    return part_of(line["source"].partition(";")[0]) or (anchor(line["task"], line["row"]) if line["task"] else "")


def part_of(path: str) -> str:
    """Of a file of a run but for its scores, which are told by task and row; else empty."""
    stage, *names = PurePosixPath(within(path)).parts or ("",)
    if stage == "diagnose" and len(names) > 2:
        return ranked(names[0], names[1])
    if stage in NAMED and len(names) > 1:
        return f"{NAMED[stage]}-{names[0]}"
    return FLAT.get(stage, "")
