"""Complex tensors: values in and out, files, other libraries, operators with Python's numbers, and what refuses them."""

import copy
import io
import pickle

import numpy as np
import pytest
import tessera as ts

pytestmark = pytest.mark.skipif(not ts.current_device().has_complex, reason="complex tensors exist on the CPU only")
TYPES = [ts.complex64, ts.complex128]


@pytest.mark.parametrize("dtype", TYPES)
def test_values_go_in_and_out(dtype):
    x = ts.array([[1 + 2j, 3], [True, -4.5j]], dtype=dtype)
    assert x.dtype == dtype and x.itemsize == 2 * ts.finfo(dtype).bits // 8
    assert x.tolist() == [[1 + 2j, 3 + 0j], [1 + 0j, -4.5j]]
    assert x[0, 0].item() == 1 + 2j and complex(x[1, 1]) == -4.5j and x.real.tolist() == [[1, 3], [1, 0]]
    assert x.imag.tolist() == ts.imag(x).tolist() == [[2, 0], [0, -4.5]]
    assert x.conj().tolist() == x.numpy().conj().tolist()
    assert pickle.loads(pickle.dumps(x)).tolist() == copy.deepcopy(x).tolist() == x.tolist()
    x[0] = 1j
    assert x[0].tolist() == [1j, 1j] and (x[x.imag == 1] == 1j).all()


def test_python_numbers():
    assert ts.array(1j).dtype == ts.array([1, 1j]).dtype == ts.complex64
    assert (ts.ones(1) * 1j).dtype == ts.complex64
    assert (ts.ones(1, dtype=ts.float64) * 1j).dtype == (1j - ts.ones(1, dtype=ts.float64)).dtype == ts.complex128
    assert (ts.array([1]) + 1j).dtype == ts.complex64
    assert ts.full((2,), 1 - 1j).tolist() == [1 - 1j, 1 - 1j]
    assert ts.result_type(ts.float64, 1j) == ts.complex128 and ts.result_type(ts.float32, ts.complex64) == ts.complex64
    assert ts.result_type(ts.float64, ts.complex64) == ts.complex128
    assert ts.can_cast(ts.float32, ts.complex64) and not ts.can_cast(ts.complex64, ts.float32)
    assert complex not in (None,) and ts.zeros(1, dtype=complex).dtype == ts.complex64
    with pytest.raises(ts.DTypeError, match="does not go with int32"):
        ts.result_type(ts.int32, 1j)


def test_text():
    assert repr(ts.array([1 + 2j, -0.5j])) == "tensor([ 1.+2.j , -0.-0.5j], dtype=complex64, device='cpu')"
    assert str(ts.array([1 + 2j, -0.5j])) == str(np.array2string(np.array([1 + 2j, -0.5j], dtype="complex64"), separator=", "))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_other_libraries(dtype):
    own = np.array([[1 + 2j, 3 - 4j], [0, 1j]], dtype=dtype)
    x = ts.asarray(own)
    assert x.dtype.name == dtype and np.array_equal(x.numpy(), own) and x.numpy().dtype == own.dtype
    assert memoryview(x).format == {"complex64": "Zf", "complex128": "Zd"}[dtype]
    assert np.array_equal(np.from_dlpack(x), own) and np.array_equal(ts.from_dlpack(own).numpy(), own)
    assert np.array_equal(ts.from_dlpack(own.T).numpy(), own.T) and np.array_equal(ts.asarray(own[:, ::-1]).numpy(), own[:, ::-1])
    assert ts.array(own, dtype="complex64").dtype == ts.complex64 and x.dtype == own.dtype


def test_files():
    x, y = ts.array([1 + 2j, -3j]), ts.array([0.5j], dtype=ts.complex128)
    file = io.BytesIO()
    ts.io.save_npz(file, {"x": x, "y": y})
    file.seek(0)
    back = ts.io.load_npz(file)
    assert back["x"].dtype == x.dtype and back["y"].dtype == y.dtype and back["x"].tolist() == x.tolist() and back["y"].tolist() == y.tolist()
    file = io.BytesIO()
    ts.io.save_safetensors(file, {"x": x})
    assert b'"C64"' in file.getvalue()
    file.seek(0)
    assert ts.io.load_safetensors(file)["x"].tolist() == x.tolist()
    with pytest.raises(ts.DTypeError, match="'y' has dtype c128, which the format does not have"):
        ts.io.save_safetensors(io.BytesIO(), {"y": y})


@pytest.mark.parametrize("call, message", [
    (lambda x: x < x, "less: operands of type c64 were given; it takes real numbers."),
    (lambda x: x // x, "floor_divide: operands of type c64 were given"),
    (lambda x: x % x, "remainder: operands of type c64 were given"),
    (lambda x: x & x, "bitwise_and: operands of type c64 were given"),
    (lambda x: ~x, "bitwise_not: operands of type c64 were given"),
    (lambda x: ts.max(x), "max: a tensor of type c64 was given; it takes real numbers."),
    (lambda x: ts.sort(x), "sort: a tensor of type c64 was given; complex numbers have no order."),
    (lambda x: ts.std(x), ": a tensor of type c64 was given"),
    (lambda x: x.astype(ts.float32), "cast: a tensor of type c64 cannot become f32, which has no imaginary part; take"),
    (lambda x: ts.ones(2).__setitem__(0, 1j), "cast: a tensor of type c64 cannot become f32"),
    (lambda x: ts.array(x.numpy(), dtype=ts.float32), "cast: a tensor of type c64 cannot become f32"),
    (lambda x: ts.linspace(0, 1j, 3, dtype=ts.float32), "linspace: complex numbers were given for float32"),
    (lambda x: ts.arange(3, dtype=ts.complex64), "arange: type c64 was given; it makes real numbers."),
    (lambda x: ts.grad(lambda v: ts.sum(ts.abs(v)))(x), "gradients are taken with respect to floats, not yet to complex numbers"),
    (lambda x: x.requires_grad_(), "a float is expected, since complex numbers have no gradients yet"),
])
def test_what_refuses_says_why(call, message):
    with pytest.raises(ts.DTypeError) as caught:
        call(ts.array([1 + 2j, 3j]))
    assert message in str(caught.value)


def test_numbers_that_do_not_fit():
    with pytest.raises(TypeError, match="complex numbers were given for the type f32"):
        ts.array([1j], dtype=ts.float32)
    with pytest.raises(TypeError):
        float(ts.array(1j))
    with pytest.raises(TypeError):
        int(ts.array(1j))


def test_gradients_stop_at_complex_numbers():
    for f in (lambda v: ts.sum(ts.abs(v * 1j)), lambda v: ts.sum(v) + ts.sum(ts.abs(v * 1j)), lambda v: ts.sum(v) + ts.sum(ts.real(v * 1j)),
              lambda v: ts.sum(v) + ts.sum(ts.abs(ts.cumulative_sum(v * 1j))), lambda v: ts.sum(v) + ts.linalg.vector_norm(ts.linalg.inv(v * 1j + ts.eye(2)))):
        with pytest.raises(ts.UnsupportedError, match="A gradient came to the result of .*, of type c64; complex numbers have none yet"):
            ts.grad(f)(ts.ones(2))


def test_gpus_refuse_them():
    others = [d["id"] for d in ts.devices() if not ts.Device(d["id"]).has_complex] if hasattr(ts, "devices") else []
    if not others:
        pytest.skip("no device without complex tensors is there")
    for call in (lambda d: ts.array([1j], device=d), lambda d: ts.zeros(2, dtype=ts.complex64, device=d), lambda d: ts.array([1j]).to(d)):
        with pytest.raises(NotImplementedError, match='c64 tensors run on the CPU backend only; .* Make them on the device "cpu"'):
            call(others[0])
