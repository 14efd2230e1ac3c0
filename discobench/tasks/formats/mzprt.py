"""mZPRT: Chinese lines with recovered pronouns beside their English, ``raw/<domain>.zh`` and ``.en``.

A line ``[doc]`` parts documents in both files. A pronoun stands where it was left out, as ``<他>_S``: in
angle brackets, then its role (``_S`` subject, ``_O`` object, ``_Pa`` possessive, ``_R`` reflexive, ``_UN``, or
nothing). The files hold more than their own reader expects: ``_UN`` in capitals, ``_Pq``, ``_P``, pronouns that are
not personal, traditional ones, and brackets that do not close; other words in brackets are text.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobench.corpus.sentences import sentences
from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.records import record_id
from discobench.schema import empty
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._pairs import pairs
from discobench.tasks.translation import Translation
from discobench.tasks.windows import WindowTask
from discobench.tasks.zpr import FORMS

SOURCE = "mzprt"
BOUNDARY = "[doc]"
FICTION = "Web_Fiction"
DOMAINS = {
    "Web_Fiction": "novel",
    "Movie_Subtitle": "movie",
    "Baidu_knows": "q&a",
    "Government_Report": "news",
    "Personal_Profile": "resume",
}
CONTEXT = 3
HELD_OUT = 4
"""Of the documents of a file that names no split, one in so many is for validation; people's labels are not
for training."""
ROLE = r"_(?:Pa|Pq|P|UN|un|S|O|R)"
LABEL = re.compile(rf"<((?:[我你您他她它牠祂]|[这這那](?:[个個]|些)?)[们們]?(?:自己)?的?)(?:>({ROLE})?|({ROLE}))")
ROLES = {"S": "subject", "O": "object", "Pa": "possessive", "Pq": "possessive", "R": "reflexive"}
"""``_P`` stands for no one role in the files, ``_UN`` for none that the annotators could name."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file: its lines in both languages, labels still in the Chinese ones."""

    domain: str
    split: str | None
    number: int
    zh: list[str]
    en: list[str]

    @property
    def work(self) -> str:
        """Domain and number: a document is an excerpt of one book, one episode, one conversation."""
        return f"{self.domain}-{self.number:03d}"


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Zero pronouns with labels; sentence pairs and windows of the novels without.

    Novels are few, and NT, TI and TC train on some: their works are divided anew, for ZPR too. Of other domains, which
    only ZPR reads, files that name a split keep it.
    Raises DiscoError when files are missing or differ in their lines, or for a task without a reading.
    """
    records = _reading(task)
    for document in _documents(folder):
        if task.formulation == "gaps" or document.domain.startswith(FICTION):
            yield from ((record, None) for record in records(document))


def labelled(folder: Path) -> Iterator[dict[str, Any]]:
    """Lines of all files in both languages with their zeros: what a synthesis of zeros is held against.

    Fields ``id``, ``work_id``, ``domain`` (the file's name), ``number`` (of the document in its file, from 1), ``zh``
    without labels, ``en``, ``zeros``.
    """
    for document in _documents(folder):
        for n, (line, en) in enumerate(zip(document.zh, document.en, strict=True)):
            text, zeros = unlabelled(line)
            place = {"domain": document.domain, "number": document.number}
            yield _common(document, n, None) | place | {"zh": text, "en": en, "zeros": zeros}


def _reading(task: Task) -> Callable[[Document], Iterator[dict[str, Any]]]:
    if task.formulation == "gaps":
        return _zeros
    if isinstance(task, WindowTask):
        # A line is a sentence here; where paragraphs end the files do not say.
        return lambda document: task.records(_plain(document), within="document")
    if isinstance(task, Translation) and task.languages == ("zh", "en"):
        return lambda document: _pairs(document, task)
    raise DiscoError(f"tasks.{task.name}.files: format mzprt has no records for this task; name another format.")


def unlabelled(line: str) -> tuple[str, list[dict[str, Any]]]:
    """The text without labels, and its zeros as schema ``zpr`` has them.

    A possessive written without 的 gets it (``<他>_Pa`` beside ``<他的>_Pa``), unless the text itself goes on with 的.
    """
    zeros, text, end = [], "", 0
    for match in LABEL.finditer(line):
        text += line[end : match.start()]
        end = match.end()
        role = ROLES.get((match.group(2) or match.group(3) or "").removeprefix("_"))
        form = match.group(1)
        if role == "possessive" and form[-1] != "的" and not line.startswith("的", end):
            form += "的"
        zeros.append({"offset": len(text), "pronoun": form, "role": role, "in_inventory": form in FORMS})
    return text + line[end:], zeros


def _documents(folder: Path) -> Iterator[Document]:
    inner = folder / "raw"
    files = sorted((inner if inner.is_dir() else folder).glob("*.zh"))
    if not files:
        raise DiscoError(f"{folder} holds no raw/<domain>.zh; it must be a copy of mZPRT's test set.")
    for path in files:
        halves = [_parted(path), _parted(path.with_suffix(".en"))]
        if [len(part) for part in halves[0]] != [len(part) for part in halves[1]]:
            raise DiscoError(f"{path} and its .en differ in documents or their lines; take both from one copy.")
        for number, (zh, en) in enumerate(zip(*halves, strict=True), start=1):
            yield Document(path.stem, _split(path.stem), number, zh, en)


def _split(domain: str) -> str | None:
    return next((split for split in ("valid", "test") if domain.endswith(f"_{split}")), None)


def _parted(path: Path) -> list[list[str]]:
    """Documents of one file; nothing lies before the first boundary or after the last one."""
    parts: list[list[str]] = [[]]
    for line in read_text(path).removesuffix("\n").split("\n"):
        if line.strip() == BOUNDARY:
            parts.append([])
        else:
            parts[-1].append(line.strip())
    return [part for part in parts if part]


def _common(document: Document, n: int | None, split: str | None) -> dict[str, Any]:
    work = record_id(SOURCE, document.work, "").removesuffix(":")
    name = record_id(SOURCE, document.work, "0", n)
    return {"id": name, "source": SOURCE, "work_id": work, "language": "zh", "split": split}


def _zeros(document: Document) -> Iterator[dict[str, Any]]:
    lines = [unlabelled(line) for line in document.zh]
    texts = [text for text, _ in lines]
    held_out = document.split or ("valid" if document.number % HELD_OUT == 0 else "test")
    split = None if document.domain.startswith(FICTION) else held_out
    domain = document.domain.removesuffix(f"_{document.split}")
    for n, (text, zeros) in enumerate(lines):
        around = {"before": texts[max(0, n - CONTEXT) : n], "after": texts[n + 1 : n + 1 + CONTEXT]}
        fields = {"domain": DOMAINS.get(domain, domain), "text": text, "zeros": zeros}
        yield empty("zpr") | _common(document, n, split) | around | fields


def _pairs(document: Document, task: Task) -> Iterator[dict[str, Any]]:
    plain = (unlabelled(line)[0] for line in document.zh)
    return pairs(task, SOURCE, document.work, "0", zip(plain, document.en, strict=True))


def _plain(document: Document) -> dict[str, Any]:
    """The document as the corpus has documents, for windows of its sentences."""
    text = "\n".join(unlabelled(line)[0] for line in document.zh)
    spans = [{"start": start, "end": end} for start, end in sentences(text, "zh")]
    return _common(document, None, None) | {"text": text, "sentence_offsets": spans}
