"""Functions on block-quantized weights."""

from __future__ import annotations

from tessera import _core
from tessera._core import DType, QuantizedTensor, Tensor
from tessera._types import TensorLike


def dequantize(q: QuantizedTensor, dtype: DType | None = None) -> Tensor:
    """The matrix [N, K] in a float dtype, by default float32.

    >>> import tessera as ts
    >>> q = ts.QuantizedTensor.quantize(ts.ones((2, 32)), "Q8_0")
    >>> ts.dequantize(q).shape
    (2, 32)
    """
    return _core.dequantize(q, dtype)


def quantized_matmul(x: TensorLike, q: QuantizedTensor) -> Tensor:
    """x [.., K] times the transpose of q [N, K]: [.., N], with x's dtype. Gradients pass to x. q is dequantized on load.

    >>> import tessera as ts
    >>> q = ts.QuantizedTensor.quantize(ts.ones((2, 32)), "Q8_0")
    >>> ts.round(ts.quantized_matmul(ts.ones(32), q)).tolist()
    [32.0, 32.0]
    """
    return _core.quantized_matmul(x, q)
