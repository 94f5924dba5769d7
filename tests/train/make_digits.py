#!/usr/bin/env python3
"""Writes digits/: the handwritten digits of the UCI repository, 1797 images of 8 x 8 in 17 grays, as the four IDX files of MNIST.

They come with scikit-learn (pip install scikit-learn, 1.5 or later). The split is random: 1437 images to train, 360 for the test."""

import struct
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

TEST = 360


def write(name, array):
    header = struct.pack(">HBB", 0, 0x08, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    (Path(__file__).parent / "digits" / name).write_bytes(header + array.astype(np.uint8).tobytes())


digits = load_digits()
order = np.random.default_rng(0).permutation(len(digits.target))
for prefix, rows in ("t10k", order[:TEST]), ("train", order[TEST:]):
    write(f"{prefix}-images-idx3-ubyte", digits.images[rows])
    write(f"{prefix}-labels-idx1-ubyte", digits.target[rows])
