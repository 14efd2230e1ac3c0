"""What training and decoding of the plain family share: vocabulary, sizes, files.

A folder holds ``architecture.json`` (see ``arguments``), ``tokenizer.json`` and, once trained,
``model.safetensors``. fairseq reads tokens as words: a word is the decimal id of a token, so no
token can be mistaken for fairseq's own symbols or hold a blank.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from discobench.errors import DiscoError
from discobench.files import read_json

ARCHITECTURE = "architecture.json"
TOKENIZER = "tokenizer.json"
WEIGHTS = "model.safetensors"
POSITIONS = 1024
SYMBOLS = 4
"""fairseq's own symbols, before the first token: beginning, padding, end, unknown."""
SIDES = ("source", "target")
SIZES = {
    "hidden": ("--encoder-embed-dim", "--decoder-embed-dim"),
    "layers": ("--encoder-layers", "--decoder-layers"),
    "heads": ("--encoder-attention-heads", "--decoder-attention-heads"),
    "intermediate": ("--encoder-ffn-embed-dim", "--decoder-ffn-embed-dim"),
    "positions": ("--max-source-positions", "--max-target-positions"),
}


def arguments(architecture: Mapping[str, Any]) -> list[str]:
    """fairseq's arguments for an architecture; raises DiscoError for a key that it has not.

    Keys: ``arch`` (a fairseq architecture), ``vocabulary``, and any of ``SIZES`` for both sides.
    Source and target share one vocabulary, hence one matrix of embeddings, whatever the ``language``.
    """
    unknown = sorted(set(architecture) - {"arch", "vocabulary", "language", *SIZES})
    if unknown:
        allowed = ", ".join(["arch", "vocabulary", *SIZES])
        raise DiscoError(f"architecture of a plain checkpoint has {unknown[0]!r}; allowed: {allowed}; rename it.")
    sizes = [(flag, str(architecture[key])) for key, flags in SIZES.items() if key in architecture for flag in flags]
    flat = [part for pair in sizes for part in pair]
    return ["--task", "translation", "--arch", str(architecture["arch"]), "--share-all-embeddings", *flat]


def architecture_of(folder: Path) -> dict[str, Any]:
    """The architecture that the checkpoint in ``folder`` was made with."""
    return dict(read_json(folder / ARCHITECTURE))


def positions(folder: Path) -> int:
    """The longest source or target in tokens, the end symbol included."""
    return int(architecture_of(folder).get("positions", POSITIONS))


class Vocabulary:
    """Texts to token ids (0 … size - 1) and back, without loss."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self.size: int = self.tokenizer.get_vocab_size()

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, without an end symbol."""
        return [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of token ids; bytes that are no UTF-8 become U+FFFD."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=False))
