"""The forecast on the page of a report."""

from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.files import write_json
from discobench.operations.forecast import Site
from discobench.operations.rates import Rates
from discobench.operations.sizes import Sizes
from discobench.operations.tables import on_page
from discobench.report.paper import read_csv
from scripts.report.page import reckoned
from tests.conftest import ROOT

TABLE5 = read_csv(ROOT / "resources/paper/table5.csv")


def test_the_page_has_the_sums_and_both_readings(paper: Selection, rates: Rates):
    shown = on_page(paper, rates, Sizes(paper, rates, TABLE5, None), Site())
    assert shown["readings"][-1] == ("the 5 of Table 15", ["32,408", "39.0"])
    names = {of: [name for name, _ in rows] for of, rows in shown["tables"].items()}
    assert len(names["Stage"]) == 11 and {*names["Task"]} == {*paper.tasks}
    assert {*paper.rows, *paper.pretrained()} - {"majority"} <= {*names["Model"]} and "zh_novel" not in names["Model"]
    assert {len(values) for rows in shown["tables"].values() for _, values in rows} == {len(shown["heads"])}


@pytest.mark.parametrize("comparable", [True, False])
def test_a_page_of_another_scale_reckons_from_what_was_built(tmp_path: Path, comparable: bool):
    """Of the paper's scale it is the same before and after the data are there."""
    chosen = {"rows": ["transformer-base", "disco-mbart"], "tasks": ["nt"], "genres": ["zh_novel"], "suites": []}
    config = resolve({"run": chosen, "report": {"comparable": comparable}}, ROOT)
    files = SimpleNamespace(rates=ROOT / "resources/forecast.yaml", paper=ROOT / "resources/paper/table5.csv")
    params = SimpleNamespace(config=config.model_dump(mode="json"), comparable=comparable, jobs=8)
    before = reckoned(files, tmp_path, params)
    write_json(tmp_path / "corpus/zh_novel/sources.json", {"files": 1, "bytes": 3_000_000_000})
    built(tmp_path, "nt", train=1_000_000, test=10)
    after = reckoned(files, tmp_path, params)
    assert (before == after) is comparable
    assert after["of"] == ("the paper's sizes" if comparable else "the sizes of the data sets that were built")
    assert bool(after["readings"]) is comparable
    rows = dict(after["tables"]["Stage"])
    assert rows["corpus"][2] != "0" and dict(after["tables"]["Model"])["transformer-base"][1] != "0"


def built(results: Path, task: str, **records: int) -> None:
    """Splits of a task with so many records."""
    for split, count in records.items():
        path = results / f"tasks/{task}/{split}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"id": pa.nulls(count)}), path)
