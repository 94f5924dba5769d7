"""Tensors in files: safetensors, GGUF, and NumPy's npz and npy, by path or file object.

Files are validated before memory is allocated; errors name the file and the entry.
"""

from __future__ import annotations

import math
import os
import re
import struct
from typing import IO, Any, Callable, Iterable, Mapping, Union

from tessera import _core
from tessera._core import GgufFile, SafetensorsFile, Tensor
from tessera._errors import ArgumentError, ArgumentTypeError, Error, FileError, ParseError
from tessera._types import DeviceLike

Source = Union[str, "os.PathLike[str]", IO[bytes]]
Progress = Callable[[int, int, str], Any]

_LONGEST_NPY_HEADER = 1 << 16
_MOST_AXES = 8
_INFLATES_TO = 1032  # bytes that one of deflate can become


def _path(source: Any, what: str) -> str | bytes:
    try:
        return os.fspath(source)
    except TypeError:
        raise ArgumentTypeError(f"{what}: {source!r} of type {type(source).__name__} was given; a path or a file object is expected.") from None


def _read(source: Source, what: str) -> bytes:
    if hasattr(source, "read"):
        data = source.read()
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise ArgumentTypeError(f"{what}: the file object gives text; open it in binary mode.")
        return bytes(data)
    try:
        with open(_path(source, what), "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:  # a path may hold what no path can
        if isinstance(error, Error):
            raise
        raise FileError(f"{what}: '{source}' could not be read: {getattr(error, 'strerror', None) or error}.") from error


def _write(target: Source, parts: Iterable[bytes], what: str) -> None:
    if hasattr(target, "write"):
        for part in parts:
            target.write(part)
        return
    try:
        with open(_path(target, what), "wb") as file:
            for part in parts:
                file.write(part)
    except (OSError, ValueError) as error:
        if isinstance(error, Error):
            raise
        raise FileError(f"{what}: '{target}' could not be written: {getattr(error, 'strerror', None) or error}.") from error


def _name(source: Source) -> str:
    return str(getattr(source, "name", "a file object")) if hasattr(source, "read") or hasattr(source, "write") else str(source)


def _short(value: Any) -> str:
    try:
        text = ascii(value[:100] if isinstance(value, str) else value)
    except RecursionError:
        text = f"a {type(value).__name__} that is nested deep"
    return text if len(text) <= 80 else text[:77] + "..."


def _named(tensors: Any, what: str) -> list[tuple[str, Any]]:
    if not hasattr(tensors, "items"):
        raise ArgumentTypeError(f"{what}: {_short(tensors)} of type {type(tensors).__name__} was given; a dict of tensors by name is expected.")
    entries = list(tensors.items())
    for name, _ in entries:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"{what}: the name {_short(name)} is no text.")
    return entries


def _sizes_fit(shape: list[int]) -> bool:
    """Whether the strides of such a tensor have 64 bits, also where a size is 0."""
    return len(shape) <= _MOST_AXES and math.prod(n for n in shape if n) < 2**63


# ---- safetensors ----

def open_safetensors(source: Source) -> SafetensorsFile:
    """A safetensors file whose header is read and checked; tensors are read when they are asked for.

    >>> import io, tessera as ts
    >>> stream = io.BytesIO()
    >>> ts.io.save_safetensors(stream, {"w": ts.ones((2, 2))}, metadata={"format": "pt"})
    >>> _ = stream.seek(0)
    >>> file = ts.io.open_safetensors(stream)
    >>> file.keys(), file.shape("w"), file.metadata
    (['w'], (2, 2), {'format': 'pt'})
    >>> file.tensor("w").tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    path = None if hasattr(source, "read") else _path(source, "load_safetensors")
    if path is not None and os.path.isfile(path):
        return SafetensorsFile(os.fsencode(path))
    return SafetensorsFile._from_bytes(_read(source, "load_safetensors"), _name(source))


def load_safetensors(source: Source, *, device: DeviceLike = None, progress: Progress | None = None) -> dict[str, Tensor]:
    """The tensors of a safetensors file by name, or of all files of an index (model.safetensors.index.json).

    progress(loaded, total, name) is called after each tensor, with bytes; what it raises ends loading.

    A path is mapped into memory, and the CPU backend uses its bytes in place: do not change the file while its tensors
    are used. save_safetensors replaces files and does not change them.

    >>> import io, tessera as ts
    >>> file = io.BytesIO()
    >>> ts.io.save_safetensors(file, {"w": ts.ones((2, 2))})
    >>> _ = file.seek(0)
    >>> ts.io.load_safetensors(file)["w"].shape
    (2, 2)
    """
    if not hasattr(source, "read"):
        path = os.fsencode(_path(source, "load_safetensors"))
        if path.endswith(b".json"):
            return _core._load_safetensors(path, device, progress)
    return open_safetensors(source)._tensors(device, progress)


def save_safetensors(target: Source, tensors: Mapping[str, Any], *, metadata: Mapping[str, str] | None = None) -> None:
    """Writes tensors by name as a safetensors file. A file is replaced atomically."""
    about = dict(metadata or {})
    if not all(isinstance(text, str) for pair in about.items() for text in pair):
        raise ArgumentTypeError(f"save_safetensors: the metadata is {_short(metadata)}; texts by name are expected.")
    named = [(name, tensor if isinstance(tensor, Tensor) else _core._array(tensor, None, None))
             for name, tensor in _named(tensors, "save_safetensors")]
    _core._save_safetensors(target.write if hasattr(target, "write") else os.fsencode(_path(target, "save_safetensors")), named, about)


# ---- GGUF ----

def open_gguf(source: Source) -> GgufFile:
    """A GGUF file whose metadata and list of tensors are read and checked; tensors are read when they are asked for.

    The first file of a split model (-00001-of-00003.gguf) opens all of them.

    >>> import os, tempfile, tessera as ts
    >>> path = os.path.join(tempfile.mkdtemp(), "model.gguf")
    >>> ts.io.save_gguf(path, {"w": ts.ones((2, 2))}, metadata={"general.architecture": "llama", "llama.block_count": 1})
    >>> file = ts.io.open_gguf(path)
    >>> file.keys(), file.shape("w"), file.type("w"), file.metadata
    (['w'], (2, 2), 'F32', {'general.architecture': 'llama', 'llama.block_count': 1})
    >>> file.tensor("w").tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    path = None if hasattr(source, "read") else _path(source, "open_gguf")
    if path is not None and os.path.isfile(path):
        return GgufFile(os.fsencode(path))
    return GgufFile._from_bytes(_read(source, "open_gguf"), _name(source))


def load_gguf(source: Source, *, device: DeviceLike = None, progress: Progress | None = None) -> dict[str, Any]:
    """The tensors of a GGUF file by name: those in a block format have a block dtype.

    progress(loaded, total, name) is called after each tensor, with bytes; what it raises ends loading.
    """
    file = open_gguf(source)
    names = file.keys()
    sizes = {name: file.nbytes(name) for name in names}
    total, loaded, out = sum(sizes.values()), 0, {}
    for name in names:
        out[name] = file.tensor(name, device=device)
        loaded += sizes[name]
        if progress is not None:
            progress(loaded, total, name)
    return out


_GGUF_NUMPY = {"uint8": "u8", "int8": "i8", "uint16": "u16", "int16": "i16", "uint32": "u32", "int32": "i32", "float32": "f32", "bool": "bool",
               "uint64": "u64", "int64": "i64", "float64": "f64"}


def _gguf_integers(values: Any, kinds: dict[str, tuple[int, int]]) -> str | None:
    return next((kind for kind, (least, most) in kinds.items() if all(least <= v < most for v in values)), None)


def _gguf_type(key: str, value: Any) -> str:
    """The type of a metadata value: of NumPy's by its dtype, of Python's as GGUF files commonly have them."""
    name = getattr(getattr(value, "dtype", None), "name", None)
    if name in _GGUF_NUMPY and getattr(value, "ndim", None) in (0, 1):
        return _GGUF_NUMPY[name] + "[]" * value.ndim
    found = None
    if isinstance(value, bool):
        found = "bool"
    elif isinstance(value, str):
        found = "string"
    elif isinstance(value, int):
        found = _gguf_integers([value], {"u32": (0, 2**32), "i32": (-2**31, 2**31), "i64": (-2**63, 2**63), "u64": (0, 2**64)})
    elif isinstance(value, float):
        found = "f32"
    elif isinstance(value, (list, tuple)) and value:
        kinds = {bool if isinstance(v, bool) else next((k for k in (str, int, float) if isinstance(v, k)), object) for v in value}
        if kinds == {int}:
            found = _gguf_integers(value, {"i32": (-2**31, 2**31), "i64": (-2**63, 2**63), "u64": (0, 2**64)})
        else:
            found = "bool" if kinds == {bool} else "string" if kinds == {str} else "f32" if kinds <= {int, float} else None
        found = found and found + "[]"
    if found is None:
        raise ArgumentTypeError(f"save_gguf: the metadata {_short(key)} is {_short(value)}; a bool, a number, a str, or a list of one of them is "
                                "expected. Give the type of an empty list in `types`.")
    return found


def save_gguf(target: str | os.PathLike[str], tensors: Mapping[str, Any], *, metadata: Mapping[str, Any] | None = None,
              types: Mapping[str, str] | None = None) -> None:
    """Writes tensors by name and metadata as a GGUF file, which is replaced atomically.

    A tensor of a block format is a tuple (type, shape, blocks): ("Q4_0", (n, k), the bytes). `types` has the type of
    metadata ("u64", "string[]") where it is not the default: u32 for an int, i32 in a list, f32 for a float, the dtype
    for what NumPy has. GgufFile.metadata_types is such a dict.
    """
    about = dict(metadata or {})
    given = dict(types or {})
    if not all(isinstance(key, str) for key in about):
        raise ArgumentTypeError(f"save_gguf: the metadata is {_short(metadata)}; values by name are expected.")
    rows = [(key, given.get(key) or _gguf_type(key, value), value) for key, value in about.items()]
    named = [(name, value if isinstance(value, (Tensor, tuple)) else _core._array(value, None, None)) for name, value in _named(tensors, "save_gguf")]
    for name, value in named:
        if isinstance(value, tuple) and (len(value) != 3 or not isinstance(value[0], str)):
            raise ArgumentTypeError(f"save_gguf: {_short(name)} is {_short(value)}; a tensor or (type, shape, blocks) is expected.")
    _core._save_gguf(os.fsencode(_path(target, "save_gguf")), rows, named)


# ---- npy and npz ----

_DESCR = re.compile(r"""['"]descr['"]\s*:\s*['"]([^'"]*)['"]""")
_ORDER = re.compile(r"""['"]fortran_order['"]\s*:\s*(True|False)\b""")
_SHAPE = re.compile(r"""['"]shape['"]\s*:\s*\(([\d,\sL]*)\)""")
_ELEMENTS = re.compile(r"([<>|=])(b1|[iu][1248]|f[248]|c8|c16)")


def _npy_header(head: bytes, fault: Any) -> tuple[str, bool, list[int], int]:
    """(type, reversed, shape, size of the header) of the first bytes of an npy file."""
    if len(head) < 10 or head[:6] != b"\x93NUMPY":
        raise fault("is no npy file: it does not begin with its signature")
    if not 1 <= head[6] <= 3:
        raise fault(f"has version {head[6]} of the npy format; 1, 2 or 3 is expected")
    wide = head[6] > 1
    if len(head) < 12:
        raise fault("ends before its header does")
    size = struct.unpack_from("<I" if wide else "<H", head, 8)[0] + (12 if wide else 10)
    if size > _LONGEST_NPY_HEADER:
        raise fault(f"claims a header of {size} bytes; at most {_LONGEST_NPY_HEADER} are expected")
    if size > len(head):
        raise fault("ends before its header does")
    text = head[12 if wide else 10:size].decode("utf-8" if head[6] == 3 else "latin-1", "replace").strip()
    descr, order, shape = _DESCR.search(text), _ORDER.search(text), _SHAPE.search(text)
    if not (text.startswith("{") and text.endswith("}") and order and shape):
        raise fault(f"has a header that says {_short(text)}; descr, fortran_order and shape are expected")
    if descr and descr[1].lstrip("|<>=") == "O":
        raise fault("holds pickled objects of Python, which are not read; numbers are expected")
    if not descr or not _ELEMENTS.fullmatch(descr[1]):
        raise fault(f"has elements of type {_short(descr[1]) if descr else 'with several fields'}; bool, integers, float16 to float64 or complex "
                    "numbers are expected")
    digits = [n.strip().rstrip("L") for n in shape[1].split(",") if n.strip()]
    if any(not n.isdecimal() or len(n) > 19 for n in digits) or not _sizes_fit([int(n) for n in digits]):
        raise fault(f"has the shape {_short(shape[0])}; at most {_MOST_AXES} sizes that are numbers of 64 bits together are expected")
    return descr[1], order[1] == "True", [int(n) for n in digits], size


def _npy(head: bytes, total: int, rest: Any, fault: Any) -> Any:
    """NumPy's array of an npy file with so many bytes, of which `head` are the first; rest(n) gives n bytes from the first element on."""
    import numpy

    descr, reverse, shape, size = _npy_header(head, fault)
    kind = numpy.dtype(descr)
    expected = math.prod(shape) * kind.itemsize
    if expected != total - size:
        raise fault(f"has {total - size} bytes of elements; {expected} are expected for {descr} of shape {_short(tuple(shape))}")
    array = numpy.frombuffer(rest(size, expected), dtype=kind)
    array = array.reshape(shape[::-1]).T if reverse else array.reshape(shape)
    return array.astype(kind.newbyteorder("="), copy=False)


def _members(archive: Any, fault: Any) -> Iterable[tuple[str, Any]]:
    """The npy files of an archive, each as (name, array)."""
    seen = set()
    for info in archive.infolist():
        if not info.filename.endswith(".npy"):
            continue
        name = info.filename[:-4]

        def bad(text: str, name: str = name) -> ParseError:
            return fault(f"has a member {_short(name)} that {text}")

        if name in seen:
            raise bad("occurs twice")
        seen.add(name)
        if info.file_size > info.compress_size * _INFLATES_TO + 64:
            raise bad(f"claims {info.file_size} bytes in {info.compress_size} compressed ones, which is more than there can be")
        with archive.open(info) as file:
            head = file.read(min(info.file_size, _LONGEST_NPY_HEADER))

            def rest(start: int, count: int, file: Any = file, head: bytes = head, bad: Any = bad) -> bytearray:
                data = bytearray(head[start:])
                while len(data) < count and (part := file.read(min(1 << 24, count - len(data)))):
                    data += part
                if len(data) != count or file.read(1):
                    raise bad(f"has {'more' if len(data) == count else 'fewer'} bytes than it is said to have")
                return data

            yield name, _npy(head, info.file_size, rest, bad)


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

    data = _read(source, "load_npz")
    where = _name(source)

    def fault(text: str) -> ParseError:
        return ParseError(f"load_npz: '{where}' {text}.")

    arrays: dict[str, Any] = {}
    try:
        with zipfile.ZipFile(streams.BytesIO(data)) as archive:
            arrays.update(_members(archive, fault))
    except Error:
        raise
    except Exception as error:  # zipfile, zlib and struct raise a dozen kinds of them
        raise fault(f"is no npz file: {type(error).__name__}: {error}") from error
    return {name: _core._array(array, None, device) for name, array in arrays.items()}


def _array(name: str, value: Any, what: str) -> Any:
    """What NumPy writes for a tensor, or for what can become one."""
    import numpy

    if not isinstance(value, (Tensor, numpy.ndarray)):
        value = _core._array(value, None, None)
    array = value.numpy() if isinstance(value, Tensor) else value
    if array.dtype.hasobject:
        raise ArgumentTypeError(f"{what}: {name} holds objects of Python, which would be pickled; numbers are expected.")
    return array


def save_npz(target: Source, tensors: Mapping[str, Any]) -> None:
    """Writes tensors by name as NumPy's npz. bfloat16 becomes float32."""
    import io as streams
    import zipfile

    import numpy

    stream = streams.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, value in _named(tensors, "save_npz"):
            array = _array(f"'{name}'", value, "save_npz")
            with archive.open(name + ".npy", "w", force_zip64=True) as file:
                numpy.lib.format.write_array(file, array, allow_pickle=False)
    _write(target, [stream.getvalue()], "save_npz")


def load_npy(source: Source, *, device: DeviceLike = None) -> Tensor:
    """The array of an npy file."""
    data = _read(source, "load_npy")
    where = _name(source)

    def fault(text: str) -> ParseError:
        return ParseError(f"load_npy: '{where}' {text}.")

    array = _npy(data[:_LONGEST_NPY_HEADER], len(data), lambda start, count: memoryview(data)[start:start + count], fault)
    return _core._array(array, None, device)


def save_npy(target: Source, tensor: Any) -> None:
    """Writes a tensor as NumPy's npy. bfloat16 becomes float32."""
    import io as streams

    import numpy

    file = streams.BytesIO()
    numpy.save(file, _array("the tensor", tensor, "save_npy"), allow_pickle=False)
    _write(target, [file.getvalue()], "save_npy")


def _suffix(path: Any, what: str, others: tuple[str, ...] = ()) -> str:
    suffix = os.path.splitext(os.fspath(path))[1] if isinstance(path, (str, os.PathLike)) else ""
    if suffix not in (".safetensors", ".gguf", ".npz", ".npy", *others):
        raise ArgumentError(f"{what}: the ending of {path!r} says no format; .safetensors, .gguf, .npz or .npy is expected, or use the "
                            "functions of tessera.io with a file object.")
    return suffix


def load(path: str | os.PathLike[str], *, device: DeviceLike = None) -> Any:
    """Loads a file by its extension: a dict of tensors for .safetensors, its index (.json), .gguf and .npz, a tensor for .npy."""
    suffix = _suffix(path, "load", (".json",))
    return {".npz": load_npz, ".npy": load_npy, ".gguf": load_gguf}.get(suffix, load_safetensors)(path, device=device)


def save(path: str | os.PathLike[str], tensors: Any) -> None:
    """Writes a dict of tensors to .safetensors, .gguf or .npz, or a tensor to .npy."""
    suffix = _suffix(path, "save")
    writers: dict[str, Callable[..., None]] = {".npy": save_npy, ".npz": save_npz, ".gguf": save_gguf, ".safetensors": save_safetensors}
    writers[suffix](path, tensors)
