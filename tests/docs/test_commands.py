"""Commands of the documentation are whole: Snakemake refuses one that names neither cores nor a profile."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from discobench.files import read_text
from tests.conftest import ROOT

DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "resources/report").glob("*.j2")),
]
WITH_ARGUMENTS = r"((?:\S*/)?snakemake [^\n]*?)"
IN_TEXT = re.compile(rf"(?:`|<code>){WITH_ARGUMENTS}(?:`|</code>)")
IN_BLOCK = re.compile(rf"^\s*{WITH_ARGUMENTS}(?:\s#.*)?$", re.MULTILINE)
ENOUGH = re.compile(r" (--profile|--cores|-c|-c\d+|-j|--jobs) ")


def commands(text: str) -> Iterator[str]:
    """What the text tells to type, a line that goes on with a backslash in one."""
    text = text.replace("\\\n", " ")
    blocks = "\n".join(re.findall(r"^ *```\w*[^\n]*\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL))
    yield from (match[1] for pattern, part in ((IN_TEXT, text), (IN_BLOCK, blocks)) for match in pattern.finditer(part))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_names_cores_or_a_profile(path: Path):
    assert [command for command in commands(read_text(path)) if not ENOUGH.search(command)] == []


def test_commands_are_found_in_blocks_and_in_text():
    text = "Say `snakemake status`, then:\n\n```bash\n  snakemake --profile a \\\n  all  # b\n```\nand `snakemake`.\n"
    assert [" ".join(command.split()) for command in commands(text)] == [
        "snakemake status",
        "snakemake --profile a all",
    ]
    assert sum(len(list(commands(read_text(path)))) for path in DOCUMENTS) > 20
