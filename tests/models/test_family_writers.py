"""Text: the right special tokens, the same outputs in any batch, log-probabilities that add up."""

import dataclasses
from pathlib import Path

import pytest

from discobench.formulations import TextExample
from tests import toys

pytestmark = [pytest.mark.torch, pytest.mark.slow]
WRITERS = ("encoder", "bart", "mbart", "t5", "gpt2")


@pytest.fixture(scope="module")
def writers(tmp_path_factory: pytest.TempPathFactory) -> dict:
    root = tmp_path_factory.mktemp("writers")
    return {family: toys.learner(family, "text", root / family) for family in WRITERS}


def mixed(count: int) -> list[TextExample]:
    return [TextExample(f"toy:{n}", "天地山木" * (n % 7 + 1), "zh", "zh", "风月" * (n % 5 + 1)) for n in range(count)]


@pytest.mark.parametrize("family", WRITERS)
def test_batches_do_not_matter(writers: dict, family: str) -> None:
    from discobench.models.base import Decoding

    examples = mixed(32)
    found = []
    for tokens in (1, 8 * 30, 10_000):
        decoding = Decoding(beam=3, max_new_tokens=12, batch_tokens=tokens)
        found.append([(p.id, p.value) for p in writers[family].predict(examples, decoding)])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("family", WRITERS)
def test_log_likelihood_adds_up_in_any_batch(writers: dict, family: str) -> None:
    from discobench.models.base import Decoding

    found = [writers[family].log_likelihood(mixed(16), Decoding(batch_tokens=n)) for n in (1, 10_000)]
    for alone, together in zip(*found, strict=True):
        assert alone.total == pytest.approx(together.total, abs=1e-4)
        assert alone.total < 0
        assert alone.tokens > 1


@pytest.mark.parametrize("family", WRITERS)
def test_forced_decoding_is_the_loss(writers: dict, family: str) -> None:
    from discobench.models.base import Decoding

    learner = writers[family]
    learner.model.eval()
    example = mixed(3)[2]
    (found,) = learner.log_likelihood([example], Decoding())
    loss = learner.loss([learner.encode(example)])
    assert -found.total / found.tokens == pytest.approx(loss.item(), abs=1e-4)


@pytest.mark.parametrize("family", WRITERS)
def test_outputs_are_never_empty_and_end_within_limits(writers: dict, family: str) -> None:
    from discobench.models.base import Decoding

    for prediction in writers[family].predict(mixed(6), Decoding(beam=2, max_new_tokens=5)):
        assert 1 <= prediction.details["tokens"] <= 5


@pytest.mark.parametrize("family", WRITERS)
def test_predictions_do_not_see_targets(writers: dict, family: str) -> None:
    from discobench.models.base import Decoding

    blanked = [dataclasses.replace(example, target=None) for example in mixed(4)]
    decoding = Decoding(beam=2, max_new_tokens=6)
    assert writers[family].predict(mixed(4), decoding) == writers[family].predict(blanked, decoding)


@pytest.mark.parametrize("family", WRITERS)
def test_saved_and_loaded_is_equal(writers: dict, family: str, tmp_path: Path) -> None:
    import torch

    from discobench.models import family as find

    learner = writers[family]
    learner.save(tmp_path)
    again = find(family).learner(tmp_path, dataclasses.replace(toys.settings("text"), options={}), seed=99)
    encoded = [learner.encode(example) for example in mixed(4)]
    learner.model.eval(), again.model.eval()
    assert torch.equal(learner.logits(encoded)[0], again.logits(encoded)[0])


def test_long_sources_are_marked(writers: dict) -> None:
    from discobench.models.base import Decoding

    examples = [TextExample("long", "天地" * 100, "zh", "zh"), TextExample("short", "天地", "zh", "zh")]
    for family in WRITERS:
        found = writers[family].predict(examples, Decoding(beam=1, max_new_tokens=4))
        assert found[0].status == "too_long"
        assert found[1].status in ("ok", "empty")


def test_decoders_start_as_each_model_was_pretrained(writers: dict) -> None:
    mbart, bart, t5 = (writers[name] for name in ("mbart", "bart", "t5"))
    assert mbart.frame.start == mbart.codec.token("zh_CN")
    assert mbart.frame.source_end == (mbart.codec.end, mbart.codec.token("zh_CN"))
    assert (bart.frame.start, bart.frame.target_begin) == (bart.codec.end, bart.codec.begin)
    assert t5.frame.start == t5.codec.pad
    assert writers["gpt2"].frame.source_end == (writers["gpt2"].codec.end,)


def test_an_encoder_without_targets_cannot_write(tmp_path: Path) -> None:
    from discobench.errors import DiscoError
    from discobench.models import family

    folder = toys.checkpoint("encoder", tmp_path)
    with pytest.raises(DiscoError, match="targets"):
        family("encoder").learner(folder, dataclasses.replace(toys.settings("text"), options={}), 1)


@pytest.mark.parametrize("family", [*WRITERS])
def test_the_same_seed_gives_the_same_bytes(family: str, tmp_path: Path) -> None:
    folders = [toys.checkpoint(family, tmp_path / str(n), seed) for n, seed in enumerate((1, 1, 2))]
    weights = [(folder / "model.safetensors").read_bytes() for folder in folders]
    assert weights[0] == weights[1] != weights[2]


@pytest.mark.parametrize(("source", "target"), [("zh", "en"), ("en", "zh")])
def test_mbart_begins_with_the_language_that_it_writes(source: str, target: str, tmp_path: Path) -> None:
    """The decoder reads the target's language token and then writes the first token of the text (NT, PT and back)."""
    from discobench.models import family
    from discobench.models.base import Decoding, Settings

    learner = family("mbart").learner(toys.checkpoint("mbart", tmp_path), Settings("text", 64, (), source, target), 1)
    codes = {"zh": "zh_CN", "en": "en_XX"}
    read: list[list[list[int]]] = []

    def watch(module: object, arguments: tuple, given: dict) -> None:
        read.append(given["decoder_input_ids"].tolist())

    learner.model.register_forward_pre_hook(watch, with_kwargs=True)
    example = TextExample("a", "天地", source, target, "Hello")
    learned = learner.encode(example)
    learner.loss([learned])
    learner.predict([example], Decoding(beam=1, max_new_tokens=1))
    wanted = learner.codec.token(codes[target])
    assert [rows[0][0] for rows in read] == [wanted, wanted]
    assert learned.source[-2:] == [learner.codec.end, learner.codec.token(codes[source])]
    assert learned.target == [*learner.codec.ids("Hello"), learner.codec.end]


def test_the_decoder_of_an_encoder_is_as_config_says(tmp_path: Path) -> None:
    from discobench.models import family

    folder, wanted = toys.checkpoint("encoder", tmp_path), toys.settings("text", targets=True)
    usual = family("encoder").learner(folder, wanted, 1)
    options = wanted.options | {"decoder_layers": 1, "target_vocabulary": 12}
    small = family("encoder").learner(folder, dataclasses.replace(wanted, options=options), 1)
    layers = [learner.model.config.decoder.num_hidden_layers for learner in (usual, small)]
    assert layers == [2, 1]
    assert len(small.target_codec.tokenizer) == 12 < len(usual.target_codec.tokenizer)


def test_a_causal_model_writes_right_behind_its_source(writers: dict) -> None:
    """Sources of unequal length end at the same place, so that none is torn from what follows it by padding."""
    from discobench.models.base import Decoding

    learner, examples = writers["gpt2"], mixed(5)
    sources = [learner._source(example, []).source for example in examples]
    reader = learner.reader(sources)
    assert [row[-len(ids) :] for row, ids in zip(reader.ids.tolist(), sources, strict=True)] == sources
    alone = [learner.predict([example], Decoding(beam=1, max_new_tokens=6))[0] for example in examples]
    assert learner.predict(examples, Decoding(beam=1, max_new_tokens=6)) == alone


def test_a_long_source_cuts_no_output_of_its_neighbours(tmp_path: Path) -> None:
    """An output that does not end fills what sources may leave, whatever else is in the batch."""
    from discobench.models import family
    from discobench.models.base import Decoding

    family("gpt2").tiny(tmp_path, toys.TEXTS * 20, {"language": "zh", "vocabulary": 300, "positions": 64}, 1)
    learner = family("gpt2").learner(tmp_path, toys.settings("text"), 1)
    examples = [TextExample(str(n), "天地" * n, "zh", "zh") for n in (1, 4, 15)]
    how = Decoding(beam=1, max_new_tokens=60)
    alone = [learner.predict([example], how)[0] for example in examples]
    assert learner.predict(examples, how) == alone
    assert max(one.details["tokens"] for one in alone) == 32
