"""Plays and poems in XML: words stay apart or together as they are, and no word of a speech is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Ingested = Callable[..., Any]


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ("<TEI><p>one <hi>two </hi>three<hi> four</hi> fi<hi>v</hi>e</p></TEI>", "one two three four five"),
        ("<TEI><l><w>The</w><c> </c><w>sea</w><pc>,</pc><c> </c><w>grey</w></l></TEI>", "The sea, grey"),
        ("<TEI><sp><speaker>BEN</speaker><ab><w>Who</w><lb/><w>goes</w></ab></sp></TEI>", "BEN: Who goes"),
        ("<TEI><p><hi>All</hi> <hi>these</hi></p></TEI>", "All these"),
        ("<TEI><p>He waits<stage>he goes </stage>and</p></TEI>", "He waits [he goes] and"),
        ("<TEI><div>A<p>wave</p>came</div></TEI>", "A wave came"),
        ("<TEI><l><w>The</w><w>sea</w><pc>,</pc><w>grey</w></l></TEI>", "The sea, grey"),
        ("<TEI><p><s>One.</s><s>“<q>Two</q>.”</s><hi>T</hi><hi>hree</hi></p></TEI>", "One.“Two.”Three"),
        ("<TEI><p><s>One.</s><s>Two.</s></p></TEI>", "One. Two."),
        ("<TEI><l><w>大</w><w>海</w></l></TEI>", "大海"),
        ("<TEI><p>a</p><p/><p><note>b</note></p><lg><l/><l>c</l></lg></TEI>", "a\nc"),
        ("<TEI><sp><speaker>BEN</speaker><p><pb n='1'/></p><p>Who?</p></sp></TEI>", "BEN: Who?"),
        ("<TEI><p><l>The sea</l><l>is grey</l></p></TEI>", "The sea\nis grey"),
    ],
)
def test_words_are_parted_as_they_were(tmp_path: Path, ingested: Ingested, xml: str, text: str) -> None:
    (tmp_path / "a.xml").write_text(xml, "utf-8")
    assert [(record["text"], reason) for record, reason in ingested(tmp_path, "file", "en")] == [(text, None)]


@pytest.mark.parametrize(
    ("speech", "text"),
    [
        ("<SPEAKER>BEN</SPEAKER>Who goes?", "BEN: Who goes?"),
        ("Hark!<SPEAKER>BEN</SPEAKER><LINE>Who</LINE>goes?", "BEN: Hark!\nWho\ngoes?"),
        ("<SPEAKER>BEN</SPEAKER><STAGEDIR>Aside</STAGEDIR> Who goes?", "[Aside]\nBEN: Who goes?"),
    ],
)
def test_words_of_a_speech_outside_its_lines(tmp_path: Path, ingested: Ingested, speech: str, text: str) -> None:
    (tmp_path / "a.xml").write_text(f"<PLAY><SPEECH>{speech}</SPEECH></PLAY>", "utf-8")
    assert [record["text"] for record, _ in ingested(tmp_path, "file", "en")] == [text]
