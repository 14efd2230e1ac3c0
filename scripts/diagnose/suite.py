"""The contrastive instances of a suite, read from a file or built from the test set of its task."""

from pathlib import Path
from typing import Any

from discobench.diagnose.builder import Plan, build
from discobench.diagnose.formats import read
from discobench.diagnose.suite import check_suite
from discobench.files import write_jsonl
from discobench.parquet import read_parquet, write_parquet
from discobench.records import beside
from discobench.sieve import Sieve
from discobench.tasks import task as find
from scripts.job import job


def main(data: list[Path], out: Any, name: str, params: Any) -> None:
    entry, task = params.entry, find(params.entry["task"])
    plan = Plan(params.seed, tuple(entry["window"]), entry["alternatives"], entry["limit"])
    if entry["source"] == "test":
        test = read_parquet(beside(data[0], "test.parquet"), task.schema)
        where, outcomes = f"suites.{name}, built from the test set of {task.name}", build(task, test, plan)
    else:
        where, outcomes = entry["path"], read(entry["format"], task, Path(entry["path"]), plan)
    sieve = Sieve(f"diagnose/{name}")
    write_jsonl(out.suite, check_suite(sieve.kept(outcomes), task, where))
    write_parquet(out.dropped, sieve.dropped, "dropped")
    sieve.write(out.balance, [out.suite, out.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.data, j.output, j.wildcards.suite, j.params)
