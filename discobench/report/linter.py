"""Arithmetic that printed tables must satisfy: F1 against P and R, parts against totals, percentages against counts.

``python -m discobench.report.linter FILE.csv ...`` checks files named table<n>.csv, the paper's or a run's.
"""

import math
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean

from discobench.report.facts import amount
from discobench.report.statistics import MEASURES
from discobench.report.wide import Row, printed_tables

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
MANY = 1000
"""Documents of a genre from which on its averages are no chance."""
SAME = {"parameters": "Total Param.", "vocabulary": "Vocabulary Size", "layers": "Layer", "heads": "Head"}
"""Columns of Tables 6 and 15 that say the same of a checkpoint."""
SHARE, AGREED, RATED, PER_CENT = (0.0, 1.0), (-1.0, 1.0), (1.0, 5.0), (0.0, 100.0)
BOUNDS = {"dist2": SHARE, "dist4": SHARE, "kappa": AGREED, "alpha": AGREED, "fluency": RATED, "adequacy": RATED}
BOUNDS |= dict.fromkeys(("f1", "em", "precision", "recall", "accuracy", "bleu", "d-bleu", "meteor"), PER_CENT)
BOUNDS |= {"bertscore": (-100.0, 100.0), "ter": (0.0, math.inf), "ppl": (1.0, math.inf)}
"""Least and greatest value of measures, by the end of their column's name; a reading (f1-run) has its measure's."""


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


def _joined(tables: Tables) -> dict[str, dict[str, tuple[str, float]]]:
    """Who -> column -> the table that prints it and its value; models by what stands before a bracket."""
    found: dict[str, dict[str, tuple[str, float]]] = defaultdict(dict)
    for number, rows in tables.items():
        for row in rows:
            if "group" in row and "model" in row:
                who = re.sub(r" ?\((base|CC25)\)", "", _who(row))
                found[who] |= {name: (str(number), float(v)) for name, v in row.items() if name and _number(v)}
    return found


def _who(row: Row) -> str:
    seed = f", seed {row['seed']}" if row.get("seed") else ""
    return f"{row['group']}, {row['model']}{seed}"


def _number(text: str | None) -> bool:
    return bool(text and re.fullmatch(r"-?\d+(\.\d+)?", text))


def _half(value: float) -> float:
    """Half of the last digit printed, at one decimal."""
    return 0.05 if round(value, 1) == value else 0.00005


def f1_of_parts(tables: Tables) -> Iterator[Finding]:
    """F1 is the harmonic mean of P and R, as exactly as they are rounded."""
    for who, cells in _joined(tables).items():
        names = ("ZPR_F1", "ZPR_precision", "ZPR_recall")
        if not all(name in cells for name in names):
            continue
        (table, f1), (_, p), (_, r) = (cells[name] for name in names)
        ends = [_harmonic(p + a * _half(p), r + b * _half(r)) for a, b in product((-1, 1), repeat=2)]
        if not min(ends) - _half(f1) <= f1 <= max(ends) + _half(f1):
            yield Finding(table, f"{who}: ZPR F1", "F1 = 2PR / (P + R)", f"{f1:g}", f"{_harmonic(p, r):.1f}")


def _harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0


def no_greater(tables: Tables) -> Iterator[Finding]:
    """An exact match is also a full overlap; longer n-grams repeat less, but for the ends of texts; F1 is concave.

    Each bigram begins a 4-gram, save two in a text at most: D4 >= D2 - 2m of m texts. Dist-4 has no more n-grams than
    Dist-2, so it is at least Dist-2 less 2 / (bigrams a text). Tables do not say how many: SHORTEST tokens are assumed.
    """
    for who, cells in _joined(tables).items():
        for low, high, room in (
            ("SI_EM", "SI_F1", 0.0),
            ("TI_Dist2", "TI_Dist4", ENDS),
            ("TC_Dist2", "TC_Dist4", ENDS),
            ("ZPR_f1-averaged", "ZPR_f1-of-averages", 0.0),
        ):
            if low in cells and high in cells and cells[low][1] > cells[high][1] + room:
                rule = f"{low} <= {high}" + (f" + 2/{SHORTEST - 1}, texts of {SHORTEST} tokens" if room else "")
                yield Finding(cells[low][0], who, rule, f"{cells[low][1]:g}", f"{cells[high][1]:g}")


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


def splits(tables: Tables) -> Iterator[Finding]:
    """In Table 1 of a run, validation and test make what the paper calls test, and with training all records."""
    for row in tables.get(1, []):
        for whole, parts in (("valid and test", ("valid", "test")), ("n", ("train", "valid", "test"))):
            if all(_number(row.get(name)) for name in (whole, *parts)):
                found = sum(float(row[name]) for name in parts)
                if float(row[whole]) != found:
                    where, rule = f"{row['task']}: {whole}", f"{whole} = {' + '.join(parts)}"
                    yield Finding("1", where, rule, f"{float(row[whole]):,.0f}", f"{found:,.0f}")


def ranked_totals(tables: Tables) -> Iterator[Finding]:
    """In Table 11 of a run, right answers and instances of all types together are the sums of the types'."""
    for row in tables.get(11, []):
        accuracies = [name for name, text in row.items() if "/" in name and f"{name}_n" in row and _number(text)]
        for name in (name for name in accuracies if "_overall/" in name):
            reading = name.partition("/")[2]
            parts = [part for part in accuracies if part.endswith(f"/{reading}") and part != name]
            (right, n), (summed, instances) = _right(row, [name]), _right(row, parts)
            if (right, n) != (summed, instances):
                where, rule = f"{_who(row)}: {name}", "all types = sum of types"
                yield Finding("11", where, rule, f"{right} of {n}", f"{summed} of {instances}")


def _right(row: Row, names: Sequence[str]) -> tuple[int, int]:
    counts = [(float(row[name]), int(row[f"{name}_n"])) for name in names]
    return sum(round(value * n / 100) for value, n in counts), sum(n for _, n in counts)


def one_checkpoint(tables: Tables) -> Iterator[Finding]:
    """Tables 6 and 15 of a run say the same of a checkpoint."""
    here, there = ({row.get("model"): row for row in tables.get(number, [])} for number in (6, 15))
    for model in (model for model in here if model in there):
        for one, other in SAME.items():
            printed, found = here[model].get(one), there[model].get(other)
            if printed and found and printed != found:
                yield Finding("6", f"{model}: {one}", f"{one} = {other} of Table 15", printed, found)


def bounds(tables: Tables) -> Iterator[Finding]:
    """No measure is out of its scale."""
    for table, rows in tables.items():
        for row in rows:
            where = ", ".join(row[name] for name in ("group", "task", "model") if row.get(name))
            for name, text in row.items():
                low, high = _scale(name)
                if _number(text) and not low <= float(text) <= high:
                    yield Finding(str(table), f"{where}: {name}", f"{low:g} to {high:g}", text, "")


def _scale(name: str) -> tuple[float, float]:
    if "/" in name and not name.endswith(("_n", "_mean")):
        return PER_CENT
    measure = name.rpartition("_")[2].lower()
    return BOUNDS.get(measure) or BOUNDS.get(measure.partition("-")[0], (-math.inf, math.inf))


def even_averages(tables: Tables) -> Iterator[Finding]:
    """Genres that were counted have averages of their own, and no whole thousands."""
    averages: list[tuple[float, str]] = []
    for row in tables.get(5, []):
        if row["category"] == "Total" or not all(_number(row.get(name)) for name in MEASURES):
            continue
        documents, sentences, units = (int(row[name]) for name in MEASURES)
        where = f"{row['language']} {row['category']} {row['genre']}"
        averages += [(sentences / documents, where)] if documents >= MANY else []
        if documents >= MANY and units % documents == 0 and units // documents >= 1000:
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
    for who, cells in _joined(tables).items():
        for name in (name for name in cells if f"{name}_n" in cells and COUNTED.search(name)):
            (table, value), (_, n) = cells[name], cells[f"{name}_n"]
            if abs(value * n / 100 - round(value * n / 100)) > 0.0001 * n / 100:
                yield Finding(table, f"{who}: {name}", "value x n is whole", f"{value:g} of {n:g}", "")


COUNTED = re.compile("_accuracy$|_EM$|/")


def means(tables: Tables) -> Iterator[Finding]:
    """In tables of a run, a cell is the mean of its seeds."""
    for table, rows in tables.items():
        seeds: dict[tuple[str, str], list[float]] = defaultdict(list)
        for row in rows:
            for name in (name for name in row if name.endswith("_mean") and _number(row[name])):
                where = f"{row['group']}, {row['model']}: {name.removesuffix('_mean')}"
                seeds[where, row[name]].append(float(row[name.removesuffix("_mean")]))
        for (where, printed), values in seeds.items():
            if abs(float(printed) - fmean(values)) > 0.00011:
                yield Finding(str(table), where, "mean of seeds", printed, f"{fmean(values):.4f}")


def training_steps(tables: Tables) -> Iterator[Finding]:
    """Table 16's batch and epochs by Table 1's training instances make steps that somebody can take."""
    sizes = {row["task"]: amount(row["train"]) for row in tables.get(1, []) if row.get("train")}
    for row in tables.get(16, []):
        size, batch, epochs = sizes.get(row.get("Task", "")), row.get("Batch Size", ""), row.get("Epoch", "")
        if size and batch.isdecimal() and epochs.isdecimal():
            steps = size[0] * int(epochs) / int(batch)
            if steps > MANY_STEPS:
                rule = "steps = instances x epochs / batch"
                yield Finding("16", row["Task"], rule, f"batch {batch}, {epochs} epochs", f"{steps / 1e6:.1f}M steps")


RULES: tuple[Callable[[Tables], Iterator[Finding]], ...] = (
    f1_of_parts,
    no_greater,
    totals,
    splits,
    ranked_totals,
    one_checkpoint,
    bounds,
    even_averages,
    fractions,
    whole_counts,
    means,
    training_steps,
)

if __name__ == "__main__":
    for found in lint(printed_tables([Path(name) for name in sys.argv[1:]])):
        print(f"Table {found.table}: {found.where}: {found.rule}: printed {found.printed}, implied {found.implied}")
