"""A small real HTTP server in the place of an API: it answers, misbehaves, and looks for the key."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from discobench.config.types import Budget
from discobench.decode import client, llm, prompts
from discobench.decode.account import Account
from discobench.decode.endpoint import Endpoint
from discobench.formulations import Prediction
from discobench.tasks import task as find
from tests.decode.instances import record

KEY = "sk-test-0123456789"
LATE = 3.0
"""Seconds after which nobody waits any more."""
JSON = {"Content-Type": "application/json"}
Reply = tuple[int, dict[str, str], str]
Behaviour = Reply | Callable[[BaseHTTPRequestHandler], None]
"""A reply, or what is done to the connection instead of one."""


def speeches(n: int) -> list[dict[str, Any]]:
    return [record("si", i, utterance=f"第{i}句。") for i in range(n)]


def completion(text: str | None, usage: tuple[int, int] | None = (10, 2), **changes: Any) -> Reply:
    message = {"role": "assistant", "content": text, "refusal": changes.pop("refusal", None)}
    model = changes.pop("model", "toy")
    choice = {"index": 0, "message": message, "finish_reason": "stop"} | changes
    body: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 0, "model": model, "choices": [choice]}
    if usage:
        names = ("prompt_tokens", "completion_tokens", "total_tokens")
        body["usage"] = dict(zip(names, (*usage, sum(usage)), strict=True))
    return 200, JSON, json.dumps(body)


def dropped(handler: BaseHTTPRequestHandler) -> None:
    """Nothing is said: the connection ends."""
    handler.close_connection = True


def truncated(handler: BaseHTTPRequestHandler) -> None:
    """Half of what was promised."""
    _, _, text = completion("阿青")
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(text.encode())))
    handler.end_headers()
    handler.wfile.write(text.encode()[:50])
    handler.close_connection = True


def late(handler: BaseHTTPRequestHandler) -> None:
    """An answer that comes when nobody waits for it any more."""
    time.sleep(LATE)
    _send(handler, b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + completion("迟")[2].encode())


def blanks(handler: BaseHTTPRequestHandler) -> None:
    """Another one, with a blank now and then before it, as some servers send them so that nobody hangs up."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    for _ in range(round(LATE * 10)):
        time.sleep(0.1)
        _send(handler, b" ")
    _send(handler, completion("迟")[2].encode())


def _send(handler: BaseHTTPRequestHandler, text: bytes) -> None:
    with suppress(OSError):
        handler.wfile.write(text)


class Server(ThreadingHTTPServer):
    """Answers the n-th request by ``behave(n, question)``; remembers what it was asked and when."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behave: Callable[[int, str], Behaviour] = lambda n, question: completion("阿青")
        self.asked: list[dict[str, Any]] = []
        self.times: list[float] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["Authorization"] == f"Bearer {KEY}"
        self.server.asked.append(body)
        self.server.times.append(time.monotonic())
        behaviour = self.server.behave(len(self.server.asked), body["messages"][0]["content"])
        if callable(behaviour):
            behaviour(self)
            return
        status, headers, text = behaviour
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        _send(self, text.encode())

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving() -> Iterator[Server]:
    """A server that answers while the block runs."""
    with Server() as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("TOY_KEY", KEY)
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.01)
    with serving() as running:
        yield running


def row(server: Server, *tasks: str, **changes: Any) -> str:
    """A configuration that adds the row `toy-chat` to preset mini, which answers some tasks."""
    api = {"base_url": server.url, "key_variable": "TOY_KEY", "timeout": 300.0, "concurrency": 2} | changes
    tree = {
        "run": {"rows": ["bart-large", "toy-chat"]},
        "checkpoints": {"toy-chat": {"source": "api:toy", "family": "llm", "language": "multi", "api": api}},
        "rows": {"toy-chat": {"label": "Toy", "group": "llm", "tasks": dict.fromkeys(tasks, "toy-chat")}},
    }
    return yaml.safe_dump(tree)


def endpoint(server: Server, **changes: Any) -> Endpoint:
    settings = {"model": "toy", "base_url": server.url, "key_variable": "TOY_KEY", "timeout": 300.0, "retries": 3}
    return Endpoint(**settings | changes)


def ask(
    server: Server,
    state: Path,
    records: list[dict[str, Any]],
    task: str = "si",
    version: int = 1,
    budget: Budget | None = None,
    **changes: Any,
) -> list[Prediction]:
    prompt = prompts.read(prompts.path_of(task)).model_copy(update={"version": version})
    where = endpoint(server, **changes)
    account = Account(state / "api", where, budget or Budget())
    return llm.decode(find(task), records, prompt, where, account, state)
