"""Tensors of block dtypes from the bytes of files, and back."""

from __future__ import annotations

from typing import Any, Sequence

from tessera import _core
from tessera._core import Tensor
from tessera._types import DTypeLike


def from_blocks(dtype: DTypeLike, blocks: Any, shape: Sequence[int], device: Any = None) -> Tensor:
    """A tensor [.., K] of a block dtype, from the bytes of a GGUF file: rows of K / 32 (K / 256 for the K formats) blocks.

    >>> import tessera as ts
    >>> ts.from_blocks(ts.q8_0, bytes(2 * 34), (2, 32)).dtype
    tessera.q8_0
    """
    return _core.from_blocks(dtype, blocks, shape, device)


def to_blocks(q: Tensor) -> bytes:
    """The bytes of a tensor of a block dtype, as a GGUF file has them. Waits for its value.

    >>> import tessera as ts
    >>> len(ts.to_blocks(ts.quantize(ts.ones((2, 32)), ts.q8_0)))
    68
    """
    return _core.to_blocks(q)
