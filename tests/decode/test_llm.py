"""Asking an endpoint: order, statuses, what is kept and what is asked anew, and the key that is nowhere."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.decode import llm, prompts
from discobench.decode.endpoint import Endpoint
from discobench.decode.predictions import line
from discobench.errors import DiscoError
from discobench.files import read_json, read_jsonl, write_json, write_jsonl
from discobench.parquet import write_parquet
from discobench.records import Balance
from discobench.tasks import task as find
from tests.decode.instances import record
from tests.decode.toy_server import (
    JSON,
    KEY,
    Behaviour,
    Reply,
    Server,
    ask,
    completion,
    endpoint,
    server,
    serving,
    speeches,
)

__all__ = ["server"]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_answers_come_in_order_and_are_parsed(server: Server, tmp_path: Path, concurrency: int) -> None:
    server.behave = lambda n, question: completion("甲" if "第0句" in question else "乙、丙")
    predictions = ask(server, tmp_path, speeches(6), concurrency=concurrency)
    assert [p.id for p in predictions] == [f"toy:w:{n}" for n in range(6)]
    assert [p.value for p in predictions] == [["甲"]] + [["乙", "丙"]] * 5
    assert {p.status for p in predictions} == {"ok"}
    assert server.asked[0]["max_tokens"] == 64 and server.asked[0]["temperature"] == 0
    assert "seed" not in server.asked[0]


def test_odd_answers_have_a_status_each(server: Server, tmp_path: Path) -> None:
    long = json.dumps({"error": {"code": "context_length_exceeded", "message": "too many"}})
    replies = [
        completion("B"),
        completion("hm"),
        completion(" "),
        completion(None),
        completion(None, refusal="I would rather not."),
        completion("…", finish_reason="content_filter"),
        (400, JSON, long),
        completion("I'm sorry, but I can't assist with that request."),
        completion("Let me think about it", finish_reason="length"),
        completion(None, finish_reason="length"),
        completion("B. Since", finish_reason="length"),
    ]
    server.behave = lambda n, question: replies[n - 1]
    records = [record("mrc", n, question=f"{n}?") for n in range(len(replies))]
    predictions = ask(server, tmp_path, records, "mrc")
    statuses = ["ok", "unparsable", "empty", "empty", "refused", "refused", "too_long", "refused", "cut", "cut", "ok"]
    assert [p.status for p in predictions] == statuses
    assert [p.value for p in predictions] == [1] + [None] * 9 + [1]


def test_of_a_text_that_was_cut_counts_what_there_is(server: Server, tmp_path: Path) -> None:
    replies = [completion("Night", finish_reason="length"), completion("No.", refusal="No."), completion("Dusk.")]
    server.behave = lambda n, question: replies[n - 1]
    predictions = ask(server, tmp_path, [record("nt", n, source_text=f"{n}") for n in range(3)], "nt")
    assert [(p.value, p.status) for p in predictions] == [("Night", "cut"), ("", "refused"), ("Dusk.", "ok")]


def test_what_was_taken_is_told_of_kept_answers_too(server: Server, tmp_path: Path) -> None:
    replies = [completion("甲", usage=(7, 1)), completion("乙", usage=None), completion("丙", usage=(3, 2))]
    server.behave = lambda n, question: replies[n - 1]
    where = endpoint(server, price_input=1e6, price_output=2e6)
    for _ in range(2):
        found = llm.taken(ask(server, tmp_path, speeches(3)), where)
        counts = {"input": 10, "output": 3, "uncounted": 1, "money": 16.0}
        assert found == {"model": "toy", "served": "toy"} | counts
    assert "money" not in llm.taken([], endpoint(server))


def test_half_a_character_is_kept_escaped_and_counted(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.behave = lambda n, question: completion("阿\ud83d青\udc00" if n == 1 else "😀")
    for _ in range(2):
        caplog.clear()
        predictions = ask(server, tmp_path, speeches(2))
        assert [p.value for p in predictions] == [[r"阿\ud83d青\udc00"], ["😀"]]
        assert [(p.details or {}).get("escaped") for p in predictions] == [2, None]
        assert "1 answers of toy have halves of characters" in caplog.text
    assert llm.taken(predictions, endpoint(server))["escaped"] == 1
    assert len(server.asked) == 2
    write_jsonl(tmp_path / "predictions.jsonl", map(line, predictions))


def test_the_names_that_a_server_gives_the_model_are_kept(server: Server, tmp_path: Path) -> None:
    names = ["toy-0301", 7, "toy-0613", "\udc00" + KEY]
    replies = [completion("甲", model=name) for name in names]
    server.behave = lambda n, question: replies[n - 1]
    for _ in range(2):
        predictions = ask(server, tmp_path, speeches(4))
        served = [(p.details or {}).get("served") for p in predictions]
        assert served == ["toy-0301", None, "toy-0613", r"\udc00[key]"]
    assert llm.taken(predictions[:3], endpoint(server))["served"] == "toy-0301, toy-0613"


@pytest.mark.parametrize("fault", [(500, {}, "oops"), (200, {"Content-Type": "text/html"}, "<html>")])
def test_a_run_continues_where_it_failed(server: Server, tmp_path: Path, fault: Reply) -> None:
    server.behave = lambda n, question: completion("甲") if n <= 3 else fault
    with pytest.raises(DiscoError, match="answers so far are kept"):
        ask(server, tmp_path, speeches(5))
    server.asked.clear()
    server.behave = lambda n, question: completion("乙")
    predictions = ask(server, tmp_path, speeches(5))
    assert [p.value for p in predictions] == [["甲"]] * 3 + [["乙"]] * 2
    assert len(server.asked) == 2


def test_a_line_cut_by_a_kill_is_asked_again(server: Server, tmp_path: Path) -> None:
    before = ask(server, tmp_path, speeches(3))
    path = tmp_path / "answers.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    assert ask(server, tmp_path, speeches(3)) == before
    assert len(server.asked) == 4
    assert len(read_jsonl(path)) == 3


def test_only_what_changes_an_answer_asks_again(server: Server, tmp_path: Path) -> None:
    ask(server, tmp_path, speeches(1))
    ask(server, tmp_path, speeches(1), timeout=5.0, retries=1)
    assert len(server.asked) == 1
    changes: list[dict[str, Any]] = [{"version": 2}, {"model": "other"}, {"temperature": 0.5}, {"seed": 3}]
    for n, change in enumerate(changes, start=2):
        (prediction,) = ask(server, tmp_path, speeches(1), **change)
        assert len(server.asked) == n
        told = {"prompt" if name == "version" else name: value for name, value in change.items()}
        assert prediction.details.items() >= ({"finish": "stop", "max_tokens": 64} | told).items()


def test_another_address_is_asked_anew_and_what_the_first_said_is_kept(server: Server, tmp_path: Path) -> None:
    ask(server, tmp_path, speeches(2))
    with serving() as other:
        for _ in range(2):
            ask(other, tmp_path, speeches(2))
        assert len(other.asked) == 2
        assert depends({"base_url": other.url}) == depends({}) | {"base_url": other.url}
    ask(server, tmp_path, speeches(2))
    assert len(server.asked) == 2


def depends(api: dict[str, Any]) -> dict[str, Any]:
    """What a job of the row is told that its answers depend on."""
    return Selection(resolve({"api": api}, ROOT)).asked("gpt-4")


def test_a_seed_is_sent_where_it_is_set(server: Server, tmp_path: Path) -> None:
    ask(server, tmp_path, speeches(1), seed=3)
    assert server.asked[0]["seed"] == 3


def test_models_that_want_other_fields_get_them(server: Server, tmp_path: Path) -> None:
    (prediction,) = ask(server, tmp_path, speeches(1), temperature=None, limit="max_completion_tokens")
    assert server.asked[0]["max_completion_tokens"] == 64
    assert not {"max_tokens", "temperature", "seed"} & set(server.asked[0])
    assert "temperature" not in (prediction.details or {})


def test_a_score_says_how_it_was_asked_for() -> None:
    prompt = prompts.Prompt(version=2, instruction="Do.", template="{source}", max_tokens=5)
    plain = Endpoint("toy", "http://localhost", "TOY_KEY")
    said = f"prompt:2|prompt_digest:{prompt.digest}|max_tokens:5|temperature:0"
    assert llm.signature(prompt, plain) == said
    assert llm.signature(prompt, replace(plain, seed=3)) == f"{said}|seed:3"


def test_prompts_of_one_version_in_other_words_are_told_apart() -> None:
    prompt = prompts.Prompt(version=1, instruction="Do.", template="{source}", max_tokens=5)
    others = [prompt.model_copy(update={"instruction": "Do it."}), prompt.model_copy(update={"template": "> {source}"})]
    digests = {one.digest for one in (prompt, *others)}
    assert len(digests) == 3 and all(len(digest) == 8 for digest in digests)
    assert prompt.model_copy(update={"version": 2, "max_tokens": 9}).digest == prompt.digest


def test_the_same_question_is_asked_once(server: Server, tmp_path: Path) -> None:
    assert len(ask(server, tmp_path, [record("si", n) for n in range(4)])) == 4
    assert len(server.asked) == 1


def test_a_missing_key_is_named(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOY_KEY")
    with pytest.raises(DiscoError, match="TOY_KEY"):
        ask(server, tmp_path, speeches(1))
    monkeypatch.setenv("TOY_KEY", " \n")
    with pytest.raises(DiscoError, match=r"TOY_KEY \(api.key_variable\) is not set or empty"):
        ask(server, tmp_path, speeches(1))


@pytest.mark.parametrize("reply", [completion(f"your key is {KEY}"), (401, {}, f"bad key {KEY}")])
def test_the_key_is_nowhere(server: Server, tmp_path: Path, reply: Reply) -> None:
    """The script itself, with a server that repeats the key: in files, log, terminal and job's JSON."""
    server.behave = lambda n, question: reply
    run = started(specification(server, tmp_path))
    output = run.communicate(timeout=300)
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in text for text in [*written, *output])
    assert (run.returncode == 0) == (reply[0] == 200), output
    if reply[0] == 200:
        assert [row["id"] for row in read_jsonl(tmp_path / "predictions.jsonl")] == ["toy:w:0", "toy:w:1"]
        assert read_json(tmp_path / "decode.balance.json")["notes"]["statuses"]["ok"] == 2
        assert read_json(tmp_path / "decode.balance.json")["notes"]["asked"]["input"] == 20


@pytest.mark.slow
def test_a_killed_job_asks_no_question_twice(server: Server, tmp_path: Path) -> None:
    """Two of six are under way when it is killed: they are asked again, and may have to be paid twice."""
    under_way, ended = Barrier(3), Event()

    def behave(n: int, question: str) -> Behaviour:
        if 4 < n <= 6:
            under_way.wait(300)
            ended.wait(300)
        return completion("甲" if n <= 4 else "乙")

    server.behave = behave
    job = specification(server, tmp_path, records=6)
    first = started(job)
    under_way.wait(300)
    first.kill()
    first.communicate(timeout=300)
    ended.set()
    kept = len((tmp_path / "state/answers.jsonl").read_bytes().split(b"\n")) - 1
    again = started(job)
    assert (again.communicate(timeout=300), again.returncode)[1] == 0
    assert kept == 4 and len(server.asked) == 8
    assert [row["prediction"] for row in read_jsonl(tmp_path / "predictions.jsonl")].count(["甲"]) == 4
    spent = read_json(tmp_path / "api/account.json")["spent"]["toy"]
    assert spent["output"] == 6 * 2 + 2 * 64


def started(job: Path) -> subprocess.Popen[bytes]:
    """The script of a job, beginning."""
    return subprocess.Popen(
        [sys.executable, "scripts/decode/decode_llm.py", str(job)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "TOY_KEY": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def specification(server: Server, folder: Path, records: int = 2) -> Path:
    write_parquet(folder / "test.parquet", speeches(records), find("si").schema)
    Balance("tasks/si", kept=records).write(folder / "build.balance.json", records, [folder / "test.parquet"])
    api = {"model": "toy", "base_url": server.url, "temperature": 0.0, "seed": None}
    manner = {"key_variable": "TOY_KEY", "timeout": 300.0, "retries": 1, "concurrency": 2}
    outputs = {"predictions": str(folder / "predictions.jsonl"), "balance": str(folder / "decode.balance.json")}
    write_json(
        folder / "job.json",
        {
            "input": {"data": str(folder / "build.balance.json")},
            "output": outputs,
            "params": {
                **{"api": api, "manner": manner, "budget": {"money": None}},
                **{"account": str(folder / "api"), "state": str(folder / "state")},
            },
            "wildcards": {"task": "si"},
            "resources": {},
            "threads": 1,
            "log": str(folder / "job.log"),
            "rule": "decode_llm",
        },
    )
    return folder / "job.json"
