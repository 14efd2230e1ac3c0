"""SI: speaker identification, Chinese novels (paper section 3.1)."""

import re
from collections.abc import Sequence
from random import Random

from discobench.formulations import SpanExample
from discobench.tasks.answers import bare, refuses, strip_quotes
from discobench.tasks.base import Record, Task, commonest, first_empty

SEPARATORS = re.compile(r"[、,，;；\n]")
AND = re.compile(r"\s*(?:和|与|及|跟|&|\band\b)\s*")
REASON = re.compile(
    r"\n\W*(?:因为|由于|解释|理由|根据|原因|注|because|explanation|reason|note|the ).*$", re.DOTALL | re.IGNORECASE
)
SAYS = re.compile(
    r"^(?:是|由|the speaker is |it is )?(.+?)(?:所?说的?|说道|(?: says?| said| speaks?)(?: it)?)?[。.!！]*$",
    re.IGNORECASE,
)
BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)、])\s*")


class SpeakerIdentification(Task):
    """Find who says an utterance; where nobody does, the quotation's content is the answer."""

    name = "si"
    formulation = "span"
    languages = ("zh", "zh")
    schema = "si"
    metrics = ("f1", "em")

    def check(self, record: Record) -> str | None:
        """Offsets must give the texts they stand for, and somebody must speak unless nobody does."""
        context = record["context"] or ""
        start, end = (record[name] if record[name] is not None else -1 for name in ("utterance_start", "utterance_end"))
        if not 0 <= start <= end or context[start:end] != record["utterance"]:
            return "utterance_start and utterance_end do not cut the utterance out of the context"
        for speaker in record["speakers"] or []:
            place = speaker["start"]
            if not (speaker["text"] or "").strip():
                return "a speaker has no text"
            if place is not None and (place < 0 or not context.startswith(speaker["text"], place)):
                return f"speaker {speaker['text']!r} is not at offset {place} of the context"
        if not record["no_speaker"] and not record["speakers"]:
            return "speakers is empty though no_speaker is false"
        if record["no_speaker"] and record["speakers"]:
            return f"no_speaker is true though speakers holds {record['speakers'][0]['text']!r}"
        return first_empty(record, "context", "utterance")

    def example(self, record: Record) -> SpanExample:
        """The context with the utterance in focus; answers are the speakers that stand in it."""
        focus = (record["utterance_start"], record["utterance_end"])
        spans = [(s["start"], s["start"] + len(s["text"])) for s in record["speakers"] if s["start"] is not None]
        answers = (focus,) if record["no_speaker"] else tuple(sorted(spans))
        return SpanExample(record["id"], record["context"], record["utterance"], focus, answers)

    def gold(self, record: Record) -> list[str]:
        """The speakers, or the utterance where nobody speaks."""
        if record["no_speaker"]:
            return [record["utterance"]]
        return [speaker["text"] for speaker in record["speakers"]]

    def baseline(self, name: str, train: Sequence[Record], records: Sequence[Record], rng: Random) -> list[list[str]]:
        """The commonest training speaker, the utterance itself, or a training speaker drawn at random."""
        if name == "copy":
            return [[record["utterance"]] for record in records]
        speakers = sorted(text for record in train for text in self.gold(record))
        if name == "majority":
            return [[commonest(speakers)] for _ in records]
        return [[rng.choice(speakers)] for _ in records]

    def units(self, record: Record, answer: list[str]) -> list[str]:
        """The speakers, in whatever order they were named."""
        return ["\n".join(sorted(answer))]

    def labels(self, record: Record) -> list[str]:
        """How many speak, and whether the context names them all."""
        if record["no_speaker"]:
            return ["no speaker"]
        many = "one speaker" if len(record["speakers"]) == 1 else "several speakers"
        named = all(speaker["start"] is not None for speaker in record["speakers"])
        return [many if named else f"{many}, not all in the context"]

    def fields(self, record: Record) -> dict[str, str]:
        """``context`` and ``utterance``."""
        return {"context": record["context"], "utterance": record["utterance"]}

    def parse(self, answer: str, record: Record) -> tuple[list[str], str]:
        """Names separated by commas or lines, with or without a label in front; or the utterance, commas and all."""
        text = REASON.sub("", bare(answer))
        if strip_quotes(text) == strip_quotes(record["utterance"]) != "":
            return [record["utterance"]], "ok"
        if refuses(answer):
            return [], "refused"
        names = [name for part in SEPARATORS.split(text) for name in _names(part, record["context"])]
        return names, "ok" if names else "empty"


def _names(part: str, context: str) -> list[str]:
    """A name without what is around it; two names that stand in the context by themselves only."""
    plain = strip_quotes(BULLET.sub("", part).replace("**", "")).rstrip("。.")
    found = SAYS.match(plain)
    name = strip_quotes(found[1]) if found and found[1] in context else plain
    both = [strip_quotes(half) for half in AND.split(name)]
    whole = name in context or not all(half and half in context for half in both)
    return ([name] if name else []) if whole else both
