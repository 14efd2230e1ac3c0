"""Say what the run lacks; fail when something that it cannot do without is missing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from discobench.config.load import parse
from discobench.config.selection import Selection
from discobench.errors import DiscoError
from discobench.files import write_text
from discobench.operations.preflight import findings
from discobench.operations.probe import around_here, this_machine
from scripts.job import job
from scripts.partitions import fits


def main(files: Any, params: Any, report: Path, say: Callable[[str], None]) -> None:
    run = Selection(parse(params.config, "configuration"))
    around = around_here(run, files, report.parents[1], params.slurm, fits)
    found = [*findings(run, this_machine(params.scheduled, params.slurm)), *around]
    lines = [finding.sentence() for finding in found] or ["nothing is missing."]
    write_text(report, "\n".join(lines) + "\n")
    if any(finding.blocking for finding in found):
        raise DiscoError("\n".join(lines))
    say("\n".join(lines))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.params, j.output.report, j.say)
