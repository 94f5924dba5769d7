#!/usr/bin/env python3
"""Writes every_dtype.safetensors with the reference implementation: pip install safetensors numpy ml_dtypes (0.8.0, any, any).

Element i of a tensor is i + 1, and of C64 (i + 1) - 0.5j; bools alternate, true first."""

from pathlib import Path

import ml_dtypes
import numpy as np
from safetensors.numpy import save

DTYPES = {"bool": np.bool_, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "i64": np.int64,
          "u64": np.uint64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64, "c64": np.complex64}


def elements(name, shape):
    count = np.arange(1, np.prod(shape, dtype=int) + 1)
    if name == "bool":
        count = count % 2
    return (count - 0.5j if name == "c64" else count).astype(DTYPES[name]).reshape(shape)


tensors = {f"layers.{name}.weight": elements(name, (2, 3)) for name in DTYPES}
tensors["scalar"] = elements("f32", ())
tensors["empty"] = elements("i16", (0, 4))
tensors['n\u00e4me "\\\n\x01\x7f\U0001f600'] = elements("u8", (3,))
Path(__file__).with_name("every_dtype.safetensors").write_bytes(save(tensors, metadata={"format": "np"}))
