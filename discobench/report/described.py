"""The facts of each descriptive table, from manifests, statistics and settings beside the paper's CSV."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_json
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.report.facts import ROWS, TASKS, Fact
from discobench.report.paper import read_csv
from discobench.report.statistics import MEASURES, beside_paper

Printed = Sequence[Mapping[str, str]]
FAMILIES = {"encoder": "RoBERTa", "gpt2": "GPT2", "bart": "BART", "mbart": "mBART"}
"""Columns of Table 15."""
TYPO = {"ACT": "CCT"}
"""Table 16 names classical translation so."""
COLUMNED = ("batch_size", "batch_unit", "max_length", "steps", "epochs", "learning_rate", "plain")
"""Settings that a column of Table 16 shows, and what is no setting."""
TOKENIZER = "tokenizer.json"
KINDS = {"WordPiece": "BERTtok.", "Unigram": "SentPiece"}
"""What Table 15 calls kinds of tokenizers."""
OPTIMIZER = "AdamW"
"""What ``plan`` trains with, whatever the model."""


def facts(table: int, inputs: Sequence[Path], paper: Path, settings: Mapping[str, Any]) -> list[Fact]:
    """The facts of ``table``; ``settings`` are what the run is told, by table.

    Raises DiscoError with the known numbers for another table.
    """
    if table not in TABLES:
        raise DiscoError(f"Table {table} is not described; those that are: {', '.join(map(str, TABLES))}.")
    return TABLES[table](inputs, read_csv(paper), settings)


def agreement(inputs: Sequence[Path], paper: Printed, settings: Mapping[str, Any]) -> list[Fact]:
    """Table 2: what filled sheets give; without any, the paper's alone."""
    found = {(row["task"].upper(), row["measure"]): row["value"] for path in inputs for row in read_json(path)}
    return [
        Fact(TASKS, row["task"], measure, _decimal(found.get((row["task"], measure))), text, ";".join(map(str, inputs)))
        for row in paper
        for measure, text in row.items()
        if measure != "task" and (text or (row["task"], measure) in found)
    ]


def corpus(inputs: Sequence[Path], paper: Printed, settings: Mapping[str, Any]) -> list[Fact]:
    """Table 5, genres and totals."""
    manifest = next((path for path in inputs if path.name.startswith("statistics")), None)
    rows = read_parquet(beside(manifest, "statistics.parquet"), "statistics") if manifest else []
    return [
        Fact(line["language"], place, name, _count(line[name][0]), _count(line[name][1]), str(manifest or ""))
        for line in beside_paper(rows, paper)
        for place in [f"{line['category']} {line['genre']}".strip()]
        for name in MEASURES
    ]


def models(inputs: Sequence[Path], paper: Printed, settings: Mapping[str, Any]) -> list[Fact]:
    """Table 6: the run's checkpoints, and the rest of the paper's list.

    ``settings`` is what is printed of each checkpoint, and as ``model`` its name in the list.
    """
    languages = {row["model"]: row["language"] for row in paper}
    lines, answered = [], set()
    for path in inputs:
        manifest = read_json(path)
        printed = settings[manifest["checkpoint"]]
        answered.add(printed.get("model"))
        printed = {"language": languages.get(printed.get("model"))} | printed
        here = {"parameters": _parameters(manifest["parameters"]), "language": manifest["language"]}
        here |= {name: str(manifest["shape"].get(name, "")) for name in ("vocabulary", "layers", "heads")}
        given = {name: "" if printed.get(name) is None else str(printed[name]) for name in here}
        lines += [Fact("This run", manifest["checkpoint"], name, here[name], given[name], str(path)) for name in here]
    lists = ("language", "parameters", "tasks", "corpus_size", "corpus_sources")
    return lines + [
        Fact("As printed", row["model"], name, "", row[name])
        for row in paper
        for name in (lists[2:] if row["model"] in answered else lists)
    ]


def pretraining(inputs: Sequence[Path], paper: Printed, settings: Mapping[str, Any]) -> list[Fact]:
    """Table 15: each continued-pretrained checkpoint beside the column of its family, and the columns without one."""
    printed = {row["Model"]: row for row in paper}
    lines, left = [], list(FAMILIES.values())
    for path in inputs:
        manifest = read_json(path)
        family = FAMILIES.get(manifest["family"], "")
        left = [name for name in left if name != family]
        lines += [
            Fact("This run", manifest["checkpoint"], name, str(value), printed[name].get(family, ""), str(path))
            for name, value in _pretrained(manifest, path).items()
        ]
    return lines + [Fact("As printed", name, row, "", printed[row][name]) for name in left for row in printed]


def _pretrained(manifest: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """What Table 15 says of a checkpoint; GPT-2's objective hides nothing, the others hide whole words."""
    training, shape = manifest["training"], manifest["shape"]
    kind = read_json(beside(path, TOKENIZER))["model"]["type"] if TOKENIZER in manifest["outputs"] else ""
    return {
        "Tokenization": KINDS.get(kind, kind),
        "Optimizer": OPTIMIZER,
        "Masking": "-" if manifest["family"] == "gpt2" else "word",
        "Vocabulary Size": shape.get("vocabulary", ""),
        "Learning Rate": training["learning_rate"],
        "Batch Size": training["batch_size"],
        "Training Step": training["steps"],
        "Max Length": training["max_length"],
        "Layer": shape.get("layers", ""),
        "Head": shape.get("heads", ""),
        "Total Param.": manifest["parameters"],
    }


def fine_tuning(inputs: Sequence[Path], paper: Printed, settings: Mapping[str, Any]) -> list[Fact]:
    """Table 16: ``settings`` is task -> its training, and <task>/<row> -> that of a row with settings of its own.

    ``steps`` go before ``epochs``. Plain models are not the table's, whose settings are of pretrained ones.
    """
    printed = {TYPO.get(row["Task"], row["Task"]): row for row in paper}
    lines = []
    for name in dict.fromkeys([*printed, *(task.upper() for task in settings if "/" not in task)]):
        here, row = _tuned(settings.get(name.lower(), {})), printed.get(name, {})
        lines += [Fact(TASKS, name, column, value, row.get(column, "")) for column, value in here.items()]
    for key, training in settings.items():
        task, slash, row_name = key.partition("/")
        if slash:
            row = {} if training["plain"] else printed.get(task.upper(), {})
            here = _tuned(training) | {"Other": _unlike(training, settings[task])}
            name = f"{task.upper()}, {row_name}"
            lines += [Fact(ROWS, name, column, value, row.get(column, "")) for column, value in here.items()]
    return lines


def _tuned(training: Mapping[str, Any]) -> dict[str, str]:
    """What Table 16 says of a training."""
    return {
        "Batch Size": _with_unit(training.get("batch_size"), training.get("batch_unit") == "tokens", " token"),
        "Max Length": _text(training.get("max_length")),
        "Epoch": _with_unit(training.get("steps"), True, " step") or _text(training.get("epochs")),
        "Learning Rate": _text(training.get("learning_rate")),
    }


def _unlike(training: Mapping[str, Any], usual: Mapping[str, Any]) -> str:
    """Settings of a row that Table 16 has no column for, where they are not the task's."""
    own = {key: value for key, value in training.items() if key not in COLUMNED and value != usual.get(key)}
    return ", ".join(f"{key} {value}" for key, value in own.items())


def _parameters(count: int) -> str:
    """Those of a checkpoint; 0 stands for one that has no weights before it is trained."""
    return _count(count or None)


def _count(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _with_unit(value: int | None, named: bool, unit: str) -> str:
    """A size as Table 16 prints it: thousands of a unit as K."""
    if value is None or not named:
        return _text(value)
    return f"{value // 1000}K{unit}" if value % 1000 == 0 else f"{value}{unit}"


TABLES: Mapping[int, Callable[[Sequence[Path], Printed, Mapping[str, Any]], list[Fact]]] = {
    2: agreement,
    5: corpus,
    6: models,
    15: pretraining,
    16: fine_tuning,
}
