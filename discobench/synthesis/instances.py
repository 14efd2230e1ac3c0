"""Text expansion instances: runs of sentences of a document without some of their modifiers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from discobench.errors import DiscoError
from discobench.records import Balance
from discobench.schema import empty
from discobench.synthesis.expansion import derive_source
from discobench.synthesis.pruning import Pruning, Sentence, deletions, prune
from discobench.synthesis.trees import read_tree

BREAKS = str.maketrans("\n\r\t\u0085\u2028\u2029", "      ")
Record = Mapping[str, Any]


def instances(document: Record, trees: Sequence[Record], pruning: Pruning, balance: Balance) -> list[dict[str, Any]]:
    """Records of schema ``te`` from the parsed sentences of one document.

    The document's sentences are cut into runs of ``pruning.sentences``; runs that are short, not
    wholly parsed, or from which nothing was deleted are dropped with a reason. ``balance.notes`` counts
    what could have been deleted (``deletable``), by type.
    """
    known = {tree["id"]: tree for tree in trees}
    ids = [f"{document['id']}:{n}" for n in range(len(document["sentence_offsets"]))]
    records = []
    for number, first in enumerate(range(0, len(ids), pruning.sentences)):
        run = ids[first : first + pruning.sentences]
        reason = _unfit(run, known, pruning)
        record = None if reason else _instance(document, number, [known[name] for name in run], pruning, balance)
        if record is None or not record["insertions"]:
            balance.drop(reason or "nothing deleted")
            continue
        balance.keep()
        records.append(record)
    return records


def _unfit(run: Sequence[str], known: Mapping[str, Record], pruning: Pruning) -> str | None:
    if len(run) < pruning.sentences:
        return "fewer sentences than an instance has"
    return None if all(name in known for name in run) else "a sentence has no tree"


def _instance(
    document: Record, number: int, trees: Sequence[Record], pruning: Pruning, balance: Balance
) -> dict[str, Any]:
    target = ""
    sentences: list[Sentence] = []
    for row in trees:
        target += " " if target else ""
        shift = len(target) - row["start"]
        target += document["text"][row["start"] : row["end"]].translate(BREAKS)
        sentences.append(_sentence(row, shift, pruning, balance))
    pruned = [prune(target, sentence) for sentence in limited(sentences, trees, pruning)]
    insertions = [insertion for some, _ in pruned for insertion in some]
    edits = [edit for _, some in pruned for edit in some]
    return empty("te") | {
        "id": f"{document['id']}:{number}",
        **{key: document[key] for key in ("source", "work_id", "language", "split")},
        "source_text": derive_source(target, insertions, edits),
        "target": target,
        "insertions": insertions,
        "edits": edits,
        "tree_ids": [row["id"] for row in trees],
    }


def _sentence(row: Record, shift: int, pruning: Pruning, balance: Balance) -> Sentence:
    """A parsed sentence that begins ``shift`` after its place in the document, with the deletions drawn for it."""
    tree = read_tree(row["tree"])
    found, deletable = deletions(tree, row["id"], pruning)
    balance.notes.setdefault("deletable", Counter()).update(deletable)
    return Sentence(tree.words(), [(token["start"] + shift, token["end"] + shift) for token in row["tokens"]], found)


def limited(sentences: Sequence[Sentence], trees: Sequence[Record], pruning: Pruning) -> list[Sentence]:
    """The sentences with the deletions that were drawn lowest, while their words are within ``max_share``."""
    left = int(pruning.max_share * sum(len(sentence.words) for sentence in sentences))
    drawn = [
        (pruning.point(row["id"], deletion), n, deletion)
        for n, (row, sentence) in enumerate(zip(trees, sentences, strict=True))
        for deletion in sentence.deletions
    ]
    kept: list[list[Any]] = [[] for _ in sentences]
    for _, n, deletion in sorted(drawn, key=lambda item: (item[0], item[1], item[2].start)):
        if deletion.end - deletion.start <= left:
            left -= deletion.end - deletion.start
            kept[n].append(deletion)
    return [s._replace(deletions=sorted(some, key=lambda d: d.start)) for s, some in zip(sentences, kept, strict=True)]


def paired(documents: Iterable[Record], trees: Iterable[Record]) -> Iterator[tuple[Record, list[Record]]]:
    """Each document with its trees, which come in the documents' order.

    Raises DiscoError when trees are left over: they are of other documents, or in another order.
    """
    groups = groupby(trees, key=lambda tree: str(tree["document_id"]))
    waiting = next(groups, None)
    for document in documents:
        rows: list[Record] = []
        if waiting is not None and waiting[0] == document["id"]:
            rows = list(waiting[1])
            waiting = next(groups, None)
        yield document, rows
    if waiting is not None:
        raise DiscoError(f"document {waiting[0]!r} has trees but is not among the documents; rerun parse.")
