"""Which metric names mean what, by formulation; a task names the ones it reports."""

from collections.abc import Callable, Mapping, Sequence

from discobench.errors import DiscoError
from discobench.score import COMPANIONS, MODEL_METRICS, answers, texts
from discobench.score.answers import signed
from discobench.score.distinct import distinct
from discobench.score.items import Item
from discobench.score.measure import Additive, Array, Measure, Metric, NotRun, Options, percentage, ratio
from discobench.score.perplexity import per_token
from discobench.tasks.base import Task

MEASURES: Mapping[tuple[str, str], Measure] = {
    ("span", "f1"): Additive(answers.span_f1, percentage),
    ("span", "f1-run"): Additive(answers.span_common_run, percentage),
    ("span", "em"): Additive(answers.exact_match, percentage),
    ("span", "em-run"): Additive(answers.plain_match, percentage),
    ("gaps", "f1"): Additive(signed("f1", answers.gaps), answers.f1),
    ("gaps", "f1-of-averages"): Additive(signed("f1 of averages", answers.gaps_by_group), answers.f1_of_averages),
    ("gaps", "f1-position"): Additive(signed("f1", answers.gaps_by_position), answers.f1),
    ("gaps", "f1-averaged"): Additive(signed("average of f1", answers.gaps_by_group), answers.average_f1),
    ("gaps", "precision"): Additive(signed("precision", answers.gaps), answers.precision),
    ("gaps", "recall"): Additive(signed("recall", answers.gaps), answers.recall),
    ("gaps", "precision-position"): Additive(signed("precision", answers.gaps_by_position), answers.precision),
    ("gaps", "recall-position"): Additive(signed("recall", answers.gaps_by_position), answers.recall),
    ("choice", "accuracy"): Additive(answers.accuracy, percentage),
    ("text", "bleu"): Additive(texts.bleu, texts.bleu_value),
    ("text", "bleu-rare"): Additive(texts.bleu_rare, texts.bleu_value),
    ("text", "bleu-char"): Additive(texts.bleu_char, texts.bleu_value),
    ("text", "bleu-word"): Additive(texts.bleu_word, texts.bleu_value),
    ("text", "d-bleu"): Additive(texts.document_bleu, texts.bleu_value),
    ("text", "ter"): Additive(texts.ter, percentage),
    ("text", "ter-normalised"): Additive(texts.ter_normalised, percentage),
    ("text", "meteor"): Additive(texts.meteor, percentage),
    ("text", "dist2"): distinct(2),
    ("text", "dist4"): distinct(4),
}

CHINESE = ("bleu-rare", "bleu-char", "bleu-word")
"""Those that only mean something for a Chinese answer."""


OF_MODELS: Mapping[str, Callable[[Array], float]] = {
    "bertscore": percentage,
    "comet": ratio,
    "ppl": per_token,
}
"""The value of summed counts of MODEL_METRICS."""


def value_of(task: Task, metric: str) -> Callable[[Array], float] | None:
    """How a metric's value follows from summed counts; None where it does not."""
    measure = MEASURES.get((task.formulation, metric))
    return measure.value if isinstance(measure, Additive) else OF_MODELS.get(metric)


def names(task: Task) -> list[str]:
    """The metrics of ``task`` that need no model, companions included."""
    plain = [name for name in task.metrics if name not in MODEL_METRICS]
    both = [(name, *COMPANIONS.get((task.formulation, name), ())) for name in plain]
    found = dict.fromkeys(name for group in both for name in group)
    return [name for name in found if name not in CHINESE or task.languages[1] == "zh"]


def evaluate(task: Task, items: Sequence[Item], options: Options) -> dict[str, Metric | NotRun]:
    """Every metric of ``task`` that needs no model; raises DiscoError on an empty set or an unknown name."""
    if not items:
        raise DiscoError(f"The test set of task {task.name} has no instance; a score needs at least one.")
    return {name: _one(task, name, items, options) for name in names(task)}


def _one(task: Task, name: str, items: Sequence[Item], options: Options) -> Metric | NotRun:
    measure = MEASURES.get((task.formulation, name))
    if measure is None:
        known = ", ".join(metric for formulation, metric in MEASURES if formulation == task.formulation)
        raise DiscoError(f"Task {task.name} names metric {name!r}; known for {task.formulation}: {known}.")
    try:
        return measure(items, options)
    except NotRun as reason:
        return reason
