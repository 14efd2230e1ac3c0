"""Fetching from a hub: the only place of the project that uses the network for models."""

import os
import shutil
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.models.sources import belongs, is_weights, read_lock, record_revision
from discobench.models.store import CONVERT, check_checkpoint, is_pickled


def fetch(name: str, revision: str | None, folder: Path, lock: Path, family: str | None = None) -> str:
    """Download checkpoint ``name`` into ``folder``; returns the commit it was resolved to.

    ``revision`` null: the commit in ``lock`` if one is there, else the newest, which is then
    recorded there. Only weights, configuration and vocabulary are taken; where there are no safetensors they are made
    of what PyTorch wrote, without running a pickle. Raises DiscoError when the hub cannot be reached or has neither.
    """
    os.environ["HF_HUB_OFFLINE"] = "0"
    from huggingface_hub import HfApi, errors, snapshot_download

    wanted = revision or read_lock(lock).get(name)
    try:
        info = HfApi().model_info(name, revision=wanted)
        files = wanted_files(name, [sibling.rfilename for sibling in info.siblings or []])
        commit = str(info.sha)
        snapshot_download(name, revision=commit, local_dir=folder, allow_patterns=files)
    except (errors.HTTPError, OSError, errors.HFValidationError, errors.RevisionResolutionError) as error:  # type: ignore[attr-defined]
        raise DiscoError(_unreachable(name, wanted, error)) from error
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    if not any(map(is_weights, files)):
        from discobench.models.convert import convert

        convert(folder, folder)
        for pickled in filter(is_pickled, files):
            (folder / pickled).unlink()
    check_checkpoint(folder, family=family)
    record_revision(lock, name, commit)
    return commit


def wanted_files(name: str, names: list[str]) -> list[str]:
    """What is downloaded of a repository's files; raises DiscoError when it has no weights."""
    pickled = [] if any(map(is_weights, names)) else list(filter(is_pickled, names))
    if not pickled and not any(map(is_weights, names)):
        raise DiscoError(f"hub checkpoint {name} has no model.safetensors at this revision; {CONVERT}.")
    return sorted([*filter(belongs, names), *pickled])


def _unreachable(name: str, revision: Any, error: Exception) -> str:
    reason = " ".join(str(error).split())[:200]
    at = f" at revision {revision}" if revision else ""
    return (
        f"hub checkpoint {name}{at} cannot be fetched ({reason}); check its name and the network, "
        "or download it elsewhere and set its source to path:<folder>."
    )
