"""The same steps by other tools, run by the interpreter of .venvs/bench: ``rivals.py TASK LANGUAGE WORK PART...``.

``filters``: datatrove reads, filters (Gopher's repetition and quality) and writes Parquet. ``minhash``:
datatrove's four MinHash steps. ``datasketch``: near-duplicates by its LSH. Prints CPU seconds, peak
memory and, for datasketch, the pairs found, as one line of JSON.
"""

import json
import re
import resource
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

PERMUTATIONS = 128
SHINGLE = 5
DATATROVE = ("datatrove.executor", "datatrove.utils.hashing", "datatrove.utils.word_tokenizers")
PIPELINE = tuple(f"datatrove.pipeline.{name}" for name in ("dedup", "filters", "readers", "writers"))
MODULES = {"filters": DATATROVE + PIPELINE, "minhash": DATATROVE + PIPELINE, "datasketch": ("datasketch", "zstandard")}


def words(language: str) -> Any:
    """Characters of zh, words and marks of en: the cheapest that these languages allow."""
    from datatrove.utils.word_tokenizers import WordTokenizer

    class Words(WordTokenizer):
        pattern = re.compile(r"\S" if language == "zh" else r"\w+|[^\w\s]")

        def word_tokenize(self, text: str) -> list[str]:
            return self.pattern.findall(text)

        def sent_tokenize(self, text: str) -> list[str]:
            return [text]

        def span_tokenize(self, text: str) -> list[tuple[int, int]]:
            return [(0, len(text))]

    return Words(language)


def reader(work: Path, parts: list[Path]) -> Any:
    """datatrove's reader of raw parts."""
    from datatrove.pipeline.readers import JsonlReader

    listed = work / "parts.txt"
    listed.write_text("".join(f"{part.name}\n" for part in parts), encoding="utf-8", newline="\n")
    return JsonlReader(str(parts[0].parent), glob_pattern="*.jsonl.zst", limit=-1, paths_file=str(listed))


def filters(language: str, work: Path, parts: list[Path]) -> None:
    """Gopher's filters by datatrove, in this process."""
    from datatrove.pipeline.filters import GopherQualityFilter, GopherRepetitionFilter
    from datatrove.pipeline.writers import ParquetWriter

    repetition = GopherRepetitionFilter(language=words(language))
    quality = GopherQualityFilter(min_avg_word_length=None, min_stop_words=None, language=words(language))
    output = ParquetWriter(str(work / "filtered"), compression="zstd")
    _run([reader(work, parts), repetition, quality, output], work / "logs")


def minhash(language: str, work: Path, parts: list[Path]) -> None:
    """datatrove's near-duplicates, in this process: signatures, buckets, clusters, filter."""
    from datatrove.pipeline import dedup
    from datatrove.pipeline.writers import ParquetWriter
    from datatrove.utils.hashing import HashConfig

    config = dedup.minhash.MinhashConfig(n_grams=SHINGLE, hash_config=HashConfig(precision=64))
    names = ("signatures", "buckets", "clusters", "unique")
    signatures, buckets, clusters, unique = (str(work / name) for name in names)
    sign = dedup.MinhashDedupSignature(signatures, config=config, language=words(language))
    _run([reader(work, parts), sign], work / "logs-0")
    _run([dedup.MinhashDedupBuckets(signatures, buckets, config=config)], work / "logs-1", config.num_buckets)
    _run([dedup.MinhashDedupCluster(buckets, clusters, config=config)], work / "logs-2")
    _run([reader(work, parts), dedup.MinhashDedupFilter(clusters), ParquetWriter(unique)], work / "logs-3")


def _run(steps: list[Any], logs: Path, tasks: int = 1) -> None:
    from datatrove.executor import LocalPipelineExecutor

    executor = LocalPipelineExecutor(steps, tasks=tasks, logging_dir=str(logs))
    for rank in range(tasks):
        executor._run_for_rank(rank)


def datasketch(language: str, threshold: float, parts: list[Path]) -> list[list[str]]:
    """Pairs (earlier, later) that datasketch's LSH takes for near at ``threshold``."""
    from datasketch import MinHash, MinHashLSH

    lsh = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
    pairs: list[list[str]] = []
    for name, text in documents(parts):
        plain = "".join(filter(str.isalnum, text.casefold()))
        grams = {plain[n : n + SHINGLE].encode("utf-8") for n in range(len(plain) - SHINGLE + 1)}
        sketch = MinHash(num_perm=PERMUTATIONS, seed=1)
        sketch.update_batch(grams)
        pairs += [[other, name] for other in sorted(lsh.query(sketch))]
        lsh.insert(name, sketch)
    return pairs


def documents(parts: list[Path]) -> Any:
    """Names and texts of raw parts."""
    import io

    import zstandard

    for part in parts:
        with part.open("rb") as raw, zstandard.open(raw, "rt", encoding="utf-8", newline="\n") as lines:
            assert isinstance(lines, io.TextIOBase)
            for line in lines:
                record = json.loads(line)
                yield record["id"], record["text"]


def main() -> None:
    task, language, threshold, work, *names = sys.argv[1:]
    parts = list(map(Path, names))
    Path(work).mkdir(parents=True, exist_ok=True)
    for module in MODULES[task]:
        import_module(module)  # imports are left out of the time
    start = time.process_time()
    found: list[list[str]] = []
    if task == "datasketch":
        found = datasketch(language, float(threshold), parts)
    else:
        {"filters": filters, "minhash": minhash}[task](language, Path(work), parts)
    used = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu_s": used, "peak_mb": round(peak), "pairs": found}))


if __name__ == "__main__":
    main()
