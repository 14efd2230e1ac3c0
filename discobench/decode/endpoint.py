"""Which model is asked where, and how; what its tokens cost, and how many a question has at most."""

from dataclasses import dataclass

BYTES_OF_TOKEN = 3
"""Assumed where nothing was counted: about a Chinese character, or three letters of an English word."""
ADDED = 64
"""Tokens that a server may put around a question: roles, and a preamble of its own."""


@dataclass(frozen=True)
class Use:
    """Tokens of questions and of their answers."""

    input: int = 0
    output: int = 0

    def __add__(self, other: "Use") -> "Use":
        return Use(self.input + other.input, self.output + other.output)

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.input + self.output


@dataclass(frozen=True)
class Endpoint:
    """A model behind an address.

    Without ``temperature`` or ``seed`` none is sent; ``limit`` is the field that says how long an answer may be.
    ``timeout`` is in seconds, for a whole answer; ``concurrency`` questions are under way at a time. Limits per minute
    and prices (for a million tokens) are None where there is none.
    """

    model: str
    base_url: str
    key_variable: str
    temperature: float | None = 0.0
    limit: str = "max_tokens"
    seed: int | None = None
    timeout: float = 60.0
    retries: int = 5
    concurrency: int = 1
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    price_input: float | None = None
    price_output: float | None = None

    @property
    def priced(self) -> bool:
        """Whether what it takes can be told in money."""
        return self.price_input is not None and self.price_output is not None

    def money(self, use: Use) -> float:
        """What tokens cost; 0 where no price is known."""
        return (use.input * (self.price_input or 0) + use.output * (self.price_output or 0)) / 1e6


def most(question: str, max_tokens: int) -> Use:
    """What a question may take: no token is shorter than a byte, no answer longer than ``max_tokens``."""
    return Use(len(question.encode()) + ADDED, max_tokens)


def expected(question: str, max_tokens: int) -> Use:
    """What a question takes, roughly; its answer is taken to be as long as it may be."""
    return Use(len(question.encode()) // BYTES_OF_TOKEN + 1, max_tokens)
