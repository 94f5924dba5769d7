"""Hostile files: whatever stands in one, loading it gives the right tensors or an Error of tessera, and takes no memory that the file has not."""

import io
import json
import pickle
import random
import resource
import struct
import zipfile
import zlib

import numpy as np
import pytest
import tessera as ts

ARRAYS = {"w": np.arange(6, dtype=np.float32).reshape(2, 3), "n": np.array([7, 8], dtype=np.int64), "s": np.array(True)}
WRONG = [None, True, -1, 0, 1.5, 2**31, 2**63, 2**64, 10**400, "", "F32", "x" * 1000, [], [1], [1, 2, 3], ["a"], [None], [[]], [-1, 24], [24, 0], [0, 2**63],
         {}, {"a": 1}, float("nan"), float("inf")]


def safetensors():
    stream = io.BytesIO()
    ts.io.save_safetensors(stream, ARRAYS, metadata={"format": "np"})
    return stream.getvalue()


def npz(compressed=False):
    stream = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(stream, **ARRAYS)
    return stream.getvalue()


def npy(array=ARRAYS["w"]):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


LOADERS = {"safetensors": (safetensors, ts.io.load_safetensors), "npz": (npz, ts.io.load_npz),
           "npz, compressed": (lambda: npz(True), ts.io.load_npz), "npy": (npy, ts.io.load_npy)}


def same(loaded):
    if isinstance(loaded, ts.Tensor):
        return loaded.tolist() == ARRAYS["w"].tolist()
    return sorted(loaded) == sorted(ARRAYS) and all(loaded[k].tolist() == ARRAYS[k].tolist() for k in ARRAYS)


def outcome(load, data):
    """What was loaded, or the sentence of the error; anything but an Error of kind parse fails the test."""
    try:
        return load(io.BytesIO(data))
    except ts.Error as error:
        assert error.kind in ("parse", "io"), (error.kind, str(error))
        text = str(error)
        assert "'a file object'" in text and text.endswith("."), text
        return text


@pytest.mark.parametrize("name", LOADERS)
def test_whole_files(name):
    make, load = LOADERS[name]
    assert same(load(io.BytesIO(make())))


@pytest.mark.parametrize("name", LOADERS)
def test_every_truncation(name):
    make, load = LOADERS[name]
    data = make()
    for size in range(len(data)):
        assert isinstance(outcome(load, data[:size]), str), size
    assert isinstance(outcome(load, b""), str)


@pytest.mark.parametrize("name", LOADERS)
def test_flipped_bytes(name):
    """The elements of safetensors and npy have no checksum: there, other numbers of the same shape are right."""
    make, load = LOADERS[name]
    data = make()
    draw = random.Random(7)
    for _ in range(400):
        bad = bytearray(data)
        for _ in range(draw.choice([1, 1, 1, 2, 4])):
            bad[draw.randrange(len(bad))] ^= draw.choice([1 << draw.randrange(8), draw.randrange(1, 256)])
        result = outcome(load, bytes(bad))
        if isinstance(result, dict):
            assert all(isinstance(v, ts.Tensor) and v.size <= 48 for v in result.values())


def with_header(header, body):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def test_every_field_of_a_safetensors_header_with_every_wrong_type():
    data = safetensors()
    size = struct.unpack("<Q", data[:8])[0]
    header, body = json.loads(data[8:8 + size]), data[8 + size:]
    assert same(outcome(ts.io.load_safetensors, with_header(header, body)))
    for wrong in WRONG:
        assert isinstance(outcome(ts.io.load_safetensors, with_header(wrong, body)), str) or wrong == {}
        for name in header:
            result = outcome(ts.io.load_safetensors, with_header({**header, name: wrong}, body))
            assert isinstance(result, str) or (name == "__metadata__" and wrong == {} and same(result)), (name, wrong)
            for field in header[name]:
                changed = {**header, name: {**header[name], field: wrong}}
                result = outcome(ts.io.load_safetensors, with_header(changed, body))
                # One bool is a scalar with the shape [], or has one axis, and any text is metadata.
                right = (name, field) == ("s", "shape") and wrong in ([], [1]) or (name == "__metadata__" and isinstance(wrong, str)) or (
                    (name, field, wrong) in (("w", "dtype", "F32"), ("w", "shape", [1, 2, 3])))
                assert isinstance(result, str) != right, (name, field, wrong, result)
    for field in ("dtype", "shape", "data_offsets"):
        entry = {k: v for k, v in header["w"].items() if k != field}
        assert "dtype, shape and data_offsets" in outcome(ts.io.load_safetensors, with_header({**header, "w": entry}, body))


def entry(kind="F32", shape=(1,), offsets=(0, 4)):
    return {"dtype": kind, "shape": list(shape), "data_offsets": list(offsets)}


HEADERS = [
    ("overlapping tensors", {"a": entry(), "b": entry()}, 4, "overlaps the one before it"),
    ("a gap", {"a": entry(offsets=(4, 8))}, 8, "leaves a gap"),
    ("bytes of nobody", {"a": entry()}, 8, "4 bytes together and 8 bytes of data"),
    ("a name twice", b'{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}', 4, "occurs twice"),
    ("offsets the wrong way round", {"a": entry(offsets=(4, 0))}, 4, "lies at 4 to 0"),
    ("sizes that overflow", {"a": entry(shape=(2**40, 2**40))}, 4, "at most 8 sizes"),
    ("sizes that overflow beside a zero", {"a": entry(shape=(2**62, 2**62, 0), offsets=(0, 0))}, 0, "at most 8 sizes"),
    ("nine axes", {"a": entry(shape=(1,) * 9)}, 4, "at most 8 sizes"),
    ("deep lists", b'{"a": ' + b"[" * 100000 + b"]" * 100000 + b"}", 0, "is no JSON"),
    ("lists that are nearly too deep", b'{"a": ' + b"[" * 900 + b"]" * 900 + b"}", 0, ""),
    ("deep objects", b'{"a":' * 50000 + b"1" + b"}" * 50000, 0, "is no JSON"),
    ("a number of many digits", b'{"a": ' + b"9" * 10000 + b"}", 0, "is no JSON"),
    ("bytes that are no text", b'{"\xff": 1}', 0, "is no JSON"),
    ("text of 16 bits", "{}".encode("utf-16"), 0, "is no JSON"),
    ("half a surrogate in a name", b'{"\\ud800": 1}', 0, "ud800"),
    ("no header", b"", 0, "is no JSON"),
]


@pytest.mark.parametrize("what,header,size,text", HEADERS, ids=[h[0] for h in HEADERS])
def test_headers_of_safetensors(what, header, size, text):
    result = outcome(ts.io.load_safetensors, with_header(header, bytes(size)))
    assert isinstance(result, str) and text in result, result


def npy_with(header, body=b"", version=1, size=None):
    text = header.encode() if isinstance(header, str) else header
    length = len(text) if size is None else size
    return b"\x93NUMPY" + bytes([version, 0]) + (struct.pack("<H", length) if version == 1 else struct.pack("<I", length)) + text + body


def fields(descr="'<f4'", order="False", shape="(2,)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


NPY = [
    ("pickled objects", npy_with(fields("'|O'", shape="(1,)"), pickle.dumps([1])), "pickled objects"),
    ("several fields", npy_with(fields("[('a', '<f4')]"), bytes(8)), "several fields"),
    ("text", npy_with(fields("'<U4'"), bytes(32)), "'<U4'"),
    ("long doubles", npy_with(fields("'<f16'"), bytes(32)), "'<f16'"),
    ("a type that is no text", npy_with(fields("4"), bytes(8)), "several fields"),
    ("a negative size", npy_with(fields(shape="(-2,)"), bytes(8)), "descr, fortran_order and shape"),
    ("a size that is no number", npy_with(fields(shape="(a,)"), bytes(8)), "descr, fortran_order and shape"),
    ("sizes that overflow", npy_with(fields(shape="(4294967296, 4294967296, 4294967296)"), bytes(8)), "at most 8 sizes"),
    ("sizes that overflow beside a zero", npy_with(fields(shape="(4611686018427387904, 4, 0)")), "at most 8 sizes"),
    ("more elements than there are", npy_with(fields(shape="(1000000000000,)"), bytes(8)), "has 8 bytes of elements"),
    ("fewer elements than there are", npy_with(fields(shape="(1,)"), bytes(8)), "has 8 bytes of elements"),
    ("a missing field", npy_with("{'descr': '<f4', 'shape': (2,)}", bytes(8)), "descr, fortran_order and shape"),
    ("a header of code", npy_with("__import__('os').abort()", bytes(8)), "descr, fortran_order and shape"),
    ("a header past the end", npy_with(fields(), bytes(8), size=60000), "ends before its header does"),
    ("a huge header", npy_with(fields(), bytes(8), version=2, size=2**32 - 1), "claims a header"),
    ("deep brackets", npy_with("(" * 60000, bytes(8)), "descr, fortran_order and shape"),
    ("another version", npy_with(fields(), bytes(8), version=9), "version 9"),
    ("another signature", b"\x93NUMPX" + npy()[6:], "signature"),
]


@pytest.mark.parametrize("what,data,text", NPY, ids=[n[0] for n in NPY])
def test_headers_of_npy(what, data, text):
    result = outcome(ts.io.load_npy, data)
    assert isinstance(result, str) and text in result, result
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.npy", data)
    result = outcome(ts.io.load_npz, stream.getvalue())
    assert isinstance(result, str) and text in result and "'a'" in result, result


def test_orders_of_elements_and_bytes():
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    for array in (np.asfortranarray(a), a.astype(">f4"), np.asfortranarray(a.astype(">i2")), a.astype(np.complex64), a[:, :0], a.astype(bool), np.array(3.5)):
        assert ts.io.load_npy(io.BytesIO(npy(array)), device="cpu").tolist() == array.tolist()
    assert ts.io.load_npy(io.BytesIO(npy_with(fields(shape="(2L,)"), bytes(8)))).tolist() == [0.0, 0.0]  # as Python 2 wrote it


def test_archives():
    def archive(*members, how=zipfile.ZIP_DEFLATED):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", how) as out:
            for name, data in members:
                out.writestr(name, data)
        return stream.getvalue()

    with pytest.warns(UserWarning, match="Duplicate"):
        twice = archive(("a.npy", npy()), ("a.npy", npy()))
    assert "'a' that occurs twice" in outcome(ts.io.load_npz, twice)
    assert list(outcome(ts.io.load_npz, archive(("notes.txt", b"hello"), ("a.npy", npy())))) == ["a"]
    for how in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        assert list(outcome(ts.io.load_npz, archive(("a.npy", npy()), how=how))) == ["a"]
    data = bytearray(archive(("a.npy", npy())))
    central = data.index(b"PK\x01\x02")
    for method in (1, 6, 99, 0xffff):  # methods that nobody has
        bad = bytearray(data)
        bad[8:10] = bad[central + 10:central + 12] = struct.pack("<H", method)
        assert isinstance(outcome(ts.io.load_npz, bytes(bad)), str)
    for flags in (1, 0x41, 0x20):  # encrypted, or patched data
        bad = bytearray(data)
        bad[6:8] = bad[central + 8:central + 10] = struct.pack("<H", flags)
        assert isinstance(outcome(ts.io.load_npz, bytes(bad)), str)


def test_an_archive_takes_no_memory_that_it_has_not():
    """Members that claim gigabytes: as a header, as a size in the archive, and as both with a stream that is short."""
    claim = 1 << 36
    header = npy_with(fields("'|u1'", shape=f"({claim},)"))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", header + bytes(100))
    data = stream.getvalue()
    central = data.index(b"PK\x01\x02")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "bytes of elements" in outcome(ts.io.load_npz, data)
    bad = bytearray(data)
    bad[central + 24:central + 28] = struct.pack("<I", 0xfffffff0)
    assert "more than there can be" in outcome(ts.io.load_npz, bytes(bad))
    # 40 KB of nothing inflate to 40 MB at most, whatever they are said to be.
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packed.compress(bytes(1 << 20)) + packed.flush()
    assert isinstance(outcome(ts.io.load_npz, bytes(bad) + body), (str, dict))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10  # KiB
    text = b"{" + b" " * (1 << 10) + b"}"
    for size in (2**63, 2**64 - 1, 10**12, len(text) + 1):
        assert "claims a header" in outcome(ts.io.load_safetensors, struct.pack("<Q", size) + text)


def test_names_of_all_kinds(tmp_path):
    """Names that NumPy's own writer takes for its arguments; what is no dict; objects that would be pickled."""
    tensors = {"file": ts.ones(2), "allow_pickle": ts.zeros(1), "a/b.c": ts.array(3), "": ts.ones(1), "ü": ts.ones(1)}
    for ending in ("npz", "safetensors"):
        ts.save(tmp_path / f"x.{ending}", tensors)
        loaded = ts.load(tmp_path / f"x.{ending}")
        assert {k: v.tolist() for k, v in loaded.items()} == {k: v.tolist() for k, v in tensors.items()}
        for bad in ([ts.ones(1)], ts.ones(1), None, {1: ts.ones(1)}, {"a": object()}, {"a": "text"}, {"a": np.array([object()])}):
            with pytest.raises(ts.Error):
                ts.save(tmp_path / f"y.{ending}", bad)
    with pytest.raises(ts.Error, match="pickled"):
        ts.save(tmp_path / "y.npy", np.array([object()]))
    with pytest.raises(ts.Error, match="something else"):
        ts.io.save_safetensors(io.BytesIO(), {"__metadata__": ts.ones(1)})
    for load in (ts.io.load_npz, ts.io.load_npy, ts.io.load_safetensors):
        for path in (None, 3.5, tmp_path, "a\0b", "/no/such/file"):
            with pytest.raises(ts.Error):
                load(path)
