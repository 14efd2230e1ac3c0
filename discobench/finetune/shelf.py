"""Encoded examples in an Arrow file that is mapped into memory: a step looks up its batch, a retry encodes nothing.

As Python's objects the 2.2 million sentences of ZPR would take 2 GB, and a minute each time that a job begins.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pyarrow as pa

from discobench.files import read_json, whole, write_json
from discobench.models.base import Learner

ROWS = 10_000
"""Examples that are held as Python's objects while the file is written."""
TYPES = {int: pa.int32(), float: pa.float64(), bool: pa.bool_(), str: pa.large_string()}


class Shelf:
    """Encoded examples by their number, with their ``lengths`` in tokens and what the learner counted of them."""

    def __init__(self, learner: Learner, table: pa.Table, facts: dict[str, float]) -> None:
        self.facts, self.lengths = facts, table["length"].to_pylist()
        self._items, self._revive = table["item"], reviver(learner.kind)

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, number: int) -> Any:
        return self._revive(self._items[number].as_py())


def shelved(learner: Learner, examples: Iterable[Any], path: Path | None) -> Shelf:
    """What ``learner`` makes of ``examples``, from ``path`` where it lies there, else encoded and written to it.

    ``path`` belongs to this checkpoint, these examples and settings. Without one they are held in memory.
    """
    if path is None:
        sink = pa.BufferOutputStream()
        _write(sink, learner, examples)
        return Shelf(learner, pa.ipc.open_file(sink.getvalue()).read_all(), learner.facts())
    counted = path.with_suffix(".facts.json")
    if not counted.exists():
        with whole(path) as temporary:
            _write(temporary, learner, examples)
        write_json(counted, learner.facts())
    return Shelf(learner, pa.ipc.open_file(pa.memory_map(str(path))).read_all(), read_json(counted))


def _write(sink: Any, learner: Learner, examples: Iterable[Any]) -> None:
    schema = pa.schema({"length": pa.int32(), "item": arrow_type(learner.kind)})
    left = map(learner.encode, examples)
    with pa.ipc.new_file(sink, schema) as out:
        while encoded := list(islice(left, ROWS)):
            columns = [list(map(learner.length, encoded)), list(map(_plain, encoded))]
            arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
            out.write_batch(pa.record_batch(arrays, schema=schema))


def arrow_type(kind: Any) -> pa.DataType:
    """The type of a dataclass, list or tuple, down to numbers and texts, that may be None; numbers have 32 bits."""
    if is_dataclass(kind):
        return pa.struct([(name, arrow_type(inner)) for name, inner in get_type_hints(kind).items()])
    if get_origin(kind) is UnionType:
        return arrow_type(get_args(kind)[0])
    return TYPES[kind] if kind in TYPES else pa.list_(arrow_type(get_args(kind)[0]))


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return list(map(_plain, value)) if isinstance(value, list | tuple) and value and _nests(value[0]) else value


def _nests(value: Any) -> bool:
    return is_dataclass(value) or isinstance(value, list | tuple)


@cache
def reviver(kind: Any) -> Callable[[Any], Any]:
    """The way from what Arrow gives back to an object of ``kind``."""
    if is_dataclass(kind):
        parts = [(name, reviver(inner)) for name, inner in get_type_hints(kind).items()]
        return lambda value: kind(**{name: revive(value[name]) for name, revive in parts})  # type: ignore[operator]
    if get_origin(kind) not in (list, tuple):
        return _same
    inner, make = reviver(get_args(kind)[0]), get_origin(kind)
    if inner is _same:
        return _same if make is list else make
    return lambda value: make(map(inner, value))


def _same(value: Any) -> Any:
    return value
