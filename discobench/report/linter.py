"""Arithmetic that printed tables must satisfy: F1 against P and R, parts against totals, percentages against counts.

``python -m discobench.report.linter FILE.csv ...`` checks files named table<n>.csv, the paper's or a run's.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from discobench.report.paper import read_csv

Row = Mapping[str, str]
Tables = Mapping[int, Sequence[Row]]
SUITE = {"Understanding (MRC)": 250, "Translation (NT)": 500, "Generation (TC)": 250}
"""Instances of the diagnostic suite by section 4.2 of the paper; section 1 says 1,294 in all."""
LARGEST = 1000
SHORTEST = 10
"""Tokens of the shortest texts, on average, whose Dist-2 and Dist-4 are compared."""
ENDS = 2 / (SHORTEST - 1)
"""By how much Dist-2 may then be the greater: a text's last two bigrams begin no 4-gram."""
MANY_STEPS = 1_000_000
NEAR = 1.01
SHORT = {"K": 1e3, "M": 1e6}


@dataclass(frozen=True, slots=True)
class Finding:
    """What does not add up: where, by which rule, what is printed and what follows from the rest."""

    table: str
    where: str
    rule: str
    printed: str
    implied: str


def lint(tables: Tables) -> list[Finding]:
    """Every finding in some tables, by number; rules that need a table which is not there say nothing."""
    return [finding for rule in RULES for finding in rule(tables)]


def printed_tables(paths: Sequence[Path]) -> dict[int, list[dict[str, str]]]:
    """The rows of files named table<n>.csv; long tables of a run are turned to one line a row."""
    numbers = [(int(found[1]), path) for path in paths if (found := re.fullmatch(r"table(\d+)\.csv", path.name))]
    return {number: wide(read_csv(path)) for number, path in sorted(numbers)}


def wide(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """A long table with a column for each TASK_metric; other tables as they are."""
    if not rows or "metric" not in rows[0] or "value" not in rows[0]:
        return rows
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        line = found.setdefault(row["row"], {"group": row["group"], "model": row["row"]})
        line[f"{row['task'].upper()}_{NAMES.get(row['metric'], row['metric'])}"] = row["value"]
        line[f"{row['task'].upper()}_{row['metric']}_n"] = row["n"]
    return list(found.values())


NAMES = {"f1": "F1", "em": "EM", "dist2": "Dist2", "dist4": "Dist4"}


def _joined(tables: Tables) -> dict[tuple[str, str], dict[str, tuple[str, float]]]:
    """Group and model -> column -> the table that prints it and its value; models by what stands before a bracket."""
    found: dict[tuple[str, str], dict[str, tuple[str, float]]] = defaultdict(dict)
    for number, rows in tables.items():
        for row in rows:
            if "group" in row and "model" in row:
                key = row["group"], re.sub(r" ?\((base|CC25)\)", "", row["model"])
                found[key] |= {name: (str(number), float(v)) for name, v in row.items() if name and _number(v)}
    return found


def _number(text: str | None) -> bool:
    return bool(text and re.fullmatch(r"-?\d+(\.\d+)?", text))


def _half(value: float) -> float:
    """Half of the last digit printed, at one decimal."""
    return 0.05 if round(value, 1) == value else 0.00005


def f1_of_parts(tables: Tables) -> Iterator[Finding]:
    """F1 is the harmonic mean of P and R, as exactly as they are rounded."""
    for (group, model), cells in _joined(tables).items():
        names = ("ZPR_F1", "ZPR_precision", "ZPR_recall")
        if not all(name in cells for name in names):
            continue
        (table, f1), (_, p), (_, r) = (cells[name] for name in names)
        ends = [_harmonic(p + a * _half(p), r + b * _half(r)) for a, b in product((-1, 1), repeat=2)]
        if not min(ends) - _half(f1) <= f1 <= max(ends) + _half(f1):
            yield Finding(table, f"{group}, {model}: ZPR F1", "F1 = 2PR / (P + R)", f"{f1:g}", f"{_harmonic(p, r):.1f}")


def _harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0


def no_greater(tables: Tables) -> Iterator[Finding]:
    """An exact match is also a full overlap; longer n-grams repeat less, but for the ends of texts.

    Each bigram begins a 4-gram, save two in a text at most: D4 >= D2 - 2m of m texts. Dist-4 has no more n-grams than
    Dist-2, so it is at least Dist-2 less 2 / (bigrams a text). Tables do not say how many: SHORTEST tokens are assumed.
    """
    for (group, model), cells in _joined(tables).items():
        for low, high, room in (
            ("SI_EM", "SI_F1", 0.0),
            ("TI_Dist2", "TI_Dist4", ENDS),
            ("TC_Dist2", "TC_Dist4", ENDS),
        ):
            if low in cells and high in cells and cells[low][1] > cells[high][1] + room:
                rule = f"{low} <= {high}" + (f" + 2/{SHORTEST - 1}, texts of {SHORTEST} tokens" if room else "")
                yield Finding(cells[low][0], f"{group}, {model}", rule, f"{cells[low][1]:g}", f"{cells[high][1]:g}")


def totals(tables: Tables) -> Iterator[Finding]:
    """A line of totals is the sum of its language's lines."""
    for table, rows in tables.items():
        for total in (row for row in rows if row.get("category") == "Total"):
            parts = [row for row in rows if row["language"] == total["language"] and row["category"] != "Total"]
            for name, value in total.items():
                found = sum(int(part[name]) for part in parts if _number(part[name]))
                if _number(value) and int(value) != found:
                    where = f"{total['language']}, total of {name}"
                    yield Finding(str(table), where, "total = sum of parts", f"{int(value):,}", f"{found:,}")


def even_averages(tables: Tables) -> Iterator[Finding]:
    """Genres that were counted have averages of their own, and no whole thousands."""
    averages: list[tuple[float, str]] = []
    for row in tables.get(5, []):
        if row["category"] == "Total" or not _number(row["documents"]):
            continue
        documents, sentences, units = (int(row[n]) for n in ("documents", "sentences", "characters_or_words"))
        where = f"{row['language']} {row['category']} {row['genre']}"
        averages.append((sentences / max(documents, 1), where))
        if documents and units % documents == 0 and units // documents >= 1000:
            rule = "characters or words a document vary"
            yield Finding("5", where, rule, f"{units // documents:,} exactly in each", "an estimate, not a count")
    for group in _close(sorted(averages)):
        if len(group) > 2:
            where = "; ".join(place for _, place in group)
            yield Finding("5", where, "sentences a document vary", f"{group[0][0]:.1f}", "an estimate, not a count")


def _close(values: Sequence[tuple[float, str]]) -> list[list[tuple[float, str]]]:
    """Ascending values in runs no wider than NEAR."""
    runs: list[list[tuple[float, str]]] = []
    for value in values:
        if runs and value[0] <= runs[-1][0][0] * NEAR:
            runs[-1].append(value)
        else:
            runs.append([value])
    return runs


def fractions(tables: Tables) -> Iterator[Finding]:
    """Accuracies of a column are whole numbers of right answers over one number of instances.

    Assumes that all rows of a task saw the same instances and that percentages are rounded to one decimal.
    """
    rows = [row for row in tables.get(11, []) if row.get("task") in SUITE and "repetition" in row]
    sizes = {task: _sizes([row for row in rows if row["task"] == task]) for task in SUITE} if rows else {}
    for task, found in sizes.items():
        total = sum(found.values())
        if total > SUITE[task]:
            parts = ", ".join(f"{name} {n}" for name, n in found.items())
            yield Finding("11", task, "k/n in every cell", f"{SUITE[task]} instances", f"at least {total} ({parts})")
    if sizes:
        rule = "parts add up to the total"
        yield Finding("11", "sections 1 and 4.2", rule, "1,294 instances", f"{sum(SUITE.values()):,} = 250 + 500 + 250")


def _sizes(rows: Sequence[Row]) -> dict[str, int]:
    names = [name for name in rows[0] if name not in ("task", "model")] if rows else []
    return {name: _smallest([float(row[name]) for row in rows if _number(row[name])]) for name in names}


def _smallest(values: Sequence[float]) -> int:
    """The least number of instances that gives all of these percentages."""
    return next(
        (n for n in range(1, LARGEST) if all(abs(100 * round(v * n / 100) / n - v) <= 0.0501 for v in values)), LARGEST
    )


def whole_counts(tables: Tables) -> Iterator[Finding]:
    """In tables of a run, accuracy and exact match times n are whole for one seed."""
    for (group, model), cells in _joined(tables).items():
        for name, count in (("MRC_accuracy", "MRC_accuracy_n"), ("SI_EM", "SI_em_n")):
            if name in cells and count in cells:
                (table, value), (_, n) = cells[name], cells[count]
                if abs(value * n / 100 - round(value * n / 100)) > 0.01 * max(n, 1) / 100:
                    yield Finding(table, f"{group}, {model}: {name}", "value x n is whole", f"{value:g} of {n:g}", "")


def training_steps(tables: Tables) -> Iterator[Finding]:
    """Table 16's batch and epochs by Table 1's training instances make steps that somebody can take."""
    sizes = {row["task"]: row["train"] for row in tables.get(1, []) if row.get("train")}
    for row in tables.get(16, []):
        size, batch, epochs = sizes.get(row.get("Task", ""), ""), row.get("Batch Size", ""), row.get("Epoch", "")
        if size[-1:] in SHORT and batch.isdecimal() and epochs.isdecimal():
            steps = float(size[:-1]) * SHORT[size[-1]] * int(epochs) / int(batch)
            if steps > MANY_STEPS:
                rule = "steps = instances x epochs / batch"
                yield Finding("16", row["Task"], rule, f"batch {batch}, {epochs} epochs", f"{steps / 1e6:.1f}M steps")


RULES: tuple[Callable[[Tables], Iterator[Finding]], ...] = (
    f1_of_parts,
    no_greater,
    totals,
    even_averages,
    fractions,
    whole_counts,
    training_steps,
)

if __name__ == "__main__":
    for found in lint(printed_tables([Path(name) for name in sys.argv[1:]])):
        print(f"Table {found.table}: {found.where}: {found.rule}: printed {found.printed}, implied {found.implied}")
