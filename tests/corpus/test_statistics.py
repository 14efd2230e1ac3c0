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
from discobench.corpus.statistics import COLUMNS, statistics
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


REAL = {
    "zh_novel": ("zh_novel_classic", "chapter", 2),
    "zh_poetry": ("zh_poetry", "file", 1),
    "zh_movie": ("zh_subtitle", "file", 1),
    "en_book": ("en_book", "file", 2),
    "en_movie": ("en_subtitle", "file", 1),
}
"""Genres, their folders in the public data, what a document is, and shards."""


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
    genres = {
        name: {"path": str(base / folder), "document": document, "shards": shards}
        for name, (folder, document, shards) in REAL.items()
    }
    write_json(repository / "real.json", {"run": {"preset": "real", "genres": list(REAL)}, "genres": genres})
    told = ["--profile", "profiles/demo", "--configfile", "real.json", "--", "results/real/corpus/statistics.parquet"]
    ran = snakemake(repository, *told, timeout=600)
    assert ran.returncode == 0, ran.stdout[-3000:]
    corpus = repository / "results/real/corpus"
    expected: dict[tuple[str, str], Counter[str]] = {}
    for path in sorted(corpus.glob("*/*/deduplicate.parquet")):
        for record in read_parquet(path, "document"):
            expected.setdefault((record["language"], record["genre"]), Counter()).update(slow(record))
    rows = read_parquet(corpus / "statistics.parquet", "statistics")
    found = {(row["language"], row["genre"]): {name: row[name] for name in row if name in MEASURES} for row in rows}
    assert len(found) == len(REAL)
    assert found == expected
    assert json.loads((corpus / "statistics.balance.json").read_text("utf-8"))["in"] > 100


MEASURES = ("documents", "sentences", "characters_or_words")
