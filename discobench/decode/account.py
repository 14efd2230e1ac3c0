"""What the jobs of a run share when they ask APIs: what is spent so far, and when the next question may go.

Both stand in one small file that is read and written under a lock. A question is booked at the most that it may take
before it is asked, and settled by what the server counted; what a killed job had booked stays spent, for it may have
to be paid.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition
from typing import Any

from filelock import FileLock

from discobench.config.types import Budget
from discobench.decode.endpoint import Endpoint, Use
from discobench.errors import FinalError
from discobench.files import fingerprint, read_json, write_json

FILE = "account.json"
MINUTE = 60.0


class Account:
    """The account of one endpoint; ``folder`` is the same for all jobs of a run."""

    def __init__(self, folder: Path, endpoint: Endpoint, budget: Budget, now: Callable[[], float] = time.time) -> None:
        if budget.money is not None and not endpoint.priced:
            raise FinalError(
                f"api.budget.money is {budget.money:g} and {endpoint.model} has no price; set price_input and "
                "price_output (money for a million tokens) in the api of its checkpoint, or bound api.budget.tokens."
            )
        self.path, self.endpoint, self.budget, self.now = folder / FILE, endpoint, budget, now
        self.lane = fingerprint([endpoint.base_url, endpoint.key_variable, endpoint.model])
        self.settled = Condition()
        self.open = 0
        self.warned = False

    def book(self, most: Use, expected: Use) -> float:
        """Book a question; returns the seconds after which it may be asked.

        Waits for questions of this process that are under way when only they keep it from being booked. Raises
        FinalError when it may pass the budget.
        """
        with self.settled:
            while (refusal := self._booked(most)) is not None and self.open:
                self.settled.wait()
            if refusal is not None:
                raise refusal
            self.open += 1
        try:
            return self._turn(expected)
        except BaseException:
            self._close()
            raise

    def settle(self, most: Use, used: Use) -> None:
        """What a booked question took after all; warns once where the server counts more than it could take."""
        try:
            with self.settled, self._changed() as state:
                self._spend(state, Use(used.input - most.input, used.output - most.output))
        finally:
            self._close()
        if not self.warned and (used.input > most.input or used.output > most.output):
            self.warned = True
            logging.warning(
                "%s counts %d tokens and %d of answer for a question of %d and %d at most: the budget may be passed",
                self.endpoint.model,
                *(used.input, used.output, most.input, most.output),
            )

    def hold(self, seconds: float) -> None:
        """Nobody asks this endpoint for a while."""
        with self._changed() as state:
            lane = state["next"].setdefault(self.lane, {})
            lane["requests"] = max(lane.get("requests", 0.0), self.now() + seconds)

    def spent(self) -> tuple[Use, float]:
        """Tokens and money of all models so far."""
        with self._changed() as state:
            return _sum(state)

    def left(self) -> str:
        """The budget and what is left of it, for a person; empty where there is none."""
        use, money = self.spent()
        bounds = (("tokens", self.budget.tokens, use.tokens), ("money", self.budget.money, money))
        return ", ".join(f"{limit - used:,.10g} of {limit:,.10g} {what} left" for what, limit, used in bounds if limit)

    def _close(self) -> None:
        """A question is no longer under way, whatever became of it: who waits for it looks again."""
        with self.settled:
            self.open -= 1
            self.settled.notify_all()

    def _booked(self, most: Use) -> FinalError | None:
        """Books, or says why not."""
        with self._changed() as state:
            use, money = _sum(state)
            bounds = (
                ("tokens", self.budget.tokens, use.tokens, most.tokens),
                ("money", self.budget.money, money, self.endpoint.money(most)),
            )
            for name, limit, used, more in bounds:
                if limit is not None and used + more > limit:
                    return self._exhausted(name, limit, used, more)
            self._spend(state, most)
        return None

    def _exhausted(self, name: str, limit: float, used: float, more: float) -> FinalError:
        return FinalError(
            f"api.budget.{name} is {limit:,.10g}, {used:,.10g} are spent ({self.path}) and the next question to "
            f"{self.endpoint.model} may take {more:,.6g} more; answers so far are kept: raise the key or leave rows of "
            "group llm out of run.rows, then give the same command again."
        )

    def _spend(self, state: dict[str, Any], use: Use) -> None:
        entry = state["spent"].setdefault(self.endpoint.model, {"input": 0, "output": 0, "money": 0.0})
        entry["input"] += use.input
        entry["output"] += use.output
        entry["money"] = round(entry["money"] + self.endpoint.money(use), 10)

    def _turn(self, expected: Use) -> float:
        """Takes the next turn of each limit: turns are as far apart as a minute holds of them."""
        paces = {"requests": (self.endpoint.requests_per_minute, 1)}
        paces["tokens"] = (self.endpoint.tokens_per_minute, expected.tokens)
        with self._changed() as state:
            lane, now = state["next"].setdefault(self.lane, {}), self.now()
            turn: float = max([now, *lane.values()])
            for name, (limit, amount) in paces.items():
                if limit:
                    lane[name] = turn + MINUTE * amount / limit
        return turn - now

    @contextmanager
    def _changed(self) -> Iterator[dict[str, Any]]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.with_suffix(".lock")):
            before = read_json(self.path) if self.path.exists() else {"spent": {}, "next": {}}
            state = {name: {key: dict(entry) for key, entry in part.items()} for name, part in before.items()}
            yield state
            if state != before:
                write_json(self.path, state)


def _sum(state: dict[str, Any]) -> tuple[Use, float]:
    entries = state["spent"].values()
    use = Use(sum(entry["input"] for entry in entries), sum(entry["output"] for entry in entries))
    return use, sum(entry["money"] for entry in entries)
