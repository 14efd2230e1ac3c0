"""Stage score: predictions to metrics with signatures and intervals. Free of torch but for MODEL_METRICS."""

VERSION = 4

MODEL_METRICS = ("ppl", "bertscore", "comet")
"""Metrics that a model computes, one process for all cells of a task."""
