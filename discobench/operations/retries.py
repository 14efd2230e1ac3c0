"""How often a training job may be tried: until its attempts have had the hours that the forecast expects."""

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
        self._pretrain = [line.longest for line in forecast.pretrain()]
        self._finetune = [(line.what, line.longest) for line in forecast.finetune()]

    def pretrain(self, runtime: Resource) -> int | None:
        """Those of the longest pretraining; see ``needed``."""
        return needed(max(self._pretrain, default=0.0), runtime)

    def finetune(self, bundle: Bundle, runtime: Resource) -> int | None:
        """Those of a bundle's job, or of the longest where a job trains one cell; see ``needed``."""
        own = [hours for row, hours in self._finetune if row == bundle.row]
        return needed(max(own or [hours for _, hours in self._finetune], default=0.0), runtime)


def needed(hours: float, runtime: Resource) -> int | None:
    """Retries of a job of so many hours whose attempts may run ``runtime`` minutes; None where one attempt does."""
    attempts, left = 0, hours * 60
    while left > 0 and attempts < MOST:
        attempts += 1
        left -= runtime(None, attempt=attempts)
    return attempts - 1 + FAULTS if attempts > 1 else None
