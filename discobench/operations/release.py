"""What may be passed on, and the archive that passes it on."""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.config.selection import Selection
from discobench.files import whole

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every member, so that the same data give the same bytes."""
OURS = frozenset(
    [
        *("id", "source", "work_id", "language", "split", "document_id", "domain", "style", "zeros", "insertions"),
        *("edits", "tree_ids", "decision", "reason"),
    ]
)
"""Fields whose texts are this project's: ids and labels. Those of all others, a new task's too, are their authors'."""
WITHHELD = (
    "Where a task's texts are withheld, its records hold the SHA-256 of each text in its place. From your own copy of "
    "the sources the pipeline's target `rebuild_tasks` puts them back, with `release.archive` set to this archive: "
    "records with the same id have texts with the same checksums. "
    "`sha256sum --check SHA256SUMS` checks the files of this archive."
)
SUMS = "SHA256SUMS"
STORED = ".safetensors"
"""Weights: no packing makes them smaller."""
Member = tuple[str, Iterable[str | bytes]]


def refusals(run: Selection, tasks: Sequence[str]) -> list[str]:
    """One sentence for each source of ``tasks`` that keeps them from being released."""
    known = run.config.licences
    found = {key: licence for task in tasks for key, licence in run.licences(task).items()}
    return [_refusal(key, licence, known) for key, licence in found.items() if licence not in known]


def model_refusals(run: Selection, checkpoints: Sequence[str]) -> list[str]:
    """One sentence for each thing that ``checkpoints`` learned from and that keeps them from being released."""
    known = run.config.licences
    found = {key: licence for name in checkpoints for key, licence in run.model_licences(name).items()}
    closed = {name for name, licence in known.items() if not licence.passes_models}
    return [
        _refusal(key, licence, known) if licence not in known else _closed(key, licence)
        for key, licence in found.items()
        if licence not in known or licence in closed
    ]


def _refusal(key: str, licence: str | None, known: Iterable[str]) -> str:
    if licence is None:
        return f"{key}: found no licence; name the one under which its source gave it."
    return (
        f"{key}: found {licence!r}, of which licences does not say whether texts under it may be passed on; "
        f"add it there or name one of {', '.join(known)}."
    )


def _closed(key: str, licence: str | None) -> str:
    return (
        f"{key}: found {licence!r}, under which no model that learned from it may be passed on; leave it out, "
        f"or set licences.{licence}.models where its terms allow that."
    )


def whole_texts(run: Selection, task: str) -> bool:
    """Whether every source of ``task`` lets its texts be passed on."""
    known = run.config.licences
    return all(name in known and known[name].texts for name in run.licences(task).values())


def notice(version: str, licences: Mapping[str, Sequence[str]], texts: Mapping[str, bool]) -> str:
    """What an archive says of itself: each task with the licences of its sources, and what is withheld."""
    rows = [f"| {task} | {', '.join(names)} | {'yes' if texts[task] else 'no'} |" for task, names in licences.items()]
    head = [f"# Disco-Bench data sets {version}", "", "| task | licences of its sources | texts |", "|---|---|---|"]
    return "\n".join([*head, *rows, "", WITHHELD, ""])


def withheld(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record whose texts are replaced by their SHA-256: who has a copy of the source can rebuild and check it."""
    return {key: value if key in OURS else _hashed(value) for key, value in record.items()}


def _hashed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _hashed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_hashed(item) for item in value]
    return hashlib.sha256(value.encode()).hexdigest() if isinstance(value, str) else value


def lines(records: Iterable[Mapping[str, Any]], texts: bool) -> Iterator[str]:
    """The records as JSON Lines, with their texts or without."""
    for record in records:
        yield json.dumps(record if texts else withheld(record), ensure_ascii=False, sort_keys=True) + "\n"


def archive(path: Path, members: Iterable[Member]) -> dict[str, str]:
    """Write a zip file with the same bytes for the same members; gives the SHA-256 of each.

    The last member, ``SHA256SUMS``, lists them in the format of ``sha256sum --check``.
    """
    sums: dict[str, str] = {}
    with whole(path) as temporary, zipfile.ZipFile(temporary, "w") as packed:
        for name, texts in members:
            sums[name] = _add(packed, name, texts)
        _add(packed, SUMS, (f"{digest}  {name}\n" for name, digest in sums.items()))
    return sums


def _add(packed: zipfile.ZipFile, name: str, parts: Iterable[str | bytes]) -> str:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(STORED) else zipfile.ZIP_DEFLATED
    digest = hashlib.sha256()
    with packed.open(entry, "w", force_zip64=True) as stream:
        for part in parts:
            data = part.encode() if isinstance(part, str) else part
            digest.update(data)
            stream.write(data)
    return digest.hexdigest()
