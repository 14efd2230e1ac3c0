"""Contexts give way to the room of a model, farthest sentences first, for all candidates of an instance alike."""

from collections.abc import Sequence
from typing import Any

from discobench.diagnose.fitting import fitted, shortened
from discobench.diagnose.ranking import rank
from discobench.diagnose.suite import check_suite
from discobench.formulations import Example, LogLikelihood, TextExample
from discobench.tasks import task
from tests.diagnose.test_suite import MRC, NT, TC

LONG = NT | {
    "context": "天黑了。下雨了。林姐放下伞。",
    "target_context": ["Night fell.", "It rained.", "Lin put down her umbrella."],
}
Asked = list[list[str]]


def scorer(room: int, asked: Asked) -> Any:
    """Scores texts of at most ``room`` characters of target and cuts others at their end."""

    def score(examples: Sequence[Example]) -> list[LogLikelihood]:
        texts = [str(e.target) for e in examples if isinstance(e, TextExample)]
        asked.append(texts)
        values = [-float(sum(map(ord, text[:room]))) for text in texts]
        cuts = [len(text) > room for text in texts]
        return [LogLikelihood(e.id, v, 1, cut) for e, v, cut in zip(examples, values, cuts, strict=True)]

    return score


def suite() -> Any:
    return check_suite([LONG, LONG | {"id": "n:1:2", "target_context": None, "context": ""}], task("nt"), "s")


def test_the_farthest_sentences_go_until_all_candidates_fit() -> None:
    asked: Asked = []
    found = fitted(scorer(45, asked), task("nt"), suite(), "whole")
    assert len(asked) == 3 and len(asked[0]) == 4 and len(asked[2]) == 2
    assert asked[2] == [f"Lin put down her umbrella. {end}" for end in ("She sat down.", "He sat down.")]
    assert rank(suite(), found, "how")["cut"] == 0
    assert len(found) == 4


def test_what_never_fits_is_told() -> None:
    asked: Asked = []
    result = rank(suite(), fitted(scorer(3, asked), task("nt"), suite(), "whole"), "how")
    assert asked[-1] == ["She sat down.", "He sat down."]
    assert result["cut"] == 2


def test_nothing_is_asked_twice_where_there_is_room() -> None:
    asked: Asked = []
    fitted(scorer(99, asked), task("nt"), suite(), "whole")
    assert len(asked) == 1


def test_source_and_target_are_shortened_alike() -> None:
    row = shortened(task("nt"), suite()[0], 2)
    assert row is not None
    assert (row["context"], row["target_context"]) == ("林姐放下伞。", ["Lin put down her umbrella."])
    assert shortened(task("nt"), suite()[0], 4) is None


def test_passages_keep_a_window() -> None:
    (row,) = check_suite([MRC | {"context": "一。二。三。四。五。六。"}], task("mrc"), "s")
    shorter = shortened(task("mrc"), row, 2)
    assert shorter is not None and shorter["context"] == "三。四。五。六。"
    assert shortened(task("mrc"), row, 3) is None


def test_completions_keep_a_sentence() -> None:
    (row,) = check_suite([TC | {"context": "天黑了。林姐放下伞。"}], task("tc"), "s")
    shorter = shortened(task("tc"), row, 1)
    assert shorter is not None and shorter["context"] == "林姐放下伞。"
    assert shortened(task("tc"), row, 2) is None
