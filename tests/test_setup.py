"""The set-up: pins, environments and packages agree with each other and with the README."""

import re
import runpy
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"^[A-Za-z0-9_.-]+==[\w.]+$")
ENVS = runpy.run_path(str(ROOT / "scripts/setup/envs.py"))


def pins(file: str) -> dict[str, str]:
    lines = [line.split(" --hash")[0] for line in ENVS["pins"](ROOT / file)]
    return {name.lower().replace("-", "_"): version for name, version in (line.split("==") for line in lines)}


def debian() -> list[list[str]]:
    lines = ENVS["pins"](ROOT / "scripts/setup/debian.txt")
    return [[field.strip() for field in line.split("|")] for line in lines]


@pytest.mark.parametrize("file", ["requirements.lock", "requirements-nodeps.txt"])
def test_every_pin_is_exact(file: str):
    assert [line for line in ENVS["pins"](ROOT / file) if not PIN.match(line)] == []


def test_what_is_asked_for_is_what_is_locked():
    locked = pins("requirements.lock")
    assert {name: locked.get(name) for name in pins("requirements.in")} == pins("requirements.in")


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
        assert need in ("needed", "optional")
        assert f"`{package}`" in readme, package
        assert reason


def test_the_commands_of_the_readme_exist():
    readme = (ROOT / "README.md").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", readme)) <= targets
    assert {"setup", "demo", "test", "check", "setup-comet", "clean"} <= targets


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


def test_a_failing_step_shows_the_end_of_its_log(tmp_path: Path):
    line = f"source {ROOT}/scripts/setup/common.sh; logged {tmp_path}/a.log 'It broke.' bash -c 'seq 100; exit 3'"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, encoding="utf-8")
    assert ran.returncode == 1
    assert ran.stderr.split("\n")[0] == "86"
    assert ran.stderr.endswith(f"100\nsetup: It broke. The whole log: {tmp_path}/a.log\n")


def test_slurm_profile_has_one_place_to_edit():
    text = (ROOT / "profiles/slurm/config.yaml").read_text("utf-8")
    settings = yaml.safe_load(text)["__variables__"]
    assert {"account", "cpu_partition", "gpu_partition", "jobs"} <= set(settings)
