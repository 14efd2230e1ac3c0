"""What servers say when they give no answer: whether more tries may help, and their reason in few words."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from openai import APIStatusError

BUSY = (408, 409, 429)
OVERSPENT = "insufficient_quota"
FINAL = (400, 413, 422, 500)
"""Statuses that may speak of the question, not of the server."""
TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|available context size"
    r"|longer than the (maximum model|model's context) length|too long to fit into the model",
    re.IGNORECASE,
)
"""How OpenAI, vLLM, llama.cpp and SGLang say that a question has no room, as a code, a type or in words."""
LONGEST = 200
"""Characters of a reason: the first of them say what is wrong, later ones may be a page of HTML."""


def final(error: APIStatusError) -> str | None:
    """The status of a question that a server will never answer; None where another question's fate may be its own."""
    said = _said(error)
    if error.status_code in FINAL and any(TOO_LONG.search(text) for text in said):
        return "too_long"
    return "refused" if error.status_code == 400 and "content_filter" in said else None


def passing(error: APIStatusError) -> bool:
    """Whether the same question may be answered later."""
    return error.status_code >= 500 or (error.status_code in BUSY and OVERSPENT not in _said(error))


def told(error: APIStatusError, hidden: Callable[[str], str]) -> str:
    """The status and the server's reason on one line, freed of the key by ``hidden`` before it is shortened."""
    code, kind, words = _said(error)
    text = hidden(": ".join(part for part in (code or ("" if words else kind), words) if part))
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    short = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    return f"status {error.status_code}" + (f" ({short})" if short else "")


def _said(error: APIStatusError) -> tuple[str, str, str]:
    """Code, type and words of a reply; servers put their words in several places."""
    body: Any = error.body
    if not isinstance(body, Mapping):
        return "", "", body if isinstance(body, str) else _compact(body)
    code, kind = (value if isinstance(value := body.get(name), str) else "" for name in ("code", "type"))
    words = next((body[name] for name in ("message", "detail", "error") if body.get(name)), None)
    rest = "" if code or kind else _compact(body)
    return code, kind, words if isinstance(words, str) else _compact(words) or rest


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""
