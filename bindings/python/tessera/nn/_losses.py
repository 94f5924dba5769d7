"""The losses of tessera.nn.functional, with PyTorch's arguments in PyTorch's order."""

from __future__ import annotations

from typing import Any

from tessera._core import Tensor, ops
from tessera._core.linalg import vector_norm as _vector_norm
from tessera._creation import _FLOATS, _tensor
from tessera._errors import ArgumentError, ShapeError
from tessera._functions import broadcast_arrays
from tessera._types import TensorLike


def _reduction(reduction: str, size_average: bool | None, reduce: bool | None) -> Any:
    """PyTorch's two older arguments, which say the same as `reduction` where one is given."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"


def _reduced(loss: Tensor, reduction: str, what: str) -> Tensor:
    if reduction not in ("none", "mean", "sum"):
        raise ArgumentError(f"{what}: the argument 'reduction' is '{reduction}'; 'mean', 'sum' or 'none' is expected.")
    return loss if reduction == "none" else ops.sum(loss) if reduction == "sum" else ops.mean(loss)


def _both(input: TensorLike, target: TensorLike) -> tuple[Tensor, Tensor]:
    """The two with the shape that they have together."""
    x, t = _tensor(input), _tensor(target)
    if x.shape == t.shape:
        return x, t
    x, t = broadcast_arrays(x, t)
    return x, t


def _elementwise(what: str, op: Any, input: TensorLike, target: TensorLike, reduction: str, weight: TensorLike | None) -> Tensor:
    """The loss of each element, whose weights add up to what the mean divides by."""
    x, t = _both(input, target)
    if weight is None:
        return op(x, t, reduction)
    w = _tensor(weight)
    if w.shape != _tensor(input).shape:
        raise ShapeError(f"{what}: a weight of shape {w.shape} was given for an input of shape {_tensor(input).shape}; equal ones are expected.")
    loss = op(x, t, "none") * w
    return ops.sum(loss) / ops.sum(w) if reduction == "mean" else _reduced(loss, reduction, what)


def mse_loss(input: TensorLike, target: TensorLike, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
             weight: TensorLike | None = None) -> Tensor:
    """(input - target)^2; the two broadcast.

    >>> import tessera as ts
    >>> ts.nn.functional.mse_loss(ts.array([1., 2.]), ts.array([1., 4.])).item()
    2.0
    """
    return _elementwise("mse_loss", ops.mse_loss, input, target, _reduction(reduction, size_average, reduce), weight)


def l1_loss(input: TensorLike, target: TensorLike, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
            weight: TensorLike | None = None) -> Tensor:
    """|input - target|; the two broadcast."""
    return _elementwise("l1_loss", ops.l1_loss, input, target, _reduction(reduction, size_average, reduce), weight)


def smooth_l1_loss(input: TensorLike, target: TensorLike, size_average: bool | None = None, reduce: bool | None = None,
                   reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """Quadratic where |input - target| is below `beta`, |input - target| - beta / 2 elsewhere."""
    return _elementwise("smooth_l1_loss", lambda x, t, how: ops.smooth_l1_loss(x, t, beta, how), input, target,
                        _reduction(reduction, size_average, reduce), None)


def huber_loss(input: TensorLike, target: TensorLike, reduction: str = "mean", delta: float = 1.0, weight: TensorLike | None = None) -> Tensor:
    """Quadratic where |input - target| is below `delta`, linear with slope `delta` elsewhere."""
    if weight is None:
        return _elementwise("huber_loss", lambda x, t, how: ops.huber_loss(x, t, delta, how), input, target, reduction, None)
    each = _elementwise("huber_loss", lambda x, t, how: ops.huber_loss(x, t, delta, how), input, target, "none", weight)
    return _reduced(each, reduction, "huber_loss")  # the mean divides by their number, unlike that of mse_loss


def cross_entropy(input: TensorLike, target: TensorLike, weight: TensorLike | None = None, size_average: bool | None = None,
                  ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0) -> Tensor:
    """Between logits [N, C, ...] and class indices [N, ...], or probabilities of the logits' shape.

    >>> import tessera as ts
    >>> round(ts.nn.functional.cross_entropy(ts.zeros((2, 4)), ts.array([1, 3])).item(), 4)
    1.3863
    """
    t = _tensor(target)
    ignored = None if t.dtype in _FLOATS and ignore_index < 0 else ignore_index
    return ops.cross_entropy(input, t, weight, ignored, label_smoothing, _reduction(reduction, size_average, reduce))


def nll_loss(input: TensorLike, target: TensorLike, weight: TensorLike | None = None, size_average: bool | None = None,
             ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean") -> Tensor:
    """The same for log-probabilities."""
    return ops.nll_loss(input, target, weight, ignore_index, 0.0, _reduction(reduction, size_average, reduce))


def binary_cross_entropy(input: TensorLike, target: TensorLike, weight: TensorLike | None = None, size_average: bool | None = None,
                         reduce: bool | None = None, reduction: str = "mean") -> Tensor:
    """Between probabilities and targets from 0 to 1."""
    return ops.binary_cross_entropy(input, target, weight, _reduction(reduction, size_average, reduce))


def binary_cross_entropy_with_logits(input: TensorLike, target: TensorLike, weight: TensorLike | None = None,
                                     size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
                                     pos_weight: TensorLike | None = None) -> Tensor:
    """Between logits and targets from 0 to 1."""
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, _reduction(reduction, size_average, reduce))


def kl_div(input: TensorLike, target: TensorLike, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
           log_target: bool = False) -> Tensor:
    """The Kullback-Leibler divergence; `input` is given as logarithms. "batchmean" divides the sum by the batch size."""
    x, t = _both(input, target)
    how = _reduction(reduction, size_average, reduce)
    if how == "batchmean":
        total = ops.kl_div(x, t, log_target, "sum")
        own = _tensor(input)
        return total / own.shape[0] if own.ndim else total
    return ops.kl_div(x, t, log_target, how)


def cosine_similarity(x1: TensorLike, x2: TensorLike, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine similarity along an axis of the broadcast shape.

    >>> import tessera as ts
    >>> ts.nn.functional.cosine_similarity(ts.array([[3., 4.]]), ts.array([[6., 8.], [4., -3.]])).numpy().round(3).tolist()
    [1.0, 0.0]
    """
    a, b = _both(x1, x2)
    if a.ndim == 0 and dim in (0, -1):
        a, b = ops.reshape(a, (1,)), ops.reshape(b, (1,))
    return ops.cosine_similarity(a, b, dim, eps)


def cosine_embedding_loss(input1: TensorLike, input2: TensorLike, target: TensorLike, margin: float = 0, size_average: bool | None = None,
                          reduce: bool | None = None, reduction: str = "mean") -> Tensor:
    """1 - cosine where the target is 1, max(0, cosine - margin) where it is -1; rows [N, D] with [N], or [D] with one number."""
    a, b, t = _tensor(input1), _tensor(input2), _tensor(target)
    if t.ndim > 1 or a.ndim != t.ndim + 1 or b.ndim != t.ndim + 1:
        raise ShapeError(f"cosine_embedding_loss: inputs of shapes {a.shape} and {b.shape} were given with a target of shape {t.shape}; [N, D] with "
                         "[N], or [D] with one number, is expected.")
    return ops.cosine_embedding_loss(a, b, t, margin, _reduction(reduction, size_average, reduce))


def hinge_embedding_loss(input: TensorLike, target: TensorLike, margin: float = 1.0, size_average: bool | None = None,
                         reduce: bool | None = None, reduction: str = "mean") -> Tensor:
    """`input` where the target is 1, max(0, margin - input) where it is -1."""
    return ops.hinge_embedding_loss(_tensor(input), _tensor(target), margin, _reduction(reduction, size_average, reduce))


def triplet_margin_loss(anchor: TensorLike, positive: TensorLike, negative: TensorLike, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
                        swap: bool = False, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> Tensor:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin); with `swap`, d(positive, negative) is used if it is smaller."""
    a, p_, n = (_tensor(x) for x in (anchor, positive, negative))
    if not a.ndim == p_.ndim == n.ndim:
        raise ShapeError(f"triplet_margin_loss: tensors of shapes {a.shape}, {p_.shape} and {n.shape} were given; equal ranks are expected.")

    def distance(x: Tensor, y: Tensor) -> Tensor:
        return _vector_norm(x - y + eps, p, [-1], False)

    near, far = distance(a, p_), distance(a, n)
    if swap:
        far = ops.minimum(far, distance(p_, n))
    return _reduced(ops.clip(near - far + margin, 0.0, None), _reduction(reduction, size_average, reduce), "triplet_margin_loss")
