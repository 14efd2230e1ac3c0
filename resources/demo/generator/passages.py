"""Reading comprehension (schema ``mrc``): a plot, a question and two to five choices."""

from random import Random
from typing import Any

from resources.demo.generator.draws import rng, seed
from resources.demo.generator.scenes import scene

SIZES = (2, 3, 4, 4, 5)


def slots_of(style: str, draw: Random) -> dict[str, str]:
    """Values of every slot of a plot of ``style``."""
    material = seed("passages")
    if style == "modern":
        return {**scene(draw)[0], "reason": draw.choice(material["reasons"])}
    words = material["classical_words"]
    slots = {kind: draw.choice(words[kind]) for kind in words}
    slots["old"], slots["old2"] = draw.sample(words["old"], 2)
    return slots


def question(style: str, number: int, draw: Random) -> dict[str, Any]:
    """Fields of schema ``mrc``; ``number`` spreads the answer evenly over the positions."""
    plot = draw.choice(seed("passages")[style])
    slots = slots_of(style, draw)
    asked, answer_slot = draw.choice(plot["questions"])
    answer = slots[answer_slot]
    others = distractors(style, answer_slot, slots, draw)
    size = draw.choice(SIZES)
    choices = [*others[: size - 1]]
    at = number % size
    choices.insert(at, answer)
    passage = plot["text"].format_map(slots)
    return {
        "style": style,
        "passage": passage,
        "question": asked.format_map(slots),
        "choices": choices,
        "answer": at,
    }


def distractors(style: str, answer_slot: str, slots: dict[str, str], draw: Random) -> list[str]:
    """Wrong choices: at times the passage's other word of the kind, then words of other kinds."""
    kinds, answer = seed("passages")["kinds"], slots[answer_slot]
    kind = kinds[answer_slot]
    same = [slots[slot] for slot in slots if kinds.get(slot) == kind and slots[slot] != answer]
    other = [slots[slot] for slot in slots if kinds.get(slot) not in (None, kind)]
    draw.shuffle(other)
    first = same[:1] if draw.random() < 0.35 else []
    chosen = [*first, *dict.fromkeys(other)]
    head = chosen[: len(first) + 1]
    draw.shuffle(head)
    return head + chosen[len(first) + 1 :]


def questions(split: str, size: int, works: int) -> list[dict[str, Any]]:
    """``size`` instances over ``works`` works that belong to ``split`` alone; one in four is classical."""
    rows = []
    for n in range(size):
        work = f"mrc-{split}-{n % works}"
        common = {"id": f"demo:{work}:{n}", "source": "demo", "work_id": work, "language": "zh", "split": split}
        rows.append(common | question("classical" if n % 4 == 3 else "modern", n, rng(work, n)))
    return rows
