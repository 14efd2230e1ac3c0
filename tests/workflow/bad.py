"""Bad input through the real command: one sentence, nothing half-written, and success once the cause is gone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import yaml

from discobench.config.load import merge
from tests.conftest import snakemake

BUILD = "tasks/te/build.balance.json"
SCORES = "score/te/majority/seed-1/scores.json"
SMALL: dict[str, Any] = {"rows": ["majority", "bart-large"], "tasks": ["te"], "suites": []}


@dataclass
class Run:
    """A run of preset mini's smallest task whose results have a name of their own in a shared checkout."""

    root: Path
    name: str
    target: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def results(self) -> Path:
        return self.root / "results" / self.name

    def arguments(self) -> list[str]:
        """The command's arguments; the configuration is written anew for each call."""
        path = self.root / f"{self.name}.yaml"
        path.write_text(yaml.safe_dump(merge({"run": {"preset": self.name, **SMALL}}, self.changes)), "utf-8")
        target = f"results/{self.name}/{self.target}"
        return ["--profile", "profiles/demo", "--config", "preset=mini", "--configfile", path.name, "--", target]

    def go(self, **keywords: Any) -> CompletedProcess[str]:
        """Give the command."""
        return snakemake(self.root, *self.arguments(), timeout=300, **keywords, **self.variables)

    def fails(self, *parts: str, **keywords: Any) -> str:
        """Give the command, which must say all ``parts`` in one line of the terminal; returns that line."""
        ran = self.go(**keywords)
        assert ran.returncode == 1, ran.stdout[-3000:]
        assert "Traceback" not in ran.stdout, ran.stdout[-3000:]
        lines = [line for line in ran.stdout.split("\n") if all(part in line for part in parts)]
        assert lines, ran.stdout[-3000:]
        assert not (self.results / self.target).exists()
        return lines[0]

    def succeeds(self) -> None:
        """Give the command, which must reach its target."""
        ran = self.go()
        assert ran.returncode == 0, ran.stdout[-3000:]
        assert (self.results / self.target).exists()

    def files(self) -> set[str]:
        """Everything that lies in the results, measurements of time aside."""
        found = (path.relative_to(self.results) for path in self.results.rglob("*") if path.is_file())
        return {str(path) for path in found if path.parts[0] != "benchmarks"}
