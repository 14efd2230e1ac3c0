"""What every script shares: its parameters, its log, and errors that a person can act on.

A script ends with::

    if __name__ == "__main__":
        with job(globals()) as j:
            main(j.input.documents, j.output.data, j.params.seed)

Under Snakemake ``j`` is the injected object. Each job also writes its parameters as JSON beside its
log, so that ``python scripts/<stage>/<rule>.py logs/<...>.job.json`` runs it alone in a debugger, and
what it cost on which machine once it is done (``<...>.cost.json``). How its outputs came about stays with the
results (``results/<preset>/benchmarks/<...>.made.json``).
"""

import ctypes
import json
import logging
import os
import random
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from discobench.errors import UNWRITABLE, DiscoError, FinalError, full_disk, unwritten
from discobench.files import clear_unfinished, write_json, write_text
from discobench.operations import tries
from discobench.operations.given import check, given, gpus_of
from discobench.operations.gpus import chosen
from discobench.operations.made import place, record

TAIL = 15
MALLOPT = {-3: 32 << 20, -1: 256 << 20}
"""Bytes from which on a piece comes from the system (M_MMAP_THRESHOLD), and that may lie free (M_TRIM_THRESHOLD)."""
PARTS = ("input", "output", "params", "wildcards", "resources")


@contextmanager
def job(script: dict[str, Any]) -> Iterator[Any]:
    """Yield the job's ``input``, ``output``, ``params``, ``wildcards``, ``threads`` and ``resources``.

    Paths come as ``pathlib.Path``; ``say`` writes to the terminal. Output and errors go to the job's
    log; when the job fails, the reason and the end of the log also reach the terminal.
    """
    injected = script.get("snakemake")
    spec = _specification(injected) if injected else json.loads(Path(sys.argv[1]).read_text("utf-8"))
    log, terminal = Path(spec["log"]), os.dup(2)
    failed = _begun(log, spec, injected is not None)
    if injected:
        _cleared(spec["output"])
    with log.open("w", encoding="utf-8", newline="\n", buffering=1) as stream:
        _redirect(stream.fileno())
        logging.basicConfig(stream=stream, level=logging.INFO, format="%(asctime)s %(message)s")
        warnings = Warnings()
        logging.getLogger().addHandler(warnings)
        random.seed(0)
        _limit_threads(spec["threads"])
        _keep_memory()
        before = _seconds()
        try:
            with _checked(spec) as given_here:
                yield _namespace(spec, lambda text: _say(terminal, text))
            cost = _cost(before)
            told = {"warnings": warnings.told, "failed_s": round(failed, 3)}
            write_json(log.with_suffix(".cost.json"), cost | given_here | told)
            write_json(place(log), record(spec, cost, given_here["machine"]))
            tries.done(log)
        except SystemExit:
            raise  # training that was terminated has saved, and says so by its status
        except BaseException as error:
            _report(_explained(error, spec), log, terminal)
            if isinstance(error, FinalError):
                tries.give_up(log)
            sys.exit(1)


class Warnings(logging.Handler):
    """Keeps what is said as a warning, so that the end of the run can repeat it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a warning."""
        self.told.append(record.getMessage())


@contextmanager
def _checked(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Stop now when the job has less than it asked for, and not after hours; else tell the machine and its own GPUs.

    The job keeps to the GPUs that it asked for.
    """
    resources, scratch = spec["resources"], Path(spec["resources"].get("tmpdir", "/tmp"))
    seen = given(scratch, os.environ)
    logging.info("%s", seen)
    check(spec["rule"], spec["threads"], resources, seen)
    with chosen(gpus_of(resources), seen, scratch, os.environ) as variables:
        os.environ |= variables
        yield {"machine": seen.machine, "gpus": len(given(scratch, os.environ).gpus)}


def _begun(log: Path, spec: dict[str, Any], injected: bool) -> float:
    """The job's parameters and who does it, written beside its log; seconds of the tries before that failed."""
    try:
        if injected:
            # In the order of the rule: scripts go through mappings and lists side by side.
            write_text(log.with_suffix(".job.json"), json.dumps(spec, ensure_ascii=False, indent=2) + "\n")
        failed = tries.begin(log)
        log.open("a", encoding="utf-8").close()
        return failed
    except OSError as error:
        sys.exit(str(unwritten(log, error)))
    except DiscoError as error:
        sys.exit(str(error))


def _cleared(outputs: dict[str, Any]) -> None:
    """What tries that were killed had half written takes no more room; Snakemake lets one try at a time begin."""
    with suppress(OSError):
        for path in _paths(outputs):
            clear_unfinished(path)


def _paths(outputs: dict[str, Any]) -> list[Path]:
    return [Path(path) for value in outputs.values() for path in ([value] if isinstance(value, str) else value)]


def _explained(error: BaseException, spec: dict[str, Any]) -> BaseException:
    """``error``, or what is wrong with the machine where that is behind it."""
    if isinstance(error, DiscoError):
        return error
    place = [*_paths(spec["output"]), Path(spec["log"])][0].parent
    if isinstance(error, OSError) and error.errno in UNWRITABLE:
        return unwritten(Path(error.filename or place), error, "opened or written")
    return full_disk(place) or error


def _specification(injected: Any) -> dict[str, Any]:
    parts = {part: _plain(getattr(injected, part)) for part in PARTS}
    return parts | {"threads": injected.threads, "log": str(injected.log[0]), "rule": injected.rule}


def _plain(values: Any) -> dict[str, Any]:
    """A Snakemake list of named values as a mapping; strings and lists of strings stay as they are."""
    return {key: _json(value) for key, value in values.items() if not key.startswith("_")}


def _json(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    if isinstance(value, str | int | float | bool) or value is None:
        return value if type(value).__module__ == "builtins" else str(value)
    return [_json(item) for item in value]


def _say(terminal: int, text: str) -> None:
    os.write(terminal, f"\n{text}\n".encode())


def _namespace(spec: dict[str, Any], say: Callable[[str], None]) -> SimpleNamespace:
    parts: dict[str, Any] = {part: SimpleNamespace(**spec[part]) for part in PARTS}
    for part in ("input", "output"):
        parts[part] = SimpleNamespace(**{key: _path(value) for key, value in spec[part].items()})
    return SimpleNamespace(**parts, threads=spec["threads"], log=Path(spec["log"]), rule=spec["rule"], say=say)


def _path(value: str | list[str]) -> Path | list[Path]:
    return Path(value) if isinstance(value, str) else [Path(item) for item in value]


def _seconds() -> tuple[float, float]:
    """CPU seconds of this process and those it has waited for, and those on the clock."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used), time.monotonic()


def _cost(before: tuple[float, float]) -> dict[str, float]:
    """What was used since ``before``; the peak is of the whole process."""
    (cpu, wall), peak = _seconds(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"cpu_s": round(cpu - before[0], 3), "wall_s": round(wall - before[1], 3), "peak_mb": round(peak / 1024)}


def _keep_memory() -> None:
    """Tell glibc to use freed memory again: getting it anew from the system takes a twentieth of the corpus's time."""
    if libc := getattr(ctypes.CDLL(None), "mallopt", None):
        for parameter, value in MALLOPT.items():
            libc(parameter, value)


def _limit_threads(count: int) -> None:
    """Keep to the threads that the rule has: more would slow the neighbours and change the bits of sums."""
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "RAYON_NUM_THREADS"), str(count))
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(count)


def _redirect(descriptor: int) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)


def _report(error: BaseException, log: Path, terminal: int) -> None:
    """Tell the terminal what went wrong; the log keeps all of it, where there is room for it."""
    if isinstance(error, DiscoError):
        logging.error("%s", error)
        message = f"{error}\nThe whole log: {log}\n"
    else:
        with suppress(OSError):
            traceback.print_exception(error)
        lines = log.read_text("utf-8", errors="backslashreplace").split("\n")
        message = "\n".join(lines[-TAIL:]) + f"\nThe whole log: {log}\n"
    _say(terminal, message.rstrip("\n"))
