"""Activations as modules, with PyTorch's names, arguments and defaults."""

from __future__ import annotations

from typing import Any

from tessera._core import Tensor
from tessera.nn._native import Native


class _Plain(Native):
    def __init__(self, inplace: bool = False) -> None:
        """`inplace` is accepted as in PyTorch, and has no effect."""
        self._make()


class Identity(Native):
    """Returns its input, whatever its arguments are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._make()


class ReLU(_Plain):
    """max(x, 0).

    >>> import tessera as ts
    >>> ts.nn.ReLU()(ts.array([-1., 2.])).tolist()
    [0.0, 2.0]
    """


class ReLU6(_Plain):
    """min(max(x, 0), 6)."""


class SELU(_Plain):
    """The scaled exponential linear unit."""


class SiLU(_Plain):
    """x sigmoid(x)."""


class Mish(_Plain):
    """x tanh(softplus(x))."""


class Tanh(_Plain):
    """tanh(x)."""


class Sigmoid(_Plain):
    """1 / (1 + exp(-x))."""


class LogSigmoid(_Plain):
    """log(sigmoid(x))."""


class Softplus(Native):
    """log(1 + exp(beta x)) / beta."""

    def __init__(self, beta: float = 1.0) -> None:
        self._make(beta=beta)


class Softsign(_Plain):
    """x / (1 + |x|)."""


class Tanhshrink(_Plain):
    """x - tanh(x)."""


class Hardsigmoid(_Plain):
    """min(max(x / 6 + 1 / 2, 0), 1)."""


class Hardswish(_Plain):
    """x hardsigmoid(x)."""


class ELU(Native):
    """x for x > 0, else alpha (exp(x) - 1)."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self._make(alpha=alpha)


class CELU(Native):
    """x for x > 0, else alpha (exp(x / alpha) - 1)."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self._make(alpha=alpha)


class LeakyReLU(Native):
    """x for x > 0, else negative_slope x."""

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self._make(negative_slope=negative_slope)


class Softshrink(Native):
    """x moved towards 0 by lambd."""

    def __init__(self, lambd: float = 0.5) -> None:
        self._make(lambd=lambd)


class Hardshrink(Native):
    """x for |x| > lambd, else 0."""

    def __init__(self, lambd: float = 0.5) -> None:
        self._make(lambd=lambd)


class Softmax(Native):
    """Softmax along an axis, the last one by default."""

    def __init__(self, dim: int = -1) -> None:
        self._make(dim=dim)


class LogSoftmax(Native):
    """log(softmax(x)) along an axis, the last one by default."""

    def __init__(self, dim: int = -1) -> None:
        self._make(dim=dim)


class Softmin(Native):
    """softmax(-x) along an axis, the last one by default."""

    def __init__(self, dim: int = -1) -> None:
        self._make(dim=dim)


class GLU(Native):
    """a sigmoid(b) for the halves a and b of an axis."""

    def __init__(self, dim: int = -1) -> None:
        self._make(dim=dim)


class GELU(Native):
    """x times the normal distribution function; approximate="tanh" is faster."""

    def __init__(self, approximate: str = "none") -> None:
        self._make(approximate=approximate)


class Hardtanh(Native):
    """x limited to [min_val, max_val]."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        self._make(min_val=min_val, max_val=max_val)


class Threshold(Native):
    """x for x > threshold, else value."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self._make(threshold=threshold, value=value)


class RReLU(Native):
    """LeakyReLU with a random slope in training, and the mean of both bounds else."""

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, inplace: bool = False) -> None:
        self._make(lower=lower, upper=upper)


class PReLU(Native):
    """LeakyReLU with a learned slope: one, or one for each channel of [N, C, ..]."""

    weight: Tensor

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, num_parameters=num_parameters, init=init)
