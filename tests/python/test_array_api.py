"""The array API standard 2024.12, name by name, against array-api-strict: no name of its namespace can be forgotten.

Each function is called with what hypothesis draws; shapes, types and values must be those of array-api-strict. The figure is
printed at the end and stands in docs/conformance.md; a test compares the two.
"""

import operator
import os
import re
from pathlib import Path

import array_api_strict as strict
import numpy as np
import pytest
import tessera as ts
from cases import ALL, CASES, COMPLEX, FLOATS, INEXACT, INTS, NUMERIC, REAL, SIGNED, arrays, pairs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of what is not finite
strict.set_array_api_strict_flags(api_version="2024.12")
PAGE = Path(__file__).resolve().parent.parent.parent / "docs/conformance.md"

DTYPES = ["bool", *SIGNED, "uint8", "uint16", "uint32", "uint64", *FLOATS, *COMPLEX]
CONSTANTS = ["e", "inf", "nan", "pi", "newaxis"]
NOT_OF_THE_STANDARD = {"Device", "set_array_api_strict_flags", "get_array_api_strict_flags", "reset_array_api_strict_flags",
                       "ArrayAPIStrictFlags", "__version__", "__array_api_version__", "fft", "linalg", "broadcast_shapes", "isin"}
LEFT_OUT = {"fft." + n: "there is no fft extension" for n in strict.fft.__all__}
FUNCTIONS = sorted([n for n in strict.__all__ if n not in NOT_OF_THE_STANDARD and n not in CONSTANTS and n not in DTYPES]
                   + ["linalg." + n for n in strict.linalg.__all__] + ["fft." + n for n in strict.fft.__all__])
# What the standard lets the default types decide: ours are 32 bits wide, array-api-strict's 64.
DEFAULT_INTEGER = {"sum", "prod", "cumulative_sum", "cumulative_prod", "linalg.trace"}
INDICES = {"argmax", "argmin", "argsort", "nonzero", "searchsorted", "count_nonzero", "unique_all", "unique_counts", "unique_inverse",
           "linalg.matrix_rank"}
# What is determined up to signs or order is checked by what it is for.
UP_TO_SIGN = {"linalg.svd", "linalg.eigh", "linalg.qr"}
METHODS = [n for n in dir(strict.zeros(1)) if re.fullmatch(r"__(r|i)?(abs|add|and|eq|floordiv|ge|gt|invert|le|lshift|lt|matmul|mod|mul|ne|neg|or|pos|pow|"
                                                           r"rshift|sub|truediv|xor|bool|float|int|index|complex|getitem|setitem|dlpack|dlpack_device|"
                                                           r"array_namespace)__", n)] + ["T", "mT", "device", "dtype", "ndim", "shape", "size", "to_device"]
passed: set[str] = set()
few = settings(max_examples=300 if os.environ.get("TESSERA_TEST_FULL") else 20, deadline=None, derandomize=True, database=None,
               suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])


def find(xp, name):
    for part in name.split("."):
        xp = getattr(xp, part)
    return xp


def to(xp, x):
    """NumPy's arrays and types as those of a namespace."""
    if isinstance(x, np.ndarray):
        return xp.asarray(np.array(x)) if xp is ts else xp.asarray(x.copy())
    if isinstance(x, np.dtype):
        return getattr(xp, x.name)
    if isinstance(x, (list, tuple)):
        return type(x)(to(xp, v) for v in x)
    return x


def dtype_name(x):
    return x.dtype.name if isinstance(x, ts.Tensor) else str(x.dtype).rsplit(".", 1)[-1]


def same(name, ours, theirs, first):
    if isinstance(theirs, (tuple, list)) and not hasattr(theirs, "eps"):
        assert len(ours) == len(theirs)
        if hasattr(theirs, "_fields"):
            assert ours._fields == theirs._fields
        for a, b in zip(ours, theirs):
            same(name, a, b, first)
        return
    if not hasattr(theirs, "shape"):
        if hasattr(theirs, "bits"):
            for field in ("bits", "max", "min") + (("eps", "smallest_normal") if hasattr(theirs, "eps") else ()):
                assert getattr(ours, field) == getattr(theirs, field)
            return
        assert ours == theirs if isinstance(theirs, bool) else str(ours).rsplit(".", 1)[-1] == str(theirs).rsplit(".", 1)[-1], (ours, theirs)
        return
    assert isinstance(ours, ts.Tensor) and ours.shape == theirs.shape, (ours.shape, theirs.shape)
    expected = dtype_name(theirs)
    if name in INDICES and expected == "int64" and (name not in ("unique_all", "unique_counts", "unique_inverse") or dtype_name(ours) == "int32"):
        expected = "int32"
    if name in DEFAULT_INTEGER and isinstance(first, np.ndarray) and first.dtype.kind in "iu" and first.dtype.itemsize < 8 and expected in ("int64", "uint64"):
        expected = "int32" if expected == "int64" else "uint32"
    assert dtype_name(ours) == expected, (dtype_name(ours), expected)
    a, b = ours.numpy(), np.asarray(theirs)
    if a.dtype.kind not in "fc":
        np.testing.assert_array_equal(a, b.astype(a.dtype))
        return
    tolerance = 2e-5 if a.dtype in (np.float32, np.complex64) else 1e-9
    largest = float(np.max(np.abs(b[np.isfinite(b)]), initial=0)) if name.startswith("linalg") or name in ("sum", "mean", "std", "var", "prod") else 1e-6
    limits = {"rtol": tolerance, "atol": tolerance * max(1.0, largest)}
    if a.dtype.kind == "c":
        whole = np.isfinite(b)
        np.testing.assert_allclose(a[whole], b[whole], **limits)
        for part, expected_part in ((a.real, b.real), (a.imag, b.imag)):  # which of them is infinite, which NaN
            np.testing.assert_allclose(part[~whole], expected_part[~whole], **limits)
        return
    np.testing.assert_allclose(a, b, **limits)
    zeros = (a == 0) & (b == 0)
    if name not in UP_TO_SIGN and not name.startswith("linalg") and name not in ("prod", "sum", "matmul", "vecdot", "tensordot", "remainder", "where", "std", "var", "mean", "round"):
        np.testing.assert_array_equal(np.signbit(a[zeros]), np.signbit(b[zeros]), err_msg="the sign of a zero")


def rebuilt(name, result):
    parts = [np.asarray(r.numpy() if isinstance(r, ts.Tensor) else r) for r in result]
    if name == "linalg.svd":
        u, s, v = parts
        k = s.shape[-1]
        return u[..., :, :k] * s[..., None, :] @ v[..., :k, :]
    if name == "linalg.qr":
        return parts[0] @ parts[1]
    return parts[1] * parts[0][..., None, :] @ np.conj(np.swapaxes(parts[1], -1, -2))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name):
    if name in LEFT_OUT:
        pytest.skip(f"left out: {LEFT_OUT[name]}")
    if name == "__array_namespace_info__":
        ours, theirs = ts.__array_namespace_info__(), strict.__array_namespace_info__()
        assert ours.capabilities()["boolean indexing"] and set(ours.capabilities()) == set(theirs.capabilities())
        assert set(ours.dtypes()) == set(theirs.dtypes())
        assert set(ours.default_dtypes()) == set(theirs.default_dtypes())
        assert set(ours.dtypes(kind="complex floating")) == set(COMPLEX)
        assert ours.default_device() in ours.devices()
        passed.add(name)
        return

    @few
    @given(CASES[name])
    def check(drawn):
        args, kwargs = drawn
        theirs = find(strict, name)(*[to(strict, a) for a in args], **{k: to(strict, np.dtype(v) if k == "dtype" and v else v) for k, v in kwargs.items()})
        ours = find(ts, name)(*[to(ts, a) for a in args], **{k: to(ts, np.dtype(v) if k == "dtype" and v else v) for k, v in kwargs.items()})
        if name.startswith("empty"):
            assert ours.shape == theirs.shape and dtype_name(ours) == dtype_name(theirs)
        elif name in UP_TO_SIGN:
            assert [o.shape for o in ours] == [t.shape for t in theirs] and ours._fields == theirs._fields
            np.testing.assert_allclose(rebuilt(name, ours), args[0], rtol=1e-3, atol=1e-4)
        else:
            same(name, ours, theirs, args[0] if args else None)

    check()
    passed.add(name)


@pytest.mark.parametrize("name", CONSTANTS + DTYPES)
def test_constant_or_type(name):
    ours, theirs = getattr(ts, name), getattr(strict, name)
    if name in DTYPES:
        assert ours.name == name and ours == ours and ours != (ts.int8 if name != "int8" else ts.int16)
    else:
        assert ours is None if theirs is None else ours == theirs or ours != ours
    passed.add(name)


OPERATORS = {"add": NUMERIC, "sub": NUMERIC, "mul": NUMERIC, "truediv": INEXACT, "and": ["bool"] + INTS, "or": ["bool"] + INTS, "xor": ["bool"] + INTS,
             "lt": REAL, "le": REAL, "gt": REAL, "ge": REAL, "eq": ALL, "ne": ALL}


@pytest.mark.parametrize("name", METHODS)
def test_method(name):
    if name in LEFT_OUT:
        pytest.skip(f"left out: {LEFT_OUT[name]}")
    assert hasattr(ts.Tensor, name), name
    kind = re.fullmatch(r"__(r|i)?(\w+?)__", name)
    op = kind.group(2) if kind else ""
    if kind and kind.group(1) and name not in ("__rshift__", "__index__", "__int__", "__invert__"):
        prefix = kind.group(1)
    else:
        prefix, op = "", name.strip("_")
    limits = {"special": False}
    if op in ("lshift", "rshift"):
        strategy = pairs(INTS, low=0, high=6)
    elif op in ("floordiv", "mod"):
        strategy = st.one_of(pairs(INTS, low=1, high=50), pairs(FLOATS, low=1, high=50, **limits))
    elif op == "pow":
        strategy = pairs(NUMERIC, low=0, high=3, **limits)
    elif op in OPERATORS:
        strategy = pairs(OPERATORS[op], low=-9, high=9, **limits)
    elif op == "matmul":
        strategy = CASES["matmul"].map(lambda c: c[0])
    elif op in ("abs", "neg", "pos"):
        strategy = arrays(NUMERIC, low=-9, high=9).map(lambda x: [x])
    elif op == "invert":
        strategy = arrays(["bool"] + INTS).map(lambda x: [x])
    else:
        check_other(name)
        passed.add(name)
        return

    @few
    @given(strategy)
    def check(drawn):
        if op == "matmul" and (prefix == "i" and (drawn[0].ndim < 2 or drawn[0].shape != (drawn[0] @ drawn[1]).shape)):
            return
        if prefix == "i" and (np.broadcast_shapes(*[d.shape for d in drawn]) != drawn[0].shape if op != "matmul" else False):
            return
        if prefix == "i" and np.result_type(*drawn) != drawn[0].dtype:
            return
        if op == "matmul" and prefix == "r":
            drawn = drawn[::-1]
        a, b = [to(ts, d) for d in drawn], [to(strict, d) for d in drawn]
        if prefix == "i":
            ours, theirs = (getattr(operator, f"i{op}" if op not in ("and", "or") else f"i{op}")(*v) for v in (a, b))
            assert ours is a[0]
        else:
            ours, theirs = getattr(a[0], name)(*a[1:]), getattr(b[0], name)(*b[1:])
        same(name, ours, theirs, drawn[0])

    check()
    passed.add(name)


def check_other(name):
    x = ts.array([[1.0, 2.0], [3.0, 4.0]])
    checks = {
        "T": lambda: x.T.tolist() == [[1.0, 3.0], [2.0, 4.0]], "mT": lambda: x.mT.tolist() == [[1.0, 3.0], [2.0, 4.0]],
        "device": lambda: x.device in ts.__array_namespace_info__().devices(), "dtype": lambda: x.dtype == ts.float32,
        "ndim": lambda: x.ndim == 2, "shape": lambda: x.shape == (2, 2), "size": lambda: x.size == 4,
        "to_device": lambda: x.to_device(x.device).tolist() == x.tolist(), "__bool__": lambda: bool(ts.array(True)) is True,
        "__float__": lambda: float(ts.array(1.5)) == 1.5,
        "__complex__": lambda: complex(ts.array(1 - 2j)) == 1 - 2j and complex(ts.array(1.5)) == 1.5, "__int__": lambda: int(ts.array(7)) == 7, "__index__": lambda: [5, 6][ts.array(1)] == 6,
        "__getitem__": lambda: x[1, ::-1].tolist() == [4.0, 3.0] and x[x > 2].tolist() == [3.0, 4.0] and x[..., None].shape == (2, 2, 1),
        "__setitem__": lambda: (x.__setitem__((0, 0), 9.0), x[0, 0].item() == 9.0)[1],
        "__dlpack__": lambda: np.from_dlpack(x.to("cpu")).tolist() == x.tolist(), "__dlpack_device__": lambda: x.to("cpu").__dlpack_device__() == (1, 0),
        "__array_namespace__": lambda: x.__array_namespace__(api_version="2024.12") is ts,
    }
    assert checks[name]()


def test_the_figure():
    names = [*FUNCTIONS, *CONSTANTS, *DTYPES, *METHODS]
    names = list(dict.fromkeys(names))
    left = [n for n in names if n in LEFT_OUT]
    failed = [n for n in names if n not in LEFT_OUT and n not in passed]
    figure = f"{len(names)} names: {len(passed)} passed, {len(failed)} failed, {len(left)} left out"
    print("\narray API standard 2024.12: " + figure + (f"; failed: {', '.join(failed)}" if failed else ""))
    if len(passed) + len(failed) + len(left) == len(names) and len(passed) > 200:
        assert figure in PAGE.read_text(), f"docs/conformance.md says another figure than: {figure}"
