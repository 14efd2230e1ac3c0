"""One training run on several nodes: torchrun on each of them, through Slurm's srun.

The first node's job starts the others and waits. Launchers meet at the first node's port that follows from the job's
number (see ``ranks.job_port``); through the same store processes find each other. Outside of Slurm all launchers start
on this machine, on the CPU: that is for trying it out.
"""

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import torch.distributed as group

from discobench import ranks
from discobench.errors import DiscoError
from discobench.files import read_json, write_json
from discobench.termination import TERMINATED, passed_on

SAVING = 3600
"""Seconds that torchrun gives its processes to save; the cluster gives them less."""
OF_JOB = ("SLURM_CONF", "SLURM_CLUSTER_NAME", "SLURM_JOB_ID", "SLURM_JOBID")


def run(nodes: int, processes: int, device: torch.device, module: str, spec: Path) -> Any:
    """What ``python -m module spec`` answers by ``take_part`` on the first of ``nodes``, with ``processes`` on each.

    SIGTERM reaches all of them and ends in SystemExit(143) once they have saved. Raises the DiscoError that one of
    them raised, and RuntimeError when one died without a word.
    """
    answer = _answer(spec)
    answer.unlink(missing_ok=True)
    commands = launchers(nodes, processes, module, spec, os.environ)
    if len(commands) > 1 and device.type == "cuda":
        raise DiscoError(f"pretrain.<checkpoint>.nodes is {nodes} but this is no job of Slurm; set nodes to 1.")
    started = [subprocess.Popen(command, env=of_the_job(os.environ)) for command in commands]
    with _ended(started) as asked:
        for process in started:
            process.wait()
    told = read_json(answer) if answer.exists() else {}
    if "done" in told:
        return told["done"]
    if asked:
        raise SystemExit(TERMINATED)
    raise DiscoError(told["error"]) if "error" in told else RuntimeError("a node's processes died; the log has why.")


def launchers(nodes: int, processes: int, module: str, spec: Path, environment: Mapping[str, str]) -> list[list[str]]:
    """The commands that start all processes: one for Slurm, which has it run on each node, else one for each node."""
    port = ranks.job_port(environment) or _free_port()
    job = environment.get("SLURM_JOB_ID", str(os.getpid()))
    host = socket.gethostname() if "SLURM_JOB_ID" in environment else ranks.HOST
    torchrun = [sys.executable, "-m", "torch.distributed.run", f"--nnodes={nodes}", f"--nproc-per-node={processes}"]
    torchrun += ["--rdzv-backend=c10d", f"--rdzv-endpoint={host}:{port}", f"--rdzv-id={job}", "--max-restarts=0"]
    torchrun += [f"--shutdown-timeout={SAVING}", "-m", module, str(spec)]
    if "SLURM_JOB_ID" not in environment:
        return [torchrun] * nodes
    cores = f"--cpus-per-task={environment.get('SLURM_CPUS_PER_TASK', '1')}"
    return [["srun", "--overlap", f"--nodes={nodes}", f"--ntasks={nodes}", "--ntasks-per-node=1", cores, *torchrun]]


def of_the_job(environment: Mapping[str, str]) -> dict[str, str]:
    """``environment`` without what Slurm says of the step that this process is in: srun would take it for wishes."""
    return {name: value for name, value in environment.items() if not name.startswith("SLURM_") or name in OF_JOB}


def _free_port() -> int:
    with socket.socket() as found:
        found.bind((ranks.HOST, 0))
        return int(found.getsockname()[1])


@contextmanager
def _ended(started: Sequence[subprocess.Popen[bytes]]) -> Iterator[list[int]]:
    """Pass SIGTERM on; the list is no longer empty once it came. None of the launchers outlives the block."""

    def terminate() -> None:
        for process in started:
            process.terminate()

    try:
        with passed_on(terminate) as asked:
            yield asked
    finally:
        for process in started:
            process.kill()
            process.wait()


def take_part(function: Callable[[], Any], spec: Path, device: torch.device) -> None:
    """Be one of torchrun's processes: the first answers with what ``function`` returns, any with its DiscoError."""
    number, local = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    ranks.speak(number)
    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    torch.set_num_threads(max(1, threads // int(os.environ["LOCAL_WORLD_SIZE"])))
    if device.type == "cuda":
        torch.cuda.set_device(local)
    group.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=ranks.PATIENCE)
    logging.info("%d processes have met by %s", ranks.world(), group.get_backend())
    try:
        result = function()
    except DiscoError as error:
        write_json(_answer(spec), {"error": str(error)})
        raise
    if not number:
        write_json(_answer(spec), {"done": result})
    group.destroy_process_group()


def _answer(spec: Path) -> Path:
    return spec.with_name(f"{spec.stem}.answer.json")
