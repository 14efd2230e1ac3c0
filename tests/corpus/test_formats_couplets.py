"""Couplets of every style: whole ones are documents, anything else is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Ingested = Callable[..., Any]
COUPLETS = """水流云在\t=>\t月到风来
春 风 得 意 。\t=>\t夏 日 有 情 。
　　上联：一帆风顺
　　下联：万事如意

横批：恭贺新禧
【上联】：半副
这不是对联
上联：山高
下联：水远
　　上联：云开； 　　下联：日出
横批：天晴
上联：花落 上联：花开
"""


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_couplets(tmp_path: Path, ingested: Ingested, encoding: str) -> None:
    (tmp_path / "a.txt").write_bytes(COUPLETS.encode(encoding))
    found = ingested(tmp_path, "line", format="couplets")
    assert [(record["text"], reason) for record, reason in found] == [
        ("水流云在\u3000月到风来", None),
        ("春风得意。\u3000夏日有情。", None),
        ("一帆风顺\u3000万事如意\u3000恭贺新禧", None),
        ("半副", "half a couplet"),
        ("", "no couplet"),
        ("山高\u3000水远", None),
        ("云开\u3000日出\u3000天晴", None),
        ("花落\u3000花开", "half a couplet"),
    ]
