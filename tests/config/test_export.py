from pathlib import Path

import jsonschema
import pytest
import yaml

from discobench.config.export import PATH, config_schema
from discobench.files import read_json

ROOT = Path(__file__).parents[2]


def test_the_schema_in_the_repository_is_the_one_of_the_types():
    assert read_json(PATH) == config_schema(), "run: python -m discobench.config.export"


@pytest.mark.parametrize(
    "path", [ROOT / "config.yaml", *sorted((ROOT / "presets").glob("*.yaml"))], ids=lambda p: p.name
)
def test_editors_accept_what_is_shipped(path: Path):
    jsonschema.validate(yaml.safe_load(path.read_text("utf-8")), config_schema())


def test_editors_mark_an_unknown_key():
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"hardware": {"gpu": 1}}, config_schema())
