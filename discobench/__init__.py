"""Disco-Bench as a library: the science of every stage, free of Snakemake and of paths."""

import time

__version__ = "0.1.0"
STARTED = time.monotonic()
"""When this process began, all but Python's own start."""
