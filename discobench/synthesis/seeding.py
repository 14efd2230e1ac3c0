"""A seed for a program that draws its own from the system and has no option for one (eflomal)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from tempfile import NamedTemporaryFile

from discobench.errors import DiscoError
from discobench.synthesis.perplexity import TOOLS

LIBRARY = TOOLS.parent / "lib/seeded.so"
BYTES = 1 << 16


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Programs started inside read bytes that follow from ``seed`` where they ask for random ones.

    One thread each, since the order of threads would be another source of chance. Raises DiscoError
    when the library that ``make setup`` builds is missing.
    """
    if not LIBRARY.exists():
        raise DiscoError(f"{LIBRARY} is missing, without which word alignment has no seed; run `make setup`.")
    with NamedTemporaryFile() as source:
        source.write(Random(seed).randbytes(BYTES))
        source.flush()
        changed = {"LD_PRELOAD": str(LIBRARY), "SEEDED_RANDOM": source.name, "OMP_NUM_THREADS": "1"}
        before = {name: os.environ.get(name) for name in changed}
        os.environ.update(changed)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})
