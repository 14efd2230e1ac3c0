"""Metrics of texts that need no model: BLEU, d-BLEU, TER, METEOR."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU, TER

from discobench.score.items import Item
from discobench.score.measure import Array, Counts, NotRun, Options, mean
from discobench.score.tools import OWN, named

TOKENIZE = {"zh": "zh"}
WESTERN = "13a"
"""sacrebleu's tokeniser of languages with blanks between words."""
ORDER = 4
HAN = ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH")


def documents(items: Sequence[Item]) -> list[Item]:
    """One item per document, in order of appearance: its sentences joined by a blank into one line.

    The i-th references are joined likewise, as many as every sentence of the document has.
    """
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group, []).append(item)
    return [_document(name, members) for name, members in groups.items()]


def _document(name: str, members: Sequence[Item]) -> Item:
    references = zip(*(item.gold for item in members), strict=False)
    text = " ".join(item.prediction for item in members)
    return replace(members[0], id=name, gold=[" ".join(parts) for parts in references], prediction=text)


def bleu(items: Sequence[Item], options: Options) -> Counts:
    """BLEU's lengths and n-gram counts per sentence: [hypothesis, reference, matches 1-4, totals 1-4]."""
    scorer = BLEU(tokenize=TOKENIZE.get(options.language, WESTERN))
    return Counts(_bleu_table(scorer, items), *_named(scorer, items))


def _bleu_table(scorer: BLEU, items: Sequence[Item]) -> Array:
    scores = _each(scorer, items)
    return np.array([[s.sys_len, s.ref_len, *s.counts, *s.totals] for s in scores], dtype=float)


def bleu_rare(items: Sequence[Item], options: Options) -> Counts:
    """BLEU with every Chinese character apart, those too that sacrebleu's zh tokeniser leaves in one word.

    It knows CJK Unified Ideographs as far as U+9FBB, and its ranges beyond U+FFFF do not hold what they mean to.
    """
    return _prepared(bleu, items, options, han_apart, "han:every ideograph apart")


def bleu_char(items: Sequence[Item], options: Options) -> Counts:
    """BLEU over characters, digits and Latin letters too."""
    scorer = BLEU(tokenize="char")
    return Counts(_bleu_table(scorer, items), *_named(scorer, items))


def bleu_word(items: Sequence[Item], options: Options) -> Counts:
    """BLEU over the words that rjieba finds."""
    return _prepared(_bleu_as_it_stands, items, options, words_apart, f"words:{named('rjieba')}")


def _bleu_as_it_stands(items: Sequence[Item], options: Options) -> Counts:
    scorer = BLEU(tokenize="none")
    return Counts(_bleu_table(scorer, items), *_named(scorer, items))


def _prepared(
    count: Callable[[Sequence[Item], Options], Counts],
    items: Sequence[Item],
    options: Options,
    prepare: Callable[[str], str],
    label: str,
) -> Counts:
    """Counts of texts that ``prepare`` has parted first."""
    parted = [replace(i, gold=[prepare(text) for text in i.gold], prediction=prepare(i.prediction)) for i in items]
    counts = count(parted, options)
    return replace(counts, signature=f"{counts.signature}|{label}|{OWN}")


def han_apart(text: str) -> str:
    """``text`` with blanks around the ideographs that Unicode names so."""
    return "".join(f" {c} " if unicodedata.name(c, "").startswith(HAN) else c for c in text)


def words_apart(text: str) -> str:
    """``text`` with blanks between its words."""
    import rjieba

    return " ".join(" ".join(rjieba.cut(text)).split())


def document_bleu(items: Sequence[Item], options: Options) -> Counts:
    """The same over whole documents (d-BLEU)."""
    counts = bleu(documents(items), options)
    return replace(counts, signature=f"unit:document|{counts.signature}|{OWN}")


def bleu_value(sums: Array) -> float:
    """BLEU of summed counts, by sacrebleu."""
    whole = [int(count) for count in sums]
    score = BLEU.compute_bleu(
        correct=whole[2 : 2 + ORDER], total=whole[2 + ORDER :], sys_len=whole[0], ref_len=whole[1], smooth_method="exp"
    )
    return float(score.score)


def ter(items: Sequence[Item], options: Options) -> Counts:
    """Edits and reference words per sentence, sacrebleu's TER as it comes."""
    return _ter(TER(), items)


def ter_normalised(items: Sequence[Item], options: Options) -> Counts:
    """The same after normalising punctuation and, for zh, parting the characters.

    Without it a Chinese sentence is one word to TER; ``asian_support`` alone has no effect.
    """
    return _ter(TER(normalized=True, asian_support=options.language == "zh"), items)


def _ter(scorer: Any, items: Sequence[Item]) -> Counts:
    scores = _each(scorer, items)
    return Counts(np.array([[s.num_edits, s.ref_length] for s in scores]), *_named(scorer, items))


def _each(scorer: Any, items: Sequence[Item]) -> list[Any]:
    """One score per item; references go in as sacrebleu wants them, one list per reference."""
    return [scorer.corpus_score([item.prediction], [[text] for text in item.gold]) for item in items]


def _named(scorer: Any, items: Sequence[Item]) -> tuple[list[str], str]:
    """The items' ids, and sacrebleu's own signature, which names neither itself nor the metric, behind both names."""
    numbers = {len(item.gold) for item in items}
    scorer.num_refs = numbers.pop() if len(numbers) == 1 else -1
    return [item.id for item in items], f"sacrebleu|{type(scorer).__name__}|{scorer.get_signature()}"


def meteor(items: Sequence[Item], options: Options) -> Counts:
    """Mean METEOR (nltk, best reference) with WordNet's synonyms; zh by characters.

    Raises NotRun where WordNet is not installed.
    """
    score, wordnet = _meteor(options.nltk_data)
    words = words_of(options.language)
    values = [score([words(text) for text in item.gold], words(item.prediction)) for item in items]
    return mean(values, [item.id for item in items], _meteor_signature(options.language, wordnet))


@cache
def _meteor(folder: str) -> tuple[Callable[[list[list[str]], list[str]], float], str]:
    """The score of some words against references, and the version that WordNet's own files state."""
    if not (Path(folder) / "corpora" / "wordnet" / "lexnames").is_file():
        raise NotRun(f"METEOR needs WordNet in {folder}: run `make setup` (Debian wordnet-base, wordnet-sense-index)")
    import nltk.data

    nltk.data.path.insert(0, folder)
    from nltk.corpus import wordnet
    from nltk.translate.meteor_score import meteor_score

    return lambda references, words: float(meteor_score(references, words, wordnet=wordnet)), wordnet.get_version()


def _meteor_signature(language: str, wordnet: str) -> str:
    tokens = "character" if language == "zh" else "13a"
    tools = f"{named('sacrebleu')}|{OWN}"
    return f"{named('nltk')}|wordnet:{wordnet}|tok:{tokens}|case:lower|average:macro|{tools}"


def words_of(language: str) -> Callable[[str], list[str]]:
    """Parts a text as METEOR and Dist-n count it: zh by characters, en as 13a."""
    tokenizer = BLEU(tokenize="char" if language == "zh" else "13a").tokenizer
    return lambda text: str(tokenizer(text)).split()
