"""Ask a model behind an API for the answers to a task's test set."""

from pathlib import Path
from typing import Any

from discobench.config.types import Budget
from discobench.decode import llm, prompts
from discobench.decode.account import Account
from discobench.decode.endpoint import Endpoint
from discobench.decode.predictions import write_predictions
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.tasks import task as find
from scripts.job import job


def main(data: Path, predictions: Path, manifest: Path, name: str, p: Any) -> None:
    task = find(name)
    records = read_parquet(beside(data, "test.parquet"), task.schema)
    prompt = prompts.read(prompts.path_of(name))
    endpoint = Endpoint(**p.api, **p.manner)
    account = Account(Path(p.account), endpoint, Budget(**p.budget))
    answers = llm.decode(task, records, prompt, endpoint, account, Path(p.state))
    ids = [record["id"] for record in records]
    how, asked = llm.signature(prompt, endpoint), llm.taken(answers, endpoint)
    write_predictions(predictions, manifest, ids, answers, how, asked)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.data, j.output.predictions, j.output.balance, j.wildcards.task, j.params)
