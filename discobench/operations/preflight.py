"""What a run needs and does not find, all of it at once, each with its remedy."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from discobench.config.selection import Selection


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


@dataclass(frozen=True, slots=True)
class Machine:
    """What can be seen of the machine; injected, so that the findings can be tested."""

    exists: Callable[[str], bool]
    environment: Mapping[str, str]
    finds: Callable[[str], bool]
    gpus: int


def findings(run: Selection, machine: Machine) -> list[Finding]:
    """Everything that the selected run lacks, in the order in which data flows."""
    return [*_data(run, machine), *_models(run, machine), *_tools(run, machine), *_licences(run)]


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
    paths |= {f"suites.{name}.path": config.suites[name].path for name in run.suites}
    for key, path in paths.items():
        if not machine.exists(path):
            yield Finding(key, f"{path} does not exist", "put the data there or set the key to where it lies")


def _models(run: Selection, machine: Machine) -> Iterator[Finding]:
    names = {cell.checkpoint for cell in run.cells()}
    for name, checkpoint in run.config.checkpoints.items():
        kind, _, where = checkpoint.source.partition(":")
        if name in names and kind == "path" and not machine.exists(where):
            yield Finding(f"checkpoints.{name}.source", f"{where} does not exist", "put the checkpoint's folder there")
    variables = {run.endpoint(name).key_variable for name in names if run.family(name) == "llm"}
    for variable in sorted(variables - set(machine.environment)):
        yield Finding("api.key_variable", f"{variable} is not in the environment", f"export {variable}")


def _tools(run: Selection, machine: Machine) -> Iterator[Finding]:
    config = run.config
    if "te" in run.tasks and config.tasks["te"].source == "te" and not machine.finds("lmplz"):
        yield Finding("synthesis.te", "lmplz is not on the PATH", "run `make setup`")
    if machine.gpus < config.hardware.gpus:
        found = f"{machine.gpus} GPUs on this machine"
        yield Finding("hardware.gpus", found, "fine on a cluster's login node; else set the key to 0", blocking=False)
    if not machine.exists(f"{config.score.nltk_data}/corpora/wordnet"):
        yield Finding("score.nltk_data", "WordNet is not there", "run `make setup` for METEOR", blocking=False)
    if not config.score.comet_checkpoint or not machine.exists(config.score.comet_python):
        yield Finding("score.comet_checkpoint", "COMET is not set up", "run `make setup-comet`", blocking=False)


def _licences(run: Selection) -> Iterator[Finding]:
    licences = {f"genres.{name}.licence": genre.licence for name, genre in run.genres.items()}
    for task in run.tasks:
        licences |= run.licences(task)
    for key, licence in licences.items():
        if licence is None:
            yield Finding(key, "no licence is recorded", "nothing made from it can be released", blocking=False)
