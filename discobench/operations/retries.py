"""How often a training job may be tried: until its attempts have had the hours that the forecast expects."""

from collections.abc import Iterable, Mapping
from math import inf

from discobench.config.selection import Bundle, Selection
from discobench.operations.forecast import Forecast
from discobench.operations.jobs import Resource
from discobench.operations.rates import Rates
from discobench.operations.sizes import Sizes

FAULTS = 3
"""Tries beside those that training needs, as the profile for Slurm gives every job."""
MOST = 1000
"""Attempts after which nobody waits any more."""


class Retries:
    """Retries of the rules that train. No data is looked at: sizes are those that the paper prints or a limit sets."""

    def __init__(self, run: Selection, rates: Rates) -> None:
        forecast = Forecast(run, rates, Sizes(run, rates, [], None))
        self._pretrain, self._finetune = list(forecast.pretrain()), list(forecast.finetune())

    def pretrain(self, runtime: Resource) -> int | None:
        """Those of the longest pretraining; see ``needed``."""
        return _most(needed(line.longest, runtime, {"checkpoint": line.what}) for line in self._pretrain)

    def finetune(self, bundle: Bundle, runtime: Resource) -> int | None:
        """Those of a bundle's job, or of the longest where a job trains one cell; see ``needed``."""
        own = [line for line in self._finetune if line.what == bundle.row] or self._finetune
        return _most(needed(line.longest, runtime, {"task": line.task, "row": line.what}) for line in own)


def needed(hours: float, runtime: Resource, wildcards: Mapping[str, str]) -> int | None:
    """Retries of a job of so many hours whose attempts may run ``runtime`` minutes; None where one attempt does."""
    attempts, left = 0, hours * 60
    while left > 0 and attempts < MOST:
        attempts += 1
        left -= runtime(wildcards, attempt=attempts) or inf
    return attempts - 1 + FAULTS if attempts > 1 else None


def _most(retries: Iterable[int | None]) -> int | None:
    return max(filter(None, retries), default=None)
