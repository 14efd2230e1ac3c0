"""Only what its sources allow is passed on, and what is passed on can be checked."""

import hashlib
import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from discobench.config.load import parse, read_yaml
from discobench.config.selection import Selection
from discobench.errors import DiscoError
from discobench.files import read_jsonl
from discobench.operations.rebuild import rebuilt, released
from discobench.operations.release import OURS, archive, lines, refusals, whole_texts, withheld
from discobench.parquet import read_parquet
from discobench.schema import schema
from tests.conftest import ROOT, snakemake
from tests.tasks.test_tasks import EXAMPLES

TASKS = ("si", "zpr", "mrc", "nt", "cct", "pt", "te", "ti", "tc")


def selection(**files: Any) -> Selection:
    tree = read_yaml(ROOT / "config.yaml")
    tree["tasks"]["nt"]["files"] = [{"path": "a", "licence": "MIT"}, {"path": "b"} | files]
    return Selection(parse(tree, "config.yaml"))


def test_a_source_without_a_licence_is_refused_by_its_key():
    assert refusals(selection(), ["nt"]) == [
        "tasks.nt.files[1].licence: found no licence; name the one under which its source gave it."
    ]


@pytest.mark.parametrize(("task", "made_from"), [("ti", "tasks"), ("tc", "tasks"), ("te", "synthesis")])
def test_a_genre_without_a_licence_is_refused_for_every_task_that_is_made_from_its_texts(task: str, made_from: str):
    tree = read_yaml(ROOT / "config.yaml")
    chosen = tree["synthesis"]["te"]["genres"] if made_from == "synthesis" else tree["tasks"][task]["genres"]
    for genre in tree["genres"].values():
        genre["licence"] = "MIT"
    assert refusals(Selection(parse(tree, "config.yaml")), [task]) == []
    for name in chosen:
        tree["genres"][name]["licence"] = None
    found = refusals(Selection(parse(tree, "config.yaml")), [task])
    assert (
        [line.split(": found no licence")[0] for line in found] == [f"genres.{name}.licence" for name in chosen] != []
    )


def test_a_licence_whose_terms_are_not_known_is_refused():
    (sentence,) = refusals(selection(licence="mine"), ["nt"])
    assert sentence.startswith("tasks.nt.files[1].licence: found 'mine', of which licences does not say")
    assert "Apache-2.0" in sentence


def test_one_source_that_keeps_its_texts_withholds_those_of_the_task():
    assert refusals(selection(licence="research-only"), ["nt"]) == []
    assert not whole_texts(selection(licence="research-only"), "nt")
    assert whole_texts(selection(licence="CC0-1.0"), "nt")


def test_the_texts_of_every_task_are_withheld_and_what_rebuilds_them_is_not():
    texts = {field.name for name in TASKS for field in schema(name) if "string" in str(field.type)} - OURS
    assert texts == {
        *("context", "utterance", "speakers", "text", "before", "after", "passage", "question", "choices"),
        *("source_text", "references", "target", "prompt"),
    }


def test_the_texts_of_a_task_that_is_not_known_here_are_withheld_too():
    assert withheld({"id": "a:b:1", "summary": ["雨"]}) == {
        "id": "a:b:1",
        "summary": [hashlib.sha256("雨".encode()).hexdigest()],
    }


@given(st.text(), st.integers())
def test_what_is_withheld_can_be_checked_but_not_read(text: str, number: int):
    record = {"id": "a:b:1", "speakers": [{"text": text, "start": number}], "answer": number, "before": [text]}
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert withheld(record) == record | {"speakers": [{"text": digest, "start": number}], "before": [digest]}


def test_the_archive_has_the_same_bytes_again_and_sums_that_hold(tmp_path: Path):
    members = [("nt/test.jsonl", list(lines([{"id": "一", "target": "好"}], texts=True))), ("README.md", ["x"])]
    sums = [archive(tmp_path / f"{n}.zip", members) for n in range(2)]
    assert (tmp_path / "0.zip").read_bytes() == (tmp_path / "1.zip").read_bytes() and sums[0] == sums[1]
    with zipfile.ZipFile(tmp_path / "0.zip") as packed:
        packed.extractall(tmp_path / "out")
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path / "out", check=True)


def release(
    repository: Path, folder: Path, nt: dict[str, Any], target: str = "release_tasks", **keys: Any
) -> subprocess.CompletedProcess[str]:
    mine = folder / "mine.yaml"
    changes = {"preset": "mini", "run": {"preset": "released", "tasks": ["si", "nt"]}, "tasks": {"nt": {"files": [nt]}}}
    mine.write_text(yaml.safe_dump(changes | keys), encoding="utf-8", newline="\n")
    return snakemake(repository, "--profile", "profiles/demo", target, "--configfile", str(mine), timeout=300)


@given(st.sampled_from(TASKS), st.booleans())
def test_texts_are_rebuilt_from_a_copy_of_the_sources(name: str, texts: bool):
    own = [EXAMPLES[name], EXAMPLES[name] | {"id": "own:other:2"}]
    passed_on = [json.loads(line) for line in lines(own[::-1], texts)]
    assert list(rebuilt(passed_on, own, "here")) == own[::-1]
    odd = {key: "x" for key, value in own[0].items() if key not in OURS and isinstance(value, str)} or {"target": ["x"]}
    for field, value in odd.items():
        with pytest.raises(DiscoError, match=f"differs from that of your sources in {field}"):
            list(rebuilt(passed_on, [own[0] | {field: value}, own[1]], "here"))
    with pytest.raises(DiscoError, match="your sources give no record 'own:other:2'"):
        list(rebuilt(passed_on, own[:1], "here"))


def test_what_is_no_archive_is_named(tmp_path: Path):
    (tmp_path / "a.zip").write_bytes(b"PK")
    with pytest.raises(DiscoError, match=r"a\.zip does not hold nt/test\.jsonl"):
        list(released(tmp_path / "a.zip", "nt/test.jsonl"))
    archive(tmp_path / "b.zip", [("nt/test.jsonl", ["0" * 10**6])])
    with pytest.raises(DiscoError, match=r"b\.zip: nt/test\.jsonl would swell to 1000000 bytes"):
        list(released(tmp_path / "b.zip", "nt/test.jsonl"))


def damaged(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


def test_an_archive_that_was_changed_or_damaged_is_refused(tmp_path: Path):
    records = [EXAMPLES["nt"] | {"id": f"own:other:{n}"} for n in range(9)]
    path, member = tmp_path / "a.zip", "nt/test.jsonl"
    archive(path, [(member, lines(records, False))])
    whole = path.read_bytes()
    assert len(list(released(path, member))) == 9
    changes = [damaged(whole, place) for place in range(0, len(whole) - 150, 29)]
    for changed in [*changes, whole.replace(b"\x08\x00", b"\x63\x00"), whole[:-30]]:
        path.write_bytes(changed)
        try:
            assert len(list(released(path, member))) == 9  # the damage is in a date, say
        except DiscoError as error:
            assert str(path) in str(error)


@pytest.mark.parametrize(
    ("text", "fault"),
    [("", "was changed"), ('{"id": "a"}\n', "was changed"), ("[1]\n", "holds list"), ("{\n", "does not hold")],
)
def test_a_member_that_somebody_else_wrote_is_refused(tmp_path: Path, text: str, fault: str):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("nt/test.jsonl", text)
        packed.writestr("SHA256SUMS", f"{'0' * 64}  nt/test.jsonl\n")
    with pytest.raises(DiscoError, match=fault):
        list(released(tmp_path / "a.zip", "nt/test.jsonl"))


@pytest.mark.slow
def test_the_command_packs_what_may_be_passed_on_and_refuses_the_rest(repository: Path, tmp_path: Path):
    nt = {"path": str(ROOT / "resources/demo/tasks/nt")}
    refused = release(repository, tmp_path, nt)
    assert refused.returncode != 0 and "tasks.nt.files[0].licence: found no licence" in refused.stdout
    done = release(repository, tmp_path, nt | {"licence": "CC-BY-NC-ND-4.0"})
    assert done.returncode == 0, done.stdout
    with zipfile.ZipFile(repository / "results/released/release/tasks-0.1.0.zip") as packed:
        names = packed.namelist()
        ours = json.loads(packed.read("nt/test.jsonl").decode().split("\n")[0])
        first = json.loads(packed.read("si/test.jsonl").decode().split("\n")[0])
        notice, card = (packed.read(name).decode() for name in ("README.md", "nt/card.md"))
    assert "si/card.md" in names and "## Sizes" in card and "```" not in card
    assert len(ours["source_text"]) == 64 and len(ours["references"][0]) == 64 and ours["id"]
    assert first["utterance"] in first["context"]
    assert "| nt | CC-BY-NC-ND-4.0 | no |" in notice
    packed_texts(repository, tmp_path, nt)


def packed_texts(repository: Path, folder: Path, nt: dict[str, Any]) -> None:
    """Another user with the sources gets the texts back; one with other sources is told."""
    assert "release.archive: found null" in release(repository, folder, nt, "rebuild_tasks").stdout
    archive = {"archive": str(folder / "tasks.zip"), "version": "0.1.0"}
    (folder / "tasks.zip").write_bytes((repository / "results/released/release/tasks-0.1.0.zip").read_bytes())
    done = release(repository, folder, nt, "rebuild_tasks", release=archive)
    assert done.returncode == 0, done.stdout
    for name in ("si", "nt"):
        wanted = read_parquet(repository / f"results/released/tasks/{name}/test.parquet", name)
        assert read_jsonl(repository / f"results/released/release/rebuilt/{name}/test.jsonl") == wanted
