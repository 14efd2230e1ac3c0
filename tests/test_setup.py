"""The set-up: pins, environments and packages agree with each other and with the README."""

import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml
import yte

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"^[A-Za-z0-9_.-]+==[\w.]+$")
ENVS = runpy.run_path(str(ROOT / "scripts/setup/envs.py"))


def pins(file: str) -> dict[str, str]:
    lines = [line.split(" --hash")[0] for line in ENVS["pins"](ROOT / file)]
    return {name.lower().replace("-", "_"): version for name, version in (line.split("==") for line in lines)}


def debian() -> list[list[str]]:
    lines = ENVS["pins"](ROOT / "scripts/setup/debian.txt")
    return [[field.strip() for field in line.split("|")] for line in lines]


@pytest.mark.parametrize("file", ["requirements.lock", "requirements-nodeps.txt", "envs/comet.txt"])
def test_every_pin_is_exact(file: str):
    assert [line for line in ENVS["pins"](ROOT / file) if not PIN.match(line)] == []


@pytest.mark.parametrize(
    ("asked", "locked"), [("requirements.in", "requirements.lock"), ("envs/comet.in", "envs/comet.txt")]
)
def test_what_is_asked_for_is_what_is_locked(asked: str, locked: str):
    wanted, found = pins(asked), pins(locked)
    assert wanted == {name: found.get(name) for name in wanted}


def test_torchaudio_stays_out():
    """Beside this torch it breaks transformers at import."""
    assert "torchaudio" not in pins("requirements.lock")


def test_kenlm_is_built_from_the_release_that_is_installed():
    assert pins("scripts/setup/kenlm.txt")["kenlm"] == pins("requirements.lock")["kenlm"]


def test_conda_environments_are_those_of_the_pins():
    for path, text in ENVS["files"]().items():
        assert path.read_text("utf-8") == text, "run: python scripts/setup/envs.py"


@pytest.mark.parametrize("name", ["main", "comet"])
def test_a_conda_environment_is_well_formed(name: str):
    environment = yaml.safe_load((ROOT / f"envs/{name}.yaml").read_text("utf-8"))
    assert set(environment) == {"name", "channels", "dependencies"}
    assert environment["dependencies"][0] == "python=3.11"
    assert environment["dependencies"][-1]["pip"]


def test_the_readme_gives_every_debian_package_its_reason():
    readme = (ROOT / "README.md").read_text("utf-8")
    for package, need, reason in debian():
        assert need in ("needed", "optional", "slurm", "browser", "latex")
        assert f"`{package}`" in readme, package
        assert reason


def test_the_commands_of_the_readme_exist():
    readme = (ROOT / "README.md").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", readme)) <= targets
    assert {"setup", "demo", "test", "check", "setup-comet", "setup-slurm", "setup-browser", "clean"} <= targets


def test_shell_scripts_parse():
    scripts = [*sorted((ROOT / "scripts/setup").glob("*.sh")), ROOT / ".ci/run"]
    for script in scripts:
        assert subprocess.run(["bash", "-n", script]).returncode == 0, script


def test_a_missing_interpreter_gives_one_sentence(tmp_path: Path):
    for tool in ("bash", "dirname", "grep", "sed"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}" if Path(f"/usr/bin/{tool}").exists() else f"/bin/{tool}")
    line = f"source {ROOT}/scripts/setup/common.sh; python_311"
    ran = subprocess.run(["bash", "-c", line], env={"PATH": str(tmp_path)}, capture_output=True, encoding="utf-8")
    assert ran.returncode == 1
    assert ran.stderr == (
        "setup: Python 3.11 was not found as python3.11, python3 or python; install it and put it on PATH.\n"
    )


@pytest.fixture
def machine(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs packages.sh on a pretended Debian: who the user is, what is not installed, what apt-get answers."""

    def program(name: str, body: str) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        (tmp_path / name).chmod(0o755)

    def run(absent: str, user: int, apt: int = 0, kind: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        program("dpkg-query", f'[ "$3" = "{absent}" ] && [ ! -e {tmp_path}/done ] || printf installed')
        program("id", f"echo {user}")
        program("sudo", "exit 1")
        program("apt-get", f'echo "$@" >>{tmp_path}/calls; [ {apt} = 0 ] && touch {tmp_path}/done; exit {apt}')
        path = f"{tmp_path}:/usr/bin:/bin:{Path(sys.executable).parent}"
        script = ["bash", ROOT / "scripts/setup/packages.sh", *kind]
        return subprocess.run(script, env={"PATH": path}, capture_output=True, encoding="utf-8")

    return run


def test_root_is_told_what_is_installed(machine, tmp_path: Path):
    ran = machine("cmake", user=0)
    assert ran.returncode == 0, ran.stderr
    assert "setup: installing Debian packages: cmake " in ran.stdout
    calls = (tmp_path / "calls").read_text("utf-8")
    assert re.fullmatch(r"update -q\ninstall -q -y --no-install-recommends cmake ?\n", calls)


def test_without_root_the_line_to_run_is_printed(machine, tmp_path: Path):
    ran = machine("cmake", user=1000)
    assert ran.returncode == 1
    assert ran.stderr.rstrip().endswith("sudo apt-get install -y cmake")
    assert ran.stderr.count("\n") == 1
    assert not (tmp_path / "calls").exists()


def test_an_optional_package_stops_nobody(machine):
    assert machine("fonts-noto-cjk", user=1000).returncode == 0
    ran = machine("fonts-noto-cjk", user=0, apt=100)
    assert ran.returncode == 0
    assert "continuing without optional packages: fonts-noto-cjk" in ran.stdout


def test_a_needed_package_that_cannot_be_had_stops_with_a_sentence(machine):
    ran = machine("cmake", user=0, apt=100)
    assert ran.returncode == 1
    assert ran.stderr.rstrip().split("\n")[-1].startswith("setup: without cmake KenLM cannot be built")


def test_nothing_missing_is_silent(machine):
    ran = machine("nothing", user=1000)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_packages_of_the_test_cluster_are_installed_when_they_are_asked_for_alone(machine, tmp_path: Path):
    assert machine("slurmd", user=0).stdout == ""
    assert "installing Debian packages: slurmd " in machine("slurmd", user=0, kind=["slurm"]).stdout
    (tmp_path / "done").unlink()
    assert (
        "without slurmd the tests that need it are skipped" in machine("slurmd", user=0, apt=100, kind=["slurm"]).stderr
    )


def test_a_failing_step_shows_the_end_of_its_log(tmp_path: Path):
    line = f"source {ROOT}/scripts/setup/common.sh; logged {tmp_path}/a.log 'It broke.' bash -c 'seq 100; exit 3'"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, encoding="utf-8")
    assert ran.returncode == 1
    assert ran.stderr.split("\n")[0] == "86"
    assert ran.stderr.endswith(f"100\nsetup: It broke. The whole log: {tmp_path}/a.log\n")


@pytest.mark.parametrize(("account", "resources"), [(None, {}), ("lab", {"slurm_account": "lab"})])
def test_the_slurm_profile_takes_account_and_jobs_from_the_cluster(tmp_path, monkeypatch, account, resources):
    cluster = {"jobs": 7, "partitions": {"cpu": {}}} | ({"account": account} if account else {})
    (tmp_path / "profiles/slurm").mkdir(parents=True)
    (tmp_path / "profiles/slurm/cluster.yaml").write_text(yaml.safe_dump(cluster), "utf-8")
    monkeypatch.chdir(tmp_path)
    with (ROOT / "profiles/slurm/config.yaml").open(encoding="utf-8") as stream:
        profile = yte.process_yaml(stream, require_use_yte=True)
    assert profile["jobs"] == 7
    assert profile["default-resources"] == {"mem_mb": 2000, "disk_mb": 1000, "runtime": 60} | resources
