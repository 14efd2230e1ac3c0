"""Ranking within the room that a model has: the farthest sentences of a context go before anything else is cut."""

from collections.abc import Callable, Sequence

from discobench.corpus.sentences import sentences
from discobench.diagnose.ranking import examples
from discobench.diagnose.suite import Instance, kind
from discobench.formulations import Example, LogLikelihood
from discobench.tasks.base import Task

KEPT = {"passage": 4, "target": 0, "source": 1}
"""Sentences that stay, by where candidates stand: a passage is cut behind the changed one, which may do no harm."""
Scorer = Callable[[Sequence[Example]], Sequence[LogLikelihood]]


def fitted(score: Scorer, task: Task, suite: Sequence[Instance], sequence: str) -> list[LogLikelihood]:
    """The likelihoods of all candidates, by ``score``.

    Instances of which a candidate is cut are scored again without the sentence farthest from the
    changed one, all of their candidates alike, until nothing is cut or no context is left.
    """
    found: dict[str, LogLikelihood] = {}
    left, gone = list(suite), 0
    while left:
        likelihoods = score(examples(task, left, sequence))
        found |= {one.id: one for one in likelihoods}
        cut = {one.id.rpartition("#")[0] for one in likelihoods if one.cut}
        gone += 1
        shorter = [shortened(task, instance, gone) for instance in suite if instance["id"] in cut]
        left = [instance for instance in shorter if instance is not None]
    return list(found.values())


def shortened(task: Task, instance: Instance, gone: int) -> Instance | None:
    """The instance without ``gone`` sentences of its context, in source and target alike.

    None where no more than those of KEPT would be left.
    """
    spans, before = sentences(instance["context"], task.languages[0]), instance["target_context"] or []
    steps = len(before) or len(spans)
    if gone > steps - KEPT[kind(task)]:
        return None
    first = round(gone * len(spans) / steps)
    context = instance["context"][spans[first][0] :] if first < len(spans) else ""
    return {**instance, "context": context, "target_context": before[gone:] or None}
