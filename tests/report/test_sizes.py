"""Table 1: counts and lengths of the run's data sets beside what the paper prints."""

import re
from pathlib import Path
from typing import Any

import pytest

from discobench.config.load import read_yaml
from discobench.report.layout import read_layout
from discobench.report.long import UNPRINTED, Line, read_long, write_long
from discobench.report.markup import latex, markdown, table_page
from discobench.report.paper import read_csv
from discobench.report.sizes import HELD_OUT, by_task, size, size_lines, size_view
from discobench.tasks import task
from discobench.tasks.measures import measured
from tests.support import ROOT
from tests.tasks.test_tasks import EXAMPLES, NAMES

PAPER = by_task(read_csv(ROOT / "resources/paper/table1.csv"))
LAYOUT = read_layout(ROOT / "resources/paper/tables.yaml")
WORDS = {name: {"metrics": "F1", "domain": "novel", "language": "zh"} for name in (*NAMES, "own")}


def rows(name: str, count: int) -> list[dict[str, Any]]:
    return [EXAMPLES[name] | {"id": str(n), "work_id": f"w{n // 2}"} for n in range(count)]


def lines(name: str, comparable: bool = True, **counts: int) -> list[Line]:
    found = task(name)
    splits = {split: measured(found, rows(name, counts.get(split, 1))) for split in ("train", "valid", "test")}
    return size_lines(found, splits, PAPER.get(name, {}), comparable, "build.balance.json")


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [("48.0K", 48_000, 50), ("2.2M", 2_200_000, 50_000), ("10K", 10_000, 500), ("778.1K", 778_100, 50), ("7", 7, 0)],
)
def test_sizes_are_read_as_they_are_printed(text: str, value: int, half: int) -> None:
    assert size(text) == (value, half)


def test_the_sizes_of_the_configuration_are_those_of_the_paper() -> None:
    tasks = read_yaml(ROOT / "config.yaml")["tasks"]
    found = {name: (entry["paper_train"], entry["paper_test"], entry["domain"]) for name, entry in tasks.items()}
    assert found == {
        name: (size(row["train"])[0], size(row["test_and_validation"])[0], row["domain"]) for name, row in PAPER.items()
    }


def test_counts_lengths_and_works() -> None:
    found = {line["metric"]: line for line in lines("nt", train=5, valid=2, test=3)}
    values = {name: line["value"] for name, line in found.items()}
    assert values == {"train": 5, "valid": 2, "test": 3, HELD_OUT: 5, "works": 3, "length": 4, "length of answers": 3}
    assert [found[name]["signature"] for name in ("length", "length of answers")] == ["characters", "words"]
    assert (found["train"]["paper"], found[HELD_OUT]["paper"], found["valid"]["paper"]) == (1_900_000, 1_300, None)
    assert found["train"]["delta"] == 5 - 1_900_000


@pytest.mark.parametrize(
    ("count", "verdict"), [(1_300, "match"), (1_349, "match"), (1_351, "off by +51"), (1_249, "off by -51")]
)
def test_a_size_matches_when_the_paper_would_print_it(count: int, verdict: str) -> None:
    (line,) = [line for line in lines("nt", valid=1, test=count - 1) if line["metric"] == HELD_OUT]
    assert line["verdict"] == verdict


def test_a_size_matches_within_a_share_of_the_paper() -> None:
    counts = {"train": 1, "valid": 1, "test": 1_359}
    splits = {name: measured(task("nt"), rows("nt", count)) for name, count in counts.items()}
    for near, verdict in ((0.01, "match"), (0.001, "off by +60")):
        found = {line["metric"]: line for line in size_lines(task("nt"), splits, PAPER["nt"], True, "", near)}
        assert (found[HELD_OUT]["verdict"], found["train"]["verdict"][:3]) == (verdict, "off")


def test_of_another_scale_nothing_matches() -> None:
    found = lines("nt", comparable=False, valid=650, test=650)
    assert all(line["verdict"] == ("other scale" if line["paper"] else UNPRINTED) for line in found)


def test_every_view_has_every_task_beside_the_paper(tmp_path: Path) -> None:
    found = [line for name in ("tc", "si", "nt") for line in lines(name, train=1_234)]
    own = [line | {"task": "own", "row": "own", "paper": None} for line in lines("mrc")]
    write_long(tmp_path / "table1.csv", [*found, *own])
    shown = size_view(LAYOUT, read_long(tmp_path / "table1.csv"), WORDS, PAPER, "NOTICE")
    text = markdown(shown)
    assert [section.title for section in shown.blocks[0].sections] == [
        *("Understanding", "Translation", "Generation"),
        "Tasks of one's own",
    ]
    assert "| Task | Train | Valid | Test | Valid and test | Works | Length | Length of answers |" in text
    assert re.search(
        r"\| NT \| 1,234 / 1,900,000 \| 1 \| 1 \| 2 / 1,300 \| 617 \| 4\.0 \| 3\.0 \| F1 / d-BLEU, BLEU", text
    )
    assert re.search(r"\| OWN \| 1 \| 1 \| 1 \| 2 \| 1 \| 5\.0 \| – \|", text)
    assert "- Tasks: ZPR, MRC, CCT, PT, TE, TI" in text and "mean characters or words" in text
    assert r"1,234 / 48,000" in latex(shown)
    page = table_page(ROOT / "resources/report", shown, "Demo")
    assert '<section id="table1">' in page and "<small>paper 48,000</small>" in page
