"""Tensors in files: safetensors and NumPy's npz and npy, by path or file object."""

from __future__ import annotations

import json
import os
import struct
from typing import IO, Any, Mapping, Union

from tessera import _core
from tessera._core import Tensor
from tessera._errors import ArgumentError, ArgumentTypeError, FileError, ParseError
from tessera._types import DeviceLike

Source = Union[str, "os.PathLike[str]", IO[bytes]]

_NAMES = {"BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16", "U16": "uint16", "I32": "int32", "U32": "uint32",
          "I64": "int64", "U64": "uint64", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64",
          "C64": "complex64"}
_CODES = {v: k for k, v in _NAMES.items()}


def _read(source: Source, what: str) -> bytes:
    if hasattr(source, "read"):
        data = source.read()
        if not isinstance(data, (bytes, bytearray)):
            raise ArgumentTypeError(f"{what}: the file object gives text; open it in binary mode.")
        return bytes(data)
    try:
        with open(os.fspath(source), "rb") as file:
            return file.read()
    except OSError as error:
        raise FileError(f"{what}: '{source}' could not be read: {error.strerror}.") from error


def _write(target: Source, data: bytes, what: str) -> None:
    if hasattr(target, "write"):
        target.write(data)
        return
    try:
        with open(os.fspath(target), "wb") as file:
            file.write(data)
    except OSError as error:
        raise FileError(f"{what}: '{target}' could not be written: {error.strerror}.") from error


def _name(source: Source) -> str:
    return getattr(source, "name", "a file object") if hasattr(source, "read") or hasattr(source, "write") else str(source)


def load_safetensors(source: Source, *, device: DeviceLike = None) -> dict[str, Tensor]:
    """The tensors of a safetensors file by name.

    >>> import io, tessera as ts
    >>> file = io.BytesIO()
    >>> ts.io.save_safetensors(file, {"w": ts.ones((2, 2))})
    >>> _ = file.seek(0)
    >>> ts.io.load_safetensors(file)["w"].shape
    (2, 2)
    """
    data = _read(source, "load_safetensors")
    where = _name(source)
    if len(data) < 8:
        raise ParseError(f"load_safetensors: '{where}' has {len(data)} bytes; at least 8 are expected.")
    size = struct.unpack("<Q", data[:8])[0]
    if size > len(data) - 8:
        raise ParseError(f"load_safetensors: '{where}' claims a header of {size} bytes and has {len(data) - 8} left.")
    try:
        header = json.loads(data[8:8 + size])
    except ValueError as error:
        raise ParseError(f"load_safetensors: the header of '{where}' is no JSON: {error}.") from error
    body = memoryview(data)[8 + size:]
    out = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        try:
            kind, shape, (start, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
        except (TypeError, KeyError, ValueError) as error:
            raise ParseError(f"load_safetensors: the entry '{name}' of '{where}' lacks dtype, shape or data_offsets.") from error
        if kind not in _NAMES:
            raise ParseError(f"load_safetensors: '{name}' has the type {kind}; one of {', '.join(_NAMES)} is expected.")
        if not 0 <= start <= end <= len(body):
            raise ParseError(f"load_safetensors: '{name}' lies at {start} to {end}; '{where}' has {len(body)} bytes of data.")
        count = 1
        for n in shape:
            count *= n
        if count * _core._dtype(_NAMES[kind]).itemsize != end - start:
            raise ParseError(f"load_safetensors: '{name}' has shape {shape} of {kind} and {end - start} bytes.")
        out[name] = _core._from_bytes(body[start:end], _NAMES[kind], shape, device)
    return out


def save_safetensors(target: Source, tensors: Mapping[str, Any], *, metadata: Mapping[str, str] | None = None) -> None:
    """Writes tensors by name as a safetensors file."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    parts, at = [], 0
    for name, tensor in tensors.items():
        if not isinstance(name, str):
            raise ArgumentTypeError(f"save_safetensors: the name {name!r} is no text.")
        tensor = tensor if isinstance(tensor, Tensor) else _core._array(tensor, None, None)
        if tensor.dtype.name not in _CODES:
            raise ArgumentError(f"save_safetensors: '{name}' has type {tensor.dtype.name}, which the format lacks; complex64 is in it.")
        data = _core._to_bytes(tensor)
        header[name] = {"dtype": _CODES[tensor.dtype.name], "shape": list(tensor.shape), "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    _write(target, struct.pack("<Q", len(text)) + text + b"".join(parts), "save_safetensors")


def load_npz(source: Source, *, device: DeviceLike = None) -> dict[str, Tensor]:
    """The arrays of an npz file by name.

    >>> import io, tessera as ts
    >>> file = io.BytesIO()
    >>> ts.io.save_npz(file, {"a": ts.arange(3)})
    >>> _ = file.seek(0)
    >>> ts.io.load_npz(file)["a"].tolist()
    [0, 1, 2]
    """
    import io as streams
    import zipfile

    import numpy

    try:
        with numpy.load(streams.BytesIO(_read(source, "load_npz")), allow_pickle=False) as arrays:
            return {name: _core._array(arrays[name], None, device) for name in arrays.files}
    except (ValueError, zipfile.BadZipFile, AttributeError, EOFError) as error:
        raise ParseError(f"load_npz: '{_name(source)}' is no npz file: {error}.") from error


def save_npz(target: Source, tensors: Mapping[str, Any]) -> None:
    """Writes tensors by name as NumPy's npz. bfloat16 becomes float32."""
    import io as streams

    import numpy

    file = streams.BytesIO()
    arrays: dict[str, Any] = {name: t.numpy() if isinstance(t, Tensor) else numpy.asarray(t) for name, t in tensors.items()}
    numpy.savez(file, **arrays)
    _write(target, file.getvalue(), "save_npz")


def load_npy(source: Source, *, device: DeviceLike = None) -> Tensor:
    """The array of an npy file."""
    import io as streams

    import numpy

    try:
        return _core._array(numpy.load(streams.BytesIO(_read(source, "load_npy")), allow_pickle=False), None, device)
    except (ValueError, EOFError) as error:
        raise ParseError(f"load_npy: '{_name(source)}' is no npy file: {error}.") from error


def save_npy(target: Source, tensor: Any) -> None:
    """Writes a tensor as NumPy's npy. bfloat16 becomes float32."""
    import io as streams

    import numpy

    file = streams.BytesIO()
    numpy.save(file, tensor.numpy() if isinstance(tensor, Tensor) else numpy.asarray(tensor))
    _write(target, file.getvalue(), "save_npy")


def _suffix(path: Any, what: str) -> str:
    suffix = os.path.splitext(os.fspath(path))[1] if isinstance(path, (str, os.PathLike)) else ""
    if suffix not in (".safetensors", ".npz", ".npy"):
        raise ArgumentError(f"{what}: the ending of {path!r} says no format; .safetensors, .npz or .npy is expected, or use the "
                            "functions of tessera.io with a file object.")
    return suffix


def load(path: str | os.PathLike[str], *, device: DeviceLike = None) -> Any:
    """What a file holds, by its ending: a dict of tensors for .safetensors and .npz, a tensor for .npy."""
    return {".safetensors": load_safetensors, ".npz": load_npz, ".npy": load_npy}[_suffix(path, "load")](path, device=device)


def save(path: str | os.PathLike[str], tensors: Any) -> None:
    """Writes a dict of tensors to .safetensors or .npz, or a tensor to .npy."""
    suffix = _suffix(path, "save")
    if suffix == ".npy":
        save_npy(path, tensors)
    else:
        (save_safetensors if suffix == ".safetensors" else save_npz)(path, tensors)
