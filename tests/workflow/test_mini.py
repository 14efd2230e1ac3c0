"""The finished smallest run: every job ran, nothing got lost on the way, and manifests vouch for their files."""

import csv
from pathlib import Path

import pytest

from discobench.files import read_json, read_jsonl, sha256
from discobench.parquet import read_parquet
from discobench.report.long import UNPRINTED
from discobench.tasks import task as named
from tests.workflow.plans import Job, plan

pytestmark = [pytest.mark.slow, pytest.mark.torch]

SPLITS = ("train", "valid", "test")
GIVEN = {
    "si": "resources/demo/tasks/si",
    "zpr": "resources/demo/tasks/zpr",
    "mrc": "resources/demo/tasks/mrc",
    "nt": "resources/demo/tasks/nt",
    "te": "resources/demo/mini/te",
}
SUITE = "resources/demo/diagnostic/mrc.jsonl"
JOBS = 24  # and the target `all`


def ids(rows: list[dict]) -> list[str]:
    return [row["id"] for row in rows]


@pytest.fixture(scope="module")
def planned(mini_root: Path) -> list[Job]:
    """All jobs of the run, whether they are done or not."""
    every = plan(mini_root, "--profile", "profiles/demo", "--forceall", "--config", "preset=mini", "--", "all")
    return [(rule, shown) for rule, shown in every if "output" in shown]


def test_every_planned_job_ran_and_no_other(mini_root: Path, planned: list[Job]):
    assert len(planned) == JOBS
    for field, folder in (("log", "logs/mini"), ("benchmark", "results/mini/benchmarks")):
        wanted = {shown[field] for _, shown in planned}
        files = [path for path in (mini_root / folder).rglob("*") if path.is_file() and path.suffix != ".json"]
        files = [path for path in files if "tfevents" not in path.name]
        assert {str(path.relative_to(mini_root)) for path in files} == wanted
        assert len(wanted) == JOBS


def test_every_planned_output_is_there(mini_root: Path, planned: list[Job]):
    outputs = [path for _, shown in planned for path in shown["output"].split(", ")]
    assert [path for path in outputs if not (mini_root / path).is_file()] == []


def test_the_logs_tell_how_models_came_about(mini_root: Path):
    """Its size beside the paper's; what its checkpoints were compared by; curves that are no output."""
    log = (mini_root / "logs/mini/models/bart-large-zh/initialise.log").read_text("utf-8")
    assert "parameters (the paper prints 406M), " in log and "vocabulary 2000" in log
    facts = read_json(mini_root / "results/mini/finetune/zpr/bart-large/seed-1/model.json")
    assert facts["training"]["best_by"] == "f1" and set(facts["losses"]["best"]) == {"loss", "f1"}
    assert list((mini_root / "logs/mini/finetune/zpr/bart-large/seed-1/finetune.curves/zpr").glob("*tfevents*"))
    assert [path for path in facts["outputs"] if "tfevents" in path] == []


@pytest.mark.parametrize("task", GIVEN)
def test_every_record_that_goes_in_comes_out(mini_root: Path, task: str):
    for split in SPLITS:
        given = read_jsonl(mini_root / GIVEN[task] / f"{split}.jsonl")
        built = read_parquet(mini_root / f"results/mini/tasks/{task}/{split}.parquet", named(task).schema)
        assert given
        assert sorted(ids(built)) == sorted(ids(given))


@pytest.mark.parametrize("task", GIVEN)
def test_predictions_and_scores_are_of_the_test_set_in_its_order(mini_run: Path, task: str):
    wanted = ids(read_parquet(mini_run / f"tasks/{task}/test.parquet", named(task).schema))
    predictions = read_jsonl(mini_run / f"decode/{task}/bart-large/seed-1/predictions.jsonl")
    assert ids(predictions) == wanted
    balance = read_json(mini_run / f"decode/{task}/bart-large/seed-1/decode.balance.json")
    assert balance["in"] == len(wanted)


def test_balances_sum_and_vouch_for_their_files(mini_run: Path):
    manifests = sorted(mini_run.rglob("*.balance.json"))
    assert len(manifests) == 2 * len(GIVEN)
    for path in manifests:
        balance = read_json(path)
        assert balance["in"] == balance["kept"] + sum(balance["dropped"].values()) > 0
        assert balance["outputs"]
        assert {name: sha256(path.parent / name) for name in balance["outputs"]} == balance["outputs"]


def test_every_model_is_what_its_manifest_says(mini_run: Path):
    manifests = [path for stage in ("models", "finetune") for path in sorted((mini_run / stage).rglob("model.json"))]
    assert len(manifests) == 1 + len(GIVEN)
    for path in manifests:
        files = [file for file in path.parent.rglob("*") if file.is_file() and file != path]
        found = {str(file.relative_to(path.parent)): sha256(file) for file in files}
        assert found == read_json(path)["outputs"]
        assert any(name.endswith(".safetensors") for name in found)


def test_every_instance_of_the_suite_is_ranked_once(mini_root: Path, mini_run: Path):
    suite = read_jsonl(mini_root / SUITE)
    ranking = read_json(mini_run / "diagnose/mrc/bart-large/seed-1/ranking.json")
    assert ranking["n"] == len(suite) > 0
    assert ids(ranking["instances"]) == ids(suite)
    for instance, ranked in zip(suite, ranking["instances"], strict=True):
        assert len(ranked["incorrect"]) == len(instance["incorrect"])


@pytest.mark.parametrize("number", [7, 11])
def test_a_table_says_that_its_scale_is_another(mini_run: Path, number: int):
    for kind in ("md", "tex", "html"):
        assert "other scale" in (mini_run / f"tables/table{number}.{kind}").read_text("utf-8")
    with (mini_run / f"tables/table{number}.csv").open(encoding="utf-8", newline="") as stream:
        measured = [line for line in csv.DictReader(stream) if line["value"]]
    assert measured
    assert all(line["verdict"] == ("other scale" if line["paper"] else UNPRINTED) for line in measured)
    assert {line["row"] for line in measured} == {"bart-large"}
    assert {line["task"] for line in measured} == (set(GIVEN) if number == 7 else {"mrc"})


def test_only_the_tables_that_were_asked_for_are_made(mini_run: Path):
    assert {path.name.split(".")[0] for path in (mini_run / "tables").iterdir()} == {"table7", "table11"}
