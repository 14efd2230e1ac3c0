"""Promises of the trainer: a killed run continues and ends where an undisturbed one does."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError

pytestmark = [pytest.mark.torch, pytest.mark.slow]
ROOT = Path(__file__).parents[1]
STEPS = 18


@pytest.fixture(scope="module")
def toys() -> Any:
    pytest.importorskip("torch")
    from tests import toy_training

    return toy_training


@pytest.fixture(scope="module")
def undisturbed(toys: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    toy = toys.Toy(toys.model())
    toys.run(toy, tmp_path_factory.mktemp("state"), STEPS)
    return str(toys.digest(toy.model))


def start(folder: Path, *kill: str) -> int:
    """Start the toy in a process of its own; returns its exit status."""
    command = [sys.executable, "-m", "tests.toy_training", str(folder / "state"), str(folder / "out"), str(STEPS)]
    return subprocess.run([*command, *kill], cwd=ROOT, check=False, timeout=60).returncode


def steps(folder: Path, where: str = "state/*/step-*") -> list[int]:
    return sorted(int(path.name.removeprefix("step-")) for path in folder.glob(where))


@pytest.mark.parametrize(("by", "status"), [("SIGTERM", 143), ("SIGKILL", -9)])
def test_killed_run_ends_with_the_same_weights(tmp_path: Path, undisturbed: str, by: str, status: int) -> None:
    for step in (2, 9, 16):
        assert start(tmp_path, by, str(step)) == status
    assert start(tmp_path) == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == undisturbed
    assert len(steps(tmp_path)) == 2


@pytest.mark.parametrize("victim", ["model.safetensors", "optimizer.pt", "progress.json"])
@pytest.mark.parametrize("size", [0, 20])
def test_broken_last_checkpoint_falls_back(tmp_path: Path, toys: Any, undisturbed: str, victim: str, size: int) -> None:
    with pytest.raises(SystemExit) as ended:
        toys.run(toys.Toy(toys.model(), kill_at=9), tmp_path / "state", STEPS)
    assert ended.value.code == 143
    assert steps(tmp_path) == [8, 10]
    path = next(tmp_path.glob(f"state/*/step-*10/{victim}"))
    path.write_bytes(path.read_bytes()[:size])
    toy = toys.Toy(toys.model())
    toys.run(toy, tmp_path / "state", STEPS)
    assert toys.digest(toy.model) == undisturbed


def test_best_is_kept_even_when_it_is_older_than_the_last_two(tmp_path: Path, toys: Any) -> None:
    toy = toys.Toy(toys.model())
    values = iter([0.5, 0.1, 0.9, 0.8, 0.7])
    seen = {}

    def evaluate() -> dict[str, float]:
        value = next(values)
        seen[value] = toys.digest(toy.model)
        return {"loss": value}

    toy.evaluate = evaluate
    outcome = toys.run(toy, tmp_path, 25, keep_best=True, save_every=1)
    assert (outcome.best_step, outcome.best) == (10, {"loss": 0.1})
    assert toys.digest(toy.model) == seen[0.1]
    assert [path.name for path in tmp_path.glob("*/best-*")] == ["best-000000010"]
    again = toys.Toy(toys.model())
    assert toys.run(again, tmp_path, 25, keep_best=True, save_every=1) == outcome
    assert toys.digest(again.model) == seen[0.1]


def test_interrupted_run_keeps_its_best(tmp_path: Path, toys: Any) -> None:
    whole, killed, resumed = (toys.Toy(toys.model()) for _ in range(3))
    expected = toys.run(whole, tmp_path / "a", STEPS, keep_best=True)
    killed.kill_at = 12
    with pytest.raises(SystemExit):
        toys.run(killed, tmp_path / "b", STEPS, keep_best=True)
    assert toys.run(resumed, tmp_path / "b", STEPS, keep_best=True) == expected
    assert toys.digest(resumed.model) == toys.digest(whole.model)


def test_a_run_that_goes_on_says_when_its_first_step_was_done(
    tmp_path: Path, toys: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    with pytest.raises(SystemExit):
        toys.run(toys.Toy(toys.model(), kill_at=9), tmp_path, STEPS)
    assert "seconds after the process began" not in caplog.text
    toys.run(toys.Toy(toys.model()), tmp_path, STEPS)
    lines = [record.getMessage() for record in caplog.records]
    place = next(n for n, line in enumerate(lines) if line.startswith("continuing from step 10"))
    told = [float(line.split()[7]) for line in lines[place:] if line.endswith("seconds after the process began")]
    assert len(told) == 1
    assert told[0] > 0


@pytest.mark.parametrize("due", ["under way", "due"])
def test_an_evaluation_gives_way_to_the_end_and_comes_first_in_the_next_run(
    tmp_path: Path, toys: Any, due: str
) -> None:
    """SIGTERM while step 10 is evaluated, or during the step before that."""

    class Watched(toys.Toy):  # type: ignore[misc,name-defined]
        evaluated, killed = 0, due == "due"

        def evaluate(self) -> Any:
            self.evaluated += 1
            if self.evaluated == 2 and not self.killed:
                os.kill(os.getpid(), signal.SIGTERM)
            return super().evaluate()

    whole, first, second = (Watched(toys.model()) for _ in range(3))
    whole.killed = second.killed = True
    expected = toys.run(whole, tmp_path / "a", STEPS, keep_best=True)
    first.kill_at = 9 if due == "due" else None
    with pytest.raises(SystemExit) as ended:
        toys.run(first, tmp_path / "b", STEPS, keep_best=True)
    assert ended.value.code == 143
    assert steps(tmp_path / "b", "*/step-*")[-1] == 10
    assert toys.run(second, tmp_path / "b", STEPS, keep_best=True) == expected
    assert [entry["step"] for entry in expected.evaluations] == [5, 10, 15, 18]
    assert second.evaluated == 3
    assert toys.digest(second.model) == toys.digest(whole.model)


def test_no_validation_means_final_weights(tmp_path: Path, toys: Any, undisturbed: str) -> None:
    toy = toys.Toy(toys.model(), values=None)
    outcome = toys.run(toy, tmp_path, STEPS, keep_best=True)
    assert outcome.best_step is None
    assert toys.digest(toy.model) == undisturbed


def test_a_state_in_use_is_refused_and_a_dead_holder_is_not(
    tmp_path: Path, toys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discobench import checkpoints

    monkeypatch.setattr(checkpoints, "PATIENCE", 0.1)
    code = f"""
import sys, time
from pathlib import Path
from discobench.checkpoints import held
with held(Path({str(tmp_path)!r})):
    print("held", flush=True)
    time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    assert holder.stdout and holder.stdout.readline() == b"held\n"
    with pytest.raises(DiscoError, match="in use by"), checkpoints.held(tmp_path):
        pass
    holder.kill()
    holder.wait()
    with checkpoints.held(tmp_path):
        pass


def test_other_identity_is_another_run(tmp_path: Path) -> None:
    from discobench.trainer import state_folder

    one = state_folder(tmp_path, rate=0.1, data="a")
    assert state_folder(tmp_path, data="a", rate=0.1) == one
    assert state_folder(tmp_path, data="a", rate=0.2) != one


@pytest.mark.parametrize(("schedule", "last"), [("linear", 0.1), ("constant", 1.0), ("inverse_sqrt", 0.5)])
def test_schedules(toys: Any, schedule: str, last: float) -> None:
    from discobench.trainer import Plan, rate

    changes = {"schedule": schedule, "learning_rate": 1.0, "warmup": 10}
    plan = Plan(steps=40, keep_best=False, **(toys.PLAN | changes))
    assert [rate(plan, step) for step in (0, 4)] == pytest.approx([0.1, 0.5])
    assert max(rate(plan, step) for step in range(40)) == pytest.approx(1.0)
    assert rate(plan, 39 if schedule != "linear" else 37) == pytest.approx(last)


def test_parts_add_up_to_the_batch(tmp_path: Path, toys: Any, undisturbed: str) -> None:
    from discobench.trainer import Part

    class Cut(toys.Toy):  # type: ignore[misc,name-defined]
        def parts(self, batch: Any, least: int = 1) -> list[Part]:
            return [Part(batch[:4], 0.25, 4), Part(batch[4:], 0.75, 12)]

    cut, plain = Cut(toys.model()), toys.Toy(toys.model())
    for toy in (cut, plain):
        toy.model.eval = toy.model.train = lambda *_: None
        for module in toy.model:
            module.eval()
    losses = [toys.run(toy, tmp_path / str(n), STEPS).losses for n, toy in enumerate((cut, plain))]
    assert [loss for _, loss in losses[0]] == pytest.approx([loss for _, loss in losses[1]], rel=1e-4)


def test_a_loss_that_is_not_finite_stops_the_run(tmp_path: Path, toys: Any) -> None:
    toy = toys.Toy(toys.model())
    toy.loss = lambda batch: toy.model(batch).sum() * float("nan")
    with pytest.raises(DiscoError, match="loss of step 0 is nan"):
        toys.run(toy, tmp_path, STEPS)
