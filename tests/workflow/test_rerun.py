"""No needless rerun: after each edit of a finished run, exactly what depends on it runs again."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tests.conftest import copy_of, environment
from tests.workflow.demo import ALL_DISCO, BASES, DISCO, DRAWN, EN, GENRES, NOVEL, RANKED, READ, ROWS, TASKS, ZH
from tests.workflow.edits import Edit, append, comments, first_again, keys, letter, nothing, raised, turn_times_round
from tests.workflow.plans import cells, described, named, plan

pytestmark = [pytest.mark.slow, pytest.mark.torch]


def each(rules: str, names: Iterable[str]) -> set[str]:
    return {f"{rule} {name}" for rule in rules.split() for name in names}


def tables(*numbers: int) -> set[str]:
    return {f"table {number}" for number in numbers}


# Preset mini: one row and one checkpoint for all tasks; jobs as `rule task`.
MINI_TASKS = ("si", "zpr", "mrc", "nt", "te")
MINI: dict[str, tuple[Edit, set[str]]] = {
    "nothing": (nothing, set()),
    "times": (turn_times_round, set()),
    "comments in all code": (comments, set()),
    "a key of another stage": (keys({"corpus": {"min_language": 0.4}}), set()),
    "a key of another task": (keys({"finetune": {"tasks": {"cct": {"learning_rate": 0.5}}}}), set()),
    "a learning rate": (
        keys({"finetune": {"tasks": {"nt": {"learning_rate": 0.5}}}}),
        each("finetune decode score", ["nt"]) | tables(7),
    ),
    "the learning rate of a ranked task": (
        keys({"finetune": {"tasks": {"mrc": {"learning_rate": 0.5}}}}),
        each("finetune decode score rank", ["mrc"]) | tables(7, 11),
    ),
    "the version of decode": (raised("decode"), each("decode score", MINI_TASKS) | tables(7)),
    "the version of score": (raised("score"), each("score", MINI_TASKS) | tables(7)),
    "the version of report": (raised("report"), tables(7, 11)),
    "a changed suite": (first_again("resources/demo/diagnostic/mrc.jsonl"), {"rank mrc"} | tables(11)),
    "a changed letter of a task": (
        letter("resources/demo/tasks/nt/test.jsonl", "good friends", "fast friends"),
        {"build nt", "initialise bart-large-zh", "rank mrc"}
        | each("finetune decode score", MINI_TASKS)
        | tables(7, 11),
    ),
    "a changed task": (
        first_again("resources/demo/tasks/nt/test.jsonl"),
        {"build nt", "initialise bart-large-zh", "rank mrc"}
        | each("finetune decode score", MINI_TASKS)
        | tables(7, 11),
    ),
}

# Preset demo: every stage, the tasks of a row in one process; jobs as `rule wildcards`, without the seed.
COMET = each("score_model", ["nt/comet", "cct/comet", "pt/comet"])
GENERATED = each("score_model", [f"{task}/{metric}" for task in ("te", "ti", "tc") for metric in ("ppl", "bertscore")])
BY_MODEL = COMET | GENERATED
BY_DISCO = {"score_model nt/comet"} | GENERATED
REPORT = tables(7, 8, 9, 10, 11) | {"page", "leaderboard"}


def together(*rows: str) -> set[str]:
    """From fine-tuning these rows to their scores and rankings."""
    processes = {f"{rule}_{row.replace('-', '_')}" for rule in ("finetune", "decode") for row in rows}
    ranked = {f"rank {RANKED[row]}/{row}" for row in rows if row in RANKED}
    return processes | ranked | each("score", [f"{task}/{row}" for row in rows for task in ROWS[row][1]])


def tuned(*checkpoints: str) -> set[str]:
    """What comes of the rows that use one of these checkpoints."""
    return together(*(row for row, (used, _) in ROWS.items() if set(used) & set(checkpoints)))


def pretrained(*checkpoints: str) -> set[str]:
    return each("pretrain_checkpoint", checkpoints) | tuned(*checkpoints)


def modelled(*languages: str) -> set[str]:
    """From drawing the checkpoints of these languages to all that is scored by them or made from them."""
    drawn, disco = ([name for key in languages for name in group[key]] for group in (DRAWN, DISCO))
    return each("initialise", drawn) | tuned(*drawn) | packed(*disco) | pretrained(*disco)


def packed(*checkpoints: str) -> set[str]:
    """Every shard that these checkpoints read, packed for them, and its place in what they read."""
    read = {name: READ[key] for key, names in DISCO.items() for name in names if name in checkpoints}
    shards = {f"pack {shard}/{BASES[name]}" for name, parts in read.items() for shard in parts}
    return shards | each("index", checkpoints)


def baselines(*tasks: str) -> list[str]:
    """Cells of the trivial rows; MRC has nothing to copy."""
    return [f"{t}/{row}" for t in tasks for row in ("majority", "copy", "random") if (t, row) != ("mrc", "copy")]


def built(*tasks: str) -> set[str]:
    """From building these tasks to the scores of their trivial rows, Table 1, and the look for what leaks."""
    return each("build card", tasks) | {"leakage", "sizes"} | each("decode_baseline score", baselines(*tasks))


def expanded(steps: str = "parse prune te_score filter") -> set[str]:
    """From steps on the only English book shard to the task that is made of it, language models left out."""
    return each(steps, ["en_book/0"]) | {"te_statistics"} | built("te")


def aligned() -> set[str]:
    return {"align", "zpr_language_model", "recover", "zpr_quality"} | built("zpr")


FOLDS = each("te_language_model", ["en_book/0", "en_book/1"])
DECONTAMINATED_ZH = each("decontaminate", ZH) | {"contamination"} | modelled("zh", "multi")
NGRAMS = each("ngrams", ["zh", "en"])
CLEANED_ZH = each("deduplicate", ZH) | {"duplicates zh", "statistics"} | built("ti", "tc") | DECONTAMINATED_ZH

DEMO: dict[str, tuple[Edit, set[str]]] = {
    "nothing": (nothing, set()),
    "times": (turn_times_round, set()),
    "comments in all code": (comments, set()),
    "a changed raw file": (
        append("resources/demo/corpus/zh_novel/xuelian.txt", "雪停了。\n"),
        {"sources zh_novel", "licences"}
        | each("ingest clean signatures", NOVEL)
        | {"matches zh/0"}
        | CLEANED_ZH
        | BY_MODEL
        | REPORT,
    ),
    "changed subtitles": (
        append("resources/demo/subtitles/episode-01.zh", "走吧。\n"),
        aligned() | {"ngrams zh"} | DECONTAMINATED_ZH | BY_MODEL | REPORT,
    ),
    "a changed treebank": (
        append("resources/demo/treebank/train.mrg", "(ROOT (S (NP (PRP It)) (VP (VBD rained)) (. .)))\n"),
        {"parser"} | expanded() | modelled("en", "multi") | BY_MODEL | REPORT,
    ),
    "a rule of deletion": (
        append("resources/te/rules.yaml", "# a remark of one's own\n"),
        expanded("prune te_score filter") | modelled("en", "multi") | BY_MODEL | REPORT,
    ),
    "a limit of perplexity": (
        keys({"synthesis": {"te": {"max_perplexity": 500.0}}}),
        expanded("filter") | modelled("en", "multi") | BY_MODEL | REPORT,
    ),
    "how text expansion is made": (
        keys({"synthesis": {"parser": {"batch_tokens": 900}, "te": {"language_model": {"memory_mb": 900}}}}),
        {"page", "leaderboard"},  # which show the configuration
    ),
    "a threshold of the filters in one language": (
        keys({"corpus": {"min_units": {"zh": 9}}}),
        CLEANED_ZH | BY_MODEL | REPORT,
    ),
    "a licence": (
        keys({"tasks": {"nt": {"files": [{"path": "resources/demo/tasks/nt", "licence": "CC0-1.0"}]}}}),
        {"card nt", "page", "leaderboard"},
    ),
    "a licence of a genre": (
        keys({"genres": {"zh_novel": {"licence": "CC0-1.0"}}}),
        {"licences", "card ti", "card tc", "page", "leaderboard"},
    ),
    "a key of decontamination": (
        keys({"corpus": {"decontamination": {"threshold": 0.2}}}),
        each("decontaminate", ZH + EN)
        | {"contamination"}
        | packed(*ALL_DISCO)
        | pretrained(*ALL_DISCO)
        | BY_DISCO
        | REPORT,
    ),
    "a learning rate of pretraining": (
        keys({"pretrain": {"disco-gpt2-en": {"training": {"learning_rate": 0.5}}}}),
        pretrained("disco-gpt2-en") | GENERATED | tables(7, 10) | {"page", "leaderboard"},
    ),
    "a batch size of one task": (
        keys({"finetune": {"tasks": {"pt": {"batch_size": 31}}}}),
        together("transformer-base", "roberta-base", "bart-large", "mbart") | BY_MODEL | REPORT,
    ),
    "the version of corpus": (
        raised("corpus"),
        each("sources", GENRES)
        | each("ingest clean signatures deduplicate decontaminate", ZH + EN)
        | {"matches zh/0", "matches en/0", "duplicates zh", "duplicates en", "statistics", "contamination", "licences"}
        | NGRAMS
        | FOLDS
        | expanded()
        | built("ti", "tc")
        | modelled("zh", "en", "multi")
        | BY_MODEL
        | REPORT,
    ),
    "the version of synthesis": (
        raised("synthesis"),
        {"parser", "ngrams zh"}
        | FOLDS
        | expanded()
        | aligned()
        | DECONTAMINATED_ZH
        | modelled("en")
        | BY_MODEL
        | REPORT,
    ),
    "the version of tasks": (
        raised("tasks"),
        built(*TASKS)
        | NGRAMS
        | each("decontaminate", ZH + EN)
        | {"contamination"}
        | modelled("zh", "en", "multi")
        | BY_MODEL
        | REPORT,
    ),
    "the version of models": (raised("models"), modelled("zh", "en", "multi") | BY_MODEL | REPORT),
    "the version of pretrain": (raised("pretrain"), pretrained(*ALL_DISCO) | BY_DISCO | REPORT),
    "the version of finetune": (raised("finetune"), together(*ROWS) | BY_MODEL | REPORT),
    "the version of score": (
        raised("score"),
        each("score", baselines(*TASKS) + [f"{task}/{row}" for row in ROWS for task in ROWS[row][1]])
        | BY_MODEL
        | tables(7, 8, 9, 10)
        | {"page", "leaderboard"},
    ),
    "the version of diagnose": (
        raised("diagnose"),
        {f"rank {task}/{row}" for row, task in RANKED.items()} | tables(11) | {"page", "leaderboard"},
    ),
}


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Callable[[Path], Path]]:
    """Copies a finished run, times and Snakemake's records included."""
    yield lambda root: copy_of(root, tmp_path / "repository")
    shutil.rmtree(tmp_path / "repository")


def planned_after(edit: Edit, root: Path, preset: str) -> list:
    edit(root)
    yours = ["--configfile", "mine.yaml"] if (root / "mine.yaml").exists() else []
    return plan(root, "--profile", "profiles/demo", "--config", f"preset={preset}", *yours, "--", "all")


@pytest.mark.parametrize("edit", MINI)
def test_an_edit_of_the_smallest_run_reruns_what_depends_on_it(mini_root: Path, copy: Callable, edit: str):
    change, expected = MINI[edit]
    assert cells(planned_after(change, copy(mini_root), "mini")) == expected


@pytest.mark.parametrize("edit", DEMO)
def test_an_edit_of_the_demo_reruns_what_depends_on_it(demo_root: Path, copy: Callable, edit: str):
    change, expected = DEMO[edit]
    settings = {"facts 16"} if edit == "a batch size of one task" else set()
    assert named(planned_after(change, copy(demo_root), "demo")) == expected | described(expected) | settings


def test_the_environment_of_the_tests_is_the_one_of_make():
    assert shutil.which("snakemake", path=environment()["PATH"])
