"""The Project Dialogism Novel Corpus (English): a folder per novel with its text, quotations and characters.

The task SI is Chinese; this is for use of one's own. A work is a novel. Of a quotation in parts the first
part is the utterance: what stands between them often names the speaker.
"""

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.records import record_id
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._shapes import read_table
from discobench.tasks.formats._speakers import Names, Span

SOURCE = "pdnc"
LINES = 12
"""Lines of context before and after an utterance."""


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every quotation; raises DiscoError naming file, row and column where one is not of the format."""
    novels = sorted(path.parent for path in folder.glob("*/quotation_info.csv"))
    if not novels:
        raise DiscoError(f"{folder} holds no <novel>/quotation_info.csv; check the path of the task's files.")
    for novel in novels:
        text = read_text(novel / "novel_text.txt")
        names = Names(dict(_characters(novel / "character_info.csv")), edge=r"\b")
        path = novel / "quotation_info.csv"
        for row in _rows(path, "quoteID", "subQuotationList", "quoteByteSpans", "speaker"):
            first = {"id": record_id(SOURCE, novel.name, row["quoteID"]), "source": SOURCE}
            reason, fields = _fields(text, row, names, path)
            yield first | {"work_id": f"{SOURCE}:{novel.name}", "language": "en", "split": None} | fields, reason


def _rows(path: Path, *columns: str) -> Iterator[dict[str, str]]:
    names, rows = read_table(path, read_text(path))
    missing = [column for column in columns if column not in names]
    if missing:
        raise DiscoError(f"{path} has no column {missing[0]}; its columns are {', '.join(names)}.")
    yield from rows


def _characters(path: Path) -> Iterator[tuple[str, list[str]]]:
    for row in _rows(path, "Main Name", "Aliases"):
        aliases = {name for name in _items(path, row, "Aliases", _is_text, "texts", set, list) if name.strip()}
        yield row["Main Name"], [row["Main Name"], *sorted(aliases - {row["Main Name"]})]


def _items(
    path: Path,
    row: dict[str, str],
    column: str,
    fits: Callable[[Any], bool],
    wanted: str,
    *kinds: type[Collection[Any]],
) -> list[Any]:
    """The Python literal in a column: a collection of one of ``kinds``, every item of which ``fits``."""
    try:
        value = ast.literal_eval(row[column])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = None
    if not isinstance(value, kinds) or not all(map(fits, value)):
        name = next(iter(row.values()))
        raise DiscoError(
            f"{path}: row {name}: {column} holds {row[column]!r}; a Python {kinds[0].__name__} of {wanted} is needed."
        )
    return list(value)


def _is_text(item: Any) -> bool:
    return isinstance(item, str)


def _is_span(item: Any) -> bool:
    return isinstance(item, list) and [type(place) for place in item] == [int, int] and 0 <= item[0] <= item[1]


def _fields(text: str, row: dict[str, str], names: Names, path: Path) -> tuple[str | None, dict[str, Any]]:
    spans = _items(path, row, "quoteByteSpans", _is_span, "pairs [start, end]", list)
    parts = _items(path, row, "subQuotationList", _is_text, "texts", list)
    if not spans or len(spans) != len(parts):
        return f"quoteByteSpans has {len(spans)} items and subQuotationList {len(parts)}", {}
    (start, end), quoted = spans[0], parts[0]
    if text[start:end].strip() != quoted.strip():
        return "its span does not hold its text", {}
    if row["speaker"] not in names.names:
        return f"speaker {row['speaker']} is not among the characters", {}
    first, last = _window(text, (start, end))
    context, focus = text[first:last], (start - first, end - first)
    return None, {
        "context": context,
        "utterance": text[start:end],
        "utterance_start": focus[0],
        "utterance_end": focus[1],
        "no_speaker": False,
        "speakers": [names.mention(context, row["speaker"], focus)],
    }


def _window(text: str, span: Span) -> Span:
    """The lines of a span and ``LINES`` more on either side."""
    first, last = span
    for _ in range(LINES + 1):
        first = max(text.rfind("\n", 0, max(first, 0)), -1)
        last = text.find("\n", last + 1) if last < len(text) else last
        last = len(text) if last == -1 else last
    return first + 1, last
