"""Between text and token ids: a tokenizer's two directions, and the special tokens around them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from discobench.errors import DiscoError
from discobench.models.learners.detokenise import detokenise


class Codec:
    """A tokenizer without special tokens, which a ``Frame`` adds."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self._pieces = type(tokenizer.backend_tokenizer.model).__name__ == "WordPiece"
        self._special = set(tokenizer.all_special_ids)

    def ids(self, text: str) -> list[int]:
        """Token ids of ``text``."""
        return list(self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def text(self, ids: Sequence[int]) -> str:
        """Text of token ids, special ones left out."""
        kept = [token for token in ids if token not in self._special]
        if self._pieces:
            return detokenise(self.tokenizer.convert_ids_to_tokens(kept))
        return str(self.tokenizer.decode(kept, clean_up_tokenization_spaces=False)).strip()

    @property
    def begin(self) -> tuple[int, ...]:
        """The token that begins a text; none where the vocabulary has no such token."""
        first = _either(self.tokenizer.cls_token_id, self.tokenizer.bos_token_id)
        return () if first is None or first == self.end else (first,)

    @property
    def end(self) -> int:
        """The token that ends a text; raises DiscoError when there is none."""
        last = _either(self.tokenizer.eos_token_id, self.tokenizer.sep_token_id)
        if last is None:
            raise DiscoError("the tokenizer has neither an end nor a separator token; choose another checkpoint.")
        return last

    @property
    def pad(self) -> int:
        """The token that fills batches; the end token where there is no other."""
        filler = _either(self.tokenizer.pad_token_id, self.end)
        assert filler is not None
        return filler

    @property
    def never(self) -> list[int]:
        """Tokens that no output holds: unknown, mask and padding, unless one of them ends texts."""
        tokens = {self.tokenizer.unk_token_id, self.tokenizer.mask_token_id, self.tokenizer.pad_token_id}
        return sorted(tokens - {None, self.end})

    def token(self, name: str) -> int:
        """Id of a token that must be there, such as a language; raises DiscoError when it is not."""
        vocabulary: dict[str, int] = self.tokenizer.get_vocab()
        if name not in vocabulary:
            raise DiscoError(f"the tokenizer has no token {name!r}; choose a checkpoint that knows the language.")
        return vocabulary[name]


def _either(first: int | None, second: int | None) -> int | None:
    return second if first is None else first


@dataclass(frozen=True, slots=True)
class Frame:
    """Special tokens around a source and a target; ``start`` precedes the target in the decoder."""

    source_begin: tuple[int, ...]
    source_end: tuple[int, ...]
    target_begin: tuple[int, ...]
    target_end: tuple[int, ...]
    start: int | None = None

    def source(self, ids: list[int], room: int) -> list[int]:
        """A source of at most ``room`` tokens; what is cut is its end."""
        kept = ids[: room - len(self.source_begin) - len(self.source_end)]
        return [*self.source_begin, *kept, *self.source_end]

    def target(self, ids: list[int], room: int) -> list[int]:
        """A target of at most ``room`` tokens; what is cut is its end, its end token stays."""
        kept = ids[: room - len(self.target_begin) - len(self.target_end)]
        return [*self.target_begin, *kept, *self.target_end]
