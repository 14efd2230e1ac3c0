"""A pretraining that ends itself once, for processes that are started by the name of a function."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from discobench import ranks
from discobench.pretrain import program


class Killed(program.Pretraining):
    """Has the first rank's parent ended while parts of a step are made, the first time that this step comes."""

    step, note = -1, Path()

    def share(self, step: int, rank: int, world: int) -> Any:
        """As ever."""
        if step == self.step and rank == 0 and not self.note.exists():
            self.note.touch()
            os.kill(os.getppid() if ranks.world() > 1 else os.getpid(), signal.SIGTERM)
            time.sleep(0.5)  # it passes the signal on
        return super().share(step, rank, world)


def run(step: int, note: Path, *arguments: Any) -> Any:
    """Continued pretraining that is killed at ``step``."""
    Killed.step, Killed.note = step, note
    program.Pretraining = Killed  # type: ignore[misc]
    return program.continue_pretraining(*arguments)
