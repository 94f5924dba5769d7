"""Arguments for every function of the array API standard, drawn by hypothesis; NumPy's arrays stand for tensors."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
REAL = INTS + FLOATS
INEXACT = FLOATS + COMPLEX
NUMERIC = REAL + COMPLEX
ALL = ["bool"] + NUMERIC
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.0, np.inf, -np.inf, np.nan]

shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
full_shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=4)
vectors = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)


def elements(dtype, low=-100, high=100, special=True):
    if dtype == "bool":
        return st.booleans()
    if dtype in FLOATS:
        floats = st.floats(low, high, width=32, allow_subnormal=False)
        return floats | st.sampled_from([np.float32(v).item() for v in SPECIAL]) if special else floats
    if dtype in COMPLEX:
        part = elements("float32", low, high, special)
        return st.builds(complex, part, part)
    info = np.iinfo(dtype)
    return st.integers(max(info.min, low), min(info.max, high))


@st.composite
def arrays(draw, dtypes=NUMERIC, shape=shapes, **limits):
    dtype = draw(st.sampled_from(dtypes))
    return draw(hnp.arrays(dtype, draw(shape) if not isinstance(shape, tuple) else shape, elements=elements(dtype, **limits)))


@st.composite
def pairs(draw, dtypes=NUMERIC, first=None, second=None, **limits):
    """Two arrays whose shapes broadcast and whose types promote."""
    a = draw(st.sampled_from(dtypes))
    together = [d for d in dtypes if (d in INEXACT) == (a in INEXACT) and (d == "bool") == (a == "bool")
                and not ({a, d} & {"uint64"} and {a, d} & set(SIGNED))]
    b = draw(st.sampled_from(together))
    both = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3))
    return [draw(hnp.arrays(t, s, elements=elements(t, **(l if l is not None else limits))))
            for t, s, l in zip((a, b), both.input_shapes, (first, second))]


def axes(draw, x, several=True, none=True):
    choices = []
    if none:
        choices.append(st.none())
    if x.ndim:
        choices.append(st.integers(-x.ndim, x.ndim - 1))
        if several:
            choices.append(st.lists(st.integers(0, x.ndim - 1), unique=True, min_size=1).map(tuple))
    return draw(st.one_of(choices)) if choices else None


CASES = {}


def unary(names, dtypes, **limits):
    for name in names.split():
        CASES[name] = arrays(dtypes, **limits).map(lambda x: ([x], {}))


def binary(names, dtypes, **limits):
    for name in names.split():
        CASES[name] = pairs(dtypes, **limits).map(lambda p: (p, {}))


unary("abs negative positive sign square round isfinite isinf isnan", NUMERIC, low=-11, high=11)
unary("ceil floor trunc", REAL, low=-11, high=11)
unary("acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10 sin sinh sqrt tan tanh reciprocal", INEXACT, low=-20, high=20)
unary("signbit", FLOATS)
# NumPy's complex expm1 misses the standard where the real part is not finite, as in inf + 0j.
CASES["expm1"] = CASES["expm1"].map(lambda c: ([np.where(np.isfinite(c[0][0].real), c[0][0], 1) if c[0][0].dtype.kind == "c" else c[0][0]], {}))
unary("real imag conj", COMPLEX)
unary("bitwise_invert", ["bool"] + INTS)
unary("logical_not", ["bool"])
binary("add subtract multiply", NUMERIC, low=-11, high=11)
binary("maximum minimum", REAL, low=-11, high=11)
binary("equal not_equal", ALL)
binary("less less_equal greater greater_equal", REAL)
binary("divide", INEXACT)
binary("atan2 hypot logaddexp copysign nextafter", FLOATS)
binary("bitwise_and bitwise_or bitwise_xor", ["bool"] + INTS)
binary("bitwise_left_shift bitwise_right_shift", INTS, low=0, high=6)
binary("logical_and logical_or logical_xor", ["bool"])
CASES["floor_divide"] = CASES["remainder"] = st.one_of(pairs(INTS, second={"low": 1, "high": 50}), pairs(FLOATS, low=-50, high=50)).map(lambda p: (p, {}))
CASES["pow"] = st.one_of(pairs(INTS, first={"low": -3, "high": 3}, second={"low": 0, "high": 3}), pairs(INEXACT, low=-4, high=4)).map(
    # NumPy takes the root for an exponent of 0.5, and so misses the standard's -inf ** 0.5 = inf and -0.0 ** 0.5 = 0.0.
    lambda p: ([p[0], np.where(p[1] == 0.5, p[1].dtype.type(0.75), p[1])], {}))


def composite(*names):
    def add(function):
        for name in names:
            CASES[name] = st.composite(function)()
        return function

    return add


@composite("clip")
def _(draw):
    x = draw(arrays(REAL))
    t = x.dtype.name
    a, b = sorted([draw(elements(t, special=False)), draw(elements(t, special=False))])
    return [x], {"min": draw(st.sampled_from([None, a])), "max": draw(st.sampled_from([None, b]))}


@composite("where")
def _(draw):
    a, b = draw(pairs(ALL))
    return [draw(arrays(["bool"], shape=np.broadcast_shapes(a.shape, b.shape))), a, b], {}


# ---- Creation ----
@composite("arange")
def _(draw):
    return [draw(st.integers(-9, 9))], {"stop": draw(st.integers(-9, 20)), "step": draw(st.integers(1, 4) | st.integers(-4, -1)),
                                        "dtype": draw(st.sampled_from(SIGNED + FLOATS))}


@composite("linspace")
def _(draw):
    t = draw(st.sampled_from(INEXACT))
    ends = elements(t, -9, 9, special=False) if t in COMPLEX else st.integers(-9, 9)
    return [draw(ends), draw(ends)], {"num": draw(st.integers(0, 9)), "dtype": t, "endpoint": draw(st.booleans())}


@composite("eye")
def _(draw):
    return [draw(st.integers(0, 4)), draw(st.none() | st.integers(0, 4))], {"k": draw(st.integers(-4, 4)), "dtype": draw(st.sampled_from(NUMERIC))}


@composite("zeros", "ones", "empty")
def _(draw):
    return [draw(shapes)], {"dtype": draw(st.sampled_from(ALL))}


@composite("zeros_like", "ones_like", "empty_like")
def _(draw):
    return [draw(arrays(ALL))], {"dtype": draw(st.none() | st.sampled_from(ALL))}


@composite("full")
def _(draw):
    t = draw(st.sampled_from(ALL))
    return [draw(shapes), draw(elements(t))], {"dtype": t}


@composite("full_like")
def _(draw):
    x = draw(arrays(ALL))
    return [x, draw(elements(x.dtype.name))], {}


@composite("asarray", "from_dlpack")
def _(draw):
    return [draw(arrays(ALL))], {}


@composite("meshgrid")
def _(draw):
    t = draw(st.sampled_from(NUMERIC))
    return [draw(arrays([t], shape=(n,))) for n in draw(st.lists(st.integers(0, 3), max_size=3))], {"indexing": draw(st.sampled_from(["xy", "ij"]))}


@composite("tril", "triu")
def _(draw):
    return [draw(arrays(ALL, shape=hnp.array_shapes(min_dims=2, max_dims=3, min_side=0, max_side=4)))], {"k": draw(st.integers(-3, 3))}


# ---- Types ----
@composite("astype")
def _(draw):
    x = draw(arrays(ALL, low=0, high=100, special=False))
    return [x, np.dtype(draw(st.sampled_from(COMPLEX if x.dtype.kind == "c" else ALL)))], {}


@composite("can_cast")
def _(draw):
    return [np.dtype(draw(st.sampled_from(ALL))), np.dtype(draw(st.sampled_from(ALL)))], {}


@composite("isdtype")
def _(draw):
    kinds = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"]
    return [np.dtype(draw(st.sampled_from(ALL))), draw(st.sampled_from(kinds) | st.lists(st.sampled_from(kinds), min_size=1).map(tuple))], {}


@composite("result_type")
def _(draw):
    a, b = draw(pairs(ALL))
    return [a.dtype, b.dtype], {}


@composite("finfo")
def _(draw):
    return [np.dtype(draw(st.sampled_from(INEXACT)))], {}


@composite("iinfo")
def _(draw):
    return [np.dtype(draw(st.sampled_from(INTS)))], {}


# ---- Reductions ----
def _reduce(draw, dtypes, shape, **limits):
    x = draw(arrays(dtypes, shape=shape, **limits))
    return [x], {"axis": axes(draw, x), "keepdims": draw(st.booleans())}


@composite("sum")
def _(draw):
    args, kwargs = _reduce(draw, NUMERIC, shapes, low=-9, high=9)
    return args, {**kwargs, "dtype": draw(st.none() | st.just(args[0].dtype))}


@composite("prod")
def _(draw):
    args, kwargs = _reduce(draw, NUMERIC, shapes, low=-2, high=2)
    return args, {**kwargs, "dtype": draw(st.none() | st.just(args[0].dtype))}


@composite("mean")
def _(draw):
    return _reduce(draw, INEXACT, full_shapes, low=-9, high=9)


@composite("std", "var")
def _(draw):
    return _reduce(draw, FLOATS, full_shapes, low=-9, high=9)


@composite("max", "min")
def _(draw):
    return _reduce(draw, REAL, full_shapes)


@composite("all", "any")
def _(draw):
    return _reduce(draw, ALL, shapes)


@composite("count_nonzero")
def _(draw):
    return _reduce(draw, ALL, shapes)


@composite("argmax", "argmin")
def _(draw):
    x = draw(arrays(REAL, shape=full_shapes, special=False))
    return [x], {"axis": axes(draw, x, several=False), "keepdims": draw(st.booleans())}


@composite("cumulative_sum", "cumulative_prod")
def _(draw):
    x = draw(arrays(NUMERIC, shape=vectors, low=-2, high=2, special=False))
    return [x], {"axis": axes(draw, x, several=False, none=x.ndim == 1), "include_initial": draw(st.booleans())}


@composite("diff")
def _(draw):
    x = draw(arrays(NUMERIC, shape=vectors, low=0, high=9, special=False))
    return [x], {"axis": axes(draw, x, several=False, none=False), "n": draw(st.integers(0, 2))}


# ---- Shapes ----
@composite("reshape")
def _(draw):
    x = draw(arrays(ALL, shape=full_shapes))
    return [x, draw(st.sampled_from([(-1,), (x.size,), (1, x.size), (x.size, 1), (1, -1)]))], {}


@composite("permute_dims")
def _(draw):
    x = draw(arrays(ALL))
    return [x, tuple(draw(st.permutations(range(x.ndim))))], {}


@composite("matrix_transpose", "linalg.matrix_transpose")
def _(draw):
    return [draw(arrays(ALL, shape=hnp.array_shapes(min_dims=2, max_dims=3, min_side=0, max_side=3)))], {}


@composite("moveaxis")
def _(draw):
    x = draw(arrays(ALL, shape=vectors))
    n = draw(st.integers(1, x.ndim))
    return [x, tuple(draw(st.permutations(range(x.ndim)))[:n]), tuple(draw(st.permutations(range(x.ndim)))[:n])], {}


@composite("expand_dims")
def _(draw):
    x = draw(arrays(ALL))
    return [x], {"axis": draw(st.integers(-x.ndim - 1, x.ndim))}


@composite("squeeze")
def _(draw):
    x = draw(arrays(ALL, shape=hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=2)))
    ones = [i for i, n in enumerate(x.shape) if n == 1]
    return [x, tuple(draw(st.lists(st.sampled_from(ones), unique=True))) if ones else ()], {}


@composite("flip")
def _(draw):
    x = draw(arrays(ALL))
    return [x], {"axis": axes(draw, x)}


@composite("roll")
def _(draw):
    x = draw(arrays(ALL, shape=vectors))
    axis = axes(draw, x)
    n = len(axis) if isinstance(axis, tuple) else 1
    shift = tuple(draw(st.lists(st.integers(-5, 5), min_size=n, max_size=n))) if isinstance(axis, tuple) else draw(st.integers(-5, 5))
    return [x, shift], {"axis": axis}


@composite("concat")
def _(draw):
    a = draw(arrays(ALL, shape=vectors))
    axis = draw(st.integers(-a.ndim, a.ndim - 1) | st.none())
    shape = list(a.shape)
    if axis is not None:
        shape[axis] = draw(st.integers(0, 3))
    return [[a, draw(arrays([a.dtype.name], shape=tuple(shape)))]], {"axis": axis}


@composite("stack")
def _(draw):
    a = draw(arrays(ALL))
    return [[a, draw(arrays([a.dtype.name], shape=a.shape))]], {"axis": draw(st.integers(-a.ndim - 1, a.ndim))}


@composite("unstack")
def _(draw):
    x = draw(arrays(ALL, shape=vectors))
    return [x], {"axis": draw(st.integers(-x.ndim, x.ndim - 1))}


@composite("tile")
def _(draw):
    return [draw(arrays(ALL)), tuple(draw(st.lists(st.integers(0, 3), max_size=4)))], {}


@composite("repeat")
def _(draw):
    x = draw(arrays(ALL, shape=vectors))
    axis = axes(draw, x, several=False)
    n = x.size if axis is None else x.shape[axis]
    counts = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), dtype="int32")
    return [x, draw(st.sampled_from([2, 0, counts]))], {"axis": axis}


@composite("broadcast_arrays")
def _(draw):
    return draw(pairs(ALL)), {}


@composite("broadcast_to")
def _(draw):
    both = draw(hnp.mutually_broadcastable_shapes(num_shapes=1, max_dims=3, max_side=3))
    return [draw(arrays(ALL, shape=both.input_shapes[0])), both.result_shape], {}


# ---- Indexing, searching, sorting ----
@composite("take")
def _(draw):
    x = draw(arrays(ALL, shape=vectors))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    n = x.shape[axis]
    return [x, np.array(draw(st.lists(st.integers(-n, n - 1), max_size=4)), dtype="int64")], {"axis": axis}


@composite("take_along_axis")
def _(draw):
    x = draw(arrays(ALL, shape=vectors))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    shape = list(x.shape)
    shape[axis] = draw(st.integers(1, 3))
    return [x, draw(hnp.arrays("int64", tuple(shape), elements=st.integers(0, x.shape[axis] - 1)))], {"axis": axis}


@composite("nonzero")
def _(draw):
    return [draw(arrays(ALL, shape=vectors))], {}


@composite("searchsorted")
def _(draw):
    a = draw(arrays(INTS + FLOATS, shape=hnp.array_shapes(min_dims=1, max_dims=1, max_side=6), special=False))
    order = np.argsort(a).astype("int64")
    sorted_in = draw(st.booleans())
    return [np.sort(a) if sorted_in else a, draw(arrays([a.dtype.name], shape=full_shapes, special=False))], {
        "side": draw(st.sampled_from(["left", "right"])), **({} if sorted_in else {"sorter": order})}


@composite("sort", "argsort")
def _(draw):
    x = draw(arrays(REAL, shape=vectors, low=-3, high=3, special=False))
    return [x], {"axis": draw(st.integers(-x.ndim, x.ndim - 1)), "descending": draw(st.booleans()), "stable": True}


@composite("unique_all", "unique_counts", "unique_inverse", "unique_values")
def _(draw):
    return [draw(arrays(ALL, shape=full_shapes, low=-3, high=3, special=False))], {}


# ---- Products ----
@composite("matmul", "linalg.matmul")
def _(draw):
    t = draw(st.sampled_from(NUMERIC))
    n, m, k = (draw(st.integers(1, 4)) for _ in range(3))
    batch = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=1, max_side=3))
    left = draw(st.sampled_from([(n,), (*batch.input_shapes[0], m, n)]))
    right = draw(st.sampled_from([(n,), (*batch.input_shapes[1], n, k)]))
    return [draw(arrays([t], shape=s, low=-3, high=3, special=False)) for s in (left, right)], {}


@composite("vecdot", "linalg.vecdot")
def _(draw):
    t = draw(st.sampled_from(NUMERIC))
    n = draw(st.integers(1, 4))
    batch = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=3))
    return [draw(arrays([t], shape=(*s, n), low=-3, high=3, special=False)) for s in batch.input_shapes], {}


@composite("tensordot", "linalg.tensordot")
def _(draw):
    t = draw(st.sampled_from(NUMERIC))
    a = draw(arrays([t], shape=full_shapes, low=-3, high=3, special=False))
    n = draw(st.integers(0, a.ndim))
    shape = a.shape[a.ndim - n:] + draw(hnp.array_shapes(min_dims=0, max_dims=2, max_side=3))
    b = draw(arrays([t], shape=shape, low=-3, high=3, special=False))
    return [a, b], {"axes": draw(st.sampled_from([n, (tuple(range(a.ndim - n, a.ndim)), tuple(range(n)))]))}


# ---- Linear algebra ----
def matrices(draw, shape=None, square=False, dtypes=INEXACT):
    n, m = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    batch = draw(st.sampled_from([(), (2,), (1, 2)]))
    return draw(arrays(dtypes, shape=(*batch, n, n if square else m), low=-5, high=5, special=False))


@composite("linalg.cholesky")
def _(draw):
    x = matrices(draw, square=True)
    return [x @ np.conj(np.swapaxes(x, -1, -2)) + 2 * np.eye(x.shape[-1], dtype=x.dtype)], {"upper": draw(st.booleans())}


@composite("linalg.det", "linalg.slogdet", "linalg.inv")
def _(draw):
    x = matrices(draw, square=True)
    return [x + 30 * np.eye(x.shape[-1], dtype=x.dtype)], {}


@composite("linalg.solve")
def _(draw):
    x = matrices(draw, square=True)
    n = x.shape[-1]
    shape = draw(st.sampled_from([(n,), (*x.shape[:-2], n, 2)]))
    return [x + 30 * np.eye(n, dtype=x.dtype), draw(arrays([x.dtype.name], shape=shape, low=-5, high=5, special=False))], {}


@composite("linalg.eigh", "linalg.eigvalsh")
def _(draw):
    x = matrices(draw, square=True)
    return [x + np.conj(np.swapaxes(x, -1, -2))], {}


@composite("linalg.svdvals")
def _(draw):
    return [matrices(draw)], {}


@composite("linalg.pinv", "linalg.matrix_rank")
def _(draw):
    x = matrices(draw)
    n, m = x.shape[-2:]
    each = np.full(x.shape[:-2], 1e-3, dtype=x.real.dtype)
    return [x + 30 * np.eye(n, m, dtype=x.dtype)], draw(st.sampled_from([{}, {"rtol": 1e-3}, {"rtol": each}]))


@composite("linalg.svd")
def _(draw):
    return [matrices(draw)], {"full_matrices": draw(st.booleans())}


@composite("linalg.qr")
def _(draw):
    x = matrices(draw)
    return [x + 30 * np.eye(*x.shape[-2:], dtype=x.dtype)], {"mode": draw(st.sampled_from(["reduced", "complete"]))}


@composite("linalg.matrix_power")
def _(draw):
    x = matrices(draw, square=True)
    return [x + 10 * np.eye(x.shape[-1], dtype=x.dtype), draw(st.integers(-2, 3))], {}


@composite("linalg.matrix_norm")
def _(draw):
    return [matrices(draw)], {"ord": draw(st.sampled_from(["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])), "keepdims": draw(st.booleans())}


@composite("linalg.vector_norm")
def _(draw):
    x = draw(arrays(INEXACT, shape=vectors, low=1, high=9, special=False))
    return [x], {"axis": axes(draw, x), "keepdims": draw(st.booleans()), "ord": draw(st.sampled_from([1, 2, 3, 0, np.inf, -np.inf, -1]))}


@composite("linalg.diagonal", "linalg.trace")
def _(draw):
    x = draw(arrays(NUMERIC, shape=hnp.array_shapes(min_dims=2, max_dims=3, max_side=4), low=0, high=9, special=False))
    return [x], {"offset": draw(st.integers(-2, 2))}


@composite("linalg.outer")
def _(draw):
    t = draw(st.sampled_from(NUMERIC))
    return [draw(arrays([t], shape=(draw(st.integers(0, 4)),), low=-3, high=3, special=False)) for _ in range(2)], {}


@composite("linalg.cross")
def _(draw):
    t = draw(st.sampled_from(NUMERIC))
    shape = draw(st.sampled_from([(3,), (2, 3), (2, 2, 3)]))
    return [draw(arrays([t], shape=shape, low=0, high=4, special=False)) for _ in range(2)], {}
