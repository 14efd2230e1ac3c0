"""What a run needs from around it, and does not find: the cluster's partitions, the hub, room for its results."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from discobench.config.selection import Selection
from discobench.operations.jobs import Needs
from discobench.operations.preflight import Finding
from discobench.operations.scorers import scorers

CLUSTER = "profiles/slurm/cluster.yaml"
HUB, PARSERS = "https://huggingface.co", "https://raw.githubusercontent.com"
UNITS = {"mem_mb": "MB", "runtime": "minutes"}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What can be seen from here; injected, so that the findings can be tested.

    ``partitions`` are those that Slurm knows (None: no Slurm here), ``reaches`` says whether a server answers,
    ``fetched`` whether a checkpoint lies in the results, ``free_gb`` is the room there,
    ``hub`` where checkpoints come from.
    """

    partitions: frozenset[str] | None
    reaches: Callable[[str], bool]
    fetched: Callable[[str], bool]
    free_gb: float
    hub: str = HUB


def around(run: Selection, needs: Needs, seen: Surroundings, disk_gb: float) -> list[Finding]:
    """Everything that is missing around a run whose results take ``disk_gb``."""
    cluster = list(_partitions(run, needs, seen.partitions)) if seen.partitions is not None else []
    return [*cluster, *_hub(run, seen), *_room(seen.free_gb, disk_gb)]


def _partitions(run: Selection, needs: Needs, known: frozenset[str]) -> Iterator[Finding]:
    described = needs.cluster.partitions
    for name in sorted(set(described) - known):
        found = f"Slurm has no partition {name}, only {', '.join(sorted(known))}"
        yield Finding(f"{CLUSTER} partitions", found, "write the names of yours there")
    gpus = most_gpus(run)
    if gpus and not any(partition.max_gpu >= gpus for partition in described.values()):
        lack = "none has max_gpu" if gpus == 1 else f"none has a max_gpu of {gpus} or more"
        yield Finding(f"{CLUSTER} partitions", lack, "say which have GPUs, or set hardware.gpus to 0")
    for rule, entry in needs.rules.items():
        held = gpus if "gpu" in entry else 0
        wanted = dict(entry) | (entry["gpu"] if held else {})
        for resource, unit in UNITS.items():
            asked, most = wanted.get(resource, 0), needs.cluster.most(resource, held)
            if asked > most:
                found = f"{rule} asks for {asked} {unit} and no partition gives more than {most:.0f}"
                yield Finding(
                    f"resources/jobs.yaml {rule}", found, "it gets that and may run out of it", blocking=False
                )


def most_gpus(run: Selection) -> int:
    """GPUs of the largest job of a run."""
    config = run.config
    pretrained = [config.pretrain[name] for name in {cell.checkpoint for cell in run.cells()} & set(config.pretrain)]
    training = [config.finetune.gpus, *(recipe.gpus * recipe.nodes for recipe in pretrained)]
    return min(config.hardware.gpus, 1) * max(training)


def _hub(run: Selection, seen: Surroundings) -> Iterator[Finding]:
    names = sorted(run.checkpoints() | {name for name in scorers(run).values() if name})
    hubs = {name: run.config.checkpoints[name].source.removeprefix("hub:") for name in names}
    wanted = [name for name in hubs if run.config.checkpoints[name].source != hubs[name] and not seen.fetched(name)]
    remedy = "fetch it where there is a network and name its folder as path:"
    if wanted and not seen.reaches(seen.hub):
        for name in wanted:
            yield Finding(
                f"checkpoints.{name}.source", f"{hubs[name]} is not here and {seen.hub} does not answer", remedy
            )
    parsed = any(run.config.tasks[task].source == "te" for task in run.tasks)
    if parsed and run.config.synthesis.parser.source == "download" and not seen.reaches(PARSERS):
        yield Finding("synthesis.parser.source", f"{PARSERS} does not answer", "set it to path and name a folder")


def _room(free_gb: float, disk_gb: float) -> Iterator[Finding]:
    if disk_gb > free_gb:
        found = f"the results may take {disk_gb:,.0f} GB and {free_gb:,.0f} GB are free"
        yield Finding("results", found, "make room or link results/ to another disk", blocking=False)
