"""From rows of any source to the three files of a task: checked, unique, split by work, bounded."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from discobench.errors import DiscoError
from discobench.records import SPLITS, split_of, unique_by_id
from discobench.schema import Schema, misfits, schema
from discobench.sieve import Outcome, Record, Sieve
from discobench.tasks.base import Task

Row = dict[str, Any]
OVER = "over the limit of records"
REQUIRED = {
    "id": "give each record an id of its own",
    "work_id": "splits are told apart by it: name its work",
    "source": "its licence is found by it: name where the text is from",
    "language": "write zh or en",
}


def complete(row: Mapping[str, Any], name: Schema, where: str) -> Row:
    """``row`` with every field of schema ``name``; raises DiscoError for fields and values that are not of it.

    Fields that are missing become null; a list that is missing or null becomes an empty one.
    """
    types = {field.name: field.type for field in schema(name)}
    unknown = sorted(set(row) - set(types))
    if unknown:
        raise DiscoError(
            f"{where}: record {row.get('id')!r} has unknown fields {', '.join(unknown)}; allowed: {', '.join(types)}."
        )
    fault = next((text for field, kind in types.items() for text in misfits(row.get(field), kind, field)), None)
    if fault:
        raise DiscoError(f"{where}: record {row.get('id')!r}: {fault}; mend the record.")
    for field, why in REQUIRED.items():
        if not (row.get(field) or "").strip():
            raise DiscoError(f"{where}: record {row.get('id')!r} has no {field}; {why}.")
    lists: Row = {field: [] for field, kind in types.items() if pa.types.is_list(kind) and row.get(field) is None}
    return {field: row.get(field) for field in types} | lists


def divide(rows: Iterable[Record], where: str) -> dict[str, list[Record]]:
    """Rows by split. Raises DiscoError when an id comes twice or a work lies in two splits."""
    rows = list(rows)
    unique_by_id(rows, where)
    home: dict[str, str] = {}
    for row in rows:
        if row["split"] not in SPLITS:
            raise DiscoError(f"{where}: record {row['id']!r} has split {row['split']!r}; allowed: {', '.join(SPLITS)}.")
        if home.setdefault(row["work_id"], row["split"]) != row["split"]:
            raise DiscoError(
                f"{where}: work {row['work_id']!r} is in splits {home[row['work_id']]} and {row['split']}; "
                "move all of its records into one, or test scores would be of texts seen in training."
            )
    return {split: [row for row in rows if row["split"] == split] for split in SPLITS}


def bounded(rows: Sequence[Record], limit: int | None) -> list[Record]:
    """At most ``limit`` rows, chosen by a hash of their ids and kept in their order."""
    if limit is None or len(rows) <= limit:
        return list(rows)
    chosen = {row["id"] for row in sorted(rows, key=_draw)[:limit]}
    return [row for row in rows if row["id"] in chosen]


def _draw(row: Record) -> str:
    return hashlib.sha256(str(row["id"]).encode()).hexdigest()


def placed(outcomes: Iterable[Outcome], works: Mapping[str, Any] | None) -> Iterator[Outcome]:
    """Records with the split of their work where their files name none.

    ``works`` holds ``shares`` and ``seed`` of ``records.split_of``.
    """
    for row, reason in outcomes:
        if reason is None and row["split"] is None and works:
            yield {**row, "split": split_of(row["work_id"], works["shares"], works["seed"])}, None
        else:
            yield row, reason


def refused(dropped: Sequence[Record]) -> str:
    """What to say of records of a user's own files that cannot be used; nothing where there are none."""
    own = [row for row in dropped if row["member"]]
    if not own:
        return ""
    first = own[0]
    rest = f"; {len(own) - 1} more are in build.dropped.parquet" if own[1:] else ""
    return f"{first['member']}: record {first['id']!r} is not used: {first['reason']}{rest}."


def build(
    task: Task, outcomes: Iterable[Outcome], limits: Mapping[str, int], sieve: Sieve, where: str
) -> dict[str, list[Record]]:
    """The task's three splits; ``sieve`` keeps the ids of all others with their reasons.

    Raises DiscoError when a split ends up empty.
    """
    outcomes = list(outcomes)
    unique_by_id((row for row, _ in outcomes), where)
    reasons = {row["id"]: reason or task.check(row) for row, reason in outcomes}
    usable = divide([row for row, _ in outcomes if reasons[row["id"]] is None], where)
    chosen = {row["id"] for split, members in usable.items() for row in bounded(members, limits.get(split))}
    reasons = {name: reason or (None if name in chosen else OVER) for name, reason in reasons.items()}
    kept = list(sieve.kept((row, reasons[row["id"]]) for row, _ in outcomes))
    splits = {split: [row for row in kept if row["split"] == split] for split in SPLITS}
    for split, members in splits.items():
        sieve.balance.notes[split] = len(members)
        if not members:
            lost = Counter(reasons[row["id"]] for row, _ in outcomes if row.get("split") == split)
            found = (
                ", ".join(f"{count} dropped as {reason!r}" for reason, count in lost.most_common(3)) or "none at all"
            )
            raise DiscoError(f"{where} has no {split} record that can be used: found {found}; add some.")
    return splits
