"""COMET in an environment of its own: its pins and this project's exclude each other."""

import logging
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from discobench.errors import DiscoError
from discobench.files import read_jsonl, sha256, write_jsonl
from discobench.progress import Progress
from discobench.score.items import Item
from discobench.score.measure import Additive, Counts, NotRun, Options, mean, ratio

BATCH = 8


@dataclass(frozen=True, slots=True)
class Comet:
    """Where COMET is: interpreter, the script it runs, and a checkpoint known by its sha256."""

    python: str
    script: Path
    checkpoint: str | None
    sha256: str | None
    gpus: int = 0

    def check(self) -> None:
        """Raise NotRun where it is not installed, DiscoError where the checkpoint is not the known one.

        The checkpoint is a pickle, so its sha256 is compared before anything opens it.
        """
        if self.checkpoint is None:
            raise NotRun("score.comet_checkpoint names no checkpoint")
        for path in (self.python, self.checkpoint):
            if not Path(path).exists():
                raise NotRun(f"{path} does not exist: run `make setup-comet` and fetch the checkpoint")
        if self.sha256 is None:
            raise NotRun(
                "score.comet_sha256 is not set, and a pickled checkpoint is only opened when its sha256 is known"
            )
        found = sha256(Path(self.checkpoint))
        if found != self.sha256:
            raise DiscoError(
                f"{self.checkpoint} has sha256 {found}, but score.comet_sha256 is {self.sha256}; "
                "fetch the checkpoint again or set the key to the file that you trust."
            )

    def scores(self, items: Sequence[Item]) -> tuple[list[float], str]:
        """COMET of each item, with its first reference, and the packages that gave it with their versions."""
        with TemporaryDirectory() as folder:
            asked, answered = Path(folder) / "in.jsonl", Path(folder) / "out.jsonl"
            write_jsonl(asked, [_line(item) for item in items])
            given = [str(self.checkpoint), str(asked), str(answered), str(self.gpus), str(BATCH)]
            # -P: else the script's folder comes first, and the script would import itself for the package.
            _run([self.python, "-P", str(self.script), *given], -(-len(items) // BATCH))
            versions, *lines = read_jsonl(answered)
        if len(lines) != len(items):
            raise DiscoError(f"{self.script} answered {len(lines)} of {len(items)} lines; run it again.")
        return [float(line["score"]) for line in lines], "|".join(f"{name}:{n}" for name, n in versions.items())


def _run(command: list[str], batches: int) -> None:
    """Run the script, which prints a line for each batch; what else it prints goes to the log."""
    progress = Progress("COMET", "batches", batches)
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", errors="backslashreplace") as running:
        for line in running.stdout or ():
            if line.strip() == "batch":
                progress.add()
            else:
                logging.info("%s", line.rstrip("\n"))
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)


def _line(item: Item) -> dict[str, str]:
    return {"src": str(item.record["source_text"]), "mt": item.prediction, "ref": item.gold[0]}


def comet(place: Comet) -> Additive:
    """Mean COMET in 0-1, as the paper prints it; raises NotRun with the reason where it is not installed."""
    place.check()

    def count(items: Sequence[Item], options: Options) -> Counts:
        scores, tools = place.scores(items)
        model = f"checkpoint:{Path(str(place.checkpoint)).name}|sha256:{str(place.sha256)[:12]}"
        return mean(scores, [item.id for item in items], f"comet|{model}|reference:first|{tools}")

    return Additive(count, ratio)
