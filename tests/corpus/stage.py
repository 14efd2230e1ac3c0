"""The jobs of the stage on one genre, as its rules would start them: one after the other, in any number of shards."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace as Space
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tokenizers import Tokenizer, models, pre_tokenizers

from discobench.files import read_json, write_json
from discobench.parquet import write_parquet
from discobench.records import Balance
from discobench.schema import schema
from scripts.corpus import (
    clean,
    contamination,
    decontaminate,
    deduplicate,
    duplicates,
    index,
    ingest,
    licences,
    matches,
    ngrams,
    pack,
    signatures,
    sources,
    statistics,
)

ROOT = Path(__file__).parents[2]
SCRIPTS: dict[str, Any] = {
    module.__name__.rpartition(".")[2]: module.main
    for module in (
        sources, ingest, clean, signatures, matches, duplicates, deduplicate, ngrams, decontaminate, pack, index,
        contamination, statistics, licences,
    )
}  # fmt: skip
SPLITS = ("train", "valid")
ARRAYS = [f"{split}.{name}.npy" for split in SPLITS for name in ("tokens", "documents", "words")]
FILTERS = {"min_units": 4, "max_repetition": 0.5, "min_language": 0.5, "max_digits": 0.5, "max_marks": 0.5}
PASSAGE = "渡口的老人把灯挂在船头，等最后一个客人。"


@dataclass(frozen=True, slots=True)
class Job:
    """What a rule hands over to its script."""

    step: str
    inputs: dict[str, Any]
    outputs: dict[str, Any]
    params: dict[str, Any]
    wildcards: dict[str, str] = field(default_factory=dict)

    def run(self) -> None:
        """Do it in this process."""
        inputs, output = self.inputs, Space(**self.outputs)
        if self.step == "statistics":
            SCRIPTS[self.step](inputs["manifests"], output.data, output.manifest)
        elif self.step == "licences":
            SCRIPTS[self.step](inputs["manifests"], self.params["genres"], output.data, output.manifest)
        else:
            wildcards, params = Space(**self.wildcards), Space(**self.params)
            SCRIPTS[self.step](Space(input=Space(**inputs), output=output, params=params, wildcards=wildcards))

    def files(self) -> list[Path]:
        """All that it writes."""
        found = [[path] if isinstance(path, Path) else path for path in self.outputs.values()]
        more = [self.outputs["manifest"].with_name("shards.json")] if self.step == "index" else []
        return [path for paths in found for path in paths] + more


@dataclass(frozen=True, slots=True)
class Genre:
    """Raw files, and the test set's passage that some of them have."""

    raw: Path
    language: str = "zh"
    files: tuple[str, ...] = ()
    passage: str = PASSAGE
    max_document_bytes: int = 9999
    work: str = "folder"
    test: float = 0.2

    @property
    def name(self) -> str:
        return {"zh": "zh_novel", "en": "en_novel"}[self.language]

    def params(self) -> dict[str, Any]:
        """The parameters of all rules; a script takes what it knows."""
        place = {"path": str(self.raw), "document": "chapter", "language": self.language}
        limits = {"max_document_bytes": self.max_document_bytes, "max_unpacked_bytes": 1 << 27, "max_ratio": 99}
        licence = {"language": self.language, "licence": None, "path": str(self.raw), "files": [], "manifest": None}
        return {
            "kind": place | {"work": self.work, "category": "Electronic", "genre": "Novel"},
            "shares": {"valid": 0.3, "test": self.test},
            "place": place | {"files": list(self.files)}, "seed": 3, "width": "letters", "simplify": False,
            "repeats": "chapter", "permutations": 128, "threshold": 0.5, "language": self.language, "limits": limits,
            "ngram": 5, "terms": {"nt": {"unit": "span", "threshold": 0.3}}, "genres": {self.name: licence},
        }  # fmt: skip


def outside(folder: Path, passage: str = PASSAGE, language: str = "zh") -> tuple[Path, Path]:
    """Manifests of a task with a test set and of a checkpoint with a tokenizer."""
    row = {"id": "t:1:0", "source": "t", "work_id": "t:1", "language": language, "split": "test"}
    record = {**row, "document_id": "d", "position": 0, "source_text": passage, "references": ["x"]}
    write_parquet(folder / "nt/test.parquet", [record], "nt")
    balance = Balance("build", kept=1)
    balance.write(folder / "nt/build.balance.json", 1, [folder / "nt/test.parquet"])
    tokenizer = Tokenizer(models.BPE(unk_token=None))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_tokens(["人", "他", "没有", "the", "and"])
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(folder / "model.json", {"outputs": {}})
    return folder / "nt/build.balance.json", folder / "model.json"


def made(folder: Path, step: str, *names: str, **more: str) -> dict[str, Any]:
    """Outputs of a step: its data, its manifest, and what is named besides."""
    found = {"data": f"{step}.parquet", **{name: f"{name}.parquet" for name in names}, **more}
    return {key: folder / name for key, name in (found | {"manifest": f"{step}.balance.json"}).items()}


def manifests(step: str, *folders: Path) -> list[Path]:
    return [folder / f"{step}.balance.json" for folder in folders]


def jobs(genre: Genre, out: Path, shards: int) -> Iterator[Job]:
    """The whole stage in an order in which it can be done, with as many buckets as shards."""
    task, model = outside(out / "outside", genre.passage, genre.language)
    params, where = genre.params() | {"shards": shards, "buckets": shards}, {"genre": genre.name}
    rules = ROOT / f"resources/cleaning/{genre.language}.yaml"
    parts = [out / f"{shard}" for shard in range(shards)]
    listed = {"files": out / "sources.jsonl", "manifest": out / "sources.json"}
    yield Job("sources", {}, listed, params, where)
    yield Job("licences", {"manifests": [out / "sources.json"]}, made(out, "licences"), params)
    for shard, here in enumerate(parts):
        yield from _of_shard(
            here, {"sources": out / "sources.json", "rules": rules}, params, where | {"shard": f"{shard}"}
        )
    language, signed = out / genre.language, manifests("signatures", *parts)
    buckets = [language / f"{bucket}" for bucket in range(shards)]
    for number, bucket in enumerate(buckets):
        yield Job("matches", {"manifests": signed}, made(bucket, "matches"), params, {"bucket": f"{number}"})
    found = {"cleans": manifests("clean", *parts), "signatures": signed, "matches": manifests("matches", *buckets)}
    limits = FILTERS | {"max_bytes": genre.max_document_bytes}
    yield Job("duplicates", found, made(language, "duplicates"), params | {"limits": limits})
    asked = params | {"ngram": {"nt": 5}}
    yield Job("ngrams", {"tasks": [task]}, made(language, "ngrams"), asked, {"language": genre.language})
    for shard, here in enumerate(parts):
        yield from _filtered(here, language, model, params, where | {"shard": f"{shard}"})
    yield from _gathered(out, parts, language, model, params)


def _of_shard(here: Path, given: dict[str, Path], params: dict[str, Any], where: dict[str, str]) -> Iterator[Job]:
    yield Job("ingest", given, made(here, "ingest", dropped="ingest.dropped.parquet"), params, where)
    for step, before, name in (("clean", "ingest", "attributes"), ("signatures", "clean", "bands")):
        inputs = {"manifest": here / f"{before}.balance.json", "rules": given["rules"]}
        yield Job(step, inputs, made(here, step, name), params, where)


def _filtered(here: Path, language: Path, model: Path, params: dict[str, Any], where: dict[str, str]) -> Iterator[Job]:
    given = {"manifest": here / "clean.balance.json", "duplicates": language / "duplicates.balance.json"}
    yield Job("deduplicate", given, made(here, "deduplicate", dropped="deduplicate.dropped.parquet"), params, where)
    given = {"manifest": here / "deduplicate.balance.json", "ngrams": language / "ngrams.balance.json"}
    told = {"dropped": "decontaminate.dropped.parquet", "grams": "gram.parquet"}
    yield Job("decontaminate", given, made(here, "decontaminate", "contamination", "overlap", **told), params, where)
    packed = here / "packed/base"
    inputs = {"manifest": here / "decontaminate.balance.json", "tokenizer": model}
    outputs = made(packed, "pack", dropped="pack.dropped.parquet") | {"arrays": [packed / name for name in ARRAYS]}
    yield Job("pack", inputs, {key: outputs[key] for key in ("arrays", "dropped", "manifest")}, params, where)


def _gathered(out: Path, parts: list[Path], language: Path, model: Path, params: dict[str, Any]) -> Iterator[Job]:
    packed = manifests("pack", *(here / "packed/base" for here in parts))
    documents = [out / f"packed/{split}.documents.npy" for split in SPLITS]
    outputs = {"documents": documents, "manifest": out / "packed/index.balance.json"}
    yield Job("index", {"manifests": packed, "base": model, "tokenizer": model}, outputs, params)
    given = {"manifests": manifests("decontaminate", *parts), "ngrams": manifests("ngrams", language)}
    yield Job("contamination", given, made(out, "contamination", "overlaps", "exposure"), params)
    yield Job("statistics", {"manifests": manifests("deduplicate", *parts)}, made(out, "statistics"), params)


def raw_books(folder: Path) -> None:
    """Twelve books of three chapters; one book again in another encoding, one without an encoding."""
    folder.mkdir()
    places = ["渡口", "山顶", "雪原", "旧城", "茶馆", "灯塔", "码头", "书店", "寺院", "果园", "矿井", "驿站"]
    for n, place in enumerate(places):
        text = "".join(f"第{m}章\n{m}号人物到了{place}。天色{m * n}分，没有人说话。\n" for m in (1, 2, 3))
        text += f"“{place}还远吗？”\u2028他问了{n}遍。\n" + (PASSAGE if n == 4 else "")
        (folder / f"{place}.txt").write_bytes(text.encode("gb18030" if n % 2 else "utf-8"))
    (folder / "又一本.txt").write_bytes((folder / "山顶.txt").read_bytes())
    (folder / "坏.txt").write_bytes("他来了".encode() + b"\xff\xfe\x80")


def stage(genre: Genre, out: Path, shards: int) -> Path:
    """All of it done; returns the folder of its results."""
    for job in jobs(genre, out, shards):
        job.run()
    return out


ROWS = {
    "ingest": "document", "clean": "document", "deduplicate": "document", "decontaminate": "document",
    "attributes": "attributes", "signatures": "signature", "contamination": "contamination", "overlap": "overlap",
    "ingest.dropped": "dropped", "deduplicate.dropped": "dropped", "decontaminate.dropped": "dropped",
    "packed/base/pack.dropped": "dropped",
}  # fmt: skip
"""Files of a shard and their schemas."""
FILES = [
    "zh/duplicates.parquet", "contamination.parquet", "overlaps.parquet", "exposure.parquet", "statistics.parquet",
    "packed/index.balance.json", *(f"packed/{split}.documents.npy" for split in SPLITS),
]  # fmt: skip
"""Files of a language or of the corpus."""


def rows(out: Path, shards: int, name: str) -> pa.Table:
    """The rows of all shards, one after the other."""
    tables = [pq.read_table(out / f"{shard}/{name}.parquet") for shard in range(shards)]
    found = pa.concat_tables(tables).combine_chunks()
    assert found.schema.equals(schema(ROWS[name]))  # type: ignore[arg-type]
    return found.drop_columns("document") if name == "signatures" else found  # counted in its shard


def totals(out: Path, shards: int, step: str) -> Counter[str]:
    """The balances of all shards together."""
    found: Counter[str] = Counter()
    for shard in range(shards):
        balance = read_json(out / f"{shard}/{step}.balance.json")
        found.update({"in": balance["in"], "kept": balance["kept"], **balance["dropped"]})
    return found


def assert_same(one: Path, more: Path, shards: int, language: str = "zh") -> None:
    """Fail unless a stage in one shard and one in several have the same rows in the same order, and the same files."""
    for name in ROWS:
        assert rows(one, 1, name).equals(rows(more, shards, name)), name
    for step in ("ingest", "clean", "deduplicate", "decontaminate", "packed/base/pack"):
        assert totals(one, 1, step) == totals(more, shards, step), step
    for file in (name.replace("zh/", f"{language}/") for name in FILES):
        assert (one / file).read_bytes() == (more / file).read_bytes(), file
