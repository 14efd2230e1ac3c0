"""What `make bench-workflow` counts: seconds of a run that are not its jobs' own work."""

from pathlib import Path

import pytest

from benchmarks.workflow import finished, overhead, shown
from discobench.files import write_json, write_text


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout in which three jobs did 10, 20 and 30 seconds of work on two cores in a minute and a half."""
    for number, seconds in enumerate((10.0, 20.0, 30.0)):
        write_json(tmp_path / f"logs/demo/stage/{number}/job.cost.json", {"wall_s": seconds, "cpu_s": 1.0})
    told = "Provided cores: 2\nElapsed time: 0:00:01.000000\nElapsed time: 0:01:30.500000\n"
    write_text(tmp_path / ".snakemake/log/one.snakemake.log", told)
    return tmp_path


def test_overhead_is_what_is_left_of_the_cores_time(root: Path) -> None:
    found = overhead(root, seconds=60.0, cores=2)
    assert found == {"jobs": 3, "seconds": 60.0, "work": 60.0, "each": 20.0, "share": 0.5}


def test_a_run_that_is_over_is_counted_by_what_snakemake_wrote(root: Path) -> None:
    found = finished(root)
    assert (found["seconds"], found["each"]) == (90.5, pytest.approx((181 - 60) / 3))
    assert shown({"demo": found}).split("\n")[-1].startswith("| demo |    3 |    90.5 |")
