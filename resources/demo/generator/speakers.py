"""Speaker identification (schema ``si``): a passage of several turns, one of them asked about."""

from dataclasses import dataclass
from random import Random
from typing import Any

from resources.demo.generator.draws import rng, seed

WAYS = ("before", "after", "implicit", "both", "none")
WEIGHTS = (12, 12, 2, 1, 3)


@dataclass(frozen=True)
class Turn:
    """A turn of a dialogue; offsets are into ``text``, ``speakers`` are (text, offset), none if nobody speaks."""

    text: str
    start: int
    end: int
    speakers: tuple[tuple[str, int], ...]
    no_speaker: bool


def people(draw: Random) -> list[str]:
    """Four possible speakers: names, with a phrase or a pronoun among them at times."""
    words = seed("speakers")
    names = {surname + draw.choice(words["given"]) for surname in draw.sample(words["surnames"], 4)}
    found = sorted(names)
    draw.shuffle(found)
    if draw.random() < 0.4:
        found[0] = draw.choice(words["phrases"])
    return found


def turn(draw: Random, speaker: str, other: str) -> Turn:
    """``speaker`` says something near ``other``, or something is quoted that nobody says."""
    way = draw.choices(WAYS, WEIGHTS)[0]
    if way == "none":
        return _unspoken(draw)
    words = seed("speakers")
    quote = draw.choice(words["quotes"])
    template = draw.choice(words[way])
    if way in ("before", "after") and draw.random() < 0.1:
        speaker = draw.choice(words["pronouns"])
    found = [("s", speaker), ("o", other)] if way == "both" else [("s", speaker)]
    return _placed(template, {"s": speaker, "o": other, "q": f"“{quote}”"}, quote, found)


def _placed(template: str, slots: dict[str, str], quote: str, found: list[tuple[str, str]]) -> Turn:
    text = template.format_map(slots)
    start = text.index(slots["q"]) + 1
    places = tuple((name, len(template[: template.index(f"{{{slot}}}")].format_map(slots))) for slot, name in found)
    return Turn(text, start, start + len(quote), places, False)


def _unspoken(draw: Random) -> Turn:
    template, quotes = draw.choice(seed("speakers")["none"])
    quote = draw.choice(quotes)
    text = template.format(q=f"“{quote}”")
    start = text.index("“") + 1
    return Turn(text, start, start + len(quote), (), True)


def passage(draw: Random) -> dict[str, Any]:
    """Fields of schema ``si`` for one passage of a filler and two or three turns."""
    cast = people(draw)
    turns = [turn(draw, *draw.sample(cast, 2)) for _ in range(draw.choice([1, 2, 2, 3]))]
    filler = draw.choice(seed("speakers")["fillers"]).format(a=cast[2], b=cast[3])
    asked = draw.choice(turns)
    offset = len(filler) + 1 + sum(len(earlier.text) + 1 for earlier in turns[: turns.index(asked)])
    start, end = asked.start + offset, asked.end + offset
    context = "\n".join([filler, *(each.text for each in turns)])
    return {
        "context": context,
        "utterance": context[start:end],
        "utterance_start": start,
        "utterance_end": end,
        "no_speaker": asked.no_speaker,
        "speakers": [{"text": name, "start": at + offset} for name, at in asked.speakers],
    }


def passages(split: str, size: int, works: int) -> list[dict[str, Any]]:
    """``size`` instances over ``works`` works that belong to ``split`` alone."""
    rows = []
    for n in range(size):
        work = f"si-{split}-{n % works}"
        common = {"id": f"demo:{work}:{n}", "source": "demo", "work_id": work, "language": "zh", "split": split}
        rows.append(common | passage(rng(work, n)))
    return rows
