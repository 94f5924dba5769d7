#!/usr/bin/env python3
"""Writes the corpus of the fuzz targets: small files of every format, valid and not. fuzz_test.cpp replays it."""

import json
import struct
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"


def write(target, name, data):
    (FOLDER / target).mkdir(parents=True, exist_ok=True)
    (FOLDER / target / name).write_bytes(data)


def text(value):
    return struct.pack("<Q", len(value)) + value


def key(name, kind, value):
    return text(name) + struct.pack("<I", kind) + value


def array(kind, count, data):
    return struct.pack("<IQ", kind, count) + data


def tensor(name, sizes, kind, offset):
    return text(name) + struct.pack("<I", len(sizes)) + b"".join(struct.pack("<Q", n) for n in sizes) + struct.pack("<IQ", kind, offset)


def gguf(keys=(), tensors=(), data=b"", version=3, alignment=32):
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys)) + b"".join(keys) + b"".join(tensors)
    return out + bytes(-len(out) % alignment) + data if tensors else out


def safetensors(header, data=b""):
    body = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(body)) + body + data


scalars = [key(b"k%d" % kind, kind, value) for kind, value in enumerate(
    [b"\1", b"\2", b"\3\0", b"\4\0", b"\5\0\0\0", b"\6\0\0\0", struct.pack("<f", 1.5), b"\1", text("\u00e4".encode()), None, bytes(8), bytes(8),
     struct.pack("<d", 1e300)]) if value]
arrays = [key(b"a%d" % kind, 9, array(kind, 2, value)) for kind, value in enumerate(
    [bytes(2), bytes(2), bytes(4), bytes(4), bytes(8), bytes(8), bytes(8), b"\0\1", text(b"x") + text(b""), None, bytes(16), bytes(16), bytes(16)]) if value]
write("gguf", "empty", gguf())
write("gguf", "version2", gguf(version=2))
write("gguf", "scalars", gguf(scalars))
write("gguf", "arrays", gguf(arrays))
write("gguf", "nested", gguf([key(b"n", 9, array(9, 1, array(0, 1, b"\0")))]))
write("gguf", "alignment", gguf([key(b"general.alignment", 4, struct.pack("<I", 64))], [tensor(b"t", (2, 3), 0, 0)], bytes(24), alignment=64))
write("gguf", "tensors", gguf((), [tensor(b"f", (4,), 0, 0), tensor(b"q", (32, 2), 2, 32), tensor(b"k", (256,), 12, 96), tensor(b"s", (), 24, 256)], bytes(257)))
write("gguf", "overlap", gguf((), [tensor(b"a", (8,), 0, 0), tensor(b"b", (8,), 0, 0)], bytes(64)))
write("gguf", "huge", gguf((), [tensor(b"a", (1 << 62, 1 << 62), 0, 0)], bytes(32)))
write("gguf", "counts", b"GGUF" + struct.pack("<IQQ", 3, 2**64 - 1, 2**64 - 1))
write("gguf", "empty_past_end", gguf([key(b"general.alignment", 4, struct.pack("<I", 64))], [tensor(b"t", (2, 0), 0, 0)], alignment=1))
write("gguf", "big_endian", b"GGUF" + struct.pack(">IQQ", 3, 0, 0))


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


write("safetensors", "empty", safetensors({}))
write("safetensors", "two", safetensors({"__metadata__": {"format": "pt"}, "a": entry(), "b": entry("BF16", (2, 2), (8, 16))}, bytes(16)))
write("safetensors", "scalar", safetensors({"a": entry("I64", (), (0, 8))}, bytes(8)))
write("safetensors", "overlap", safetensors({"a": entry(), "b": entry()}, bytes(8)))
write("safetensors", "huge", safetensors({"a": entry("F32", (1 << 62, 1 << 62), (0, 8))}, bytes(8)))
write("safetensors", "no_object", safetensors(b"[]"))
write("safetensors", "length", struct.pack("<Q", 2**63))

write("json", "empty", b"{}")
write("json", "values", json.dumps({"i": 1, "n": -2, "f": 1.5e10, "t": True, "z": None, "s": "\u00e4\U0001f600\n", "l": [1, [2, {"a": []}]], "o": {"x": {}}}).encode())
write("json", "large", b'{"a": 18446744073709551616, "b": -9223372036854775809, "c": 1e999, "d": -0.0, "e": 5e-324}')
write("json", "twice", b'{"a": 1, "a": 2}')
write("json", "surrogate", b'{"\\ud800": 1}')
write("json", "deep", b'{"a":' + b"[" * 80 + b"]" * 80 + b"}")
write("json", "zero", b'{"a": "\0"}')


def idx(code, sizes, data):
    return bytes([0, 0, code, len(sizes)]) + b"".join(struct.pack(">I", n) for n in sizes) + data


write("idx", "u8", idx(8, (2, 3), bytes(6)))
write("idx", "f64", idx(14, (), bytes(8)))
write("idx", "none", idx(13, (0, 5), b""))
write("idx", "rank", idx(8, (1,) * 8, b"\1"))
write("idx", "huge", idx(12, (2**32 - 1,) * 4, b"\1"))
write("idx", "gzip", b"\x1f\x8b\x08\x00")
