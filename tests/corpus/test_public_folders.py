"""Every folder of real raw texts, read by the readers and counted once more in a slow and simple way."""

import html
import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("DISCOBENCH_PUBLIC_DATA" not in os.environ, reason="DISCOBENCH_PUBLIC_DATA is not set"),
]
Ingested = Callable[..., Any]
ENCODINGS = ("utf-8-sig", "gb18030", "cp1252")


def folder(name: str) -> Path:
    return Path(os.environ["DISCOBENCH_PUBLIC_DATA"]) / "corpus" / name


NAMES = sorted(path.name for path in folder("").iterdir()) if "DISCOBENCH_PUBLIC_DATA" in os.environ else []


def slow_text(data: bytes, *encodings: str) -> str:
    for encoding in encodings or ENCODINGS:
        try:
            return data.decode(encoding).replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
    raise AssertionError("no encoding fits")


def kept(found: Any) -> list[dict[str, Any]]:
    return [record for record, reason in found if reason is None]


def words(text: str) -> Counter[str]:
    return Counter(text.split())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("document", ["file", "chapter", "block", "line"])
def test_every_file_is_accounted_for(ingested: Ingested, name: str, document: str) -> None:
    found = ingested(folder(name), document, name[:2], work="file")
    files = {record["member"].partition("!")[0] for record, _ in found}
    assert files == {path.relative_to(folder(name)).as_posix() for path in folder(name).rglob("*") if path.is_file()}
    unknown = {f"unknown format {suffix}" for suffix in ("without suffix", ".yaml", ".dtd", ".css")}
    mixed = {record["member"].rpartition("/")[2] for record, reason in found if reason == "undecodable"}
    assert {reason for _, reason in found} - {None, "undecodable"} <= {"empty", *unknown}
    assert mixed <= {"wine.txt"}  # half of it was encoded twice


def heading(record: dict[str, Any], document: str) -> str:
    """The line that a chapter's title was; other titles are said above the text, or are none."""
    return (record["title"] or "") if document == "chapter" and not record["id"].endswith("000000") else ""


@pytest.mark.parametrize(
    ("name", "encodings"),
    [("zh_novel_classic", ("utf-8-sig", "gb18030")), ("zh_classical_ancient", ("utf-8",)), ("en_book", ())],
)
def test_plain_texts_are_whole(ingested: Ingested, name: str, encodings: tuple[str, ...]) -> None:
    paths = sorted(folder(name).rglob("*.txt"))
    expected = {path.relative_to(folder(name)).as_posix(): slow_text(path.read_bytes(), *encodings) for path in paths}
    found = kept(ingested(folder(name), "file", name[:2], files=["*.txt"], work="file"))
    assert {record["member"]: record["text"] for record in found} == {
        name: text.removesuffix("\n") for name, text in expected.items()
    }
    for document in ("chapter", "block", "line"):
        rows = ingested(folder(name), document, name[:2], files=["*.txt"], work="file")
        for path in paths:
            member = path.relative_to(folder(name)).as_posix()
            pieces = [f"{heading(r, document)} {r['text']}" for r, _ in rows if r["member"] == member]
            assert words(" ".join(pieces)) == words(expected[member]), (member, document)


def test_lines_are_those_with_text(ingested: Ingested) -> None:
    paths = folder("zh_novel_classic").rglob("*.txt")
    lines = sum(bool(line.strip()) for path in paths for line in slow_text(path.read_bytes()).split("\n"))
    assert len(ingested(folder("zh_novel_classic"), "line", "zh")) == lines


def poems(value: Any) -> Iterator[tuple[str, ...]]:
    """Lists of lines, wherever they are, that are no notes or tags."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, list) and item and all(isinstance(line, str) for line in item):
            if key not in ("notes", "tags"):
                yield tuple(item)
        elif isinstance(item, dict | list):
            yield from poems(item)


def test_poems_of_every_key_set(ingested: Ingested) -> None:
    paths = sorted(folder("zh_poetry").rglob("*.json"))
    expected = [poem for path in paths for poem in poems(json.loads(path.read_text("utf-8")))]
    found = kept(ingested(folder("zh_poetry"), "file", "zh", files=["*.json"]))
    assert sorted(tuple(record["text"].split("\n")) for record in found) == sorted(expected)
    assert len(found) > 3000
    assert all(record["title"] for record in found)
    tang = [record for record in found if "poet.tang" in record["member"]]
    assert (len(tang), sum(record["author"] is not None for record in tang)) == (1000, 1000)


def test_couplets_of_three_styles(ingested: Ingested) -> None:
    base = folder("zh_couplet/couplet-machine")
    tabs = [line for line in slow_text((base / "origin/cldldq.txt").read_bytes()).split("\n") if line.count("\t") == 1]
    arrows = [
        line
        for name in ("long", "test")
        for line in slow_text((base / f"final/{name}.txt").read_bytes()).split("\n")
        if re.fullmatch(r"[^\t]+\t=>\t[^\t]+", line.strip())
    ]
    labels = re.findall(
        r"上联】?[:：].*\n\s*【?下联】?[:：]", slow_text((base / "origin/mannual_couplet/couplet.txt").read_bytes())
    )
    files = ["*/cldldq.txt", "*/final/*", "*/couplet.txt"]
    found = kept(ingested(folder("zh_couplet"), "line", "zh", files=files, format="couplets"))
    counts = Counter(record["member"].rpartition("/")[2] for record in found)
    assert counts["cldldq.txt"] == len(tabs)
    assert counts["long.txt"] + counts["test.txt"] == len(arrows)
    assert counts["couplet.txt"] == pytest.approx(len(labels), abs=20)  # empty lines may stand between
    assert all("\u3000" in record["text"] and " " not in record["text"].strip() for record in found[:1000])


def test_plays_in_xml(ingested: Ingested) -> None:
    archive = zipfile.ZipFile(folder("en_play/nltk/shakespeare.zip"))
    found = kept(ingested(folder("en_play"), "file", "en"))
    assert len(found) == 8
    for record in found:
        xml = archive.read(record["member"].partition("!")[2]).decode()
        lines = re.findall(r"<LINE>(.*?)</LINE>", xml, re.DOTALL)
        said = [html.unescape(re.sub(r"<[^>]*>", " ", line)) for line in lines]
        spoken = Counter(word for line in said for word in re.findall(r"[a-z]+", line.lower()))
        told = Counter(re.findall(r"[a-z]+", record["text"].lower()))
        assert not spoken - told
        assert record["text"].count(": ") >= xml.count("<SPEECH>")
        assert record["title"]


def test_dialogues_of_an_archive(ingested: Ingested) -> None:
    archive = zipfile.ZipFile(folder("en_screenplay_dialogue/nltk/webtext.zip"))
    found = ingested(folder("en_screenplay_dialogue"), "block", "en", files=["*.zip"])
    talk = slow_text(archive.read("webtext/overheard.txt"), "cp1252")
    blocks = [block for block in re.split(r"\n[ \t]*(?:\n[ \t]*)+", talk) if block.strip()]
    assert sum("overheard" in record["member"] for record in kept(found)) == len(blocks)


def test_subtitles(ingested: Ingested) -> None:
    for name in ("zh_subtitle", "en_subtitle"):
        (path,) = folder(name).glob("*.srt")
        cues = re.split(r"\n\s*\n", slow_text(path.read_bytes()).strip())
        lines = [line for cue in cues for line in cue.split("\n")[2:] if re.search(r"\w", line)]
        (record,) = kept(ingested(folder(name), "file", name[:2]))
        assert record["text"].split("\n") == lines


def test_two_editions_of_one_book(ingested: Ingested) -> None:
    """The page and the plain text of a book have the same words, but for their frames."""
    found = kept(ingested(folder("en_book"), "file", "en", files=["gitenberg_1342/1342*"]))
    page, plain = (Counter(re.findall(r"[a-z]+", record["text"].lower())) for record in found)
    shared = (page & plain).total()
    assert shared > 0.985 * max(page.total(), plain.total())
