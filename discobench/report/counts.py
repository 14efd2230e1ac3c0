"""How many instances stand behind the scores of a table."""

from collections.abc import Sequence

from discobench.report.layout import Layout
from discobench.report.long import Line


def counted_in(layout: Layout, lines: Sequence[Line]) -> tuple[str, ...]:
    """A sentence: n of each task, or of each metric where they differ; from fewest to most where rows differ."""
    found: dict[str, dict[str, set[int]]] = {}
    for line in lines:
        if line["value"] is not None and line["n"]:
            found.setdefault(line["task"], {}).setdefault(line["metric"], set()).add(int(line["n"]))
    said = [f"{task.upper()} {_of_task(layout, sizes)}" for task, sizes in found.items()]
    return (f"Instances (n; of d-BLEU documents): {'; '.join(said)}.",) if said else ()


def _of_task(layout: Layout, sizes: dict[str, set[int]]) -> str:
    texts = {metric: "–".join(map(str, dict.fromkeys((min(n), max(n))))) for metric, n in sizes.items()}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return ", ".join(f"{layout.look(metric).label} {text}" for metric, text in texts.items())
