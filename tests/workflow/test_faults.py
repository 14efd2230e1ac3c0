"""What a person sees when the configuration or the data is wrong, through the real command."""

from pathlib import Path

import pytest
import yaml

from tests.conftest import snakemake

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("yours", "sentence"),
    [
        ({"hardware": {"gpu": 2}}, "hardware.gpu: unknown key; did you mean 'gpus'?"),
        ({"hardware": {"gpus": "two"}}, "hardware.gpus: found 'two'; allowed: Input should be a valid integer."),
        ({"hardware": {"gpus": -1}}, "hardware.gpus: found -1; allowed: a number of at least 0."),
        (
            {"checkpoints": {"disco-gpt2-zh": {"base": "disco-gpt2-zh"}}},
            "checkpoints.disco-gpt2-zh.base: found a circle, disco-gpt2-zh from disco-gpt2-zh; start from another one.",
        ),
        ({"run": {"rows": ["gpt3"]}}, "run.rows: found 'gpt3', which is not defined; did you mean 'gpt2'?"),
    ],
)
def test_a_fault_of_the_configuration_stops_before_planning(repository: Path, tmp_path: Path, yours, sentence):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(yours), "utf-8")
    ran = snakemake(repository, "-n", "--cores", "1", "--configfile", str(path))
    assert ran.returncode == 1
    assert f"mine.yaml or --config: {sentence}" in ran.stdout
    assert "Traceback" not in ran.stdout
    assert "Building DAG" not in ran.stdout


def test_a_key_that_stands_twice_is_not_overlooked(repository: Path, tmp_path: Path):
    path = tmp_path / "mine.yaml"
    path.write_text("run:\n  tasks: [nt]\n  tasks: [te]\n", "utf-8")
    ran = snakemake(repository, "-n", "--cores", "1", "--configfile", str(path))
    assert ran.returncode == 1
    assert f"{path} is not YAML: the key 'tasks' stands there twice" in ran.stdout
    assert "line 2" in ran.stdout and "Traceback" not in ran.stdout


def test_an_unknown_preset_is_answered_with_the_known_ones(repository: Path):
    ran = snakemake(repository, "-n", "--cores", "1", "--config", "preset=dmeo")
    assert ran.returncode == 1
    assert "--config preset=dmeo: no such preset; there are paper, demo, mini" in ran.stdout


def test_missing_data_is_named_with_its_remedy(repository: Path, tmp_path: Path):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({"tasks": {"nt": {"files": [{"path": "no/such/folder"}]}}}), "utf-8")
    target = "results/mini/tasks/nt/build.balance.json"
    ran = snakemake(
        repository, "--profile", "profiles/demo", "--config", "preset=mini", "--configfile", str(path), "--", target
    )
    assert ran.returncode == 1
    assert "no/such/folder" in ran.stdout
    assert "Traceback" not in ran.stdout
    assert "logs/mini/tasks/nt/build.log" in ran.stdout
    assert not (repository / target).exists()


def test_preflight_names_everything_that_the_paper_lacks(repository: Path):
    ran = snakemake(repository, "--cores", "1", "--", "preflight")
    assert ran.returncode == 1
    for key in ("genres.zh_novel.path", "tasks.si.files[0].path", "suites.mrc.path", "checkpoints.anchibert.source"):
        assert f"missing: {key}" in ran.stdout


def test_preflight_is_asked_anew_each_time(repository: Path):
    for _ in range(2):
        ran = snakemake(repository, "--profile", "profiles/demo", "preflight")
        assert ran.returncode == 0, ran.stdout[-2000:]
        assert "note: score.comet_checkpoint" in ran.stdout
