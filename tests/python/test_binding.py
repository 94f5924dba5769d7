"""The binding is whole: every op of the catalog and every argument of the headers is there, under the names that are documented."""

import re
from pathlib import Path

import pytest
import tessera as ts
from tessera import _core
from tessera._table import TABLE

ROOT = Path(__file__).resolve().parent.parent.parent


def find(name):
    space, _, op = name.rpartition("::")
    return getattr(getattr(_core, space or "ops"), op)


def signature_of(name):
    return [s[0] for s in find(name).__nb_signature__]


def test_every_op_of_the_catalog_is_bound():
    missing = [name for name in _core._catalog() if name not in TABLE]
    assert not missing
    for name in TABLE:
        assert callable(find(name)), name
        space, _, op = name.rpartition("::")
        assert callable(getattr(getattr(ts, space) if space else ts, op)), f"{name} is not public"


def names_in(parameters):
    """The names of a list of parameters in C++: the last word of each before its default."""
    plain = re.sub(r"\{[^}]*\}", "", parameters)
    while re.search(r"<[^<>]*>", plain):
        plain = re.sub(r"<[^<>]*>", "", plain)
    return [re.findall(r"\w+", p.partition("=")[0])[-1] for p in plain.split(",") if p.strip()]


def test_every_argument_of_the_headers_is_bound():
    """The declarations are read here once more, by other means than the generator's."""
    headers = ["ops.h", "math.h", "activations.h", "norms.h", "losses.h", "index.h", "sort.h", "conv.h", "attention.h", "linalg.h", "random.h", "quant.h"]
    text = re.sub(r"//[^\n]*", "", "\n".join((ROOT / "include/tessera" / h).read_text() for h in headers))
    options = {name: re.findall(r"(\w+)(?: = [^;]*)?;", body) for name, body in re.findall(r"struct (\w+Options) \{(.*?)\n\};", text, re.S)}
    for name, overloads in TABLE.items():
        op = name.rpartition("::")[2]
        declared = set()
        for match in re.finditer(rf"^(?! *return )[\w:<>, ]+ {op}\(((?:[^()]|\([^()]*\))*)\);", text, re.M):
            for argument in names_in(match.group(1)):
                kind = re.search(rf"(\w+Options)& {argument}\b", match.group(1))
                declared |= set(options[kind.group(1)]) if kind else {argument}
        assert declared, name
        assert declared == {cpp for overload in overloads for cpp, _ in overload}, name


@pytest.mark.parametrize("name", sorted(TABLE))
def test_arguments_are_known_by_their_names(name):
    """Each argument of Python is a keyword of the function: an unknown one is refused, these are not."""
    signatures = signature_of(name)
    assert len(signatures) == len(TABLE[name])
    for overload in TABLE[name]:
        wanted = [python for _, python in overload]
        assert any(re.findall(r"[(,] ?(\w+):", s.replace(" ", " ")) == wanted or all(f"{w}:" in s for w in wanted) for s in signatures), (
            name, wanted, signatures)
    with pytest.raises(TypeError):
        find(name)(no_such_argument=1)


def test_every_op_has_a_text():
    for name in TABLE:
        assert find(name).__doc__, name


def test_names_of_arguments():
    x = ts.array([[1.0, 5.0], [3.0, 2.0]])
    assert ts.sum(x, axis=1, keepdims=True).tolist() == [[6.0], [5.0]]
    assert ts.softmax(x, axis=0).shape == (2, 2)
    assert ts.zeros((2,), dtype=ts.int8).dtype == ts.int8
    assert ts.topk(x, 1, axis=-1).values.tolist() == [[5.0], [3.0]]
    assert ts.add(x1=x, x2=x).tolist() == [[2.0, 10.0], [6.0, 4.0]]
