"""A server that misbehaves in every way that is known, and the pauses between two tries."""

import json
import time
from email.utils import formatdate
from pathlib import Path
from threading import Barrier, Lock
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.config.types import Budget
from discobench.decode import client, llm, replies
from discobench.decode.account import Account
from discobench.decode.cache import Answer, Answers
from discobench.decode.client import Again, Asker, pause, wished
from discobench.errors import DiscoError
from tests.decode.toy_server import (
    JSON,
    KEY,
    LATE,
    Behaviour,
    Reply,
    Server,
    ask,
    blanks,
    completion,
    dropped,
    endpoint,
    late,
    server,
    speeches,
    truncated,
)

__all__ = ["server"]
PATIENCE = 200
FAULTS: dict[str, Behaviour] = {
    "busy": (429, {}, "slow down"),
    "time-out of a proxy": (408, {}, ""),
    "fault": (500, {}, "oops"),
    "overloaded": (503, {"Content-Type": "text/html"}, "<html>busy</html>"),
    "HTML": (200, {"Content-Type": "text/html"}, "<html>log in</html>"),
    "half of JSON": (200, JSON, '{"choices": [], "half'),
    "other JSON": (200, JSON, '{"unexpected": true}'),
    "no choices": (200, JSON, '{"choices": null}'),
    "empty choices": (200, JSON, '{"choices": []}'),
    "choices that are an object": (200, JSON, '{"choices": {}}'),
    "a choice that is a word": (200, JSON, '{"choices": ["x"]}'),
    "a message that is a word": (200, JSON, '{"choices": [{"message": "hi"}]}'),
    "a content that is a number": (200, JSON, '{"choices": [{"message": {"content": 7}}]}'),
    "a part that is a number": (200, JSON, '{"choices": [{"message": {"content": [7]}}]}'),
    "a reason that is an object": (200, JSON, '{"choices": [{"message": {"content": "x"}, "finish_reason": {}}]}'),
    "very deep": (200, JSON, "[" * 100_000),
    "a list": (200, JSON, "[1]"),
    "bytes": (200, JSON, "\x00\x01"),
    "dropped": dropped,
    "truncated": truncated,
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_asked_for_again(server: Server, tmp_path: Path, name: str) -> None:
    server.behave = lambda n, question: FAULTS[name] if n == 1 else completion("阿青")
    (prediction,) = ask(server, tmp_path, speeches(1))
    assert (prediction.value, prediction.status) == (["阿青"], "ok")
    assert len(server.asked) == 2


PARTS = [{"type": "thinking", "thinking": "?"}, {"type": "text", "text": "阿青"}, "、", {"text": "阿红"}]


@pytest.mark.parametrize("usage", [{"prompt_tokens": "many"}, {"prompt_tokens": -1, "completion_tokens": 2}, [1]])
def test_an_answer_in_parts_is_one_and_odd_counts_are_none(server: Server, tmp_path: Path, usage: Any) -> None:
    body = {"choices": [{"message": {"content": PARTS}}], "usage": usage}
    server.behave = lambda n, question: (200, JSON, json.dumps(body))
    (prediction,) = ask(server, tmp_path, speeches(1))
    assert prediction.value == ["阿青", "阿红"] and len(server.asked) == 1
    assert "input" not in (prediction.details or {})


@pytest.mark.slow
@pytest.mark.parametrize("slow", [late, blanks])
def test_a_reply_that_is_not_whole_in_time_is_asked_for_again(server: Server, tmp_path: Path, slow: Behaviour) -> None:
    server.behave = lambda n, question: slow if n == 1 else completion("阿青")
    (prediction,) = ask(server, tmp_path, speeches(1), timeout=LATE / 3)
    assert prediction.value == ["阿青"] and len(server.asked) >= 2


def test_a_fault_that_stays_is_told_after_all_retries(server: Server, tmp_path: Path) -> None:
    server.behave = lambda n, question: dropped
    with pytest.raises(DiscoError, match=r"gave APIConnectionError for model toy after up to 2 retries.*run the same"):
        ask(server, tmp_path, speeches(1), retries=2)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ((401, {}, "who are you"), r"status 401 \(who are you\) for"),
        ((404, JSON, '{"detail": "no such\\n model"}'), r"status 404 \(no such model\) for"),
        ((404, JSON, '{"error": "no toy"}'), r"status 404 \(no toy\) for"),
        ((403, {}, ""), "status 403 for"),
        ((400, JSON, '{"error": {"message": {"a": [1]}}}'), r'status 400 \({"a": \[1\]}\) for'),
        ((422, JSON, '{"detail": [{"loc": ["body", "seed"]}]}'), '"seed"'),
        ((401, JSON, f'{{"error": {{"code": "bad_key", "message": "bad {KEY}"}}}}'), r"\(bad_key: bad \[key\]\) for"),
        ((400, {}, "<html>\x1b[1m" + "x" * 5000), r"status 400 \(<html> \[1mx{1,200}…\) for"),
        ((429, JSON, '{"error": {"code": "insufficient_quota"}}'), r"status 429 \(insufficient_quota\)"),
        ((429, {"Retry-After": "86400"}, ""), "the wish to wait 86,400 seconds"),
        ((400, JSON, '{"error": {"code": "bad"}}'), r"status 400 \(bad\) for"),
    ],
)
def test_what_no_retry_mends_is_told_at_once(server: Server, tmp_path: Path, reply: Behaviour, told: str) -> None:
    server.behave = lambda n, question: reply
    with pytest.raises(DiscoError, match=told):
        ask(server, tmp_path, speeches(1))
    assert len(server.asked) == 1


def test_a_fault_that_stays_is_told_with_its_reason(server: Server, tmp_path: Path) -> None:
    server.behave = lambda n, question: (503, JSON, '{"error": {"message": "the model is loading"}}')
    with pytest.raises(DiscoError, match=r"gave status 503 \(the model is loading\) for"):
        ask(server, tmp_path, speeches(1), retries=1)


TOO_LONG: dict[str, Reply] = {
    "OpenAI": (400, JSON, '{"error": {"code": "context_length_exceeded", "message": "too many"}}'),
    "vLLM": (
        400,
        JSON,
        '{"object": "error", "type": "BadRequestError", "param": null, "code": 400, '
        '"message": "This model\'s maximum context length is 9 tokens. However, you asked for 12."}',
    ),
    "a newer vLLM": (400, JSON, '{"error": {"message": "The prompt is longer than the maximum model length of 9."}}'),
    "llama.cpp": (400, JSON, '{"error": {"code": 400, "type": "exceed_context_size_error", "message": "too large"}}'),
    "an older llama.cpp": (500, JSON, '{"error": {"message": "the request exceeds the available context size"}}'),
    "a gateway": (400, JSON, '{"detail": "{\\"type\\": \\"exceed_context_size_error\\"}"}'),
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_question_that_is_too_long_ends_nothing(server: Server, tmp_path: Path, name: str) -> None:
    server.behave = lambda n, question: TOO_LONG[name] if n == 1 else completion("甲")
    assert [p.status for p in ask(server, tmp_path, speeches(2))] == ["too_long", "ok"]
    assert len(server.asked) == 2


def test_a_filtered_question_is_refused(server: Server, tmp_path: Path) -> None:
    server.behave = lambda n, question: (400, JSON, '{"error": {"code": "content_filter"}}')
    (prediction,) = ask(server, tmp_path, speeches(1))
    assert prediction.status == "refused"


@pytest.mark.parametrize("wish", ["0.4", "date"])
def test_a_wish_to_wait_holds_everybody(server: Server, tmp_path: Path, wish: str) -> None:
    """A date has whole seconds: of two from now one may be gone."""
    text, least = (formatdate(time.time() + 2, usegmt=True), 0.9) if wish == "date" else (wish, 0.4)
    server.behave = lambda n, question: (429, {"Retry-After": text}, "") if n == 1 else completion("甲")
    began = time.monotonic()
    predictions = ask(server, tmp_path, speeches(3), concurrency=1)
    assert [p.value for p in predictions] == [["甲"]] * 3
    assert len(server.asked) == 4
    assert server.times[1] - (began if wish == "date" else server.times[0]) >= least


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 90.0),
        ("Thu, 01 Jan 1970 00:00:05 GMT", None),
        ("soon", None),
        ("-3", None),
        ("inf", None),
        ("nan", None),
        (None, None),
    ],
)
def test_wishes_are_numbers_or_dates(header: str | None, seconds: float | None) -> None:
    assert wished({"retry-after": header} if header else {}, lambda: 10.0) == seconds


def tried(attempt: int, wish: float | None = None) -> Any:
    outcome = SimpleNamespace(exception=lambda: Again("status 500", wish))
    return SimpleNamespace(attempt_number=attempt, outcome=outcome)


@given(st.text(), st.integers(1, 60))
def test_pauses_double_up_to_the_longest_and_follow_from_the_question(question: str, attempt: int) -> None:
    longest = min(client.FIRST_PAUSE * 2.0 ** (attempt - 1), client.LONGEST_PAUSE)
    assert longest / 2 <= pause(question, tried(attempt)) <= longest
    assert pause(question, tried(attempt)) == pause(question, tried(attempt))
    assert 0 <= pause(question, tried(attempt, wish=5.0)) <= longest / 2


def test_questions_come_back_at_times_of_their_own() -> None:
    assert len({pause(f"{n}?", tried(1)) for n in range(20)}) == 20


def test_what_is_under_way_is_kept_when_another_question_fails(server: Server, tmp_path: Path) -> None:
    together = Barrier(3)

    def behave(n: int, question: str) -> Behaviour:
        if n <= 3:
            together.wait(PATIENCE)
        return (401, {}, "") if "第0句" in question else completion("甲")

    server.behave = behave
    with pytest.raises(DiscoError, match="status 401"):
        ask(server, tmp_path, speeches(40), concurrency=3)
    answered = len(server.asked) - 1
    assert 2 <= answered < 39
    server.behave = lambda n, question: completion("乙")
    predictions = ask(server, tmp_path, speeches(40), concurrency=3)
    assert [p.value for p in predictions].count(["甲"]) == answered
    assert len(server.asked) == 1 + 40


@pytest.mark.parametrize("end", [KeyboardInterrupt, RuntimeError, OSError])
def test_what_is_under_way_is_kept_whatever_ends_the_batch(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: type[BaseException]
) -> None:
    """Two are asked when the batch ends, and answered after that; the third is never asked."""
    together = Barrier(3)

    def behave(n: int, question: str) -> Behaviour:
        together.wait(PATIENCE)
        time.sleep(0.2)
        return completion("甲")

    def ended(running: Any, return_when: str) -> Any:
        together.wait(PATIENCE)
        raise end

    server.behave = behave
    monkeypatch.setattr(llm, "wait", ended)
    with pytest.raises(end):
        ask(server, tmp_path, speeches(3), concurrency=2)
    assert len(server.asked) == len(Answers(tmp_path / "answers.jsonl").known) == 2


def test_an_answer_that_ends_the_batch_costs_no_other(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are answered before any is read, and the reading of one fails."""
    together, read = Barrier(3), replies.read

    def failing(body: bytes) -> Answer:
        together.wait(PATIENCE)
        if "坏" in (answer := read(body)).text:
            raise KeyError
        return answer

    monkeypatch.setattr(replies, "read", failing)
    server.behave = lambda n, question: completion("坏" if "第0句" in question else "甲")
    with pytest.raises(KeyError):
        ask(server, tmp_path, speeches(3), concurrency=3)
    assert len(Answers(tmp_path / "answers.jsonl").known) == 2


def test_so_many_questions_are_under_way_at_a_time(server: Server, tmp_path: Path) -> None:
    """Each three of them wait for each other, and there is never a fourth."""
    together, under_way, lock = Barrier(3), [0, 0], Lock()

    def behave(n: int, question: str) -> Behaviour:
        with lock:
            under_way[0] += 1
            under_way[1] = max(under_way)
        together.wait(PATIENCE)
        with lock:
            under_way[0] -= 1
        return completion("甲")

    server.behave = behave
    ask(server, tmp_path, speeches(9), concurrency=3)
    assert under_way == [0, 3]


def test_a_placeholder_key_leaves_answers_alone(server: Server, tmp_path: Path) -> None:
    where = endpoint(server)
    asker = Asker(where, 5, Account(tmp_path, where, Budget()))
    asker.key = "a"
    assert asker._without_key("banana") == "banana"
    assert asker._hidden("key a of a banana") == "key [key] of [key] banana"
