"""What is shown of text expansion: figures by type, a plot, a section of the page, instances to read."""

from pathlib import Path
from typing import Any

import pytest

from discobench.files import write_json
from discobench.report.expansions import expansions_shown, plot
from discobench.report.markup import html
from discobench.synthesis.filtering import Limits
from discobench.synthesis.sample import marked, sample
from discobench.synthesis.statistics import expansion_statistics
from tests.support import ROOT

LIMITS = Limits(250.0, 2.0)


def _record(number: int) -> dict[str, Any]:
    return {
        "id": f"r{number}",
        "source_text": "A boat left.",
        "target": "An old boat left <slowly>.",
        "insertions": [
            {"start": 3, "end": 6, "type": "adjective", "rule": "adjective.attributive"},
            {"start": 17, "end": 25, "type": "adverb", "rule": "adverb.final"},
        ],
        "edits": [
            {"start": 0, "end": 2, "from": "A", "to": "An"},
            {"start": 6, "end": 7, "from": "", "to": " "},
            {"start": 16, "end": 17, "from": "", "to": " "},
        ],
        "perplexity_source": 120.4,
        "perplexity_target": 80.2,
    }


def _statistics() -> dict[str, Any]:
    scores = [{"source": s, "target": 100.0} for s in (90.0, 150.0, 240.0, 900.0)]
    pruned = [{"deletable": {"adjective": 3, "adverb": 2}, "deleted": {"adjective": 3}}, {"deleted": {"adverb": 1}}, {}]
    return expansion_statistics([_record(1), _record(2)], scores, pruned, LIMITS)


def test_figures_are_sums_and_shares() -> None:
    found = _statistics()
    assert found["instances"] == {"candidates": 4, "kept": 2}
    assert found["words"] == {"target": 10, "inserted": 4}
    assert found["types"]["adverb"] == {"insertions": 2, "share": 0.5, "words": 1.0, "deletable": 2, "rate": 0.5}
    assert found["types"]["clause"] == {"insertions": 0, "share": 0.0, "words": 0.0, "deletable": 0, "rate": 0.0}
    assert found["rules"] == {"adjective.attributive": 2, "adverb.final": 2}
    by_limit = {name: dict(pairs) for name, pairs in found["kept_by"].items()}
    assert by_limit["perplexity"][250.0] == 0.75 and by_limit["ratio"][1.0] == 0.25 and by_limit["ratio"][3.0] == 0.75


def test_the_same_figures_give_the_same_plot(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        plot(_statistics(), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_the_section_shows_types_and_plot_and_is_absent_without_them(tmp_path: Path) -> None:
    write_json(tmp_path / "statistics.json", _statistics())
    plot(_statistics(), tmp_path / "te.svg")
    shown = expansions_shown(tmp_path / "statistics.json", tmp_path / "te.svg")
    page = html(ROOT / "resources/report", "expansions.html.j2", expansions=shown)
    assert (
        "attributive clause" in page
        and '<svg role="img" aria-label="Share of candidates' in page
        and "2 of 4 candidates" in page
        and "<?xml" not in page
    )
    assert html(ROOT / "resources/report", "expansions.html.j2", expansions=None).strip() == ""


def test_an_empty_run_has_figures_too(tmp_path: Path) -> None:
    found = expansion_statistics([], [], [], LIMITS)
    assert found["words"] == {"target": 0, "inserted": 0}
    plot(found, tmp_path / "te.svg")


def test_instances_are_drawn_by_id_and_marked() -> None:
    rows = [_record(n) for n in range(50)]
    drawn = [row["id"] for row in sample(rows, 5, 1)]
    assert drawn == [row["id"] for row in sample(rows[::-1], 5, 1)] != [row["id"] for row in sample(rows, 5, 2)]
    text = marked(_record(1))
    assert "{A|An} [[old|adjective.attributive]] boat left [[<slowly>|adverb.final]]." in text
    assert text.startswith("r1  perplexity 120 / 80\n") and "= A boat left." in text


@pytest.mark.parametrize("size", [0, 3])
def test_a_small_run_is_printed_whole(size: int) -> None:
    assert len(sample([_record(n) for n in range(size)], 20, 1)) == size
