"""From pydantic's findings to sentences: file, key path, what was found, what is allowed."""

from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

ALLOWED = {
    "float_type": "a number; YAML reads one like 5.0e-4 only with its point",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than_equal": "a number of at most {le}",
    "literal_error": "{expected}",
    "too_short": "at least {min_length} entries",
    "string_pattern_mismatch": "text like {pattern}",
}
SECRET, ADDRESS = "key_variable", "base_url"
"""Where somebody may have put a key instead of the name of its variable, or beside a server: not to be logged."""


def explain(error: ValidationError, model: type[BaseModel], origin: str, described: str = "") -> str:
    """One line per finding, the key path written with dots; ``described`` names what tells more of the keys."""
    return "\n".join(_sentence(finding, model, origin, described) for finding in error.errors())


def _sentence(finding: Any, model: type[BaseModel], origin: str, described: str) -> str:
    path = ".".join(str(part) for part in finding["loc"] if part != "[key]")
    if finding["type"] == "extra_forbidden":
        return f"{origin}: {path}: unknown key; {_known(finding['loc'], model)}"
    if finding["type"] == "missing":
        return f"{origin}: {path}: this key is missing; add it{described and f' ({described} describes it)'}."
    allowed = ALLOWED.get(finding["type"], "{msg}").format(msg=finding["msg"], **finding.get("ctx", {}))
    found = "what may be a key" if _secret(path, str(finding["input"])) else repr(finding["input"])
    return f"{origin}: {path}: found {found}; allowed: {allowed}."


def _secret(path: str, value: str) -> bool:
    return path.endswith(SECRET) or (path.endswith(ADDRESS) and bool({*"@?#"} & {*value}))


def _known(location: tuple[str | int, ...], model: type[BaseModel]) -> str:
    names = sorted(fields_at(location[:-1], model))
    near = get_close_matches(str(location[-1]), names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"allowed: {', '.join(names)}."


def fields_at(location: tuple[str | int, ...], model: type[BaseModel]) -> list[str]:
    """Names of the keys allowed at ``location`` inside ``model``."""
    kind: Any = model
    for part in location:
        fields = getattr(kind, "model_fields", None)
        kind = fields[part].annotation if fields and part in fields else _value_type(kind)
        kind = _model_in(kind) or kind
    return list(getattr(kind, "model_fields", {}))


def _value_type(kind: Any) -> Any:
    arguments = get_args(kind)
    return arguments[-1] if arguments else kind


def _model_in(kind: Any) -> type[BaseModel] | None:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next((m for m in get_args(kind) if isinstance(m, type) and issubclass(m, BaseModel)), None)
