"""What a chat completion says, whatever else stands in the reply or is wrong with it."""

import json
import re
from typing import Any, TypeVar

from discobench.decode.cache import Answer

T = TypeVar("T")
HALF = re.compile("[\ud800-\udfff]")
NO_REPLY = "a reply that is no chat completion"


def read(body: bytes) -> Answer:
    """The first choice of a reply; raises ValueError when it is no chat completion.

    Counts of tokens that are no counts are left out: the answer is there, and has to be paid.
    """
    try:
        reply = _of(json.loads(body), dict)
    except RecursionError as error:
        raise ValueError(NO_REPLY) from error
    choice = _of((_of(reply.get("choices"), list) or [None])[0], dict)
    message, (finish, _) = _of(choice.get("message"), dict), _whole(_text(choice.get("finish_reason")))
    refusal = _text(message.get("refusal"))
    text, escaped = _whole(refusal or _text(message.get("content")))
    status = "refused" if refusal or finish == "content_filter" else "ok" if text.strip() else "empty"
    model = reply.get("model")
    served = _whole(model)[0] if isinstance(model, str) else ""
    return Answer(text, status, finish, *_counted(reply.get("usage")), escaped, served)


def _of(value: Any, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise ValueError(NO_REPLY)
    return value


def _whole(text: str) -> tuple[str, int]:
    """A text that can be written, and how many halves of characters are escaped in it."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8"), len(HALF.findall(text))


def _text(value: Any) -> str:
    """A text, or those of a list of parts; parts of other types (thoughts, pictures) are no part of an answer."""
    if isinstance(value, list):
        return "".join(_part(part) for part in value)
    return "" if value is None else _of(value, str)


def _part(value: Any) -> str:
    part = {"text": value} if isinstance(value, str) else _of(value, dict)
    return _of(part.get("text") or "", str) if part.get("type", "text") in ("text", "output_text") else ""


def _counted(usage: Any) -> tuple[int | None, int | None]:
    names = ("prompt_tokens", "completion_tokens")
    question, answer = (usage.get(name) if isinstance(usage, dict) else None for name in names)
    if any(type(count) is not int or count < 0 for count in (question, answer)):
        return None, None
    return question, answer
