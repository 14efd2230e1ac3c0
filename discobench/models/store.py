"""Model folders: what is in one, that it is what its manifest says, and that its parts fit together."""

import json
import shutil
import struct
import sys
from importlib.metadata import PackageNotFoundError, version
from math import prod
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_json, sha256, write_json
from discobench.records import beside, manifest_of

MANIFEST = "model.json"
PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "ve-fairseq")
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".h5", ".msgpack", ".pkl")
EMBEDDINGS = ("word_embeddings.weight", "wte.weight", "shared.weight", "embed_tokens.weight")
KINDS = {"encoder": ("bert",), "bart": ("bart",), "mbart": ("mbart",), "gpt2": ("gpt2",), "t5": ("t5", "mt5")}
"""Family -> what transformers calls the models that it loads."""
LAYERS = ("num_hidden_layers", "n_layer", "num_layers")
HEADS = ("num_attention_heads", "n_head", "encoder_attention_heads", "num_heads")
FIELDS: dict[str, Any] = {
    "base": None,
    "revision": None,
    "seed": None,
    "training": None,
    "device": "cpu",
    "step": 0,
    "losses": None,
}


def is_pickled(name: str) -> bool:
    """Whether a file is one in which transformers wrote weights before safetensors, whole or a part of them."""
    return name == "pytorch_model.bin" or (name.startswith("pytorch_model-") and name.endswith(".bin"))


def fresh_folder(folder: Path) -> Path:
    """``folder``, empty: what an earlier try left must not become part of a model."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def write_manifest(folder: Path, **fields: Any) -> Path:
    """Write ``folder/model.json``: the given fields, sha256 of every file, versions and size.

    ``parameters`` is counted from the safetensors files (tied weights once) when not given.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    facts = {
        "outputs": {str(path.relative_to(folder)): sha256(path) for path in files},
        "parameters": count_parameters(folder),
        "shape": shape_of(folder),
        "versions": versions(),
    }
    write_json(folder / MANIFEST, FIELDS | facts | fields)
    return folder / MANIFEST


def size_line(manifest: Path, printed: str | None) -> str:
    """How large the model of a manifest is, beside the number of parameters that the paper prints, if it does."""
    facts = read_json(manifest)
    # Plain models have weights once they are trained.
    count = f"{facts['parameters']:,} parameters" if facts["parameters"] else "parameters not drawn yet"
    beside = f" (the paper prints {printed})" if printed else ""
    return ", ".join([f"{count}{beside}", *(f"{name} {value}" for name, value in facts["shape"].items())])


def read_manifest(path: Path) -> dict[str, Any]:
    """Read a model's manifest; raises DiscoError when a file that it lists is gone or another one."""
    manifest = manifest_of(path)
    for name in manifest["outputs"]:
        beside(path, name)
    return manifest


def versions() -> dict[str, str]:
    """Versions of what made a model; packages that are not installed are left out."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def count_parameters(folder: Path) -> int:
    """Number of stored weights of the safetensors files in ``folder``, buffers included."""
    shapes = tensor_shapes(folder).values()
    return sum(prod(shape) for shape in shapes)


def shape_of(folder: Path) -> dict[str, int | str]:
    """Vocabulary, layers and heads as ``config.json`` has them; ``12+12`` layers are encoder and decoder."""
    path = folder / "config.json"
    config = read_json(path) if path.exists() else {}
    found = {"vocabulary": config.get("vocab_size"), "layers": _first(config, LAYERS), "heads": _first(config, HEADS)}
    if "decoder_layers" in config or "num_decoder_layers" in config:
        below = config.get("encoder_layers", config.get("num_layers"))
        found["layers"] = f"{below}+{config.get('decoder_layers', config.get('num_decoder_layers'))}"
    return {name: value for name, value in found.items() if value is not None}


def _first(config: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((config[name] for name in names if name in config), None)


def tensor_shapes(folder: Path) -> dict[str, tuple[int, ...]]:
    """Shapes of the tensors in the safetensors files of ``folder``, read from their headers only.

    The layout is that of https://huggingface.co/docs/safetensors: 8 bytes of length, then JSON.
    """
    shapes: dict[str, tuple[int, ...]] = {}
    for path in sorted(folder.glob("*.safetensors")):
        header = _header(path)
        shapes |= {name: tuple(entry["shape"]) for name, entry in header.items() if name != "__metadata__"}
    return shapes


def _header(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        size = stream.read(8)
        text = stream.read(struct.unpack("<Q", size)[0]) if len(size) == 8 and path.stat().st_size > 8 else b""
    try:
        header = dict(json.loads(text))
        ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
        if 8 + len(text) + max(ends, default=0) != path.stat().st_size:
            raise ValueError("its tensors do not fill it")
    except (ValueError, KeyError, TypeError) as error:
        raise DiscoError(
            f"{path} is not a whole safetensors file; delete it and the {MANIFEST} beside it and rerun, "
            "or bring it again where it is yours."
        ) from error
    return header


def check_checkpoint(folder: Path, max_length: int = 0, family: str | None = None) -> None:
    """Raise DiscoError when weights, configuration and tokenizer of ``folder`` do not fit together.

    ``max_length`` (tokens) must fit the positions of the model. ``family`` must be that of the checkpoint
    where it is given: weights of another one would not be found, and drawn anew without a word.
    """
    if not folder.is_dir():
        raise DiscoError(f"{folder} is not a folder; check the path of the checkpoint.")
    _check_files(folder)
    config = read_json(folder / "config.json")
    if not isinstance(config, dict):
        raise DiscoError(f"{folder}/config.json holds no object; take the file from the same checkpoint.")
    kinds, kind = KINDS.get(family or "", ()), config.get("model_type")
    if kinds and kind not in kinds:
        raise DiscoError(
            f"{folder}/config.json has model_type {kind!r}, but family {family!r} takes {', '.join(kinds)}; "
            "name the checkpoint's own family or another checkpoint."
        )
    rows = _check_embeddings(folder, config)
    _check_tokenizer(folder, config, rows)
    positions = config.get("max_position_embeddings") or config.get("n_positions")
    if positions and max_length > positions:
        raise DiscoError(
            f"{folder}/config.json allows {positions} positions but max_length is {max_length}; lower max_length."
        )


def _check_files(folder: Path) -> None:
    if any(folder.glob("*.safetensors")):
        return
    pickles = sorted(path.name for path in folder.iterdir() if path.suffix in PICKLES)
    found = f"only {', '.join(pickles)}, whose loading can run code" if pickles else "no weights"
    raise DiscoError(f"{folder} has {found}; {CONVERT}.")


CONVERT = (
    "this project loads safetensors only: load the model once where you trust it with transformers' from_pretrained, "
    "write it with save_pretrained, and name that folder as source path:<folder>"
)


def _check_embeddings(folder: Path, config: dict[str, Any]) -> int:
    shapes = tensor_shapes(folder)
    rows = {shape[0] for name, shape in shapes.items() if name.endswith(EMBEDDINGS) and len(shape) == 2}
    size = config.get("vocab_size", 0)
    if not isinstance(size, int):
        raise DiscoError(f"{folder}/config.json has vocab_size {size!r}; take the file from the same checkpoint.")
    if rows and rows != {size}:
        raise DiscoError(
            f"{folder}/config.json has vocab_size {size} but its embeddings have {sorted(rows)[0]} rows; "
            "take configuration and weights from the same checkpoint."
        )
    return size


def _check_tokenizer(folder: Path, config: dict[str, Any], rows: int) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if len(tokenizer) < 10:
        raise DiscoError(f"{folder} has a tokenizer of {len(tokenizer)} tokens: its vocabulary file is missing.")
    largest = max(tokenizer.get_vocab().values())
    if largest >= rows:
        raise DiscoError(
            f"{folder}: the tokenizer has token id {largest} but the model knows {rows} tokens; "
            "take tokenizer and weights from the same checkpoint."
        )
    for name in ("pad_token_id", "eos_token_id", "bos_token_id", "decoder_start_token_id"):
        ids = config.get(name)
        if isinstance(ids, int) and ids >= rows:
            raise DiscoError(f"{folder}/config.json: {name} is {ids} but the model knows {rows} tokens; mend it.")
    _check_special(folder, config, tokenizer)


def _check_special(folder: Path, config: dict[str, Any], tokenizer: Any) -> None:
    """Padding must be the same token to both; what begins or ends texts one of those that do so to the tokenizer."""
    around = (tokenizer.bos_token_id, tokenizer.cls_token_id, tokenizer.eos_token_id, tokenizer.sep_token_id)
    padding = (tokenizer.pad_token_id,)
    for name, known in (("pad_token_id", padding), ("bos_token_id", around), ("eos_token_id", around)):
        given, ids = config.get(name), sorted({number for number in known if number is not None})
        if isinstance(given, int) and ids and given not in ids:
            named = ", ".join(f"{number} ({tokenizer.convert_ids_to_tokens(number)})" for number in ids)
            raise DiscoError(
                f"{folder}/config.json: {name} is {given} ({tokenizer.convert_ids_to_tokens(given)}), to the tokenizer "
                f"it is {named}; take both from the same checkpoint or mend the one that is wrong."
            )
