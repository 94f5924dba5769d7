"""Methods of Tensor in Python: NumPy interoperability, printing, pickling, and the ops as methods."""

from __future__ import annotations

from typing import Any, Iterator

from tessera import _core, _creation, _functions
from tessera._core import DType, Tensor, ops
from tessera._errors import ArgumentError, ArgumentTypeError, ShapeError, of_kind
from tessera._types import DeviceLike, DTypeLike


def _host(x: Tensor) -> Tensor:
    """NumPy has no bfloat16."""
    return x._astype(_core.float32) if x.dtype == _core.bfloat16 else x


def numpy(self: Tensor, *, copy: bool | None = None) -> Any:
    """The elements as a NumPy array, read-only unless copy=True. On the CPU backend it shares the tensor's
    memory. bfloat16 becomes float32.

    >>> import tessera as ts
    >>> ts.arange(3).numpy()
    array([0, 1, 2], dtype=int32)
    """
    import numpy

    out = numpy.asarray(memoryview(_host(self)))
    if copy:
        return out.copy()
    return out


def __array__(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    out = numpy(self)
    if dtype is not None and out.dtype != dtype:
        if copy is False:
            raise ArgumentError(f"numpy: copy=False was given, but {self.dtype.name} becomes {dtype} by a copy.")
        return out.astype(dtype)
    return out.copy() if copy else out


async def numpy_async(self: Tensor) -> Any:
    """The same as numpy(), without blocking the event loop while the device computes.

    >>> import asyncio, tessera as ts
    >>> asyncio.run((ts.ones(2) * 3).numpy_async()).tolist()
    [3.0, 3.0]
    """
    import asyncio  # not with the package: it takes half of its time

    import numpy

    loop = asyncio.get_running_loop()
    result: asyncio.Future[bytes] = loop.create_future()
    host = _host(self)

    def settle(data: bytes | None, error: tuple[str, str] | None) -> None:
        if result.done():
            return
        if error is not None:
            result.set_exception(of_kind(error[0])(error[1]))
        else:
            assert data is not None
            result.set_result(data)

    def done(data: bytes | None, error: tuple[str, str] | None) -> None:
        try:
            loop.call_soon_threadsafe(settle, data, error)
        except RuntimeError:  # the loop was closed meanwhile
            pass

    _core._read_async(host, done)
    data = await result
    return numpy.frombuffer(data, dtype=host.dtype.name).reshape(host.shape)


def __array_namespace__(self: Tensor, /, *, api_version: str | None = None) -> Any:
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        raise ArgumentError(f"__array_namespace__: version {api_version!r} was asked for; 2021.12 to 2024.12 are known.")
    import tessera

    return tessera


def __dlpack_device__(self: Tensor) -> tuple[int, int]:
    return (1, 0) if self.device.is_cpu else (15, 0)  # kDLCPU, kDLWebGPU


def __dlpack__(self: Tensor, *, stream: Any = None, max_version: tuple[int, int] | None = None,
               dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
    """CPU memory for other libraries: the tensor's own on the CPU backend; on other devices a copy, which must be requested."""
    if stream is not None:
        raise ArgumentError("__dlpack__: a stream was given; memory of the CPU has none.")
    if dl_device is not None and tuple(dl_device) != (1, 0):
        raise BufferError(f"__dlpack__: the device {tuple(dl_device)} was asked for; (1, 0), the CPU, can be had.")
    if not self.device.is_cpu and (dl_device is None or copy is False):
        raise BufferError(f"__dlpack__: the tensor is on {self.device}; call .to('cpu') first, or ask for dl_device=(1, 0).")
    host = self.device.is_cpu and not copy
    source = _core._ndarray(self) if host else _core._ndarray(ops.contiguous(self + 0 if copy and self.dtype != _core.bool else self))
    return source.__dlpack__(stream=None, max_version=max_version)


def astype(self: Tensor, dtype: DTypeLike, *, copy: bool = True) -> Tensor:
    """The elements cast to another dtype.

    >>> import tessera as ts
    >>> ts.array([1.5]).astype("int32").tolist()
    [1]
    """
    return _creation.astype(self, dtype, copy=copy)


def to(self: Tensor, *args: Any, dtype: DTypeLike | None = None, device: DeviceLike = None) -> Tensor:
    """Moves to another device, casts to another dtype, or both: x.to("cpu"), x.to(ts.float16), x.to("cpu", ts.float16).

    >>> import tessera as ts
    >>> ts.ones(1).to("cpu", ts.float16).dtype
    tessera.float16
    """
    for arg in args:
        if isinstance(arg, (_core.Device, str)) and not _is_dtype_name(arg):
            device = arg
        else:
            dtype = arg
    out = self if device is None else self._to(device)
    return out if dtype is None else out._astype(dtype)


def to_device(self: Tensor, device: DeviceLike, /, *, stream: Any = None) -> Tensor:
    """The standard's name for to()."""
    if stream is not None:
        raise ArgumentError("to_device: a stream was given; there are none.")
    return self._to(device)


def _is_dtype_name(x: Any) -> bool:
    if not isinstance(x, str):
        return False
    try:
        _core._dtype(x)
    except ArgumentTypeError:
        return False
    return True


def __iter__(self: Tensor) -> Iterator[Tensor]:
    if self.ndim == 0:
        raise ArgumentTypeError("A tensor of rank 0 was iterated over; at least one axis is expected.")
    return (self[i] for i in range(self.shape[0]))


def __contains__(self: Tensor, value: Any) -> bool:
    return bool(ops.any(ops.equal(self, value)))


def _text(self: Tensor, prefix: str) -> str:
    import numpy

    host = self._astype(_core.float32) if self.dtype.kind == "block" else _host(self)
    return numpy.array2string(numpy.asarray(memoryview(host)), separator=", ", prefix=prefix, threshold=1000)


def __repr__(self: Tensor) -> str:
    body = _text(self, "tensor(") if self.size else f"[], shape={self.shape}"
    track = ", requires_grad=True" if self.requires_grad else ""
    return f"tensor({body}, dtype={self.dtype.name}, device='{self.device}'{track})"


def __str__(self: Tensor) -> str:
    return _text(self, "")


def __format__(self: Tensor, spec: str) -> str:
    return format(self.item(), spec) if spec and self.ndim == 0 else str(self)


def _repr_html_(self: Tensor) -> str:
    import html

    head = f"tensor {' × '.join(map(str, self.shape)) or 'of one number'}, {self.dtype.name}, {self.device}"
    if self.ndim != 2 or self.shape[0] > 20 or self.shape[1] > 20 or not self.size:
        return f"<div><b>{html.escape(head)}</b><pre>{html.escape(_text(self, ''))}</pre></div>"
    rows = "".join("<tr>" + "".join(f"<td>{html.escape(f'{v:.6g}' if isinstance(v, float) else str(v))}</td>" for v in row) + "</tr>"
                   for row in self.tolist())
    return f"<div><b>{html.escape(head)}</b><table>{rows}</table></div>"


def _rebuild(data: bytes, dtype: str, shape: tuple[int, ...], requires_grad: bool) -> Tensor:
    out = _core._from_bytes(data, dtype, shape)
    if requires_grad:
        out.requires_grad = True
    return out


def __reduce__(self: Tensor) -> Any:
    return _rebuild, (_core._to_bytes(self), self.dtype.name, self.shape, self.requires_grad)


def _dtype_named(name: str) -> DType:
    return _core._dtype(name)


def _reduce_dtype(self: DType) -> Any:
    return _dtype_named, (self.name,)


def __copy__(self: Tensor) -> Tensor:
    return self._copy()


def __deepcopy__(self: Tensor, memo: Any) -> Tensor:
    out = self.detach()
    if self.requires_grad:
        out.requires_grad = True
    return out


def reshape(self: Tensor, *shape: Any) -> Tensor:
    """The same elements with another shape: x.reshape(2, -1) or x.reshape((2, -1)).

    >>> import tessera as ts
    >>> ts.arange(6).reshape(2, -1).shape
    (2, 3)
    """
    return ops.reshape(self, shape[0] if len(shape) == 1 else shape)


def permute(self: Tensor, *axes: Any) -> Tensor:
    """Permutes the axes: x.permute(1, 0) or x.permute((1, 0))."""
    order = axes[0] if len(axes) == 1 and not _creation._is_integer(axes[0]) else axes
    return _functions.permute_dims(self, order)


def flatten(self: Tensor, start: int = 0, end: int = -1) -> Tensor:
    """Flattens all axes, or those from `start` to `end`.

    >>> import tessera as ts
    >>> ts.zeros((2, 3, 4)).flatten().shape, ts.zeros((2, 3, 4)).flatten(1).shape
    ((24,), (2, 12))
    """
    rank = self.ndim or 1
    for axis in (start, end):
        if not -rank <= axis < rank:
            raise ShapeError(f"flatten: axis {axis} is out of range for a tensor of rank {self.ndim}.")
    start, end = start % rank, end % rank
    if start > end:
        raise ArgumentError(f"flatten: the axes from {start} to {end} were given; the first is behind the last.")
    joined = 1
    for n in self.shape[start:end + 1]:
        joined *= n
    return ops.reshape(self, (*self.shape[:start], joined, *self.shape[end + 1:]))


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Sets requires_grad; returns the tensor itself."""
    self.requires_grad = requires_grad
    return self


# The standard's functions and the engine's ops that are methods too, under the same names.
_FUNCTIONS = ["sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "argmax", "argmin", "squeeze", "expand_dims", "flip",
              "roll", "repeat", "tile", "sort", "argsort", "nonzero", "clip", "cumulative_sum", "cumulative_prod", "transpose"]
_OPS = ["abs", "conj", "sign", "exp", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "square", "reciprocal", "sin", "cos", "tan",
        "sinh", "cosh", "tanh", "erf", "sigmoid", "floor", "ceil", "round", "trunc", "isnan", "isinf", "isfinite", "relu", "matmul",
        "dot", "broadcast_to", "softmax", "log_softmax", "logsumexp", "take", "gather", "masked_fill", "cumsum", "cumprod",
        "topk", "contiguous", "split", "diagonal", "trace"]


def _method(name: str, function: Any) -> Any:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    method.__name__ = name
    method.__qualname__ = f"Tensor.{name}"
    method.__doc__ = (function.__doc__ or "").split(">>>")[0].strip()
    return method


def install() -> None:
    """Puts all of them on the class."""
    for function in (numpy, __array__, numpy_async, __array_namespace__, __dlpack_device__, __dlpack__, astype, to, to_device,
                     __iter__, __contains__, __repr__, __str__, __format__, _repr_html_, __reduce__, __copy__, __deepcopy__, reshape,
                     permute, flatten, requires_grad_):
        setattr(Tensor, function.__name__, function)
    for name in _FUNCTIONS:
        setattr(Tensor, name, _method(name, getattr(_functions, name)))
    for name in _OPS:
        setattr(Tensor, name, _method(name, getattr(ops, name)))
    setattr(Tensor, "__array_ufunc__", None)  # NumPy leaves operators with a tensor to it
    setattr(Tensor, "__module__", "tessera")
    setattr(DType, "__reduce__", _reduce_dtype)
