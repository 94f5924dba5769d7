#!/usr/bin/env python3
"""Writes the files that the tests of ts.load() read: make_files.py FOLDER. Zips come from Python's own zipfile."""

import json
import struct
import sys
import zipfile
from pathlib import Path

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def half(values):
    return b"".join(struct.pack("<e", v) for v in values)


def brain(values):
    return b"".join(struct.pack("<f", v)[2:] for v in values)


# name: (safetensors type, shape, bytes)
TENSORS = {
    "f32": ("F32", [2, 3], struct.pack("<6f", 1.5, -2, 3, 4.25, 5, -6)),
    "f16": ("F16", [3], half([0.5, -1.25, 65504])),
    "bf16": ("BF16", [2], brain([1.5, -256])),
    "f64": ("F64", [2], struct.pack("<2d", 0.5, -3)),
    "i8": ("I8", [3], struct.pack("<3b", -128, 0, 127)),
    "u8": ("U8", [3], struct.pack("<3B", 0, 7, 255)),
    "i16": ("I16", [2], struct.pack("<2h", -32768, 32767)),
    "u16": ("U16", [2], struct.pack("<2H", 1, 65535)),
    "i32": ("I32", [2], struct.pack("<2i", -2147483648, 5)),
    "u32": ("U32", [2], struct.pack("<2I", 0, 4294967295)),
    "i64": ("I64", [2], struct.pack("<2q", -(2**62), 3)),
    "u64": ("U64", [2], struct.pack("<2Q", 2**63, 3)),
    "bool": ("BOOL", [4], bytes([1, 0, 0, 1])),
    "scalar": ("F32", [], struct.pack("<f", 7)),
    "none": ("F32", [0, 4], b""),
    "constructor": ("F32", [1], struct.pack("<f", 9)),
}


def safetensors(tensors, metadata=None):
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, (dtype, shape, raw) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def npy(descr, shape, raw, fortran=False, version=1):
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({''.join(f'{n}, ' for n in shape)}), }}"
    head = b"\x93NUMPY" + bytes([version, 0])
    size = "<H" if version == 1 else "<I"
    length = len(head) + struct.calcsize(size) + len(text) + 1
    text = (text + " " * (-length % 64) + "\n").encode()
    return head + struct.pack(size, len(text)) + text + raw


def npz(name, members, method):
    with zipfile.ZipFile(folder / name, "w", method) as archive:
        for member, raw in members.items():
            with archive.open(zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0)) if method == zipfile.ZIP_STORED else member,
                              "w", force_zip64=True) as out:  # as numpy.savez does
                out.write(raw)


(folder / "all.safetensors").write_bytes(safetensors(TENSORS, {"format": "pt"}))
big = struct.pack("<262144f", *(i % 1000 for i in range(262144)))
(folder / "big.safetensors").write_bytes(safetensors({"a": ("F32", [512, 512], big), "b": ("F32", [512], big[:2048])}))

descrs = {"F32": "<f4", "F16": "<f2", "F64": "<f8", "I8": "|i1", "U8": "|u1", "I16": "<i2", "U16": "<u2", "I32": "<i4",
          "U32": "<u4", "I64": "<i8", "U64": "<u8", "BOOL": "|b1"}
members = {f"{name}.npy": npy(descrs[dtype], shape, raw) for name, (dtype, shape, raw) in TENSORS.items() if dtype in descrs}
members["columns.npy"] = npy("<f4", [2, 3], struct.pack("<6f", 1, 4, 2, 5, 3, 6), fortran=True)
members["swapped.npy"] = npy(">i4", [3], struct.pack(">3i", 1, -2, 70000))
members["version2.npy"] = npy("<f4", [2], struct.pack("<2f", 8, 9), version=2)
members["big.npy"] = npy("<f4", [512, 512], big)
members["notes.txt"] = b"not a tensor"
npz("stored.npz", members, zipfile.ZIP_STORED)
npz("deflated.npz", members, zipfile.ZIP_DEFLATED)
npz("one.npz", {"x.npy": npy("<f4", [3], struct.pack("<3f", 1, 2, 3))}, zipfile.ZIP_DEFLATED)
npz("complex.npz", {"x.npy": npy("<c8", [1], bytes(8))}, zipfile.ZIP_STORED)
npz("short.npz", {"x.npy": npy("<f4", [5], bytes(8))}, zipfile.ZIP_STORED)
npz("text.npz", {"x.npy": b"this is not what its name says"}, zipfile.ZIP_STORED)
npz("empty.npz", {}, zipfile.ZIP_STORED)


class Pipe:  # what cannot seek: sizes come behind the data
    def __init__(self, path):
        self.file = open(path, "wb")

    def write(self, data):
        return self.file.write(data)

    def flush(self):
        self.file.flush()


# Sizes behind the data, of 32 and of 64 bits; the elements look like the record that holds them.
decoy = struct.pack("<LLLL", 0x08074B50, 1, 2, 3) * 5000
for name, method, large in [("piped", zipfile.ZIP_DEFLATED, False), ("piped_stored", zipfile.ZIP_STORED, False), ("piped_large", zipfile.ZIP_STORED, True)]:
    pipe = Pipe(folder / f"{name}.npz")
    with zipfile.ZipFile(pipe, "w", method) as archive:
        for member, data in [("x.npy", npy("<u4", [20000], decoy)), ("none.npy", npy("<f4", [0], b"")), ("y.npy", npy("<f4", [2], struct.pack("<2f", 5, 6)))]:
            with archive.open(member, "w", force_zip64=large) as out:
                out.write(data)
    pipe.file.close()
