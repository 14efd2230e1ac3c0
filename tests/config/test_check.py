"""A configuration file of one's own, checked without Snakemake: name, line, what was found."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "does not exist"),
        (b"", "holds no key; write one"),
        (b"- a\n", "holds list; a mapping of keys is needed"),
        (b"run:\n\ttasks: 1\n", "is not YAML"),
        (b"run: {tasks: [nt]}\nrun: {rows: [gpt2]}\n", "the key 'run' stands there twice"),
        (b"run: \xff\n", "is not UTF-8 at byte 5 (line 1)"),
        (b"a: " + b"[" * 3000, "is not YAML"),
        (b"run: {taks: [nt]}\n", "run.taks: unknown key; did you mean 'tasks'?"),
        (b"score: {bootstrap: .inf}\n", "score.bootstrap: found inf"),
        (b"seed: 10000000000000000\n", "seed: found 10000000000000000; allowed:"),
        (b"run: {seeds: [0]}\n", "run.seeds.0: found 0; allowed: a number above 0"),
        (b"genres: {en_book: {path: '', shards: 1000000000}}\n", "genres.en_book.shards: found 1000000000; allowed:"),
        (b"report: {tolerance: {bleu: .nan}}\n", "report.tolerance.bleu: found nan"),
        (b"report: {tolerance: {facts: -1}}\n", "report.tolerance.facts: found -1"),
        (
            b"report: {tolerance: {blue: 1}}\n",
            "report.tolerance: found 'blue', which is not defined; did you mean 'bleu'?",
        ),
        (
            b"report: {trusted: [commet]}\n",
            "report.trusted: found 'commet', which is not defined; did you mean 'comet'?",
        ),
        (
            b"report: {instead: {mrc: {bleu: d-bleu}}}\n",
            "report.instead.mrc: found 'bleu', which is not defined; allowed: ",
        ),
        (b"report: {instead: {cct: {ter: bleu, bleu: bleu-char}}}\n", "report.instead.cct: found a metric twice"),
    ],
)
def test_a_fault_names_the_file(tmp_path: Path, content: bytes | None, sentence: str):
    path = tmp_path / "mine.yaml"
    if content is not None:
        path.write_bytes(content)
    ran = checked(path)
    assert ran.returncode == 1
    assert ran.stderr.startswith(str(path)) and sentence in ran.stderr and "Traceback" not in ran.stderr


def test_a_good_file_is_no_news(tmp_path: Path):
    path = tmp_path / "mine.yaml"
    path.write_text("run: {tasks: &few [nt], rows: [majority]}\n", "utf-8")
    ran = checked(path, "demo")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def checked(path: Path, *preset: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "discobench.config.check", str(path), *preset]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
