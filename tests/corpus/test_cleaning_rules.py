"""The rules as data: which lines of raw texts are frames, links and advertisements, and which are the work's own."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from discobench.corpus.clean import unwrapped, without_boilerplate
from discobench.corpus.rules import Rules, read_rules
from discobench.errors import DiscoError

ROOT = Path(__file__).parents[2]

BEGIN = [
    "*** START OF THE PROJECT GUTENBERG EBOOK THE LOST LAMP ***",
    "***START OF THIS PROJECT GUTENBERG EBOOK THE LOST LAMP***",
    "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
    "*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
    "*** START OF THE COPYRIGHTED PROJECT GUTENBERG EBOOK THE LOST LAMP ***",
    "**START OF THE PROJECT GUTENBERG EBOOK THE LOST LAMP**",
]
END = [
    "*** END OF THE PROJECT GUTENBERG EBOOK THE LOST LAMP ***",
    "*** END OF THIS PROJECT GUTENBERG EBOOK THE LOST LAMP ***",
    "End of the Project Gutenberg EBook of The Lost Lamp, by A. Holm",
    "End of Project Gutenberg's The Lost Lamp, by A. Holm",
    "End of The Project Gutenberg Etext of The Lost Lamp",
    "THE FULL PROJECT GUTENBERG™ LICENSE",
    "*** END OF THE COPYRIGHTED PROJECT GUTENBERG EBOOK THE LOST LAMP ***",
    "The End of Project Gutenberg Etext The Lost Lamp",
    "END OF PROJECT GUTENBERG ETEXT THE LOST LAMP",
]
CUT = {
    "en": [
        "[Illustration: the lamp]",
        "[Illustration]",
        "www.example.org",
        "* * * * *",
        "-----",
        "Produced by A. Holm and the team",
        "E-text prepared by A. Holm",
        "Release date: May 1, 2001 [eBook #1]",
        "Page 12",
        "--- Page 12 ---",
        "[Pg 12]",
        "{12}",
        "Next Chapter",
        "-rw-rw-r--  1 1005  100     247438 Feb  4  2001 lamp.txt",
        "drwxr-xr-x 2 a a 4096 Jan 1 00:00 lamps",
        "total 287381",
        "A TRIVIAL STORY FOR SERIOUS PEOPLE ***",
    ],
    "zh": [
        "（本章完）",
        "未完待续……",
        "【未完待续】",
        "全剧终",
        "上一章 | 目录 | 下一章",
        "上一页 返回书页 下一页",
        "更多TXT电子书下载,请访问某某轩:http://www.example.com",
        "更多TXT电子书下载，请访问某某",
        "某电子书：http://www.example.com，手机版：http://m.example.com",
        "手机用户请浏览阅读，更优质的阅读体验。",
        "求月票！求推荐票！",
        "天才一秒记住本站地址",
        "PS：今天还有一更。",
        "版权声明：本站所有电子书本着交流学习的目的",
        "如侵犯了您的版权,请通过Email或电话告知,我们将立即删除！",
        "☆☆☆☆",
        "WWW.EXAMPLE.COM",
        "一秒记住【某某小说网】，精彩小说无弹窗免费阅读！",
        "请记住本站域名：example",
        "请收藏本站",
        "更多精彩小说尽在某某网",
        "本站所有小说均为网友上传",
        "第一次在本站看书的朋友请牢记网址",
        "声明：本书由某某网友上传，版权归作者所有",
        "推荐阅读：某某某",
        "新书上传，求收藏求推荐",
        "感谢书友某某的打赏",
        "【全书完】",
        "『点此报错』『加入书签』",
        "章节错误,点此举报(免注册)",
        "加入书签，方便阅读",
        "&nbsp;&nbsp;",
        "※ ※ ※",
    ],
}
SEAMS = ["----------------------- Page 12-----------------------", "Page 12", "第 12 页"]
KEPT = {
    "en": [
        "She turned the page and read on.",
        "Page after page was blank.",
        "The end of the project was near.",
        "He produced a lamp.",
        "Total darkness fell.",
        "STOP!",
        "[She laughs.]",
    ],
    "zh": [
        "他把书翻到第12页。",
        "下一章他没有写完。",
        "目录上没有他的名字。",
        "他求收藏家把灯卖给他。",
        "更多的人来了。",
        "“本站到了。”她说。",
        "全书他都背得。",
        "第一页是空的。",
        "本站到了，请下车。",
        "天才一秒钟就能想出来的办法，他想了三天。",
        "记住了这句话，他就走了。",
        "记住本站的名字，他对孩子说。",
        "请收藏好你的剑，少年。",
        "更多精彩的故事，都在那一夜之后。",
        "第一次见到她，他就知道。",
        "感谢大人的打赏！",
        "新书都卖完了。",
        "记住，千万不要回头。",
        "请记住，我是你父亲。",
        "记住《红楼梦》里的那句话。",
        "新书发布会定在下周六，他请了很多记者。",
        "新书期间他瘦了十斤。",
        "感谢书友们来茶馆听我说书。",
        "第一次来本站的旅客都要登记。",
    ],
}


def cut(rules: Rules, line: str) -> bool:
    return any(pattern.fullmatch(line) for pattern in (rules.begin, rules.end, rules.lines, rules.seams))


@pytest.mark.parametrize("seam", SEAMS)
def test_a_page_ends_inside_a_paragraph(rules: dict[str, Rules], seam: str) -> None:
    wide = "这是一行被固定宽度折断的文字它还没有说完就到了行尾所以下一行接着说"
    lines, removed = without_boilerplate([wide, "", seam, "", "下去。", "", seam, "　　另一段。"], rules["zh"])
    assert unwrapped(lines, rules["zh"]) == [f"{wide}下去。", "另一段。"]
    assert removed == 2 * len(seam)


@pytest.mark.parametrize("line", BEGIN)
def test_where_gutenbergs_texts_begin(rules: dict[str, Rules], line: str) -> None:
    assert rules["en"].begin.fullmatch(line)
    assert not rules["en"].end.fullmatch(line)


@pytest.mark.parametrize("line", END)
def test_where_gutenbergs_texts_end(rules: dict[str, Rules], line: str) -> None:
    assert rules["en"].end.fullmatch(line)
    assert not rules["en"].begin.fullmatch(line)


@pytest.mark.parametrize(("language", "line"), [(name, line) for name, lines in CUT.items() for line in lines])
def test_lines_that_are_not_the_works(rules: dict[str, Rules], language: str, line: str) -> None:
    assert rules[language].lines.fullmatch(line)


@pytest.mark.parametrize(("language", "line"), [(name, line) for name, lines in KEPT.items() for line in lines])
def test_lines_that_are_the_works(rules: dict[str, Rules], language: str, line: str) -> None:
    assert not cut(rules[language], line)
    assert not rules[language].is_heading(line)


@pytest.mark.parametrize(
    ("language", "line", "said"),
    [
        ("en", "<i>Wait for me.</i>", "Wait for me."),
        ("en", r"{\an8}- I'm here. [door opens]", "I'm here."),
        ("en", "MRS. HOLM: Sit down.", "Sit down."),
        ("en", "♪ la la ♪", "la la"),
        ("en", "(wind howling)", ""),
        ("en", "Subtitles by the night team", ""),
        ("en", "Visit www.example.org", ""),
        ("en", "...", ""),
        ("en", "Stand by me.", "Stand by me."),
        ("en", "We translated it by night.", "We translated it by night."),
        ("zh", "<font color=red>等等我</font>", "等等我"),
        ("zh", "（门响）", ""),
        ("zh", "- 我在这里", "我在这里"),
        ("zh", "翻译：某人 校对：某人", ""),
        ("zh", "某某字幕组荣誉出品", ""),
        ("zh", "时间不早了", "时间不早了"),
    ],
)
def test_what_is_said_in_subtitles(rules: dict[str, Rules], language: str, line: str, said: str) -> None:
    assert rules[language].subtitles.speech(line) == said


def test_gutenbergs_frame_around_a_chinese_text(rules: dict[str, Rules]) -> None:
    start, end = (f"*** {word} OF THE PROJECT GUTENBERG EBOOK 某书 ***" for word in ("START", "END"))
    text = ["Title: 某书", start, "灯灭了。", "End of the Project Gutenberg EBook of 某书, by 某人", end, "LICENSE"]
    assert without_boilerplate(text, rules["zh"])[0] == ["灯灭了。"]


def test_what_follows_the_end_of_a_novel_is_kept(rules: dict[str, Rules]) -> None:
    """Extra chapters stand behind the words that the book is over."""
    lines, _ = without_boilerplate(["灯灭了。", "（全书完）", "番外 雪", "雪停了。"], rules["zh"])
    assert lines == ["灯灭了。", "番外 雪", "雪停了。"]


@pytest.mark.parametrize(
    "change",
    [{"subtitles": {}}, {"subtitles": {"spans": ["("], "lines": []}}, {"subtitles": None}, {"begin": ["["]}],
)
def test_bad_rules_name_file_and_key(tmp_path: Path, change: dict[str, Any]) -> None:
    tree = yaml.safe_load((ROOT / "resources/cleaning/en.yaml").read_text("utf-8"))
    (tmp_path / "en.yaml").write_text(yaml.safe_dump({**tree, **change}), "utf-8")
    with pytest.raises(DiscoError, match=r"en\.yaml"):
        read_rules(tmp_path / "en.yaml")
