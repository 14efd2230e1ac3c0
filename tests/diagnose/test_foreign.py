"""The published sets whose languages no preset reads: the example of docs/diagnostic.md is planned and scored."""

import importlib.util
from pathlib import Path

import pytest

from discobench.diagnose.builder import Plan
from discobench.diagnose.formats import read
from discobench.diagnose.suite import candidates, check_suite
from discobench.files import read_text, write_json, write_text
from discobench.formulations import TextExample
from discobench.score.items import Item
from discobench.score.measure import Metric, Options
from discobench.score.registry import evaluate
from discobench.tasks.base import Task
from tests.conftest import ROOT, copy_of_repository
from tests.docs.howtos import BLOCK
from tests.workflow.plans import plan


def example() -> dict[str, str]:
    """The files of the example by their places."""
    return {match[2]: match[3] for match in BLOCK.finditer(read_text(ROOT / "docs/diagnostic.md")) if match[2]}


def own_task(folder: Path) -> Task:
    write_text(folder / "enru.py", example()["discobench/tasks/enru.py"])
    spec = importlib.util.spec_from_file_location("enru", folder / "enru.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Task = module.EnglishToRussian()
    return found


@pytest.mark.slow
def test_the_example_is_planned(tmp_path: Path) -> None:
    """Fine-tuning on the task, the suite, its rankings and their accuracies, which no table shows."""
    folder = copy_of_repository(tmp_path / "repository")
    for place, text in example().items():
        write_text(folder / place, text)
    jobs = plan(folder, "--cores", "1", "--configfile", "enru.yaml", "--", "all")
    made = {shown["output"].split(", ")[0] for _, shown in jobs if "output" in shown}
    assert {
        "results/enru/finetune/enru/mbart/seed-1/model.json",
        "results/enru/diagnose/voita/suite.jsonl",
        "results/enru/diagnose/voita/mbart/seed-2/ranking.json",
        "results/enru/diagnose/voita/accuracies.csv",
        "results/enru/score/enru/mbart/seed-1/scores.json",
    } <= made


def test_its_task_ranks_and_scores_russian(tmp_path: Path) -> None:
    task = own_task(tmp_path)
    rows = [
        {"src": "Go . _eos Fran came .", "dst": ["Иди . _eos Фран пришла .", "Иди . _eos Фрэн пришла ."], "true_ind": 0}
    ]
    write_json(tmp_path / "lex_cohesion_dev.json", rows)
    found = [row for row, reason in read("voita", task, tmp_path, Plan(1)) if reason is None]
    right, wrong = candidates(task, check_suite(found, task, "voita")[0])
    assert isinstance(right, TextExample) and isinstance(wrong, TextExample)
    assert (right.source_language, right.target_language) == ("en", "ru")
    assert (right.source, right.target) == ("Go . Fran came .", "Иди . Фран пришла .")
    items = [Item("a", ["Фран пришла домой ."], "Фран пришла домой .", "d", {})]
    bleu = evaluate(task, items, Options("ru", 2, 1))["bleu"]
    assert isinstance(bleu, Metric) and bleu.value == pytest.approx(100) and "|tok:13a|" in bleu.signature
