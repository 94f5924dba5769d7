#!/usr/bin/env python3
"""Writes every_type.gguf with the reference implementation: pip install gguf==0.19.0.

Every type of metadata, alone and in an array, and a tensor of every type: byte i of a block format is i % 251, element i of a dtype
i + 1. tests/io/gguf_test.cpp writes the same bytes."""

from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType, GGUFValueType

SCALARS = {"UINT8": 200, "INT8": -100, "UINT16": 60000, "INT16": -30000, "UINT32": 4000000000, "INT32": -2000000000, "FLOAT32": 1.5, "BOOL": True,
           "STRING": "t\u00e4xt \U0001f600", "UINT64": 2**63 + 1, "INT64": -2**62, "FLOAT64": 1e300}
DTYPES = {"F32": np.float32, "F16": np.float16, "F64": np.float64, "I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64}
# Of a length that the package does not agree on with ggml, and in no file.
WITHOUT = {"Q8_1"}

writer = gguf.GGUFWriter(Path(__file__).with_name("every_type.gguf"), "llama")
for name, value in SCALARS.items():
    kind = GGUFValueType[name]
    writer.add_key_value(f"test.{name}", value, kind)
    writer.add_key_value(f"test.array.{name}", [value] * 3, GGUFValueType.ARRAY, sub_type=kind)
for name, kind in DTYPES.items():
    writer.add_tensor(f"dtype.{name}", np.arange(1, 7).astype(kind).reshape(2, 3))
writer.add_tensor("dtype.scalar", np.array(2.5, np.float32))
writer.add_tensor("dtype.empty", np.zeros((2, 0), np.float32))
for kind in GGMLQuantizationType:
    if kind.name not in DTYPES and kind.name not in WITHOUT:
        size = 2 * 2 * gguf.GGML_QUANT_SIZES[kind][1]  # two rows of two blocks
        blocks = (np.arange(size) % 251).astype(np.uint8).reshape(2, size // 2)
        writer.add_tensor(f"blocks.{kind.name}", blocks, raw_dtype=kind)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
