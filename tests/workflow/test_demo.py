"""The finished demo: what must hold of any run, whatever its scores."""

import csv
import json
import random
import re
import zipfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from discobench.config.load import resolve
from discobench.errors import DiscoError
from discobench.files import read_json, read_jsonl, sha256
from discobench.parquet import read_parquet
from discobench.tasks import task as named
from tests.conftest import ROOT, snakemake

pytestmark = [pytest.mark.slow, pytest.mark.torch]

TASKS = ("si", "zpr", "mrc", "nt", "cct", "pt", "te", "ti", "tc")
# A row of each family with the tasks that Table 7 has for it.
FAMILIES = {
    "transformer-base": TASKS,
    "roberta-base": ("si", "zpr", "mrc", "nt", "cct", "pt"),
    "bart-large": TASKS,
    "mbart": ("nt", "pt"),
    "gpt2": ("te", "ti", "tc"),
    "t5": ("te", "ti", "tc"),
}
# Those of Table 15, continued-pretrained here.
PRETRAINED = ("disco-roberta-base", "disco-roberta-large", "disco-gpt2", "disco-bart-large", "disco-mbart")
TABLES = (7, 8, 9, 10, 11)
COLUMNS = "table,row,group,task,metric,value,n,seeds,ci_low,ci_high,paper,delta,verdict,signature,source"
BASELINES = ("majority", "copy", "random")


def lines(run: Path, number: int) -> list[dict[str, str]]:
    with (run / f"tables/table{number}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def cells(run: Path, task: str) -> Iterator[tuple[str, Path]]:
    """Rows of a task and the folders of their predictions."""
    for path in sorted((run / "decode" / task).glob("*/seed-*/predictions.jsonl")):
        yield path.parts[-3], path.parent


def main_metric(run: Path, task: str) -> dict[str, float]:
    """Row -> value of the task's metric of Table 7."""
    metric = named(task).metrics[0]
    found = [line for line in lines(run, 7) if line["task"] == task and line["metric"] == metric and line["value"]]
    return {line["row"]: float(line["value"]) for line in found}


@pytest.mark.parametrize("task", TASKS)
def test_every_test_instance_is_answered_once_and_in_order(demo_run: Path, task: str):
    wanted = [row["id"] for row in read_parquet(demo_run / f"tasks/{task}/test.parquet", named(task).schema)]
    answered = {
        row: [a["id"] for a in read_jsonl(folder / "predictions.jsonl")] for row, folder in cells(demo_run, task)
    }
    assert len(answered) >= 3
    assert all(ids == wanted for ids in answered.values())


@pytest.mark.parametrize(
    ("task", "row"),
    [("nt", "bart-large"), ("nt", "mbart"), ("cct", "roberta-base"), ("te", "gpt2"), ("tc", "t5")],
)
def test_the_search_wrote_what_generate_writes(demo_run: Path, task: str, row: str):
    """Models that have learned when to end, read in the order of the file."""
    import torch

    from discobench.models import family
    from discobench.models.base import Decoding
    from discobench.models.finetuned import fine_tuned
    from discobench.models.learners.tokens import quiet

    (folder,) = (demo_run / f"finetune/{task}/{row}").glob("seed-*")
    facts, how = (
        read_json(folder / "model.json"),
        Decoding(**resolve({"preset": "demo"}, ROOT).decode[task].model_dump()),
    )
    learner = fine_tuned(family(facts["family"]), folder, facts, torch.device("cpu"))
    records = read_parquet(demo_run / f"tasks/{task}/test.parquet", named(task).schema)
    read = [learner._source(named(task).example(record), []) for record in records]
    written = []
    with quiet(learner.model):
        for start in range(0, len(read), 8):
            sources = [item.source for item in read[start : start + 8]]
            written += learner.generate(sources, learner.generation(sources, how))
    answers = read_jsonl(demo_run / f"decode/{task}/{row}/{folder.name}/predictions.jsonl")
    wanted = [learner._prediction(item, ids).value for item, ids in zip(read, written, strict=True)]
    assert [answer["prediction"] for answer in answers] == wanted


def test_table_1_counts_what_lies_in_the_files(demo_run: Path):
    found = {(line["task"], line["metric"]): float(line["value"]) for line in lines(demo_run, 1)}
    for task in TASKS:
        for split in ("train", "valid", "test"):
            rows = read_parquet(demo_run / f"tasks/{task}/{split}.parquet", named(task).schema)
            assert found[task, split] == len(rows) > 0
    assert {line["verdict"] for line in lines(demo_run, 1) if line["paper"]} == {"other scale"}
    assert 'id="table1"' in (demo_run / "index.html").read_text("utf-8")


@pytest.mark.parametrize("row", FAMILIES)
def test_a_family_is_measured_on_every_task_that_the_paper_has_for_it(demo_run: Path, row: str):
    measured = {line["task"] for line in lines(demo_run, 7) if line["row"] == row and line["value"]}
    assert measured == set(FAMILIES[row])


@pytest.mark.parametrize("row", PRETRAINED)
def test_a_family_that_read_the_corpus_is_measured_too(demo_run: Path, row: str):
    measured = [line["task"] for line in lines(demo_run, 7) if line["row"] == row and line["value"]]
    models = [read_json(demo_run / f"finetune/{task}/{row}/seed-1/model.json") for task in measured]
    assert models
    for model in models:
        assert read_json(demo_run / f"pretrain/{model['checkpoint']}/model.json")["step"] > 0


def test_every_model_learns(demo_run: Path):
    found = [read_json(path) for path in sorted(demo_run.glob("finetune/*/*/seed-1/model.json"))]
    assert len(found) > 30
    for model in found:
        losses = [loss for _, loss in model["losses"]["curve"]]  # fairseq keeps none
        tenth = len(losses) // 10
        assert not losses or sum(losses[-tenth:]) < 0.9 * sum(losses[:tenth]), (model["row"], model["task"])


def test_balances_sum_and_vouch_for_files_that_are_there(demo_run: Path):
    manifests = sorted(demo_run.rglob("*.balance.json"))
    assert len(manifests) > 30
    for path in manifests:
        balance = read_json(path)
        assert balance["in"] == balance["kept"] + sum(balance["dropped"].values()), path
        for name, digest in balance["outputs"].items():
            assert sha256(path.parent / name) == digest, f"{path}: {name}"


@pytest.mark.parametrize(
    ("step", "following"), [("ingest", "clean"), ("clean", "deduplicate"), ("deduplicate", "decontaminate")]
)
def test_what_a_step_keeps_is_what_the_next_receives(demo_run: Path, step: str, following: str):
    shards = sorted(demo_run.glob(f"corpus/*/*/{following}.balance.json"))
    assert shards
    for path in shards:
        assert read_json(path)["in"] == read_json(path.parent / f"{step}.balance.json")["kept"], path


def test_works_keep_their_split_in_every_data_set(demo_run: Path):
    for task in TASKS:
        splits = {
            s: read_parquet(demo_run / f"tasks/{task}/{s}.parquet", named(task).schema)
            for s in ("train", "valid", "test")
        }
        works = {split: {row["work_id"] for row in rows} for split, rows in splits.items()}
        assert all(rows for rows in splits.values())
        assert not any(works[one] & works[other] for one, other in combinations(works, 2)), task


@pytest.mark.parametrize("task", TASKS)
def test_a_model_beats_every_trivial_baseline(demo_run: Path, task: str):
    values = main_metric(demo_run, task)
    trivial = {row: value for row, value in values.items() if row in BASELINES}
    learned = {row: value for row, value in values.items() if row not in BASELINES}
    assert trivial and learned
    assert max(learned.values()) > max(trivial.values()), values


def fits(task: str, record: dict, answer: dict) -> bool:
    """Whether an answer could be one to this record: a choice that it has, an offset within its text."""
    from discobench.score.items import join

    try:
        return bool(join(named(task), [record], [answer], "an answer"))
    except DiscoError:
        return False


@pytest.mark.parametrize("task", TASKS)
def test_shuffled_predictions_score_lower(demo_run: Path, task: str):
    from discobench.score import MODEL_METRICS
    from discobench.score.items import join
    from discobench.score.measure import Options
    from discobench.score.registry import evaluate

    values = main_metric(demo_run, task)
    best = max((row for row in values if row not in BASELINES), key=lambda row: values[row])
    records = read_parquet(demo_run / f"tasks/{task}/test.parquet", named(task).schema)
    answers = read_jsonl(demo_run / f"decode/{task}/{best}/seed-1/predictions.jsonl")
    order = list(range(len(answers)))
    random.Random(1).shuffle(order)
    foreign = [answer | {"prediction": answers[n]["prediction"]} for answer, n in zip(answers, order, strict=True)]
    shuffled = [
        other if fits(task, record, other) else own
        for record, own, other in zip(records, answers, foreign, strict=True)
    ]
    options = Options(named(task).languages[1], 10, 1, str(ROOT / ".tools/nltk_data"))
    metric = next(name for name in named(task).metrics if name not in MODEL_METRICS)
    as_is, mixed = (
        evaluate(named(task), join(named(task), records, a, "it"), options)[metric] for a in (answers, shuffled)
    )
    assert mixed.value < as_is.value


def test_source_and_insertions_make_the_target_of_text_expansion(demo_run: Path):
    for split in ("train", "valid", "test"):
        for row in read_parquet(demo_run / f"tasks/te/{split}.parquet", "te"):
            text, at = row["target"], 0
            pieces = []
            for span in sorted([*row["insertions"], *row["edits"]], key=lambda s: (s["start"], s["end"])):
                pieces += [text[at : span["start"]], span.get("from", "")]
                at = span["end"]
            assert "".join([*pieces, text[at:]]) == row["source_text"], row["id"]
            assert row["insertions"]


@pytest.mark.parametrize("number", TABLES)
def test_tables_are_long_and_say_that_their_scale_is_another(demo_run: Path, number: int):
    found = lines(demo_run, number)
    assert found and ",".join(found[0]) == COLUMNS
    for line in found:
        assert line["table"] == str(number)
        assert line["verdict"] == "other scale" if line["value"] else line["verdict"].startswith("not run")
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


def test_descriptive_tables_and_the_figure_have_all_their_views(demo_run: Path):
    for number in (1, 2, 5, 6, 15, 16):
        assert all((demo_run / f"tables/table{number}.{kind}").stat().st_size for kind in ("csv", "md", "tex", "html"))
    for part in "ab":
        with (demo_run / f"figures/figure2{part}.csv").open(encoding="utf-8", newline="") as stream:
            assert any(row["value"] for row in csv.DictReader(stream)), part
        assert (demo_run / f"figures/figure2{part}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (demo_run / f"figures/figure2{part}.svg").read_text("utf-8")


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


def test_three_clicks_lead_from_a_cell_to_its_data(demo_run: Path):
    page, trails = ((demo_run / name).read_text("utf-8") for name in ("index.html", "provenance.html"))
    anchors = set(re.findall(r'href="provenance\.html#([^"]+)"', page))
    assert anchors and anchors <= set(re.findall(r'id="([^"]+)"', trails))
    files = set(re.findall(r'href="([^"#]+)"', trails))
    assert files and all((demo_run / name).exists() for name in files)
    assert any(name.startswith("finetune/") for name in files) and any(name.startswith("tasks/") for name in files)


def test_the_page_of_cells_names_the_machine_of_each_job(demo_run: Path):
    text = (demo_run / "provenance.html").read_text("utf-8")
    times = re.findall(r"wall time of \S+.*?</th><td><code>([^<]*)</code>", text)
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


def test_every_job_left_its_time_and_its_log(demo_run: Path):
    measured = {
        path.relative_to(demo_run / "benchmarks").with_suffix("") for path in (demo_run / "benchmarks").rglob("*.tsv")
    }
    logs = demo_run.parents[1] / "logs/demo"
    assert len(measured) > 60
    assert measured <= {path.relative_to(logs).with_suffix("") for path in logs.rglob("*.log")}
