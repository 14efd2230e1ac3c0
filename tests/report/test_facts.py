"""Descriptive tables and Figure 2: values beside the paper's, verdicts, and drawings that repeat."""

import re
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import sha256, write_json
from discobench.report.described import TABLES, facts
from discobench.report.facts import ROWS, TITLES, Fact, amount, fact_lines, fact_view
from discobench.report.figure import bars, figure_view, inlined_part, plot, write_bars
from discobench.report.layout import read_layout
from discobench.report.long import COLUMNS, read_csv, write_long
from discobench.report.markup import latex, markdown, table_page
from discobench.report.view import DESCRIBED, banner
from tests.support import ROOT

PAPER = ROOT / "resources" / "paper"


@pytest.mark.parametrize(
    ("value", "paper", "verdict"),
    [
        ("48,030", "48.0K", "match"),
        ("48,060", "48.0K", "off by +60"),
        ("0.0003", "3e-4", "match"),
        ("201", "91,620,211", "off by -91620010"),
        ("24", "12/24", "match"),
        ("20", "12/24", "off by -4"),
        ("102,267,648", "110m/340m", "off by -7732352"),
        ("12", "12/x", "not comparable (not two numbers of one unit)"),
        ("512", "512", "match"),
        ("513", "512", "off by +1"),
        ("3K token", "3K token", "match"),
        ("16", "3K token", "not comparable (not two numbers of one unit)"),
        ("300 step", "30K step", "off by -29700"),
        ("300 step", "5", "not comparable (not two numbers of one unit)"),
        ("zh en", "zh es", "not comparable (not two numbers of one unit)"),
        ("16", "", "not comparable (the paper prints no value)"),
        ("", "512", "not run"),
    ],
)
def test_verdicts(value: str, paper: str, verdict: str) -> None:
    assert Fact("g", "r", "c", value, paper).verdict(True) == verdict
    if verdict.startswith(("match", "off")):
        assert Fact("g", "r", "c", value, paper).verdict(False) == "other scale"


def test_numbers_within_a_share_of_the_paper_match() -> None:
    for value, paper, near in (("48,060", "48.0K", 0.001), ("0.00033", "3e-4", 0.1), ("24", "20", 0.2)):
        fact = Fact("g", "r", "c", value, paper)
        assert (fact.verdict(True, near), fact.verdict(True, near / 10)[:3]) == ("match", "off")
        assert fact_lines(15, [fact], True, near)[0]["verdict"] == "match"
    assert Fact("g", "r", "c", "Adam", "AdamW").verdict(True, 1.0).startswith("not comparable")
    for tolerance, said in (({"facts": 0.01}, "; sizes and settings within 1 % of theirs."), ({}, "value.")):
        assert banner(True, "paper", {"default": 0.5} | tolerance).endswith(said)


def test_amounts() -> None:
    assert amount("2.2M") == (2.2e6, pytest.approx(5e4))
    assert amount("110m") == (110e6, 5e5)
    assert amount("12/24") is None


def manifest(folder: Path, **fields: Any) -> Path:
    model = {"checkpoint": "disco", "family": "gpt2", "language": "zh", "parameters": 736_700_000}
    model |= {"shape": {"vocabulary": 21131, "layers": 36, "heads": 20}}
    model |= {"training": {"learning_rate": 3e-4, "batch_size": 4096, "steps": 1_000_000, "max_length": 1024}}
    write_json(folder / "tokenizer.json", {"model": {"type": "WordPiece"}})
    model["outputs"] = {"tokenizer.json": sha256(folder / "tokenizer.json")}
    write_json(folder / "model.json", model | fields)
    return folder / "model.json"


def test_pretraining_stands_beside_the_column_of_its_family(tmp_path: Path) -> None:
    found = facts(15, [manifest(tmp_path)], PAPER / "table15.csv", {})
    verdicts = {f.column: f.verdict(True) for f in found if f.row == "disco"}
    assert verdicts["Total Param."] == verdicts["Learning Rate"] == verdicts["Training Step"] == "match"
    assert (verdicts["Layer"], verdicts["Head"]) == ("off by +16", "off by -16")  # the two are swapped in print
    assert verdicts["Tokenization"] == verdicts["Masking"] == "match"
    assert verdicts["Optimizer"] == "not comparable (not two numbers of one unit)"  # AdamW is another than Adam
    columns = [f.column for f in found if f.row == "disco"]
    assert columns == [row["Model"] for row in read_csv(PAPER / "table15.csv")]
    assert {f.row for f in found} == {"disco", "RoBERTa", "BART", "mBART"}  # what the run answers is counted once


def test_a_printed_cell_that_a_checkpoint_answers_is_counted_once(tmp_path: Path) -> None:
    settings = {"disco": {"model": "GPT2 (base)", "parameters": "102M"}}
    found = facts(6, [manifest(tmp_path, parameters=102_300_000)], PAPER / "table6.csv", settings)
    cells = [(f.column, f.paper, f.verdict(True)) for f in found if f.row == "disco" and f.paper]
    assert cells == [("parameters", "102M", "match"), ("language", "zh", "match")]
    left = [f.column for f in found if f.row == "GPT2 (base)"]
    assert left == ["tasks", "corpus_size", "corpus_sources"]
    assert sum(f.paper == "102M" for f in found) == 2  # AnchiBERT's is another cell


@pytest.mark.parametrize(
    ("training", "value", "verdict"),
    [
        ({"epochs": 5, "steps": 300}, "300 step", "not comparable (not two numbers of one unit)"),
        ({"epochs": 5, "steps": None}, "5", "match"),
        ({"epochs": None, "steps": 30_000}, "30K step", "not comparable (not two numbers of one unit)"),
    ],
)
def test_fine_tuning_tells_the_steps_that_go_before_epochs(training: dict[str, Any], value: str, verdict: str) -> None:
    found = facts(16, [], PAPER / "table16.csv", {"si": training, "nt": training})
    told = {f.row: (f.value, f.verdict(True)) for f in found if f.column == "Epoch"}
    assert told["SI"] == (value, verdict)
    assert told["NT"][1] == {"300 step": "off by -29700", "30K step": "match"}.get(
        value, "not comparable (not two numbers of one unit)"
    )


def test_rows_with_settings_of_their_own_stand_below_their_tasks() -> None:
    usual = {"batch_size": 3000, "batch_unit": "tokens", "max_length": 1024, "steps": 30_000, "learning_rate": 1e-4}
    usual |= {"epochs": None, "warmup": 0, "plain": False}
    own = {
        "nt/big": usual | {"learning_rate": 7e-4, "warmup": 16000, "plain": True},
        "nt/mbart": usual | {"steps": 60_000},
    }
    found = [f for f in facts(16, [], PAPER / "table16.csv", {"nt": usual} | own) if f.group == ROWS]
    told = {(f.row, f.column): (f.value, f.verdict(True)) for f in found}
    assert told["NT, big", "Learning Rate"] == ("0.0007", "not comparable (the paper prints no value)")  # section 6.1
    assert told["NT, big", "Other"][0] == "warmup 16000"
    assert told["NT, mbart", "Epoch"] == ("60K step", "off by +30000")
    assert {line["task"] for line in fact_lines(16, found, True)} == {"nt"}


def test_a_checkpoint_without_weights_has_no_number_of_parameters(tmp_path: Path) -> None:
    settings = {"disco": dict.fromkeys(("parameters", "language", "vocabulary", "layers", "heads"))}
    for count, value, verdict in ((0, "", "not run"), (1234, "1,234", "not comparable (the paper prints no value)")):
        found = facts(6, [manifest(tmp_path, parameters=count, shape={})], PAPER / "table6.csv", settings)
        assert (found[0].row, found[0].value, found[0].verdict(True)) == ("disco", value, verdict)


@pytest.mark.parametrize("table", TITLES)
def test_every_table_has_all_its_views_without_any_run(table: int, tmp_path: Path) -> None:
    found = facts(table, [], PAPER / f"table{table}.csv", {})
    write_long(tmp_path / "t.csv", fact_lines(table, found, True))
    rows = read_csv(tmp_path / "t.csv")
    assert tuple(rows[0]) == COLUMNS and {row["verdict"].split(" (")[0] for row in rows} <= {"not run", "match"}
    shown = fact_view(table, rows, "notice")
    assert f"Table {table}. {TITLES[table]}" in markdown(shown)
    assert all(DESCRIBED in text and "bold" not in text for text in (markdown(shown), latex(shown).replace("--", "–")))
    assert r"\begin{tabular}" in latex(shown)
    assert any(row["paper"] and row["paper"] in markdown(shown) for row in rows)


def test_headings_say_what_rows_and_columns_are() -> None:
    for table, start in (
        (2, "| Task | Kappa | Fluency | Fluency, alpha | Adequacy | Adequacy, alpha |"),
        (5, "| Genre | Documents | Sentences | Characters (zh) or words (en) |"),
        (6, "| Model | Language | Parameters | Tasks | Corpus size | Corpus sources |"),
        (16, "| Task | Batch Size |"),
    ):
        lines = fact_lines(table, facts(table, [], PAPER / f"table{table}.csv", {}), True)
        assert start in markdown(fact_view(table, lines, ""))


def test_another_table_is_refused() -> None:
    with pytest.raises(DiscoError, match=f"those that are: {', '.join(map(str, TABLES))}"):
        facts(7, [], PAPER / "table7.csv", {})


LAYOUT = read_layout(PAPER / "tables.yaml")


def line(group: str, metric: str, value: float | None, paper: float | None) -> dict[str, Any]:
    return {"group": group, "task": "nt", "metric": metric, "value": value, "paper": paper}


def test_the_figure_shows_the_best_of_each_group(tmp_path: Path) -> None:
    lines = [line("plain", "bleu", 10.0, 22.1), line("plain", "bleu", 12.0, 22.5), line("llm", "bleu", None, None)]
    found = bars(LAYOUT, lines)
    assert found == [{"group": "plain", "column": "NT", "value": 12.0, "paper": 22.5}]
    ranked = [line("plain", "ellipsis/sum", 10.0, None), line("plain", "ellipsis/mean", 99.0, None)]
    assert [(bar["column"], bar["value"]) for bar in bars(LAYOUT, ranked)] == [("NT ellipsis", 10.0)]
    write_bars(tmp_path / "f.csv", found)
    assert (tmp_path / "f.csv").read_text("utf-8") == "group,column,value,paper\nplain,NT,12.0000,22.5000\n"


def test_drawings_of_a_page_share_no_ids(tmp_path: Path) -> None:
    found = bars(LAYOUT, [line("plain", "bleu", 12.0, 22.5), line("existing", "bleu", 14.0, None)])
    plot(found, "Figure", "notice", tmp_path / "f.svg", "svg")
    drawings = [inlined_part(tmp_path / "f.svg", part) for part in "ab"]
    text = "".join(drawings)
    ids, named = re.findall(r' id="([^"]+)"', text), re.findall(r'(?:href="|url\()#([^")]+)', text)
    assert drawings[0].startswith('<svg role="img" aria-label="Figure 2a. Benchmark: ')
    assert len(ids) == len(set(ids)) > 10
    assert named and set(named) < set(ids)


def test_the_figure_is_a_table_too() -> None:
    found = bars(LAYOUT, [line("plain", "bleu", 12.0, 22.5), line("existing", "ellipsis/sum", 14.0, None)])
    shown = figure_view("b", found, "<svg></svg>", 11, "NOTICE")
    text = markdown(shown)
    assert text.startswith("# Figure 2b. Diagnostic suite\n") and "NOTICE" in text and "of Table 11" in text
    assert "| Group | NT | NT ellipsis |" in text and "| Plain models | 12.0 / 22.5 | – |" in text
    assert r"\begin{figure}" in latex(shown) and r"\includegraphics[width=\linewidth]{figure2b.png}" in latex(shown)
    page = table_page(ROOT / "resources/report", shown, "Demo")
    assert "<title>Demo: Figure 2b</title>" in page and "<svg></svg>" in page and "Table 2" not in page
    assert r"\begin{tabular}" not in latex(figure_view("a", [], "<svg></svg>", 7, "NOTICE"))


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_drawings_repeat_to_the_byte(kind: str, tmp_path: Path) -> None:
    found = bars(LAYOUT, [line("plain", "bleu", 12.0, 22.5), line("existing", "bleu", 14.0, None)])
    for name in ("a", "b"):
        plot(found, "Figure", "notice", tmp_path / name, kind)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
