"""Tensors and arrays where numbers are expected, for every overload of every op: one that takes a tensor there gets it, unread; else the
number is read, or an Error says what is expected."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
from tessera import _core
from tessera._table import TABLE, TYPES

ROOT = Path(__file__).resolve().parent.parent.parent
INTEGERS = {"int", "std::int64_t"}
LISTS = {"Shape", "Axes", "std::vector<int>", "std::vector<std::int64_t>", "PerAxis"}
NUMBERS = INTEGERS | LISTS | {"double", "std::vector<double>"}

# Calls of the generated functions, where the example is of a function in front of it, or has another overload.
CALLS = {
    "arange": "(0, 4, 1)", "eye": "(2, 3, 1)", "linspace": "(0., 1., 3)", "full": "((2,), 7)", "concat": "([ts.ones(2), ts.ones(2)], 0)",
    "meshgrid": "([ts.arange(2), ts.arange(3)],)", "alibi": "(2, 3, 4)", "repeat": "(ts.arange(3), 2, 0)", "roll": "(ts.arange(4), [1], [0])", "tile": "(ts.arange(3), [2])",
    "einsum": "('i,i->', [ts.ones(2), ts.ones(2)])", "pad": "(ts.arange(3), [(1, 2)])", "linalg::matrix_norm": "(ts.ones((2, 2)),)", "linalg::qr": "(ts.ones((3, 2)),)",
    "linalg::svd": "(ts.ones((2, 2)),)", "searchsorted": "(ts.array([1, 3]), ts.array([2]))", "empty": "((0,),)", "rope": "(ts.ones((2, 4)), 3)",
    "tensordot": "(ts.ones((2, 2)), ts.ones((2, 2)), 1)", "random::permutation": "(4,)", "unique": "(ts.array([1, 2]),)",
}
MORE = [("rope", "(ts.ones((2, 4)), ts.array([3, 4]))"), ("split", "(ts.arange(4), [1, 3], 0)"), ("quantile", "(ts.arange(4) * 1.0, [0.5, 0.25], -1)"),
        ("slice_update", "(ts.zeros(3), ts.ones(1), [1], [0])"), ("slice_update", "(ts.zeros(3), ts.ones(1), ts.array([1]), [0])"),
        ("index_add", "(ts.zeros(3), (ts.array([1]),), ts.ones(1))"), ("tensordot", "(ts.ones((2, 2)), ts.ones((2, 2)), [0], [1])"),
        ("scaled_dot_product_attention", "(ts.ones((1, 1, 2, 2)), ts.ones((1, 1, 2, 2)), ts.ones((1, 1, 2, 2)), None, True, 0.5, 1)")]


def find(name):
    space, _, op = name.rpartition("::")
    return getattr(getattr(_core, space or "ops"), op)


def examples():
    """op -> the arguments of its call in examples.txt."""
    name, out = "", {}
    for line in (ROOT / "bindings/python/examples.txt").read_text().splitlines():
        name = line[3:].strip() if line.startswith("== ") else name
        for node in ast.walk(ast.parse(line[4:])) if line.startswith(">>> ") and name not in out else []:
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "ts." + name.replace("::", "."):
                out[name] = ast.unparse(node)[len(ast.unparse(node.func)):]
    return out


CASES = [(n, c) for n, c in sorted({**examples(), **CALLS}.items()) + MORE if any(set(kinds) & NUMBERS for kinds in TYPES.get(n, []))]


def bound(name, call):
    """(arguments by name, overload) of a call."""
    args, kwargs = eval(f"(lambda *a, **k: (a, k)){call}", {"ts": ts})  # noqa: S307
    for i, overload in enumerate(TABLE[name]):
        names = [python for _, python in overload]
        if len(args) > len(names) or not set(kwargs) <= set(names):
            continue
        given = {**dict(zip(names, args)), **kwargs}
        kinds = dict(zip(names, TYPES[name][i]))
        tensors = {k for k, v in given.items() if isinstance(v, ts.Tensor)}
        if any(kinds[k] in LISTS for k in tensors):  # another overload takes a tensor there
            continue
        if all(isinstance(v, (int, float)) or kinds[k] not in ("double", "int", "std::int64_t") or v is None for k, v in given.items()):
            # What was left out has its default, where the signature says one.
            signature = next(s[0] for s in find(name).__nb_signature__ if all(f"{n}:" in s[0] for n in names))
            for n in names:
                default = re.search(rf"[(,] ?{n}: [^=]*? = (-?[\d.e-]+)[,)]", signature)
                if n not in given and default and kinds[n] in NUMBERS:
                    given[n] = ast.literal_eval(default[1])
            return given, i
    raise AssertionError(f"no overload of {name} takes {call}")


def numbers_of(result):
    if isinstance(result, ts.Tensor):
        return result.shape, np.asarray(result).tolist()
    return [numbers_of(r) for r in result] if isinstance(result, (list, tuple)) else result


def run(name, arguments):
    ts.random.seed(3)
    return numbers_of(find(name)(**arguments))


def test_every_overload_has_a_call():
    seen = {(name, bound(name, call)[1]) for name, call in CASES}
    wanted = {(name, i) for name in TABLE for i in range(len(TABLE[name])) if set(TYPES[name][i]) & NUMBERS}
    assert not wanted - seen


@pytest.mark.parametrize("name,call", CASES, ids=[f"{n}{i if n in dict(MORE) else ''}" for i, (n, _) in enumerate(CASES)])
def test_tensors_for_numbers(name, call):
    given, which = bound(name, call)
    expected = run(name, given)
    for position, (_, python) in enumerate(TABLE[name][which]):
        kind = TYPES[name][which][position]
        if kind not in NUMBERS or given.get(python) is None:
            continue
        value = given[python]
        as_tensor = any(len(o) > position and o[position] == "Tensor" for o in TYPES[name])
        whole = ts.int32 if kind in INTEGERS | LISTS else ts.float32
        for array in (ts.array(value, dtype=whole), np.array(value, dtype=whole.name)):
            # Positions alone tell the overloads apart: an array goes to the one that takes a tensor.
            positional = [array if n == python else given[n] for n in list(given)[:list(given).index(python) + 1]]
            rest = {n: v for n, v in given.items() if n not in list(given)[:len(positional)]}
            if list(given)[:len(positional)] != [n for _, n in TABLE[name][which]][:len(positional)]:
                positional, rest = [], {**given, python: array}
            ts.random.seed(3)
            result = numbers_of(find(name)(*positional, **rest))
            if as_tensor:
                other = next(i for i, o in enumerate(TYPES[name]) if len(o) > position and o[position] == "Tensor")
                assert result == run(name, {**{k: v for k, v in given.items() if k != python}, TABLE[name][other][position][1]: ts.array(value)})
            else:
                assert result == expected, python
        # Inside compile nothing can be read: a tensor goes through, or the error says so.
        compiled = ts.compile(lambda t: find(name)(*[t if isinstance(p, np.ndarray) else p for p in positional],
                                                   **{k: t if isinstance(v, np.ndarray) else v for k, v in rest.items()}))
        if as_tensor:
            compiled(ts.array(value, dtype=whole))
            assert compiled.traces == 1
        else:
            with pytest.raises(ts.Error) as caught:
                compiled(ts.array(value, dtype=whole))
            assert str(caught.value).endswith(".")
        # Neither many numbers nor those of another kind stand for one.
        if kind in INTEGERS | {"double"} and not as_tensor:
            for bad in (ts.ones((2, 2)), np.ones((2, 2)), ts.array([1j], device="cpu"), np.array(["a"]), "text", [1], object()):
                if not isinstance(bad, list) or not any(o[position] in LISTS | {"std::vector<double>"} for o in TYPES[name] if len(o) > position):
                    with pytest.raises(TypeError) as caught:
                        find(name)(**{**given, python: bad})
                    assert len(TABLE[name]) > 1 or (isinstance(caught.value, ts.Error) and f"'{python}'" in str(caught.value)), str(caught.value)
        if kind in INTEGERS and not as_tensor:
            for bad in (ts.array(1.5), np.array(1.5), 1.5):
                with pytest.raises(TypeError):
                    find(name)(**{**given, python: bad})


def test_rope_with_one_position():
    """One position is a position, in a tensor; a number is where positions begin."""
    x = ts.array(np.arange(8, dtype=np.float32).reshape(1, 2, 4))
    one = x[:, :1]
    for positions in (ts.array(3), ts.array([3]), np.array([3]), np.array(3), [3]):
        assert ts.rope(one, positions).tolist() == ts.rope(one, 3).tolist()
    assert ts.rope(x, ts.array([3])).tolist() == ts.rope(x, ts.array([3, 3])).tolist() != ts.rope(x, 3).tolist()
    assert ts.rope(x, np.int64(3)).tolist() == ts.rope(x, 3).tolist()
    step = ts.compile(lambda x, p: ts.rope(x, p))
    assert step(one, ts.array([3])).tolist() == ts.rope(one, 3).tolist() and step(one, ts.array([5])).tolist() == ts.rope(one, 5).tolist()
    assert step.traces == 1
    position = ts.array([2]) + 1
    ts.rope(one, position)
    assert not position.is_evaluated


@pytest.mark.parametrize("number", [np.int64(2), np.int32(2), np.array(2), ts.array(2)], ids=["int64", "int32", "array", "tensor"])
def test_integers_of_others_in_the_functions_of_the_standard(number):
    """Functions that are written in Python read numbers of NumPy and of tensors as the ops do."""
    x = ts.reshape(ts.arange(24), (2, 3, 4))
    for f in (lambda n: ts.arange(n), lambda n: ts.arange(0, 8, n), lambda n: ts.eye(n), lambda n: ts.eye(4, 4, n), lambda n: ts.zeros(n), lambda n: ts.zeros(3, n), lambda n: ts.full(n, 1),
              lambda n: ts.full((n, 3), 1), lambda n: ts.linspace(0, n, n), lambda n: ts.tril(x, n), lambda n: ts.sum(x, axis=n), lambda n: ts.sum(x, axis=(0, n)), lambda n: ts.max(x, axis=n),
              lambda n: ts.var(x, axis=n), lambda n: ts.moveaxis(x, n, 0), lambda n: ts.moveaxis(x, (n, 0), (0, n)), lambda n: ts.expand_dims(x, n), lambda n: ts.expand_dims(x, (n, 0)),
              lambda n: ts.flip(x, n), lambda n: ts.roll(x, n), lambda n: ts.roll(x, n, n), lambda n: ts.roll(x, (n, 1), (0, n)), lambda n: ts.tile(x, n), lambda n: ts.tile(x, (n, 1)),
              lambda n: ts.repeat(x, n), lambda n: ts.repeat(x, n, axis=n), lambda n: ts.concat([x, x], axis=n), lambda n: ts.stack([x, x], axis=n), lambda n: ts.unstack(x, axis=n),
              lambda n: ts.sort(x, axis=n), lambda n: ts.cumulative_sum(x, axis=n), lambda n: ts.diff(x, n=n), lambda n: ts.argmax(x, axis=n), lambda n: ts.split(x, n), lambda n: x[n - 1:],
              lambda n: x[:, n], lambda n: ts.pad(x, n), lambda n: ts.pad(x, (n, 0)), lambda n: x.reshape(n, -1), lambda n: x.transpose(n, 0), lambda n: x.permute(n, 0, 1), lambda n: x.flatten(1, n),
              lambda n: ts.tensordot(x, ts.ones((3, 4, 2)), axes=n), lambda n: ts.take(x, n, axis=n), lambda n: ts.topk(x, n, axis=n), lambda n: ts.nn.functional.pad(x, (n, n)),
              lambda n: ts.nn.functional.softmax(x * 1.0, dim=n), lambda n: ts.nn.functional.layer_norm(ts.ones((2, 2)), n), lambda n: ts.linalg.vector_norm(x * 1.0, axis=n),
              lambda n: ts.nn.functional.one_hot(ts.array([0, 1]), n)):
        ours, plain = f(number), f(2)
        if isinstance(ours, ts.Tensor):
            assert ours.dtype == plain.dtype
        assert numbers_of(ours) == numbers_of(plain)


def test_bounds_of_slices():
    x = ts.arange(5)
    assert x[ts.array(1):ts.array(4):ts.array(2)].tolist() == [1, 3] and x[np.array(3):].tolist() == [3, 4]
    for bad in (ts.array(1.5), np.array([1, 2]), np.array(1.5), ts.array([1, 2]), "a"):
        with pytest.raises((TypeError, ValueError)) as caught:
            x[bad:]
        assert isinstance(caught.value, ts.Error), caught.value
