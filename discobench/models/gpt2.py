"""GPT-2, English or Chinese (BERT's vocabulary)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import GPT2LMHeadModel

from discobench.models.base import Family, Learner, Settings
from discobench.models.learners.causal import CausalLearner
from discobench.models.learners.codec import Codec
from discobench.models.learners.loading import pretrained, sizes, spread, tokenizer_of, write_drawn, write_tokenizer


class GPT2(Family):
    """Writes what follows."""

    name = "gpt2"
    formulations = frozenset({"text", "rank"})

    def tiny(self, folder: Path, texts: Sequence[str], architecture: dict[str, Any], seed: int) -> None:
        """A GPT-2 of the given sizes."""
        codec, size = Codec(write_tokenizer(folder, texts, architecture, "gpt2")), sizes(architecture)
        config = {
            "vocab_size": len(codec.tokenizer),
            "n_embd": size["hidden"],
            "n_layer": size["layers"],
            "n_head": size["heads"],
            "n_inner": size["intermediate"],
            "n_positions": size["positions"],
            "initializer_range": spread(size["hidden"]),
            "bos_token_id": codec.end,
            "eos_token_id": codec.end,
            "pad_token_id": codec.pad,
        }
        write_drawn(GPT2LMHeadModel, folder, seed, **config)

    def learner(self, folder: Path, settings: Settings, seed: int) -> Learner:
        """A causal learner."""
        model = pretrained(GPT2LMHeadModel, folder, settings, seed)
        return CausalLearner(model, Codec(tokenizer_of(folder)), settings, model.config.n_positions)
