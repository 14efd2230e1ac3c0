"""What every stage shares: where results lie, what the run selects, what jobs ask for."""

import re

from discobench import corpus, synthesis, tasks, models, pretrain, finetune, decode, score, diagnose
from discobench import report as reporting
from discobench.config.selection import Selection, identifier
from discobench.files import fingerprint, sha256
from discobench.operations.rates import read_rates
from discobench.operations.retries import Retries

RUN = Selection(CONFIG)
R = f"results/{CONFIG.run.preset}"
LOG = f"logs/{CONFIG.run.preset}"
TIME = f"{R}/benchmarks"
ENV = "../envs/main.yaml"
# As seen from the working directory, so that a run can be moved with its results.
RESOURCES = os.path.relpath(ROOT / "resources")
PROFILES = os.path.relpath(ROOT / "profiles")
GPUS = CONFIG.hardware.gpus
RATES = read_rates(ROOT / "resources/forecast.yaml")
RETRIES = Retries(RUN, RATES)
TRAINED = [name for name in models.families() if name != "llm"]
SMALL = 1_000_000  # bytes; as Snakemake, which judges larger files by their times


def any_of(names):
    """A wildcard constraint that matches these names only, and nothing when there are none."""
    return "|".join(map(re.escape, names)) or "none"


wildcard_constraints:
    genre=any_of(CONFIG.genres),
    shard=r"\d+",
    language="zh|en",
    bucket=r"\d+",
    fold=r"\d+",
    task=any_of(CONFIG.tasks),
    row=any_of(CONFIG.rows),
    seed=r"\d+",
    checkpoint=any_of(CONFIG.checkpoints),
    suite=any_of(CONFIG.suites),
    table=r"[2-9]|[1-9]\d+",  # Table 1 is of the tasks, by a rule of its own


def version(stage):
    """A stage's VERSION as a parameter like no other: Snakemake compares a job's parameters as a set of values."""
    return f"{stage.__name__} {stage.VERSION}"


def asks(rule, **own):
    """What jobs of a rule ask for, more with each attempt; ``own`` is what resources/jobs.yaml does not have."""
    return NEEDS.of(rule, GPUS, **own)


def trains(rule, gpus, log, nodes=1):
    """What a job asks for that goes on with training where a try before stopped, and which try it is.

    ``gpus`` is how many processes of a node share a batch; with ``cuda`` 0 they compute on the CPU, whatever GPUs they
    have.
    """
    return NEEDS.of_training(rule, gpus, nodes, f"{LOG}/{log}") | {"cuda": GPUS}


def sharing(gpus):
    """How many processes share a batch where a configuration says so many ``gpus``: none has one in a run without."""
    return gpus if GPUS else 0


def shards(genre):
    return range(CONFIG.genres[genre].shards)


def per_shard(step, genres):
    """The manifests of a corpus step for all shards of some genres."""
    return [f"{R}/corpus/{g}/{s}/{step}.balance.json" for g in genres for s in shards(g)]


def of_language(language):
    return [name for name, genre in RUN.genres.items() if genre.language == language]


def expansions(genres, step="filter"):
    """The manifests of a step of text expansion for those of its genres that are among ``genres``."""
    chosen = [g for g in CONFIG.synthesis.te.genres if g in genres]
    return [f"{R}/synthesis/te/{g}/{s}/{step}.balance.json" for g in chosen for s in shards(g)]


def task_manifest(task):
    return f"{R}/tasks/{task}/build.balance.json"


def checkpoint_manifest(checkpoint):
    """Where the manifest of a checkpoint is: continued-pretrained ones come from ``pretrain``."""
    stage = "pretrain" if CONFIG.checkpoints[checkpoint].base else "models"
    return f"{R}/{stage}/{checkpoint}/model.json"


def cell_path(stage, name, cell):
    return f"{R}/{stage}/{cell.task}/{cell.row}/seed-{cell.seed}/{name}"


def source_kind(*kinds):
    """Checkpoints that come from one of ``kinds``, as a wildcard constraint."""
    return any_of(n for n, c in CONFIG.checkpoints.items() if c.source.split(":")[0] in kinds and not c.base)


def rows_of(*families):
    """Rows all of whose checkpoints belong to some families, as a wildcard constraint."""
    return any_of(r for r, row in CONFIG.rows.items() if {RUN.family(c) for c in row.tasks.values()} <= set(families))


def tree_fingerprint(path, content_below=0):
    """A digest of names and sizes below a path, or `absent`: planning needs no data.

    Files of less than ``content_below`` bytes are judged by what is in them.
    """
    files = sorted(f for f in ([Path(path)] if Path(path).is_file() else Path(path).rglob("*")) if f.is_file())
    # Names that are not UTF-8 and files that may not be read are for the job to speak of.
    seen = [(os.fsencode(f).decode(errors="backslashreplace"), f.stat().st_size) for f in files]
    inside = [sha256(f) for f, (_, size) in zip(files, seen) if size < content_below and os.access(f, os.R_OK)]
    return fingerprint([seen, inside] if inside else seen) if files else "absent"
