"""TensorBoard's files hold what a training went through, once, also when it was killed in between."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.torch
STEPS = 18


def events(folder: Path) -> Iterator[Any]:
    """What TensorBoard reads: length, its checksum, event, its checksum (TensorFlow's record format)."""
    from tensorboardX.proto.event_pb2 import Event

    for path in sorted(folder.glob("*tfevents*")):
        data, place = path.read_bytes(), 0
        while place < len(data):
            (length,) = struct.unpack_from("<Q", data, place)
            yield Event.FromString(data[place + 12 : place + 12 + length])
            place += 16 + length


def shown(folder: Path) -> dict[str, dict[int, float]]:
    """Curves by name, as TensorBoard shows them: a file that goes on from a step hides what others have beyond."""
    curves: dict[str, dict[int, float]] = {}
    for event in events(folder):
        if event.HasField("session_log"):
            curves = {name: {n: v for n, v in points.items() if n < event.step} for name, points in curves.items()}
        for value in event.summary.value:
            curves.setdefault(value.tag, {})[event.step] = value.simple_value
    return curves


def test_a_killed_run_draws_each_point_once(tmp_path: Path) -> None:
    from discobench.trainer import Plan, rate, state_folder, train
    from tests import toy_training as toys

    plan = Plan(steps=STEPS, keep_best=False, **toys.PLAN)  # type: ignore[arg-type]
    state = state_folder(tmp_path, steps=STEPS)
    with pytest.raises(SystemExit):
        train(toys.Toy(toys.model(), kill_at=9), plan, state, toys.torch.device("cpu"), tmp_path / "curves")
    outcome = train(toys.Toy(toys.model()), plan, state, toys.torch.device("cpu"), tmp_path / "curves")
    found = shown(tmp_path / "curves")
    assert found["loss/train"] == {step: pytest.approx(loss) for step, loss in outcome.losses}
    assert found["rate"] == {step: pytest.approx(rate(plan, step - 1)) for step in range(1, STEPS + 1)}
    assert sorted(found["loss/validation"]) == [5, 10, 15, 18]
    assert found["speed/steps/s"][STEPS] > 0


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from discobench.curves import drawn

    monkeypatch.chdir(tmp_path)
    with drawn(None, 0) as curves:
        curves.add(1, {"loss": 1.0})
    assert list(tmp_path.iterdir()) == []
