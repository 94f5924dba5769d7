"""Module: an object with named tensors and a forward function. Its attributes are its parameters, buffers and parts."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, NamedTuple, TypeVar

from tessera import _core
from tessera._core import Device, DType, Tensor
from tessera._errors import ArgumentError, ArgumentTypeError, UnsupportedError

_Self = TypeVar("_Self", bound="Module")


class LoadReport(NamedTuple):
    """What load_state_dict() found: names that only one side has, and those with another shape."""

    missing: list[str]
    unexpected: list[str]
    mismatched: list[str]


class _Slot(NamedTuple):
    """One tensor of a module: its name from the root, and the module that holds it under a key."""

    name: str
    tensor: Tensor
    owner: Module
    key: str
    buffer: bool


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    return value.items() if isinstance(value, dict) else enumerate(value)


class _Walk:
    """All tensors and modules of a module, each once: under the first of its names. `aliases` has the others."""

    def __init__(self, root: Module) -> None:
        self.slots: list[_Slot] = []
        self.modules: list[tuple[str, Module]] = []
        self.aliases: dict[str, str] = {}
        self._names: dict[int, str] = {}
        self._visit("", "", root, root)

    def _visit(self, name: str, key: str, value: Any, owner: Module) -> None:
        if isinstance(value, (Tensor, Module)):
            first = self._names.get(id(value))
            if first is not None:
                self.aliases[name] = first
                return
            self._names[id(value)] = name
        if isinstance(value, Tensor):
            self.slots.append(_Slot(name, value, owner, key, key in owner._buffers))
        elif isinstance(value, Module):
            self.modules.append((name, value))
            for k, part in value._members():
                self._visit(f"{name}.{k}" if name else k, k, part, value)
        elif isinstance(value, (list, tuple, dict)):
            for i, part in _items(value):
                self._visit(f"{name}.{i}", f"{key}.{i}", part, owner)


class _Reports(threading.local):
    """Who hears of the calls of modules on this thread, and the names of those modules."""

    held: _core._HeldModule | None = None
    names: dict[int, str] = {}


_reports = _Reports()


@contextlib.contextmanager
def reporting(held: _core._HeldModule, names: dict[int, str]) -> Iterator[None]:
    """Context manager: the extension hears of calls of these modules, so that it can name the one that made a NaN."""
    before = _reports.held, _reports.names
    _reports.held, _reports.names = held, names
    try:
        yield
    finally:
        _reports.held, _reports.names = before


_PLAIN = frozenset({bool, int, float, str, type(None)})  # what is neither a tensor nor a part, nor has one


class Module:
    """The base of all modules: a class with attributes and a function `forward`.

    Tensors among the attributes are parameters, unless register_buffer() made them; modules, and lists, tuples and dicts of modules
    or tensors, are parts. Attributes whose names start with an underscore are private. A module has Tensor objects of its own:
    assigning a tensor to a parameter replaces its value.

    >>> import tessera as ts
    >>> from tessera import nn
    >>> class Net(nn.Module):
    ...     def __init__(self, n):
    ...         self.up, self.down = nn.Linear(n, 4 * n), nn.Linear(4 * n, n)
    ...         self.scale = ts.ones(())
    ...     def forward(self, x):
    ...         return x + self.scale * self.down(ts.gelu(self.up(x)))
    >>> net = Net(2)
    >>> list(net.parameters())
    ['up.weight', 'up.bias', 'down.weight', 'down.bias', 'scale']
    >>> net(ts.zeros((3, 2))).shape
    (3, 2)
    """

    training: bool = True
    _frozen: frozenset[str] = frozenset()
    _buffers: frozenset[str] = frozenset()
    _checkpoint: bool = False  # calls are recomputed in the backward pass
    _watch: Any = None  # what summary() sees of calls
    _lora: tuple[float, float] | None = None  # scale and dropout of the adapter that lora() adds

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What a call of the module computes: a class defines it."""
        raise UnsupportedError(f"{type(self).__name__} has no function forward(); define it to call the module.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        held = _reports.held
        if held is not None and (name := _reports.names.get(id(self))) is not None:
            held.begin_call(name)
            try:
                return self._called(args, kwargs)
            finally:
                held.end_call()
        return self._called(args, kwargs)

    def _called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = self._recomputed(args, kwargs) if self._checkpoint else self.forward(*args, **kwargs)
        if self._watch is not None:
            self._watch.called(self, result)
        return result

    def _recomputed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from tessera._transforms import checkpoint_of_module

        tensors = [a for a in args if isinstance(a, Tensor)]

        def call(*given: Tensor) -> Any:
            rest = iter(given)
            return self.forward(*(next(rest) if isinstance(a, Tensor) else a for a in args), **kwargs)

        return checkpoint_of_module(self, call)(*tensors)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Tensor) and not name.startswith("_"):
            current = self.__dict__.get(name)
            if isinstance(current, Tensor):
                _core._nn_write(current, value, type(self).__name__, name)
                return
            value = value._copy()
        elif value is not None and isinstance(self.__dict__.get(name), Tensor):
            raise ArgumentTypeError(f"{type(self).__name__}: {value!r} of type {type(value).__name__} was assigned to '{name}', which "
                                    "is a tensor; a tensor or None is expected.")
        object.__setattr__(self, name, value)

    def register_buffer(self, name: str, tensor: Tensor | None) -> None:
        """Adds a tensor without gradients, such as a running mean: part of state_dict(), and not trained.

        >>> import tessera as ts
        >>> m = ts.nn.Module()
        >>> m.register_buffer("count", ts.zeros(()))
        >>> list(m.parameters()), list(m.buffers())
        ([], ['count'])
        """
        if tensor is not None and not isinstance(tensor, Tensor):
            raise ArgumentTypeError(f"register_buffer: {tensor!r} of type {type(tensor).__name__} was given for '{name}'; a tensor is "
                                    "expected.")
        object.__setattr__(self, "_buffers", self._buffers | {name})
        setattr(self, name, tensor)

    # ---- Members by name ----

    def _members(self) -> Iterator[tuple[str, Any]]:
        return ((k, v) for k, v in self.__dict__.items() if k[0] != "_" and type(v) not in _PLAIN)

    def _slots(self) -> list[_Slot]:
        return _Walk(self).slots

    def _entries(self, wanted: Callable[[_Slot], bool] = lambda s: True) -> tuple[str, list[tuple[str, Tensor, bool]]]:
        """For the extension: the class, and (name, tensor, is buffer) of each."""
        return type(self).__name__, [(s.name, s.tensor, s.buffer) for s in self._slots() if wanted(s)]

    def _gather(self, tensors: dict[int, Tensor], mode: list[Any], seen: set[int]) -> None:
        """What a compiled step asks for at every call: all tensors, each once, and what a trace depends on besides them."""
        if id(self) in seen:
            return
        seen.add(id(self))
        mode += (self.training, self._frozen, self._checkpoint)
        for _, value in self._members():
            _gather_value(value, tensors, mode, seen)

    def parameters(self) -> dict[str, Tensor]:
        """The parameters by name: the tensors themselves, which have new values after an update."""
        return {s.name: s.tensor for s in self._slots() if not s.buffer}

    def trainable_parameters(self) -> dict[str, Tensor]:
        """The parameters that are not frozen."""
        return {s.name: s.tensor for s in self._slots() if _trainable(s)}

    def buffers(self) -> dict[str, Tensor]:
        """State without gradients by name: running statistics, and what register_buffer() made."""
        return {s.name: s.tensor for s in self._slots() if s.buffer}

    def named_parameters(self) -> Iterator[tuple[str, Tensor]]:
        """The pairs of parameters()."""
        return iter(self.parameters().items())

    def parameter_count(self) -> int:
        """The number of elements of all parameters."""
        return sum(t.size for t in self.parameters().values())

    def named_modules(self) -> Iterator[tuple[str, Module]]:
        """The module itself, whose name is "", and all modules inside it."""
        return iter(_Walk(self).modules)

    def modules(self) -> Iterator[Module]:
        """The module itself and all modules inside it."""
        return (m for _, m in self.named_modules())

    def children(self) -> Iterator[Module]:
        """The modules that are parts of this one, without their own parts."""
        return (m for _, m in self._parts())

    def apply(self: _Self, function: Callable[[Module], Any]) -> _Self:
        """Calls function(module) with all modules inside it, then with the module itself."""
        for m in reversed(list(self.modules())):
            function(m)
        return self

    # ---- State ----

    def state_dict(self) -> dict[str, Tensor]:
        """Parameters and buffers by name, with PyTorch's names. The tensors keep their values when the module is trained on.

        >>> import tessera as ts
        >>> list(ts.nn.Sequential(ts.nn.Linear(2, 3), ts.nn.BatchNorm1d(3)).state_dict())[:3]
        ['0.weight', '0.bias', '1.weight']
        """
        return {s.name: s.tensor.detach() for s in self._slots()}

    def load_state_dict(self, state: Mapping[str, Any], strict: bool = True) -> LoadReport:
        """Replaces parameters and buffers, in the dtype and on the device of the module.

        If strict, a missing, unexpected or mismatched name is an Error that lists all of them, and nothing is replaced; else what
        matches is replaced.

        >>> import tessera as ts
        >>> layer = ts.nn.Linear(2, 1)
        >>> layer.load_state_dict({"weight": [[1., 2.]], "other": ts.zeros(1)}, strict=False)
        LoadReport(missing=['bias'], unexpected=['other'], mismatched=[])
        >>> layer.weight.tolist()
        [[1.0, 2.0]]
        """
        given = dict(state) if isinstance(state, Mapping) else state
        for alias, name in _Walk(self).aliases.items() if isinstance(given, dict) else ():
            for key in [k for k in given if k == alias or k.startswith(f"{alias}.")]:  # PyTorch lists what is shared under each name
                given.setdefault(name + key[len(alias):], given[key])
                del given[key]
        return LoadReport(*_core._nn_load(self._entries(), given, strict))

    def update(self, tensors: Mapping[str, Tensor]) -> None:
        """Replaces the tensors that are named; the others stay. Error for an unknown name or another shape."""
        _core._nn_update(self._entries(), dict(tensors) if isinstance(tensors, Mapping) else tensors)

    # ---- Modes ----

    def train(self: _Self, mode: bool = True) -> _Self:
        """Training mode of the module and all its parts: dropout and batch statistics. On at construction."""
        for m in self.modules():
            object.__setattr__(m, "training", bool(mode))
        return self

    def eval(self: _Self) -> _Self:
        """train(False)."""
        return self.train(False)

    def freeze(self: _Self, pattern: str = "*") -> _Self:
        """Excludes the parameters whose names match the pattern from training; '*' stands for any characters, '?' for one.

        >>> import tessera as ts
        >>> net = ts.nn.Sequential(ts.nn.Linear(2, 3), ts.nn.Linear(3, 1)).freeze("0.*")
        >>> list(net.trainable_parameters())
        ['1.weight', '1.bias']
        """
        return self._set_frozen(pattern, True)

    def unfreeze(self: _Self, pattern: str = "*") -> _Self:
        """The opposite of freeze(). Call optimizer.add(model) for parameters that were frozen when it was made."""
        return self._set_frozen(pattern, False)

    def _set_frozen(self: _Self, pattern: str, on: bool) -> _Self:
        slots = [s for s in self._slots() if not s.buffer]
        found = [s for s in slots if _core._nn_matches(pattern, s.name)]
        if not found:
            names = ", ".join([s.name for s in slots[:10]] + (["..."] if len(slots) > 10 else [])) or "none"
            raise ArgumentError(f"{type(self).__name__}.{'freeze' if on else 'unfreeze'}: no parameter matches '{pattern}'; the "
                                f"parameters are {names}.")
        for s in found:
            frozen = s.owner._frozen | {s.key} if on else s.owner._frozen - {s.key}
            object.__setattr__(s.owner, "_frozen", frozen)
        return self

    def checkpoint(self: _Self, pattern: str = "*", on: bool = True) -> _Self:
        """Gradient checkpointing: modules whose names match the pattern do not keep their intermediate values for the backward pass, which
        computes them again, with the same random numbers. Parts of a module that matches are recomputed with it; buffers are updated once.

        >>> import tessera as ts
        >>> net = ts.nn.Sequential(ts.nn.Linear(2, 3), ts.nn.Tanh(), ts.nn.Linear(3, 1)).checkpoint("0")
        >>> loss, gradients = ts.value_and_grad(net, lambda x: net(x).sum())(ts.zeros((1, 2)))
        """
        names = [(name, m) for name, m in self.named_modules() if name]
        inside = None
        for name, m in names:
            if (inside is None or not name.startswith(inside)) and _core._nn_matches(pattern, name):
                object.__setattr__(m, "_checkpoint", bool(on))
                inside = f"{name}."
        if inside is None:
            raise ArgumentError(f"{type(self).__name__}.checkpoint: no module matches '{pattern}'; "
                                + (f"the first is '{names[0][0]}'." if names else "there are none inside."))
        return self

    def to(self: _Self, target: Any = None, *, dtype: Any = None, device: Any = None) -> _Self:
        """Float parameters and buffers in another dtype, or all on another device: to(ts.float16), to("webgpu"), to(device=d).

        >>> import tessera as ts
        >>> ts.nn.Linear(2, 1).to(ts.float16).weight.dtype
        tessera.float16
        """
        if target is not None:
            if isinstance(target, Device) or isinstance(target, str) and not _is_dtype(target):
                device = target
            else:
                dtype = target
        if dtype is not None and _core._dtype(dtype).kind != "real floating":
            raise ArgumentTypeError(f"{type(self).__name__}.to: the dtype {_core._dtype(dtype)!r} was given; a float dtype is expected.")
        for s in self._slots():
            t = s.tensor
            if device is not None:
                t = t.to(device=device)
            if dtype is not None and t.dtype.kind == "real floating":
                t = t.astype(dtype)
            if t is not s.tensor:
                _core._nn_write(s.tensor, t.detach(), type(s.owner).__name__, s.key)
        return self

    # ---- Text ----

    def extra_repr(self) -> str:
        """What __repr__ shows between the parentheses, besides the parts."""
        return ""

    def _parts(self) -> Iterator[tuple[str, Module]]:
        for key, value in self._members():
            if isinstance(value, Module):
                yield key, value
            elif isinstance(value, (list, tuple, dict)):
                for k, part in _items(value):
                    if isinstance(part, Module):
                        yield f"{key}.{k}", part

    def _kind(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        lines = [f"({key}): {part!r}".replace("\n", "\n  ") for key, part in self._parts()]
        extra = self.extra_repr()
        if not lines:
            return f"{self._kind()}({extra})"
        return f"{self._kind()}(\n  " + "\n  ".join([extra] * bool(extra) + lines) + "\n)"


def _gather_value(value: Any, tensors: dict[int, Tensor], mode: list[Any], seen: set[int]) -> None:
    if type(value) is Tensor:
        tensors[id(value)] = value
    elif isinstance(value, Module):
        value._gather(tensors, mode, seen)
    elif isinstance(value, (list, tuple)):
        for part in value:
            _gather_value(part, tensors, mode, seen)
    elif isinstance(value, dict):
        for part in value.values():
            _gather_value(part, tensors, mode, seen)


def _trainable(s: _Slot) -> bool:
    return not s.buffer and s.key not in s.owner._frozen


def _is_dtype(text: str) -> bool:
    try:
        _core._dtype(text)
    except ArgumentTypeError:
        return False
    return True


def entries_of(target: Any, what: str, trainable: bool = False) -> tuple[str, list[tuple[str, Tensor, bool]]]:
    """The parameters of a module, or of a dict of tensors by name, as the extension takes them."""
    if isinstance(target, Module):
        return target._entries(_trainable if trainable else lambda s: not s.buffer)
    if isinstance(target, Mapping):
        for name, t in target.items():
            if not isinstance(t, Tensor):
                raise ArgumentTypeError(f"{what}: '{name}' is {t!r} of type {type(t).__name__}; a tensor is expected.")
        return "dict", [(str(name), t, False) for name, t in target.items()]
    raise ArgumentTypeError(f"{what}: {target!r} of type {type(target).__name__} was given; a Module, or a dict of tensors by name, is "
                            "expected.")
