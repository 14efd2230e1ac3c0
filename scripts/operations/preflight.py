"""Say what the run lacks; fail when something that it cannot do without is missing."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from discobench.config.load import parse
from discobench.config.selection import Selection
from discobench.errors import DiscoError
from discobench.files import write_text
from discobench.operations.preflight import Machine, bytes_below, findings
from discobench.synthesis.perplexity import TOOLS
from scripts.job import job


def this_machine() -> Machine:
    gpus = len(list(Path("/dev").glob("nvidia[0-9]*")))
    places = f"{TOOLS}{os.pathsep}{os.environ.get('PATH', '')}"
    finds = partial(shutil.which, path=places)
    free = shutil.disk_usage(gettempdir()).free
    exists, found = lambda path: Path(path).exists(), lambda name: finds(name) is not None
    return Machine(exists, os.environ, found, gpus, bytes_below, free)


def main(config: dict[str, Any], report: Path, say: Callable[[str], None]) -> None:
    found = findings(Selection(parse(config, "configuration")), this_machine())
    lines = [finding.sentence() for finding in found] or ["nothing is missing."]
    write_text(report, "\n".join(lines) + "\n")
    if any(finding.blocking for finding in found):
        raise DiscoError("\n".join(lines))
    say("\n".join(lines))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.params.config, j.output.report, j.say)
