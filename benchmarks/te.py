"""``make bench-te``: sentences a second of parsing, pruning and filtering, beside the plain way.

The plain way is stanza called sentence by sentence and KenLM line by line, on the same text in the
same run. Rates are per CPU second of one process, imports and loading left out. Options: ``--books``
(a folder of English texts; default: the demo's), ``--models`` (a stanza folder; DISCOBENCH_STANZA_DIR)
and ``--sentences``. Writes results/bench/te.json.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import kenlm

from discobench.corpus.rules import read_rules
from discobench.corpus.sentences import sentences
from discobench.files import read_text, write_json
from discobench.records import Balance
from discobench.synthesis.filtering import Limits as Perplexities
from discobench.synthesis.filtering import judge, score
from discobench.synthesis.instances import instances, paired
from discobench.synthesis.parser import load_pipeline
from discobench.synthesis.parsing import Limits, parse_sentences, sentences_of
from discobench.synthesis.perplexity import Estimate, build_model, normalise
from discobench.synthesis.pruning import Pruning
from discobench.synthesis.rules import TYPES, load_rules

ROOT = Path(__file__).parents[1]
OUTPUT = Path("results/bench/te.json")
GOAL, SHARE = 3.0, 0.1
"""Times as fast as the plain way, and the share of time that all but the parser may take."""


def documents(folder: Path, wanted: int) -> list[dict[str, Any]]:
    """Documents of a folder's texts, one a file, cut off after ``wanted`` sentences of each in turn."""
    rules = read_rules(ROOT / "resources/cleaning/en.yaml")
    files = sorted(folder.glob("*.txt"))
    found = []
    for file in files:
        text = read_text(file)
        spans = sentences(text, "en", rules.abbreviations)[: -(-wanted // len(files))]
        offsets = [{"start": start, "end": end} for start, end in spans]
        common = {"id": f"bench:{file.stem}:0", "source": "bench", "work_id": file.stem}
        found.append(common | {"language": "en", "split": "train", "text": text, "sentence_offsets": offsets})
    return found


def ours(books: list[dict[str, Any]], pipeline: Any, models: list[Any], seconds: dict[str, float]) -> list[Any]:
    """Everything as the pipeline does it; returns the judged instances."""
    pruning = Pruning(load_rules(ROOT / "resources/te/rules.yaml"), dict.fromkeys(TYPES, 0.8), False, 3, 1, 0.4)
    balance = Balance("prune")
    some = [sentence for book in books for sentence in sentences_of(book)]
    trees, _ = _timed(seconds, "parse", lambda: parse_sentences(some, pipeline, Limits(150, 4000, 2000)))
    pairs = list(paired(books, trees))
    records = _timed(seconds, "prune", lambda: [r for b, t in pairs for r in instances(b, t, pruning, balance)])
    scores = _timed(seconds, "score", lambda: list(score(records, models, {})))
    return _timed(seconds, "filter", lambda: list(judge(records, scores, Perplexities(1000.0, 3.0))))


def plain(books: list[dict[str, Any]], pipeline: Any, models: list[Any], records: list[Any]) -> dict[str, float]:
    """CPU seconds of a call of stanza for each sentence, and of KenLM for each line of each candidate."""
    seconds = dict[str, float]()
    texts = [sentence.text for book in books for sentence in sentences_of(book) if sentence.text]
    _timed(seconds, "parse", lambda: [pipeline(text) for text in texts])
    sides = [record[side] for record in records for side in ("target", "source_text")]
    _timed(seconds, "score", lambda: [models[0].score(line) for side in sides for line in normalise(side)])
    return seconds


def _timed(seconds: dict[str, float], name: str, work: Callable[[], Any]) -> Any:
    start = time.process_time()
    found = work()
    seconds[name] = time.process_time() - start
    return found


def _measured(options: argparse.Namespace) -> dict[str, Any]:
    books = documents(options.books, options.sentences)
    pipeline = load_pipeline(options.models, "default")
    pipeline("A first call loads what is loaded late.")
    count = sum(len(book["sentence_offsets"]) for book in books)
    with TemporaryDirectory() as scratch:
        model = Path(scratch, "model.binary")
        build_model((book["text"] for book in books), model, Estimate(5, [0, 0, 1], True, 500, Path(scratch)))
        models = [kenlm.Model(str(model))]
    own = dict[str, float]()
    records = ours(books, pipeline, models, own)
    other = plain(books, pipeline, models, records)
    total, rest = sum(own.values()), sum(own.values()) - own["parse"]
    return {
        "sentences": count,
        "instances": len(records),
        "sentences_per_s": {name: count / max(spent, 1e-9) for name, spent in own.items()},
        "plain_sentences_per_s": {name: count / spent for name, spent in other.items()},
        "times_as_fast": sum(other.values()) / (own["parse"] + own["score"]),
        "share_outside_the_parser": rest / total,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench-te")
    parser.add_argument("--books", type=Path, default=ROOT / "resources/demo/corpus/en_book")
    parser.add_argument("--models", type=Path, default=os.environ.get("DISCOBENCH_STANZA_DIR"))
    parser.add_argument("--sentences", type=int, default=500)
    options = parser.parse_args()
    if options.models is None:
        parser.error("--models or DISCOBENCH_STANZA_DIR must name a folder of stanza's English models")
    found = _measured(options)
    about = {"date": time.strftime("%Y-%m-%d"), "machine": platform.machine(), "cores": os.cpu_count()}
    write_json(OUTPUT, about | found)
    for name, rate in found["sentences_per_s"].items():
        beside = found["plain_sentences_per_s"].get(name)
        print(f"{name}: {rate:,.0f} sentences/s" + (f", the plain way {beside:,.0f}" if beside else ""))
    met = "met" if found["times_as_fast"] >= GOAL else "missed"
    print(f"{found['times_as_fast']:.1f} times as fast as the plain way (goal {GOAL}: {met})")
    met = "met" if found["share_outside_the_parser"] < SHARE else "missed"
    print(f"outside the parser: {found['share_outside_the_parser']:.1%} of the time (goal below {SHARE:.0%}: {met})")


if __name__ == "__main__":
    main()
