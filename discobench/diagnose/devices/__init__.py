"""Devices of cohesion: each module knows one, and how to break it (paper section 4.1, Tables 3 and 4).

A device is a module here with ``changes(scene, lexicon)``. It finds where the device stands in a
scene's sentence, that something before the sentence answers it, and what to put in its place.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.suite import TYPES

Device = Callable[[Scene, Lexicon], Iterator[Change]]
DEVICES: Mapping[str, Device] = {name: import_module(f"{__name__}.{name}").changes for name in TYPES}


def broken(name: str, scene: Scene, lexicon: Lexicon) -> list[Change]:
    """The changes of a device that have something to put in its place."""
    return [change for change in DEVICES[name](scene, lexicon) if change.wrong]
