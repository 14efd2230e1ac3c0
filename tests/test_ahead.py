"""Promises of making ahead: the same things in whatever order, the next one begun, errors where they belong."""

import threading

import pytest

from discobench.ahead import Ahead


def test_the_next_is_made_while_one_is_used_and_none_beyond_the_end() -> None:
    made: list[int] = []
    begun = threading.Event()

    def make(n: int) -> int:
        made.append(n)
        if n == 5:
            begun.set()
        return n * n

    with Ahead(make, 6) as ahead:
        assert ahead.take(4) == 16
        assert begun.wait(10)
        assert ahead.take(5) == 25
    assert made == [4, 5]


def test_what_fails_fails_when_it_is_taken() -> None:
    def make(n: int) -> float:
        return 1 / (n - 2)

    with Ahead(make, 9) as ahead:
        assert ahead.take(1) == -1
        with pytest.raises(ZeroDivisionError):
            ahead.take(2)
        assert ahead.take(3) == 1
