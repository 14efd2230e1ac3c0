"""A name that refers to another entry must exist; the sentence offers the nearest one."""

import pytest

from discobench.config.load import parse
from discobench.errors import DiscoError


def fault(tree: dict) -> str:
    with pytest.raises(DiscoError) as caught:
        parse(tree, "config.yaml")
    return str(caught.value)


def test_a_row_names_a_checkpoint_that_exists(tree: dict):
    tree["rows"]["gpt2"]["tasks"]["te"] = "gpt2-em"
    assert fault(tree) == (
        "config.yaml: rows.gpt2.tasks.te: found 'gpt2-em', which is not defined; did you mean 'gpt2-en'?"
    )


@pytest.mark.parametrize("key", ["genres", "tasks", "rows", "suites"])
def test_a_selection_names_entries_that_exist(tree: dict, key: str):
    tree["run"][key] = ["xyzzy"]
    assert fault(tree).startswith(f"config.yaml: run.{key}: found 'xyzzy', which is not defined; allowed:")


def test_only_names_rows_and_tasks_that_exist(tree: dict):
    tree["run"]["only"] = {"gpt2": ["tee"], "gpt3": ["te"]}
    sentences = fault(tree)
    assert "run.only.gpt2: found 'tee'" in sentences
    assert "run.only.gpt3: found 'gpt3'" in sentences


def test_a_continued_checkpoint_needs_a_base_and_a_recipe(tree: dict):
    tree["checkpoints"]["disco-mbart"]["base"] = "mbart"
    del tree["pretrain"]["disco-bart-large-zh"]
    sentences = fault(tree)
    assert "checkpoints.disco-mbart.base: found 'mbart'" in sentences
    assert "pretrain.disco-bart-large-zh: found 'disco-bart-large-zh'" in sentences


def test_a_suite_names_a_task_and_rows_that_exist(tree: dict):
    tree["suites"]["nt"] |= {"task": "n", "rows": ["mbart", "mbort"]}
    sentences = fault(tree)
    assert "suites.nt.task: found 'n'" in sentences
    assert "suites.nt.rows: found 'mbort', which is not defined; did you mean 'mbart'?" in sentences


def test_a_task_needs_hyper_parameters_and_decoding(tree: dict):
    del tree["finetune"]["tasks"]["tc"], tree["decode"]["tc"]
    sentences = fault(tree)
    assert "finetune.tasks.tc: found 'tc'" in sentences
    assert "decode.tc: found 'tc'" in sentences
