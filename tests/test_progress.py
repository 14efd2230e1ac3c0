"""Lines about how far a step is: few, with what is done, what there is, and the time that is left."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from discobench import progress
from discobench.parquet import iterate_parquet, write_parquet
from discobench.progress import LINES, Progress, clock, told
from discobench.schema import empty


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The time, which a test moves on."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    yield now


@pytest.mark.parametrize(("seconds", "text"), [(7.9, "7 s"), (61, "1 min 01 s"), (7260, "2 h 01 min")])
def test_clocks(seconds: float, text: str):
    assert clock(seconds) == text


def test_a_line_every_half_minute_whatever_is_counted(seconds: list[float], caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    for _ in told(range(960), "parse", "sentences", 960):
        seconds[0] += 0.125
    assert caplog.messages == [
        f"parse: {n * 240:,} of 960 sentences ({n * 25}%), {clock(120 - n * 30)} left" for n in (1, 2, 3, 4)
    ]


def test_a_short_step_says_nothing(seconds: list[float], caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    for _ in told(["a", "bc"], "clean", "bytes", 3, len):
        seconds[0] += 14
    assert caplog.messages == []


def test_time_left_is_by_the_latest_speed(seconds: list[float], caplog: pytest.LogCaptureFixture):
    """What a job before had done is passed at once."""
    caplog.set_level(logging.INFO)
    going = Progress("decode", "examples", 1000)
    going.add(500)
    for _ in range(LINES + 1):
        seconds[0] += 30
        going.add(10)
    assert caplog.messages[-1] == "decode: 610 of 1,000 examples (61%), 19 min 30 s left"


def test_nothing_is_promised_where_nothing_is_known(seconds: list[float], caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    unknown, still = Progress("ingest", "MB", 0), Progress("ingest", "MB", 8)
    seconds[0] = 31
    unknown.add(2)
    still.reach(0)
    assert caplog.messages == ["ingest: 2 MB", "ingest: 0 of 8 MB (0%)"]


def test_who_reads_a_file_tells_how_far_it_is(tmp_path: Path, seconds: list[float], caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    path = tmp_path / "a.parquet"
    row = empty("dropped") | {"id": "a:b:0", "source": "a", "step": "clean", "reason": "short"}
    write_parquet(path, (row | {"id": f"a:b:{n}"} for n in range(25_000)), "dropped")
    for _ in iterate_parquet(path, "dropped"):
        seconds[0] += 0.004
    assert caplog.messages and all(f"{path}: " in line and " of 25,000 rows (" in line for line in caplog.messages)
