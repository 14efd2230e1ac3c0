"""The constituency parser as a folder of stanza models: where it comes from, and how it is loaded."""

import re
import shutil
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import sha256, whole, write_json
from discobench.synthesis.parsing import Pipeline

PROCESSORS = "tokenize,pos,constituency"
TOGETHER = 500
"""Sentences that the constituency parser has in hand at most; batches are cut by tokens before."""
MEMORY = re.compile(r"out of memory|can't allocate memory|alloc_failed", re.IGNORECASE)


def folder_of(path: str | None) -> Path:
    """The folder that ``synthesis.parser.path`` names; raises DiscoError when it is null."""
    if path is None:
        raise DiscoError("synthesis.parser.path is null; sources `treebank` and `path` need a folder there: name one.")
    return Path(path)


def copy_models(source: Path, folder: Path) -> None:
    """Copy the English models of a stanza folder; raises DiscoError when it is not one."""
    if not (source / "resources.json").is_file() or not (source / "en").is_dir():
        raise DiscoError(f"{source} lacks resources.json or en/; synthesis.parser.path must name a stanza folder.")
    for file in [source / "resources.json", *sorted((source / "en").rglob("*.pt"))]:
        with whole(folder / file.relative_to(source)) as temporary:
            shutil.copyfile(file, temporary)


def download_models(package: str, folder: Path) -> None:
    """Fetch stanza's own English models; the only step of this stage that needs a network."""
    import stanza

    try:
        stanza.download("en", model_dir=str(folder), package=package, processors=PROCESSORS)
    except (OSError, ValueError) as error:
        raise DiscoError(
            f"stanza could not fetch its English package {package!r} ({type(error).__name__}); connect this machine "
            "or set synthesis.parser.source to path or treebank."
        ) from error


def write_parser(manifest: Path, facts: dict[str, Any]) -> None:
    """Record the models beside ``manifest``, by name relative to it and checksum."""
    folder = manifest.parent
    files = [folder / "resources.json", *sorted((folder / "en").rglob("*.pt"))]
    write_json(manifest, facts | {"outputs": {str(f.relative_to(folder)): sha256(f) for f in files}})


def load_pipeline(folder: Path, package: str) -> Pipeline:
    """A stanza pipeline over one blank-line separated sentence each, offline, on a GPU or on one CPU thread.

    It raises MemoryError whatever kind of memory there is too little of. Raises DiscoError when stanza
    cannot read the folder.
    """
    import stanza
    import torch

    torch.set_num_threads(1)
    try:
        pipeline = stanza.Pipeline(
            "en",
            dir=str(folder),
            processors=PROCESSORS,
            package=package,
            download_method=None,
            tokenize_no_ssplit=True,
            constituency_batch_size=TOGETHER,
            use_gpu=torch.cuda.is_available(),
            logging_level="WARN",
        )
    except (OSError, ValueError) as error:
        raise DiscoError(f"stanza cannot load {folder}: {error}; delete it and rerun the rule `parser`.") from error
    return guarded(pipeline)


def guarded(pipeline: Pipeline) -> Pipeline:
    """``pipeline`` whose want of memory is a MemoryError, on a GPU with its cache emptied."""
    import torch

    def parse(text: str) -> Any:
        try:
            return pipeline(text)
        except RuntimeError as error:
            if not MEMORY.search(str(error)):
                raise
            torch.cuda.empty_cache()
            raise MemoryError(str(error)) from error

    return parse
