from pathlib import Path

import pytest
import yaml

from discobench.config.load import merge, parse, read_yaml, resolve
from discobench.errors import DiscoError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def root(tmp_path: Path, tree: dict) -> Path:
    """A folder with the paper's configuration and one preset, small."""
    (tmp_path / "presets").mkdir()
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(tree), "utf-8")
    (tmp_path / "presets/small.yaml").write_text("run: {preset: small, seeds: [7]}\n", "utf-8")
    return tmp_path


def test_mappings_merge_and_lists_replace():
    merged = merge({"a": {"b": 1, "c": [1, 2]}, "d": 1}, {"a": {"c": [3]}, "e": None})
    assert merged == {"a": {"b": 1, "c": [3]}, "d": 1, "e": None}


def test_merging_leaves_its_arguments_alone():
    base = {"a": {"b": 1}}
    merge(base, {"a": {"b": 2}})
    assert base == {"a": {"b": 1}}


def test_without_a_preset_the_run_is_the_paper():
    config = resolve({}, ROOT)
    assert config.run.preset == "paper"
    assert config.run.seeds == [1, 2]


def test_the_paper_is_whole():
    config = resolve({}, ROOT)
    assert len(config.tasks) == 9
    assert len(config.genres) == 18
    assert config.finetune.tasks["zpr"].learning_rate == 5e-6


@pytest.mark.parametrize("preset", [None, "public", "mini"])
def test_a_model_of_too_few_words_fails_where_texts_are_real(preset: str | None):
    """lmplz can guess its discounts; only the demo, whose texts are few, may have it do so."""
    synthesis = resolve({"preset": preset} if preset else {}, ROOT).synthesis
    assert not synthesis.te.language_model.discount_fallback
    assert not synthesis.zpr.language_model.discount_fallback


def test_the_user_overrides_the_preset_and_the_preset_the_paper(root: Path):
    assert resolve({"preset": "small"}, root).run.seeds == [7]
    assert resolve({"preset": "small", "run": {"seeds": [9]}}, root).run.seeds == [9]
    assert resolve({"preset": "small"}, root).seed == resolve({}, root).seed


def test_an_unknown_preset_names_those_that_exist(root: Path):
    with pytest.raises(DiscoError, match=r"preset=smal: no such preset; there are paper, small\."):
        resolve({"preset": "smal"}, root)


def test_a_fault_names_the_layer_that_brought_it(root: Path):
    (root / "presets/small.yaml").write_text("run: {preset: small, sead: [7]}\n", "utf-8")
    with pytest.raises(DiscoError, match=r"^presets/small.yaml: run.sead: unknown key; did you mean 'seeds'\?"):
        resolve({"preset": "small"}, root)
    with pytest.raises(DiscoError, match=r"^--config: seed: found 'x'"):
        resolve({"seed": "x"}, root)


@pytest.mark.parametrize(("text", "message"), [("a: [", "is not YAML"), ("- 1\n", "holds list"), ("", None)])
def test_a_file_that_is_no_mapping_is_named(tmp_path: Path, text: str, message: str | None):
    path = tmp_path / "c.yaml"
    path.write_text(text, "utf-8")
    if message is None:
        assert read_yaml(path) == {}
    else:
        with pytest.raises(DiscoError, match=f"c.yaml {message}"):
            read_yaml(path)


def test_every_fault_is_told_at_once(tree: dict):
    tree["seed"] = 0
    tree["sede"] = 1
    with pytest.raises(DiscoError) as caught:
        parse(tree, "config.yaml")
    assert len(str(caught.value).split("\n")) == 2
