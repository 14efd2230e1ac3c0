"""Contrastive instances from the test set of any task that can be ranked (paper section 4).

What the test set holds is the correct candidate; a device of cohesion that is broken in one sentence
makes the wrong ones. Which texts a sentence is taken from follows from where the task's candidates stand.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from discobench.corpus.sentences import sentences
from discobench.diagnose.devices import DEVICES, broken
from discobench.diagnose.lexicon import Lexicon, lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.suite import Instance, kind
from discobench.errors import DiscoError
from discobench.files import fingerprint
from discobench.formulations import TextExample
from discobench.schema import CONTRASTIVE_FIELDS
from discobench.sieve import Outcome
from discobench.tasks.base import JOINTS, Record, Task, joined
from discobench.tasks.windows import WindowTask

NOTHING = "no device of this type stands there"
TWICE = "another question about the same text has an instance of this type"
MANY = "more than the suite's limit"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a suite is built.

    ``window`` is the least and the most sentences, the changed one being the last (of completions, not so);
    ``alternatives`` bounds the wrong candidates of an instance, ``limit`` the instances of a type.
    """

    seed: int
    window: tuple[int, int] = (4, 5)
    alternatives: int = 3
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of a record: its scene, and what the instance has beside it.

    ``rest`` follows the sentence within the candidate; no word that stands in a text of ``kept`` is changed.
    """

    scene: Scene
    fields: Mapping[str, Any]
    rest: str = ""
    kept: tuple[str, ...] = ()


def build(task: Task, records: Sequence[Record], plan: Plan) -> Iterator[Outcome]:
    """An instance for each record and device, or why there is none; in the order of devices, then records.

    Raises DiscoError for a task that cannot be ranked or whose language has no lexicon.
    """
    places = PLACES[kind(task)](task, records, plan)
    words = lexicon(task.languages[1])
    for name in DEVICES:
        made = [(record, instance(task, record, name, own, words, plan)) for record, own in places]
        reasons = _reasons([found for _, found in made if found], plan)
        for record, found in made:
            row = {"id": f"{record['id']}:{name}", "source": record["source"]}
            reason = reasons.get(row["id"]) if found else NOTHING
            yield (row if found is None or reason else found), reason


def _reasons(found: Sequence[Instance], plan: Plan) -> dict[str, str]:
    """Why some are left out, by id; who is first goes by digests of ids, whatever the order of records."""
    reasons: dict[str, str] = {}
    texts: set[str] = set()
    for row in sorted(found, key=lambda row: fingerprint([plan.seed, row["id"]])):
        text = f"{row['context']}{row['correct']}"
        if text in texts:
            reasons[row["id"]] = TWICE
        elif plan.limit is not None and len(texts) >= plan.limit:
            reasons[row["id"]] = MANY
        texts.add(text)
    return reasons


def instance(
    task: Task, record: Record, name: str, places: Sequence[Place], words: Lexicon, plan: Plan
) -> dict[str, Any] | None:
    """One instance of a type from a record's places, drawn by seed and id; None where the device is nowhere."""
    id_ = f"{record['id']}:{name}"
    pool = [
        (place, change)
        for place in places
        for change in broken(name, place.scene, words)
        if not any(_taken(place, change, text) for text in place.kept)
    ]
    if not pool:
        return None
    rng = Random(f"{plan.seed}:{id_}")
    place, change = rng.choice(pool)
    common = {"id": id_, "task": task.name, "type": name}
    fields: dict[str, Any] = dict.fromkeys(CONTRASTIVE_FIELDS)
    return fields | common | dict(place.fields) | contrast(place, change, rng, plan.alternatives)


def _taken(place: Place, change: Change, text: str) -> bool:
    old = place.scene.text[change.start : change.end]
    return bool(old) and old in text


def contrast(place: Place, change: Change, rng: Random, alternatives: int) -> dict[str, Any]:
    """``correct`` and ``incorrect``: each says what was changed, where, and of what class that is."""
    text, old = place.scene.text, place.scene.text[change.start : change.end]
    drawn = rng.sample(change.wrong, min(alternatives, len(change.wrong)))
    return {
        "correct": text + place.rest,
        "incorrect": [
            {
                "text": text[: change.start] + new + text[change.end :] + place.rest,
                "changes": [{"start": change.start, "end": change.end, "from": old, "to": new}],
                "class": name,
            }
            for new, name in drawn
        ],
    }


def _passages(task: Task, records: Sequence[Record], plan: Plan) -> list[tuple[Record, list[Place]]]:
    """Every sentence of a passage; the passage stays whole, and so do words of the choices: one is the answer."""
    return [(record, list(_passage(task, task.example(record), plan))) for record in records]


def _passage(task: Task, example: Any, plan: Plan) -> Iterator[Place]:
    asked = {"question": example.question, "choices": list(example.choices), "answer": example.answer}
    language, text = task.languages[0], example.passage
    spans, joint = sentences(text, language), JOINTS.get(language, " ")
    for n in range(plan.window[0] - 1, len(spans)):
        first = max(0, n + 1 - plan.window[1])
        before = tuple(text[start:end] for start, end in spans[first:n])
        (start, end), fields = spans[n], {"context": text[: spans[n][0]].removesuffix(joint)}
        yield Place(Scene(language, before, text[start:end]), asked | fields, text[end:], example.choices)


def _targets(task: Task, records: Sequence[Record], plan: Plan) -> list[tuple[Record, list[Place]]]:
    """The translation of each sentence, behind those of the sentences before it in its document."""
    documents: dict[str, list[Record]] = {}
    for record in sorted(records, key=lambda row: (task.group(row), row["position"])):
        documents.setdefault(task.group(record), []).append(record)
    return [
        (record, list(_target(task, document[max(0, n + 1 - plan.window[1]) : n + 1], plan)))
        for document in documents.values()
        for n, record in enumerate(document)
    ]


def _target(task: Task, rows: Sequence[Record], plan: Plan) -> Iterator[Place]:
    if len(rows) < plan.window[0]:
        return
    pairs = [example for example in map(task.example, rows) if isinstance(example, TextExample)]
    *before, current = [(example.source, example.target or "") for example in pairs]
    fields = {
        "context": joined(task.languages[0], (source for source, _ in before)),
        "current": current[0],
        "target_context": [target for _, target in before],
    }
    yield Place(Scene(task.languages[1], tuple(target for _, target in before), current[1]), fields)


def _sources(task: Task, records: Sequence[Record], plan: Plan) -> list[tuple[Record, list[Place]]]:
    """Every sentence of a window but the first and the last: there is one before, and a hypothesis behind."""
    return [(record, list(_source(task, record))) for record in records]


def _source(task: Task, record: Record) -> Iterator[Place]:
    if not isinstance(task, WindowTask):
        raise DiscoError(f"Task {task.name} has no windows to build a suite from; give the suite a file instead.")
    rows, language = task.sentences(record), task.languages[0]
    for n in range(1, len(rows) - 1):
        fields = {"context": joined(language, rows[:n]), "hypothesis": joined(language, rows[n + 1 :])}
        yield Place(Scene(language, tuple(rows[:n]), rows[n]), fields)


PLACES: Mapping[str, Callable[[Task, Sequence[Record], Plan], list[tuple[Record, list[Place]]]]] = {
    "passage": _passages,
    "target": _targets,
    "source": _sources,
}
