"""Deletion may leave ill-formed text: instances whose source a language model finds odd are dropped.

Scoring and judging are apart: perplexities are stored, and another limit asks for no new ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from discobench.errors import DiscoError
from discobench.synthesis.perplexity import Model, Perplexity, fold_of

Record = Mapping[str, Any]
PERPLEXITIES = pa.schema([("id", pa.large_string()), ("source", pa.float64()), ("target", pa.float64())])
ODD = "perplexity of the source above the limit"
ODDER = "source much odder than its target"


@dataclass(frozen=True)
class Limits:
    """The largest perplexity of a source, and the largest quotient of source and target."""

    max_perplexity: float
    max_ratio: float

    def reason(self, source: float, target: float) -> str | None:
        """Why an instance of these perplexities is dropped, or None."""
        if not source <= self.max_perplexity:
            return ODD
        return None if source <= self.max_ratio * target else ODDER


def score(records: Iterable[Record], models: Sequence[Model], counts: dict[str, int]) -> Iterator[dict[str, Any]]:
    """Perplexities of source and target (PERPLEXITIES), each record by the model that never saw its work.

    ``models[f]`` was trained without the works of fold ``f``. ``counts`` receives ``tokens`` and ``unknown``
    ones of the targets: words that a model does not have.
    """
    scorers = [Perplexity(model) for model in models]
    for record in records:
        scorer = scorers[fold_of(record["work_id"], len(models))]
        target, source = scorer.of(record["target"]), scorer.of(record["source_text"])
        for name, seen in (("tokens", target.tokens), ("unknown", target.unknown)):
            counts[name] = counts.get(name, 0) + seen
        yield {"id": record["id"], "source": source.perplexity, "target": target.perplexity}


def judge(records: Iterable[Record], scores: Iterable[Record], limits: Limits) -> Iterator[dict[str, Any]]:
    """The records with their perplexities, ``decision`` (kept or dropped) and ``reason``.

    Raises DiscoError when ``scores`` are not of these records in this order.
    """
    for record, found in zip(records, scores, strict=True):
        if record["id"] != found["id"]:
            raise DiscoError(f"record {record['id']!r} meets the score of {found['id']!r}; rerun te_score.")
        reason = limits.reason(found["source"], found["target"])
        yield {
            **record,
            "perplexity_source": found["source"],
            "perplexity_target": found["target"],
            "decision": "dropped" if reason else "kept",
            "reason": reason,
        }
