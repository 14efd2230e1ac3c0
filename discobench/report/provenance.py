"""With what a report was made."""

import platform
from importlib.metadata import PackageNotFoundError, version

import discobench

PACKAGES = (
    "snakemake",
    "torch",
    "transformers",
    "ve-fairseq",
    "stanza",
    "kenlm",
    "eflomal",
    "sacrebleu",
    "nltk",
    "bert-score",
    "pyarrow",
    "numpy",
)


def versions() -> dict[str, str]:
    """Versions of this project, of Python and of the packages that make numbers."""
    found = {"discobench": discobench.__version__, "Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
