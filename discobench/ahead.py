"""Making the next thing while the last one is used."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


class Ahead(Generic[T]):
    """``make(n)`` for n in order, the next one under way in a thread. What is made must depend on ``n`` alone.

    Nothing is made from ``end`` on. What ``make`` raises is raised when its result is taken.
    """

    def __init__(self, make: Callable[[int], T], end: int) -> None:
        self._make, self._end = make, end
        self._under_way: dict[int, Future[T]] = {}
        self._worker = ThreadPoolExecutor(1, "ahead")

    def __enter__(self) -> "Ahead[T]":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worker.shutdown(cancel_futures=True)

    def take(self, n: int) -> T:
        """What ``make(n)`` gives; ``n + 1`` is begun."""
        self._begin(n)
        found = self._under_way.pop(n).result()
        self._begin(n + 1)
        return found

    def _begin(self, n: int) -> None:
        if n not in self._under_way and n < self._end:
            self._under_way[n] = self._worker.submit(self._make, n)
