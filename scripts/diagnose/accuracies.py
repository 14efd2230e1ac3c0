"""The accuracies of a suite outside Table 11, and the comparisons of its rows, as CSV."""

from pathlib import Path
from typing import Any

from discobench.diagnose.accuracies import COLUMNS, PAIRS, lines, pairs, write_lines
from discobench.files import read_json
from scripts.job import job


def main(rankings: list[Path], out: Any) -> None:
    found = [read_json(path) for path in rankings]
    write_lines(out.csv, COLUMNS, lines(found))
    write_lines(out.pairs, PAIRS, pairs(found))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.rankings, j.output)
