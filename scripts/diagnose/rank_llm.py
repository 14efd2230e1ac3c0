"""Ask a model behind an API which candidates of a diagnostic suite are right."""

from pathlib import Path
from typing import Any

from discobench.config.types import Budget
from discobench.decode import llm, prompts
from discobench.decode.account import Account
from discobench.decode.endpoint import Endpoint
from discobench.diagnose.asking import questions, ranked, signature, statuses
from discobench.diagnose.suite import read_suite
from discobench.files import write_json
from discobench.tasks import task as find
from scripts.job import job


def main(suite: list[Path], ranking: Path, cell: dict[str, Any], p: Any) -> None:
    task, endpoint = find(p.task), Endpoint(**p.api, **p.manner)
    instances = read_suite(suite, p.path, task)
    prompt = prompts.read(prompts.path_of(f"diagnostic/{task.name}"))
    account = Account(Path(p.account), endpoint, Budget(**p.budget))
    asked = [questions(task, instance, p.seed) for instance in instances]
    fields = [question.fields for own in asked for question in own]
    answers = llm.answers(fields, prompt, endpoint, account, Path(p.state))
    texts, counted = [answer.text for answer in answers], statuses(task, asked, answers)
    how = signature(task, p.seed, instances), llm.signature(prompt, endpoint)
    write_json(ranking, {**cell, "task": task.name, "statuses": counted, **ranked(task, instances, asked, texts, *how)})


if __name__ == "__main__":
    with job(globals()) as j:
        cell = {"suite": j.wildcards.suite, "row": j.wildcards.row, "seed": int(j.wildcards.seed)}
        main(j.input.suite, j.output.ranking, cell, j.params)
