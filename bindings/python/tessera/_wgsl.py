"""Custom WGSL kernels as functions on tensors."""

from __future__ import annotations

from typing import Any, Callable, Sequence

from tessera import _core
from tessera._core import Tensor
from tessera._errors import ArgumentTypeError
from tessera._types import TensorLike


class WgslKernel:
    """The result of wgsl_kernel(): call it with the inputs; params by name."""

    def __init__(self, kernel: Any, outputs: int, name: str) -> None:
        self._kernel = kernel
        self._outputs = outputs
        self.__name__ = name

    def __call__(self, *inputs: TensorLike, **params: float) -> Any:
        results = self._kernel(inputs, params)
        return results[0] if self._outputs == 1 else tuple(results)

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}>"


def _named(entries: Any, parts: int, what: str) -> list[tuple[Any, ...]]:
    out = []
    for entry in [entries] if isinstance(entries, str) else entries:
        row = (entry,) if isinstance(entry, str) else tuple(entry) if isinstance(entry, (tuple, list)) else ()
        if not row or not isinstance(row[0], str) or len(row) > parts:
            raise ArgumentTypeError(f"wgsl_kernel: {entry!r} was given among the {what}; a name, or a tuple that begins with one, "
                                    "is expected.")
        out.append(row + (None,) * (parts - len(row)))
    return out


def wgsl_kernel(name: str, source: str, *, inputs: Sequence[Any], outputs: Sequence[Any] = ("result",),
                params: dict[str, float] | None = None, workgroup_size: Any = None, grid: Any = None,
                gradient: Callable[..., Any] | None = None, cpu: Callable[..., Any] | None = None,
                strided: bool = False) -> WgslKernel:
    """A custom WGSL kernel as a function on tensors: planned, cached and profiled like any other kernel.

    Inputs are names or (name, dtype); outputs names or (name, dtype, shape), where the shape may be a function of the inputs'
    shapes and defaults to the first input's. The engine writes the bindings, `params` and the constants
    workgroup_x, _y and _z in front of `source`. gradient(inputs, outputs, gradients, params) receives lists and returns one gradient for
    each input, or None. cpu(*inputs, **params) computes the same with NumPy arrays, for the CPU backend. With strided=True, views are not
    copied: params has NAME_strides and NAME_offset for each input.

    >>> import tessera as ts
    >>> double = ts.wgsl_kernel("double", '''
    ... @compute @workgroup_size(workgroup_x) fn main(@builtin(global_invocation_id) id: vec3u) {
    ...   if (id.x < params.result_size) { result[id.x] = 2.0 * x[id.x]; }
    ... }''', inputs=[("x", ts.float32)], gradient=lambda x, y, g, p: [2 * g[0]], cpu=lambda x: 2 * x)
    >>> double(ts.array([1., 2.])).tolist(), ts.grad(lambda x: double(x).sum())(ts.array([1., 2.])).tolist()
    ([2.0, 4.0], [2.0, 2.0])
    """
    rows_in, rows_out = _named(inputs, 2, "inputs"), _named(outputs, 3, "outputs")

    def host(given: list[Any], wanted: list[Any], values: dict[str, float]) -> None:
        import numpy

        arrays = [numpy.frombuffer(data, dtype=_core._dtype(row[1] or _core.float32).name).reshape(shape)
                  for (data, shape), row in zip(given, rows_in)]
        assert cpu is not None
        results = cpu(*arrays, **values)
        for (memory, shape), row, result in zip(wanted, rows_out, results if isinstance(results, (tuple, list)) else [results]):
            kind = _core._dtype(row[1] or rows_in[0][1] or _core.float32).name
            value = numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(result, dtype=kind), shape))
            memory[:] = value.tobytes()

    kernel = _core._wgsl_kernel(name, source, rows_in, rows_out, params or {}, workgroup_size, grid, gradient,
                                None if cpu is None else host, strided)
    return WgslKernel(kernel, len(rows_out), name)
