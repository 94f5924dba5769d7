#!/usr/bin/env python3
"""Measures what Python adds: building a graph, NumPy to the device and back, the import and the first result.

    PYTHONPATH=build/release/python TESSERA_DEVICE=cpu python benchmarks/python/measure.py

PyTorch's eager dispatch is measured beside it in the same run where it is installed.
"""

import os
import subprocess
import sys
import time

IMPORT = """
import time
start = time.perf_counter()
import tessera as ts
imported = time.perf_counter()
(ts.ones((8, 8)) @ ts.ones((8, 8)) + 1).tolist()
print((imported - start) * 1e3, (time.perf_counter() - imported) * 1e3)
"""


def best(function, count, repeats=7):
    """Microseconds of one call, in the fastest of some runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(count):
            function()
        times.append((time.perf_counter() - start) / count)
    return min(times) * 1e6


def main():
    import numpy as np
    import tessera as ts

    runs = [tuple(map(float, subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout.split())) for _ in range(7)]
    print(f"import tessera: {min(r[0] for r in runs):.0f} ms; first result after it: {min(r[1] for r in runs):.0f} ms")

    x, y = ts.ones((4, 4)), ts.ones((4, 4))
    ts.eval(x, y)
    cases = {"x + y": lambda: x + y, "x * 2.0": lambda: x * 2.0, "ts.exp(x)": lambda: ts.exp(x), "x @ y": lambda: x @ y, "x[0]": lambda: x[0],
             "ts.sum(x, axis=0)": lambda: ts.sum(x, axis=0), "x.reshape(2, 8)": lambda: x.reshape(2, 8)}
    try:
        import torch

        a, b = torch.ones((4, 4)), torch.ones((4, 4))
        theirs = {"x + y": lambda: a + b, "x * 2.0": lambda: a * 2.0, "ts.exp(x)": lambda: torch.exp(a), "x @ y": lambda: a @ b, "x[0]": lambda: a[0],
                  "ts.sum(x, axis=0)": lambda: torch.sum(a, dim=0), "x.reshape(2, 8)": lambda: a.reshape(2, 8)}
    except ImportError:
        theirs = {}
        print("PyTorch is not installed: no column for it")
    print("building a graph, us per op" + ("; PyTorch's eager dispatch of 4 x 4" if theirs else ""))
    for name, function in cases.items():
        line = f"  {name:20} {best(function, 20000):6.2f}"
        print(line + (f" {best(theirs[name], 20000):6.2f}" if theirs else ""))

    for size in (1 << 10, 1 << 20, 1 << 24):
        a = np.ones(size, dtype=np.float32)
        count = max(1, (1 << 24) // size // 4)
        copy = best(lambda: a.copy(), count)
        to = best(lambda: ts.array(a), count)
        z = ts.array(a)
        back = best(lambda: z.numpy(), count)
        copied = best(lambda: z.numpy(copy=True), count)
        print(f"{size * 4 / 1024:8.0f} KiB: ndarray.copy() {copy:9.1f} us, ts.array(a) {to:9.1f}, x.numpy() {back:6.1f}, x.numpy(copy=True) {copied:9.1f}")
    print(f"on {ts.current_device()!r}, {os.cpu_count()} cores, Python {sys.version.split()[0]}, NumPy {np.__version__}")


if __name__ == "__main__":
    main()
