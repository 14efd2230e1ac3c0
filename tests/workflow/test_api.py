"""Rows of APIs through the real command: which faults are worth another try."""

import re
from pathlib import Path

import pytest

from discobench.files import write_text
from tests.conftest import copy_of, snakemake
from tests.decode.toy_server import KEY, row, serving

pytestmark = [pytest.mark.slow, pytest.mark.torch]


def test_a_job_that_no_try_will_help_is_tried_once_and_others_again(mini_root: Path, tmp_path: Path):
    root = copy_of(mini_root, tmp_path / "repository")
    targets = [f"results/mini/decode/{task}/toy-chat/seed-1/predictions.jsonl" for task in ("mrc", "nt")]
    command = ["--profile", "profiles/demo", "--retries", "2", "--keep-going", "--configfile", "api.yaml"]
    with serving() as server:
        unknown = (401, {}, '{"error": {"message": "no such key"}}')
        server.behave = lambda n, question: unknown if "Choices:" in question else (503, {}, "busy")
        write_text(root / "api.yaml", row(server, "mrc", "nt", retries=0, concurrency=1))
        ran = snakemake(root, *command, "--config", "preset=mini", "--", *targets, timeout=120, TOY_KEY=KEY)
        asked = ["Choices:" in body["messages"][0]["content"] for body in server.asked]
    assert ran.returncode == 1 and "Traceback" not in ran.stdout
    assert (asked.count(True), asked.count(False)) == (1, 3)
    assert "gave status 401 (no such key) for model toy; answers so far are kept: check api.base_url" in ran.stdout
    assert len(re.findall("Trying to restart job", ran.stdout)) == 2
