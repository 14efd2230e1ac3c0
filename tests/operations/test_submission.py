"""Submissions: read within bounds, checked completely."""

import itertools
import json
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.operations import submission
from discobench.operations.submission import accepted, answered_tasks, check_submission, read_submission, told
from discobench.report.board.submissions import marked
from discobench.report.long import Score
from discobench.score.submitted import score_answers
from discobench.tasks import task

TASKS = ["mrc", "nt"]
ABOUT = {"name": "Ours", "date": "2026-11-30", "licence": "CC-BY-4.0"}
CHOICE = {"work_id": "m", "style": "modern", "passage": "p", "question": "q", "choices": ["a", "b"]}
MRC = [CHOICE | {"id": f"m:{n}", "answer": n % 2} for n in range(4)]
NT = [{"id": "n:0", "work_id": "n", "document_id": "n", "position": 0, "source_text": "句", "references": ["one"]}]
ZERO = {"offset": 0, "pronoun": "他", "role": None, "in_inventory": True}
ZPR = [{"id": "z:0", "work_id": "z", "domain": "film", "text": "来了。", "before": [], "after": [], "zeros": [ZERO]}]
TESTS = {"mrc": (task("mrc"), MRC), "nt": (task("nt"), NT)}
GOOD = [{"task": "mrc", "id": record["id"], "prediction": 0} for record in MRC]
Lines = list[dict[str, Any]]


def jsonl(folder: Path, lines: Lines, tail: str = "") -> Path:
    path = folder / "ours.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + tail, "utf-8")
    return path


def packed(folder: Path, members: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> Path:
    path = folder / "ours.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, lines in members.items():
            text = json.dumps(lines) if isinstance(lines, dict) else "".join(json.dumps(line) + "\n" for line in lines)
            archive.writestr(name, text)
    return path


def faults(path: Path) -> list[str]:
    return [text for _, text in check_submission(read_submission(path, TASKS), TESTS)]


def test_both_forms_hold_the_same(tmp_path: Path):
    lines = read_submission(jsonl(tmp_path, [ABOUT, *GOOD]), TASKS)
    archive = read_submission(packed(tmp_path, {"submission.json": ABOUT, "mrc.jsonl": GOOD}), TASKS)
    assert lines.about == archive.about == ABOUT
    assert accepted(lines, TESTS, tmp_path / "r") == accepted(archive, TESTS, tmp_path / "r") == {"mrc": GOOD}
    assert answered_tasks(tmp_path / "ours.zip", TASKS) == ["mrc"]
    assert not (tmp_path / "r").exists()


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path):
    bad = [
        {"name": "a\nb", "date": "2026-13-01", "url": "x"},
        {"task": "mrc", "id": "m:0", "prediction": "two"},
        {"task": "mrc", "id": "nobody", "prediction": 0},
        {"task": "mrc", "id": "m:1", "prediction": 1},
        {"task": "mrc", "id": "m:1", "prediction": 1},
        {"task": "mrc", "id": "m:1", "prediction": "both"},
        {"task": "mrc", "id": 7, "prediction": 1},
        {"task": "mrc", "id": "m:2", "prediction": 9, "status": "odd"},
        {"task": "mrc", "id": "m:2"},
        {"task": "poetry", "id": "m:2", "prediction": 0},
        {"task": "nt", "id": "n:0", "prediction": "x", "status": "fine"},
    ]
    path = jsonl(tmp_path, bad, "{\n[]\n")
    found = faults(path)
    for part in (
        "name holds 'a\\nb'",
        "date holds '2026-13-01', a day",
        "licence holds None",
        "key 'url' is unknown",
        "line 2: id 'm:0': prediction holds 'two', an integer is needed",
        "line 3: id 'nobody' is not in the test set of mrc",
        "line 5: id 'm:1' was answered before",
        "line 6: id 'm:1' was answered before",
        "line 6: id 'm:1': prediction holds 'both', an integer is needed",
        "line 7: id holds 7",
        "line 8: id 'm:2': prediction holds 9, an index of 2 choices",
        "line 8: id 'm:2': status holds 'odd'",
        "line 10: task holds 'poetry'; allowed: mrc, nt",
        "line 11: id 'n:0': status holds 'fine'",
        "line 12 is not JSON",
        "line 13 holds list",
        "mrc: id 'm:3' has no answer",
    ):
        assert sum(part in text for text in found) == 1, part
    with pytest.raises(DiscoError, match=f"has {len(found)} faults"):
        accepted(read_submission(path, TASKS), TESTS, tmp_path / "report.txt")
    assert (tmp_path / "report.txt").read_text("utf-8").count("\n") == len(found)


def test_a_description_that_was_forgotten_is_said_and_costs_no_answer(tmp_path: Path):
    found = faults(jsonl(tmp_path, GOOD))
    assert found[0] == "ours.jsonl, line 1 answers; it must be the description: name, date, licence"
    assert not [text for text in found if "m:0" in text]


def test_many_faults_of_a_kind_are_counted():
    shown = told([("a", str(n)) for n in range(submission.SHOWN + 3)] + [("b", "other")])
    assert shown.split("\n")[-2:] == ["other", "3 more of this kind: a"]


@pytest.mark.parametrize("name", ["../mrc.jsonl", "/mrc.jsonl", "a/mrc.jsonl", "mrc", "mrc.jsonl.jsonl", "x.py"])
def test_a_member_that_is_none_of_a_submission_is_a_fault_and_no_file(tmp_path: Path, name: str):
    inside = tmp_path / "inside"
    inside.mkdir()
    path = packed(inside, {"submission.json": ABOUT, name: GOOD, "mrc.jsonl": GOOD})
    assert [text.split(";")[0] for text in faults(path)] == [f"member {name!r} is none of a submission"]
    assert [found.name for found in tmp_path.rglob("*")] == ["inside", "ours.zip"]


def test_an_archive_may_not_swell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(submission, "LARGEST", 1000)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mrc.jsonl", " " * 100_000)
    assert path.stat().st_size < 1000
    with pytest.raises(DiscoError, match="unpacks to more than 1000 bytes"):
        read_submission(path, TASKS)
    with pytest.raises(DiscoError, match="at most 1000 is allowed"):
        read_submission(jsonl(tmp_path, [ABOUT, *GOOD * 20]), TASKS)


NESTED = '{"id": [' + "{}," * 999 + "{}]}\n"


@pytest.mark.parametrize("line", ["{}\n", "[]\n", "\n", NESTED], ids=["objects", "lists", "empty", "nested"])
def test_a_small_archive_of_many_parts_is_refused_before_it_is_parsed(tmp_path: Path, line: str):
    """Bytes alone do not bound what parsing takes: some hundred bytes of memory for each of three."""
    path = tmp_path / "many.zip"
    times = submission.MOST // (line.count("{") + line.count("\n")) + 1
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mrc.jsonl", line * times)
    assert path.stat().st_size < 100_000 and len(line) * times < submission.LARGEST / 10
    with pytest.raises(DiscoError, match=rf"mrc\.jsonl: .* at most {submission.MOST} are allowed"):
        read_submission(path, TASKS)


def test_parts_are_counted_over_all_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = packed(tmp_path, {"mrc.jsonl": GOOD, "nt.jsonl": GOOD})
    parts = read_submission(path, TASKS).parts
    assert parts == 2 * len(GOOD) * 4  # a line, an object, and the commas between three keys
    monkeypatch.setattr(submission, "MOST", parts - 1)
    with pytest.raises(DiscoError, match=f"nt.jsonl: the submission comes to {parts} lines"):
        read_submission(path, TASKS)
    with pytest.raises(DiscoError, match="at most"):
        read_submission(jsonl(tmp_path, [ABOUT, *GOOD, *GOOD]), TASKS)


def test_an_archive_that_is_cut_or_crowded_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = packed(tmp_path, {"submission.json": ABOUT, "mrc.jsonl": GOOD})
    data = bytearray(path.read_bytes())
    data[60] ^= 255
    (tmp_path / "broken.zip").write_bytes(data)
    with pytest.raises(DiscoError, match="no zip file that can be read"):
        read_submission(tmp_path / "broken.zip", TASKS)
    monkeypatch.setattr(submission, "MEMBERS", 1)
    with pytest.raises(DiscoError, match="has 2 members"):
        read_submission(path, TASKS)
    with pytest.raises(DiscoError, match="cannot be read"):
        read_submission(tmp_path / "absent.jsonl", TASKS)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_flipped_byte_anywhere_in_an_archive_gives_no_traceback(tmp_path: Path, method: int):
    """Each byte of a small archive; what is read all the same are answers, to be checked like any."""
    path = packed(tmp_path, {"submission.json": ABOUT, "mrc.jsonl": GOOD}, method)
    whole, refused = path.read_bytes(), []
    for place, mask in itertools.product(range(len(whole)), (1, 255)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ mask]) + whole[place + 1 :])
        try:
            read_submission(path, TASKS)
        except DiscoError as error:
            refused.append(str(error))
    assert len(refused) > len(whole) / 2 and not [text for text in refused if "None" in text]


def test_nothing_is_answered(tmp_path: Path):
    assert faults(jsonl(tmp_path, [ABOUT])) == ["no task is answered"]


def test_scores_have_the_values_and_signature_of_the_runs_own():
    settings = SimpleNamespace(bootstrap=20, seed=1, nltk_data="", outside_inventory="miss", models={})
    found = score_answers(*TESTS["mrc"], GOOD, settings)
    assert found["metrics"]["accuracy"]["value"] == 50.0
    assert found["metrics"]["accuracy"]["signature"].startswith("accuracy")
    assert found["statuses"] == {"ok": 4}
    assert found["values"]["accuracy"] == {"m:0": 100.0, "m:1": 0.0, "m:2": 100.0, "m:3": 0.0}
    modern = found["categories"]["style"]["modern"]["accuracy"]
    assert (modern["value"], modern["n"]) == (50.0, 4)


def test_a_model_that_is_not_made_is_a_reason(tmp_path: Path):
    record = {"id": "e:0", "work_id": "e", "source_text": "He left.", "target": "He quietly left."}
    models = {name: {"en": str(tmp_path / name / "model.json")} for name in ("ppl", "bertscore")}
    settings = SimpleNamespace(bootstrap=20, seed=1, nltk_data="", outside_inventory="miss", models=models)
    found = score_answers(task("te"), [record], [{"id": "e:0", "prediction": "He left."}], settings)["metrics"]
    asked = f"the model of ppl is not made yet; make {models['ppl']['en']} by the run's own command and score it again"
    assert found["ppl"] == {"not_run": asked} and "bertscore" in found["bertscore"]["not_run"]
    assert all("value" in found[name] for name in ("bleu", "dist2", "dist4"))


def test_categories_of_a_metric_that_was_scored_in_another_way_are_left_out():
    settings = SimpleNamespace(bootstrap=20, seed=1, nltk_data="", outside_inventory="miss", models={})
    scores = {"zpr": score_answers(task("zpr"), ZPR, [{"id": "z:0", "prediction": [[0, "他"]]}], settings)}
    entry = ABOUT | {"sha256": "ab" * 32, "scores": scores}
    run = [
        Score("copy", 1, "zpr", name, 0.0, 1, None, found["signature"] + "!" * (name == "recall"), "s")
        for name, found in scores["zpr"]["metrics"].items()
    ]
    (found,) = marked([entry], run)
    kept = found["scores"]["zpr"]["categories"]
    assert list(found["apart"]) == [("zpr", "recall")] and set(kept) == {"domain", "pronoun"}
    assert [set(scores["zpr"]["metrics"]) - set(own) for own in (kept["domain"]["film"], kept["pronoun"]["他"])] == [
        {"recall"}
    ] * 2
    assert kept["pronoun"]["他"]["f1"]["value"] == 100.0
