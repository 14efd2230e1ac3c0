"""Prompts: each speaks of its task's fields, and one that does not is named."""

from pathlib import Path

import pytest

from discobench.decode import prompts
from discobench.errors import DiscoError
from discobench.tasks import task as find
from tests.decode.instances import FIELDS, record


@pytest.mark.parametrize("name", FIELDS)
def test_every_task_has_a_prompt_that_fits_it(name: str) -> None:
    fields = find(name).fields(record(name, 0))
    text = prompts.read(prompts.path_of(name)).render(fields)
    assert all(value in text for value in fields.values())


ASKED = {
    "mrc": {"passage": "下雨了。", "question": "天气怎样？", "choices": "A. 晴\nB. 雨", "answer": "B. 雨"},
    "nt": {"source": "天黑了。", "candidates": "1. Night fell.\n2. Rain fell."},
    "tc": {"candidates": "1. 天黑了。\n2. 天亮了。"},
}
"""What the diagnostic prompts speak of."""


@pytest.mark.parametrize("name", ASKED)
def test_the_suite_has_a_prompt_for_each_of_its_tasks(name: str) -> None:
    text = prompts.read(prompts.path_of(f"diagnostic/{name}")).render(ASKED[name])
    assert all(value in text for value in ASKED[name].values())


def test_braces_in_a_text_are_only_text() -> None:
    prompt = prompts.Prompt(version=1, instruction="Do.", template="{source}", max_tokens=5)
    assert prompt.render({"source": "{a} {0}"}) == "Do.\n\n{a} {0}"


def test_a_bad_prompt_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nt.yaml"
    for text, fault in (("a: [", "not YAML"), ("version: one", "version"), ("- x", "a mapping of keys is needed")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DiscoError, match=fault):
            prompts.read(path)
    with pytest.raises(DiscoError, match=r"other\.yaml is missing"):
        prompts.read(tmp_path / "other.yaml")
    with pytest.raises(DiscoError, match="'context'"):
        prompts.Prompt(version=1, instruction="", template="{context}", max_tokens=5).render({"source": "x"})
