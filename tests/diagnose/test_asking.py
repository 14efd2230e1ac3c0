"""Ranking in words: what is shown in what order, how answers are read, and a real server through the real script."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from discobench.decode import llm
from discobench.decode.cache import Answer
from discobench.decode.endpoint import Endpoint
from discobench.decode.prompts import path_of
from discobench.decode.prompts import read as read_prompt
from discobench.diagnose.asking import judged, number, questions, ranked, signature, statuses
from discobench.files import read_json, write_json, write_jsonl
from discobench.records import Balance
from discobench.report.layout import read_layout
from discobench.report.long import Judge, Score, long_table, read_scores
from discobench.tasks import task
from tests.decode.toy_server import KEY, Server, completion, server
from tests.diagnose.test_suite import MRC, NT, TC, checked
from tests.support import ROOT

__all__ = ["server"]
MANY = [{"text": f"{name} sat down."} for name in ("He", "It", "We", "You")]


def test_confidence_is_asked_for_each_passage() -> None:
    own = questions(task("mrc"), checked(MRC), 1)
    assert [question.fields["passage"] for question in own] == ["林姐放下伞。她坐下了。", "林姐放下伞。他坐下了。"]
    assert own[0].fields["choices"] == "A. 林姐\nB. 老王"
    assert {question.fields["answer"] for question in own} == {"A. 林姐"}


def test_candidates_are_shuffled_by_seed_and_id() -> None:
    row = checked(NT | {"incorrect": MANY})
    (own,) = questions(task("nt"), row, 1)
    assert own == questions(task("nt"), row, 1)[0]
    assert sorted(own.order) == list(range(5))
    shown = own.fields["candidates"].split("\n")
    texts = ["She sat down.", *(wrong["text"] for wrong in MANY)]
    assert shown == [f"{n}. Lin put down her umbrella. {texts[k]}" for n, k in enumerate(own.order, start=1)]
    assert own.fields["source"] == "林姐放下伞。她坐下了。"
    firsts = {questions(task("nt"), row | {"id": f"n:{n}"}, 1)[0].order.index(0) for n in range(60)}
    assert firsts == set(range(5))


def test_completions_are_shown_whole() -> None:
    (own,) = questions(task("tc"), checked(TC), 1)
    assert "林姐放下伞。她坐下了。她累了。" in own.fields["candidates"]
    assert "source" not in own.fields


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("2", 2.0),
        ("Number 2.", 2.0),
        ("８０%", 80.0),
        ("0.5", 0.5),
        ("none", None),
        ("", None),
        ("101", None),
        ("**80**", 80.0),
        ("Confidence: 85/100", 85.0),
        ("I am 90% sure.", 90.0),
        ("Of these 3 texts, number 2 is best.", 2.0),
        ("答案：２", 2.0),
        ("第二个", 2.0),
        ("第2个最好，因为第1个不通顺。", 2.0),
        ("选项三", 3.0),
        ('```json\n{"answer": 2}\n```', 2.0),
        ("<think>1 or 2?</think> 2", 2.0),
        ("②", 2.0),
        ("T5", None),
    ],
)
def test_numbers_are_read(answer: str, value: float | None) -> None:
    assert number(answer, 0, 100) == value


def test_outcomes_in_words() -> None:
    pair = questions(task("mrc"), checked(MRC), 1)
    assert [judged(task("mrc"), pair, texts) for texts in (["90", "10"], ["50", "50"], ["1", "2"], ["9", "?"])] == [
        "correct", "tie", "wrong", "unread"
    ]  # fmt: skip
    own = questions(task("nt"), checked(NT), 1)
    right = str(own[0].order.index(0) + 1)
    answers = (right, "3", "no", "1.5", {"1": "2", "2": "1"}[right])
    assert [judged(task("nt"), own, [a]) for a in answers] == ["correct", "unread", "unread", "unread", "wrong"]


def test_answers_without_a_number_are_told_apart() -> None:
    own = [questions(task("nt"), checked(NT), 1)] * 6
    texts = ["2", "9", "", "I'm sorry, but I can't assist with that.", "Well, the", "1, since"]
    finishes = ["stop", "stop", "stop", "stop", "length", "length"]
    answers = [Answer(text, "ok", finish) for text, finish in zip(texts, finishes, strict=True)]
    expected = {"cut": 1, "empty": 1, "ok": 2, "refused": 1, "unparsable": 1}
    assert statuses(task("nt"), own, answers) == expected
    assert statuses(task("nt"), own[:1], [Answer("", "too_long")]) == {"too_long": 1}


def test_a_ranking_in_words_has_the_form_of_others() -> None:
    rows = [checked(NT | {"id": f"n:{n}"}) for n in range(4)]
    asked = [questions(task("nt"), row, 1) for row in rows]
    answers = [str(own[0].order.index(0) + 1) for own in asked]
    found = ranked(task("nt"), rows, asked, [*answers[:3], "?"], "how", "cold")
    entry = found["readings"]["asked"]["reference"]
    assert (entry["correct"], entry["n"], entry["unread"], entry["chance"]) == (3, 4, 1, 50.0)
    assert (entry["signature"], entry["decoding"]) == ("how", "cold")
    assert found["instances"][0]["orders"] == [list(asked[0][0].order)]


def test_rows_that_send_other_settings_share_a_column(tmp_path: Path) -> None:
    """Settings are told beside the signature, since a model that takes no temperature is asked without one."""
    rows = [checked(NT)]
    asked = [questions(task("nt"), rows[0], 1)]
    prompt = read_prompt(path_of("diagnostic/nt"))
    scores: list[Score] = []
    for row, temperature in (("gpt-3.5", 0.0), ("gpt-4", None)):
        settings = llm.signature(prompt, Endpoint("toy", "http://localhost", "TOY_KEY", temperature))
        found = ranked(task("nt"), rows, asked, ["1"], signature(task("nt"), 1, rows), settings)
        write_json(tmp_path / f"{row}.json", {"task": "nt", "row": row, "seed": 1, **found})
        scores += read_scores(tmp_path / f"{row}.json")
    entries = {score.row: {"group": "llm", "tasks": ["nt"]} for score in scores}
    layout = read_layout(ROOT / "resources/paper/tables.yaml")
    lines = long_table(layout, 11, entries, scores, {}, Judge(True, {"default": 0.5}))
    told = [line["decoding"] for line in lines if line["metric"] == "reference/asked"]
    assert ["temperature:0" in one for one in told] == [True, False]
    assert all(f"prompt_digest:{prompt.digest}" in one for one in told)
    assert len({line["signature"] for line in lines if line["metric"] == "reference/asked"}) == 1


SUITES = {"mrc": MRC, "nt": NT | {"incorrect": MANY}, "tc": TC}


def right(name: str, question: str) -> str:
    """What a model that knows answers: sure of the right passage only, and the number of the right text."""
    if name == "mrc":
        return "95" if "她坐下了" in question else "Confidence: 20"
    (found,) = re.findall(r"^(\d+)\. .*(?:She sat|她坐下)", question, re.M)
    return f"Number {found}."


@pytest.mark.slow
@pytest.mark.parametrize("name", SUITES)
def test_an_endpoint_ranks_through_the_script(server: Server, tmp_path: Path, name: str) -> None:
    server.behave = lambda n, question: completion(right(name, question))
    write_jsonl(tmp_path / "suite.jsonl", [checked(SUITES[name])])
    Balance("diagnose/s", kept=1).write(tmp_path / "suite.balance.json", 1, [tmp_path / "suite.jsonl"])
    params: dict[str, Any] = {"task": name, "path": None, "state": str(tmp_path / "state"), "seed": 5}
    params["api"] = {"model": "toy", "base_url": server.url, "temperature": 0.0, "seed": None}
    params["manner"] = {"key_variable": "TOY_KEY", "timeout": 9.0, "retries": 1, "concurrency": 2}
    params |= {"budget": {"tokens": None, "money": None}, "account": str(tmp_path / "api")}
    job = {
        "input": {"suite": [str(tmp_path / "suite.balance.json")]},
        "output": {"ranking": str(tmp_path / "ranking.json")},
        "params": params,
        "wildcards": {"suite": name, "row": "gpt", "seed": "1"},
        **{"resources": {}, "threads": 1, "log": str(tmp_path / "job.log"), "rule": "rank_llm"},
    }
    write_json(tmp_path / "job.json", job)
    run = subprocess.run(
        [sys.executable, "scripts/diagnose/rank_llm.py", str(tmp_path / "job.json")],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "TOY_KEY": KEY},
        capture_output=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = read_json(tmp_path / "ranking.json")
    assert (found["suite"], found["task"], found["row"], found["seed"]) == (name, name, "gpt", 1)
    entry = found["readings"]["asked"]["overall"]
    assert (entry["correct"], entry["n"]) == (1, 1)
    assert entry["decoding"].startswith("prompt:1|prompt_digest:") and KEY not in json.dumps(found)
    assert len(server.asked) == (2 if name == "mrc" else 1)
    assert found["statuses"] == {"ok": len(server.asked)}
