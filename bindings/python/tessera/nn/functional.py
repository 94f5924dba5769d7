"""Neural-network functions with PyTorch's names and signatures."""

from __future__ import annotations

import math
from typing import Any, Sequence

from tessera import _core
from tessera._core import Tensor, ops
from tessera._core.linalg import vector_norm as _vector_norm
from tessera._creation import _FLOATS, _integers
from tessera._errors import ArgumentError, ShapeError, UnsupportedError
from tessera._public_functional import *  # noqa: F403
from tessera._types import DTypeLike, TensorLike
from tessera.nn._losses import (binary_cross_entropy, binary_cross_entropy_with_logits, cosine_embedding_loss, cosine_similarity, cross_entropy,
                                hinge_embedding_loss, huber_loss, kl_div, l1_loss, mse_loss, nll_loss, smooth_l1_loss, triplet_margin_loss)
from tessera.nn._resample import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_max_pool1d, adaptive_max_pool2d, interpolate, pad

_Size = Any  # an integer, or one for each axis


def _typed(x: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    x = x if isinstance(x, Tensor) else _core._array(x, None, None)
    return x if dtype is None else x._astype(dtype)


def linear(input: TensorLike, weight: TensorLike, bias: TensorLike | None = None) -> Tensor:
    """input @ weight.mT + bias.

    >>> import tessera as ts
    >>> ts.nn.functional.linear(ts.ones((1, 2)), ts.array([[1., 2.], [3., 4.]]), ts.array([0., 1.])).tolist()
    [[3.0, 8.0]]
    """
    weight = _typed(weight)
    out = ops.matmul(input, ops.transpose(weight) if weight.ndim > 1 else weight)
    if bias is None:
        return out
    return out + (_typed(bias).astype(out.dtype) if _core._autocasting() else bias)


def gelu(input: TensorLike, approximate: str = "none") -> Tensor:
    """The Gaussian error linear unit, exact or with approximate="tanh"."""
    if approximate not in ("none", "tanh"):
        raise ArgumentError(f"gelu: approximate is '{approximate}'; 'none' or 'tanh' is expected.")
    return ops.gelu(input) if approximate == "none" else ops.gelu_tanh(input)


def _axis(dim: int | None, x: Tensor) -> int:
    """PyTorch's rule for a dim that was left out."""
    return dim if dim is not None else 0 if x.ndim in (0, 1, 3) else 1


def _along(op: Any, x: Tensor, dim: int) -> Tensor:
    """op(x, dim), where a single number has the axes 0 and -1, and nothing stays nothing, as in PyTorch."""
    if x.size == 0 and -x.ndim <= dim < x.ndim:
        return x if x.dtype in _FLOATS else x._astype(_core.float32)
    return op(x, dim) if x.ndim or dim not in (0, -1) else ops.reshape(op(ops.reshape(x, (1,)), 0), ())


def threshold(input: TensorLike, threshold: float, value: float) -> Tensor:
    """x where it is above the threshold or NaN, and the value elsewhere."""
    x = _typed(input)
    return ops.where(ops.less_equal(x, threshold), value if x.dtype in _FLOATS else int(value), x)


def hardtanh(input: TensorLike, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """x limited to the bounds; integers stay integers."""
    x = _typed(input)
    if min_val > max_val:
        raise ArgumentError(f"hardtanh: min_val is {min_val} and max_val {max_val}; the first is the larger.")
    return ops.hardtanh(x, min_val, max_val) if x.dtype in _FLOATS else ops.clamp(x, int(min_val), int(max_val))


def softplus(input: TensorLike, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x is above the threshold."""
    x = _typed(input)
    scaled = x if beta == 1 else x * beta
    soft = ops.softplus(scaled)
    return ops.where(scaled > threshold, x, soft if beta == 1 else soft / beta)


def gumbel_softmax(logits: TensorLike, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """Softmax of the logits with Gumbel noise; `hard` returns one-hot values with the gradient of the soft ones. `eps` is ignored, as in PyTorch."""
    return _along(lambda x, axis: ops.gumbel_softmax(x, tau, hard, axis), _typed(logits), dim)


def softmax(input: TensorLike, dim: int | None = None, _stacklevel: int = 3, dtype: DTypeLike | None = None) -> Tensor:
    """exp(x) divided by its sum along an axis.

    >>> import tessera as ts
    >>> ts.nn.functional.softmax(ts.zeros((1, 4)), dim=-1).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    x = _typed(input, dtype)
    return _along(ops.softmax, x, _axis(dim, x))


def log_softmax(input: TensorLike, dim: int | None = None, _stacklevel: int = 3, dtype: DTypeLike | None = None) -> Tensor:
    """The logarithm of softmax."""
    x = _typed(input, dtype)
    return _along(ops.log_softmax, x, _axis(dim, x))


def softmin(input: TensorLike, dim: int | None = None, _stacklevel: int = 3, dtype: DTypeLike | None = None) -> Tensor:
    """softmax(-input)."""
    x = _typed(input, dtype)
    return _along(ops.softmin, x, _axis(dim, x))


def glu(input: TensorLike, dim: int = -1) -> Tensor:
    """The first half of an axis times the sigmoid of the second."""
    return ops.glu(input, dim)


def swiglu(gate: TensorLike, input: TensorLike) -> Tensor:
    """silu(gate) * input."""
    return ops.swiglu(gate, input)


def geglu(gate: TensorLike, input: TensorLike) -> Tensor:
    """gelu(gate) * input."""
    return ops.geglu(gate, input)


def embedding(input: TensorLike, weight: TensorLike, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0,
              scale_grad_by_freq: bool = False, sparse: bool = False) -> Tensor:
    """Rows of `weight` at the indices `input`; the row `padding_idx` receives no gradient.

    >>> import tessera as ts
    >>> ts.nn.functional.embedding(ts.array([1, 0]), ts.array([[1.], [2.]])).tolist()
    [[2.0], [1.0]]
    """
    if max_norm is not None or scale_grad_by_freq:
        raise UnsupportedError("embedding: max_norm, which changes the weight, and scale_grad_by_freq are not supported.")
    indices, table = _typed(input), _typed(weight)
    rows = ops.embedding(indices, table)
    if padding_idx is None:
        return rows
    if not -table.shape[0] <= padding_idx < table.shape[0]:
        raise ArgumentError(f"embedding: padding_idx is {padding_idx}; the weight has {table.shape[0]} rows.")
    kept = ops.expand_dims(ops.equal(indices, padding_idx % table.shape[0]), -1)
    return ops.where(kept, _core.stop_gradient(rows), rows)


def one_hot(tensor: TensorLike, num_classes: int = -1) -> Tensor:
    """1 at each index along a new last axis, 0 elsewhere: int64. By default the number of classes is the largest index plus one."""
    x = _typed(tensor)
    if num_classes < 0:
        if x.size == 0:
            raise ArgumentError(f"one_hot: a tensor of shape {x.shape} has no largest index; num_classes is expected.")
        num_classes = int(ops.max(x).item()) + 1
    return ops.one_hot(x, num_classes, _core.int64)


def _together(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that they broadcast to."""
    out: list[int] = []
    for shape in shapes:
        out = [1] * (len(shape) - len(out)) + out
        for i, n in enumerate(shape, len(out) - len(shape)):
            if n != 1 and out[i] not in (1, n):
                raise ShapeError(f"scaled_dot_product_attention: the axes {', '.join(map(str, shapes))} before the last two do not go together.")
            out[i] = n if out[i] == 1 else out[i]
    return tuple(out)


def scaled_dot_product_attention(query: TensorLike, key: TensorLike, value: TensorLike, attn_mask: TensorLike | None = None,
                                 dropout_p: float = 0.0, is_causal: bool = False, *, scale: float | None = None,
                                 enable_gqa: bool = False) -> Tensor:
    """softmax(query key^T * scale + mask) value, for [.., L, E], [.., S, E] and [.., S, Ev], whose leading axes broadcast.

    With `is_causal` query i attends to the keys 0 to i, regardless of L and S, as in PyTorch. (In
    tessera.scaled_dot_product_attention the last query attends to the last key.) With `enable_gqa` consecutive heads of the query,
    axis -3, share a head of key and value.
    """
    q, k, v = _typed(query), _typed(key), _typed(value)
    what = "scaled_dot_product_attention"
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise ShapeError(f"{what}: tensors of shapes {q.shape}, {k.shape} and {v.shape} were given; at least 2 axes are expected.")
    if is_causal and attn_mask is not None:
        raise ArgumentError(f"{what}: attn_mask was given with is_causal; one of them is expected.")
    if not 0.0 <= dropout_p <= 1.0:
        raise ArgumentError(f"{what}: dropout_p is {dropout_p}; 0 to 1 is expected.")
    mask = None if attn_mask is None else _typed(attn_mask)
    length, seen = q.shape[-2], k.shape[-2]
    if is_causal and length < seen:  # nobody sees the keys behind
        k, v, seen = k[..., :length, :], v[..., :length, :], length
    elif is_causal and length > seen:
        mask, is_causal = ops.tril(ops.ones((length, seen), _core.float32, q.device), 0)._astype(_core.bool), False
    direct = q.ndim in (3, 4) and dropout_p == 0 and k.shape == v.shape and 0 not in q.shape + k.shape
    if direct and q.shape[:-2] == k.shape[:-2] and (mask is None or mask.ndim <= 2):  # what most calls are
        return ops.scaled_dot_product_attention(q, k, v, mask=mask, causal=is_causal, scale=scale)
    groups = 1
    # One head of key and value for all of the query needs no copies, either.
    heads_differ = min(q.ndim, k.ndim, v.ndim) > 2 and q.shape[-3] and k.shape[-3] and q.shape[-3] != k.shape[-3]
    if heads_differ and (enable_gqa or k.shape[-3] == v.shape[-3] == 1):
        if q.shape[-3] % k.shape[-3] or k.shape[-3] != v.shape[-3]:
            raise ShapeError(f"{what}: {q.shape[-3]} heads of the query are no multiple of the {k.shape[-3]} and {v.shape[-3]} of key and value.")
        groups = q.shape[-3] // k.shape[-3]
    heads = [(*t.shape[:-3], t.shape[-3] * groups) if groups > 1 and t is not q else t.shape[:-2] for t in (q, k, v)]
    lead = _together(*heads)
    if mask is not None and mask.ndim > 2:
        lead = _together(lead, mask.shape[:-2])

    def flat(t: Tensor, shared: int) -> Tensor:
        """As [batch, heads, .., ..]."""
        front = (*lead[:-1], lead[-1] // shared) if lead else ()
        front = front if len(front) > 1 else (1,) * (2 - len(front)) + front
        whole = ops.broadcast_to(t, (*front, *t.shape[-2:]))
        return ops.reshape(whole, (math.prod(front[:-1]), front[-1], *t.shape[-2:]))

    out_shape = (*lead, length, v.shape[-1])
    q4, k4, v4 = flat(q, 1), flat(k, groups), flat(v, groups)
    mask4 = None
    if mask is not None:
        mask4 = mask if mask.ndim <= 2 else flat(mask, 1)
    if dropout_p > 0 or k.shape[-1] != v.shape[-1] or 0 in out_shape or not seen:
        return ops.reshape(_plain_attention(q4, k4, v4, mask4, is_causal, scale, dropout_p), out_shape)
    return ops.reshape(ops.scaled_dot_product_attention(q4, k4, v4, mask=mask4, causal=is_causal, scale=scale), out_shape)


def _plain_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool, scale: float | None, dropout_p: float) -> Tensor:
    """Attention with its weights written out: where some are dropped, or values have another size than keys."""
    if q.shape[1] != k.shape[1]:
        k, v = (ops.repeat(t, q.shape[1] // t.shape[1], 1) for t in (k, v))
    scores = ops.matmul(q, ops.transpose(k)) * (1 / math.sqrt(max(q.shape[-1], 1)) if scale is None else scale)
    if causal:
        mask = ops.tril(ops.ones(scores.shape[-2:], _core.float32, q.device), 0)._astype(_core.bool)
    if mask is not None and mask.dtype == _core.bool:
        mask = ops.where(mask, 0.0, -math.inf)._astype(scores.dtype)
    if mask is not None:
        scores = scores + mask
    if scores.shape[-1] == 0:
        return ops.zeros((*scores.shape[:-1], v.shape[-1]), scores.dtype, q.device)
    nothing = ops.equal(ops.max(scores, [-1], True), -math.inf)  # a query that sees no key gives zeros
    weights = ops.where(nothing, 0.0, ops.softmax(ops.where(nothing, 0.0, scores), -1))
    return ops.matmul(dropout(weights, dropout_p), v)  # noqa: F405


# ---- Normalisation ----

def _last(x: Tensor, normalized_shape: int | Sequence[int], what: str) -> tuple[Tensor, list[int]]:
    """x with the axes of normalized_shape as one."""
    sizes = _integers(normalized_shape, what, "normalized_shape")
    if not sizes or len(sizes) > x.ndim or list(x.shape[x.ndim - len(sizes):]) != sizes:
        raise ArgumentError(f"{what}: normalized_shape is {tuple(sizes)}; the last axes of shape {x.shape} are expected.")
    return ops.reshape(x, list(x.shape[:x.ndim - len(sizes)]) + [math.prod(sizes)]), sizes


def _scale(p: TensorLike | None, sizes: list[int], what: str) -> Tensor | None:
    """A weight or bias of layer_norm along one axis."""
    if p is None:
        return None
    p = _typed(p)
    if list(p.shape) != sizes:
        raise ShapeError(f"{what}: a weight or bias of shape {p.shape} was given; {tuple(sizes)} is expected.")
    return ops.reshape(p, (-1,))


def layer_norm(input: TensorLike, normalized_shape: int | Sequence[int], weight: TensorLike | None = None,
               bias: TensorLike | None = None, eps: float = 1e-5) -> Tensor:
    """Normalizes to mean 0 and variance 1 over the last axes, then applies weight and bias."""
    x = _typed(input)
    flat, sizes = _last(x, normalized_shape, "layer_norm")
    scale, shift = (_scale(p, sizes, "layer_norm") for p in (weight, bias))
    return ops.reshape(ops.layer_norm(flat, scale, shift, eps), x.shape)


def rms_norm(input: TensorLike, normalized_shape: int | Sequence[int], weight: TensorLike | None = None,
             eps: float | None = None) -> Tensor:
    """x divided by its root mean square over the last axes, times weight."""
    x = _typed(input)
    flat, sizes = _last(x, normalized_shape, "rms_norm")
    epsilon = 2.0**-52 if x.dtype == _core.float64 else 2.0**-23  # of the type that halves are computed in, too
    return ops.reshape(ops.rms_norm(flat, _scale(weight, sizes, "rms_norm"), epsilon if eps is None else eps), x.shape)


def batch_norm(input: TensorLike, running_mean: Tensor | None, running_var: Tensor | None, weight: TensorLike | None = None,
               bias: TensorLike | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """Normalizes each channel to mean 0 and variance 1. In training the running statistics are updated in place."""
    x = _typed(input)
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
    """Normalizes each channel of each sample to mean 0 and variance 1. The running statistics, if given, are updated in place, or used
    instead without use_input_stats."""
    x = _typed(input)
    if not use_input_stats:
        if running_mean is None or running_var is None:
            raise ArgumentError("instance_norm: without use_input_stats, running_mean and running_var are expected.")
        return ops.batch_norm(x, running_mean, running_var, weight, bias, eps)
    count = math.prod(x.shape[2:])
    if count == 1:
        raise ArgumentError(f"instance_norm: an input of shape {x.shape} has one element in each channel; at least two are expected.")
    axes = list(range(2, x.ndim))
    for old, new in ((running_mean, ops.mean), (running_var, lambda x, a: ops.var(x, a, False, 1))):
        if old is not None:
            old[...] = (old * (1 - momentum) + ops.mean(new(x, axes), [0]) * momentum).detach()
    return ops.instance_norm(x, weight, bias, eps)


def group_norm(input: TensorLike, num_groups: int, weight: TensorLike | None = None, bias: TensorLike | None = None,
               eps: float = 1e-5) -> Tensor:
    """Normalizes each group of channels to mean 0 and variance 1."""
    return ops.group_norm(input, num_groups, weight, bias, eps)


def local_response_norm(input: TensorLike, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Divides each channel by a power of the sum of squares of adjacent channels."""
    return ops.local_response_norm(input, size, alpha, beta, k)


def normalize(input: TensorLike, p: float = 2.0, dim: int | Sequence[int] = 1, eps: float = 1e-12) -> Tensor:
    """x divided by its p-norm along an axis, or several."""
    x = _typed(input)
    axes = _integers(dim, "normalize", "dim")
    if len(axes) == 1 and p > 0:
        return _along(lambda x, axis: ops.normalize(x, p, axis, eps), x, axes[0])
    return x / ops.clip(_vector_norm(x, p, axes, True), eps, None)


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
    """im2col: the windows of [N, C, H, W] as columns [N, C * taps, windows]."""
    return ops.unfold(input, kernel_size, dilation, padding, stride)


def fold(input: TensorLike, output_size: _Size, kernel_size: _Size, dilation: _Size = 1, padding: Any = 0, stride: _Size = 1) -> Tensor:
    """col2im, the transpose of unfold: sums the columns at their positions."""
    return ops.fold(input, output_size, kernel_size, dilation, padding, stride)


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

    def avg_pool_by(input: TensorLike, kernel_size: _Size, stride: _Size | None = None, padding: Any = 0, ceil_mode: bool = False,
                    count_include_pad: bool = True, divisor_override: int | None = None) -> Tensor:
        if divisor_override is None:
            return plain(input, kernel_size, stride, padding, 1, ceil_mode, count_include_pad)
        if divisor_override == 0:
            raise ArgumentError(f"{name}: divisor_override is 0; another number is expected.")
        # Means over what is inside, times how much that is: the mean of ones with padding counted, where every window is whole.
        x = _typed(input)
        means = plain(x, kernel_size, stride, padding, 1, ceil_mode, False)
        taps, step, ends = (_integers(p, name, "size") for p in (kernel_size, kernel_size if stride is None else stride, padding))
        counts: Any = 1
        for i in range(rank):
            size, out, (k, s, low) = x.shape[i - rank], means.shape[i - rank], (p[i % len(p)] for p in (taps, step, ends))
            inside = [min(o * s - low + k, size) - max(o * s - low, 0) for o in range(out)]
            counts = ops.reshape(_core._array(inside, x.dtype, x.device), [out] + [1] * (rank - 1 - i)) * counts
        return means * counts / divisor_override

    function = max_pool if indexed else avg_pool if rank == 1 else avg_pool_by
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The {'largest element' if indexed else 'mean'} of each window over the last {rank} ax{'is' if rank == 1 else 'es'}."
    return function


max_pool1d, max_pool2d = _pool("max_pool1d", 1), _pool("max_pool2d", 2)
avg_pool1d, avg_pool2d = _pool("avg_pool1d", 1), _pool("avg_pool2d", 2)
