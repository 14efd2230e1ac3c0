"""Offsets of SI are code points in the text as it stands, through every reader and through Parquet."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discobench.files import write_json, write_jsonl, write_text
from discobench.parquet import read_parquet, write_parquet
from discobench.tasks import formats, task

ODD = "雨。，：？🙂👩‍👧🏽　Ａ１é\u0301\u200d\u2028\u0085\x0b\x0c\ufeff字\U00020000 \t"
PIECES = st.text(st.sampled_from(ODD), max_size=8)
NAME = "老吴"


def excerpt(before: str, said: str, after: str) -> list[str]:
    return [f"夜{before}。", f"“雨{said}。”{after}他", f"{NAME}\u0301点了灯{after}。"]


def spc_wp(folder: Path, lines: list[str]) -> None:
    shape = {"text": [line.replace(NAME, "[C0]") for line in lines], "target_idx": 1, "dialogue_idxes": [1]}
    write_text(folder / "name_list.txt", f"1 {NAME}\n")
    write_json(
        folder / "train/train_instances.json", {"train-0": shape | {"speaker_ids": ["0"], "roleid2idx": {"0": "[C0]"}}}
    )


def chenjiaxiang(folder: Path, lines: list[str]) -> None:
    block = ["夜"] * 9 + lines + ["灯"] * 9 + ["[0]", "0"]
    write_text(folder / "name_and_alias.txt", f"1 {NAME}\n")
    write_text(folder / "train.txt", "\n".join(block) + "\n")


def pdnc(folder: Path, lines: list[str]) -> None:
    text, said = "\n".join(lines), lines[1][1 : lines[1].index("”")]
    start = len(lines[0]) + 2
    spans, parts = repr([[start, start + len(said)]]), repr([said]).replace('"', '""')
    write_text(folder / "N/novel_text.txt", text)
    write_text(folder / "N/character_info.csv", f"Main Name,Aliases\n{NAME},{{'{NAME}'}}\n")
    head = "quoteID,subQuotationList,quoteByteSpans,speaker\n"
    write_text(folder / "N/quotation_info.csv", f'{head}Q0,"{parts}","{spans}",{NAME}\n')


def interchange(folder: Path, lines: list[str]) -> None:
    context, start = "\n".join(lines), len(lines[0]) + 2
    end = start + lines[1].index("”") - 1
    row = {"id": "a", "source": "own", "work_id": "w", "language": "zh", "context": context, "no_speaker": False}
    said = {"utterance": context[start:end], "utterance_start": start, "utterance_end": end}
    write_jsonl(folder / "train.jsonl", [row | said | {"speakers": [{"text": NAME, "start": context.rindex(NAME)}]}])


READERS = {reader.__name__: reader for reader in (spc_wp, chenjiaxiang, pdnc, interchange)}


def read(name: str, folder: Path) -> dict[str, Any]:
    ((row, reason),) = formats.read(name, task("si"), folder, ("train",))
    assert reason is None and task("si").check(row) is None, json.dumps(dict(row))
    return dict(row)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=25)
@given(PIECES, PIECES, PIECES)
def test_the_utterance_and_its_speaker_are_cut_out_of_the_context(
    name: str, before: str, said: str, after: str
) -> None:
    lines = excerpt(before, said, after)
    with TemporaryDirectory() as place:
        READERS[name](Path(place), lines)
        write_parquet(Path(place, "x.parquet"), [read(name, Path(place))], "si")
        (row,) = read_parquet(Path(place, "x.parquet"), "si")
    context, (speaker,) = row["context"], row["speakers"]
    assert "\n".join(lines) in context
    assert context[row["utterance_start"] : row["utterance_end"]] == row["utterance"] == f"雨{said}。"
    assert context[row["utterance_start"] - 1] == "“" and context[row["utterance_end"]] == "”"
    assert context[speaker["start"] :].startswith(f"{NAME}\u0301点了灯")
