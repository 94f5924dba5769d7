#!/usr/bin/env python3
"""Writes every_block.gguf, and every_block.json with what the Python reader finds in it: PYTHONPATH=build/dev/python make_gguf.py.

A tensor of every dtype and block dtype, one of a format that Tessera does not have, and metadata of every type; the tests of
openGguf() and saveGguf() compare with it."""

import json
import math
from pathlib import Path

import tessera as ts

HERE = Path(__file__).parent
BLOCKS = ["q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q2_k", "q3_k", "q4_k", "q5_k", "q6_k", "iq4_nl", "iq4_xs", "mxfp4"]
SCALARS = {"u8": 200, "i8": -100, "u16": 60000, "i16": -30000, "u32": 4000000000, "i32": -2000000000, "f32": 1.5, "bool": True,
           "string": "t\u00e4xt \U0001f600 \0", "u64": 2**63 + 1, "i64": -(2**62), "f64": 1e300}

metadata = {"general.architecture": "llama", "__proto__": "own", "test.nan": [math.inf, -math.inf, 0.5]}
types = {"test.nan": "f32[]"}
for kind, value in SCALARS.items():
    metadata |= {f"test.{kind}": value, f"test.array.{kind}": [value] * 3, f"test.empty.{kind}": []}
    types |= {f"test.{kind}": kind, f"test.array.{kind}": kind + "[]", f"test.empty.{kind}": kind + "[]"}
tensors = {"plain.f32": ts.array([[1.5, -2, 3], [4.25, 5, -6]]), "plain.scalar": ts.array(7.0), "plain.empty": ts.zeros((2, 0))}
for dtype in ["f16", "bf16", "f64", "i8", "i16", "i32", "i64"]:
    tensors["plain." + dtype] = ts.array([1, -2, 100]).astype(dtype)
rows = ts.array([[math.sin(0.37 * i * i + r) * (1 + r) for i in range(256)] for r in range(4)])
for dtype in BLOCKS:
    tensors["blocks." + dtype] = ts.quantize(rows, dtype)
tensors["foreign"] = ("IQ2_XXS", (1, 256), bytes(range(66)))
ts.io.save_gguf(HERE / "every_block.gguf", tensors, metadata=metadata, types=types)

file = ts.io.open_gguf(HERE / "every_block.gguf")
found = {"names": file.keys(), "types": {name: file.type(name) for name in file.keys()}, "metadataTypes": file.metadata_types, "samples": {}}
for dtype in BLOCKS:
    flat = file.tensor("blocks." + dtype).astype("f32").reshape(-1).tolist()
    found["samples"][dtype] = [flat[i] for i in range(0, 1024, 37)]
(HERE / "every_block.json").write_text(json.dumps(found, indent=1) + "\n")
