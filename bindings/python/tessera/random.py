"""Random numbers: the same seed gives the same numbers on every device."""

from __future__ import annotations

import contextlib
from typing import Iterator

from tessera import _core
from tessera._core import Generator
from tessera._core.random import *  # noqa: F403


def seed(seed: int) -> None:
    """Reseeds the default generator.

    >>> import tessera as ts
    >>> ts.random.seed(1)
    >>> a = ts.random.uniform(3).tolist()
    >>> ts.random.seed(1)
    >>> a == ts.random.uniform(3).tolist()
    True
    """
    _core._set_seed(seed)


def get_state() -> tuple[int, int]:
    """The state of the default generator: its seed and the position of its next draw.

    >>> import tessera as ts
    >>> ts.random.seed(1)
    >>> ts.random.get_state()
    (1, 0)
    """
    return _core._random_state()


def set_state(state: tuple[int, int]) -> None:
    """Sets the default generator to a state of get_state(): the same draws follow again, eagerly and in compiled functions.

    >>> import tessera as ts
    >>> state = ts.random.get_state()
    >>> a = ts.random.uniform(3).tolist()
    >>> ts.random.set_state(state)
    >>> a == ts.random.uniform(3).tolist()
    True
    """
    _core._set_random_state(state)


@contextlib.contextmanager
def use(generator: Generator) -> Iterator[None]:
    """Context manager: this thread draws from the generator instead of the default one.

    >>> import tessera as ts
    >>> with ts.random.use(ts.random.Generator(7)):
    ...     a = ts.random.normal(2).tolist()
    >>> with ts.random.use(ts.random.Generator(7)):
    ...     a == ts.random.normal(2).tolist()
    True
    """
    held = _core._use(generator)
    try:
        yield
    finally:
        del held
