"""Data cards as HTML."""

import re

from markdown_it import MarkdownIt
from markupsafe import Markup

from discobench.report.markup import chinese

OPENING = '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>'
EXAMPLES = re.compile(r"^## Examples$.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def card_html(text: str, texts: bool) -> str:
    """A card of Markdown as HTML a level lower, without its examples unless ``texts``.

    Markup in it is escaped, and Chinese is marked as such.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text if texts else EXAMPLES.sub("", text))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1]) + 1}"
        elif token.type == "th_open":
            token.attrSet("scope", "col")
    rendered = str(parser.renderer.render(tokens, parser.options, {}))
    return chinese(Markup(rendered.replace("<table>", OPENING).replace("</table>", "</table></div>")))
