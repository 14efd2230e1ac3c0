"""Word alignment of zh-en pairs: rjieba words, plain English words, eflomal both ways, symmetrised.

eflomal samples and takes its seed from the system; ``seeding`` gives it one.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from discobench.files import read_text
from discobench.synthesis.seeding import seeded

Span = tuple[int, int]
Links = set[tuple[int, int]]
ENGLISH = re.compile(r"[^\W\d_]+(?=n['\u2019]t\b)|n['\u2019]t\b|['\u2019](?:s|re|ve|ll|d|m)\b|\w+", re.IGNORECASE)
PRONOUN = re.compile("([我你您他她它咱俺](?:们|們)?)")
WHOLE = frozenset(
    [
        "你好",
        "您好",
        "你们好",
        "其他",
        "其它",
        "其他人",
        "吉他",
        "吉他手",
        "自我",
        "自我感觉",
        "自我中心",
        "忘我",
        "他人",
        "他乡",
        "他杀",
        "我国",
        "我方",
        "你方",
        "维他命",
        "安非他命",
        "他妈的",
        "他妈",
    ]
)
"""Words with the character of a pronoun that are said of nobody."""
NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def english_words(text: str) -> list[Span]:
    """Code point spans of words and parts of contractions; marks are left out."""
    return [match.span() for match in ENGLISH.finditer(text)]


def chinese_words(text: str) -> list[Span]:
    """Code point spans of rjieba's words, pronouns apart from what they are glued to; without blanks and marks."""
    return [(a, b) for a, b in chinese_tokens(text) if any(character.isalnum() for character in text[a:b])]


def chinese_tokens(text: str) -> list[Span]:
    """Code point spans of words and marks: ``chinese_words``, and what stands between them but blanks.

    rjieba takes 我会 or 谢谢你们 for one word now and then, in which no pronoun would be seen.
    """
    import rjieba

    spans = []
    place = 0
    for word in rjieba.cut(text):
        for part in [word] if word in WHOLE else filter(None, PRONOUN.split(word)):
            if not part.isspace():
                spans.append((place, place + len(part)))
            place += len(part)
    return spans


def align(pairs: Sequence[tuple[list[str], list[str]]], seed: int) -> list[Links]:
    """Links (zh word, English word) of each pair of word lists, by eflomal, symmetrised.

    A pair with an empty side has no links.
    """
    full = [n for n, (zh, en) in enumerate(pairs) if zh and en]
    links: list[Links] = [set() for _ in pairs]
    for n, found in zip(full, _eflomal([pairs[n] for n in full], seed) if full else [], strict=True):
        links[n] = found
    return links


def _eflomal(pairs: Sequence[tuple[list[str], list[str]]], seed: int) -> list[Links]:
    """Both directions, joined; how far it is eflomal itself says, on standard error."""
    from eflomal import Aligner

    with TemporaryDirectory() as scratch, seeded(seed):
        forward, backward = Path(scratch, "forward"), Path(scratch, "backward")
        Aligner(model=3, n_samplers=5).align(
            [_line(zh) for zh, _ in pairs],
            [_line(en) for _, en in pairs],
            links_filename_fwd=str(forward),
            links_filename_rev=str(backward),
            quiet=False,
        )
        both = (_read_links(forward), _read_links(backward))
    return [grow_diag_final_and(a, b) for a, b in zip(*both, strict=True)]


def _line(words: Sequence[str]) -> str:
    return " ".join(words) + "\n"


def _read_links(path: Path) -> list[Links]:
    lines = read_text(path).split("\n")[:-1]
    return [{(int(a), int(b)) for a, b in (link.split("-") for link in line.split())} for line in lines]


def grow_diag_final_and(forward: Links, backward: Links) -> Links:
    """Symmetrise two directions (Koehn et al. 2003): the intersection, grown into the union.

    First by neighbours of links that align a word not yet aligned, then by links whose two words are
    both still free.
    """
    union = forward | backward
    links = forward & backward
    while added := _grown(links, union):
        links |= added
    for direction in (forward, backward):
        for link in sorted(direction):
            if _free(link, links, 0) and _free(link, links, 1):
                links.add(link)
    return links


def _grown(links: Links, union: Links) -> Links:
    added: Links = set()
    for a, b in sorted(links):
        for da, db in NEIGHBOURS:
            link = (a + da, b + db)
            known = links | added
            if link in union and link not in known and (_free(link, known, 0) or _free(link, known, 1)):
                added.add(link)
    return added


def _free(link: tuple[int, int], links: Links, side: int) -> bool:
    return all(other[side] != link[side] for other in links)


def aligned_pairs(rows: Sequence[Mapping[str, Any]], seed: int) -> list[dict[str, Any]]:
    """Records of schema ``alignment`` for rows with ``id``, ``zh`` and ``en``, aligned together."""
    spans = [(chinese_words(row["zh"]), english_words(row["en"])) for row in rows]
    texts = [
        ([row["zh"][a:b] for a, b in zh], [row["en"][a:b].lower() for a, b in en])
        for row, (zh, en) in zip(rows, spans, strict=True)
    ]
    found = zip(rows, spans, align(texts, seed), strict=True)
    return [aligned(row["id"], *words, links) for row, words, links in found]


def aligned(name: str, zh: Sequence[Span], en: Sequence[Span], links: Links) -> dict[str, Any]:
    """A record of schema ``alignment``; links are indices of words."""
    sides = {side: [{"start": a, "end": b} for a, b in spans] for side, spans in (("zh", zh), ("en", en))}
    return {"id": name, **sides, "links": [{"zh": a, "en": b} for a, b in sorted(links)]}
