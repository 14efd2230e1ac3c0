"""Ask a model behind an API for the answers to a task's test set."""

from pathlib import Path
from typing import Any

from discobench.decode import llm, prompts
from discobench.decode.predictions import write_predictions
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.tasks import task as find
from scripts.job import job


def main(data: Path, predictions: Path, manifest: Path, name: str, api: dict[str, Any], state: Path) -> None:
    task = find(name)
    records = read_parquet(beside(data, "test.parquet"), task.schema)
    prompt = prompts.read(prompts.path_of(name))
    endpoint = llm.Endpoint(**api)
    answers = llm.decode(task, records, prompt, endpoint, state)
    ids = [record["id"] for record in records]
    write_predictions(predictions, manifest, ids, answers, llm.signature(prompt, endpoint))


if __name__ == "__main__":
    with job(globals()) as j:
        endpoint = {"model": j.params.model, "workers": j.threads} | j.params.api
        main(j.input.data, j.output.predictions, j.output.balance, j.wildcards.task, endpoint, Path(j.params.state))
