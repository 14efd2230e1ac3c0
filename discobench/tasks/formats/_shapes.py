"""JSON of a stranger's format, checked against a type before anything is made of it."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from discobench.errors import DiscoError
from discobench.files import numbered_jsonl, read_text


def read_shape(path: Path, kind: Any) -> Any:
    """The JSON in ``path`` as ``kind``, types unchanged; a byte order mark at the start is allowed.

    Raises DiscoError naming the file and the first place that does not fit.
    """
    with _named(f"{path}"):
        return TypeAdapter(kind).validate_json(read_text(path).removeprefix("\ufeff"), strict=True)


def read_lines(path: Path, kind: type[BaseModel]) -> Iterator[tuple[int, Any]]:
    """The same of JSON Lines: each line's number and what it holds; a fault names the line too."""
    for number, row in numbered_jsonl(path):
        with _named(f"{path}, line {number}"):
            found = kind.model_validate(row, strict=True)
        yield number, found


def read_table(path: Path, text: str) -> tuple[list[str], list[dict[str, str]]]:
    """Columns and rows of CSV that ``path`` holds as ``text``; raises DiscoError for what is not CSV."""
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        return list(reader.fieldnames or []), list(reader)
    except csv.Error as error:
        raise DiscoError(f"{path}, line {reader.line_num + 1} is not CSV ({error}); mend the file.") from error


@contextmanager
def _named(where: str) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole file"
        raise DiscoError(f"{where}: {place}: {first['msg']}, found {_brief(first['input'])}; mend the file.") from error


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def existing(folder: Path, names: tuple[str, ...]) -> list[Path]:
    """Those of the named files that are in ``folder``, in that order; raises DiscoError when none is."""
    found = [folder / name for name in names if (folder / name).is_file()]
    if not found:
        raise DiscoError(f"{folder} holds none of {', '.join(names)}; check the path of the task's files.")
    return found
