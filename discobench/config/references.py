"""Names in the configuration that refer to other entries must exist."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from typing import get_args

from discobench.config.training import Chooser, TrainingChange
from discobench.config.types import Config
from discobench.errors import DiscoError
from discobench.models import families
from discobench.pretrain import FAMILIES as PRETRAINED
from discobench.score import COMPANIONS
from discobench.tasks import task as task_named
from discobench.tasks.base import BASELINES
from discobench.tasks.formats import FORMATS

UNTRAINED = {"api": "llm", "baseline": "baseline"}
"""Kind of source -> family, where nothing is trained."""
BERTSCORERS = ("encoder", "bart", "mbart")
"""Families whose layers the package bert-score can take apart."""
RANKING = "ranking"
"""What the accuracies of the diagnostic suite are called where metrics are named."""
FACTS = "facts"
"""What sizes and settings are called there."""
Reference = tuple[str, str, Iterable[str]]
"""Key path, name used there, names allowed."""


def check_references(config: Config, origin: str) -> None:
    """Raise DiscoError, one line per name that refers to nothing and per key that another one needs."""
    faults = [_fault(*reference, origin) for reference in _references(config) if reference[1] not in reference[2]]
    faults += [f"{origin}: {path}: this key is missing; {why}." for path, why in _needed(config)]
    faults += [f"{origin}: {path}: {fault}." for path, fault in _odd(config)]
    if faults:
        raise DiscoError("\n".join(faults))


def _needed(config: Config) -> Iterator[tuple[str, str]]:
    """Keys that another key's value makes necessary, and why."""
    parser = config.synthesis.parser
    if parser.source != "download" and parser.path is None:
        yield "synthesis.parser.path", f"source {parser.source} needs the folder it reads"
    for name, data in config.tasks.items():
        if data.source in ("file", "zpr") and not data.files:
            yield f"tasks.{name}.files", f"source {data.source} needs the folders of the task's files"
        if data.source == "corpus" and not data.genres:
            yield f"tasks.{name}.genres", "source corpus needs the genres it is cut from"


def _odd(config: Config) -> Iterator[tuple[str, str]]:
    """Keys whose values do not go together, and why."""
    shares, seeds = config.splits, config.run.seeds
    if shares.valid + shares.test >= 1:
        yield "splits", f"found valid {shares.valid} and test {shares.test}; they must leave a share of works for train"
    own = {f"row_seeds.{row}": named for row, named in config.run.row_seeds.items()}
    for key, named in {"seeds": seeds, **own}.items():
        if len(set(named)) < len(named):
            yield f"run.{key}", f"found {named}; name each seed once"
    for name, training in config.finetune.tasks.items():
        if training.steps is None and training.epochs is None:
            yield f"finetune.tasks.{name}", "found neither steps nor epochs; set one of them"
    for name, recipe in config.pretrain.items():
        if recipe.training.steps is None:
            yield f"pretrain.{name}.training.steps", "found none; pretraining counts steps, not epochs"
        if recipe.sharding == "full" and recipe.training.compile:
            yield f"pretrain.{name}.sharding", "found full with training.compile; set one of them to none or false"
    for name, pairs in config.report.instead.items():
        if len({*pairs, *pairs.values()}) < 2 * len(pairs):
            yield f"report.instead.{name}", "found a metric twice; each may be exchanged with one other"
    for name, sheets in config.annotation.sheets.items():
        if len(set(sheets)) < len(sheets):
            yield f"annotation.sheets.{name}", f"found {sheets[0]} twice; name the sheets of two annotators"
    yield from _odd_tasks(config)
    yield from _circles(config)
    for name, genre in config.genres.items():
        if genre.simplify and (genre.language != "zh" or genre.category == "Ancient"):
            yield f"genres.{name}.simplify", "found true; only genres in zh that are not Ancient are simplified"
    yield from _odd_sources(config)
    yield from _odd_bases(config)
    yield from _odd_rows(config)
    yield from _odd_choices(config)
    yield from _odd_plain(config)
    yield from _odd_grids(config)
    yield from _odd_scorers(config)
    yield from _odd_suites(config)


def _odd_tasks(config: Config) -> Iterator[tuple[str, str]]:
    for name in config.tasks:
        try:
            task_named(name)
        except DiscoError as error:
            yield f"tasks.{name}", str(error).rstrip(".")


def _circles(config: Config) -> Iterator[tuple[str, str]]:
    """Checkpoints that would be pretrained from themselves, by whatever way round."""
    for name in config.checkpoints:
        way, step = [name], config.checkpoints[name].base
        while step in config.checkpoints and step not in way:
            way, step = [*way, step], config.checkpoints[step].base
        if step == name:
            yield f"checkpoints.{name}.base", f"found a circle, {' from '.join([*way, name])}; start from another one"


def _odd_sources(config: Config) -> Iterator[tuple[str, str]]:
    for name, checkpoint in config.checkpoints.items():
        kind, _, what = checkpoint.source.partition(":")
        family = what if kind in ("scratch", "tiny") else UNTRAINED.get(kind)
        if family is None and checkpoint.family in UNTRAINED.values():
            yield f"checkpoints.{name}.source", f"found {kind!r}, which family {checkpoint.family!r} has no use for"
        if family not in (None, checkpoint.family):
            yield f"checkpoints.{name}.family", f"found {checkpoint.family!r}; its source is for family {family!r}"
        if kind == "baseline" and what not in BASELINES:
            yield f"checkpoints.{name}.source", f"found {what!r}; allowed: {', '.join(BASELINES)}"


def _odd_bases(config: Config) -> Iterator[tuple[str, str]]:
    """Checkpoints that are pretrained here without an objective for their family."""
    for name, checkpoint in config.checkpoints.items():
        if checkpoint.base is not None and checkpoint.family not in PRETRAINED:
            allowed = f"{', '.join(PRETRAINED)} can be pretrained"
            yield f"checkpoints.{name}.base", f"found for family {checkpoint.family!r}; only {allowed}"


def _odd_rows(config: Config) -> Iterator[tuple[str, str]]:
    for name, row in config.rows.items():
        families = {config.checkpoints[c].family for c in row.tasks.values() if c in config.checkpoints}
        if len(families) > 1 and families & set(UNTRAINED.values()):
            yield f"rows.{name}.tasks", f"found families {', '.join(sorted(families))}; make a row for each of them"


def _odd_choices(config: Config) -> Iterator[tuple[str, str]]:
    """Metrics that a task does not have."""
    for key, task, by in _choices(config):
        if task in config.tasks and by not in ("loss", *_metrics(task)):
            allowed = ", ".join(["loss", *_metrics(task)])
            yield f"finetune.{key}.best_by", f"found {by!r}, which task {task!r} does not have; allowed: {allowed}"


def _odd_plain(config: Config) -> Iterator[tuple[str, str]]:
    """What fairseq's training cannot do: choose by metrics, learn from a batch in parts."""
    tuned = config.finetune.tasks
    for row, entry in config.rows.items():
        for task in (t for t, name in entry.tasks.items() if _family(config, name) == "plain" and t in tuned):
            change = config.finetune.rows.get(row, {}).get(task, TrainingChange())
            by, own = change.best_by or tuned[task].best_by, change.part_tokens
            if by != "loss":
                yield f"finetune.rows.{row}.{task}.best_by", f"found {by!r}; plain models know the loss alone: set loss"
            if most := own or tuned[task].part_tokens:
                key = f"finetune.rows.{row}.{task}" if own else f"finetune.tasks.{task}"
                why = f"row {row!r} has a plain model, which learns from whole batches"
                yield f"{key}.part_tokens", f"found {most}; {why}: set it in finetune.rows for other rows alone"


def _odd_grids(config: Config) -> Iterator[tuple[str, str]]:
    """Epochs to try where steps are set, which count first."""
    for row, grids in config.finetune.grid.items():
        for task, grid in ((t, g) for t, g in grids.items() if g.epochs and t in config.finetune.tasks):
            change = config.finetune.rows.get(row, {}).get(task, TrainingChange())
            steps = grid.steps or change.steps or config.finetune.tasks[task].steps
            if steps:
                yield f"finetune.grid.{row}.{task}.epochs", f"found with steps {steps}, which count first; list steps"


def _choices(config: Config) -> Iterator[tuple[str, str, str]]:
    """Key, task and what the best is chosen by, the tasks' own entries last."""
    for row, tasks in config.finetune.rows.items():
        yield from ((f"rows.{row}.{task}", task, change.best_by) for task, change in tasks.items() if change.best_by)
    yield from ((f"tasks.{task}", task, tuning.best_by) for task, tuning in config.finetune.tasks.items())


def _metrics(task: str) -> list[str]:
    """Those of a task's metrics by which a checkpoint may be chosen; any where the task is not there."""
    try:
        return [name for name in task_named(task).metrics if name in get_args(Chooser)]
    except DiscoError:
        return list(get_args(Chooser))


def _family(config: Config, checkpoint: str) -> str | None:
    return config.checkpoints[checkpoint].family if checkpoint in config.checkpoints else None


def _odd_scorers(config: Config) -> Iterator[tuple[str, str]]:
    for language, name in config.score.bertscore_model.items():
        family = _family(config, name)
        if family not in (None, *BERTSCORERS):
            found, allowed = f"found {name!r} of family {family!r}", ", ".join(BERTSCORERS)
            yield f"score.bertscore_model.{language}", f"{found}; allowed: a checkpoint of family {allowed}"


def _odd_suites(config: Config) -> Iterator[tuple[str, str]]:
    for name, suite in config.suites.items():
        if suite.source == "file" and suite.path is None:
            yield f"suites.{name}.path", "found none; name the file, or set the suite's source to test"
        if suite.window[0] > suite.window[1]:
            yield f"suites.{name}.window", f"found {list(suite.window)}; the least comes first"
    chosen = [config.suites[name] for name in config.run.suites or config.suites if name in config.suites]
    ranked = [suite.task for suite in chosen if suite.table]
    for task in sorted({task for task in ranked if ranked.count(task) > 1}):
        yield (
            "run.suites",
            f"found more than one of task {task!r}; Table 11 has room for one of each task, so set suites.<name>.table "
            "to false for the others",
        )


def _fault(path: str, name: str, allowed: Iterable[str], origin: str) -> str:
    names = sorted(allowed)
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"allowed: {', '.join(names)}."
    return f"{origin}: {path}: found {name!r}, which is not defined; {hint}"


def _references(config: Config) -> Iterator[Reference]:
    yield from _run(config)
    yield from _tasks(config)
    yield from _models(config)
    yield from _contract(config)
    for name, suite in config.suites.items():
        yield f"suites.{name}.task", suite.task, config.tasks
        yield from ((f"suites.{name}.rows", row, config.rows) for row in suite.rows)


def _run(config: Config) -> Iterator[Reference]:
    run = config.run
    yield from (("run.genres", name, config.genres) for name in run.genres or [])
    yield from (("run.tasks", name, config.tasks) for name in run.tasks or [])
    yield from (("run.rows", name, config.rows) for name in run.rows or [])
    yield from (("run.suites", name, config.suites) for name in run.suites or [])
    yield from ((f"run.row_seeds.{row}", row, config.rows) for row in run.row_seeds)
    for row, tasks in run.only.items():
        yield f"run.only.{row}", row, config.rows
        yield from ((f"run.only.{row}", name, config.tasks) for name in tasks)


def _contract(config: Config) -> Iterator[Reference]:
    """Metrics that the contract is told about."""
    of: dict[str, tuple[str, ...]] = {}
    for name in config.tasks:
        with suppress(DiscoError):  # _odd_tasks tells it
            found = task_named(name)
            pairs = [(found.formulation, metric) for metric in found.metrics]
            of[name] = (*found.metrics, *(more for pair in pairs for more in COMPANIONS.get(pair, ())))
    known = {RANKING, *(metric for metrics in of.values() for metric in metrics)}
    yield from (("report.tolerance", name, {"default", FACTS, *known}) for name in config.report.tolerance)
    yield from (("report.trusted", name, known) for name in config.report.trusted)
    for task, changes in config.report.instead.items():
        yield "report.instead", task, config.tasks
        for pair in changes.items():
            yield from ((f"report.instead.{task}", name, of.get(task, ())) for name in pair)


def _tasks(config: Config) -> Iterator[Reference]:
    yield from (
        (f"annotation.sheets.{name}", name, config.run.tasks or config.tasks) for name in config.annotation.sheets
    )
    yield from (("corpus.decontamination.tasks", name, config.tasks) for name in config.corpus.decontamination.tasks)
    yield from (("synthesis.te.genres", name, config.genres) for name in config.synthesis.te.genres)
    for checkpoint, recipe in config.pretrain.items():
        yield from ((f"pretrain.{checkpoint}.weights", name, config.genres) for name in recipe.weights)
    for task, data in config.tasks.items():
        yield from ((f"tasks.{task}.genres", name, config.genres) for name in data.genres)
        yield from ((f"tasks.{task}.files[{n}].format", part.format, FORMATS) for n, part in enumerate(data.files))
        yield f"finetune.tasks.{task}", task, config.finetune.tasks
        yield f"decode.{task}", task, config.decode


def _models(config: Config) -> Iterator[Reference]:
    known = sorted({*families(), *UNTRAINED.values()})
    for name, checkpoint in config.checkpoints.items():
        yield f"checkpoints.{name}.family", checkpoint.family, known
        if checkpoint.base is not None:
            yield f"checkpoints.{name}.base", checkpoint.base, config.checkpoints
            yield f"pretrain.{name}", name, config.pretrain
        if checkpoint.tokenizer is not None:
            yield f"checkpoints.{name}.tokenizer", checkpoint.tokenizer, config.checkpoints
    for row, entry in config.rows.items():
        for task, checkpoint_name in entry.tasks.items():
            yield f"rows.{row}.tasks", task, config.tasks
            yield f"rows.{row}.tasks.{task}", checkpoint_name, config.checkpoints
    for name in config.pretrain:
        yield f"pretrain.{name}", name, config.checkpoints
    for name in config.finetune.rows:
        yield f"finetune.rows.{name}", name, config.rows
    for name, grids in config.finetune.grid.items():
        yield f"finetune.grid.{name}", name, config.rows
        yield from ((f"finetune.grid.{name}.{task}", task, config.tasks) for task in grids)
    for language, name in {**config.score.perplexity_model}.items():
        yield f"score.perplexity_model.{language}", name, config.checkpoints
    for language, name in {**config.score.bertscore_model}.items():
        yield f"score.bertscore_model.{language}", name, config.checkpoints
