"""With what a report was made."""

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import which

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
    found = {"discobench": discobench.__version__, "commit": _commit(), "Python": platform.python_version()}
    found["machine"] = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _commit() -> str:
    """The commit of the code, with a plus where files differ from it."""
    folder = Path(discobench.__file__).parent
    asked = ["git", "-C", str(folder), "describe", "--always", "--abbrev=40", "--dirty=+"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False) if which("git") else None
    return found.stdout.strip() if found and found.returncode == 0 else "not a git checkout"
