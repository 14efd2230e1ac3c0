"""Task data, subtitles and text expansion: what is written as records or as aligned lines."""

from typing import Any

from resources.demo.generator.contrastive import SUITES, suite
from resources.demo.generator.deletion import expansion
from resources.demo.generator.draws import rng
from resources.demo.generator.english import Writer
from resources.demo.generator.passages import questions
from resources.demo.generator.speakers import passages
from resources.demo.generator.subtitles import episode, labelled_episode, recoveries
from resources.demo.generator.translations import MAKERS, pairs

Rows = list[dict[str, Any]]
WORKS = {"train": 20, "valid": 4, "test": 6}
SIZES = {
    "si": {"train": 500, "valid": 60, "test": 80},
    "zpr": {"train": 600, "valid": 60, "test": 80},
    "mrc": {"train": 1600, "valid": 50, "test": 80},
    "nt": {"train": 700, "valid": 60, "test": 80},
    "cct": {"train": 150, "valid": 20, "test": 30},
    "pt": {"train": 152, "valid": 20, "test": 32},
}
EXPANSIONS = {"train": 150, "valid": 20, "test": 30}
EPISODES = 20
EPISODE_LINES = 90
LABELLED = 6
LABELLED_LINES = 60


def task(name: str, split: str) -> Rows:
    """The records of a split of a task."""
    size = SIZES[name][split]
    if name in MAKERS:
        return pairs(name, split, size)
    return {"si": passages, "zpr": recoveries, "mrc": questions}[name](split, size, WORKS[split])


def expansions(split: str) -> Rows:
    """Records of schema ``te`` cut from trees of the grammar."""
    return [_expansion(split, n) for n in range(EXPANSIONS[split])]


def _expansion(split: str, n: int) -> dict[str, Any]:
    work = f"te-{split}-{n % WORKS[split]}"
    common = {"id": f"demo:{work}:{n}", "source": "demo", "work_id": work, "language": "en", "split": split}
    draw = rng(work, n)
    fields: dict[str, Any] = {
        "tree_ids": [],
        "perplexity_source": None,
        "perplexity_target": None,
        "decision": "kept",
        "reason": None,
    }
    return common | expansion(Writer(draw).sentence(), draw) | fields


def records() -> dict[str, Rows]:
    """Every JSON Lines file by its path."""
    files = {f"tasks/{name}/{split}.jsonl": task(name, split) for name in SIZES for split in SIZES[name]}
    files |= {f"mini/te/{split}.jsonl": expansions(split) for split in EXPANSIONS}
    return files | {f"diagnostic/{name}.jsonl": suite(name) for name in SUITES}


def subtitles() -> dict[str, str]:
    """Episodes, Chinese and English, aligned by line."""
    files = {}
    for number in range(1, EPISODES + 1):
        zh, en = episode(f"subtitles-{number}", EPISODE_LINES)
        files[f"subtitles/episode-{number:02d}.zh"] = "\n".join(zh) + "\n"
        files[f"subtitles/episode-{number:02d}.en"] = "\n".join(en) + "\n"
    return files | labelled()


def labelled() -> dict[str, str]:
    """Episodes of their own with what was left out, in the form of mZPRT."""
    documents = [labelled_episode(f"labelled-{number}", LABELLED_LINES) for number in range(LABELLED)]
    sides = {"zh": [zh for zh, _ in documents], "en": [en for _, en in documents]}
    return {
        f"labelled/raw/Demo_test.{side}": "".join("[doc]\n" + "\n".join(lines) + "\n" for lines in texts) + "[doc]\n"
        for side, texts in sides.items()
    }
