"""Modules that hold modules: Sequential, ModuleList and ModuleDict."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Mapping

from tessera._errors import ArgumentError, ArgumentTypeError
from tessera._module import Module


def _module(value: Any, what: str) -> Module:
    if not isinstance(value, Module):
        raise ArgumentTypeError(f"{what}: {value!r} of type {type(value).__name__} was given; a Module is expected.")
    return value


class ModuleList(Module):
    """Modules "0", "1", .. as a list; without a forward function.

    >>> import tessera as ts
    >>> layers = ts.nn.ModuleList(ts.nn.Linear(2, 2) for _ in range(3))
    >>> len(layers), list(layers.parameters())[-1]
    (3, '2.bias')
    """

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        self._items = [_module(m, type(self).__name__) for m in modules]

    def _members(self) -> Iterator[tuple[str, Any]]:
        return ((str(i), m) for i, m in enumerate(self._items))

    def append(self, module: Module) -> ModuleList:
        self._items.append(_module(module, f"{type(self).__name__}.append"))
        return self

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        for m in modules:
            self.append(m)
        return self

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return Sequential(*self._items[index]) if isinstance(self, Sequential) else ModuleList(self._items[index])
        if not -len(self._items) <= index < len(self._items):
            raise ArgumentError(f"{type(self).__name__}: module {index} was asked for, and there are {len(self._items)}.")
        return self._items[index]

    def __setitem__(self, index: int, module: Module) -> None:
        self[index]
        self._items[index] = _module(module, type(self).__name__)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._items)


class Sequential(ModuleList):
    """Each module is called with the result of the one before it.

    >>> import tessera as ts
    >>> ts.nn.Sequential(ts.nn.Linear(2, 8), ts.nn.Tanh(), ts.nn.Linear(8, 1))
    Sequential(
      (0): Linear(in_features=2, out_features=8, bias=True)
      (1): Tanh()
      (2): Linear(in_features=8, out_features=1, bias=True)
    )
    """

    _keys: tuple[str, ...] = ()

    def __init__(self, *modules: Module | Mapping[str, Module]) -> None:
        """Modules, or one dict of them, whose keys are then their names."""
        if len(modules) == 1 and isinstance(modules[0], Mapping):
            self._keys = tuple(modules[0])
            super().__init__(modules[0].values())
        else:
            super().__init__(modules)  # type: ignore[arg-type]

    def _members(self) -> Iterator[tuple[str, Any]]:
        return ((self._keys[i] if i < len(self._keys) else str(i), m) for i, m in enumerate(self._items))

    def __getattr__(self, name: str) -> Any:
        if name in self._keys:
            return self._items[self._keys.index(name)]
        raise AttributeError(f"Sequential has no attribute '{name}'.")

    def forward(self, input: Any) -> Any:
        for m in self._items:
            input = m(input)
        return input


class ModuleDict(Module):
    """Modules by key, in the order of insertion; without a forward function."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        self._items: dict[str, Module] = {}
        for key, module in (modules or {}).items():
            self[key] = module

    def _members(self) -> Iterator[tuple[str, Any]]:
        return iter(self._items.items())

    def __getitem__(self, key: str) -> Module:
        if key not in self._items:
            raise ArgumentError(f"ModuleDict: '{key}' was asked for; the keys are {', '.join(self._items) or 'none'}.")
        return self._items[key]

    def __setitem__(self, key: str, module: Module) -> None:
        if not isinstance(key, str) or not key or "." in key:
            raise ArgumentError(f"ModuleDict: the key {key!r} was given; a text without dots is expected.")
        self._items[key] = _module(module, "ModuleDict")

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def keys(self) -> Iterable[str]:
        return self._items.keys()

    def values(self) -> Iterable[Module]:
        return self._items.values()

    def items(self) -> Iterable[tuple[str, Module]]:
        return self._items.items()
