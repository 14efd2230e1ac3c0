"""What a run consists of, derived from its configuration: cells, kinds of rows, hyper-parameters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from discobench.config.data import Genre
from discobench.config.strict import Language
from discobench.config.training import Tuning
from discobench.config.types import Api, Checkpoint, Config

ANSWERING = ("base_url", "temperature", "seed")
"""Keys of an endpoint that an answer depends on."""
ANSWERED = ("max_new_tokens", "max_answer", "span_margin")
"""Keys of decoding that greedy answers depend on."""

FETCHED = ("hub:", "path:")
"""How the sources of checkpoints begin that come from elsewhere."""


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One trained, asked or trivial answer to a task: a row, its seed and the checkpoint it uses."""

    task: str
    row: str
    seed: int
    checkpoint: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """Cells that one process trains and one decodes; ``{task}`` and ``{row}`` stand for a job's wildcards."""

    row: str
    tasks: tuple[str, ...]

    @property
    def suffix(self) -> str:
        """What the names of its rules end with; nothing where wildcards say what a job does."""
        return "" if self.row == "{row}" else f"_{identifier(self.row)}"

    @property
    def place(self) -> str:
        """The folder of its logs."""
        return self.row if self.suffix else "{task}/{row}"

    def cells(self, wildcards: Mapping[str, str]) -> list[tuple[str, str]]:
        """Task and row of each cell, in order."""
        return [(task.format(**wildcards), self.row.format(**wildcards)) for task in self.tasks]


def identifier(name: str) -> str:
    """``name`` as part of a rule's name."""
    return name.replace("-", "_").replace(".", "_")


class Selection:
    """The part of the registries that ``run`` selects."""

    def __init__(self, config: Config) -> None:
        self.config = config
        run = config.run
        self.genres: dict[str, Genre] = _subset(config.genres, run.genres)
        self.tasks = list(_subset(config.tasks, run.tasks))
        self.rows = list(_subset(config.rows, run.rows))
        self.suites = list(_subset(config.suites, run.suites))

    def family(self, checkpoint: str) -> str:
        """The family of a checkpoint."""
        return self.config.checkpoints[checkpoint].family

    def row_tasks(self, row: str) -> list[str]:
        """The tasks of ``row`` in this run, in the order of the registry of tasks."""
        wanted = self.config.run.only.get(row, self.tasks)
        return [task for task in self.tasks if task in self.config.rows[row].tasks and task in wanted]

    def seeds(self, row: str) -> list[int]:
        """Seeds of a row; trivial baselines and APIs have no training to repeat."""
        trained = any(self.trained(name) for name in self.config.rows[row].tasks.values())
        seeds = self.config.run.row_seeds.get(row, self.config.run.seeds)
        return list(seeds) if trained else seeds[:1]

    def trained(self, checkpoint: str) -> bool:
        """Whether rows with this checkpoint are fine-tuned."""
        return self.family(checkpoint) not in ("llm", "baseline")

    def cells(self, task: str | None = None, row: str | None = None) -> list[Cell]:
        """Every cell of the run, or those of one task or row."""
        return [
            Cell(t, r, seed, self.config.rows[r].tasks[t])
            for r in self.rows
            for t in self.row_tasks(r)
            for seed in self.seeds(r)
            if task in (None, t) and row in (None, r)
        ]

    def bundles(self) -> list[Bundle]:
        """One bundle of wildcards, or with ``run.together`` one for each row that is trained."""
        if not self.config.run.together:
            return [Bundle("{row}", ("{task}",))]
        rows = {cell.row: tuple(self.row_tasks(cell.row)) for cell in self.cells() if self.trained(cell.checkpoint)}
        return [Bundle(row, tasks) for row, tasks in rows.items()]

    def checkpoint(self, task: str, row: str) -> Checkpoint:
        """The checkpoint that a row uses for a task."""
        return self.config.checkpoints[self.config.rows[row].tasks[task]]

    def endpoint(self, checkpoint: str) -> Api:
        """Where a model behind an API is asked, and how."""
        return self.config.checkpoints[checkpoint].api or self.config.api

    def asked(self, checkpoint: str) -> dict[str, Any]:
        """What an answer of a model behind an API depends on, beside the question."""
        model = self.config.checkpoints[checkpoint].source.split(":", 1)[1]
        return {"model": model} | self.endpoint(checkpoint).model_dump(include=set(ANSWERING))

    def manner(self, checkpoint: str) -> dict[str, Any]:
        """How it is asked: what changes no answer."""
        return self.endpoint(checkpoint).model_dump(exclude={*ANSWERING, "budget"})

    def suite_rows(self, suite: str) -> list[str]:
        """Rows of a diagnostic suite that run its task."""
        entry = self.config.suites[suite]
        return [row for row in entry.rows if row in self.rows and entry.task in self.row_tasks(row)]

    def origins(self, task: str) -> dict[str, tuple[str, str | None]]:
        """Everything that a task is made from, by the config key of its licence: where it lies, and the licence."""
        data, synthesis = self.config.tasks[task], self.config.synthesis
        chosen = synthesis.te.genres if data.source == "te" else data.genres
        genres = {name: self.config.genres[name] for name in chosen}
        found = {f"genres.{name}.licence": (genre.path, genre.licence) for name, genre in genres.items()}
        found |= {f"tasks.{task}.files[{n}].licence": (part.path, part.licence) for n, part in enumerate(data.files)}
        if data.source == "zpr":
            found["synthesis.zpr.licence"] = (synthesis.zpr.path, synthesis.zpr.licence)
        return found

    def licences(self, task: str) -> dict[str, str | None]:
        """The licence of everything that a task is made from, by its config key."""
        return {key: licence for key, (_, licence) in self.origins(task).items()}

    def read_by(self, checkpoint: str) -> list[str]:
        """Genres of the run that continued pretraining of a checkpoint reads, by language."""
        genres, languages = self.genres.items(), self.config.pretrain[checkpoint].languages
        return [name for language in languages for name, genre in genres if genre.language == language]

    def tokenizer(self, checkpoint: str) -> str:
        """The checkpoint for whose tokenizer the texts are packed that continued pretraining of another reads.

        The other starts from it, or from one that says to have the same; what is drawn here has its own.
        """
        base = self.config.checkpoints[checkpoint].base
        assert base is not None  # a rule of pretraining asks
        entry = self.config.checkpoints[base]
        fetched = entry.source.startswith(FETCHED)
        return entry.tokenizer if entry.tokenizer and fetched else base

    def packed_for(self, genre: str) -> list[str]:
        """Checkpoints for whose tokenizers the texts of a genre are packed, each once."""
        return list(dict.fromkeys(self.tokenizer(name) for name in self.pretrained() if genre in self.read_by(name)))

    def model_licences(self, checkpoint: str) -> dict[str, str | None]:
        """The licence of all that a checkpoint has learned from, by its config key; nothing for weights drawn here."""
        entry = self.config.checkpoints[checkpoint]
        if entry.base is None:
            fetched = entry.source.startswith(FETCHED)
            return {f"checkpoints.{checkpoint}.licence": entry.licence} if fetched else {}
        genres = {f"genres.{name}.licence": self.genres[name].licence for name in self.read_by(checkpoint)}
        return genres | self.model_licences(entry.base)

    def overlap_ngram(self, task: str, language: Language) -> int:
        """Length of the n-grams by which a task's test set is looked for in texts of a language."""
        keys = self.config.corpus.decontamination
        return (keys.ngram | (keys.tasks[task].ngram if task in keys.tasks else {}))[language]

    def overlap_terms(self, task: str) -> dict[str, Any]:
        """What happens to documents that share n-grams with a task's test set."""
        keys = self.config.corpus.decontamination
        change = keys.tasks[task].model_dump(exclude_none=True, exclude={"ngram"}) if task in keys.tasks else {}
        return {"unit": keys.unit, "threshold": keys.threshold} | change

    def ranked(self, suite: str, row: str) -> bool:
        """Whether a row of a suite ranks its candidates: models by probabilities, APIs in words, baselines not."""
        return self.family(self.config.rows[row].tasks[self.config.suites[suite].task]) != "baseline"

    def checkpoints(self) -> set[str]:
        """Checkpoints of the run's cells, those they start from, and those for whose tokenizers texts are packed."""
        used, packed = {cell.checkpoint for cell in self.cells()}, {self.tokenizer(name) for name in self.pretrained()}
        return used | packed | {base for name in used if (base := self.config.checkpoints[name].base)}

    def pretrained(self) -> list[str]:
        """Continued-pretrained checkpoints of the run's rows, in the order of the registry."""
        used = {cell.checkpoint for cell in self.cells()}
        return [name for name, entry in self.config.checkpoints.items() if entry.base and name in used]

    def training(self, task: str, row: str) -> Tuning:
        """Fine-tuning hyper-parameters of a cell: the task's, changed by the row's, scaled by ``batch_factor``."""
        return self._given(task, row).scaled()

    def _given(self, task: str, row: str) -> Tuning:
        changes = self.config.finetune.rows.get(row, {}).get(task)
        given: dict[str, Any] = changes.model_dump(exclude_none=True) if changes else {}
        return self.config.finetune.tasks[task].model_copy(update=given)

    def sharing(self, cells: Iterable[tuple[str, str]]) -> int:
        """How many GPUs the fine-tuning of some cells (task, row) may use: plain models use one."""
        plain = all(self.family(self.config.rows[row].tasks[task]) == "plain" for task, row in cells)
        return 1 if plain else self.config.finetune.gpus

    def answering(self, task: str, row: str) -> dict[str, Any]:
        """How validation examples are answered by which a cell's checkpoints are chosen; empty where by the loss."""
        by_loss = self.training(task, row).best_by == "loss"
        return {} if by_loss else self.config.decode[task].model_dump(include=set(ANSWERED))

    def grid(self, task: str, row: str) -> dict[str, list[Any]]:
        """Values to try of a cell's hyper-parameters, scaled as its training is; empty where it has no grid."""
        grid, base = self.config.finetune.grid.get(row, {}).get(task), self._given(task, row)
        tried: dict[str, list[Any]] = grid.model_dump(exclude_none=True) if grid else {}
        return {
            key: [getattr(base.model_copy(update={key: value}).scaled(), key) for value in values]
            for key, values in tried.items()
        }

    def trials(self, task: str, row: str) -> list[Tuning]:
        """The hyper-parameters of each fine-tuning of a cell: one, or one for each combination of its grid."""
        grid, base = self.grid(task, row), self.training(task, row)
        return [base.model_copy(update=dict(zip(grid, values, strict=True))) for values in product(*grid.values())]


def _subset(registry: dict[str, Any], names: list[str] | None) -> dict[str, Any]:
    return dict(registry) if names is None else {name: registry[name] for name in names}
