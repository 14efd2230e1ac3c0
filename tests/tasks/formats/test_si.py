"""Formats of SI: masks and aliases become names in place, and overlapping excerpts stay together."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.files import write_json, write_text
from discobench.tasks import formats, task
from discobench.tasks.build import divide, placed
from discobench.tasks.formats._speakers import Excerpt, Names, records
from discobench.tasks.formats._stretches import SHARED, stretches

SPLITS = ("train", "valid", "test")
NAMES = "\ufeff1 林大山 大山\n0 周小雨 小雨 雨\n1 老吴\n"
PIECES = st.text(st.sampled_from("雨停了。，：！?🙂👩‍👧　Ａ１é\u0301\u200d“”‘ \t"), max_size=12)


def outcomes(name: str, folder: Path) -> list[tuple[dict[str, Any], str | None]]:
    return [(dict(row), reason) for row, reason in formats.read(name, task("si"), folder, SPLITS)]


def instance(text: Sequence[str], target: int = 1, **changes: Any) -> dict[str, Any]:
    shape = {"text": text, "target_idx": target, "dialogue_idxes": [target], "speaker_ids": ["1"]}
    return {"ws": 10, **shape, "roleid2idx": {"1": "[C0]", "0": "[C1]"}, "roleid2poses": {}, **changes}


def spc(folder: Path, instances: dict[str, Any], printed: str | None = None, part: str = "train") -> Path:
    write_text(folder / "name_list.txt", NAMES)
    write_json(folder / part / f"{part}_instances.json", instances)
    if printed is not None:
        write_text(folder / part / f"{part}_unsplit.txt", printed)
    return folder


def test_masks_become_names_and_the_speaker_stands_where_it_is_nearest(tmp_path: Path) -> None:
    text = ["[C0]推开了那扇旧木门。", "“[C1]，船到了！”", "[C0]喘着气喊。"]
    ((row, reason),) = outcomes("spc_wp", spc(tmp_path, {"train-0": instance(text)}))
    assert reason is None and task("si").check(row) is None
    assert row["context"] == "周小雨推开了那扇旧木门。\n“林大山，船到了！”\n周小雨喘着气喊。"
    assert (row["utterance"], row["utterance_start"]) == ("林大山，船到了！", 14)
    assert row["speakers"] == [{"text": "周小雨", "start": 24}]
    assert (row["id"], row["work_id"]) == ("spc_wp:train-0:train-0", "spc_wp:train-0")
    assert (row["language"], row["split"]) == ("zh", None)


def test_lines_as_printed_take_the_place_of_masked_ones(tmp_path: Path) -> None:
    block = "Instance index: {}\r\n大山在码头等了一夜。\r\n“船到了！”\r\n小雨说。\r\nSpeaker: 周小雨\r\n"
    block += "Speaker index: 1\r\nCategory: explicit\r\n\r\n"
    text = ["[C1]在码头等了一夜。", "“船到了！”", "[C0]说。", "[C0]笑了。"]
    folder = spc(tmp_path, {"dev-0": instance(text)}, block.format(0) + block.format(7), "dev")
    (lost, why), (row, reason) = outcomes("spc_wp", folder)
    assert reason is None and row["context"] == "大山在码头等了一夜。\n“船到了！”\n小雨说。\n周小雨笑了。"
    assert row["speakers"] == [{"text": "小雨", "start": 18}]
    assert (lost["id"], why) == ("spc_wp::dev-7", "its text has no instance")


def test_what_stands_after_the_quotation_is_not_said(tmp_path: Path) -> None:
    text = ["夜里起风了。", "“走吧！”[C0]拉住他说，“天要亮了。”", "没有人应声。"]
    ((row, _),) = outcomes("spc_wp", spc(tmp_path, {"train-0": instance(text)}))
    assert row["utterance"] == "走吧！"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"text": ["天黑了。", "他没说话。"]}, "quotation"),
        ({"text": ["天黑了。", "“走吧！”"], "speaker_ids": ["9"]}, "speaker 9"),
    ],
)
def test_odd_instances_are_dropped_with_a_reason(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    ((row, why),) = outcomes("spc_wp", spc(tmp_path, {"train-4": instance([]) | changes}))
    assert row["id"].endswith("train-4") and reason in (why or "")


def test_the_same_utterance_twice_is_kept_once(tmp_path: Path) -> None:
    text = ["[C0]推开了那扇旧木门。", "“船到了！”"]
    found = outcomes("spc_wp", spc(tmp_path, {"train-0": instance(text), "train-1": instance(text)}))
    assert [reason for _, reason in found] == [None, "the same utterance in the same context came before"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": [3]}, r"train_instances\.json: train-0\.text\.0: .*string.*3"),
        ({"dialogue_idxes": [0]}, r"train-0: target_idx 1 has no speaker"),
        ({"target_idx": 2, "dialogue_idxes": [2]}, r"train-0: target_idx 2 is no line; text has 2 lines"),
        ({"text": ["“[C5]！”", "“走！”"]}, r"train-0: text holds \[C5\]"),
    ],
)
def test_a_broken_instance_is_named(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    folder = spc(tmp_path, {"train-0": instance(["天黑了。", "“走！”"]) | changes})
    with pytest.raises(DiscoError, match=message):
        outcomes("spc_wp", folder)


def test_a_broken_block_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"name_list\.txt does not exist"):
        outcomes("spc_wp", tmp_path)
    write_text(tmp_path / "name_list.txt", NAMES)
    with pytest.raises(DiscoError, match=r"holds none of train/train_instances\.json"):
        outcomes("spc_wp", tmp_path)
    spc(tmp_path, {"train-0": instance(["“走！”"], 0)}, "Instance index: 0\n“走！”\nSpeaker: 小雨\n")
    with pytest.raises(DiscoError, match=r"train_unsplit\.txt, block 1 is not of the format"):
        outcomes("spc_wp", tmp_path)
    write_text(tmp_path / "name_list.txt", "1 老吴\n0\n")
    with pytest.raises(DiscoError, match=r"name_list\.txt, line 2: found no name"):
        outcomes("spc_wp", tmp_path)


def novel(scenes: int, lines: int) -> list[list[str]]:
    return [[f"第{scene}场的第{line}句话写在这里。" for line in range(lines)] for scene in range(scenes)]


def test_no_context_line_of_a_split_is_in_another(tmp_path: Path) -> None:
    windows = [(n, scene[n : n + 4]) for scene in novel(40, 8) for n in range(0, 5, 2)]
    instances = {
        f"train-{i}": instance([*lines, "“嗯。”", "她问。"], 4, speaker_ids=["2"])
        for i, (_, lines) in enumerate(windows)
    }
    found = outcomes("spc_wp", spc(tmp_path, instances))
    assert len({row["work_id"] for row, _ in found}) == 40
    works = {"shares": {"valid": 0.2, "test": 0.2}, "seed": 1}
    splits = divide([row for row, _ in placed(found, works)], "here")
    seen = {name: {line for row in rows for line in row["context"].split("\n")} for name, rows in splits.items()}
    assert all(splits.values())
    assert all(len(line) < SHARED for line in (seen["train"] & seen["test"]) | (seen["train"] & seen["valid"]))


@given(
    st.lists(st.lists(st.sampled_from([f"这是第{n}个长句子。" for n in range(9)] + ["短。"]), max_size=3), max_size=8)
)
def test_stretches_hold_all_that_share_a_long_line(excerpts: list[list[str]]) -> None:
    homes = stretches(excerpts)
    for one, home in zip(excerpts, homes, strict=True):
        for other, other_home in zip(excerpts, homes, strict=True):
            if {line for line in one if len(line) >= SHARED} & set(other):
                assert home == other_home
    assert all(homes[home] == home <= place for place, home in enumerate(homes))


@given(st.lists(PIECES, min_size=1, max_size=4), PIECES, st.lists(PIECES, max_size=3), st.booleans())
def test_offsets_are_code_points(before: list[str], said: str, after: list[str], named: bool) -> None:
    said = said.replace("”", "")
    lines = [*before, f"“{said}”老吴🙂说", *(["　老吴\u0301笑了"] if named else []), *after]
    ((row, reason),) = records("own", [Excerpt("x", lines, len(before), "2")], Names({"2": ["老吴"]}))
    assert reason is None and row["utterance"] == said
    assert row["context"][row["utterance_start"] : row["utterance_end"]] == said
    (speaker,) = row["speakers"]
    assert row["context"].startswith("老吴", speaker["start"]) and speaker["start"] == row["utterance_end"] + 1
    assert (task("si").check(row) is None) == bool(said.strip())


def test_names_are_found_whole_and_outside_the_utterance() -> None:
    names = Names({"0": ["林大山", "大山", "山"], "1": ["林大山他爸"]})
    assert names.mention("林大山他爸走了。大山没动。", "0", (8, 9)) == {"text": "大山", "start": 8}
    assert names.mention("“大山在！”远处，大山喊。", "0", (1, 5))["start"] == 9
    assert names.mention("“大山在！”", "0", (1, 5))["start"] == 1
    assert names.mention("山高。", "0", (0, 1)) == {"text": "林大山", "start": None}


def block(said: str = "“走吧！”  ", gold: str = "1") -> str:
    lines = [f"第{n}行，周小雨走在前面。" for n in range(21)]
    lines[10] = said
    return "\n".join([*lines, "[0, 1]", gold]) + "\n"


def test_blocks_of_23_lines(tmp_path: Path) -> None:
    write_text(tmp_path / "name_and_alias.txt", NAMES.replace("\n", "\r\n"))
    write_text(tmp_path / "train.txt", block() + block("“到了。”").replace("第", "后"))
    (first, reason), (second, _) = outcomes("chenjiaxiang", tmp_path)
    assert reason is None and task("si").check(first) is None and first["utterance"] == "走吧！"
    assert first["speakers"][0]["text"] == "周小雨" and first["work_id"] != second["work_id"]
    write_text(tmp_path / "dev.txt", block(gold="[1]"))
    with pytest.raises(DiscoError, match=r"dev\.txt, line 23: found '\[1\]'"):
        outcomes("chenjiaxiang", tmp_path)
    write_text(tmp_path / "dev.txt", block() + "多余的一行\n")
    with pytest.raises(DiscoError, match=r"dev\.txt has 24 lines; a multiple of 23"):
        outcomes("chenjiaxiang", tmp_path)


NOVEL = 'It rained.\n\n"Come in,"\nsaid the Miller, "and sit."\nThe millers door was open.\n'
PARTS = "['Come in,', 'and sit.']"
COLUMNS = '"quoteID","quoteText","subQuotationList","quoteByteSpans","speaker"\n'


def pdnc(folder: Path, spans: str = "[[13, 21], [41, 49]]", speaker: str = "The Miller", parts: str = PARTS) -> Path:
    write_text(folder / "Mill" / "novel_text.txt", NOVEL)
    write_text(folder / "Mill" / "character_info.csv", "Main Name,Aliases\nThe Miller,\"{'Miller'}\"\n")
    row = f'"Q0","Come in, and sit.","{parts}","{spans}","{speaker}"\n'
    write_text(folder / "Mill" / "quotation_info.csv", COLUMNS + row)
    return folder


def test_a_quotation_in_parts_is_asked_by_its_first(tmp_path: Path) -> None:
    ((row, reason),) = outcomes("pdnc", pdnc(tmp_path))
    assert reason is None and task("si").check(row) is None
    assert (row["utterance"], row["language"], row["work_id"]) == ("Come in,", "en", "pdnc:Mill")
    assert row["speakers"] == [{"text": "the Miller", "start": NOVEL.index("the Miller")}]


def test_odd_rows_of_pdnc(tmp_path: Path) -> None:
    assert outcomes("pdnc", pdnc(tmp_path, "[[12, 21], [41, 49]]"))[0][1] == "its span does not hold its text"
    assert outcomes("pdnc", pdnc(tmp_path, speaker="Nobody"))[0][1] == "speaker Nobody is not among the characters"
    assert outcomes("pdnc", pdnc(tmp_path, "[]"))[0][1] == "quoteByteSpans has 0 items and subQuotationList 2"
    for spans in ("[[1", "[[1]]", "[['1', 2]]", "[13, 21]", "[[21, 13], [41, 49]]", "{}"):
        with pytest.raises(DiscoError) as caught:
            outcomes("pdnc", pdnc(tmp_path, spans))
        assert f"quotation_info.csv: row Q0: quoteByteSpans holds {spans!r}; a Python list of" in str(caught.value)
    with pytest.raises(DiscoError, match=r"row Q0: subQuotationList holds '\[3\]'; a Python list of texts"):
        outcomes("pdnc", pdnc(tmp_path, parts="[3]"))
    write_text(tmp_path / "Mill" / "quotation_info.csv", "quoteID\nQ0\n")
    with pytest.raises(DiscoError, match=r"quotation_info\.csv has no column subQuotationList"):
        outcomes("pdnc", tmp_path)
