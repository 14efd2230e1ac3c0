"""One question to an endpoint, asked again while that may help.

Faults of the server, rate limits, time-outs and replies that are no answer are asked for again after pauses that
double, with a jitter that follows from the question, so that questions do not come back all at once. What a server
asks to wait (``Retry-After``) all jobs of the run wait. The key is neither written nor logged.
"""

import os
import re
import time
from collections.abc import Callable
from dataclasses import replace
from email.utils import parsedate_to_datetime
from random import Random
from threading import Event
from typing import Any

import openai
from openai import OpenAI
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, stop_when_event_set

from discobench.decode import replies
from discobench.decode.account import Account
from discobench.decode.cache import Answer
from discobench.decode.endpoint import Endpoint, Use, expected, most
from discobench.decode.refusals import final, passing, told
from discobench.decode.timing import timed
from discobench.errors import DiscoError, FinalError

FIRST_PAUSE = 0.5
"""Seconds before a question is asked for the second time; doubled each time."""
LONGEST_PAUSE = 60.0
LONGEST_WISH = 600.0
"""Seconds that a server may ask to wait; a longer wish ends the run, which can go on another day."""
UNTOLD = (502, 504)
"""Statuses by which a proxy says that it has no answer: the server behind it may have given one, and counted it."""
SHORTEST_SECRET = 12
"""Characters of a key that is worth hiding."""


class Again(Exception):
    """Asking once more may help; ``wish`` is how many seconds the server asks to wait, if it does."""

    def __init__(self, kind: str, wish: float | None = None) -> None:
        super().__init__(kind)
        self.wish = wish


class Asker:
    """A client for many threads. After ``stop`` is set nobody tries again."""

    def __init__(self, endpoint: Endpoint, max_tokens: int, account: Account) -> None:
        self.endpoint, self.max_tokens, self.account = endpoint, max_tokens, account
        self.stop = Event()
        self.key = os.environ.get(endpoint.key_variable, "").strip()
        if not self.key:
            raise FinalError(
                f"environment variable {endpoint.key_variable} (api.key_variable) is not set or empty; "
                "export the key of your endpoint or leave the rows of group llm out of run.rows."
            )
        if not (self.key.isascii() and self.key.isprintable()):
            raise FinalError(
                f"environment variable {endpoint.key_variable} (api.key_variable) has a character that is not "
                "printable ASCII, which no request can carry; export the key as its maker gave it."
            )
        self.client = OpenAI(
            api_key=self.key,
            base_url=endpoint.base_url,
            timeout=endpoint.timeout,
            max_retries=0,
            http_client=timed(endpoint.timeout),
        )

    def ask(self, question: str) -> Answer:
        """The answer; raises DiscoError when there is none after all retries.

        FinalError where the budget does not allow it, or where the server will not give any.
        """
        tries = Retrying(
            retry=retry_if_exception_type(Again),
            stop=stop_after_attempt(self.endpoint.retries + 1) | stop_when_event_set(self.stop),
            wait=lambda state: pause(question, state),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return tries(self._booked, question)
        except Again as error:
            raise DiscoError(self._told(str(error), f" after up to {self.endpoint.retries} retries")) from None

    def _booked(self, question: str) -> Answer:
        """One try: booked at the most, settled by what is known of it, waiting for its turn in between."""
        bound = used = most(question, self.max_tokens)
        turn = self.account.book(bound, expected(question, self.max_tokens))
        try:
            self._sleep(turn)
            if self.stop.is_set():
                used = Use()
                raise Again("nothing more")
            answer = self._once(question)
            used = answer.used if answer.input is not None else used
            return answer
        except openai.APIStatusError as error:
            used = bound if error.status_code in UNTOLD else Use()
            return self._declined(error)
        finally:
            self.account.settle(bound, used)

    def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.stop.wait(seconds)

    def _once(self, question: str) -> Answer:
        try:
            answer = replies.read(self._complete(question))
        except openai.APIStatusError:
            raise
        except openai.APIError as error:
            raise Again(type(error).__name__) from None
        except ValueError:
            raise Again(replies.NO_REPLY) from None
        text, finish, model = map(self._without_key, (answer.text, answer.finish, answer.model))
        return replace(answer, text=text, finish=finish, model=model)

    def _declined(self, error: openai.APIStatusError) -> Answer:
        """An answer all the same, or why there is none."""
        if status := final(error):
            return Answer("", status, input=0, output=0)
        reason = told(error, self._hidden)
        if passing(error):
            self._waits(wish := wished(error.response.headers))
            raise Again(reason, wish)
        raise FinalError(self._told(reason))

    def _waits(self, wish: float | None) -> None:
        if wish is not None and wish > LONGEST_WISH:
            raise FinalError(self._told(f"the wish to wait {wish:,.0f} seconds"))
        if wish:
            self.account.hold(wish)

    def _complete(self, question: str) -> bytes:
        reply = self.client.chat.completions.with_raw_response.create(
            model=self.endpoint.model,
            messages=[{"role": "user", "content": question}],
            temperature=openai.omit if self.endpoint.temperature is None else self.endpoint.temperature,
            seed=openai.omit if self.endpoint.seed is None else self.endpoint.seed,
            extra_body={self.endpoint.limit: self.max_tokens},
        )
        return reply.content

    def _without_key(self, text: str) -> str:
        """Short keys are placeholders of local servers, and may be words of an honest answer."""
        return text.replace(self.key, "[key]") if len(self.key) >= SHORTEST_SECRET else text

    def _hidden(self, text: str) -> str:
        """A server's reason without the key, however short: there it is no word of an answer."""
        return re.sub(rf"(?<!\w){re.escape(self.key)}(?!\w)", "[key]", self._without_key(text))

    def _told(self, kind: str, when: str = "") -> str:
        return (
            f"{self.endpoint.base_url} gave {kind} for model {self.endpoint.model}{when}; answers so far are "
            f"kept: check api.base_url, the model's name and {self.endpoint.key_variable}, then run the same command "
            "again."
        )


def pause(question: str, state: RetryCallState) -> float:
    """Seconds before a question is asked again: half of the doubled pause, and of the rest a part that it draws.

    After a wish of the server's only the part is waited for: the wish itself holds everybody.
    """
    longest = min(FIRST_PAUSE * 2.0 ** (state.attempt_number - 1), LONGEST_PAUSE)
    part = Random(f"{state.attempt_number}:{question}").random() * longest / 2
    error = state.outcome.exception() if state.outcome else None
    return part if isinstance(error, Again) and error.wish else longest / 2 + part


def wished(headers: Any, now: Callable[[], float] = time.time) -> float | None:
    """Seconds that ``Retry-After`` asks for, as a number or as a date (RFC 9110, section 10.2.3), or None."""
    text = headers.get("retry-after", "")
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - now()
        except (ValueError, TypeError):
            return None
    return seconds if 0 < seconds < float("inf") else None
