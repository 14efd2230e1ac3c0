"""The tables as LaTeX, put before a TeX engine: every file compiles, on a page of ordinary size."""

import re
import shutil
import string
import subprocess
from pathlib import Path

import pytest

from discobench.files import read_text, write_text
from discobench.report.figure import figure_view, plot
from discobench.report.markup import LATEX, NEEDS, latex
from discobench.report.view import Block, Cell, Section, View

ENGINE = shutil.which("xelatex") or shutil.which("pdflatex")
FONTS = {"xelatex": "\\usepackage{fontspec}\\setmainfont{Noto Sans CJK SC}", "pdflatex": "\\usepackage[T1]{fontenc}"}
pytestmark = pytest.mark.skipif(ENGINE is None, reason="no TeX engine was found (make setup-latex)")


def compiled(folder: Path, *tables: str) -> str:
    """The engine's log of a document of some tables; a fault stops it."""
    engine = Path(str(ENGINE)).name
    packages = re.findall(r"\\usepackage\{[a-z,]+\}", NEEDS)
    assert all(table.startswith(NEEDS) for table in tables) and packages
    body = "\n\\clearpage\n".join(tables)
    head = "\\documentclass{article}\n" + "\n".join([*packages, FONTS[engine]])
    write_text(folder / "all.tex", f"{head}\n\\begin{{document}}\n{body}\n\\end{{document}}\n")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="backslashreplace")
    assert ran.returncode == 0, [line for line in ran.stdout.split("\n") if line.startswith(("!", "l."))]
    return (folder / "all.log").read_text("utf-8", errors="backslashreplace")


def table(text: str, columns: int) -> str:
    cells = [Cell(text, spread=text, paper=text, best=True, like=True, interval=text)] * columns
    block = Block(text, [(text, text)] * columns, [Section(text, [(text, cells)])], notes=(text,))
    return latex(View("Table 7", text, text, [block], [], [], [], []))


def test_every_printable_character_is_let_through(tmp_path: Path) -> None:
    arrows = "".join(map(chr, (key for key in LATEX if key > 127)))
    log = compiled(tmp_path, table(string.printable[:95] + arrows, 1))
    assert "Missing character" not in log


def test_a_table_wider_than_the_page_is_made_to_fit(tmp_path: Path) -> None:
    assert "Overfull" not in compiled(tmp_path, table("1234.5", 30), table("1.5", 2))


def test_a_figure_has_its_drawing_where_it_lies_beside(tmp_path: Path) -> None:
    bars = [{"group": "plain", "column": name, "value": 12.0, "paper": 22.5} for name in ("NT", "PT")]
    plot(bars, "Figure 2b", "notice", tmp_path / "figure2b.png", "png")
    drawn = [latex(figure_view(part, bars, "<svg></svg>", 11, "notice")) for part in "ab"]
    log = compiled(tmp_path, *drawn)
    assert "figure2b.png" in log and "figure2a.png" not in log and "Overfull" not in log


@pytest.mark.torch
@pytest.mark.slow
def test_the_tables_of_a_run_compile(demo_run: Path, tmp_path: Path) -> None:
    paths = sorted(demo_run.glob("tables/table*.tex"))
    drawn = sorted(demo_run.glob("figures/figure2?.tex"))
    assert (len(paths), len(drawn)) == (11, 2)
    for path in drawn:
        shutil.copy(path.with_suffix(".png"), tmp_path)
    log = compiled(tmp_path, *map(read_text, [*paths, *drawn]))
    assert all(f"{path.stem}.png" in log for path in drawn)
    assert not re.search(r"Missing character|Overfull \\hbox .* (paragraph|alignment)", log)
