"""Beam search: what it finds is what a plain search finds, source by source, and what ``generate`` finds."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.formulations import TextExample
from tests import toys

pytestmark = pytest.mark.torch
VOCABULARY, END, NEVER = 12, 0, 1
WRITERS = ("encoder", "bart", "mbart", "t5", "gpt2")


class Table:
    """A model whose logits follow from the source, the last token and the length alone."""

    def __init__(self, sources: list[int], ends: float) -> None:
        self.sources, self.ends = sources, ends

    def logits(self, source: int, last: int, length: int) -> list[float]:
        rng = Random(f"{source}:{last}:{length}")
        return [rng.gauss(0, 2) + (self.ends if token == END else 0) for token in range(VOCABULARY)]

    def first(self, beam: int) -> Any:
        import torch

        self.rows, self.length = [source for source in self.sources for _ in range(beam)], 1
        return torch.tensor([self.logits(source, -1, 0) for source in self.sources])

    def follow(self, rows: Any, tokens: Any) -> Any:
        import torch

        self.rows = [self.rows[row] for row in rows.tolist()]
        pairs = zip(self.rows, tokens.tolist(), strict=True)
        self.length += 1
        return torch.tensor([self.logits(source, last, self.length - 1) for source, last in pairs])


def plainly(table: Table, source: int, how: Any) -> list[int]:
    """Beam search as transformers' documentation has it, for one source, with lists."""
    import torch

    running, ended = [(0.0, [])], []  # type: ignore[var-annotated]
    for length in range(1, how.most + 1):
        grown = []
        for score, tokens in running:
            last = tokens[-1] if tokens else -1
            found = torch.log_softmax(torch.tensor(table.logits(source, last, length - 1)), 0).tolist()
            kept = [t for t in range(VOCABULARY) if t not in how.never and (t != END or length > how.least)]
            grown += [(score + found[token], [*tokens, token]) for token in kept]
        grown = sorted(grown, key=lambda beam: -beam[0])[: 2 * how.beam]
        over = [beam[1][-1] == END or length == how.most for beam in grown]
        ended += [(s / length, t) for (s, t), done in list(zip(grown, over, strict=True))[: how.beam] if done]
        ended = sorted(ended, key=lambda beam: -beam[0])[: how.beam]
        running = [beam for beam, done in zip(grown, over, strict=True) if not done][: how.beam]
        full = len(ended) == (how.beam if how.beam > 1 else 1)
        if not running or (full and (how.beam == 1 or running[0][0] / length <= ended[-1][0])):
            break
    return ended[0][1]


@given(
    sources=st.lists(st.integers(0, 10**6), min_size=1, max_size=6),
    beam=st.integers(1, 4),
    most=st.integers(1, 9),
    least=st.integers(0, 3),
    ends=st.floats(-2, 6),
)
def test_each_source_gets_what_a_plain_search_finds(
    sources: list[int], beam: int, most: int, least: int, ends: float
) -> None:
    from discobench.models.learners.search import Search, searched

    how = Search(beam, most, least, END, (NEVER,))
    found = searched(Table(sources, ends), [], len(sources), how)
    wanted = [plainly(Table(sources, ends), source, how) for source in sources]
    assert [output[: len(plain)] for output, plain in zip(found, wanted, strict=True)] == wanted
    assert all(set(output[len(plain) :]) <= {END} for output, plain in zip(found, wanted, strict=True))
    assert not any(NEVER in output for output in found)


def test_what_is_finished_is_no_longer_computed() -> None:
    from discobench.models.learners.search import Search, searched

    class Counting(Table):
        steps: ClassVar[list[int]] = []

        def logits(self, source: int, last: int, length: int) -> list[float]:
            """Source 0 ends at once, source 1 never."""
            found = [0.0] * VOCABULARY
            found[END] = 50.0 if source == 0 else -50.0
            return found

        def follow(self, rows: Any, tokens: Any) -> Any:
            self.steps.append(len(rows))
            return super().follow(rows, tokens)

    found = searched(Counting([0, 1, 0], 0.0), [], 3, Search(2, 6, 0, END))
    assert found[0][0] == found[2][0] == END and END not in found[1]
    assert Counting.steps[0] >= 2 and Counting.steps[-1] == 2 and len(Counting.steps) == 5


@pytest.mark.slow
@pytest.mark.parametrize("family", WRITERS)
def test_models_write_what_generate_writes(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from discobench.models.learners.codec import Codec

    learner = toys.learner(family, "text", tmp_path)
    sharpen(learner.model)
    _, outputs = both(learner, 4, 9)
    # A token that it likes to write takes the part of the end, which it has not learned to use.
    end = Counter(token for output in outputs for token in output[4:7]).most_common(1)[0][0]
    monkeypatch.setattr(Codec, "end", property(lambda codec: end))
    early = 0
    for beam, most in ((1, 9), (4, 9), (3, 1), (8, 20)):
        plain, found = both(learner, beam, most)
        assert found == plain
        early += sum(len(output) < most for output in found)
    assert early


def sharpen(model: Any) -> None:
    """Give a model that has learned nothing an opinion, so that outputs differ."""
    import torch

    torch.manual_seed(5)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += torch.randn_like(parameter) * 0.2


def both(learner: Any, beam: int, most: int) -> list[list[list[int]]]:
    """Outputs up to their ends: those of ``generate``, and those of the search."""
    from discobench.models.base import Decoding
    from discobench.models.learners.tokens import quiet

    examples = [TextExample(f"toy:{n}", "天地山木" * (n % 7 + 1) + "风花"[n % 2], None, "zh", "zh") for n in range(14)]
    read, how = [learner._source(example, []) for example in examples], Decoding(beam=beam, max_new_tokens=most)
    sources = [item.source for item in read]
    with quiet(learner.model):
        written = [learner.generate(sources, learner.generation(how)), learner._write(read, how)]
    end, begun = learner.target_codec.end, len(learner.frame.target_begin)
    return [[row[: row.index(end, begun)] if end in row[begun:] else row for row in rows] for rows in written]
