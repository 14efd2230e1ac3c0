"""What an answer in words says, without what models put around it: thoughts, fences, JSON, labels, explanations."""

import json
import re
from typing import Any

THOUGHT = re.compile(r"^.*</think(?:ing)?>|<think(?:ing)?>.*$", re.DOTALL | re.IGNORECASE)
"""Reasoning, whose opening tag some servers leave out; where the closing one is missing all of it is reasoning."""
FENCE = re.compile(r"```[^\n`]*\n(.*?)\n?[ \t]*```", re.DOTALL)
WORDS = (
    r"(?:(?:final|best|correct|missing|expanded|english|chinese|modern|completed)\s+)*"
    r"(?:answer|translation|speakers?|text|sentences?|version|expansion|continuation|completion|output|result|number|"
    r"confidence|choice)"
    r"|(?:最终|正确|参考|缺失的?|补全的?|扩写后?的?|现代文|白话文?|英文|英语|中文)*"
    r"(?:答案|回答|译文|翻译|文本|句子|续写|补写|结果|输出|说话人|说话者|置信度|选项|编号)"
)
LABEL = re.compile(rf"^[*_#>\s]*(?:the\s+)?(?:{WORDS})[*_\s]*(?:is|are|是|为)?\s*[:：=][*_\s]*", re.IGNORECASE)
LEAD = re.compile(
    r"^(?:(?:sure|certainly|of course|okay|ok|好的|当然|没问题)[\s,.!，。！:：]*)?"
    r"(?:here(?:'s|’s| is| are)|below is|the following is|以下(?:是|为)|下面是|这是)[^\n]{0,80}[:：][*_]*[ \t]*\n",
    re.IGNORECASE,
)
TAIL = re.compile(
    r"\n\s*\n[*_#>(（\[\s]*(?:note|explanation|reason|reasoning|translator['’]s note|注释?|说明|解释|解析|理由)"
    r"[*_\s]*[:：].*$",
    re.DOTALL | re.IGNORECASE,
)
BOLD = re.compile(r"(\*\*|__)(.+)\1", re.DOTALL)
QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ('"', '"'), ("'", "'"), ("‘", "’"))
KEYS = ("answer", "translation", "text", "output", "result", "答案", "译文")
"""Where an object of JSON has its answer, if it has several texts."""
ROUNDS = 5
REFUSAL = re.compile(
    r"(?:i[’']?m|i am)?\s*(?:very |really )?(?:sorry|afraid|unfortunately|i apologi[sz]e)\b[^.!?\n“\"]{0,60}?"
    r"(?:i|we)\s*(?:can[’']?t|cannot|can not|am (?:not able|unable)|won[’']?t|will not)\b[^.!?\n“\"]{0,30}?"
    r"(?:assist|help (?:you )?with|comply|fulfil|provide|translate|continue|generate|create|complete|answer|expand)"
    r"|i\s+(?:can[’']?t|cannot|am unable to|won[’']?t)\s+(?:assist|comply|fulfil|help (?:you )?with (?:that|this))"
    r"|as an? (?:ai|artificial intelligence|(?:large )?language model)\b"
    r"|(?:非常|很)?(?:抱歉|对不起)[，,。\s]*(?:但)?(?:我|本模型)?(?:暂时|目前)?(?:无法|不能|没办法)"
    r"(?:为你|为您|给您|给你)?(?:提供|协助|帮助|翻译|回答|完成|继续|满足|处理|生成|续写|扩写)"
    r"|我(?:无法|不能)(?:为你|为您|给您|给你)?(?:提供|协助|翻译|回答|满足|处理|生成|续写|扩写)"
    r"|作为(?:一个|一名|一款)?(?:ai|人工智能|大?语言模型)",
    re.IGNORECASE,
)


def bare(answer: str) -> str:
    """The answer itself, blanks at its edges gone; empty where there are only thoughts."""
    text = THOUGHT.sub("", answer).strip()
    for _ in range(ROUNDS):
        before = text
        text = _inside(TAIL.sub("", LABEL.sub("", LEAD.sub("", text + "\n"))).strip())
        if text == before:
            break
    return text


def refuses(text: str) -> bool:
    """Whether an answer begins as models decline in words. Speech in quotation marks is a text."""
    return REFUSAL.match(THOUGHT.sub("", text).strip()) is not None


def strip_quotes(text: str) -> str:
    """``text`` without blanks and without one pair of quotation marks around the whole of it."""
    text = text.strip()
    return text[1:-1].strip() if quoted(text) else text


def quoted(text: str) -> bool:
    """Whether one pair of quotation marks encloses all of it; “one” and “two” are not enclosed by one."""
    pair = next((pair for pair in QUOTES if len(text) > 1 and (text[0], text[-1]) == pair), None)
    return pair is not None and _closed_once(text, *pair)


def _closed_once(text: str, left: str, right: str) -> bool:
    if left == right:
        return left not in text[1:-1]
    depth = 0
    for character in text[:-1]:
        depth += (character == left) - (character == right)
        if depth == 0:
            return False
    return depth == 1


def _inside(text: str) -> str:
    """What the only fence, an object of JSON or marks of bold text hold."""
    fences = FENCE.findall(text)
    if len(fences) == 1 and (text.startswith("```") or text.endswith("```")):
        return str(fences[0]).strip()
    if text.startswith(("{", "[")):
        return _of_json(text)
    bold = BOLD.fullmatch(text)
    return bold[2].strip() if bold and bold[1] not in bold[2] else text


def _of_json(text: str) -> str:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(found, dict):
        found = next(
            (found[key] for key in KEYS if key in found), next(iter(found.values())) if len(found) == 1 else text
        )
    if isinstance(found, list) and found and all(isinstance(part, str) for part in found):
        return "\n".join(found)
    return str(found).strip() if isinstance(found, str | int | float) and not isinstance(found, bool) else text
