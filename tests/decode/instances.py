"""One small record of each of the nine tasks."""

from typing import Any

from discobench.schema import empty
from discobench.tasks import task as find

FIELDS: dict[str, dict[str, Any]] = {
    "si": {"context": "雨停了。“走吧。”阿青说。", "utterance": "走吧。", "utterance_start": 5, "utterance_end": 8},
    "zpr": {"before": ["他来了。"], "after": ["好。"], "text": "坐下了。", "zeros": []},
    "mrc": {"passage": "下雨了。", "question": "天气怎样？", "choices": ["晴", "雨"], "answer": 1, "style": "modern"},
    "te": {"source_text": "He left.", "target": "He quietly left."},
    "ti": {"before": ["一。", "二。"], "target": "三。", "after": ["四。", "五。"]},
    "tc": {"prompt": "天黑了。", "target": ["一。", "二。", "三。", "四。"]},
} | {
    name: {"document_id": "d", "position": 0, "source_text": "天黑了。", "references": ["x"]}
    for name in ("nt", "cct", "pt")
}


def record(name: str, n: int, **changes: Any) -> dict[str, Any]:
    common = {"id": f"toy:w:{n}", "source": "toy", "work_id": "w", "language": "zh", "split": "test"}
    return empty(find(name).schema) | common | FIELDS[name] | changes
