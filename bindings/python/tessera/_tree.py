"""Nested lists, tuples and dicts of tensors as flat lists, and back."""

from __future__ import annotations

from typing import Any, Callable, Hashable

from tessera._core import Tensor
from tessera._errors import ArgumentError

_DEEPEST = 100  # far more than anybody nests, and far less than Python's own limit


def flatten(tree: Any) -> tuple[list[Any], Hashable]:
    """The leaves, and what unflatten() needs to put others in their places. None is part of the structure."""
    leaves: list[Any] = []
    return leaves, _walk(tree, leaves, 0)


def _walk(tree: Any, leaves: list[Any], depth: int) -> Hashable:
    if tree is None:
        return None
    if isinstance(tree, (dict, list, tuple)) and depth > _DEEPEST:
        raise ArgumentError(f"A {type(tree).__name__} is nested more than {_DEEPEST} deep, or contains itself; lists, tuples and "
                            "dicts of tensors that end somewhere are expected.")
    if isinstance(tree, dict):
        keys = list(tree)
        return ("dict", type(tree), tuple(keys), tuple(_walk(tree[k], leaves, depth + 1) for k in keys))
    if isinstance(tree, (list, tuple)):
        return ("list", type(tree), tuple(_walk(x, leaves, depth + 1) for x in tree))
    leaves.append(tree)
    return "leaf"


def unflatten(structure: Any, leaves: list[Any]) -> Any:
    """The tree of a structure with these leaves."""
    rest = iter(leaves)
    return _build(structure, rest)


def _build(structure: Any, rest: Any) -> Any:
    if structure is None:
        return None
    if structure == "leaf":
        return next(rest)
    kind, type_, *inner = structure
    if kind == "dict":
        keys, parts = inner
        return type_((k, _build(p, rest)) for k, p in zip(keys, parts))
    items = [_build(p, rest) for p in inner[0]]
    return type_(*items) if hasattr(type_, "_fields") else type_(items)


def map_leaves(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same tree with each leaf replaced.

    >>> import tessera as ts
    >>> ts.tree_map(lambda x: x * 2, {"a": [1, 2], "b": (3,)})
    {'a': [2, 4], 'b': (6,)}
    """
    leaves, structure = flatten(tree)
    return unflatten(structure, [function(x) for x in leaves])


def is_tensor(x: Any) -> bool:
    return isinstance(x, Tensor)
