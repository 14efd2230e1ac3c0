"""The JSON schema of the configuration, for editors: ``python -m discobench.config.export``."""

from pathlib import Path
from typing import Any

from discobench.config.types import Config
from discobench.files import write_json

PATH = Path(__file__).parents[2] / "resources" / "config.schema.json"


def config_schema() -> dict[str, Any]:
    """The schema of a full configuration (draft 2020-12).

    Editors apply it to presets and to your own file too, so no top-level key is required there;
    the pipeline checks the merged whole.
    """
    schema = Config.model_json_schema()
    schema.pop("required")
    schema["properties"]["preset"] = {"type": "string", "description": "a file of presets/, laid on before this one"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema


if __name__ == "__main__":
    write_json(PATH, config_schema())
