"""What a run will take, before it is submitted: hours of GPUs and cores, and room on disk."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from discobench.config.selection import Cell, Selection
from discobench.config.training import Training
from discobench.operations.rates import Rates, parameters
from discobench.operations.scorers import RESULTS, scorers
from discobench.operations.sizes import Sizes
from discobench.report.facts import TITLES

TRAINING, FORWARD = 6, 2
"""Operations for a parameter and token (Kaplan et al. 2020, section 2.1)."""
FIGURES = (7, 11)
"""Tables that a figure draws."""
UNIGRAM = ("mbart", "t5")
"""Families whose tokenizers are SentencePiece's unigram models."""
MB, GB = 1e6, 1e9


@dataclass(frozen=True, slots=True)
class Site:
    """Where jobs run: how many at once, with how many GPUs together (0: no bound), begun by a scheduler or not."""

    jobs: int = 50
    gpus: int = 0
    scheduled: bool = True

    def __str__(self) -> str:
        gpus = f" and {self.gpus} GPUs" if self.gpus else ""
        return (
            f"{self.jobs} jobs at once on the cluster"
            if self.scheduled
            else f"{self.jobs} {'cores' if self.jobs > 1 else 'core'}{gpus} of this machine"
        )


@dataclass(frozen=True, slots=True)
class Line:
    """What the jobs of a stage take for one model or genre and one task, and the longest of them in hours.

    A part of a job that does several tasks is a part of a number.
    """

    stage: str
    what: str
    task: str
    jobs: float
    gpu_hours: float
    core_hours: float
    disk_gb: float
    longest: float


class Forecast:
    """The lines of a run."""

    def __init__(self, run: Selection, rates: Rates, sizes: Sizes, place: Site = Site()) -> None:
        self.run, self.config, self.rates, self.sizes, self.place = run, run.config, rates, sizes, place
        self.begin = rates.seconds["job"].value / 3600 if place.scheduled else 0.0
        self.gpus = run.config.hardware.gpus

    def lines(self) -> list[Line]:
        """Every line, in the order in which data flows."""
        parts = (self.corpus, self.synthesis, self.tasks, self.models, self.pretrain, self.finetune, self.decode)
        return [line for part in (*parts, self.score, self.diagnose, self.report) for line in part()]

    def corpus(self) -> Iterator[Line]:
        """Five passes over the text; packing once for each tokenizer of models that are pretrained."""
        for name, genre in self.run.genres.items():
            size = self.sizes.bytes(name)
            passes = dict(self.rates.corpus[genre.language])
            packs = [_packing(self.run.family(to)) for to in self.run.packed_for(name)]
            each = [*packs, *(step for step in passes if not step.startswith("pack"))]
            seconds = sum(passes[step].value for step in each) * size / MB
            disk = size * (self.rates.disk["corpus"].value + len(packs) * self.rates.disk["packed"].value)
            yield self._cores("corpus", name, "", 1 + (5 + len(packs)) * genre.shards, seconds, disk)
        buckets = self.config.corpus.duplicates.buckets
        for language in dict.fromkeys(genre.language for genre in self.run.genres.values()):
            yield self._cores("corpus", "", "", buckets[language] + 2, 0.0)
        yield self._cores(
            "corpus", "", "", len(self.run.pretrained()) + 3 * bool(self.run.genres) * self.config.run.page, 0.0
        )

    def synthesis(self) -> Iterator[Line]:
        """Parsing, pruning and language models of text expansion; alignment of subtitles."""
        seconds, te = self.rates.seconds, self.config.synthesis.te
        for name in te.genres if self._made("te") else []:
            genre = self.config.genres[name]
            sentences, size = self.sizes.sentences(name), self.sizes.bytes(name)
            parse = seconds["parse_gpu" if self.gpus else "parse_cpu"].value * sentences
            model = seconds["language_model"].value * size / MB * (te.folds - 1)
            rest = seconds["prune"].value * sentences + model + (0 if self.gpus else parse)
            hours = parse / 3600 if self.gpus else 0.0
            yield self._line("synthesis", name, "te", 4 * genre.shards, hours, rest / 3600, 2 * size)
        if self._made("te"):
            yield self._cores("synthesis", "", "te", te.folds + 1 + self.config.run.page, 0.0)
        if self._made("zpr"):
            jobs = 3 + (bool(self.config.synthesis.zpr.labelled) and self.config.run.page)
            align = seconds["align"].value * self.sizes.records("zpr", "train")
            yield self._cores("synthesis", "subtitles", "zpr", jobs, align)

    def tasks(self) -> Iterator[Line]:
        """Records are read, divided and written, and looked for in each other's."""
        for task in self.run.tasks:
            count = self.sizes.records(task, "train") + self.sizes.records(task, "test")
            yield self._cores(
                "tasks", "", task, 1 + self.config.run.page, self.rates.seconds["build"].value * count, 2000.0 * count
            )
        yield self._cores("tasks", "", "", int(self.config.run.page), 0.0)

    def models(self) -> Iterator[Line]:
        """Checkpoints that are fetched or drawn."""
        used = {cell.checkpoint for cell in self.run.cells() if self.run.trained(cell.checkpoint)}
        used |= {name for name in scorers(self.run).values() if name}
        bases = {self.config.checkpoints[name].base or name for name in used}
        for name in (name for name in self.config.checkpoints if name in bases):
            weights = self.rates.disk["weights"].value * parameters(self.config, name)
            yield self._cores("models", name, "", 1, 0.0, weights)

    def pretrain(self) -> Iterator[Line]:
        """Continued pretraining, by 6ND."""
        for name in self.run.pretrained():
            size = parameters(self.config, name)
            keys = self.config.pretrain[name]
            operations = TRAINING * size * trained_tokens(keys.training, 0)
            gpus = keys.gpus * keys.nodes
            yield self._computed("pretrain", name, "", 1, operations, "pretrain", self._trained(size), gpus)

    def finetune(self) -> Iterator[Line]:
        """Fine-tuning of each row for each task, by 6ND; once for each trial of a grid."""
        return self._together(self._finetune())

    def _finetune(self) -> Iterator[Line]:
        for task, row, cells in self._cells():
            size, records = parameters(self.config, cells[0].checkpoint), self.sizes.records(task, "train")
            tokens = sum(trained_tokens(training, records) for training in self.run.trials(task, row))
            gpus, disk = self.run.sharing([(task, row)]), self._trained(size)
            yield self._computed("finetune", row, task, len(cells), TRAINING * size * tokens, "finetune", disk, gpus)

    def decode(self) -> Iterator[Line]:
        """Answers to each test set; rows of an API wait for theirs, several at a time."""
        yield from self._together(self._decode())
        for task, row, cells in self._cells(trained=False):
            if not self.run.trained(name := cells[0].checkpoint):
                asked = self.sizes.records(task, "test") if self.run.family(name) == "llm" else 0
                yield self._cores("decode", row, task, len(cells), self._waiting(name, asked) * len(cells))

    def _decode(self) -> Iterator[Line]:
        for task, row, cells in self._cells():
            count, keys = self.sizes.records(task, "test"), self.config.decode[task]
            tokens = count * (self.run.training(task, row).max_length + keys.max_new_tokens * keys.beam)
            operations = FORWARD * parameters(self.config, cells[0].checkpoint) * tokens
            yield self._computed("decode", row, task, len(cells), operations, "decode")

    def score(self) -> Iterator[Line]:
        """Metrics with intervals, for every row of a task; a job for each metric that a model gives, for all rows."""
        for task in self.run.tasks:
            jobs = len(self.run.cells(task=task))
            each = self.rates.seconds["score"].value * self.sizes.records(task, "test")
            yield self._cores("score", "", task, jobs, each * jobs)
            metrics = sum(name == task for name, _ in scorers(self.run))
            rate = self.rates.seconds["score_gpu" if self.gpus else "score_cpu"].value
            hours = rate * self.sizes.records(task, "test") * jobs * metrics / 3600
            by_gpu, by_core = (hours, 0.0) if self.gpus else (0.0, hours)
            yield self._line("score", "", task, metrics, by_gpu, by_core, 0.0)

    def diagnose(self) -> Iterator[Line]:
        """Candidates ranked by their log-probabilities; rows of an API are asked."""
        choices = self.rates.suites["instances"].value * self.rates.suites["candidates"].value
        for suite in self.run.suites:
            entry = self.config.suites[suite]
            for row in (row for row in self.run.suite_rows(suite) if self.run.ranked(suite, row)):
                name = self.config.rows[row].tasks[entry.task]
                if self.run.family(name) == "llm":
                    yield self._cores("diagnose", row, entry.task, 1, self._waiting(name, choices))
                    continue
                tokens = choices * self.run.training(entry.task, row).max_length
                operations = FORWARD * parameters(self.config, name) * tokens
                yield self._computed("diagnose", row, entry.task, len(self.run.seeds(row)), operations, "forward")

    def report(self) -> Iterator[Line]:
        """Tables, and with the page its facts, figures and leaderboard."""
        tables = self.config.run.tables or RESULTS
        around = 1 + len(TITLES) + len({*FIGURES} & {*tables}) + 2
        yield self._cores("report", "", "", len(tables) + around * self.config.run.page, 0.0)

    def _cells(self, trained: bool = True) -> Iterator[tuple[str, str, list[Cell]]]:
        """Cells of each task and row; only of rows that are trained, or of all."""
        for row in self.run.rows:
            for task in self.run.row_tasks(row):
                cells = self.run.cells(task=task, row=row)
                if not trained or self.run.trained(cells[0].checkpoint):
                    yield task, row, cells

    def _together(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Lines of cells, or with ``run.together`` of the part that each has of its row's jobs."""
        rows: dict[str, list[Line]] = {}
        for line in lines:
            rows.setdefault(line.what, []).append(line)
        for row in rows.values():
            parts = len(row) if self.config.run.together else 1
            longest = sum(line.longest for line in row) - (parts - 1) * self.begin
            for line in row:
                saved = (line.jobs - line.jobs / parts) * self.begin
                whole = longest if self.config.run.together else line.longest
                yield replace(line, jobs=line.jobs / parts, core_hours=line.core_hours - saved, longest=whole)

    def _waiting(self, checkpoint: str, questions: float) -> float:
        """Seconds in which a model behind an API answers, ``concurrency`` questions at a time."""
        return self.rates.seconds["ask"].value * questions / self.run.endpoint(checkpoint).concurrency

    def _made(self, source: str) -> bool:
        return any(self.config.tasks[task].source == source for task in self.run.tasks)

    def _trained(self, size: float) -> float:
        """Bytes of a trained model with the states that it can go on from."""
        return size * (self.rates.disk["weights"].value + self.rates.disk["state"].value)

    def _computed(
        self, stage: str, what: str, task: str, jobs: int, each: float, work: str, disk: float = 0.0, gpus: int = 1
    ) -> Line:
        """Jobs of so many operations each, on one core or on ``gpus`` GPUs, which are as many times as fast as one."""
        processor = self.rates.gpu if self.gpus else self.rates.cpu
        hours = processor.hours(each, work) * jobs
        gpu_hours, core_hours = (hours, 0.0) if self.gpus else (0.0, hours)
        return self._line(stage, what, task, jobs, gpu_hours, core_hours, disk * jobs, gpus)

    def _cores(self, stage: str, what: str, task: str, jobs: int, seconds: float, disk: float = 0.0) -> Line:
        return self._line(stage, what, task, jobs, 0.0, seconds / 3600, disk)

    def _line(
        self, stage: str, what: str, task: str, jobs: int, gpu: float, core: float, disk: float, gpus: int = 1
    ) -> Line:
        """A line; a scheduler begins and ends each job, and each GPU keeps a core busy beside it."""
        over = jobs * self.begin
        longest = (gpu / gpus + core + over) / max(1, jobs)
        return Line(stage, what, task, jobs, gpu, core + gpu + over, disk / GB, longest)


def _packing(family: str) -> str:
    """The step of packing as the table of speeds calls it."""
    return "pack_unigram" if family in UNIGRAM else "pack"


def trained_tokens(training: Training, records: int, unit: str | None = None) -> float:
    """Tokens that a training sees, every sequence as long as it may be; ``unit`` reads the batch size otherwise."""
    length = training.max_length if (unit or training.batch_unit) == "sequences" else 1
    if training.steps:
        return float(training.steps) * training.batch_size * length
    return float(training.epochs or 1) * records * training.max_length


def readings(run: Selection, rates: Rates) -> list[tuple[str, float, float]]:
    """Hours of a GPU for each pretrained model, its batch read as sequences and as tokens (Table 15 prints "4K")."""
    found = []
    for name in run.pretrained():
        training, size = run.config.pretrain[name].training, parameters(run.config, name)
        tokens = (trained_tokens(training, 0, unit) for unit in ("sequences", "tokens"))
        sequences, single = (rates.gpu.hours(TRAINING * size * count, "pretrain") for count in tokens)
        found.append((name, sequences, single))
    return found


def summed(lines: Iterable[Line], key: Callable[[Line], str], place: Site) -> list[dict[str, Any]]:
    """Sums by ``key``, in order of first sight; ``wall`` is in hours where no job has to wait for another's result."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(key(line), []).append(line)
    return [{"name": name, **_sum(group, place)} for name, group in groups.items() if name]


def _sum(lines: list[Line], place: Site) -> dict[str, Any]:
    fields = ("jobs", "gpu_hours", "core_hours", "disk_gb")
    total = sum(line.longest * line.jobs for line in lines)
    shared = sum(line.gpu_hours for line in lines) / place.gpus if place.gpus else 0.0
    wall = max(total / place.jobs, shared, max(line.longest for line in lines))
    sums = {field: round(sum(getattr(line, field) for line in lines), 9) for field in fields}
    return sums | {"wall_hours": wall}
