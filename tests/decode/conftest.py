"""A real OpenAI-compatible server with a very small chat model: the one of transformers."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.conftest import environment
from tests.decode.instances import FIELDS

MODEL = "data/my-chat"
"""The name of the model: its folder, as the server was told."""
PATIENCE = 400
"""Seconds after which a server that does not answer is given up."""
SIZES = {"vocabulary": 400, "hidden": 32, "layers": 1, "heads": 2, "intermediate": 64, "positions": 2048}
TALKATIVE = (24, 1.2)
"""After so many tokens the end grows likelier by this factor with each: noise does not end by itself."""
TEMPLATE = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"


def write_chat_model(folder: Path) -> None:
    """A GPT-2 drawn at random with a chat template: it answers, and what it answers is noise."""
    from transformers import AutoTokenizer, GenerationConfig

    from discobench.models import family

    folder.mkdir(parents=True)
    texts = [str(value) for fields in FIELDS.values() for value in fields.values()]
    family("gpt2").tiny(folder, texts, SIZES | {"language": "multi"}, seed=1)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    generation = GenerationConfig.from_pretrained(folder)
    generation.exponential_decay_length_penalty = TALKATIVE
    generation.save_pretrained(folder)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the server answers; fails with its log when it has died or takes too long."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            urlopen(f"{address}/health", timeout=5).close()
            return
        except (URLError, OSError):
            time.sleep(0.5)
    pytest.fail(f"the server did not come up: {log.read_text('utf-8')[-3000:]}")


@pytest.fixture(scope="session")
def local_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Host and port of a running ``transformers serve``."""
    folder = tmp_path_factory.mktemp("served")
    write_chat_model(folder / MODEL)
    place, log = f"127.0.0.1:{free_port()}", folder / "server.log"
    host, port = place.split(":")
    command = ["transformers", "serve", MODEL, "--host", host, "--port", port, "--device", "cpu"]
    offline = environment() | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(min(2, os.cpu_count() or 1))}
    with (
        log.open("wb") as stream,
        subprocess.Popen(command, cwd=folder, env=offline, stdout=stream, stderr=stream) as server,
    ):
        try:
            wait_for(f"http://{place}", server, log)
            yield place
        finally:
            server.terminate()
