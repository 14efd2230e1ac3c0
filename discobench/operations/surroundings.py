"""What a run needs from around it, and does not find: the cluster's partitions, the hub, room for its results."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from discobench.config.selection import Selection
from discobench.operations.jobs import Cluster, Needs, Partition
from discobench.operations.preflight import Finding
from discobench.operations.scorers import scorers

CLUSTER = "profiles/slurm/cluster.yaml"
HUB, PARSERS = "https://huggingface.co", "https://raw.githubusercontent.com"
OFFLINE = "DISCOBENCH_OFFLINE"
"""Variable that says that no server is to be looked for from here."""
Fits = Callable[[Cluster, str, int, Mapping[str, Any]], bool]
UNASKED = ("preflight", "forecast", "status", "rebuild_tasks", "submission", "release_tasks", "release_model")
"""Rules that no table of a run needs."""
UNITS = {"mem_mb": "MB", "runtime": "minutes"}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What can be seen from here; injected, so that the findings can be tested.

    ``slurm`` says whether the run's jobs go to Slurm, ``partitions`` are those that it knows (None: it does not answer)
    with what each allows, by the names of cluster.yaml, ``reaches`` says whether a server answers, ``fetched`` whether
    a checkpoint lies in the results, ``free_gb`` is the room there, ``fits`` says whether a partition allows all that a
    rule's job asks for, with so many threads and resources, ``hub`` where checkpoints come from.
    """

    partitions: Mapping[str, Mapping[str, int]] | None
    reaches: Callable[[str], bool]
    fetched: Callable[[str], bool]
    free_gb: float
    fits: Fits
    hub: str = HUB
    slurm: bool = True


def around(run: Selection, needs: Needs, seen: Surroundings, disk_gb: float) -> list[Finding]:
    """Everything that is missing around a run whose results take ``disk_gb`` more."""
    cluster = [*_known(needs, seen.partitions), *_partitions(run, needs), *_placed(run, needs, seen.fits)]
    return [*(cluster if seen.slurm else []), *_hub(run, seen), *_endpoints(run, seen), *_room(seen.free_gb, disk_gb)]


def _known(needs: Needs, known: Mapping[str, Mapping[str, int]] | None) -> Iterator[Finding]:
    """Partitions of the description against those of Slurm."""
    described = needs.cluster.partitions
    if known is None:
        yield Finding("slurm", "Slurm does not answer", "give the command where sinfo does, or name another profile")
        return
    for name in sorted({*described} - {*known}):
        found = f"Slurm has no partition {name}, only {', '.join(sorted(known))}"
        yield Finding(f"{CLUSTER} partitions", found, "write the names of yours there")
    for name in (name for name in described if name in known):
        yield from _beyond(name, described[name], known[name])


def _partitions(run: Selection, needs: Needs) -> Iterator[Finding]:
    described = needs.cluster.partitions
    held = {rule: max((gpus for gpus, _ in _shapes(run, needs, rule)), default=0) for rule in needs.rules}
    gpus = max(held[rule] for rule in held if rule not in UNASKED)
    if gpus and not any(partition.max_gpu >= gpus for partition in described.values()):
        lack = "none has max_gpu" if gpus == 1 else f"none has a max_gpu of {gpus} or more"
        yield Finding(f"{CLUSTER} partitions", lack, "say which have GPUs, or set hardware.gpus to 0")
    for rule, entry in needs.rules.items():
        wanted = dict(entry) | (entry["gpu"] if held[rule] else {})
        for resource, unit in UNITS.items():
            asked, most = wanted.get(resource, 0), needs.cluster.most(resource, held[rule])
            if asked > most:
                found = f"{rule} asks for {asked} {unit} and no partition gives more than {most:.0f}"
                yield Finding(
                    f"resources/jobs.yaml {rule}", found, "it gets that and may run out of it", blocking=False
                )


def _placed(run: Selection, needs: Needs, fits: Fits) -> Iterator[Finding]:
    """Rules whose first try no partition takes: each limit may be met somewhere, but all of them nowhere."""
    most = max(partition.max_gpu for partition in needs.cluster.partitions.values())
    shapes = [(rule, *shape) for rule in needs.rules if rule not in UNASKED for shape in _shapes(run, needs, rule)]
    for rule, gpus, nodes in shapes:
        asked, threads = needs.first(rule, gpus, nodes, **_own(run, rule)), needs.threads(rule, gpus)
        if gpus <= most and not fits(needs.cluster, rule, threads, asked):
            counts = {"GPUs": gpus, "cores": threads * (threads > 1), "nodes": nodes * (nodes > 1)}
            told = [f"{asked[name]} {unit}" for name, unit in UNITS.items() if name in asked]
            told += [f"{count} {what}" for what, count in counts.items() if count]
            found = f"no partition gives {rule} all that it asks for ({', '.join(told)})"
            yield Finding(f"{CLUSTER} partitions", found, f"lower {rule} in resources/jobs.yaml or name a larger one")


def _shapes(run: Selection, needs: Needs, rule: str) -> list[tuple[int, int]]:
    """GPUs of a node and nodes of a rule's jobs, each once; none where the run has no job of it."""
    config, held = run.config, "gpu" in needs.rules[rule] and run.config.hardware.gpus
    found = {(1, 1)}
    if rule == "pretrain_checkpoint":
        found = {(config.pretrain[name].gpus, config.pretrain[name].nodes) for name in run.pretrained()}
    if rule == "finetune":
        found = {(run.sharing([(cell.task, cell.row)]), 1) for cell in run.cells() if run.trained(cell.checkpoint)}
    return sorted({(gpus if held else 0, nodes) for gpus, nodes in found})


def _own(run: Selection, rule: str) -> dict[str, int]:
    """What the configuration says of a rule's memory (MB), and the table does not."""
    synthesis = run.config.synthesis
    models = {"te_language_model": synthesis.te.language_model, "zpr_language_model": synthesis.zpr.language_model}
    return {"mem_mb": models[rule].memory_mb} if rule in models else {}


def _beyond(name: str, described: Partition, known: Mapping[str, int]) -> Iterator[Finding]:
    """Limits of a partition that are wider here than with Slurm, which refuses jobs above its own."""
    for limit, most in known.items():
        own = getattr(described, limit)
        if own is None or own > most:
            found = f"{'none' if own is None else own} here, and Slurm gives no job there more than {most}"
            yield Finding(f"{CLUSTER} partitions.{name}.{limit}", found, f"write {most}")


def to_fetch(run: Selection, fetched: Callable[[str], bool]) -> dict[str, str]:
    """Checkpoints of the run and of its scores that are still to come from a hub, each with its name there."""
    names = sorted(run.checkpoints() | {name for name in scorers(run).values() if name})
    sources = {name: run.config.checkpoints[name].source.partition(":") for name in names}
    return {name: where for name, (kind, _, where) in sources.items() if kind == "hub" and not fetched(name)}


def _hub(run: Selection, seen: Surroundings) -> Iterator[Finding]:
    wanted = to_fetch(run, seen.fetched)
    remedy = "fetch it where there is a network and name its folder as path:"
    if wanted and not seen.reaches(seen.hub):
        for name, where in wanted.items():
            yield Finding(f"checkpoints.{name}.source", f"{where} is not here and {seen.hub} does not answer", remedy)
    parsed = any(run.config.tasks[task].source == "te" for task in run.tasks)
    if parsed and run.config.synthesis.parser.source == "download" and not seen.reaches(PARSERS):
        yield Finding("synthesis.parser.source", f"{PARSERS} does not answer", "set it to path and name a folder")


def _endpoints(run: Selection, seen: Surroundings) -> Iterator[Finding]:
    """Addresses that rows of APIs ask; asked without a key, any answer counts."""
    names = sorted(name for name in run.checkpoints() if run.family(name) == "llm")
    for address in dict.fromkeys(run.endpoint(name).base_url for name in names):
        if not seen.reaches(address):
            remedy = f"start it or mend base_url; {OFFLINE}=1 where only the jobs' nodes have a network"
            yield Finding("api.base_url", f"{address} does not answer", remedy)


def _room(free_gb: float, disk_gb: float) -> Iterator[Finding]:
    if disk_gb > free_gb:
        found = f"the results may take {disk_gb:,.0f} GB and {free_gb:,.0f} GB are free"
        yield Finding("results", found, "make room or link results/ to another disk")
