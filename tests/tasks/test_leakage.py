"""Leakage: exact and partial copies, across splits and tasks, and works in two splits."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from discobench.config.load import read_yaml
from discobench.records import split_of
from discobench.tasks import task
from discobench.tasks.leakage import Leakage, grams, warnings
from tests.support import ROOT
from tests.tasks.test_tasks import EXAMPLES, record

SIZES = {"zh": 4, "en": 3}
POEM = "床前明月光疑是地上霜"


def nt(name: str, text: str, target: str = "Words.", **changes: Any) -> dict[str, Any]:
    fields = {"id": name, "document_id": "d", "position": 0, "source_text": text, "references": [target]}
    return record("nt", **(fields | {"work_id": name} | changes))


def searched(held: list[tuple[str, str, Any]], trained: list[tuple[str, Any]]) -> Leakage:
    leakage = Leakage(SIZES, 0.5)
    for name, split, row in held:
        leakage.hold(task(name), split, [row])
    for name, row in trained:
        leakage.train(task(name), [row])
    return leakage


def test_an_exact_copy_is_found_whatever_its_punctuation() -> None:
    (found,) = searched([("nt", "test", nt("a", "雨停了。"))], [("nt", nt("b", "雨，停了！"))]).findings()
    assert (found["id"], found["like"], found["kind"], found["train"]) == ("a", "b", "exact", "nt")


def test_a_copy_of_a_target_overlaps_across_tasks() -> None:
    expansion = EXAMPLES["te"] | {"id": "t", "target": "The old grey cat slept by the fire all day."}
    held = nt("a", "雨。", "the old grey cat slept BY the fire, all night")
    (found,) = searched([("nt", "valid", held)], [("te", expansion), ("nt", nt("b", "风。"))]).findings()
    assert (found["kind"], found["train"], found["like"]) == ("overlap", "te", "t")
    assert found["share"] == round(7 / 8, 4)


def test_less_than_the_bound_is_no_leak() -> None:
    held = nt("a", POEM + "举头望明月低头思故乡")
    assert not searched([("nt", "test", held)], [("nt", nt("b", POEM[:7]))]).findings()


def test_shares_of_several_records_add_up_and_the_nearest_is_named() -> None:
    trained = [("nt", nt("b", POEM[:5])), ("nt", nt("c", POEM[3:]))]
    (found,) = searched([("nt", "test", nt("a", POEM + "。。"))], trained).findings()
    assert (found["like"], found["share"]) == ("c", round(6 / 7, 4))


def test_texts_without_letters_match_nothing() -> None:
    assert not searched([("nt", "test", nt("a", "……", "…"))], [("nt", nt("b", "！", "!"))]).findings()


def test_pairs_count_every_combination_and_works() -> None:
    held = [
        ("nt", "test", nt("a", POEM, work_id="w")),
        ("nt", "test", nt("x", "山。")),
        ("zpr", "valid", EXAMPLES["zpr"] | {"work_id": "v"}),
    ]
    leakage = searched(held, [("nt", nt("b", "海。")), ("zpr", EXAMPLES["zpr"] | {"id": "z", "work_id": "w"})])
    pairs = {(p["task"], p["split"], p["train"]): p for p in leakage.pairs(["nt", "zpr"], leakage.findings())}
    assert len(pairs) == 8
    counted = {key: (p["instances"], p["exact"], p["overlap"], p["works"]) for key, p in pairs.items()}
    assert counted["nt", "test", "zpr"] == (2, 0, 0, 1)
    assert counted["zpr", "valid", "zpr"] == (1, 1, 0, 0)
    assert counted["nt", "test", "nt"] == (2, 0, 0, 0)
    assert leakage.divided() == [{"source": "own", "work_id": "w", "splits": {"nt": ["test"], "zpr": ["train"]}}]


def test_works_of_two_sources_are_two() -> None:
    leakage = searched(
        [("nt", "test", nt("a", "山。", work_id="w"))], [("nt", nt("b", "海。", work_id="w", source="x"))]
    )
    assert leakage.divided() == []


def test_warnings_say_what_is_above_the_threshold() -> None:
    pair = {"task": "nt", "split": "test", "train": "zpr", "instances": 10, "exact": 1, "overlap": 1, "works": 0}
    works = [{"source": "own", "work_id": "w", "splits": {"nt": ["test"], "zpr": ["train"]}}]
    assert warnings([pair], [], 0.2) == []
    first, second = warnings([pair], works, 0.1)
    assert first.startswith("nt: 2 of 10 test instances stand in the training text of zpr")
    assert second == "work w of own is test in nt and train in zpr"


@given(st.lists(st.text("雨雪风山a b,。", max_size=12), max_size=4))
def test_an_instance_found_whole_in_training_has_every_gram_there(texts: list[str]) -> None:
    held, copy = (nt(name, "".join(texts), " ".join(texts)) for name in "ab")
    found = searched([("nt", "test", held)], [("nt", copy)]).findings()
    assert grams(held, SIZES) == grams(copy, SIZES)
    assert all(row["share"] == (1.0 if grams(held, SIZES) else 0.0) for row in found)


def test_tasks_cut_from_one_genre_agree_on_the_split_of_a_work() -> None:
    config = read_yaml(ROOT / "config.yaml")
    assert config["tasks"]["ti"]["genres"] == config["tasks"]["tc"]["genres"]
    document = {"id": "g:w:1", "source": "g", "work_id": "g:w", "language": "zh"}
    document["split"] = split_of("g:w", config["splits"], config["seed"])
    document |= {
        "text": "一。二。三。四。五。",
        "sentence_offsets": [{"start": 2 * i, "end": 2 * i + 2} for i in range(5)],
    }
    cut = [row for name in ("ti", "tc") for row in task(name).records(document)]  # type: ignore[attr-defined]
    assert {(row["work_id"], row["split"]) for row in cut} == {("g:w", document["split"])}
