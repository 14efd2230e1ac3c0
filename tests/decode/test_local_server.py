"""A row of family llm through the real command, answered by a real server, for all nine tasks."""

from pathlib import Path

import pytest
import yaml

from discobench.files import read_json, read_jsonl, write_jsonl, write_text
from discobench.records import SPLITS
from discobench.schema import PREDICTION_STATUSES
from tests.conftest import copy_of_repository, snakemake
from tests.decode.conftest import MODEL
from tests.decode.instances import FIELDS, record
from tests.docs.howtos import follow

pytestmark = [pytest.mark.torch, pytest.mark.slow]
MORE = {"si": {"no_speaker": False, "speakers": [{"text": "阿青", "start": 9}]}, "zpr": {"domain": "chat"}}
"""What records need to be used beside what a question is made of."""
SUITES = ("mrc", "nt", "tc")
KEY = "sk-local-0123456789abcdef"
ROW = "local-chat"
COMMAND = ("--profile", "profiles/demo", "row_local_chat", "diagnostic", "--configfile", "mine.yaml")


def write_data(folder: Path) -> None:
    """Two records a split for each task, each of a work of its own."""
    for name in FIELDS:
        for split in SPLITS:
            works = [f"{split}-{n}" for n in range(2)]
            rows = [
                record(name, 0, id=f"toy:{work}:0", work_id=work, split=split, **MORE.get(name, {})) for work in works
            ]
            write_jsonl(folder / f"data/{name}/{split}.jsonl", rows)


def write_suites(folder: Path) -> None:
    """Two instances of each suite of the demo."""
    for name in SUITES:
        rows = read_jsonl(folder / f"resources/demo/diagnostic/{name}.jsonl")[:2]
        write_jsonl(folder / f"data/diagnostic/{name}.jsonl", rows)


def configuration(place: str, tokens: int = 10**6, concurrency: int = 2) -> str:
    """A row of the local model for all nine tasks, each read from files."""
    endpoint = {"base_url": f"http://{place}/v1", "key_variable": "LOCAL_CHAT_KEY", "seed": 7, "retries": 1}
    endpoint |= {"timeout": 300.0, "concurrency": concurrency, "price_input": 2.0, "price_output": 4.0}
    tree = {
        "api": {"budget": {"tokens": tokens, "money": 50.0}},
        "run": {"preset": "mine", "genres": [], "tasks": list(FIELDS), "rows": [ROW], "suites": list(SUITES)},
        "tasks": {name: {"source": "file", "genres": [], "files": [{"path": f"data/{name}"}]} for name in FIELDS},
        "suites": {name: {"path": f"data/diagnostic/{name}.jsonl", "rows": [ROW]} for name in SUITES},
        "checkpoints": {ROW: {"source": f"api:{MODEL}", "family": "llm", "language": "multi", "api": endpoint}},
        "rows": {ROW: {"label": "Local chat", "group": "llm", "tasks": dict.fromkeys(FIELDS, ROW)}},
    }
    return yaml.safe_dump(tree)


@pytest.fixture(scope="module")
def answered(local_server: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The copy in which the row was asked, and what the terminal showed."""
    folder = copy_of_repository(tmp_path_factory.mktemp("asked") / "repository")
    write_data(folder)
    write_suites(folder)
    write_text(folder / "mine.yaml", configuration(local_server))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCAL_CHAT_KEY", KEY)
        ran = snakemake(folder, *COMMAND, timeout=900)
    assert ran.returncode == 0, ran.stdout[-5000:]
    return folder, ran.stdout


def cell(folder: Path, stage: str, task: str) -> Path:
    return folder / f"results/mine/{stage}/{task}/{ROW}/seed-1"


@pytest.mark.parametrize("task", FIELDS)
def test_noise_is_counted_and_scored(answered: tuple[Path, str], task: str):
    folder, _ = answered
    lines = read_jsonl(cell(folder, "decode", task) / "predictions.jsonl")
    assert [line["id"] for line in lines] == ["toy:test-0:0", "toy:test-1:0"]
    assert all(line["details"]["seed"] == 7 and line["details"]["prompt"] >= 1 for line in lines)
    counted = read_json(cell(folder, "decode", task) / "decode.balance.json")["notes"]["statuses"]
    assert counted == {s: sum(line["status"] == s for line in lines) for s in PREDICTION_STATUSES}
    scores = read_json(cell(folder, "score", task) / "scores.json")
    assert scores["statuses"] == {status: n for status, n in counted.items() if n}
    values = [metric for metric in scores["metrics"].values() if "value" in metric]
    assert values and all("|temperature:0|seed:7" in metric["decoding"] for metric in values)


@pytest.mark.parametrize("suite", SUITES)
def test_a_suite_is_ranked_in_words(answered: tuple[Path, str], suite: str):
    folder, _ = answered
    ranking = read_json(folder / f"results/mine/diagnose/{suite}/{ROW}/seed-1/ranking.json")
    entry = ranking["readings"]["asked"]["overall"]
    assert entry["n"] == len(ranking["instances"]) == 2
    told = [instance["outcomes"]["asked"] for instance in ranking["instances"]]
    assert (entry["ties"], entry["unread"]) == (told.count("tie"), told.count("unread"))
    assert entry["decoding"].endswith("|temperature:0|seed:7") and 0 < entry["chance"] <= 50


def test_a_model_that_is_no_reader_is_found_out(answered: tuple[Path, str]):
    """Its answers are no letter and no marked sentence, and they are told apart from right ones."""
    folder, _ = answered
    for task in ("mrc", "zpr"):
        lines = read_jsonl(cell(folder, "decode", task) / "predictions.jsonl")
        assert {line["status"] for line in lines} <= {"unparsable", "empty", "cut"}
        assert all(line["details"]["finish"] in ("stop", "length") for line in lines)


def test_the_key_is_nowhere(answered: tuple[Path, str]):
    folder, printed = answered
    files = [
        path for part in ("results", "logs", ".snakemake") for path in (folder / part).rglob("*") if path.is_file()
    ]
    assert sum(path.name == "decode_llm.job.json" for path in files) == len(FIELDS)
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert KEY not in printed


def test_answers_outlive_their_predictions(answered: tuple[Path, str]):
    """Asked again without a key, the row has the same answers: none was asked for twice."""
    folder, _ = answered
    predictions = cell(folder, "decode", "nt") / "predictions.jsonl"
    before = predictions.read_bytes()
    target = str(predictions.relative_to(folder))
    predictions.unlink()
    ran = snakemake(folder, "--profile", "profiles/demo", "--configfile", "mine.yaml", "--", target, timeout=300)
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert predictions.read_bytes() == before


def test_what_it_took_is_told(answered: tuple[Path, str]):
    """Jobs share one account; what the server counted for the tasks is a part of it, the rest is for the suites."""
    folder, _ = answered
    account = read_json(folder / "results/mine/state/api/account.json")["spent"][MODEL]
    taken = [read_json(cell(folder, "decode", task) / "decode.balance.json")["notes"]["asked"] for task in FIELDS]
    assert all(own["uncounted"] == 0 and own["input"] > 0 for own in taken)
    assert 0 < sum(own["input"] for own in taken) < account["input"]
    assert account["money"] == pytest.approx((account["input"] * 2 + account["output"] * 4) / 1e6)


def test_another_budget_or_pace_runs_nothing_again(answered: tuple[Path, str], local_server: str):
    folder, _ = answered
    write_text(folder / "other.yaml", configuration(local_server, tokens=10**7, concurrency=3))
    wanted = [str(cell(folder, "decode", task).relative_to(folder) / "predictions.jsonl") for task in FIELDS]
    ran = snakemake(
        folder, "-n", "--profile", "profiles/demo", "--configfile", "other.yaml", "--", *wanted, timeout=120
    )
    assert ran.returncode == 0 and "Nothing to be done" in ran.stdout, ran.stdout[-3000:]


def test_the_how_to_of_an_api_is_right(local_server: str, tmp_path: Path):
    folder = copy_of_repository(tmp_path / "repository")
    printed = follow("api-model", folder, {"127.0.0.1:8000": local_server})
    scores = read_json(folder / "results/mine/score/mrc/my-chat/seed-1/scores.json")
    assert 0 <= scores["metrics"]["accuracy"]["value"] <= 100
    assert sum(scores["statuses"].values()) == scores["metrics"]["accuracy"]["n"]
    assert "| My chat model |" in printed and '"unparsable"' in printed
