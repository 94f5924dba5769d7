"""Initial values of parameters: functions of a shape, and PyTorch's functions that fill a tensor (`xavier_uniform_`).

>>> import tessera as ts
>>> layer = ts.nn.Linear(2, 2)
>>> layer.weight = ts.nn.init.eye((2, 2))
>>> ts.nn.init.constant_(layer.bias, 1.0).tolist(), layer(ts.array([2., 3.])).tolist()
([1.0, 1.0], [3.0, 4.0])
"""

from __future__ import annotations

import functools
from typing import Any, Callable, Sequence

from tessera import _core
from tessera._core import Tensor

_Shape = int | Sequence[int]


def uniform(shape: _Shape, low: float = 0.0, high: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Uniform in [low, high)."""
    return _core._nn_init("uniform", shape, dict(low=low, high=high), dtype, device)


def normal(shape: _Shape, mean: float = 0.0, std: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Normal with this mean and standard deviation."""
    return _core._nn_init("normal", shape, dict(mean=mean, std=std), dtype, device)


def trunc_normal(shape: _Shape, mean: float = 0.0, std: float = 1.0, low: float = -2.0, high: float = 2.0, dtype: Any = None,
                 device: Any = None) -> Tensor:
    """Normal, limited to [low, high] by drawing only from there."""
    return _core._nn_init("trunc_normal", shape, dict(mean=mean, std=std, low=low, high=high), dtype, device)


def constant(shape: _Shape, value: float, dtype: Any = None, device: Any = None) -> Tensor:
    """The same value everywhere."""
    return _core._nn_init("constant", shape, dict(value=value), dtype, device)


def zeros(shape: _Shape, dtype: Any = None, device: Any = None) -> Tensor:
    """Zeros."""
    return constant(shape, 0.0, dtype, device)


def ones(shape: _Shape, dtype: Any = None, device: Any = None) -> Tensor:
    """Ones."""
    return constant(shape, 1.0, dtype, device)


def xavier_uniform(shape: _Shape, gain: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Uniform with a variance of 2 gain^2 / (fan in + fan out)."""
    return _core._nn_init("xavier_uniform", shape, dict(gain=gain), dtype, device)


def xavier_normal(shape: _Shape, gain: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Normal with a variance of 2 gain^2 / (fan in + fan out)."""
    return _core._nn_init("xavier_normal", shape, dict(gain=gain), dtype, device)


def kaiming_uniform(shape: _Shape, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", dtype: Any = None,
                    device: Any = None) -> Tensor:
    """Uniform with a variance of gain^2 / fan; `a` is the slope of leaky_relu."""
    return _core._nn_init("kaiming_uniform", shape, dict(a=a, mode=mode, nonlinearity=nonlinearity), dtype, device)


def kaiming_normal(shape: _Shape, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", dtype: Any = None,
                   device: Any = None) -> Tensor:
    """Normal with a variance of gain^2 / fan; `a` is the slope of leaky_relu."""
    return _core._nn_init("kaiming_normal", shape, dict(a=a, mode=mode, nonlinearity=nonlinearity), dtype, device)


def orthogonal(shape: _Shape, gain: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Orthonormal rows, or columns if there are fewer: [rows, the rest flattened]."""
    return _core._nn_init("orthogonal", shape, dict(gain=gain), dtype, device)


def eye(shape: _Shape, dtype: Any = None, device: Any = None) -> Tensor:
    """The identity matrix."""
    return _core._nn_init("eye", shape, {}, dtype, device)


def dirac(shape: _Shape, groups: int = 1, dtype: Any = None, device: Any = None) -> Tensor:
    """The identity as a convolution [out, in, taps..], for each of the groups."""
    return _core._nn_init("dirac", shape, dict(groups=groups), dtype, device)


def _in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    @functools.wraps(function)
    def fill(tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        _core._nn_write(tensor, function(tensor.shape, *args, dtype=tensor.dtype, device=tensor.device, **kwargs), f"{function.__name__}_", "tensor")
        return tensor

    fill.__name__ = fill.__qualname__ = f"{function.__name__}_"
    fill.__doc__ = f"Fills a tensor by {function.__name__}(), and returns it."
    return fill


uniform_ = _in_place(uniform)
normal_ = _in_place(normal)
trunc_normal_ = _in_place(trunc_normal)
constant_ = _in_place(constant)
zeros_ = _in_place(zeros)
ones_ = _in_place(ones)
xavier_uniform_ = _in_place(xavier_uniform)
xavier_normal_ = _in_place(xavier_normal)
kaiming_uniform_ = _in_place(kaiming_uniform)
kaiming_normal_ = _in_place(kaiming_normal)
orthogonal_ = _in_place(orthogonal)
eye_ = _in_place(eye)
dirac_ = _in_place(dirac)
