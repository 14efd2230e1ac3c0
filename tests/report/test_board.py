"""The leaderboard's parts: what is shown of scores and instances, what is withheld, what can do no harm."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from markupsafe import Markup

from discobench.report.board.cards import card_html
from discobench.report.board.entries import entries, heat_maps, main_metrics, scored
from discobench.report.board.instances import Answers, compared, sample, shown
from discobench.report.board.names import ASSETS, page_names
from discobench.report.board.run import distinct
from discobench.report.board.submissions import current, labels_of, lines_of, marked
from discobench.report.long import Judge, Score, long_table
from discobench.report.markup import chinese
from discobench.report.outcomes import not_ok
from discobench.report.rankings import counted
from discobench.report.view import spread
from discobench.score import VERSION
from discobench.tasks import task
from tests.report.boards import ATTACK, LAYOUT, NT, RANKING, board, lines, pages
from tests.support import ROOT

VOID = ("meta", "link", "input", "br")


class Checker(HTMLParser):
    """Collects elements and their attributes; what is left open or closed twice is a fault."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return pages()


def test_every_page_is_there_and_well_formed(made: dict[str, str]):
    assert set(made) == {*page_names(["nt"]), *ASSETS}
    for name, text in made.items():
        if name.endswith(".html"):
            found = Checker(text).found
            assert [tag for tag, _ in found].count("h1") == 1
            assert ("html", {"lang": "en"}) in found
            ids = [attributes["id"] for _, attributes in found if "id" in attributes]
            assert len(ids) == len(set(ids))


def test_the_same_board_gives_the_same_bytes(made: dict[str, str]):
    assert pages() == made


def test_texts_of_others_become_no_elements_and_load_nothing(made: dict[str, str]):
    for name, text in made.items():
        if not name.endswith(".html"):
            continue
        found = Checker(text).found
        scripts = [attributes for tag, attributes in found if tag == "script"]
        assert {a.get("src", a.get("type")) for a in scripts} <= {"board.js", "application/json"}, name
        assert not [tag for tag, _ in found if tag in ("img", "iframe", "object")]
        links = [a.get("href") or a.get("src") or "" for _, a in found]
        assert not [link for link in links if re.match(r"(?:https?:)?//|javascript:", link)]
        assert any(tag == "meta" and "default-src 'none'" in (a.get("content") or "") for tag, a in found)


def test_instances_survive_their_way_into_the_page(made: dict[str, str]):
    data = re.search(r'<script type="application/json" id="instances">(.*?)</script>', made["task-nt.html"], re.S)
    assert data and json.loads(data[1]) == json.loads(json.dumps(board().tasks[0].compared))
    assert json.loads(data[1])["instances"][0]["answers"][1][0] == f"{ATTACK} 0"


def test_tables_can_be_heard(made: dict[str, str]):
    for name in ("index.html", "task-nt.html", "contract.html", "diagnostic.html"):
        found = Checker(made[name]).found
        tables = [attributes for tag, attributes in found if tag == "table"]
        assert tables and len(tables) == sum(tag == "caption" for tag, _ in found)
        assert all(attributes.get("scope") in ("col", "row") for tag, attributes in found if tag == "th")
        assert sum(attributes.get("aria-current") == "page" for _, attributes in found) == 1


def test_chinese_is_marked_as_such(made: dict[str, str]):
    assert '<dd lang="zh-Hans">第0句话。</dd>' in made["task-nt.html"]
    assert '<dd lang="en">Sentence 0.</dd>' in made["task-nt.html"]
    assert '<span lang="zh-Hans">他们</span> (3)' in made["task-nt.html"]
    assert '<span lang="zh-Hans">他</span></th>' in made["task-nt.html"] and "(None)" not in made["task-nt.html"]
    assert '<td>a <span lang="zh-Hans">他，他们</span></td>' in made["cards.html"]


def test_only_chinese_is_marked_and_markup_stays_text():
    assert chinese("<b>他们</b> (web)") == '&lt;b&gt;<span lang="zh-Hans">他们</span>&lt;/b&gt; (web)'
    assert chinese(Markup('<a title="他">我的。</a>')) == '<a title="他"><span lang="zh-Hans">我的。</span></a>'


def test_no_text_leaves_where_it_may_not(made: dict[str, str]):
    page, cards = pages(texts=False)["task-nt.html"], pages(texts=False)["cards.html"]
    assert "句话" not in page and "Sentence 0" not in page and "a copy" not in page
    assert "own:story:0" in page and '"bleu"' in page
    assert "secret" in made["cards.html"] and "secret" not in cards
    assert '<th scope="col">a</th>' in cards


CHOICE = {"id": "a", "passage": "p", "question": "q", "choices": ["甲", "乙"], "answer": 0}
GAPS = {"id": "a", "text": "来了", "before": [], "after": [], "zeros": []}


@pytest.mark.parametrize(
    ("name", "record", "value", "whole", "without"),
    [
        ("mrc", CHOICE, 1, "B. 乙", "B"),
        ("mrc", CHOICE, None, "–", "–"),
        ("zpr", GAPS, [[0, "我"], [2, "他"]], "〔我〕来了〔他〕", "0: 我; 2: 他"),
        ("zpr", GAPS, None, "来了", "–"),
        ("si", {"id": "a"}, ["张三", "李四"], "张三、李四", None),
        ("nt", {"id": "a"}, "", "–", None),
    ],
)
def test_an_answer_as_a_reader_sees_it(name: str, record: Any, value: Any, whole: str, without: str | None):
    assert shown(task(name), record, value, True) == whole
    assert shown(task(name), record, value, False) == without


def test_a_sample_does_not_depend_on_order():
    assert [r["id"] for r in sample(NT, 5)] == [r["id"] for r in sample(reversed(NT), 5)]
    assert sample(NT, 0) == []


def test_a_metric_of_documents_is_not_shown_beside_instances():
    predictions = {record["id"]: ("x", "ok") for record in NT}
    row = Answers("copy", "Copy", predictions, {"d-bleu": {"story": 3.0}})
    found = compared(task("nt"), NT, [row], True)
    assert found["metric"] is None
    assert found["instances"][0]["answers"] == [["x", "ok", None]]


def test_best_values_and_the_matrix():
    labels = {"copy": "Copy", "mbart": "mBART", "gpt2": "GPT-2"}
    found = entries(scored(line for line in lines() if "/" not in line["metric"]), LAYOUT, labels, "results/x/")
    assert [(entry.label, entry.shown, entry.best) for entry in found] == [
        ("Copy", "2.5", False),
        ("mBART", "21.2", True),
        ("GPT-2", "10.0", False),
    ]
    assert found[0].interval == "1.5 to 3.5" and found[0].sources == ("score/nt/copy.json",)
    matrix = main_metrics(found)
    assert matrix.columns == [("nt", "BLEU ↑")]
    assert matrix.rows[0][:2] == ("Copy", "Trivial baselines")


def test_descriptive_cells_have_their_verdicts_in_the_contract(made: dict[str, str]):
    found = {entry.row: entry for entry in board().contract if entry.table == "5"}
    assert [(e.label, e.task, e.kind, e.reason, e.delta) for e in found.values()] == [
        ("Tasks, NT", "nt", "not comparable", "not two numbers of one unit", ""),
        ("zh, Novel Web", "", "off", "by +30", "+30"),
        ("This run, mbart", "", "not comparable", "the paper prints no value", ""),
        ("As printed, GPT2", "", "not run", "", ""),
    ]
    novel = found["Novel Web"]
    assert (novel.value, novel.printed, novel.sources) == (48_030, 48_000, ("corpus/statistics.balance.json",))
    page = made["contract.html"]
    assert '<tr data-table="5" data-task="" data-verdict="off">' in page and "<option></option>" not in page
    assert '<td class="number" data-value="48000.0">48,000</td>' in page
    assert '<td class="number" data-value="">3K token</td>' in page


def test_numbers_are_sorted_by_numbers(made: dict[str, str]):
    """A key with a separator of thousands is none, and the whole column would stay as it is."""
    keys = [attributes.get("data-value") for page in made.values() for _, attributes in Checker(page).found]
    given = [key for key in keys if key]
    assert [float(key) for key in given] and "-1,234" in made["contract.html"] and "-1234.0" in given


def test_shades_of_the_heat_map():
    (found,) = heat_maps(lines(), LAYOUT, {"mbart": "mBART"}, counted([RANKING]))
    assert found.columns == ["Repetition", "Overall"]
    ((label, cells),) = found.rows
    assert label == "mBART" and [cell.shade for cell in cells] == [2, 9]


def test_a_heat_map_says_what_chance_gets_and_how_many_are_ties(made: dict[str, str]):
    (found,) = heat_maps(lines(), LAYOUT, {}, counted([RANKING, RANKING]))
    ((_, (repetition, overall)),) = found.rows
    assert (repetition.chance, repetition.counts) == ("26.5", ("ties 10 of 16",))
    assert overall.counts == ("ties 10 of 16", "cut 6 of 16")
    assert (
        "<small>n 8, chance 26.5</small><small>ties 5 of 8</small><small>cut 3 of 8</small>" in made["diagnostic.html"]
    )


def test_rows_that_are_called_the_same_are_told_apart():
    labels = {"a": "BERT", "disco-a": "BERT", "b": "BART", "gone": "BERT"}
    found = distinct(labels, {"a": "existing", "disco-a": "disco-bench", "b": "existing"})
    assert found == {"a": "BERT · existing", "disco-a": "BERT · disco-bench", "b": "BART", "gone": "BERT"}


def test_a_submission_whose_test_set_changed_is_left_out():
    summary = {"value": 50.0, "n": 4, "ci95": [25.0, 75.0], "signature": "accuracy"}
    made = {"name": "Ours", "sha256": "ab" * 32, "version": VERSION, "tests": {"mrc": "1", "si": "2"}}
    made["scores"] = {name: {"metrics": {"accuracy": summary}} for name in ("mrc", "si")}
    found = current(made, {"mrc": "1", "si": "other"})
    assert (list(found["scores"]), found["outdated"]) == (["mrc"], ["si"])
    assert current(made | {"version": VERSION - 1}, made["tests"])["outdated"] == ["mrc", "si"]
    (found,) = marked([found], [])
    rows = lines_of(found, ROOT / "scores.json", LAYOUT, Judge(False, {"default": 0.5}))
    assert {(line["task"], line["group"], line["value"]) for line in rows} == {("mrc", "submission", 50.0)}
    assert labels_of([found]) == {rows[0]["row"]: "Ours"}


def test_a_submission_that_was_scored_in_another_way_is_shown_and_not_ranked():
    def made(name: str, signature: str, value: float) -> dict[str, Any]:
        metrics = {"bertscore": {"value": value, "n": 4, "signature": signature}}
        scores = {"tc": {"metrics": metrics, "values": {"bleu": {"1": 9.0}}}}
        return {"name": name, "sha256": name * 32, "outdated": [], "scores": scores}

    run = [Score("copy", 1, "tc", "bertscore", 50.0, 4, None, "bertscore|model:ours", "s", decoding="prompt:1")]
    same, other = marked([made("a", "bertscore|model:ours", 60.0), made("b", "bertscore|model:theirs", 99.0)], run)
    assert (same["apart"], list(other["apart"])) == ({}, [("tc", "bertscore")])
    assert other["scores"]["tc"]["values"]
    rows = {"copy": {"group": "baseline", "tasks": ["tc"]}}
    judge, labels = Judge(False, {"default": 0.5}), {"copy": "Copy"} | labels_of([same, other])
    found = long_table(LAYOUT, 7, rows, run, {}, judge)
    found += [line for entry in (same, other) for line in lines_of(entry, ROOT / "s.json", LAYOUT, judge)]
    shown = [e for e in entries(scored(found), LAYOUT, labels, "") if e.metric.startswith("BERT")]
    assert [(e.label, e.shown, e.value, e.best, e.kind) for e in shown] == [
        ("Copy", "50.0", 50.0, False, "not comparable"),
        ("a", "60.0", 60.0, True, "not comparable"),
        ("b", "99.0", None, False, "not comparable"),
    ]
    assert shown[2].reason == "scored as bertscore|model:theirs, others here as bertscore|model:ours; score it again"
    assert [label for label, _, _ in main_metrics(shown).rows] == ["Copy", "a"]


def test_submissions_alone_are_ranked_only_where_they_agree():
    def made(name: str, signature: str) -> dict[str, Any]:
        scores = {
            "mrc": {
                "metrics": {"accuracy": {"value": 50.0, "signature": signature}},
                "values": {"accuracy": {"1": 1.0}},
            }
        }
        return {"name": name, "sha256": name * 32, "outdated": [], "scores": scores}

    for other in "xy":
        found = marked([made("a", "x"), made("b", other)], [])
        assert [bool(entry["apart"]) for entry in found] == [other == "y"] * 2
        assert [bool(entry["scores"]["mrc"]["values"]) for entry in found] == [other == "x"] * 2


def test_markup_in_a_card_is_text():
    assert "<img" not in card_html(ATTACK, True) and "&lt;img" in card_html(ATTACK, True)


def test_seeds_show_their_spread_and_never_an_interval_of_two():
    parts = ["1=20.0000", "2=22.0000", "3=21.0000"]
    look = LAYOUT.look("bleu")
    assert [spread(";".join(parts[:n]), look) for n in (1, 2, 3)] == ["", "20.0–22.0", "± 1.0, 20.0–22.0"]


def test_answers_that_are_not_ok_stand_in_the_line_of_their_scores():
    cells = [
        ("copy", "nt", {"ok": 4, "empty": 1}),
        ("copy", "nt", {"ok": 3, "too_long": 2}),
        ("mbart", "nt", {"ok": 5}),
    ]
    told = not_ok(cells)
    assert told == {("copy", "nt"): "1 empty, 2 too long of 10"}
    shown = {entry.row: entry.answers for entry in entries(lines()[:3], LAYOUT, {}, "", told)}
    assert shown["copy"] == "1 empty, 2 too long of 10" and shown["mbart"] == ""
    assert "<td>none</td>" in pages()["index.html"]
