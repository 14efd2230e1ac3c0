"""From any cell of a finished run, page by page as a reader goes: in three clicks to all that a number came from."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from discobench.files import read_json, sha256

pytestmark = [pytest.mark.slow, pytest.mark.torch]

VOID = ("meta", "link", "input", "br", "img", "circle", "line", "path", "rect", "use")
SAMPLE = 6
"""Cells of each page that are followed to the end."""
BEHIND = {
    **{table: {"score/", "decode/", "tasks/"} for table in (7, 8, 9, 10)},
    11: {"diagnose/", "tasks/"},
    1: {"tasks/"},
    2: {"annotation/"},
    5: {"corpus/"},
    **{table: {"models/", "pretrain/"} for table in (6, 15)},
    16: {"finetune/"},
}
"""Table -> stages of which the part of a cell names a file; of Tables 6 and 15 one of the two."""


class Page(HTMLParser):
    """The links of a page, each with the cells and the section that it stands in, and its ids."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.links: list[tuple[str, str, bool]] = []
        self.ids: set[str] = set()
        self.texts: dict[str, str] = {}
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.ids |= {found["id"]} if found.get("id") else set()
        if tag not in VOID:
            self.open.append((tag, found.get("id") or ""))
        if tag == "a" and found.get("href"):
            self.links.append((str(found["href"]), self._section(), any(name == "td" for name, _ in self.open)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts[self._section()] = self.texts.get(self._section(), "") + data

    def _section(self) -> str:
        return next((name for tag, name in reversed(self.open) if tag == "section"), "")


@pytest.fixture(scope="module")
def provenance(demo_run: Path) -> Page:
    return Page(demo_run / "provenance.html")


def ways(page: Page) -> list[str]:
    """The parts of the page of provenance that cells lead to, a few over the whole page."""
    found = list(
        dict.fromkeys(href.partition("#")[2] for href, _, cell in page.links if cell and "nance.html#" in href)
    )
    return found[:: max(1, len(found) // SAMPLE)]


def followed(run: Path, page: Page, part: str) -> Iterator[Path]:
    """The files that a part of the page of provenance names."""
    return (run / href for href, section, _ in page.links if section == part and not href.startswith("#"))


def test_no_link_of_any_page_leads_nowhere(demo_run: Path, provenance: Page) -> None:
    pages = [demo_run / "index.html", *demo_run.glob("tables/*.html"), *demo_run.glob("leaderboard/*.html")]
    for path in [*pages, demo_run / "provenance.html"]:
        for href, _, _ in Page(path).links:
            file, _, anchor = href.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.exists(), (path.name, href)
            if target == demo_run / "provenance.html" and anchor:
                assert anchor in provenance.ids, (path.name, href)


@pytest.mark.parametrize("table", BEHIND)
def test_three_clicks_lead_from_a_cell_to_all_that_it_came_from(demo_run: Path, provenance: Page, table: int) -> None:
    parts = ways(Page(demo_run / f"tables/table{table}.html"))
    assert parts or table == 2, "no cell leads anywhere"  # a run has an agreement where sheets were filled
    for part in parts:
        files = list(followed(demo_run, provenance, part))
        names = {path.relative_to(demo_run).as_posix() for path in files}
        stages = {stage for stage in BEHIND[table] if any(name.startswith(stage) for name in names)}
        assert stages if table in (6, 15) else stages == BEHIND[table], part
        assert "config.json" in names, part
        whole(demo_run, files, provenance.texts[part], trained=any(name.startswith("finetune/") for name in names))


def whole(run: Path, files: list[Path], text: str, trained: bool) -> None:
    """The records of a part tell code, machine, time and settings, and digests that are those of the files."""
    records = [read_json(path) for path in files if path.name.endswith(".made.json")]
    assert records and {"code", "machine", "wall_s", "settings", "inputs", "packages"} <= set(records[0])
    assert all(len(record["code"]["sha256"]) == 64 for record in records)
    assert all(record["code"]["sha256"][:16] in text and record["machine"] in text for record in records)
    digests = set(re.findall(r"[0-9a-f]{64}", text))
    large = [path for path in files if path.suffix in (".jsonl", ".parquet") and path.name != "instances.parquet"]
    assert {sha256(path) for path in large if path.parent.name != "corpus"} <= digests
    if trained:
        seeds = {str(record["wildcards"]["seed"]) for record in records if record["rule"].startswith("finetune")}
        assert seeds and all(f"seed-{seed}" in "".join(map(str, files)) for seed in seeds)


@pytest.mark.parametrize("name", ["index", "contract", "diagnostic", "task-nt"])
def test_the_cells_of_the_leaderboard_lead_there_too(demo_run: Path, provenance: Page, name: str) -> None:
    parts = ways(Page(demo_run / f"leaderboard/{name}.html"))
    assert len(parts) > 2
    for part in parts:
        assert any(path.name.endswith(".made.json") for path in followed(demo_run, provenance, part)), part
