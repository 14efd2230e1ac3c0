"""SPC, set WP (World of Plainness): instances as JSON whose names are masked, texts with names for some of them.

A folder ``<part>`` (train, dev, test) holds ``<part>_instances.json``: an instance is the lines around an
utterance, where ``[C0]`` stands for a role of ``name_list.txt``. ``<part>_unsplit.txt``, if there, has the same
lines as they were printed; elsewhere a mask becomes the role's first name.

All parts are cut from one novel and their excerpts overlap, across parts too. So the parts are not
kept: a work is a stretch of the novel, see ``_stretches``, and goes to one split whole.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel

from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.records import record_id
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._shapes import existing, read_shape
from discobench.tasks.formats._speakers import Excerpt, Names, read_names, records

SOURCE = "spc_wp"
PARTS = ("train", "dev", "test")
MASK = re.compile(r"\[C\d+\]")
BLOCK = re.compile(r"Instance index: (\d+)\n(.+)\nSpeaker: .*\nSpeaker index: (\d+)\nCategory: \w+", re.DOTALL)


class Instance(BaseModel):
    """An utterance (line ``target_idx``) and the speakers of all dialogue lines of its excerpt."""

    text: list[str]
    speaker_ids: list[str]
    dialogue_idxes: list[int]
    target_idx: int
    roleid2idx: dict[str, str]


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every instance of every part; raises DiscoError naming file and instance where one is not of the format."""
    names = read_names(folder / "name_list.txt")
    excerpts: list[Excerpt] = []
    for path in existing(folder, tuple(f"{part}/{part}_instances.json" for part in PARTS)):
        instances = read_shape(path, dict[str, Instance])
        printed = _printed(path.with_name(path.name.replace("instances.json", "unsplit.txt")), path.parent.name)
        excerpts += [_excerpt(path, name, one, printed.get(name, []), names) for name, one in instances.items()]
        for name in sorted(printed.keys() - instances.keys()):
            yield {"id": record_id(SOURCE, "", name), "source": SOURCE}, "its text has no instance"
    yield from records(SOURCE, excerpts, names)


def _printed(path: Path, part: str) -> dict[str, list[str]]:
    """The lines of each instance as they were printed; none where the file is missing."""
    blocks = read_text(path).replace("\r\n", "\n").strip().split("\n\n") if path.exists() else []
    found = [BLOCK.fullmatch(block) for block in blocks]
    if None in found:
        raise DiscoError(
            f"{path}, block {found.index(None) + 1} is not of the format; "
            "an index, lines of text, and a speaker with index and category are needed."
        )
    return {f"{part}-{block[1]}": block[2].split("\n") for block in found if block}


def _excerpt(path: Path, name: str, one: Instance, printed: Sequence[str], names: Names) -> Excerpt:
    if not 0 <= one.target_idx < len(one.text):
        raise DiscoError(f"{path}: {name}: target_idx {one.target_idx} is no line; text has {len(one.text)} lines.")
    if one.target_idx not in one.dialogue_idxes or len(one.speaker_ids) != len(one.dialogue_idxes):
        raise DiscoError(
            f"{path}: {name}: target_idx {one.target_idx} has no speaker; "
            "dialogue_idxes must hold it, and speaker_ids as many items."
        )
    roles = {mask: role for role, mask in one.roleid2idx.items()}
    real = {names.numbered(line): line for line in printed}
    lines = [_named(path, name, line, roles, names) for line in one.text]
    lines = [real.get(names.numbered(line), line) for line in lines]
    return Excerpt(name, lines, one.target_idx, one.speaker_ids[one.dialogue_idxes.index(one.target_idx)])


def _named(path: Path, name: str, line: str, roles: dict[str, str], names: Names) -> str:
    """``line`` with a role's first name for its mask."""
    unknown = [mask for mask in MASK.findall(line) if roles.get(mask) not in names.names]
    if unknown:
        raise DiscoError(f"{path}: {name}: text holds {unknown[0]}, whose role is not in roleid2idx and name_list.txt.")
    return MASK.sub(lambda mask: names.names[roles[mask[0]]][0], line)
