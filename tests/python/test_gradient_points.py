"""Gradients at kinks, zeros and extremes: every op of the catalog that has one, first and second order, against PyTorch's numbers.

gradient_points.py has the points and the deviations, gradient_points.json the numbers, which make_gradient_points.py makes with PyTorch.
"""

import functools
import json
import os
import pathlib

import numpy as np
import pytest
import tessera as ts
import tessera.nn.functional as F
from gradient_points import DEVIATIONS, NO_COUNTERPART, ROWS, weights
from tessera import _core

HERE = pathlib.Path(__file__).resolve().parent
FOUND = json.loads((HERE / "gradient_points.json").read_text())
FULL = bool(os.environ.get("TESSERA_TEST_FULL"))
SOFTWARE = any("llvmpipe" in d["name"] for d in ts.devices())
ORDERS = ("value", "gradient", "second gradient")
# Values may be off by a few units in the last place, and a second gradient is a longer formula of such values. What is
# absolute stands for terms that cancel, of the size of the weights and the points up to 100.
TOLERANCE = {ts.float32: [(2e-5, 4e-6), (1e-4, 1e-5), (4e-4, 4e-5)], ts.float64: [(1e-12, 1e-13), (1e-10, 1e-11), (1e-9, 1e-10)]}


# Constants of PyTorch's own: 1 / 6 and 1e-12 in float32, and few terms of a series.
ROUGH = {"hardsigmoid": 1e-7, "binary_cross_entropy": 1e-7, "cosine_embedding_loss": 1e-7, "digamma": 1e-8, "lgamma": 1e-8}
USED = set()  # which deviations were met


def derivatives(case, dtype, device, orders=3):
    """[[value], [gradient of each operand], [second gradient of each]], not evaluated yet."""
    def constant(a, order):
        return ts.array(weights(a.shape, order), dtype=dtype, device=device)

    def value(*tensors):
        names = {"X": ts, "F": F, "T": lambda v: ts.array(v, dtype=dtype, device=device),
                 "I": lambda v: ts.array(v, dtype=ts.int32, device=device), "B": lambda v: ts.array(np.array(v, bool), device=device)}
        return eval(case.ours, names | dict(zip("xyz", tensors)))  # noqa: S307

    def first(*tensors):
        return ts.grad(lambda *v: (lambda y: (y * constant(y, 1)).sum())(value(*v)), argnums=range(len(tensors)))(*tensors)

    def weighted(*tensors):
        return functools.reduce(lambda a, b: a + b, [(g * constant(g, 2)).sum() for g in first(*tensors)])

    x = [ts.array(a, dtype=dtype, device=device) for a in case.inputs]
    result = [[value(*x)], list(first(*x))]
    if orders == 3:
        result.append(list(ts.grad(weighted, argnums=range(len(x)))(*x)))
    return result


def close(got, want, tolerance):
    with np.errstate(all="ignore"):
        return np.isclose(got, want, rtol=tolerance[0], atol=tolerance[1], equal_nan=True)


def mismatches(op, index, found, dtype):
    """A line for each number that is not PyTorch's; where one is not by choice, it must still be a number."""
    case, row = ROWS[op][index], FOUND["rows"][op][index]
    lines = []
    for order, (got, want) in enumerate(zip(found, row["numbers"])):
        rtol, atol = TOLERANCE[dtype][order]
        for k, (a, b) in enumerate(zip(got, want)):
            a = np.asarray(a.numpy(), np.float64).ravel()
            b = np.array(b, np.float64)
            with np.errstate(over="ignore"):
                b = b.astype(np.float32).astype(np.float64) if dtype == ts.float32 else b
            tolerance = max(rtol, ROUGH.get(op, 0)), atol
            right = close(a, b, tolerance)
            if dtype == ts.float32:
                for o, operand, i, other in row.get("32", []):
                    if (o, operand) == (order, k):
                        right[i] = right[i] or close(a[i], other, tolerance)
            for number, deviation in enumerate(DEVIATIONS):
                if op in deviation.ops and order in deviation.orders:
                    chosen = deviation.where(case.inputs, k, b) & ~right & ~np.isnan(a)
                    right = right | chosen
                    USED.update({(number, op)} if chosen.any() else {})
            at = [tuple(float(v.ravel()[i]) for v in case.inputs) if all(v.size == a.size for v in case.inputs) else i for i in range(a.size)]
            lines += [f"{op}[{index}] {case.ours}: {ORDERS[order]} {'xyz'[k]} at {at[i]} is {a[i]:.9g}, PyTorch's {b[i]:.9g}" for i in np.flatnonzero(~right)]
    return lines


def families():
    result = {}
    for op, family, gradient in _core._catalog_rows():
        if gradient and op in ROWS:
            result.setdefault(family, []).append(op)
    return result


def compare(ops, dtype, device):
    started, lines = [], []
    for op in ops:
        for index in range(len(ROWS[op])):
            orders = len(FOUND["rows"][op][index]["numbers"])
            started.append((op, index, derivatives(ROWS[op][index], dtype, device, orders)))
    ts.eval(*[t for _, _, found in started for order in found for t in order])
    there = ts.zeros(1, device=device).device
    for op, index, found in started:
        assert all(t.device == there for order in found for t in order), f"{op}[{index}] is on another device than its operands"
        lines += mismatches(op, index, found, dtype)
    assert not lines, f"{len(lines)} numbers differ:\n" + "\n".join(lines)


def test_every_op_that_has_a_gradient_has_its_row():
    with_gradient = [op for op, _, gradient in _core._catalog_rows() if gradient]
    assert [op for op in with_gradient if op not in ROWS and op not in NO_COUNTERPART] == []
    assert [op for op in [*ROWS, *NO_COUNTERPART] if op not in with_gradient] == []


def test_the_numbers_are_of_these_points():
    assert list(FOUND["rows"]) == list(ROWS), "run make_gradient_points.py again"
    for op, cases in ROWS.items():
        rows = FOUND["rows"][op]
        assert [c.key() for c in cases] == [r["key"] for r in rows], f"{op} has changed: run make_gradient_points.py again"
        assert not [r["error"] for r in rows if "error" in r], op


@pytest.mark.parametrize("family", families())
def test_float32(family):
    compare(families()[family], ts.float32, ts.current_device())


# Formulas whose WGSL is our own; TESSERA_TEST_FULL runs all on the adapter.
@pytest.mark.parametrize("family", ["Elementwise", "Activations", "Reductions", "Losses"])
@pytest.mark.skipif(FULL or not SOFTWARE, reason="the software adapter is not there, or all is run on it")
def test_float32_on_the_software_adapter(family):
    compare(families()[family], ts.float32, ts.Device("webgpu:llvmpipe"))


@pytest.mark.parametrize("family", families())
def test_float64(family):
    compare(families()[family], ts.float64, "cpu")


def test_deviations_are_met_and_documented():
    page = (HERE.parent.parent / "docs/conformance.md").read_text().partition("## Gradients at special points")[2]
    for number, deviation in enumerate(DEVIATIONS):
        line = f"| {', '.join(f'`{op}`' for op in deviation.ops)} | {' and '.join(ORDERS[o] for o in deviation.orders)} | {deviation.reason} |"
        assert line in page
        compare(deviation.ops, ts.float64, "cpu")
        assert [op for op in deviation.ops if (number, op) not in USED] == [], "PyTorch's numbers now"
