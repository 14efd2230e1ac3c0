"""The diagnostic suites: instances that differ from a wrong one in one cohesive device."""

import re
from collections.abc import Mapping
from random import Random
from typing import Any

from discobench.schema import CONTRASTIVE_FIELDS
from resources.demo.generator.draws import rng, seed
from resources.demo.generator.scenes import capital, scene
from resources.demo.generator.stories import cast, setting

MARKED = re.compile(r"«([^»]*)»")
DRAWS = 2


def pair(marked: str, wrong: list[str]) -> dict[str, Any]:
    """``correct`` and ``incorrect`` of a sentence whose changing part is marked; offsets into ``correct``."""
    found = MARKED.search(marked)
    if found is None:
        raise ValueError(f"no «…» in {marked!r}")
    start, end = found.start(), found.end() - 2
    changes = [[{"start": start, "end": end, "from": found[1], "to": other}] for other in wrong]
    correct = MARKED.sub(r"\1", marked)
    texts = [correct[:start] + other + correct[end:] for other in wrong]
    incorrect = [{"text": text, "changes": change} for text, change in zip(texts, changes, strict=True)]
    return {"correct": correct, "incorrect": incorrect}


def _mrc(parts: list[Any], draw: Random) -> dict[str, Any]:
    context, sentence, wrong, question, choices = _filled(parts, scene(draw)[0])
    answer = choices[0]
    draw.shuffle(choices)
    asked = {"question": question, "choices": choices, "answer": choices.index(answer)}
    return {"context": context} | asked | pair(sentence, wrong)


def _nt(parts: list[Any], draw: Random) -> dict[str, Any]:
    zh, en = scene(draw)
    english = {**en, "Time": capital(en["time"])}
    context, current = parts[0].format_map(zh), parts[2].format_map(zh)
    target_context, sentence, wrong = _filled([parts[1], parts[3], parts[4]], english)
    return {"context": context, "current": current, "target_context": [capital(target_context)]} | pair(sentence, wrong)


def _tc(parts: list[Any], draw: Random) -> dict[str, Any]:
    place = setting(draw)
    thing2 = draw.choice([thing for thing in seed("lexicon")["story_things"] if thing != place["thing"]])
    slots = {**cast(draw), **place, "thing2": thing2}
    context, sentence, wrong, hypothesis = _filled(parts, slots)
    return {"context": context, "hypothesis": hypothesis} | pair(sentence, wrong)


def _filled(parts: list[Any], slots: Mapping[str, str]) -> list[Any]:
    return [
        [each.format_map(slots) for each in part] if isinstance(part, list) else part.format_map(slots)
        for part in parts
    ]


SUITES = {"mrc": _mrc, "nt": _nt, "tc": _tc}


def suite(name: str) -> list[dict[str, Any]]:
    """All instances of a suite; fields that it does not use are null."""
    rows = []
    for kind, templates in seed("contrastive")[name].items():
        for n in range(DRAWS * len(templates)):
            fields = SUITES[name](templates[n % len(templates)], rng("contrastive", name, kind, n))
            common = {"id": f"demo:diagnostic-{name}:{kind}:{n + 1}", "task": name, "type": kind}
            rows.append(dict.fromkeys(CONTRASTIVE_FIELDS) | common | fields)
    return rows
