"""Faults of one key at a time: the sentence names the place, what was found and what is allowed."""

from collections.abc import Sequence
from typing import Any

import pytest

from discobench.config.load import parse
from discobench.errors import DiscoError

FAULTS: list[tuple[Sequence[str], Any, str]] = [
    (["sed"], 1, "config.yaml: sed: unknown key; did you mean 'seed'?"),
    (["hardware", "gpu"], 1, "config.yaml: hardware.gpu: unknown key; did you mean 'gpus'?"),
    (["genres", "zh_novel", "shard"], 1, "config.yaml: genres.zh_novel.shard: unknown key; did you mean 'shards'?"),
    (
        ["finetune", "tasks", "nt", "learningrate"],
        1.0,
        "config.yaml: finetune.tasks.nt.learningrate: unknown key; did you mean 'learning_rate'?",
    ),
    (
        ["finetune", "rows", "transformer-base", "nt", "xyzzy"],
        1,
        "config.yaml: finetune.rows.transformer-base.nt.xyzzy: unknown key; allowed: batch_factor, batch_size,",
    ),
    (["seed"], "12", "config.yaml: seed: found '12'; allowed:"),
    (["seed"], 0, "config.yaml: seed: found 0; allowed: a number above 0."),
    (["splits", "test"], 1.5, "config.yaml: splits.test: found 1.5; allowed: a number of at most 1"),
    (["hardware", "gpus"], -1, "config.yaml: hardware.gpus: found -1; allowed: a number of at least 0"),
    (["hardware", "precision"], "fp16", "config.yaml: hardware.precision: found 'fp16'; allowed: 'fp32' or 'bf16'."),
    (["run", "seeds"], [], "config.yaml: run.seeds: found []; allowed: at least 1 entries."),
    (
        ["checkpoints", "gpt-4", "source"],
        "gpt",
        "config.yaml: checkpoints.gpt-4.source: found 'gpt'; allowed: text like",
    ),
]


@pytest.mark.parametrize(("path", "value", "sentence"), FAULTS, ids=[".".join(path) + f"={v}" for path, v, _ in FAULTS])
def test_the_sentence_of_a_fault(tree: dict, path: Sequence[str], value: Any, sentence: str):
    node = tree
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    with pytest.raises(DiscoError) as caught:
        parse(tree, "config.yaml")
    assert str(caught.value).startswith(sentence)


def test_a_key_in_the_place_of_its_variable_is_not_repeated(tree: dict):
    tree["api"]["key_variable"] = "sk-0123456789"
    with pytest.raises(DiscoError) as caught:
        parse(tree, "config.yaml")
    assert str(caught.value).startswith("config.yaml: api.key_variable: found what may be a key; allowed: text like")
    assert "sk-0123456789" not in str(caught.value)


@pytest.mark.parametrize("part", ["?api-key=0123456789", "#0123456789"])
def test_an_address_that_may_hold_a_key_is_refused_and_not_repeated(tree: dict, part: str):
    tree["api"]["base_url"] = f"https://models.example/v1{part}"
    with pytest.raises(DiscoError, match=r"api\.base_url: found what may be a key; allowed: .+$") as caught:
        parse(tree, "config.yaml")
    assert "0123456789" not in str(caught.value)
    tree["api"]["base_url"] = "models.example/v1"
    with pytest.raises(DiscoError, match=r"found .models\.example/v1.; allowed: text like"):
        parse(tree, "config.yaml")


def test_a_missing_key_says_where_it_is_described(tree: dict):
    del tree["report"]["title"]
    with pytest.raises(DiscoError, match=r"config.yaml: report.title: this key is missing; .*config.schema.json"):
        parse(tree, "config.yaml")


def test_an_odd_name_of_an_entry_is_refused(tree: dict):
    tree["genres"]["Zh Novel"] = tree["genres"]["zh_novel"]
    with pytest.raises(DiscoError, match=r"config.yaml: genres.Zh Novel: found 'Zh Novel'; allowed: text like"):
        parse(tree, "config.yaml")
