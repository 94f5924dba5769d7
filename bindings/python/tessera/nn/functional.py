"""The functions of neural networks under PyTorch's names, with its arguments."""

from __future__ import annotations

import math
from typing import Any, Sequence

from tessera import _core
from tessera._core import Tensor, ops
from tessera._core.random import uniform as _uniform
from tessera._errors import ArgumentError, UnsupportedError
from tessera._public_functional import *  # noqa: F403
from tessera._types import DTypeLike, TensorLike

_Size = Any  # an integer, or one for each axis


def _typed(x: TensorLike, dtype: DTypeLike | None) -> Tensor:
    x = x if isinstance(x, Tensor) else _core._array(x, None, None)
    return x if dtype is None else x._astype(dtype)


def linear(input: TensorLike, weight: TensorLike, bias: TensorLike | None = None) -> Tensor:
    """input @ weight.mT + bias.

    >>> import tessera as ts
    >>> ts.nn.functional.linear(ts.ones((1, 2)), ts.array([[1., 2.], [3., 4.]]), ts.array([0., 1.])).tolist()
    [[3.0, 8.0]]
    """
    weight = _typed(weight, None)
    out = ops.matmul(input, ops.transpose(weight) if weight.ndim > 1 else weight)
    return out if bias is None else out + bias


def gelu(input: TensorLike, approximate: str = "none") -> Tensor:
    """The Gaussian error linear unit, exact or with approximate="tanh"."""
    if approximate not in ("none", "tanh"):
        raise ArgumentError(f"gelu: approximate is '{approximate}'; 'none' or 'tanh' is expected.")
    return ops.gelu(input) if approximate == "none" else ops.gelu_tanh(input)


def _axis(dim: int | None, x: Tensor) -> int:
    """PyTorch's rule for a dim that was left out."""
    return dim if dim is not None else 0 if x.ndim in (0, 1, 3) else 1


def softmax(input: TensorLike, dim: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """exp(x) over its sum along an axis.

    >>> import tessera as ts
    >>> ts.nn.functional.softmax(ts.zeros((1, 4)), dim=-1).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    x = _typed(input, dtype)
    return ops.softmax(x, _axis(dim, x))


def log_softmax(input: TensorLike, dim: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """The logarithm of softmax."""
    x = _typed(input, dtype)
    return ops.log_softmax(x, _axis(dim, x))


def softmin(input: TensorLike, dim: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """softmax(-input)."""
    x = _typed(input, dtype)
    return ops.softmin(x, _axis(dim, x))


def glu(input: TensorLike, dim: int = -1) -> Tensor:
    """The first half of an axis times the sigmoid of the second."""
    return ops.glu(input, dim)


def swiglu(gate: TensorLike, input: TensorLike) -> Tensor:
    """silu(gate) * input."""
    return ops.swiglu(gate, input)


def geglu(gate: TensorLike, input: TensorLike) -> Tensor:
    """gelu(gate) * input."""
    return ops.geglu(gate, input)


def embedding(input: TensorLike, weight: TensorLike) -> Tensor:
    """Rows of `weight` at the indices `input`.

    >>> import tessera as ts
    >>> ts.nn.functional.embedding(ts.array([1, 0]), ts.array([[1.], [2.]])).tolist()
    [[2.0], [1.0]]
    """
    return ops.embedding(input, weight)


def one_hot(tensor: TensorLike, num_classes: int = -1) -> Tensor:
    """1 at each index along a new last axis, 0 elsewhere: int64. Without a number of classes, the largest index decides."""
    x = _typed(tensor, None)
    if num_classes < 0:
        num_classes = int(ops.max(x).item()) + 1
    return ops.one_hot(x, num_classes, _core.int64)


def scaled_dot_product_attention(query: TensorLike, key: TensorLike, value: TensorLike, attn_mask: TensorLike | None = None,
                                 dropout_p: float = 0.0, is_causal: bool = False, scale: float | None = None,
                                 enable_gqa: bool = False) -> Tensor:
    """softmax(query key^T * scale + mask) value, for [B, H, L, D]. Heads of query may be a multiple of those of key."""
    if dropout_p != 0.0:
        raise UnsupportedError("scaled_dot_product_attention: dropout_p is not supported; 0.0 is expected.")
    return ops.scaled_dot_product_attention(query, key, value, mask=attn_mask, causal=is_causal, scale=scale)


# ---- Normalisation ----

def _last(x: Tensor, normalized_shape: int | Sequence[int], what: str) -> tuple[Tensor, list[int]]:
    """x with the axes of normalized_shape as one."""
    sizes = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
    if list(x.shape[x.ndim - len(sizes):]) != sizes:
        raise ArgumentError(f"{what}: normalized_shape is {tuple(sizes)}; the last axes of shape {x.shape} are expected.")
    return ops.reshape(x, list(x.shape[:x.ndim - len(sizes)]) + [math.prod(sizes)]), sizes


def layer_norm(input: TensorLike, normalized_shape: int | Sequence[int], weight: TensorLike | None = None,
               bias: TensorLike | None = None, eps: float = 1e-5) -> Tensor:
    """Mean 0 and variance 1 over the last axes, then times weight plus bias."""
    x = _typed(input, None)
    flat, _ = _last(x, normalized_shape, "layer_norm")
    scale, shift = (None if p is None else ops.reshape(p, (-1,)) for p in (weight, bias))
    return ops.reshape(ops.layer_norm(flat, scale, shift, eps), x.shape)


def rms_norm(input: TensorLike, normalized_shape: int | Sequence[int], weight: TensorLike | None = None,
             eps: float | None = None) -> Tensor:
    """x over the root of its mean square over the last axes, times weight."""
    x = _typed(input, None)
    flat, _ = _last(x, normalized_shape, "rms_norm")
    epsilon = {_core.float64: 2.0**-52, _core.float16: 2.0**-10, _core.bfloat16: 2.0**-7}.get(x.dtype, 2.0**-23)
    return ops.reshape(ops.rms_norm(flat, None if weight is None else ops.reshape(weight, (-1,)), epsilon if eps is None else eps),
                       x.shape)


def batch_norm(input: TensorLike, running_mean: Tensor | None, running_var: Tensor | None, weight: TensorLike | None = None,
               bias: TensorLike | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """Mean 0 and variance 1 for each channel. In training the running statistics are changed in place."""
    x = _typed(input, None)
    if not training:
        if running_mean is None or running_var is None:
            raise ArgumentError("batch_norm: outside of training, running_mean and running_var are expected.")
        return ops.batch_norm(x, running_mean, running_var, weight, bias, eps)
    channels = (x.shape[1],)
    mean = ops.zeros(channels, x.dtype, x.device) if running_mean is None else running_mean
    var = ops.ones(channels, x.dtype, x.device) if running_var is None else running_var
    result, new_mean, new_var = ops.batch_norm_training(x, mean, var, weight, bias, momentum, eps)
    for old, new in ((running_mean, new_mean), (running_var, new_var)):
        if old is not None:
            old[...] = new.detach()
    return result


def instance_norm(input: TensorLike, running_mean: Tensor | None = None, running_var: Tensor | None = None,
                  weight: TensorLike | None = None, bias: TensorLike | None = None, use_input_stats: bool = True,
                  momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """Mean 0 and variance 1 for each channel of each sample."""
    if not use_input_stats or running_mean is not None or running_var is not None:
        raise UnsupportedError("instance_norm: running statistics are not supported.")
    return ops.instance_norm(input, weight, bias, eps)


def group_norm(input: TensorLike, num_groups: int, weight: TensorLike | None = None, bias: TensorLike | None = None,
               eps: float = 1e-5) -> Tensor:
    """Mean 0 and variance 1 for each group of channels."""
    return ops.group_norm(input, num_groups, weight, bias, eps)


def local_response_norm(input: TensorLike, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Each channel over a power of the squares of its neighbours."""
    return ops.local_response_norm(input, size, alpha, beta, k)


def normalize(input: TensorLike, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """x over its p-norm along an axis."""
    return ops.normalize(input, p, dim, eps)


# ---- Convolution and pooling ----

def conv1d(input: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: _Size = 1, padding: Any = 0,
           dilation: _Size = 1, groups: int = 1) -> Tensor:
    """[N, C, L] convolved with [O, C / groups, taps]."""
    return ops.conv1d(input, weight, bias, stride, padding, dilation, groups)


def conv2d(input: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: _Size = 1, padding: Any = 0,
           dilation: _Size = 1, groups: int = 1) -> Tensor:
    """[N, C, H, W] convolved with [O, C / groups, taps, taps].

    >>> import tessera as ts
    >>> ts.nn.functional.conv2d(ts.ones((1, 1, 4, 4)), ts.ones((2, 1, 3, 3)), padding=1).shape
    (1, 2, 4, 4)
    """
    return ops.conv2d(input, weight, bias, stride, padding, dilation, groups)


def conv_transpose1d(input: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: _Size = 1, padding: Any = 0,
                     output_padding: _Size = 0, groups: int = 1, dilation: _Size = 1) -> Tensor:
    """The transpose of conv1d; weights are [C, O / groups, taps]."""
    return ops.conv_transpose1d(input, weight, bias, stride, padding, output_padding, dilation, groups)


def conv_transpose2d(input: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: _Size = 1, padding: Any = 0,
                     output_padding: _Size = 0, groups: int = 1, dilation: _Size = 1) -> Tensor:
    """The transpose of conv2d; weights are [C, O / groups, taps, taps]."""
    return ops.conv_transpose2d(input, weight, bias, stride, padding, output_padding, dilation, groups)


def unfold(input: TensorLike, kernel_size: _Size, dilation: _Size = 1, padding: Any = 0, stride: _Size = 1) -> Tensor:
    """The windows of [N, C, H, W] as columns: [N, C * taps, windows]."""
    return ops.unfold(input, _pair(kernel_size), _pair(dilation), padding, _pair(stride))


def fold(input: TensorLike, output_size: _Size, kernel_size: _Size, dilation: _Size = 1, padding: Any = 0, stride: _Size = 1) -> Tensor:
    """The transpose of unfold: columns are added up where they come from."""
    return ops.fold(input, _pair(output_size), _pair(kernel_size), _pair(dilation), padding, _pair(stride))


def _pair(size: _Size) -> list[int]:
    return [size, size] if isinstance(size, int) else list(size)


def _pool(name: str, rank: int) -> Any:
    plain, indexed = getattr(ops, name), getattr(ops, name + "_with_indices", None)

    def max_pool(input: TensorLike, kernel_size: _Size, stride: _Size | None = None, padding: Any = 0, dilation: _Size = 1,
                 ceil_mode: bool = False, return_indices: bool = False) -> Any:
        op = indexed if return_indices else plain
        assert op is not None
        return op(input, kernel_size, stride, padding, dilation, ceil_mode)

    def avg_pool(input: TensorLike, kernel_size: _Size, stride: _Size | None = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True) -> Tensor:
        return plain(input, kernel_size, stride, padding, 1, ceil_mode, count_include_pad)

    function = max_pool if indexed else avg_pool
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The {'largest element' if indexed else 'mean'} of each window over the last {rank} ax{'is' if rank == 1 else 'es'}."
    return function


max_pool1d, max_pool2d = _pool("max_pool1d", 1), _pool("max_pool2d", 2)
avg_pool1d, avg_pool2d = _pool("avg_pool1d", 1), _pool("avg_pool2d", 2)


def _adaptive(op: Any, input: TensorLike, output_size: Any, rank: int) -> Tensor:
    x = _typed(input, None)
    sizes = [output_size] * rank if isinstance(output_size, int) else list(output_size)
    return op(x, [x.shape[i - rank] if s is None else s for i, s in enumerate(sizes)])


def adaptive_avg_pool1d(input: TensorLike, output_size: Any) -> Tensor:
    """The last axis brought to a size by means."""
    return _adaptive(ops.adaptive_avg_pool, input, output_size, 1)


def adaptive_avg_pool2d(input: TensorLike, output_size: Any) -> Tensor:
    """The last two axes brought to a size by means."""
    return _adaptive(ops.adaptive_avg_pool, input, output_size, 2)


def adaptive_max_pool1d(input: TensorLike, output_size: Any) -> Tensor:
    """The last axis brought to a size by the largest elements."""
    return _adaptive(ops.adaptive_max_pool, input, output_size, 1)


def adaptive_max_pool2d(input: TensorLike, output_size: Any) -> Tensor:
    """The last two axes brought to a size by the largest elements."""
    return _adaptive(ops.adaptive_max_pool, input, output_size, 2)


_MODES: dict[str, Any] = {"nearest": "nearest", "linear": "linear", "bilinear": "linear", "bicubic": "cubic"}


def interpolate(input: TensorLike, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
                align_corners: bool | None = None) -> Tensor:
    """The axes behind the second brought to a size, or by a factor: 'nearest', 'linear', 'bilinear' or 'bicubic'."""
    if mode not in _MODES:
        raise ArgumentError(f"interpolate: the mode is '{mode}'; one of {', '.join(_MODES)} is expected.")
    x = _typed(input, None)
    sizes = None if size is None else [size] * (x.ndim - 2) if isinstance(size, int) else list(size)
    scale = [] if scale_factor is None else [float(scale_factor)] if isinstance(scale_factor, (int, float)) else list(scale_factor)
    return ops.interpolate(x, sizes, scale, _MODES[mode], bool(align_corners))


def pad(input: TensorLike, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """Elements added at the ends, in pairs (before, after) from the last axis on."""
    x = _typed(input, None)
    if mode != "constant":
        raise UnsupportedError(f"pad: the mode '{mode}' is not supported; 'constant' is expected.")
    if len(pad) % 2 or len(pad) > 2 * x.ndim:
        raise ArgumentError(f"pad: {len(pad)} numbers were given; a pair for each of at most {x.ndim} axes is expected.")
    widths = [(0, 0)] * (x.ndim - len(pad) // 2) + [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)]
    return ops.pad(x, widths, 0 if value is None else value)


# ---- Losses ----

def cross_entropy(input: TensorLike, target: TensorLike, weight: TensorLike | None = None, ignore_index: int = -100,
                  reduction: Any = "mean", label_smoothing: float = 0.0) -> Tensor:
    """Between logits [N, C, ...] and class indices [N, ...], or probabilities of the logits' shape.

    >>> import tessera as ts
    >>> round(ts.nn.functional.cross_entropy(ts.zeros((2, 4)), ts.array([1, 3])).item(), 4)
    1.3863
    """
    return ops.cross_entropy(input, target, weight, ignore_index, label_smoothing, reduction)


def nll_loss(input: TensorLike, target: TensorLike, weight: TensorLike | None = None, ignore_index: int = -100,
             reduction: Any = "mean") -> Tensor:
    """The same of log-probabilities."""
    return ops.nll_loss(input, target, weight, ignore_index, 0.0, reduction)


def binary_cross_entropy(input: TensorLike, target: TensorLike, weight: TensorLike | None = None, reduction: Any = "mean") -> Tensor:
    """Between probabilities and targets from 0 to 1."""
    return ops.binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(input: TensorLike, target: TensorLike, weight: TensorLike | None = None,
                                     reduction: Any = "mean", pos_weight: TensorLike | None = None) -> Tensor:
    """Between logits and targets from 0 to 1."""
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: TensorLike, target: TensorLike, reduction: Any = "mean", log_target: bool = False) -> Tensor:
    """The divergence of distributions; `input` as logarithms. "batchmean" divides by the first size."""
    x = _typed(input, None)
    if reduction == "batchmean":
        return ops.kl_div(x, target, log_target, "sum") / x.shape[0]
    return ops.kl_div(x, target, log_target, reduction)
