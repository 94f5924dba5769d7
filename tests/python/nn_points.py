"""What the tests of modules and optimizers share: PyTorch's numbers (tests/nn/points.json), and a module of one's own."""

import json
from pathlib import Path

import numpy as np
import tessera as ts
from tessera import nn

POINTS = json.loads((Path(__file__).resolve().parent.parent / "nn" / "points.json").read_text())


def tensor(packed, dtype=ts.float32):
    return ts.array(np.array(packed[1], np.float32).reshape(packed[0])).astype(dtype)


def close(got, packed, tolerance, what):
    assert got.shape == tuple(packed[0]), what
    np.testing.assert_allclose(np.asarray(got.astype(ts.float32)).reshape(-1), packed[1], rtol=tolerance, atol=tolerance, err_msg=what)


class Mlp(nn.Module):
    def __init__(self, sizes):
        self.layers = [nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]
        self.scale = ts.ones(())
        self.register_buffer("calls", ts.zeros((), ts.int32))

    def forward(self, x):
        self.calls = self.calls + 1
        for layer in self.layers[:-1]:
            x = ts.tanh(layer(x))
        return self.layers[-1](x) * self.scale
