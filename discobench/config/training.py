"""Types of the configuration's keys of training: Tables 15 and 16 and what fine-tuning has beside."""

from typing import Literal

from pydantic import Field

from discobench.config.strict import Count, Positive, Rate, Share, Strict, Weight

Chooser = Literal["loss", "f1", "em", "accuracy", "bleu", "d-bleu"]


class Training(Strict):
    """Hyper-parameters of one training run; Tables 15 and 16."""

    learning_rate: Rate
    batch_size: Positive
    batch_unit: Literal["sequences", "tokens"] = "sequences"
    max_length: Positive
    epochs: Positive | None = None
    steps: Positive | None = None
    warmup: Count = 0
    schedule: Literal["linear", "constant", "inverse_sqrt"] = "linear"
    betas: tuple[float, float] = Field(default=(0.9, 0.999), strict=False)
    weight_decay: float = 0.01
    dropout: Share | None = None
    clip: Rate = 1.0
    empty_weight: Weight = Field(
        default=1.0, description="weight of gaps without a form in the loss of ZPR; below 1 where labels lack forms"
    )
    save_every: Positive = 1000
    keep_best: bool = True
    recompute: bool = Field(default=False, description="compute activations again in the backward pass: less memory")
    compile: bool = Field(default=False, description="torch.compile: pays off in long runs on a GPU")


class Tuning(Training):
    """What fine-tuning has beside."""

    best_by: Chooser = Field(
        default="loss",
        description="what the best checkpoint and the best trial of a grid are chosen by: the validation loss, or one "
        "of the task's metrics on greedy answers to validation examples",
    )
    best_of: Positive = Field(default=500, description="most validation examples that are answered for best_by")
    batch_factor: Positive = Field(
        default=1,
        description="batches so many times as large, in as many fewer steps, at the learning rate times its root: "
        "faster than as printed, and another experiment (docs/cost.md)",
    )
    part_tokens: Positive | None = Field(
        default=None,
        description="tokens of a batch, with padding, that a model learns from at a time, where memory is short: "
        "gradients of a batch's parts add up; null: the whole batch, as plain models always do",
    )
    passages: Literal["cut", "windows"] = Field(
        default="cut",
        description="how MRC reads what passes max_length: cut at its end, or in windows that overlap by half, each "
        "choice by its best window",
    )
    decoder_layers: Positive | None = Field(
        default=None,
        description="of the decoder that an encoder writes with; null: as many as it has itself, at most 6",
    )
    target_vocabulary: Positive = Field(
        default=8000, description="tokens that such a decoder knows, learned from the training targets"
    )

    def scaled(self) -> "Tuning":
        """What is trained with: batches, steps and rate by ``batch_factor`` (Malladi et al. 2022, for Adam)."""
        factor = self.batch_factor
        fewer = {"steps": self.steps and max(1, self.steps // factor), "warmup": self.warmup // factor}
        larger = {"batch_size": self.batch_size * factor, "learning_rate": self.learning_rate * factor**0.5}
        return self.model_copy(update=fewer | larger)


class TrainingChange(Strict):
    """Any key of Tuning, to override a default for one row or preset."""

    learning_rate: Rate | None = None
    batch_size: Positive | None = None
    batch_unit: Literal["sequences", "tokens"] | None = None
    max_length: Positive | None = None
    epochs: Positive | None = None
    steps: Positive | None = None
    warmup: Count | None = None
    schedule: Literal["linear", "constant", "inverse_sqrt"] | None = None
    betas: tuple[float, float] | None = Field(default=None, strict=False)
    weight_decay: float | None = None
    dropout: Share | None = None
    clip: Rate | None = None
    empty_weight: Weight | None = None
    best_by: Chooser | None = None
    best_of: Positive | None = None
    batch_factor: Positive | None = None
    part_tokens: Positive | None = None
    passages: Literal["cut", "windows"] | None = None
    decoder_layers: Positive | None = None
    target_vocabulary: Positive | None = None
    save_every: Positive | None = None
    keep_best: bool | None = None
    recompute: bool | None = None
    compile: bool | None = None


class Grid(Strict):
    """Values to try, each with each of the others'; the validation set decides, by best_by."""

    learning_rate: list[Rate] | None = Field(default=None, min_length=1)
    batch_size: list[Positive] | None = Field(default=None, min_length=1)
    epochs: list[Positive] | None = Field(default=None, min_length=1)
    steps: list[Positive] | None = Field(default=None, min_length=1)


class Finetune(Strict):
    tasks: dict[str, Tuning]
    rows: dict[str, dict[str, TrainingChange]] = Field(default={}, description="row -> task -> changes")
    grid: dict[str, dict[str, Grid]] = Field(
        default={}, description="row -> task -> values among which the validation set chooses"
    )
    gpus: Positive = Field(default=1, description="as pretrain.<checkpoint>.gpus; plain models use one")
