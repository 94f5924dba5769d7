"""Lists that contain themselves, and lists that are nested deeper than anything: an Error from every function that takes nested structures."""

import io

import numpy as np
import pytest
import tessera as ts
import tessera.nn.functional as F


def endless(*before, kind=list):
    out = [*before]
    out.append(out if kind is list else kind([out]))
    return out


def deep(leaf, depth=5000):
    for _ in range(depth):
        leaf = [leaf]
    return leaf


X = ts.ones(2)
LISTS = {"itself": lambda: endless(), "itself behind a number": lambda: endless(1.0), "itself behind a tensor": lambda: endless(X),
         "itself in a tuple": lambda: endless(kind=tuple), "itself behind an array": lambda: endless(np.ones(2)),
         "itself twice": lambda: (lambda a: (a.append(a), a.append(a), a)[-1])([]), "lists in lists": lambda: deep(1.0),
         "lists in lists around a tensor": lambda: deep(X), "twelve lists": lambda: deep(1.0, 12), "twelve lists around a tensor": lambda: deep(X, 12)}

DATA = {
    "array": lambda v: ts.array(v), "array with a type": lambda v: ts.array(v, dtype=ts.float16), "asarray": lambda v: ts.asarray(v), "Tensor": lambda v: ts.Tensor(v),
    "an operator": lambda v: X + v, "an operator from the left": lambda v: v * X, "a comparison": lambda v: X < v, "an op": lambda v: ts.exp(v),
    "an argument of an op": lambda v: ts.add(X, v), "where": lambda v: ts.where(True, X, v), "concat": lambda v: ts.concat(v), "stack": lambda v: ts.stack(v),
    "einsum": lambda v: ts.einsum("i,i->", v), "meshgrid": lambda v: ts.meshgrid(v), "a shape": lambda v: ts.zeros(v), "reshape": lambda v: X.reshape(v),
    "an axis": lambda v: ts.sum(X, axis=v), "permute": lambda v: X.permute(v), "transpose": lambda v: X.transpose(v), "pad": lambda v: ts.pad(X, v),
    "tile": lambda v: ts.tile(X, v), "repeat": lambda v: ts.repeat(X, v), "roll": lambda v: ts.roll(X, v), "split": lambda v: ts.split(X, v),
    "quantile": lambda v: ts.quantile(X, v), "full": lambda v: ts.full(2, v), "clip": lambda v: ts.clip(X, v), "brackets": lambda v: X[v],
    "brackets with a tuple": lambda v: X[(v,)], "an assignment": lambda v: ts.ones(2).__setitem__(0, v), "an assignment at": lambda v: ts.ones(2).__setitem__(v, 0),
    "index": lambda v: ts.index(X, v), "index_set": lambda v: ts.index_set(X, (0,), v), "linalg": lambda v: ts.linalg.inv(v), "a norm": lambda v: ts.linalg.vector_norm(X, axis=v),
    "functional": lambda v: F.relu(v), "a loss": lambda v: F.mse_loss(X, v), "F.pad": lambda v: F.pad(X, v), "layer_norm": lambda v: F.layer_norm(X, v),
    "safetensors": lambda v: ts.io.save_safetensors(io.BytesIO(), {"a": v}), "npz": lambda v: ts.io.save_npz(io.BytesIO(), {"a": v}),
    "npy": lambda v: ts.io.save_npy(io.BytesIO(), v), "a random shape": lambda v: ts.random.normal(v), "grad": lambda v: setattr(ts.array(X, requires_grad=True), "grad", v),
    "backward": lambda v: (ts.array(X, requires_grad=True) * 2).backward(v), "stop_gradient": lambda v: ts.stop_gradient(v), "eval": lambda v: ts.eval(v),
    "moveaxis": lambda v: ts.moveaxis(X, v, 0), "expand_dims": lambda v: ts.expand_dims(X, v), "squeeze": lambda v: ts.squeeze(X, v), "flip": lambda v: ts.flip(X, v),
    "tensordot": lambda v: ts.tensordot(X, X, axes=v), "broadcast_to": lambda v: ts.broadcast_to(X, v), "take": lambda v: ts.take(X, v),
    "quantized": lambda v: ts.quantize(v, ts.q8_0), "a device": lambda v: ts.Device(v), "a type": lambda v: ts.zeros(2, dtype=v),
}


@pytest.mark.parametrize("name", DATA)
def test_data(name):
    for what, make in LISTS.items():
        with pytest.raises(ts.Error):
            DATA[name](make())
            pytest.fail(f"{name} took {what}")


def test_the_sentence():
    with pytest.raises(ValueError, match="nested more than 8 deep, or contains itself; a tensor has at most 8 axes"):
        ts.array(endless())
    assert ts.array(deep(1.0, 8)).shape == (1,) * 8
    with pytest.raises(ValueError, match="A list is nested more than 100 deep, or contains itself"):
        ts.grad(lambda x: x[0])(endless(X))


def tree(kind):
    if kind == "list":
        return endless(X)
    if kind == "tuple":
        return ([x := [X]], x.append(x))[0]
    if kind == "deep":
        return deep(X)
    out = {"a": X}
    out["b"] = out if kind == "dict" else [out]
    return out


TREES = {
    "grad": lambda v: ts.grad(lambda x: X.sum())(v), "value_and_grad": lambda v: ts.value_and_grad(lambda y, x: X.sum(), argnums=1)(X, v),
    "vjp": lambda v: ts.vjp(lambda x: X, [v], X), "cotangents": lambda v: ts.vjp(lambda x: x, [X], v), "a result of vjp": lambda v: ts.vjp(lambda x: v, [X], X),
    "jvp": lambda v: ts.jvp(lambda x: X, [v], [X]), "tangents": lambda v: ts.jvp(lambda x: x, [X], [v]), "a result of jvp": lambda v: ts.jvp(lambda x: v, [X], [X]),
    "checkpoint": lambda v: ts.checkpoint(lambda x: X)(v), "a result of checkpoint": lambda v: ts.checkpoint(lambda x: v)(X),
    "custom_vjp": lambda v: ts.custom_vjp(lambda x: X, lambda x, y, g: g)(v), "compile": lambda v: ts.compile(lambda x: X)(v),
    "compile by name": lambda v: ts.compile(lambda x: X)(x=v), "a result of compile": lambda v: ts.compile(lambda x: v)(X),
    "donated": lambda v: ts.compile(lambda x: X, donate_argnums=0)(v), "tree_map": lambda v: ts.tree_map(lambda x: x, v),
    "scan": lambda v: ts.scan(lambda c, x: (c, None), v, X), "xs": lambda v: ts.scan(lambda c, x: (c, None), X, v),
    "a carry of scan": lambda v: ts.scan(lambda c, x: (v, None), X, X), "a result of scan": lambda v: ts.scan(lambda c, x: (c, v), X, X),
    "loop": lambda v: ts.loop(2, lambda i, c: c, v), "a carry of loop": lambda v: ts.loop(2, lambda i, c: v, X),
    "safetensors": lambda v: ts.io.save_safetensors(io.BytesIO(), {"a": v}), "npz": lambda v: ts.io.save_npz(io.BytesIO(), {"a": v}),
}


@pytest.mark.parametrize("name", TREES)
def test_trees(name):
    for kind in ("list", "tuple", "dict", "list in a dict", "deep"):
        with pytest.raises(ts.Error):
            TREES[name](tree(kind))
            pytest.fail(f"{name} took a {kind}")
