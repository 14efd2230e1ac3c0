"""Metrics of understanding: spans (SI), gaps (ZPR) and choices (MRC)."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from discobench.score.items import Item
from discobench.score.measure import Array, Counts, Options, mean, ratio
from discobench.score.tools import OWN, named


def _ids(items: Sequence[Item]) -> list[str]:
    return [item.id for item in items]


def character_f1(gold: Sequence[str], prediction: Sequence[str] | None) -> float:
    """F1 of two bags of characters, blanks aside; several spans are pooled.

    The word-overlap F1 of SQuAD with the character as its unit. Nothing predicted where nothing
    is to be found scores 1.
    """
    return _overlap(_characters(gold), _characters(prediction or []))


def word_f1(gold: Sequence[str], prediction: Sequence[str] | None) -> float:
    """The same with the word as its unit, in lower case, as sacrebleu's 13a parts it."""
    return _overlap(*(Counter(_western()(" ".join(spans).lower())) for spans in (gold, prediction or [])))


def _overlap(wanted: Counter[str], found: Counter[str]) -> float:
    if not wanted or not found:
        return float(wanted == found)
    return 2 * (wanted & found).total() / (wanted.total() + found.total())


@cache
def _western() -> Callable[[str], list[str]]:
    from discobench.score.texts import words_of

    return words_of("en")


def _characters(spans: Sequence[str]) -> Counter[str]:
    return Counter(character for span in spans for character in span if not character.isspace())


def common_run_f1(gold: Sequence[str], prediction: Sequence[str] | None) -> float:
    """F1 by the longest run of tokens that both answers share, as CMRC 2018's script has it.

    Tokens are of lower case, without the signs of ``STRUCK``: single ideographs, and what stands between them by nltk's
    words. Unlike that script, which knows no empty answer, nothing predicted where nothing is to be found scores 1.
    """
    wanted, found = _tokens(gold), _tokens(prediction or [])
    if not wanted or not found:
        return float(wanted == found)
    return 2 * _longest_run(wanted, found) / (len(wanted) + len(found))


STRUCK = dict.fromkeys(map(ord, "-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』"))
"""The signs that the script takes out; others, such as the dash, the dots and ASCII's full stop, are tokens to it."""
HAN = re.compile("([\u4e00-\u9fa5])")


def _tokens(spans: Sequence[str]) -> list[str]:
    parts = HAN.split(" ".join(spans).lower().translate(STRUCK))
    return [token for part in parts if part.strip() for token in ([part] if HAN.fullmatch(part) else _words(part))]


def _words(text: str) -> list[str]:
    from nltk.tokenize import NLTKWordTokenizer

    return [str(word) for word in NLTKWordTokenizer().tokenize(text)]


def _longest_run(left: Sequence[str], right: Sequence[str]) -> int:
    best, previous = 0, [0] * (len(right) + 1)
    for a in left:
        row = [0] + [previous[i] + 1 if a == b else 0 for i, b in enumerate(right)]
        best, previous = max(best, *row), row
    return best


def span_f1(items: Sequence[Item], options: Options) -> Counts:
    """Macro-averaged F1 of characters in Chinese, of words elsewhere."""
    if options.language == "zh":
        overlap, unit = character_f1, f"unit:character|average:macro|spans:pooled|{OWN}"
    else:
        overlap, unit = word_f1, f"unit:word|tok:13a|case:lower|average:macro|spans:pooled|{named('sacrebleu')}|{OWN}"
    return mean([overlap(item.gold, item.prediction) for item in items], _ids(items), f"f1|{unit}")


def span_common_run(items: Sequence[Item], options: Options) -> Counts:
    """Macro-averaged F1 over the longest common run of tokens."""
    values = [common_run_f1(item.gold, item.prediction) for item in items]
    how = "f1|unit:longest common run|tok:cmrc2018|case:lower|average:macro|spans:joined"
    return mean(values, _ids(items), f"{how}|{named('nltk')}|{OWN}")


def exact_match(items: Sequence[Item], options: Options) -> Counts:
    """Share of instances whose set of spans is the gold one, blanks aside."""
    values = [float(_spans(item.gold) == _spans(item.prediction or [])) for item in items]
    return mean(values, _ids(items), f"em|spans:as a set|blanks:ignored|{OWN}")


def _spans(spans: Sequence[str]) -> set[str]:
    return {"".join(span.split()) for span in spans}


def plain_match(items: Sequence[Item], options: Options) -> Counts:
    """The same of spans in lower case and without the signs of ``STRUCK``, as CMRC 2018's script compares answers.

    Blanks are those of SQuAD's script: none at the edges, one where there are several. A span of signs is none.
    """
    values = [float(_plain(item.gold) == _plain(item.prediction or [])) for item in items]
    return mean(values, _ids(items), f"em|spans:as a set|signs:struck as cmrc2018|case:lower|blanks:squeezed|{OWN}")


def _plain(spans: Sequence[str]) -> set[str]:
    return {text for span in spans if (text := " ".join(span.lower().translate(STRUCK).split()))}


def accuracy(items: Sequence[Item], options: Options) -> Counts:
    """Share of instances whose index is right; no answer is wrong."""
    return mean([float(item.prediction == item.gold) for item in items], _ids(items), f"accuracy|{OWN}")


def signed(
    name: str, count: Callable[[Sequence[Item], Options], Counts]
) -> Callable[[Sequence[Item], Options], Counts]:
    """``count`` with the name of what is computed of it at the head of its signature: several metrics share counts."""

    def counted(items: Sequence[Item], options: Options) -> Counts:
        counts = count(items, options)
        return replace(counts, signature=f"{name}|{counts.signature}")

    return counted


def gaps(items: Sequence[Item], options: Options) -> Counts:
    """Hits, predictions and gold pronouns of each sentence; a hit has offset and form right.

    A gold form outside the inventory can only be missed, unless ``options`` leave it out (see ``heeded``).
    """
    table = [_hits(item) for item in heeded(items, options)]
    how = f"average:micro|hit:offset and form|outside inventory:{options.outside}|{OWN}"
    return Counts(np.array(table, dtype=float), _ids(items), how)


def gaps_by_position(items: Sequence[Item], options: Options) -> Counts:
    """The same, whatever the form: a hit has the offset of a gold pronoun, one outside the inventory too."""
    table = [_placed(item) for item in heeded(items, options)]
    outside = "hit" if options.outside == "miss" else options.outside
    how = f"average:micro|hit:offset|outside inventory:{outside}|{OWN}"
    return Counts(np.array(table, dtype=float), _ids(items), how)


def heeded(items: Sequence[Item], options: Options) -> Sequence[Item]:
    """``items``; where ``options`` ignore gold forms outside the inventory, as if the gold data had none of them.

    What is predicted in such a gap is then predicted in vain.
    """
    if options.outside == "miss" or not any(_outside(item) for item in items):
        return items
    return [replace(i, gold=[one for one in i.gold if tuple(one) not in _outside(i)]) for i in items]


def _outside(item: Item) -> set[tuple[int, str]]:
    return {(z["offset"], z["pronoun"]) for z in item.record.get("zeros") or [] if z["in_inventory"] is False}


def _placed(item: Item) -> tuple[int, int, int]:
    gold, found = (Counter(int(offset) for offset, _ in pairs) for pairs in (item.gold, item.prediction or []))
    return (gold & found).total(), found.total(), gold.total()


def gaps_by_group(items: Sequence[Item], options: Options) -> Counts:
    """The same with three columns for each group (domain) in order of its name, zero but for the sentence's own."""
    counts = gaps(items, options)
    groups = sorted({item.group for item in items})
    table = np.zeros((len(items), len(groups), 3))
    table[np.arange(len(items)), [groups.index(item.group) for item in items]] = counts.table
    return Counts(table.reshape(len(items), -1), counts.ids, counts.signature.replace("micro", "macro over domains"))


def f1_of_averages(sums: Array) -> float:
    """Harmonic mean of precision and recall, each averaged over groups, in per cent."""
    groups = _groups(sums)
    if not groups:
        return 100.0
    p, r = (sum(map(value, groups)) / len(groups) for value in (precision, recall))
    return 2 * p * r / (p + r) if p + r else 0.0


def average_f1(sums: Array) -> float:
    """F1 averaged over groups, in per cent: never above ``f1_of_averages``, since the harmonic mean is concave."""
    groups = _groups(sums)
    return sum(map(f1, groups)) / len(groups) if groups else 100.0


def _groups(sums: Array) -> list[Array]:
    """The counts of the groups in which anything is gold or predicted."""
    return [group for group in sums.reshape(-1, 3) if group.any()]


def _hits(item: Item) -> tuple[int, int, int]:
    gold = Counter((int(offset), str(form)) for offset, form in item.gold)
    found = Counter((int(offset), str(form)) for offset, form in item.prediction or [])
    hits = sum(n for label, n in (gold & found).items() if label not in _outside(item))
    return hits, found.total(), gold.total()


def precision(sums: Array) -> float:
    """Hits over predictions, in per cent; 0 where nothing is predicted."""
    return 100 * ratio(sums[[0, 1]])


def recall(sums: Array) -> float:
    """Hits over gold, in per cent."""
    return 100 * ratio(sums[[0, 2]])


def f1(sums: Array) -> float:
    """Twice the hits over predictions and gold, in per cent; 100 where both are none."""
    return 100 * float(2 * sums[0] / (sums[1] + sums[2])) if sums[1] + sums[2] else 100.0
