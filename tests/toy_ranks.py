"""A small training run of two ranks as a program of its own: ``python -m tests.toy_ranks FOLDER [SIGNAL STEP]``."""

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from discobench import ranks
from discobench.batching import shared
from discobench.errors import DiscoError
from discobench.trainer import Outcome, Part, Plan, state_folder, train
from tests.toy_training import PLAN, digest

STEPS, ROWS, SIZE = 10, 7, 3
CPU = torch.device("cpu")


class Net(nn.Module):
    """Uses ``rare`` only where a row begins with a large number."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.2), nn.Tanh(), nn.Linear(16, 1))
        self.rare = nn.Linear(8, 1)
        self.never = nn.Linear(8, 1)

    def forward(self, rows: Tensor) -> Tensor:
        """One number a row."""
        found: Tensor = self.body(rows)
        return found + self.rare(rows) if bool(rows[0, 0] > 0) else found


class Toy:
    """Parts of a batch of uneven size; notes what each rank learns from."""

    def __init__(self, folder: Path, kill: tuple[int, int] | None) -> None:
        torch.manual_seed(1)
        self.model: nn.Module = Net()
        self.folder, self.kill = folder, kill

    def batch(self, step: int) -> Tensor:
        """Rows of a step; a signal for the parent first, where it is time for that."""
        if self.kill and step == self.kill[0] and ranks.rank() == 0:
            os.kill(os.getppid(), self.kill[1])
            time.sleep(1)  # it passes the signal on
        return torch.randn(ROWS, 8, generator=torch.Generator().manual_seed(step))

    def parts(self, batch: Tensor, least: int = 1) -> Sequence[Part]:
        """Groups of three rows and what is left."""
        groups = shared([list(range(n, min(ROWS, n + SIZE))) for n in range(0, ROWS, SIZE)], least)
        return [Part(batch[group], len(group) / ROWS, len(group)) for group in groups]

    def loss(self, batch: Tensor) -> Tensor:
        """Whether numbers sum to more than nothing."""
        if self.model.training:
            with (self.folder / "drawn").open("a", encoding="utf-8") as stream:
                stream.write(f"{float(batch.sum()):.6f}\n")
        return nn.functional.binary_cross_entropy_with_logits(
            self.model(batch).squeeze(-1), (batch.sum(-1) > 0).float()
        )

    def evaluate(self) -> dict[str, float] | None:
        """Loss of other rows."""
        return {"loss": float(self.loss(torch.randn(64, 8, generator=torch.Generator().manual_seed(999))))}


def learn(folder: Path, kill: tuple[int, int] | None) -> Outcome:
    """What each rank does."""
    toy = Toy(folder, kill)
    plan = Plan(steps=STEPS, keep_best=True, **PLAN)  # type: ignore[arg-type]
    outcome = train(toy, plan, state_folder(folder / "state", steps=STEPS), CPU)
    if ranks.rank() == 0:
        (folder / "weights").write_text(digest(toy.model), encoding="utf-8", newline="\n")
    return outcome


def start(count: int, folder: Path, kill: tuple[int, int] | None = None) -> Outcome:
    """Learn in ``count`` processes."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    return ranks.run(count, CPU, learn, folder, kill)  # type: ignore[no-any-return]


def fails(how: str) -> None:
    """Rank 1 fails while rank 0 waits for it."""
    if ranks.rank() == 1:
        if how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        raise DiscoError("rank 1 has had enough.")
    ranks.meet()


if __name__ == "__main__":
    wanted = sys.argv[2:]
    start(2, Path(sys.argv[1]), (int(wanted[1]), int(getattr(signal, wanted[0]))) if wanted else None)
