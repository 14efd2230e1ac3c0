"""Table 5's counts: by hand, over any cut into tables, and against a slow count of real texts."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discobench.corpus.rules import read_rules
from discobench.corpus.statistics import COLUMNS, COUNTS, PLACE, statistics
from discobench.files import write_json
from discobench.parquet import iterate_tables, read_parquet, write_parquet
from tests.conftest import snakemake
from tests.corpus.conftest import ROOT
from tests.corpus.slowly import plain_sentences

Make = Callable[..., dict[str, Any]]


def documents(make: Make) -> Iterator[dict[str, Any]]:
    for n in range(40):
        genre = {"category": "Ancient", "genre": "Poetry"} if n % 3 else {"category": "Others", "genre": "Movie"}
        offsets = [{"start": m, "end": m + 1} for m in range(n % 4)]
        yield make("他来了。", f"g:w:{n}", sentence_offsets=offsets, units=n, language="zhen"[n % 2 * 2 :][:2], **genre)


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_sums_by_language_and_genre(tmp_path: Path, document: Make, size: int) -> None:
    write_parquet(tmp_path / "d.parquet", documents(document), "document")
    rows = statistics(iterate_tables(tmp_path / "d.parquet", "document", COLUMNS, size))
    assert [(row["language"], row["genre"]) for row in rows] == [
        ("en", "Poetry"), ("en", "Movie"), ("zh", "Poetry"), ("zh", "Movie"),
    ]  # fmt: skip
    wanted = [n for n in range(40) if n % 2 == 0 and n % 3 == 0]
    counts = {"documents": len(wanted), "sentences": sum(n % 4 for n in wanted), "characters_or_words": sum(wanted)}
    assert rows[3] == {"language": "zh", "category": "Others", "genre": "Movie", **counts}


def test_nothing_makes_no_row() -> None:
    assert statistics([]) == statistics([pa.table({name: [] for name in ("language", "category", "genre")})]) == []


REAL: dict[str, dict[str, Any]] = {
    "zh_modernist": {"path": "zh_novel_classic", "document": "chapter", "shards": 2},
    "zh_screenplay": {"path": "zh_modern", "document": "block"},
    "zh_poetry": {"path": "zh_poetry", "document": "file"},
    "zh_couplet": {"path": "zh_couplet", "document": "line", "format": "couplets"},
    "zh_ancient": {"path": "zh_classical_ancient", "document": "file"},
    "zh_movie": {"path": "zh_subtitle", "document": "file"},
    "en_book": {"path": "en_book", "document": "file", "shards": 2},
    "en_screenplay": {"path": "en_play", "document": "file"},
    "en_movie": {"path": "en_subtitle", "document": "file", "shards": 1},
    "en_dialogue": {"path": "en_screenplay_dialogue", "document": "block"},
}
"""Genres of all folders of the public data, and how they are read."""


ABBREVIATIONS = {
    language: read_rules(ROOT / f"resources/cleaning/{language}.yaml").abbreviations for language in ("zh", "en")
}


def words(text: str) -> int:
    """Runs of letters and digits that a mark may hold together, letter by letter."""
    count, inside = 0, False
    for n, character in enumerate(text):
        letter = character.isalnum() or character == "_"
        joined = inside and character in "'’-" and n + 1 < len(text) and (text[n + 1].isalnum() or text[n + 1] == "_")
        count += letter and not inside
        inside = letter or joined
    return count


def slow(record: dict[str, Any]) -> dict[str, int]:
    text, language = record["text"], record["language"]
    sentences = plain_sentences(text, language, ABBREVIATIONS[language])
    assert [text[span["start"] : span["end"]] for span in record["sentence_offsets"]] == sentences
    units = words(text) if language == "en" else sum(1 for character in text if not character.isspace())
    return {"documents": 1, "sentences": len(sentences), "characters_or_words": units}


@pytest.mark.data
@pytest.mark.slow
def test_real_texts_are_counted_as_by_hand(repository: Path) -> None:
    base = Path(os.environ["DISCOBENCH_PUBLIC_DATA"]) / "corpus"
    assert {keys["path"] for keys in REAL.values()} == {path.name for path in base.iterdir()}
    genres = {name: {"shards": 1, **keys, "path": str(base / keys["path"])} for name, keys in REAL.items()}
    write_json(repository / "real.json", {"run": {"preset": "real", "genres": list(REAL)}, "genres": genres})
    told = ["--profile", "profiles/demo", "--configfile", "real.json", "--", "results/real/corpus/statistics.parquet"]
    ran = snakemake(repository, *told, timeout=600)
    assert ran.returncode == 0, ran.stdout[-3000:]
    corpus = repository / "results/real/corpus"
    expected: dict[tuple[str, ...], Counter[str]] = {}
    for path in sorted(corpus.glob("*/*/deduplicate.parquet")):
        for record in read_parquet(path, "document"):
            expected.setdefault(tuple(record[name] for name in PLACE), Counter()).update(slow(record))
    rows = read_parquet(corpus / "statistics.parquet", "statistics")
    found = {tuple(row[name] for name in PLACE): {name: row[name] for name in COUNTS} for row in rows}
    assert len(found) == len(REAL)
    assert found == expected
    assert json.loads((corpus / "statistics.balance.json").read_text("utf-8"))["in"] > 100
