"""Where words begin, in a whole batch of texts at once."""

import numpy as np
import rjieba
from numpy.typing import NDArray

from discobench.corpus.characters import Kind, Kinds, are, joints, kinds_of
from discobench.corpus.codes import Codes


def word_starts(found: Codes, language: str) -> NDArray[np.bool_]:
    """True for the characters that begin a word: rjieba's for zh, words and single marks for en.

    A blank never does. Texts must be kept apart by a line end.
    """
    kinds = kinds_of(found.points)
    begins = _chinese(found.points) if language == "zh" else _english(kinds)
    starts: NDArray[np.bool_] = begins & ~are(kinds, Kind.BLANK)
    return starts


def _chinese(points: NDArray[np.uint32]) -> NDArray[np.bool_]:
    words = rjieba.cut(points.tobytes().decode("utf-32-le"))
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    starts = np.zeros(len(points), bool)
    starts[np.cumsum(lengths) - lengths] = True
    return starts


def _english(kinds: Kinds) -> NDArray[np.bool_]:
    word, joint = are(kinds, Kind.WORD), joints(kinds)
    inside = joint.copy()
    inside[1:] |= word[1:] & (word[:-1] | joint[:-1])
    return ~inside
