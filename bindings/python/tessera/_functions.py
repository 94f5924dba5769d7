"""Functions of the array API standard that differ from the engine's ops in arguments or results."""

from __future__ import annotations

import builtins
import math
from typing import Any, NamedTuple, Sequence

from tessera import _core, _creation
from tessera._core import DType, Tensor, ops
from tessera._creation import _COMPLEX, _FLOATS, _bool, _f32, _f64, _i8, _i16, _i32, _integers, _is_integer, _same, _tensor, _u8, _u16, _u32, nan, zeros_like
from tessera._errors import ArgumentError, DTypeError, IndexError, ShapeError
from tessera._types import DTypeLike, TensorLike

# ---- Elementwise functions under the standard's names ----

def clip(x: TensorLike, /, min: Any = None, max: Any = None) -> Tensor:
    """Limits the elements to the range from `min` to `max`; either may be omitted.

    >>> import tessera as ts
    >>> ts.clip(ts.array([-2., 0.5, 9.]), 0, 1).tolist()
    [0.0, 0.5, 1.0]
    """
    x = _tensor(x)
    if min is None and max is None:
        return _same(x)
    out = ops.clip(x, min, max)
    return out if out.dtype == x.dtype else out._astype(x.dtype)


def _logical_type(x: TensorLike, what: str) -> Tensor:
    x = _tensor(x)
    if x.dtype in _FLOATS + _COMPLEX:
        raise DTypeError(f"{what}: the type {x.dtype.name} was given; integers or bool are expected.")
    return x


def bitwise_invert(x: TensorLike, /) -> Tensor:
    """Inverts every bit; for bool, logical not."""
    x = _logical_type(x, "bitwise_invert")
    return ops.logical_not(x) if x.dtype == _bool else ops.bitwise_not(x)


def copysign(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """x1 with the signs of x2.

    >>> import tessera as ts
    >>> ts.copysign(ts.array([1., 2.]), ts.array([-0., 1.])).tolist()
    [-1.0, 2.0]
    """
    x1, x2 = _tensor(x1), _tensor(x2)
    common = _core._promote(x1.dtype, x2.dtype)
    return ops.copysign(x1 if x1.dtype == common else x1._astype(common), x2 if x2.dtype == common else x2._astype(common))


def pow(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """x1 to the power of x2."""
    return ops.power(x1, x2)


def bitwise_left_shift(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The bits of x1 shifted left by x2."""
    return ops.left_shift(x1, x2)


def bitwise_right_shift(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The bits of x1 shifted right by x2."""
    return ops.right_shift(x1, x2)


# ---- Reductions ----

def _sum_type(x: Tensor) -> DType:
    if x.dtype in (_bool, _i8, _i16):
        return _i32
    if x.dtype in (_u8, _u16):
        return _u32
    return _f32 if _core._autocasting() and x.dtype.kind == "real floating" and x.dtype.itemsize == 2 else x.dtype


def _axes(axis: Any, rank: int) -> Any:
    """None: all. An empty tuple reduces nothing, which the engine would take for all."""
    return None if axis is None else [axis] if isinstance(axis, int) else _integers(axis, "axis", "axis")


def _reduction(name: str, text: str, widen: builtins.bool) -> Any:
    op = getattr(ops, name)

    def function(x: TensorLike, /, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None,
                 keepdims: builtins.bool = False) -> Tensor:
        x = _tensor(x)
        own = x.dtype
        if isinstance(dtype, builtins.bool):  # sum(x, axis, keepdims), as PyTorch and MLX have it
            keepdims, dtype = dtype, None
        if dtype is None and (own is _f32 or own is _f64) and axis != ():
            return op(x, axis, keepdims)  # what most calls are
        target = _core._dtype(dtype) if dtype is not None else _sum_type(x) if widen else None
        if target is not None and target != own:
            x = x._astype(target)
        axes = _axes(axis, x.ndim)
        out = _same(x) if axes == [] else op(x, axes, keepdims)
        return out if target is None or out.dtype == target else out._astype(target)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


sum = _reduction("sum", "The sum over all axes, or those of `axis`; small integers accumulate in 32 bits.", True)
prod = _reduction("prod", "The product over all axes, or those of `axis`; small integers in 32 bits.", True)


def _plain(name: str, text: str) -> Any:
    op = getattr(ops, name)

    def function(x: TensorLike, /, axis: int | Sequence[int] | None = None, keepdims: builtins.bool = False) -> Tensor:
        x = _tensor(x)
        axes = _axes(axis, x.ndim)
        if axes == []:
            return x._astype(_bool) if name in ("any", "all") else _same(x)
        return op(x, axes, keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


mean = _plain("mean", "The mean over all axes, or those of `axis`.")
max = _plain("max", "The largest element over all axes, or those of `axis`; NaN if there is one.")
min = _plain("min", "The smallest element over all axes, or those of `axis`; NaN if there is one.")
all = _plain("all", "Whether all elements are true, over all axes or those of `axis`.")
any = _plain("any", "Whether an element is true, over all axes or those of `axis`.")


def _spread(op: Any, x: TensorLike, axis: Any, correction: float, keepdims: builtins.bool) -> Tensor:
    x = _tensor(x)
    axes = _axes(axis, x.ndim)
    if axes == []:
        return zeros_like(x)
    if correction == int(correction):
        return op(x, axes, keepdims, int(correction))
    count = math.prod(x.shape if axes is None else [x.shape[a] for a in axes])
    variance = ops.var(x, axes, keepdims, 0) * (count / builtins.max(count - correction, 0)) if count > correction else (
        ops.var(x, axes, keepdims, 0) * nan)
    return variance if op is ops.var else ops.sqrt(variance)


def var(x: TensorLike, /, axis: int | Sequence[int] | None = None, correction: float = 0.0,
        keepdims: builtins.bool = False) -> Tensor:
    """The variance; the divisor is the number of elements minus `correction`.

    >>> import tessera as ts
    >>> ts.var(ts.array([1., 2., 3.]), correction=1).item()
    1.0
    """
    return _spread(ops.var, x, axis, correction, keepdims)


def std(x: TensorLike, /, axis: int | Sequence[int] | None = None, correction: float = 0.0,
        keepdims: builtins.bool = False) -> Tensor:
    """The square root of the variance.

    >>> import tessera as ts
    >>> ts.std(ts.array([1., 3.])).item()
    1.0
    """
    return _spread(ops.stddev, x, axis, correction, keepdims)


def count_nonzero(x: TensorLike, /, axis: int | Sequence[int] | None = None, keepdims: builtins.bool = False) -> Tensor:
    """The number of nonzero elements.

    >>> import tessera as ts
    >>> ts.count_nonzero(ts.array([0, 3, 4])).item()
    2
    """
    return sum(_tensor(x)._astype(_bool)._astype(_i32), axis=axis, keepdims=keepdims)


def argmax(x: TensorLike, /, axis: int | None = None, keepdims: builtins.bool = False) -> Tensor:
    """The index of the largest element, along an axis or of the flattened tensor: int32."""
    return ops.argmax(x, axis, keepdims)


def argmin(x: TensorLike, /, axis: int | None = None, keepdims: builtins.bool = False) -> Tensor:
    """The index of the smallest element, along an axis or of the flattened tensor: int32."""
    return ops.argmin(x, axis, keepdims)


def _cumulative(name: str) -> Any:
    op = getattr(ops, {"cumulative_sum": "cumsum", "cumulative_prod": "cumprod"}[name])

    def function(x: TensorLike, /, axis: int | None = None, dtype: DTypeLike | None = None,
                 include_initial: builtins.bool = False) -> Tensor:
        x = _tensor(x)
        if axis is None:
            if x.ndim != 1:
                raise ArgumentError(f"{name}: no axis was given for a tensor of rank {x.ndim}; with rank 1 it may be left out.")
            axis = 0
        target = _core._dtype(dtype) if dtype is not None else _sum_type(x)
        if target != x.dtype:
            x = x._astype(target)
        out = op(x, axis)
        if out.dtype != target:
            out = out._astype(target)
        if not include_initial:
            return out
        shape = list(x.shape)
        shape[axis] = 1
        first = ops.full(shape, 0 if name == "cumulative_sum" else 1, target, x.device)
        return ops.concat([first, out], axis)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "The sums of all elements up to each one." if name == "cumulative_sum" else (
        "The products of all elements up to each one.")
    return function


cumulative_sum = _cumulative("cumulative_sum")
cumulative_prod = _cumulative("cumulative_prod")


def diff(x: TensorLike, /, n: int = 1, axis: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
    """The n-th differences of adjacent elements along an axis.

    >>> import tessera as ts
    >>> ts.diff(ts.array([1, 4, 9])).tolist()
    [3, 5]
    """
    x = _tensor(x)
    parts = [p for p in (prepend, x, append) if p is not None]
    if len(parts) > 1:
        x = ops.concat(parts, axis)
    for _ in range(n):
        size = x.shape[axis]
        last = [slice(None)] * x.ndim
        first = [slice(None)] * x.ndim
        last[axis], first[axis] = slice(1, None), slice(0, builtins.max(size - 1, 0))
        a, b = x[tuple(last)], x[tuple(first)]
        x = ops.not_equal(a, b) if x.dtype == _bool else a - b
    return x


# ---- Shapes ----

def reshape(x: TensorLike, /, shape: int | Sequence[int], *, copy: builtins.bool | None = None) -> Tensor:
    """The same elements with another shape, in which one size may be -1.

    >>> import tessera as ts
    >>> ts.reshape(ts.arange(4), (2, -1)).tolist()
    [[0, 1], [2, 3]]
    """
    return ops.reshape(x, shape)


def permute_dims(x: TensorLike, /, axes: Sequence[int]) -> Tensor:
    """Permutes the axes."""
    order = _integers(axes, "permute_dims", "axes")
    x = _tensor(x)
    return ops.permute(x, order) if order or x.ndim else _same(x)


def transpose(x: TensorLike, /, *order: Any, axes: Sequence[int] | None = None, a: int | None = None, b: int | None = None) -> Tensor:
    """Swaps the last two axes, or the two given axes: transpose(x, 0, 2), as in PyTorch. With a tuple, or three or more axes,
    permutes all axes, as in NumPy: transpose(x, (2, 0, 1)).

    >>> import tessera as ts
    >>> x = ts.zeros((2, 3, 4))
    >>> ts.transpose(x).shape, ts.transpose(x, 0, 1).shape, ts.transpose(x, (2, 0, 1)).shape
    ((2, 4, 3), (3, 2, 4), (4, 2, 3))
    """
    if axes is not None:
        if order or a is not None or b is not None:
            raise ArgumentError("transpose: axes were given twice.")
        return permute_dims(x, axes)
    if len(order) > 2 or (len(order) == 1 and not _is_integer(order[0])):
        if a is not None or b is not None:
            raise ArgumentError("transpose: axes were given twice.")
        return permute_dims(x, order[0] if len(order) == 1 else order)
    first = order[0] if order else -2 if a is None else a
    second = order[1] if len(order) > 1 else -1 if b is None else b
    return ops.transpose(x, first, second)


def matrix_transpose(x: TensorLike, /) -> Tensor:
    """The last two axes swapped."""
    x = _tensor(x)
    if x.ndim < 2:
        raise ShapeError(f"matrix_transpose: the tensor has rank {x.ndim}; at least 2 is expected.")
    return ops.transpose(x)


def moveaxis(x: TensorLike, source: int | Sequence[int], destination: int | Sequence[int], /) -> Tensor:
    """Moves axes to other positions; the others keep their order.

    >>> import tessera as ts
    >>> ts.moveaxis(ts.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    x = _tensor(x)
    moved, places = _integers(source, "moveaxis", "source"), _integers(destination, "moveaxis", "destination")
    if len(moved) != len(places):
        raise ArgumentError(f"moveaxis: {len(moved)} axes were given for {len(places)} places.")
    for a in moved + places:
        if not -x.ndim <= a < x.ndim:
            raise ShapeError(f"moveaxis: axis {a} is out of range for a tensor of rank {x.ndim}.")
    moved, places = [a % x.ndim for a in moved], [a % x.ndim for a in places]
    if len(set(moved)) != len(moved) or len(set(places)) != len(places):
        raise ArgumentError("moveaxis: an axis was given twice.")
    order = [a for a in range(x.ndim) if a not in moved]
    for place, a in sorted(zip(places, moved)):
        order.insert(place, a)
    return permute_dims(x, order)


def expand_dims(x: TensorLike, /, axis: int | Sequence[int] = 0) -> Tensor:
    """Adds an axis of size 1 at a position, or several; positions refer to the result."""
    x = _tensor(x)
    if not isinstance(axis, int):
        places = _integers(axis, "expand_dims", "axis")
        rank = x.ndim + len(places)
        for a in places:
            if not -rank <= a < rank:
                raise IndexError(f"expand_dims: axis {a} was given for a result of rank {rank}; from {-rank} to {rank - 1} is expected.")
        places = sorted(a % rank if rank else a for a in places)
        if len(set(places)) != len(places):
            raise ArgumentError("expand_dims: an axis was given twice.")
        for a in places:
            x = ops.expand_dims(x, a)
        return x
    if not -x.ndim - 1 <= axis <= x.ndim:
        raise IndexError(f"expand_dims: axis {axis} was given for a tensor of rank {x.ndim}; from {-x.ndim - 1} to {x.ndim} is expected.")
    return ops.expand_dims(x, axis)


def squeeze(x: TensorLike, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """Removes axes of size 1; with `axis` only those, which must have size 1."""
    x = _tensor(x)
    axes = _axes(axis, x.ndim)
    return _same(x) if axes == [] else ops.squeeze(x, axes)


def flip(x: TensorLike, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """The elements in reverse order along all axes, or those of `axis`."""
    x = _tensor(x)
    axes = _axes(axis, x.ndim)
    return _same(x) if axes == [] or x.ndim == 0 else ops.flip(x, axes)


def roll(x: TensorLike, /, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> Tensor:
    """Rolls elements along axes; elements shifted past the end reappear at the start."""
    x = _tensor(x)
    shifts = _integers(shift, "roll", "shift")
    if axis is None:
        return ops.reshape(ops.roll(ops.reshape(x, (-1,)), builtins.sum(shifts), 0), x.shape) if x.size else x
    axes = _integers(axis, "roll", "axis")
    shifts = shifts * len(axes) if len(shifts) == 1 else shifts
    if len(shifts) != len(axes):
        raise ArgumentError(f"roll: {len(shifts)} shifts were given for {len(axes)} axes.")
    for s, a in zip(shifts, axes):
        x = ops.roll(x, s, a)
    return x


def concat(arrays: Sequence[TensorLike], /, axis: int | None = 0) -> Tensor:
    """Concatenates tensors along an axis; with axis=None they are flattened first.

    >>> import tessera as ts
    >>> ts.concat([ts.ones(1), ts.zeros(2)]).tolist()
    [1.0, 0.0, 0.0]
    """
    parts = [_tensor(a) for a in arrays]
    if axis is None:
        parts, axis = [ops.reshape(p, (-1,)) for p in parts], 0
    return ops.concat(parts, axis)


def stack(arrays: Sequence[TensorLike], /, axis: int = 0) -> Tensor:
    """Stacks tensors of one shape along a new axis."""
    return ops.stack([_tensor(a) for a in arrays], axis)


def unstack(x: TensorLike, /, axis: int = 0) -> tuple[Tensor, ...]:
    """Splits a tensor along an axis into a tuple of tensors.

    >>> import tessera as ts
    >>> [t.tolist() for t in ts.unstack(ts.array([[1, 2], [3, 4]]), axis=1)]
    [[1, 3], [2, 4]]
    """
    x = _tensor(x)
    if not -x.ndim <= axis < x.ndim:
        raise ShapeError(f"unstack: axis {axis} is out of range for a tensor of rank {x.ndim}.")
    key = (slice(None),) * (int(axis) % x.ndim)
    return tuple(x[(*key, i)] for i in range(x.shape[axis]))


def tile(x: TensorLike, repetitions: int | Sequence[int], /) -> Tensor:
    """Repeats the whole tensor along each axis."""
    x = _tensor(x)
    times = _integers(repetitions, "tile", "repetitions")
    if len(times) < x.ndim:
        times = [1] * (x.ndim - len(times)) + times
    x = ops.reshape(x, [1] * (len(times) - x.ndim) + list(x.shape))
    if 0 in times or x.size == 0:
        return ops.zeros([a * b for a, b in zip(x.shape, times)], x.dtype, x.device)
    return ops.tile(x, times) if times else x


def repeat(x: TensorLike, repeats: int | TensorLike, /, axis: int | None = None) -> Tensor:
    """Repeats each element; `repeats` may be a tensor with a count per element.

    >>> import tessera as ts
    >>> ts.repeat(ts.array([1, 2]), 2).tolist(), ts.repeat(ts.array([1, 2]), ts.array([0, 3])).tolist()
    ([1, 1, 2, 2], [2, 2, 2])
    """
    x = _tensor(x)
    if axis is None:
        x, axis = ops.reshape(x, (-1,)), 0
    if isinstance(repeats, int):
        if repeats == 0 or x.size == 0:
            shape = list(x.shape)
            shape[axis] *= repeats
            return ops.zeros(shape, x.dtype, x.device)
        return ops.repeat(x, repeats, axis)
    counts = _integers(repeats, "repeat", "repeats")
    if builtins.any(n < 0 for n in counts):
        raise ArgumentError(f"repeat: the count {builtins.min(counts)} was given; at least 0 is expected.")
    if len(counts) == 1:
        return repeat(x, counts[0], axis=axis)
    if len(counts) != x.shape[axis]:
        raise ShapeError(f"repeat: {len(counts)} counts were given for an axis of size {x.shape[axis]}.")
    places = [i for i, n in enumerate(counts) for _ in range(n)]
    return ops.take(x, _core._array(places, _i32, x.device), axis)


def pad(x: TensorLike, pad_width: Any, constant_value: TensorLike = 0) -> Tensor:
    """Pads the axes: a pair (before, after) for each, one pair for all, or one number for all ends.

    >>> import tessera as ts
    >>> ts.pad(ts.array([1, 2]), [(1, 2)]).tolist(), ts.pad(ts.array([1, 2]), 1).tolist(), ts.pad(ts.array([1, 2]), (0, 1)).tolist()
    ([0, 1, 2, 0, 0], [0, 1, 2, 0], [1, 2, 0])
    """
    x = _tensor(x)
    width = pad_width.tolist() if hasattr(pad_width, "tolist") else pad_width
    if _is_integer(width):
        width = [(width, width)] * x.ndim
    elif isinstance(width, (list, tuple)) and len(width) == 2 and builtins.all(map(_is_integer, width)):
        width = [tuple(width)] * x.ndim
    elif isinstance(width, (list, tuple)) and len(width) == 1 and isinstance(width[0], (list, tuple)):
        width = [tuple(width[0])] * x.ndim
    return ops.pad(x, width, constant_value)


def broadcast_arrays(*arrays: TensorLike) -> list[Tensor]:
    """Broadcasts all of them to their common shape.

    >>> import tessera as ts
    >>> [x.shape for x in ts.broadcast_arrays(ts.zeros((3, 1)), ts.zeros(2))]
    [(3, 2), (3, 2)]
    """
    tensors = [_tensor(a) for a in arrays]
    shape: list[int] = []
    for t in tensors:
        for i in range(1, t.ndim + 1):
            if i > len(shape):
                shape.insert(0, t.shape[-i])
            elif shape[-i] == 1:
                shape[-i] = t.shape[-i]
            elif t.shape[-i] not in (1, shape[-i]):
                raise ShapeError(f"broadcast_arrays: the shapes {', '.join(str(t.shape) for t in tensors)} do not go together.")
    return [ops.broadcast_to(t, shape) for t in tensors]


# ---- Searching, sorting and sets ----

def nonzero(x: TensorLike, /) -> tuple[Tensor, ...]:
    """The coordinates of nonzero elements, one tensor per axis.

    >>> import tessera as ts
    >>> [i.tolist() for i in ts.nonzero(ts.array([[0, 5], [6, 0]]))]
    [[0, 1], [1, 0]]
    """
    x = _tensor(x)
    if x.ndim == 0:
        raise ShapeError("nonzero: a tensor of rank 0 was given; at least one axis is expected.")
    return unstack(ops.nonzero(x), axis=1)


def searchsorted(x1: TensorLike, x2: TensorLike, /, *, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    """The index at which each element of x2 would be inserted into the sorted x1: before equal elements, or after them with side="right".

    >>> import tessera as ts
    >>> ts.searchsorted(ts.array([1, 2, 2, 3]), ts.array([2]), side="right").tolist()
    [3]
    """
    if side not in ("left", "right"):
        raise ArgumentError(f"searchsorted: side is '{side}'; 'left' or 'right' is expected.")
    x1, x2 = _tensor(x1), _tensor(x2)
    if sorter is not None:
        x1 = ops.take(x1, sorter, 0)
    common = _core._promote(x1.dtype, x2.dtype)
    x1 = x1 if x1.dtype == common else x1._astype(common)
    x2 = x2 if x2.dtype == common else x2._astype(common)
    return ops.reshape(ops.searchsorted(x1, ops.reshape(x2, (-1,)), side == "right"), x2.shape)


def argsort(x: TensorLike, /, axis: int | None = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    """The indices that sort an axis: int32. With axis=None, of the flattened tensor."""
    return ops.argsort(ops.reshape(x, (-1,)) if axis is None else x, -1 if axis is None else axis, descending, stable)


def sort(x: TensorLike, /, axis: int | None = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    """The sorted elements of an axis; the sort is stable, and NaN is larger than all numbers. With axis=None, of the flattened tensor."""
    return ops.sort(ops.reshape(x, (-1,)) if axis is None else x, -1 if axis is None else axis, descending)


class UniqueAll(NamedTuple):
    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    values: Tensor
    inverse_indices: Tensor


def unique_all(x: TensorLike, /) -> UniqueAll:
    """The sorted unique values, the index of their first occurrence, the inverse indices, and the counts."""
    x = _tensor(x)
    shape = x.shape
    found = ops.unique(x)
    inverse = ops.reshape(found.inverse, shape)
    # The first place of each value: the smallest place that has it.
    places = ops.arange(0, x.size, 1, _i32, x.device)
    first = ops.scatter(ops.full((found.values.size,), x.size, _i32, x.device), ops.reshape(found.inverse, (-1,)), places, 0,
                        "min") if x.size else found.counts
    return UniqueAll(found.values, first, inverse, found.counts)


def unique_counts(x: TensorLike, /) -> UniqueCounts:
    """The sorted unique values and their counts."""
    found = ops.unique(_tensor(x))
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: TensorLike, /) -> UniqueInverse:
    """The sorted unique values and the inverse indices."""
    x = _tensor(x)
    found = ops.unique(x)
    return UniqueInverse(found.values, ops.reshape(found.inverse, x.shape))


def unique_values(x: TensorLike, /) -> Tensor:
    """The sorted unique values.

    >>> import tessera as ts
    >>> ts.unique_values(ts.array([3, 1, 3])).tolist()
    [1, 3]
    """
    return ops.unique(_tensor(x)).values


# ---- Contractions ----

def vecdot(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Dot products of vectors along an axis, with x1 conjugated; the other axes broadcast.

    >>> import tessera as ts
    >>> ts.vecdot(ts.array([1., 2.]), ts.array([3., 4.])).item()
    11.0
    """
    x1, x2 = _tensor(x1), _tensor(x2)
    if x1.ndim == 0 or x2.ndim == 0 or x1.shape[axis] != x2.shape[axis]:
        raise ShapeError(f"vecdot: the axis {axis} of shapes {x1.shape} and {x2.shape} has no equal sizes.")
    result = ops.sum(ops.conj(x1) * x2, [axis], False)
    common = _core._promote(x1.dtype, x2.dtype)
    return result if result.dtype == common else result._astype(common)


def tensordot(x1: TensorLike, x2: TensorLike, /, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Tensor:
    """Tensor contraction over the last axes of x1 and the first of x2, or over the two lists of axes.

    >>> import tessera as ts
    >>> ts.tensordot(ts.ones((2, 3)), ts.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    if not isinstance(axes, (list, tuple)):
        return ops.tensordot(x1, x2, _integers(axes, "tensordot", "axes")[0])
    if len(axes) != 2:
        raise ArgumentError(f"tensordot: {len(axes)} lists of axes were given; two are expected.")
    return ops.tensordot(x1, x2, _integers(axes[0], "tensordot", "axes"), _integers(axes[1], "tensordot", "axes"))


def einsum(equation: str, /, *operands: Any) -> Tensor:
    """Einstein summation; the operands are separate arguments or a list.

    >>> import tessera as ts
    >>> a, b = ts.ones((2, 3)), ts.ones((3, 4))
    >>> ts.einsum("ij,jk->ik", a, b).shape, ts.einsum("ij,jk->ik", [a, b]).shape
    ((2, 4), (2, 4))
    """
    return ops.einsum(equation, operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands)


def _add_examples() -> None:
    """Functions that stand for an op and have no example of their own get the op's."""
    for name, function in {**vars(_creation), **globals()}.items():
        op = getattr(ops, name, None)
        if op is None or not callable(function) or ">>>" in (function.__doc__ or ""):
            continue
        example = op.__doc__[op.__doc__.index(">>>"):]
        function.__doc__ = f"{function.__doc__}\n\n    >>> import tessera as ts\n    " + example.replace("\n", "\n    ")


_add_examples()
