"""The ledger names keys that there are, and asks every question once."""

import re
from typing import Any

import pytest

from discobench.files import read_json
from discobench.report.ledger import read_ledger
from tests.support import ROOT

ENTRIES = read_ledger(ROOT / "resources" / "paper" / "ledger.yaml")
SCHEMA: dict[str, Any] = read_json(ROOT / "resources" / "config.schema.json")
KEYS = sorted({key.strip() for entry in ENTRIES for key in (entry.key or "").split(",") if key.strip()})


def inside(node: dict[str, Any], part: str) -> list[dict[str, Any]]:
    """The schemas below a part of a dotted key; a registry has any name."""
    if "$ref" in node:
        return inside(SCHEMA["$defs"][node["$ref"].rsplit("/", 1)[-1]], part)
    if part in node.get("properties", {}):
        return [node["properties"][part]]
    named = [node["additionalProperties"]] if isinstance(node.get("additionalProperties"), dict) else []
    choices = [*node.get("anyOf", []), *node.get("oneOf", [])]
    return [*named, *node.get("patternProperties", {}).values(), *(x for c in choices for x in inside(c, part))]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_the_ledger_is_one_of_the_configuration(key: str) -> None:
    nodes = [SCHEMA]
    for part in re.split(r"\.", key):
        nodes = [found for node in nodes for found in inside(node, part)]
        assert nodes, f"{key}: nothing is called {part}"


def test_no_question_stands_twice_and_all_that_a_paper_leaves_open_is_asked() -> None:
    questions = [entry.question for entry in ENTRIES]
    assert len(questions) == len(set(questions))
    text = " ".join(questions)
    for word in ("4K", "20 layers", "BART", "parameter counts", "d-BLEU", "ZPR", "TER", "METEOR", "COMET", "ACT", "T5"):
        assert word in text, word
