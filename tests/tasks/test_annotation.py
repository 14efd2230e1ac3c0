"""Sheets go out, come back filled, and agree as much as their annotators do."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.files import read_json, read_text, write_text
from discobench.schema import empty
from discobench.tasks import task
from discobench.tasks.agreement import agreement, beside_paper, table
from discobench.tasks.annotation import Sheet, answers, read_sheet, sheet, write_csv, write_xlsx
from tests.conftest import snakemake

QUESTIONS = [
    empty("mrc")
    | {"id": f"own:w:{n}", "passage": f"第{n}天下雨。", "question": "天气怎样？", "choices": ["晴", "雨"], "answer": 1}
    for n in range(12)
]
PAIRS = [
    empty("nt") | {"id": f"own:w:{n}", "source_text": f"=雨{n}", "references": [f"+Rain, “{n}”,\nand wind"]}
    for n in range(12)
]


def filled(made: Sheet, **values: str) -> list[dict[str, str]]:
    return [row | values for row in made.rows]


def by_id(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in rows}


@pytest.mark.parametrize(("write", "name"), [(write_csv, "a.csv"), (write_xlsx, "a.xlsx")])
def test_a_sheet_reads_back_as_it_was_written(tmp_path: Path, write: Any, name: str) -> None:
    made = sheet(task("nt"), PAIRS, 5)
    write(tmp_path / name, made)
    first = (tmp_path / name).read_bytes()
    assert read_sheet(tmp_path / name) == made.rows
    assert made.columns == ("id", "source", "target", "fluency", "adequacy") and len(made.rows) == 5
    write(tmp_path / name, made)
    assert (tmp_path / name).read_bytes() == first


def test_the_sample_does_not_hang_on_the_order_of_records() -> None:
    assert by_id(sheet(task("mrc"), QUESTIONS, 4).rows) == by_id(sheet(task("mrc"), QUESTIONS[::-1], 4).rows)


def test_every_fault_of_a_sheet_is_told_by_row_and_column() -> None:
    made = sheet(task("nt"), PAIRS[:4], 9)
    rows = filled(made, fluency="4", adequacy="5")
    rows[0]["fluency"], rows[1]["adequacy"], rows[2]["id"] = "6", "", "own:w:0"
    with pytest.raises(DiscoError) as caught:
        answers(task("nt"), Path("first.csv"), rows, by_id(PAIRS[:4]))
    assert str(caught.value).split("\n") == [
        "first.csv, row 2, column fluency: found '6'; give a whole number from 1 to 5.",
        "first.csv, row 3, column adequacy: found ''; give a whole number from 1 to 5.",
        "first.csv, row 4, column id: 'own:w:0' comes twice; keep one of the rows.",
        "first.csv, 1 rows are missing, the first is 'own:w:2'.",
    ]


def test_an_answer_that_is_none_and_a_lost_column_are_told() -> None:
    rows = filled(sheet(task("mrc"), QUESTIONS[:1], 9), answer="也许")
    with pytest.raises(DiscoError, match=r"a\.csv, row 2, column answer: found '也许', which is no answer"):
        answers(task("mrc"), Path("a.csv"), rows, by_id(QUESTIONS[:1]))
    bare = [{"id": row["id"]} for row in rows]
    with pytest.raises(DiscoError, match="row 1: column answer is missing"):
        answers(task("mrc"), Path("a.csv"), bare, by_id(QUESTIONS[:1]))


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
def test_what_is_no_sheet_is_named(tmp_path: Path, name: str) -> None:
    write_text(tmp_path / name, "so,and\nso,on\n")
    with pytest.raises(DiscoError, match=name):
        read_sheet(tmp_path / name)


def test_half_a_workbook_and_text_that_is_no_csv_are_named(tmp_path: Path) -> None:
    whole, cut = tmp_path / "a.xlsx", tmp_path / "B.XLSX"
    write_xlsx(whole, sheet(task("mrc"), QUESTIONS, 3))
    for part in ("sheet1.xml", "workbook.xml"):
        with ZipFile(whole) as old, ZipFile(cut, "w") as new:
            for name in old.namelist():
                new.writestr(name, old.read(name)[: -20 if name.endswith(part) else None])
        with pytest.raises(DiscoError, match=r"B\.XLSX is not a workbook"):
            read_sheet(cut)
    write_text(tmp_path / "a.csv", f'id\n"{"x" * 200_000}"\n')
    with pytest.raises(DiscoError, match=r"a\.csv is not CSV"):
        read_sheet(tmp_path / "a.csv")


def test_a_blank_row_does_not_shift_the_numbers(tmp_path: Path) -> None:
    write_text(tmp_path / "a.csv", "id,fluency,adequacy\n\nown:w:0,4,5\n,,\nown:w:1,4,0\n,,\n")
    with pytest.raises(DiscoError) as caught:
        answers(task("nt"), Path("a.csv"), read_sheet(tmp_path / "a.csv"), by_id(PAIRS[:2]))
    assert str(caught.value) == "a.csv, row 5, column adequacy: found '0'; give a whole number from 1 to 5."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,answer\na,B\nb,C, and more\n", r"a\.csv, row 3 has more cells than the first row has columns"),
        ("id,answer,answer\na,B,\n", "a column twice"),
        ("id;answer\na;B\n", "has no column id"),
    ],
)
def test_cells_that_belong_to_no_column_are_refused(tmp_path: Path, text: str, message: str) -> None:
    write_text(tmp_path / "a.csv", text)
    with pytest.raises(DiscoError, match=message):
        read_sheet(tmp_path / "a.csv")


def test_kappa_of_a_table_counted_by_hand() -> None:
    """Of 50 units both say yes to 20 and no to 15: 0.7 observed, 0.5 by chance."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    (found,) = agreement([{"answer": first}, {"answer": second}])
    assert found == {"measure": "kappa", "value": pytest.approx(0.4), "n": 50}


def test_alpha_is_one_for_equal_grades_and_below_for_others() -> None:
    grades = {"fluency": ["1", "5", "3"], "adequacy": ["5", "5", "5"]}
    found = {one["measure"]: one["value"] for one in agreement([grades, grades])}
    assert found == {"fluency": 3, "fluency_alpha": pytest.approx(1.0), "adequacy": 5, "adequacy_alpha": None}
    other = agreement([grades, grades | {"fluency": ["2", "4", "3"]}])
    assert 0 < other[1]["value"] < 1


def test_alpha_of_ordered_grades_counted_by_hand() -> None:
    """Grades 1, 2, 3 and 1, 2, 5: the one pair that differs is a step of 1, chance would give 198 / 5."""
    grades = [{"fluency": ["1", "2", last], "adequacy": ["1", "2", "3"]} for last in "35"]
    assert agreement(grades)[1] == {"measure": "fluency_alpha", "value": pytest.approx(1 - 2 / (198 / 5)), "n": 3}


@given(st.lists(st.sampled_from(["", "他", "我的"]), min_size=5, max_size=5))
def test_gaps_are_the_units_of_zero_pronouns(labels: list[str]) -> None:
    record = {"text": "来了吗？"}
    zeros = [(gap, form) for gap, form in enumerate(labels) if form]
    assert task("zpr").units(record, zeros) == labels


def test_speakers_agree_in_any_order() -> None:
    si = task("si")
    assert si.units({}, ["乙", "甲"]) == si.units({}, ["甲", "乙"])


def test_the_paper_stands_beside() -> None:
    rows = beside_paper("nt", [{"measure": "fluency", "value": 4.5, "n": 2}], {"NT": {"fluency": "4.9", "kappa": ""}})
    assert rows[0]["paper"] == 4.9
    assert "| NT | fluency | 4.50 | 2 | 4.90 |" in table(rows)


@pytest.mark.slow
def test_the_commands_write_sheets_and_read_them_back(repository: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"

    def run(target: str, annotation: dict[str, Any]) -> str:
        changes = {"preset": "mini", "run": {"preset": "people", "tasks": ["mrc"]}, "annotation": annotation}
        write_text(mine, yaml.safe_dump(changes))
        command = ["--profile", "profiles/demo", target, "--configfile", str(mine)]
        return snakemake(repository, *command, timeout=300).stdout

    assert "annotation.sheets: found none" in run("agreement", {"size": 10})
    run("annotation_sheets", {"size": 10})
    folder = repository / "results/people/annotation/mrc"
    rows = read_sheet(folder / "annotator-1.xlsx")
    made = Sheet(tuple(name for name in rows[0] if name not in ("id", "answer")), ("answer",), rows)
    for n, answer in enumerate(("A", "B")):
        letters = [row | {"answer": answer if i == 0 else "AB"[i % 2]} for i, row in enumerate(rows)]
        write_csv(tmp_path / f"{n}.csv", Sheet(made.shown, made.asked, letters))
    sheets = [str(tmp_path / f"{n}.csv") for n in range(2)]
    shown = run("agreement", {"size": 10, "sheets": {"mrc": sheets}})
    (found,) = read_json(repository / "results/people/annotation/agreement.json")
    assert (found["n"], found["paper"]) == (10, 0.97) and 0.7 < found["value"] < 0.9, shown
    assert "| MRC | kappa |" in read_text(repository / "results/people/annotation/agreement.md")
