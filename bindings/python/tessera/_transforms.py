"""Function transforms: gradients, compilation and checkpointing, over nested lists, tuples and dicts of tensors."""

from __future__ import annotations

import contextlib
import functools
import operator
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Sequence, overload

from tessera import _core
from tessera._core import Tensor
from tessera._errors import ArgumentError, ArgumentTypeError
from tessera._module import Module, _trainable
from tessera._tree import flatten, is_tensor, map_leaves, unflatten


def _positions(argnums: int | Sequence[int], count: int, what: str) -> list[int]:
    numbers = [argnums] if isinstance(argnums, int) else list(argnums)
    for n in numbers:
        if not -count <= n < count:
            raise ArgumentError(f"{what}: argument {n} was asked for, and {count} were given.")
    return [n % count for n in numbers]


def _check_leaves(leaves: list[Any], what: str) -> None:
    for leaf in leaves:
        if isinstance(leaf, Module) and what == "grad":
            raise ArgumentTypeError(f"grad: a {type(leaf).__name__} was given as an argument; pass the model before the function, which "
                                    "uses it: value_and_grad(model, f)(x, y).")
        if not is_tensor(leaf):
            raise ArgumentTypeError(f"{what}: {leaf!r} of type {type(leaf).__name__} was given; gradients are taken "
                                    "with respect to tensors, and lists, tuples and dicts of them.")


def _loss_of(result: Any, has_aux: bool, extra: list[Any]) -> Any:
    if has_aux:
        if not isinstance(result, tuple) or len(result) != 2:
            raise ArgumentError("grad: with has_aux the function gives a pair (value, anything else).")
        extra.append(result[1])
        result = result[0]
    if not is_tensor(result):
        raise ArgumentTypeError(f"grad: the function gave {result!r} of type {type(result).__name__}; a tensor "
                                "with a single number is expected.")
    return result


def _value_and_grad_of_model(model: Module, function: Any, has_aux: bool) -> Callable[..., Any]:
    if not callable(function) or isinstance(function, Module):
        raise ArgumentTypeError(f"value_and_grad: {function!r} was given as the function of the model's loss; a function is expected: "
                                "value_and_grad(model, lambda x, y: loss(model(x), y)).")

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        extra: list[Any] = []
        value, gradients = _core._nn_value_and_grad(model._entries(lambda s: s.buffer or _trainable(s)),
                                                    lambda: [_loss_of(function(*args, **kwargs), has_aux, extra)])
        if not has_aux:
            return value, gradients
        return (value, map_leaves(lambda x: x.detach() if is_tensor(x) else x, extra[0])), gradients

    return wrapped


@overload
def value_and_grad(function: Module, argnums: Callable[..., Any], has_aux: bool = False) -> Callable[..., Any]: ...
@overload
def value_and_grad(function: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]: ...
def value_and_grad(function: Any, argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the value of `function`, which must be a scalar, and its gradient.

    The gradient has the structure of the argument `argnums`: a tensor, or nested lists, tuples and dicts of them; a tuple for
    several arguments. With `has_aux` the function returns (value, aux), and the result is ((value, aux), gradient).

    value_and_grad(model, function) takes gradients with respect to the trainable parameters of a Module, which the function uses:
    a dict by name. Buffers that the function updates keep their new values.

    >>> import tessera as ts
    >>> model = ts.nn.Linear(2, 1, bias=False)
    >>> loss, gradients = ts.value_and_grad(model, lambda x: model(x).sum())(ts.array([[1., 2.]]))
    >>> gradients["weight"].tolist()
    [[1.0, 2.0]]
    >>> value, gradient = ts.value_and_grad(lambda w: (w["a"] * w["b"]).sum())({"a": ts.array([1., 2.]), "b": ts.array([3., 4.])})
    >>> value.item(), gradient["a"].tolist(), gradient["b"].tolist()
    (11.0, [3.0, 4.0], [1.0, 2.0])
    """
    if isinstance(function, Module):
        return _value_and_grad_of_model(function, argnums, has_aux)
    if not callable(function):
        raise ArgumentTypeError(f"grad: {function!r} was given; a function is expected.")

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if not args:
            raise ArgumentError("grad: the function was called without arguments; at least one tensor is expected.")
        chosen = _positions(argnums, len(args), "grad")
        leaves, structure = flatten([args[i] for i in chosen])
        _check_leaves(leaves, "grad")
        extra: list[Any] = []

        def flat(tensors: list[Tensor]) -> list[Tensor]:
            given = list(args)
            for i, part in zip(chosen, unflatten(structure, tensors)):
                given[i] = part
            return [_loss_of(function(*given, **kwargs), has_aux, extra)]

        value, gradients = _core._value_and_grad(flat, leaves)
        parts = unflatten(structure, gradients)
        gradient = parts[0] if isinstance(argnums, int) else tuple(parts)
        return ((value, extra[0]), gradient) if has_aux else (value, gradient)

    return wrapped


@overload
def grad(function: Module, argnums: Callable[..., Any], has_aux: bool = False) -> Callable[..., Any]: ...
@overload
def grad(function: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]: ...
def grad(function: Any, argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of `function`, like value_and_grad() without the value.

    >>> import tessera as ts
    >>> ts.grad(lambda x: (x ** 3).sum())(ts.array([1., 2.])).tolist()
    [3.0, 12.0]
    """
    both = value_and_grad(function, argnums, has_aux)

    @functools.wraps(both)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapped


def _flat_function(function: Callable[..., Any], structure: Any, seen: list[Any], what: str) -> Callable[..., Any]:
    def flat(tensors: list[Tensor]) -> list[Tensor]:
        leaves, form = flatten(function(*unflatten(structure, tensors)))
        for leaf in leaves:
            if not is_tensor(leaf):
                raise ArgumentTypeError(f"{what}: the function gave {leaf!r} of type {type(leaf).__name__}; tensors, and "
                                        "lists, tuples and dicts of them, are expected.")
        seen[:] = [form]
        return leaves

    return flat


def vjp(function: Callable[..., Any], primals: Sequence[Any], cotangents: Any) -> tuple[Any, Any]:
    """The result of function(*primals), and the gradients of sum(result * cotangents) with respect to each primal.

    >>> import tessera as ts
    >>> result, (gradient,) = ts.vjp(lambda x: x * x, [ts.array([1., 2.])], ts.array([1., 10.]))
    >>> result.tolist(), gradient.tolist()
    ([1.0, 4.0], [2.0, 40.0])
    """
    leaves, structure = flatten(tuple(primals))
    _check_leaves(leaves, "vjp")
    seen: list[Any] = []
    results, gradients = _core._vjp(_flat_function(function, structure, seen, "vjp"), leaves, flatten(cotangents)[0])
    return unflatten(seen[0], results), unflatten(structure, gradients)


def jvp(function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """The result of function(*primals), and its directional derivative along the tangents.

    >>> import tessera as ts
    >>> result, change = ts.jvp(lambda x: x * x, [ts.array([1., 2.])], [ts.array([1., 10.])])
    >>> change.tolist()
    [2.0, 40.0]
    """
    leaves, structure = flatten(tuple(primals))
    _check_leaves(leaves, "jvp")
    seen: list[Any] = []
    results, changes = _core._jvp(_flat_function(function, structure, seen, "jvp"), leaves, flatten(tuple(tangents))[0])
    return unflatten(seen[0], results), unflatten(seen[0], changes)


def checkpoint_of_module(module: Module, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with gradient checkpointing, which the parameters of the module are arguments of."""
    def wrapped(*args: Any) -> Any:
        slots = module._slots()
        parameters = [s.tensor for s in slots if not s.buffer]
        buffers = [s.tensor for s in slots if s.buffer]
        calls: list[int] = []

        def with_parameters(values: list[Tensor], given: tuple[Any, ...]) -> Any:
            before = _core._nn_exchange(parameters, values)
            kept = [b.detach() for b in buffers] if calls else []
            try:
                return function(*given)
            finally:
                _core._nn_exchange(parameters, before)
                _core._nn_exchange(buffers[:len(kept)], kept)  # running statistics count the forward pass only
                calls.append(1)

        return checkpoint(with_parameters)(_core._nn_exchange(parameters, parameters), args)

    return wrapped


def checkpoint(function: Callable[..., Any]) -> Callable[..., Any]:
    """Gradient checkpointing: intermediate values are not stored but recomputed in the backward pass.

    A function receives all variables as arguments; a Module brings its parameters along.

    >>> import tessera as ts
    >>> layer = ts.checkpoint(lambda x: ts.tanh(x) * 2)
    >>> ts.grad(lambda x: layer(x).sum())(ts.zeros(2)).tolist()
    [2.0, 2.0]
    >>> model = ts.nn.Sequential(ts.nn.Linear(2, 2), ts.nn.Tanh())
    >>> loss, gradients = ts.value_and_grad(model, lambda x: ts.checkpoint(model)(x).sum())(ts.zeros((1, 2)))
    >>> list(gradients)
    ['0.weight', '0.bias']
    """
    if isinstance(function, Module):
        return checkpoint_of_module(function, function)

    @functools.wraps(function)
    def wrapped(*args: Any) -> Any:
        leaves, structure = flatten(args)
        _check_leaves(leaves, "checkpoint")
        seen: list[Any] = []
        results = _core._checkpoint(_flat_function(function, structure, seen, "checkpoint"), leaves)
        return unflatten(seen[0], results)

    return wrapped


def custom_vjp(function: Callable[..., Any], gradient: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with a user-defined gradient: gradient(arguments, results, gradients) receives three lists of tensors and
    returns one gradient for each argument, or None if there is none.

    >>> import tessera as ts
    >>> clipped = ts.custom_vjp(lambda x: x * 1, lambda x, y, g: [ts.clip(g[0], -1, 1)])
    >>> ts.grad(lambda x: (clipped(x) * 5).sum())(ts.ones(2)).tolist()
    [1.0, 1.0]
    """

    @functools.wraps(function)
    def wrapped(*args: Any) -> Any:
        leaves, structure = flatten(args)
        _check_leaves(leaves, "custom_vjp")
        seen: list[Any] = []
        results = _core._custom_vjp(_flat_function(function, structure, seen, "custom_vjp"), gradient, leaves)
        return unflatten(seen[0], results)

    return wrapped


DynamicAxes = Mapping[int, "Mapping[int, str] | Sequence[int]"]


def _dynamic_axes(given: DynamicAxes | None) -> dict[int, list[tuple[int, str | None]]]:
    """By argument: the axes, with their names where they have one."""
    if given is None:
        return {}
    expected = "expected is {argument: {axis: name}} or {argument: [axis, ..]}, such as {0: {1: \"length\"}}"
    if not isinstance(given, Mapping):
        raise ArgumentTypeError(f"compile: dynamic_axes is {given!r} of type {type(given).__name__}; {expected}.")
    all_axes: dict[int, list[tuple[int, str | None]]] = {}
    for argument, axes in given.items():
        if not isinstance(axes, (Mapping, list, tuple)):
            raise ArgumentTypeError(f"compile: dynamic_axes has {axes!r} for argument {argument!r}; {expected}.")
        pairs: list[tuple[int, str | None]] = list(axes.items()) if isinstance(axes, Mapping) else [(axis, None) for axis in axes]
        for axis, name in pairs:
            if not all(isinstance(x, int) for x in (argument, axis)) or not (name is None or isinstance(name, str)):
                raise ArgumentTypeError(f"compile: dynamic_axes has {axes!r} for argument {argument!r}; {expected}.")
        all_axes[argument] = pairs
    return all_axes


class MemoryHolder(NamedTuple):
    """A tensor, or a buffer that several intermediate values share, with the kernel that writes the largest of them."""

    name: str
    kind: str
    bytes: int


class MemoryEstimate(NamedTuple):
    """The device memory of a compiled function in bytes; the largest holders first."""

    parameters: int
    optimizer: int
    arguments: int
    constants: int
    results: int
    intermediates: int
    peak: int
    holders: list[MemoryHolder]


class CompiledFunction:
    """The result of compile(): call it like the function. `traces` is the number of signatures traced for replay."""

    def __init__(self, function: Callable[..., Any], donate_argnums: Sequence[int], dynamic_axes: DynamicAxes | None = None,
                 state: Sequence[Any] = ()) -> None:
        self._function = function
        self._donate = tuple(donate_argnums)
        self._dynamic = _dynamic_axes(dynamic_axes)
        self._state = _State(state)
        if self._dynamic and self._state.parts():
            raise ArgumentError("compile: dynamic_axes and state were given; one of them is expected.")
        self._known: dict[Any, tuple[_core._Compiled | _core._CompiledStep, list[Any], dict[Any, Any]]] = {}
        functools.update_wrapper(self, function)

    @property
    def traces(self) -> int:
        return sum(c.traces for c, _, _ in list(self._known.values()))

    @property
    def kernel_count(self) -> int:
        """The number of kernels of all traces."""
        return sum(c.kernel_count for c, _, _ in list(self._known.values()))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        (compiled, seen, forms), tensors, dynamic = self._find(args, kwargs)
        results = compiled(tensors)
        # A size that the function was not called with has the form of the others.
        form = forms.get(tuple(x.shape for x in tensors), seen[0]) if dynamic else seen[0]
        return unflatten(form, results)

    def memory(self, *args: Any, **kwargs: Any) -> MemoryEstimate:
        """The device memory that a call with such arguments needs, by its plan: the function is traced, but not run.

        >>> import tessera as ts
        >>> model = ts.nn.Linear(64, 64)
        >>> f = ts.compile(lambda x: model(model(x)), state=[model])
        >>> estimate = f.memory(ts.zeros((128, 64)))
        >>> estimate.parameters, estimate.arguments, estimate.peak > 0
        (16640, 32768, True)
        """
        (compiled, _, _), tensors, _ = self._find(args, kwargs)
        holders = [MemoryHolder(name, kind, size) for name, kind, size in compiled.memory(tensors)]
        sums = {kind: sum(h.bytes for h in holders if h.kind == kind) for kind in MemoryEstimate._fields[:6]}
        return MemoryEstimate(**sums, peak=sum(sums.values()), holders=holders)

    def _find(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Tensor], list[tuple[int, int, str]]]:
        leaves, structure = flatten((args, kwargs))
        tensors = [x for x in leaves if is_tensor(x)]
        dynamic = self._axes(args) if self._dynamic else []
        try:
            signature = [(x.shape, x.dtype) for x in tensors]
            for i, axis, _ in dynamic:
                shape = list(signature[i][0])
                if -len(shape) <= axis < len(shape):
                    shape[axis] = -1
                signature[i] = (tuple(shape), signature[i][1])
            key = (structure, tuple(None if is_tensor(x) else (type(x), x) for x in leaves), tuple(signature),
                   self._state.mode())
            found = self._known.get(key)
        except TypeError:
            other = next(x for x in leaves if not is_tensor(x))
            raise ArgumentTypeError(f"compile: the argument {other!r} of type {type(other).__name__} is neither a tensor "
                                    "nor can it be a key; pass it as a tensor.") from None
        if found is None:
            self._state.check(leaves)
            found = self._known[key] = self._make(leaves, structure, args, dynamic)
        return found, tensors, dynamic

    def _axes(self, args: tuple[Any, ...]) -> list[tuple[int, int, str]]:
        """The dynamic axes of all tensors of an argument, by the position among the tensors of all."""
        found: list[tuple[int, int, str]] = []
        for argument, axes in self._dynamic.items():
            n, = _positions(argument, len(args), "compile: dynamic_axes")
            before = sum(map(is_tensor, flatten(args[:n])[0]))
            for i in range(before, before + sum(map(is_tensor, flatten(args[n])[0]))):
                found += [(i, axis, f"axis {axis} of tensor {i}" if name is None else name) for axis, name in axes]
        return found

    def _make(self, leaves: list[Any], structure: Any, args: tuple[Any, ...],
              dynamic: list[tuple[int, int, str]]) -> tuple[_core._Compiled | _core._CompiledStep, list[Any], dict[Any, Any]]:
        static = [None if is_tensor(x) else x for x in leaves]
        places = [i for i, x in enumerate(leaves) if is_tensor(x)]
        seen: list[Any] = []
        forms: dict[Any, Any] = {}
        function, state = self._function, self._state  # not self, which C++ would hold in a circle

        def flat(tensors: list[Tensor]) -> list[Tensor]:
            given = list(static)
            for i, t in zip(places, tensors):
                given[i] = t
            positional, named = unflatten(structure, given)
            with state.settled():
                results = _flat_function(lambda: function(*positional, **named), ("list", tuple, ()), seen, "compile")([])
            if dynamic:
                forms[tuple(x.shape for x in tensors)] = seen[0]
            return results

        donated: list[int] = []
        for n in _positions(self._donate, len(args), "compile") if self._donate else []:
            before = len([x for x in flatten(args[:n])[0] if is_tensor(x)])
            donated += range(before, before + len([x for x in flatten(args[n])[0] if is_tensor(x)]))
        if parts := self._state.parts():
            return _core._nn_compile(flat, parts, donated), seen, forms
        return _core._compile(flat, donated, dynamic), seen, forms


def _places(tree: Any) -> Iterator[tuple[Any, Any, Tensor]]:
    """The tensors that lists and dicts hold: (list or dict, key, tensor)."""
    items = tree._members() if isinstance(tree, Module) else tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(
        tree, (list, tuple)) else ()
    for key, value in items:
        if is_tensor(value):
            if isinstance(tree, (dict, list)):
                yield tree, key, value
        else:
            yield from _places(value)


_STATEFUL = (_core._Optimizer, _core._Ema, _core._LossScaler, _core._Accumulator, _core._Metric)  # held by the extension


class _State:
    """The state of a compiled step: modules and trees of tensors, which Python holds, and optimizers, which the extension holds."""

    def __init__(self, given: Any) -> None:
        if not isinstance(given, (list, tuple)):
            given = [given]
        self._modules = [x for x in given if isinstance(x, Module) and not isinstance(getattr(x, "_native", None), _core._Metric)]
        self._trees: list[Any] = []
        self._natives: list[Any] = []
        for x in given:
            native = getattr(x, "_native", None)
            if isinstance(native, _STATEFUL):
                self._natives.append(native)
            elif isinstance(x, Module):
                continue
            elif is_tensor(x) or isinstance(x, (dict, list, tuple)) and all(is_tensor(leaf) for leaf in flatten(x)[0]):
                self._trees.append(x)
            else:
                raise ArgumentTypeError(f"compile: {x!r} of type {type(x).__name__} was given in the state; modules, optimizers, Ema, scalers, metrics, "
                                        "and tensors or lists, tuples and dicts of them are expected.")
        self._gathered: list[Tensor] | None = None

    def check(self, arguments: list[Any]) -> None:
        """A module or an optimizer that is an argument must be state: else its tensors would be constants."""
        for x in arguments:
            known = any(x is m for m in self._modules) or any(getattr(x, "_native", None) is n for n in self._natives)
            if not known and (isinstance(x, Module) or isinstance(getattr(x, "_native", None), _STATEFUL)):
                raise ArgumentTypeError(f"compile: a {type(x).__name__} was given as an argument, and is not part of the state; its tensors "
                                        "would be constants. Pass it as state: compile(step, state=[model, optimizer]).")

    def parts(self) -> list[Any]:
        """As _core._nn_compile takes them."""
        return [(self._collect, self.names)] * bool(self._modules or self._trees) + self._natives

    def mode(self) -> tuple[Any, ...]:
        """What a trace depends on besides the tensors. Called before each call, which starts with the tensors found here."""
        if not self._modules and not self._trees:
            return ()
        tensors: dict[int, Tensor] = {}
        mode: list[Any] = []
        seen: set[int] = set()
        for m in self._modules:
            m._gather(tensors, mode, seen)
        for t in flatten(self._trees)[0]:
            tensors[id(t)] = t
        self._gathered = list(tensors.values())
        return tuple(mode)

    def names(self) -> list[str]:
        """Of the tensors that Python holds, in their order."""
        known = {id(s.tensor): s.name for m in self._modules for s in m._slots()}
        if self._gathered is None:
            self.mode()
        return [known.get(id(t), "state") for t in self._gathered or []]

    @contextlib.contextmanager
    def settled(self) -> Iterator[None]:
        """Tensors that the function puts into lists and dicts of the state become the values of those that were there."""
        places = [place for x in (*self._modules, *self._trees) for place in _places(x)]
        try:
            yield
            for holder, key, tensor in places:
                now: Any = holder.get(key) if isinstance(holder, dict) else holder[key] if key < len(holder) else None
                if is_tensor(now) and now is not tensor:
                    _core._nn_write(tensor, now, "compile", str(key))
        finally:
            for holder, key, tensor in places:
                if isinstance(holder, dict) or key < len(holder):
                    holder[key] = tensor

    def _collect(self) -> list[Tensor]:
        if self._gathered is None:
            self.mode()
        found, self._gathered = self._gathered, None
        return found or []


def compile(function: Callable[..., Any] | None = None, *, donate_argnums: int | Sequence[int] = (),  # noqa: A001
            dynamic_axes: DynamicAxes | None = None, state: Any = ()) -> Any:
    """The same function, traced once per signature of its arguments and then replayed.

    Tensors may change from call to call; numbers, strings and similar values are part of the signature. Captured tensors are
    constants, evaluated once; random numbers differ from call to call, as in the function itself. Inside grad(),
    if a tensor that requires a gradient is passed or captured, and inside another compiled function, the function itself
    is called. The results may reuse the buffers of arguments at `donate_argnums`: these have no value after the call.

    `dynamic_axes` has the axes whose sizes are not part of the signature, {argument: {axis: name}} or {argument: [axis, ..]};
    axes of one name have one size. The first call calls the function at about twenty sizes to find how its graph depends on
    them; other sizes then reuse that trace. Of an argument with several tensors, the axes are those of each.

    `state` lists what the function updates: modules, optimizers, Ema, dicts and lists of tensors (`params["w"] = w - g`), and tensors,
    which are written in place (`cache[...] = x`). Their tensors are arguments of the compiled function, donated, and have the results after the call; the function
    is traced again for other training modes and frozen parameters. Updating a module or an optimizer that is not listed is an Error.
    Calls of one function with state must not overlap.

    >>> import tessera as ts
    >>> model = ts.nn.Linear(2, 1)
    >>> optimizer = ts.optim.SGD(model, lr=0.1)
    >>> def train(x, y):
    ...     loss, gradients = ts.value_and_grad(model, lambda x, y: ((model(x) - y) ** 2).mean())(x, y)
    ...     optimizer.update(model, gradients)
    ...     return loss
    >>> step = ts.compile(train, state=[model, optimizer])
    >>> losses = [step(ts.eye(2), ts.ones((2, 1))).item() for _ in range(100)]
    >>> losses[-1] < 1e-3, step.traces
    (True, 1)
    >>> step = ts.compile(lambda w, g, rate: w - rate * g)
    >>> step(ts.ones(2), ts.ones(2), ts.array(0.5)).tolist(), step(ts.ones(2), ts.ones(2), ts.array(0.25)).tolist(), step.traces
    ([0.5, 0.5], [0.75, 0.75], 1)
    >>> total = ts.compile(lambda x, y: (x * y).sum(), dynamic_axes={0: {0: "n"}, 1: {0: "n"}})
    >>> [total(ts.ones(n), ts.ones(n)).item() for n in range(2, 7)], total.traces
    ([2.0, 3.0, 4.0, 5.0, 6.0], 1)
    """
    numbers = [donate_argnums] if isinstance(donate_argnums, int) else list(donate_argnums)
    if function is None:
        return lambda f: CompiledFunction(f, numbers, dynamic_axes, state)
    if not callable(function):
        raise ArgumentTypeError(f"compile: {function!r} was given; a function is expected.")
    return CompiledFunction(function, numbers, dynamic_axes, state)


def _check_carry(leaves: list[Any], what: str, which: str) -> None:
    for leaf in leaves:
        if not is_tensor(leaf):
            raise ArgumentTypeError(f"{what}: {leaf!r} of type {type(leaf).__name__} was given in {which}; tensors, and lists, "
                                    "tuples and dicts of them, are expected.")


def _returned(tree: Any, what: str, which: str) -> tuple[list[Any], Any]:
    leaves, structure = flatten(tree)
    for leaf in leaves:
        if not is_tensor(leaf):
            raise ArgumentTypeError(f"{what}: the function gave {leaf!r} of type {type(leaf).__name__} as {which}; tensors, and "
                                    "lists, tuples and dicts of them, are expected.")
    return leaves, structure


def _returned_carry(tree: Any, given: Any, structure: Any, what: str) -> list[Any]:
    leaves, form = _returned(tree, what, "carry")
    if form != structure:
        raise ArgumentError(f"{what}: the function gave the carry {_shown(tree)}; the structure of the given one is expected, "
                            f"{_shown(given)}.")
    return leaves


def _shown(tree: Any) -> str:
    """A structure in an error: tensors by dtype and shape."""
    if is_tensor(tree):
        return f"{tree.dtype}{list(tree.shape)}"
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{k!r}: {_shown(v)}" for k, v in tree.items()) + "}"
    if isinstance(tree, (list, tuple)):
        inner = ", ".join(_shown(x) for x in tree)
        return f"[{inner}]" if isinstance(tree, list) else f"({inner})"
    return repr(tree)


def scan(function: Callable[[Any, Any], tuple[Any, Any]], carry: Any, xs: Any = None, *, length: int | None = None,
         reverse: bool = False, checkpoint_every: int = 1, unroll: int = 1) -> tuple[Any, Any]:
    """Calls function(carry, x) for each x along the first axis of xs; returns the last carry and all ys along a new first axis.

    The function returns (carry, y): the carry for the next step, of the same structure, shapes and dtypes, and the result of
    this step, or None. carry, xs and y are tensors, or nested lists, tuples and dicts of them. The function is called once, on
    tensors without values, and its plan is replayed for each step; what it captures is constant. Random numbers differ from step
    to step. Gradients pass to carry, xs and everything that the function captures. The backward pass needs the carry before each
    step: with `checkpoint_every=k` only every k-th one is kept, and the others are computed again. `unroll` is the number of steps
    in one plan, and so of calls of the function; 0 means all, as a graph. Inside compile() and inside another scan the function
    is called for each step and becomes part of the surrounding graph.

    >>> import tessera as ts
    >>> total, sums = ts.scan(lambda c, x: (c + x, c + x), ts.zeros(()), ts.array([1., 2., 3.]))
    >>> total.item(), sums.tolist()
    (6.0, [1.0, 3.0, 6.0])
    >>> w = ts.array(0.5)
    >>> ts.grad(lambda w: ts.scan(lambda c, x: (c * w + x, None), ts.zeros(()), ts.array([1., 2., 3.]))[0])(w).item()
    3.0
    """
    if not callable(function):
        raise ArgumentTypeError(f"scan: {function!r} was given; a function is expected.")
    carry_leaves, carry_form = flatten(carry)
    x_leaves, x_form = flatten(xs)
    _check_carry(carry_leaves, "scan", "carry")
    _check_carry(x_leaves, "scan", "xs")
    seen: list[Any] = []

    def flat(state: list[Tensor], x: list[Tensor]) -> list[Tensor]:
        result = function(unflatten(carry_form, state), unflatten(x_form, x))
        if not isinstance(result, tuple) or len(result) != 2:
            size = f" of {len(result)}" if isinstance(result, (list, tuple, dict)) else ""
            raise ArgumentError(f"scan: the function gave a {type(result).__name__}{size}; a pair (carry, y) is expected.")
        state_leaves = _returned_carry(result[0], carry, carry_form, "scan")
        leaves, form = _returned(result[1], "scan", "y")
        seen[:] = [form]
        return state_leaves + leaves

    last, ys = _core._scan(flat, carry_leaves, x_leaves, length, reverse, checkpoint_every, unroll)
    return unflatten(carry_form, last), unflatten(seen[0], ys)


def loop(n: int | Tensor, function: Callable[[Tensor, Any], Any], carry: Any, *, checkpoint_every: int = 1,
         unroll: int = 1) -> Any:
    """The carry after n steps of carry = function(step, carry); like scan() otherwise.

    `step` is a tensor with the number of the step, from 0 on. If n is a tensor, a single integer, its value is read.

    >>> import tessera as ts
    >>> ts.loop(4, lambda step, c: c * 2 + step, ts.array([0, 1])).tolist()
    [11, 27]
    """
    if not callable(function):
        raise ArgumentTypeError(f"loop: {function!r} was given; a function is expected.")
    leaves, form = flatten(carry)
    _check_carry(leaves, "loop", "carry")

    def flat(step: list[Tensor], state: list[Tensor]) -> list[Tensor]:
        return _returned_carry(function(step[0], unflatten(form, state)), carry, form, "loop")

    try:
        steps = n if is_tensor(n) else operator.index(n)
    except TypeError:
        raise ArgumentTypeError(f"loop: {n!r} of type {type(n).__name__} was given as the number of steps; an integer, or a "
                                "tensor with one, is expected.") from None
    return unflatten(form, _core._loop(steps, flat, leaves, checkpoint_every, unroll))


@contextlib.contextmanager
def no_grad() -> Iterator[None]:
    """Disables gradient tracking on the current thread; a context manager and a decorator.

    >>> import tessera as ts
    >>> w = ts.array([1., 2.], requires_grad=True)
    >>> with ts.no_grad():
    ...     w -= 0.5
    >>> w.tolist(), w.requires_grad
    ([0.5, 1.5], True)
    """
    held = _core._no_grad()
    _core._untracked(True)
    try:
        yield
    finally:
        _core._untracked(False)
        del held


class autocast(contextlib.ContextDecorator):  # noqa: N801
    """Mixed precision: matmuls, convolutions and attention compute in `dtype`, float16 or bfloat16, and sums, norms, losses, softmax and
    exponentials in float32; a context manager and a decorator, for the current thread.

    Parameters stay float32, and so do their gradients. `enabled=False` disables the scope around it. A backward pass has the dtypes of
    its forward pass, whatever scope is active. With float16, use optim.LossScaler.

    >>> import tessera as ts
    >>> x = ts.ones((2, 2))
    >>> with ts.autocast(ts.float16):
    ...     y = x @ x
    ...     z = ts.softmax(y)
    >>> y.dtype, z.dtype
    (tessera.float16, tessera.float32)
    """

    def __init__(self, dtype: Any, enabled: bool = True) -> None:
        self._dtype = _core._dtype(dtype)
        if self._dtype not in (_core._dtype("float16"), _core._dtype("bfloat16")):
            raise ArgumentTypeError(f"autocast: the dtype {self._dtype!r} was given; float16 or bfloat16 is expected.")
        self._enabled = bool(enabled)
        self._held: list[Any] = []

    def __enter__(self) -> autocast:
        self._held.append(_core._autocast(self._dtype if self._enabled else None))
        return self

    def __exit__(self, *error: Any) -> None:
        self._held.pop()
