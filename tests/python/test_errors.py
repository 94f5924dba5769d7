"""What a Python user would get wrong, and the sentence that each gets."""

import io
import os
import subprocess
import sys

import numpy as np
import pytest
import tessera as ts

X = ts.array([[1.0, 2.0], [3.0, 4.0]])

CASES = [
    ("shapes that do not broadcast", lambda: X + ts.zeros(3), ValueError, "shape", "3"),
    ("inner sizes that differ", lambda: ts.zeros((8, 64)) @ ts.zeros((32, 8)), ValueError, "shape", "inner dimensions 64 and 32 differ"),
    ("a ragged list", lambda: ts.array([[1, 2], [3]]), ValueError, "value", "a row of 1 entries where 2 are expected"),
    ("a list in place of a number", lambda: ts.array([1, [2]]), ValueError, "value", "a list of 1 entries where a number is expected"),
    ("a number in place of a list", lambda: ts.array([[1], 2]), ValueError, "value", "a number where a list of 1 entries is expected"),
    ("text in a list", lambda: ts.array([1, "a"]), TypeError, "value", "a list holds 'a' of type str"),
    ("text", lambda: ts.array("abc"), TypeError, "value", "'abc' of type str was given"),
    ("long doubles", lambda: ts.array(np.zeros(2, dtype=np.longdouble)), TypeError, "value", "float128"),
    ("objects", lambda: ts.array(np.array([object()])), TypeError, "value", "dtype('O')"),
    ("other byte orders", lambda: ts.array(np.zeros(2, dtype=">f4")), TypeError, "value", ">f"),
    ("dates", lambda: ts.array(np.array(["2020-01-01"], dtype="datetime64[D]")), (TypeError, ValueError), None, ""),
    ("an unknown type of elements", lambda: ts.zeros(2, dtype="float31"), TypeError, "value", "'float31', which is no type of elements"),
    ("a number that does not fit", lambda: ts.array([300], dtype=ts.uint8), ValueError, "value", "300 does not fit the type u8"),
    ("a number past 64 bits", lambda: ts.array([2**70]), ValueError, "value", "does not fit 64 bits"),
    ("more bytes than a tensor may have", lambda: ts.zeros((1 << 32, 1 << 32)), ts.LimitError, "limit", "full: a tensor of shape [4294967296, 4294967296] of f32"),
    ("a reshape whose sizes overflow", lambda: X.reshape((1 << 62) + 1, 4), ts.LimitError, "limit", "reshape: a tensor of shape [4611686018427387905, 4]"),
    ("tiles past what a tensor may have", lambda: ts.tile(X, (1 << 62, 1)), ts.LimitError, "limit", "tile: "),
    ("random integers that do not fit", lambda: ts.random.randint((3,), 0, 300, dtype=ts.uint8), ValueError, "value", "randint: numbers from 0 to 299"),
    ("an index past the end", lambda: X[5], IndexError, "value", "Index 5 was given for axis 0 of size 2; from -2 to 1 is expected."),
    ("an index past the end of an axis", lambda: X[0, -3], IndexError, "value", "Index -3 was given for axis 1"),
    ("an index past the end in an array", lambda: X[[0, 7]].numpy(), IndexError, "value", "Index 7 was given for an axis of size 2"),
    ("too many indices", lambda: X[0, 0, 0], IndexError, "value", "indexed with 3 entries; at most 2 are expected"),
    ("two ellipses", lambda: X[..., ...], IndexError, "value", "several '...'"),
    ("a float as an index", lambda: X[1.0], IndexError, "value", "indexed by 1.0 of type float"),
    ("text as an index", lambda: X["a"], IndexError, "value", "indexed by 'a' of type str"),
    ("floats as indices", lambda: X[ts.array([0.0])], IndexError, "value", "elements of type f32"),
    ("a mask of another shape", lambda: X[ts.array([True, False, True])], IndexError, "value", "A mask of shape [3]"),
    ("a slice with a float", lambda: X[0.5:], TypeError, "value", "the bound 0.5"),
    ("a slice with step 0", lambda: X[::0], ValueError, "value", "step 0"),
    ("text as an operand", lambda: ts.add(X, "a"), TypeError, "value", "the argument 'x2' is 'a' of type str; a tensor, a number"),
    ("None as an operand", lambda: ts.exp(None), TypeError, "value", "the argument 'x' is None"),
    ("text as an axis", lambda: ts.softmax(X, axis="a"), TypeError, "value", "the argument 'axis' is 'a' of type str; an integer is expected"),
    ("an axis out of range", lambda: ts.sum(X, axis=4), ValueError, "shape", "axis 4 is out of range for a tensor of rank 2"),
    ("a float as a size", lambda: ts.zeros(2.5), TypeError, "value", "the argument 'shape' is 2.5"),
    ("a negative size", lambda: ts.zeros(-3), ValueError, None, "-3"),
    ("rank 9", lambda: ts.zeros((1,) * 9), ValueError, "shape", "8"),
    ("an unknown word", lambda: ts.nn.functional.mse_loss(X, X, reduction="avg"), ValueError, "value", "'avg'; 'mean', 'sum' or 'none' is expected"),
    ("a shape of another size", lambda: X.reshape(3, 3), ValueError, "shape", "[3, 3]"),
    ("the truth of many", lambda: bool(X), ValueError, "value", "neither true nor false"),
    ("one number of many", lambda: X.item(), ValueError, "value", "exactly one is expected"),
    ("a float as an index of a list", lambda: [1, 2][ts.array(1.0)], TypeError, "value", "one integer is expected"),
    ("the length of a number", lambda: len(ts.array(1)), TypeError, "value", "no length"),
    ("a walk through a number", lambda: list(ts.array(1)), TypeError, "value", "rank 0"),
    ("mT of a vector", lambda: ts.zeros(3).mT, ValueError, "value", "at least 2"),
    ("an unknown device", lambda: ts.zeros(1, device="tpu"), (RuntimeError, ValueError), None, "tpu"),
    ("a device of another type", lambda: ts.zeros(1, device=3), TypeError, "value", "the device is 3"),
    ("gradients of integers", lambda: ts.grad(lambda x: x.sum())(ts.array([1, 2])), TypeError, "dtype", "floats"),
    ("a gradient of many numbers", lambda: ts.grad(lambda x: x)(X), ValueError, "shape", "a single number is expected"),
    ("a gradient of no tensor", lambda: ts.grad(lambda x: 1.0)(X), TypeError, "value", "the function gave 1.0"),
    ("a gradient for no tensor", lambda: ts.grad(lambda x: x)(3), TypeError, "value", "3 of type int was given"),
    ("backward without a variable", lambda: X.sum().backward(), ValueError, "value", "no variable is behind"),
    ("a change of a variable", lambda: ts.array([1.0], requires_grad=True).__iadd__(1), ValueError, "value", "inside no_grad()"),
    ("a deleted file", lambda: ts.load("/no/such/file.safetensors"), OSError, "io", "No such file"),
    ("a file that is no safetensors", lambda: ts.io.load_safetensors(io.BytesIO(b"junk")), ValueError, "parse", "4 bytes; at least 8"),
    ("a header past the end", lambda: ts.io.load_safetensors(io.BytesIO(b"\xff" * 16)), ValueError, "parse", "has a header of"),
    ("a file that is no npz", lambda: ts.io.load_npz(io.BytesIO(b"junk")), ValueError, "parse", "is no npz file"),
    ("a text file", lambda: ts.io.load_npz(io.StringIO("a")), TypeError, "value", "binary mode"),
    ("an ending that says nothing", lambda: ts.save("w.bin", {}), ValueError, "value", ".safetensors, .gguf, .npz or .npy"),
    ("a folder that is not there", lambda: ts.save("/no/such/folder/w.npz", {}), OSError, "io", "could not be written"),
    ("an argument that cannot be a key", lambda: ts.compile(lambda x, o: x)(X, {1, 2} and bytearray(b"a")), TypeError, "value", "neither a tensor nor"),
    ("a singular matrix", lambda: ts.linalg.inv(ts.zeros((2, 2))).numpy(), ValueError, None, "singular"),
    ("too large", lambda: ts.zeros((2**40,)).numpy(), (ValueError, MemoryError), None, ""),
]


@pytest.mark.parametrize("what,call,kind,name,text", CASES, ids=[c[0] for c in CASES])
def test_bad_input(what, call, kind, name, text):
    with pytest.raises(kind) as caught:
        call()
    if name is not None:
        assert isinstance(caught.value, ts.Error), type(caught.value)
        assert caught.value.kind == name
    assert text in str(caught.value), str(caught.value)


def test_a_read_only_buffer():
    x = ts.array([1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        x.numpy()[0] = 5
    with pytest.raises(TypeError, match="read-write"):
        io.BytesIO(b"12345678").readinto(x)
    writable = x.numpy(copy=True)
    writable[0] = 5
    assert x.tolist() == [1.0, 2.0]
    frozen = np.ones(3, dtype=np.float32)
    frozen.flags.writeable = False
    assert ts.array(frozen).tolist() == [1.0, 1.0, 1.0]


def test_an_operator_that_does_not_apply_is_pythons_own_error():
    for call in (lambda: X + "a", lambda: X < "a", lambda: {} * X):
        with pytest.raises(TypeError):
            call()
    assert (X == "a") is False and (X != None) is True  # noqa: E711


def test_every_kind_is_an_error_of_tessera_and_of_python():
    from tessera import _errors

    for kind, base in [("shape", ValueError), ("dtype", TypeError), ("out_of_memory", MemoryError), ("io", OSError), ("index", IndexError),
                       ("device_lost", RuntimeError), ("unsupported", NotImplementedError)]:
        assert issubclass(_errors.of_kind(kind), base) and issubclass(_errors.of_kind(kind), ts.Error)
    assert ts.DeviceLostError.kind == "device_lost"


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env={**os.environ})


def test_live_tensors_at_exit_do_no_harm():
    done = run("""
import tessera as ts, threading
x = ts.ones((100, 100)); y = (x @ x).sum(); z = ts.grad(lambda w: (w * w).sum())(x)
w = ts.array([1.0], requires_grad=True); (w * 2).sum().backward()
f = ts.compile(lambda a: a * 2); f(x)
t = threading.Thread(target=lambda: [(x @ x).numpy() for _ in range(50)], daemon=True); t.start()
print(y.item())
""")
    assert done.returncode == 0 and done.stdout.strip() == "1000000.0" and "leak" not in done.stderr, done.stderr


def test_use_after_a_fork_is_a_clear_error():
    done = run("""
import os, tessera as ts
x = ts.ones(4); (x + 1).numpy()
pid = os.fork()
if pid == 0:
    try:
        (x + 2).numpy()
    except ts.Error as e:
        print(e.kind, "forked" in str(e), flush=True)
        os._exit(0)
    os._exit(1)
print(os.waitpid(pid, 0)[1], (x + 3).tolist())
""")
    assert done.stdout.split("\n")[:2] == ["device True", "0 [4.0, 4.0, 4.0, 4.0]"], done.stdout + done.stderr


def test_a_fork_before_the_first_use_is_fine():
    done = run("""
import os, tessera as ts
pid = os.fork()
if pid == 0:
    print((ts.ones(2) + 1).tolist(), flush=True)
    os._exit(0)
print(os.waitpid(pid, 0)[1])
""")
    assert done.stdout.split("\n")[:2] == ["[2.0, 2.0]", "0"], done.stdout + done.stderr
