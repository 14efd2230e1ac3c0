"""Write the demo's texts: ``python -m resources.demo.generator [folder]``."""

import json
import sys
from pathlib import Path

from discobench.files import whole
from resources.demo.generator.corpora import TREES, corpus, treebank
from resources.demo.generator.datasets import Rows, records, subtitles


def lines(rows: Rows) -> str:
    """JSON Lines with sorted keys."""
    return "".join(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)


def contents() -> dict[str, bytes]:
    """Every generated file by its path under ``resources/demo``."""
    text = subtitles() | {path: lines(rows) for path, rows in records().items()}
    text |= {f"treebank/{split}.mrg": treebank(split) for split in TREES}
    files = {path: content.encode("utf-8") for path, content in text.items()}
    return files | {f"corpus/{path}": content for path, content in corpus().items()}


def main(folder: Path) -> None:
    """Write all files under ``folder``, whole."""
    for path, content in sorted(contents().items()):
        with whole(folder / path) as temporary:
            temporary.write_bytes(content)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
