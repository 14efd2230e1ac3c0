"""Models that read: hidden states of a whole input with the heads that span, gaps and choice need."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from discobench.errors import DiscoError
from discobench.files import whole
from discobench.models.base import Learner, Settings
from discobench.models.learners.tokens import Characters, device_of, drawn, mask_of, padded

CONTEXT, QUESTION, FOCUS = range(3)
HEAD = "head.safetensors"


@dataclass(frozen=True, slots=True)
class Input:
    """One sequence: token ids, and what each token is (CONTEXT, QUESTION or FOCUS)."""

    ids: list[int]
    roles: list[int]


class Backbone(Protocol):
    """A pretrained model that gives each token a hidden state."""

    model: Any
    width: int
    positions: int
    spread: float
    """Standard deviation of the model's new parameters (BERT's is 0.02, that of narrower models larger)."""
    last: bool
    """Whether the last token sums the sequence up (causal decoders) or the first one does."""

    def hidden(self, ids: Tensor, mask: Tensor, roles: Tensor, offset: Tensor) -> Tensor:
        """Hidden states [batch, n, width]; ``offset`` [batch, n, width] is added to the embeddings."""
        ...


class Reader(nn.Module):
    """A backbone, an embedding of roles that tells question and focus apart, and a head.

    Roles are added to the model's embeddings: drawn with a smaller spread they would drown in them.
    """

    def __init__(self, backbone: Backbone, head: nn.Module, seed: int) -> None:
        super().__init__()
        self.model = backbone.model
        self.head = head
        with drawn(seed):
            self.roles = nn.Embedding(3, backbone.width)
            for parameter in (self.roles.weight, *head.parameters()):
                nn.init.normal_(parameter, std=backbone.spread)
        self._backbone = backbone

    def hidden(self, inputs: Sequence[Input], pad: int) -> Tensor:
        """Hidden states [batch, n, width] of right-padded ``inputs``."""
        device = device_of(self)
        ids, roles = padded([i.ids for i in inputs], pad, device), padded([i.roles for i in inputs], CONTEXT, device)
        mask = mask_of([i.ids for i in inputs], device)
        return self._backbone.hidden(ids, mask, roles, self.roles(roles))

    def summary(self, inputs: Sequence[Input], pad: int) -> Tensor:
        """One hidden state per sequence [batch, width]."""
        states = self.hidden(inputs, pad)
        last = [len(i.ids) - 1 if self._backbone.last else 0 for i in inputs]
        return states[torch.arange(len(inputs)), torch.tensor(last)]


class ReadingLearner(Learner):
    """What span, gaps and choice have in common: encoding by pieces, loading and saving."""

    model: Reader

    def __init__(
        self,
        backbone: Backbone,
        tokenizer: Any,
        settings: Settings,
        folder: Path,
        seed: int,
        classes: int,
        states: int = 1,
    ) -> None:
        self.tokenizer, self.settings = tokenizer, settings
        self.model = Reader(backbone, nn.Linear(states * backbone.width, classes), seed)
        if (folder / HEAD).exists():
            self._load_head(folder / HEAD)
        self.characters = Characters(tokenizer)
        self.first, self.last, self.pad = _special(tokenizer)
        self.room = min(settings.max_length, backbone.positions)
        self.counts: Counter[str] = Counter()

    def facts(self) -> dict[str, float]:
        """Counts of what was encoded, cut and lost."""
        return dict(self.counts)

    def save(self, folder: Path) -> None:
        """The pretrained part in its own format, the tokenizer, and the head with the roles."""
        folder.mkdir(parents=True, exist_ok=True)
        self.model.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        new = {name: value for name, value in self.model.state_dict().items() if not name.startswith("model.")}
        with whole(folder / HEAD) as temporary:
            save_file({name: value.contiguous() for name, value in new.items()}, temporary)

    def _load_head(self, path: Path) -> None:
        weights, own = load_file(path), self.model.state_dict()
        for name, value in weights.items():
            if name not in own or own[name].shape != value.shape:
                raise DiscoError(
                    f"{path}: {name} {tuple(value.shape)} does not fit; fine-tune the model for this task."
                )
        self.model.load_state_dict(weights, strict=False)


def _special(tokenizer: Any) -> tuple[int, int, int]:
    wanted = {name: getattr(tokenizer, f"{name}_token_id") for name in ("cls", "sep", "pad")}
    missing = sorted(name for name, token in wanted.items() if token is None)
    if missing:
        raise DiscoError(f"the tokenizer lacks special tokens {', '.join(missing)}; choose another checkpoint.")
    return wanted["cls"], wanted["sep"], wanted["pad"]
