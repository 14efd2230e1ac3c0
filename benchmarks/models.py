"""``make bench-models``: learning and decoding beside the plain ways, same model and texts, in one run.

ZPR: sentences per CPU second beside transformers' Trainer, which pads each batch, drawn at random, to its longest.
Decoding: sentences per CPU second with beam 4 beside ``generate`` in the order of the file, in batches of BATCH, on a
model that has learned to copy for ``--learned`` steps, so that outputs end as those of fine-tuned models do, and on one
that has learned nothing, whose outputs all have WRITTEN tokens. Models and texts are drawn here; ``--hidden`` and
``--layers`` size the models, ``--sentences`` the data. Writes results/bench/models.json.
"""

import argparse
import platform
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor, nn
from transformers import Trainer, TrainingArguments

from discobench.files import write_json
from discobench.finetune.program import FineTuning, plan
from discobench.formulations import GapsExample, TextExample
from discobench.models import family
from discobench.models.base import Decoding, Settings
from discobench.models.learners.tokens import quiet
from discobench.trainer import train

OUTPUT = Path("results/bench/models.json")
GOALS = {"zpr": 1.5, "decoding": 3.0, "decoding without an end": None}
LETTERS = "他她它我们去来说看走山水火木人心天地上下大小多少有无"
BATCH, ZPR_BATCH, WRITTEN, MOST = 8, 5, 24, 110
TRAINING: dict[str, Any] = {
    **{"learning_rate": 1e-4, "batch_size": ZPR_BATCH, "batch_unit": "sequences", "max_length": 128, "epochs": 1},
    **{"steps": None, "warmup": 0, "schedule": "linear", "betas": (0.9, 0.999), "weight_decay": 0.01, "clip": 1.0},
    **{"save_every": 10**9, "keep_best": False},
}
COPYING: dict[str, Any] = {"learning_rate": 1e-3, "batch_size": 16, "warmup": 30, "epochs": None}


def texts(count: int) -> list[str]:
    """Many short ones and few long ones, from 4 to 100 characters."""
    random = Random(1)
    lengths = [min(100, 4 + int(random.expovariate(1 / 18))) for _ in range(count)]
    return ["".join(random.choices(LETTERS, k=length)) for length in lengths]


def per_second(count: int, work: Callable[[], Any]) -> float:
    """``count`` in each CPU second of ``work``."""
    begun = time.process_time()
    work()
    return count / (time.process_time() - begun)


class Losses(nn.Module):
    """A learner as the Trainer wants it."""

    def __init__(self, learner: Any) -> None:
        super().__init__()
        self.learner, self.model = learner, learner.model

    def forward(self, encoded: Sequence[Any]) -> dict[str, Tensor]:
        """The loss of a batch."""
        return {"loss": self.learner.loss(encoded)}


def zpr(base: Path, folder: Path, sentences: Sequence[str]) -> dict[str, float]:
    """Sentences per CPU second of one epoch, encoding left out on both sides."""
    examples = [GapsExample(str(n), text, "", "", ((0, "他"),)) for n, text in enumerate(sentences)]
    settings = Settings("gaps", TRAINING["max_length"], ("他", "她"))
    learners = [family("encoder").learner(base, settings, 1) for _ in range(2)]
    program = FineTuning(learners[0], examples, [], TRAINING, 1)
    chosen = plan(TRAINING, program.steps, 1, "fp32")
    ours = per_second(len(examples), lambda: train(program, chosen, folder / "state", torch.device("cpu")))
    silent = {"report_to": [], "save_strategy": "no", "disable_tqdm": True, "logging_strategy": "no", "use_cpu": True}
    common = {"per_device_train_batch_size": ZPR_BATCH, "num_train_epochs": 1, "remove_unused_columns": False}
    arguments = TrainingArguments(str(folder / "trainer"), **silent, **common)
    collate = {"data_collator": lambda items: {"encoded": items}, "train_dataset": program.train}
    return {"ours": ours, "plain": per_second(len(examples), Trainer(Losses(learners[1]), arguments, **collate).train)}


def copying(base: Path, folder: Path, sentences: Sequence[str], steps: int) -> Any:
    """A model that has seen some sentences, and that they are to be written as they are."""
    learner = family("bart").learner(base, Settings("text", TRAINING["max_length"]), 1)
    examples = [TextExample(str(n), text, "zh", "zh", text) for n, text in enumerate(sentences)]
    training = TRAINING | COPYING | {"steps": steps}
    train(FineTuning(learner, examples, [], training, 1), plan(training, steps, 1, "fp32"), folder, torch.device("cpu"))
    return learner


def decoding(learner: Any, sentences: Sequence[str], most: int) -> dict[str, Any]:
    """Sentences per CPU second, whether both ways wrote the same, and tokens of an output on average."""
    examples = [TextExample(str(n), text, "zh", "zh") for n, text in enumerate(sentences)]
    how = Decoding(beam=4, max_new_tokens=most)
    answers: dict[str, list[Any]] = {}

    def plainly() -> None:
        with quiet(learner.model):
            items = [learner._source(example, []) for example in examples]
            batches = [items[n : n + BATCH] for n in range(0, len(items), BATCH)]
            sources = [[item.source for item in batch] for batch in batches]
            rows = [ids for batch in sources for ids in learner.generate(batch, learner.generation(how))]
        answers["plain"] = [learner._prediction(item, ids) for item, ids in zip(items, rows, strict=True)]

    ours = per_second(len(examples), lambda: answers.update(ours=learner.predict(examples, how)))
    plain = per_second(len(examples), plainly)
    lengths = [prediction.details["tokens"] for prediction in answers["ours"]]
    same = answers["ours"] == answers["plain"]
    return {"ours": ours, "plain": plain, "same": same, "tokens": sum(lengths) / len(lengths)}


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in {"sentences": 2000, "hidden": 256, "layers": 4, "learned": 400}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    sentences, size = texts(asked.sentences), {"hidden": asked.hidden, "layers": asked.layers, "heads": 4}
    with TemporaryDirectory() as name:
        folder = Path(name)
        for kind in ("encoder", "bart"):
            family(kind).tiny(folder / kind, sentences, size | {"vocabulary": 300, "language": "zh"}, 1)
        drawn = family("bart").learner(folder / "bart", Settings("text", TRAINING["max_length"]), 1)
        some, rest = sentences[: asked.sentences // 5], sentences[asked.sentences // 5 :]
        found: dict[str, dict[str, Any]] = {
            "zpr": zpr(folder / "encoder", folder, sentences),
            "decoding": decoding(copying(folder / "bart", folder / "copying", rest, asked.learned), some, MOST),
            "decoding without an end": decoding(drawn, some, WRITTEN),
        }
    for name, line in found.items():
        line["ratio"] = line["ours"] / line["plain"]
        goal = f" (goal {GOALS[name]})" if GOALS[name] else ""
        other = "" if line.get("same", True) else ": OTHER OUTPUTS"
        print(f"{name}: {line['ours']:.1f}/s, plain {line['plain']:.1f}/s, {line['ratio']:.2f} times{goal}{other}")
    write_json(OUTPUT, {"machine": platform.platform(), "torch": torch.__version__, "asked": vars(asked)} | found)
    if not all(line.get("same", True) for line in found.values()):
        sys.exit("The two ways wrote different outputs.")


if __name__ == "__main__":
    main()
