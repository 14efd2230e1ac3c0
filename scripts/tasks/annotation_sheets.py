"""Write the sheets on which two people annotate or assess a sample of each test set."""

from pathlib import Path

from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.tasks import task as find
from discobench.tasks.annotation import ANNOTATORS, Sheet, sheet, write_csv, write_xlsx
from scripts.job import job


def sampled(name: str, data: Path, size: int) -> Sheet:
    task = find(name)
    return sheet(task, read_parquet(beside(data, "test.parquet"), task.schema), size)


def main(names: list[str], data: list[Path], texts: list[Path], books: list[Path], size: int) -> None:
    made = [sampled(name, manifest, size) for name, manifest in zip(names, data, strict=True) for _ in ANNOTATORS]
    for one, text, book in zip(made, texts, books, strict=True):
        write_csv(text, one)
        write_xlsx(book, one)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.params.tasks, j.input.data, j.output.texts, j.output.books, j.params.size)
        j.say(f"The sheets are in {j.output.texts[0].parents[1]}.")
