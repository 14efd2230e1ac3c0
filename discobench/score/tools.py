"""What a score was made with, as its signature names it: packages with their versions, and this stage with its own."""

from importlib.metadata import version

from discobench.score import VERSION

OWN = f"disco-bench:score {VERSION}"
"""The tool of metrics that are defined here: a change of their meaning raises the number."""


def named(*packages: str) -> str:
    """``name:version`` of each installed package in turn."""
    return "|".join(f"{name}:{version(name)}" for name in packages)
