"""How far two annotators agree: Cohen's kappa for labels, Krippendorff's alpha for grades (paper section 3.4)."""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

Finding = dict[str, Any]


def agreement(labels: Sequence[Mapping[str, Sequence[str]]]) -> list[Finding]:
    """Measures over what two annotators gave (see ``annotation.answers``): measure, value, number of units.

    ``value`` is null where chance alone would give full agreement, so that the measure is not defined.
    """
    first, second = labels
    if "answer" in first:
        return [_finding("kappa", _kappa(first["answer"], second["answer"]), len(first["answer"]))]
    return [found for aspect in first for found in _grades(aspect, [[int(g) for g in one[aspect]] for one in labels])]


def _grades(aspect: str, grades: Sequence[Sequence[int]]) -> list[Finding]:
    units = len(grades[0])
    return [
        _finding(aspect, mean(grade for one in grades for grade in one), units),
        _finding(f"{aspect}_alpha", _alpha(grades), units),
    ]


def _finding(measure: str, value: float | None, units: int) -> Finding:
    return {"measure": measure, "value": value, "n": units}


def _kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Unweighted, by scikit-learn."""
    from sklearn.metrics import cohen_kappa_score

    return None if len({*first, *second}) < 2 else float(cohen_kappa_score(list(first), list(second)))


def _alpha(grades: Sequence[Sequence[float]]) -> float | None:
    """For ordered grades, by the package krippendorff; the paper does not name its level of measurement."""
    import krippendorff

    if len({grade for one in grades for grade in one}) < 2:
        return None
    return float(krippendorff.alpha(reliability_data=[list(one) for one in grades], level_of_measurement="ordinal"))


def beside_paper(task: str, findings: Sequence[Finding], paper: Mapping[str, Mapping[str, str]]) -> list[Finding]:
    """The findings with the value that Table 2 prints for the task, or null."""
    printed = {measure: float(value) for measure, value in paper.get(task.upper(), {}).items() if _is_number(value)}
    return [{"task": task, **found, "paper": printed.get(found["measure"])} for found in findings]


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def table(findings: Sequence[Finding]) -> str:
    """The findings as Markdown."""
    lines = ["| task | measure | value | n | paper |", "|---|---|---|---|---|"]
    for found in findings:
        value = _shown(found["value"], "undefined: no variation")
        lines.append(
            f"| {found['task'].upper()} | {found['measure']} | {value} | {found['n']} | {_shown(found['paper'], '')} |"
        )
    return "\n".join([*lines, ""])


def _shown(value: float | None, none: str) -> str:
    return none if value is None else f"{value:.2f}"
