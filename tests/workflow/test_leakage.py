"""The real command looks for leakage, reports it, and stops on it where it is told to."""

from pathlib import Path
from typing import Any

import pytest

from discobench.files import read_json, write_json, write_jsonl
from tests.conftest import copy_of_repository, snakemake

pytestmark = pytest.mark.slow


def question(name: str, passage: str, work: str) -> dict[str, Any]:
    fields = {"id": name, "source": "own", "work_id": work, "language": "zh", "style": "modern", "passage": passage}
    return fields | {"question": "渡口在哪里？", "choices": ["村东", "村西"], "answer": 1}


def settings(folder: Path, **leakage: Any) -> str:
    """Tasks of one's own: a passage of MRC's test is trained on, and a work lies in two splits in two tasks."""
    passages = {"train": "老渡口在村子的西边，船夫每天清早摇船过河。", "valid": "山路很长。", "test": "雪下了三天。"}
    for split, passage in passages.items():
        copied = {"test": passages["train"]}.get(split, passage)
        write_jsonl(folder / f"own/mrc/{split}.jsonl", [question(split, copied, split)])
        sentence = {"id": split, "source": "own", "work_id": {"train": "valid", "valid": "v"}.get(split, split)}
        sentence |= {
            "language": "zh",
            "document_id": "d",
            "position": 0,
            "source_text": passage,
            "references": ["A sentence."],
        }
        write_jsonl(folder / f"own/nt/{split}.jsonl", [sentence])
    tasks = {name: {"source": "file", "files": [{"path": f"own/{name}"}]} for name in ("mrc", "nt")}
    run = {"preset": "leaky", "genres": [], "tasks": ["mrc", "nt"], "rows": ["majority"], "suites": []}
    write_json(folder / "leaky.json", {"run": run, "tasks": tasks, "leakage": leakage})
    return "leaky.json"


def look(folder: Path, **leakage: Any) -> tuple[int, str]:
    ran = snakemake(
        folder, "--profile", "profiles/demo", "leakage", "--configfile", settings(folder, **leakage), timeout=120
    )
    return ran.returncode, ran.stdout


def test_leakage_is_reported_or_stops_the_run(tmp_path: Path) -> None:
    repository = copy_of_repository(tmp_path / "repository")
    code, output = look(repository, strict=True)
    assert code != 0 and "leakage: mrc: 1 of 1 test instances stand in the training text of mrc" in output
    assert not (repository / "results/leaky/tasks/leakage.json").exists()
    code, output = look(repository)
    assert code == 0, output
    found = read_json(repository / "results/leaky/tasks/leakage.json")
    assert {(row["id"], row["train"], row["kind"]) for row in found["findings"]} >= {("test", "mrc", "exact")}
    assert ("test", "nt", "overlap") in {(row["id"], row["train"], row["kind"]) for row in found["findings"]}
    assert "work valid of own is valid in mrc and train in nt" in found["warnings"]
