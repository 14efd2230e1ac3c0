"""Subtitle pairs: ``<episode>.zh`` beside ``<episode>.en``, line by line translations of each other."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.records import Balance, record_id, split_of

SOURCE = "subtitles"
MARKS = re.compile("[，。？！；：,.?!;:…]")
BLANKS = re.compile(r"(?<=[^\W\d_a-zA-Z])\s+(?=\w)")
ENDS = {"?": "？", "!": "！"}


def read_pairs(
    folder: Path, shares: Mapping[str, float], seed: int, balance: Balance, marks: bool = False
) -> Iterator[dict[str, Any]]:
    """Records of schema ``pair``, episodes in the order of their names.

    An episode's name has no dot: ``7.np.zh`` beside ``7.zh`` is another form of its lines and is left out.

    An episode is a work: its split is a hash of its id, train or valid (the test sets of ZPR come from
    outside). Lines with an empty side are dropped; ``marks`` gives Chinese ones punctuation, see ``marked``.
    Raises DiscoError when a partner file is missing or the two have different numbers of lines.
    """
    episodes = sorted(path for path in folder.glob("*.zh") if "." not in path.stem)
    if not episodes:
        raise DiscoError(f"{folder} holds no .zh file; synthesis.zpr.path must name a folder of <episode>.zh and .en.")
    for zh in episodes:
        yield from _episode(zh, split_of(zh.stem, {"valid": shares["valid"], "test": 0.0}, seed), balance, marks)


def marked(zh: str, en: str) -> str:
    """A Chinese line with the punctuation of prose: commas where blanks join clauses, its translation's end.

    Subtitles have none, what a model is tested on has. A line that has marks of its own stays as it is.
    """
    if MARKS.search(zh):
        return zh
    return BLANKS.sub("，", zh) + ENDS.get(en.rstrip("\"'”’ ")[-1:], "。")


def _episode(zh: Path, split: str, balance: Balance, marks: bool) -> Iterator[dict[str, Any]]:
    en = zh.with_suffix(".en")
    lines = [_lines(zh), _lines(en)]
    if len(lines[0]) != len(lines[1]):
        raise DiscoError(f"{zh} has {len(lines[0])} lines and {en.name} {len(lines[1])}; align them line by line.")
    for number, (source, target) in enumerate(zip(*lines, strict=True)):
        if not source or not target:
            balance.drop("one side is empty")
            continue
        balance.keep()
        yield {
            "id": record_id(SOURCE, zh.stem, number),
            "source": SOURCE,
            "work_id": zh.stem,
            "language": "zh",
            "split": split,
            "position": number,
            "zh": marked(source, target) if marks else source,
            "en": target,
        }


def _lines(path: Path) -> list[str]:
    lines = [line.strip().lstrip("\ufeff") for line in read_text(path).split("\n")]
    return lines[:-1] if lines and not lines[-1] else lines
