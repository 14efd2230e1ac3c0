"""Deletion may leave ill-formed text: instances whose source a language model finds odd are dropped."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from discobench.records import Balance
from discobench.synthesis.perplexity import Model, fold_of, perplexity

Record = Mapping[str, Any]


def judge(
    records: Iterable[Record], models: Sequence[Model], max_perplexity: float, max_ratio: float, balance: Balance
) -> tuple[list[Record], list[Record]]:
    """Kept and dropped records, all with their perplexities, ``decision`` and ``reason``.

    ``models[f]`` was trained without the works of fold ``f``; each record is scored by its own fold's.
    """
    kept: list[Record] = []
    dropped: list[Record] = []
    for record in records:
        model = models[fold_of(record["work_id"], len(models))]
        source, target = (perplexity(model, record[key]) for key in ("source_text", "target"))
        reason = _reason(source, target, max_perplexity, max_ratio)
        decision = "dropped" if reason else "kept"
        scores = {"perplexity_source": source, "perplexity_target": target, "decision": decision, "reason": reason}
        (dropped if reason else kept).append({**record, **scores})
        balance.drop(reason) if reason else balance.keep()
    return kept, dropped


def _reason(source: float, target: float, max_perplexity: float, max_ratio: float) -> str | None:
    if source > max_perplexity:
        return "perplexity of the source above the limit"
    return "source much odder than its target" if source / target > max_ratio else None
