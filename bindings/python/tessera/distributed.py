"""Collectives between the processes that mpirun or srun started: docs/distributed.md.

In a process that was started alone, size() is 1 and every collective returns its argument. The implementation is the library tessera_mpi, which
init() loads in one of several processes.

>>> import tessera as ts
>>> ts.distributed.init()
>>> ts.distributed.all_reduce(ts.ones(3) * (ts.distributed.rank() + 1)).tolist()
[1.0, 1.0, 1.0]
"""

from __future__ import annotations

import sys
from typing import Any, Literal, NamedTuple

from tessera import _core
from tessera._core import Tensor
from tessera._tree import flatten, unflatten

Op = Literal["sum", "mean", "min", "max"]


class LibraryInfo(NamedTuple):
    """Where the library tessera_mpi is, or why there is none."""

    path: str
    version: str
    error: str


class Group:
    """Ranks that run collectives with each other; by default all of them."""

    def __init__(self) -> None:
        self._group = _core._Group()

    @property
    def rank(self) -> int:
        """This process in the group."""
        return self._group.rank()

    @property
    def size(self) -> int:
        """The number of its ranks."""
        return self._group.size()

    @property
    def ranks(self) -> list[int]:
        """The rank in all processes of each."""
        return self._group.ranks()

    def split(self, color: int, key: int = 0) -> Group:
        """A group for each color, of the ranks that gave it, ordered by key and then by rank. All ranks of this group call it.

        A rank with a negative color is in none: its group has size 0.
        """
        part = Group.__new__(Group)
        part._group = self._group.split(color, key)
        return part


def _of(group: Group | None) -> Any:
    return _core._Group() if group is None else group._group


def init() -> None:
    """Joins the other processes. Does nothing in a process that was started alone, and in further calls.

    From then on, an exception that nothing catches calls leave(): the launcher ends the job, instead of ranks that wait for this one.
    """
    _core._distributed_init()
    if size() > 1 and not isinstance(sys.excepthook, _Leaving):
        sys.excepthook = _Leaving(sys.excepthook)


class _Leaving:
    def __init__(self, before: Any) -> None:
        self._before = before

    def __call__(self, *fault: Any) -> None:
        self._before(*fault)
        leave()


def leave() -> None:
    """Leaves the job: later collectives here are errors, and the exit of the process does not wait for other ranks.

    So the launcher ends the job, where ranks would wait for collectives that this process does not run. For handlers of errors.
    """
    _core._distributed_leave()


def rank() -> int:
    """This process among all."""
    return _core._distributed_rank()


def size() -> int:
    """The number of processes."""
    return _core._distributed_size()


def library() -> LibraryInfo:
    """The library of collectives; without one, `error` says why."""
    return LibraryInfo(*_core._distributed_library())


def set_timeout(seconds: float) -> None:
    """Seconds that a collective waits for other ranks, 1800 at first; 0: without end. Past them it is an Error."""
    _core._distributed_set_timeout(seconds)


def all_reduce(x: Any, op: Op = "sum", group: Group | None = None) -> Tensor:
    """The reduction of x over the ranks, with the same bits on all of them."""
    return _core._all_reduce(x, op, _of(group))


def all_gather(x: Any, axis: int = 0, group: Group | None = None) -> Tensor:
    """The tensors of all ranks, concatenated along an axis in the order of ranks."""
    return _core._all_gather(x, axis, _of(group))


def reduce_scatter(x: Any, op: Op = "sum", axis: int = 0, group: Group | None = None) -> Tensor:
    """The part of this rank of all_reduce(x): the axis is split into as many equal parts as there are ranks."""
    return _core._reduce_scatter(x, op, axis, _of(group))


def broadcast(x: Any, root: int = 0, group: Group | None = None) -> Tensor:
    """The tensor of rank `root`; the other ranks give one of its shape and dtype."""
    return _core._broadcast(x, root, _of(group))


def send(x: Any, to: int, group: Group | None = None) -> Tensor:
    """Sends x to another rank, which calls recv(). Returns a zero; added to a loss, it brings the gradient of x back."""
    return _core._send(x, to, _of(group))


def recv(like: Any, from_rank: int, group: Group | None = None) -> Tensor:
    """The tensor that another rank sends, with the shape, dtype and device of `like`."""
    return _core._recv(like, from_rank, _of(group))


def average_gradients(gradients: Any, *, bucket_bytes: int = 32 << 20, wire: Any = None, group: Group | None = None) -> Any:
    """The mean of the gradients over the ranks, for data-parallel training, in the same structure.

    Gradients of one dtype are sent together, in buckets of at least so many bytes. In a compiled step a bucket is sent as soon as the backward pass has
    written it, while the device computes the others. With wire=ts.float16 or ts.bfloat16, wider gradients are sent in that dtype.

    >>> import tessera as ts
    >>> ts.distributed.average_gradients({"w": ts.ones(2)})["w"].tolist()
    [1.0, 1.0]
    """
    leaves, structure = flatten(gradients)
    named = {str(i): leaf for i, leaf in enumerate(leaves)}
    result = _core._average_gradients(named, bucket_bytes, wire, _of(group))
    return unflatten(structure, [result[name] for name in named])


def barrier(group: Group | None = None) -> None:
    """Waits until all ranks are here."""
    _core._barrier(_of(group))
