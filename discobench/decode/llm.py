"""Asking a model behind an OpenAI-compatible endpoint, once per question, whatever interrupts.

Each answer is kept as soon as it is there, under a digest of all that may change it; a second run
asks only what has no answer yet.
"""

import logging
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import Any

from discobench.decode.account import Account
from discobench.decode.cache import Answer, Answers
from discobench.decode.client import Asker
from discobench.decode.endpoint import Endpoint, Use, expected
from discobench.decode.prompts import Prompt
from discobench.files import fingerprint
from discobench.formulations import Prediction
from discobench.tasks.base import Record, Task

TOLD_EVERY = 30.0
"""Seconds between two words about how far it is."""


def decode(
    task: Task, records: Sequence[Record], prompt: Prompt, endpoint: Endpoint, account: Account, state: Path
) -> list[Prediction]:
    """Predictions for ``records``, in order; ``state`` and errors as ``answers`` has them."""
    given = answers([task.fields(record) for record in records], prompt, endpoint, account, state)
    how = {"model": endpoint.model} | settings(prompt, endpoint)
    return [_prediction(task, record, answer, how) for record, answer in zip(records, given, strict=True)]


def answers(
    fields: Sequence[Mapping[str, str]], prompt: Prompt, endpoint: Endpoint, account: Account, state: Path
) -> list[Answer]:
    """The answer to the prompt with each of ``fields``, in order; ``state`` is a folder that survives kills.

    Raises DiscoError when the key is missing, the endpoint does not answer or the budget is spent; what was answered
    stays.
    """
    questions = [prompt.render(own) for own in fields]
    digests = [_digest(question, prompt, endpoint) for question in questions]
    kept = Answers(state / "answers.jsonl")
    missing = {key: text for key, text in zip(digests, questions, strict=True) if key not in kept.known}
    if missing:
        asker = Asker(endpoint, prompt.max_tokens, account)
        logging.info("%s", _estimate(missing.values(), len(questions), prompt, endpoint, account))
        _ask_all(missing, asker, kept)
    found = [kept.known[key] for key in digests]
    if escaped := sum(answer.escaped > 0 for answer in found):
        logging.warning("%d answers of %s have halves of characters; they are escaped", escaped, endpoint.model)
    return found


def settings(prompt: Prompt, endpoint: Endpoint) -> dict[str, int | float | str]:
    """What an answer depends on beside the model and the question; no temperature and seed where none is sent."""
    chosen: dict[str, int | float | str] = {"prompt": prompt.version, "prompt_digest": prompt.digest}
    chosen["max_tokens"] = prompt.max_tokens
    drawn = {"temperature": endpoint.temperature, "seed": endpoint.seed}
    return chosen | {name: value for name, value in drawn.items() if value is not None}


def signature(prompt: Prompt, endpoint: Endpoint) -> str:
    """The settings as a part of a score's signature."""
    told = settings(prompt, endpoint).items()
    return "|".join(f"{name}:{value if isinstance(value, str) else format(value, 'g')}" for name, value in told)


def taken(predictions: Sequence[Prediction], endpoint: Endpoint) -> dict[str, Any]:
    """What answers took whenever they were given: tokens, money where there is a price, and how many nobody counted.

    Beside that, where there are any, the names that servers gave the model, and in how many answers halves of
    characters are escaped.
    """
    told = [own.details or {} for own in predictions]
    use = Use(*(sum(int(details.get(name, 0)) for details in told) for name in ("input", "output")))
    uncounted = sum("input" not in details for details in told)
    found = {"model": endpoint.model, "input": use.input, "output": use.output, "uncounted": uncounted}
    served = ", ".join(sorted({str(details["served"]) for details in told if "served" in details}))
    escaped = sum("escaped" in details for details in told)
    found |= {name: value for name, value in (("served", served), ("escaped", escaped)) if value}
    return found | ({"money": round(endpoint.money(use), 6)} if endpoint.priced else {})


def _digest(question: str, prompt: Prompt, endpoint: Endpoint) -> str:
    where = {"model": endpoint.model, "base_url": endpoint.base_url}
    return fingerprint({"question": question} | settings(prompt, endpoint) | where)


def _estimate(missing: Collection[str], total: int, prompt: Prompt, endpoint: Endpoint, account: Account) -> str:
    """What the questions that are left will take, told before the first of them."""
    use = sum((expected(question, prompt.max_tokens) for question in missing), Use())
    cost = f", at most {endpoint.money(use):,.4g} in money" if endpoint.priced else ""
    left = f"; of the budget {account.left()}" if account.left() else ""
    return (
        f"asking {endpoint.model} {len(missing)} of {total} questions: about {use.input:,} tokens, and at most "
        f"{use.output:,} of answers{cost}{left}"
    )


def _ask_all(missing: Mapping[str, str], asker: Asker, kept: Answers) -> None:
    """Each thread keeps its answer: whatever ends the batch, no question begins then, and what is under way is kept."""
    left, running, told = iter(missing.items()), set[Future[None]](), Told(len(missing))
    with ThreadPoolExecutor(asker.endpoint.concurrency) as pool:
        try:
            while True:
                some = islice(left, asker.endpoint.concurrency - len(running))
                running |= {pool.submit(_answered, asker, kept, key, question) for key, question in some}
                if not running:
                    break
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                    told.one()
        finally:
            asker.stop.set()


def _answered(asker: Asker, kept: Answers, key: str, question: str) -> None:
    kept.add(key, asker.ask(question))


class Told:
    """Says now and then how many questions are answered and how long the rest may take."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0
        self.begun = self.last = time.monotonic()

    def one(self) -> None:
        """One more is answered."""
        self.done, now = self.done + 1, time.monotonic()
        if now - self.last >= TOLD_EVERY or self.done == self.total:
            rest = (now - self.begun) / self.done * (self.total - self.done)
            logging.info("%d of %d answered, about %.0f s to go", self.done, self.total, rest)
            self.last = now


def _prediction(task: Task, record: Record, answer: Answer, how: Mapping[str, Any]) -> Prediction:
    value, status = task.parse(answer.text if answer.status == "ok" else "", record)
    status = answer.kind(status, whole=task.formulation == "text")
    counted = {} if answer.input is None else {"input": answer.input, "output": answer.output or 0}
    own: dict[str, Any] = {"served": answer.model, "escaped": answer.escaped}
    details = {"answer": answer.text, "finish": answer.finish} | {name: given for name, given in own.items() if given}
    return Prediction(record["id"], value, status, {**details, **counted, **how})
