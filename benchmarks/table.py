"""Measurements as a table for a terminal, with goals and what 400 GB would cost."""

from collections.abc import Callable, Mapping
from typing import Any

PAPER_GB = {"zh": 255, "en": 145}
"""Of the 400 GB of Table 5: three bytes a Chinese character, the rest English."""
MINHASH = ("signatures", "matches", "duplicates", "deduplicate")
OWN = ("ingest", "clean", *MINHASH, "decontaminate", "pack")
Measured = Mapping[str, Any]


def rate(seconds: float, size: float) -> float:
    """MB per CPU second."""
    return size / seconds if seconds else float("inf")


def lines(result: Measured) -> dict[str, dict[str, float]]:
    """Every rate by its name and language."""
    size = result["size_mb"]
    found: dict[str, dict[str, float]] = {}
    for language, measured in result["languages"].items():
        ours = {step: cost["cpu_s"] for step, cost in measured["ours"].items()}
        own = {step: rate(ours[step], size) for step in OWN if step in ours}
        own["ingest + clean"] = rate(ours["ingest"] + ours["clean"], size)
        own["MinHash in all"] = rate(sum(ours.get(step, 0) for step in MINHASH), size)
        own["floor: whole chain"] = rate(sum(measured["floor"].values()), size)
        own |= {f"floor: {step}": rate(seconds, size) for step, seconds in measured["floor"].items()}
        names = {"filters": "datatrove: filters", "minhash": "datatrove: MinHash", "datasketch": "datasketch"}
        own |= {names[task]: rate(cost["cpu_s"], measured["rivals_mb"]) for task, cost in measured["rivals"].items()}
        for name, value in own.items():
            found.setdefault(name, {})[language] = value
    return found


RATIOS = {
    "ingest + clean, share of the floor chain": ("ingest + clean", "floor: whole chain"),
    "ingest + clean, times datatrove's filters": ("ingest + clean", "datatrove: filters"),
    "MinHash in all, times datatrove's": ("MinHash in all", "datatrove: MinHash"),
}


def ratios(result: Measured) -> dict[str, dict[str, float]]:
    """How many times as fast the first of two is as the second; of what was not run there is none."""
    rates = lines(result)
    pairs = {name: pair for name, pair in RATIOS.items() if pair[1] in rates}
    return {
        name: {language: rates[own][language] / rates[other][language] for language in result["languages"]}
        for name, (own, other) in pairs.items()
    }


def goals(result: Measured) -> dict[str, dict[str, bool]]:
    """Which goals are met in which language; those without the other tools are left out where they are absent."""
    rates, found = lines(result), ratios(result)

    def times(name: str, factor: float) -> Callable[[str], bool]:
        return lambda language: found[name][language] >= factor

    share, filters, minhash = RATIOS
    wanted: dict[str, Callable[[str], bool]] = {
        "ingest + clean at least half of the floor chain": times(share, 0.5),
        "packing at least 1.2 MB/s": lambda language: rates["pack"][language] >= 1.2,
        "precision at least 0.95": lambda language: (
            _quality(result, language, "ours, whole shard")["precision"] >= 0.95
        ),
    }
    if "datasketch" in rates:
        wanted |= {
            "ingest + clean at least 10 times datatrove's filters": times(filters, 10),
            "MinHash at least 5 times datatrove's": times(minhash, 5),
            "recall at 0.7-0.8 not below datasketch's": lambda language: (
                _quality(result, language, "ours")[BIN] >= _quality(result, language, "datasketch")[BIN]
            ),
        }
    return {name: {language: met(language) for language in result["languages"]} for name, met in wanted.items()}


BIN = "recall 0.7-0.8"


def _quality(result: Measured, language: str, who: str) -> Mapping[str, float]:
    found: Mapping[str, float] = result["languages"][language]["quality"][who]
    return found


def cost(result: Measured) -> dict[str, float]:
    """Core-hours of each step and TB on disk that the paper's corpus would take at these rates."""
    rates = lines(result)
    hours = {
        step: sum(PAPER_GB[language] * 1000 / rates[step][language] for language in rates[step]) / 3600
        for step in OWN
        if step in rates
    }
    disk = sum(PAPER_GB[language] * measured["disk"] for language, measured in result["languages"].items()) / 1000
    return {**hours, "all steps": sum(hours.values()), "disk": disk}


def printed(result: Measured) -> str:
    """All of it as text."""
    languages = list(result["languages"])
    head = f"{'MB of text per CPU second':<58}" + "".join(f"{language:>10}" for language in languages)
    text = [head, *(_row(name, values, languages, ".1f") for name, values in lines(result).items())]
    text.append("\ncompared")
    text += [_row(name, values, languages, ".2f") for name, values in ratios(result).items()]
    text.append("\npeak memory, MB")
    for step in OWN:
        peaks = {n: m["ours"][step]["peak_mb"] for n, m in result["languages"].items() if step in m["ours"]}
        text.append(_row(step, peaks, languages, ".0f"))
    text.append(f"\nnear-duplicates at {result['threshold']}")
    for who in result["languages"][languages[0]]["quality"]:
        found = {language: _quality(result, language, who) for language in languages}
        for name in found[languages[0]]:
            text.append(_row(f"{who}: {name}", {n: measures[name] for n, measures in found.items()}, languages, ".3f"))
    text.append("\ngoals")
    for name, met in goals(result).items():
        text.append(_row(name, {n: "met" if ok else "MISSED" for n, ok in met.items()}, languages, ""))
    text.append(f"\n{sum(PAPER_GB.values())} GB would take, in core-hours")
    text += [f"{name:<58}{value:>10.1f}" for name, value in cost(result).items() if name != "disk"]
    text.append(f"and on disk, every step kept, {cost(result)['disk']:.2f} TB")
    return "\n".join(text)


def _row(name: str, values: Mapping[str, Any], languages: list[str], form: str) -> str:
    return f"{name:<58}" + "".join(f"{values[n]:>10{form}}" if n in values else f"{'-':>10}" for n in languages)
