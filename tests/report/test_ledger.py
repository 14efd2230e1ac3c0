"""The ledger names keys that there are, and asks every question once."""

import re
from typing import Any

import pytest

from discobench.config.load import resolve
from discobench.files import read_json
from discobench.report.ledger import AS_SHIPPED, choices, read_ledger
from tests.support import ROOT

ENTRIES = read_ledger(ROOT / "resources" / "paper" / "ledger.yaml")
SCHEMA: dict[str, Any] = read_json(ROOT / "resources" / "config.schema.json")
READERS = [*(ROOT / "rules").rglob("*.smk"), *(ROOT / "scripts").rglob("*.py"), *(ROOT / "discobench").rglob("*.py")]
CHOOSING = ("selection.py",)
"""What reads keys among the modules of the configuration; the others declare and check them."""
CODE = "\n".join(path.read_text("utf-8") for path in READERS if path.parent.name != "config" or path.name in CHOOSING)
KEYS = sorted({key for entry in ENTRIES for key in entry.keys})


def inside(node: dict[str, Any], part: str) -> list[dict[str, Any]]:
    """The schemas below a part of a dotted key; a registry has any name."""
    if "$ref" in node:
        return inside(SCHEMA["$defs"][node["$ref"].rsplit("/", 1)[-1]], part)
    if part in node.get("properties", {}):
        return [node["properties"][part]]
    named = [node["additionalProperties"]] if isinstance(node.get("additionalProperties"), dict) else []
    choices = [*node.get("anyOf", []), *node.get("oneOf", [])]
    return [*named, *node.get("patternProperties", {}).values(), *(x for c in choices for x in inside(c, part))]


def resolved(node: dict[str, Any]) -> list[dict[str, Any]]:
    """A schema, or those that it chooses from."""
    if "$ref" in node:
        return resolved(SCHEMA["$defs"][node["$ref"].rsplit("/", 1)[-1]])
    return [node, *(x for choice in [*node.get("anyOf", []), *node.get("oneOf", [])] for x in resolved(choice))]


def fields(key: str) -> list[str]:
    """The parts of a key that types declare; others are names in a registry."""
    nodes, declared = [SCHEMA], []
    for part in key.split("."):
        own = [found for node in nodes for found in resolved(node) if part in found.get("properties", {})]
        declared += [part] if own else []
        nodes = [found for node in nodes for found in inside(node, part)]
        assert nodes, f"{key}: nothing is called {part}"
    return declared


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_the_ledger_is_one_of_the_configuration(key: str) -> None:
    assert fields(key)


def test_a_name_in_a_registry_is_no_field() -> None:
    assert fields("finetune.tasks.zpr") == ["finetune", "tasks"]
    assert fields("checkpoints.<checkpoint>.paper.parameters") == ["checkpoints", "paper", "parameters"]
    with pytest.raises(AssertionError, match="nothing is called nowhere"):
        fields("report.nowhere")


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_the_ledger_is_read_somewhere(key: str) -> None:
    """By a rule, a script or the library, beside the types that declare it: its last field, as such or by its name."""
    word = fields(key)[-1]
    assert re.search(rf"\.{word}\b|[\"']{word}[\"']", CODE), f"{key}: nothing reads {word}"


def test_an_entry_without_a_key_says_why() -> None:
    assert [entry.question for entry in ENTRIES if not entry.keys and len(entry.key.split()) < 8] == []
    assert sum(not entry.keys for entry in ENTRIES) < 5


def test_the_values_of_keys_are_told_beside_those_of_the_paper() -> None:
    shipped = resolve({}, ROOT).model_dump(mode="json")
    usual = choices(ENTRIES, shipped, shipped)
    assert usual["finetune.tasks.ti.max_length"] == "64"
    assert usual["finetune.tasks.zpr"] == usual["suites.<suite>.path"] == AS_SHIPPED
    faster = resolve({"finetune": {"tasks": {"zpr": {"batch_factor": 16}}}}, ROOT).model_dump(mode="json")
    told = choices(ENTRIES, faster, shipped)
    assert told["finetune.tasks.zpr"] == "batch_factor: 16 (config.yaml: 1)"
    assert {key for key in told if told[key] != usual[key]} == {"finetune.tasks.zpr"}
    demo = choices(ENTRIES, resolve({"preset": "demo"}, ROOT).model_dump(mode="json"), shipped)
    assert demo["synthesis.te.sentences"] == "2 (config.yaml: 3)"
    assert demo["suites.<suite>.path"].startswith("mrc: ") and demo["run.rows"].endswith("(config.yaml: null)")


def test_no_question_stands_twice_and_all_that_a_paper_leaves_open_is_asked() -> None:
    questions = [entry.question for entry in ENTRIES]
    assert len(questions) == len(set(questions))
    text = " ".join(questions)
    for word in (
        "4K",
        "20 layers",
        "BART",
        "parameter counts",
        "d-BLEU",
        "separates",
        "ZPR",
        "TER",
        "METEOR",
        "COMET",
        "ACT",
        "T5",
    ):
        assert word in text, word
