"""One training run in several processes of a node, a GPU each: every rank learns from its part of each batch.

Why not DistributedDataParallel: the trainer cuts a batch into weighted parts and adds their gradients up
anyway. Ranks take turns at the parts and add up once a step, so that batches, and gradients but for the
order of sums, are those of one process. Models that fit no GPU: see ``sharding``; more nodes: see ``nodes``.
"""

import logging
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import torch
import torch.distributed as group
from torch import Tensor, nn

from discobench.errors import DiscoError
from discobench.termination import TERMINATED, passed_on

HOST = "127.0.0.1"
PATIENCE = timedelta(hours=2)
"""How long ranks wait for another: rank 0 alone evaluates and saves."""
LAST_WORDS = 5.0
"""Seconds in which other ranks may still say why one of them died."""
BUCKET = 2**24
"""Numbers that are added up in one go: enough to fill the wires, few beside the model."""
PORTS = range(20_000, 32_000)
"""Where ranks meet: below the ports that Linux gives to those who ask for any (32,768 and up)."""


def rank() -> int:
    """Number of this process, from 0; 0 where there is only one."""
    return group.get_rank() if group.is_initialized() else 0


def world() -> int:
    """Number of processes of this run."""
    return group.get_world_size() if group.is_initialized() else 1


def meet() -> None:
    """Wait until all ranks are here."""
    if world() > 1:
        group.barrier()


def summed(values: Sequence[float], device: torch.device) -> list[float]:
    """Each of some numbers, added up over all ranks; all ranks get the same bits."""
    if world() == 1:
        return list(values)
    numbers = torch.tensor(values, dtype=torch.float64, device=device)
    group.all_reduce(numbers)
    return [float(number) for number in numbers.tolist()]


def of_first(values: Sequence[float], device: torch.device) -> list[float]:
    """The numbers that the first rank has, on all ranks."""
    return summed([0.0 if rank() else value for value in values], device)


def add_gradients(parameters: Iterable[nn.Parameter]) -> None:
    """Give every rank the sum of all ranks' gradients; a parameter that none of them used keeps none."""
    if world() == 1:
        return
    wanted = [p for p in parameters if p.requires_grad]
    used = summed([p.grad is not None for p in wanted], wanted[0].device)
    gradients = [_gradient(p) for p, some in zip(wanted, used, strict=True) if some]
    for bucket in _buckets(gradients):
        flat = torch.cat([gradient.reshape(-1) for gradient in bucket])
        group.all_reduce(flat)
        for gradient, total in zip(bucket, torch.split(flat, [g.numel() for g in bucket]), strict=True):
            gradient.copy_(total.view_as(gradient))


def _gradient(parameter: nn.Parameter) -> Tensor:
    if parameter.grad is None:
        parameter.grad = torch.zeros_like(parameter)
    return parameter.grad


def _buckets(gradients: Sequence[Tensor]) -> Iterator[list[Tensor]]:
    bucket: list[Tensor] = []
    for gradient in gradients:
        other = bucket and bucket[0].dtype != gradient.dtype
        if bucket and (other or sum(g.numel() for g in bucket) + gradient.numel() > BUCKET):
            yield bucket
            bucket = []
        bucket.append(gradient)
    if bucket:
        yield bucket


def run(count: int, device: torch.device, function: Callable[..., Any], *arguments: Any) -> Any:
    """``function(*arguments)`` in ``count`` processes; returns what rank 0 returned.

    On GPUs each rank has one of its own as the current device, so ``device`` has no index then. They find
    each other by a port that is theirs alone (see ``rendezvous``). SIGTERM reaches all of them, and ends in
    SystemExit(143) once they have saved. When one dies, all do.
    Raises the DiscoError that a rank raised, and RuntimeError when one died without a word.
    """
    if count <= 1:
        return function(*arguments)
    store = rendezvous(os.environ)
    backend = "nccl" if device.type == "cuda" else "gloo"
    members: dict[Connection, BaseProcess] = {}
    with passed_on(lambda: _terminate(members.values())) as asked:
        for number in range(count):
            place = (number, count, store.port, backend)
            receiver, process = _started(place, function, arguments)
            members[receiver] = process
        try:
            return _gathered(members, asked)
        finally:
            for process in members.values():
                process.kill()
                process.join()


def rendezvous(environment: Mapping[str, str]) -> Any:
    """The store by which ranks find each other, on a port that follows from the number of Slurm's job.

    So two jobs on a node do not meet, and a firewall can let through what is known before. Where that port is taken, or
    there is no Slurm, the system chooses a free one.
    """
    wanted = job_port(environment)
    for port in (wanted, 0) if wanted else (0,):
        try:
            return group.TCPStore(HOST, port, is_master=True, wait_for_workers=False)  # type: ignore[attr-defined]
        except RuntimeError as error:
            if not port:
                raise
            logging.warning("port %d is taken, ranks meet at a free one: %s", port, str(error).split("\n")[0])
    raise AssertionError("port 0 either serves or raises")


def job_port(environment: Mapping[str, str]) -> int:
    """A port of PORTS for a job of Slurm, the same for the same job; 0 outside of one."""
    job = environment.get("SLURM_JOB_ID", "")
    return PORTS[int(job) % len(PORTS)] if job.isdigit() else 0


def _started(
    place: tuple[int, int, int, str], function: Callable[..., Any], arguments: Any
) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_member, args=(place, sender, function, arguments), daemon=True)
    process.start()
    sender.close()  # so that the end of the process is the end of the pipe
    return receiver, process


def _terminate(processes: Iterable[BaseProcess]) -> None:
    for process in processes:
        process.terminate()


def _gathered(members: dict[Connection, BaseProcess], asked: list[int]) -> Any:
    """The result of rank 0, once all ranks are done."""
    results, waiting = {}, list(members)
    while waiting:
        for receiver in wait(waiting):
            assert isinstance(receiver, Connection)
            waiting.remove(receiver)
            kind, results[receiver] = _heard(receiver)
            if kind == "stopped" or (kind == "died" and asked):
                raise SystemExit(_stopped(waiting))
            if kind != "done":
                raise _reason([(kind, results[receiver]), *(_heard(r, LAST_WORDS) for r in waiting)])
    return results[next(iter(members))]


def _stopped(waiting: Sequence[Connection]) -> int:
    """Let the other ranks come to their end: one of them is writing the checkpoint."""
    for receiver in waiting:
        _heard(receiver)
    return TERMINATED


def _heard(receiver: Connection, seconds: float | None = None) -> tuple[str, Any]:
    try:
        return receiver.recv() if receiver.poll(seconds) else ("silent", None)
    except EOFError:
        return "died", None


def _reason(heard: Sequence[tuple[str, Any]]) -> Exception:
    told: list[DiscoError] = [value for kind, value in heard if kind == "error"]
    return told[0] if told else RuntimeError("a process of the training run died; its log has the reason.")


def _member(place: tuple[int, int, int, str], sender: Connection, function: Any, arguments: Any) -> None:
    """One rank from its first line to its last."""
    number, count, port, backend = place
    threading.Thread(target=_end_with_parent, daemon=True).start()
    speak(number)
    torch.set_num_threads(max(1, int(os.environ.get("OMP_NUM_THREADS", "1")) // count))
    _join(number, count, port, backend)
    try:
        result = function(*arguments)
        sender.send(("done", None if number else result))
    except DiscoError as error:
        sender.send(("error", error))
    except SystemExit as stop:
        sender.send(("stopped", stop.code))
    finally:
        sender.close()
    group.destroy_process_group()


def speak(number: int) -> None:
    """Log to the job's log; all but the first rank only what is wrong."""
    level = logging.WARNING if number else logging.INFO
    logging.basicConfig(stream=sys.stderr, level=level, format="%(asctime)s %(message)s")


def _join(number: int, count: int, port: int, backend: str) -> None:
    if backend == "nccl":
        torch.cuda.set_device(number)
    else:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    store = group.TCPStore(HOST, port, is_master=False, timeout=PATIENCE)  # type: ignore[attr-defined]
    group.init_process_group(backend, store=store, rank=number, world_size=count, timeout=PATIENCE)
    meet()
    logging.info("%d processes have met by %s", world(), group.get_backend())


def _end_with_parent() -> None:
    """A rank whose job was killed would go on and hold its state."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
