"""Alignment of subtitles and recovery of dropped pronouns."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.records import Balance
from discobench.synthesis.alignment import align, aligned, chinese_words, english_words, grow_diag_final_and
from discobench.synthesis.lines import Line, line_of
from discobench.synthesis.pronouns import load_pronouns
from discobench.synthesis.subtitles import marked, read_pairs
from discobench.synthesis.zeros import TRAIL, Synthesis, recover, thinned, zeros_of

PRONOUNS = Path(__file__).parents[2] / "resources" / "zpr" / "pronouns.yaml"
TABLE = load_pronouns(PRONOUNS)
ALIGNED = Synthesis(TABLE)
LINKS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8)


def _line(zh: str, en: str, links: str) -> Line:
    """A line from blank-separated Chinese words and marks, English text, and links of words by their text."""
    words, place, spans = [], 0, []
    for word in zh.split(" "):
        if word.isalnum():
            words.append(word)
            spans.append((place, place + len(word)))
        place += len(word)
    english = english_words(en)
    texts = [en[a:b].lower() for a, b in english]
    pairs = {(words.index(link.split("-")[0]), texts.index(link.split("-")[1])) for link in links.split()}
    pair = {"id": "s:e:0", "source": "s", "work_id": "e", "language": "zh", "split": "train"}
    return line_of(pair | {"zh": zh.replace(" ", ""), "en": en}, aligned("s:e:0", spans, english, pairs))


def _marked(line: Line) -> str:
    text = str(line.pair["zh"])
    for zero in reversed(zeros_of(line, ALIGNED, Counter())):
        text = f"{text[: zero['offset']]}<{zero['form']}:{zero['role'][0]}>{text[zero['offset'] :]}"
    return text


@pytest.mark.parametrize(
    ("zh", "en", "links", "expected"),
    [
        ("昨天 没 来", "He did n't come yesterday", "没-n't 来-come 昨天-yesterday", "<他:s>昨天没来"),
        ("好 ， 很 忙", "Good, I am busy today", "好-good 很-am 忙-busy", "好，<我:s>很忙"),
        ("为什么 哭", "Why are you crying?", "为什么-why 哭-crying", "<你:s>为什么哭"),
        ("看见 了", "We saw her.", "看见-saw", "<我们:s>看见了<她:o>"),
        ("妈妈 来 了", "My mother is here.", "妈妈-mother 来-here", "<我的:p>妈妈来了"),
        ("我 看见 妈妈", "I saw my mother.", "看见-saw 妈妈-mother", "我看见<我的:p>妈妈"),
        ("下雨 了", "It is raining.", "下雨-raining", "下雨了"),
        ("车 坏 了", "You know, the car broke.", "车-car 坏-broke", "车坏了"),
        ("来 吧", "You two come.", "来-come", "<你们:s>来吧"),
        ("谢谢", "Thank you.", "谢谢-thank", "谢谢<你:o>"),
        ("车 坏 了", "Thank you, the car broke.", "车-car 坏-broke", "车坏了"),
        ("知道 吗", "You know?", "知道-know", "<你:s>知道吗"),
        ("走 吧", "Let us go.", "走-go", "走吧"),
        ("很 难 说", "It is hard to say.", "难-hard 说-say", "很难说"),
        ("太 晚 了", "It was late.", "晚-late", "<它:s>太晚了"),
        ("都 办好 了", "It is all done.", "都-it 办好-done", "都<它:s>办好了"),
        ("我 看见 了", "I saw her.", "看见-saw", "我看见了<她:o>"),
    ],
)
def test_pronouns_come_back_where_their_neighbours_are(zh: str, en: str, links: str, expected: str) -> None:
    assert _marked(_line(zh, en, links)) == expected


def test_they_are_what_the_lines_before_call_them() -> None:
    line = _line("走 了", "They left.", "走-left")
    befores = ([], ["她们在"], ["它们叫", "她们在他们家"])
    found = [zeros_of(line, ALIGNED, Counter(), before)[0]["form"] for before in befores]
    assert found == ["他们", "她们", "他们"]


def test_roles_that_are_not_wanted_are_counted_and_left() -> None:
    counts: Counter[str] = Counter()
    found = zeros_of(_line("看见 了", "We saw her.", "看见-saw"), Synthesis(TABLE, ["object"]), counts)
    assert [zero["form"] for zero in found] == ["她"] and counts == {"recovered": 1, "role not wanted": 1}


@pytest.mark.parametrize(
    ("text", "pronouns"), [("我会来", ["我"]), ("谢谢你们", ["你们"]), ("其他人也来", []), ("你好，吉他手", [])]
)
def test_pronouns_are_words_of_their_own_unless_they_are_of_nobody(text: str, pronouns: list[str]) -> None:
    words = [text[a:b] for a, b in chinese_words(text)]
    assert [word for word in words if word in TABLE.forms] == pronouns


def test_what_was_not_recovered_is_counted() -> None:
    counts: Counter[str] = Counter()
    for line in (
        _line("他 走", "He left", "走-left"),
        _line("好", "She did it", ""),
        _line("我 走", "I go", "我-i 走-go"),
    ):
        zeros_of(line, ALIGNED, counts)
    assert counts == {"realised in Chinese": 1, "no neighbour is aligned": 2, "aligned": 1}


def test_records_have_context_of_their_episode_only() -> None:
    lines = [_line("走 吧", "We go", "走-go") for _ in range(3)]
    lines.append(_other(lines[0]))
    trail: list[dict[str, Any]] = []
    records = recover(lines, ALIGNED, Counter(), trail)
    assert [(len(r["before"]), len(r["after"])) for r in records] == [(0, 2), (1, 1), (2, 0), (0, 0)]
    assert records[0]["zeros"][0]["pronoun"] == "我们"
    assert [(row["english"], row["english_index"], row["form"]) for row in trail] == [("we", 0, "我们")] * 4
    assert all(set(row) == set(TRAIL.names) for row in trail)


def _other(line: Line) -> Line:
    return Line(dict(line.pair) | {"work_id": "f"}, line.zh, line.zh_words, line.en, line.en_words, line.links)


def test_the_inventory_has_the_thirty_forms_each_where_it_belongs() -> None:
    assert len(TABLE.forms) == 30
    assert TABLE.english["our"]["form"] == "我们的" and TABLE.english["yourselves"]["form"] == "你们自己的"


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("he: {form: 他,", "he: {form: 牠,", "he: form '牠' is not among `forms`"),
        ("role: either", "role: both", "english.you.role: found 'both'"),
        ('"true"', "true", "expletive.judged.8: found True"),
        ("questions:", "question:", "questions: this key is missing"),
        ("  addressing:", "  # addressing:", "it needs lists of connectives, times, embedding, addressing"),
    ],
)
def test_a_fault_of_the_table_is_named(tmp_path: Path, was: str, now: str, said: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(PRONOUNS.read_text("utf-8").replace(was, now, 1), encoding="utf-8")
    with pytest.raises(DiscoError, match=re.escape(said)):
        load_pronouns(path)


@given(LINKS, LINKS)
def test_symmetrised_links_lie_between_intersection_and_union(forward: Any, backward: Any) -> None:
    assert forward & backward <= grow_diag_final_and(forward, backward) <= forward | backward


def test_growing_takes_neighbours_of_free_words_then_free_pairs() -> None:
    assert grow_diag_final_and({(0, 0), (0, 1), (3, 3)}, {(0, 0), (0, 4)}) == {(0, 0), (0, 1), (3, 3)}


def test_words_of_both_languages_have_exact_places() -> None:
    text = "我们不知道，\u3000他来了。"
    assert "".join(text[a:b] for a, b in chinese_words(text)) == "我们不知道他来了"
    en = "She didn’t say it’s John's."
    assert [en[a:b] for a, b in english_words(en)] == ["She", "did", "n’t", "say", "it", "’s", "John", "'s"]


def test_eflomal_learns_a_toy_bitext() -> None:
    table = {
        "猫": "cat",
        "狗": "dog",
        "跑": "runs",
        "睡": "sleeps",
        "看": "looks",
        "鱼": "fish",
        "红": "red",
        "大": "big",
    }
    words = sorted(table)
    pairs = []
    for n in range(400):
        zh = [words[(n * k + k) % 8] for k in (1, 3, 5)]
        pairs.append((zh, [table[w] for w in zh]))
    found = align([*pairs, ([], ["nothing"])], seed=1)
    assert align([*pairs, ([], ["nothing"])], seed=1) == found
    right = sum(table[zh[a]] == en[b] for (zh, en), links in zip(pairs, found, strict=False) for a, b in links)
    assert right / sum(map(len, found)) > 0.9 and found[-1] == set()


def test_pairs_are_read_and_counted(tmp_path: Path) -> None:
    (tmp_path / "e.zh").write_text("走吧\n\n来\u2028了\n", encoding="utf-8")
    (tmp_path / "e.en").write_text("Go\nEmpty\nCome\n", encoding="utf-8")
    balance = Balance("align")
    rows = list(read_pairs(tmp_path, {"valid": 1.0}, 1, balance))
    assert [(r["id"], r["zh"], r["split"]) for r in rows] == [
        ("subtitles:e:0", "走吧", "valid"),
        ("subtitles:e:2", "来\u2028了", "valid"),
    ]
    assert (balance.kept, balance.dropped) == (2, {"one side is empty": 1})


def test_other_forms_of_an_episode_are_left_out(tmp_path: Path) -> None:
    for name, text in {"7.zh": "走吧", "7.en": "Go", "7.np.tk.zh": "走 吧", "7.tk.lc.en": "go"}.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    rows = list(read_pairs(tmp_path, {"valid": 0.1}, 1, Balance("align")))
    assert [(row["id"], row["zh"], row["en"]) for row in rows] == [("subtitles:7:0", "走吧", "Go")]


@pytest.mark.parametrize(
    ("zh", "en", "wanted"),
    [
        ("好的  我来", "Fine. I'll come.", "好的，我来。"),
        ("走吗", "Shall we go?", "走吗？"),
        ("快走 阿宁", '"Run, A Ning!"', "快走，阿宁！"),
        ("好 OK 3 点", "Okay, at three", "好，OK 3 点。"),
        ("等等... 是谁", "Wait... who is it?", "等等... 是谁"),
        ("走吧。", "Let's go!", "走吧。"),
    ],
)
def test_lines_without_punctuation_get_that_of_prose(zh: str, en: str, wanted: str) -> None:
    assert marked(zh, en) == wanted


def test_marks_are_given_before_zeros_are_placed(tmp_path: Path) -> None:
    (tmp_path / "7.zh").write_text("好的 走吧\n", encoding="utf-8")
    (tmp_path / "7.en").write_text("Fine. Let's go!\n", encoding="utf-8")
    texts = [[row["zh"] for row in read_pairs(tmp_path, {"valid": 0.1}, 1, Balance("a"), on)] for on in (False, True)]
    assert texts == [["好的 走吧"], ["好的，走吧！"]]


def test_faulty_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"no \.zh file"):
        list(read_pairs(tmp_path, {"valid": 0.1}, 1, Balance("align")))
    (tmp_path / "e.zh").write_text("一\n二\n", encoding="utf-8")
    (tmp_path / "e.en").write_text("one\n", encoding="utf-8")
    with pytest.raises(DiscoError, match="2 lines"):
        list(read_pairs(tmp_path, {"valid": 0.1}, 1, Balance("align")))


def test_lines_without_a_zero_are_thinned_and_no_other() -> None:
    records = [{"id": f"s:e:{n}", "zeros": [{"offset": 0}] if n % 5 == 0 else []} for n in range(1000)]
    kept = [record for record, reason in thinned(records, 0.25) if reason is None]
    assert [record for record in kept if record["zeros"]] == records[::5]
    assert 150 < sum(not record["zeros"] for record in kept) < 250
    assert kept == [record for record, reason in thinned(records, 0.25) if reason is None]
    assert all(reason is None for _, reason in thinned(records, 1.0))
