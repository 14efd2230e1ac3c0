"""Beam search that works on what is not finished: a source leaves the batch once no beam can better its best output.

The scores and the rule by which a source is finished are those of transformers' ``generate`` (``_beam_search`` with its
defaults: mean log-probability a token, ``early_stopping=False``), so the outputs are the same. What it saves: sources
that are done, the reading of each source once and not once a beam, and the reordering of what beams of a source share.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn.functional import pad

NEVER = -1.0e9
"""Score of what is not there; finite, as ``generate`` has it."""


@dataclass(frozen=True)
class Search:
    """How outputs are looked for.

    ``most`` and ``least`` bound the tokens of an output before its ``end``, forced ones included; ``never`` are tokens
    that it does not hold.
    """

    beam: int
    most: int
    least: int
    end: int
    never: tuple[int, ...] = ()


class Reader(Protocol):
    """A model that has read some sources and goes on with beams of outputs."""

    def first(self, beam: int) -> Tensor:
        """Logits [sources, vocabulary] of the first token; from then on each source has ``beam`` rows."""

    def follow(self, rows: Tensor, tokens: Tensor) -> Tensor:
        """Logits [rows, vocabulary] after ``tokens``, which go on from ``rows`` of the last step; others are gone."""


@dataclass
class Beams:
    """Outputs of the sources that are not finished.

    ``tokens`` [sources, beam, tokens] with their summed log-probabilities ``scores`` [sources, beam], and the best
    that have ended: ``ended`` [sources, beam, tokens] with their mean log-probabilities ``means`` [sources, beam].
    """

    sources: Tensor
    tokens: Tensor
    scores: Tensor
    ended: Tensor
    means: Tensor

    def of(self, chosen: Tensor) -> "Beams":
        """Those of ``chosen`` sources only."""
        parts = (self.sources, self.tokens, self.scores, self.ended, self.means)
        return Beams(*(part[chosen] for part in parts))


def searched(reader: Reader, forced: list[int], count: int, how: Search) -> list[list[int]]:
    """The best output of each of ``count`` sources, ``forced`` tokens included, its end token and filling behind it."""
    logits = reader.first(how.beam)
    beams = _begun(logits.device, forced, count, how)
    outputs: list[list[int]] = [forced] * count
    length = len(forced)
    while length < how.most:
        beams, parents = _step(beams, logits, length + 1, how)
        length += 1
        open_ = _open(beams, length, how)
        if length == how.most:
            open_ = torch.zeros_like(open_)
        for source, output in zip(beams.sources[~open_].tolist(), beams.ended[~open_, 0].tolist(), strict=True):
            outputs[source] = output
        if not open_.any():
            break
        rows = (parents + torch.arange(len(parents), device=parents.device)[:, None] * how.beam)[open_]
        beams = beams.of(open_)
        logits = reader.follow(rows.flatten(), beams.tokens[:, :, -1].flatten())
    return outputs


def _begun(device: torch.device, forced: list[int], count: int, how: Search) -> Beams:
    """One beam a source, so that the first step chooses among different tokens."""
    tokens = torch.tensor(forced, dtype=torch.long, device=device).expand(count, 1, -1)
    ended = torch.full((count, how.beam, len(forced)), how.end, device=device)
    nothing = torch.full((count, how.beam), NEVER, device=device)
    return Beams(torch.arange(count, device=device), tokens, torch.zeros(count, 1, device=device), ended, nothing)


def _step(beams: Beams, logits: Tensor, length: int, how: Search) -> tuple[Beams, Tensor]:
    """Beams with a token more, ``length`` tokens long, and the beam [sources, beam] that each goes on from."""
    sources, width = beams.scores.shape
    found = torch.log_softmax(logits.float(), dim=-1).view(sources, width, -1)
    found[..., list(how.never) + ([how.end] if length <= how.least else [])] = -torch.inf
    total = (found + beams.scores[..., None]).flatten(1)
    scores, places = total.topk(2 * how.beam)
    parents, tokens = places // found.shape[-1], places % found.shape[-1]
    ends = (tokens == how.end) | (length == how.most)
    grown = torch.cat([_chosen(beams.tokens, parents), tokens[..., None]], dim=2)
    going, kept = (scores + ends * NEVER).topk(how.beam)
    ended, means = _ended(beams, grown, scores / length, ends, how)
    return Beams(beams.sources, _chosen(grown, kept), going, ended, means), parents.gather(1, kept)


def _ended(beams: Beams, grown: Tensor, means: Tensor, ends: Tensor, how: Search) -> tuple[Tensor, Tensor]:
    """The best that have ended so far; only the ``beam`` best of this step count."""
    first = torch.arange(ends.shape[1], device=ends.device) < how.beam
    merged = torch.cat([beams.means, means + ~(ends & first) * NEVER], dim=1)
    best, kept = merged.topk(how.beam)
    outputs = torch.cat([pad(beams.ended, (0, 1), value=how.end), grown], dim=1)
    return _chosen(outputs, kept), best


def _open(beams: Beams, length: int, how: Search) -> Tensor:
    """Flags [sources]: whether a beam could, at its present length, do better than the worst that has ended."""
    worst = beams.means.min(dim=1).values
    return (beams.scores[:, 0] / length > worst) & ((how.beam > 1) | (worst <= NEVER / 2))


def _chosen(sequences: Tensor, places: Tensor) -> Tensor:
    """``sequences`` [sources, n, tokens] at ``places`` [sources, m]."""
    return sequences.gather(1, places[..., None].expand(-1, -1, sequences.shape[2]))
