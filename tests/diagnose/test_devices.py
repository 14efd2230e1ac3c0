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
    ("substitution", "zh", ["1998年，我们搬到了海边。"], "«那年»冬天特别冷。", "1998年", "time"),
    ("synonyms", "zh", ["妈妈打来电话。"], "他没有听«母亲»的话。", "奶奶", "noun"),
    ("synonyms", "en", ["She was glad."], "Her brother looked «happy», too.", "sad", "adjective"),
    ("ellipsis", "en", ["“How many apples do you want?”"], "“Four«»,” he said.", " apples", "noun"),
    ("substitution", "en", ["He had two hats."], "She wanted «some», but the shop was closed.", "some hats", "noun"),
    ("substitution", "en", ["“Does she like the city?”"], "“She «does»,” he said.", "likes the city", "verb"),
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
    ("substitution", "en", ["He sold the boat."], "I think «so».", "he sold the boat", "clause"),
    ("substitution", "en", ["He opened the chest."], "Lin «did the same».", "opened the chest", "verb"),
    ("substitution", "en", ["In March 1901 they met."], "She was poor «then».", "In March 1901", "time"),
    ("substitution", "zh", ["他喜欢苹果和葡萄。"], "«后者»更甜。", "葡萄", "noun"),
    ("ellipsis", "en", ["Her hat was red."], "«Mine» is blue.", "My hat", "noun"),
    ("ellipsis", "zh", ["他买了三匹马。"], "后来卖了两匹«»。", "马", "noun"),
    ("reference", "en", ["The boys laughed."], "Lan saw «them».", "him", "number"),
    ("conjunction", "en", ["The princess left."], "«However», she hid in a wood.", "Therefore", "adversative → causal"),
    ("conjunction", "en", ["It rained."], "«Since» she was ill, Lan stayed.", "Although", "temporal → adversative"),
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


LEFT_ALONE = {
    "repetition": [
        ("zh", "他走了。", "客栈关了门。"),  # nothing is repeated
        ("zh", "她睁大眼睛。", "桌上有个大眼睛娃娃。"),  # a part of another noun
        ("en", "He bought a watch.", "They watch the river."),  # a verb
        ("en", "She lost her ring.", "He rings at noon."),
    ],
    "synonyms": [
        ("zh", "他很英俊。", "他真的很英俊。"),  # the same word, no synonym
        ("zh", "这件事很简单。", "人们容易入睡。"),  # says how easily
        ("en", "She was glad.", "He delighted in long walks."),  # a verb
        ("en", "They went by a narrow road.", "He lost his way home."),  # a way of another kind
        ("en", "His gaze fell on her.", "She began to stare."),  # a verb
        ("en", "The small house stood empty.", "He spoke very little."),  # an adverb
    ],
    "reference": [
        ("zh", "", "他走了。"),  # nobody he may be
        ("zh", "李明来了。", "其他人没有来。"),  # 他 is part of a word
        ("zh", "李明来了。", "你听说过吗？"),  # whoever is spoken to
        ("en", "Lan looked out.", "It is raining."),  # refers to nothing
        ("en", "Lan looked out.", "As it seems, the rain had stopped."),
    ],
    "conjunction": [
        ("zh", "李明来了。", "他可能走了。"),
        ("zh", "李明来了。", "他说的，只是想想而已。"),  # merely
        ("en", "He came.", "She stood still."),
        ("en", "He came.", "She stayed a little while with him."),  # a noun
        ("en", "He came.", "He looked as though he knew."),
        ("en", "He came.", "So much the better."),
        ("en", "He came.", "He has slept since noon."),
        ("en", "He came.", "He has lived there ever since they met."),
        ("en", "She was pretty.", "There was rain, and the town slept."),  # too weak to be missed
        ("en", "He came.", "Lan left, after half an hour."),  # a preposition
    ],
    "substitution": [
        ("zh", "李明来了。", "当时他在家。"),  # no time was named
        ("zh", "这首歌问世73年来，无人不知。", "当时他正在恋爱。"),  # how long, not when
        ("zh", "他等了三百年。", "当时他饶了那人。"),
        ("zh", "今天我很累。", "那天晚上他没有睡。"),  # today is no such day
        ("zh", "1932年他去了法国。", "我以为当时的他很穷。"),  # only describes him
        ("zh", "他穿着衬衫。", "领导提携给人留下好感的那个。"),  # another noun is meant
        ("zh", "树下有老鼠。", "这些都是不可缺少的。"),
        ("zh", "我买了两本书。", "另一个是红的。"),  # another measure
        ("en", "He left the house.", "What should we do?"),
        ("en", "The dress is red.", "One day he left."),
        ("en", "She lost an eye.", "He is a tough one."),  # says nothing of which
        ("en", "Lan closed her eyes.", "This was a big one."),  # nothing that there are several of
        ("en", "He had two horses.", "I like the new one."),  # another number
        ("en", "Watch the road.", "He bought a new one."),  # a verb, no watch
        ("en", "There was a box and a book.", "They looked at one another."),
        ("en", "He saw the towns.", "He went from one place to another."),
        ("en", "The girls came.", "She was cleverer than the others."),
        ("en", "He left the house.", "She ran faster than he did."),  # stands for what the sentence says itself
        ("en", "He left the house.", "She ran away, and so he did."),
        ("en", "I will see you tomorrow.", "Nobody was there at that time."),
        ("en", "Mr. and Mrs. Hill smiled.", "It does you credit that you think so."),
        ("zh", "两个月后，他来了。", "那天晚上下着雨。"),  # no day
    ],
    "ellipsis": [
        ("zh", "三个人来了。", "他们有三个孩子。"),  # nothing is left out
        ("zh", "来了几个老道。", "他来找他姊妹两个。"),  # sums them up
        ("zh", "整个剧院有三个部分。", "屋顶一个盖着一个。"),  # one by one
        ("zh", "李明回到家。", "王芳看见一只猫。"),  # has its subject
        ("zh", "李明走了过去，说：“好！", "看见了吗？”"),  # somebody else is spoken to
        ("zh", "他非常惊讶。", "可见读书很重要。"),  # done by nobody
        ("en", "He sold the boat.", "Why did he?"),
        ("en", "He opened the chest.", "Lin did."),  # a substitution
        ("en", "He opened the chest.", "Lin wanted to leave."),
        ("en", "He opened the chest.", "Lin did not go to the inn she came to."),
        ("en", "He had two horses.", "It was half past two."),  # times of day
        ("en", "He had two horses.", "She came at seven."),
        ("en", "He had two horses.", "The clock struck three, and they left."),
        ("en", "He had two horses.", "Tom was about thirty, and not handsome."),  # an age
        ("en", "He had two horses.", "You cannot be more than twenty."),
        ("en", "He had two horses.", "He died in nineteen hundred."),  # a year
        ("en", "He had two horses.", "It was many, many years ago."),
        ("en", "He had two horses.", "They lost, seven to five."),  # a score
        ("en", "He had two horses.", "He has two-thirds of it."),
        ("en", "He opened the chest.", "She ran as fast as she could."),  # what the sentence says itself
        ("en", "He opened the chest.", "You may, in fact, be wrong."),  # the verb is still to come
        ("en", "He opened the chest.", "I wanted to... have a home."),
        ("en", "He opened the chest. It was late.", "No, she didn't."),  # another thing was said last
        ("en", "Did you want to talk?", "No, I don't."),  # does not want to
        ("en", "Her sister came.", "A friend of hers came with my father and yours."),
        ("en", "Her sister came.", "They are ours, yours and mine."),
        ("zh", "桌上有一张纸条。", "一张是给国王的，一张是给王后的。"),
    ],
}
TOUCHED_NOT = [(device, *row) for device, rows in LEFT_ALONE.items() for row in rows]


@pytest.mark.parametrize(("device", "language", "before", "text"), TOUCHED_NOT)
def test_what_is_no_device_is_left_alone(device: str, language: str, before: str, text: str) -> None:
    assert found(device, language, [before] if before else [], text) == []


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
