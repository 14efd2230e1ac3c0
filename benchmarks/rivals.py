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
from pathlib import Path
from typing import Any

PERMUTATIONS = 128
SHINGLE = 5


def pipeline(task: str, language: str, work: Path, parts: list[Path]) -> None:
    """Run datatrove on raw parts, in this process."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline import dedup, filters, readers, writers
    from datatrove.utils.hashing import HashConfig
    from datatrove.utils.word_tokenizers import WordTokenizer

    class Words(WordTokenizer):
        """Characters of zh, words and marks of en: the cheapest that these languages allow."""

        pattern = re.compile(r"\S" if language == "zh" else r"\w+|[^\w\s]")

        def word_tokenize(self, text: str) -> list[str]:
            return self.pattern.findall(text)

        def sent_tokenize(self, text: str) -> list[str]:
            return [text]

        def span_tokenize(self, text: str) -> list[tuple[int, int]]:
            return [(0, len(text))]

    words = Words(language)

    def reader() -> Any:
        return readers.JsonlReader(str(parts[0].parent), glob_pattern="*.jsonl.zst", limit=-1, paths_file=listed)

    listed = str(work / "parts.txt")
    Path(listed).write_text("".join(f"{part.name}\n" for part in parts), encoding="utf-8", newline="\n")
    config = dedup.minhash.MinhashConfig(n_grams=SHINGLE, hash_config=HashConfig(precision=64))
    folder = {name: str(work / name) for name in ("filtered", "signatures", "buckets", "clusters", "unique")}
    own = {"language": words}
    chains = {
        "filters": [
            [
                reader(),
                filters.GopherRepetitionFilter(**own),
                filters.GopherQualityFilter(min_avg_word_length=None, min_stop_words=None, **own),
                writers.ParquetWriter(folder["filtered"], compression="zstd"),
            ]
        ],
        "minhash": [
            [reader(), dedup.MinhashDedupSignature(folder["signatures"], config=config, **own)],
            [dedup.MinhashDedupBuckets(folder["signatures"], folder["buckets"], config=config)],
            [dedup.MinhashDedupCluster(folder["buckets"], folder["clusters"], config=config)],
            [reader(), dedup.MinhashDedupFilter(folder["clusters"]), writers.ParquetWriter(folder["unique"])],
        ],
    }
    for number, steps in enumerate(chains[task]):
        tasks = config.num_buckets if len(steps) == 1 and number == 1 else 1
        executor = LocalPipelineExecutor(steps, tasks=tasks, logging_dir=str(work / f"logs-{task}-{number}"))
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
    start = time.process_time()
    found: list[list[str]] = []
    if task == "datasketch":
        found = datasketch(language, float(threshold), parts)
    else:
        pipeline(task, language, Path(work), parts)
    used = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu_s": used, "peak_mb": round(peak), "pairs": found}))


if __name__ == "__main__":
    main()
