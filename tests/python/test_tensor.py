"""Tensors feel like home: operators, brackets, conversions, printing, copying, pickling, compared with NumPy."""

import copy
import pickle

import numpy as np
import pytest
import tessera as ts

A = np.array([[1.5, -2.0, 3.0], [4.0, 5.5, -6.0]], dtype=np.float32)
I = np.array([[7, -2, 3], [4, 5, -6]], dtype=np.int32)


def same(tensor, array):
    array = np.asarray(array)
    assert tensor.shape == array.shape
    np.testing.assert_allclose(tensor.numpy(), array, rtol=1e-6)


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", ">="])
def test_operators(op):
    x, y = ts.array(np.abs(A) + 0.5), ts.array(A[0])
    a, b = np.abs(A) + 0.5, A[0]
    for left, right, l, r in [(x, y, a, b), (x, 2.5, a, np.float32(2.5)), (2.5, x, np.float32(2.5), a), (x, b, a, b), (b, x, b, a)]:
        if op == "**" and (l is b or r is b):
            continue
        same(eval("left " + op + " right"), eval("l " + op + " r"))


@pytest.mark.parametrize("op", ["&", "|", "^", "<<", ">>", "//", "%", "-"])
def test_integer_operators(op):
    x, y = ts.array(I), ts.array(np.array([1, 2, 3], dtype=np.int32))
    same(eval("x " + op + " y"), eval("I " + op + " np.array([1, 2, 3], dtype=np.int32)"))
    assert eval("x " + op + " 2").dtype == ts.int32


def test_unary_and_matmul():
    x = ts.array(A)
    same(-x, -A), same(+x, A), same(abs(x), abs(A)), same(x @ x.T, A @ A.T), same(~ts.array(I), ~I)
    same(~ts.array([True, False]), [False, True])
    q, r = divmod(x, 2)
    same(q, A // 2), same(r, A % 2)
    same(round(ts.array([0.5, 1.5, 2.5])) if False else ts.round(ts.array([0.5, 1.5, 2.5])), [0, 2, 2])


def test_in_place_changes_the_handle_alone():
    x = ts.array([1.0, 2.0])
    y, z = x, x + 0
    x += 1
    x *= 3
    assert y is x and x.tolist() == [6.0, 9.0] and z.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="result of shape \\[2, 2\\]; the tensor keeps its shape \\[2\\]"):
        x += ts.zeros((2, 2))
    n = ts.array([1, 2])
    with pytest.raises(TypeError, match="result of type f32; the tensor keeps its type i32"):
        n += 0.5


INDICES = [0, -1, slice(None), slice(1, None), slice(None, None, -1), slice(None, None, 2), (0, 1), (slice(None), 1), (..., 0), (None, 0),
           (0, None, slice(0, 2)), ..., (), [0, 1], [1, 0, 1], ([0, 1], [2, 0]), (slice(None), [2, 0]), np.array([[1, 0], [0, 1]]),
           (np.array([True, False]),), (slice(None), np.array([True, False, True])), A > 0, (slice(5, 9),), (0, [1, 2]),
           (np.array([[0], [1]]), np.array([2, 0])), np.int64(1), (slice(2, 0, -1), slice(None, 1))]


@pytest.mark.parametrize("key", INDICES, ids=repr)
def test_brackets(key):
    same(ts.array(A)[key], A[key])


@pytest.mark.parametrize("key", INDICES, ids=repr)
def test_assignment(key):
    x, a = ts.array(A), A.copy()
    x[key], a[key] = 9, 9
    same(x, a)
    value = np.arange(a[key].size, dtype=np.float32).reshape(a[key].shape)
    if repr(key) not in ("[1, 0, 1]", repr(np.array([[1, 0], [0, 1]]))):  # several values for one place
        x[key], a[key] = ts.array(value), value
        same(x, a)


def test_a_single_bool_in_brackets():
    x = ts.array([1.0, 2.0])
    assert x[True].tolist() == [[1.0, 2.0]] and x[False].shape == (0, 2) and ts.array(3)[ts.array(True)].tolist() == [3]
    x[False] = 9
    assert x.tolist() == [1.0, 2.0]
    x[ts.array(True)] = 9
    assert x.tolist() == [9.0, 9.0]


def test_assignment_converts_and_broadcasts():
    x = ts.zeros((2, 3), dtype=ts.int32)
    x[:, 1:] = [1.7, 2.2]
    assert x.tolist() == [[0, 1, 2], [0, 1, 2]]
    x[0] += 5
    assert x.tolist() == [[5, 6, 7], [0, 1, 2]]


def test_properties():
    x = ts.array(A)
    assert (x.shape, x.ndim, x.size, x.dtype, x.itemsize, x.nbytes) == ((2, 3), 2, 6, ts.float32, 4, 24)
    assert x.T.shape == x.mT.shape == (3, 2) and ts.zeros((2, 3, 4)).T.shape == (4, 3, 2) and ts.zeros((2, 3, 4)).mT.shape == (2, 4, 3)
    assert len(x) == 2 and [r.tolist() for r in x] == A.tolist()
    assert x.device == ts.current_device() and x.device == x.device.id and hash(x.device) == hash(ts.current_device())
    assert 1.5 in x and 77.0 not in x


def test_numbers():
    assert ts.array(3).item() == 3 and isinstance(ts.array(3).item(), int)
    assert ts.array(2.5).item() == 2.5 and float(ts.array(2)) == 2.0 and int(ts.array(2.9)) == 2 and bool(ts.array(0.0)) is False
    assert [10, 20, 30][ts.array(1)] == 20
    assert ts.array(True).item() is True and ts.array(2**63, dtype=ts.uint64).item() == 2**63
    assert f"{ts.array(2.0):.2f}" == "2.00"
    assert ts.array(2.5, dtype=ts.bfloat16).item() == 2.5 and ts.array(0.5, dtype=ts.float16).tolist() == 0.5


def test_printing():
    assert repr(ts.array([[1.0, 2.0], [3.0, 4.5]]))[:-1].split(", device=")[0] == "tensor([[1. , 2. ],\n        [3. , 4.5]], dtype=float32"
    assert str(ts.array([1, 2])) == "[1, 2]"
    assert repr(ts.zeros((0, 3))).startswith("tensor([], shape=(0, 3), dtype=float32")
    assert "requires_grad=True" in repr(ts.array(1.0, requires_grad=True))
    assert "<table>" in ts.eye(2)._repr_html_() and "<pre>" in ts.zeros((30, 30))._repr_html_()


def test_copies_and_pickles():
    x = ts.array(A)
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert y is not x and y.dtype == x.dtype
        y[0, 0] = 100
        same(x, A)
    w = ts.array([1.0], requires_grad=True)
    assert pickle.loads(pickle.dumps(w)).requires_grad and copy.deepcopy(w).requires_grad
    assert pickle.loads(pickle.dumps({"b": ts.array([1.5], dtype=ts.bfloat16)}))["b"].dtype == ts.bfloat16
    assert pickle.loads(pickle.dumps(ts.float16)) is ts.float16


def test_types():
    for t in (ts.bool, ts.int8, ts.uint8, ts.int16, ts.uint16, ts.int32, ts.uint32, ts.int64, ts.uint64, ts.float16, ts.float32):
        x = ts.array([0, 1, 1], dtype=t)
        assert x.dtype == t and x.numpy().dtype == np.dtype(t.name) and x.tolist() == [0, 1, 1]
        assert t == np.dtype(t.name) and ts.zeros(1, dtype=t.name).dtype is t and ts.zeros(1, dtype=np.dtype(t.name)).dtype is t
    assert ts.zeros(1, dtype=np.float32).dtype == ts.float32 and ts.zeros(1, dtype=float).dtype == ts.float32
    assert ts.array([1, 2]).dtype == ts.int32 and ts.array([1, 2.0]).dtype == ts.float32 and ts.array([True]).dtype == ts.bool
    assert ts.array([2**40]).dtype == ts.int64 and ts.array([2**63]).dtype == ts.uint64
    assert (ts.array([1, 2]) + 1).dtype == ts.int32 and (ts.array([1, 2]) + 1.5).dtype == ts.float32
    assert (ts.ones(1, dtype=ts.float16) * 2.0).dtype == ts.float16
    assert (ts.float32 == None) is False and ts.float32 != "float32" and ts.float32 != 3 and (ts.Device("cpu") == None) is False  # noqa: E711
    assert ts.ones(2).to(ts.int8).dtype == ts.int8 and ts.ones(2).astype("uint8").dtype == ts.uint8


def test_lists():
    assert ts.array([]).shape == (0,) and ts.array([[], []]).shape == (2, 0) and ts.array(()).dtype == ts.float32
    assert ts.Tensor([1, 2], dtype=ts.float16).dtype == ts.float16
    assert ts.array([ts.ones(2), ts.zeros(2)]).tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert ts.array([np.arange(2), [5, 6]]).tolist() == [[0, 1], [5, 6]]
    assert ts.array(range(3) and [0, 1, 2], dtype=ts.float32).tolist() == [0.0, 1.0, 2.0]


def test_methods():
    x = ts.array(A)
    same(x.sum(axis=0), A.sum(axis=0)), same(x.mean(1, keepdims=True), A.mean(1, keepdims=True)), same(x.reshape(3, 2), A.reshape(3, 2))
    same(x.reshape((-1,)), A.reshape(-1)), same(x.permute(1, 0), A.T), same(x.exp(), np.exp(A)), same(x.max(), A.max())
    same(x.flatten(), A.ravel()), same(x.clip(-1, 1), A.clip(-1, 1)), same(x.std(), A.std())
