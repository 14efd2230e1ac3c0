"""Scores by category: every metric with its interval, means over seeds, and numbers that are shared or not."""

from typing import Any

from discobench.report.categories import Parted, Share, parted
from tests.report.boards import pages


def test_categories_are_means_over_seeds():
    def cell(seed: int, value: float) -> dict[str, Any]:
        summary = {"value": value, "n": 3, "ci95": [value - 1, value + 2]}
        return {
            "row": "a",
            "seed": seed,
            "categories": {"domain": {"web": {"f1": summary, "precision": summary}, "film": {}}},
        }

    metrics = {"f1": "F1", "em": "EM", "precision": "Precision"}
    found = parted(metrics, [cell(1, 10.0), cell(2, 20.0)], {"a": "A"})
    shares = [None, Share(15.0, "14.0–17.0", 3)]
    rows = [("a", "A", "F1", shares), ("a", "A", "Precision", shares)]
    assert found == {"domain": Parted(["F1", "Precision"], [("film", None), ("web", 3)], rows)}
    assert parted(metrics, [{"row": "a"}], {}) == {}


def test_each_metric_of_a_category_has_its_interval_and_a_number_that_is_not_shared():
    page = " ".join(pages()["task-nt.html"].split())
    assert page.count('<td class="number" data-value="1.5">1.5<small>1.0–2.0</small></td>') == 2
    assert '<td class="number" data-value="2.5">2.5<small>n 7</small></td>' in page
    assert '<tr data-metric="Recall">' in page and 'data-filters="by-1"' in page
