"""BERTScore by the bert-score package from a local folder (imports torch)."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_json
from discobench.progress import Progress
from discobench.score.items import Item
from discobench.score.measure import Additive, Counts, Options, mean, percentage
from discobench.score.tools import OWN, named

BATCH = 32
NAME = "bertscore-model"


def bertscore(folder: Path, layers: int | None, label: str, device: Any) -> Additive:
    """Mean F1 (best reference), without rescaling; ``layers`` None means the model's last layer.

    An empty prediction scores 0: the package cannot embed it.
    """
    depth = layers or _layers(folder)

    def count(items: Sequence[Item], options: Options) -> Counts:
        scores = dict.fromkeys((item.id for item in items), 0.0)
        spoken = [item for item in items if item.prediction.strip()]
        with _scratch() as parent:
            link = _plain_name(folder, Path(parent))
            for item, value in zip(spoken, _scores(link, depth, spoken, device), strict=True):
                scores[item.id] = value
        return mean(list(scores.values()), list(scores), _signature(label, depth))

    return Additive(count, percentage)


def _scratch() -> TemporaryDirectory[str]:
    """A temporary folder whose random name has no "t5" in it."""
    while "t5" in Path((made := TemporaryDirectory()).name).name:
        made.cleanup()
    return made


def _plain_name(folder: Path, parent: Path) -> Path:
    """A path to ``folder`` without "t5" in it: the package would take it for a T5 model."""
    if "t5" in str(parent):
        raise DiscoError(f"The temporary folder {parent} has 't5' in its name, which misleads bert-score; set TMPDIR.")
    link = parent / NAME
    link.symlink_to(folder.resolve(), target_is_directory=True)
    return link


def _scores(folder: Path, depth: int, items: Sequence[Item], device: Any) -> list[float]:
    if not items:
        return []
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=str(folder), num_layers=depth, batch_size=BATCH, device=str(device))
    scorer._tokenizer.model_max_length = min(scorer._tokenizer.model_max_length, _positions(folder))
    texts = {text for item in items for text in (item.prediction, *item.gold)}  # each is embedded once
    progress = Progress("BERTScore", "batches", -(-len(texts) // BATCH))
    scorer._model.register_forward_hook(lambda *given: progress.add())
    _, _, f1 = scorer.score([item.prediction for item in items], [item.gold for item in items])
    return [float(value) for value in f1]


def _positions(folder: Path) -> int:
    """Tokens that the model has positions for; the package needs a finite bound to truncate at."""
    return int(read_json(folder / "config.json").get("max_position_embeddings", 512))


def _layers(folder: Path) -> int:
    config = read_json(folder / "config.json")
    for key in ("num_hidden_layers", "encoder_layers", "n_layer"):
        if key in config:
            return int(config[key])
    raise DiscoError(f"{folder / 'config.json'} does not count its layers; set score.bertscore_layers.")


def _signature(label: str, depth: int) -> str:
    tools = f"{named('bert-score', 'transformers')}|{OWN}"
    return f"bertscore|model:{label}|layer:{depth}|rescaled:no|idf:no|empty:0|{tools}"
