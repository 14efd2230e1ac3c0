"""Training by fairseq's own programs, in this process, with a state that survives kills.

fairseq seeds dropout from (seed, update) and stores its place in the data; batches are made anew
each epoch because a resumed run otherwise groups the sentences of later epochs differently.
"""

import logging
import shutil
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile, ZipFile

import torch
from fairseq import checkpoint_utils, options, tasks
from fairseq.dataclass.utils import convert_namespace_to_omegaconf
from fairseq.logging import progress_bar
from fairseq.trainer import Trainer
from fairseq_cli import preprocess
from fairseq_cli import train as fairseq_train
from safetensors.torch import save_file

from discobench.checkpoints import held
from discobench.errors import DiscoError
from discobench.files import open_text, whole, write_text
from discobench.formulations import TextExample
from discobench.models.plain_model import (
    ARCHITECTURE,
    SIDES,
    TOKENIZER,
    WEIGHTS,
    Vocabulary,
    architecture_of,
    arguments,
    positions,
)
from discobench.speed import Speed

NEVER = str(10**9)
SMOOTHING = "0.1"
Pair = tuple[list[int], list[int]]


class Plan(Protocol):
    """What training needs to know: ``config.training.Training`` with a seed, a precision and, where curves are
    to be drawn for TensorBoard, a folder for them.

    ``dropout`` is that of layers, attention and activations alike (paper 6.1: all of them 0.3).
    ``max_length`` is in tokens a side, the end symbol included; longer pairs are left out.
    """

    learning_rate: float
    batch_size: int
    batch_unit: str
    max_length: int
    epochs: int | None
    steps: int | None
    warmup: int
    schedule: str
    betas: tuple[float, float]
    weight_decay: float
    dropout: float | None
    clip: float
    save_every: int
    keep_best: bool
    seed: int
    precision: str
    curves: Path | None


def train(
    folder: Path, out: Path, state: Path, train: Sequence[TextExample], valid: Sequence[TextExample], plan: Plan
) -> dict[str, Any]:
    """Train the checkpoint in ``folder`` into ``out``; returns step, losses, device and pairs left out.

    ``state`` keeps binarised data and checkpoints. Raises DiscoError when no pair is short enough or
    when another process trains in ``state``.
    """
    with held(state):
        return _train(folder, out, state, {"train": train, "valid": valid}, plan)


def _train(
    folder: Path, out: Path, state: Path, splits: dict[str, Sequence[TextExample]], plan: Plan
) -> dict[str, Any]:
    vocabulary, data = Vocabulary(folder), state / "data"
    pairs = {name: _pairs(examples, vocabulary, _limit(folder, plan)) for name, examples in splits.items()}
    if not pairs["train"]:
        raise DiscoError(
            f"none of {len(splits['train'])} training pairs fits max_length {plan.max_length}; raise max_length."
        )
    if not data.exists():
        _binarise(data, vocabulary, pairs)
    command = [str(data), *arguments(architecture_of(folder)), *_options(plan, bool(pairs["valid"]))]
    final = _run(state / "checkpoints", command, plan)
    _export(final, folder, out)
    dropped = {name: len(examples) - len(pairs[name]) for name, examples in splits.items()}
    return {"step": _updates(final), "losses": _losses(final), "device": _device(), "facts": {"too_long": dropped}}


def _losses(checkpoint: dict[str, Any]) -> dict[str, Any]:
    """Label-smoothed validation loss (bits a token) of the checkpoint that is kept; no curve is."""
    value = checkpoint["extra_state"]["val_loss"]
    best = None if value is None else {"loss": value}
    return {"curve": [], "best_step": best and _updates(checkpoint), "best": best}


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _limit(folder: Path, plan: Plan) -> int:
    """Tokens a side: a batch by tokens must hold the pair as well."""
    limit = min(plan.max_length, positions(folder))
    return min(limit, plan.batch_size) if plan.batch_unit == "tokens" else limit


def _pairs(examples: Sequence[TextExample], vocabulary: Vocabulary, limit: int) -> list[Pair]:
    sources = vocabulary.encode([example.source for example in examples])
    targets = vocabulary.encode([example.target or "" for example in examples])
    return [pair for pair in zip(sources, targets, strict=True) if max(map(len, pair)) < limit]


def _binarise(data: Path, vocabulary: Vocabulary, pairs: dict[str, list[Pair]]) -> None:
    """fairseq-preprocess into ``data``, which appears whole."""
    partial = data.with_name("data.partial")
    shutil.rmtree(partial, ignore_errors=True)
    write_text(partial / "words", "".join(f"{n} 1\n" for n in range(vocabulary.size)))
    flags = ["--source-lang", SIDES[0], "--target-lang", SIDES[1], "--joined-dictionary", "--workers", "1"]
    for name, split in pairs.items():
        if split:
            _write_words(partial / name, split)
            flags += [f"--{name}pref", str(partial / name)]
    parser = options.get_preprocessing_parser()
    preprocess.main(parser.parse_args([*flags, "--srcdict", str(partial / "words"), "--destdir", str(partial)]))
    _close_log(preprocess.logger)
    partial.rename(data)


def _write_words(prefix: Path, pairs: Sequence[Pair]) -> None:
    for column, side in enumerate(SIDES):
        with open_text(prefix.with_suffix(f".{side}"), "w") as stream:
            stream.writelines(" ".join(map(str, pair[column])) + "\n" for pair in pairs)


def _close_log(logger: logging.Logger) -> None:
    """fairseq-preprocess opens a log file beside its data and leaves it open."""
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()


def _options(plan: Plan, validates: bool) -> list[str]:
    """fairseq-train's arguments that do not change between a first and a resumed run."""
    values = {
        "--optimizer": "adam",
        "--adam-betas": str(tuple(plan.betas)),
        "--weight-decay": plan.weight_decay,
        "--clip-norm": plan.clip,
        "--criterion": "label_smoothed_cross_entropy",
        "--label-smoothing": SMOOTHING,
        "--max-tokens" if plan.batch_unit == "tokens" else "--batch-size": plan.batch_size,
        "--seed": plan.seed,
        "--save-interval-updates": plan.save_every,
        "--keep-interval-updates": 2,
    }
    if plan.dropout is not None:
        values |= dict.fromkeys(("--dropout", "--attention-dropout", "--activation-dropout"), plan.dropout)
    if plan.curves:
        values["--tensorboard-logdir"] = str(plan.curves)
    flags = [*FIXED, *([] if validates else ["--disable-validation"]), *_machine(plan)]
    return [str(part) for pair in values.items() for part in pair] + flags


FIXED = [
    *("--source-lang", SIDES[0], "--target-lang", SIDES[1]),
    *("--save-interval", NEVER, "--validate-interval", NEVER, "--no-epoch-checkpoints"),
    *("--required-batch-size-multiple", "1", "--update-epoch-batch-itr", "True"),
    *("--skip-invalid-size-inputs-valid-test", "--num-workers", "0", "--distributed-world-size", "1"),
    *("--log-format", "simple", "--log-interval", "50"),
]


def _machine(plan: Plan) -> list[str]:
    if _device() == "cpu":
        return ["--cpu"]
    return ["--bf16"] if plan.precision == "bf16" else []


def _run(checkpoints: Path, command: list[str], plan: Plan) -> dict[str, Any]:
    """Train to the last update, from the newest whole checkpoint; returns the final or best one."""
    start = _resume_point(checkpoints)
    steps = plan.steps or _epoch_length(command) * (plan.epochs or 1)
    if start is None or _updates(_load(start)) < steps:
        restore = ["--restore-file", str(start)] if start else []
        length = ["--max-update", str(steps), "--save-dir", str(checkpoints)]
        _train_on(_configuration([*command, *length, *_schedule(plan, steps), *restore]))
    best = checkpoints / "checkpoint_best.pt"
    return _load(best if plan.keep_best and best.exists() else checkpoints / "checkpoint_last.pt")


def _train_on(configuration: Any) -> None:
    """fairseq keeps the best loss in an attribute of a function, and files open: no run must see another's."""
    vars(checkpoint_utils.save_checkpoint).pop("best", None)
    try:
        with _own_pickles(), _told(configuration.optimization.max_update):
            fairseq_train.main(configuration)
    finally:
        while progress_bar._tensorboard_writers:
            progress_bar._tensorboard_writers.popitem()[1].close()


@contextmanager
def _told(steps: int) -> Iterator[None]:
    """fairseq says how far it is in an epoch; meanwhile it is told how far in all, as of every other training."""
    speed, usual = Speed(steps, None), Trainer.train_step

    def train_step(trainer: Trainer, samples: Any, raise_oom: bool = False) -> Any:
        found = usual(trainer, samples, raise_oom)
        if found:
            speed.tell(trainer.get_num_updates(), float(found["loss"]), int(found["sample_size"]))
        return found

    Trainer.train_step = train_step
    try:
        yield
    finally:
        Trainer.train_step = usual


def _schedule(plan: Plan, steps: int) -> list[str]:
    names = {"inverse_sqrt": "inverse_sqrt", "linear": "polynomial_decay", "constant": "fixed"}
    rate = ["--lr", str(plan.learning_rate), "--lr-scheduler", names[plan.schedule]]
    rate += ["--warmup-updates", str(plan.warmup)]
    return [*rate, "--total-num-update", str(steps)] if plan.schedule == "linear" else rate


def _configuration(command: list[str]) -> Any:
    arguments = options.parse_args_and_arch(options.get_training_parser(), command)
    return convert_namespace_to_omegaconf(arguments)


def _epoch_length(command: list[str]) -> int:
    """Updates of the first epoch (batches by tokens vary by a few between epochs)."""
    configuration = _configuration([*command, "--lr", "1"])
    task = tasks.setup_task(configuration.task)
    task.load_dataset("train")
    limits = {"max_tokens": configuration.dataset.max_tokens, "max_sentences": configuration.dataset.batch_size}
    batches = task.get_batch_iterator(task.dataset("train"), **limits, seed=configuration.common.seed)
    return len(batches)


def _resume_point(checkpoints: Path) -> Path | None:
    """The newest whole checkpoint. fairseq copies onto ``checkpoint_last.pt``, so a kill may break it.

    The last one comes first even if another is newer: only it is sure to follow the best one's copy.
    """
    for unfinished in checkpoints.glob("*.tmp"):
        unfinished.unlink()
    regular = sorted(checkpoints.glob("checkpoint_[0-9]*.pt"), key=lambda path: -int(path.stem.split("_")[-1]))
    candidates = [checkpoints / "checkpoint_last.pt", *regular]
    return next((path for path in candidates if _whole(path)), None)


def _whole(path: Path) -> bool:
    """Whether torch's archive is complete and its checksums hold."""
    try:
        with ZipFile(path) as archive:
            return archive.testzip() is None
    except (FileNotFoundError, BadZipFile):
        return False


def _own_pickles() -> Any:
    """Lets torch read what fairseq writes beside tensors, and nothing else."""
    return torch.serialization.safe_globals([Namespace])


def _load(path: Path) -> dict[str, Any]:
    with _own_pickles():
        return dict(torch.load(path, map_location="cpu", weights_only=True))


def _updates(checkpoint: dict[str, Any]) -> int:
    return int(checkpoint["optimizer_history"][-1]["num_updates"])


def _export(checkpoint: dict[str, Any], folder: Path, out: Path) -> None:
    """Weights as safetensors (shared matrices under each of their names), with what decoding needs."""
    out.mkdir(parents=True, exist_ok=True)
    tensors = {name: tensor.float().clone() for name, tensor in checkpoint["model"].items()}
    with whole(out / WEIGHTS) as temporary:
        save_file(tensors, temporary)
    for name in (ARCHITECTURE, TOKENIZER):
        shutil.copyfile(folder / name, out / name)
