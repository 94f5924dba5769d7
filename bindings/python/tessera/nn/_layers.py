"""Linear layers, embeddings, dropout, convolution, normalization, pooling and resizing, with PyTorch's arguments and defaults."""

from __future__ import annotations

from typing import Any, Sequence

from tessera._core import Tensor
from tessera.distributed import Group
from tessera.nn._native import Native
from tessera.nn.functional import dropout

_Size = int | Sequence[int]
_Padding = int | str | Sequence[int]


class Linear(Native):
    """x weight^T + bias for x [.., in]. weight is [out, in], bias [out].

    >>> import tessera as ts
    >>> layer = ts.nn.Linear(3, 2)
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
    >>> layer(ts.ones((4, 3))).shape, layer.weight.shape
    ((4, 2), (2, 3))
    """

    weight: Tensor
    bias: Tensor | None = None

    def __init__(self, in_features: int, out_features: int, bias: bool = True, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, in_features=in_features, out_features=out_features, bias=bias)

    def forward(self, input: Any) -> Any:
        y = self._call([input])[0]
        if self._lora is None:
            return y
        scale, rate = self._lora
        x = dropout(input, rate, self.training) if rate > 0 else input
        return y + x @ self.lora_A.T @ self.lora_B.T * scale


class Bilinear(Native):
    """a^T weight[o] b + bias[o] for a [.., in1] and b [.., in2]. weight is [out, in1, in2]."""

    weight: Tensor
    bias: Tensor | None = None

    def __init__(self, in1_features: int, in2_features: int, out_features: int, bias: bool = True, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, in1_features=in1_features, in2_features=in2_features, out_features=out_features, bias=bias)

    def forward(self, input1: Any, input2: Any) -> Tensor:  # type: ignore[override]
        return self._call([input1, input2])[0]


class Embedding(Native):
    """Rows of weight [num_embeddings, embedding_dim] at indices of any shape.

    The row `padding_idx` starts as zeros and has no gradient.

    >>> import tessera as ts
    >>> ts.nn.Embedding(10, 4)(ts.array([[1, 2, 3]])).shape
    (1, 3, 4)
    """

    weight: Tensor

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, num_embeddings=num_embeddings, embedding_dim=embedding_dim, padding_idx=padding_idx)


class Dropout(Native):
    """Sets elements to 0 with probability p while training, and scales the others by 1 / (1 - p).

    >>> import tessera as ts
    >>> ts.nn.Dropout(0.5).eval()(ts.ones(3)).tolist()
    [1.0, 1.0, 1.0]
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self._make(p=p)


class Flatten(Native):
    """Joins the axes from start_dim to end_dim into one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self._make(start_dim=start_dim, end_dim=end_dim)


class Unflatten(Native):
    """Splits an axis into several; one size may be -1."""

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        self._make(dim=dim, unflattened_size=unflattened_size)


# ---- Convolution ----


class _Conv(Native):
    weight: Tensor
    bias: Tensor | None = None

    def __init__(self, in_channels: int, out_channels: int, kernel_size: _Size, stride: _Size = 1, padding: _Padding = 0, dilation: _Size = 1,
                 groups: int = 1, bias: bool = True, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, in_channels=in_channels, out_channels=out_channels, kernel_size=kernel_size, stride=stride, padding=padding,
                   dilation=dilation, groups=groups, bias=bias)


class Conv1d(_Conv):
    """Convolution of [N, in, L] or [in, L]. weight is [out, in / groups, taps]."""


class Conv2d(_Conv):
    """Convolution of [N, in, H, W] or [in, H, W]. weight is [out, in / groups, taps, taps].

    >>> import tessera as ts
    >>> ts.nn.Conv2d(3, 8, 3, stride=2, padding=1)(ts.zeros((1, 3, 8, 8))).shape
    (1, 8, 4, 4)
    """


class _ConvTranspose(Native):
    weight: Tensor
    bias: Tensor | None = None

    def __init__(self, in_channels: int, out_channels: int, kernel_size: _Size, stride: _Size = 1, padding: _Padding = 0,
                 output_padding: _Size = 0, groups: int = 1, bias: bool = True, dilation: _Size = 1, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, in_channels=in_channels, out_channels=out_channels, kernel_size=kernel_size, stride=stride, padding=padding,
                   output_padding=output_padding, groups=groups, bias=bias, dilation=dilation)


class ConvTranspose1d(_ConvTranspose):
    """The gradient of Conv1d as a layer. weight is [in, out / groups, taps]."""


class ConvTranspose2d(_ConvTranspose):
    """The gradient of Conv2d as a layer. weight is [in, out / groups, taps, taps]."""


# ---- Normalization ----


class _BatchNorm(Native):
    weight: Tensor | None = None
    bias: Tensor | None = None
    running_mean: Tensor | None = None
    running_var: Tensor | None = None
    num_batches_tracked: Tensor | None = None

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
                 track_running_stats: bool = True, dtype: Any = None, device: Any = None, *, group: Group | None = None) -> None:
        self._make(dtype, device, num_features=num_features, eps=eps, momentum=momentum, affine=affine,
                   track_running_stats=track_running_stats, group=None if group is None else group._group)


class BatchNorm1d(_BatchNorm):
    """Normalizes the channels of [N, C] or [N, C, L]: by the batch while training, by running statistics else.

    With a `group`, a distributed.Group, the batches of its ranks are one while training, as in SyncBatchNorm.

    >>> import tessera as ts
    >>> norm = ts.nn.BatchNorm1d(2)
    >>> _ = norm(ts.array([[1., 2.], [3., 6.]]))
    >>> [round(v, 3) for v in norm.running_mean.tolist()]
    [0.2, 0.4]
    """


class BatchNorm2d(_BatchNorm):
    """Normalizes the channels of [N, C, H, W]."""


class BatchNorm3d(_BatchNorm):
    """Normalizes the channels of [N, C, D, H, W]."""


class LayerNorm(Native):
    """Normalizes over the last axes, which have the sizes normalized_shape."""

    weight: Tensor | None = None
    bias: Tensor | None = None

    def __init__(self, normalized_shape: _Size, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True, dtype: Any = None,
                 device: Any = None) -> None:
        self._make(dtype, device, normalized_shape=normalized_shape, eps=eps, elementwise_affine=elementwise_affine, bias=bias)


class RMSNorm(Native):
    """Divides by the root mean square over the last axes. Without eps, it is that of the dtype."""

    weight: Tensor | None = None

    def __init__(self, normalized_shape: _Size, eps: float | None = None, elementwise_affine: bool = True, dtype: Any = None,
                 device: Any = None) -> None:
        self._make(dtype, device, normalized_shape=normalized_shape, eps=eps, elementwise_affine=elementwise_affine)


class GroupNorm(Native):
    """Normalizes over groups of channels of [N, C, ..]."""

    weight: Tensor | None = None
    bias: Tensor | None = None

    def __init__(self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, num_groups=num_groups, num_channels=num_channels, eps=eps, affine=affine)


class _InstanceNorm(Native):
    weight: Tensor | None = None
    bias: Tensor | None = None
    running_mean: Tensor | None = None
    running_var: Tensor | None = None
    num_batches_tracked: Tensor | None = None

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
                 track_running_stats: bool = False, dtype: Any = None, device: Any = None) -> None:
        self._make(dtype, device, num_features=num_features, eps=eps, momentum=momentum, affine=affine,
                   track_running_stats=track_running_stats)


class InstanceNorm1d(_InstanceNorm):
    """Normalizes each channel of each sample of [N, C, L] or [C, L]."""


class InstanceNorm2d(_InstanceNorm):
    """Normalizes each channel of each sample of [N, C, H, W] or [C, H, W]."""


# ---- Pooling and resizing ----


class _MaxPool(Native):
    def __init__(self, kernel_size: _Size, stride: _Size | None = None, padding: _Padding = 0, dilation: _Size = 1,
                 ceil_mode: bool = False) -> None:
        self._make(kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation, ceil_mode=ceil_mode)


class MaxPool1d(_MaxPool):
    """The largest element of each window of [N, C, L]; the stride defaults to the kernel's size."""


class MaxPool2d(_MaxPool):
    """The largest element of each window of [N, C, H, W]; the stride defaults to the kernel's size."""


class _AvgPool(Native):
    def __init__(self, kernel_size: _Size, stride: _Size | None = None, padding: _Padding = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True) -> None:
        self._make(kernel_size=kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode, count_include_pad=count_include_pad)


class AvgPool1d(_AvgPool):
    """The mean of each window of [N, C, L]; the stride defaults to the kernel's size."""


class AvgPool2d(_AvgPool):
    """The mean of each window of [N, C, H, W]; the stride defaults to the kernel's size."""


class _AdaptivePool(Native):
    def __init__(self, output_size: _Size) -> None:
        self._make(output_size=output_size)


class AdaptiveAvgPool1d(_AdaptivePool):
    """Means that make the last axis of this size."""


class AdaptiveAvgPool2d(_AdaptivePool):
    """Means that make the last two axes of this size; one number applies to both."""


class AdaptiveMaxPool1d(_AdaptivePool):
    """Maxima that make the last axis of this size."""


class AdaptiveMaxPool2d(_AdaptivePool):
    """Maxima that make the last two axes of this size; one number applies to both."""


class Upsample(Native):
    """Resizes the spatial axes of [N, C, ..] to a size, or by a scale factor."""

    def __init__(self, size: _Size | None = None, scale_factor: float | Sequence[float] | None = None, mode: str = "nearest",
                 align_corners: bool | None = None) -> None:
        factors = [scale_factor] if isinstance(scale_factor, (int, float)) else scale_factor
        self._make(size=size, scale_factor=factors, mode=mode, align_corners=align_corners)


class PixelShuffle(Native):
    """[.., C f f, H, W] to [.., C, H f, W f]."""

    def __init__(self, upscale_factor: int) -> None:
        self._make(upscale_factor=upscale_factor)


class PixelUnshuffle(Native):
    """The inverse of PixelShuffle."""

    def __init__(self, downscale_factor: int) -> None:
        self._make(downscale_factor=downscale_factor)
