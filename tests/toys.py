"""Tiny models and toy tasks that they can learn in seconds, for the tests of families and fine-tuning."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

CHARACTERS = "天地山木金土日月风云花鸟"
NAMES = ("王明", "李红", "张三", "赵四")
TRAINING = {
    "learning_rate": 2e-3,
    "batch_size": 16,
    "batch_unit": "sequences",
    "max_length": 64,
    "epochs": None,
    "steps": 10,
    "warmup": 10,
    "schedule": "linear",
    "betas": (0.9, 0.98),
    "weight_decay": 0.01,
    "empty_weight": 1.0,
    "dropout": 0.0,
    "clip": 1.0,
    "save_every": 10_000,
    "keep_best": True,
    "best_by": "loss",
}
TEXTS = (f"{CHARACTERS}火水我你说走了什么？。：“”{''.join(NAMES)}", "Hello world, it is fine.")


def word(rng: Random, least: int, most: int) -> str:
    """Different characters in random order."""
    return "".join(rng.sample(CHARACTERS, rng.randint(least, most)))


def span(n: int, rng: Random) -> Any:
    """The name right before the utterance says it; another name misleads."""
    from discobench.formulations import SpanExample

    said = word(rng, 3, 5)
    context = f"{word(rng, 2, 6)}。{rng.choice(NAMES)}说：“{said}”{rng.choice(NAMES)}走了。"
    start, name = context.index("“") + 1, context.index("说") - 2
    return SpanExample(f"toy:{n}", context, said, (start, start + len(said)), ((name, name + 2),))


def gaps(n: int, rng: Random) -> Any:
    """One form stands before fire, another before water."""
    from discobench.formulations import GapsExample

    text = "".join(rng.choice(CHARACTERS + "火水") for _ in range(8))
    labels = tuple((i, {"火": "我", "水": "你"}[c]) for i, c in enumerate(text) if c in "火水")
    return GapsExample(f"toy:{n}", text, word(rng, 0, 4), word(rng, 0, 4), labels)


def choice(n: int, rng: Random) -> Any:
    """One choice is always right, wherever it stands among two to four."""
    from discobench.formulations import ChoiceExample

    choices = ["天花", *rng.sample(["地鸟", "风月", "木土"], rng.randint(1, 3))]
    rng.shuffle(choices)
    return ChoiceExample(f"toy:{n}", word(rng, 3, 9), "什么", tuple(choices), choices.index("天花"))


def text(n: int, rng: Random) -> Any:
    """Copy."""
    from discobench.formulations import TextExample

    source = word(rng, 1, 4)
    return TextExample(f"toy:{n}", source, "zh", "zh", source)


MAKERS: dict[str, Callable[[int, Random], Any]] = {
    "span": span,
    "gaps": gaps,
    "choice": choice,
    "text": text,
}


def threads() -> None:
    """One thread: tiny models are slower with more, and far slower on a busy machine."""
    import torch

    torch.set_num_threads(1)


def examples(formulation: str, count: int, seed: int) -> list[Any]:
    """``count`` toy examples drawn from ``seed``."""
    rng = Random(seed)
    return [MAKERS[formulation](n, rng) for n in range(count)]


def gold(example: Any) -> Any:
    """What a perfect model predicts."""
    kind = type(example).__name__
    if kind == "SpanExample":
        return [example.context[slice(*example.answers[0])]]
    if kind == "GapsExample":
        return list(example.labels)
    return example.answer if kind == "ChoiceExample" else example.target


def checkpoint(family: str, folder: Path, seed: int = 1, heads: int = 2) -> Path:
    """A tiny checkpoint of ``family``; mBART's vocabulary is multilingual, the others' Chinese."""
    from discobench.models import family as find

    threads()
    language = "multi" if family == "mbart" else "zh"
    find(family).tiny(folder, TEXTS * 20, {"language": language, "vocabulary": 500, "heads": heads}, seed)
    return folder


def settings(formulation: str, targets: bool = False, **options: Any) -> Any:
    """Settings of a toy task."""
    from discobench.models.base import Settings

    options |= {"targets": list(TEXTS)} if targets else {}
    return Settings(formulation, 64, ("我", "你"), options=options)


def learner(family: str, formulation: str, folder: Path, seed: int = 1) -> Any:
    """A learner over a tiny checkpoint."""
    from discobench.models import family as find

    return find(family).learner(checkpoint(family, folder), settings(formulation, targets=formulation == "text"), seed)
