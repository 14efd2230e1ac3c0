"""A forecast is 6ND, and adds up; what was spent stands beside it."""

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from discobench.config.load import merge, parse, read_yaml, resolve
from discobench.config.selection import Selection
from discobench.errors import DiscoError
from discobench.files import read_text, write_json, write_text
from discobench.operations.actual import Spent, actual, sums
from discobench.operations.forecast import Forecast, Line, Site, readings, summed, trained_tokens
from discobench.operations.rates import Rates, parameters, read_count, read_rates
from discobench.operations.sizes import Sizes
from discobench.operations.tables import forecast_text, number, table
from discobench.report.paper import read_csv
from tests.conftest import ROOT, snakemake

TABLE5 = read_csv(ROOT / "resources/paper/table5.csv")


def test_the_two_readings_of_the_batch_of_table_15(paper: Selection, rates: Rates):
    printed = [line for line in readings(paper, rates) if paper.config.checkpoints[line[0]].paper.layers]
    assert len(printed) == 5
    assert sum(line[1] for line in printed) == pytest.approx(32_400, rel=1e-3)
    assert sum(line[2] for line in printed) == pytest.approx(39, rel=1e-2)


def test_pretraining_is_six_operations_a_parameter_and_token(paper: Selection, rates: Rates):
    lines = [x for x in Forecast(paper, rates, Sizes(paper, rates, TABLE5, None)).pretrain() if x.what == "disco-mbart"]
    operations = 6 * 669e6 * 4096 * 1024 * 1_000_000
    assert lines[0].gpu_hours == pytest.approx(operations / (0.4 * 989e12) / 3600)
    assert lines[0].core_hours > lines[0].gpu_hours and lines[0].jobs == 1


def finetuned(rates: Rates, **changes: Any) -> Line:
    """The line of one row that is fine-tuned for MRC."""
    run = Selection(resolve({"finetune": changes, "run": {"rows": ["roberta-base"], "tasks": ["mrc"]}}, ROOT))
    (line,) = Forecast(run, rates, Sizes(run, rates, TABLE5, None)).finetune()
    return line


def test_several_gpus_take_the_same_hours_in_less_time(rates: Rates):
    one, four = finetuned(rates), finetuned(rates, gpus=4)
    assert (one.gpu_hours, one.core_hours) == (four.gpu_hours, four.core_hours)
    begin = rates.seconds["job"].value / 3600
    assert four.longest - begin == pytest.approx((one.longest - begin) / 4)


def test_a_grid_is_as_many_trainings_each_by_its_own_steps(rates: Rates):
    one = finetuned(rates)
    rate, epochs = {"learning_rate": [1e-5, 2e-5, 3e-5]}, {"epochs": [10, 20]}
    assert finetuned(rates, grid={"roberta-base": {"mrc": rate}}).gpu_hours == pytest.approx(3 * one.gpu_hours)
    assert finetuned(rates, grid={"roberta-base": {"mrc": epochs}}).gpu_hours == pytest.approx(3 * one.gpu_hours)


def test_tokens_of_steps_epochs_and_batches_of_tokens(paper: Selection):
    training = paper.config.finetune.tasks
    assert trained_tokens(training["nt"], 10**9) == 30_000 * 3000
    assert trained_tokens(training["si"], 100) == 5 * 100 * 512


@pytest.mark.parametrize(
    ("checkpoint", "count"),
    [("transformer-base", 60e6), ("transformer-big", 209e6), ("disco-mbart", 669e6), ("disco-gpt2-en", 762e6)],
)
def test_sizes_of_models(paper: Selection, checkpoint: str, count: float):
    assert parameters(paper.config, checkpoint) == pytest.approx(count, rel=0.02)


def test_a_tiny_model_is_not_taken_for_the_one_whose_name_it_has():
    demo = Selection(resolve({"preset": "demo"}, ROOT)).config
    assert {parameters(demo, name) < 1e7 for name in ("mbart-cc25", "disco-mbart", "roberta-large-zh")} == {True}


def test_a_count_that_cannot_be_read_is_a_sentence():
    with pytest.raises(DiscoError, match=r"paper\.parameters is 'many'; write a number and M or B"):
        read_count("many")


def test_every_genre_of_the_paper_has_its_line_in_table_5(paper: Selection, rates: Rates):
    sizes = Sizes(paper, rates, TABLE5, None)
    assert [name for name in paper.genres if not sizes.bytes(name) or not sizes.sentences(name)] == []


@pytest.mark.parametrize(("checkpoint", "step"), [("disco-mbart", "pack_unigram"), ("disco-gpt2-en", "pack")])
def test_packing_takes_as_long_as_the_tokenizer_of_its_model(rates: Rates, checkpoint: str, step: str):
    def hours(rates: Rates) -> float:
        run = Selection(resolve({"run": {"rows": [row], "tasks": [task], "genres": ["en_book"]}}, ROOT))
        assert run.pretrained() == [checkpoint]
        place = Site(1, scheduled=False)
        return sum(line.core_hours for line in Forecast(run, rates, Sizes(run, rates, TABLE5, None), place).corpus())

    row, task = {"disco-mbart": ("disco-mbart", "nt"), "disco-gpt2-en": ("disco-gpt2", "te")}[checkpoint]
    english, others = rates.corpus["en"], {"ingest", "clean", "duplicates", "decontaminate"}
    none = {key: english[key].model_copy(update={"value": 0.0}) for key in english.keys() - {step}}
    alone = hours(rates.model_copy(update={"corpus": rates.corpus | {"en": english | none}}))
    share = english[step].value / sum(english[key].value for key in {*others, step})
    assert alone == pytest.approx(share * hours(rates)) != 0


def test_a_row_s_tasks_that_are_trained_together_are_one_job(rates: Rates):
    lines: dict[bool, list[Line]] = {}
    for together in (False, True):
        changes = {"run": {"rows": ["roberta-base", "bart-large"], "seeds": [1, 2], "together": together}}
        run = Selection(resolve(changes, ROOT))
        lines[together] = list(Forecast(run, rates, Sizes(run, rates, TABLE5, None)).finetune())
    alone, bundled = lines[False], lines[True]
    assert [sum(line.jobs for line in each) for each in (alone, bundled)] == [pytest.approx(n) for n in (30, 4)]
    assert sum(x.gpu_hours for x in bundled) == pytest.approx(sum(x.gpu_hours for x in alone))
    begin, own = rates.seconds["job"].value / 3600, [x.longest for x in alone if x.what == "roberta-base"]
    saved = sum(x.core_hours for x in alone) - sum(x.core_hours for x in bundled)
    assert saved == pytest.approx(26 * begin)
    whole = {x.longest for x in bundled if x.what == "roberta-base"}
    assert len(whole) == 1 and whole.pop() == pytest.approx(sum(own) - 5 * begin)


def test_metrics_that_a_model_gives_have_jobs_and_hours(paper: Selection, rates: Rates):
    lines = list(Forecast(paper, rates, Sizes(paper, rates, TABLE5, None)).score())
    assert sum(line.jobs for line in lines if line.gpu_hours) == 9
    assert {line.task for line in lines if line.gpu_hours} == {"nt", "cct", "pt", "te", "ti", "tc"}
    assert any("assumed" in text for name, text in rates.origins() if name == "seconds.score_gpu")


@pytest.mark.parametrize("stage", ["decode", "diagnose"])
def test_an_api_answers_several_questions_at_a_time(rates: Rates, stage: str):
    def hours(concurrency: int) -> float:
        changes = {"run": {"rows": ["gpt-4"]}, "api": {"concurrency": concurrency}}
        run = Selection(resolve(changes, ROOT))
        place = Site(1, scheduled=False)
        lines = getattr(Forecast(run, rates, Sizes(run, rates, TABLE5, None), place), stage)()
        return sum(line.core_hours for line in lines)

    assert hours(1) == pytest.approx(8 * hours(8)) and hours(8) > 0


def test_ranking_takes_as_long_as_a_suite_has_choices(paper: Selection, rates: Rates):
    larger = rates.suites | {"instances": rates.suites["instances"].model_copy(update={"value": 1000.0})}
    both = [rates, rates.model_copy(update={"suites": larger})]
    own, twice = ([*Forecast(paper, r, Sizes(paper, r, TABLE5, None)).diagnose()] for r in both)
    assert sum(line.gpu_hours for line in twice) == pytest.approx(2 * sum(line.gpu_hours for line in own)) != 0
    assert {"suites.instances", "suites.candidates"} <= {name for name, text in rates.origins() if "assumed" in text}


def test_what_is_found_goes_before_what_is_printed(rates: Rates, tmp_path: Path):
    tree = merge(read_yaml(ROOT / "config.yaml"), {"genres": {"zh_lyrics": {"path": str(tmp_path / "raw")}}})
    run = Selection(parse(merge(tree, {"tasks": {"nt": {"files": [{"path": str(tmp_path)}]}}}), "test"))
    write_text(tmp_path / "raw/a/b.txt", "诗" * 10)
    write_text(tmp_path / "train.jsonl", "{}\n" * 3)
    (tmp_path / "tasks/nt").mkdir(parents=True)
    pq.write_table(pa.table({"id": ["a", "b"]}), tmp_path / "tasks/nt/test.parquet")
    sizes = Sizes(run, rates, TABLE5, tmp_path)
    assert sizes.bytes("zh_lyrics") == 30
    assert (sizes.records("nt", "train"), sizes.records("nt", "test")) == (3, 2)
    assert sizes.records("te", "train") == 2_400_000


def test_a_run_of_another_scale_does_not_take_the_paper_s_sizes(rates: Rates):
    mini = Selection(resolve({"preset": "mini"}, ROOT))
    assert Sizes(mini, rates, TABLE5, None).records("si", "train") == 0


def test_jobs_at_once_shorten_the_wall_down_to_the_longest_job():
    line = Line("finetune", "a", "nt", jobs=10, gpu_hours=100, core_hours=0, disk_gb=0, longest=10)
    (five,), (fifty,) = (summed([line], lambda x: x.stage, Site(jobs)) for jobs in (5, 50))
    assert (five["wall_hours"], fifty["wall_hours"]) == (20, 10)


def test_the_gpus_of_a_machine_are_shared_by_its_jobs():
    line = Line("finetune", "a", "nt", jobs=10, gpu_hours=100, core_hours=100, disk_gb=0, longest=10)
    (alone,) = summed([line], lambda x: x.stage, Site(64, gpus=2, scheduled=False))
    assert alone["wall_hours"] == 50


def test_on_one_machine_no_scheduler_begins_a_job(paper: Selection, rates: Rates):
    sizes = Sizes(paper, rates, TABLE5, None)
    here = Forecast(paper, rates, sizes, Site(1, scheduled=False))
    (away,), (line,) = (list(forecast.report()) for forecast in (Forecast(paper, rates, sizes), here))
    assert line.core_hours == 0 and away.core_hours == pytest.approx(away.jobs * rates.seconds["job"].value / 3600)
    assert forecast_text(paper, here, []).startswith("# Forecast for paper, 1 core of this machine\n")
    assert forecast_text(paper, Forecast(paper, rates, sizes), []).startswith(
        "# Forecast for paper, 50 jobs at once on the cluster\n"
    )


HEAD = "s\th:m:s\tmax_rss\tcpu_time\n"


@pytest.fixture
def spent(tmp_path: Path) -> list[Spent]:
    """A job of two tasks that held two GPUs and had failed for an hour before, one of a baseline, one that scored."""
    times, logs = tmp_path / "times", tmp_path / "logs"
    write_text(times / "finetune/gpt2/seed-1/finetune.tsv", HEAD + "7200\t2:00:00\t500\t3600\n")
    write_json(logs / "finetune/gpt2/seed-1/finetune.job.json", {"params": {"cells": [["nt", "gpt2"], ["ti", "gpt2"]]}})
    cost = {"cpu_s": 7200, "wall_s": 9, "peak_mb": 800, "gpus": 2, "failed_s": 3600}
    write_json(logs / "finetune/gpt2/seed-1/finetune.cost.json", cost)
    for name in ("decode/nt/copy/seed-1/decode", "score/nt/copy/seed-1/score"):
        write_text(times / f"{name}.tsv", HEAD + "3600\t1:00:00\tNA\tNA\n")
        params = {"cells": [["copy", 1, None]]} if name.startswith("score") else {}  # as versions before wrote them
        asked = {"wildcards": {"task": "nt", "row": "copy"}, "resources": {"gpu": 1}, "params": params}
        write_json(logs / f"{name}.job.json", asked)
    write_text(times / "corpus/zh_novel/0/clean.tsv", HEAD + "3600\t1:00:00\t90\t3600\n")
    write_json(logs / "corpus/zh_novel/0/clean.job.json", {"wildcards": {"genre": "zh_novel", "shard": "0"}})
    return actual(times, logs)


def test_what_was_spent_is_told_by_model_and_task_with_the_gpus_that_jobs_held(spent: list[Spent]):
    assert spent == [
        Spent("corpus", "zh_novel", "", 1, 1, 1, 0, 90),
        Spent("decode", "copy", "nt", 1, 1, 0, 1, 0),
        Spent("finetune", "gpt2", "nt", 0.5, 1.5, 1, 3, 800),
        Spent("finetune", "gpt2", "ti", 0.5, 1.5, 1, 3, 800),
        Spent("score", "", "nt", 1, 1, 0, 1, 0),
    ]
    assert sums(spent, lambda one: one.task)["nt"] == {
        "jobs": 2.5, "hours": 3.5, "core_hours": 1, "gpu_hours": 5, "memory_mb": 800
    }  # fmt: skip


def columns(text: str, name: str) -> list[str]:
    """The cells of the line of a name that compares a forecast with what was spent."""
    (line,) = [line for line in text.split("\n") if line.startswith(f"| {name} ") and line.count("|") == 9]
    return [cell.strip() for cell in line.split("|")[2:-1]]


def test_the_text_has_every_part(paper: Selection, rates: Rates, spent: list[Spent]):
    text = forecast_text(paper, Forecast(paper, rates, Sizes(paper, rates, TABLE5, None)), spent)
    assert "| the 5 of Table 15 " in text and "32,408 |" in text and "39.0 |" in text
    for part in ("jobs of a week one after the other", "- gpu.share.pretrain: 0.4; public: Llama 3 reached"):
        assert part in text
    assert [columns(text, name)[1] for name in ("finetune", "gpt2", "nt", "ti")] == ["1", "1", "2.5", "0.5"]
    assert [columns(text, name)[5] for name in ("finetune", "gpt2", "nt", "corpus")] == ["6", "6", "5", "0"]
    assert "| zh_novel " not in text


def test_every_figure_says_where_it_comes_from(rates: Rates, tmp_path: Path):
    said = [re.search(r"; (?:H100: |core: )?(\w+): .", text) for _, text in rates.origins()]
    assert {found[1] for found in said if found} == {"measured", "public", "reckoned", "assumed"} and all(said)
    tree = yaml.safe_load((ROOT / "resources/forecast.yaml").read_text("utf-8"))
    tree["disk"]["weights"]["origin"] = "somebody said so"
    write_text(tmp_path / "forecast.yaml", yaml.safe_dump(tree))
    with pytest.raises(DiscoError, match=r"disk\.weights\.origin: found 'somebody said so'; allowed: "):
        read_rates(tmp_path / "forecast.yaml")


def test_the_table_of_the_docs_is_the_forecast_of_the_paper(paper: Selection, rates: Rates):
    text = read_text(ROOT / "docs/cost.md").split("| stage | jobs |")[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in text.split("\n")[2:]]
    printed = {name: cells for name, *cells in rows}
    lines = Forecast(paper, rates, Sizes(paper, rates, TABLE5, None)).lines()
    named = [*printed][:-2]
    entries = summed(lines, lambda line: line.stage if line.stage in named else "all others", Site())
    entries += summed(lines, lambda line: "together", Site())
    fields = ("jobs", "gpu_hours", "core_hours", "disk_gb")
    assert printed == {entry["name"]: [number(entry[field]) for field in fields] for entry in entries}


@pytest.mark.slow
def test_the_command_counts_as_many_jobs_at_once_as_it_was_told(repository: Path):
    ran = snakemake(repository, "--profile", "slurm", "--jobs", "7", "--config", "preset=mini", "--", "forecast")
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert "# Forecast for mini, 7 jobs at once on the cluster" in ran.stdout


def test_a_table_is_aligned():
    lines = table(["a", "bb"], [["x", 12345.6], ["yyy", 0.5]]).split("\n")
    assert lines == ["| a   |     bb |", "| --- | -----: |", "| x   | 12,346 |", "| yyy |    0.5 |"]
