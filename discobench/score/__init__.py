"""Stage score: predictions to metrics with signatures and intervals. Free of torch but for MODEL_METRICS."""

VERSION = 5

MODEL_METRICS = ("ppl", "bertscore", "comet")
"""Metrics that a model computes, one process for all cells of a task."""

COMPANIONS: dict[tuple[str, str], tuple[str, ...]] = {
    ("span", "f1"): ("f1-run",),
    ("span", "em"): ("em-run",),
    ("gaps", "f1"): ("f1-of-averages", "f1-averaged", "f1-position"),
    ("gaps", "precision"): ("precision-position",),
    ("gaps", "recall"): ("recall-position",),
    ("text", "bleu"): ("bleu-rare", "bleu-char", "bleu-word"),
    ("text", "ter"): ("ter-normalised",),
}
"""Readings that the paper leaves open or a library gets wrong: computed wherever the first is."""
