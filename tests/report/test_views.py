"""Views: the banner on every one, best values, the paper's beside; and the page with all of them."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import write_json, write_text
from discobench.operations.made import versions
from discobench.report.balances import Flow, balance_sheet, flows
from discobench.report.categories import Parted, Share
from discobench.report.layout import read_layout
from discobench.report.leakage import leakage_shown
from discobench.report.ledger import read_ledger, reasons
from discobench.report.linter import Finding
from discobench.report.long import Judge, Score, contract, long_table
from discobench.report.markup import latex, markdown, report_page, table_page
from discobench.report.models import model_lines
from discobench.report.overlaps import exposed
from discobench.report.statistics import MEASURES, beside_paper
from discobench.report.view import View, banner, view
from tests.support import ROOT

LAYOUT = read_layout(ROOT / "resources" / "paper" / "tables.yaml")
TEMPLATES = ROOT / "resources" / "report"
LEDGER = read_ledger(ROOT / "resources" / "paper" / "ledger.yaml")
NOTICE = banner(False, "demo", {"default": 0.5})
ROWS = {
    "copy": {"label": "Copy", "group": "baseline", "tasks": ["nt"]},
    "mbart": {"label": "mBART <CC_25> 古", "group": "existing", "tasks": ["nt"]},
    "bart-large": {"label": "BART (large)", "group": "existing", "tasks": []},
}
PAPER = {("mbart", "nt", "ter"): 71.9, ("bart-large", "nt", "ter"): 75.6, ("mbart", "pt", "ter"): 88.2}


def score(row: str, metric: str, value: float | None, seed: int = 1, reason: str = "") -> Score:
    return Score(row, seed, "nt", metric, value, 4, None, "norm:no" if value else "", f"scores/{row}.json", reason)


def shown(table: int = 9) -> View:
    found = [
        score("copy", "ter", 100.0),
        score("mbart", "ter", 70.0, 1),
        score("mbart", "ter", 74.0, 2),
        score("copy", "d-bleu", 2.0),
        score("mbart", "d-bleu", 21.0),
        score("mbart", "meteor", None, reason="no WordNet"),
    ]
    lines = long_table(LAYOUT, table, ROWS, found, PAPER, Judge(False, {"default": 0.5}))
    return view(LAYOUT, table, lines, {row: str(entry["label"]) for row, entry in ROWS.items()}, NOTICE)


def test_markdown() -> None:
    text = markdown(shown())
    assert "OTHER SCALE" in text
    assert "| Model | NT d-BLEU ↑ | NT TER ↓ | NT METEOR ↑ |" in text
    assert "**72.0** (70.0–74.0) / 71.9 | not run |" in text  # lower is better
    assert "| Copy | 2.0 | 100.0 | not run |" in text
    assert "- Existing pretrained models: BART (large)" in text
    assert "- NT METEOR ↑: not run (no WordNet)" in text
    assert "PT TER ↓" in text.split("Not run here")[1]
    widths = {line.count("|") for line in text.split("\n") if line.startswith("|")}
    assert len(widths) == 1


def test_a_value_that_is_not_comparable_says_so_and_why() -> None:
    judge = Judge(True, {"default": 0.5}, reasons(LEDGER))
    scores = [score("mbart", "comet", 0.7), score("mbart", "d-bleu", 21.0)]
    lines = long_table(LAYOUT, 9, ROWS, scores, {("mbart", "nt", "comet"): 0.7}, judge)
    found = view(LAYOUT, 9, lines, {row: str(entry["label"]) for row, entry in ROWS.items()}, NOTICE)
    why = "not comparable (the paper does not name the model that computes it)"
    assert f"- NT COMET ↑: {why}" in markdown(found) and f"NT COMET $\\uparrow$: {why}." in latex(found)
    page = table_page(TEMPLATES, found, "Demo")
    assert "<small>not comparable</small>" in page and why in page


def test_latex_escapes_and_carries_the_banner() -> None:
    text = latex(shown())
    assert "OTHER SCALE" in text
    assert r"mBART \textless{}CC\_25\textgreater{} 古 & \textbf{21.0} & \textbf{72.0 (70.0--74.0) / 71.9}" in text
    assert r"NT TER $\downarrow$" in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1


class Checker(HTMLParser):
    """Collects what a page loads and counts its tables; unclosed elements are faults."""

    VOID = ("meta", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        values = dict(attrs)
        assert tag not in ("script", "img", "link", "iframe")
        self.links += [values["href"]] if "href" in values else []
        self.ids |= {values["id"]} if "id" in values else set()
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_table_page_is_whole_and_loads_nothing() -> None:
    text = table_page(TEMPLATES, shown(), "Demo")
    Checker(text)
    assert "OTHER SCALE" in text
    assert "mBART &lt;CC_25&gt; 古" in text
    assert '<meta charset="utf-8">' in text
    assert "viewport" in text


MANIFEST = {
    "checkpoint": "m",
    "family": "encoder",
    "source": "tiny:encoder",
    "parameters": 1234,
    "shape": {"layers": 2},
}


def test_an_instance_is_seen_when_most_of_it_is() -> None:
    shares = [(9, 1.0, 0.0), (9, 0.8, 0.8), (9, 0.7, 0.0), (0, None, None)]
    rows = [{"task": "t", "language": "zh", "ngrams": n, "seen": seen, "left": left} for n, seen, left in shares]
    assert exposed(rows) == [{"task": "t", "language": "zh", "instances": 4, "measured": 3, "seen": 2, "left": 1}]


OVERLAP_COUNTS = ("instances", "documents", "dropped", "cut", "units")


def leakage(folder: Path) -> Path:
    pairs = [
        {"task": "nt", "split": split, "train": "zpr", "instances": 9000, "works": 0} for split in ("valid", "test")
    ]
    counts = [{"exact": 0, "overlap": 0}, {"exact": 1, "overlap": 0}]
    findings = [{"task": "nt", "split": "test", "train": "zpr", "id": "own:<leak>"}]
    content = {"pairs": [a | b for a, b in zip(pairs, counts, strict=True)], "findings": findings}
    write_json(folder / "tasks" / "leakage.json", content | {"warnings": ["nt: 1 of 9000"], "works": []})
    return folder / "tasks" / "leakage.json"


def test_leakage_shows_what_there_is(tmp_path: Path) -> None:
    shown = leakage_shown(leakage(tmp_path))
    assert [(line["split"], line["examples"]) for line in shown["lines"]] == [("test", ["own:<leak>"])]
    assert (shown["warnings"], shown["sets"]) == (["nt: 1 of 9000"], 2)


PRONOUNS = Parted(["F1"], [("他", None)], [("bart, seed 1", "bart, seed 1", "F1", [Share(5.0, "2.0–8.0", 7)])])


def test_the_page_has_banner_and_every_table(tmp_path: Path) -> None:
    views = [shown(), view(LAYOUT, 7, [], {}, NOTICE)]
    write_json(tmp_path / "tasks" / "si" / "build.balance.json", {"in": 3, "kept": 2, "dropped": {"empty": 1}})
    paper = [{"language": "zh", "category": "Others", "genre": "Movie", "documents": "66050"}]
    corpus = {"language": "zh", "category": "Others", "genre": "Movie", "documents": 7}
    counts = {"sentences": 9, "characters_or_words": 90}
    text = report_page(
        TEMPLATES,
        NOTICE,
        views,
        title="Demo",
        statistics=beside_paper([corpus | counts], [line | dict.fromkeys(counts, "") for line in paper]),
        models=model_lines(
            [MANIFEST], {"m": {"parameters": "110M", "vocabulary": 21128, "layers": "12", "heads": None}}
        ),
        overlaps=[
            dict.fromkeys(("instances", "documents", "dropped", "cut", "units"), 31) | {"genre": "g", "task": "nt"}
        ],
        exposure=exposed([{"task": "nt", "language": "zh", "ngrams": 9, "seen": 1.0, "left": 0.0}]),
        leakage=leakage_shown(leakage(tmp_path)),
        expansions=None,
        zeros=[],
        forecast={
            "of": "the paper's sizes",
            "place": "50 jobs",
            "gpu": "H100",
            "heads": ["jobs"],
            "tables": {"Stage": [["tasks", ["18"]]], "Model": [["disco-bart", ["5"]]]},
            "readings": [["m", ["32,408", "39.0"]]],
        },
        balances=balance_sheet(tmp_path, tmp_path.rglob("*.balance.json")),
        flows=[Flow("zh_novel", 77_777, (1, 1, 1, None), False)],
        licences=[dict.fromkeys(("source", "licence", "allows", "declared"), "closed") | {"files": 3, "bytes": 4_567}],
        here={key: "as config.yaml" for entry in LEDGER for key in entry.keys},
        ledger=LEDGER,
        provenance=list(versions().items()),
        contract=contract([{"table": 7, "verdict": "off by +1.00"}, {"table": 7, "verdict": "not run (no model)"}]),
        linted={"The paper's tables": [Finding("7", "BERT", "F1 = 2PR", "24.5", "28.3")], "This run's tables": []},
        parts=[
            (
                "zpr",
                "pronoun",
                Parted(["F1"], [("他", None)], [("bart, seed 1",) * 2 + ("F1", [Share(5.0, "2.0–8.0", 7)])]),
            )
        ],
        odd=[("NT, copy, seed 1", {"empty": 3})],
        outcomes=[("nt, bart", ["ties 47 of 54"])],
        described={5: "Statistics"},
        figures=[{"name": "2a", "title": "Benchmark", "svg": "<svg></svg>"}],
    )
    page = Checker(text)
    assert "OTHER SCALE" in text
    assert {"table9", "table7", "table5", "balance", "ledger", "provenance"} <= page.ids
    assert {"#table9", "tables/table9.csv", "tables/table7.html", "figures/figure2a.tex"} <= set(page.links)
    assert not [link for link in page.links if "//" in link]
    assert "tasks/si/build" in text
    assert "All steps add up." in text
    assert "66,050" in text
    assert "forecast" in page.ids and "32,408" in text and '<th scope="row">disco-bart</th>' in text
    assert "77,777" in text and text.count(">closed<") == 4 and "4,567" in text
    assert "1,234" in text and "paper 110M" in text and "paper 21128" in text
    assert {"models", "overlaps", "leakage", "contract", "linter", "answers", "outcomes"} <= page.ids
    assert "nt, bart: ties 47 of 54" in text
    assert '<th scope="col" class="number"><span lang="zh-Hans">他</span></th>' in text
    assert "5.0<small>2.0–8.0</small><small>n 7</small>" in text and "provenance.html#zpr-bart" in page.links
    assert "provenance.html#nt-mbart" in page.links and "28.3" in text and "3 empty" in text
    assert "nt: 1 of 9000." in text and "<code>own:&lt;leak&gt;</code>" in text
    assert text.count('<td class="number">31</td>') == len(OVERLAP_COUNTS)
    assert "scores/mbart.json" in text


def test_balances_add_up_shards_and_seeds(tmp_path: Path) -> None:
    for shard, dropped in ((0, {"short": 1}), (1, {"short": 2, "language": 1})):
        content = {"in": 10, "kept": 10 - sum(dropped.values()), "dropped": dropped}
        write_json(tmp_path / "corpus" / "zh_novel" / str(shard) / "clean.balance.json", content)
    for seed in (1, 2):
        content = {"in": 4, "kept": 4 - seed, "dropped": {}}
        write_json(tmp_path / "decode" / "nt" / "mbart" / f"seed-{seed}" / "decode.balance.json", content)
    clean, decode = balance_sheet(tmp_path, tmp_path.rglob("*.balance.json"))
    assert (clean.step, clean.files, clean.received, clean.kept) == ("corpus/zh_novel/*/clean", 2, 20, 16)
    assert clean.dropped == (("language", 1), ("short", 3))
    assert clean.balanced
    assert decode.step == "decode/nt/mbart/seed-*/decode"
    assert not decode.balanced


def test_documents_of_a_genre_are_followed_through_the_corpus(tmp_path: Path) -> None:
    counts = {"ingest": (10, 9), "clean": (9, 9), "signatures": (9, 9), "deduplicate": (9, 6)}
    for genre, lost in (("zh_novel", 0), ("en_book", 1)):
        for step, (received, kept) in counts.items():
            less = lost if step == "deduplicate" else 0
            content = {"in": received - less, "kept": kept - less, "dropped": {"x": received - kept}}
            write_json(tmp_path / "corpus" / genre / "0" / f"{step}.balance.json", content)
    book, novel = flows(balance_sheet(tmp_path, tmp_path.rglob("*.balance.json")))
    assert novel == Flow("zh_novel", 10, (9, 9, 6, None), True)
    assert (book.genre, book.whole) == ("en_book", False)


def test_statistics_put_foreign_genres_last() -> None:
    ours = [{"language": "en", "category": "Others", "genre": "Letters", "documents": 2}]
    ours[0] |= {"sentences": 5, "characters_or_words": 40}
    paper = [{"language": "zh", "category": "Ancient", "genre": "Poetry", "documents": "10"}]
    paper[0] |= {"sentences": "20", "characters_or_words": "100"}
    first, second = beside_paper(ours, paper)
    assert first["documents"] == (None, 10)
    assert (second["genre"], second["documents"]) == ("Letters", (2, None))


def test_ledger_faults_are_named(tmp_path: Path) -> None:
    entries = read_ledger(ROOT / "resources" / "paper" / "ledger.yaml")
    assert len(entries) > 20
    write_text(tmp_path / "ledger.yaml", "entries: [{question: why, paper: x, choice: y}]\n")
    with pytest.raises(DiscoError, match=r"entries\.0\.effect"):
        read_ledger(tmp_path / "ledger.yaml")


def test_totals_are_sums_by_language() -> None:
    ours = [
        {
            "language": "zh",
            "category": "Others",
            "genre": genre,
            "documents": n,
            "sentences": n,
            "characters_or_words": n,
        }
        for genre, n in (("Movie", 3), ("Lyrics", 4))
    ]
    paper = [{"language": "zh", "category": "Total", "genre": "", "documents": "9", **dict.fromkeys(MEASURES[1:], "")}]
    (total,) = [line for line in beside_paper(ours, paper) if line["category"] == "Total"]
    assert total["documents"] == (7, 9)


def test_a_checkpoint_without_weights_has_no_count() -> None:
    printed = {"m": dict.fromkeys(("parameters", "vocabulary", "layers", "heads"))}
    (line,) = model_lines([MANIFEST | {"parameters": 0}], printed)
    assert line["parameters"] == (None, None)
