"""Predictions from elsewhere: read within bounds, and checked completely before anything is scored.

A submission is a ``.jsonl`` file whose first line describes it (ABOUT) and whose other lines hold ``task``, ``id`` and
``prediction``; or a ``.zip`` of ``submission.json``, which describes it, and ``<task>.jsonl`` without ``task``. Members
of an archive are read, never written under names of their own, and never past LARGEST bytes, whatever headers say;
what is read is no more than MOST parts, whatever their size.
"""

import json
import lzma
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import IO, Any

from discobench.errors import DiscoError
from discobench.files import write_text
from discobench.schema import PREDICTION_STATUSES
from discobench.score.items import answer_fault
from discobench.tasks.base import Record, Task

ABOUT = ("name", "date", "licence")
DESCRIPTION = "submission.json"
LARGEST = 256 << 20
"""Bytes of a submission, unpacked; the answers to all nine test sets of the paper need a tenth of it."""
MOST = 2_000_000
"""Lines and parts of JSON of a submission: each takes some hundred bytes of memory, however short it is."""
PARTS = (b"\n", b"{", b"[", b",")
"""What begins a part, or ends a line; commas of texts are counted too, of which MOST leaves ample room."""
MEMBERS = 100
LONGEST = 100
"""Characters of a name or a licence."""
SHOWN = 20
"""Faults of one kind that are told; of more, how many there are."""
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, EOFError, ValueError)
"""What reading an archive raises whose bytes are not those that were packed; a name that is not UTF-8 is the last."""
Fault = tuple[str, str]
"""What kind of fault, and what it says."""


@dataclass(slots=True)
class Submission:
    """What a file holds: its description, the answers by task, each with its place, and the faults of reading it."""

    about: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, list[tuple[str, dict[str, Any]]]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    parts: int = 0


def read_submission(path: Path, tasks: Sequence[str]) -> Submission:
    """Read a submission to some of ``tasks``; raises DiscoError when nothing can be read."""
    found = Submission()
    try:
        if path.stat().st_size > LARGEST:
            raise DiscoError(f"{path} has {path.stat().st_size} bytes; a submission of at most {LARGEST} is allowed.")
        (_read_archive if zipfile.is_zipfile(path) else _read_lines)(path, tasks, found)
    except OSError as error:
        why = error.strerror or error
        raise DiscoError(f"submission: {path} cannot be read ({why}); name a file that can.") from error
    except DAMAGED as error:
        raise DiscoError(f"{path} is no zip file that can be read ({error}); pack it again.") from error
    return found


def _read_lines(path: Path, tasks: Sequence[str], found: Submission) -> None:
    with path.open("rb") as stream:
        lines = _objects(stream.read(LARGEST + 1), path.name, found)
        for number, (where, line) in enumerate(lines):
            if number == 0 and "task" not in line:
                found.about = line
                continue
            if number == 0:
                found.faults.append(("description", f"{where} answers; it must be the description: {', '.join(ABOUT)}"))
            if line.get("task") not in tasks:
                found.faults.append(("task", f"{where}: task holds {line.get('task')!r}; {_allowed(tasks)}"))
            else:
                found.answers.setdefault(line["task"], []).append((where, line))


def _allowed(tasks: Sequence[str]) -> str:
    return f"allowed: {', '.join(tasks)}"


def _read_archive(path: Path, tasks: Sequence[str], found: Submission) -> None:
    left = LARGEST
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if len(members) > MEMBERS:
            raise DiscoError(f"{path} has {len(members)} members; at most {MEMBERS} are allowed.")
        names = Counter(member.filename for member in members)
        for member in members:
            name, task = member.filename, member.filename.removesuffix(".jsonl")
            if names[name] > 1 or not (name == DESCRIPTION or (task in tasks and name != task)):
                found.faults.append(("member", _foreign(name, names[name], tasks)))
                continue
            with archive.open(member) as stream:
                data = _within(stream, left, path)
            left -= len(data)
            objects = _objects(data, name, found, whole=name == DESCRIPTION)
            if name == DESCRIPTION:
                found.about = next((about for _, about in objects), {})
            else:
                found.answers[task] = list(objects)


def _foreign(name: str, times: int, tasks: Sequence[str]) -> str:
    if times > 1:
        return f"member {name!r} is there {times} times"
    return f"member {name!r} is none of a submission; allowed: {DESCRIPTION}, {', '.join(f'{t}.jsonl' for t in tasks)}"


def _within(stream: IO[bytes], left: int, path: Path) -> bytes:
    """What a member holds; raises DiscoError as soon as it swells past ``left``."""
    data = stream.read(left + 1)
    if len(data) > left:
        raise DiscoError(f"{path} unpacks to more than {LARGEST} bytes; a submission needs less.")
    return data


def _objects(data: bytes, name: str, found: Submission, whole: bool = False) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of JSON Lines, or of one JSON value, each with its place; what is none becomes a fault.

    Raises DiscoError, before anything is parsed, when a submission comes to more than MOST parts.
    """
    found.parts += sum(data.count(mark) for mark in PARTS)
    if found.parts > MOST:
        raise DiscoError(f"{name}: the submission comes to {found.parts} lines and values; at most {MOST} are allowed.")
    for number, line in enumerate([data] if whole else data.split(b"\n"), start=1):
        where = name if whole else f"{name}, line {number}"
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except (ValueError, RecursionError) as error:
            found.faults.append(("json", f"{where} is not JSON: {error}"))
            continue
        if isinstance(value, dict):
            yield where, value
        else:
            found.faults.append(("json", f"{where} holds {type(value).__name__}, an object is needed"))


def check_submission(found: Submission, tests: Mapping[str, tuple[Task, Sequence[Record]]]) -> list[Fault]:
    """Every fault of a submission: its description, and the answers to the test set of each task it names."""
    faults = [*found.faults, *_about(found.about)]
    if not found.answers:
        faults.append(("task", "no task is answered"))
    for name, lines in found.answers.items():
        faults += _answers(*tests[name], lines)
    return faults


def _about(about: Mapping[str, Any]) -> Iterator[Fault]:
    for key in ABOUT:
        value = about.get(key)
        if not isinstance(value, str) or not value.strip() or len(value) > LONGEST or not value.isprintable():
            yield "description", f"{key} holds {value!r}, a line of 1 to {LONGEST} characters is needed"
    for key in sorted(set(about) - set(ABOUT), key=str):
        yield "description", f"key {key!r} is unknown; allowed: {', '.join(ABOUT)}"
    try:
        date.fromisoformat(str(about.get("date")))
    except ValueError:
        yield "description", f"date holds {about.get('date')!r}, a day like 2026-11-30 is needed"


def _answers(task: Task, records: Sequence[Record], lines: Sequence[tuple[str, dict[str, Any]]]) -> Iterator[Fault]:
    known = {record["id"]: record for record in records}
    seen: Counter[str] = Counter()
    for where, line in lines:
        name = line.get("id")
        if not isinstance(name, str):
            yield f"{task.name} id", f"{where}: id holds {name!r}, a text is needed"
            continue
        seen[name] += 1
        if name not in known:
            yield f"{task.name} extra", f"{where}: id {name!r} is not in the test set of {task.name}"
            continue
        if seen[name] > 1:
            yield f"{task.name} duplicate", f"{where}: id {name!r} was answered before"
        for fault in filter(None, (answer_fault(task, line, known[name]), _status(line))):
            yield f"{task.name} type", f"{where}: id {name!r}: {fault}"
    for name in known:
        if not seen[name]:
            yield f"{task.name} missing", f"{task.name}: id {name!r} has no answer"


def _status(line: Mapping[str, Any]) -> str | None:
    status = line.get("status", "ok")
    return None if status in PREDICTION_STATUSES else f"status holds {status!r}, one of {PREDICTION_STATUSES} is needed"


def told(faults: Sequence[Fault]) -> str:
    """The faults for a person, SHOWN of each kind at most."""
    counts: Counter[str] = Counter()
    lines = []
    for kind, text in faults:
        counts[kind] += 1
        if counts[kind] <= SHOWN:
            lines.append(text)
    more = [f"{n - SHOWN} more of this kind: {kind}" for kind, n in counts.items() if n > SHOWN]
    return "\n".join([*lines, *more])


def accepted(found: Submission, tests: Mapping[str, tuple[Task, Sequence[Record]]], report: Path) -> dict[str, Any]:
    """The answers of a submission without faults, by task; else writes all to ``report`` and raises DiscoError."""
    faults = check_submission(found, tests)
    if faults:
        write_text(report, "".join(f"{text}\n" for _, text in faults))
        raise DiscoError(f"The submission has {len(faults)} faults, all of them in {report}:\n{told(faults)}")
    return {name: [line for _, line in lines] for name, lines in found.answers.items()}


def answered_tasks(path: Path, tasks: Sequence[str]) -> list[str]:
    """Which of ``tasks`` a submission answers, in their order; raises DiscoError when nothing can be read."""
    found = read_submission(path, tasks)
    return [task for task in tasks if task in found.answers]
