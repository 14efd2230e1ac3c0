"""Decoding by fairseq's generator and forced decoding by its scorer, from safetensors only."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from fairseq import options, utils
from fairseq.data import Dictionary, LanguagePairDataset
from fairseq.dataclass.utils import convert_namespace_to_omegaconf
from fairseq.sequence_scorer import SequenceScorer
from fairseq.tasks.translation import TranslationTask
from safetensors.torch import load_file

from discobench.errors import DiscoError
from discobench.formulations import LogLikelihood, Prediction, TextExample
from discobench.models.base import Decoding
from discobench.models.plain_model import SYMBOLS, WEIGHTS, Vocabulary, architecture_of, arguments, positions
from discobench.progress import told


class Loaded:
    """A trained checkpoint, ready to decode. Uses the GPU where there is one."""

    def __init__(self, folder: Path) -> None:
        self.vocabulary = Vocabulary(folder)
        self.positions = positions(folder)
        self.dictionary = Dictionary()
        for token in range(self.vocabulary.size):
            self.dictionary.add_symbol(str(token))
        configuration = _configuration(arguments(architecture_of(folder)))
        self.task = TranslationTask(configuration.task, self.dictionary, self.dictionary)
        self.model = self.task.build_model(configuration.model).eval()
        self.model.load_state_dict(load_file(folder / WEIGHTS))
        if torch.cuda.is_available():
            self.model.cuda()

    def predict(self, examples: Sequence[TextExample], decoding: Decoding) -> list[Prediction]:
        """One prediction per example, in input order."""
        torch.manual_seed(decoding.seed)
        sources = self._tensors([example.source for example in examples])
        short = [n for n, source in enumerate(sources) if len(source) <= self.positions]
        generator = self.task.build_generator([self.model], _generation(decoding))
        texts: dict[int, str] = {}
        batches = self._batches([sources[n] for n in short], None, decoding.batch_tokens)
        for sample in told(batches, "decoding", "examples", len(short), _size):
            hypotheses = self.task.inference_step(generator, [self.model], sample)
            for n, best in zip(sample["id"].tolist(), hypotheses, strict=True):
                texts[short[n]] = self._text(best[0]["tokens"])
        return [_prediction(example.id, texts.get(n), len(sources[n])) for n, example in enumerate(examples)]

    def log_likelihood(self, examples: Sequence[TextExample], decoding: Decoding) -> list[LogLikelihood]:
        """Natural log-probabilities; raises DiscoError for an example beyond the model's positions."""
        sources = self._tensors([example.source for example in examples])
        targets = self._tensors([example.target or "" for example in examples])
        self._refuse_long(examples, sources, targets)
        scorer = SequenceScorer(self.dictionary)
        totals: dict[int, float] = {}
        batches = self._batches(sources, targets, decoding.batch_tokens)
        for sample in told(batches, "scoring", "examples", len(sources), _size):
            for n, (scored,) in zip(sample["id"].tolist(), scorer.generate([self.model], sample), strict=True):
                totals[n] = float(scored["positional_scores"].double().sum())
        return [LogLikelihood(example.id, totals[n], len(targets[n])) for n, example in enumerate(examples)]

    def _tensors(self, texts: Sequence[str]) -> list[torch.Tensor]:
        """Token ids as fairseq numbers them, the end symbol last."""
        end = self.dictionary.eos()
        return [torch.tensor([n + SYMBOLS for n in ids] + [end]) for ids in self.vocabulary.encode(texts)]

    def _text(self, tokens: torch.Tensor) -> str:
        return self.vocabulary.decode([n - SYMBOLS for n in tokens.tolist() if n >= SYMBOLS])

    def _batches(
        self, sources: Sequence[torch.Tensor], targets: Sequence[torch.Tensor] | None, tokens: int
    ) -> Iterator[dict[str, Any]]:
        """Every example once, sorted by length; a batch of one where it passes ``tokens`` alone."""
        if not sources:
            return
        lengths = [len(source) for source in sources]
        target_lengths = [len(target) for target in targets] if targets else None
        sides = (sources, lengths, self.dictionary, targets, target_lengths, self.dictionary)
        dataset = LanguagePairDataset(*sides, shuffle=False)
        most = max(tokens, *lengths, *(target_lengths or []))
        iterator = self.task.get_batch_iterator(dataset, max_tokens=most, required_batch_size_multiple=1)
        for sample in iterator.next_epoch_itr(shuffle=False):
            yield utils.move_to_cuda(sample) if torch.cuda.is_available() else sample

    def _refuse_long(self, examples: Sequence[TextExample], *sides: Sequence[torch.Tensor]) -> None:
        for example, *ids in zip(examples, *sides, strict=True):
            longest = max(map(len, ids))
            if longest > self.positions:
                found = f"{example.id} has {longest} tokens but the model has {self.positions} positions"
                raise DiscoError(f"{found}; shorten it or raise positions in the checkpoint's architecture.")


def _size(sample: dict[str, Any]) -> int:
    return len(sample["id"])


def _configuration(command: list[str]) -> Any:
    parser = options.get_training_parser()
    return convert_namespace_to_omegaconf(options.parse_args_and_arch(parser, [".", *command, "--batch-size", "1"]))


def _generation(decoding: Decoding) -> Namespace:
    """fairseq's settings; a sample needs no beam, for only the first hypothesis is kept."""
    settings = {
        "beam": 1 if decoding.sample else decoding.beam,
        "max_len_a": 0,
        "max_len_b": decoding.max_new_tokens,
        "min_len": decoding.min_new_tokens,
        "temperature": decoding.temperature,
    }
    sampling = {"sampling": True, "sampling_topp": decoding.top_p} if decoding.sample else {}
    return Namespace(**settings, **sampling)


def _prediction(identity: str, text: str | None, tokens: int) -> Prediction:
    if text is None:
        return Prediction(identity, "", "too_long", {"tokens": tokens})
    return Prediction(identity, text, "ok" if text.strip() else "empty")
