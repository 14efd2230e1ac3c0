"""Under which licence the texts of each genre stand, and where that is said; any record is joined by its ``source``."""

from collections.abc import Iterable, Mapping
from typing import Any

ORIGIN = ("language", "licence", "path", "globs", "manifest")


def licences(genres: Mapping[str, Mapping[str, Any]], listed: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of schema ``licence``, one a genre.

    ``genres`` are the settings of each, ``listed`` the manifests of their raw files in the same order, as
    ``sources.written`` counts them.
    """
    return [
        {"source": name, "declared": f"genres.{name}.licence", "files": found["files"], "bytes": found["bytes"]}
        | {key: genre["files" if key == "globs" else key] for key in ORIGIN}
        for (name, genre), found in zip(genres.items(), listed, strict=True)
    ]
