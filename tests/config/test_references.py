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


def test_a_checkpoint_is_not_pretrained_from_itself(tree: dict):
    tree["checkpoints"]["disco-bart-large-zh"]["base"] = "disco-bart-large-en"
    tree["checkpoints"]["disco-bart-large-en"]["base"] = "disco-bart-large-zh"
    tree["checkpoints"]["disco-mbart"]["base"] = "disco-bart-large-zh"
    sentences = fault(tree).split("\n")
    assert len(sentences) == 2
    assert sentences[0] == (
        "config.yaml: checkpoints.disco-bart-large-zh.base: found a circle, "
        "disco-bart-large-zh from disco-bart-large-en from disco-bart-large-zh; start from another one."
    )


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


def test_bertscore_is_measured_by_a_family_that_its_package_reads(tree: dict):
    tree["score"]["bertscore_model"] = {"zh": "gpt2-zh", "en": "mbart-cc25"}
    assert fault(tree) == (
        "config.yaml: score.bertscore_model.zh: found 'gpt2-zh' of family 'gpt2'; "
        "allowed: a checkpoint of family encoder, bart, mbart."
    )


def test_a_suite_lies_somewhere_or_is_built(tree: dict):
    tree["suites"]["nt"] |= {"path": None}
    tree["suites"]["tc"] |= {"path": None, "source": "test", "window": [5, 4]}
    tree["suites"]["own"] = tree["suites"]["mrc"]
    sentences = fault(tree)
    assert "suites.nt.path: found none; name the file, or set the suite's source to test" in sentences
    assert "suites.tc.path" not in sentences
    assert "suites.tc.window: found [5, 4]; the least comes first" in sentences
    assert "run.suites: found more than one of task 'mrc'" in sentences


def test_a_task_needs_hyper_parameters_and_decoding(tree: dict):
    del tree["finetune"]["tasks"]["tc"], tree["decode"]["tc"]
    sentences = fault(tree)
    assert "finetune.tasks.tc: found 'tc'" in sentences
    assert "decode.tc: found 'tc'" in sentences


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("splits", {"valid": 0.5, "test": 0.5}, "splits: found valid 0.5 and test 0.5"),
        ("run.seeds", [1, 1], "run.seeds: found [1, 1]; name each seed once"),
        ("report.instead", {"cct": {"ter": "em"}}, "report.instead.cct: found 'em', which is not defined"),
        ("run.row_seeds", {"t5": [2, 2]}, "run.row_seeds.t5: found [2, 2]; name each seed once"),
        ("run.row_seeds", {"t6": [2]}, "run.row_seeds.t6: found 't6', which is not defined"),
        (
            "annotation.sheets",
            {"nt": ["a.csv", "a.csv"]},
            "annotation.sheets.nt: found a.csv twice; name the sheets of two",
        ),
        ("finetune.tasks.si.epochs", None, "finetune.tasks.si: found neither steps nor epochs"),
        ("pretrain.disco-mbart.training.steps", None, "pretrain.disco-mbart.training.steps: found none"),
        ("pretrain.disco-mbart.weights", {"zh_noval": 2.0}, "pretrain.disco-mbart.weights: found 'zh_noval', which is"),
        (
            "checkpoints.t5-zh.source",
            "tiny:gpt9",
            "checkpoints.t5-zh.family: found 't5'; its source is for family 'gpt9'",
        ),
        ("checkpoints.t5-zh.family", "llm", "checkpoints.t5-zh.source: found 'hub', which family 'llm' has no use for"),
        (
            "checkpoints.copy.source",
            "baseline:cpy",
            "checkpoints.copy.source: found 'cpy'; allowed: majority, copy, random",
        ),
        ("rows.t5.tasks.ti", "copy", "rows.t5.tasks: found families baseline, t5; make a row for each"),
    ],
)
def test_values_that_do_not_go_together_are_told_before_planning(tree: dict, path: str, value, sentence: str):
    *parents, last = path.split(".")
    entry = tree
    for parent in parents:
        entry = entry[parent]
    entry[last] = value
    assert f"config.yaml: {sentence}" in fault(tree)


def test_a_task_needs_its_python_file(tree: dict):
    for part, entry in (("tasks", tree["tasks"]["nt"]), ("decode", {})):
        tree[part]["verse"] = entry
    tree["finetune"]["tasks"]["verse"] = tree["finetune"]["tasks"]["nt"]
    assert fault(tree).startswith("config.yaml: tasks.verse: discobench.tasks has no 'verse'; ")


@pytest.mark.parametrize("genre", ["zh_poetry", "en_novel"])
def test_only_modern_chinese_is_simplified(tree: dict, genre: str):
    tree["genres"]["zh_novel"]["simplify"] = True
    tree["genres"][genre]["simplify"] = True
    assert fault(tree) == (
        f"config.yaml: genres.{genre}.simplify: found true; only genres in zh that are not Ancient are simplified."
    )


def test_the_best_is_chosen_by_a_metric_that_the_task_has(tree: dict):
    tree["finetune"]["tasks"]["mrc"]["best_by"] = "bleu"
    tree["finetune"]["rows"]["gpt2"] = {"te": {"best_by": "f1"}}
    row, task = fault(tree).split("\n")
    assert row.endswith("rows.gpt2.te.best_by: found 'f1', which task 'te' does not have; allowed: loss, bleu.")
    assert task.endswith("tasks.mrc.best_by: found 'bleu', which task 'mrc' does not have; allowed: loss, accuracy.")


def test_plain_models_are_chosen_by_loss(tree: dict):
    tree["finetune"]["rows"]["transformer-big"] = {}
    first, *_ = fault(tree).split("\n")
    assert first.endswith("rows.transformer-big.nt.best_by: found 'bleu'; plain models know the loss alone: set loss.")


@pytest.mark.parametrize("key", ["rows.transformer-big.nt", "tasks.nt"])
def test_plain_models_learn_from_whole_batches(tree: dict, key: str):
    kind, *names = key.split(".")
    entry = tree["finetune"][kind]
    for name in names:
        entry = entry[name]
    entry["part_tokens"] = 4096
    why = "row 'transformer-big' has a plain model, which learns from whole batches"
    remedy = "set it in finetune.rows for other rows alone"
    assert f"finetune.{key}.part_tokens: found 4096; {why}: {remedy}." in fault(tree)


@pytest.mark.parametrize("place", ["tasks", "rows", "grid"])
def test_epochs_are_not_tried_where_steps_count(tree: dict, place: str):
    finetune = tree["finetune"]
    finetune["grid"] = {"bert-base": {"zpr": {"epochs": [2, 3]}}}
    parse(tree, "config.yaml")
    entries = {"tasks": finetune["tasks"], "grid": finetune["grid"]["bert-base"]}
    entries["rows"] = finetune["rows"].setdefault("bert-base", {"zpr": {}})
    steps = [9] if place == "grid" else 9
    entries[place].setdefault("zpr", {})["steps"] = steps
    found = f"finetune.grid.bert-base.zpr.epochs: found with steps {steps}, which count first; list steps"
    assert found in fault(tree)


def test_only_families_with_an_objective_are_pretrained(tree: dict):
    tree["checkpoints"]["disco-mbart"]["family"] = "t5"
    found = "checkpoints.disco-mbart.base: found for family 't5'; only encoder, bart, mbart, gpt2 can be pretrained"
    assert found in fault(tree)


def test_a_model_that_is_shared_out_is_not_compiled(tree: dict):
    tree["pretrain"]["disco-mbart"] |= {"sharding": "full"}
    tree["pretrain"]["disco-mbart"]["training"] |= {"compile": True}
    assert "pretrain.disco-mbart.sharding: found full with training.compile" in fault(tree)
