"""What a run needs and does not find, all of it at once, each with its remedy."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from discobench.config.data import DataFiles, LanguageModel
from discobench.config.selection import Selection
from discobench.corpus.listing import Place, listed
from discobench.decode.prompts import path_of
from discobench.errors import DiscoError
from discobench.operations.release import model_refusals, refusals
from discobench.operations.scorers import scorers
from discobench.records import SPLITS

LMPLZ_DISK = 8
"""How many times its input lmplz writes to temporary files."""
EMPTY, FILL = "holds no file that is wanted", "put the data there or set the key to where it lies"
PLACE = {field.name for field in fields(Place)} - {"key"}
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
    slurm: bool = False
    """Whether they go to Slurm."""
    holds: Callable[[str], bool] = lambda path: True
    """Whether a path is a file or a folder with one."""
    fault: Callable[[Place], str | None] = lambda place: None
    """The sentence by which a genre's folder is refused; None where it is not."""


def bytes_below(path: str) -> int:
    """The size of all files below a path."""
    return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())


def holds(path: str) -> bool:
    """Whether a path is a file or has one below it."""
    return Path(path).is_file() or any(file.is_file() for file in Path(path).rglob("*"))


def fault(place: Place) -> str | None:
    """The sentence by which a genre's folder is refused; None where it has files."""
    try:
        return None if listed(place) else f"{place.key}.path: {place.path} {EMPTY}; {FILL}."
    except DiscoError as error:
        return str(error)


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
    paths = {f"genres.{name}.manifest": genre.manifest for name, genre in run.genres.items() if genre.manifest}
    paths |= {f"suites.{n}.path": s.path for n in run.suites if (s := run.config.suites[n]).source == "file" and s.path}
    parts = {f"tasks.{t}.files[{n}]": (t, part) for t in run.tasks for n, part in enumerate(run.config.tasks[t].files)}
    paths |= {f"{key}.path": part.path for key, (_, part) in parts.items()} | _of_syntheses(run)
    genres = {f"genres.{name}.path": genre.path for name, genre in run.genres.items()}
    for key, path in (genres | paths).items():
        if not machine.exists(path):
            yield Finding(key, f"{path} does not exist", FILL)
        elif key not in genres and not machine.holds(path):
            yield Finding(key, f"{path} {EMPTY}", FILL)
    for key, (task, part) in parts.items():
        yield from _splits(key, part, run.config.tasks[task].source, machine)
    for name, genre in run.genres.items():
        if all(machine.exists(path) for path in (genre.path, genre.manifest) if path) and (
            sentence := machine.fault(Place(f"genres.{name}", **genre.model_dump(include=PLACE)))
        ):
            yield Finding.of(sentence)


def _of_syntheses(run: Selection) -> dict[str, str]:
    """What tasks that are synthesised are made from, by its key."""
    sources, keys = {run.config.tasks[task].source for task in run.tasks}, run.config.synthesis
    found = {"zpr.path": keys.zpr.path, "zpr.labelled": keys.zpr.labelled} if "zpr" in sources else {}
    found |= {"parser.path": keys.parser.path} if "te" in sources else {}
    return {f"synthesis.{key}": path for key, path in found.items() if path}


def _splits(key: str, part: DataFiles, source: str, machine: Machine) -> Iterator[Finding]:
    """Files of the project's own format, which has one for each split that a task reads."""
    if part.format != "interchange" or source == "te" or not (machine.exists(part.path) and machine.holds(part.path)):
        return
    wanted = [f"{split}.jsonl" for split in SPLITS if (source, split) != ("zpr", "train")]
    if lacking := [name for name in wanted if not machine.exists(f"{part.path}/{name}")]:
        yield Finding(f"{key}.path", f"{part.path} has no {', '.join(lacking)}", "put it there or name another format")


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
    several = {name: config.pretrain[name].nodes for name in run.pretrained() if config.hardware.gpus}
    for name in (name for name in several if several[name] > 1 and not machine.slurm):
        found = f"{several[name]} nodes are asked for, and only jobs of Slurm have more than one"
        yield Finding(f"pretrain.{name}.nodes", found, "set the key to 1 or run with --profile slurm")
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
