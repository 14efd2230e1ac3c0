"""The contracts between stages: one Arrow schema per kind of record, declared once.

Offsets are code points into the stored text, half open. Text columns are ``large_string`` because
a shard of a genre may pass the 2 GB that 32-bit offsets address.
"""

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, TypeAlias

import pyarrow as pa

TEXT = pa.large_string()
INT = pa.int64()
FLOAT = pa.float64()
FLAG = pa.bool_()
WORDS = {TEXT: "a text", INT: "an integer", FLOAT: "a number", FLAG: "true or false"}
TYPES: Mapping[pa.DataType, tuple[type, ...]] = {TEXT: (str,), INT: (int,), FLOAT: (int, float), FLAG: (bool,)}
Schema: TypeAlias = str | pa.Schema
"""The name of a schema that is declared here, or one that a task brings along."""
SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a pair that JSON may escape and UTF-8 cannot hold."""


def _list(**fields: pa.DataType) -> pa.DataType:
    return pa.list_(pa.struct(list(fields.items())))


def record_schema(**fields: pa.DataType) -> pa.Schema:
    """The schema of a record with ``fields`` beside those that every record has."""
    common = {"id": TEXT, "source": TEXT, "work_id": TEXT, "language": TEXT, "split": TEXT}
    return pa.schema(list((common | fields).items()))


TRANSLATION = record_schema(document_id=TEXT, position=INT, source_text=TEXT, references=pa.list_(TEXT))

SCHEMAS: Mapping[str, pa.Schema] = {
    "document": record_schema(
        category=TEXT,
        genre=TEXT,
        title=TEXT,
        author=TEXT,
        member=TEXT,
        byte_start=INT,
        byte_end=INT,
        text=TEXT,
        sentence_offsets=_list(start=INT, end=INT),
        units=INT,
        sha256=TEXT,
    ),
    "si": record_schema(
        context=TEXT,
        utterance=TEXT,
        utterance_start=INT,
        utterance_end=INT,
        no_speaker=FLAG,
        speakers=_list(text=TEXT, start=INT),
    ),
    "zpr": record_schema(
        domain=TEXT,
        before=pa.list_(TEXT),
        after=pa.list_(TEXT),
        text=TEXT,
        zeros=_list(offset=INT, pronoun=TEXT, role=TEXT, in_inventory=FLAG),
    ),
    "mrc": record_schema(style=TEXT, passage=TEXT, question=TEXT, choices=pa.list_(TEXT), answer=INT),
    "nt": TRANSLATION,
    "cct": TRANSLATION,
    "pt": TRANSLATION,
    "te": record_schema(
        source_text=TEXT,
        target=TEXT,
        insertions=_list(start=INT, end=INT, type=TEXT, rule=TEXT),
        edits=pa.list_(
            pa.struct([("start", INT), ("end", INT), ("from", TEXT), ("to", TEXT)]),
        ),
        tree_ids=pa.list_(TEXT),
        perplexity_source=FLOAT,
        perplexity_target=FLOAT,
        decision=TEXT,
        reason=TEXT,
    ),
    "ti": record_schema(before=pa.list_(TEXT), target=TEXT, after=pa.list_(TEXT)),
    "tc": record_schema(prompt=TEXT, target=pa.list_(TEXT)),
    "tree": record_schema(document_id=TEXT, start=INT, end=INT, tree=TEXT, tokens=_list(start=INT, end=INT)),
    "pair": record_schema(position=INT, zh=TEXT, en=TEXT),
    "alignment": pa.schema(
        [
            ("id", TEXT),
            ("zh", _list(start=INT, end=INT)),
            ("en", _list(start=INT, end=INT)),
            ("links", _list(zh=INT, en=INT)),
        ]
    ),
    "attributes": pa.schema(
        [
            ("id", TEXT),
            ("units", FLOAT),
            ("bytes", FLOAT),
            ("repetition", FLOAT),
            ("script", FLOAT),
            ("digits", FLOAT),
            ("marks", FLOAT),
        ]
    ),
    "signature": pa.schema(
        [
            ("id", TEXT),
            ("document", INT),
            ("start", INT),
            ("end", INT),
            ("size", INT),
            ("sha256", pa.binary()),
            ("signature", pa.binary()),
        ]
    ),
    "band": pa.schema([("key", pa.uint64()), ("part", INT)]),
    "match": pa.schema([("first", INT), ("second", INT), ("exact", FLAG), ("similarity", FLOAT)]),
    "duplicate": pa.schema([("id", TEXT), ("start", INT), ("end", INT), ("kept", TEXT), ("reason", TEXT)]),
    "dropped": pa.schema(
        [
            ("id", TEXT),
            ("source", TEXT),
            ("step", TEXT),
            ("reason", TEXT),
            ("member", TEXT),
            ("byte_start", INT),
            ("byte_end", INT),
        ]
    ),
    "contamination": pa.schema(
        [("id", TEXT), ("genre", TEXT), ("task", TEXT), ("instance", TEXT), ("start", INT), ("end", INT)]
    ),
    "ngrams": pa.schema([("task", TEXT), ("instance", TEXT), ("n", INT), ("hashes", pa.list_(INT))]),
    "gram": pa.schema([("hash", INT), ("left", FLAG)]),
    "overlap": pa.schema(
        [("id", TEXT), ("genre", TEXT), ("task", TEXT), ("share", FLOAT), ("removed", TEXT), ("units", INT)]
    ),
    "overlaps": pa.schema(
        [
            ("genre", TEXT),
            ("task", TEXT),
            ("instances", INT),
            ("documents", INT),
            ("dropped", INT),
            ("cut", INT),
            ("units", INT),
        ]
    ),
    "exposure": pa.schema(
        [("task", TEXT), ("instance", TEXT), ("language", TEXT), ("ngrams", INT), ("seen", FLOAT), ("left", FLOAT)]
    ),
    "licence": pa.schema(
        [
            ("source", TEXT),
            ("language", TEXT),
            ("licence", TEXT),
            ("declared", TEXT),
            ("path", TEXT),
            ("globs", pa.list_(TEXT)),
            ("manifest", TEXT),
            ("files", INT),
            ("bytes", INT),
        ]
    ),
    "statistics": pa.schema(
        [
            ("language", TEXT),
            ("category", TEXT),
            ("genre", TEXT),
            ("documents", INT),
            ("sentences", INT),
            ("characters_or_words", INT),
        ]
    ),
    "instance": pa.schema([("id", TEXT), ("metric", TEXT), ("value", FLOAT), ("counts", pa.list_(FLOAT))]),
}

PREDICTION_STATUSES = ("ok", "empty", "too_long", "cut", "refused", "unparsable")
"""How a prediction came about; every status counts in n. Of a text that was ``cut`` counts what there is."""

CONTRASTIVE_FIELDS: Mapping[str, type] = {
    "id": str,
    "task": str,
    "type": str,
    "context": str,
    "current": str,
    "question": str,
    "choices": list,
    "answer": int,
    "hypothesis": str,
    "target_context": list,
    "correct": str,
    "incorrect": list,
}


def schema(name: Schema) -> pa.Schema:
    """The Arrow schema called ``name``, or ``name`` itself where it is one; KeyError lists the known names."""
    if isinstance(name, pa.Schema):
        return name
    if name not in SCHEMAS:
        raise KeyError(f"no schema {name!r}; known: {', '.join(sorted(SCHEMAS))}")
    return SCHEMAS[name]


def empty(name: Schema) -> dict[str, Any]:
    """A record of schema ``name`` with every field null, to be filled by a reader."""
    return dict.fromkeys(schema(name).names)


def misfits(value: Any, kind: pa.DataType, path: str) -> Iterator[str]:
    """Where a value read from JSON is not of type ``kind``: what is found there and what is needed.

    Null fits everywhere but inside a list. ``path`` is how the value is called.
    """
    if value is None:
        return
    if pa.types.is_list(kind):
        yield from _items(value, kind.value_type, path)
    elif pa.types.is_struct(kind):
        yield from _members(value, kind, path)
    elif type(value) not in TYPES[kind]:
        yield f"{path} holds {value!r}, {WORDS[kind]} is needed"
    elif kind in (INT, FLOAT) and not _fits(value, kind):
        yield f"{path} holds {str(value)[:20]}, a finite number of 64 bits is needed"
    elif isinstance(value, str) and SURROGATE.search(value):
        yield f"{path} holds half of a surrogate pair, which is no character"


def _fits(value: float, kind: pa.DataType) -> bool:
    try:
        return isfinite(value) and (kind == FLOAT or -(2**63) <= value < 2**63)
    except OverflowError:
        return False


def _items(value: Any, kind: pa.DataType, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path} holds {value!r}, a list is needed"
        return
    for n, item in enumerate(value):
        if item is None:
            yield f"{path}[{n}] is null"
        yield from misfits(item, kind, f"{path}[{n}]")


def _members(value: Any, kind: pa.DataType, path: str) -> Iterator[str]:
    names = [field.name for field in kind]
    if not isinstance(value, dict) or set(value) != set(names):
        yield f"{path} holds {value!r}, an object with {', '.join(names)} is needed"
        return
    for field in kind:
        yield from misfits(value[field.name], field.type, f"{path}.{field.name}")
