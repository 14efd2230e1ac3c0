"""What a run spends with APIs, and how fast: bounds hold for all jobs together, whatever happens to one."""

import logging
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discobench.config.types import Budget
from discobench.decode.account import FILE, Account
from discobench.decode.client import Asker
from discobench.decode.endpoint import Endpoint, Use, most
from discobench.errors import DiscoError
from discobench.files import read_json
from tests.decode.toy_server import Behaviour, Server, ask, completion, dropped, server, speeches
from tests.support import ROOT

__all__ = ["server"]
TOY = Endpoint("toy", "http://localhost/v1", "TOY_KEY", price_input=2.0, price_output=8.0)


def spent(folder: Path) -> dict[str, float]:
    return dict(read_json(folder / "api" / FILE)["spent"]["toy"])


def test_tokens_that_the_server_counted_are_spent(server: Server, tmp_path: Path) -> None:
    server.behave = lambda n, question: completion("甲", usage=(100, 3))
    ask(server, tmp_path, speeches(4), price_input=2.0, price_output=8.0)
    assert spent(tmp_path) == {"input": 400, "output": 12, "money": pytest.approx(400 * 2e-6 + 12 * 8e-6)}
    ask(server, tmp_path, speeches(4), price_input=2.0, price_output=8.0)
    assert spent(tmp_path)["input"] == 400


@pytest.mark.parametrize("first", [None, dropped, (500, {}, "")])
def test_what_may_have_to_be_paid_is_spent(server: Server, tmp_path: Path, first: Behaviour | None) -> None:
    """An answer that nobody counted and a connection that ended count at their most, a fault that is told does not."""
    server.behave = lambda n, question: first if first and n == 1 else completion("甲", usage=(1, 1) if first else None)
    ask(server, tmp_path, speeches(1))
    bound = most(server.asked[0]["messages"][0]["content"], server.asked[0]["max_tokens"])
    expected = {"None": bound, "dropped": bound + Use(1, 1), "fault": Use(1, 1)}
    name = "None" if first is None else "dropped" if first is dropped else "fault"
    assert Use(int(spent(tmp_path)["input"]), int(spent(tmp_path)["output"])) == expected[name]


@pytest.mark.parametrize("status", [502, 504])
def test_what_a_proxy_did_not_pass_on_may_have_to_be_paid(server: Server, tmp_path: Path, status: int) -> None:
    server.behave = lambda n, question: (status, {}, "no answer") if n == 1 else completion("甲", usage=(1, 1))
    ask(server, tmp_path, speeches(1))
    bound = most(server.asked[0]["messages"][0]["content"], server.asked[0]["max_tokens"])
    assert Use(int(spent(tmp_path)["input"]), int(spent(tmp_path)["output"])) == bound + Use(1, 1)


def test_a_server_that_counts_more_than_a_question_can_take_is_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    account = Account(tmp_path, TOY, Budget(tokens=1000))
    for used in (Use(10, 5), Use(11, 5), Use(9, 8)):
        account.book(Use(10, 5), Use(1, 1))
        account.settle(Use(10, 5), used)
    assert account.spent()[0] == Use(30, 18)
    assert caplog.messages == [
        "toy counts 11 tokens and 5 of answer for a question of 10 and 5 at most: the budget may be passed"
    ]


@pytest.mark.parametrize("step", ["book", "settle"])
def test_an_account_that_cannot_be_read_lets_nobody_wait(tmp_path: Path, step: str) -> None:
    account = Account(tmp_path, TOY, Budget(tokens=15))
    if step == "settle":
        account.book(Use(10, 0), Use(1, 0))
        (tmp_path / FILE).rename(tmp_path / "kept")
        (tmp_path / FILE).mkdir()
        with pytest.raises(DiscoError, match="cannot be read"):
            account.settle(Use(10, 0), Use(1, 0))
        (tmp_path / FILE).rmdir()
        (tmp_path / "kept").rename(tmp_path / FILE)
    else:
        clock, account.now = account.now, lambda: 1 / 0
        with pytest.raises(ZeroDivisionError):
            account.book(Use(10, 0), Use(1, 0))
        account.now = clock
    with pytest.raises(DiscoError, match="15, 10 are spent"):
        account.book(Use(10, 0), Use(1, 0))


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_budget_of_tokens_is_never_passed(server: Server, tmp_path: Path, concurrency: int) -> None:
    server.behave = lambda n, question: completion("甲", usage=(300, 20))
    budget = Budget(tokens=2000)
    with pytest.raises(DiscoError, match=r"api\.budget\.tokens is 2,000, [\d,]+ are spent .* raise the key or leave"):
        ask(server, tmp_path, speeches(20), budget=budget, concurrency=concurrency)
    asked = len(server.asked)
    assert asked >= 3 and asked * 320 <= 2000
    assert spent(tmp_path)["input"] == asked * 300
    server.asked.clear()
    predictions = ask(server, tmp_path, speeches(20), budget=Budget(tokens=20_000))
    assert len(server.asked) == 20 - asked and len(predictions) == 20


def test_a_budget_of_money_is_never_passed(server: Server, tmp_path: Path) -> None:
    server.behave = lambda n, question: completion("甲", usage=(300, 20))
    prices = {"price_input": 1000.0, "price_output": 2000.0}
    with pytest.raises(DiscoError, match=r"api\.budget\.money is 2, .* to toy may take 0\.\d+ more"):
        ask(server, tmp_path, speeches(20), budget=Budget(money=2.0), **prices)
    assert spent(tmp_path)["money"] == pytest.approx(len(server.asked) * 0.34) and len(server.asked) >= 2


def test_a_question_too_dear_is_never_asked(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"api\.budget\.tokens is 10, 0 are spent"):
        ask(server, tmp_path, speeches(1), budget=Budget(tokens=10))
    assert server.asked == []


def test_money_needs_prices(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"api\.budget\.money is 5 and toy has no price; set price_input"):
        Account(tmp_path, Endpoint("toy", "http://localhost", "TOY_KEY"), Budget(money=5.0))


def test_models_share_the_budget_and_a_killed_job_stays_spent(tmp_path: Path) -> None:
    other = Endpoint("other", "http://localhost/v1", "TOY_KEY")
    Account(tmp_path, TOY, Budget(tokens=100)).book(Use(30, 30), Use(1, 1))
    with pytest.raises(DiscoError, match="100, 60 are spent"):
        Account(tmp_path, other, Budget(tokens=100)).book(Use(30, 30), Use(1, 1))
    assert Account(tmp_path, other, Budget(tokens=100)).left() == "40 of 100 tokens left"


USES = st.lists(st.tuples(st.integers(1, 90), st.integers(0, 90)), max_size=10)


@settings(max_examples=25, deadline=None)
@given(USES, st.integers(1, 500))
def test_spending_stays_within_any_budget(uses: list[tuple[int, int]], limit: int) -> None:
    with TemporaryDirectory() as folder:
        account = Account(Path(folder), TOY, Budget(tokens=limit))
        for bound, used in uses:
            with suppress(DiscoError):
                account.book(Use(bound, 0), Use(1, 0))
                account.settle(Use(bound, 0), Use(min(used, bound), 0))
        assert account.spent()[0].tokens <= limit


PROGRAM = """
import sys
from pathlib import Path
from discobench.config.types import Budget
from discobench.decode.account import Account
from discobench.decode.endpoint import Endpoint, Use
from discobench.errors import DiscoError
account = Account(Path(sys.argv[1]), Endpoint("toy", "http://localhost/v1", "TOY_KEY"), Budget(tokens=300))
booked = 0
try:
    while True:
        account.book(Use(10, 0), Use(1, 0))
        account.settle(Use(10, 0), Use(7, 0))
        booked += 1
except DiscoError:
    print(booked)
"""


def test_two_jobs_never_spend_the_same_tokens(tmp_path: Path) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, tmp_path], cwd=ROOT, stdout=subprocess.PIPE) for _ in range(2)
    ]
    booked = sum(int(process.communicate(timeout=300)[0]) for process in running)
    spent = read_json(tmp_path / FILE)["spent"]["toy"]["input"]
    assert spent == 7 * booked and 280 < spent <= 300


def test_turns_are_as_far_apart_as_the_limits_say(tmp_path: Path) -> None:
    clock = [1000.0]
    slow = Endpoint("toy", "http://localhost/v1", "TOY_KEY", requests_per_minute=30, tokens_per_minute=600)
    jobs = [Account(tmp_path, slow, Budget(), lambda: clock[0]) for _ in range(2)]
    waits = [jobs[n % 2].book(Use(9, 9), Use(5, 5)) for n in range(4)]
    assert waits == pytest.approx([0, 2, 4, 6])
    assert jobs[0].book(Use(9, 9), Use(50, 50)) == pytest.approx(8)
    assert jobs[1].book(Use(9, 9), Use(5, 5)) == pytest.approx(18)
    clock[0] = 1100.0
    assert jobs[1].book(Use(9, 9), Use(5, 5)) == 0


def test_a_wish_holds_one_endpoint_and_no_other(tmp_path: Path) -> None:
    clock = [50.0]
    account = Account(tmp_path, TOY, Budget(), lambda: clock[0])
    account.hold(9.0)
    assert account.book(Use(1, 1), Use(1, 1)) == pytest.approx(9)
    assert Account(tmp_path, Endpoint("b", "u", "K"), Budget(), lambda: clock[0]).book(Use(1, 1), Use(1, 1)) == 0
    clock[0] = 60.0
    assert account.book(Use(1, 1), Use(1, 1)) == 0


def test_a_question_waits_for_its_turn(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(Asker, "_sleep", lambda self, seconds: waits.append(seconds))
    ask(server, tmp_path, speeches(3), concurrency=1, requests_per_minute=1)
    assert waits[0] == 0 and 30 < waits[1] <= 60 and 90 < waits[2] <= 120


def test_the_cost_is_told_before_the_first_question(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server.behave = lambda n, question: (caplog.messages.append("asked"), completion("甲"))[1]
    ask(server, tmp_path, speeches(2), budget=Budget(money=5.0), price_input=2.0, price_output=8.0)
    told = next(text for text in caplog.messages if text.startswith("asking"))
    assert told.startswith("asking toy 2 of 2 questions: about ")
    assert "and at most 128 of answers, at most 0.00" in told and told.endswith("of the budget 5 of 5 money left")


@pytest.mark.parametrize("key", ["sk-ключ-0123456789", "sk-012\n3456789", "sk-0123\u200b456"])
def test_a_key_that_no_request_can_carry_is_a_sentence_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("ODD_KEY", key)
    where = Endpoint("toy", "http://localhost/v1", "ODD_KEY")
    with pytest.raises(DiscoError, match=r"ODD_KEY \(api\.key_variable\) has a character that is not") as error:
        Asker(where, 5, Account(tmp_path, where, Budget()))
    assert key[:6] not in str(error.value) and "\n" not in str(error.value)
