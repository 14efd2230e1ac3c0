"""Batches of similar lengths: little padding, and the same batches whenever they are asked for."""

from collections.abc import Iterator, Sequence
from random import Random

POOL = 64
"""Batches' worth of sequences that are sorted together: enough to save padding, few enough to stay mixed."""


def training_batches(lengths: Sequence[int], size: int, unit: str, seed: int, epoch: int) -> list[list[int]]:
    """Every index once, in shuffled batches of sequences of similar length.

    ``lengths`` are in tokens. ``size`` bounds a batch in ``unit``: ``sequences``, or ``tokens``
    counted with padding; a sequence longer than that is a batch of its own.
    The order depends on ``seed`` and ``epoch`` only.
    """
    rng = Random(f"{seed}:{epoch}")
    order = list(range(len(lengths)))
    rng.shuffle(order)
    mean = max(1, sum(lengths) // max(1, len(lengths)))
    pool = POOL * (size if unit == "sequences" else max(1, size // mean))
    batches: list[list[int]] = []
    for start in range(0, len(order), pool):
        window = sorted(order[start : start + pool], key=lambda index: lengths[index])
        batches.extend(_cut(window, lengths, size, unit))
    rng.shuffle(batches)
    return batches


def sorted_batches(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Every index once, longest first, at most ``batch_tokens`` tokens a batch with padding.

    The first batch is the largest: what does not fit into memory fails at once.
    """
    order = sorted(range(len(lengths)), key=lambda index: (-lengths[index], index))
    return list(_cut(order, lengths, batch_tokens, "tokens"))


def trimmed(lengths: Sequence[int], most: int, least: int, waste: float) -> list[list[int]]:
    """Every index once, longest first, in batches of at most ``most`` tokens, a share ``waste`` of them padding.

    A batch of less than ``least`` tokens is not ended for its padding: a device has too little to do with it.
    """
    order = sorted(range(len(lengths)), key=lambda index: (-lengths[index], index))
    batches: list[list[int]] = []
    real = 0
    for index in order:
        width = lengths[batches[-1][0]] if batches else 0
        size = width * (len(batches[-1]) + 1) if batches else 0
        wasteful = size > least and real + lengths[index] < (1 - waste) * size
        if not batches or size > most or wasteful:
            batches.append([])
            real = 0
        batches[-1].append(index)
        real += lengths[index]
    return batches


def shared(batches: list[list[int]], least: int) -> list[list[int]]:
    """``batches``, the largest of them halved until there are ``least`` or each has one item."""
    while len(batches) < least and max(map(len, batches), default=0) > 1:
        largest = max(range(len(batches)), key=lambda n: len(batches[n]))
        batch = batches[largest]
        batches = [*batches[:largest], batch[: len(batch) // 2], batch[len(batch) // 2 :], *batches[largest + 1 :]]
    return batches


def _cut(order: Sequence[int], lengths: Sequence[int], size: int, unit: str) -> Iterator[list[int]]:
    batch: list[int] = []
    longest = 0
    for index in order:
        wider = max(longest, lengths[index])
        cost = len(batch) + 1 if unit == "sequences" else (len(batch) + 1) * wider
        if batch and cost > size:
            yield batch
            batch, wider = [], lengths[index]
        batch.append(index)
        longest = wider
    if batch:
        yield batch
