"""Predictions as files: one JSON object a line, in the order of the test set, no id lost."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import write_jsonl
from discobench.formulations import Prediction
from discobench.records import Balance
from discobench.schema import PREDICTION_STATUSES


def line(prediction: Prediction) -> dict[str, Any]:
    """A prediction as a line holds it."""
    return {
        "id": prediction.id,
        "prediction": prediction.value,
        "status": prediction.status,
        "details": prediction.details or {},
    }


def write_predictions(
    path: Path,
    manifest: Path,
    ids: Sequence[str],
    predictions: Iterable[Prediction],
    signature: str = "",
    asked: Mapping[str, Any] | None = None,
) -> None:
    """Write predictions in the order of ``ids`` and their manifest, which counts each status.

    ``signature`` is what scores of them have to say about how they came about, if anything; ``asked`` is what an API
    took for them.

    Raises DiscoError when an id has no prediction or a prediction has no place.
    """
    found = {prediction.id: prediction for prediction in predictions}
    odd = sorted(set(ids) ^ set(found))
    if odd:
        raise DiscoError(
            f"{path}: {len(odd)} ids have no prediction or no test record, first {odd[0]!r}; decode again."
        )
    write_jsonl(path, (line(found[id_]) for id_ in ids))
    balance = Balance("decode", kept=len(ids))
    statuses = [found[id_].status for id_ in ids]
    balance.notes["statuses"] = {status: statuses.count(status) for status in PREDICTION_STATUSES}
    if signature:
        balance.notes["signature"] = signature
    if asked:
        balance.notes["asked"] = dict(asked)
    balance.write(manifest, len(ids), [path])
