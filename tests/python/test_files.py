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


def entry(kind="F32", shape=(1,), offsets=(0, 4)):
    return {"dtype": kind, "shape": list(shape), "data_offsets": list(offsets)}


# Of each kind of message one; tests/io has every field with every wrong value.
HEADERS = [
    ("overlapping tensors", {"a": entry(), "b": entry()}, 4, "overlaps the one before it"),
    ("bytes of nobody", {"a": entry()}, 8, "4 bytes together and 8 bytes of data"),
    ("a name twice", b'{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "a": 1}', 4, "'a' twice"),
    ("offsets the wrong way round", {"a": entry(offsets=(4, 0))}, 4, "at the bytes 4 to 0"),
    ("a dtype that nobody has", {"a": entry("F8")}, 4, "of dtype 'F8'; one of U64"),
    ("nine axes", {"a": entry(shape=(1,) * 9)}, 4, "more than 8 axes"),
    ("deep lists", b'{"a": ' + b"[" * 100000 + b"]" * 100000 + b"}", 0, "an object with dtype, shape and data_offsets"),
    ("bytes that are no text", b'{"\xff": 1}', 0, "not valid JSON"),
    ("half a surrogate in a name", b'{"\\ud800": 1}', 0, "not valid JSON"),
    ("no header", b"", 0, "not a JSON object"),
    ("a bool that is none", {"a": entry("BOOL", offsets=(0, 1))}, b"\2", "the byte 2 at element 0"),
]


@pytest.mark.parametrize("what,header,size,text", HEADERS, ids=[h[0] for h in HEADERS])
def test_headers_of_safetensors(what, header, size, text):
    result = outcome(ts.io.load_safetensors, with_header(header, bytes(size) if isinstance(size, int) else size))
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
        assert "has a header of" in outcome(ts.io.load_safetensors, struct.pack("<Q", size) + text)


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
    with pytest.raises(ts.Error, match="uses for metadata"):
        ts.io.save_safetensors(io.BytesIO(), {"__metadata__": ts.ones(1)})
    for load in (ts.io.load_npz, ts.io.load_npy, ts.io.load_safetensors):
        for path in (None, 3.5, tmp_path, "a\0b", "/no/such/file"):
            with pytest.raises(ts.Error):
                load(path)


EVERY = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16", "float32", "float64", "complex64"]


def test_safetensors_by_path_and_object(tmp_path):
    """Every dtype, rank 0 and no elements: by path, by path object, by bytes of a path, and by file object."""
    tensors = {name: ts.array([[0, 1, 1]], dtype=name, device="cpu") for name in EVERY}
    tensors |= {"scalar": ts.array(1.5), "none": ts.zeros((0, 3)), "layers.2": ts.ones(1), "layers.10": ts.ones(1)}
    path = tmp_path / "model.safetensors"
    ts.io.save_safetensors(path, tensors, metadata={"format": "pt", "ü": "\u20ac"})
    stream = io.BytesIO()
    ts.io.save_safetensors(stream, tensors, metadata={"format": "pt", "ü": "\u20ac"})
    assert stream.getvalue() == path.read_bytes()
    for source in (path, str(path), str(path).encode(), open(path, "rb"), io.BytesIO(stream.getvalue())):
        loaded = ts.io.load_safetensors(source, device="cpu")
        assert {k: (v.dtype, v.shape, v.tolist()) for k, v in loaded.items()} == {k: (v.dtype, v.shape, v.tolist()) for k, v in tensors.items()}
        names = list(loaded)
        assert names.index("layers.2") < names.index("layers.10")
    file = ts.io.open_safetensors(path)
    assert sorted(file.keys()) == sorted(tensors) and len(file) == len(tensors) and "scalar" in file and "other" not in file
    assert file.metadata == {"format": "pt", "ü": "\u20ac"} and file.shape("int8") == (1, 3) and file.dtype("bfloat16") == ts.bfloat16
    kept = file.tensor("int64", device="cpu")
    ts.io.save_safetensors(path, {"other": kept})  # the file is replaced, and what was mapped stays
    assert kept.tolist() == [[0, 1, 1]] == ts.load(path)["other"].tolist()
    with pytest.raises(ts.ArgumentError, match="no tensor 'other'; it has 18 tensors"):
        file.tensor("other")
    assert [p.name for p in tmp_path.iterdir()] == ["model.safetensors"]


def test_bytes_in_memory_are_used_in_place():
    data = safetensors()
    at = np.frombuffer(data, dtype=np.uint8).ctypes.data
    x = np.asarray(ts.io.load_safetensors(io.BytesIO(data), device="cpu")["w"])
    if x.ctypes.data % 64 == 0:  # aligned by chance
        assert at <= x.ctypes.data < at + len(data)
    del data
    assert x.tolist() == ARRAYS["w"].tolist()


def test_shards(tmp_path):
    ts.save(tmp_path / "a.safetensors", {"x": ts.ones(2), "y": ts.zeros(1)})
    ts.save(tmp_path / "b.safetensors", {"z": ts.array([3.0])})
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"x": "a.safetensors", "y": "a.safetensors", "z": "b.safetensors"}}))
    assert {k: v.tolist() for k, v in ts.load(index).items()} == {"x": [1.0, 1.0], "y": [0.0], "z": [3.0]}
    for text, message in [('{"weight_map": {"x": "b.safetensors"}}', "which does not have it"), ('{"weight_map": {"x": "../a"}}', "a file beside the index"),
                          ("{}", "no weight_map"), ("[", "not a JSON object")]:
        index.write_text(text)
        with pytest.raises(ts.ParseError, match=message):
            ts.load(index)
    index.write_text('{"weight_map": {"x": "c.safetensors"}}')
    with pytest.raises(ts.FileError):
        ts.load(index)


def test_what_cannot_be_written(tmp_path):
    class Full:
        def write(self, data):
            raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        ts.io.save_safetensors(Full(), {"a": ts.ones(1)})
    for path in ("a\0b.safetensors", tmp_path / "no" / "folder.safetensors", tmp_path):
        with pytest.raises(ts.FileError):
            ts.io.save_safetensors(path, {"a": ts.ones(1)})
    for tensors, metadata in [({"\ud800": ts.ones(1)}, None), ({}, {"a": "\ud800"}), ({}, {"a": 1})]:
        with pytest.raises(ts.Error):
            ts.io.save_safetensors(io.BytesIO(), tensors, metadata=metadata)
    assert list(tmp_path.iterdir()) == []
