"""Rankings and their intervals by hand."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.diagnose import VERSION
from discobench.diagnose.ranking import examples, outcome, rank, readings, signature, wilson
from discobench.errors import DiscoError
from discobench.formulations import LogLikelihood
from discobench.tasks import task


def suite() -> list[dict[str, Any]]:
    common = {"task": "nt", "context": "", "current": "她来了。", "target_context": None, "correct": "She came."}
    wrong = [[{"text": "He came."}], [{"text": "It came."}, {"text": "They all came."}], [{"text": "Came."}]]
    types = ["reference", "reference", "ellipsis"]
    return [
        common | {"id": f"n:1:{n}", "type": kind, "incorrect": texts}
        for n, (kind, texts) in enumerate(zip(types, wrong, strict=True))
    ]


TOTALS = [[(-4.0, 3), (-5.0, 3)], [(-4.0, 2), (-6.0, 2), (-6.0, 6)], [(-4.0, 2), (-4.0, 2)]]


def likelihoods() -> list[LogLikelihood]:
    return [
        LogLikelihood(f"n:1:{n}#{k}", total, tokens)
        for n, own in enumerate(TOTALS)
        for k, (total, tokens) in enumerate(own)
    ]


def test_candidates_come_in_a_row() -> None:
    assert [e.id for e in examples(task("nt"), suite())] == [score.id for score in likelihoods()]


def test_readings_differ_and_ties_are_apart() -> None:
    result = rank(suite(), likelihoods(), "how")
    total, mean = result["readings"]["sum"], result["readings"]["mean"]
    assert (total["reference"]["correct"], total["reference"]["n"]) == (2, 2)
    assert mean["reference"]["correct"] == 1  # -2 a token loses to -1 a token
    assert (total["ellipsis"]["correct"], total["ellipsis"]["ties"]) == (0, 1)
    assert total["overall"]["accuracy"] == pytest.approx(200 / 3)
    assert total["reference"]["chance"] == pytest.approx(100 * (1 / 2 + 1 / 3) / 2)
    assert [own["ellipsis"]["signature"] for own in (total, mean)] == ["how|reading:sum", "how|reading:mean"]
    assert "synonyms" not in total
    assert [one["outcomes"] for one in result["instances"]] == [
        {"sum": "correct", "mean": "correct"}, {"sum": "correct", "mean": "wrong"}, {"sum": "tie", "mean": "tie"}
    ]  # fmt: skip
    assert result["instances"][1]["incorrect"][1] == {"total": -6.0, "tokens": 6}


def test_a_signature_names_the_instances_and_the_tool() -> None:
    """The same for every row on a suite, another where one candidate differs."""
    own = signature(task("nt"), "whole", suite())
    assert own == signature(task("nt"), "whole", suite())
    assert f"|disco-bench:diagnose {VERSION}" in own and "|log-probability of target|" in own
    other = suite()
    other[0]["incorrect"] = [{"text": "We came."}]
    assert signature(task("nt"), "whole", other) != own


def test_a_choice_is_read_once() -> None:
    assert [readings(task(name)) for name in ("mrc", "nt", "tc")] == [("sum",), ("sum", "mean"), ("sum", "mean")]
    result = rank(suite(), likelihoods(), "how", readings(task("mrc")))
    assert list(result["readings"]) == ["sum"] == list(result["instances"][0]["outcomes"])


def test_every_candidate_must_be_scored() -> None:
    with pytest.raises(DiscoError, match="left out"):
        rank(suite(), likelihoods()[:-1], "how")


def test_order_of_scores_does_not_matter() -> None:
    assert rank(suite(), likelihoods()[::-1], "how") == rank(suite(), likelihoods(), "how")


def test_outcome() -> None:
    assert [outcome(scores) for scores in ([-1, -2], [-2, -2.00005], [-3, -4, -2])] == ["correct", "tie", "wrong"]


@pytest.mark.parametrize(
    ("total", "tokens", "apart", "expected"),
    [
        (-50.0, 100, 0.00005, "tie"),
        (-50.0, 100, 0.001, "correct"),  # per token 0.00001
        (-1000.0, 300, 0.0005, "tie"),  # less than what batches make of a sum of so many
        (-1000.0, 300, 0.002, "correct"),
    ],
)
def test_a_tie_is_as_wide_per_token_as_of_whole_answers(total: float, tokens: int, apart: float, expected: str) -> None:
    found = [LogLikelihood("n:1:2#0", total, tokens), LogLikelihood("n:1:2#1", total - apart, tokens)]
    (instance,) = rank(suite()[2:], found, "how")["instances"]
    assert instance["outcomes"] == {"sum": expected, "mean": expected}


def test_wilson_by_hand() -> None:
    # 8 of 10: (0.8 + 3.8415/20 ± 1.96 * sqrt(0.016 + 3.8415/400)) / 1.38415
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_mirrors(counts: tuple[int, int]) -> None:
    successes, n = counts
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low))


@pytest.mark.torch
def test_the_size_of_batches_does_not_matter(tmp_path: Path) -> None:
    """A small model that does not know two characters ties on them whatever stands beside them in a batch."""
    from discobench.models import family
    from discobench.models.base import Decoding, Settings

    rows = [row | {"correct": row["correct"] * (1 + n), "id": f"n:2:{n}"} for n, row in enumerate(suite())]
    tied = {"correct": "髯来了。", "incorrect": [{"text": "瞿来了。"}], "id": "n:3:1", "type": "synonyms"}
    rows.append(suite()[0] | tied)
    sizes = {"vocabulary": 60, "hidden": 16, "layers": 1, "heads": 2, "intermediate": 32, "positions": 64}
    family("bart").tiny(tmp_path, ["她来了。", "他来了。", "It came."], sizes | {"language": "zh"}, seed=1)
    learner = family("bart").learner(tmp_path, Settings("text", 64), 1)
    found = [
        rank(rows, learner.log_likelihood(examples(task("nt"), rows), Decoding(batch_tokens=tokens)), "how")
        for tokens in (1, 60, 10_000)
    ]
    outcomes = [[one["outcomes"] for one in result["instances"]] for result in found]
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert outcomes[0][-1] == {"sum": "tie", "mean": "tie"}
