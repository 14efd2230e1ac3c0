"""Errors that a person can act on."""

from collections.abc import Iterator
from contextlib import contextmanager


class DiscoError(Exception):
    """One sentence: what was found where, what is allowed, and what to do.

    Scripts print it without a traceback; anything else is a fault of this project.
    """


@contextmanager
def about(what: str) -> Iterator[None]:
    """Errors from inside say what they are about: for jobs that do several things."""
    try:
        yield
    except DiscoError as error:
        raise DiscoError(f"{what}: {error}") from error
    except Exception as error:
        error.add_note(f"This was about {what}.")
        raise
