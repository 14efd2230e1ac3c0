"""The leaderboard: a static site over the scores, predictions and accounts of the run."""

from pathlib import Path
from typing import Any

from discobench.files import write_text
from discobench.report.board.run import Run
from discobench.report.board.site import site
from discobench.report.view import banner
from scripts.job import job


def main(files: Any, pages: list[Path], params: Any) -> None:
    notice = banner(params.comparable, params.preset, params.tolerance)
    folder = pages[0].parent
    board = Run(files, params, folder.parent).board()
    made = site(Path(params.templates), params.title, notice, board)
    for page in pages:
        write_text(page, made[page.name])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input, j.output.pages, j.params)
