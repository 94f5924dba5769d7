"""GGUF files: written here and read by the gguf package of PyPI, and the other way round."""

import io
import struct

import gguf
import numpy as np
import pytest
import tessera as ts
from gguf import GGMLQuantizationType, GGUFValueType


METADATA = {"general.architecture": "llama", "general.name": "t\u00e4st \U0001f600", "llama.block_count": 2, "llama.rope.freq_base": 1e4, "x.flag": True,
            "x.negative": -3, "x.large": 2**40, "x.huge": 2**63 + 1, "x.list": [1, -2, 3], "x.long": [2**40, 1], "x.floats": [1, 0.5], "x.texts": ["a", "", "\u00e4"],
            "x.flags": [True, False], "x.u8": np.uint8(7), "x.f64": np.float64(1e300), "x.scores": np.arange(3, dtype=np.float32),
            "x.bytes": np.arange(3, dtype=np.uint8)}
TYPES = {"general.architecture": "string", "llama.block_count": "u32", "llama.rope.freq_base": "f32", "x.flag": "bool", "x.negative": "i32", "x.large": "i64",
         "x.huge": "u64", "x.list": "i32[]", "x.long": "i64[]", "x.floats": "f32[]", "x.texts": "string[]", "x.flags": "bool[]", "x.u8": "u8",
         "x.f64": "f64", "x.scores": "f32[]", "x.bytes": "u8[]"}
DTYPES = {"float32": "F32", "float16": "F16", "float64": "F64", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64"}


def arrays():
    return {f"blk.0.{name}": np.arange(6).astype(name).reshape(2, 3) for name in DTYPES}


def blocks(kind, rows=2):
    size = gguf.GGML_QUANT_SIZES[kind][1]
    return (np.arange(rows * 2 * size) % 251).astype(np.uint8).reshape(rows, 2 * size)


def plain(value):
    return value.tolist() if hasattr(value, "tolist") else value


def test_theirs_reads_ours(tmp_path):
    path = tmp_path / "ours.gguf"
    kinds = [k for k in GGMLQuantizationType if k.name not in DTYPES.values() and k.name not in ("BF16", "Q8_1")]
    packed = {f"w.{k.name}": (k.name, (2, 2 * gguf.GGML_QUANT_SIZES[k][0]), blocks(k)) for k in kinds}
    tensors = {**{k: ts.array(v, device="cpu") for k, v in arrays().items()}, **packed, "scalar": ts.array(2.5), "b": ts.ones((3,), dtype="bfloat16")}
    ts.io.save_gguf(path, tensors, metadata=METADATA)
    reader = gguf.GGUFReader(path)
    assert {k: reader.get_field(k).contents() for k in METADATA} == {k: plain(v) for k, v in METADATA.items()}
    theirs = {t.name: t for t in reader.tensors}
    assert list(theirs) == list(tensors)
    for name, array in arrays().items():
        assert theirs[name].tensor_type.name == DTYPES[array.dtype.name]
        assert theirs[name].data.dtype == array.dtype and theirs[name].data.tolist() == array.tolist()
    for kind in kinds:
        assert theirs[f"w.{kind.name}"].tensor_type == kind
        assert theirs[f"w.{kind.name}"].data.tobytes() == blocks(kind).tobytes()
    assert theirs["scalar"].data.tolist() == 2.5 and theirs["b"].tensor_type == GGMLQuantizationType.BF16
    file = ts.io.open_gguf(path)
    assert {k: t for k, t in file.metadata_types.items() if k in TYPES} == TYPES
    assert file.metadata == {k: plain(v) for k, v in METADATA.items()}
    again = tmp_path / "again.gguf"  # what was read is written with the same bytes
    ts.io.save_gguf(again, {n: (file.type(n), file.shape(n), file.bytes(n)) for n in file.keys()}, metadata=file.metadata, types=file.metadata_types)
    assert again.read_bytes() == path.read_bytes()


def write_theirs(path, **options):
    writer = gguf.GGUFWriter(path, "llama", **options)
    writer.add_uint32("llama.block_count", 2)
    writer.add_float64("x.f64", 0.1)
    writer.add_array("tokenizer.ggml.tokens", ["a", "\u00e4", "<0x0A>"])
    writer.add_key_value("tokenizer.ggml.scores", [0.0, -1.0, -2.0], GGUFValueType.ARRAY, sub_type=GGUFValueType.FLOAT32)
    for name, array in arrays().items():
        writer.add_tensor(name, array)
    x = np.random.default_rng(1).standard_normal((4, 256), dtype=np.float32)
    for kind in (GGMLQuantizationType.Q4_0, GGMLQuantizationType.Q8_0, GGMLQuantizationType.BF16):
        writer.add_tensor(f"w.{kind.name}", gguf.quants.quantize(x, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def check_theirs(file):
    assert file.version == 3 and file.metadata["x.f64"] == 0.1 and file.metadata["tokenizer.ggml.tokens"] == ["a", "\u00e4", "<0x0A>"]
    for name, array in arrays().items():
        x = file.tensor(name, device="cpu")
        assert str(x.dtype).endswith(array.dtype.name) and x.tolist() == array.tolist()
    x = np.random.default_rng(1).standard_normal((4, 256), dtype=np.float32)
    for kind in (GGMLQuantizationType.Q4_0, GGMLQuantizationType.Q8_0):
        expected = gguf.quants.dequantize(gguf.quants.quantize(x, kind), kind)
        assert np.array_equal(ts.dequantize(file.tensor(f"w.{kind.name}")).numpy(), expected)
        assert file.shape(f"w.{kind.name}") == (4, 256) and file.type(f"w.{kind.name}") == kind.name
    rounded = gguf.quants.dequantize(gguf.quants.quantize(x, GGMLQuantizationType.BF16), GGMLQuantizationType.BF16)
    assert np.array_equal(file.tensor("w.BF16").numpy(), rounded)


def test_ours_reads_theirs(tmp_path):
    path = tmp_path / "theirs.gguf"
    write_theirs(path)
    file = ts.io.open_gguf(path)
    check_theirs(file)
    check_theirs(ts.io.open_gguf(io.BytesIO(path.read_bytes())))
    seen = []
    loaded = ts.io.load_gguf(path, device="cpu", progress=lambda *args: seen.append(args))
    assert list(loaded) == file.keys() and seen[-1][0] == seen[-1][1] == sum(file.nbytes(n) for n in file.keys()) and seen[0][2] == file.keys()[0]
    assert ts.load(path)["blk.0.int8"].tolist() == arrays()["blk.0.int8"].tolist()
    ours = tmp_path / "ours.gguf"
    ts.io.save_gguf(ours, {n: (file.type(n), file.shape(n), file.bytes(n)) for n in file.keys()}, metadata=file.metadata, types=file.metadata_types)
    assert ours.read_bytes() == path.read_bytes()
    with pytest.raises(ts.ArgumentError, match="no tensor 'other'"):
        file.tensor("other")


def test_split_files_of_theirs(tmp_path):
    write_theirs(tmp_path / "m.gguf", split_max_tensors=4)
    files = sorted(tmp_path.iterdir())
    assert [f.name for f in files] == ["m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf"]
    file = ts.io.open_gguf(files[0])
    assert file.files == [str(f) for f in files]
    check_theirs(file)
    with pytest.raises(ts.ArgumentError, match="the first one, 'm-00001-of-00003.gguf'"):
        ts.io.open_gguf(files[1])
    files[1].unlink()
    with pytest.raises(ts.FileError, match="1 are missing: 'm-00002-of-00003.gguf'"):
        ts.io.open_gguf(files[0])


def test_what_is_refused(tmp_path):
    path = tmp_path / "x.gguf"
    one = {"w": ts.ones(1)}
    for metadata, types, text in [({"a": []}, None, "type of an empty list"), ({"a": None}, None, "a bool, a number"), ({"a": [1, "x"]}, None, "a bool, a number"),
                                  ({"a": 300}, {"a": "u8"}, "an integer of type u8"), ({"a": -1}, {"a": "u64"}, "an integer of type u64"),
                                  ({"a": "x"}, {"a": "i32"}, "an integer of type i32"), ({"a": 1}, {"a": "f16"}, "was given the type 'f16'"),
                                  ({"a": 2**64}, None, "a bool, a number"), ({"a": 1}, {"a": "string"}, "a str is expected"),
                                  ({"a": "x"}, {"a": "f32"}, "a number is expected"), ({"a": "\ud800"}, None, "not valid UTF-8"), ({1: 2}, None, "values by name"),
                                  ({"general.alignment": 24}, None, "a power of two")]:
        with pytest.raises(ts.Error, match=text):
            ts.io.save_gguf(path, one, metadata=metadata, types=types)
    for tensors, text in [({"w": ts.ones(1, dtype="uint8")}, "dtype u8"), ({"w": ("Q9", (1, 32), b"")}, "type 'Q9'"), ({"w": ("Q4_0", (1, 32), bytes(17))}, "17 bytes"),
                          ({"w": ("Q4_0", (1, 31), bytes(18))}, "whole blocks"), ({"w": (1, 2)}, r"\(type, shape, blocks\)"), ({"": ts.ones(1)}, "0 bytes")]:
        with pytest.raises(ts.Error, match=text):
            ts.io.save_gguf(path, tensors)
    assert not list(tmp_path.iterdir())
    ts.io.save_gguf(path, one, metadata={"a": []}, types={"a": "string[]"})
    assert ts.io.open_gguf(path).metadata == {"a": []}
    ts.io.save_gguf(path, {"w": ("IQ2_S", (1, 256), bytes(82))})
    with pytest.raises(ts.Error, match="IQ2_S, which is a block format that Tessera does not have"):
        ts.io.open_gguf(path).tensor("w")
    for data in (b"", b"GGUF", b"GGUF" + struct.pack("<I", 1) + bytes(16), b"GGUF" + struct.pack(">I", 3) + bytes(16), b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0)):
        with pytest.raises(ts.ParseError):
            ts.io.open_gguf(io.BytesIO(data))
    with pytest.raises(ts.FileError):
        ts.io.open_gguf(tmp_path / "no.gguf")


def test_an_error_of_the_progress_ends_loading(tmp_path):
    class Enough(Exception):
        pass

    def stop(loaded, total, name):
        raise Enough(name)

    ts.save(tmp_path / "m.safetensors", {"a": ts.ones(3), "b": ts.ones(5)})
    ts.save(tmp_path / "m.gguf", {"a": ts.ones(3), "b": ts.ones(5)})
    for load, file in ((ts.io.load_safetensors, "m.safetensors"), (ts.io.load_gguf, "m.gguf")):
        with pytest.raises(Enough, match="a"):
            load(tmp_path / file, progress=stop)
        seen = []
        load(tmp_path / file, progress=lambda *args: seen.append(args))
        assert seen == [(12, 32, "a"), (32, 32, "b")]
