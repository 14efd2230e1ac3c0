"""Published contrastive sets: our own files of their forms, and the real ones by their counts."""

import os
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from discobench.config.types import Suite
from discobench.diagnose.builder import NOTHING, Plan
from discobench.diagnose.formats import FORMATS, read
from discobench.diagnose.formats._translations import SAME
from discobench.diagnose.formats.bawden import OTHER
from discobench.diagnose.formats.cai_xiong import WHOLE
from discobench.diagnose.suite import check_suite
from discobench.errors import DiscoError
from discobench.files import write_json, write_jsonl, write_text
from discobench.tasks import task
from discobench.tasks.translation import Translation

PLAN = Plan(seed=1)


class Reverse(Translation):
    """NT the other way round."""

    name = "tn"
    languages = ("en", "zh")
    schema = "nt"
    metrics = ("bleu",)


def outcomes(name: str, path: Path, own: Any = None) -> list[tuple[Any, str | None]]:
    return list(read(name, own or task("nt"), path, PLAN))


def test_the_configuration_knows_the_formats() -> None:
    assert set(get_args(Suite.model_fields["format"].annotation)) == FORMATS


def test_voita(tmp_path: Path) -> None:
    rows = [
        {
            "src": "Go . _eos Fran came . _eos Where is Fran ?",
            "dst": ["a _eos b _eos Фран", "a _eos b _eos Фрэн"],
            "true_ind": 1,
        },
        {"src": "Go . _eos Come .", "dst": ["a _eos b", "a _eos b"], "true_ind": 0},
    ]
    write_json(tmp_path / "lex_cohesion_dev.json", rows)
    (first, none), (second, reason) = outcomes("voita", tmp_path)
    assert (first["type"], first["current"], first["correct"]) == ("repetition", "Where is Fran ?", "a b Фрэн")
    assert [wrong["text"] for wrong in first["incorrect"]] == ["a b Фран"]
    assert (none, second["id"], reason) == (None, "voita:lex_cohesion_dev:1", SAME)
    write_json(tmp_path / "lex_cohesion_dev.json", [{"src": "x", "dst": []}])
    with pytest.raises(DiscoError, match=r"lex_cohesion_dev\.json, item 0: src, dst and true_ind are needed"):
        outcomes("voita", tmp_path)


def test_bawden(tmp_path: Path) -> None:
    pair = {"correct": ["Elle est là.", "Elle rit."], "incorrect": ["Elle est là.", "Il rit."]}
    half = {"semi-correct": ["Il est là.", "Il rit."], "incorrect": ["Il est là.", "Elle rit."]}
    write_json(tmp_path / "anaphora.json", {"1": {"src": ["The cat is here.", "It laughs."], "trg": [pair, half]}})
    choice = {
        "src": ["He is mad.", "Mad!"],
        "trg": {"correct": ["Il est fou.", "Fou !"], "incorrect": ["Il est fou.", "Dingue !"]},
    }
    kinds = {"1": {"type": "repet", "examples": [choice]}, "2": {"type": "wsd", "examples": [choice]}}
    write_json(tmp_path / "lexical-choice.json", kinds)
    found = outcomes("bawden", tmp_path)
    assert [(row.get("type"), reason) for row, reason in found] == [
        ("reference", None), ("reference", None), ("repetition", None), (None, OTHER)
    ]  # fmt: skip
    row = found[1][0]
    assert (row["context"], row["current"]) == ("The cat is here.", "It laughs.")
    assert (row["target_context"], row["correct"], row["incorrect"]) == (
        ["Il est là."],
        "Il rit.",
        [{"text": "Elle rit."}],
    )


def cai_xiong(folder: Path) -> None:
    texts = {
        "conj.zh": ["他累了。 _eos 不过他没有睡。", "他走了。 _eos 门开着。"],
        "conj.en": ["He was tired. _eos However, he did not sleep.", "He left. _eos The door stood open."],
        "pron.zh": ["孩子们来了。_eos 我看见他们。", "他来了。他坐下。"],
        "pron.en": ["The children came. _eos I saw them.", "He came. _eos He sat down."],
    }
    for name, lines in texts.items():
        write_text(folder / name, "\n".join(lines))


@pytest.mark.parametrize(("own", "changed"), [(None, ["However", "them"]), (Reverse(), ["不过", "他们"])])
def test_cai_and_xiong_either_way(tmp_path: Path, own: Any, changed: list[str]) -> None:
    cai_xiong(tmp_path)
    found = outcomes("cai_xiong", tmp_path, own)
    assert [reason for _, reason in found] == [None, NOTHING, None, WHOLE]
    rows = check_suite([row for row, reason in found if reason is None], own or task("nt"), "cai_xiong")
    assert [row["incorrect"][0]["changes"][0]["from"] for row in rows] == changed
    assert [row["type"] for row in rows] == ["conjunction", "reference"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("voita", "holds no <phenomenon>"), ("bawden", "holds neither"), ("cai_xiong", "does not exist")],
)
def test_an_empty_folder_is_named(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(DiscoError, match=message):
        outcomes(name, tmp_path)


def test_our_own_format_is_checked(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "own.jsonl", [{"id": "a"}])
    with pytest.raises(DiscoError, match=r"own\.jsonl, line 1: field 'task'"):
        outcomes("interchange", tmp_path / "own.jsonl")


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "folder", "types", "candidates", "dropped"),
    [
        ("voita", "voita_en_ru", {"reference": 500, "repetition": 500}, 2124, {}),
        ("bawden", "bawden_en_fr", {"reference": 200}, 400, {}),
        ("cai_xiong", "tju_discourse_en_zh", None, None, None),
    ],
)
def test_the_real_files(name: str, folder: str, types: Any, candidates: int | None, dropped: Any) -> None:
    found = outcomes(name, Path(os.environ["DISCOBENCH_PUBLIC_DATA"]) / "diagnostic" / folder)
    rows = check_suite([row for row, reason in found if reason is None], task("nt"), name)
    if types is None:
        assert len(found) == 800
        assert [row["id"] for row, reason in found if reason == WHOLE] == ["cai_xiong:pron:51"]
        counts = Counter(row["type"] for row in rows)
        assert counts["conjunction"] >= 200 and counts["reference"] >= 120
        return
    assert Counter(row["type"] for row in rows) == types
    assert sum(1 + len(row["incorrect"]) for row in rows) == candidates
    assert {reason for _, reason in found} - {None} == set(dropped)
