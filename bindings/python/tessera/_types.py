"""The types of arguments, for annotations."""

from __future__ import annotations

from typing import Any, Sequence, SupportsFloat, Union

from tessera._core import Device, DType, Tensor

TensorLike = Union[Tensor, complex, float, int, bool, Sequence[Any], SupportsFloat]
DTypeLike = Union[DType, str, type, Any]
DeviceLike = Union[Device, str, None]
Index = Any
