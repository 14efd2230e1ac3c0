"""Span, gaps and choice: exact in code points, whole answers in windows, the same in any batch."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from discobench.formulations import ChoiceExample, GapsExample, SpanExample
from tests import toys

pytestmark = [pytest.mark.torch, pytest.mark.slow]
READERS = [(family, form) for family in ("encoder", "bart") for form in ("span", "gaps", "choice")]
KINDS = ("encoder", "bytes")
AWKWARD = st.text(alphabet=st.sampled_from("天地我Ａaé\u0301😀👨‍👩‍👧\u3000 \n\u2028\ufeff\U00020000中x"), max_size=120)
SAME_LEARNER = limits(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def learners(tmp_path_factory: pytest.TempPathFactory) -> dict:
    root = tmp_path_factory.mktemp("readers")
    return {pair: toys.learner(*pair, root / "-".join(pair)) for pair in READERS} | byte_level(root / "bytes")


def byte_level(folder: Path) -> dict:
    """Readers whose vocabulary spells what it does not know in bytes, of which a code point has up to four."""
    from discobench.models import family

    family("bart").tiny(folder, toys.TEXTS * 20, {"language": "en", "vocabulary": 500}, 1)
    return {("bytes", form): family("bart").learner(folder, toys.settings(form), 1) for form in ("span", "gaps")}


@pytest.mark.parametrize("kind", KINDS)
@given(text=AWKWARD)
@SAME_LEARNER
def test_one_token_per_code_point(learners: dict, kind: str, text: str) -> None:
    assert len(learners[kind, "span"].characters.ids(text)) == len(text)


@pytest.mark.parametrize("kind", KINDS)
@given(context=AWKWARD.filter(lambda t: len(t) > 3), data=st.data())
@SAME_LEARNER
def test_positions_of_answers_give_their_text(learners: dict, kind: str, context: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(context) - 2))
    end = data.draw(st.integers(start + 1, min(len(context), start + 5)))
    example = SpanExample("a", context, "天地", (0, 1), ((start, end),))
    held = 0
    for window in learners[kind, "span"].encode(example):
        for first, last in window.answers:
            shift = window.offset - window.first
            assert (first + shift, last + shift + 1) == (start, end)
            held += 1
    assert held


@pytest.mark.parametrize("kind", KINDS)
@given(text=AWKWARD.filter(lambda t: t.strip()), before=AWKWARD, after=AWKWARD)
@SAME_LEARNER
def test_gaps_stand_between_their_characters(learners: dict, kind: str, text: str, before: str, after: str) -> None:
    learner = learners[kind, "gaps"]
    item = learner.encode(GapsExample("a", text, before, after, ((0, "我"),)))
    assert item.input.ids[item.first : item.first + item.count] == learner.characters.ids(text)[: item.count]
    assert len(item.labels) == item.count + 1
    assert item.labels[0] == 1
    assert len(item.input.ids) <= learner.room


def test_windows_cover_a_long_context(learners: dict) -> None:
    learner = learners["encoder", "span"]
    context = "天" * 300
    windows = learner.encode(SpanExample("a", context, "地", (0, 1), ((299, 300),)))
    assert {n for w in windows for n in range(w.offset, w.offset + w.count)} == set(range(300))
    assert windows[-1].answers
    assert learner.facts()["answers in no window"] == 0


def test_an_answer_longer_than_a_window_is_counted(learners: dict) -> None:
    learner = learners["bart", "span"]
    learner.encode(SpanExample("a", "天" * 300, "地", (0, 1), ((0, 200),)))
    assert learner.facts()["answers in no window"] == 1


@pytest.mark.parametrize("pair", READERS)
def test_batches_do_not_matter(learners: dict, pair: tuple[str, str]) -> None:
    from discobench.models.base import Decoding

    examples = toys.examples(pair[1], 32, seed=3)
    answers = [learners[pair].predict(examples, Decoding(batch_tokens=n)) for n in (1, 300, 10_000)]
    values = [[(p.id, p.value, p.status) for p in some] for some in answers]
    assert values[0] == values[1] == values[2]
    assert [value[0] for value in values[0]] == [example.id for example in examples]


@pytest.mark.parametrize("pair", READERS)
def test_predictions_do_not_see_answers(learners: dict, pair: tuple[str, str]) -> None:
    from discobench.models.base import Decoding

    blank = {"span": {"answers": ()}, "gaps": {"labels": ()}, "choice": {"answer": None}}[pair[1]]
    examples = toys.examples(pair[1], 8, seed=4)
    blanked = [dataclasses.replace(example, **blank) for example in examples]
    assert learners[pair].predict(examples, Decoding()) == learners[pair].predict(blanked, Decoding())


@pytest.mark.parametrize("pair", READERS)
def test_saved_and_loaded_is_equal(learners: dict, pair: tuple[str, str], tmp_path: Path) -> None:
    import torch

    from discobench.models import family

    learner = learners[pair]
    learner.save(tmp_path)
    again = family(pair[0]).learner(tmp_path, learner.settings, seed=99)
    encoded = [learner.encode(example) for example in toys.examples(pair[1], 4, seed=5)]
    learner.model.eval(), again.model.eval()
    assert torch.equal(learner.loss(encoded), again.loss(encoded))


def test_seeds_draw_heads(tmp_path: Path) -> None:
    import torch

    from discobench.models import family

    folder = toys.checkpoint("encoder", tmp_path / "base")
    heads = [family("encoder").learner(folder, toys.settings("gaps"), seed).model.head.weight for seed in (1, 1, 2)]
    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


def test_log_likelihood_of_choices(learners: dict) -> None:
    from discobench.models.base import Decoding

    example = ChoiceExample("a", "天地", "什么", ("天", "地鸟", "风"), 0)
    all_three = [dataclasses.replace(example, answer=n) for n in range(3)]
    for batch in (1, 10_000):
        found = learners["encoder", "choice"].log_likelihood(all_three, Decoding(batch_tokens=batch))
        import math

        assert math.isclose(sum(math.exp(item.total) for item in found), 1.0, abs_tol=1e-5)


def test_a_light_weight_of_empty_gaps_makes_missed_forms_count(learners: dict) -> None:
    learner = learners["encoder", "gaps"]
    learner.model.eval()
    encoded = [learner.encode(GapsExample("a", "天地", "", "", ((0, "我"),)))]
    logits = learner._logits(encoded)[0].log_softmax(dim=-1)
    empty, filled = -logits[1:, 0].sum(), -logits[0, learner.numbers["我"]]
    for weight in (1.0, 0.2):
        learner.settings.options["empty_weight"] = weight
        expected = (weight * empty + filled) / (2 * weight + 1)
        assert abs((learner.loss(encoded) - expected).item()) < 1e-5
    del learner.settings.options["empty_weight"]


def test_roles_are_as_large_as_the_embeddings_they_are_added_to(learners: dict) -> None:
    for pair, learner in learners.items():
        table = learner.model.model.get_input_embeddings().weight
        assert 0.7 < float(learner.model.roles.weight.std() / table.std()) < 1.4, pair


def test_a_long_passage_is_read_in_windows_where_config_says_so(tmp_path: Path) -> None:
    import torch

    from discobench.models import family
    from discobench.models.base import Decoding

    folder = toys.checkpoint("encoder", tmp_path)
    cut, windows = (
        family("encoder").learner(folder, toys.settings("choice", passages=how), 1) for how in ("cut", "windows")
    )
    examples = [
        ChoiceExample("short", "天地", "什么", ("天花", "地"), 0),
        ChoiceExample("long", "山" * 200 + "鸟", "什么", ("天", "地鸟", "风"), 1),
    ]
    for learner in (cut, windows):
        learner.model.eval()
    first, second = windows.encode(examples[0]), windows.encode(examples[1])
    assert (first.windows, first.inputs) == (1, cut.encode(examples[0]).inputs)
    bird = windows._ids("鸟")[0]
    assert second.windows > 3 and len(second.inputs) == 3 * second.windows and not second.cut
    assert all(len(item.ids) <= windows.room for item in second.inputs)
    assert [bird in item.ids[6:] for item in second.inputs[: second.windows]][-1]
    assert windows.facts()["passages in windows"] == 1 == cut.facts()["examples"]
    each = windows.model.head(windows.model.summary(second.inputs, windows.pad))[:, 0].view(3, -1)
    expected = torch.log_softmax(each.amax(dim=1), dim=0)
    torch.testing.assert_close(windows._logs([first, second])[1], expected)
    statuses = [[p.status for p in learner.predict(examples, Decoding())] for learner in (cut, windows)]
    assert statuses == [["ok", "too_long"], ["ok", "ok"]]


def test_answers_of_spans_are_as_long_and_as_many_as_decoding_says(learners: dict) -> None:
    from discobench.models.base import Decoding

    examples = toys.examples("span", 20, seed=6)
    for longest in (1, 3):
        found = learners["encoder", "span"].predict(examples, Decoding(max_answer=longest))
        lengths = [len(p.value[0]) for p, e in zip(found, examples, strict=True) if p.value[0] not in e.question]
        assert lengths and max(lengths) <= longest
    several = learners["encoder", "span"].predict(examples, Decoding(max_answer=3, span_margin=50.0))
    assert max(len(prediction.value) for prediction in several) > 1
