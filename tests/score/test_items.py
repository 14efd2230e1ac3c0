"""Joining by id, and what evaluation refuses."""

import re
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.parquet import write_parquet
from discobench.schema import empty
from discobench.score.cells import every_cell, rows, summary
from discobench.score.items import Item, join, statuses
from discobench.score.measure import Metric, NotRun, Options
from discobench.score.registry import MEASURES, evaluate, names
from discobench.score.tools import OWN
from discobench.tasks import task

TEXT = "The rain had stopped."
COMMON = {"work_id": "w", "document_id": "d", "source_text": "雨停了。", "references": [TEXT]}
RECORDS = [empty("nt") | COMMON | {"id": f"s:w:{n}"} for n in range(3)]
OPTIONS = Options("en", bootstrap=20, seed=1)
OFFERED = {
    "mrc": empty("mrc") | {"id": "a", "passage": "猫。", "question": "谁？", "choices": ["猫", "狗"], "answer": 0},
    "zpr": empty("zpr") | {"id": "a", "text": "吃饭了吗？", "before": [], "after": [], "zeros": []},
}


def answers(*ids: str, text: str | None = TEXT) -> list[dict[str, Any]]:
    return [{"id": name, "prediction": text, "status": "ok" if text else "empty"} for name in ids]


def test_items_keep_the_order_of_the_test_set() -> None:
    items = join(task("nt"), RECORDS, answers("s:w:2", "s:w:0", "s:w:1"), "p.jsonl")
    assert [item.id for item in items] == ["s:w:0", "s:w:1", "s:w:2"]
    assert items[0].group == "d"


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (("s:w:0", "s:w:1"), "missing s:w:2; not in the test set none"),
        (("s:w:0", "s:w:1", "s:w:2", "s:w:9"), "missing none; not in the test set s:w:9"),
        (("s:w:0", "s:w:0", "s:w:1", "s:w:2"), "'s:w:0' twice"),
    ],
)
def test_ids_must_match(ids: tuple[str, ...], message: str) -> None:
    with pytest.raises(DiscoError, match=message):
        join(task("nt"), RECORDS, answers(*ids), "p.jsonl")


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("nt", {}, "'a': it has no field 'prediction'"),
        ("nt", {"prediction": [1]}, r"prediction holds \[1\], a text is needed"),
        ("mrc", {"prediction": "B"}, "prediction holds 'B', an integer is needed"),
        ("si", {"prediction": "x"}, "prediction holds 'x', a list is needed"),
        ("zpr", {"prediction": [[0]]}, r"prediction holds \[0\], \[offset, form\] is needed"),
        ("zpr", {"prediction": 3}, r"prediction holds 3, \[offset, form\] is needed"),
    ],
)
def test_a_prediction_of_another_kind_is_refused(name: str, line: dict[str, Any], message: str) -> None:
    with pytest.raises(DiscoError, match=message):
        join(task(name), [{"id": "a"}], [{"id": "a", **line}], "p.jsonl")


@pytest.mark.parametrize(
    ("name", "prediction", "message"),
    [
        ("mrc", 2, "prediction holds 2, an index of 2 choices is needed"),
        ("mrc", -1, "prediction holds -1, an index"),
        ("zpr", [[0, "我"], [9, "你"]], r"prediction holds \[9, '你'\], one of 6 gaps and a form of the inventory"),
        ("zpr", [[0, "这"]], r"prediction holds \[0, '这'\]"),
    ],
)
def test_a_prediction_that_the_instance_does_not_offer_is_refused(name: str, prediction: Any, message: str) -> None:
    with pytest.raises(DiscoError, match=rf"p\.jsonl: id 'a': {message}"):
        join(task(name), [OFFERED[name]], [{"id": "a", "prediction": prediction}], "p.jsonl")


def test_no_text_is_an_empty_text() -> None:
    lines = answers("s:w:0", "s:w:1") + answers("s:w:2", text=None)
    items = join(task("nt"), RECORDS, lines, "p.jsonl")
    assert items[2].prediction == ""
    assert statuses(lines) == {"empty": 1, "ok": 2}
    bleu = evaluate(task("nt"), items, OPTIONS)["bleu"]
    assert isinstance(bleu, Metric)
    assert bleu.n == 3


WITHOUT_WORDNET = [key for key in MEASURES if key[1] != "meteor"]
FROM_ELSEWHERE = {"bleu": "BLEU", "bleu-char": "BLEU", "ter": "TER", "ter-normalised": "TER"}
"""Metrics of texts that are sacrebleu's alone, and what it calls them."""


def signature(formulation: str, metric: str) -> str:
    answer: Any = {"text": "雨停了。", "choice": 1, "span": ["雨"], "gaps": [(0, "我")]}[formulation]
    gold = [answer] if formulation == "text" else answer
    return MEASURES[formulation, metric]([Item("a", gold, answer, "d", {})], Options("zh", 2, 1)).signature


@pytest.mark.parametrize(("formulation", "metric"), WITHOUT_WORDNET)
def test_every_signature_names_its_tool_with_a_version(formulation: str, metric: str) -> None:
    found = signature(formulation, metric)
    if metric in FROM_ELSEWHERE:
        assert re.fullmatch(rf"sacrebleu\|{FROM_ELSEWHERE[metric]}\|.*\|version:\d+(\.\d+)+", found), found
    else:
        assert found.endswith(f"|{OWN}"), found


@pytest.mark.parametrize("metric", ["d-bleu", "bleu-rare", "bleu-word"])
def test_what_is_made_of_sacrebleus_counts_names_it_too(metric: str) -> None:
    assert re.search(r"(?:^|\|)sacrebleu\|BLEU\|.*\|version:\d", signature("text", metric))


def test_no_two_metrics_share_a_signature() -> None:
    named = [(formulation, signature(formulation, metric)) for formulation, metric in WITHOUT_WORDNET]
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("name", ["te", "ti", "tc"])
def test_generation_has_every_metric_that_the_paper_names(name: str) -> None:
    assert set(task(name).metrics) == {"bleu", "ppl", "bertscore", "dist2", "dist4"}


@pytest.mark.parametrize("name", ["si", "zpr", "mrc", "nt", "cct", "pt", "te", "ti", "tc"])
def test_every_metric_of_a_task_is_known(name: str) -> None:
    assert all((task(name).formulation, metric) in MEASURES for metric in names(task(name)))


def test_an_absent_resource_is_a_reason_and_an_empty_set_an_error(tmp_path: Any) -> None:
    items = join(task("nt"), RECORDS, answers("s:w:0", "s:w:1", "s:w:2"), "p.jsonl")
    results = evaluate(task("nt"), items, Options("en", 20, 1, str(tmp_path)))
    assert list(results) == ["bleu", "d-bleu", "ter", "ter-normalised", "meteor"]
    assert "not_run" in summary(results["meteor"])
    assert summary(results["bleu"])["value"] == pytest.approx(100)
    assert write_parquet(tmp_path / "i.parquet", rows(results), "instance") == 3 + 1 + 3 + 3
    with pytest.raises(DiscoError, match="no instance"):
        evaluate(task("nt"), [], OPTIONS)


def test_all_cells_share_the_reason_of_a_model_that_is_not_there() -> None:
    def absent() -> Any:
        raise NotRun("no checkpoint")

    results = every_cell({("bart", 1): [], ("bart", 2): []}, OPTIONS, absent)
    assert [summary(result) for result in results.values()] == [{"not_run": "no checkpoint"}] * 2
