"""Disco-Bench as a library: the science of every stage, free of Snakemake and of paths."""

__version__ = "0.1.0"
