"""Which GPUs a job computes on where nobody chose for it: jobs of one machine must not meet on the first one.

A cluster sets CUDA_VISIBLE_DEVICES for each job. Snakemake on one machine only counts GPUs.
"""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path

from filelock import FileLock, Timeout

from discobench.operations.given import VISIBLE, Given


@contextmanager
def chosen(wanted: int, seen: Given, folder: Path, environment: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Variables by which the block sees ``wanted`` of its GPUs, those that no other job holds before the others.

    Locks in ``folder`` say who holds which, and go with their process. A job that wants none sees none; what a
    cluster gave stays where that is no more than it wants (in an allocation, several jobs share what is more).
    """
    if not wanted or (seen.batch and len(seen.gpus) <= wanted):
        yield {VISIBLE: ""} if seen.gpus and not wanted else {}
        return
    # Device files need not have the numbers that CUDA counts by.
    names = seen.gpus if VISIBLE in environment else [str(number) for number in range(len(seen.gpus))]
    with ExitStack() as held:
        free = list(islice((name for name in names if _held(held, folder, name)), wanted))
        shared = [name for name in names if name not in free][: wanted - len(free)]
        if shared:
            logging.warning("GPUs %s are those of other jobs, too", ",".join(shared))
        taken = ",".join([*free, *shared])
        logging.info("computes on GPUs %s", taken)
        yield {VISIBLE: taken}


def _held(held: ExitStack, folder: Path, name: str) -> bool:
    """Hold a GPU until ``held`` is closed, if nobody else does."""
    lock = FileLock(folder / f"discobench-{os.getuid()}-gpu-{name}.lock", timeout=0)
    try:
        held.enter_context(lock)
    except Timeout:
        return False
    return True
