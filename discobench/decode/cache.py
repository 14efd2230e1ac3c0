"""Answers of APIs on disk, so that nothing is asked and paid for twice."""

import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock

from filelock import FileLock

from discobench.decode.endpoint import Use
from discobench.files import open_text


@dataclass(frozen=True)
class Answer:
    """What came back: ``status`` is ok, empty, refused or too_long (the question, for the model).

    ``finish`` is the server's reason to stop: ``length`` where ``max_tokens`` cut the answer. ``input`` and ``output``
    are the tokens that the server counted, None where it counted none. ``escaped`` halves of characters (surrogates
    without their other half, which no UTF-8 has) stand in the text as ``\\ud83d``. ``model`` is the server's name of
    the model that answered.
    """

    text: str
    status: str
    finish: str = ""
    input: int | None = None
    output: int | None = None
    escaped: int = 0
    model: str = ""

    @property
    def used(self) -> Use:
        """What it took, as far as the server said."""
        return Use(self.input or 0, self.output or 0)

    def kind(self, status: str, whole: bool) -> str:
        """How the answer counts that a task read as ``status``: one of schema.PREDICTION_STATUSES.

        One that was cut counts as such where it has to be ``whole``, or where nothing could be read in it.
        """
        if self.status in ("refused", "too_long"):
            return self.status
        return "cut" if self.finish == "length" and (whole or status != "ok") else status


class Answers:
    """Answers by digest, one JSON object a line, appended as they come; other threads and processes may do the same."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock, self.turn = path, FileLock(path.with_suffix(".lock")), Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.known: dict[str, Answer] = {}
        with self.lock:
            lines = path.read_bytes().split(b"\n") if path.exists() else []
        for number, line in enumerate(lines, start=1):
            self._remember(number, line)

    def add(self, key: str, answer: Answer) -> None:
        """Keep an answer, on disk before anything else is asked."""
        with self.turn, self.lock:
            self._mend()
            with open_text(self.path, "a") as stream:
                stream.write(json.dumps({"key": key} | asdict(answer), ensure_ascii=False) + "\n")
                stream.flush()
                os.fsync(stream.fileno())
        self.known[key] = answer

    def _remember(self, number: int, line: bytes) -> None:
        """A line that cannot be read is one answer less: it is asked for again."""
        if not line.strip():
            return
        try:
            row = json.loads(line)
            key = row.pop("key")
            self.known[key] = Answer(**row)
        except (ValueError, TypeError, KeyError, AttributeError):
            logging.warning("%s, line %d holds no answer; the question is asked again", self.path, number)

    def _mend(self) -> None:
        """Takes away a last line that a kill left without its end."""
        if not self.path.exists():
            return
        with self.path.open("rb+") as stream:
            if stream.seek(0, os.SEEK_END) and stream.seek(-1, os.SEEK_END) >= 0 and stream.read() != b"\n":
                stream.seek(0)
                stream.truncate(stream.read().rfind(b"\n") + 1)
