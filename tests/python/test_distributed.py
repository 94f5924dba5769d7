"""tessera.distributed: alone, and as two processes under mpirun."""

import os
import shutil
import subprocess
import sys
import time

import pytest
import tessera as ts

TWO_RANKS = """
import tessera as ts
from tessera import distributed as dist

ts.set_device("cpu")
dist.init()
rank = dist.rank()
assert dist.size() == 2
x = ts.arange(4, dtype=ts.float32) + rank
assert dist.all_reduce(x).tolist() == [1, 3, 5, 7]
assert dist.all_reduce(x, "mean").tolist() == [0.5, 1.5, 2.5, 3.5]
assert dist.all_reduce([rank, 5], "max").tolist() == [1, 5]
assert dist.all_gather(x).tolist() == [0, 1, 2, 3, 1, 2, 3, 4]
assert dist.reduce_scatter(x).tolist() == [[1, 3], [5, 7]][rank]
assert dist.broadcast(x, 1).tolist() == [1, 2, 3, 4]
if rank == 0:
    dist.send(x, 1)
else:
    assert dist.recv(x, 0).tolist() == [0, 1, 2, 3]
alone = dist.Group().split(rank)
assert (alone.rank, alone.size, alone.ranks) == (0, 1, [rank])
dist.barrier()

def loss(w, x):
    return ((x @ w - 1) ** 2).mean()

def train(w, x):
    value, gradient = ts.value_and_grad(loss)(w, x)
    return dist.all_reduce(value, "mean"), w - 0.1 * dist.all_reduce(gradient, "mean")

step = ts.compile(train, donate_argnums=0)
whole = ts.compile(lambda w, x: (lambda v, g: (v, w - 0.1 * g))(*ts.value_and_grad(loss)(w, x)))
x = ts.sin(ts.arange(24, dtype=ts.float32)).reshape(8, 3)
w, other = ts.zeros((3, 1)), ts.zeros((3, 1))
for _ in range(20):
    value, w = step(w, x[rank * 4:rank * 4 + 4])
    expected, other = whole(other, x)
    assert abs(value.item() - expected.item()) < 1e-6
gradients = dist.average_gradients({"w": ts.ones((2, 3)) * rank, "layers": [ts.ones(4) * (rank + 1)]}, bucket_bytes=1)
assert gradients["w"].tolist() == [[0.5] * 3] * 2 and gradients["layers"][0].tolist() == [1.5] * 4
assert dist.average_gradients([ts.ones(2) * rank], wire=ts.float16)[0].tolist() == [0.5, 0.5]
# A Trainer on both ranks is one process that has all of each batch.
def trained(group, in_parts=False):
    ts.random.seed(3 + group.rank)
    model = ts.nn.Sequential(ts.nn.Linear(3, 8, bias=False), ts.nn.BatchNorm1d(8, group=group), ts.nn.ReLU(), ts.nn.Linear(8, 1))
    rows = [(ts.sin(ts.arange(3, dtype=ts.float32) * (i + 1)).numpy(), float(i % 3)) for i in range(24)]
    loader = ts.data.DataLoader(rows, batch_size=8, shuffle=True, seed=1, workers=0, group=group)
    shards = ts.optim.Shards(model, group) if in_parts else None
    optimizer = ts.optim.Adam(shards.parameters() if in_parts else model, lr=0.02)
    losses = []
    class Record(ts.train.Callback):
        def on_step(self, trainer, step, loss):
            losses.append(loss.item())
    def mse(batch):
        x, y = batch
        return ((model(x.astype(ts.float32))[:, 0] - y.astype(ts.float32)) ** 2).mean()
    trainer = ts.train.Trainer(model, optimizer, mse, epochs=2, progress=False, group=group, shards=shards)
    trainer.callback(Record())
    result = trainer.fit(loader)
    assert result.step == 6
    return losses
both = trained(dist.Group())
assert dist.all_reduce(both, "max").tolist() == dist.all_reduce(both, "min").tolist()
assert both[-1] < both[0]
parts = trained(dist.Group(), True)
assert max(abs(a - b) for a, b in zip(parts, both)) < 1e-5
try:
    dist.all_reduce(ts.ones(3 + rank))
except ts.ArgumentError as e:
    assert "all_reduce (sum) of f32 [3]" in str(e)
else:
    raise AssertionError("nothing was raised")
"""


def test_alone():
    dist = ts.distributed
    dist.init()
    assert (dist.rank(), dist.size()) == (0, 1)
    x = ts.ones((2, 3))
    for y in (dist.all_reduce(x), dist.all_gather(x, axis=1), dist.reduce_scatter(x, "max"), dist.broadcast(x)):
        assert y.tolist() == x.tolist()
    assert dist.average_gradients({"w": x})["w"].tolist() == x.tolist()
    with pytest.raises(ts.ArgumentError, match="at least 1 is expected"):
        dist.average_gradients([x], bucket_bytes=0)
    dist.barrier()
    group = dist.Group().split(0)
    assert (group.rank, group.size, group.ranks) == (0, 1, [0])
    with pytest.raises(ts.ArgumentError, match="'sum', 'mean', 'min' or 'max' is expected"):
        dist.all_reduce(x, "median")
    with pytest.raises(ts.ArgumentError, match="this process itself"):
        dist.send(x, 0)


# The other rank waits for a collective that this one does not run.
ONE_RAISES = """
import tessera as ts
from tessera import distributed as dist

ts.set_device("cpu")
dist.init()
if dist.rank() == 1:
    raise RuntimeError("as the test wants it")
dist.all_reduce(ts.ones(3))
"""


def run_as_two(tmp_path, text):
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        pytest.skip("there is no mpirun")
    if ts.distributed.library().error:
        pytest.skip(ts.distributed.library().error)
    options = []
    if "Open MPI" in subprocess.run([mpirun, "--version"], capture_output=True, text=True).stdout:
        options = ["--oversubscribe", "--bind-to", "none"] + (["--allow-run-as-root"] if os.getuid() == 0 else [])
    script = tmp_path / "two_ranks.py"
    script.write_text(text)
    path = os.pathsep.join([os.path.dirname(os.path.dirname(ts.__file__)), os.environ.get("PYTHONPATH", "")])
    return subprocess.run([mpirun, *options, "-n", "2", sys.executable, str(script)], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, PYTHONPATH=path, TESSERA_DISTRIBUTED_TIMEOUT="120"))


def test_two_processes(tmp_path):
    done = run_as_two(tmp_path, TWO_RANKS)
    assert done.returncode == 0, done.stdout + done.stderr


# oneDNN's threads too: ranks on one machine would wait for each other's cores.
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="there is no /proc")
def test_threads_are_as_many_as_asked_for():
    script = ("import os, tessera as ts\nts.set_device('cpu')\nx = ts.random.normal((512, 512))\n"
              "(x @ x).sum().item()\nprint(len(os.listdir('/proc/self/task')))")
    path = os.pathsep.join([os.path.dirname(os.path.dirname(ts.__file__)), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100,
                          env=dict(os.environ, PYTHONPATH=path, TESSERA_THREADS="1"))
    assert done.stdout.strip() == "1", done.stdout + done.stderr


def test_an_exception_of_one_rank_ends_the_job(tmp_path):
    start = time.monotonic()
    done = run_as_two(tmp_path, ONE_RAISES)
    assert done.returncode != 0
    assert "as the test wants it" in done.stderr
    assert time.monotonic() - start < 60
