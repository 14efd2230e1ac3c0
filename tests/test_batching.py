"""Promises of batching: everything once, bounded, mixed, and the same when asked again."""

from hypothesis import given
from hypothesis import strategies as st

from discobench.batching import sorted_batches, training_batches, trimmed

lengths_lists = st.lists(st.integers(1, 300), max_size=200)


@given(lengths_lists, st.integers(1, 64), st.sampled_from(["sequences", "tokens"]), st.integers(0, 5))
def test_every_index_comes_once(lengths: list[int], size: int, unit: str, epoch: int) -> None:
    batches = training_batches(lengths, size, unit, seed=1, epoch=epoch)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert batches == training_batches(lengths, size, unit, seed=1, epoch=epoch)


@given(lengths_lists, st.integers(1, 2000))
def test_tokens_bound_a_batch_with_its_padding(lengths: list[int], size: int) -> None:
    for batch in training_batches(lengths, size, "tokens", 1, 0) + sorted_batches(lengths, size):
        assert len(batch) == 1 or len(batch) * max(lengths[index] for index in batch) <= size


@given(lengths_lists, st.integers(1, 64))
def test_sequences_bound_a_batch(lengths: list[int], size: int) -> None:
    assert all(len(batch) <= size for batch in training_batches(lengths, size, "sequences", 1, 0))


def test_similar_lengths_come_together_and_epochs_differ() -> None:
    lengths = [n % 97 + 1 for n in range(5000)]
    first, second = (training_batches(lengths, 16, "sequences", 1, epoch) for epoch in (0, 1))
    padded = sum(len(batch) * max(lengths[index] for index in batch) for batch in first)
    assert padded < 1.05 * sum(lengths)
    assert first != second
    starts = [lengths[batch[0]] for batch in first]
    assert starts != sorted(starts)


def test_longest_first() -> None:
    lengths = [3, 9, 1, 9, 5]
    assert sorted_batches(lengths, 18) == [[1, 3], [4, 0, 2]]


@given(st.lists(st.integers(1, 60), min_size=1, max_size=80))
def test_trimmed_batches_have_little_padding_but_where_they_are_small(lengths: list[int]) -> None:
    batches = trimmed(lengths, 300, 100, 0.02)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        sizes = [lengths[index] for index in batch]
        whole = max(sizes) * len(sizes)
        assert whole <= max(300, sizes[0]) and sizes[0] == max(sizes)
        assert sum(sizes) >= 0.98 * whole or whole <= 100 + max(sizes)
