"""Linear algebra with the names of the array API standard."""

from __future__ import annotations

from typing import Any, Sequence

from tessera import _core
from tessera._core import Tensor, ops
from tessera._core.linalg import cholesky as _cholesky
from tessera._core.linalg import matrix_norm as _matrix_norm
from tessera._core.linalg import matrix_rank as _matrix_rank
from tessera._core.linalg import pinv as _pinv
from tessera._core.linalg import qr as _qr
from tessera._core.linalg import svd as _svd
from tessera._core.linalg import vector_norm as _vector_norm
from tessera._errors import ArgumentError, ShapeError
from tessera._creation import _integers, _tensor, inf
from tessera._functions import matrix_transpose, tensordot, vecdot
from tessera._public_linalg import *  # noqa: F403
from tessera._types import DTypeLike, TensorLike

matmul = ops.matmul


def _square(x: TensorLike, what: str) -> Tensor:
    x = _tensor(x)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ShapeError(f"{what}: a tensor of shape {x.shape} was given; square matrices are expected.")
    return x


def _adjoint(x: Tensor) -> Tensor:
    return ops.conj(ops.transpose(x))


def cholesky(x: TensorLike, /, *, upper: bool = False) -> Tensor:
    """The lower (or upper) factor of symmetric or Hermitian matrices.

    >>> import tessera as ts
    >>> ts.linalg.cholesky(ts.array([[4., 2.], [2., 5.]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    factor = _cholesky(x)
    return _adjoint(factor) if upper else factor


def qr(x: TensorLike, /, mode: str = "reduced") -> Any:
    """x = Q R with orthogonal Q and triangular R: [M, K] and [K, N] with K = min(M, N), or K = M in the mode 'complete'.

    >>> import tessera as ts
    >>> q, r = ts.linalg.qr(ts.ones((3, 2)), mode="complete")
    >>> q.shape, r.shape
    ((3, 3), (3, 2))
    """
    x = _tensor(x)
    if mode not in ("reduced", "complete"):
        raise ArgumentError(f"qr: the mode is '{mode}'; 'reduced' or 'complete' is expected.")
    if mode == "reduced" or x.ndim < 2 or x.shape[-2] <= x.shape[-1]:
        return _qr(x)
    # With the unit vectors behind them the columns span everything, and Q has all M columns.
    rows, columns = x.shape[-2:]
    unit = ops.broadcast_to(ops.eye(rows, rows, 0, x.dtype, x.device), (*x.shape[:-2], rows, rows))
    both = _qr(ops.concat([x, unit], -1))
    return both._replace(R=both.R[..., :columns])


def _completed(basis: Tensor) -> Tensor:
    """Orthonormal columns, and behind them those that are missing for a square matrix."""
    rows, columns = basis.shape[-2:]
    return basis if rows == columns else ops.concat([basis, qr(basis, mode="complete").Q[..., columns:]], -1)


def svd(x: TensorLike, /, full_matrices: bool = True) -> Any:
    """x = U diag(S) Vh, singular values in descending order; without full_matrices U is [M, K] and Vh [K, N], with K = min(M, N).

    >>> import tessera as ts
    >>> [m.shape for m in ts.linalg.svd(ts.ones((3, 2)), full_matrices=False)]
    [(3, 2), (2,), (2, 2)]
    """
    out = _svd(x)
    if not full_matrices:
        return out
    return out._replace(U=_completed(out.U), Vh=_adjoint(_completed(_adjoint(out.Vh))))


def pinv(x: TensorLike, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """The pseudo-inverse; singular values up to rtol times the largest are treated as zero."""
    if not isinstance(rtol, Tensor):
        return _pinv(x, rtol)
    u, s, vh = _svd(x)
    kept = s > ops.expand_dims(rtol, -1) * ops.max(s, [-1], True)
    inverse = ops.where(kept, 1 / ops.where(kept, s, 1), 0)
    return ops.matmul(_adjoint(vh) * ops.expand_dims(inverse, -2), _adjoint(u))


def matrix_rank(x: TensorLike, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """The number of singular values above rtol times the largest."""
    if not isinstance(rtol, Tensor):
        return _matrix_rank(x, rtol)
    s = svdvals(x)  # noqa: F405
    return ops.sum((s > ops.expand_dims(rtol, -1) * ops.max(s, [-1], True))._astype(_core.int32), [-1], False)


def matrix_power(x: TensorLike, n: int, /) -> Tensor:
    """The n-th power of square matrices; of their inverses for a negative n.

    >>> import tessera as ts
    >>> ts.linalg.matrix_power(ts.array([[1., 1.], [0., 1.]]), 5).tolist()
    [[1.0, 5.0], [0.0, 1.0]]
    """
    x = _square(x, "matrix_power")
    if n < 0:
        x, n = inv(x), -n  # noqa: F405
    out: Tensor | None = None
    while n:
        if n & 1:
            out = x if out is None else ops.matmul(out, x)
        n >>= 1
        if n:
            x = ops.matmul(x, x)
    return ops.broadcast_to(ops.eye(x.shape[-1], x.shape[-1], 0, x.dtype, x.device), x.shape) if out is None else out


_ORDERS: dict[Any, str] = {"fro": "frobenius", "nuc": "nuclear", inf: "inf", -inf: "minus_inf", 1: "one", -1: "minus_one", 2: "two",
                           -2: "minus_two"}


def matrix_norm(x: TensorLike, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:  # noqa: A002
    """The norm of matrices: 'fro', 'nuc', 1, -1, 2, -2, inf or -inf.

    >>> import tessera as ts
    >>> ts.linalg.matrix_norm(ts.array([[3., 0.], [0., 4.]])).item()
    5.0
    """
    if ord not in _ORDERS:
        raise ArgumentError(f"matrix_norm: the order {ord!r} was given; 'fro', 'nuc', 1, -1, 2, -2, inf or -inf is expected.")
    return _matrix_norm(x, _ORDERS[ord], keepdims)  # type: ignore[arg-type]


def vector_norm(x: TensorLike, /, *, axis: int | Sequence[int] | None = None, keepdims: bool = False, ord: float = 2) -> Tensor:  # noqa: A002
    """(sum |x|^ord)^(1/ord) over all axes, or those of `axis`.

    >>> import tessera as ts
    >>> ts.linalg.vector_norm(ts.array([3., 4.])).item()
    5.0
    """
    axes = [] if axis is None else _integers(axis, "vector_norm", "axis")
    return _vector_norm(x, ord, axes, keepdims)


def diagonal(x: TensorLike, /, *, offset: int = 0) -> Tensor:
    """The diagonals of matrices, along a new last axis."""
    return ops.diagonal(x, offset)


def trace(x: TensorLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """The sums of diagonals."""
    from tessera._functions import sum as sum_

    return sum_(ops.diagonal(x, offset), axis=-1, dtype=dtype)


def outer(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The outer product of two vectors."""
    x1, x2 = _tensor(x1), _tensor(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ShapeError(f"outer: shapes {x1.shape} and {x2.shape} were given; two vectors are expected.")
    return ops.outer(x1, x2)


def cross(x1: TensorLike, x2: TensorLike, /, *, axis: int = -1) -> Tensor:
    """The cross product of vectors with three elements."""
    x1, x2 = _tensor(x1), _tensor(x2)
    if x1.ndim == 0 or x2.ndim == 0 or x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ShapeError(f"cross: shapes {x1.shape} and {x2.shape} were given; three elements along axis {axis} are expected.")
    return ops.cross(x1, x2, axis)
