"""Merging and checking the configuration: config.yaml, then the preset, then the user's values."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from discobench.config.explain import explain
from discobench.config.references import check_references
from discobench.config.types import Config
from discobench.errors import DiscoError
from discobench.files import read_text

M = TypeVar("M", bound=BaseModel)
Tree = dict[str, Any]
PUBLIC = "public:"


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> Tree:
    """``base`` with ``changes`` over it: mappings merge, everything else replaces."""
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(old, value) if both else value  # type: ignore[arg-type]
    return merged


class Loader(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML has no types
    """Does not take the last of two equal keys without a word."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        """A mapping as it stands in the file, before what it merges is laid under it."""
        node = super().compose_mapping_node(anchor)
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for name, (key, _) in zip(names, node.value, strict=False):
            if names.count(name) > 1:
                raise yaml.MarkedYAMLError(problem=f"the key {name!r} stands there twice", problem_mark=key.start_mark)
        return node


def read_yaml(path: Path) -> Tree:
    """A YAML file as a mapping; raises DiscoError naming the file and the place of a fault."""
    try:
        value = yaml.load(read_text(path), Loader) or {}
    except (yaml.YAMLError, RecursionError) as error:
        raise DiscoError(f"{path} is not YAML: {' '.join(str(error).split())}; mend it.") from error
    if not isinstance(value, dict):
        raise DiscoError(f"{path} holds {type(value).__name__}; a mapping of keys is needed.")
    return value


def read_as(model: type[M], path: Path) -> M:
    """A YAML file as ``model``; raises DiscoError, one line per fault that names the file and the key."""
    try:
        return model.model_validate(read_yaml(path))
    except ValidationError as error:
        raise DiscoError(explain(error, model, str(path))) from error


def parse(tree: Mapping[str, Any], origin: str) -> Config:
    """Check a merged tree; ``origin`` names it in errors. Raises DiscoError, one line per fault."""
    try:
        config = Config.model_validate(tree)
    except ValidationError as error:
        raise DiscoError(explain(error, Config, origin, "resources/config.schema.json")) from error
    check_references(config, origin)
    return config


def resolve(user: Mapping[str, Any], root: Path, origin: str = "--config") -> Config:
    """The configuration of a run.

    ``user`` holds what came by ``--config`` and ``--configfile``, which ``origin`` names: ``preset`` names a file in
    ``presets/``; every other key overrides. Each layer is checked as it is laid on, so that an
    error names the layer that brought it.
    """
    tree = read_yaml(root / "config.yaml")
    parse(tree, "config.yaml")
    rest = dict(user)
    name = rest.pop("preset", "paper")
    if name != "paper":
        tree = merge(tree, read_yaml(_preset(name, root)))
        parse(tree, f"presets/{name}.yaml")
    tree = merge(tree, rest)
    folder = tree.get("public_data") or os.environ.get("DISCOBENCH_PUBLIC_DATA") or "data/public"
    return parse(located(tree, str(folder)), origin)


def located(value: Any, folder: str) -> Any:
    """``value`` with every text ``public:<path>`` in it, at any depth, as a path below ``folder``."""
    if isinstance(value, Mapping):
        return {key: located(item, folder) for key, item in value.items()}
    if isinstance(value, list):
        return [located(item, folder) for item in value]
    return f"{folder}/{value.removeprefix(PUBLIC)}" if isinstance(value, str) and value.startswith(PUBLIC) else value


def _preset(name: object, root: Path) -> Path:
    known = sorted(path.stem for path in (root / "presets").glob("*.yaml"))
    if name not in known:
        raise DiscoError(f"--config preset={name}: no such preset; there are paper, {', '.join(known)}.")
    return root / "presets" / f"{name}.yaml"
