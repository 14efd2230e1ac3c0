"""The preflight names everything that is missing, and only that."""

from dataclasses import replace
from pathlib import Path

import pytest

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.decode import prompts
from discobench.operations.preflight import Machine, findings
from discobench.operations.probe import this_machine
from tests.support import ROOT


def machine(present: bool, key: bool = False) -> Machine:
    environment = {"OPENAI_API_KEY": "x"} if key else {}
    return Machine(lambda path: present, environment, lambda name: present, 8 if present else 0)


def blocking(run: Selection, here: Machine, key: str) -> list[str]:
    return [found.missing for found in findings(run, here) if found.blocking and found.key.startswith(key)]


def test_a_bare_machine_lacks_every_source_of_the_paper() -> None:
    run = Selection(resolve({}, ROOT))
    found = findings(run, machine(present=False))
    keys = {finding.key for finding in found if finding.blocking}
    assert {f"genres.{name}.path" for name in run.genres} <= keys
    assert {"tasks.si.files[0].path", "synthesis.zpr.path", "suites.tc.path", "checkpoints.anchibert.source"} <= keys
    assert {"api.key_variable", "synthesis.te"} <= keys
    assert all(finding.sentence().count("\n") == 0 for finding in found)


def test_a_full_machine_lacks_only_licences() -> None:
    found = findings(Selection(resolve({}, ROOT)), machine(present=True, key=True))
    assert not [finding for finding in found if finding.blocking]
    keys = {finding.key for finding in found}
    assert {"genres.zh_novel.licence", "checkpoints.bart-large-zh.licence"} <= keys
    assert "checkpoints.t5-zh.licence" not in keys  # nothing is made from it that could be released


def test_every_endpoint_has_a_key_of_its_own() -> None:
    elsewhere = {"checkpoints": {"gpt-4": {"api": {"base_url": "http://localhost/v1", "key_variable": "LOCAL_KEY"}}}}
    run = Selection(resolve(elsewhere, ROOT))
    assert run.endpoint("gpt-4").base_url == "http://localhost/v1"
    assert run.endpoint("gpt-3.5") == run.config.api
    missing = [finding.missing for finding in findings(run, machine(present=True)) if finding.key == "api.key_variable"]
    assert missing == [f"{name} is not in the environment" for name in ("LOCAL_KEY", "OPENAI_API_KEY")]


@pytest.mark.parametrize("key", ["", " \n"])
def test_an_empty_key_is_none(key: str) -> None:
    here = replace(machine(present=True), environment={"OPENAI_API_KEY": key})
    found = findings(Selection(resolve({}, ROOT)), here)
    missing = [finding.sentence() for finding in found if finding.blocking]
    assert missing == ["missing: api.key_variable: OPENAI_API_KEY is empty; export OPENAI_API_KEY."]


def test_a_model_that_another_starts_from_is_looked_for() -> None:
    mine = {"run": {"rows": ["disco-roberta-base"]}, "checkpoints": {"roberta-base-zh": {"source": "path:data/mine"}}}
    keys = {finding.key for finding in findings(Selection(resolve(mine, ROOT)), machine(present=False, key=True))}
    assert {key for key in keys if key.endswith(".source")} == {"checkpoints.roberta-base-zh.source"}


def test_the_smallest_run_needs_no_corpus_and_no_key() -> None:
    found = findings(Selection(resolve({"preset": "mini"}, ROOT)), machine(present=False))
    keys = {finding.key for finding in found}
    assert not any(key.startswith("genres.") for key in keys)
    assert "api.key_variable" not in keys


def test_gpus_that_this_machine_lacks_are_missing_where_its_jobs_compute() -> None:
    paper, bare = Selection(resolve({}, ROOT)), machine(present=False)
    assert blocking(paper, bare, "hardware") == ["jobs ask for 1, and 0 GPUs are on this machine for them to see"]
    assert blocking(paper, replace(bare, scheduled=True), "hardware") == []
    trivial = {"run": {"rows": ["majority"], "tasks": ["si"], "suites": [], "genres": []}}
    assert blocking(Selection(resolve(trivial, ROOT)), bare, "hardware") == []


def test_a_model_that_more_gpus_pretrain_than_this_machine_has_is_missing_them() -> None:
    keys = {"pretrain": {"disco-roberta-large": {"gpus": 4, "nodes": 2}}}
    eight = Selection(resolve(keys, ROOT))
    assert blocking(eight, machine(present=True), "hardware") == []
    (sentence,) = [
        finding.sentence()
        for finding in findings(eight, replace(machine(present=True), gpus=4))
        if finding.key == "hardware.gpus"
    ]
    assert blocking(eight, machine(present=True), "pretrain") == [
        "2 nodes are asked for, and only jobs of Slurm have more than one"
    ]
    assert blocking(eight, replace(machine(present=True), scheduled=True, slurm=True), "pretrain") == []
    without = Selection(resolve(keys | {"hardware": {"gpus": 0}}, ROOT))
    assert blocking(without, machine(present=True), "pretrain") == []
    assert "jobs ask for 8, and 4 GPUs are on this machine for them to see; ask for fewer in pretrain." in sentence


@pytest.mark.parametrize(("visible", "gpus"), [("", 0), ("3", 1), ("0,2", 2)])
def test_gpus_of_this_machine_are_those_that_its_jobs_may_see(
    monkeypatch: pytest.MonkeyPatch, visible: str, gpus: int
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert this_machine(scheduled=False).gpus == gpus


def test_suites_that_apis_rank_need_a_prompt_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run = Selection(resolve({}, ROOT))
    assert blocking(run, machine(present=True, key=True), "resources/prompts") == []
    (tmp_path / "diagnostic").mkdir()
    monkeypatch.setattr(prompts, "FOLDER", tmp_path)
    lacking = set(blocking(run, machine(present=True, key=True), "resources/prompts"))
    assert {f"rows of APIs have no prompt for diagnostic/{task}" for task in ("mrc", "nt", "tc")} < lacking


def test_a_checkpoint_of_comet_that_is_named_has_to_be_there() -> None:
    named = {"score": {"comet_checkpoint": "data/comet.ckpt"}}
    run, here = Selection(resolve(named, ROOT)), machine(present=True, key=True)
    assert blocking(run, here, "score") == []
    absent = replace(here, exists=lambda path: path != "data/comet.ckpt")
    assert blocking(run, absent, "score") == ["data/comet.ckpt does not exist"]
    assert blocking(Selection(resolve({}, ROOT)), absent, "score") == []
    without = Selection(resolve(named | {"run": {"tables": [11]}}, ROOT))
    assert blocking(without, absent, "score") == []


def room(text: int, free: int, scheduled: bool = False, **language_model: int) -> list[str]:
    """What is said of lmplz's temporary disk for a book genre of ``text`` MB, in MB."""
    run = Selection(resolve({"synthesis": {"te": {"language_model": language_model}}}, ROOT))
    return said_of(run, run.config.genres["en_book"].path, text, free, scheduled)


def said_of(run: Selection, folder: str, text: int, free: int, scheduled: bool = False) -> list[str]:
    """What is said of lmplz where a folder holds ``text`` MB."""
    sizes = {"size": lambda path: text * 10**6 * (path == folder), "free": free * 10**6}
    here = replace(machine(present=True, key=True), scheduled=scheduled, **sizes)
    found = [one for one in findings(run, here) if one.key.startswith("synthesis.")]
    return [one.sentence() for one in found if not one.key.endswith("licence")]


def test_lmplz_needs_eight_times_its_text_for_a_while() -> None:
    assert room(text=2_000, free=50_000) == []
    (asked,) = room(text=10_000, free=50_000)
    assert (
        "disk_mb: 10000 MB are asked for, lmplz may need 40000 for en_book (8 times its text); raise the key" in asked
    )
    assert room(text=10_000, free=50_000, disk_mb=40_000) == []
    (lacking,) = room(text=10_000, free=30_000, disk_mb=40_000)
    assert "30000 MB are free for temporary files, 40000 may be needed for en_book" in lacking
    (elsewhere,) = room(text=10_000, free=30_000, scheduled=True, disk_mb=40_000)
    assert [line.split(":")[0] for line in (asked, lacking, elsewhere)] == ["note", "missing", "note"]


def test_lmplz_for_subtitles_is_looked_for_and_needs_room_too() -> None:
    run = Selection(resolve({"run": {"tasks": ["zpr"]}}, ROOT))
    assert blocking(run, replace(machine(present=True, key=True), finds=lambda name: False), "synthesis") == [
        "lmplz is not on the PATH"
    ]
    (asked,) = said_of(run, "data/subtitles", text=10_000, free=50_000)
    assert "note: synthesis.zpr.language_model.disk_mb: 10000 MB are asked for, lmplz may need 30000" in asked
    _, lacking = said_of(run, "data/subtitles", text=10_000, free=20_000)
    assert "missing: synthesis.zpr: 20000 MB are free for temporary files, 30000 may be needed for subtitles" in lacking


def test_a_licence_that_a_release_would_refuse_is_a_note() -> None:
    mine = {"genres": {"zh_novel": {"licence": "Foo-1"}}, "checkpoints": {"roberta-base-zh": {"licence": "closed"}}}
    closed = {"licences": {"closed": {"texts": False}}}
    found = findings(Selection(resolve(mine | closed, ROOT)), machine(present=True, key=True))
    told = {finding.key: finding.sentence() for finding in found if not finding.blocking}
    assert told["genres.zh_novel.licence"].startswith("note: genres.zh_novel.licence: found 'Foo-1', of which licences")
    assert told["checkpoints.roberta-base-zh.licence"].endswith(
        "or set licences.closed.models where its terms allow that."
    )
    assert len(told) == len([finding for finding in found if not finding.blocking])


def told(run: Selection) -> dict[str, str]:
    """What blocks a run on this very machine, by key."""
    return {found.key: found.sentence() for found in findings(run, this_machine(scheduled=False)) if found.blocking}


def test_folders_without_the_files_that_are_read_are_missing_them(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("novels", "si", "nt", "subtitles", "zpr")}
    for folder in (*folders.values(), tmp_path / "novels/empty"):
        folder.mkdir()
    genre = {"path": str(folders["novels"]), "files": ["*.txt"]}
    tasks = {name: {"files": [{"path": str(folders[name])}]} for name in ("si", "nt", "zpr")}
    keys = {"genres": {"zh_novel": genre}, "tasks": tasks, "synthesis": {"zpr": {"path": str(folders["subtitles"])}}}
    wanted = {"run": {"tasks": [*tasks], "genres": ["zh_novel"], "rows": ["copy"], "suites": []}}
    run = Selection(resolve(keys | wanted, ROOT))
    for split in ("train", "valid", "test"):
        (folders["nt"] / f"{split}.jsonl").touch()
    for name in ("valid", "test"):
        (folders["si"] / f"{name}.jsonl").touch()
        (folders["zpr"] / f"{name}.jsonl").touch()
    assert {key: line.split(": ")[2].split(";")[0] for key, line in told(run).items() if "path" in key} == {
        "genres.zh_novel.path": f"{folders['novels']} holds no file that is wanted",
        "synthesis.zpr.path": f"{folders['subtitles']} holds no file that is wanted",
        "tasks.si.files[0].path": f"{folders['si']} has no train.jsonl",
    }
    for path in ("novels/empty/a.epub", "subtitles/a.zh", "si/train.jsonl"):
        (tmp_path / path).touch()
    assert [line for key, line in told(run).items() if "genres" in key or "path" in key] == [
        "missing: genres.zh_novel.files: nothing matches '*.txt'; mend the glob or take it out."
    ]
