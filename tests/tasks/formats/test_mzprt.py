"""mZPRT: labels out of the text, documents, domains, splits; texts of our own."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.files import write_text
from discobench.tasks import formats, task
from discobench.tasks.formats.mzprt import unlabelled
from discobench.tasks.zpr import FORMS

SPLITS = ("train", "valid", "test")


def copy(folder: Path, **domains: list[list[str]]) -> Path:
    """Documents of lines ``zh|en`` as mZPRT lays them out."""
    for name, documents in domains.items():
        for side, language in enumerate(("zh", "en")):
            lines = [line for document in documents for line in ["[doc]", *(x.split("|")[side] for x in document)]]
            write_text(folder / f"raw/{name}.{language}", "\n".join([*lines, "[doc]"]))
    return folder


def read(name: str, folder: Path) -> list[dict[str, Any]]:
    outcomes = list(formats.read("mzprt", task(name), folder, SPLITS))
    assert all(reason is None for _, reason in outcomes)
    return [dict(record) for record, _ in outcomes]


@pytest.mark.parametrize(
    ("line", "text", "zeros"),
    [
        ("下雨了，<我>_S没带伞。", "下雨了，没带伞。", [(4, "我", "subject")]),
        ("猫在哪？我没看见<它>_O。", "猫在哪？我没看见。", [(8, "它", "object")]),
        ("他低下<他的>_Pa头", "他低下头", [(3, "他的", "possessive")]),
        ("他低下<他>_Pa头", "他低下头", [(3, "他的", "possessive")]),
        ("不认识<它>_Pa的人", "不认识的人", [(3, "它", "possessive")]),
        ("小心<我的>_Pq鞋", "小心鞋", [(2, "我的", "possessive")]),
        ("<我的>_P天", "天", [(0, "我的", None)]),
        ("<他>_R自己来", "自己来", [(0, "他", "reflexive")]),
        ("<她>_UN走了", "走了", [(0, "她", None)]),
        ("<她>走了", "走了", [(0, "她", None)]),
        ("看了<这>_O", "看了", [(2, "这", "object")]),
        ("<这个>_UN很好", "很好", [(0, "这个", None)]),
        ("<他們>_S走了", "走了", [(0, "他們", "subject")]),
        ("门开了，<它的_Pa声音很大", "门开了，声音很大", [(4, "它的", "possessive")]),
        ("<你>_S9点来，<我>_S等<你>_O", "9点来，等", [(0, "你", "subject"), (4, "我", "subject"), (5, "你", "object")]),
        ("他写过<春江小集>和<Notes on Rain>，^_^", "他写过<春江小集>和<Notes on Rain>，^_^", []),
        ("3<5>我", "3<5>我", []),
    ],
)
def test_labels_leave_the_text_and_keep_their_place(line: str, text: str, zeros: list[tuple[int, str, str]]) -> None:
    found = unlabelled(line)
    assert found[0] == text
    assert [(zero["offset"], zero["pronoun"], zero["role"]) for zero in found[1]] == zeros
    assert [zero["in_inventory"] for zero in found[1]] == [form in FORMS for _, form, _ in zeros]


WORDS = st.text("甲乙丙，。 😀\u3000e\u0301_S>", max_size=4)


@given(st.lists(st.tuples(WORDS, st.sampled_from(FORMS), st.sampled_from(("_S", "_O", "_UN", ""))), max_size=4), WORDS)
def test_putting_the_pronouns_back_gives_the_line(parts: list[tuple[str, str, str]], rest: str) -> None:
    line = "".join(f"{text}<{form}>{role}" for text, form, role in parts) + rest.removeprefix("_")
    text, zeros = unlabelled(line)
    assert [zero["pronoun"] for zero in zeros] == [form for _, form, _ in parts]
    for zero in reversed(zeros):
        text = f"{text[: zero['offset']]}<{zero['pronoun']}>{text[zero['offset'] :]}"
    plain = line
    for role in ("_UN", "_S", "_O"):
        plain = plain.replace(f">{role}", ">")
    assert text.replace(">_S", ">") == plain


def test_documents_bound_the_context_and_files_name_domain_and_split(tmp_path: Path) -> None:
    folder = copy(
        tmp_path,
        Web_Fiction_test=[["天黑了|Dark", "<他>_S点灯|He lit it", "灯亮了|Light"], ["另一本|Other"]],
        Movie_Subtitle_valid=[["走吧|Go"]],
        Personal_Profile=[["简历|CV"]] * 5,
    )
    records = {row["id"]: row for row in read("zpr", folder)}
    lit = records["mzprt:Web_Fiction_test-001:0:1"]
    assert (lit["before"], lit["text"], lit["after"]) == (["天黑了"], "点灯", ["灯亮了"])
    assert (lit["domain"], lit["split"], lit["work_id"]) == ("novel", None, "mzprt:Web_Fiction_test-001")
    assert records["mzprt:Web_Fiction_test-002:0:0"]["before"] == []
    film = records["mzprt:Movie_Subtitle_valid-001:0:0"]
    assert (film["domain"], film["split"]) == ("movie", "valid")
    profiles = [row["split"] for row in records.values() if row["domain"] == "resume"]
    assert profiles == ["test", "test", "test", "valid", "test"]


def test_novels_are_translated_and_cut_into_windows_without_labels(tmp_path: Path) -> None:
    lines = [f"<他>_S说了{n}。|He said {n}." for n in range(6)]
    folder = copy(tmp_path, Web_Fiction_test=[lines], Movie_Subtitle_test=[["走吧|Go"]])
    pairs = read("nt", folder)
    assert [row["source_text"] for row in pairs] == [f"说了{n}。" for n in range(6)]
    assert [row["references"] for row in pairs] == [[f"He said {n}."] for n in range(6)]
    assert {row["document_id"] for row in pairs} == {"mzprt:Web_Fiction_test-001:0"}
    assert {row["split"] for row in pairs} == {None}
    ((window),) = read("ti", folder)
    assert (window["before"], window["target"]) == (["说了0。", "说了1。"], "说了2。")
    assert window["work_id"] == pairs[0]["work_id"]


def test_a_task_without_a_reading_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"tasks\.cct\.files: format mzprt"):
        read("cct", copy(tmp_path, Web_Fiction_test=[["天黑了|Dark"]]))


def test_files_that_differ_are_named(tmp_path: Path) -> None:
    folder = copy(tmp_path, Web_Fiction_test=[["天黑了|Dark", "走吧|Go"]])
    write_text(folder / "raw/Web_Fiction_test.en", "[doc]\nDark\n[doc]")
    with pytest.raises(DiscoError, match=r"Web_Fiction_test\.zh and its \.en differ"):
        read("zpr", folder)


def test_a_folder_without_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"raw/<domain>\.zh"):
        read("zpr", tmp_path)
