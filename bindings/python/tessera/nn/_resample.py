"""Functions of tessera.nn.functional that resize axes: padding, adaptive pooling and interpolation."""

from __future__ import annotations

from typing import Any, Sequence

from tessera import _core
from tessera._core import Tensor, ops
from tessera._creation import _integers, _is_integer, _tensor
from tessera._errors import ArgumentError, ShapeError, UnsupportedError
from tessera._types import TensorLike


def _picked(x: Tensor, places: list[int], axis: int) -> Tensor:
    """The elements of an axis at places that are known now."""
    if places == list(range(x.shape[axis])):
        return x
    return ops.take(x, _core._array(places, _core.int32, x.device), axis)


def pad(input: TensorLike, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """Pads in pairs (before, after), starting with the last axis; negative numbers crop. The mode is 'constant',
    'reflect', 'replicate' or 'circular'.

    >>> import tessera as ts
    >>> ts.nn.functional.pad(ts.array([[1., 2., 3.]]), (2, 1), mode="reflect").tolist()
    [[3.0, 2.0, 1.0, 2.0, 3.0, 2.0]]
    """
    x = _tensor(input)
    widths = _integers(pad, "pad", "pad")
    if mode not in ("constant", "reflect", "replicate", "circular"):
        raise ArgumentError(f"pad: the mode is '{mode}'; 'constant', 'reflect', 'replicate' or 'circular' is expected.")
    if len(widths) % 2 or len(widths) > 2 * x.ndim:
        raise ArgumentError(f"pad: {len(widths)} numbers were given; a pair for each of at most {x.ndim} axes is expected.")
    if mode != "constant" and value is not None and value != 0:
        raise ArgumentError(f"pad: the value {value} was given with the mode '{mode}', which has none.")
    pairs = [(x.ndim - 1 - i // 2, widths[i], widths[i + 1]) for i in range(0, len(widths), 2)]
    for axis, before, after in pairs:
        if before + after + x.shape[axis] < 0:
            raise ShapeError(f"pad: {before} and {after} were given for axis {axis} of size {x.shape[axis]}, which leaves less than nothing.")
    if mode == "constant":
        for axis, before, after in pairs:
            if before < 0 or after < 0:
                key: list[Any] = [slice(None)] * x.ndim
                key[axis] = slice(max(-before, 0), x.shape[axis] - max(-after, 0))
                x = x[tuple(key)]
        ends = [(0, 0)] * x.ndim
        for axis, before, after in pairs:
            ends[axis] = (max(before, 0), max(after, 0))
        return ops.pad(x, ends, 0 if value is None else value)
    for axis, before, after in pairs:
        n = x.shape[axis]
        most = {"reflect": n - 1, "circular": n, "replicate": max(before, after)}[mode]
        if max(before, after) > most or (n == 0 and max(before, after) > 0):
            raise ShapeError(f"pad: {before} and {after} were given for axis {axis} of size {n}; at most {most} are expected in the mode '{mode}'.")
        places = range(-before, n + after)
        if mode == "reflect":
            x = _picked(x, [abs(i) if i < n else 2 * (n - 1) - i for i in places], axis)
        else:
            x = _picked(x, [min(max(i, 0), n - 1) if mode == "replicate" else i % n for i in places], axis)
    return x


def _adaptive(name: str, op: Any, input: TensorLike, output_size: Any, rank: int) -> Tensor:
    x = _tensor(input)
    if x.ndim < rank:
        raise ShapeError(f"{name}: the input has shape {x.shape}; at least {rank} axes are expected.")
    sizes = [output_size] if output_size is None or _is_integer(output_size) else list(output_size)
    sizes = sizes * rank if len(sizes) == 1 else sizes
    if len(sizes) != rank:
        raise ArgumentError(f"{name}: the output_size {tuple(sizes)} was given; {rank} size{'s are' if rank > 1 else ' is'} expected.")
    return op(x, [x.shape[i - rank] if s is None else s for i, s in enumerate(sizes)])


def _adaptive_max(name: str, input: TensorLike, output_size: Any, return_indices: bool, rank: int) -> Tensor:
    if return_indices:
        raise UnsupportedError(f"{name}: return_indices is not supported.")
    return _adaptive(name, ops.adaptive_max_pool, input, output_size, rank)


def adaptive_avg_pool1d(input: TensorLike, output_size: Any) -> Tensor:
    """Adaptive average pooling of the last axis to a size."""
    return _adaptive("adaptive_avg_pool1d", ops.adaptive_avg_pool, input, output_size, 1)


def adaptive_avg_pool2d(input: TensorLike, output_size: Any) -> Tensor:
    """Adaptive average pooling of the last two axes to a size."""
    return _adaptive("adaptive_avg_pool2d", ops.adaptive_avg_pool, input, output_size, 2)


def adaptive_max_pool1d(input: TensorLike, output_size: Any, return_indices: bool = False) -> Tensor:
    """Adaptive max pooling of the last axis to a size."""
    return _adaptive_max("adaptive_max_pool1d", input, output_size, return_indices, 1)


def adaptive_max_pool2d(input: TensorLike, output_size: Any, return_indices: bool = False) -> Tensor:
    """Adaptive max pooling of the last two axes to a size."""
    return _adaptive_max("adaptive_max_pool2d", input, output_size, return_indices, 2)


_MODES: dict[str, tuple[Any, tuple[int, ...]]] = {  # the engine's name, and the ranks that there are
    "nearest": ("nearest", (3, 4, 5)), "nearest-exact": (None, (3, 4, 5)), "area": (None, (3, 4, 5)), "linear": ("linear", (3,)),
    "bilinear": ("linear", (4,)), "trilinear": ("linear", (5,)), "bicubic": ("cubic", (4,))}


def interpolate(input: TensorLike, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
                recompute_scale_factor: bool | None = None, antialias: bool = False) -> Tensor:
    """Resizes the spatial axes to a size, or by a scale factor: 'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'bicubic' or
    'area'."""
    if mode not in _MODES:
        raise ArgumentError(f"interpolate: the mode is '{mode}'; one of {', '.join(_MODES)} is expected.")
    if antialias:
        raise UnsupportedError("interpolate: antialias is not supported.")
    x = _tensor(input)
    own, ranks = _MODES[mode]
    if x.ndim not in ranks:
        raise ShapeError(f"interpolate: an input of shape {x.shape} was given for the mode '{mode}'; rank {' or '.join(map(str, ranks))} is expected.")
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ArgumentError(f"interpolate: align_corners was given with the mode '{mode}', which has no corners.")
    if (size is None) == (scale_factor is None):
        raise ArgumentError(f"interpolate: {'neither size nor scale_factor' if size is None else 'size and scale_factor'} were given; one of them is expected.")
    spatial = x.ndim - 2
    scale: list[float] = []
    if size is None:
        scale = [float(s) for s in scale_factor] if isinstance(scale_factor, (list, tuple)) else [float(scale_factor)]
        scale = scale * spatial if len(scale) == 1 else scale
        if len(scale) != spatial:
            raise ArgumentError(f"interpolate: {len(scale)} factors were given for {spatial} axes.")
        if recompute_scale_factor or mode == "area":
            size = [int(n * s) for n, s in zip(x.shape[2:], scale)]
    elif recompute_scale_factor:
        raise ArgumentError("interpolate: recompute_scale_factor was given with a size; it is for a scale_factor.")
    sizes = None if size is None else _integers(size, "interpolate", "size")
    sizes = sizes * spatial if sizes is not None and len(sizes) == 1 else sizes
    if sizes is not None and (len(sizes) != spatial or min(sizes) < 1):
        raise ArgumentError(f"interpolate: the size {tuple(sizes)} was given; {spatial} numbers above 0 are expected.")
    if mode == "area":
        return ops.adaptive_avg_pool(x, sizes)  # type: ignore[arg-type]
    if mode == "nearest-exact":
        for i in range(spatial):
            n = x.shape[2 + i]
            out = int(n * scale[i]) if sizes is None else sizes[i]
            step = 1 / scale[i] if sizes is None else n / out
            x = _picked(x, [min(int((o + 0.5) * step), n - 1) for o in range(out)], 2 + i)
        return x
    return ops.interpolate(x, sizes, scale if sizes is None else [], own, bool(align_corners))
