"""A real Slurm cluster on one machine: several virtual nodes, two of them with GPUs that are none."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import yaml

from discobench.files import write_text
from tests.conftest import environment, snakemake

PROGRAMS = "/usr/sbin:/usr/bin:/sbin:/bin"
CLIENTS = ("sbatch", "srun", "scancel", "squeue", "sacct", "sacctmgr", "scontrol", "sinfo")
NODES = {"c1": "", "c2": "", "g1": " Gres=gpu:toy:2", "g2": " Gres=gpu:toy:2"}
PARTITIONS = {"cpu": "c1,c2", "gpu": "g1,g2"}
MEMORY_MB = 8000
SECONDS = 30

# Nothing here needs control groups, an accounting database or root. Memory is watched by sampling. The
# wall-time limit is exact, and a job that is over one has two seconds to end.
SLURM = """
ClusterName=virtual
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={root}/munge.socket
CredType=cred/munge
PlugStackConfig={root}/etc/plugstack.conf
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
PrologFlags=Alloc
ReturnToService=2
SlurmdParameters=config_overrides
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=0,bf_interval=2
MinJobAge=300
KillWait=2
OverTimeLimit=0
EnforcePartLimits=ALL
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool-%n
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd-%n.pid
SlurmctldLogFile={root}/slurmctld.log
SlurmdLogFile={root}/slurmd-%n.log
"""

# A job's inner snakemake is started without SLURM_CONF (the executor removes it), so the clients set it. What lies
# in `hooks` runs first: tests put a client's failure there.
CLIENT = """#!/bin/sh
SLURM_CONF={root}/etc/slurm.conf; export SLURM_CONF
hook={root}/hooks/{name}; [ -x "$hook" ] && {{ . "$hook"; }}
exec /usr/bin/{name} "$@"
"""


class Cluster:
    """Nodes c1 and c2 of partition cpu, g1 and g2 of gpu: four CPUs and 8 GB each, whatever the machine has."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.variables = {"PATH": f"{folder / 'bin'}:{environment()['PATH']}:{PROGRAMS}"}

    def start(self) -> None:
        """Write the configuration and start every daemon; raises when one does not answer."""
        for name in ("etc", "state", "bin", "dev", "hooks", *(f"spool-{node}" for node in NODES)):
            (self.root / name).mkdir()
        self._configure()
        key, place = self.root / "etc/munge.key", f"--socket={self.root}/munge.socket"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        files = (f"--{name}-file={self.root}/munge.{name}" for name in ("pid", "log", "seed"))
        self._daemon("munged", "--force", f"--key-file={key}", place, *files)
        self._daemon("slurmctld")
        for node in NODES:
            self._daemon("slurmd", "-N", node)
        self.wait_for("every node", lambda: self.states() == dict.fromkeys(NODES, "idle"))

    def stop(self) -> None:
        """End all jobs and daemons."""
        with suppress(subprocess.SubprocessError):
            self("scancel", "--user", getpass.getuser())
            self.wait_for("jobs to end", lambda: not self("squeue", "-h", "-t", "R,CG"))
        self._end([int(path.read_text("utf-8")) for path in self.root.glob("*.pid")], signal.SIGTERM)
        self._end(self._left(), signal.SIGKILL)

    def _end(self, processes: list[int], number: signal.Signals) -> None:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, number)
        self.wait_for("processes to end", lambda: not any(_runs(process) for process in processes))

    def _left(self) -> list[int]:
        """Processes that a test began or a job left: without control groups, Slurm does not find all of them."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if f"{self.root}/bin".encode() in (entry / "environ").read_bytes() and int(entry.name) != os.getpid():
                    found.append(int(entry.name))
        return found

    def __call__(self, *command: str) -> str:
        """What a client of Slurm prints."""
        variables = os.environ | self.variables
        return subprocess.check_output(command, env=variables, encoding="utf-8", timeout=SECONDS).strip()

    def arguments(self, *wanted: str) -> list[str]:
        """The command that a user gives, with jobs looked after sooner than on a cluster with work to do."""
        return ["--profile", "slurm", "--slurm-init-seconds-before-status-checks", "1", *wanted]

    def run(self, root: Path, *wanted: str, timeout: int = 120, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the real command in a checkout that was described this cluster."""
        return snakemake(root, *self.arguments(*wanted), timeout=timeout, **self.variables, **variables)

    def describe(self, root: Path, **more: Any) -> Path:
        """Tell a checkout of this cluster's partitions, as its user would; ``more`` are other keys of the file."""
        limits = {name: {"max_mem_mb": MEMORY_MB, "max_gpu": 2 if name == "gpu" else 0} for name in PARTITIONS}
        write_text(root / "profiles/slurm/cluster.yaml", yaml.safe_dump({"jobs": 8, "partitions": limits} | more))
        return root

    def hook(self, client: str, text: str) -> Path:
        """Have ``text`` run before a client of Slurm; the file where it is when it has taken itself away."""
        path = self.root / "hooks" / client
        write_text(path, text)
        path.chmod(0o755)
        return path.with_name(f"{client}.was")

    def states(self) -> dict[str, str]:
        """The state of every node."""
        return dict(line.split() for line in self("sinfo", "-h", "-N", "-o", "%N %T").split("\n"))

    def jobs(self, rule: str, state: str = "RUNNING") -> list[str]:
        """Numbers of the jobs of a rule that are in a state, first come first."""
        lines = self("squeue", "-h", "-t", state, "-o", "%i %k").split("\n")
        return sorted((line.split()[0] for line in lines if f"rule_{rule}" in line), key=int)

    def job(self, rule: str) -> str:
        """The number of a running job of a rule, once there is one."""
        self.wait_for(f"a job of {rule}", lambda: bool(self.jobs(rule)), 4 * SECONDS)
        return self.jobs(rule)[0]

    def wait_for(self, what: str, there: Callable[[], bool], seconds: float = SECONDS) -> None:
        """Wait until something is there."""
        end = time.monotonic() + seconds
        while not _answered(there):
            assert time.monotonic() < end, f"waited {seconds} seconds for {what}"
            time.sleep(0.1)

    def _configure(self) -> None:
        host, user, etc = socket.gethostname().split(".")[0], getpass.getuser(), self.root / "etc"
        ports = _free_ports(1 + len(NODES))
        lines = [SLURM.format(root=self.root, host=host, user=user, port=ports[0])]
        common = f"NodeHostname={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory={MEMORY_MB} State=UNKNOWN"
        lines += [f"NodeName={n} Port={p} {common}{NODES[n]}\n" for n, p in zip(NODES, ports[1:], strict=True)]
        lines += [f"PartitionName={p} Nodes={n} MaxTime=INFINITE State=UP\n" for p, n in PARTITIONS.items()]
        write_text(etc / "slurm.conf", "".join(lines))
        write_text(etc / "plugstack.conf", "")
        write_text(etc / "cgroup.conf", "CgroupPlugin=cgroup/v1\n")
        # Slurm sets CUDA_VISIBLE_DEVICES for character devices alone.
        for number in range(2):
            (self.root / f"dev/nvidia{number}").symlink_to("/dev/null")
        write_text(etc / "gres.conf", f"NodeName=g[1-2] Name=gpu Type=toy File={self.root}/dev/nvidia[0-1]\n")
        for name in CLIENTS:
            write_text(self.root / f"bin/{name}", CLIENT.format(root=self.root, name=name))
            (self.root / f"bin/{name}").chmod(0o755)

    def _daemon(self, name: str, *arguments: str) -> None:
        program = shutil.which(name, path=PROGRAMS)
        assert program, f"{name} is not installed"
        variables = os.environ | {"SLURM_CONF": f"{self.root}/etc/slurm.conf"}
        started = subprocess.run([program, *arguments], cwd=self.root, env=variables, timeout=SECONDS)
        assert started.returncode == 0, f"{name} did not start; its log is in {self.root}"


def _answered(there: Callable[[], bool]) -> bool:
    with suppress(subprocess.SubprocessError):
        return there()
    return False


def _runs(process: int) -> bool:
    """Whether a process is there and not only waits for its parent to take note of its end."""
    with suppress(OSError):
        return ") Z " not in Path(f"/proc/{process}/stat").read_text("utf-8")
    return False


def _free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, found all at once so that they differ."""
    with ExitStack() as open_ones:
        sockets = [open_ones.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
