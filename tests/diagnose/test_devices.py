"""Every row of Tables 3 and 4 by sentences of our own, and by the paper's where it is at hand."""

import os
import re
from pathlib import Path

import pytest

from discobench.diagnose.devices import DEVICES, broken
from discobench.diagnose.lexicon import lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.suite import TYPES

# Device, language, sentences before, the sentence with the changed part in «», what may replace it, its class.
ROWS = [
    ("repetition", "zh", ["阿青昨天去了客栈。"], "离开«客栈»以后，他遇到了老王。", "书店", "place"),
    ("synonyms", "zh", ["他生得十分英俊。"], "谁都说这样«俊美»的人少有。", "丑陋", "adjective"),
    ("ellipsis", "zh", ["“你要几亩水田？”掌柜问。"], "“大概三亩«»吧。”", "水田", "noun"),
    ("substitution", "zh", ["星期三晚上我们去看戏。"], "«当时»下着大雨。", "星期三晚上", "time"),
    ("reference", "zh", ["李明吓了一跳。"], "«他»马上停了下来。", "她", "gender"),
    ("conjunction", "zh", ["阿青有些累。"], "«不过»，现在回家太早了。", "所以", "adversative → causal"),
    ("conjunction", "zh", ["小猫跳出院子。"], "«最后»它躲进了竹林。", "然而", "temporal → adversative"),
    ("repetition", "zh", ["老人的右臂受了伤。"], "但他觉得«右臂»不疼了。", "左手", "body"),
    ("ellipsis", "zh", ["他走进院子。"], "«»看见一只黑猫。", "他", "subject"),
    ("substitution", "zh", ["桌上有一个盒子。"], "«另一个»是红的。", "另一个盒子", "noun"),
    ("repetition", "en", ["She walked to the inn."], "The «inn» was closed.", "tavern", "place"),
    ("synonyms", "en", ["She wore a new dress."], "The «frock» was red.", "hat", "noun"),
    ("ellipsis", "en", ["He had four horses."], "She had only two«».", " horses", "noun"),
    ("ellipsis", "en", ["He sold the boat."], "Nobody knew why«».", " he sold the boat", "clause"),
    ("ellipsis", "en", ["They wanted to open the chest."], "But they could not«».", " open the chest", "verb"),
    ("ellipsis", "en", ["He opened the chest."], "Lin did not«».", " open the chest", "verb"),
    ("ellipsis", "en", ["He opened the chest."], "Lin was afraid, but she wanted to«».", " open the chest", "verb"),
    ("ellipsis", "en", ["He opened the chest."], "“You don’t have to«»,” she said.", " open the chest", "verb"),
    ("substitution", "en", ["Lin bought a blue dress."], "I like the red «one».", "dress", "noun"),
    ("substitution", "en", ["Who opened the door?"], "She «did».", "opened the door", "verb"),
    (
        "substitution",
        "en",
        ["They came on Friday evening."],
        "It was raining «at that time».",
        "on Friday evening",
        "time",
    ),
    ("reference", "en", ["King Wen looked at Lan with a smile."], "«He» thinks that Lan is odd.", "She", "gender"),
    ("reference", "en", ["The boys laughed."], "Lan saw «them».", "him", "number"),
    ("conjunction", "en", ["The princess left."], "«However», she hid in a wood.", "Therefore", "adversative → causal"),
    ("conjunction", "en", ["It rained."], "Lan stayed «because» she was ill.", "although", "causal → adversative"),
]


def found(device: str, language: str, before: list[str], text: str) -> list[Change]:
    return broken(device, Scene(language, tuple(before), text), lexicon(language))


@pytest.mark.parametrize(("device", "language", "before", "marked", "wrong", "name"), ROWS)
def test_each_row_of_the_tables(
    device: str, language: str, before: list[str], marked: str, wrong: str, name: str
) -> None:
    start, end = marked.index("«"), marked.index("»") - 1
    changes = found(device, language, before, re.sub("[«»]", "", marked))
    (own,) = [change for change in changes if (change.start, change.end) == (start, end)]
    assert (wrong, name) in own.wrong


@pytest.mark.parametrize(
    ("device", "language", "before", "text"),
    [
        ("repetition", "zh", ["他走了。"], "客栈关了门。"),  # nothing is repeated
        ("synonyms", "zh", ["他很英俊。"], "他真的很英俊。"),  # the same word, no synonym
        ("reference", "zh", [], "他走了。"),  # nobody he may be
        ("reference", "zh", ["李明来了。"], "其他人没有来。"),  # 他 is part of a word
        ("reference", "en", ["Lan looked out."], "It is raining."),  # refers to nothing
        ("conjunction", "zh", ["李明来了。"], "他可能走了。"),
        ("conjunction", "en", ["He came."], "She stood still."),
        ("substitution", "zh", ["李明来了。"], "当时他在家。"),  # no time was named
        ("substitution", "en", ["He left the house."], "What should we do?"),
        ("substitution", "en", ["The dress is red."], "One day he left."),
        ("ellipsis", "zh", ["三个人来了。"], "他们有三个孩子。"),  # nothing is left out
        ("ellipsis", "en", ["He sold the boat."], "Why did he?"),
        ("ellipsis", "en", ["He opened the chest."], "Lin did."),  # a substitution
        ("ellipsis", "en", ["He opened the chest."], "Lin wanted to leave."),
        ("ellipsis", "en", ["He opened the chest."], "Lin did not go to the inn she came to."),
    ],
)
def test_what_is_no_device_is_left_alone(device: str, language: str, before: list[str], text: str) -> None:
    assert found(device, language, before, text) == []


def test_a_replacement_is_new_and_fits_its_article() -> None:
    (change,) = found("repetition", "en", ["He had an apple and a pear."], "She ate an apple.")
    assert {new for new, _ in change.wrong} == {"egg", "onion"}


def test_plurals_stay_plurals_and_capitals_capitals() -> None:
    (change,) = found("repetition", "en", ["The women left."], "Women are wise.")
    assert ("Girls", "person") in change.wrong
    assert {("Thieves", "person"), ("Men", "person")} < set(change.wrong)


def test_there_is_a_device_for_each_type() -> None:
    assert tuple(DEVICES) == TYPES


@pytest.fixture(scope="module")
def paper() -> str:
    if "DISCOBENCH_PAPER" not in os.environ:
        pytest.skip("DISCOBENCH_PAPER is not set")
    return (Path(os.environ["DISCOBENCH_PAPER"]) / "paper.txt").read_text("utf-8")


def table3(paper: str) -> dict[str, tuple[str, str, str, list[str]]]:
    """By type: the sentence before, the one with the device, what stands there, and what replaces it."""
    rows = {}
    for line in paper.partition("Table 3:")[2].partition("4.1 Definition")[0].split("\n"):
        if line.count("\t") == 2 and not line.startswith("Type\t"):
            name, example, change = line.split("\t")
            chinese = example.split("(")[0].replace("$\\emptyset$ ", "").strip()
            before, after = re.split(r" … |, … |。", chinese, maxsplit=1)
            old, new = change.split("(")[0].replace("$\\emptyset$", "").split("$\\rightarrow$")
            rows[name.lower()] = before, after, old.strip(), re.findall(r"[^\[\]|…\s]+", new)
    return rows


@pytest.mark.parametrize("device", TYPES)
def test_table_3_of_the_paper(paper: str, device: str) -> None:
    before, after, old, new = table3(paper)[device]
    changes = found(device, "zh", [before], after)
    wrong = [text for change in changes if after[change.start : change.end] == old for text, _ in change.wrong]
    assert set(new) <= set(wrong)


@pytest.mark.parametrize(
    ("heading", "device", "before", "right", "wrong", "language"),
    [
        ("Conj.", "conjunction", "Context", "Correct", "Incorrect", "zh"),
        ("Refe.", "reference", "Context", "Correct", "Incorrect", "en"),
        ("Repe.", "repetition", "Context", "Correct", "Incorrect", "zh"),
    ],
)
def test_table_4_of_the_paper(
    paper: str, heading: str, device: str, before: str, right: str, wrong: str, language: str
) -> None:
    line = re.search(rf"^{re.escape(heading)}\t.*(?:\n(?!\w+\.\t|Ranking).*)*", paper.partition("Table 4:")[2], re.M)
    assert line is not None
    first, correct, incorrect = (
        re.search(rf"\b{name}: ([^(\n]*?)(?= *(?:\(|Incorrect|Current|$))", line[0], re.M)
        for name in (before, right, wrong)
    )
    assert first and correct and incorrect
    context = first[1] if language == "zh" else "King Ding looked at Qingshuang with a smile."
    texts = [
        correct[1][: change.start] + new + correct[1][change.end :]
        for change in found(device, language, [context], correct[1])
        for new, _ in change.wrong
    ]
    if language == "zh":
        assert incorrect[1] in texts
    else:  # there the paper changes more than the pronoun
        assert incorrect[1].split()[0] in [text.split()[0] for text in texts]
