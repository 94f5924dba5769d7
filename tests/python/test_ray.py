"""tessera.ray: models over Ray Datasets, in two workers on this machine."""

import logging
import os
import subprocess
import sys
import uuid
import warnings
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
import tessera.ray

ROOT = Path(__file__).resolve().parent.parent.parent
WORKERS_PATH = os.pathsep.join([os.path.dirname(os.path.dirname(ts.__file__)), str(ROOT / "examples/python"), os.environ.get("PYTHONPATH", "")])
ROWS = np.random.default_rng(0).normal(size=(100, 3)).astype(np.float32)


def test_without_ray(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setitem(sys.modules, "ray.data", None)
    with pytest.raises(ImportError, match=r'tessera.ray needs Ray Data, .*: install it with pip install "ray\[data\]"\.'):
        ts.ray.map_batches(None, lambda: None)


def test_the_import_needs_no_ray():
    code = "import sys; sys.modules['ray'] = None; import tessera.ray"
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ, PYTHONPATH=WORKERS_PATH))


@pytest.fixture(scope="module")
def data():
    """ray.data with a cluster of this machine alone: two CPUs for workers, and one for tasks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # 127.0.0.1 on Linux too
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", uuid.uuid4().hex)  # otherwise Ray writes one into the home folder
        patch.setenv("PYTHONPATH", WORKERS_PATH)
        patch.delenv("TESSERA_THREADS", raising=False)
        data = pytest.importorskip("ray.data", reason="Ray is not installed: pip install \"ray[data]\"", exc_type=ImportError)
        import ray

        ray.init(address="local", num_cpus=3, num_gpus=0, include_dashboard=False, log_to_driver=False, logging_level="ERROR",
                 object_store_memory=100 << 20)
        data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # after its own configuration
        yield data
        ray.shutdown()


def table(data, blocks=2, **columns):
    """A dataset of arrays by column, with their position in "id"."""
    columns = {"id": np.arange(len(next(iter(columns.values())))), **columns}
    parts = zip(*(np.array_split(values, blocks) for values in columns.values()))
    import pandas

    return data.from_pandas([pandas.DataFrame({name: list(x) if x.ndim > 1 else x for name, x in zip(columns, part)}) for part in parts])


def rows_of(dataset):
    """The columns of all rows, in the order of "id"."""
    rows = dataset.take_batch(1000, batch_format="numpy")
    order = np.argsort(rows["id"])
    return {name: np.stack(list(values))[order] for name, values in rows.items()}


def test_a_module(data, tmp_path):
    ts.random.seed(3)
    model = ts.nn.Sequential(ts.nn.Linear(3, 8), ts.nn.Dropout(0.5), ts.nn.ReLU(), ts.nn.Linear(8, 2))
    ts.save(tmp_path / "model.safetensors", model.state_dict())

    def load():
        model = ts.nn.Sequential(ts.nn.Linear(3, 8), ts.nn.Dropout(0.5), ts.nn.ReLU(), ts.nn.Linear(8, 2))
        model.load_state_dict(ts.load(tmp_path / "model.safetensors"))
        with open(tmp_path / "loads", "a") as file:
            file.write(f"{os.getpid()}\n")
        return model

    dataset = table(data, 4, x=ROWS)  # blocks of 25 rows: batches of 16 and 9
    found = rows_of(ts.ray.map_batches(dataset, load, inputs="x", outputs="score", batch_size=16, workers=2))
    assert list(found) == ["id", "x", "score"] and found["score"].dtype == np.float32
    assert np.allclose(found["score"], model.eval()(ts.array(ROWS)), atol=1e-6)
    pids = (tmp_path / "loads").read_text().split()
    assert len(pids) == len(set(pids)) == 2 and str(os.getpid()) not in pids


def test_one_trace_for_all_batches_and_threads(data):
    def load():
        calls = []

        def function(x):
            calls.append(x.shape[0])
            return {"sum": x.sum(axis=1), "sizes": ts.full((x.shape[0],), len(calls)), "rows": ts.full((x.shape[0],), x.shape[0])}

        return function

    dataset = table(data, 3, x=ROWS)
    for compile, sizes in ((True, {16}), (False, {16, 1, 2})):  # blocks of 34, 33 and 33 rows
        found = rows_of(ts.ray.map_batches(dataset, load, inputs=["x"], keep="id", batch_size=16, compile=compile))
        assert np.allclose(found["sum"], ROWS.sum(axis=1), atol=1e-6) and set(found["rows"].tolist()) == sizes
        assert (set(found["sizes"].tolist()) == {1}) == compile

    def threads():
        return lambda x: ts.full((x.shape[0],), int(os.environ["TESSERA_THREADS"]))

    found = ts.ray.map_batches(dataset, threads, inputs="x", keep=[], num_cpus=2, device="cpu").take_all()
    assert len(found) == 100 and all(row == {"output": 2} for row in found)


def test_several_inputs_and_results(data):
    a, b = np.arange(10, dtype=np.int64), np.linspace(0, 1, 10)
    dataset = table(data, a=a, b=b)

    def load():
        return lambda b, a: {"both": a + b, "grid": ts.stack([a, a], axis=1), "wide": ts.astype(b, ts.bfloat16)}

    found = rows_of(ts.ray.map_batches(dataset, load, inputs=["b", "a"], keep=["id"], batch_size=4))
    assert list(found) == ["id", "both", "grid", "wide"]
    assert np.allclose(found["both"], a + b) and found["both"].dtype == np.float32  # float64 becomes float32
    assert found["grid"].tolist() == [[i, i] for i in range(10)] and found["grid"].dtype == np.int64
    found = rows_of(ts.ray.map_batches(dataset, load, inputs=["b", "a"], outputs=["both"], dtypes={"b": ts.float64}, device=lambda: "cpu"))
    assert list(found) == ["id", "a", "b", "both"] and np.array_equal(found["both"], a + b)
    found = rows_of(ts.ray.map_batches(dataset, lambda: lambda a: (a, -a), inputs="a", outputs=["same", "less"], keep="id", dtypes="int32"))
    assert found["less"].tolist() == (-a).tolist() and found["less"].dtype == np.int32
    found = ts.ray.map_batches(data.from_numpy(ROWS), lambda: lambda x: (x, x[:, 0]), keep=()).take_all()
    assert len(found) == 100 and found[0].keys() == {"output_0", "output_1"}


def test_rows_of_lists(data):
    items = [{"id": i, "x": [i, 2 * i], "image": [[1.5, i], [i, 0.5]]} for i in range(5)]
    found = rows_of(ts.ray.map_batches(data.from_items(items), lambda: lambda x, y: (x, y.sum(axis=(1, 2))), inputs=["x", "image"], keep="id"))
    assert found["output_0"].tolist() == [[i, 2 * i] for i in range(5)] and found["output_1"].tolist() == [2 + 2 * i for i in range(5)]


def test_no_rows(data, monkeypatch):
    monkeypatch.setenv("TESSERA_THREADS", "1")
    assert ts.ray.map_batches(data.from_numpy(ROWS).limit(0), lambda: lambda x: x).take_all() == []
    worker = ts.ray._Worker(lambda: lambda x: x.sum(axis=1), None, None, [], None, batch_size=4, threads=1, device=None, compiled=True)
    assert worker({"x": ROWS[:0]})["output"].shape == (0,)


def test_errors_reach_the_driver(data):
    dataset = data.from_items([{"x": 1.0, "name": "a", "list": [1.0] * (1 + i % 2)} for i in range(4)])
    for load, options, text in [
        (lambda: lambda x: x, {"inputs": "name"}, "the column 'name' has values of type str; numbers, or arrays of numbers of one shape, are expected."),
        (lambda: lambda x: x, {"inputs": "list"}, "the column 'list' has rows of different shapes, [1] and [2]; numbers, or arrays"),
        (lambda: lambda x: x[:3], {"inputs": "x", "batch_size": 4}, "the result 'output' has the shape [3]; a first axis of 4 is expected, the number"),
        (lambda: 3, {"inputs": "x"}, "load() returned 3 of type int; a function or a Module is expected."),
    ]:
        with pytest.raises(Exception) as error:
            ts.ray.map_batches(dataset, load, num_cpus=0.25, **options).take_all()  # it takes seconds until Ray has ended the workers
        assert type(error.value).__name__ == "RayTaskError(UserCodeException)" and text in str(error.value), text


def test_errors_of_workers(monkeypatch):
    monkeypatch.setenv("TESSERA_THREADS", "1")
    batch = {"x": np.ones(2, np.float32), "day": np.array(["2020-01-01"] * 2, "datetime64[D]"), "none": np.array([None, None])}
    for function, options, text in [
        (lambda x: x, {"inputs": ["day"]}, "the column 'day' has values of dtype datetime64[D]; numbers, or arrays of numbers of one shape, are expected."),
        (lambda x: x, {"inputs": ["none"]}, "the column 'none' has values of type NoneType"),
        (lambda x: x, {"inputs": ["x", "y"]}, "inputs has the column 'y'; the dataset has the columns 'x', 'day', 'none'."),
        (lambda x: x, {}, "the dataset has the columns 'x', 'day', 'none'; name those of the arguments by inputs."),
        (lambda x: x, {"inputs": ["x"], "keep": ["z"]}, "keep has the column 'z'; the dataset has the columns 'x', 'day', 'none'."),
        (lambda x: x, {"inputs": ["x"], "outputs": ["x"], "keep": None}, "the result 'x' has the name of a column that is kept; give it another name by"),
        (lambda x: x.sum(), {"inputs": ["x"]}, "the result 'output' has the shape []; a first axis of 4 is expected, the number of rows in the batch."),
        (lambda x: 7, {"inputs": ["x"], "compiled": False}, "the result 'output' is 7 of type int; a tensor is expected."),
        (lambda x: (x, x), {"inputs": ["x"], "outputs": ["a"]}, "the function returned 2 tensors; outputs names 1, 'a'."),
        (lambda x: {"a": x}, {"inputs": ["x"], "outputs": ["b"]}, "outputs has 'b'; the function returned 'a'."),
    ]:
        options = {"inputs": None, "outputs": None, "keep": [], "compiled": True, **options}
        worker = ts.ray._Worker(lambda: function, dtypes=None, batch_size=4, threads=1, device=None, **options)
        with pytest.raises(ts.Error) as error:
            worker(batch)
        assert text in str(error.value), text


def test_errors_of_arguments(data):
    dataset = data.from_numpy(ROWS)
    model = ts.nn.Linear(3, 1)
    for arguments, options, kind, text in [
        ((ROWS, lambda: model), {}, TypeError, "a ray.data.Dataset is expected"),
        ((dataset, model), {}, TypeError, "was given as load; a function is expected that returns the model"),
        ((dataset, lambda: model), {"batch_size": 0}, ValueError, "batch_size is 0; a number of rows, at least 1, is expected."),
        ((dataset, lambda: model), {"workers": 0}, ValueError, "workers is 0; at least 1 is expected"),
        ((dataset, lambda: model), {"workers": (3, 2)}, ValueError, "of two numbers the smaller one first"),
        ((dataset, lambda: model), {"workers": "2"}, TypeError, "workers is '2'; a number, or a tuple"),
        ((dataset, lambda: model), {"inputs": 3}, TypeError, "inputs is 3; a name of a column or a list of them is expected."),
        ((dataset, lambda: model), {"inputs": []}, ValueError, "inputs is []; different names are expected, at least one."),
        ((dataset, lambda: model), {"outputs": ["a", "a"]}, ValueError, "different names are expected"),
        ((dataset, lambda: model), {"dtypes": "float31"}, TypeError, "float31"),
    ]:
        with pytest.raises(kind) as error:
            ts.ray.map_batches(*arguments, **options)
        assert text in str(error.value) and isinstance(error.value, ts.Error)
    with pytest.warns(UserWarning, match="the workers take 3 CPUs, and the cluster has 3. Tasks that read"):
        ts.ray.map_batches(data.range(4), lambda: lambda x: x, workers=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        ts.ray.map_batches(dataset.materialize(), lambda: lambda x: x, workers=(1, 3))


def test_the_example(data, capsys):
    sys.path.insert(0, str(ROOT / "examples/python"))
    import ray_scores

    ray_scores.main(["--rows", "5000", "--batch", "512", "--device", "cpu"])
    assert float(capsys.readouterr().out.split("5000 rows: ")[-1].split(" right")[0]) > 0.9


def test_the_page(data, tmp_path, monkeypatch, capsys):
    from test_docs import run

    monkeypatch.chdir(tmp_path)
    assert run("guide/ray.md") == 1
    assert "1000" in capsys.readouterr().out
