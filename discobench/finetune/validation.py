"""What checkpoints are compared by beside the loss: a metric of a task, on answers to validation examples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discobench.decode.predictions import line
from discobench.models.base import Decoding, Learner
from discobench.score.items import join
from discobench.score.measure import Additive, Options
from discobench.score.registry import MEASURES
from discobench.tasks.base import Record, Task


@dataclass(frozen=True)
class Answers:
    """Records to answer, and the metric of the task that the answers get: more is better."""

    task: Task
    records: Sequence[Record]
    metric: str
    decoding: Decoding

    def measured(self, learner: Learner) -> dict[str, float]:
        """The metric by its name, as the stage ``score`` computes it."""
        found = learner.predict([self.task.example(record) for record in self.records], self.decoding)
        items = join(self.task, self.records, map(line, found), "validation")
        measure = MEASURES[self.task.formulation, self.metric]
        assert isinstance(measure, Additive)
        counts = measure.count(items, Options(self.task.languages[1], bootstrap=0, seed=0))
        return {self.metric: measure.value(counts.table.sum(axis=0))}


def answers(
    task: Task, valid: Sequence[Record], training: Mapping[str, Any], how: Mapping[str, Any], seed: int
) -> Answers | None:
    """Greedy answers to ``best_of`` records, evenly spread; None where the loss decides.

    ``training`` has the fields of config.training.Tuning, ``how`` those of Decoding that answers depend on. None also
    where there is nothing to answer.
    """
    by, count = training["best_by"], min(training["best_of"], len(valid))
    if by == "loss" or not count:
        return None
    chosen = [valid[n * len(valid) // count] for n in range(count)]
    return Answers(task, chosen, by, Decoding(beam=1, seed=seed, **how))
