"""Ranking: how often the correct candidate is more probable than every incorrect one."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from discobench.diagnose.suite import TYPES, Instance, candidates
from discobench.errors import DiscoError
from discobench.formulations import Example, LogLikelihood
from discobench.tasks.base import Task

READINGS = ("sum", "mean")
"""Log-probability of the whole answer, or per token; the paper does not say which."""

SIGNATURE = "accuracy|correct above every incorrect candidate|ties:wrong|interval:Wilson"

Z = 1.959963984540054
"""97.5 % point of the normal distribution."""


def examples(task: Task, suite: Sequence[Instance]) -> list[Example]:
    """The candidates of all instances in a row, to be scored at once."""
    return [example for instance in suite for example in candidates(task, instance)]


def rank(suite: Sequence[Instance], likelihoods: Sequence[LogLikelihood]) -> dict[str, Any]:
    """Accuracies by reading and type, and the scores of every candidate.

    ``likelihoods`` are those of ``examples``, in its order. Raises DiscoError when they are not.
    """
    scored = _by_instance(suite, likelihoods)
    return {
        "n": len(suite),
        "readings": {reading: _by_type(suite, scored, reading) for reading in READINGS},
        "instances": [_instance(instance, own) for instance, own in zip(suite, scored, strict=True)],
    }


def _by_instance(suite: Sequence[Instance], likelihoods: Sequence[LogLikelihood]) -> list[list[LogLikelihood]]:
    found = {likelihood.id: likelihood for likelihood in likelihoods}
    names = [[f"{instance['id']}#{n}" for n in range(1 + len(instance["incorrect"]))] for instance in suite]
    missing = [name for own in names for name in own if name not in found]
    if missing or len(found) != len(likelihoods):
        raise DiscoError(f"The model scored {len(found)} candidates and left out {missing[:3]}; rank again.")
    return [[found[name] for name in own] for own in names]


def _by_type(suite: Sequence[Instance], scored: Sequence[list[LogLikelihood]], reading: str) -> dict[str, Any]:
    outcomes: dict[str, list[str]] = {name: [] for name in ("overall", *TYPES)}
    for instance, own in zip(suite, scored, strict=True):
        result = outcome([score(likelihood, reading) for likelihood in own])
        outcomes["overall"].append(result)
        outcomes[instance["type"]].append(result)
    return {name: accuracy(results) for name, results in outcomes.items() if results}


def score(likelihood: LogLikelihood, reading: str) -> float:
    """Total log-probability (``sum``) or per token (``mean``)."""
    return likelihood.total if reading == "sum" else likelihood.total / max(likelihood.tokens, 1)


def outcome(scores: Sequence[float]) -> str:
    """``correct``, ``tie`` or ``wrong``; the first score is the correct candidate's."""
    best = max(scores[1:])
    return "correct" if scores[0] > best else "tie" if scores[0] == best else "wrong"


def accuracy(outcomes: Sequence[str]) -> dict[str, Any]:
    """Share of correct rankings in per cent with its Wilson interval; ties are not correct."""
    correct, n = outcomes.count("correct"), len(outcomes)
    low, high = wilson(correct, n)
    return {
        "signature": SIGNATURE,
        "accuracy": 100 * correct / n,
        "ci95": [100 * low, 100 * high],
        "correct": correct,
        "n": n,
        "ties": outcomes.count("tie"),
    }


def wilson(successes: int, n: int) -> tuple[float, float]:
    """95 % score interval of a share (Wilson 1927), bounds in 0-1."""
    share = successes / n
    centre = share + Z**2 / (2 * n)
    margin = Z * sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    scale = 1 + Z**2 / n
    return max(0.0, min(share, (centre - margin) / scale)), min(1.0, max(share, (centre + margin) / scale))


def _instance(instance: Instance, own: Sequence[LogLikelihood]) -> Mapping[str, Any]:
    scores = [{"total": likelihood.total, "tokens": likelihood.tokens} for likelihood in own]
    return {"id": instance["id"], "type": instance["type"], "correct": scores[0], "incorrect": scores[1:]}
