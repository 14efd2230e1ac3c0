"""The licence of each genre stands in a table that any record is joined to by its source."""

from pathlib import Path

import pytest

from discobench.corpus.licences import licences
from discobench.files import read_json, write_json
from discobench.parquet import read_parquet
from scripts.corpus.licences import main

OPEN = {"language": "zh", "licence": "CC0-1.0", "path": "data/novel", "files": ["*.txt", "!a*"], "manifest": None}
BARE = {"language": "en", "licence": None, "path": "data/book", "files": [], "manifest": "data/book.jsonl"}
LISTED = {"files": 3, "bytes": 4_567}


def test_a_row_says_what_may_be_done_with_a_genre_and_where_that_is_declared() -> None:
    rows = licences({"zh_novel": OPEN, "en_book": BARE}, [LISTED, LISTED | {"files": 1}])
    assert rows[0] == {
        "source": "zh_novel",
        "language": "zh",
        "licence": "CC0-1.0",
        "declared": "genres.zh_novel.licence",
        "path": "data/novel",
        "globs": ["*.txt", "!a*"],
        "manifest": None,
        "files": 3,
        "bytes": 4_567,
    }
    assert (rows[1]["licence"], rows[1]["manifest"], rows[1]["files"]) == (None, "data/book.jsonl", 1)


def test_a_genre_whose_files_were_not_listed_is_no_row() -> None:
    with pytest.raises(ValueError, match="shorter"):
        licences({"zh_novel": OPEN, "en_book": BARE}, [LISTED])


def test_the_table_is_of_its_schema_and_the_manifest_names_what_cannot_be_released(tmp_path: Path) -> None:
    for name in ("zh_novel", "en_book"):
        write_json(tmp_path / name / "sources.json", LISTED | {"genre": name})
    manifests = [tmp_path / name / "sources.json" for name in ("zh_novel", "en_book")]
    output, manifest = tmp_path / "licences.parquet", tmp_path / "licences.balance.json"
    main(manifests, {"zh_novel": OPEN, "en_book": BARE}, output, manifest)
    found = read_parquet(output, "licence")
    assert [(row["source"], row["globs"]) for row in found] == [("zh_novel", ["*.txt", "!a*"]), ("en_book", [])]
    balance = read_json(manifest)
    assert (balance["in"], balance["kept"], balance["notes"]) == (2, 2, {"without": ["en_book"]})
