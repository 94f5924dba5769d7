"""The exceptions: every one is an Error with a kind, and one of Python's own exceptions too."""

from __future__ import annotations

import builtins


class Error(Exception):
    """What the engine refuses or fails at: a full sentence, and a `kind` that a program may act on.

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
    """Shapes that do not go together."""

    kind = "shape"


class DTypeError(Error, TypeError):
    """A type of elements that does not fit."""

    kind = "dtype"


class ArgumentError(Error, ValueError):
    """A value that an argument may not have."""

    kind = "value"


class ArgumentTypeError(Error, TypeError):
    """An argument of a type that is not expected."""

    kind = "value"


class IndexError(Error, builtins.IndexError):  # noqa: A001
    """An index past the end."""

    kind = "value"


class DeviceError(Error, RuntimeError):
    """No such device, or tensors of two devices in one operation."""

    kind = "device"


class DeviceLostError(Error, RuntimeError):
    """The device was lost: `tensor.device.restore()` makes it anew."""

    kind = "device_lost"


class OutOfMemoryError(Error, MemoryError):
    """No memory is left on the device; `requested` and `available` say how much."""

    kind = "out_of_memory"


class LimitError(Error, ValueError):
    """More than the device can do at once."""

    kind = "limit"


class UnsupportedError(Error, NotImplementedError):
    """Something that the device does not have."""

    kind = "unsupported"


class ShaderError(Error, RuntimeError):
    """A text in WGSL that does not compile; `line` and `column` say where."""

    kind = "shader"


class FileError(Error, OSError):
    """A file that cannot be read or written."""

    kind = "io"


class ParseError(Error, ValueError):
    """A file or text that is not what it should be."""

    kind = "parse"


class CancelledError(Error, RuntimeError):
    """Work that was cancelled."""

    kind = "cancelled"


_CLASSES: dict[str, type[Error]] = {
    c.kind: c
    for c in (ShapeError, DTypeError, ArgumentError, DeviceError, DeviceLostError, OutOfMemoryError, LimitError,
              UnsupportedError, ShaderError, FileError, ParseError, CancelledError)
}
_CLASSES.update(index=IndexError, argument_type=ArgumentTypeError, argument_value=ArgumentError)


def of_kind(kind: str) -> type[Error]:
    """The class of a kind."""
    return _CLASSES[kind]
