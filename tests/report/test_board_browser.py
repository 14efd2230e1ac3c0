"""The leaderboard as a person meets it: Chromium opens the pages from files, without a network."""

import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect, sync_playwright

from discobench.files import read_text
from tests.conftest import BROWSERS
from tests.report.boards import ATTACK, write_pages

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:

    with sync_playwright() as driver:
        program = next(filter(None, map(shutil.which, BROWSERS)))
        arguments = ["--no-sandbox"] if os.getuid() == 0 else []
        running = driver.chromium.launch(executable_path=program, args=arguments)
        yield running
        running.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("board"))


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A tab that fails the test for anything on the console, and for a request to anywhere but files."""
    tab, faults = browser.new_page(), []
    tab.on("console", lambda message: faults.append(message.text))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)
    yield tab
    tab.close()
    assert faults == []


def column(page: Any, table: str, number: int) -> list[str]:
    cells = page.locator(f"#{table} tbody tr:visible > :nth-child({number})").all_inner_texts()
    return [cell.split("\n")[0] for cell in cells]


def open_page(page: Any, folder: Path, name: str) -> None:
    page.goto(f"{folder.as_uri()}/{name}")


def test_sorting_by_mouse_and_by_keyboard(page: Any, folder: Path):
    open_page(page, folder, "index.html")
    head = page.locator("#scores thead th", has_text="Value")
    head.locator("button").click()
    assert column(page, "scores", 4) == ["21.2", "10.0", "2.5"]
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").press("Enter")
    assert column(page, "scores", 4) == ["2.5", "10.0", "21.2"]
    assert head.get_attribute("aria-sort") == "ascending"
    page.locator("#scores thead th", has_text="Model").locator("button").click()
    assert head.get_attribute("aria-sort") is None
    assert column(page, "scores", 1)[:2] == ["Copy", "GPT-2"]


def test_sorting_by_numbers_with_thousands(page: Any, folder: Path):
    open_page(page, folder, "contract.html")
    page.locator("#contract thead th", has_text="Difference").locator("button").click()
    assert column(page, "contract", 6)[:5] == ["+20,000", "+30", "+5", "-1,234", "–"]
    open_page(page, folder, "index.html")
    page.locator("#scores thead th").nth(5).locator("button").click()
    assert column(page, "scores", 6) == ["1200", "12", "9"]


def test_filtering(page: Any, folder: Path):
    open_page(page, folder, "index.html")
    page.get_by_label("Group").select_option("Plain models")
    assert column(page, "scores", 1) == ["GPT-2"]
    assert page.locator("#scores-status").inner_text() == "1 of 3 rows"
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#scores-status")).to_have_text("3 of 3 rows")
    page.get_by_label("Contains").fill("mbart")
    assert page.locator("#scores-status").inner_text() == "1 of 3 rows"
    open_page(page, folder, "contract.html#verdict=not run")
    assert set(column(page, "contract", 7)) == {"not run"}


def test_two_models_side_by_side(page: Any, folder: Path):
    open_page(page, folder, "task-nt.html")
    section = page.locator("section[data-comparison]")
    assert section.locator("article").count() == 10
    section.get_by_label("Model A").select_option("GPT-2")
    section.get_by_label("Model B").select_option(label=f"mBART {ATTACK}")
    first = section.locator("article").first
    assert first.locator(".pair dd").all_inner_texts() == ["第 <b>二</b> 0", f"{ATTACK} 0"]
    assert "(better)" in first.locator(".pair dt").nth(1).inner_text()
    assert first.locator("dd").first.get_attribute("lang") == "zh-Hans"
    section.get_by_role("button", name="Next").click()
    assert section.locator(".status").inner_text() == "Instances 11 to 12 of 12"
    section.get_by_label("Model B").select_option("GPT-2")
    section.get_by_label("Only where they differ").check()
    assert section.locator(".status").inner_text() == "No instance fits."
    assert page.title() == "Board: NT"  # what the answers of one model would change


def test_the_keyboard_reaches_the_content_first(page: Any, folder: Path):
    open_page(page, folder, "index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


CONTRAST = """() => {
  const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!c.startsWith('rgba(0, 0, 0, 0')) return c; } return 'rgb(255, 255, 255)'; };
  return [...document.querySelectorAll('main *, nav *')]
    .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) && e.getClientRects().length)
    .map((e) => { const a = light(getComputedStyle(e).color), b = light(ground(e));
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 80)]; })
    .filter(([ratio, html]) => ratio < 4.5 && !html.includes('disabled')); }"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "task-nt.html", "diagnostic.html", "contract.html", "cards.html"])
def test_texts_stand_out(page: Any, folder: Path, name: str, scheme: str):
    """WCAG 2.2 asks for a contrast of 4.5 to 1."""
    page.emulate_media(color_scheme=scheme)
    open_page(page, folder, name)
    assert page.evaluate(CONTRAST) == []


def test_a_phone_shows_pages_without_moving_them_sideways(page: Any, folder: Path):
    page.set_viewport_size(PHONE)
    for path in sorted(folder.glob("*.html")):
        open_page(page, folder, path.name)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path.name


BROKEN = """(name) => [...document.querySelectorAll('tbody th')].filter((cell) => {
  cell.textContent = name;
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((box) => box.top)).size > 1; }).length"""


@pytest.mark.parametrize("name", ["index.html", "contract.html", "diagnostic.html"])
def test_a_phone_breaks_no_name_inside_a_word(page: Any, folder: Path, name: str):
    page.set_viewport_size(PHONE)
    open_page(page, folder, name)
    assert page.locator("tbody th").count() > 0
    assert page.evaluate(BROKEN, "Majority") == 0


def test_what_is_withheld_says_so(page: Any, tmp_path: Path):
    write_pages(tmp_path, texts=False)
    open_page(page, tmp_path, "task-nt.html")
    assert page.locator("section[data-comparison] article").first.locator(".withheld").count() == 3


@cache
def ids(path: Path) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', read_text(path)))


def leads(link: str) -> bool:
    """Whether a link leads to a file that is there, and in a page to something of that name; or chooses in a filter."""
    name, _, fragment = link.partition("#")
    path = Path(unquote(name).removeprefix("file://"))
    there = not fragment or "=" in fragment or path.suffix != ".html" or unquote(fragment) in ids(path)
    return path.exists() and there


@pytest.mark.torch
def test_a_phone_shows_the_pages_of_a_run(page: Any, demo_run: Path):
    page.set_viewport_size(PHONE)
    paths = [path for place in (".", "leaderboard", "tables", "figures") for path in (demo_run / place).glob("*.html")]
    assert len(paths) > 25
    for path in sorted(paths):
        open_page(page, path.parent, path.name)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path.name


@pytest.mark.torch
def test_the_board_of_a_run_holds_together(page: Any, demo_run: Path):
    """Every page of the finished demo opens, and its links within the run lead somewhere."""
    board, traced = demo_run / "leaderboard", set[str]()
    for path in sorted(board.glob("*.html")):
        open_page(page, board, path.name)
        links = page.eval_on_selector_all("a[href]", "found => found.map(a => a.href)")
        assert {link for link in set(links) if not leads(link)} == set()
        traced |= {path.name} if any("provenance.html#" in link for link in links) else set()
    assert {"index.html", "contract.html", "diagnostic.html", "task-zpr.html"} <= traced
    open_page(page, board, "index.html")
    assert len(set(column(page, "scores", 2))) == 9
    open_page(page, board, "contract.html")
    assert set(column(page, "contract", 8)) == {"1", "2", "5", "6", "7", "8", "9", "10", "11", "15", "16"}
    open_page(page, board, "task-nt.html")
    assert page.locator("section[data-comparison] article dd[lang=zh-Hans]").count() >= 10
    open_page(page, board, "diagnostic.html")
    assert page.locator("table.heat").count() >= 3
