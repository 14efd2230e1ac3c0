"""Say how far the run is."""

from pathlib import Path

from discobench.files import write_text
from discobench.operations.status import status_text
from scripts.job import job

if __name__ == "__main__":
    with job(globals()) as j:
        text = status_text(j.params.expected, j.params.marked, Path(j.params.logs))
        write_text(j.output.status, text)
        j.say(text)
