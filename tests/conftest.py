"""What tests share: skips that say what is missing, and one finished run per preset."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import settings

if TYPE_CHECKING:
    from tests.workflow.cluster import Cluster

settings.register_profile("discobench", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("discobench")

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = (".venv", ".venvs", ".tools")
UNNEEDED = (".git", "__pycache__", ".*_cache", ".hypothesis", "incomplete", "locks", "state")
RESULTS = (".snakemake", "results", "logs", "data")
SLURM = ("slurmctld", "slurmd", "sbatch", "munged")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def _gpu() -> bool:
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


NEEDS = {
    "comet": (lambda: (ROOT / ".venvs/comet/bin/python").exists(), ".venvs/comet is missing (make setup-comet)"),
    "slurm": (
        lambda: all(shutil.which(name, path="/usr/sbin:/usr/bin") for name in SLURM),
        "Slurm is missing (make setup-slurm)",
    ),
    "browser": (lambda: any(map(shutil.which, BROWSERS)), "no Chromium was found"),
    "gpu": (_gpu, "no GPU was found"),
    "data": (lambda: "DISCOBENCH_PUBLIC_DATA" in os.environ, "DISCOBENCH_PUBLIC_DATA is not set"),
}


# Tests that share a finished run stay in one process, the longest runs first.
RUNS = {"public_run": "public", "demo_root": "demo", "mini_root": "mini", "cluster": "mini"}


def _group(item: pytest.Item) -> str:
    fixtures = getattr(item, "fixturenames", ())
    return next((group for fixture, group in RUNS.items() if fixture in fixtures), str(item.path))


# First: pytest-xdist reads the groups in a hook of the same name.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tell which tests belong together, and skip a test whose marker names something that this machine lacks."""
    groups = [*dict.fromkeys(RUNS.values())]
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))
    items.sort(key=lambda item: groups.index(found) if (found := _group(item)) in groups else len(groups))
    wanted = {name for name in NEEDS if any(item.get_closest_marker(name) for item in items)}
    absent = {name: reason for name, (there, reason) in NEEDS.items() if name in wanted - {"gpu"} and not there()}
    for item in items:
        for name in absent:
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=absent[name]))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Ask for the GPU only when a test that needs one is about to run: the question imports torch."""
    there, reason = NEEDS["gpu"]
    if item.get_closest_marker("gpu") and not there():
        pytest.skip(reason)


@pytest.fixture(scope="session")
def stanza_dir() -> Path:
    """A folder of stanza's English models."""
    folder = os.environ.get("DISCOBENCH_STANZA_DIR")
    if not folder:
        pytest.skip("DISCOBENCH_STANZA_DIR is not set")
    return Path(folder)


def copy_of(root: Path, folder: Path, *left_out: str) -> Path:
    """A copy of a checkout and its run, times included, that shares its environments and has no trainer states."""
    shutil.copytree(root, folder, ignore=shutil.ignore_patterns(*ENVIRONMENTS, *UNNEEDED, *left_out), symlinks=True)
    for name in ENVIRONMENTS:
        if (root / name).exists():
            (folder / name).symlink_to((root / name).resolve())
    return folder


def copy_of_repository(folder: Path) -> Path:
    """A copy of this repository, without results, that shares its environments."""
    return copy_of(ROOT, folder, *RESULTS)


def environment() -> dict[str, str]:
    """The variables of a user's shell after ``make setup``."""
    programs = f"{ROOT / '.venv/bin'}{os.pathsep}{ROOT / '.tools/bin'}"
    return os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def snakemake(
    folder: Path, *arguments: str, timeout: int = 60, program: Sequence[str] = ("snakemake",), **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the real command in ``folder``; standard output and error come together in ``stdout``.

    ``program`` may have other words before it; ``variables`` are added to the environment.
    """
    return subprocess.run(
        [*program, *arguments],
        cwd=folder,
        env=environment() | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=timeout,
    )


def finished(preset: str, folder: Path, variable: str, timeout: int, *configuration: str) -> Path:
    """The root of a copy in which ``preset`` ran to its end, or of the one that ``variable`` names."""
    if variable in os.environ:
        return Path(os.environ[variable])
    copy_of_repository(folder)
    wanted = ["--profile", "profiles/demo", "--config", f"preset={preset}", *configuration, "--", "all"]
    ran = snakemake(folder, *wanted, timeout=timeout)
    assert ran.returncode == 0, ran.stdout[-6000:]
    return folder


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh copy of the repository: no results, no data."""
    return copy_of_repository(tmp_path_factory.mktemp("fresh") / "repository")


@pytest.fixture(scope="session")
def mini_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a copy in which preset mini is finished."""
    return finished("mini", tmp_path_factory.mktemp("mini") / "repository", "DISCOBENCH_MINI_ROOT", 1500)


@pytest.fixture(scope="session")
def mini_run(mini_root: Path) -> Path:
    """The results of preset mini."""
    return mini_root / "results/mini"


@pytest.fixture(scope="session")
def demo_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a copy in which preset demo is finished; DISCOBENCH_DEMO_RUN names the results in one."""
    if "DISCOBENCH_DEMO_RUN" in os.environ:
        return Path(os.environ["DISCOBENCH_DEMO_RUN"]).resolve().parents[1]
    return finished("demo", tmp_path_factory.mktemp("demo") / "repository", "DISCOBENCH_DEMO_ROOT", 3000)


@pytest.fixture(scope="session")
def demo_run(demo_root: Path) -> Path:
    """The results of preset demo."""
    return demo_root / "results/demo"


@pytest.fixture(scope="session")
def public_run(tmp_path_factory: pytest.TempPathFactory, stanza_dir: Path) -> Path:
    """The results of preset public with the parser at hand; DISCOBENCH_PUBLIC_RUN names finished ones."""
    if "DISCOBENCH_PUBLIC_RUN" in os.environ:
        return Path(os.environ["DISCOBENCH_PUBLIC_RUN"]).resolve()
    folder = tmp_path_factory.mktemp("public")
    own = folder / "own.yaml"
    own.write_text(yaml.safe_dump({"synthesis": {"parser": {"source": "path", "path": str(stanza_dir)}}}), "utf-8")
    root = finished("public", folder / "repository", "DISCOBENCH_PUBLIC_ROOT", 3000, "--configfile", str(own))
    return root / "results/public"


@pytest.fixture(scope="session")
def cluster() -> "Iterator[Cluster]":
    """A Slurm cluster of this machine alone; its folder has a short name, for sockets have a longest one."""
    from tests.workflow.cluster import Cluster

    with tempfile.TemporaryDirectory(prefix="slurm-") as folder:
        cluster = Cluster(Path(folder))
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


@pytest.fixture
def tree() -> Iterator[dict]:
    """config.yaml as a fresh mapping that a test may change."""
    yield yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
