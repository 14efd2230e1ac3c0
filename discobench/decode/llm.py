"""Asking a model behind an OpenAI-compatible endpoint, once per question, whatever interrupts.

Each answer is kept as soon as it is there, under a digest of all that may change it; a second run
asks only what has no answer yet. The key lives in the environment: it is neither written nor logged.
"""

import json
import logging
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import openai
from openai import OpenAI
from openai.types.chat import ChatCompletion

from discobench.decode.prompts import Prompt
from discobench.errors import DiscoError
from discobench.files import fingerprint, open_text
from discobench.formulations import Prediction
from discobench.tasks.base import Record, Task

FIRST_PAUSE = 0.5
"""Seconds before a garbled reply is asked for again; doubled each time."""
LONGEST_PAUSE = 8.0
SHORTEST_SECRET = 12
"""Characters of a key that is worth hiding."""


@dataclass(frozen=True)
class Endpoint:
    """Which model is asked where, and how; ``timeout`` in seconds, ``workers`` questions at a time."""

    model: str
    base_url: str
    key_variable: str
    temperature: float = 0.0
    seed: int | None = None
    timeout: float = 60.0
    retries: int = 5
    workers: int = 1


@dataclass(frozen=True)
class Answer:
    """What came back: ``status`` is ok, empty, refused or too_long (the question, for the model).

    ``finish`` is the server's reason to stop: ``length`` where ``max_tokens`` cut the answer.
    """

    text: str
    status: str
    finish: str = ""


class Answers:
    """Answers by digest, one JSON object a line, appended as they come."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
        if lines[-1]:
            os.truncate(path, path.stat().st_size - len(lines[-1]))
        rows = [json.loads(line) for line in lines[:-1]]
        self.known = {row.pop("key"): Answer(**row) for row in rows}

    def add(self, key: str, answer: Answer) -> None:
        """Keep an answer, on disk before anything else is asked."""
        with open_text(self.path, "a") as stream:
            stream.write(json.dumps({"key": key} | asdict(answer), ensure_ascii=False) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        self.known[key] = answer


def decode(task: Task, records: Sequence[Record], prompt: Prompt, endpoint: Endpoint, state: Path) -> list[Prediction]:
    """Predictions for ``records``, in order; ``state`` and errors as ``answers`` has them."""
    given = answers([task.fields(record) for record in records], prompt, endpoint, state)
    how = {"model": endpoint.model} | settings(prompt, endpoint)
    return [_prediction(task, record, answer, how) for record, answer in zip(records, given, strict=True)]


def answers(fields: Sequence[Mapping[str, str]], prompt: Prompt, endpoint: Endpoint, state: Path) -> list[Answer]:
    """The answer to the prompt with each of ``fields``, in order; ``state`` is a folder that survives kills.

    Raises DiscoError when the key is missing or the endpoint does not answer; what was answered stays.
    """
    questions = [prompt.render(own) for own in fields]
    digests = [_digest(question, prompt, endpoint) for question in questions]
    kept = Answers(state / "answers.jsonl")
    missing = {key: text for key, text in zip(digests, questions, strict=True) if key not in kept.known}
    if missing:
        logging.info("asking %s %d questions; %d are answered", endpoint.model, len(missing), len(kept.known))
        _ask_all(missing, prompt, endpoint, kept)
    return [kept.known[key] for key in digests]


def settings(prompt: Prompt, endpoint: Endpoint) -> dict[str, int | float]:
    """What an answer depends on beside the model and the question; no ``seed`` where none is sent."""
    chosen = {"prompt": prompt.version, "max_tokens": prompt.max_tokens, "temperature": endpoint.temperature}
    return chosen if endpoint.seed is None else chosen | {"seed": endpoint.seed}


def signature(prompt: Prompt, endpoint: Endpoint) -> str:
    """The settings as a part of a score's signature."""
    return "|".join(f"{name}:{value:g}" for name, value in settings(prompt, endpoint).items())


def _digest(question: str, prompt: Prompt, endpoint: Endpoint) -> str:
    where = {"model": endpoint.model, "base_url": endpoint.base_url}
    return fingerprint({"question": question} | settings(prompt, endpoint) | where)


def _ask_all(missing: Mapping[str, str], prompt: Prompt, endpoint: Endpoint, answers: Answers) -> None:
    asker = Asker(endpoint, prompt.max_tokens)
    with ThreadPoolExecutor(endpoint.workers) as pool:
        for some in _portions(missing.items(), endpoint.workers):
            for (key, _), answer in zip(some, pool.map(asker.ask, [text for _, text in some]), strict=True):
                answers.add(key, answer)


def _portions(items: Iterable[tuple[str, str]], size: int) -> Iterator[list[tuple[str, str]]]:
    """Few at a time, so that a failure does not wait for every question that is left."""
    stream = iter(items)
    while portion := list(islice(stream, size)):
        yield portion


def _prediction(task: Task, record: Record, answer: Answer, how: Mapping[str, Any]) -> Prediction:
    value, status = task.parse(answer.text, record)
    status = status if answer.status == "ok" else answer.status
    return Prediction(record["id"], value, status, {"answer": answer.text, "finish": answer.finish, **how})


class Asker:
    """One client. Rate limits, time-outs and faults of the server are retried by the client itself,
    which doubles its pauses and obeys ``Retry-After`` up to two minutes.
    """

    def __init__(self, endpoint: Endpoint, max_tokens: int) -> None:
        self.endpoint, self.max_tokens = endpoint, max_tokens
        self.key = os.environ.get(endpoint.key_variable, "")
        if not self.key:
            raise DiscoError(
                f"environment variable {endpoint.key_variable} (api.key_variable) is not set; "
                "export the key of your endpoint or leave the rows of group llm out of run.rows."
            )
        self.client = OpenAI(
            api_key=self.key, base_url=endpoint.base_url, timeout=endpoint.timeout, max_retries=endpoint.retries
        )

    def ask(self, question: str) -> Answer:
        """The answer to one question; replies that are no chat completion are asked for again."""
        for attempt in range(self.endpoint.retries + 1):
            try:
                return self._answer(self._complete(question))
            except openai.BadRequestError as error:
                if error.code == "context_length_exceeded":
                    return Answer("", "too_long")
                raise self._failure(error) from None
            except (openai.APIStatusError, openai.APIConnectionError) as error:
                raise self._failure(error) from None
            except (openai.APIError, Garbled, ValueError):
                time.sleep(min(FIRST_PAUSE * 2**attempt, LONGEST_PAUSE))
        raise self._failure(Garbled())

    def _complete(self, question: str) -> Any:
        return self.client.chat.completions.create(
            model=self.endpoint.model,
            messages=[{"role": "user", "content": question}],
            temperature=self.endpoint.temperature,
            max_tokens=self.max_tokens,
            seed=openai.omit if self.endpoint.seed is None else self.endpoint.seed,
        )

    def _answer(self, reply: Any) -> Answer:
        if not isinstance(reply, ChatCompletion) or not reply.choices or not reply.choices[0].message:
            raise Garbled
        choice = reply.choices[0]
        finish = choice.finish_reason or ""
        text = self._without_key(choice.message.refusal or choice.message.content or "")
        if choice.message.refusal or choice.finish_reason == "content_filter":
            return Answer(text, "refused", finish)
        return Answer(text, "ok" if text.strip() else "empty", finish)

    def _without_key(self, text: str) -> str:
        """Short keys are placeholders of local servers, and may be words of an honest answer."""
        return text.replace(self.key, "[key]") if len(self.key) >= SHORTEST_SECRET else text

    def _failure(self, error: Exception) -> DiscoError:
        """Says what happened without the server's own words, which may repeat the key."""
        status = getattr(error, "status_code", None)
        kind = f"status {status}" if status else type(error).__name__
        return DiscoError(
            f"{self.endpoint.base_url} gave {kind} for model {self.endpoint.model} after up to "
            f"{self.endpoint.retries} retries; answers so far are kept: check api.base_url, the model's name and "
            f"{self.endpoint.key_variable}, then run the same command again."
        )


class Garbled(Exception):
    """A reply with status 200 that is no chat completion."""
