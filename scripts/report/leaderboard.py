"""The leaderboard: a static site over the scores, predictions and accounts of the run."""

from pathlib import Path
from typing import Any

from discobench.files import write_text
from discobench.operations.kept import keep
from discobench.report.board.run import Run
from discobench.report.board.site import site
from discobench.report.view import banner
from scripts.job import job


def main(files: Any, out: Any, params: Any) -> None:
    notice = banner(params.comparable, params.preset, params.tolerance)
    board = Run(files, params, out.index.parents[1]).board()
    made = site(Path(params.templates), params.title, notice, board)
    for page in [*out.pages, out.index]:
        write_text(page, made[page.name])
    keep([*out.pages, out.index], Path(params.kept))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.output, j.params)
