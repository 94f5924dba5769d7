"""Ways to write a call that NumPy, PyTorch and MLX have in common, or two of them: all are taken, and mean the same as NumPy's."""

import numpy as np
import pytest
import tessera as ts

A = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
X = ts.array(A)
B = np.arange(12, dtype=np.float32).reshape(4, 3)
Y = ts.array(B)

SAME = {
    "einsum with operands": (lambda: ts.einsum("ijk,kl->ijl", X, Y), lambda: np.einsum("ijk,kl->ijl", A, B)),
    "einsum with a list": (lambda: ts.einsum("ijk,kl->ijl", [X, Y]), lambda: np.einsum("ijk,kl->ijl", A, B)),
    "einsum with a tuple": (lambda: ts.einsum("ijk,kl->ijl", (X, Y)), lambda: np.einsum("ijk,kl->ijl", A, B)),
    "einsum with one operand": (lambda: ts.einsum("ijk->k", X), lambda: np.einsum("ijk->k", A)),
    "x.transpose with axes": (lambda: X.transpose(2, 0, 1), lambda: A.transpose(2, 0, 1)),
    "x.transpose with a tuple": (lambda: X.transpose((2, 0, 1)), lambda: A.transpose((2, 0, 1))),
    "x.transpose with a list": (lambda: X.transpose([2, 0, 1]), lambda: A.transpose([2, 0, 1])),
    "x.transpose with an array": (lambda: X.transpose(np.array([2, 0, 1])), lambda: A.transpose((2, 0, 1))),
    "x.transpose of a matrix": (lambda: Y.transpose(), lambda: B.transpose()),
    "x.transpose of a matrix with axes": (lambda: Y.transpose(1, 0), lambda: B.transpose(1, 0)),
    "x.transpose of a matrix with a tuple": (lambda: Y.transpose((0, 1)), lambda: B.transpose((0, 1))),
    "x.transpose with two axes, as PyTorch": (lambda: X.transpose(0, 1), lambda: A.swapaxes(0, 1)),
    "transpose with a tuple": (lambda: ts.transpose(X, (2, 0, 1)), lambda: np.transpose(A, (2, 0, 1))),
    "transpose with axes by name": (lambda: ts.transpose(X, axes=(2, 0, 1)), lambda: np.transpose(A, axes=(2, 0, 1))),
    "transpose with negative axes": (lambda: ts.transpose(X, (-1, 0, -2)), lambda: np.transpose(A, (-1, 0, -2))),
    "x.permute": (lambda: X.permute(2, 0, 1), lambda: A.transpose(2, 0, 1)),
    "x.permute with a tuple": (lambda: X.permute((2, 0, 1)), lambda: A.transpose(2, 0, 1)),
    "permute": (lambda: ts.permute(X, (2, 0, 1)), lambda: A.transpose(2, 0, 1)),
    "permute_dims": (lambda: ts.permute_dims(X, [2, 0, 1]), lambda: A.transpose(2, 0, 1)),
    "x.reshape with sizes": (lambda: X.reshape(4, -1), lambda: A.reshape(4, -1)),
    "x.reshape with a tuple": (lambda: X.reshape((4, 6)), lambda: A.reshape((4, 6))),
    "x.reshape with a list": (lambda: X.reshape([4, 6]), lambda: A.reshape([4, 6])),
    "x.reshape to one axis": (lambda: X.reshape(-1), lambda: A.reshape(-1)),
    "x.reshape to no axis": (lambda: ts.ones(1).reshape(()), lambda: np.ones(1).reshape(())),
    "reshape with an array": (lambda: ts.reshape(X, np.array([4, 6])), lambda: np.reshape(A, np.array([4, 6]))),
    "reshape": (lambda: ts.reshape(X, 24), lambda: np.reshape(A, 24)),
    "x.flatten": (lambda: X.flatten(), lambda: A.flatten()),
    "x.flatten from an axis": (lambda: X.flatten(1), lambda: A.reshape(2, 12)),
    "x.flatten from and to": (lambda: X.flatten(0, 1), lambda: A.reshape(6, 4)),
    "x.flatten of a number": (lambda: ts.array(3.0).flatten(), lambda: np.array(3.0).flatten()),
    "x.squeeze": (lambda: ts.ones((1, 2, 1)).squeeze(0), lambda: np.ones((1, 2, 1)).squeeze(0)),
    "x.squeeze with a tuple": (lambda: ts.ones((1, 2, 1)).squeeze((0, 2)), lambda: np.ones((1, 2, 1)).squeeze((0, 2))),
    "squeeze with a list": (lambda: ts.squeeze(ts.ones((1, 2, 1)), axis=[0, 2]), lambda: np.ones((2,))),
    "expand_dims with a tuple": (lambda: ts.expand_dims(X, (0, 2)), lambda: np.expand_dims(A, (0, 2))),
    "expand_dims with negative axes": (lambda: ts.expand_dims(X, (-1, 0)), lambda: np.expand_dims(A, (-1, 0))),
    "expand_dims of a number": (lambda: ts.expand_dims(ts.array(1.0), (0, 1)), lambda: np.ones((1, 1))),
    "broadcast_to": (lambda: ts.broadcast_to(Y, (2, 4, 3)), lambda: np.broadcast_to(B, (2, 4, 3))),
    "flip with a tuple": (lambda: ts.flip(X, (0, 2)), lambda: np.flip(A, (0, 2))),
    "flip with an axis": (lambda: X.flip(1), lambda: np.flip(A, 1)),
    "tile with a number": (lambda: ts.tile(X, 2), lambda: np.tile(A, 2)),
    "tile with a tuple": (lambda: ts.tile(X, (2, 1)), lambda: np.tile(A, (2, 1))),
    "repeat": (lambda: ts.repeat(X, 2, axis=1), lambda: np.repeat(A, 2, axis=1)),
    "repeat with counts": (lambda: ts.repeat(X, [1, 0, 2], axis=1), lambda: np.repeat(A, [1, 0, 2], axis=1)),
    "repeat with one count": (lambda: ts.repeat(X, [2], axis=1), lambda: np.repeat(A, [2], axis=1)),
    "sum with a tuple": (lambda: ts.sum(X, axis=(0, 2)), lambda: np.sum(A, axis=(0, 2))),
    "sum with a list": (lambda: X.sum([0, 2]), lambda: np.sum(A, axis=(0, 2))),
    "sum with keepdims third, as PyTorch and MLX": (lambda: X.sum(0, True), lambda: np.sum(A, axis=0, keepdims=True)),
    "sum with a dtype third, as NumPy": (lambda: ts.sum(X, 0, ts.float16), lambda: np.sum(A, 0, np.float16)),
    "mean with keepdims": (lambda: X.mean((0, 1), True), lambda: np.mean(A, (0, 1), keepdims=True)),
    "zeros with a tuple": (lambda: ts.zeros((2, 3)), lambda: np.zeros((2, 3))),
    "zeros with a list": (lambda: ts.zeros([2, 3]), lambda: np.zeros((2, 3))),
    "zeros with sizes, as PyTorch": (lambda: ts.zeros(2, 3), lambda: np.zeros((2, 3))),
    "zeros with a type": (lambda: ts.zeros((2, 3), ts.int32), lambda: np.zeros((2, 3), np.int32)),
    "zeros with a type of Python": (lambda: ts.zeros(2, bool), lambda: np.zeros(2, bool)),
    "ones with sizes": (lambda: ts.ones(2, 3, dtype=ts.int8), lambda: np.ones((2, 3), np.int8)),
    "ones with a type": (lambda: ts.ones(2, ts.int16), lambda: np.ones(2, np.int16)),
    "full with a type": (lambda: ts.full((2,), 7, ts.uint8), lambda: np.full((2,), 7, np.uint8)),
    "eye with a diagonal": (lambda: ts.eye(3, 4, 1), lambda: np.eye(3, 4, 1)),
    "arange with a type": (lambda: ts.arange(0, 6, 2, ts.float32), lambda: np.arange(0, 6, 2, np.float32)),
    "linspace": (lambda: ts.linspace(0, 49), lambda: np.linspace(0, 49)),
    "tril with a diagonal": (lambda: ts.tril(Y, 1), lambda: np.tril(B, 1)),
    "triu with a diagonal": (lambda: ts.triu(Y, -1), lambda: np.triu(B, -1)),
    "concat with a tuple": (lambda: ts.concat((X, X), 1), lambda: np.concatenate((A, A), 1)),
    "concat of lists": (lambda: ts.concat([[1.0, 2.0], [3.0]]), lambda: np.concatenate([[1.0, 2.0], [3.0]])),
    "stack with a tuple": (lambda: ts.stack((X, X), axis=-1), lambda: np.stack((A, A), axis=-1)),
    "split": (lambda: ts.stack(ts.split(X, 2, axis=2)), lambda: np.stack(np.split(A, 2, axis=2))),
    "x.split": (lambda: ts.stack(X.split(2, 2)), lambda: np.stack(np.split(A, 2, axis=2))),
    "roll with tuples": (lambda: ts.roll(X, (1, 2), (0, 2)), lambda: np.roll(A, (1, 2), (0, 2))),
    "moveaxis with tuples": (lambda: ts.moveaxis(X, (0, 1), (2, 0)), lambda: np.moveaxis(A, (0, 1), (2, 0))),
    "pad with a number": (lambda: ts.pad(X, 1), lambda: np.pad(A, 1)),
    "pad with one pair": (lambda: ts.pad(X, (1, 2)), lambda: np.pad(A, (1, 2))),
    "pad with one pair in a list": (lambda: ts.pad(X, [(1, 2)]), lambda: np.pad(A, [(1, 2)])),
    "pad with pairs": (lambda: ts.pad(X, [(1, 2), (0, 0), (0, 1)]), lambda: np.pad(A, [(1, 2), (0, 0), (0, 1)])),
    "pad of a matrix": (lambda: ts.pad(Y, (1, 2)), lambda: np.pad(B, (1, 2))),
    "tensordot with a number": (lambda: ts.tensordot(X, Y, 1), lambda: np.tensordot(A, B, 1)),
    "tensordot with axes": (lambda: ts.tensordot(X, Y, ([2], [0])), lambda: np.tensordot(A, B, ([2], [0]))),
    "tensordot with one axis each": (lambda: ts.tensordot(X, Y, (1, 1)), lambda: np.tensordot(A, B, (1, 1))),
    "diff with a count": (lambda: ts.diff(X, 2), lambda: np.diff(A, 2)),
    "diff with a count and an axis": (lambda: ts.diff(X, 1, 0), lambda: np.diff(A, 1, 0)),
    "sort of all": (lambda: ts.sort(-X, axis=None), lambda: np.sort(-A, axis=None)),
    "argsort of all": (lambda: ts.argsort(-X, axis=None), lambda: np.argsort(-A, axis=None)),
    "qr with a mode": (lambda: ts.linalg.qr(Y, "complete").Q, lambda: np.linalg.qr(B, "complete").Q * 0 + ts.linalg.qr(Y, mode="complete").Q.numpy()),
    "svd": (lambda: ts.linalg.svd(Y, False).S, lambda: np.linalg.svd(B, False).S),
    "quantile with an array": (lambda: ts.quantile(X, np.array([0.25, 0.5])), lambda: np.quantile(A, np.array([0.25, 0.5]), axis=-1)),
    "quantile with a tensor": (lambda: ts.quantile(X, ts.array([0.25, 0.5])), lambda: np.quantile(A, np.array([0.25, 0.5]), axis=-1)),
}


@pytest.mark.parametrize("name", SAME)
def test_same_as_numpy(name):
    ours, theirs = (f() for f in SAME[name])
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-5, atol=1e-5)
    if theirs.dtype not in (np.float64, np.int64):
        assert ours.dtype.name == theirs.dtype.name


WRONG = [lambda: X.transpose(0, 1, 1), lambda: X.transpose((0, 1)), lambda: X.transpose(0, 1, 2, 3), lambda: ts.transpose(X, (2, 0, 1), axes=(2, 0, 1)), lambda: X.transpose("a"),
         lambda: X.transpose((0.5, 1, 2)), lambda: X.permute(0, 1), lambda: X.permute(0, 0, 1), lambda: X.permute("abc"), lambda: ts.zeros((2, 3), 4.5), lambda: ts.zeros(2, 3.5),
         lambda: ts.zeros((2, 3), ts.int32, ts.int32), lambda: ts.zeros(2, "float31"), lambda: ts.einsum("ij,jk->ik", X), lambda: ts.einsum("ij->"), lambda: ts.einsum(X, Y),
         lambda: ts.expand_dims(X, (0, 0)), lambda: ts.expand_dims(X, (0, 9)), lambda: ts.expand_dims(X, "a"), lambda: X.flatten(2, 1), lambda: X.flatten(5),
         lambda: ts.pad(X, "a"), lambda: ts.pad(X, (1, 2, 3)), lambda: ts.pad(X, 1.5), lambda: ts.tile(X, 1.5), lambda: ts.tile(X, (1, "a")), lambda: ts.repeat(X, 1.5),
         lambda: ts.repeat(X, [1, -1, 2], axis=1), lambda: ts.repeat(X, [1, 2], axis=1), lambda: ts.roll(X, 1.5), lambda: ts.roll(X, None), lambda: ts.moveaxis(X, 0.5, 1),
         lambda: ts.sum(X, axis="ab"), lambda: ts.sum(X, axis=(0, 0.5)), lambda: ts.squeeze(X, 0.5), lambda: ts.tensordot(X, Y, 0.5),
         lambda: ts.tensordot(X, Y, ([0], [1], [2])), lambda: ts.permute_dims(X, None), lambda: ts.linalg.vector_norm(X, axis="a"), lambda: ts.max(X, axis=1.0)]


@pytest.mark.parametrize("call", range(len(WRONG)))
def test_what_nobody_takes_is_an_error(call):
    with pytest.raises(ts.Error) as caught:
        WRONG[call]()
    assert str(caught.value).endswith(".")
