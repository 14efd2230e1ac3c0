"""Where words begin, in a whole batch of texts at once."""

import numpy as np
import rjieba
from numpy.typing import NDArray

from discobench.corpus.codes import Codes, blanks, looked_up, word_characters

JOINTS = np.array([ord(mark) for mark in "'’-"], np.uint32)
"""What holds an English word together between its letters, as in ``texts.WORD``."""


def word_starts(found: Codes, language: str) -> NDArray[np.bool_]:
    """True for the characters that begin a word: rjieba's for zh, words and single marks for en.

    A blank never does. Texts must be kept apart by a line end.
    """
    begins = _chinese if language == "zh" else _english
    starts: NDArray[np.bool_] = begins(found.points) & ~looked_up(blanks(), found.points)
    return starts


def _chinese(points: NDArray[np.uint32]) -> NDArray[np.bool_]:
    words = rjieba.cut(points.tobytes().decode("utf-32-le"))
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    starts = np.zeros(len(points), bool)
    starts[np.cumsum(lengths) - lengths] = True
    return starts


def _english(points: NDArray[np.uint32]) -> NDArray[np.bool_]:
    letter = np.concatenate([[False], looked_up(word_characters(), points), [False]])
    before, here, after = letter[:-2], letter[1:-1], letter[2:]
    joint = np.isin(points, JOINTS) & before & after
    after_joint = np.concatenate([[False], joint[:-1]])[: len(points)]
    inside: NDArray[np.bool_] = joint | (here & (before | after_joint))
    return ~inside
