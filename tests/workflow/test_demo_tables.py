"""The finished demo's tables, figures and pages: their views, what they say of themselves, where cells lead."""

import csv
import json
import re
import zipfile
from pathlib import Path

import pytest

from discobench.report.long import UNPRINTED
from tests.conftest import ROOT, snakemake
from tests.workflow.test_demo import BASELINES, lines

pytestmark = [pytest.mark.slow, pytest.mark.torch]

TABLES = (7, 8, 9, 10, 11)
COLUMNS = "table,row,group,task,metric,value,n,seeds,ci_low,ci_high,paper,delta,verdict,signature,source,decoding"


@pytest.mark.parametrize("number", TABLES)
def test_tables_are_long_and_say_that_their_scale_is_another(demo_run: Path, number: int):
    found = lines(demo_run, number)
    assert found and ",".join(found[0]) == COLUMNS
    for line in found:
        assert line["table"] == str(number)
        measured = "other scale" if line["paper"] else UNPRINTED
        assert line["verdict"] == measured if line["value"] else line["verdict"].startswith("not run")
    for kind in ("md", "html", "tex"):
        text = (demo_run / f"tables/table{number}.{kind}").read_text("utf-8")
        assert "other scale" in text, kind


def test_the_paper_stands_beside_each_cell_of_table_7(demo_run: Path):
    with (ROOT / "resources/paper/table7.csv").open(encoding="utf-8", newline="") as stream:
        printed = {value for row in csv.DictReader(stream) for value in row.values() if value}
    beside = [line for line in lines(demo_run, 7) if line["row"] not in BASELINES]
    assert any(line["paper"] for line in beside)
    assert all(
        line["paper"] in printed or float(line["paper"]) in {float(p) for p in printed if p.replace(".", "").isdigit()}
        for line in beside
        if line["paper"]
    )


def test_a_cell_names_the_file_that_its_value_comes_from(demo_run: Path):
    for line in lines(demo_run, 7):
        if line["value"]:
            assert any(source.endswith(".json") for source in re.split(r"[;, ]+", line["source"])), line


def test_the_page_says_what_it_is_and_needs_no_network(demo_run: Path):
    page = (demo_run / "index.html").read_text("utf-8")
    assert "other scale" in page
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    for number in TABLES:
        assert f"table{number}" in page or f"Table {number}" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_descriptive_tables_and_the_figure_have_all_their_views(demo_run: Path):
    for number in (1, 2, 5, 6, 15, 16):
        assert all((demo_run / f"tables/table{number}.{kind}").stat().st_size for kind in ("csv", "md", "tex", "html"))
    for part in "ab":
        with (demo_run / f"figures/figure2{part}.csv").open(encoding="utf-8", newline="") as stream:
            assert any(row["value"] for row in csv.DictReader(stream)), part
        assert (demo_run / f"figures/figure2{part}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (demo_run / f"figures/figure2{part}.svg").read_text("utf-8")
        drawn = demo_run / f"figures/figure2{part}"
        texts = {kind: drawn.with_suffix(f".{kind}").read_text("utf-8") for kind in ("md", "tex", "html")}
        assert all(f"Figure 2{part}. " in text and "other scale" in text for text in texts.values())
        assert '<svg role="img" aria-label="' in texts["html"] and f"figure2{part}.png" in texts["tex"]
        page = (demo_run / "index.html").read_text("utf-8")
        assert all(f'href="figures/figure2{part}.{kind}"' in page for kind in ("csv", "svg", "png", *texts))


def test_rows_are_compared_on_the_same_instances(demo_run: Path):
    with (demo_run / "tables/table7.pairs.csv").open(encoding="utf-8", newline="") as stream:
        pairs = list(csv.DictReader(stream))
    assert {pair["with"] for pair in pairs} == {"best", "origin"}
    assert all(0 < float(pair["p"]) <= float(pair["p_holm"]) <= 1 for pair in pairs)
    values = {(line["row"], line["task"], line["metric"]): float(line["value"] or 0) for line in lines(demo_run, 7)}
    for pair in pairs:
        key = pair["task"], pair["metric"]
        apart = values[pair["first"], *key] - values[pair["second"], *key]
        assert float(pair["difference"]) == pytest.approx(apart, abs=1e-3)


def test_rows_are_compared_on_what_they_ranked(demo_run: Path):
    """Those that are not told apart as well; a metric is called as in the lines of the table."""
    with (demo_run / "tables/table11.pairs.csv").open(encoding="utf-8", newline="") as stream:
        pairs = list(csv.DictReader(stream))
    assert any(float(pair["p_holm"]) >= 0.05 for pair in pairs)
    run = {(line["row"], line["task"], line["metric"]) for line in lines(demo_run, 11) if line["value"]}
    assert all((pair["first"], pair["task"], pair["metric"]) in run for pair in pairs)


def test_a_row_of_two_seeds_shows_their_range_and_no_interval_of_two(demo_run: Path):
    """In tables and on the leaderboard; other rows have one seed and no range."""
    (line,) = [line for line in lines(demo_run, 7) if line["row"] == "roberta-large" and line["value"]]
    values = [float(part.partition("=")[2]) for part in line["seeds"].split(";")]
    assert len(values) == 2 and float(line["value"]) == pytest.approx(sum(values) / 2, abs=1e-3)
    spread = f"{min(values):.1f}–{max(values):.1f}"
    assert f"({spread})" in (demo_run / "tables/table7.md").read_text("utf-8")
    for name in ("index.html", "leaderboard/index.html", "leaderboard/task-mrc.html"):
        page = (demo_run / name).read_text("utf-8")
        assert f"<small>seeds {spread}</small>" in page and page.count("<small>seeds ") < 20, name
    ranked = [line for line in lines(demo_run, 11) if line["row"] == "roberta-large" and line["value"]]
    assert ranked and all(line["seeds"].count(";") == 1 for line in ranked)


def test_three_clicks_lead_from_a_cell_to_its_data(demo_run: Path):
    page, trails = ((demo_run / name).read_text("utf-8") for name in ("index.html", "provenance.html"))
    anchors = set(re.findall(r'href="provenance\.html#([^"]+)"', page))
    assert {"corpus", "expansions", "zeros"} < anchors <= set(re.findall(r'id="([^"]+)"', trails))
    files = set(re.findall(r'href="([^"#]+)"', trails))
    assert files and all((demo_run / name).exists() for name in files)
    assert any(name.startswith("finetune/") for name in files) and any(name.startswith("tasks/") for name in files)


def test_the_page_of_cells_names_the_machine_of_each_job(demo_run: Path):
    text = (demo_run / "provenance.html").read_text("utf-8")
    times = re.findall(r"made\.json\">\w+</a>: ([^;]*); commit", text)
    assert len(times) > 100 and all(re.fullmatch(r"[\d.]+ s on \S+: \d+ cores, .*", time) for time in times)


def test_snakemakes_own_report_has_every_page_by_category(demo_root: Path, tmp_path: Path):
    asked = ["--profile", "profiles/demo", "--report", str(tmp_path / "report.zip"), "--", "all"]
    made = snakemake(demo_root, *asked, timeout=300)
    assert made.returncode == 0, made.stdout[-2000:]
    with zipfile.ZipFile(tmp_path / "report.zip") as archive:
        page = archive.read("report/report.html").decode()
    results, categories = (
        json.loads(re.search(rf'id="{name}">\s*var {name} = (.*?);?$', page, re.M)[1])
        for name in ("results", "categories")
    )
    listed = {name: len(files["Other"]) for name, files in categories.items()}
    assert listed == {"Tables": 11, "Figures": 2, "Report": 2, "Leaderboard": 1}
    assert all(entry["caption"] for entry in results.values()) and len(results) == sum(listed.values())
