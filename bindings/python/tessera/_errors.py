"""The exceptions: every one is an Error with a kind, and one of Python's own exceptions too."""

from __future__ import annotations

import builtins


class Error(Exception):
    """An error of the engine: a full sentence, and a `kind` for error handling.

    >>> import tessera as ts
    >>> try:
    ...     ts.matmul(ts.zeros((8, 64)), ts.zeros((32, 8)))
    ... except ts.Error as error:
    ...     print(error.kind)
    shape
    """

    kind = "value"
    requested = 0  # out_of_memory and limit: what was asked for
    available = 0
    line = 0  # shader and parse
    column = 0
    op = ""


class ShapeError(Error, ValueError):
    """Incompatible shapes."""

    kind = "shape"


class DTypeError(Error, TypeError):
    """An unsupported dtype."""

    kind = "dtype"


class ArgumentError(Error, ValueError):
    """An invalid value of an argument."""

    kind = "value"


class ArgumentTypeError(Error, TypeError):
    """An argument of an unexpected type."""

    kind = "value"


class IndexError(Error, builtins.IndexError):  # noqa: A001
    """An index out of bounds."""

    kind = "value"


class DeviceError(Error, RuntimeError):
    """No such device, or tensors on different devices in one operation."""

    kind = "device"


class DeviceLostError(Error, RuntimeError):
    """The device was lost: `tensor.device.restore()` recreates it."""

    kind = "device_lost"


class OutOfMemoryError(Error, MemoryError):
    """The device is out of memory; `requested` and `available` are in bytes."""

    kind = "out_of_memory"


class LimitError(Error, ValueError):
    """A limit of the device or the engine is exceeded."""

    kind = "limit"


class UnsupportedError(Error, NotImplementedError):
    """Not supported by the device."""

    kind = "unsupported"


class ShaderError(Error, RuntimeError):
    """WGSL source that does not compile; `line` and `column` give the position."""

    kind = "shader"


class FileError(Error, OSError):
    """A file that cannot be read or written."""

    kind = "io"


class ParseError(Error, ValueError):
    """A malformed file or text."""

    kind = "parse"


class CancelledError(Error, RuntimeError):
    """Work that was cancelled."""

    kind = "cancelled"


class PeerLostError(Error, ConnectionError):
    """Another process of the job does not answer, or messages to it fail."""

    kind = "peer_lost"


_CLASSES: dict[str, type[Error]] = {
    c.kind: c
    for c in (ShapeError, DTypeError, ArgumentError, DeviceError, DeviceLostError, OutOfMemoryError, LimitError,
              UnsupportedError, ShaderError, FileError, ParseError, CancelledError, PeerLostError)
}
_CLASSES.update(index=IndexError, argument_type=ArgumentTypeError, argument_value=ArgumentError)


def of_kind(kind: str) -> type[Error]:
    """The class of a kind."""
    return _CLASSES[kind]
