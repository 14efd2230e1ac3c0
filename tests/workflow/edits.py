"""Edits of a finished run, to see what Snakemake would run again."""

import os
from collections.abc import Callable
from pathlib import Path

import yaml

CODE = ("scripts/**/*.py", "discobench/**/*.py", "rules/**/*.smk")

Edit = Callable[[Path], None]


def nothing(root: Path) -> None:
    """Leave all as it is."""


def turn_times_round(root: Path) -> None:
    """Give the oldest file the newest time and so on: every input is then younger than what was made from it."""
    files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    ours = sorted((path for path in files if ".snakemake" not in path.parts), key=lambda path: path.stat().st_mtime_ns)
    newest = ours[-1].stat().st_mtime_ns
    for age, path in enumerate(ours):
        os.utime(path, ns=(newest - age * 10**7, newest - age * 10**7))


def append(path: str, text: str) -> Edit:
    def edit(root: Path) -> None:
        with (root / path).open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)

    return edit


def comments(root: Path) -> None:
    """Add a line that means nothing to every script, module and rule file."""
    for pattern in CODE:
        for path in root.glob(pattern):
            append(str(path.relative_to(root)), "# a remark\n")(root)


def raised(stage: str) -> Edit:
    """Raise the version of a stage."""
    return append(f"discobench/{stage}/__init__.py", "\nVERSION = VERSION + 1\n")


def first_again(path: str) -> Edit:
    """Repeat the first record of a data file under an id of its own."""

    def edit(root: Path) -> None:
        line = (root / path).read_text("utf-8").split("\n")[0]
        append(path, line.replace('"id": "', '"id": "again-', 1) + "\n")(root)

    return edit


def letter(path: str, old: str, new: str) -> Edit:
    """Change letters of a data file into as many others: its size stays."""

    def edit(root: Path) -> None:
        text = (root / path).read_bytes()
        assert old.encode() in text and len(old) == len(new)
        (root / path).write_bytes(text.replace(old.encode(), new.encode(), 1))

    return edit


def keys(changes: dict) -> Edit:
    """Change keys of the configuration by a file of one's own."""

    def edit(root: Path) -> None:
        (root / "mine.yaml").write_text(yaml.safe_dump(changes), "utf-8")

    return edit
