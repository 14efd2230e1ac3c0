"""How the outputs of a job came about: code, settings, inputs, machine and times, for whoever follows a number back."""

import hashlib
import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import which
from typing import Any

import discobench
from discobench.files import read_json, sha256

SUFFIX = ".made.json"
ROOT = Path(discobench.__file__).parents[1]
CODE = ("Snakefile", "discobench/**/*.py", "rules/**/*.smk", "scripts/**/*.py")
SMALL = 1_000_000
"""Bytes of the largest input that is digested: manifests are smaller, and name the digests of what is larger."""
PACKAGES = {
    "snakemake": "snakemake",
    "torch": "torch",
    "transformers": "transformers",
    "ve-fairseq": "fairseq",
    "stanza": "stanza",
    "kenlm": "kenlm",
    "eflomal": "eflomal",
    "sacrebleu": "sacrebleu",
    "nltk": "nltk",
    "bert-score": "bert_score",
    "pyarrow": "pyarrow",
    "numpy": "numpy",
}
"""Package -> its module."""
Records = dict[str, tuple[str, dict[str, Any]]]
"""Output of a run -> the path of the record of the job that made it, and the record."""


def place(log: Path) -> Path:
    """Where the record of the job with a log lies: beside its benchmark, since results are passed on without logs."""
    if log.parts[0] == "logs" and len(log.parts) > 2:
        log = Path("results", log.parts[1], "benchmarks", *log.parts[2:])
    return log.with_suffix(SUFFIX)


def record(spec: Mapping[str, Any], cost: Mapping[str, Any], machine: str) -> dict[str, Any]:
    """The record of a job that is done; ``spec`` is what it was given, ``cost`` what it took."""
    return {
        "rule": spec["rule"],
        "code": code(),
        "settings": spec["params"],
        "wildcards": spec["wildcards"],
        "threads": spec["threads"],
        "inputs": {path: _digest(Path(path)) for path in _paths(spec["input"])},
        "outputs": list(_paths(spec["output"])),
        "machine": machine,
        "packages": packages([name for name, module in PACKAGES.items() if module in sys.modules]),
        **{name: cost[name] for name in ("wall_s", "cpu_s", "peak_mb")},
    }


def _paths(part: Mapping[str, Any]) -> Iterator[str]:
    for value in part.values():
        yield from [value] if isinstance(value, str) else value


def _digest(path: Path) -> str | None:
    """The sha256 of a small file; None for others, and for folders."""
    return sha256(path) if path.is_file() and path.stat().st_size <= SMALL else None


@cache
def code() -> dict[str, str]:
    """Version, commit and digest of this project's code as it lies there now."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in CODE for path in ROOT.glob(pattern)):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return {"version": discobench.__version__, "commit": _commit(), "sha256": digest.hexdigest()}


def _commit() -> str:
    """The commit of the code, with a plus where files differ from it."""
    asked = ["git", "--no-optional-locks", "-C", str(ROOT), "describe", "--always", "--abbrev=40", "--dirty=+"]
    # A copy inside another checkout is not of that one's commit.
    found = subprocess.run(asked, capture_output=True, text=True, check=False) if _checkout() else None
    return found.stdout.strip() if found and found.returncode == 0 else "not a git checkout"


def _checkout() -> bool:
    return which("git") is not None and (ROOT / ".git").exists()


def packages(names: Iterable[str]) -> dict[str, str]:
    """Versions of Python and of packages."""
    found = {"Python": platform.python_version()}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def versions() -> dict[str, str]:
    """What a page is made with."""
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    made = code()
    named = {"discobench": made["version"], "commit": made["commit"], "sha256 of the code": made["sha256"]}
    return named | {"machine": machine} | packages(PACKAGES)


def records(root: Path) -> Records:
    """The records below ``root``, the results of a run; paths are from there."""
    found: Records = {}
    for path in sorted((root / "benchmarks").rglob(f"*{SUFFIX}")):
        content = read_json(path)
        where = path.relative_to(root).as_posix()
        for output in content["outputs"]:
            found[within(output)] = (where, content)
    return found


def code_of_jobs(root: Path) -> list[tuple[str, str]]:
    """By which code the recorded jobs of a run were done, and how many: it may have been gone on with after edits."""
    jobs = {where: content["code"] for where, content in records(root).values()}
    counts = Counter((made["commit"], made["sha256"]) for made in jobs.values())
    return [(f"code of {n} jobs", f"commit {commit}, sha256 {digest}") for (commit, digest), n in counts.most_common()]


def within(path: str) -> str:
    """A path of a run, from the folder of its results."""
    parts = Path(path).parts
    return Path(*parts[2:]).as_posix() if parts[:1] == ("results",) and len(parts) > 2 else path
