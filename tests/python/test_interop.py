"""NumPy, DLPack, buffers, files, threads and event loops."""

import asyncio
import gc
import io
import os
import sys
import threading
import time

import numpy as np
import pytest
import tessera as ts

ON_CPU = ts.current_device().is_cpu


def address(array):
    return array.__array_interface__["data"][0]


def test_numpy_shares_the_memory_of_the_cpu_backend():
    x = ts.arange(1000)
    a, b = x.numpy(), np.asarray(x)
    assert not a.flags.writeable and a.tolist() == list(range(1000))
    assert (address(a) == address(b)) is ON_CPU
    del x, b
    ts.zeros(1000, dtype=ts.int32).eval()  # would take the memory over
    assert a.tolist() == list(range(1000))


def test_numpy_functions_and_scalars():
    x = ts.array([[1.0, 2.0], [3.0, 4.0]])
    assert np.array(x, dtype=np.float64).dtype == np.float64 and np.array(x).flags.writeable
    assert float(np.sum(np.asarray(x))) == 10.0
    assert (x * np.float32(2)).dtype == ts.float32 and (np.float32(2) * x).tolist() == [[2.0, 4.0], [6.0, 8.0]]
    assert isinstance(np.ones(2, dtype=np.float32) + x, ts.Tensor)
    assert ts.array(np.arange(12).reshape(3, 4)[::2, ::-1]).tolist() == np.arange(12).reshape(3, 4)[::2, ::-1].tolist()
    assert ts.array(np.array(3.5, dtype=np.float32)).shape == () and ts.array(np.float16(0.5)).dtype == ts.float16
    assert ts.array(np.zeros((0, 3), dtype=np.float32)).shape == (0, 3)
    assert ts.array(ts.array([1.5], dtype=ts.bfloat16)).numpy().dtype == np.float32


def test_float64_is_for_the_cpu():
    assert ts.array(np.arange(3.0), device="cpu").dtype == ts.float64
    assert ts.array(np.arange(3.0), dtype=ts.float32).tolist() == [0.0, 1.0, 2.0]  # converted on the way, on every device
    if not ts.current_device().has_float64:
        with pytest.raises(NotImplementedError, match="f64 tensors run on the CPU backend only"):
            ts.array(np.arange(3.0))


def test_buffers():
    import array

    x = ts.array(array.array("i", [1, 2, 3]))
    assert x.dtype == ts.int32 and x.tolist() == [1, 2, 3]
    view = memoryview(ts.array([[1, 2], [3, 4]], dtype=ts.int16))
    assert (view.format, view.shape, view.strides, view.readonly) == ("h", (2, 2), (4, 2), True) and view.tolist() == [[1, 2], [3, 4]]
    assert ts.array(memoryview(b"\x01\x02")).tolist() == [1, 2]
    assert ts.array(bytearray(b"\x05")).dtype == ts.uint8


def test_dlpack():
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert ts.from_dlpack(a).tolist() == a.tolist() and ts.from_dlpack(a.T).tolist() == a.T.tolist()
    x = ts.array(a).to("cpu")
    b = np.from_dlpack(x)
    assert b.tolist() == a.tolist() and address(b) == address(x.numpy())
    assert x.__dlpack_device__() == (1, 0) and np.from_dlpack(ts.array([True, False]).to("cpu")).dtype == bool
    with pytest.raises(TypeError, match="has no __dlpack__"):
        ts.from_dlpack([1, 2])
    with pytest.raises(BufferError, match=r"\(2, 0\) was asked for"):
        x.__dlpack__(dl_device=(2, 0))


def test_memory_of_others():
    a = np.arange(1000, dtype=np.float32).reshape(8, 125)
    x = ts.from_dlpack(a, device="cpu")
    assert address(x.numpy()) == address(a) == address(ts.asarray(a, device="cpu", copy=False).numpy())
    assert address(ts.from_dlpack(a, device="cpu", copy=True).numpy()) != address(a) != address(ts.asarray(a, device="cpu").numpy())
    total = (x.T * 2).sum()  # computed from the array itself, and not before it is read
    count = sys.getrefcount(a)
    del a
    assert total.item() == 999000.0 and count > 2
    frozen = np.arange(5)
    frozen.flags.writeable = False
    y = ts.asarray(frozen, device="cpu", copy=False)
    y[1:3] = 7  # another value of this handle; the array stays
    assert y.tolist() == [0, 7, 7, 3, 4] and frozen.tolist() == [0, 1, 2, 3, 4]
    step = ts.compile(lambda v: v + 1, donate_argnums=(0,))
    b = np.ones(64, dtype=np.float32)
    assert step(ts.from_dlpack(b, device="cpu")).tolist() == [2.0] * 64 and b.tolist() == [1.0] * 64
    with pytest.raises(ValueError, match="copy=False was given, but the elements are not in row-major order, so that they have to be copied"):
        ts.from_dlpack(np.ones((3, 4)).T, device="cpu", copy=False)
    with pytest.raises(ValueError, match="copy=False was given, but the elements are float64 and float32 is asked for"):
        ts.asarray(np.ones(3), dtype=ts.float32, device="cpu", copy=False)
    if ts.current_device().id != "cpu":
        with pytest.raises(ValueError, match="copy=False was given, but the tensor is to be on webgpu"):
            ts.from_dlpack(b, copy=False)


def test_memory_of_others_is_let_go():
    a = np.ones(4096, dtype=np.float32)
    before = sys.getrefcount(a)
    x = ts.from_dlpack(a, device="cpu")
    y = (x + 1).eval()
    assert sys.getrefcount(a) > before
    del x
    assert y.tolist()[0] == 2.0
    del y
    gc.collect()
    assert sys.getrefcount(a) == before


def test_devices_with_options():
    small = ts.Device("cpu", memory_budget=1 << 20)
    x = ts.ones((256,), device=small)
    assert (x + 1).sum().item() == 512.0 and x.device == small and small != ts.Device("cpu")
    with pytest.raises(MemoryError, match="1048576|1 MiB|requested"):
        ts.array(np.zeros(1 << 20, dtype=np.float32), device=small)
    precise = ts.Device(ts.current_device().id, half_sums=True, reduced_precision=True, deterministic=True)
    assert ts.matmul(ts.ones((8, 8), device=precise), ts.ones((8, 8), device=precise)).tolist() == [[8.0] * 8] * 8
    with pytest.raises(TypeError, match="options were given with .*; a name such as 'cpu' is expected"):
        ts.Device(ts.current_device(), half_sums=True)


def test_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    t = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    assert ts.from_dlpack(t).tolist() == t.tolist() and ts.array(t.T).tolist() == t.T.tolist()
    assert torch.from_dlpack(ts.array([1.0, 2.0]).to("cpu")).tolist() == [1.0, 2.0]
    assert ts.from_dlpack(torch.tensor([1.5], dtype=torch.bfloat16)).dtype == ts.bfloat16


def test_array_namespace():
    assert ts.zeros(1).__array_namespace__() is ts and ts.zeros(1).__array_namespace__(api_version="2024.12") is ts
    with pytest.raises(ValueError, match="2030.12"):
        ts.zeros(1).__array_namespace__(api_version="2030.12")


@pytest.mark.parametrize("ending", [".safetensors", ".npz"])
def test_files(tmp_path, ending):
    tensors = {"w": ts.random.normal((3, 4)), "b": ts.array([1, 2], dtype=ts.int64), "flag": ts.array([True]), "none": ts.zeros((0, 2))}
    ts.save(tmp_path / ("a" + ending), tensors)
    for source in (tmp_path / ("a" + ending), str(tmp_path / ("a" + ending)), open(tmp_path / ("a" + ending), "rb")):
        loaded = (ts.io.load_safetensors if ending == ".safetensors" else ts.io.load_npz)(source)
        assert sorted(loaded) == sorted(tensors)
        for name, t in tensors.items():
            assert loaded[name].dtype == t.dtype and loaded[name].shape == t.shape and loaded[name].tolist() == t.tolist()
    ts.save(tmp_path / "one.npy", tensors["w"])
    assert ts.load(tmp_path / "one.npy").tolist() == tensors["w"].tolist() == np.load(tmp_path / "one.npy").tolist()


def test_safetensors_of_others():
    import json
    import struct

    header = json.dumps({"__metadata__": {"format": "pt"}, "x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    data = struct.pack("<Q", len(header)) + header + b"\x80\x3f\x00\x40"
    assert ts.io.load_safetensors(io.BytesIO(data))["x"].tolist() == [1.0, 2.0]
    for bad, text in [(header.replace(b"BF16", b"Q4_0"), "Q4_0"), (header.replace(b"[0, 4]", b"[0, 9]"), "0 to 9"),
                      (header.replace(b"[2]", b"[3]"), "shape")]:
        with pytest.raises(ts.ParseError, match=text):
            ts.io.load_safetensors(io.BytesIO(struct.pack("<Q", len(bad)) + bad + b"\x80\x3f\x00\x40"))


def test_the_gil_is_released_while_it_waits():
    x = ts.random.normal((700, 700))
    x.eval()
    ticks, stop = [], threading.Event()

    def count():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    y = x
    for _ in range(12):
        y = (y @ x) * 1e-3
    y.numpy()
    took = time.perf_counter() - start
    stop.set()
    thread.join()
    inside = [t for t in ticks if start < t < start + took]
    gaps = np.diff([start, *inside, start + took])
    assert max(gaps) < max(0.5 * took, 0.05), (took, max(gaps))


def test_threads():
    results = {}

    def work(n):
        x = ts.full((50, 50), float(n))
        for _ in range(20):
            results[n] = ((x @ x) / 50).sum().item()
            with ts.no_grad():
                x = x + 0
            ts.grad(lambda w: (w * x).sum())(x).eval()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == {n: pytest.approx(2500.0 * n * n) for n in range(6)}


def test_numpy_async():
    async def main():
        x = ts.arange(5) * 2
        a, b = await asyncio.gather(x.numpy_async(), (x + 1).numpy_async())
        return a.tolist(), b.tolist()

    assert asyncio.run(main()) == ([0, 2, 4, 6, 8], [1, 3, 5, 7, 9])

    async def bad():
        await ts.array([1.0])[ts.array([3])].numpy_async()

    with pytest.raises(IndexError):
        asyncio.run(bad())


def test_devices():
    cpu = ts.Device("cpu")
    assert cpu == ts.Device("cpu") and cpu.is_cpu and "cpu" in [d["id"] for d in ts.devices()]
    x = ts.ones(3, device="cpu")
    assert x.device == cpu and str(x.device) == "cpu" and x.to("cpu").device == cpu and x.to_device(cpu).tolist() == [1.0] * 3
    assert ts.memory_stats("cpu")["in_use"] > 0
    assert ts.Device("cpu").memory_size > 2**20
    before = ts.memory_stats("cpu")["in_use"]
    big = ts.zeros((256, 256), device="cpu").eval()
    assert ts.memory_stats("cpu")["in_use"] >= before + 256 * 256 * 4
    del big
    assert ts.memory_stats("cpu")["in_use"] <= before + 4096


def test_doctor(capfd):
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-m", "tessera", "doctor", "--json"], capture_output=True, text=True, timeout=120, env=dict(os.environ))
    assert done.returncode == 0 and '"cpu"' in done.stdout, done.stdout + done.stderr
