"""A treebank written out the way stanza's three trainers read it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from discobench.errors import DiscoError
from discobench.files import read_text, write_text
from discobench.synthesis.detokenise import character_labels, detokenise
from discobench.synthesis.trees import Node, plain, read_trees, write_tree

WIDTH = 32
WINDOW = 2


def read_treebank(path: Path) -> list[Node]:
    """The plain trees of a ``.mrg`` file; raises DiscoError naming the file when there are none."""
    try:
        trees = [plain(tree) for tree in read_trees(read_text(path))]
    except DiscoError as error:
        raise DiscoError(f"{path}: {error}") from error
    if not trees:
        raise DiscoError(f"{path} holds no tree; put one bracketed sentence or more in it.")
    return trees


def write_training_files(name: str, trees: Sequence[Node], folder: Path) -> None:
    """``<name>.mrg``, ``.conllu``, ``.txt`` and ``.labels``, the sentences in the same order.

    The tagger gets the Penn tag as xpos and as upos: stanza feeds a parser that was trained without
    its retagging step by upos, and by xpos otherwise, so both must be what the trees have.
    """
    lines = [detokenise(tree.words()) for tree in trees]
    write_text(folder / f"{name}.mrg", "".join(write_tree(tree) + "\n" for tree in trees))
    write_text(folder / f"{name}.conllu", "\n".join(map(_conllu, trees)) + "\n")
    write_text(folder / f"{name}.txt", "\n\n".join(text for text, _ in lines) + "\n")
    write_text(folder / f"{name}.labels", "\n\n".join(character_labels(*line) for line in lines) + "\n")


def _conllu(tree: Node) -> str:
    rows = enumerate(zip(tree.words(), tree.leaves(), strict=True), start=1)
    return "".join(f"{n}\t{w}\t_\t{leaf.label}\t{leaf.label}\t_\t{n - 1}\tdep\t_\t_\n" for n, (w, leaf) in rows)


def word_vectors(sentences: Sequence[Sequence[str]], seed: int) -> tuple[list[str], np.ndarray]:
    """Words by frequency, and vectors [words, WIDTH] of their neighbours' random projections.

    Words with like neighbours get like vectors (random indexing), which is what a tagger and a
    parser need of them.
    """
    counts = Counter(word.lower() for sentence in sentences for word in sentence)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    place = {word: n for n, word in enumerate(words)}
    random = np.random.default_rng(seed).standard_normal((len(words), WIDTH))
    vectors = random * 0.1
    for sentence in sentences:
        ids = [place[word.lower()] for word in sentence]
        for n, centre in enumerate(ids):
            for distance in range(1, WINDOW + 1):
                for other in (n - distance, n + distance):
                    if 0 <= other < len(ids):
                        vectors[centre] += np.roll(random[ids[other]], other - n) / distance
    return words, (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def vector_text(words: Sequence[str], vectors: np.ndarray) -> str:
    """The word2vec text format."""
    rows = (f"{word} {' '.join(f'{v:.5f}' for v in vector)}\n" for word, vector in zip(words, vectors, strict=True))
    return f"{len(words)} {vectors.shape[1]}\n" + "".join(rows)
