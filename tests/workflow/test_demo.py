"""The finished demo: what must hold of any run, whatever its scores."""

import csv
import random
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from discobench.config.load import resolve
from discobench.errors import DiscoError
from discobench.files import read_json, read_jsonl, sha256
from discobench.operations.actual import actual
from discobench.parquet import read_parquet
from discobench.tasks import task as named
from tests.conftest import ROOT

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
            written += learner.generate(sources, learner.generation(how))
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


def test_the_page_has_a_forecast_of_the_data_sets_that_were_built(demo_run: Path):
    text = (demo_run / "index.html").read_text("utf-8")
    section = text[text.index('<section id="forecast">') :].split("</section>")[0]
    assert "by the sizes of the data sets that were built" in section
    assert all(f'<th scope="row">{name}</th>' in section for name in ("corpus", "finetune", *FAMILIES, *TASKS))


def test_what_was_spent_is_told_of_every_job(demo_run: Path):
    times = demo_run / "benchmarks"
    spent = actual(times, demo_run.parents[1] / "logs" / demo_run.name)
    assert sum(one.jobs for one in spent) == pytest.approx(len([*times.rglob("*.tsv")]))
    assert {one.task for one in spent if one.stage == "score"} == {*TASKS}


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


def test_a_grid_keeps_its_best_trial_and_a_table_of_all(demo_run: Path):
    folder = demo_run / "finetune/mrc/disco-roberta-large/seed-1"
    trials = read_json(folder / "trials.json")["trials"]
    assert [trial["learning_rate"] for trial in trials] == [5e-4, 1e-3]
    losses = [trial["validation_loss"] for trial in trials]
    assert [trial["chosen"] for trial in trials] == [loss == min(losses) for loss in losses]
    model = read_json(folder / "model.json")
    assert [t["learning_rate"] for t in trials if t["chosen"]] == [model["training"]["learning_rate"]]
    assert model["losses"]["best"]["loss"] == min(losses) and "trials.json" in model["outputs"]
    assert not list(folder.glob("trial-*"))


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


def test_every_job_left_its_time_and_its_log(demo_run: Path):
    measured = {
        path.relative_to(demo_run / "benchmarks").with_suffix("") for path in (demo_run / "benchmarks").rglob("*.tsv")
    }
    logs = demo_run.parents[1] / "logs/demo"
    assert len(measured) > 60
    assert measured <= {path.relative_to(logs).with_suffix("") for path in logs.rglob("*.log")}


def test_what_the_corpus_keeps_and_drops_has_its_place_in_the_raw_files_and_a_licence(demo_run: Path):
    licences = {row["source"]: row["licence"] for row in read_parquet(demo_run / "corpus/licences.parquet", "licence")}
    dropped = [row for path in demo_run.glob("corpus/**/*.dropped.parquet") for row in read_parquet(path, "dropped")]
    kept = [row for path in demo_run.glob("corpus/*/*/ingest.parquet") for row in read_parquet(path, "document")]
    assert dropped and kept
    for row in dropped + kept:
        assert licences[row["source"]] and row["member"] and 0 <= row["byte_start"] <= row["byte_end"], row["id"]
