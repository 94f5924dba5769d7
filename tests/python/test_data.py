"""Data sets of Python and of the library, and loaders: forms of samples, order, exceptions, threads and the end of the interpreter."""

import gc
import re
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
from tessera import data

ROOT = Path(__file__).resolve().parent.parent.parent


class Squares:
    """Dicts of a number, a vector and an array of NumPy."""

    def __init__(self, size=10):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, i):
        return {"x": np.full((2, 3), i, np.float32), "y": i * i, "z": [float(i), 0.5], "even": i % 2 == 0}


def numbers(loader):
    return [int(v) for batch in loader for v in batch]


# ---- Forms ----


@pytest.mark.parametrize("workers", [0, 3])
def test_batches_have_the_form_of_the_samples(workers):
    batch = next(iter(data.DataLoader(Squares(), batch_size=4, workers=workers)))
    assert list(batch) == ["x", "y", "z", "even"]
    assert batch["x"].shape == (4, 2, 3) and batch["x"].dtype == ts.float32
    assert batch["y"].tolist() == [0, 1, 4, 9] and batch["y"].dtype == ts.int32
    assert batch["z"].tolist() == [[i, 0.5] for i in range(4)] and batch["z"].dtype == ts.float32
    assert batch["even"].tolist() == [True, False, True, False]
    x, y = next(iter(data.DataLoader([(np.arange(3), i) for i in range(4)], batch_size=2, workers=workers)))
    assert x.tolist() == [[0, 1, 2]] * 2 and y.tolist() == [0, 1]
    assert next(iter(data.DataLoader([5, 7], batch_size=2, workers=workers))).tolist() == [5, 7]
    only, = next(iter(data.DataLoader([(5,), (7,)], batch_size=2, workers=workers)))
    assert only.tolist() == [5, 7]
    batch = next(iter(data.DataLoader(ts.array([[1.0, 2.0], [3.0, 4.0]]), batch_size=2, workers=workers)))
    assert batch.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("value, expected", [
    (True, ts.bool), (1, ts.int32), (2**40, ts.int64), (1.5, ts.float32), (np.float64(1.5), ts.float32), (np.float32(1.5), ts.float32),
    (np.int64(3), ts.int64), (np.array(3, np.uint8), ts.uint8), (np.zeros((2, 0), np.float16), ts.float16), ([1, 2], ts.int32),
    (np.arange(6).reshape(2, 3).T, ts.int64), (ts.ones(2, dtype=ts.bfloat16), ts.bfloat16), (memoryview(b"ab"), ts.uint8),
])
def test_values_of_samples(value, expected):
    batch = next(iter(data.DataLoader([{"v": value}] * 2, batch_size=2)))["v"]
    assert batch.dtype == expected and batch.shape == (2,) + tuple(np.shape(np.asarray(value)))
    assert batch[1].tolist() == (value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, memoryview) else value)


def test_a_reused_buffer_is_copied():
    class Reused:
        def __init__(self):
            self.buffer = np.zeros(2, np.float32)

        def __len__(self):
            return 3

        def __getitem__(self, i):
            self.buffer[:] = i
            return self.buffer

    assert next(iter(data.DataLoader(Reused(), batch_size=3, workers=0))).tolist() == [[0, 0], [1, 1], [2, 2]]


@pytest.mark.parametrize("sample, said", [
    ({"text": "abc"}, "sample 0 cannot be loaded: its field 'text' is 'abc' of type str"),
    (None, "it is None of type NoneType"),
    ({}, "empty dict"),
    ({1: 2}, "the key 1 of type int"),
    ({"a.b": 2}, "a.b"),
    ([[1, 2], ["a"]], "'a'"),
    ({"v": [[1], [2, 3]]}, "a row of 2 entries where 1 are expected"),
    ({"v": np.array(["a"])}, "of type ndarray"),
    ({"v": np.array([object()])}, "of type ndarray"),
])
def test_samples_that_are_none(sample, said):
    with pytest.raises(ts.Error, match=re.escape(said)):
        next(iter(data.DataLoader([sample], workers=1)))


@pytest.mark.parametrize("dataset", [{"x": np.zeros(3)}, 5, "abc", None, (i for i in range(3))])
def test_what_is_no_data_set(dataset):
    with pytest.raises(TypeError, match="data set with __len__ and __getitem__"):
        data.DataLoader(dataset)


@pytest.mark.parametrize("options, said", [
    (dict(batch_size=0), "batch of 0"), (dict(workers=-1), "-1 workers"), (dict(prefetch=-1), "prefetch of -1"), (dict(batch_size=1.5), "an integer"),
    (dict(collate=3), "a function is expected"), (dict(device="no such"), "no such"), (dict(part=2, parts=2), "part 2 of 2"),
])
def test_options_that_are_none(options, said):
    with pytest.raises(ts.Error, match=said):
        data.DataLoader(Squares(), **options)
    with pytest.raises(ts.Error, match="no samples"):
        data.DataLoader([])


# ---- Order and state ----


def test_order_and_the_last_batch():
    loader = data.DataLoader(range(7), batch_size=3)
    assert len(loader) == 3 and [b.tolist() for b in loader] == [[0, 1, 2], [3, 4, 5], [6]]
    assert [b.tolist() for b in data.DataLoader(range(7), batch_size=3, drop_last=True)] == [[0, 1, 2], [3, 4, 5]]
    shuffled = data.DataLoader(range(50), batch_size=8, shuffle=True, seed=3)
    first, second = numbers(shuffled), numbers(shuffled)
    assert sorted(first) == sorted(second) == list(range(50)) and first != second != list(range(50))
    again = data.DataLoader(range(50), batch_size=8, shuffle=True, seed=3, workers=0)
    assert numbers(again) == first and numbers(again) == second
    parts = [numbers(data.DataLoader(range(50), batch_size=8, shuffle=True, seed=3, part=p, parts=2)) for p in (0, 1)]
    assert sorted(parts[0] + parts[1]) == list(range(50))


def test_a_loader_continues():
    loader = data.DataLoader(range(10), batch_size=2, shuffle=True, seed=1)
    seen = []
    for batch in loader:
        seen += batch.tolist()
        if len(seen) == 4:
            break
    state = loader.state_dict()
    assert state == {"epoch": 0, "batch": 2, "skipped": 0}
    rest, later = numbers(loader), numbers(loader)
    assert sorted(seen + rest) == list(range(10))
    other = data.DataLoader(range(10), batch_size=2, shuffle=True, seed=1)
    other.load_state_dict(state)
    assert numbers(other) == rest and numbers(other) == later
    other.load_state_dict({"epoch": 0})
    assert numbers(other) == seen + rest
    with pytest.raises(ts.Error, match="99"):
        other.load_state_dict({"batch": 99})
    with pytest.raises(TypeError, match="step"):
        other.load_state_dict({"step": 1})
    assert other.waited >= 0


# ---- Sources and combinators ----


def test_data_sets_of_the_library():
    images, labels = np.arange(24, dtype=np.float32).reshape(6, 2, 2), np.arange(6)
    rows = data.from_arrays({"image": images, "label": labels})
    assert len(rows) == 6 and rows[-1]["label"] == 5 and rows[2]["image"].tolist() == images[2].tolist()
    assert not rows[0]["image"].flags.writeable and rows.name(2) == "row 2"
    with pytest.raises(IndexError, match="sample 6"):
        rows[6]
    assert [row["label"].item() for row in rows] == list(range(6))
    with pytest.raises(ts.Error, match="equally many"):
        data.from_arrays((images, labels[:5]))
    with pytest.raises(TypeError, match="'a'"):
        data.from_arrays({"x": "a"})
    doubled = data.map(rows, lambda s: {"image": s["image"] * 2, "label": s["label"]})
    assert doubled[1]["image"].tolist() == (2 * images[1]).tolist()
    assert [int(x["label"]) for x in data.subset(doubled, [4, 0, 4])] == [4, 0, 4]
    parts = data.split(rows, [0.5, 0.5], seed=1)
    assert sorted(int(s["label"]) for part in parts for s in part) == list(range(6))
    both = data.concatenate([rows, data.map(Squares(2), lambda s: {"image": s["x"][:, :2], "label": np.int64(s["y"])})])
    batches = list(data.DataLoader(both, batch_size=8))
    assert batches[0]["label"].tolist() == [0, 1, 2, 3, 4, 5, 0, 1]
    with pytest.raises(ts.Error, match="9"):
        data.subset(rows, [9])
    alive = weakref.ref(images)
    del images, rows, doubled, parts, both
    gc.collect()
    assert alive() is None


def test_files(tmp_path):
    x, y = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32), np.arange(5, dtype=np.int32)
    np.savez(tmp_path / "a.npz", x=x, y=y)
    np.savez_compressed(tmp_path / "b.npz", x=x, y=y)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    ts.save(tmp_path / "a.safetensors", {"x": ts.array(x), "y": ts.array(y)})
    for rows in (data.from_npz(tmp_path / "a.npz"), data.from_npz(tmp_path / "b.npz"), data.from_safetensors(tmp_path / "a.safetensors"),
                 data.from_npy({"x": tmp_path / "x.npy", "y": tmp_path / "y.npy"})):
        batch = next(iter(data.DataLoader(rows, batch_size=5)))
        assert batch["x"].tolist() == x.tolist() and batch["y"].tolist() == y.tolist()
    assert list(data.from_npz(tmp_path / "a.npz", ["y"])[0]) == ["y"]
    (tmp_path / "broken.npz").write_bytes((tmp_path / "a.npz").read_bytes()[:100])
    with pytest.raises(ts.ParseError, match="broken.npz"):
        data.from_npz(tmp_path / "broken.npz")
    with pytest.raises(ts.FileError, match="none.npz"):
        data.from_npz(tmp_path / "none.npz")
    (tmp_path / "images").write_bytes(bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6]))
    assert data.from_idx({"image": tmp_path / "images"})[1]["image"].tolist() == [4, 5, 6]
    (tmp_path / "ünï.csv").write_text("a,b,c\n1,2,x\n3,4,y\n5,oops,x\n")
    rows = data.from_csv(tmp_path / "ünï.csv", {"v": ["a", "b"], "c": "c", "n": ["a"]}, {"c": "label", "n": "integer"})
    assert rows.classes == {"c": ["x", "y"]} and rows[1]["v"].tolist() == [3, 4] and rows[1]["c"] == 1 and rows[1]["n"].dtype == np.int64
    with pytest.raises(ts.ParseError, match="line 4"):
        rows[2]
    loader = data.DataLoader(rows, batch_size=3, skip_bad=True)
    assert next(iter(loader))["c"].tolist() == [0, 1] and loader.state_dict()["skipped"] == 1
    with pytest.raises(ts.Error, match="kind of 'z'"):
        data.from_csv(tmp_path / "ünï.csv", {"a": "a"}, {"z": "label"})
    with pytest.raises(ts.Error, match="column 'a' was given for the field 'v'"):
        data.from_csv(tmp_path / "ünï.csv", {"v": "a"})
    np.arange(20, dtype=np.uint16).tofile(tmp_path / "tokens.bin")
    tokens = data.from_tokens(tmp_path / "tokens.bin", context=4)
    assert len(tokens) == 4 and tokens[1]["tokens"].tolist() == [4, 5, 6, 7] and tokens[1]["targets"].tolist() == [5, 6, 7, 8]
    assert len(data.from_tokens(np.arange(9), context=4, stride=2)) == 3


def test_images(tmp_path):
    for kind, value in (("cat", 10), ("dog", 200)):
        (tmp_path / kind).mkdir()
        for i in range(2):
            (tmp_path / kind / f"{i}.ppm").write_bytes(b"P6 4 3 255\n" + bytes([value + i] * 36))
    (tmp_path / "dog" / "2.ppm").write_bytes(b"P6 4 3 255\n" + bytes(5))
    images = data.from_image_folder(tmp_path)
    assert len(images) == 5 and images.classes == {"label": ["cat", "dog"]}
    assert images[0]["image"].shape == (3, 4, 3) and images[2]["label"] == 1
    with pytest.raises(ts.ParseError, match="2.ppm"):
        images[4]
    loader = data.DataLoader(images, batch_size=5, skip_bad=True)
    batch = next(iter(loader))
    assert batch["image"].shape == (4, 3, 4, 3) and batch["image"].dtype == ts.uint8
    x = data.normalize(batch["image"], 0.5, 0.5, channels_last=True)
    assert x.dtype == ts.float32 and abs(x[0, 0, 0, 0].item() - (10 / 255 - 0.5) / 0.5) < 1e-6
    assert data.random_crop(x, 2, 2, padding=1, channels_last=True).shape == (4, 2, 2, 3)
    assert data.random_flip(x, 1.0, channels_last=True).tolist() == np.asarray(x)[:, :, ::-1].tolist()
    mixed, labels = data.mixup(x, ts.eye(4), 0.4)
    assert mixed.shape == x.shape and np.allclose(np.asarray(labels).sum(1), 1)
    if data.image_library().error:
        pytest.skip(data.image_library().error)
    path = tmp_path / "ä.png"
    data.save_png(path, images[0]["image"])
    assert data.load_image(path).tolist() == images[0]["image"].tolist()
    assert data.decode_image(path.read_bytes(), channels=1).shape == (3, 4, 1)
    with pytest.raises(ts.ParseError, match="some name"):
        data.decode_image(b"nothing", "some name")


# ---- Collate ----


@pytest.mark.parametrize("workers", [0, 2])
def test_collate_sees_the_samples_themselves(workers):
    texts = ["a", "bcd", "ef", "ghij"]

    def pad(samples):
        assert all(type(s) is str for s in samples)
        longest = max(map(len, samples))
        return {"ids": np.array([[ord(c) for c in s.ljust(longest)] for s in samples]), "length": [len(s) for s in samples]}

    batches = list(data.DataLoader(texts, batch_size=2, collate=pad, workers=workers))
    assert [b["ids"].shape for b in batches] == [(2, 3), (2, 4)] and batches[1]["length"].tolist() == [2, 4]
    rows = data.from_arrays({"x": np.eye(3, dtype=np.float32)})
    assert next(iter(data.DataLoader(rows, batch_size=3, collate=lambda s: sum(row["x"] for row in s)))).tolist() == [1, 1, 1]
    mixed = data.concatenate([[(1, "a")], [(2, "b")]])
    assert next(iter(data.DataLoader(mixed, 2, collate=lambda s: [len(t) + int(n) for n, t in s]))) [0].tolist() == 2
    with pytest.raises(ZeroDivisionError):
        next(iter(data.DataLoader(texts, collate=lambda s: 1 / 0, workers=workers)))
    with pytest.raises(TypeError, match="collate.*'a' of type str"):
        next(iter(data.DataLoader(texts, collate=lambda s: s[0], workers=workers)))


# ---- Exceptions ----


class Own(Exception):
    pass


class Faulty:
    def __init__(self, error, at=3):
        self.error, self.at = error, at

    def __len__(self):
        return 6

    def __getitem__(self, i):
        if i == self.at:
            raise self.error
        return i

    def name(self, i):
        return f"folder/{i}.bin"


@pytest.mark.parametrize("workers", [0, 1, 4])
@pytest.mark.parametrize("error", [Own("broken"), KeyError("k"), KeyboardInterrupt(), SystemExit(3), MemoryError("none"), ts.ShapeError("s")])
def test_exceptions_arrive_as_themselves(error, workers):
    loader = data.DataLoader(Faulty(error), batch_size=2, workers=workers)
    batches = iter(loader)
    assert next(batches).tolist() == [0, 1]
    with pytest.raises(type(error)) as caught:
        next(batches)
    assert caught.value is error and "sample 3 (folder/3.bin)" in error.__notes__[-1]
    assert any(entry.name == "__getitem__" for entry in caught.traceback)
    assert next(iter(loader)).tolist() == [4, 5]  # the batch after it


@pytest.mark.parametrize("workers", [0, 2])
def test_bad_samples_are_skipped(workers):
    loader = data.DataLoader(Faulty(Own("broken")), batch_size=2, workers=workers, skip_bad=True)
    assert [b.tolist() for b in loader] == [[0, 1], [2], [4, 5]]
    assert loader.state_dict() == {"epoch": 1, "batch": 0, "skipped": 1}
    for error in (KeyboardInterrupt(), MemoryError(), ts.DeviceLostError("lost")):
        with pytest.raises(type(error)):
            list(data.DataLoader(Faulty(error), batch_size=2, workers=workers, skip_bad=True))


@pytest.mark.parametrize("prefetch", [5, 6000])
def test_many_exceptions_wait(prefetch):
    class Held:
        def __del__(self):
            time.sleep(0)  # hands the GIL to another thread

    class Failing:
        def __len__(self):
            return 100_000

        def __getitem__(self, i):
            error = Own(i)
            error.held = Held()
            raise error

    loader = data.DataLoader(Failing(), workers=4, prefetch=prefetch)
    for epoch in range(3):  # exceptions of batches that nobody asks for are dropped
        loader.load_state_dict({"epoch": epoch, "batch": 0, "skipped": 0})
        for i in range(2):
            with pytest.raises(Own) as caught:
                next(iter(loader))
            assert caught.value.args == (i,)
            time.sleep(0.5 if prefetch > 5 else 0)


def test_exceptions_of_functions_have_the_name():
    mapped = data.map(data.from_arrays(np.arange(3)), lambda x: 1 // (int(x) - 1))
    with pytest.raises(ZeroDivisionError) as caught:
        list(data.DataLoader(mapped))
    assert "sample 1 (row 1)" in caught.value.__notes__[0]


# ---- Threads ----


def test_samples_are_loaded_ahead():
    loaded = []

    class Slow:
        def __len__(self):
            return 40

        def __getitem__(self, i):
            time.sleep(0.02)
            loaded.append(threading.get_ident())
            return i

    loader = data.DataLoader(Slow(), batch_size=4, workers=4, prefetch=2)
    start = time.monotonic()
    for batch in loader:
        time.sleep(0.05)  # the step
    assert len(set(loaded)) == 4 and threading.get_ident() not in loaded
    assert time.monotonic() - start < 1.0  # 0.8 s of loading and 0.5 s of steps: 1.3 s one after the other
    own = data.DataLoader(Slow(), batch_size=4, workers=0)
    loaded.clear()
    next(iter(own))
    assert set(loaded) == {threading.get_ident()}


def test_threads_keep_their_local_values():
    local, made = threading.local(), []

    class Connected:
        def __len__(self):
            return 40

        def __getitem__(self, i):
            if not hasattr(local, "connection"):
                local.connection = object()
                made.append(local.connection)
            return i

    loader = data.DataLoader(Connected(), batch_size=4, workers=2)
    assert len(numbers(loader)) == 40 and 1 <= len(made) <= 2
    before = threading.active_count()
    loader.close()
    assert threading.active_count() <= before


def test_a_loader_is_used_by_one_thread():
    entered, leave = threading.Event(), threading.Event()

    class Blocked:
        def __len__(self):
            return 2

        def __getitem__(self, i):
            entered.set()
            leave.wait()
            return i

    loader = data.DataLoader(Blocked(), workers=1)
    thread = threading.Thread(target=lambda: next(iter(loader)))
    thread.start()
    entered.wait()
    time.sleep(0.02)
    with pytest.raises(ts.Error, match="another thread"):
        next(iter(loader))
    leave.set()
    thread.join()
    loader.close()
    loader.close()
    with pytest.raises(ts.Error, match="closed"):
        len(loader)


def test_loaders_go_with_their_last_reference():
    dataset = Squares(1000)
    alive = weakref.ref(dataset)
    for _ in range(20):
        loader = data.DataLoader(dataset, batch_size=2, workers=3)
        next(iter(loader))
        del loader  # in mid-epoch, while its threads load
    del dataset
    gc.collect()
    assert alive() is None


def run(code):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60)


def test_the_end_of_the_interpreter():
    """Loaders that are in use at the exit, on their own threads too, and those that samples print from."""
    done = run("""
        import time
        from tessera import data
        class Printing:
            def __len__(self): return 1000
            def __getitem__(self, i):
                print(end="")
                time.sleep(0.001)
                return i
        loader = data.DataLoader(Printing(), batch_size=4, workers=4)
        other = iter(data.DataLoader(Printing(), batch_size=4, workers=4))
        next(iter(loader)), next(other)
        cycle = [loader]
        cycle.append(cycle)
        print("end")
    """)
    assert done.returncode == 0 and done.stdout == "end\n" and not done.stderr, (done.returncode, done.stderr)


def test_interrupts():
    """Ctrl-C while a batch is on its way: KeyboardInterrupt, and the loader goes on with that batch."""
    done = run("""
        import os, signal, threading, time
        from tessera import data
        class Slow:
            def __len__(self): return 4
            def __getitem__(self, i):
                release.wait()
                return i
        for workers in (0, 2):
            release = threading.Event()
            loader = data.DataLoader(Slow(), batch_size=2, workers=workers)
            def later():
                time.sleep(0.15)
                os.kill(os.getpid(), signal.SIGINT)
            thread = threading.Thread(target=later)
            thread.start()
            start = time.monotonic()
            try:
                next(iter(loader))
            except KeyboardInterrupt:
                print("interrupted", time.monotonic() - start < 2)
            thread.join()
            release.set()
            print(sum(len(b) for b in loader))
    """)
    assert done.returncode == 0 and done.stdout.split() == ["interrupted", "True", "2", "interrupted", "True", "4"], (done.stdout, done.stderr)


def test_python_has_what_the_headers_declare():
    include = ROOT / "include" / "tessera" / "data"
    text = "".join(p.read_text() for p in sorted(include.glob("*.h")))
    names = set(re.findall(r"^(?:\[\[nodiscard\]\] )?(?:DatasetPtr|Tensor|Array|void|ImageLibrary|std::vector<DatasetPtr>|std::pair<Tensor, Tensor>) "
                           r"(\w+)\(", text, re.M))
    assert names >= {"from_arrays", "from_csv", "random_crop", "save_png"}
    missing = names - set(data.__all__) - {"from_tensors", "from_function"}  # arrays take tensors; an object is a function
    assert not missing
