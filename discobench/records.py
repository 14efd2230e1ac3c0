"""Ids, splits and balances: what lets every record be followed from ingestion to score."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_json, sha256, write_json

SPLITS = ("train", "valid", "test")


def record_id(source: str, work: str, document: str | int, n: int | None = None) -> str:
    """``<source>:<work>:<document>[:<n>]``; a colon inside a part would make it ambiguous."""
    parts = [source, work, str(document)] + ([] if n is None else [str(n)])
    return ":".join(part.replace(":", "_") for part in parts)


def split_of(work_id: str, shares: Mapping[str, float], seed: int) -> str:
    """The split of a work, by a hash of its id: the same wherever and whenever it is asked.

    ``shares`` gives the share of works for ``valid`` and ``test``; the rest is ``train``.
    """
    digest = hashlib.sha256(f"{seed}:{work_id}".encode()).digest()
    point = int.from_bytes(digest[:8], "big") / 2**64
    if point < shares["test"]:
        return "test"
    return "valid" if point < shares["test"] + shares["valid"] else "train"


def unique_by_id(
    rows: Iterable[Mapping[str, Any]], where: str, remedy: str = "ids must be unique: rename one"
) -> dict[str, Mapping[str, Any]]:
    """Index rows by id; raises DiscoError that names a duplicate and its file."""
    index: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        if not isinstance(row.get("id"), str):
            raise DiscoError(f"{where}: found id {row.get('id')!r}; each record needs a text of its own as id.")
        if row["id"] in index:
            raise DiscoError(f"{where} has id {row['id']!r} twice; {remedy}.")
        index[row["id"]] = row
    return index


@dataclass
class Balance:
    """What went into a step and where it went: ``in = kept + sum(dropped)``."""

    step: str
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    notes: dict[str, Any] = field(default_factory=dict)

    def keep(self, n: int = 1) -> None:
        """Count ``n`` records kept."""
        self.kept += n

    def drop(self, reason: str, n: int = 1) -> None:
        """Count ``n`` records dropped for ``reason``."""
        self.dropped[reason] += n

    def write(self, path: Path, received: int, outputs: Iterable[Path]) -> None:
        """Write the balance with the checksums of the step's outputs: the step's manifest.

        Raises DiscoError when ``received`` is not what was kept and dropped.
        """
        total = self.kept + sum(self.dropped.values())
        if total != received:
            raise DiscoError(f"step {self.step} received {received} records but accounts for {total}.")
        write_json(
            path,
            {
                "step": self.step,
                "in": received,
                "kept": self.kept,
                "dropped": dict(self.dropped),
                "notes": self.notes,
                "outputs": {output.name: sha256(output) for output in outputs},
            },
        )


def beside(manifest: Path, name: str) -> Path:
    """The output called ``name`` that ``manifest`` vouches for.

    Rules depend on small manifests instead of big files; raises DiscoError when the file is gone or another one.
    """
    path = listed(manifest, name)
    found, known = sha256(path), str(manifest_of(manifest)["outputs"][name])
    if found != known:
        raise DiscoError(
            f"{path} was cut short or changed since it was made (its sha256 begins with {found[:8]}, "
            f"{manifest} lists {known[:8]}); delete {manifest} and rerun."
        )
    return path


def listed(manifest: Path, name: str) -> Path:
    """As ``beside``, but the file's content is not looked at: for files of the size of the corpus."""
    known, path = manifest_of(manifest)["outputs"], manifest.parent / name
    if name not in known:
        raise DiscoError(f"{manifest} does not list {name!r}; it lists {', '.join(sorted(known))}.")
    if not path.exists():
        raise DiscoError(f"{path} is gone though {manifest} lists it; delete {manifest} and rerun.")
    return path


def manifest_of(path: Path) -> dict[str, Any]:
    """What a manifest says; raises DiscoError when the file is none."""
    facts = read_json(path)
    if not isinstance(facts, dict) or not isinstance(facts.get("outputs"), dict):
        raise DiscoError(f"{path} lists no outputs, so it is no manifest; delete it and rerun.")
    return facts
