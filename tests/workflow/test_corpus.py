"""The corpus by the real command: thresholds tried again cheaply, and the same bytes however it was run."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from discobench.parquet import read_parquet
from tests.conftest import copy_of, copy_of_repository, environment, snakemake
from tests.workflow.plans import named, plan

pytestmark = pytest.mark.slow

GENRE = "results/demo/corpus/zh_novel"
SECONDS = 240.0


def arguments(root: Path, shards: int, buckets: int, **corpus: object) -> list[str]:
    """The command that deduplicates one genre of the demo."""
    duplicates = {"buckets": {"zh": buckets, "en": 1}} | corpus.pop("duplicates", {})
    tree = {"run": {"genres": ["zh_novel"]}, "genres": {"zh_novel": {"shards": shards}}}
    (root / "mine.yaml").write_text(yaml.safe_dump(tree | {"corpus": corpus | {"duplicates": duplicates}}), "utf-8")
    targets = [f"{GENRE}/{shard}/deduplicate.balance.json" for shard in range(shards)]
    return ["--profile", "profiles/demo", "--config", "preset=demo", "--configfile", "mine.yaml", "--", *targets]


def kept(root: Path, shards: int) -> tuple[list[dict], bytes]:
    """The documents of all shards one after the other, and the file that says which were not kept."""
    paths = [root / GENRE / str(shard) / "deduplicate.parquet" for shard in range(shards)]
    rows = [row for path in paths for row in read_parquet(path, "document")]
    return rows, (root / "results/demo/corpus/zh/duplicates.parquet").read_bytes()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which two shards are deduplicated with two buckets."""
    copy = copy_of_repository(tmp_path_factory.mktemp("corpus") / "repository")
    ran = snakemake(copy, "--verbose", *arguments(copy, 2, 2), timeout=600)
    assert ran.returncode == 0, ran.stdout[-4000:]
    (copy / "verbose.log").write_text(ran.stdout, "utf-8")
    return copy


def test_jobs_are_looked_at_when_one_ends_and_not_all_the_time(root: Path) -> None:
    log = (root / "verbose.log").read_text("utf-8")
    ended = log.count("Finished jobid: ")
    assert 0 < log.count("Ready jobs: ") <= ended


LAST = {"duplicates zh", "deduplicate zh_novel/0", "deduplicate zh_novel/1"}
MATCHES = {"matches zh/0", "matches zh/1"} | LAST
SIGNED = {"signatures zh_novel/0", "signatures zh_novel/1"} | MATCHES
CLEANED = {"clean zh_novel/0", "clean zh_novel/1"} | SIGNED


@pytest.mark.parametrize(
    ("changes", "again"),
    [
        ({}, set()),
        ({"max_repetition": 0.4, "max_marks": 0.4, "min_units": {"zh": 30}}, LAST),
        ({"min_units": {"en": 30}}, set()),
        ({"duplicates": {"ngram": 4}}, SIGNED),
        ({"width": {"zh": "all"}}, CLEANED),
    ],
    ids=["nothing", "thresholds of filters", "another language's", "signatures", "cleaning"],
)
def test_a_changed_key_runs_what_depends_on_it(root: Path, changes: dict, again: set[str]) -> None:
    assert named(plan(root, *arguments(root, 2, 2, **changes))) == again


def test_killed_and_cut_otherwise_it_ends_with_the_same_bytes(root: Path, tmp_path: Path) -> None:
    other = copy_of(root, tmp_path / "repository", "results", ".snakemake", "logs")
    command = arguments(other, 4, 3)
    quiet = subprocess.DEVNULL
    running = subprocess.Popen(
        ["snakemake", *command], cwd=other, env=environment(), stdout=quiet, stderr=quiet, start_new_session=True
    )
    end = time.monotonic() + SECONDS
    while len(list(other.glob(f"{GENRE}/*/clean.balance.json"))) < 3:
        assert time.monotonic() < end, "no shard was cleaned"
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    assert snakemake(other, "--unlock", *command).returncode == 0
    ran = snakemake(other, *command, timeout=600)
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert kept(other, 4) == kept(root, 2)
