"""One file of each format: texts, titles, reasons."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discobench.corpus.formats.base import Limits

Ingested = Callable[..., Any]


def told(found: Any) -> list[tuple[str | None, str | None, str, str | None]]:
    return [(record["title"], record["author"], record["text"], reason) for record, reason in found]


POEMS = [
    {"author": "甲", "paragraphs": ["山中一夜雨，", "门外数声钟。"], "title": "夜雨", "id": "x"},
    {"author": "乙", "paragraphs": ["月出。"], "rhythmic": "小令", "tags": ["t"]},
    {"title": "采茶", "chapter": "国", "section": "南", "content": ["采茶采茶。"]},
    {"title": "行路", "para": ["山一重。"], "author": "丙"},
    {"chapter": "为学", "paragraphs": ["先生说：学。"]},
    {
        "title": "集",
        "author": "丁",
        "content": [{"type": "五言", "content": [{"chapter": "渔", "paragraphs": ["水。"]}]}],
    },
    "无题一句。",
    {"notes": []},
]
TOLD = [
    ("夜雨", "甲", "山中一夜雨，\n门外数声钟。", None),
    ("小令", "乙", "月出。", None),
    ("采茶", None, "采茶采茶。", None),
    ("行路", "丙", "山一重。", None),
    ("为学", None, "先生说：学。", None),
    ("渔", "丁", "水。", None),
    (None, None, "无题一句。", None),
    (None, None, "", "no text field"),
]


@pytest.mark.parametrize("indent", [None, 2])
def test_key_sets_of_poems(tmp_path: Path, ingested: Ingested, indent: int | None) -> None:
    data = json.dumps(POEMS, ensure_ascii=False, indent=indent).encode("utf-8-sig")
    (tmp_path / "poems.json").write_bytes(data)
    found = ingested(tmp_path, "line")
    assert told(found) == TOLD
    for poem, (record, _) in zip(POEMS, found, strict=True):
        assert json.loads(data[record["byte_start"] : record["byte_end"]]) == poem


def test_json_without_an_array(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.json").write_text('{"text": "一"}', "utf-8")
    (tmp_path / "b.json").write_text('{"text": "一"}\n{"text": "二"}\n', "utf-8")
    (tmp_path / "c.json").write_text('[{"text": "一"}, {"text": "二"', "utf-8")
    (tmp_path / "d.json").write_text('[{"text": "一"}] {"text": "二"}', "utf-8")
    (tmp_path / "e.json").write_text("[]", "utf-8")
    (tmp_path / "f.json").write_text("[" * 100_000, "utf-8")
    reasons = [(record["text"], reason) for record, reason in ingested(tmp_path)]
    kept = [("一", None), ("一", None), ("二", None), ("一", None), ("", "not JSON"), ("一", None), ("", "not JSON")]
    assert reasons == [*kept, ("", "empty"), ("", "not JSON")]


def test_json_values_across_blocks(tmp_path: Path, ingested: Ingested) -> None:
    texts = [f"{n}：" + "雪落无声。" * 30_000 for n in range(12)]
    (tmp_path / "a.json").write_text(json.dumps([{"text": text} for text in texts]), "utf-8")
    assert [record["text"] for record, _ in ingested(tmp_path)] == texts


def test_fields_of_ones_own(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.jsonl").write_text('{"正文": "夜。", "名": "雨", "text": "no", "title": "no"}\n', "utf-8")
    assert told(ingested(tmp_path, fields={"text": "正文", "title": "名"})) == [("雨", None, "夜。", None)]


def test_tables(tmp_path: Path, ingested: Ingested) -> None:
    quoted = 'title,text,extra\r\n雨,"他说：""来，""\r\n又走了。",1\r\n雪,一行,2\r\n坏,少\r\n'
    (tmp_path / "a.csv").write_bytes(quoted.encode("gb18030"))
    (tmp_path / "b.tsv").write_text('text\tauthor\n"夜\t甲\n', "utf-8")
    (tmp_path / "c.csv").write_text("a,b\n1,2\n", "utf-8")
    found = ingested(tmp_path)
    assert told(found) == [
        ("雨", None, '他说："来，"\n又走了。', None),
        ("雪", None, "一行", None),
        ("a", None, "", "wrong number of cells"),
        ("b", "甲", '"夜', None),
        ("c", None, "", "no text field"),
    ]
    data = quoted.encode("gb18030")
    assert data[found[1][0]["byte_start"] : found[1][0]["byte_end"]].decode("gb18030") == "雪,一行,2\r\n"


def test_a_table_leaves_the_bound_of_cells_as_it_was(tmp_path: Path, ingested: Ingested) -> None:
    usual = csv.field_size_limit()
    (tmp_path / "a.csv").write_text("text\n" + "长" * (usual + 1) + "\n", "utf-8")
    assert [reason for _, reason in ingested(tmp_path)] == [None]
    assert csv.field_size_limit() == usual


def test_a_quote_that_never_closes_does_not_eat_the_file(tmp_path: Path, ingested: Ingested, bounds: Limits) -> None:
    (tmp_path / "a.csv").write_text("text\n一\n" + '"' + "长\n" * 30_000, "utf-8")
    found = ingested(tmp_path, limits=replace(bounds, max_document_bytes=10_000))
    assert [reason for _, reason in found] == [None, "not a table"]


def test_parquet(tmp_path: Path, ingested: Ingested) -> None:
    rows = [{"text": f"第{n}夜。", "title": None, "x": n} for n in range(7)]
    pq.write_table(pa.Table.from_pylist([*rows, {"text": None}]), tmp_path / "a.parquet", row_group_size=3)
    found = ingested(tmp_path)
    assert [(record["id"], record["text"]) for record, _ in found[:2]] == [
        ("g:a:000000000000", "第0夜。"),
        ("g:a:000000000001", "第1夜。"),
    ]
    assert [reason for _, reason in found] == [None] * 7 + ["no text field"]
    assert len({record["byte_start"] for record, _ in found}) == 3
    pq.write_table(pa.table({"number": [1]}), tmp_path / "a.parquet")
    assert [reason for _, reason in ingested(tmp_path)] == ["no text field"]


def test_parquet_whose_text_is_called_bytes(tmp_path: Path, ingested: Ingested) -> None:
    pq.write_table(pa.table({"text": ["雨。".encode(), b"\xff", None]}), tmp_path / "a.parquet")
    assert [(record["text"], reason) for record, reason in ingested(tmp_path)] == [
        ("雨。", None),
        ("", "undecodable"),
        ("", "no text field"),
    ]


def test_a_column_whose_name_is_no_text(tmp_path: Path, ingested: Ingested) -> None:
    pq.write_table(pa.table({"text": ["雨。"], "other": [1]}), tmp_path / "a.parquet", store_schema=False)
    data = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(data.replace(b"other", b"oth\xc9r"))
    assert [reason for _, reason in ingested(tmp_path)] == ["broken archive"]


def test_two_columns_of_one_name_are_not_guessed_at(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.csv").write_text("text,text\n雨,雪\n", "utf-8")
    (tmp_path / "b.csv").write_text("text,,\n雨,,\n", "utf-8")
    pq.write_table(pa.table([["雨"], ["雪"]], names=["text", "text"]), tmp_path / "c.parquet")
    reasons = [reason for _, reason in ingested(tmp_path)]
    assert reasons == ["two fields of one name", None, "two fields of one name"]


def test_a_text_larger_than_any_document_is_not_held(tmp_path: Path, ingested: Ingested, bounds: Limits) -> None:
    rows = [{"text": "雨" * 41}, {"text": "雪"}]
    (tmp_path / "a.json").write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "b.parquet")
    found = ingested(tmp_path, limits=replace(bounds, max_document_bytes=10))
    assert [(record["text"], reason) for record, reason in found] == [("", "too large"), ("雪", None)] * 2


PAGE = """<!DOCTYPE html><html><head><title>Rain &amp; Snow</title><style>p {}</style></head><body>
<h2>CHAPTER I</h2><p>She   waited<br>at the <b>do</b>or.<p>Nobody&nbsp;came<!-- no -->.</p>
<script>var x = "no";</script><pre>  kept
  apart</pre><ruby>雨<rt>yu</rt></ruby><td>cell"""


def test_a_broken_parquet_costs_the_same_however_it_is_cut(tmp_path: Path, ingested: Ingested) -> None:
    draw, path = Random(7), tmp_path / "a.parquet"
    texts = [f"第{n}夜，{draw.randbytes(400).hex()}" for n in range(8000)]
    pq.write_table(pa.table({"text": texts}), path, row_group_size=1000, use_dictionary=False)
    whole = path.read_bytes()
    at = pq.ParquetFile(path).metadata.row_group(2).column(0).data_page_offset
    path.write_bytes(whole[:at] + bytes(30) + whole[at + 30 :])
    found = ingested(tmp_path)
    assert [(record["id"], reason) for record, reason in found if reason] == [("g:a:000000002000", "broken archive")]
    assert len(found) == 7001
    assert found == ingested(tmp_path, shards=5)
    for data, reason in ((whole[:-1], "broken archive"), (whole.replace(b"text", b"tixt"), "no text field")):
        path.write_bytes(data)
        assert [why for _, why in ingested(tmp_path)] == [why for _, why in ingested(tmp_path, shards=5)] == [reason]


def test_a_page_shows_its_text(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    text = "CHAPTER I\n\nShe waited\nat the door.\n\nNobody\xa0came.\n\nkept\napart\n\n雨\ncell"
    assert told(ingested(tmp_path, "file", "en")) == [("Rain & Snow", None, text, None)]
    assert [record["title"] for record, _ in ingested(tmp_path, "chapter", "en")] == ["CHAPTER I"]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("", None),
        ("<html></html>", None),
        ("<p>" * 5000 + "deep", "deep"),
        ("<div>" * 1_500 + "deep" + "</div>" * 1_500, "deep"),
        ("<p>lost?" + "<div>" * 100_000 + "deep", "not HTML"),
        ("plain & simple < text", "plain & simple < text"),
        (
            '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><p>x&nbsp;y</p></html>',
            "x\xa0y",
        ),
        ("<p>zero\0byte", "zerobyte"),
        ("<p>&a; &#x96e8;</p>", "&a; 雨"),
    ],
)
def test_odd_pages(tmp_path: Path, ingested: Ingested, page: str, text: str | None) -> None:
    (tmp_path / "a.html").write_text(page, "utf-8")
    ((record, reason),) = ingested(tmp_path, "file", "en")
    assert (record["text"] or reason) == (text or "empty")
    assert bool(record["text"]) == (reason is None)


TEI = """<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader><title>The Sea</title><author>Ann</author></teiHeader>
<text><body><div type="act"><head>Act 1</head><div type="scene"><head>Scene 1</head><stage>Enter Ben</stage>
<sp who="#b"><speaker>BEN</speaker><l>The sea<note>a note</note> is</l><l><stage>aside</stage> grey.</l></sp>
<p>A wave &amp; a <hi>gull</hi>.</p></div></div></body></text></TEI>"""
PLAY = """<PLAY><TITLE>The Sea</TITLE><PERSONAE><P>x</P></PERSONAE>
<ACT><TITLE>ACT I</TITLE><SCENE><TITLE>SCENE I</TITLE><STAGEDIR>Enter BEN</STAGEDIR>
<SPEECH><SPEAKER>BEN</SPEAKER><LINE>The sea is</LINE><LINE><STAGEDIR>Aside</STAGEDIR> grey.</LINE></SPEECH>
</SCENE></ACT></PLAY>"""


def test_plays(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.xml").write_text(TEI, "utf-8")
    (tmp_path / "b.xml").write_text(PLAY, "utf-8")
    assert [(title, text, reason) for title, _, text, reason in told(ingested(tmp_path, "chapter", "en"))] == [
        ("Act 1", "", "empty"),
        ("Scene 1", "[Enter Ben]\nBEN: The sea is\n[aside] grey.\nA wave & a gull.", None),
        ("The Sea", "The Sea", None),
        ("ACT I", "", "empty"),
        ("SCENE I", "[Enter BEN]\nBEN: The sea is\n[Aside] grey.", None),
    ]
    first, second = told(ingested(tmp_path, "file", "en"))
    assert first[:2] == ("The Sea", "Ann")
    assert second[2] == "The Sea\n\nACT I\n\nSCENE I\n[Enter BEN]\nBEN: The sea is\n[Aside] grey."


def test_words_at_both_sides_of_a_line_break_stay_apart(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.xml").write_text("<TEI><p>one<lb/>two <hi>three</hi><pb/>four</p></TEI>", "utf-8")
    assert [record["text"] for record, _ in ingested(tmp_path, "file", "en")] == ["one two three four"]


SWELLING = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        ("<a>open", "not XML"),
        ("<a" * 10_000, "not XML"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "unknown entity"),
        ('<!DOCTYPE a SYSTEM "a.dtd"><a>The sea &is; grey.</a>', "unknown entity"),
        (f'<!DOCTYPE a [<!ENTITY e0 "aaaaaaaaaa">{SWELLING}]><a>&e8;</a>', "not XML"),
        (f'<!DOCTYPE a [<!ENTITY e0 "aaaaaaaaaa">{SWELLING}]><a b="&e8;">c</a>', "not XML"),
        ('<!DOCTYPE a [<!ENTITY e0 "&e1;"><!ENTITY e1 "&e0;">]><a>&e0;</a>', "not XML"),
    ],
)
def test_xml_that_is_none_or_a_trap(tmp_path: Path, ingested: Ingested, xml: str, reason: str) -> None:
    (tmp_path / "a.xml").write_text(xml, "utf-8")
    ((record, found),) = ingested(tmp_path, "file", "en")
    assert (record["text"], found) == ("", reason)


def test_entities_that_a_file_declares_are_its_text(tmp_path: Path, ingested: Ingested) -> None:
    declared = '<!DOCTYPE a [<!ENTITY ann "Ann <hi>Holm</hi>">]>'
    (tmp_path / "a.xml").write_text(f"{declared}<a><p>&ann; &mdash; she&eacute;</p></a>", "utf-8")
    (tmp_path / "b.xml").write_text('<!DOCTYPE a SYSTEM "a.dtd"><a><p>grey&hellip;</p></a>', "utf-8")
    assert [record["text"] for record, _ in ingested(tmp_path, "file", "en")] == ["Ann Holm — sheé", "grey…"]
