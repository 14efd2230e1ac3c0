"""Text expansion on the page: what was deleted, and what other limits would keep."""

from pathlib import Path
from typing import Any

from discobench.files import read_json
from discobench.report.figure import inlined

NAMES = {
    "adjective": "adjective (phrase)",
    "adverb": "adverb (phrase)",
    "noun": "noun (phrase)",
    "prepositional": "prepositional phrase",
    "clause": "attributive clause",
}
LABELS = {"perplexity": "largest perplexity of the source", "ratio": "largest perplexity of source / target"}
HEARD = "Share of candidates kept by each limit of perplexity alone, as lines; statistics.json has the numbers"
SCALES = {"perplexity": "log", "ratio": "linear"}


def plot(statistics: dict[str, Any], path: Path) -> None:
    """Share of candidates kept by each limit alone, as SVG; the same figures give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "te", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(7, 2.6), layout="constrained")
        for axes, (name, label) in zip(figure.subplots(1, 2, sharey=True), LABELS.items(), strict=True):
            limits, shares = zip(*statistics["kept_by"][name], strict=True)
            axes.plot(limits, shares, marker=".")
            axes.axvline(statistics["limits"][name], linestyle="--", color="gray")
            axes.set(xscale=SCALES[name], ylim=(0, 1.02), xlabel=label)
        figure.axes[0].set_ylabel("share of candidates kept")
        figure.savefig(path, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))


def expansions_shown(statistics: Path, figure: Path) -> dict[str, Any]:
    """What the page shows: the statistics, names of the types, and the plot."""
    return {"statistics": read_json(statistics), "names": NAMES, "figure": inlined(figure, "te", HEARD)}
