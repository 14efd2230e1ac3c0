"""Ranking: how often the correct candidate is more probable than every incorrect one."""

from collections.abc import Sequence
from math import isclose
from statistics import fmean
from typing import Any

from discobench.diagnose.suite import TYPES, Instance, candidates, kind, named
from discobench.errors import DiscoError
from discobench.formulations import Example, LogLikelihood
from discobench.tasks.base import Task

TIE = 1e-4
"""Natural logarithms of a whole answer; more than what the same candidate differs by from batch to batch."""
RELATIVE_TIE = 1e-6
"""The same as a share of a log-probability: what is summed over many tokens differs by more."""
READINGS = ("sum", "mean")
"""Log-probability of the whole answer, or per token; the paper does not say which."""
ASKED = "asked"
"""The reading of rows that have no probabilities, and answer in words."""


def readings(task: Task) -> tuple[str, ...]:
    """How the likelihoods of a task's candidates may be read: that of a choice is of one decision, without length."""
    return READINGS[:1] if kind(task) == "passage" else READINGS


def signature(task: Task, sequence: str, suite: Sequence[Instance]) -> str:
    """What is compared, what of it is forced, how it is counted, and on which instances."""
    forced = {"passage": "answer", "target": "target", "source": sequence}[kind(task)]
    how = f"log-probability of {forced}|correct above every incorrect candidate|ties:wrong|interval:Wilson"
    return f"accuracy|{how}|{named(suite)}"


def examples(task: Task, suite: Sequence[Instance], sequence: str = "whole") -> list[Example]:
    """The candidates of all instances in a row, to be scored at once."""
    return [example for instance in suite for example in candidates(task, instance, sequence)]


def rank(
    suite: Sequence[Instance], likelihoods: Sequence[LogLikelihood], how: str, read: Sequence[str] = READINGS
) -> dict[str, Any]:
    """Accuracies by each reading of ``read`` and type, and every candidate's scores and outcomes.

    ``how`` and the reading sign an accuracy. ``cut`` counts instances that the model has no room for even without
    context. ``likelihoods`` are those of ``examples``, in any order. Raises DiscoError when they are not.
    """
    scored = _by_instance(suite, likelihoods)
    found = {reading: [_outcome(own, reading) for own in scored] for reading in read}
    return {
        "n": len(suite),
        "cut": sum(any(one.cut for one in own) for own in scored),
        "readings": {
            reading: by_type(suite, outcomes, f"{how}|reading:{reading}") for reading, outcomes in found.items()
        },
        "instances": [
            _instance(instance, own) | {"outcomes": {reading: found[reading][n] for reading in read}}
            for n, (instance, own) in enumerate(zip(suite, scored, strict=True))
        ],
    }


def _by_instance(suite: Sequence[Instance], likelihoods: Sequence[LogLikelihood]) -> list[list[LogLikelihood]]:
    found = {likelihood.id: likelihood for likelihood in likelihoods}
    names = [[f"{instance['id']}#{n}" for n in range(size(instance))] for instance in suite]
    missing = [name for own in names for name in own if name not in found]
    if missing or len(found) != len(likelihoods):
        raise DiscoError(f"The model scored {len(found)} candidates and left out {missing[:3]}; rank again.")
    return [[found[name] for name in own] for own in names]


def size(instance: Instance) -> int:
    """Number of candidates."""
    return 1 + len(instance["incorrect"])


def by_type(suite: Sequence[Instance], outcomes: Sequence[str], how: str) -> dict[str, Any]:
    """``accuracy`` of all instances and of each type that the suite has; ``outcomes`` in its order."""
    pairs = list(zip(suite, outcomes, strict=True))
    own = {name: [pair for pair in pairs if name in ("overall", pair[0]["type"])] for name in ("overall", *TYPES)}
    return {name: accuracy(some, how) for name, some in own.items() if some}


def score(likelihood: LogLikelihood, reading: str) -> float:
    """Total log-probability (``sum``) or per token (``mean``)."""
    return likelihood.total if reading == "sum" else likelihood.total / max(likelihood.tokens, 1)


def _outcome(own: Sequence[LogLikelihood], reading: str) -> str:
    """``outcome`` of an instance's candidates: per token, a tie is as narrow as for the shortest answer as a whole."""
    tokens = 1 if reading == "sum" else max(min(one.tokens for one in own), 1)
    return outcome([score(one, reading) for one in own], TIE / tokens)


def outcome(scores: Sequence[float], width: float = TIE) -> str:
    """``correct``, ``tie`` or ``wrong``; the first score is the correct candidate's.

    Scores that differ by no more than batches make the same tokens differ are a tie: by ``width``, or by
    RELATIVE_TIE of the larger where that is more.
    """
    best = max(scores[1:])
    if isclose(scores[0], best, rel_tol=RELATIVE_TIE, abs_tol=width):
        return "tie"
    return "correct" if scores[0] > best else "wrong"


def accuracy(pairs: Sequence[tuple[Instance, str]], how: str) -> dict[str, Any]:
    """Share of correct rankings in per cent with its Wilson interval; ties are not correct, and counted apart.

    ``chance`` is what drawing a candidate of each instance gets, in per cent.
    """
    outcomes = [outcome for _, outcome in pairs]
    correct, n = outcomes.count("correct"), len(outcomes)
    low, high = wilson(correct, n)
    return {
        "signature": how,
        "accuracy": 100 * correct / n,
        "ci95": [100 * low, 100 * high],
        "chance": 100 * fmean(1 / size(instance) for instance, _ in pairs),
        "correct": correct,
        "n": n,
        "ties": outcomes.count("tie"),
        "unread": outcomes.count("unread"),
    }


def wilson(successes: int, n: int) -> tuple[float, float]:
    """95 % score interval of a share (Wilson 1927, without correction for continuity), bounds in 0-1."""
    from scipy.stats import binomtest

    interval = binomtest(successes, n).proportion_ci(method="wilson")
    share = successes / n
    return max(0.0, min(share, float(interval.low))), min(1.0, max(share, float(interval.high)))


def _instance(instance: Instance, own: Sequence[LogLikelihood]) -> dict[str, Any]:
    scores = [{"total": likelihood.total, "tokens": likelihood.tokens} for likelihood in own]
    return {"id": instance["id"], "type": instance["type"], "correct": scores[0], "incorrect": scores[1:]}
