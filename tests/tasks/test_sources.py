"""Records of each kind of source reach the task with the split they belong to."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from discobench.errors import DiscoError
from discobench.files import write_jsonl, write_text
from discobench.parquet import write_parquet
from discobench.records import Balance
from discobench.schema import empty
from discobench.sieve import Outcome
from discobench.tasks import task
from discobench.tasks.base import Task
from discobench.tasks.build import placed
from discobench.tasks.sources import Files, Origin, records

NAMED: dict[str, object] = {"id": "a", "source": "own", "work_id": "w", "language": "zh"}


def manifest(folder: Path, name: str, rows: list[dict[str, object]], schema: str) -> Path:
    write_parquet(folder / name, rows, schema)
    Balance("step", kept=len(rows)).write(folder / "step.balance.json", len(rows), [folder / name])
    return folder / "step.balance.json"


def labelled(split: str, text: str) -> dict[str, object]:
    fields = {"id": f"own:{split}:0", "work_id": split, "split": split, "text": text}
    return empty("zpr") | {"before": [], "after": [], "zeros": []} | fields


def own(folder: Path) -> list[Files]:
    return [Files(folder, "interchange")]


def test_synthesised_zeros_train_and_people_test(tmp_path: Path) -> None:
    made = manifest(tmp_path, "zeros.parquet", [labelled("train", "走了。"), labelled("valid", "来了。")], "zpr")
    for split in ("valid", "test"):
        row = NAMED | {"id": f"people:{split}:0", "text": "好。", "work_id": split}
        write_jsonl(tmp_path / f"{split}.jsonl", [row])
    rows = list(records(task("zpr"), "zpr", Origin([made], own(tmp_path))))
    assert [(row["id"], row["split"]) for row, _ in rows] == [
        ("own:train:0", "train"),
        ("people:valid:0", "valid"),
        ("people:test:0", "test"),
    ]


def test_windows_of_documents_keep_their_split(tmp_path: Path) -> None:
    text = "".join(f"{i}。" for i in range(5))
    spans = [{"start": 2 * i, "end": 2 * i + 2} for i in range(5)]
    document = empty("document") | {"id": "g:w:1", "split": "valid", "text": text, "sentence_offsets": spans}
    made = manifest(tmp_path, "deduplicate.parquet", [document], "document")
    ((row, _),) = records(task("ti"), "corpus", Origin([made], []))
    assert (row["id"], row["split"], row["target"]) == ("g:w:1:0", "valid", "2。")


def test_windows_of_documents_come_before_those_of_files(tmp_path: Path) -> None:
    made = manifest(tmp_path, "deduplicate.parquet", [], "document")
    for split in ("train", "valid", "test"):
        row = NAMED | {
            "id": split,
            "work_id": split,
            "before": ["一。", "二。"],
            "target": "三。",
            "after": ["四。", "五。"],
        }
        write_jsonl(tmp_path / f"{split}.jsonl", [row])
    assert [row["id"] for row, _ in records(task("ti"), "corpus", Origin([made], own(tmp_path)))] == [
        "train",
        "valid",
        "test",
    ]


def test_a_task_that_is_not_cut_from_documents_says_so() -> None:
    with pytest.raises(DiscoError, match=r"tasks\.si\.source"):
        list(records(task("si"), "corpus", Origin([], [])))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"train\.jsonl does not exist"):
        list(records(task("mrc"), "file", Origin([], own(tmp_path))))


def test_a_record_of_another_split_is_not_moved_silently(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "train.jsonl", [NAMED | {"split": "test"}])
    with pytest.raises(DiscoError, match=r"train\.jsonl, line 1: record 'a' has split 'test'"):
        list(records(task("mrc"), "file", Origin([], own(tmp_path))))


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"id": "a"}, r"valid\.jsonl, line 2: id 'a' is that of .*train\.jsonl, line 1; give it its own"),
        ({"id": "b", "answer": "B"}, r"valid\.jsonl, line 2: record 'b': answer holds 'B', an integer is needed"),
        ({"id": None}, r"valid\.jsonl, line 2: record None has no id"),
        ({"id": "b", "chioces": []}, r"valid\.jsonl, line 2: record 'b' has unknown fields chioces"),
    ],
)
def test_a_fault_is_found_by_file_and_line(tmp_path: Path, second: dict[str, object], message: str) -> None:
    write_jsonl(tmp_path / "train.jsonl", [NAMED])
    write_text(tmp_path / "valid.jsonl", "\n" + json.dumps(NAMED | {"work_id": "v"} | second) + "\n")
    with pytest.raises(DiscoError, match=message):
        list(records(task("mrc"), "file", Origin([], own(tmp_path))))


def test_no_work_that_trains_is_tested_where_training_is_synthesised(tmp_path: Path) -> None:
    """People's labels of works that other tasks may train on are dropped with a reason."""
    rows = [labelled("test", "好。") | {"id": f"p:{n}", "work_id": f"w{n}", "split": None} for n in range(40)]
    works = {"shares": {"valid": 0.3, "test": 0.3}, "seed": 1}

    class Part(Origin):
        def read(self, task: Task, splits: Sequence[str] = ()) -> Iterator[Outcome]:
            return placed(((row, None) for row in rows), self.works)

    found = list(records(task("zpr"), "zpr", Part(works=works)))
    assert {row["split"] for row, reason in found if reason is None} == {"valid", "test"}
    assert {row["split"] for row, reason in found if reason} == {"train"} and len(found) == len(rows)
