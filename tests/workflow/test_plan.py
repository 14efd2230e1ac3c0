"""Plans: of every preset and of the whole paper, on a fresh copy without data."""

import json
import re
import resource
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import yaml

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.files import write_text
from discobench.operations.forecast import Forecast
from discobench.operations.rates import read_rates
from discobench.operations.sizes import Sizes
from tests.conftest import ROOT, copy_of_repository, snakemake
from tests.workflow.plans import Job, counts, kind, plan, wildcards

pytestmark = pytest.mark.slow
PRESETS = sorted(path.stem for path in (ROOT / "presets").glob("*.yaml"))
TRAINED_OR_RUN = ("pretrain_checkpoint", "finetune", "decode", "score_model", "rank", "parse")


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository of this module's own."""
    return copy_of_repository(tmp_path_factory.mktemp("untouched") / "repository")


@pytest.fixture(scope="module")
def paper(untouched: Path) -> tuple[list[Job], float]:
    """The plan of the paper by the literal command, and the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    planned = plan(untouched, "--profile", "slurm", "all")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return planned, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_snakemake_finds_nothing_to_say_about_the_rules(repository: Path):
    ran = snakemake(repository, "--lint", timeout=120)
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.fixture(scope="module")
def planned(untouched: Path) -> Callable[[str], list[Job]]:
    """The plan of a preset, made once."""
    return cache(lambda preset: plan(untouched, "--cores", "1", "--config", f"preset={preset}", "--", "all"))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_can_be_planned(planned: Callable[[str], list[Job]], preset: str):
    assert counts(planned(preset))


@pytest.mark.parametrize("preset", ["demo", "paper"])
def test_the_forecast_counts_the_jobs_of_the_plan(
    planned: Callable[[str], list[Job]], paper: tuple[list[Job], float], preset: str
):
    jobs = paper[0] if preset == "paper" else planned(preset)
    run = Selection(resolve({} if preset == "paper" else {"preset": preset}, ROOT))
    rates = read_rates(ROOT / "resources/forecast.yaml")
    lines = Forecast(run, rates, Sizes(run, rates, [], None)).lines()
    assert round(sum(line.jobs for line in lines), 6) == counts(jobs).total()


def test_the_smallest_preset_is_small(planned: Callable[[str], list[Job]]):
    assert len(planned("mini")) <= 25


def test_the_demo_starts_few_processes_that_import_torch(planned: Callable[[str], list[Job]]):
    found = counts(planned("demo"))
    torch = {"initialise", "localise", "parser", *TRAINED_OR_RUN}
    assert sum(n for rule, n in found.items() if rule in torch) <= 62


def test_the_paper_is_planned_in_time(paper: tuple[list[Job], float]):
    planned, seconds = paper
    assert 100 < len(planned) < 2000
    assert seconds < 20


def test_the_plan_of_the_paper_holds_every_stage(paper: tuple[list[Job], float]):
    found = counts(paper[0])
    config = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    assert found["build"] == 9
    assert found["table"] == 5
    assert found["ingest"] == sum(genre.get("shards", 1) for genre in config["genres"].values())
    assert found["sources"] == len(config["genres"])


def test_a_shard_is_packed_once_for_each_tokenizer(paper: tuple[list[Job], float]):
    """RoBERTa's two sizes share one."""
    packed = [shown["wildcards"] for rule, shown in paper[0] if rule == "pack"]
    shards = [shown["wildcards"] for rule, shown in paper[0] if rule == "decontaminate"]
    assert len(packed) == len(set(packed))
    assert {found.split("checkpoint=")[1] for found in packed if found.startswith("genre=zh_novel")} == {
        *("roberta-base-zh", "gpt2-zh-737m", "bart-large-zh", "mbart-cc25"),
    }
    assert sum("mbart-cc25" in found for found in packed) == len(shards)
    assert counts(paper[0])["index"] == 7


def test_a_genre_is_held_against_the_test_sets_in_its_language(paper: tuple[list[Job], float]):
    wanted = {"zh": {"si", "zpr", "mrc", "nt", "cct", "pt"}, "en": {"nt", "pt"}}
    indexes = [shown for rule, shown in paper[0] if rule == "ngrams"]
    assert len(indexes) == len(wanted)
    for shown in indexes:
        (language,) = wildcards(shown)
        assert set(re.findall(r"/tasks/(\w+)/build", shown["input"])) == wanted[language]


def test_rules_that_run_models_ask_slurm_for_a_gpu(paper: tuple[list[Job], float]):
    asking = {rule for rule, shown in paper[0] if "gpu=1" in shown.get("resources", "")}
    assert asking == set(TRAINED_OR_RUN)


def test_plain_models_ask_for_one_gpu_where_others_share_batches(untouched: Path, tmp_path: Path):
    models = [f"results/paper/finetune/nt/{row}/seed-1/model.json" for row in ("transformer-base", "mbart")]
    write_text(tmp_path / "four.yaml", "finetune: {gpus: 4}\n")
    planned = plan(untouched, "--cores", "1", "--configfile", str(tmp_path / "four.yaml"), "--", *models)
    asked = {shown["wildcards"].split(", ")[1]: shown["resources"] for rule, shown in planned if rule == "finetune"}
    assert {row: re.findall(r"gpu=(\d+)", text) for row, text in asked.items()} == {
        "row=transformer-base": ["1"],
        "row=mbart": ["4"],
    }


def test_every_job_says_how_much_memory_and_time(paper: tuple[list[Job], float]):
    work = [shown["resources"] for _, shown in paper[0] if "output" in shown]
    assert all("mem_mb=" in resources and "runtime=" in resources for resources in work)


def test_planning_makes_and_fetches_nothing(untouched: Path, paper: tuple[list[Job], float]):
    assert paper
    assert {path.name for path in untouched.iterdir()} - {path.name for path in ROOT.iterdir()} <= {".snakemake"}
    assert not (untouched / "results").exists()
    assert not (untouched / "data").exists()


NAMED = ["all", "corpus", "te", "zpr", "pretrain", "tables", "diagnostic", "report", "preflight", "release_models"]
TABLES = [f"table_{n}" for n in (7, 8, 9, 10, 11)]


def test_targets_have_names(repository: Path):
    ran = snakemake(repository, "--list", timeout=90)
    listed = set(ran.stdout.split())
    config = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    tasks = {f"task_{name}" for name in config["tasks"]}
    rows = {f"row_{name.replace('-', '_').replace('.', '_')}" for name in config["rows"]}
    assert {*NAMED, *TABLES, *tasks, *rows} <= listed


@pytest.mark.parametrize(
    ("target", "without"),
    [
        ("corpus", {"finetune", "decode", "score", "rank"}),
        ("zpr", {"finetune", "parse", "filter"}),
        ("te", {"finetune", "build", "align"}),
        ("row_majority", {"finetune", "pack", "index"}),
        ("task_nt", {"rank", "table", "page", "leaderboard"}),
        ("diagnostic", {"decode", "score", "table", "page", "leaderboard"}),
    ],
)
def test_a_target_runs_only_what_it_needs(repository: Path, target: str, without: set[str]):
    found = counts(plan(repository, "--profile", "profiles/demo", target))
    assert found
    assert not without & set(found)


def test_a_submission_trains_nothing(untouched: Path, tmp_path: Path):
    """The demo's PPL and BERTScore are of models that it trains: where they are not made, these cells say so."""
    about, answer = {"name": "Ours", "date": "2026-11-30", "licence": "CC0-1.0"}, {"task": "te", "id": "e"}
    lines = [about, answer | {"prediction": "Text."}]
    write_text(tmp_path / "ours.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    asked = ("--config", "preset=demo", f"submission={tmp_path / 'ours.jsonl'}", "--", "score_submission")
    found = counts(plan(untouched, "--cores", "1", *asked))
    assert found["submission"] == 1 <= found["build"], found
    assert not found.keys() & {"pretrain_checkpoint", "pack", "index", "finetune", "decode"}, found


def test_the_example_of_the_readme_plans_a_model_and_data_of_ones_own(untouched: Path):
    (example,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    (untouched / "mine.yaml").write_text(example, "utf-8")
    planned = plan(untouched, "--profile", "profiles/demo", "all", "--configfile", "mine.yaml")
    (untouched / "mine.yaml").unlink()
    trained = {(rule, shown["output"]) for rule, shown in planned if kind(rule) == "finetune"}
    assert trained == {
        (f"finetune_{row.replace('-', '_')}", f"results/mine/finetune/zpr/{row}/seed-1/model.json")
        for row in ("roberta-base", "my-bert")
    }
    assert {"localise", "card", "page", "leaderboard"} <= set(counts(planned))
    assert "align" not in counts(planned)
