"""Archives, well-meant and nasty: each gives documents or dropped records with a reason, never a traceback."""

import bz2
import errno
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from backports import zstd

from discobench.corpus.formats.base import Limits
from discobench.errors import DiscoError

TEXT = "他在门口等了一夜。\n天亮的时候，雪停了。"
PACK = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd.compress}
Ingested = Callable[..., Any]


def zipped(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def tarred(members: dict[str, bytes], mode: str = "w") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def outcome(found: Any) -> list[tuple[str, str | None]]:
    return [(record["member"].partition("!")[2], reason) for record, reason in found]


@pytest.mark.parametrize("suffix", PACK)
def test_each_compression(tmp_path: Path, ingested: Ingested, suffix: str) -> None:
    (tmp_path / f"a.TXT{suffix}").write_bytes(PACK[suffix](TEXT.encode("gb18030")))
    ((record, reason),) = ingested(tmp_path)
    assert (record["text"], record["id"], reason) == (TEXT, "g:a:000000", None)


@pytest.mark.parametrize("suffix", PACK)
def test_two_members_one_after_the_other_are_both_read(tmp_path: Path, ingested: Ingested, suffix: str) -> None:
    first, second = TEXT.split("\n")
    (tmp_path / f"a.txt{suffix}").write_bytes(PACK[suffix](f"{first}\n".encode()) + PACK[suffix](second.encode()))
    ((record, _),) = ingested(tmp_path)
    assert record["text"] == TEXT


@pytest.mark.parametrize(("suffix", "reasons"), [(".xz", [None]), (".zst", ["broken archive"])])
def test_only_a_format_that_is_padded_may_be(
    tmp_path: Path, ingested: Ingested, suffix: str, reasons: list[Any]
) -> None:
    (tmp_path / f"a.jsonl{suffix}").write_bytes(PACK[suffix](b'{"text": "a"}\n') + b"\0" * 4)
    assert [reason for _, reason in ingested(tmp_path)] == reasons


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("left", [0.0, 0.5, 0.95])
def test_a_stream_that_ends_early_is_accounted_for(
    tmp_path: Path, ingested: Ingested, suffix: str, left: float
) -> None:
    draw = Random(7)
    lines = "".join(f'{{"text": "第{n}夜，{draw.randbytes(40).hex()}"}}\n' for n in range(5000)).encode()
    packed = PACK[suffix](lines)
    (tmp_path / f"a.jsonl{suffix}").write_bytes(packed[: int(left * len(packed))])
    found = ingested(tmp_path)
    assert [reason for _, reason in found if reason] == ["broken archive" if left else "empty"]
    assert [record["byte_end"] for record, _ in found[:-2]] == [record["byte_start"] for record, _ in found[1:-1]]


@pytest.mark.parametrize("suffix", PACK)
def test_a_bomb_is_refused(tmp_path: Path, ingested: Ingested, bounds: Limits, suffix: str) -> None:
    (tmp_path / f"a.jsonl{suffix}").write_bytes(PACK[suffix](b'{"text": "a"}\n' * 10 + b" " * (24 << 20)))
    found = ingested(tmp_path, limits=replace(bounds, max_ratio=20))
    assert [reason for _, reason in found] == [None] * 10 + ["swells too much"]


def test_a_zip_bomb_is_refused_before_it_is_read(tmp_path: Path, ingested: Ingested, bounds: Limits) -> None:
    zipped(tmp_path / "a.zip", {"bomb.txt": b"\0" * (32 << 20), "b.txt": TEXT.encode()})
    found = ingested(tmp_path, limits=replace(bounds, max_ratio=20))
    assert outcome(found) == [("bomb.txt", "swells too much"), ("b.txt", None)]


def test_members_that_share_their_bytes_are_refused_together(
    tmp_path: Path, ingested: Ingested, bounds: Limits
) -> None:
    """Each is small; a directory that names the same bytes a hundred times is not."""
    zipped(tmp_path / "a.zip", {f"{n:03d}.txt": TEXT.encode() * 5000 for n in range(100)})
    found = ingested(tmp_path, limits=replace(bounds, max_unpacked_bytes=2 << 20))
    reasons = [reason for _, reason in found]
    assert len(reasons) == 100
    assert reasons[0] is None
    assert set(reasons[10:]) == {"swells too much"}


def test_overlapping_entries(tmp_path: Path, ingested: Ingested) -> None:
    """Two entries of the directory point at the same bytes: neither is a fault of this program."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", TEXT)
        archive.writestr("b.txt", TEXT)
        archive.infolist()[1].header_offset = archive.infolist()[0].header_offset
    (tmp_path / "a.zip").write_bytes(buffer.getvalue())
    found = ingested(tmp_path)
    assert outcome(found) == [("a.txt", None), ("b.txt", "broken archive")]


@pytest.mark.parametrize("name", ["../../evil.txt", "/etc/evil.txt", "a/../../evil.txt", "..\\evil.txt", "C:/evil.txt"])
def test_a_path_that_leaves_the_archive_is_refused(tmp_path: Path, ingested: Ingested, name: str) -> None:
    (tmp_path / "raw").mkdir()
    zipped(tmp_path / "raw/a.zip", {name: TEXT.encode(), "good.txt": TEXT.encode()})
    (tmp_path / "raw/b.tar").write_bytes(tarred({name: TEXT.encode(), "good.txt": TEXT.encode()}))
    reasons = [reason for _, reason in ingested(tmp_path / "raw")]
    assert reasons == ["unsafe path", None] * 2
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip", "b.tar", "raw"]


def test_archives_inside_archives_are_refused(tmp_path: Path, ingested: Ingested) -> None:
    zipped(tmp_path / "inner.zip", {"a.txt": TEXT.encode()})
    inner = (tmp_path / "inner.zip").read_bytes()
    (tmp_path / "inner.zip").unlink()
    zipped(tmp_path / "a.zip", {"b.zip": inner, "c.tgz": b"x", "d.tar.gz": b"x", "e.txt.gz": gzip.compress(b"x y z")})
    (tmp_path / "b.zip.gz").write_bytes(gzip.compress(inner))
    assert outcome(ingested(tmp_path)) == [
        ("b.zip", "nested archive"),
        ("c.tgz", "nested archive"),
        ("d.tar.gz", "nested archive"),
        ("e.txt.gz", None),
        ("", "nested archive"),
    ]


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst"])
def test_each_tar(tmp_path: Path, ingested: Ingested, suffix: str) -> None:
    data = tarred({"x/a.txt": TEXT.encode("gb18030"), "x/b.jsonl": b'{"text": "b"}\n', "x/c.txt": b""})
    kind = {".tgz": ".gz"}.get(suffix, suffix.removeprefix(".tar"))
    (tmp_path / f"many{suffix}").write_bytes(PACK[kind](data) if kind else data)
    found = ingested(tmp_path)
    assert outcome(found) == [("x/a.txt", None), ("x/b.jsonl", None), ("x/c.txt", "empty")]
    assert [record["work_id"] for record, _ in found] == ["g:many"] * 3
    assert found[1][0]["id"] == "g:many:x/b.jsonl/000000000000"


def test_links_and_devices_in_a_tar_are_not_followed(tmp_path: Path, ingested: Ingested) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for kind, name in ((tarfile.SYMTYPE, "link.txt"), (tarfile.CHRTYPE, "device.txt"), (tarfile.DIRTYPE, "d")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    (tmp_path / "a.tar").write_bytes(buffer.getvalue())
    assert outcome(ingested(tmp_path)) == [("link.txt", "no regular file"), ("device.txt", "no regular file")]


def test_a_tar_that_ends_early_keeps_what_came_before(tmp_path: Path, ingested: Ingested) -> None:
    data = tarred({"a.txt": TEXT.encode(), "b.txt": TEXT.encode() * 1000})
    (tmp_path / "a.tar").write_bytes(data[:9000])
    assert outcome(ingested(tmp_path)) == [("a.txt", None), ("", "broken archive")]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, b"no archive at all" * 100])
@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.epub", "a.parquet", "a.txt.xz", "a.json", "a.xml"])
def test_what_is_no_archive_is_dropped(tmp_path: Path, ingested: Ingested, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    ((record, reason),) = ingested(tmp_path)
    assert reason in {"broken archive", "empty", "no spine", "not JSON", "not XML", "undecodable"}
    assert record["byte_end"] == len(data)


def test_encrypted_and_doubled_members(tmp_path: Path, ingested: Ingested) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", TEXT)
        archive.writestr("a.txt", TEXT)
        archive.infolist()[0].flag_bits |= 1
    assert outcome(ingested(tmp_path)) == [("a.txt", "encrypted"), ("a.txt#2", None)]


def test_no_two_members_have_one_id(tmp_path: Path, ingested: Ingested) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("x/a:b.txt", "x/a_b.txt", "c.txt", "c.txt", "c.txt#2", "c.txt"):
            archive.writestr(name, TEXT)
    names = ["x/a:b.txt", "x/a_b.txt#2", "c.txt", "c.txt#2", "c.txt#2#2", "c.txt#3"]
    assert [name for name, _ in outcome(ingested(tmp_path))] == names


def test_what_systems_hide_in_archives_is_no_text(tmp_path: Path, ingested: Ingested) -> None:
    zipped(tmp_path / "a.zip", {name: TEXT.encode() for name in ("__MACOSX/._a.txt", "b/.c.txt", "./d.txt")})
    assert [reason for _, reason in ingested(tmp_path)] == ["hidden file", "hidden file", None]


def test_names_packed_on_a_chinese_system(tmp_path: Path, ingested: Ingested) -> None:
    zipped(tmp_path / "a.zip", {"abcd.txt": TEXT.encode()})
    data = (tmp_path / "a.zip").read_bytes().replace(b"abcd.txt", "夜雨".encode("gbk") + b".txt")
    (tmp_path / "a.zip").write_bytes(data)
    assert outcome(ingested(tmp_path)) == [("夜雨.txt", None)]


def test_names_in_a_tar_packed_on_a_chinese_system(tmp_path: Path, ingested: Ingested) -> None:
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.GNU_FORMAT, encoding="gbk") as archive:
        info = tarfile.TarInfo("夜雨.txt")
        info.size = len(TEXT.encode())
        archive.addfile(info, io.BytesIO(TEXT.encode()))
    assert outcome(ingested(tmp_path)) == [("夜雨.txt", None)]


def test_a_hole_of_any_size_is_not_unpacked(tmp_path: Path, ingested: Ingested) -> None:
    """As tar writes a file of eight gigabytes that holds nothing: a header, a map of one empty piece at its end."""
    size = 8 << 30
    info = tarfile.TarInfo("a.txt")
    info.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[386:410] = b"%011o\0%011o\0" % (0, 0)
    header[483:495] = b"%011o\0" % (size - 1)
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + 8 * 32 + sum(header[156:512]))
    (tmp_path / "a.tar").write_bytes(bytes(header) + bytes(1024))
    with tarfile.open(tmp_path / "a.tar") as archive:
        assert archive.getmembers()[0].size == size - 1
    assert outcome(ingested(tmp_path)) == [("a.txt", "no regular file")]


@pytest.mark.parametrize("document", ["file", "line"])
def test_a_broken_frame_costs_the_same_however_the_file_is_cut(
    tmp_path: Path, ingested: Ingested, document: str
) -> None:
    draw = Random(7)
    lines = [f'{{"text": "第{n}夜，{draw.randbytes(400).hex()}"}}\n' for n in range(4000)]
    checked = {zstd.CompressionParameter.checksum_flag: 1}
    frames = [zstd.compress("".join(lines[n : n + 500]).encode(), options=checked) for n in range(0, 4000, 500)]
    frames[2] = frames[2][:5000] + bytes(64) + frames[2][5064:]
    name = "a.jsonl.zst" if document == "file" else "a.txt.zst"
    (tmp_path / name).write_bytes(b"".join(frames))
    one = ingested(tmp_path, document)
    assert one[-1][1] == "broken archive"
    assert one == ingested(tmp_path, document, shards=5)


def test_a_member_with_a_wrong_checksum(tmp_path: Path, ingested: Ingested) -> None:
    zipped(tmp_path / "a.zip", {"a.txt": TEXT.encode(), "b.txt": b"she waited"}, zipfile.ZIP_STORED)
    data = (tmp_path / "a.zip").read_bytes().replace(TEXT.encode(), "她".encode() + TEXT.encode()[3:], 1)
    (tmp_path / "a.zip").write_bytes(data)
    assert outcome(ingested(tmp_path)) == [("a.txt", "broken archive"), ("b.txt", None)]


def test_a_file_that_may_not_be_read_is_no_reason_to_drop_it(
    tmp_path: Path, ingested: Ingested, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may read everything, so opening is what refuses, once the checksum has been taken."""
    path, opened, times = tmp_path / "a.txt", Path.open, count()
    path.write_text(TEXT, "utf-8")

    def refused(self: Path, *args: Any, **kwargs: Any) -> Any:
        if self == path and next(times):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(DiscoError, match=r"a\.txt"):
        ingested(tmp_path)


def test_links_and_folders_with_bytes_in_a_zip_are_no_text(tmp_path: Path, ingested: Ingested) -> None:
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("empty/", b"")
        archive.writestr(link, b"/etc/passwd")
        archive.writestr("x.txt", TEXT)
    data = (tmp_path / "a.zip").read_bytes().replace(b"x.txt", b"xtxt/")
    (tmp_path / "a.zip").write_bytes(data)
    assert outcome(ingested(tmp_path)) == [("link.txt", "no regular file"), ("xtxt/", "no regular file")]


def test_names_packed_in_big5(tmp_path: Path, ingested: Ingested) -> None:
    zipped(tmp_path / "a.zip", {"abcd_ef.txt": TEXT.encode()})
    data = (tmp_path / "a.zip").read_bytes().replace(b"abcd_ef", "夜雨_書".encode("big5"))
    (tmp_path / "a.zip").write_bytes(data)
    assert outcome(ingested(tmp_path)) == [("夜雨_書.txt", None)]
