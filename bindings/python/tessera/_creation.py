"""Constants, creation, dtypes and inspection of the array API standard."""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any, NamedTuple, Sequence

from tessera import _core
from tessera._core import Device, DType, Tensor, ops
from tessera._errors import ArgumentError, ArgumentTypeError, DTypeError
from tessera._types import DeviceLike, DTypeLike, TensorLike

e = math.e
pi = math.pi
inf = math.inf
nan = math.nan
newaxis = None

_bool, _i8, _i16, _i32, _i64 = _core.bool, _core.int8, _core.int16, _core.int32, _core.int64
_u8, _u16, _u32, _u64 = _core.uint8, _core.uint16, _core.uint32, _core.uint64
_f16, _bf16, _f32, _f64 = _core.float16, _core.bfloat16, _core.float32, _core.float64
_c64, _c128 = _core.complex64, _core.complex128
_COMPLEX = (_c64, _c128)
_SIGNED, _UNSIGNED, _FLOATS = (_i8, _i16, _i32, _i64), (_u8, _u16, _u32, _u64), (_f16, _bf16, _f32, _f64)


def _tensor(x: TensorLike, device: Device | None = None) -> Tensor:
    return x if isinstance(x, Tensor) else _core._array(x, None, device)


def _same(x: TensorLike) -> Tensor:
    """The same value under a handle of its own."""
    return _tensor(x)._copy()


def _number(x: Any) -> Any:
    """A number of Python; one element of a tensor or of another library's array is read."""
    return x if isinstance(x, (int, float, complex)) else x.item() if hasattr(x, "item") else x


def _shown(x: Any) -> str:
    """Its text, shortened."""
    try:
        text = repr(x)
    except RecursionError:  # lists in lists without end
        text = "an object"
    return text if len(text) <= 60 else text[:57] + "..."


def _is_integer(x: Any) -> builtins.bool:
    """Whether it is one integer, be it Python's, NumPy's, or a tensor or array of rank 0."""
    return isinstance(x, int) or (hasattr(type(x), "__index__") and not getattr(x, "ndim", 0))


def _integers(x: Any, what: str, name: str) -> list[int]:
    """One integer or several, as a list; those of a tensor or of another library's array are read."""
    given = x.tolist() if hasattr(x, "tolist") else x
    try:
        return [operator.index(given)] if _is_integer(given) else [operator.index(n.item() if isinstance(n, Tensor) else n) for n in given]
    except TypeError:
        shown = f"a tensor of shape {x.shape}" if isinstance(x, Tensor) else _shown(x)
        raise ArgumentTypeError(f"{what}: the argument '{name}' is {shown} of type {type(x).__name__}; an integer or a list of integers "
                                "is expected.") from None


# ---- Creation ----

def array(object: Any, dtype: DTypeLike | None = None, *, copy: bool | None = None, device: DeviceLike = None,
          requires_grad: bool = False) -> Tensor:
    """A tensor from numbers, nested lists, arrays with the buffer protocol or DLPack, or other tensors.

    Python floats become float32, complex numbers complex64 and integers int32 (int64 if needed), unless
    `dtype` is given.

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
    """Like array(), but a tensor that needs no change is returned as it is, and with copy=False the memory of an array of another
    library is shared, as in from_dlpack().

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
    if copy is False and hasattr(obj, "__dlpack__"):
        out = from_dlpack(obj, device=device, copy=False)
        if dtype is not None and _core._dtype(dtype) != out.dtype:
            raise ArgumentError(f"asarray: copy=False was given, but the elements are {out.dtype.name} and {_core._dtype(dtype).name} is asked for.")
        return out
    return array(obj, dtype, copy=copy, device=device)


def from_dlpack(x: Any, /, *, device: DeviceLike = None, copy: bool | None = None) -> Tensor:
    """A tensor with the elements of an array of another library. On the CPU backend the memory is shared if it is
    in row-major order: it is unspecified whether changes of the array are seen. copy=True always copies, copy=False never does.

    >>> import numpy as np, tessera as ts
    >>> ts.from_dlpack(np.arange(3)).tolist()
    [0, 1, 2]
    """
    if isinstance(x, Tensor):
        return asarray(x, device=device, copy=copy)
    if not hasattr(x, "__dlpack__"):
        raise ArgumentTypeError(f"from_dlpack: {x!r} of type {type(x).__name__} has no __dlpack__.")
    return _core._from_dlpack(x, device, copy)


def arange(start: float, /, stop: float | None = None, step: float = 1, dtype: DTypeLike | None = None, *,
           device: DeviceLike = None) -> Tensor:
    """start, start + step, ... up to but excluding stop; int32 for integers, else float32.

    >>> import tessera as ts
    >>> ts.arange(2, 10, 3).tolist()
    [2, 5, 8]
    """
    if stop is None:
        start, stop = 0, start
    start, stop, step = _number(start), _number(stop), _number(step)
    if dtype is None:
        whole = builtins.all(isinstance(v, int) for v in (start, stop, step))
        dtype = _f32 if not whole else _i32 if -2**31 <= start < 2**31 and -2**31 <= stop < 2**31 else _i64
    if step == 0:
        raise ArgumentError("arange: the step is 0; another number is expected.")
    if (stop - start) / step <= 0:
        return ops.zeros((0,), dtype, device=device)
    return ops.arange(start, stop, step, dtype, device)


def linspace(start: complex, stop: complex, /, num: int = 50, *, dtype: DTypeLike | None = None, device: DeviceLike = None,
             endpoint: bool = True) -> Tensor:
    """Evenly spaced numbers, including `stop` unless `endpoint` is False.

    >>> import tessera as ts
    >>> ts.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    start, stop = _number(start), _number(stop)
    if isinstance(start, complex) or isinstance(stop, complex):
        dtype = _c64 if dtype is None else _core._dtype(dtype)
        part = {_c64: _f32, _c128: _f64}.get(dtype)
        if part is None:
            raise DTypeError(f"linspace: complex numbers were given for {dtype.name}; a complex type is expected.")
        start, stop = complex(start), complex(stop)
        return (linspace(start.real, stop.real, num, dtype=part, device=device, endpoint=endpoint)._astype(dtype) +
                linspace(start.imag, stop.imag, num, dtype=part, device=device, endpoint=endpoint) * 1j)
    dtype = _f32 if dtype is None else dtype
    if endpoint:
        return ops.linspace(start, stop, num, dtype, device)
    return ops.linspace(start, stop, num + 1, dtype, device)[:num]


def eye(n_rows: int, n_cols: int | None = None, /, k: int = 0, dtype: DTypeLike | None = None, *,
        device: DeviceLike = None) -> Tensor:
    """1 on a diagonal, 0 elsewhere.

    >>> import tessera as ts
    >>> ts.eye(2, 3, k=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    n_cols = n_rows if n_cols is None else n_cols
    n_rows, n_cols, k = _number(n_rows), _number(n_cols), _number(k)
    k = builtins.max(-n_rows, builtins.min(k, n_cols))  # past the corners there is nothing anyway
    return ops.eye(n_rows, n_cols, k, _f32 if dtype is None else dtype, device)


def _filled(name: str) -> Any:
    what = getattr(ops, name)

    def create(shape: Any, *more: Any, dtype: DTypeLike | None = None, device: DeviceLike = None) -> Tensor:
        if more and _is_integer(more[0]):  # sizes one by one
            shape = (shape, *more)
        elif more:
            if len(more) > 1 or dtype is not None:
                raise ArgumentTypeError(f"{name}: {more!r} was given behind the shape; one dtype is expected.")
            dtype = more[0]
        return what(shape, _f32 if dtype is None else dtype, device)

    def like(x: TensorLike, /, *, dtype: DTypeLike | None = None, device: DeviceLike = None) -> Tensor:
        x = _tensor(x)
        return what(x.shape, x.dtype if dtype is None else dtype, x.device if device is None else device)

    return create, like


zeros, zeros_like = _filled("zeros")
ones, ones_like = _filled("ones")
empty, empty_like = _filled("empty")
for _name, _text in (("zeros", "of zeros"), ("ones", "of ones"), ("empty", "whose elements may be anything")):
    globals()[_name].__name__ = globals()[_name].__qualname__ = _name
    globals()[_name].__doc__ = (f"A tensor {_text}, of the sizes {_name}((2, 3)) or {_name}(2, 3); float32 unless another dtype is given, by name or "
                                f"behind the shape.")
    globals()[_name + "_like"].__name__ = globals()[_name + "_like"].__qualname__ = _name + "_like"
    globals()[_name + "_like"].__doc__ = f"A tensor {_text}, of x's shape, type and device."


def full(shape: int | Sequence[int], fill_value: complex | Tensor, dtype: DTypeLike | None = None, *,
         device: DeviceLike = None) -> Tensor:
    """A tensor filled with one number.

    >>> import tessera as ts
    >>> ts.full((2,), 7).tolist()
    [7, 7]
    """
    return ops.full(shape, _core._array(fill_value, dtype, device), dtype, device)


def full_like(x: TensorLike, /, fill_value: complex, *, dtype: DTypeLike | None = None, device: DeviceLike = None) -> Tensor:
    """A tensor filled with one number, with x's shape, dtype and device."""
    x = _tensor(x)
    return full(x.shape, fill_value, dtype=x.dtype if dtype is None else dtype, device=x.device if device is None else device)


def meshgrid(*arrays: TensorLike, indexing: str = "xy") -> list[Tensor]:
    """Coordinate matrices from coordinate vectors.

    >>> import tessera as ts
    >>> [x.tolist() for x in ts.meshgrid(ts.arange(2), ts.arange(3), indexing="ij")]
    [[[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]]]
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"meshgrid: indexing is '{indexing}'; 'xy' or 'ij' is expected.")
    return ops.meshgrid(list(arrays), indexing == "ij") if arrays else []


def tril(x: TensorLike, /, k: int = 0) -> Tensor:
    """The lower triangle of matrices, zero elsewhere."""
    return ops.tril(x, k)


def triu(x: TensorLike, /, k: int = 0) -> Tensor:
    """The upper triangle of matrices, zero elsewhere."""
    return ops.triu(x, k)


# ---- Types ----

class FloatInfo(NamedTuple):
    """Limits of a float dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntInfo(NamedTuple):
    """Limits of an integer dtype."""

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
    """Bits, eps, max, min and smallest_normal of a float dtype, or of the parts of a complex one.

    >>> import tessera as ts
    >>> ts.finfo(ts.float16).max
    65504.0
    """
    dtype = type.dtype if isinstance(type, Tensor) else _core._dtype(type)
    dtype = {_c64: _f32, _c128: _f64}.get(dtype, dtype)
    if dtype not in _FINFO:
        raise DTypeError(f"finfo: {dtype.name} was given; a float or complex type is expected.")
    bits, eps, largest, smallest = _FINFO[dtype]
    return FloatInfo(bits, eps, largest, -largest, smallest, dtype)


def iinfo(type: DTypeLike | Tensor, /) -> IntInfo:
    """Bits, max and min of an integer dtype.

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
    "complex floating": _COMPLEX,
    "numeric": _SIGNED + _UNSIGNED + _FLOATS + _COMPLEX,
}


def isdtype(dtype: DTypeLike, kind: Any) -> builtins.bool:
    """Whether a dtype equals another one, or is of a kind: "bool", "signed integer", "integral", "real floating", "numeric", ...

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
    """The promoted dtype of all arguments; Python numbers are weak scalars.

    >>> import tessera as ts
    >>> ts.result_type(ts.int8, ts.uint8), ts.result_type(ts.ones(1), 2)
    (tessera.int16, tessera.float32)
    """
    types = [x.dtype if isinstance(x, Tensor) else _core._dtype(x)
             for x in arrays_and_dtypes if not isinstance(x, (builtins.bool, int, float, complex))]
    if not types:
        raise ArgumentError("result_type: no tensor and no type was given; at least one is expected.")
    out = types[0]
    for t in types[1:]:
        if {out, t} & {_u64} and {out, t} & set(_SIGNED):
            raise DTypeError(f"result_type: {out.name} and {t.name} have no common integer type.")
        out = _core._promote(out, t)
    for x in arrays_and_dtypes:
        if isinstance(x, complex) and out not in _COMPLEX:
            if out not in _FLOATS:
                raise DTypeError(f"result_type: the complex number {x} does not go with {out.name}.")
            out = _core._promote(out, _c64)
        if isinstance(x, float) and out not in _FLOATS + _COMPLEX:
            raise DTypeError(f"result_type: the float {x} does not go with {out.name}.")
        if isinstance(x, int) and not isinstance(x, builtins.bool) and out == _bool:
            raise DTypeError(f"result_type: the integer {x} does not go with bool.")
    return out


def can_cast(from_: DTypeLike | Tensor, to: DTypeLike, /) -> builtins.bool:
    """Whether one dtype promotes to another.

    >>> import tessera as ts
    >>> ts.can_cast(ts.int8, ts.int32), ts.can_cast(ts.float32, ts.int32)
    (True, False)
    """
    source = from_.dtype if isinstance(from_, Tensor) else _core._dtype(from_)
    target = _core._dtype(to)
    if source == target:
        return True
    try:
        parts = _FLOATS + _COMPLEX
        return result_type(source, target) == target and (source in parts) == (target in parts) and (
            source == _bool) == (target == _bool)
    except DTypeError:
        return False


def astype(x: TensorLike, dtype: DTypeLike, /, *, copy: builtins.bool = True, device: DeviceLike = None) -> Tensor:
    """The elements cast to another dtype.

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


# ---- About the namespace ----

class _Info:
    def capabilities(self) -> dict[str, Any]:
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self) -> Device:
        return _core.current_device()

    def devices(self) -> list[Device]:
        return [Device(d["id"]) for d in _core._devices()]

    def default_dtypes(self, *, device: DeviceLike = None) -> dict[str, DType]:
        return {"real floating": _f32, "complex floating": _c64, "integral": _i32, "indexing": _i32}

    def dtypes(self, *, device: DeviceLike = None, kind: Any = None) -> dict[str, DType]:
        all_types = {t.name: t for t in (_bool,) + _SIGNED + _UNSIGNED + (_f32, _f64) + _COMPLEX}
        on = _core.current_device() if device is None else Device(device)
        if not on.has_float64:
            del all_types["float64"]
        if not on.has_complex:
            del all_types["complex64"], all_types["complex128"]
        return {n: t for n, t in all_types.items() if kind is None or isdtype(t, kind)}


def __array_namespace_info__() -> _Info:
    """The standard's inspection of the namespace."""
    return _Info()
