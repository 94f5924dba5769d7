"""Functions of the array API standard that differ from the engine's ops in arguments or results, and helpers around them."""

from __future__ import annotations

import builtins
import math
from typing import Any, NamedTuple, Sequence

from tessera import _core
from tessera._core import Device, DType, Tensor, ops
from tessera._errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from tessera._types import DeviceLike, DTypeLike, TensorLike

e = math.e
pi = math.pi
inf = math.inf
nan = math.nan
newaxis = None

_bool, _i8, _i16, _i32, _i64 = _core.bool, _core.int8, _core.int16, _core.int32, _core.int64
_u8, _u16, _u32, _u64 = _core.uint8, _core.uint16, _core.uint32, _core.uint64
_f16, _bf16, _f32, _f64 = _core.float16, _core.bfloat16, _core.float32, _core.float64
_SIGNED, _UNSIGNED, _FLOATS = (_i8, _i16, _i32, _i64), (_u8, _u16, _u32, _u64), (_f16, _bf16, _f32, _f64)


def _tensor(x: TensorLike, device: Device | None = None) -> Tensor:
    return x if isinstance(x, Tensor) else _core._array(x, None, device)


def _same(x: TensorLike) -> Tensor:
    """The same value under a handle of its own."""
    return _tensor(x)._copy()


# ---- Creation ----

def array(object: Any, dtype: DTypeLike | None = None, *, copy: bool | None = None, device: DeviceLike = None,
          requires_grad: bool = False) -> Tensor:
    """A tensor of numbers, nested lists, arrays with a buffer or DLPack, or other tensors.

    Python's floats become float32 and its integers int32 (int64 where they need it), unless `dtype` says otherwise.

    >>> import tessera as ts
    >>> ts.array([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]], dtype=int32, device='cpu')
    """
    out = _core._array(object, dtype, device)
    if copy is False and not isinstance(object, Tensor):
        raise ArgumentError("array: copy=False was given, but data of the host is copied to become a tensor.")
    if out is object or isinstance(object, Tensor):
        out = out._copy()
    if requires_grad:
        out.requires_grad = True
    return out


def asarray(obj: Any, /, *, dtype: DTypeLike | None = None, device: DeviceLike = None, copy: bool | None = None) -> Tensor:
    """The same as array(); a tensor that needs no change is given as it is.

    >>> import tessera as ts
    >>> x = ts.ones(2)
    >>> ts.asarray(x) is x
    True
    """
    if isinstance(obj, Tensor) and copy is not True:
        same_type = dtype is None or _core._dtype(dtype) == obj.dtype
        if same_type and (device is None or Device(device) == obj.device):
            return obj
        if copy is False:
            raise ArgumentError("asarray: copy=False was given, but the type or the device differs.")
    return array(obj, dtype, copy=copy, device=device)


def from_dlpack(x: Any, /, *, device: DeviceLike = None, copy: bool | None = None) -> Tensor:
    """A tensor with the elements of an array of another library, which are copied.

    >>> import numpy as np, tessera as ts
    >>> ts.from_dlpack(np.arange(3)).tolist()
    [0, 1, 2]
    """
    if isinstance(x, Tensor):
        return asarray(x, device=device, copy=copy)
    if copy is False:
        raise ArgumentError("from_dlpack: copy=False was given, but elements are copied to become a tensor.")
    if not hasattr(x, "__dlpack__"):
        raise ArgumentTypeError(f"from_dlpack: {x!r} of type {type(x).__name__} has no __dlpack__.")
    return _core._from_dlpack(x, device)


def arange(start: float, /, stop: float | None = None, step: float = 1, *, dtype: DTypeLike | None = None,
           device: DeviceLike = None) -> Tensor:
    """start, start + step, ... up to but without stop; of integers int32, else float32.

    >>> import tessera as ts
    >>> ts.arange(2, 10, 3).tolist()
    [2, 5, 8]
    """
    if stop is None:
        start, stop = 0, start
    if dtype is None:
        whole = builtins.all(isinstance(v, int) for v in (start, stop, step))
        dtype = _f32 if not whole else _i32 if -2**31 <= start < 2**31 and -2**31 <= stop < 2**31 else _i64
    if step == 0:
        raise ArgumentError("arange: the step is 0; another number is expected.")
    if (stop - start) / step <= 0:
        return ops.zeros((0,), dtype, device=device)
    return ops.arange(start, stop, step, dtype, device)


def linspace(start: float, stop: float, /, num: int, *, dtype: DTypeLike | None = None, device: DeviceLike = None,
             endpoint: bool = True) -> Tensor:
    """So many numbers at equal distances, the last one included unless `endpoint` is False.

    >>> import tessera as ts
    >>> ts.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    dtype = _f32 if dtype is None else dtype
    if endpoint:
        return ops.linspace(start, stop, num, dtype, device)
    return ops.linspace(start, stop, num + 1, dtype, device)[:num]


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DTypeLike | None = None,
        device: DeviceLike = None) -> Tensor:
    """1 on a diagonal, 0 elsewhere.

    >>> import tessera as ts
    >>> ts.eye(2, 3, k=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    return ops.eye(n_rows, n_rows if n_cols is None else n_cols, k, _f32 if dtype is None else dtype, device)


def _filled(what: Any) -> Any:
    def create(shape: int | Sequence[int], *, dtype: DTypeLike | None = None, device: DeviceLike = None) -> Tensor:
        return what(shape, _f32 if dtype is None else dtype, device)

    def like(x: TensorLike, /, *, dtype: DTypeLike | None = None, device: DeviceLike = None) -> Tensor:
        x = _tensor(x)
        return what(x.shape, x.dtype if dtype is None else dtype, x.device if device is None else device)

    return create, like


zeros, zeros_like = _filled(ops.zeros)
ones, ones_like = _filled(ops.ones)
empty, empty_like = _filled(ops.empty)
for _name, _text in (("zeros", "of zeros"), ("ones", "of ones"), ("empty", "whose elements may be anything")):
    globals()[_name].__name__ = globals()[_name].__qualname__ = _name
    globals()[_name].__doc__ = f"A tensor {_text}; float32 unless another type is given."
    globals()[_name + "_like"].__name__ = globals()[_name + "_like"].__qualname__ = _name + "_like"
    globals()[_name + "_like"].__doc__ = f"A tensor {_text}, of x's shape, type and device."


def full(shape: int | Sequence[int], fill_value: float | Tensor, *, dtype: DTypeLike | None = None,
         device: DeviceLike = None) -> Tensor:
    """A tensor with one number everywhere.

    >>> import tessera as ts
    >>> ts.full((2,), 7).tolist()
    [7, 7]
    """
    return ops.full(shape, _core._array(fill_value, dtype, device), dtype, device)


def full_like(x: TensorLike, /, fill_value: float, *, dtype: DTypeLike | None = None, device: DeviceLike = None) -> Tensor:
    """One number everywhere, with x's shape, type and device."""
    x = _tensor(x)
    return full(x.shape, fill_value, dtype=x.dtype if dtype is None else dtype, device=x.device if device is None else device)


def meshgrid(*arrays: TensorLike, indexing: str = "xy") -> list[Tensor]:
    """Coordinates of a grid, from those along each axis.

    >>> import tessera as ts
    >>> [x.tolist() for x in ts.meshgrid(ts.arange(2), ts.arange(3), indexing="ij")]
    [[[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]]]
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"meshgrid: indexing is '{indexing}'; 'xy' or 'ij' is expected.")
    return ops.meshgrid(list(arrays), indexing == "ij") if arrays else []


def tril(x: TensorLike, /, *, k: int = 0) -> Tensor:
    """The lower triangle of matrices, zero elsewhere."""
    return ops.tril(x, k)


def triu(x: TensorLike, /, *, k: int = 0) -> Tensor:
    """The upper triangle of matrices, zero elsewhere."""
    return ops.triu(x, k)


# ---- Types ----

class FloatInfo(NamedTuple):
    """What a float type can represent."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntInfo(NamedTuple):
    """What an integer type can represent."""

    bits: int
    max: int
    min: int
    dtype: DType


_FINFO = {
    _f16: (16, 2.0**-10, 65504.0, 2.0**-14),
    _bf16: (16, 2.0**-7, (2 - 2.0**-7) * 2.0**127, 2.0**-126),
    _f32: (32, 2.0**-23, (2 - 2.0**-23) * 2.0**127, 2.0**-126),
    _f64: (64, 2.0**-52, (2 - 2.0**-52) * 2.0**1023, 2.0**-1022),
}


def finfo(type: DTypeLike | Tensor, /) -> FloatInfo:
    """Bits, eps, max, min and smallest_normal of a float type.

    >>> import tessera as ts
    >>> ts.finfo(ts.float16).max
    65504.0
    """
    dtype = type.dtype if isinstance(type, Tensor) else _core._dtype(type)
    if dtype not in _FINFO:
        raise DTypeError(f"finfo: {dtype.name} was given; a float type is expected.")
    bits, eps, largest, smallest = _FINFO[dtype]
    return FloatInfo(bits, eps, largest, -largest, smallest, dtype)


def iinfo(type: DTypeLike | Tensor, /) -> IntInfo:
    """Bits, max and min of an integer type.

    >>> import tessera as ts
    >>> ts.iinfo("uint8").max
    255
    """
    dtype = type.dtype if isinstance(type, Tensor) else _core._dtype(type)
    if dtype not in _SIGNED + _UNSIGNED:
        raise DTypeError(f"iinfo: {dtype.name} was given; an integer type is expected.")
    bits = dtype.itemsize * 8
    if dtype in _UNSIGNED:
        return IntInfo(bits, 2**bits - 1, 0, dtype)
    return IntInfo(bits, 2**(bits - 1) - 1, -(2**(bits - 1)), dtype)


_KINDS = {
    "bool": (_bool,),
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED + _UNSIGNED,
    "real floating": _FLOATS,
    "complex floating": (),
    "numeric": _SIGNED + _UNSIGNED + _FLOATS,
}


def isdtype(dtype: DTypeLike, kind: Any) -> builtins.bool:
    """Whether a type is another one, or of a kind: "bool", "signed integer", "integral", "real floating", "numeric", ...

    >>> import tessera as ts
    >>> ts.isdtype(ts.int8, "integral"), ts.isdtype(ts.int8, (ts.float32, "bool"))
    (True, False)
    """
    dtype = _core._dtype(dtype)
    if isinstance(kind, tuple):
        return builtins.any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ArgumentError(f"isdtype: the kind '{kind}' was given; one of {', '.join(_KINDS)} is expected.")
        return dtype in _KINDS[kind]
    return dtype == _core._dtype(kind)


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The type that holds all of them; numbers of Python take the type of what they meet.

    >>> import tessera as ts
    >>> ts.result_type(ts.int8, ts.uint8), ts.result_type(ts.ones(1), 2)
    (tessera.int16, tessera.float32)
    """
    types = [x.dtype if isinstance(x, Tensor) else _core._dtype(x)
             for x in arrays_and_dtypes if not isinstance(x, (builtins.bool, int, float))]
    if not types:
        raise ArgumentError("result_type: no tensor and no type was given; at least one is expected.")
    out = types[0]
    for t in types[1:]:
        if {out, t} & {_u64} and {out, t} & set(_SIGNED):
            raise DTypeError(f"result_type: {out.name} and {t.name} have no common integer type.")
        out = _core._promote(out, t)
    for x in arrays_and_dtypes:
        if isinstance(x, float) and out not in _FLOATS:
            raise DTypeError(f"result_type: the float {x} does not go with {out.name}.")
        if isinstance(x, int) and not isinstance(x, builtins.bool) and out == _bool:
            raise DTypeError(f"result_type: the integer {x} does not go with bool.")
    return out


def can_cast(from_: DTypeLike | Tensor, to: DTypeLike, /) -> builtins.bool:
    """Whether every value of one type goes into another by promotion.

    >>> import tessera as ts
    >>> ts.can_cast(ts.int8, ts.int32), ts.can_cast(ts.float32, ts.int32)
    (True, False)
    """
    source = from_.dtype if isinstance(from_, Tensor) else _core._dtype(from_)
    target = _core._dtype(to)
    if source == target:
        return True
    try:
        return result_type(source, target) == target and (source in _FLOATS) == (target in _FLOATS) and (
            source == _bool) == (target == _bool)
    except DTypeError:
        return False


def astype(x: TensorLike, dtype: DTypeLike, /, *, copy: builtins.bool = True, device: DeviceLike = None) -> Tensor:
    """The elements in another type.

    >>> import tessera as ts
    >>> ts.astype(ts.array([1.7, -1.7]), ts.int32).tolist()
    [1, -1]
    """
    x = _tensor(x)
    if device is not None:
        x = x._to(device)
    if not copy and x.dtype == _core._dtype(dtype):
        return x
    return x._astype(dtype)


# ---- Elementwise functions under the standard's names ----

def clip(x: TensorLike, /, min: Any = None, max: Any = None) -> Tensor:
    """Elements below `min` become it, those above `max` that; either may be left out.

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
    if x.dtype != _bool and x.dtype in _FLOATS:
        raise DTypeError(f"{what}: the type {x.dtype.name} was given; integers or bool are expected.")
    return x


def bitwise_invert(x: TensorLike, /) -> Tensor:
    """Every bit turned over; for bool, not."""
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
    """The bits of x1 moved up by x2 places."""
    return ops.left_shift(x1, x2)


def bitwise_right_shift(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The bits of x1 moved down by x2 places."""
    return ops.right_shift(x1, x2)


def real(x: TensorLike, /) -> Tensor:
    """The real part: the tensor itself, since there are no complex types."""
    return _same(x)


def conj(x: TensorLike, /) -> Tensor:
    """The complex conjugate: the tensor itself, since there are no complex types."""
    return _same(x)


def imag(x: TensorLike, /) -> Tensor:
    """The imaginary part: zeros, since there are no complex types."""
    return zeros_like(x)


# ---- Reductions ----

def _sum_type(x: Tensor) -> DType:
    if x.dtype in (_bool, _i8, _i16):
        return _i32
    return _u32 if x.dtype in (_u8, _u16) else x.dtype


def _axes(axis: Any, rank: int) -> Any:
    """None: all. An empty tuple reduces nothing, which the engine would take for all."""
    return None if axis is None else [axis] if isinstance(axis, int) else list(axis)


def _reduction(name: str, text: str, widen: builtins.bool) -> Any:
    op = getattr(ops, name)

    def function(x: TensorLike, /, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None,
                 keepdims: builtins.bool = False) -> Tensor:
        x = _tensor(x)
        target = _core._dtype(dtype) if dtype is not None else _sum_type(x) if widen else None
        if target is not None and target != x.dtype:
            x = x._astype(target)
        axes = _axes(axis, x.ndim)
        out = _same(x) if axes == [] else op(x, axes, keepdims)
        return out if target is None or out.dtype == target else out._astype(target)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


sum = _reduction("sum", "The sum over all axes, or those of `axis`; small integers are added up in 32 bits.", True)
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
max = _plain("max", "The largest element over all axes, or those of `axis`; NaN where there is one.")
min = _plain("min", "The smallest element over all axes, or those of `axis`; NaN where there is one.")
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
    """The variance; `correction` is taken from the number of elements that it divides by.

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
    """How many elements are not zero.

    >>> import tessera as ts
    >>> ts.count_nonzero(ts.array([0, 3, 4])).item()
    2
    """
    return sum(_tensor(x)._astype(_bool)._astype(_i32), axis=axis, keepdims=keepdims)


def argmax(x: TensorLike, /, axis: int | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Where the largest element is, along an axis or of all: int32."""
    return ops.argmax(x, axis, keepdims)


def argmin(x: TensorLike, /, axis: int | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Where the smallest element is, along an axis or of all: int32."""
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


def diff(x: TensorLike, /, axis: int = -1, n: int = 1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
    """The differences of neighbours along an axis, n times over.

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
    """The same elements with other sizes, of which one may be -1.

    >>> import tessera as ts
    >>> ts.reshape(ts.arange(4), (2, -1)).tolist()
    [[0, 1], [2, 3]]
    """
    return ops.reshape(x, shape)


def permute_dims(x: TensorLike, /, axes: Sequence[int]) -> Tensor:
    """The axes in another order."""
    return ops.permute(x, list(axes)) if len(axes) else _same(x)


def matrix_transpose(x: TensorLike, /) -> Tensor:
    """The last two axes swapped."""
    x = _tensor(x)
    if x.ndim < 2:
        raise ShapeError(f"matrix_transpose: the tensor has rank {x.ndim}; at least 2 is expected.")
    return ops.transpose(x)


def moveaxis(x: TensorLike, source: int | Sequence[int], destination: int | Sequence[int], /) -> Tensor:
    """Axes moved to other places; the others keep their order.

    >>> import tessera as ts
    >>> ts.moveaxis(ts.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    x = _tensor(x)
    moved = [source] if isinstance(source, int) else list(source)
    places = [destination] if isinstance(destination, int) else list(destination)
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


def expand_dims(x: TensorLike, /, axis: int = 0) -> Tensor:
    """A new axis of size 1 at a place."""
    return ops.expand_dims(x, axis)


def squeeze(x: TensorLike, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """Axes of size 1 left out; with `axis` those alone, which must have it."""
    x = _tensor(x)
    axes = _axes(axis, x.ndim)
    return _same(x) if axes == [] else ops.squeeze(x, axes)


def flip(x: TensorLike, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """The elements in reverse order along all axes, or those of `axis`."""
    x = _tensor(x)
    axes = _axes(axis, x.ndim)
    return _same(x) if axes == [] or x.ndim == 0 else ops.flip(x, axes)


def roll(x: TensorLike, /, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> Tensor:
    """Elements moved along axes; those that leave at an end enter at the other."""
    x = _tensor(x)
    if axis is None:
        total = shift if isinstance(shift, int) else builtins.sum(shift)
        return ops.reshape(ops.roll(ops.reshape(x, (-1,)), total, 0), x.shape) if x.size else x
    axes = [axis] if isinstance(axis, int) else list(axis)
    shifts = [shift] * len(axes) if isinstance(shift, int) else list(shift)
    if len(shifts) != len(axes):
        raise ArgumentError(f"roll: {len(shifts)} shifts were given for {len(axes)} axes.")
    for s, a in zip(shifts, axes):
        x = ops.roll(x, s, a)
    return x


def concat(arrays: Sequence[TensorLike], /, axis: int | None = 0) -> Tensor:
    """Tensors one after the other along an axis; without an axis they are made flat first.

    >>> import tessera as ts
    >>> ts.concat([ts.ones(1), ts.zeros(2)]).tolist()
    [1.0, 0.0, 0.0]
    """
    parts = [_tensor(a) for a in arrays]
    if axis is None:
        parts, axis = [ops.reshape(p, (-1,)) for p in parts], 0
    return ops.concat(parts, axis)


def stack(arrays: Sequence[TensorLike], /, axis: int = 0) -> Tensor:
    """Tensors of one shape side by side along a new axis."""
    return ops.stack([_tensor(a) for a in arrays], axis)


def unstack(x: TensorLike, /, axis: int = 0) -> tuple[Tensor, ...]:
    """The parts of an axis, one by one.

    >>> import tessera as ts
    >>> [t.tolist() for t in ts.unstack(ts.array([[1, 2], [3, 4]]), axis=1)]
    [[1, 3], [2, 4]]
    """
    x = _tensor(x)
    if not -x.ndim <= axis < x.ndim:
        raise ShapeError(f"unstack: axis {axis} is out of range for a tensor of rank {x.ndim}.")
    key = (slice(None),) * (axis % x.ndim)
    return tuple(x[(*key, i)] for i in range(x.shape[axis]))


def tile(x: TensorLike, repetitions: int | Sequence[int], /) -> Tensor:
    """The whole tensor so many times along each axis."""
    x = _tensor(x)
    times = [repetitions] if isinstance(repetitions, int) else list(repetitions)
    if len(times) < x.ndim:
        times = [1] * (x.ndim - len(times)) + times
    x = ops.reshape(x, [1] * (len(times) - x.ndim) + list(x.shape))
    if 0 in times or x.size == 0:
        return ops.zeros([a * b for a, b in zip(x.shape, times)], x.dtype, x.device)
    return ops.tile(x, times) if times else x


def repeat(x: TensorLike, repeats: int | TensorLike, /, axis: int | None = None) -> Tensor:
    """Each element so many times; `repeats` may be a tensor with a count for each.

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
    counts = _tensor(repeats).tolist()
    counts = counts * x.shape[axis] if len(counts) == 1 else counts
    if len(counts) != x.shape[axis]:
        raise ShapeError(f"repeat: {len(counts)} counts were given for an axis of size {x.shape[axis]}.")
    places = [i for i, n in enumerate(counts) for _ in range(n)]
    return ops.take(x, _core._array(places, _i32, x.device), axis)


def broadcast_arrays(*arrays: TensorLike) -> list[Tensor]:
    """All of them with the shape that they have together.

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
    """The coordinates of elements that are not zero, one tensor for each axis.

    >>> import tessera as ts
    >>> [i.tolist() for i in ts.nonzero(ts.array([[0, 5], [6, 0]]))]
    [[0, 1], [1, 0]]
    """
    x = _tensor(x)
    if x.ndim == 0:
        raise ShapeError("nonzero: a tensor of rank 0 was given; at least one axis is expected.")
    return unstack(ops.nonzero(x), axis=1)


def searchsorted(x1: TensorLike, x2: TensorLike, /, *, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    """Where each of x2 would go into the sorted x1: before equal ones, or behind them with side="right".

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


def argsort(x: TensorLike, /, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    """Where the elements of an axis are in their order: int32."""
    return ops.argsort(x, axis, descending, stable)


def sort(x: TensorLike, /, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    """The elements of an axis in order; equal ones keep theirs, NaN is above all numbers."""
    return ops.sort(x, axis, descending)


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
    """The different values in order, where each is found first, which one each element is, and how often each occurs."""
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
    """The different values in order, and how often each occurs."""
    found = ops.unique(_tensor(x))
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: TensorLike, /) -> UniqueInverse:
    """The different values in order, and which one each element is."""
    x = _tensor(x)
    found = ops.unique(x)
    return UniqueInverse(found.values, ops.reshape(found.inverse, x.shape))


def unique_values(x: TensorLike, /) -> Tensor:
    """The different values in order.

    >>> import tessera as ts
    >>> ts.unique_values(ts.array([3, 1, 3])).tolist()
    [1, 3]
    """
    return ops.unique(_tensor(x)).values


# ---- Products ----

def vecdot(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """Products of vectors along an axis; the others broadcast.

    >>> import tessera as ts
    >>> ts.vecdot(ts.array([1., 2.]), ts.array([3., 4.])).item()
    11.0
    """
    x1, x2 = _tensor(x1), _tensor(x2)
    if x1.ndim == 0 or x2.ndim == 0 or x1.shape[axis] != x2.shape[axis]:
        raise ShapeError(f"vecdot: the axis {axis} of shapes {x1.shape} and {x2.shape} has no equal sizes.")
    product = ops.sum(x1 * x2, [axis], False)
    common = _core._promote(x1.dtype, x2.dtype)
    return product if product.dtype == common else product._astype(common)


def tensordot(x1: TensorLike, x2: TensorLike, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Tensor:
    """Sums of products over the last axes of x1 and the first of x2, or over the two lists of axes.

    >>> import tessera as ts
    >>> ts.tensordot(ts.ones((2, 3)), ts.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    if isinstance(axes, int):
        return ops.tensordot(x1, x2, axes)
    if len(axes) != 2:
        raise ArgumentError(f"tensordot: {len(axes)} lists of axes were given; two are expected.")
    return ops.tensordot(x1, x2, list(axes[0]), list(axes[1]))


# ---- About the namespace ----

class _Info:
    def capabilities(self) -> dict[str, Any]:
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self) -> Device:
        return _core.current_device()

    def devices(self) -> list[Device]:
        return [Device(d["id"]) for d in _core._devices()]

    def default_dtypes(self, *, device: DeviceLike = None) -> dict[str, DType]:
        return {"real floating": _f32, "integral": _i32, "indexing": _i32}

    def dtypes(self, *, device: DeviceLike = None, kind: Any = None) -> dict[str, DType]:
        all_types = {t.name: t for t in (_bool,) + _SIGNED + _UNSIGNED + (_f32, _f64)}
        on = _core.current_device() if device is None else Device(device)
        if not on.has_float64:
            del all_types["float64"]
        return {n: t for n, t in all_types.items() if kind is None or isdtype(t, kind)}


def __array_namespace_info__() -> _Info:
    """What the namespace can do: the standard's inspection."""
    return _Info()


def _add_examples() -> None:
    """Functions that stand for an op and have no example of their own get the op's."""
    for name, function in list(globals().items()):
        op = getattr(ops, name, None)
        if op is None or not callable(function) or ">>>" in (function.__doc__ or ""):
            continue
        example = op.__doc__[op.__doc__.index(">>>"):]
        function.__doc__ = f"{function.__doc__}\n\n    >>> import tessera as ts\n    " + example.replace("\n", "\n    ")


_add_examples()
