"""The JSON schema of the configuration, for editors: ``python -m discobench.config.export``."""

from pathlib import Path
from typing import Any

from discobench.config.types import Config
from discobench.files import write_json

PATH = Path(__file__).parents[2] / "resources" / "config.schema.json"
PRESET = {"type": "string", "description": "a file of presets/, laid on before this one"}


def config_schema() -> dict[str, Any]:
    """The schema of config.yaml, of a preset or of a user's file (draft 2020-12).

    The last two hold only what differs, so no key is required; the pipeline checks the merged whole.
    """
    schema = Config.model_json_schema()
    for part in (schema, *schema["$defs"].values()):
        part.pop("required", None)
    schema["properties"]["preset"] = PRESET
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema


if __name__ == "__main__":
    write_json(PATH, config_schema())
