"""Which files are listed, and how shards divide them."""

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.formats.base import Limits, Source
from discobench.corpus.listing import Place, fingerprint_of, listed
from discobench.corpus.sources import list_sources, of_shard
from discobench.errors import DiscoError


def place(folder: Path, **keys: object) -> Place:
    return Place("genres.g", str(folder), "file", "zh", **keys)  # type: ignore[arg-type]


def names(folder: Path, **keys: object) -> list[str]:
    return list(listed(place(folder, **keys)))


def tree(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("他来了。", "utf-8")


@given(st.lists(st.tuples(st.integers(0, 1000), st.booleans()), max_size=20), st.integers(1, 9))
def test_shards_are_the_sorted_files_cut_in_pieces(sizes: list[tuple[int, bool]], shards: int) -> None:
    files = [Source(f"{n:02d}.txt", size, divisible and size > 0) for n, (size, divisible) in enumerate(sizes)]
    sizes_of = [file.bytes for file in files]
    pieces = [piece for shard in range(shards) for piece in of_shard(files, sum(sizes_of), shard, shards)]
    covered = [(piece.path, *(piece.part or (0, piece.bytes))) for piece in pieces]
    assert [name for name, *_ in covered] == sorted(name for name, *_ in covered)
    for file in files:
        parts = [(start, end) for name, start, end in covered if name == file.path]
        assert (parts[0][0], parts[-1][1]) == (0, file.bytes)
        assert all(one[1] == other[0] for one, other in pairwise(parts))


def test_globs_choose_and_exclude(tmp_path: Path) -> None:
    tree(tmp_path, "LICENSE", "a/1.txt", "a/b/2.txt", "3.json", ".hidden/4.txt", "a/.5.txt")
    assert names(tmp_path) == ["3.json", "LICENSE", "a/1.txt", "a/b/2.txt"]
    assert names(tmp_path, files=["*.txt", "!a/b/*"]) == ["a/1.txt"]
    assert names(tmp_path, files=["!LICENSE"]) == ["3.json", "a/1.txt", "a/b/2.txt"]
    with pytest.raises(DiscoError, match=r"genres\.g\.files: nothing matches '\*\.epub'"):
        names(tmp_path, files=["*.epub"])


def test_a_manifest_names_files_and_facts(tmp_path: Path, bounds: Limits) -> None:
    tree(tmp_path / "raw", "a.txt", "b.txt", "c.txt")
    manifest = tmp_path / "list.txt"
    manifest.write_text('c.txt\n\n{"path": "a.txt", "title": "雨", "author": "某"}\n', "utf-8")
    entries = list_sources(place(tmp_path / "raw", manifest=str(manifest)), bounds)
    assert [(entry["path"], entry.get("title"), entry.get("author")) for entry in entries] == [
        ("a.txt", "雨", "某"),
        ("c.txt", None, None),
    ]
    assert names(tmp_path / "raw", manifest=str(manifest), files=["!c*"]) == ["a.txt"]
    manifest.write_text("a.txt\nd.txt\n", "utf-8")
    with pytest.raises(DiscoError, match=r"list\.txt, line 2: no file 'd\.txt'"):
        names(tmp_path / "raw", manifest=str(manifest))


def test_links_to_folders_are_followed_once(tmp_path: Path) -> None:
    tree(tmp_path / "elsewhere", "x.txt")
    tree(tmp_path / "raw", "a.txt")
    (tmp_path / "raw/link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/round").symlink_to(tmp_path / "raw")
    assert names(tmp_path / "raw") == ["a.txt", "link/x.txt"]


def test_a_link_to_nothing_is_not_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, "a.txt")
    (tmp_path / "b.txt").symlink_to(tmp_path / "gone.txt")
    with pytest.raises(DiscoError, match=r"genres\.g\.path: .*b\.txt' is a link to nothing"):
        names(tmp_path)


def test_a_folder_that_may_not_be_read_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a.txt", "closed/b.txt")
    scandir = os.scandir

    def refusing(path: str) -> Any:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(DiscoError, match=r"genres\.g\.path: .*closed' cannot be read \(Permission denied\)"):
        names(tmp_path)


@pytest.mark.parametrize("make", [lambda folder: None, lambda folder: folder.mkdir()])
def test_no_files_name_the_key(tmp_path: Path, make: Callable[[Path], None], bounds: Limits) -> None:
    make(tmp_path / "raw")
    assert fingerprint_of(place(tmp_path / "raw")) == []
    with pytest.raises(DiscoError, match=r"genres\.g\.path"):
        list_sources(place(tmp_path / "raw"), bounds)


def test_two_files_with_one_id_are_refused(tmp_path: Path, bounds: Limits) -> None:
    tree(tmp_path, "a.txt", "a.jsonl")
    with pytest.raises(DiscoError, match=r"'a\.jsonl' and 'a\.txt' would give the same ids"):
        list_sources(place(tmp_path), bounds)


def test_a_manifest_from_a_windows_editor_or_from_find(tmp_path: Path) -> None:
    tree(tmp_path / "raw", "a.txt", "b/c.txt")
    manifest = tmp_path / "list.txt"
    manifest.write_bytes(b"\xef\xbb\xbfa.txt\r\n./b/c.txt\r\nb//c.txt\r\n")
    assert names(tmp_path / "raw", manifest=str(manifest)) == ["a.txt", "b/c.txt"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("../out.txt", "leads out of"),
        ("a/../../out.txt", "leads out of"),
        ("/etc/hostname", "leads out of"),
        ('{"path": "a.txt"', "but a path or an object with one is needed"),
        ('{"title": "a.txt"}', "but a path or an object with one is needed"),
    ],
)
def test_a_manifest_names_nothing_outside_its_folder(tmp_path: Path, line: str, message: str) -> None:
    tree(tmp_path, "out.txt", "raw/a.txt")
    (tmp_path / "list.txt").write_text(f"a.txt\n{line}\n", "utf-8", newline="\n")
    with pytest.raises(DiscoError, match=f"list.txt, line 2: .*{message}"):
        names(tmp_path / "raw", manifest=str(tmp_path / "list.txt"))


def test_a_genre_whose_folder_is_not_there(tmp_path: Path, bounds: Limits) -> None:
    with pytest.raises(DiscoError, match=r"genres\.g\.path: found .*, which is no folder; put raw files there"):
        list_sources(place(tmp_path / "none"), bounds)
