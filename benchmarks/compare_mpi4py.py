#!/usr/bin/env python3
"""all_reduce beside mpi4py's Allreduce, in turns in one run: mpirun -n 2 --bind-to none python benchmarks/compare_mpi4py.py

Needs mpi4py for the same MPI (pip install mpi4py). Rates are bytes of the tensor by the median time of the slowest rank.
"""

import statistics
import time

import mpi4py
import numpy as np

mpi4py.rc.initialize = False  # distributed.init() does it, with the thread level that it needs
mpi4py.rc.finalize = False

import tessera as ts  # noqa: E402
from tessera import distributed as dist  # noqa: E402

ts.set_device("cpu")
dist.init()
from mpi4py import MPI  # noqa: E402

world = MPI.COMM_WORLD
SIZES = [4, 1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 26]


def seconds(f):
    world.Barrier()
    start = time.perf_counter()
    f()
    return world.allreduce(time.perf_counter() - start, MPI.MAX)


if dist.rank() == 0:
    print(f"{dist.size()} ranks, {MPI.Get_library_version().splitlines()[0]}")
    print(f"{'bytes':>10} {'tessera us':>12} {'mpi4py us':>12} {'tessera GB/s':>13} {'mpi4py GB/s':>12} {'ratio':>6}")
for size in SIZES:
    values = np.random.default_rng(dist.rank()).standard_normal(max(size // 4, 1)).astype(np.float32)
    x, result = ts.array(values), np.empty_like(values)
    world.Allreduce(values, result)
    assert np.allclose(np.asarray(dist.all_reduce(x)), result, atol=1e-5)
    ours, theirs = [], []
    for _ in range(200 if size < 1 << 20 else 20):
        ours.append(seconds(lambda: dist.all_reduce(x)))
        theirs.append(seconds(lambda: world.Allreduce(values, result)))
    a, b = statistics.median(ours), statistics.median(theirs)
    if dist.rank() == 0:
        print(f"{size:>10} {1e6 * a:>12.1f} {1e6 * b:>12.1f} {size / a / 1e9:>13.2f} {size / b / 1e9:>12.2f} {b / a:>6.2f}")
