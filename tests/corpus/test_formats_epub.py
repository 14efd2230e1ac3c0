"""EPUB books: the spine's order, odd pages, and books without one."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Ingested = Callable[..., Any]
CONTAINER = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfile full-path="{}"/></container>'
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
<dc:title>The Grey Sea</dc:title><dc:creator>Ann Holm</dc:creator></metadata><manifest>
<item id="b" href="text/two%20b.xhtml"/><item id="a" href="text/one.html"/><item id="c" href="gone.xhtml"/>
<item id="d" href="bad.xhtml"/></manifest><spine>{}</spine></package>"""
SPINE = '<itemref idref="a"/><itemref idref="b"/>'
ONE = "<html><head><title>x</title></head><body><h1>One</h1><p>The boat came in.</p></body></html>"
TWO = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><h2>Two</h2><p>Nobody&nbsp;spoke.</p></body></html>'


def book(path: Path, spine: str = SPINE, folder: str = "OPS/", **changes: str | bytes) -> None:
    files: dict[str, str | bytes] = {
        "META-INF/container.xml": CONTAINER.format(f"{folder}content.opf"),
        f"{folder}content.opf": PACKAGE.format(spine),
        f"{folder}text/two b.xhtml": TWO,
        f"{folder}text/one.html": ONE,
        f"{folder}cover.jpg": b"\xff\xd8",
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        for name, data in {**files, **changes}.items():
            archive.writestr(name, data)


@pytest.mark.parametrize("folder", ["OPS/", ""])
def test_chapters_are_the_pages_in_the_order_of_the_spine(tmp_path: Path, ingested: Ingested, folder: str) -> None:
    book(tmp_path / "sea.epub", folder=folder)
    rows = [(r["title"], r["author"], r["text"], r["member"]) for r, _ in ingested(tmp_path, "chapter", "en")]
    assert rows == [
        ("One", "Ann Holm", "One\n\nThe boat came in.", f"sea.epub!{folder}text/one.html"),
        ("Two", "Ann Holm", "Two\n\nNobody\xa0spoke.", f"sea.epub!{folder}text/two b.xhtml"),
    ]


def test_a_book_is_one_document(tmp_path: Path, ingested: Ingested) -> None:
    book(tmp_path / "sea.epub")
    ((record, reason),) = ingested(tmp_path, "file", "en")
    assert (record["title"], record["author"], record["id"], reason) == (
        "The Grey Sea",
        "Ann Holm",
        "g:sea:000000",
        None,
    )
    assert record["text"] == "One\n\nThe boat came in.\n\nTwo\n\nNobody\xa0spoke."


def test_pages_that_cannot_be_read_come_with_a_reason(tmp_path: Path, ingested: Ingested) -> None:
    spine = SPINE + '<itemref idref="c"/><itemref idref="d"/><itemref idref="e"/>'
    book(tmp_path / "sea.epub", spine, **{"OPS/bad.xhtml": b"\x81\xff\xff"})
    reasons = [reason for _, reason in ingested(tmp_path, "chapter", "en")]
    assert reasons == [None, None, "missing page", "undecodable", "missing page"]
    assert sum(reason is None for _, reason in ingested(tmp_path, "file", "en")) == 1


def test_a_cover_without_text_takes_no_id_of_the_book(tmp_path: Path, ingested: Ingested) -> None:
    book(tmp_path / "sea.epub", **{"OPS/text/one.html": "<html><body><img src='cover.jpg'/></body></html>"})
    rows = [(record["id"], reason) for record, reason in ingested(tmp_path, "file", "en")]
    assert rows == [("g:sea:page/000000", "empty"), ("g:sea:000000", None)]


def test_a_page_is_what_the_spine_names_whatever_its_suffix(tmp_path: Path, ingested: Ingested) -> None:
    items = '<item id="a" href="one.xht#top"/><item id="b" href="two"/>'
    package = f"<package><manifest>{items}</manifest><spine>{SPINE}</spine></package>"
    files = {"OPS/content.opf": package, "OPS/one.xht": ONE, "OPS/two": TWO, "OPS/notes.html": ONE}
    book(tmp_path / "sea.epub", **files)
    rows = [(record["title"], reason) for record, reason in ingested(tmp_path, "chapter", "en")]
    assert rows == [("One", None), ("Two", None)]


@pytest.mark.parametrize(
    "changes",
    [
        {"META-INF/container.xml": "<container/>"},
        {"META-INF/container.xml": "<container"},
        {"META-INF/container.xml": CONTAINER.format("../../etc/passwd")},
        {"OPS/content.opf": "<package><manifest/></package>"},
        {"OPS/content.opf": b"\xff\xff"},
    ],
)
def test_a_book_without_a_spine(tmp_path: Path, ingested: Ingested, changes: dict[str, Any]) -> None:
    book(tmp_path / "sea.epub", **changes)
    assert [reason for _, reason in ingested(tmp_path, "chapter", "en")] == ["no spine"]


def test_books_in_an_archive(tmp_path: Path, ingested: Ingested) -> None:
    book(tmp_path / "sea.epub")
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        archive.write(tmp_path / "sea.epub", "shelf/sea.epub")
    (tmp_path / "sea.epub").unlink()
    rows = [(r["id"], r["member"]) for r, _ in ingested(tmp_path, "chapter", "en")]
    assert rows[0] == ("g:many:shelf/sea.epub/000000", "many.zip!shelf/sea.epub!OPS/text/one.html")
    assert {r["work_id"] for r, _ in ingested(tmp_path, "chapter", "en", work="file")} == {"g:many/shelf/sea.epub"}


def test_a_package_in_utf16(tmp_path: Path, ingested: Ingested) -> None:
    package = f'<?xml version="1.0" encoding="UTF-16"?>{PACKAGE.format(SPINE)}'
    book(tmp_path / "sea.epub", **{"OPS/content.opf": package.encode("utf-16")})
    assert [record["title"] for record, _ in ingested(tmp_path, "chapter", "en")] == ["One", "Two"]
