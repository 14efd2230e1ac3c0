"""Errors that a person can act on."""


class DiscoError(Exception):
    """One sentence: what was found where, what is allowed, and what to do.

    Scripts print it without a traceback; anything else is a fault of this project.
    """
