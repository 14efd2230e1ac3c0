"""Disco-Bench: from literature in Chinese and English to the paper's tables."""

import os
import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.27")

# Relative, so that a checkout which moves keeps its results: paths are part of what Snakemake compares.
ROOT = Path(os.path.relpath(workflow.basedir))
sys.path.insert(0, str(workflow.basedir))
os.environ.update(PYTHONPATH=str(workflow.basedir))

from discobench.config.load import read_yaml, resolve
from discobench.errors import DiscoError
from discobench.files import check_writable
from discobench.operations.jobs import read_needs

try:
    # What Snakemake itself would say of this is a traceback.
    check_writable(Path(".snakemake/locks"))
    for path in filter(lambda path: path.suffix != ".json", workflow.overwrite_configfiles):
        read_yaml(path)  # for what Snakemake takes without a word: a key that stands there twice
    CONFIG = resolve(config, ROOT, " or ".join([*map(os.path.relpath, workflow.overwrite_configfiles), "--config"]))
    NEEDS = read_needs(ROOT / "resources/jobs.yaml", ROOT / "profiles/slurm/cluster.yaml")
except DiscoError as error:
    raise WorkflowError(str(error)) from None


include: "rules/common.smk"
include: "rules/corpus.smk"
include: "rules/synthesis.smk"
include: "rules/tasks.smk"
include: "rules/models.smk"
include: "rules/pretrain.smk"
include: "rules/finetune.smk"
include: "rules/decode.smk"
include: "rules/score.smk"
include: "rules/diagnose.smk"
include: "rules/report.smk"
include: "rules/leaderboard.smk"
include: "rules/operations.smk"
include: "rules/targets.smk"


onstart:
    try:
        check_writable(Path(R))
        check_writable(Path(LOG))
    except DiscoError as error:
        raise WorkflowError(str(error)) from None
    end_what_was_left_behind()
    drop_the_usual_rate_limit()
    try_no_more_where_nothing_helps()


onsuccess:
    say_what_was_done()


onerror:
    put_leaderboard_back()
    say_what_was_done()


localrules:
    all,


# Here and not in an included file: an include does not set the default target.
rule all:
    default_target: True
    input:
        ALL,
