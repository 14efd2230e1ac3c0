"""``make bench-pretraining``: real tokens per CPU second beside transformers' Trainer, same model and texts in one run.

The Trainer pads rows drawn at random to the longest of eight (``dynamic``), or reads rows that are filled with one
document after another (``grouped``); here documents stay apart. Layers and vocabulary have the proportions of
RoBERTa-base's: ``--hidden`` and ``--layers`` size the model, ``--steps`` the run; ``--family gpt2`` takes a causal one.
Writes results/bench/pretraining.json.
"""

import argparse
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import torch
from transformers import (
    AttentionInterface,
    AutoTokenizer,
    DataCollatorForLanguageModeling,
    Trainer,
    TrainingArguments,
)
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from discobench.files import write_json
from discobench.models import family
from discobench.pretrain.objectives import model_class
from discobench.pretrain.program import Pretraining, Task, plan_of
from discobench.trainer import train
from tests.pretrain.packed import write_packed

OUTPUT = Path("results/bench/pretraining.json")
GOALS = {"dynamic": 1.4, "grouped": 1.2}
LETTERS = [chr(0x4E00 + n) for n in range(2400)]
LENGTH, ROWS, PART, SHARE, DOCUMENTS = 512, 32, 4096, 0.15, 1500
TRAINING: dict[str, Any] = {
    **{"learning_rate": 1e-4, "batch_size": ROWS, "batch_unit": "sequences", "max_length": LENGTH, "warmup": 0},
    **{"schedule": "linear", "betas": (0.9, 0.999), "weight_decay": 0.01, "dropout": 0.1, "clip": 1.0},
    **{"save_every": 10**9, "keep_best": False},
}


def documents() -> list[str]:
    """Half of them of less than 250 characters, some of thousands; common letters are common."""
    random = Random(1)
    lengths = [max(8, int(random.lognormvariate(5.5, 1.0))) for _ in range(DOCUMENTS)]
    return ["".join(LETTERS[int(len(LETTERS) * random.random() ** 3)] for _ in range(length)) for length in lengths]


def seconds(work: Callable[[], Any]) -> float:
    """CPU seconds of ``work``, of all threads."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def ours(kind: str, base: Path, folder: Path, manifest: Path, steps: int) -> float:
    """Real tokens per CPU second."""
    task = Task(kind, base, manifest, {"zh": "zh"}, {}, SHARE, TRAINING | {"steps": steps}, part_tokens=PART)
    program = Pretraining(task, 1)
    counted = sum(part.tokens for step in range(steps) for _, part in program.share(step, 0, 1))
    print(f"padding {100 * program.padding():.1f} %")
    plan = plan_of(task.training, 1, "fp32")
    return counted / seconds(lambda: train(program, plan, folder / "state", torch.device("cpu")))


def trainers(kind: str, base: Path, folder: Path, rows: Sequence[Sequence[int]], steps: int) -> float:
    """Real tokens per CPU second of the Trainer, which reads ``rows`` in random order."""
    tokenizer = AutoTokenizer.from_pretrained(base)
    AttentionInterface.register("sdpa", sdpa_attention_forward)  # not ours
    model = model_class(kind).from_pretrained(base, dtype=torch.float32)
    seen: list[int] = []
    collator = DataCollatorForLanguageModeling(tokenizer, mlm=kind == "encoder", mlm_probability=SHARE)

    def collate(items: Any) -> Any:
        seen.append(sum(len(item["input_ids"]) for item in items))
        return collator(items)

    silent = {"report_to": [], "save_strategy": "no", "disable_tqdm": True, "logging_strategy": "no", "use_cpu": True}
    parts = ROWS * LENGTH // PART
    batch = {"per_device_train_batch_size": ROWS // parts, "gradient_accumulation_steps": parts}
    common = {"max_steps": steps, "seed": 1, "learning_rate": 1e-4, **batch}
    data: Any = [{"input_ids": list(row)} for row in rows]
    arguments = TrainingArguments(str(folder / "trainer"), **silent, **common)
    spent = seconds(Trainer(model, arguments, data_collator=collate, train_dataset=data).train)
    return sum(seen[: steps * parts]) / spent


def rows_of(encoded: Sequence[Sequence[int]], begin: int, end: int) -> dict[str, list[list[int]]]:
    """What the Trainer reads: documents cut where they are too long, or one long line of them cut into full rows."""
    room = LENGTH - 3
    cut = [[*row[start : start + room]] for row in encoded for start in range(0, len(row), room)]
    line = [token for row in encoded for token in (*row, end)]
    grouped = [line[start : start + LENGTH] for start in range(0, len(line) - LENGTH, LENGTH)]
    return {"dynamic": [[begin, *row, end] for row in cut], "grouped": grouped}


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in {"steps": 6, "hidden": 256, "layers": 4}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--family", choices=["encoder", "gpt2"], default="encoder")
    asked = parser.parse_args()
    kind = asked.family
    torch.set_num_threads(1)
    texts, size = documents(), {"hidden": asked.hidden, "layers": asked.layers, "heads": 4, "vocabulary": 3000}
    with TemporaryDirectory() as name:
        folder = Path(name)
        family(kind).tiny(folder / "base", texts, size | {"language": "zh", "intermediate": 4 * asked.hidden}, 1)
        tokenizer = AutoTokenizer.from_pretrained(folder / "base")
        encoded = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
        splits = {"train": (encoded, [0] * len(encoded)), "valid": ([], [])}
        manifest = write_packed(folder / "packed", splits, ["zh"], word=2)
        rows = rows_of(encoded, tokenizer.cls_token_id, tokenizer.sep_token_id)
        found = {"ours": ours(kind, folder / "base", folder, manifest, asked.steps)}
        found |= {name: trainers(kind, folder / "base", folder, rows[name], asked.steps) for name in GOALS}
    for name, goal in GOALS.items():
        ratio = found["ours"] / found[name]
        print(f"{name}: {found['ours']:.0f} beside {found[name]:.0f} tokens/s, {ratio:.2f} times (goal {goal})")
    write_json(OUTPUT, {"machine": platform.platform(), "torch": torch.__version__, "asked": vars(asked)} | found)


if __name__ == "__main__":
    main()
