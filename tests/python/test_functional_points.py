"""tessera.nn.functional gives what PyTorch gives: values, shapes and types of the calls of functional_points.py, and errors where it has some.

The numbers are in functional_points.json, which make_functional_points.py writes where PyTorch is installed. What differs by choice is
listed here with its reason, and in docs/python.md.
"""

import json
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
import tessera.nn.functional as F
from functional_points import CALLS, numbers, parts

FILE = Path(__file__).resolve().parent / "functional_points.json"
POINTS = json.loads(FILE.read_text())["calls"]
NAMES = {"F": F, "inf": float("inf"), "nan": float("nan"), "f16": ts.float16, "f32": ts.float32, "D": lambda *s, seed=0: ts.array(numbers(*s, seed=seed).astype(np.float32)),
         "P": lambda *s, seed=0: ts.array(parts(*s, seed=seed).astype(np.float32)), "T": lambda v: ts.array(np.array(v, np.float32)), "H": lambda v: ts.array(np.array(v, np.float16)),
         "I": lambda v: ts.array(np.array(v, np.int64)), "U": lambda v: ts.array(np.array(v, np.uint8)), "B": lambda v: ts.array(np.array(v, bool))}

# By choice: call -> why.
CHOICES = {
    "F.gelu(T([-inf, -100., -3., -1., -0.5, -0., 0., 0.5, 1., 3., 6., 20., 25., 100., inf, nan]))": "gelu(inf) is inf, the limit; PyTorch's CPU kernel gives NaN.",
}


def run(call):
    out = eval(call, dict(NAMES))  # noqa: S307
    return [(t.dtype.name, t.shape, t.numpy()) for t in (out if isinstance(out, tuple) else (out,))]


def test_every_call_has_its_numbers():
    assert list(POINTS) == list(dict.fromkeys(CALLS))
    own = {n for n, f in vars(F).items() if not n.startswith("_") and callable(f) and not isinstance(f, type) and f.__module__.startswith("tessera.")}
    own -= {"swiglu", "geglu"}  # which PyTorch has not
    assert not {n for n in own if not any(f"F.{n}(" in call for call in CALLS)}


@pytest.mark.parametrize("call", [c for c in POINTS if c not in CHOICES])
def test_as_pytorch(call):
    expected = POINTS[call]
    if isinstance(expected, str):
        with pytest.raises(ts.Error):
            run(call)
        return
    got = run(call)
    assert len(got) == len(expected)
    for (kind, shape, values), (their_kind, their_shape, their_values) in zip(got, expected):
        assert list(shape) == their_shape
        # Places are int32 here, and numbers int64 there.
        assert kind == their_kind or (kind, their_kind) == ("int32", "int64")
        near = 2e-3 if their_kind == "float16" else 1e-5
        np.testing.assert_allclose(values.ravel().astype(np.float64), np.array(their_values, dtype=np.float64), rtol=near, atol=near)


@pytest.mark.parametrize("call", CHOICES)
def test_what_differs_by_choice_still_does(call):
    """A row that holds as in PyTorch has no place among the choices."""
    with pytest.raises((AssertionError, ts.Error, pytest.fail.Exception)):
        test_as_pytorch(call)
