"""A pretraining on two nodes as a program of its own: ``python -m tests.pretrain.two_nodes FOLDER``."""

import logging
import sys
from pathlib import Path

from transformers import AutoTokenizer

from discobench.files import write_json
from discobench.models import family
from discobench.pretrain.job import Job, done
from discobench.pretrain.program import Task, plan_of
from tests.pretrain.packed import write_packed
from tests.pretrain.texts import EN, TRAINING


def job(folder: Path, name: str) -> Job:
    """A few steps of a tiny GPT-2 that is shared out."""
    base, packed, out, state = (folder / part for part in ("base", "packed", f"out-{name}", f"state-{name}"))
    for place in (packed, out, state):
        place.mkdir(exist_ok=True)
    family("gpt2").tiny(base, EN, {"hidden": 32, "vocabulary": 300, "language": "en"}, 1)
    tokenizer = AutoTokenizer.from_pretrained(base)
    documents = [tokenizer(text * 2, add_special_tokens=False)["input_ids"] for text in EN]
    splits = {"train": (documents, [0] * len(documents)), "valid": (documents[:2], [0, 0])}
    training = TRAINING | {"steps": 4, "dropout": 0.0}
    task = Task("gpt2", base, write_packed(packed, splits, ["e"]), {"e": "en"}, {}, 0.15, training)
    return Job(task, plan_of(training, 1, "fp32", "full"), state, "cpu", out, folder / f"curves-{name}")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    root = Path(sys.argv[1])
    write_json(root / "losses.json", [done(job(root, str(nodes)), nodes, 1)["losses"]["train"] for nodes in (1, 2)])
