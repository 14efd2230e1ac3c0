"""Views as Markdown, LaTeX and HTML."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from discobench.files import write_text
from discobench.report.view import LEGEND, Block, Cell, View

LATEX = str.maketrans(
    {
        "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
        "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\rightarrow$", "±": r"$\pm$", "—": "---", "–": "--",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
        "≈": r"$\approx$", "`": r"\texttt{\char96}",
    }
)  # fmt: skip
NEEDS = (
    r"% Needs \usepackage{booktabs,graphicx}; names in Chinese also need XeLaTeX or LuaLaTeX and a font that has them."
)
FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""What is wider than the line is made as wide; the rest stays as large as it is."""
DRAWN = r"\IfFileExists{NAME.png}{\includegraphics[width=\linewidth]{NAME.png}\par\medskip}{}"
"""A figure's drawing, where it lies beside the document; its numbers stand below in any case."""
HAN = re.compile(
    r"<[^>]*>|([\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]*)"
)
"""A tag, or a run of Chinese with its marks."""


def chinese(text: str) -> Markup:
    """Text, or ``Markup``, with its Chinese marked as such for those who hear a page (WCAG 2.2, 3.1.2)."""
    return Markup(HAN.sub(lambda run: f'<span lang="zh-Hans">{run[1]}</span>' if run[1] else run[0], escape(text)))


def markdown(view: View) -> str:
    """The view as Markdown, its banner on top."""
    parts = [f"# {view.name}. {view.title}", f"> **{view.banner}**", view.legend]
    for block in view.blocks:
        parts += [f"## {block.title}"] if block.title else []
        parts.append(_markdown_block(block) if block.sections else "Nothing was run here.")
        parts += block.notes
    notes = {
        "Not run here": view.absent,
        "Why not": view.reasons,
        "Compared (p after Holm)": view.pairs,
        "Signatures": view.signatures,
    }
    parts += ["\n".join([f"{name}:", ""] + [f"- {a}: {b}" for a, b in pairs]) for name, pairs in notes.items() if pairs]
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown_block(block: Block) -> str:
    lines = [f"| {block.row} | " + " | ".join(f"{task} {metric}".strip() for task, metric in block.headings) + " |"]
    lines.append("|---" * (len(block.headings) + 1) + "|")
    for section in block.sections:
        lines.append(f"| *{section.title}* " + "| " * len(block.headings) + "|")
        for label, cells in section.rows:
            lines.append(f"| {_bar(label)} | " + " | ".join(_bar(_plain(cell, "**", "**")) for cell in cells) + " |")
    return "\n".join(lines)


def _bar(text: str) -> str:
    return text.replace("|", r"\|")


def _plain(cell: Cell, left: str, right: str) -> str:
    value = f"{left}{cell.value}{right}" if cell.best else cell.value
    value = f"{value}≈" if cell.like else value
    spread = f" ({cell.spread})" if cell.spread else ""
    spread += f" [{cell.interval}]" if cell.interval else ""
    return f"{value or '–'}{spread}" + (f" / {cell.paper}" if cell.paper else "")


def latex(view: View) -> str:
    """The view as LaTeX tables or a figure, its banner in every caption; the first line says what they need."""
    reasons = " ".join(f"{names}: {why}." for names, why in view.reasons)
    told = [reasons, *([""] * len(view.blocks))]  # once for all blocks
    blocks = [block for block in view.blocks if block.sections]
    tables = [_latex_block(view, block, text) for block, text in zip(blocks, told, strict=False)]
    return "\n".join([NEEDS, *(tables or [f"% {view.name}: {view.banner}"])])


def _latex_block(view: View, block: Block, told: str) -> str:
    width = len(block.headings) + 1
    caption = [f"{view.name}. {view.title}.", block.title, view.banner, view.legend, *block.notes, told]
    float_ = "figure" if view.drawing else "table"
    lines = [
        rf"\begin{{{float_}}}",
        rf"\caption{{{_tex(' '.join(caption))}}}",
        *([DRAWN.replace("NAME", view.slug)] if view.drawing else []),
        FITTED,
        r"\begin{tabular}{l" + "r" * (width - 1) + "}",
        r"\toprule",
        " & ".join([block.row, *(_tex(f"{task} {metric}") for task, metric in block.headings)]) + r" \\",
    ]
    for section in block.sections:
        lines += [r"\midrule", rf"\multicolumn{{{width}}}{{l}}{{\emph{{{_tex(section.title)}}}}} \\"]
        lines += [" & ".join([_tex(label), *map(_latex_cell, cells)]) + r" \\" for label, cells in section.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}}", rf"\end{{{float_}}}", ""])


def _latex_cell(cell: Cell) -> str:
    text = _tex(_plain(replace(cell, interval=""), "", ""))
    text = rf"\textbf{{{text}}}" if cell.best else text
    below = rf"{{\scriptsize [{_tex(cell.interval)}]}}"
    return rf"\begin{{tabular}}[t]{{@{{}}r@{{}}}}{text}\\{below}\end{{tabular}}" if cell.interval else text


def _tex(text: str) -> str:
    return " ".join(text.split()).translate(LATEX)


def html(templates: Path, name: str, **values: Any) -> str:
    """A page from a template; everything in it is escaped, and nothing is loaded from elsewhere."""
    loader = FileSystemLoader(templates, encoding="utf-8")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.lstrip_blocks = True
    environment.filters["chinese"] = chinese
    return environment.get_template(name).render(**values) + "\n"


def write_views(out: Any, view: View, templates: Path, title: str) -> None:
    """The files ``md``, ``tex`` and ``html`` of one table or figure."""
    write_text(out.md, markdown(view))
    write_text(out.tex, latex(view))
    write_text(out.html, table_page(templates, view, title))


def table_page(templates: Path, view: View, title: str) -> str:
    """One table or figure as a page of its own."""
    return html(templates, "table.html.j2", title=f"{title}: {view.name}", views=[view])


def report_page(templates: Path, notice: str, views: Sequence[View], **values: Any) -> str:
    """The page of a run; ``values`` are what page.html.j2 names besides."""
    shared = {"notice": notice, "legend": LEGEND, "views": views, "sources": sources(views)}
    return html(templates, "page.html.j2", **shared, **values)


def provenance_page(templates: Path, notice: str, title: str, **values: Any) -> str:
    """The page of a run's cells, one by one; ``values`` are what provenance.html.j2 names besides."""
    return html(templates, "provenance.html.j2", notice=notice, title=f"{title}: cells, one by one", **values)


def sources(views: Sequence[View]) -> list[str]:
    """Every file that a value of the views comes from."""
    cells = (
        cell
        for view in views
        for block in view.blocks
        for section in block.sections
        for _, row in section.rows
        for cell in row
    )
    return sorted({source for cell in cells for source in cell.source.split(";") if source})
