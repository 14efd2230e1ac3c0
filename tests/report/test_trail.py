"""From a cell to its data in three steps: every file that is there, and nothing that is not."""

from pathlib import Path

import pytest

from discobench.files import write_json, write_text
from discobench.report.anchors import anchor_of
from discobench.report.categories import Share, categories
from discobench.report.markup import provenance_page
from discobench.report.outcomes import odd_answers, odd_outcomes
from discobench.report.trail import Job, trails
from tests.report.test_views import LAYOUT, Checker
from tests.support import ROOT

DECODED = {
    "outputs": {"predictions.jsonl": "aa11"},
    "notes": {"asked": {"model": "toy", "input": 7, "money": 0.5}, "signature": "prompt:1|prompt_digest:ab"},
}


def results(root: Path) -> Path:
    parts = {"domain": {"novel": {"recall": {"value": 40.0, "n": 2}, "f1": {"value": 50.0, "n": 2, "ci95": [25, 75]}}}}
    cell = {"task": "zpr", "row": "bart", "seed": 1, "checkpoint": "bart-zh", "statuses": {"ok": 3, "empty": 1}}
    write_json(root / "score/zpr/bart/seed-1/scores.json", cell | {"metrics": {}, "categories": parts})
    write_json(root / "decode/zpr/bart/seed-1/decode.balance.json", DECODED)
    write_text(root / "decode/zpr/bart/seed-1/predictions.jsonl", "{}\n")
    model = {
        "outputs": {"model.safetensors": "bb22"},
        "device": "cpu",
        "training": {"steps": 7},
        "versions": {"torch": "2"},
    }
    write_json(root / "finetune/zpr/bart/seed-1/model.json", model)
    write_json(root / "models/bart-zh/model.json", {"outputs": {"model.safetensors": "cc33"}})
    write_json(root / "tasks/zpr/build.balance.json", {"outputs": {"test.parquet": "dd44"}})
    write_text(root / "tasks/zpr/test.parquet", "")
    write_json(root / "config.json", {})
    made = {"rule": "finetune_bart", "code": {"commit": "c0", "sha256": "ee55"}, "wall_s": 12.5, "machine": "node1"}
    outputs = [f"results/demo/finetune/{task}/bart/seed-1/model.json" for task in ("nt", "zpr")]
    write_json(root / "benchmarks/finetune/bart/seed-1/finetune.made.json", made | {"outputs": outputs})
    return root


def test_a_trail_names_files_digests_settings_and_times(tmp_path: Path) -> None:
    trail = trails(results(tmp_path))[0]
    assert (trail.anchor, trail.title) == ("zpr-bart", "ZPR, bart, seed 1")
    assert all((tmp_path / path).is_file() for _, path, _ in trail.files)
    assert {digest for _, _, digest in trail.files} >= {"aa11", "bb22", "cc33", "dd44"}
    assert dict(trail.facts) == {
        "seed": "1",
        "checkpoint": "bart-zh",
        "answers": "empty 1, ok 3",
        "asked": "input 7, model toy, money 0.5",
        "signature": "prompt:1|prompt_digest:ab",
        "device": "cpu",
        "training": "steps 7",
        "versions": "torch 2",
    }
    record = "benchmarks/finetune/bart/seed-1/finetune.made.json"
    assert trail.jobs == [Job("finetune_bart", record, "c0", "ee55", "12.5", "node1")]
    assert trail.parts == [("data-zpr", "data set of ZPR"), ("model-bart-zh", "model bart-zh")]


def test_every_part_that_is_named_is_there(tmp_path: Path) -> None:
    found = trails(results(tmp_path))
    anchors = {trail.anchor for trail in found}
    assert anchors == {"zpr-bart", "data-zpr", "tuning-zpr", "model-bart-zh"}
    assert {name for trail in found for name, _ in trail.parts} <= anchors


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ({"task": "nt", "row": "mbart", "source": "results/demo/score/nt/mbart/seed-1/scores.json"}, "nt-mbart"),
        ({"task": "nt", "row": "mbart", "source": "results/models/score/nt/model/comet.json"}, "nt-mbart"),
        (
            {"task": "nt", "row": "mbart", "source": "results/x/diagnose/own/mbart/seed-1/ranking.json"},
            "suite-own-mbart",
        ),
        ({"task": "", "row": "zh", "source": "results/x/corpus/statistics.balance.json"}, "corpus"),
        ({"task": "", "row": "bart", "source": "results/x/pretrain/bart/model.json"}, "model-bart"),
        ({"task": "nt", "row": "NT", "source": "results/x/annotation/agreement.json"}, "agreement"),
        ({"task": "nt", "row": "nt", "source": "results/x/tasks/nt/build.balance.json"}, "data-nt"),
        ({"task": "nt", "row": "NT", "source": "", "table": "16"}, "tuning-nt"),
        ({"task": "nt", "row": "NT", "source": "", "value": ""}, ""),
        ({"task": "", "row": "GPT2", "source": "", "value": "36"}, ""),
    ],
)
def test_a_cell_goes_on_at_the_part_of_its_file(line: dict[str, str], wanted: str) -> None:
    assert anchor_of({"value": "1", "table": "7"} | line) == wanted


def test_the_page_of_trails_is_whole(tmp_path: Path) -> None:
    found = trails(results(tmp_path))
    text = provenance_page(
        ROOT / "resources/report", "notice", "Demo", trails=found * 2, provenance=[("Python", "3.11")]
    )
    page = Checker(text)
    assert {"zpr-bart", "made"} <= page.ids
    assert text.count('id="zpr-bart"') == 1  # the second seed of a row stands below the first
    named = {"score/zpr/bart/seed-1/scores.json", "benchmarks/finetune/bart/seed-1/finetune.made.json", "#data-zpr"}
    assert named <= set(page.links)


def test_categories_and_answers_of_all_cells(tmp_path: Path) -> None:
    root = results(tmp_path)
    ((name, kind, part),) = categories(root, LAYOUT)
    assert (name, kind, part.metrics, part.columns) == ("zpr", "domain", ["F1", "Recall"], [("novel", 2)])
    assert part.rows == [
        ("bart, seed 1", "bart, seed 1", "F1", [Share(50.0, "25.0–75.0", 2)]),
        ("bart, seed 1", "bart, seed 1", "Recall", [Share(40.0, "", 2)]),
    ]
    ranking = {"suite": "mrc", "row": "gpt", "seed": 1, "statuses": {"ok": 2, "refused": 1}}
    write_json(root / "diagnose/mrc/gpt/seed-1/ranking.json", ranking)
    write_json(root / "diagnose/mrc/bart/seed-1/ranking.json", {"suite": "mrc", "row": "bart", "seed": 1})
    assert odd_answers(root) == [("ZPR, bart, seed 1", {"empty": 1}), ("suite mrc, gpt, seed 1", {"refused": 1})]


def test_ties_of_a_ranking_are_told_on_the_page_and_with_its_cells(tmp_path: Path) -> None:
    root = results(tmp_path)
    overall = {"n": 54, "ties": 47, "unread": 0}
    ranking = {
        "task": "zpr",
        "suite": "zpr",
        "row": "bart",
        "seed": 1,
        "n": 54,
        "cut": 1,
        "readings": {"sum": {"overall": overall}},
    }
    write_json(root / "diagnose/zpr/bart/seed-1/ranking.json", ranking)
    texts = ["cut 1 of 54", "ties 47 of 54, ranked by the whole answer"]
    assert odd_outcomes(root) == [("suite zpr, bart, seed 1", texts)]
    (trail,) = [trail for trail in trails(root) if trail.anchor == "suite-zpr-bart"]
    assert dict(trail.facts)["outcomes"] == "; ".join(texts)


def test_what_is_told_of_the_whole_run_has_its_parts_where_it_is_there(tmp_path: Path) -> None:
    for place in ("synthesis/te/statistics.json", "synthesis/zpr/quality.json", "corpus/statistics.balance.json"):
        write_json(tmp_path / place, {})
    write_text(tmp_path / "corpus/overlaps.parquet", "")
    found = {trail.anchor: [path for _, path, _ in trail.files] for trail in trails(tmp_path)}
    assert found == {
        "corpus": ["corpus/statistics.balance.json", "corpus/overlaps.parquet", "config.json"],
        "expansions": ["synthesis/te/statistics.json", "config.json"],
        "zeros": ["synthesis/zpr/quality.json", "config.json"],
    }
