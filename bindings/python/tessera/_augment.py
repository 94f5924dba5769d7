"""Augmentation of batches of images on the device: in a compiled step, or outside of one.

Images are [N, C, H, W], or [N, H, W, C] with channels_last, of uint8 or floats. Results have the dtype of the images, but for normalize().
Each sample has random numbers of its own.
"""

from __future__ import annotations

from typing import Any, Sequence

from tessera import _core
from tessera._core import Tensor


def normalize(images: Any, mean: float | Sequence[float], deviation: float | Sequence[float], *, channels_last: bool = False) -> Tensor:
    """(x - mean) / deviation for each channel; uint8 is divided by 255 first and becomes float32.

    >>> import tessera as ts
    >>> ts.data.normalize(ts.full((1, 1, 1, 2), 255, dtype=ts.uint8), 0.5, 0.5).tolist()
    [[[[1.0, 1.0]]]]
    """
    return _core._augment_normalize(images, mean, deviation, channels_last)


def resize(images: Any, height: int, width: int, mode: str = "linear", *, channels_last: bool = False) -> Tensor:
    """To another size, without antialiasing. `mode`: 'nearest', 'linear' or 'cubic'.

    >>> import tessera as ts
    >>> ts.data.resize(ts.zeros((2, 3, 8, 8)), 4, 6).shape
    (2, 3, 4, 6)
    """
    return _core._augment_resize(images, height, width, mode, channels_last)


def crop(images: Any, tops: Any, lefts: Any, height: int, width: int, *, channels_last: bool = False) -> Tensor:
    """The window of each sample from row tops[i] and column lefts[i] on. Zero outside of the image."""
    return _core._augment_crop(images, tops, lefts, height, width, channels_last)


def center_crop(images: Any, height: int, width: int, *, channels_last: bool = False) -> Tensor:
    """The window in the middle."""
    return _core._augment_center_crop(images, height, width, channels_last)


def random_crop(images: Any, height: int, width: int, padding: int = 0, *, channels_last: bool = False) -> Tensor:
    """A window anywhere in the image with `padding` zeros on each side.

    >>> import tessera as ts
    >>> ts.data.random_crop(ts.zeros((2, 3, 32, 32)), 32, 32, padding=4).shape
    (2, 3, 32, 32)
    """
    return _core._augment_random_crop(images, height, width, padding, channels_last)


def resized_crop(images: Any, boxes: Any, height: int, width: int, *, channels_last: bool = False) -> Tensor:
    """The boxes of the samples, float32 [N, 4] of top, left, height and width in pixels, resized bilinearly."""
    return _core._augment_resized_crop(images, boxes, height, width, channels_last)


def random_resized_crop(images: Any, height: int, width: int, area: tuple[float, float] = (0.08, 1.0),
                        ratio: tuple[float, float] = (3 / 4, 4 / 3), *, channels_last: bool = False) -> Tensor:
    """resized_crop() of a random box, by its part of the area and its ratio of width to height."""
    return _core._augment_random_resized_crop(images, height, width, list(area), list(ratio), channels_last)


def random_flip(images: Any, horizontal: float = 0.5, vertical: float = 0.0, *, channels_last: bool = False) -> Tensor:
    """Mirrors left and right with the probability `horizontal`, and top and bottom with `vertical`.

    >>> import tessera as ts
    >>> ts.data.random_flip(ts.array([[[[1., 2.]]]]), horizontal=1.0).tolist()
    [[[[2.0, 1.0]]]]
    """
    return _core._augment_random_flip(images, horizontal, vertical, channels_last)


def rotate(images: Any, degrees: Any, *, channels_last: bool = False) -> Tensor:
    """About the middle, counter-clockwise, by a number or one for each sample; bilinear, and zero outside of the image."""
    return _core._augment_rotate(images, degrees, channels_last)


def random_rotate(images: Any, degrees: float, *, channels_last: bool = False) -> Tensor:
    """By an angle between -degrees and degrees."""
    return _core._augment_random_rotate(images, degrees, channels_last)


def cutout(images: Any, size: int, value: float = 0.0, *, channels_last: bool = False) -> Tensor:
    """A square of `size` pixels about a random pixel is `value`."""
    return _core._augment_cutout(images, size, value, channels_last)


def random_erase(images: Any, probability: float = 0.5, area: tuple[float, float] = (0.02, 1 / 3), ratio: tuple[float, float] = (0.3, 3.3),
                 value: float = 0.0, *, channels_last: bool = False) -> Tensor:
    """A random box of some samples is `value`."""
    return _core._augment_random_erase(images, probability, list(area), list(ratio), value, channels_last)


def mixup(images: Any, labels: Any, alpha: float = 0.2) -> tuple[Tensor, Tensor]:
    """Mixes sample i and sample N - 1 - i of images [N, ..] and labels [N, K], floats such as one_hot gives."""
    return _core._augment_mixup(images, labels, alpha)
