"""Leakage: validation and test instances that stand in the training text of a task of the run, their own included.

An instance leaks exactly when what a model is given stands in training too (letters and digits only, without
case), and overlaps when the share of its n-grams, targets included, that training has reaches a bound. N-grams are
of characters for texts with Chinese in them and of words for others, as in ``corpus.ngrams``.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from discobench.corpus.codes import codes
from discobench.corpus.ngrams import texts, within
from discobench.corpus.texts import comparable, script_share
from discobench.sieve import Record
from discobench.tasks.base import Task

HELD_OUT = ("valid", "test")
Work = tuple[str, str]
"""Source and work: files of different sources may call different works the same."""


def grams(record: Record, sizes: Mapping[str, int]) -> set[int]:
    """Hashes of all n-grams of a record's texts; ``sizes`` gives n by language."""
    found: set[int] = set()
    for text in texts(record):
        language = "zh" if script_share(text, "zh") else "en"
        found.update(within(codes([text]), language, sizes[language]).tolist())
    return found


def given(task: Task, record: Record) -> str:
    """What a model is given of a record, in a comparable form."""
    return comparable("\n".join(task.fields(record).values()))


@dataclass(slots=True)
class Instance:
    """A held-out instance; ``exact`` and ``shared`` lead from a training task to ids of records there."""

    id: str
    task: str
    split: str
    size: int
    exact: dict[str, str] = field(default_factory=dict)
    shared: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


class Leakage:
    """First every held-out record is taken in, then every training record is looked up."""

    def __init__(self, sizes: Mapping[str, int], overlap: float) -> None:
        self.sizes, self.overlap = sizes, overlap
        self.instances: list[Instance] = []
        self.owners: defaultdict[int, list[Instance]] = defaultdict(list)
        self.same: defaultdict[str, list[Instance]] = defaultdict(list)
        self.seen: dict[int, dict[str, str]] = {}
        self.works: defaultdict[Work, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    def hold(self, task: Task, split: str, records: Iterable[Record]) -> None:
        """Take in the records of a task's validation or test set."""
        for record in records:
            found = grams(record, self.sizes)
            instance = Instance(str(record["id"]), task.name, split, len(found))
            self.instances.append(instance)
            if key := given(task, record):
                self.same[key].append(instance)
            for gram in found:
                self.owners[gram].append(instance)
            self._place(task, split, record)

    def train(self, task: Task, records: Iterable[Record]) -> None:
        """Look up the records of a task's training set."""
        for record in records:
            for instance in self.same.get(given(task, record), []):
                instance.exact.setdefault(task.name, str(record["id"]))
            for gram in grams(record, self.sizes) & self.owners.keys():
                self.seen.setdefault(gram, {}).setdefault(task.name, str(record["id"]))
            self._place(task, "train", record)

    def _place(self, task: Task, split: str, record: Record) -> None:
        self.works[str(record["source"]), str(record["work_id"])][task.name].add(split)

    def findings(self) -> list[dict[str, Any]]:
        """Every instance that leaks: where from, how, the training record most like it, and the share it has."""
        for gram, homes in self.seen.items():
            for instance in self.owners[gram]:
                for task, record in homes.items():
                    instance.shared[task][record] += 1
        self.seen = {}
        found = [row for instance in self.instances for row in self._rows(instance)]
        return sorted(found, key=lambda row: (row["task"], row["split"], row["train"], row["id"]))

    def _rows(self, instance: Instance) -> Iterator[dict[str, Any]]:
        for task in sorted(instance.exact.keys() | instance.shared.keys()):
            records = instance.shared[task]
            share = sum(records.values()) / instance.size if instance.size else 0.0
            nearest = min(records, key=lambda record: (-records[record], record), default="")
            kind = "exact" if task in instance.exact else "overlap"
            if kind == "exact" or share >= self.overlap:
                place = {"id": instance.id, "task": instance.task, "split": instance.split, "train": task}
                yield place | {"kind": kind, "like": instance.exact.get(task, nearest), "share": round(share, 4)}

    def pairs(self, tasks: Sequence[str], findings: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """For each held-out set and each training task: instances, how many leak, and works that both have."""
        sizes = Counter((instance.task, instance.split) for instance in self.instances)
        leaks = Counter((row["task"], row["split"], row["train"], row["kind"]) for row in findings)
        return [
            {"task": task, "split": split, "train": other, "instances": sizes[task, split]}
            | {kind: leaks[task, split, other, kind] for kind in ("exact", "overlap")}
            | {"works": sum(split in homes[task] and "train" in homes[other] for homes in self._shared(task, other))}
            for task in tasks
            for split in HELD_OUT
            for other in tasks
        ]

    def _shared(self, *tasks: str) -> Iterator[dict[str, set[str]]]:
        return (homes for homes in self.works.values() if all(task in homes for task in tasks))

    def divided(self) -> list[dict[str, Any]]:
        """Works that do not lie in one split, in whatever tasks they are."""
        return [
            {
                "source": source,
                "work_id": work,
                "splits": {task: sorted(found) for task, found in sorted(homes.items())},
            }
            for (source, work), homes in sorted(self.works.items())
            if len(set().union(*homes.values())) > 1
        ]


def warnings(pairs: Sequence[Mapping[str, Any]], divided: Sequence[Mapping[str, Any]], threshold: float) -> list[str]:
    """One sentence for each pair whose share of leaking instances is above ``threshold``, and for each divided work."""
    leaks = [(pair, pair["exact"] + pair["overlap"]) for pair in pairs]
    found = [
        f"{pair['task']}: {n} of {pair['instances']} {pair['split']} instances stand in the training text of "
        f"{pair['train']}, more than the share of {threshold:g} that is let pass"
        for pair, n in leaks
        if n > threshold * pair["instances"]
    ]
    return found + [
        f"work {entry['work_id']} of {entry['source']} is "
        + " and ".join(f"{'+'.join(splits)} in {task}" for task, splits in entry["splits"].items())
        for entry in divided
    ]
