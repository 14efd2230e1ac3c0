"""Ask a model behind an API which candidates of a diagnostic suite are right."""

from pathlib import Path
from typing import Any

from discobench.decode import llm, prompts
from discobench.diagnose.asking import questions, ranked, signature
from discobench.diagnose.suite import read_suite
from discobench.files import write_json
from discobench.tasks import task as find
from scripts.job import job


def main(suite: list[Path], ranking: Path, cell: dict[str, Any], endpoint: llm.Endpoint, params: Any) -> None:
    task = find(params.task)
    instances = read_suite(suite, params.path, task)
    prompt = prompts.read(prompts.path_of(f"diagnostic/{task.name}"))
    asked = [questions(task, instance, params.seed) for instance in instances]
    fields = [question.fields for own in asked for question in own]
    texts = [answer.text for answer in llm.answers(fields, prompt, endpoint, Path(params.state))]
    how = signature(task, params.seed, llm.signature(prompt, endpoint))
    write_json(ranking, {**cell, "task": task.name, **ranked(task, instances, asked, texts, how)})


if __name__ == "__main__":
    with job(globals()) as j:
        cell = {"suite": j.wildcards.suite, "row": j.wildcards.row, "seed": int(j.wildcards.seed)}
        endpoint = llm.Endpoint(model=j.params.model, workers=j.threads, **j.params.api)
        main(j.input.suite, j.output.ranking, cell, endpoint, j.params)
