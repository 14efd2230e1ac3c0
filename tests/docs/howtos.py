"""Following a how-to of ``docs/howto`` to the letter."""

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from discobench.files import read_text, write_text
from tests.conftest import ROOT, environment

HOWTOS = ROOT / "docs" / "howto"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name: str) -> Iterator[tuple[str, str, str]]:
    """Language, file (or nothing) and text of every fenced block of a how-to."""
    for match in BLOCK.finditer(read_text(HOWTOS / f"{name}.md")):
        yield match[1], match[2] or "", match[3]


def follow(name: str, folder: Path, changes: Mapping[str, str] = MappingProxyType({})) -> str:
    """Write the files and run the commands of a how-to in ``folder``; returns what was printed.

    ``changes`` replaces what differs from one machine to the next, such as the port of a server.
    """
    printed = ""
    for language, file, text in blocks(name):
        for old, new in changes.items():
            text = text.replace(old, new)
        if file:
            write_text(folder / file, text)
        elif language == "bash":
            printed += run(text, folder)
    return printed


def run(commands: str, folder: Path) -> str:
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=600,
    )
    assert ran.returncode == 0, ran.stdout[-5000:]
    return ran.stdout
