"""Ranking by models that give no probabilities: they are asked in words (paper, Table 18).

Where candidates stand in a passage, each is asked for by itself and the confidences are compared.
Elsewhere all candidates are shown at once, in an order drawn by seed and id, and the model names a number.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase
from typing import Any

from discobench.decode.cache import Answer
from discobench.diagnose.ranking import ASKED, by_type, outcome
from discobench.diagnose.suite import Instance, candidates, kind, named
from discobench.formulations import ChoiceExample, TextExample
from discobench.tasks.answers import bare, refuses
from discobench.tasks.base import Task, joined

NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?(?![A-Za-z0-9_])")
TOLD = re.compile(
    r"(?:number|no\.|text|candidate|option|answer|confidence|sure|translation|选项?|答案|编号|置信度|第)"
    r"(?:\W{0,3}(?:is|number|text|是|为|第))*\W{0,3}(\d+(?:\.\d+)?)(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
NUMERALS = re.compile(r"(?:第|选项?|答案(?:是|为)?)\s*([一二两三四五])")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about an instance: a prompt's fields, and the candidates in the order in which they are shown."""

    fields: Mapping[str, str]
    order: tuple[int, ...]


def questions(task: Task, instance: Instance, seed: int) -> list[Question]:
    """One question for each candidate of a passage, the correct one first; else one for all."""
    found = candidates(task, instance)
    if kind(task) == "passage":
        return [Question(_confidence(one), (n,)) for n, one in enumerate(found) if isinstance(one, ChoiceExample)]
    order = list(range(len(found)))
    Random(f"{seed}:{instance['id']}").shuffle(order)
    shown = [one for one in (found[n] for n in order) if isinstance(one, TextExample)]
    return [Question(_choice(task, shown), tuple(order))]


def _confidence(example: ChoiceExample) -> dict[str, str]:
    named = [f"{letter}. {text}" for letter, text in zip(ascii_uppercase, example.choices, strict=False)]
    answer = named[example.answer or 0]
    return {"passage": example.passage, "question": example.question, "choices": "\n".join(named), "answer": answer}


def _choice(task: Task, shown: Sequence[TextExample]) -> dict[str, str]:
    """A completion's candidates are whole texts; translations stand beside their source."""
    whole = kind(task) == "source"
    texts = [joined(task.languages[0], [one.source, str(one.target)] if whole else [str(one.target)]) for one in shown]
    listed = "\n".join(f"{n}. {text}" for n, text in enumerate(texts, start=1))
    return {"candidates": listed} if whole else {"source": shown[0].source, "candidates": listed}


def judged(task: Task, own: Sequence[Question], answers: Sequence[str]) -> str:
    """``correct``, ``tie``, ``wrong``, or ``unread`` where an answer holds no number that fits."""
    if kind(task) == "passage":
        given = [number(answer, 0, 100) for answer in answers]
        return "unread" if None in given else outcome([value for value in given if value is not None])
    chosen = number(answers[0], 1, len(own[0].order))
    if chosen is None or chosen != int(chosen):
        return "unread"
    return "correct" if own[0].order[int(chosen) - 1] == 0 else "wrong"


def statuses(task: Task, asked: Sequence[Sequence[Question]], answers: Sequence[Answer]) -> dict[str, int]:
    """How many answers there are of each kind; those without a number that fits are told apart by why."""
    most = [100 if kind(task) == "passage" else len(question.order) for own in asked for question in own]
    least = 0 if kind(task) == "passage" else 1
    read = (number(answer.text, least, limit) is not None for answer, limit in zip(answers, most, strict=True))
    found = [answer.kind(_status(answer, fits), False) for answer, fits in zip(answers, read, strict=True)]
    return dict(sorted(Counter(found).items()))


def _status(answer: Answer, fits: bool) -> str:
    if fits:
        return "ok"
    return "refused" if refuses(answer.text) else "unparsable" if answer.text.strip() else "empty"


def number(answer: str, least: float, most: float) -> float | None:
    """The number of an answer that is told as such, else the first, full-width digits too, if it lies within bounds."""
    text = unicodedata.normalize("NFKC", bare(answer))
    text = NUMERALS.sub(lambda found: f"第{'零一二三四五'.find(found[1].replace('两', '二'))}", text)
    found = TOLD.search(text) or NUMBER.search(text)
    value = float(found[found.lastindex or 0]) if found else None
    return value if value is not None and least <= value <= most else None


def signature(task: Task, seed: int, suite: Sequence[Instance]) -> str:
    """What was asked for, how it is counted, and on which instances."""
    asked = "confidence above every other" if kind(task) == "passage" else f"number of the best|shuffled:{seed}"
    return f"accuracy|{asked}|ties:wrong|interval:Wilson|{named(suite)}"


def ranked(
    task: Task,
    suite: Sequence[Instance],
    asked: Sequence[Sequence[Question]],
    answers: Sequence[str],
    how: str,
    decoding: str,
) -> dict[str, Any]:
    """As ``ranking.rank``, with one reading; ``answers`` are those to all questions in a row.

    ``decoding`` has the settings of the endpoint and the prompt, by which rows of one column may differ.
    """
    left = iter(answers)
    given = [[next(left) for _ in own] for own in asked]
    outcomes = [judged(task, own, texts) for own, texts in zip(asked, given, strict=True)]
    accuracies = by_type(suite, outcomes, how)
    return {
        "n": len(suite),
        "readings": {ASKED: {name: entry | {"decoding": decoding} for name, entry in accuracies.items()}},
        "instances": [
            {
                "id": instance["id"],
                "type": instance["type"],
                "answers": texts,
                "orders": [list(question.order) for question in own],
                "outcomes": {ASKED: result},
            }
            for instance, own, texts, result in zip(suite, asked, given, outcomes, strict=True)
        ],
    }
