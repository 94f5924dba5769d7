#!/usr/bin/env python3
"""Writes every_dtype.npz and every_dtype_deflated.npz with NumPy (2.x).

Element i of an array is i + 1, and of c8 and c16 (i + 1) - 0.5j; bools alternate, true first. "big" is big-endian, "fortran" in Fortran's order,
and "long" has a text of its own for each kind of deflate block."""

from pathlib import Path

import numpy as np

DTYPES = ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


def elements(dtype, shape):
    count = np.arange(1, np.prod(shape, dtype=int) + 1)
    if dtype == "b1":
        count = count % 2
    return (count - 0.5j if dtype.startswith("c") else count).astype(dtype).reshape(shape)


arrays = {f"layers.{dtype}": elements(dtype, (2, 3)) for dtype in DTYPES}
arrays["scalar"] = elements("f4", ())
arrays["empty"] = elements("i2", (0, 4))
arrays["big"] = elements("i4", (2, 3)).astype(">i4")
arrays["bigcomplex"] = elements("c8", (2,)).astype(">c8")
arrays["fortran"] = np.asfortranarray(elements("i2", (2, 3, 4)))
arrays["long"] = (np.arange(20000, dtype=np.int64) ** 2 % 1009).astype(np.int16)
folder = Path(__file__).parent
np.savez(folder / "every_dtype.npz", **arrays)
np.savez_compressed(folder / "every_dtype_deflated.npz", **arrays)
np.save(folder / "fortran.npy", arrays["fortran"])
