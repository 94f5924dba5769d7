"""Writes points.json: what PyPI's gguf 0.19.0 makes of the blocks of each block dtype, for tests/quant/blocks_test.cpp.

    python make_points.py [file]

Needs gguf and NumPy. `dequantize` has blocks and the bits of their float32 elements, both in hexadecimal; `quantize` has the blocks of the
elements that elements() gives, which blocks_test.cpp makes again.
"""

import json
import pathlib
import sys

import gguf
import numpy as np
from gguf.quants import dequantize, quantize

HERE = pathlib.Path(__file__).resolve().parent
DTYPES = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "MXFP4"]
WRITTEN = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "MXFP4"]
# Where the f16 scales of a block are.
SCALES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2],
          "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0], "MXFP4": []}
# f16: 0, -0, the smallest and the largest subnormal, the largest, 1, a random normal one.
EDGES = [0x0000, 0x8000, 0x0001, 0x03FF, 0x7BFF, 0x3C00]
EXPONENTS = [2, 60, 127, 128, 200, 250]


def blocks_of(name, rng):
    """Random blocks, with scales at the edges of f16; of 256 elements fewer."""
    kind = gguf.GGMLQuantizationType[name]
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    count = 6 if elements == 32 else 3
    blocks = rng.integers(0, 256, (count, size), dtype=np.uint8)
    for i in range(count):
        for at in SCALES[name]:
            edge = EDGES[(i if elements == 32 else 2 * i) % len(EDGES)] if i > 0 else 0x2800 + int(rng.integers(0, 1024))
            blocks[i, at:at + 2] = np.frombuffer(np.uint16(edge).tobytes(), np.uint8)
        if name == "MXFP4":
            blocks[i, 0] = EXPONENTS[i]
    return kind, blocks


def elements(count):
    """Rows of 32: of several magnitudes, with ties, zeros, equal elements, and magnitudes next to powers of two."""
    state, values = 1, []
    for row in range(count):
        each = []
        for _ in range(32):
            state = (state * 1664525 + 1013904223) % 2**32
            each.append((state >> 8) / 2**23 - 1)
        scale = np.float32(2.0) ** ((row * 5) % 31 - 17)
        x = np.array(each, np.float32) * scale
        kind = row % 8
        if kind == 1:
            x = np.round(x / scale * 16).astype(np.float32) / np.float32(16)  # ties
        elif kind == 2:
            x[:] = 0
        elif kind == 3:
            x[:] = x[5]
        elif kind == 4:
            x = np.abs(x)
        elif kind == 5:
            x[7] = np.nextafter(np.float32(4 * scale), np.float32(0))
        elif kind == 6:
            x[:] = 0
            x[31] = -scale
        values.append(x)
    return np.stack(values)


def main():
    rng = np.random.default_rng(23)
    points = {"dequantize": {}, "quantize": {}}
    for name in DTYPES:
        kind, blocks = blocks_of(name, rng)
        values = dequantize(blocks, kind)
        points["dequantize"][name.lower()] = [blocks.tobytes().hex(), values.astype("<f4").tobytes().hex()]
    x = elements(24)
    for name in WRITTEN:
        points["quantize"][name.lower()] = quantize(x, gguf.GGMLQuantizationType[name]).tobytes().hex()
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "points.json"
    path.write_text(json.dumps(points, indent=1) + "\n")


main()
