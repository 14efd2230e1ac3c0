"""Cards of continued-pretrained checkpoints: what a model is made of and how it came about, as Markdown."""

from collections.abc import Iterable, Mapping
from typing import Any

from discobench.operations.release import SUMS
from discobench.report.models import SHAPE, model_lines
from discobench.tasks.card import table

FOLDER = "model"
"""Where the archive has the model's own files, so that none of them takes the place of the card."""
Sizes = Mapping[str, Mapping[str, tuple[int, int]]]
"""Split -> genre -> documents and tokens."""


def model_card(manifest: Mapping[str, Any], base: Mapping[str, Any], kind: str, sizes: Sizes, facts: Any) -> str:
    """The card of the checkpoint that ``manifest`` describes.

    ``base`` is the manifest of the checkpoint it started from, ``kind`` the class of transformers that loads it.
    ``facts``: version, comparable, genres (name -> genre, description, language, licence, weight), base (source,
    licences), licences, and what the paper prints (paper).
    """
    parts = [
        _head(manifest, base, facts),
        _use(kind),
        _data(sizes, facts["genres"], manifest["seen"]),
        _size(manifest, facts["paper"]),
        _training(manifest),
        _losses(manifest["losses"]),
        ["## Versions", "", *table(["package", "version"], sorted(manifest["versions"].items()))],
        _sums(manifest["outputs"]),
    ]
    return "\n".join(line for part in parts for line in (*part, ""))


def _head(manifest: Mapping[str, Any], base: Mapping[str, Any], facts: Any) -> list[str]:
    revision = f" at revision {base['revision']}" if base.get("revision") else ""
    licence = ", ".join(facts["base"]["licences"]) or "drawn for this run"
    scale = [] if facts["comparable"] else ["", "**Of another scale than the paper's: made to try the pipeline.**"]
    return [
        f"# {manifest['checkpoint']} {facts['version']}",
        *scale,
        "",
        "Continued pretraining on literature (Disco-Bench, section 5.2).",
        "",
        f"- family: {manifest['family']}",
        f"- language: {manifest['language']}",
        f"- starts from: {manifest['base']} ({facts['base']['source']}{revision}; {licence})",
        f"- licences of what it learned from: {', '.join(facts['licences'])}",
    ]


def _use(kind: str) -> list[str]:
    lines = [f"model = transformers.{kind}.from_pretrained('{FOLDER}')"]
    lines += [f"tokenizer = transformers.AutoTokenizer.from_pretrained('{FOLDER}')"]
    return ["## Use", "", "```python", *lines, "```"]


def _data(sizes: Sizes, genres: Mapping[str, Mapping[str, Any]], seen: Mapping[str, Mapping[str, int]]) -> list[str]:
    """What was read, by genre, and how often; held-out works were measured on and never learned from."""
    head = ["genre", "what", "language", "licence", "weight", "times read"]
    counts = [f"{what}, {split}" for split in sizes for what in ("documents", "tokens")]
    rows = [
        (
            name,
            f"{facts['genre']}: {facts['description']}",
            facts["language"],
            facts["licence"],
            f"{facts['weight']:g}",
            _passes(seen.get(name)),
            *(f"{count:,}" for found in sizes.values() for count in found[name]),
        )
        for name, facts in genres.items()
    ]
    said = "No validation or test work is among the training texts; the losses below are measured on `valid`."
    return ["## Data", "", *table([*head, *counts], rows), "", said]


def _passes(seen: Mapping[str, int] | None) -> str:
    """How often each chunk of a genre was drawn on average."""
    return f"{seen['drawn'] / seen['chunks']:.2f}" if seen and seen["chunks"] else "0"


def _size(manifest: Mapping[str, Any], paper: Mapping[str, Any]) -> list[str]:
    (line,) = model_lines([manifest], {manifest["checkpoint"]: paper})
    rows = [(name, *(_shown(value) for value in line[name])) for name in ("parameters", *SHAPE)]
    return ["## Size", "", *table(["", "found", "in the paper"], rows)]


def _training(manifest: Mapping[str, Any]) -> list[str]:
    own = {"steps taken": manifest["step"], "seed": manifest["seed"], "device": manifest["device"]}
    recipe = {name: value for name, value in manifest["recipe"].items() if name != "weights"}  # they are by genre
    keys = manifest["training"] | recipe | own
    rows = [(name, _shown(value)) for name, value in keys.items() if value is not None]
    return ["## Training", "", *table(["key", "value"], rows)]


def _losses(losses: Mapping[str, Any]) -> list[str]:
    """Mean cross entropies in nats a predicted token, and perplexities of the held-out ones."""
    train = losses.get("train") or []
    ends = [(f"loss at step {step}", f"{loss:.4f}") for step, loss in (*train[:1], *train[-1:])]
    names = {"valid": "held-out loss", "perplexity": "held-out perplexity"}
    held = [
        (f"{title} {when}", f"{losses[f'{name}_{when}']:.4f}")
        for name, title in names.items()
        for when in ("before", "after")
        if losses.get(f"{name}_{when}") is not None
    ]
    said = "In nats a predicted token: of hidden ones where the objective hides some. Perplexity is their exponential."
    return ["## Losses", "", *table(["", "value"], [*ends, *held]), "", said]


def _sums(outputs: Mapping[str, str]) -> list[str]:
    rows = [(f"{FOLDER}/{name}", digest) for name, digest in outputs.items()]
    return [
        "## Checksums",
        "",
        *table(["file", "SHA-256"], rows),
        "",
        f"`sha256sum --check {SUMS}` checks all of them.",
    ]


def _shown(value: Any) -> str:
    if isinstance(value, Mapping | str) or not isinstance(value, Iterable):
        return "" if value is None else str(value)
    return ", ".join(map(str, value))
