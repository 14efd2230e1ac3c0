"""What is wrong with a configuration file of one's own: ``python -m discobench.config.check mine.yaml [preset]``.

Snakemake reads the files of ``--configfile`` before this project's code runs, and of one that is absent,
empty or no YAML it says neither the name nor the line.
"""

import sys
from pathlib import Path

from discobench.config.load import read_yaml, resolve
from discobench.errors import DiscoError

ROOT = Path(__file__).resolve().parents[2]


def check(path: Path, preset: str = "paper") -> None:
    """Raise DiscoError unless ``path`` can be laid over the preset."""
    tree = read_yaml(path)
    if not tree:
        raise DiscoError(f"{path} holds no key; write one into it or leave it out.")
    resolve(tree | {"preset": preset}, ROOT, str(path))


if __name__ == "__main__":
    try:
        check(Path(sys.argv[1]), *sys.argv[2:3])
    except DiscoError as error:
        sys.exit(str(error))
