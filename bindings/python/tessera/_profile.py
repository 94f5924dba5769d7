"""Counters and kernel times."""

from __future__ import annotations

from typing import Any

from tessera import _core
from tessera._core import Device, Tensor
from tessera._types import DeviceLike


class profile:
    """Context manager that measures kernels.

    >>> import tessera as ts
    >>> with ts.profile() as p:
    ...     y = (ts.ones((4, 4)) + 1).sum().item()
    >>> len(p.records) > 0
    True
    """

    def __init__(self, device: DeviceLike = None) -> None:
        self._device = device
        self._running: Any = None
        self.records: list[dict[str, Any]] = []  # label, start_us, duration_us, bytes, flops and where, of each kernel
        self.peak_bytes = 0  # the most that one evaluation held

    def __enter__(self) -> profile:
        self._running = _core._profile(self._device)
        return self

    def __exit__(self, *exc: Any) -> None:
        self.records = self._running.records()
        self.peak_bytes = self._running.peak_bytes()
        self._table = self._running.table()
        self._running.stop()

    def table(self) -> str:
        """One line per kernel: calls, total and mean time, GB/s, GFLOP/s."""
        return self._running.table() if not self.records else self._table

    def write_trace(self, path: str) -> None:
        """Writes a trace for chrome://tracing and Perfetto."""
        import json

        events = [{"name": r["label"], "ph": "X", "ts": r["start_us"], "dur": r["duration_us"], "pid": 0, "tid": r["where"],
                   "args": {"bytes": r["bytes"], "flops": r["flops"]}} for r in self.records]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"traceEvents": events}, file)


def devices() -> list[dict[str, Any]]:
    """All available devices: id, name, vendor, backend and features.

    >>> import tessera as ts
    >>> any(d["id"] == "cpu" for d in ts.devices())
    True
    """
    return _core._devices()


def memory_stats(device: DeviceLike = None) -> dict[str, int]:
    """Bytes allocated, in use and at the peak, and pool hits and misses of a device.

    >>> import tessera as ts
    >>> sorted(ts.memory_stats())
    ['allocated', 'hits', 'in_use', 'misses', 'peak']
    """
    return (_core.current_device() if device is None else Device(device)).memory_stats()


def synchronize(device: DeviceLike = None) -> None:
    """Waits for all submitted work; raises errors since the last wait."""
    (_core.current_device() if device is None else Device(device)).synchronize()


def explain(tensor: Tensor) -> str:
    """The graph of a tensor and the kernels that would compute it.

    >>> import tessera as ts
    >>> "kernel" in ts.explain(ts.exp(ts.ones(3)) * 2)
    True
    """
    graph, kernels = _core._explain(tensor)
    return graph + "".join(f"\nkernel {label}:\n{text}" for label, text, _ in kernels)
