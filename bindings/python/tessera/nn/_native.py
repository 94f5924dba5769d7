"""Modules that the C++ library computes: Python holds their tensors, as attributes, and passes them with each call."""

from __future__ import annotations

import copyreg
from typing import Any, Sequence

from tessera import _core
from tessera._core import Tensor
from tessera._errors import UnsupportedError
from tessera._module import Module


def _remake(kind: str, options: dict[str, Any]) -> _core._NativeModule:
    return _core._nn_make(kind, options, None, None)[0]


copyreg.pickle(_core._NativeModule, lambda native: (_remake, (native.kind, native.options)))


class Part(Module):
    """A part of a module that the library computes as a whole: it has tensors, and cannot be called by itself."""

    def __init__(self, kind: str) -> None:
        self._class = kind

    def _kind(self) -> str:
        return self._class

    def __getitem__(self, index: int) -> Any:
        return self.__dict__[str(index)]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise UnsupportedError(f"This {self._class} is computed as part of another module; call the whole one.")


def _adapted(place: dict[str, Any], key: str) -> Any:
    """A tensor of a part: a weight with its adapter, which the library sees as one matrix."""
    if key != "weight" or "_lora" not in place:
        return place[key]
    return place["weight"] + place["lora_B"] @ place["lora_A"] * place["_lora"][0]


class Native(Module):
    """The base of the modules of the library."""

    _native_class: str = ""
    _adapted: bool = False  # some of its parts have an adapter

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith("tessera.nn."):  # and not for a user's class that derives from one
            cls._native_class = cls.__name__
            cls.__module__ = "tessera.nn"

    def _make(self, dtype: Any = None, device: Any = None, **options: Any) -> None:
        self._options = {k: v for k, v in options.items() if not isinstance(v, _core._NativeModule)}
        self._hold(*_core._nn_make(self._native_class, options, dtype, device))

    def _hold(self, native: _core._NativeModule, tensors: Sequence[tuple[str, Tensor, bool]], parts: Sequence[tuple[str, str]]) -> None:
        """Makes the tensors attributes of this module and of its parts."""
        self._native = native
        kinds = dict(parts)
        self._places: list[tuple[Module | None, str]] = []  # None: this module, which would hold itself in a circle
        self._names = [name for name, _, _ in tensors]
        for name, tensor, is_buffer in tensors:
            owner: Module = self
            *path, key = name.split(".")
            for i, part in enumerate(path):
                if part not in owner.__dict__:
                    setattr(owner, part, Part(kinds.get(".".join(path[:i + 1]), "ModuleList")))
                owner = owner.__dict__[part]
            owner.register_buffer(key, tensor) if is_buffer else setattr(owner, key, tensor)
            self._places.append((None if owner is self else owner, key))

    def _held(self) -> list[tuple[dict[str, Any], str]]:
        """Where the tensors are, in the order of the library."""
        own = self.__dict__
        return [(own if owner is None else owner.__dict__, key) for owner, key in self._places]

    def _tensors(self, held: Sequence[tuple[dict[str, Any], str]]) -> list[Tensor]:
        """The tensors as the library computes with them: weights with their adapters."""
        if self._adapted:
            return [_adapted(place, key) for place, key in held]
        return [place[key] for place, key in held]

    def _call(self, inputs: Sequence[Any], attention: Sequence[dict[str, Any]] = ()) -> list[Tensor]:
        held = self._held()
        tensors = self._tensors(held)
        results, written = self._native.call(tensors, self.training, inputs, attention)
        if self._watch is not None:
            self._watch.computed(self, self._native.flops(tensors, self.training, inputs, attention))
        for i, tensor in written:
            place, key = held[i]
            _core._nn_write(place[key], tensor, type(self).__name__, key)
        return results

    def forward(self, input: Any) -> Any:
        return self._call([input])[0]

    def extra_repr(self) -> str:
        return ", ".join(f"{k}={v!r}" for k, v in self._options.items())
