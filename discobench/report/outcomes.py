"""What became of answers and rankings, over all cells of a run."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from discobench.files import read_json
from discobench.report.rankings import odd_rankings

Answered = Mapping[tuple[str, str], str]
"""Row and task -> how many answers are not ok, in words."""


def not_ok(cells: Iterable[tuple[str, str, Mapping[str, int]]]) -> Answered:
    """How many answers of a row to a task are empty, cut, refused and so on, over all seeds.

    ``cells`` are row, task and the number of answers of each status; rows without such answers are left out.
    """
    sums: dict[tuple[str, str], Counter[str]] = {}
    for row, task, statuses in cells:
        sums.setdefault((row, task), Counter()).update(statuses)
    odd = {key: [name for name in sorted(counts) if name != "ok" and counts[name]] for key, counts in sums.items()}
    return {
        key: ", ".join(f"{sums[key][name]} {name.replace('_', ' ')}" for name in names) + f" of {sums[key].total()}"
        for key, names in odd.items()
        if names
    }


def odd_answers(root: Path) -> list[tuple[str, dict[str, int]]]:
    """Cells, and suites that an API was asked about, with answers that are not ok, and how many of each kind."""
    scored, ranked = (
        [read_json(path) for path in sorted(root.glob(pattern))]
        for pattern in ("score/*/*/seed-*/scores.json", "diagnose/*/*/seed-*/ranking.json")
    )
    cells = [(f"{c['task'].upper()}, {c['row']}, seed {c['seed']}", c["statuses"]) for c in scored]
    cells += [(f"suite {r['suite']}, {r['row']}, seed {r['seed']}", r["statuses"]) for r in ranked if "statuses" in r]
    odd = ((name, {kind: n for kind, n in statuses.items() if kind != "ok"}) for name, statuses in cells)
    return [(name, kinds) for name, kinds in odd if kinds]


def odd_outcomes(root: Path) -> list[tuple[str, list[str]]]:
    """Rankings with ties, unread answers or instances that were cut, and how many."""
    ranked = [read_json(path) for path in sorted(root.glob("diagnose/*/*/seed-*/ranking.json"))]
    found = [(f"suite {r['suite']}, {r['row']}, seed {r['seed']}", odd_rankings(r)) for r in ranked]
    return [(name, texts) for name, texts in found if texts]
