import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.files import (
    clear_unfinished,
    fingerprint,
    read_json,
    read_jsonl,
    read_text,
    sha256,
    whole,
    write_json,
    write_jsonl,
    write_text,
)

SEPARATORS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
TEXT = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(["\r", "\u2028", "\x85", "\x0c"])))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@given(TEXT)
def test_text_comes_back_as_it_was_written(folder: Path, text: str):
    write_text(folder / "a.txt", text)
    assert read_text(folder / "a.txt") == text


@given(st.lists(st.dictionaries(TEXT, st.one_of(TEXT, st.integers(), st.none(), st.booleans())), max_size=5))
def test_records_come_back_as_they_were_written(folder: Path, rows: list[dict]):
    write_jsonl(folder / "a.jsonl", rows)
    assert read_jsonl(folder / "a.jsonl") == rows


@pytest.mark.parametrize("separator", SEPARATORS, ids=[repr(s) for s in SEPARATORS])
def test_no_separator_inside_a_value_ends_a_record(folder: Path, separator: str):
    rows = [{"id": "a", "text": f"天{separator}地"}, {"id": "b", "text": separator}]
    write_jsonl(folder / "s.jsonl", rows)
    assert read_jsonl(folder / "s.jsonl") == rows


@pytest.mark.parametrize("separator", SEPARATORS[-3:], ids=[repr(s) for s in SEPARATORS[-3:]])
def test_a_raw_separator_in_a_file_of_others_does_not_end_a_record(folder: Path, separator: str):
    (folder / "raw.jsonl").write_bytes(f'{{"text": "天{separator}地"}}\n{{"text": "玄"}}\n'.encode())
    assert [row["text"] for row in read_jsonl(folder / "raw.jsonl")] == [f"天{separator}地", "玄"]


def test_files_written_on_windows_are_read_as_records(folder: Path):
    (folder / "w.jsonl").write_bytes(b'{"a": 1}\r\n\r\n{"a": 2}\r\n')
    assert read_jsonl(folder / "w.jsonl") == [{"a": 1}, {"a": 2}]


def test_a_byte_order_mark_is_no_part_of_the_first_record(folder: Path):
    (folder / "b.jsonl").write_bytes(b'\xef\xbb\xbf{"a": 1}\n{"a": 2}\n')
    assert read_jsonl(folder / "b.jsonl") == [{"a": 1}, {"a": 2}]


def test_the_same_value_gives_the_same_bytes(folder: Path):
    write_json(folder / "1.json", {"b": [1], "a": "天"})
    write_json(folder / "2.json", {"a": "天", "b": [1]})
    assert sha256(folder / "1.json") == sha256(folder / "2.json")
    assert read_json(folder / "1.json") == {"a": "天", "b": [1]}


def test_a_failure_leaves_neither_output_nor_remains(tmp_path: Path):
    def rows():
        yield {"a": 1}
        raise RuntimeError("the source broke off")

    with pytest.raises(RuntimeError):
        write_jsonl(tmp_path / "out.jsonl", rows())
    assert list(tmp_path.iterdir()) == []


def test_a_failure_keeps_the_old_output(tmp_path: Path):
    write_text(tmp_path / "out", "old")
    with pytest.raises(RuntimeError), whole(tmp_path / "out") as temporary:
        temporary.write_text("half", "utf-8")
        raise RuntimeError
    assert read_text(tmp_path / "out") == "old"


def test_a_killed_writer_leaves_no_output(tmp_path: Path):
    code = (
        "import os, signal, sys; from pathlib import Path; from discobench.files import whole\n"
        "with whole(Path(sys.argv[1])) as t: t.write_text('half', 'utf-8'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    target = tmp_path / "out"
    killed = subprocess.run([sys.executable, "-c", code, str(target)], cwd=Path(__file__).parents[1])
    assert killed.returncode == -signal.SIGKILL
    assert not target.exists()
    (tmp_path / ".out.more.abcdefgh").touch()  # another file's
    assert len(list(tmp_path.iterdir())) == 2
    clear_unfinished(target)
    assert [path.name for path in tmp_path.iterdir()] == [".out.more.abcdefgh"]


def test_writers_at_the_same_time_do_not_mix(tmp_path: Path):
    path = tmp_path / "out.json"
    writers = [threading.Thread(target=write_json, args=(path, [n] * 20_000)) for n in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    value = read_json(path)
    assert value in [[n] * 20_000 for n in range(4)]
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


@pytest.mark.parametrize(
    ("hinder", "sentence"),
    [
        (lambda p: p.parent.write_text("", "utf-8"), "cannot be written \\((Not a directory|File exists)"),
        (lambda p: p.mkdir(parents=True), r"cannot be written \(Is a directory\); remove the folder"),
    ],
)
def test_what_stands_in_the_way_is_named(tmp_path: Path, hinder, sentence: str):
    hinder(tmp_path / "a" / "out")
    with pytest.raises(DiscoError, match=sentence):
        write_text(tmp_path / "a" / "out", "x")
    assert len(list(tmp_path.rglob("*"))) <= 2


def test_the_longest_name_that_a_disk_takes_can_be_written(tmp_path: Path):
    write_text(tmp_path / ("n" * 255), "x")
    with pytest.raises(DiscoError, match=r"File name too long.*use shorter names"):
        write_text(tmp_path / ("n" * 256), "x")


def test_a_fault_of_what_is_read_is_not_blamed_on_the_output(tmp_path: Path):
    with pytest.raises(PermissionError, match="b"), whole(tmp_path / "a"):
        raise PermissionError(13, "Permission denied", "b")


def test_outputs_are_readable_by_others(tmp_path: Path):
    write_text(tmp_path / "deep" / "er" / "out", "")
    assert (tmp_path / "deep/er/out").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"a": 1}\n{"a": \n', "line 2 is not JSON"),
        (b"[1]\n", "line 1 holds list; an object is needed"),
        (b'{"a": "\xff"}\n', "is not UTF-8 at byte 7 (line 1)"),
        (b'{"a": 1}\n' * 9000 + b"\xe9", "is not UTF-8 at byte 81000 (line 9001)"),
        (b'{"a": {"b": 1, "b": 2}}\n', "line 1 is not JSON: an object has the key 'b' twice"),
    ],
)
def test_a_fault_in_a_file_is_placed(tmp_path: Path, content: bytes, sentence: str):
    (tmp_path / "bad.jsonl").write_bytes(content)
    with pytest.raises(DiscoError, match=f"bad.jsonl.*{re.escape(sentence)}"):
        read_jsonl(tmp_path / "bad.jsonl")


def test_a_file_that_is_absent_is_named(tmp_path: Path):
    with pytest.raises(DiscoError, match=r"none.json does not exist"):
        read_json(tmp_path / "none.json")
    (tmp_path / "x.json").write_text("{", "utf-8")
    with pytest.raises(DiscoError, match=r"x.json is not JSON"):
        read_json(tmp_path / "x.json")


def test_what_json_cannot_hold_or_the_system_refuses_is_named(tmp_path: Path):
    write_text(tmp_path / "deep.jsonl", "[" * 100_000)
    with pytest.raises(DiscoError, match=r"deep.jsonl, line 1 is not JSON"):
        read_jsonl(tmp_path / "deep.jsonl")
    with pytest.raises(DiscoError, match=r"cannot be read \(Is a directory\)"):
        read_text(tmp_path)


@given(st.dictionaries(TEXT, st.integers(), min_size=1))
def test_a_fingerprint_knows_no_order_of_keys(value: dict):
    turned = dict(reversed(value.items()))
    assert fingerprint(value) == fingerprint(turned) == fingerprint(json.loads(json.dumps(value)))
    assert fingerprint(value) != fingerprint(value | {"天": None})
