"""Say what the run lacks; fail when something that it cannot do without is missing."""

import os
import shutil
from pathlib import Path
from typing import Any

from discobench.config.load import parse
from discobench.config.selection import Selection
from discobench.errors import DiscoError
from discobench.files import write_text
from discobench.operations.preflight import Machine, findings
from scripts.job import job


def this_machine() -> Machine:
    gpus = len(list(Path("/dev").glob("nvidia[0-9]*")))
    return Machine(lambda path: Path(path).exists(), os.environ, lambda name: shutil.which(name) is not None, gpus)


def main(config: dict[str, Any], report: Path) -> None:
    found = findings(Selection(parse(config, "configuration")), this_machine())
    lines = [finding.sentence() for finding in found] or ["nothing is missing."]
    write_text(report, "\n".join(lines) + "\n")
    if any(finding.blocking for finding in found):
        raise DiscoError("\n".join(lines))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.params.config, Path(j.params.report))
