"""Which rows of Table 11 can be told apart."""

from pathlib import Path

from discobench.diagnose.comparison import compare
from discobench.files import read_json, write_json
from scripts.job import job


def main(rankings: list[Path], comparisons: Path) -> None:
    write_json(comparisons, compare(read_json(path) for path in rankings))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.rankings, j.output.comparisons)
