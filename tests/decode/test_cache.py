"""Answers on disk: whole or not at all, with several writers, and what cannot be read is asked again."""

import subprocess
import sys
from pathlib import Path

import pytest

from discobench.decode.cache import Answer, Answers
from discobench.files import read_jsonl, write_text
from tests.support import ROOT

PROGRAM = """
import sys
from pathlib import Path
from discobench.decode.cache import Answer, Answers
kept = Answers(Path(sys.argv[1]))
for n in range(60):
    kept.add(f"{sys.argv[2]}-{n}", Answer("答" * 900, "ok", "stop", 5, 7))
"""


def test_two_processes_write_without_tearing(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM, path, name], cwd=ROOT) for name in "ab"]
    assert [process.wait(60) for process in running] == [0, 0]
    assert sorted(row["key"] for row in read_jsonl(path)) == sorted(f"{name}-{n}" for name in "ab" for n in range(60))
    assert set(Answers(path).known.values()) == {Answer("答" * 900, "ok", "stop", 5, 7)}


def test_what_is_no_answer_is_named_and_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "answers.jsonl"
    Answers(path).add("a", Answer("甲", "ok"))
    lines = [
        "",
        "[1]",
        '{"text": "乙", "status": "ok"}',
        '{"key": "b", "text": "乙", "status": "ok", "mood": 1}',
        '{"ke',
    ]
    write_text(path, path.read_text("utf-8") + "\n".join(lines))
    assert Answers(path).known == {"a": Answer("甲", "ok")}
    assert [text.split(" holds")[0].rpartition(" ")[2] for text in caplog.messages] == ["3", "4", "5", "6"]


def test_a_line_without_its_end_goes_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    kept = Answers(path)
    kept.add("a", Answer("甲", "ok"))
    whole = path.read_bytes()
    path.write_bytes(whole + '{"key": "b", "text": "乙'.encode()[:-1])
    Answers(path).add("c", Answer("丙", "empty", "length", 1, 2))
    assert path.read_bytes().startswith(whole) and [row["key"] for row in read_jsonl(path)] == ["a", "c"]
    assert Answers(path).known["c"].used.tokens == 3


def test_answers_of_earlier_versions_are_known(tmp_path: Path) -> None:
    """They have no counts of tokens."""
    path = tmp_path / "answers.jsonl"
    write_text(path, '{"key": "a", "text": "甲", "status": "ok", "finish": "stop"}\n')
    assert Answers(path).known["a"] == Answer("甲", "ok", "stop")
