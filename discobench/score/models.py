"""Loading the measure of a metric that needs a model; torch is imported for the ones that use it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import fingerprint
from discobench.models.store import read_manifest
from discobench.score import MODEL_METRICS
from discobench.score.measure import Measure

COMET_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "score" / "comet.py"


def model_metric(name: str, folders: Sequence[Path], settings: Any) -> Measure:
    """The measure ``name`` (one of MODEL_METRICS) with the model in ``folders[0]``; COMET has none there.

    ``settings`` has gpus, layers and comet_* as the rule score_model gives them. Raises NotRun with
    the reason where the metric cannot be had, DiscoError on an unknown name.
    """
    if name == "comet":
        from discobench.score.comet import Comet, comet

        checkpoint, digest = settings.comet_checkpoint, settings.comet_sha256
        return comet(Comet(settings.comet_python, COMET_SCRIPT, checkpoint, digest, settings.gpus))
    from discobench.device import device

    if name == "ppl":
        from discobench.score.perplexity import perplexity

        return perplexity(folders[0], _label(folders[0]), device(settings.gpus))
    if name == "bertscore":
        from discobench.score.bertscore import bertscore

        return bertscore(folders[0], settings.layers, _label(folders[0]), device(settings.gpus))
    raise DiscoError(f"Metric {name!r} needs no model; those that do are {', '.join(MODEL_METRICS)}.")


def _label(folder: Path) -> str:
    """A checkpoint's name, its revision if it has one, and a digest of its files, from its manifest."""
    manifest = read_manifest(folder / "model.json")
    revision = f"|revision:{manifest['revision']}" if manifest["revision"] else ""
    return f"{manifest['checkpoint']}@{fingerprint(manifest['outputs'])}{revision}"
