"""What a run needs and does not find, all of it at once, each with its remedy."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from discobench.config.data import LanguageModel
from discobench.config.selection import Selection
from discobench.decode.prompts import path_of
from discobench.operations.release import model_refusals, refusals
from discobench.operations.scorers import scorers

LMPLZ_DISK = 8
"""How many times its input lmplz writes to temporary files."""
CHINESE = 0.5
"""Part of the bytes of subtitles that is their Chinese side, with the blanks that divide its words."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something missing. ``blocking`` ones stop the run; others leave cells that say `not run`."""

    key: str
    missing: str
    remedy: str
    blocking: bool = True

    def sentence(self) -> str:
        """One line for a person."""
        return f"{'missing' if self.blocking else 'note'}: {self.key}: {self.missing}; {self.remedy}."

    @classmethod
    def of(cls, sentence: str, blocking: bool = True) -> "Finding":
        """A finding from a sentence as errors have it, ``key: what was found; remedy.``"""
        key, _, rest = sentence.removesuffix(".").partition(": ")
        missing, _, remedy = rest.rpartition("; ")
        return cls(key, missing, remedy, blocking)


@dataclass(frozen=True, slots=True)
class Machine:
    """What can be seen of the machine; injected, so that the findings can be tested."""

    exists: Callable[[str], bool]
    environment: Mapping[str, str]
    finds: Callable[[str], bool]
    gpus: int
    """Those that its jobs may see."""
    size: Callable[[str], int] = lambda path: 0
    """Bytes of all files below a path."""
    free: int | None = None
    """Bytes free where jobs keep temporary files."""
    scheduled: bool = False
    """Whether jobs run elsewhere, on a cluster's nodes."""


def bytes_below(path: str) -> int:
    """The size of all files below a path."""
    return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())


def findings(run: Selection, machine: Machine) -> list[Finding]:
    """Everything that the selected run lacks, in the order in which data flows."""
    return [
        *_data(run, machine),
        *_models(run, machine),
        *_tools(run, machine),
        *_room(run, machine),
        *_licences(run),
    ]


def _data(run: Selection, machine: Machine) -> Iterator[Finding]:
    config = run.config
    paths = {f"genres.{name}.path": genre.path for name, genre in run.genres.items()}
    paths |= {f"genres.{name}.manifest": genre.manifest for name, genre in run.genres.items() if genre.manifest}
    for name in run.tasks:
        data = config.tasks[name]
        paths |= {f"tasks.{name}.files[{n}].path": part.path for n, part in enumerate(data.files)}
        if data.source == "zpr":
            paths["synthesis.zpr.path"] = config.synthesis.zpr.path
            if config.synthesis.zpr.labelled:
                paths["synthesis.zpr.labelled"] = config.synthesis.zpr.labelled
        if data.source == "te" and config.synthesis.parser.path:
            paths["synthesis.parser.path"] = config.synthesis.parser.path
    suites = {name: config.suites[name] for name in run.suites}
    paths |= {
        f"suites.{name}.path": suite.path for name, suite in suites.items() if suite.source == "file" and suite.path
    }
    for key, path in paths.items():
        if not machine.exists(path):
            yield Finding(key, f"{path} does not exist", "put the data there or set the key to where it lies")


def _models(run: Selection, machine: Machine) -> Iterator[Finding]:
    names = run.checkpoints() | {name for name in scorers(run).values() if name}
    for name, checkpoint in run.config.checkpoints.items():
        kind, _, where = checkpoint.source.partition(":")
        if name in names and kind == "path" and not machine.exists(where):
            yield Finding(f"checkpoints.{name}.source", f"{where} does not exist", "put the checkpoint's folder there")
    variables = {run.endpoint(name).key_variable for name in names if run.family(name) == "llm"}
    for variable in sorted(name for name in variables if not machine.environment.get(name, "").strip()):
        found = "is empty" if variable in machine.environment else "is not in the environment"
        yield Finding("api.key_variable", f"{variable} {found}", f"export {variable}")
    yield from _asked(run, sorted(name for name in names if run.family(name) == "llm"))


def _asked(run: Selection, names: list[str]) -> Iterator[Finding]:
    """What models behind APIs cannot be asked without."""
    for name in names if run.config.api.budget.money is not None else []:
        where = run.endpoint(name)
        if where.price_input is None or where.price_output is None:
            found = f"api.budget.money bounds what {name} takes, and its price is not known"
            yield Finding(f"checkpoints.{name}.api.price_input", found, "set price_input and price_output")
    tasks = {cell.task for cell in run.cells() if cell.checkpoint in names}
    llm = {
        suite
        for suite in run.suites
        for row in run.suite_rows(suite)
        if run.family(run.config.rows[row].tasks[run.config.suites[suite].task]) == "llm"
    }
    tasks |= {f"diagnostic/{run.config.suites[suite].task}" for suite in llm}
    for what in sorted(tasks):
        if not path_of(what).exists():
            found = f"rows of APIs have no prompt for {what}"
            yield Finding(f"resources/prompts/{what}.yaml", found, "write one after its neighbours")


def _tools(run: Selection, machine: Machine) -> Iterator[Finding]:
    config = run.config
    for synthesis in [] if machine.finds("lmplz") else _estimates(run):
        yield Finding(synthesis.key, "lmplz is not on the PATH", "run `make setup`")
    if machine.gpus < (most := most_gpus(run)) and not machine.scheduled and _computes(run):
        found = f"jobs ask for {most}, and {machine.gpus} GPUs are on this machine for them to see"
        fewer = "ask for fewer in pretrain.<checkpoint>.gpus and finetune.gpus, " if machine.gpus else ""
        yield Finding("hardware.gpus", found, f"{fewer}set the key to 0, or name the profile of your cluster")
    if not machine.exists(f"{config.score.nltk_data}/corpora/wordnet"):
        yield Finding("score.nltk_data", "WordNet is not there", "run `make setup` for METEOR", blocking=False)
    yield from _comet(run, machine)


def most_gpus(run: Selection) -> int:
    """GPUs of the largest job of a run."""
    config = run.config
    pretrained = [config.pretrain[name] for name in {cell.checkpoint for cell in run.cells()} & set(config.pretrain)]
    tuned = run.sharing((cell.task, cell.row) for cell in run.cells() if run.trained(cell.checkpoint))
    training = [tuned, *(recipe.gpus * recipe.nodes for recipe in pretrained)]
    return max(training) if config.hardware.gpus else 0


def _computes(run: Selection) -> bool:
    """Whether a job of the run computes with a model."""
    parses = any(run.config.tasks[task].source == "te" for task in run.tasks)
    return parses or bool(scorers(run)) or any(run.trained(cell.checkpoint) for cell in run.cells())


def _comet(run: Selection, machine: Machine) -> Iterator[Finding]:
    """COMET where tables show it: without a checkpoint its cells say so; one that is named has to be there."""
    keys = run.config.score
    if not any(metric == "comet" for _, metric in scorers(run)):
        return
    if not keys.comet_checkpoint:
        remedy = "run `make setup-comet` and name a checkpoint"
        yield Finding("score.comet_checkpoint", "COMET is not set up", remedy, blocking=False)
        return
    if not machine.exists(keys.comet_python):
        yield Finding("score.comet_python", f"{keys.comet_python} does not exist", "run `make setup-comet`")
    if not machine.exists(keys.comet_checkpoint):
        yield Finding("score.comet_checkpoint", f"{keys.comet_checkpoint} does not exist", "put it there or set null")


@dataclass(frozen=True, slots=True)
class _Estimates:
    """Language models of a synthesis: its key, what their jobs may take, and what is read of a path below a name."""

    key: str
    asked: LanguageModel
    texts: Mapping[str, tuple[str, float]]


def _estimates(run: Selection) -> list[_Estimates]:
    """Every use of lmplz; each model reads all works but those of its fold."""
    te, zpr = run.config.synthesis.te, run.config.synthesis.zpr
    sources = {run.config.tasks[task].source for task in run.tasks}
    books = {name: (run.config.genres[name].path, 1 - 1 / te.folds) for name in te.genres}
    lines = {"subtitles": (zpr.path, CHINESE * (1 - 1 / zpr.folds))}
    uses = {"te": (te.language_model, books), "zpr": (zpr.language_model, lines)}
    return [_Estimates(f"synthesis.{name}", *use) for name, use in uses.items() if name in sources]


def _room(run: Selection, machine: Machine) -> Iterator[Finding]:
    """Temporary disk of lmplz; raw files are more than their text."""
    for use in _estimates(run):
        asked = use.asked.disk_mb
        for name, (path, share) in use.texts.items():
            needed = round(LMPLZ_DISK * share * machine.size(path) / 1e6)
            if needed > asked:
                found = f"{asked} MB are asked for, lmplz may need {needed} for {name} ({LMPLZ_DISK} times its text)"
                yield Finding(f"{use.key}.language_model.disk_mb", found, "raise the key", blocking=False)
            if machine.free is not None and max(needed, asked) > machine.free / 1e6:
                found = f"{machine.free / 1e6:.0f} MB are free for temporary files, {max(needed, asked)} may be needed"
                remedy = "make room or name another disk in TMPDIR"
                yield Finding(use.key, f"{found} for {name}", remedy, blocking=not machine.scheduled)


def _licences(run: Selection) -> Iterator[Finding]:
    """What a release would refuse, of the data sets and of the models that are pretrained."""
    told = [*refusals(run, run.tasks), *model_refusals(run, run.pretrained())]
    for sentence in dict.fromkeys(told):
        yield Finding.of(sentence, blocking=False)
