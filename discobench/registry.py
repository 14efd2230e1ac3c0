"""Finding the one subclass that a module named after it declares."""

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from discobench.errors import DiscoError

T = TypeVar("T")


def load(package: ModuleType, name: str, kind: type[T]) -> T:
    """An instance of the subclass of ``kind`` in ``<package>.<name>`` whose ``name`` is ``name``.

    Raises DiscoError with the nearest known name when there is no such module.
    """
    known = sorted(module.name for module in iter_modules(package.__path__))
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known modules: {', '.join(known)}."
        raise DiscoError(f"{package.__name__} has no {name!r}; {hint}")
    module = import_module(f"{package.__name__}.{name}")
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, kind) and getattr(value, "name", None) == name:
            return value()
    raise DiscoError(f"{module.__name__} declares no {kind.__name__} called {name!r}; add a class with that name.")
