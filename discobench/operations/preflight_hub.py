"""Whether the hub has the checkpoints that a run fetches from it: that it answers does not say so."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from discobench.config.selection import Selection
from discobench.operations.preflight import Finding
from discobench.operations.surroundings import to_fetch

NOWHERE, REFUSED = 404, (401, 403)


@dataclass(frozen=True, slots=True)
class Hub:
    """A hub as it is seen from here; injected, so that the findings can be tested.

    ``status`` gives the HTTP status of an address (None: no answer), ``fetched`` says whether a checkpoint lies in the
    results, ``revisions`` are those that were fetched before, by source, ``token`` says whether jobs have one to show.
    """

    url: str
    status: Callable[[str], int | None]
    fetched: Callable[[str], bool]
    revisions: Mapping[str, str]
    token: bool


def unknown(run: Selection, hub: Hub) -> Iterator[Finding]:
    """Checkpoints that the hub has not, or does not show to everybody: without a token that is as good as not there."""
    for name, where in to_fetch(run, hub.fetched).items():
        revision = run.config.checkpoints[name].revision or hub.revisions.get(where)
        status = hub.status(f"{hub.url}/{quote(where)}/resolve/{quote(revision or 'main', safe='')}/config.json")
        at, key = f" at revision {revision}" if revision else "", f"checkpoints.{name}.source"
        if status == NOWHERE:
            yield Finding(key, f"{hub.url} has no config.json of {where}{at}", "mend the name or the revision")
        elif status in REFUSED:
            found = f"{hub.url} does not show {where}{at} to everybody ({status})"
            yield Finding(key, found, "mend the name, or export HF_TOKEN of one who may see it", blocking=not hub.token)
