"""From a cell to its data in three steps: every file that is there, and nothing that is not."""

from pathlib import Path

from discobench.files import write_json, write_text
from discobench.report.markup import provenance_page
from discobench.report.trail import categories, odd_answers, odd_outcomes, trails
from tests.report.test_views import Checker
from tests.support import ROOT

DECODED = {
    "outputs": {"predictions.jsonl": "aa11"},
    "notes": {"asked": {"model": "toy", "input": 7, "money": 0.5}, "signature": "prompt:1|prompt_digest:ab"},
}


def results(root: Path) -> Path:
    parts = {"domain": {"novel": {"f1": {"value": 50.0, "n": 2}}}}
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
    write_json(root / "logs/finetune/bart/seed-1/finetune.cost.json", {"machine": "node1: 4 cores"})
    write_text(root / "benchmarks/score/zpr/bart/seed-1/score.tsv", "s\th:m:s\n2.0\t0:00:02\n")
    write_text(root / "benchmarks/finetune/bart/seed-1/finetune.tsv", "s\th:m:s\n12.5\t0:00:12\n")
    return root


def test_a_trail_names_files_digests_settings_and_times(tmp_path: Path) -> None:
    (trail,) = trails(results(tmp_path), tmp_path / "logs")
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
        "wall time of finetune (all tasks of the row)": "12.5 s on node1: 4 cores",
        "wall time of score": "2.0 s",
    }


def test_the_page_of_trails_is_whole(tmp_path: Path) -> None:
    found = trails(results(tmp_path), tmp_path / "logs")
    text = provenance_page(
        ROOT / "resources/report", "notice", "Demo", trails=found * 2, provenance=[("Python", "3.11")]
    )
    page = Checker(text)
    assert {"zpr-bart", "made"} <= page.ids
    assert text.count('id="zpr-bart"') == 1  # the second seed of a row stands below the first
    assert "score/zpr/bart/seed-1/scores.json" in page.links


def test_categories_and_answers_of_all_cells(tmp_path: Path) -> None:
    root = results(tmp_path)
    (part,) = categories(root)
    assert (part["task"], part["kind"], part["names"]) == ("zpr", "domain", ["novel"])
    assert part["rows"] == {"bart, seed 1": {"novel": ("f1", {"value": 50.0, "n": 2})}}
    ranking = {"suite": "mrc", "row": "gpt", "seed": 1, "statuses": {"ok": 2, "refused": 1}}
    write_json(root / "diagnose/mrc/gpt/seed-1/ranking.json", ranking)
    write_json(root / "diagnose/mrc/bart/seed-1/ranking.json", {"suite": "mrc", "row": "bart", "seed": 1})
    assert odd_answers(root) == [("ZPR, bart, seed 1", {"empty": 1}), ("suite mrc, gpt, seed 1", {"refused": 1})]


def test_ties_of_a_ranking_are_told_on_the_page_and_with_its_cells(tmp_path: Path) -> None:
    root = results(tmp_path)
    overall = {"n": 54, "ties": 47, "unread": 0}
    ranking = {"suite": "zpr", "row": "bart", "seed": 1, "n": 54, "cut": 1, "readings": {"sum": {"overall": overall}}}
    write_json(root / "diagnose/zpr/bart/seed-1/ranking.json", ranking)
    texts = ["cut 1 of 54", "ties 47 of 54, ranked by the whole answer"]
    assert odd_outcomes(root) == [("suite zpr, bart, seed 1", texts)]
    (trail,) = trails(root, root / "logs")
    assert dict(trail.facts)["ranking (zpr)"] == "; ".join(texts)
