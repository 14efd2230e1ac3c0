"""Say how far the run is."""

from pathlib import Path

from discobench.files import write_text
from discobench.operations.marks import failed, making, marks
from discobench.operations.queue import queued
from discobench.operations.status import status_text
from scripts.job import job

if __name__ == "__main__":
    with job(globals()) as j:
        made = making(marks(Path(j.params.marks)), Path(j.params.logs), queued(Path()))
        made.pop(str(j.output.status), None)
        text = status_text(j.params.expected, made, failed(made, Path(j.params.logs)))
        write_text(j.output.status, text)
        j.say(text)
