"""The Trainer in Python: loss functions, metrics, callbacks, interrupts, checkpoints, logs, and progress where it is shown."""

import gc
import io
import json
import math
import re
import subprocess
import sys
import textwrap
import threading
import time
import types
import weakref
import zipfile
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
from tessera import data, nn, optim, train

ROOT = Path(__file__).resolve().parent.parent.parent


def points(count=64, seed=0):
    x = np.random.default_rng(seed).normal(size=(count, 2)).astype(np.float32)
    return data.from_arrays({"x": x, "y": (x.sum(1) > 0).astype(np.int32)})


class Net(nn.Module):
    def __init__(self):
        self.parts = [nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Dropout(0.1), nn.Linear(8, 2)]
        self.calls = 0
        self.modes = []

    def forward(self, x):
        self.calls += 1
        self.modes.append([m.training for m in self.modules()])
        for part in self.parts:
            x = part(x)
        return x


def trainer(model=None, metric=True, **options):
    ts.random.seed(5)
    model = model or Net()
    accuracy = train.Accuracy()

    def loss(batch):
        logits = model(batch["x"])
        if metric:
            accuracy.update(logits, batch["y"])
        return nn.functional.cross_entropy(logits, batch["y"])

    options = {"progress": False, **options}
    made = train.Trainer(model, optim.Adam(model, lr=0.05), loss, **options)
    if metric:
        made.metric("accuracy", accuracy)
    return made


def loader(batch_size=16, count=64, **options):
    return data.DataLoader(points(count), batch_size=batch_size, shuffle=True, seed=1, **options)


def state_of(t):
    return {k: v.tolist() for k, v in {**t.model.state_dict(), **t.optimizer.state_dict()}.items()}


class Log(train.Callback):
    def __init__(self):
        self.events = []

    def on_start(self, trainer):
        self.events.append("start")

    def on_step(self, trainer, step, loss):
        self.events.append((step, loss.item()))

    def on_validation(self, trainer, step, values):
        self.events.append(("validation", step, sorted(values)))

    def on_epoch(self, trainer, epoch, values):
        self.events.append(("epoch", epoch, sorted(values)))

    def on_checkpoint(self, trainer, step):
        self.events.append(("checkpoint", step))

    def on_end(self, trainer):
        self.events.append("end")

    @property
    def losses(self):
        return [e[1] for e in self.events if isinstance(e, tuple) and isinstance(e[0], int)]


# ---- The loop ----


def test_a_model_of_python_is_trained():
    t, log = trainer(epochs=20), Log()
    t.callback(log)
    result = t.fit(loader(), data.DataLoader(points(32, seed=1), batch_size=16))
    assert result.step == t.step == 80 and result.ending == "done" and result.losses_of_device == 0
    assert result.train["accuracy"] > 0.9 and result.validation["accuracy"] > 0.9
    assert result.best is not None and result.best <= result.validation["loss"] + 1e-6
    assert len(log.losses) == 80 and log.losses[-1] < 0.5 * log.losses[0]
    assert log.events[0] == "start" and log.events[-1] == "end" and log.events.count(("epoch", 3, ["accuracy", "loss"])) == 1
    # Traced once in training and once in evaluation mode; the modes of the user's modules are as they were.
    assert t.model.calls == 2 and t.model.modes[0] == [True] * 5 and t.model.modes[1] == [False] * 5
    assert all(m.training for m in t.model.modules())
    values = t.evaluate(data.DataLoader(points(32, seed=1), batch_size=16))
    assert values == pytest.approx(result.validation)
    t.model.eval()
    t.fit(loader())
    assert t.model.modes[-1] == [True] * 5 and not t.model.training


def test_the_same_as_a_loop_of_ones_own():
    t, log = trainer(metric=False, epochs=2, clip_norm=0.5), Log()
    t.callback(log)
    t.fit(loader())
    ts.random.seed(5)
    model = Net()
    optimizer = optim.Adam(model, lr=0.05)

    @ts.compile(state=[model, optimizer])
    def step(batch):
        loss, gradients = ts.value_and_grad(model, lambda: nn.functional.cross_entropy(model(batch["x"]), batch["y"]))()
        optimizer.update(model, optim.clip_grad_norm(gradients, 0.5)[0])
        return loss

    batches = loader()
    losses = [step(batch).item() for _ in range(2) for batch in batches]
    assert log.losses == pytest.approx(losses, abs=1e-6)
    assert np.allclose(model.parts[0].weight, t.model.parts[0].weight, atol=1e-6)


@pytest.mark.parametrize("options", [dict(accumulate=2), dict(autocast=ts.bfloat16), dict(autocast="float16"), dict(steps=3)])
def test_options(options):
    t, log = trainer(epochs=2, **options), Log()
    t.callback(log)
    result = t.fit(loader())
    assert result.step == {"accumulate": 4, "steps": 3}.get(next(iter(options)), 8) == len(log.losses)
    assert all(map(math.isfinite, log.losses))


def test_samples_without_names_and_parameters_in_a_dict():
    w = {"w": ts.zeros(3), "b": ts.zeros(())}
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 3)).astype(np.float32)
    rows = [(row, float(row @ [1, 2, 3] + 4)) for row in x]

    def loss(batch):
        x, y = batch
        return ((x @ w["w"] + w["b"] - y) ** 2).mean()

    t = train.Trainer(w, optim.Adam(w, lr=0.2), loss, epochs=60, progress=False)
    result = t.fit(data.DataLoader(rows, batch_size=20, workers=0))
    assert result.train["loss"] < 1e-2 and np.allclose(w["w"], [1, 2, 3], atol=0.1)


def test_frozen_parameters_and_variables_stay():
    t = trainer(epochs=1)
    t.model.freeze("parts.0.*")
    t.optimizer = optim.SGD(t.model, lr=0.1)
    t.model.parts[3].bias.requires_grad = True
    before, other = t.model.parts[0].weight.tolist(), t.model.parts[3].weight.tolist()
    made = train.Trainer(t.model, t.optimizer, lambda b: nn.functional.cross_entropy(t.model(b["x"]), b["y"]), progress=False)
    made.fit(loader())
    assert t.model.parts[0].weight.tolist() == before and t.model.parts[3].weight.tolist() != other
    assert t.model.parts[3].bias.requires_grad


def test_objects_of_the_step():
    """An average, a module and a dict that the loss function changes are part of the step."""
    model, counter, sums = nn.Linear(2, 2), nn.Module(), {"seen": ts.zeros(())}
    counter.register_buffer("count", ts.zeros(()))
    ema = optim.Ema(model, 0.5)

    def loss(batch):
        ema.update(model)
        counter.count = counter.count + 1
        sums["seen"] = sums["seen"] + batch["x"].shape[0]
        return nn.functional.cross_entropy(model(batch["x"]), batch["y"])

    t = train.Trainer(model, optim.SGD(model, lr=0.1), loss, epochs=2, progress=False)
    t.state("ema", ema)
    t.state("counter", counter)
    t.state("sums", sums)
    t.fit(loader())
    assert counter.count.item() == 8 and sums["seen"].item() == 128
    assert ema.parameters()["weight"].tolist() != model.weight.tolist()
    with pytest.raises(ts.Error, match="state"):
        train.Trainer(model, optim.SGD(model, lr=0.1), loss, progress=False).fit(loader())


class Largest(train.Metric):
    def __init__(self):
        self.largest = ts.full((), -1e30)

    def update(self, x):
        self.largest = ts.maximum(self.largest, x.max())

    def value(self):
        return self.largest

    def reset(self):
        self.largest = ts.full((), -1e30)


def test_a_metric_of_python():
    model, largest = nn.Linear(2, 2), Largest()

    def loss(batch):
        largest.update(batch["x"])
        return nn.functional.cross_entropy(model(batch["x"]), batch["y"])

    t = train.Trainer(model, optim.SGD(model, lr=0.1), loss, epochs=2, progress=False)
    t.metric("largest", largest)
    result = t.fit(loader(), data.DataLoader(points(8, seed=3), batch_size=4))
    x = [s["x"] for s in points()]
    assert result.train["largest"] == pytest.approx(float(np.max(x)))
    assert result.validation["largest"] == pytest.approx(max(float(s["x"].max()) for s in points(8, seed=3)))


def test_metrics():
    logits, target = ts.array([[0.1, 0.9, 0.0], [0.8, 0.2, 0.1], [0.2, 0.3, 0.9], [0.5, 0.4, 0.1]]), ts.array([1, 0, 2, 1])
    for metric, arguments, expected in (
            (train.Mean(), (ts.array([1.0, 3.0]),), 2.0), (train.Accuracy(), (logits, target), 0.75),
            (train.Accuracy(ignore_index=1), (logits, target), 1.0), (train.TopKAccuracy(2), (logits, target), 1.0),
            (train.ConfusionMatrix(3), (logits, target), [[1, 0, 0], [1, 1, 0], [0, 0, 1]]),
            (train.Precision(3), (logits, target), (0.5 + 1 + 1) / 3), (train.Recall(3), (logits, target), (1 + 0.5 + 1) / 3),
            (train.F1(3, average="none"), (logits, target), [2 / 3, 2 / 3, 1.0]),
            (train.Auc(), (ts.array([0.1, 0.4, 0.35, 0.8]), ts.array([0, 0, 1, 1])), 0.75),
            (train.Perplexity(), (ts.zeros((2, 5)), ts.array([0, 3])), 5.0),
            (train.MeanAbsoluteError(), (ts.array([1.0, 2.0]), ts.array([0.0, 4.0])), 1.5),
            (train.MeanSquaredError(root=True), (ts.array([1.0, 2.0]), ts.array([0.0, 2.0])), math.sqrt(0.5))):
        metric.update(*arguments)
        assert np.allclose(metric.value().tolist(), expected, atol=1e-3), metric
        saved = metric.state_dict()
        metric.reset()
        metric.update(*arguments)
        metric.update(*arguments)
        metric.load_state_dict(saved)
        assert np.allclose(metric.value().tolist(), expected, atol=1e-3), metric
        step = ts.compile(metric.update, state=[metric])
        step(*arguments)
        assert step.traces == 1
        if not isinstance(metric, (train.ConfusionMatrix,)):
            assert np.allclose(metric.value().tolist(), expected, atol=1e-3), metric
        with pytest.raises(ts.Error, match="state"):
            ts.compile(metric.update)(*arguments)
    for wrong in (lambda: train.F1(3, average="most"), lambda: train.ConfusionMatrix(0), lambda: train.Accuracy(ignore_index=1.5),
                  lambda: train.Metric().value(), lambda: train.Accuracy().update(ts.zeros((2, 3)), ts.zeros(2))):
        with pytest.raises(ts.Error):
            wrong()


def test_python_has_what_the_headers_declare():
    include = ROOT / "include" / "tessera" / "train"
    text = "".join(p.read_text() for p in sorted(include.glob("*.h")))
    metrics = set(re.findall(r"^class (\w+) : public (?:Metric|ClassScore)", text, re.M)) - {"ClassScore"}
    assert metrics == set(ts._core._metric_kinds()) and all(issubclass(getattr(train, m), train.Metric) for m in metrics)
    body = re.search(r"struct TrainerOptions \{(.*?)\n\};", text, re.S).group(1)
    options = set(re.findall(r"(\w+) =(?: \{\}|[^;{]*)?;", re.sub(r"//[^\n]*", "", body)))
    import inspect

    options = options - {"exchange"} | {"bucket_bytes", "wire"}  # GradientOptions
    assert options - {"print", "terminal"} == set(inspect.signature(train.Trainer).parameters) - {"model", "optimizer", "loss"}
    body = re.search(r"struct Callback \{(.*?)\n\};", text, re.S).group(1)
    assert set(re.findall(r"virtual [\w:]+ (\w+)\(", body)) == {n for n in vars(train.Callback) if not n.startswith("_")}


# ---- Ends ----


def test_exceptions_arrive_as_themselves():
    class Own(Exception):
        pass

    def failing(*_):
        raise Own("broken")

    model = nn.Linear(2, 2)
    t = train.Trainer(model, optim.SGD(model), failing, progress=False)
    with pytest.raises(Own):
        t.fit(loader())
    with pytest.raises(TypeError, match="3 of type int"):
        train.Trainer(model, optim.SGD(model), lambda b: 3, progress=False).fit(loader())
    for event in ("on_start", "on_step", "on_epoch", "on_end"):
        t = trainer()
        t.callback(type("Failing", (train.Callback,), {event: failing})())
        with pytest.raises(Own):
            t.fit(loader())

    class Faulty:
        def __len__(self):
            return 64

        def __getitem__(self, i):
            if i == 40:
                raise Own("sample")
            return {"x": np.zeros(2, np.float32), "y": 0}

    for workers in (0, 2):
        t = trainer()
        batches = data.DataLoader(Faulty(), batch_size=16, workers=workers)
        with pytest.raises(Own) as caught:
            t.fit(batches)
        assert "sample 40" in caught.value.__notes__[0] and t.step == 2
        with pytest.raises(Own):
            t.evaluate(batches)
        with pytest.raises(Own):
            trainer().fit(loader(), batches)


def test_wrong_arguments():
    model = nn.Linear(2, 2)
    optimizer = optim.SGD(model)
    for wrong in (lambda: train.Trainer(3, optimizer, len), lambda: train.Trainer(model, 3, len), lambda: train.Trainer(model, optimizer, model),
                  lambda: train.Trainer(model, optimizer, len, epochs=-1), lambda: train.Trainer(model, optimizer, len, epochs=1.5),
                  lambda: train.Trainer(model, optimizer, len, out=3), lambda: trainer().fit([1]), lambda: trainer().metric("a", 3),
                  lambda: trainer().callback(lambda: 0), lambda: trainer().state("a", 3), lambda: trainer().plateau(3),
                  lambda: trainer().fit(loader(), 3)):
        with pytest.raises(ts.Error):
            wrong()
    same = loader()
    with pytest.raises(ts.Error, match="uses it"):
        trainer().fit(same, same)


def test_stop_and_early_stopping():
    class Stop(train.Callback):
        def on_step(self, trainer, step, loss):
            if step == 3:
                trainer.stop()

    t = trainer(epochs=5)
    t.callback(Stop())
    assert t.fit(loader()).ending == "stopped" and t.step == 3
    t = trainer(epochs=50, patience=2, monitor="accuracy", maximize=True)
    result = t.fit(loader(), data.DataLoader(points(16, seed=2), batch_size=16))
    assert result.ending == "early" and result.step < 200
    t = trainer(epochs=1000)
    thread = threading.Timer(0.2, t.stop)
    thread.start()
    assert t.fit(loader()).ending == "stopped"


def test_callbacks_use_everything():
    class Uses(train.Callback):
        def __init__(self):
            self.values = []

        def on_epoch(self, trainer, epoch, values):
            self.values.append(trainer.evaluate(data.DataLoader(points(16), batch_size=8)))
            trainer.model.eval()
            trainer.model.train()
            trainer.optimizer.learning_rate = 1e-3
            with pytest.raises(ts.Error):
                trainer.fit(loader())

    t, uses = trainer(epochs=2), Uses()
    t.callback(uses)
    assert t.fit(loader()).step == 8 and len(uses.values) == 2
    assert all(v["accuracy"] >= 0 for v in uses.values)


def test_interrupts():
    """Ctrl-C finishes the step and saves; the second one, and the first one without stop_on_interrupt, raise KeyboardInterrupt."""
    code = f"""
        import os, signal, sys, tempfile, threading, time
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from test_train import *
        class At(train.Callback):
            def on_step(self, trainer, step, loss):
                if step == 5:
                    os.kill(os.getpid(), signal.SIGINT)
        handler = signal.getsignal(signal.SIGINT)
        out = tempfile.mkdtemp()
        t = trainer(epochs=100, out=out)
        t.callback(At())
        print(t.fit(loader()).ending, t.step, train.Checkpoints(os.path.join(out, "checkpoints")).latest)
        assert signal.getsignal(signal.SIGINT) is handler
        t = trainer(epochs=100000, stop_on_interrupt=False)
        t.callback(At())
        try:
            t.fit(loader())
        except KeyboardInterrupt:
            print("raised", t.step < 100000)
        class Stuck:
            def __len__(self): return 64
            def __getitem__(self, i):
                if i >= 32:
                    entered.set()
                    release.wait()
                return {{"x": np.zeros(2, np.float32), "y": 0}}
        entered, release = threading.Event(), threading.Event()
        def twice():
            entered.wait()
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=twice).start()
        stuck = data.DataLoader(Stuck(), batch_size=16)
        try:
            trainer().fit(stuck)
        except KeyboardInterrupt:
            print("twice")
        release.set()
        try:
            time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        except KeyboardInterrupt:
            print("still Python's")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:4] == ["interrupted 5 5", "raised True", "twice", "still Python's"], (done.stdout, done.stderr)


def test_trainers_go_with_their_last_reference():
    t = trainer()
    t.fit(loader())
    model, own = weakref.ref(t.model), weakref.ref(t)
    t.self = t  # a circle through the loss function too
    loss = t._loss
    loss.trainer = t
    del t, loss
    gc.collect()
    assert own() is None and model() is None


# ---- Runs that survive ----


def test_a_run_continues(tmp_path):
    whole, log = trainer(epochs=4), Log()
    whole.callback(log)
    whole.fit(loader())

    class Breaks(Exception):
        pass

    class Break(train.Callback):
        def __init__(self):
            self.count = 0

        def on_step(self, trainer, step, loss):
            self.count += 1
            if step == 11:
                raise Breaks

        def state(self):
            return str(self.count)

        def set_state(self, text):
            self.count = int(text)

    first, breaks = trainer(epochs=4, out=tmp_path / "ä run", checkpoint_every=3), Break()
    first.callback(breaks)
    with pytest.raises(Breaks):
        first.fit(loader())
    assert train.Checkpoints(tmp_path / "ä run" / "checkpoints").latest == 9
    second, rest = trainer(epochs=4, out=tmp_path / "ä run", checkpoint_every=3), Log()
    counts = type("Counts", (Break,), {"on_step": lambda self, trainer, step, loss: None})()
    second.callback(counts)
    second.callback(rest)
    result = second.fit(loader())
    assert result.step == 16 and rest.losses == log.losses[9:]
    assert state_of(second) == state_of(whole)
    assert counts.count == 9
    lines = train.read_log(tmp_path / "ä run")
    assert [line.step for line in lines if line.kind == "train"] == sorted({line.step for line in lines if line.kind == "train"})
    other = trainer(out=tmp_path / "ä run")
    assert other.load_latest() and state_of(other) == state_of(whole)
    assert other.load_best() and not trainer(out=tmp_path / "none").load_latest()


def test_a_save_is_finished_at_the_exit(tmp_path):
    code = f"""
from tessera import nn, train
checkpoints = train.Checkpoints({str(tmp_path)!r})
checkpoints.save({{"model": nn.Linear(1000, 1000)}}, 7)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr and train.Checkpoints(tmp_path).latest == 7, done.stderr


def test_checkpoints(tmp_path):
    model = Net()
    optimizer, tree, metric = optim.Adam(model), {"a": ts.ones(2), "b": {"c": ts.zeros(3)}}, train.Accuracy()
    objects = {"model": model, "optimizer": optimizer, "tree": tree, "metric": metric}
    checkpoints = train.Checkpoints(tmp_path, keep_last=2)
    assert checkpoints.latest is None and checkpoints.best is None and checkpoints.steps == []
    with pytest.raises(ts.Error, match="no checkpoint"):
        checkpoints.load(checkpoints.latest, objects)
    for step in range(1, 5):
        tree["a"][...] = ts.full(2, step)
        checkpoints.save(objects, step, {"note": f"ü {step}"}, metric=abs(step - 1))
    checkpoints.wait()
    assert checkpoints.steps == [1, 3, 4] and checkpoints.best == 1
    weight = model.parts[0].weight
    run = train.Checkpoints(tmp_path).load(3, objects)
    assert run == (3, {"note": "ü 3"}) and tree["a"].tolist() == [3, 3] and model.parts[0].weight is weight
    assert (tmp_path / "step-000003" / "model.safetensors").exists()
    before = {k: v.tolist() for k, v in model.state_dict().items()}
    with pytest.raises(ts.Error, match="weight"):
        checkpoints.load(3, {"model": nn.Linear(3, 3)})
    path = tmp_path / "step-000004" / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(ts.Error):
        checkpoints.load(4, {**objects, "tree": tree})
    assert {k: v.tolist() for k, v in model.state_dict().items()} == before and tree["a"].tolist() == [3, 3]
    for wrong in (lambda: checkpoints.save([model], 1), lambda: checkpoints.save({"a": 3}, 1), lambda: train.Checkpoints(3)):
        with pytest.raises(ts.Error):
            wrong()


def test_a_checkpoint_of_a_page(tmp_path):
    """tests/web/checkpoints/make.mjs wrote it, with what the page computed then."""
    folder = ROOT / "tests" / "web" / "checkpoints"
    about = json.loads((folder / "browser.json").read_text())
    x, y = np.array(about["x"], np.float32), np.array(about["y"], np.int32)
    with zipfile.ZipFile(folder / "browser.zip") as archive:
        archive.extractall(tmp_path / "checkpoints")

    def network():
        return nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 2))

    # By a loop of one's own.
    model = network()
    optimizer = optim.Adam(model, lr=0.01)
    checkpoints = train.Checkpoints(tmp_path / "checkpoints")
    run = checkpoints.load(checkpoints.latest, {"model": model, "optimizer": optimizer})
    assert run.step == about["step"] == optimizer.steps.item() and sorted(run.values) == ["loader", "random", "trainer"]
    assert optimizer.learning_rate.item() == pytest.approx(0.05)
    np.testing.assert_allclose(model.eval()(ts.array(x[:8])).numpy(), about["logits"], atol=1e-4)
    weights = ts.load(tmp_path / "checkpoints" / f"step-{run.step:06}" / "model.safetensors")
    assert set(weights) == set(model.state_dict())
    # By a Trainer, which continues the run.
    model, log, accuracy = network(), Log(), train.Accuracy()

    def loss(batch):
        logits = model(batch["x"])
        accuracy.update(logits, batch["y"])
        return nn.functional.cross_entropy(logits, batch["y"])

    made = train.Trainer(model, optim.Adam(model, lr=0.05), loss, epochs=3, out=tmp_path, monitor="accuracy", maximize=True, progress=False)
    made.metric("accuracy", accuracy)
    made.callback(log)
    result = made.fit(data.DataLoader(data.from_arrays({"x": x, "y": y}), batch_size=8))
    assert result.ending == "done" and result.step == 24 and result.best == pytest.approx(about["best"])
    np.testing.assert_allclose(log.losses, about["losses"], rtol=1e-3, atol=1e-4)


# ---- Logs, plots, anomalies ----


def test_logs(tmp_path):
    with train.RunLog(tmp_path / "lög") as log:
        log.write(1, "train", {"loss": 0.5, "rate": math.inf})
        log.note(1, "ünd")
        log.write(2, "train", {"loss": math.nan})
        log.flush()
        log.write(1, "validation", {"loss": 3.0})
        log.continue_from(1, again=["validation"])
        log.write(2, "train", {"loss": np.float32(0.25)})
    lines = train.read_log(tmp_path / "lög")
    assert [(line.step, line.kind) for line in lines] == [(1, "train"), (1, "note"), (2, "train")]
    assert lines[0].values == {"loss": 0.5, "rate": math.inf} and lines[1].text == "ünd" and lines[2].values == {"loss": 0.25}
    assert abs(lines[0].time - time.time()) < 60
    assert json.loads((tmp_path / "lög" / "log.jsonl").read_text().split("\n")[0])["loss"] == 0.5
    for wrong in (lambda: log.write(3, "train", {}), lambda: train.RunLog(tmp_path / "b").write(1, "train", {"step": 1.0}),
                  lambda: train.RunLog(tmp_path / "b").write(1, "train", {"a": "b"}), lambda: train.read_log(tmp_path / "none")):
        with pytest.raises(ts.Error):
            wrong()


def test_plots():
    curves = {"lőss": ([0, 10, 20], [1.0, math.nan, 0.25]), "other": np.linspace(1, 2, 5)}
    text = train.plot(curves, "Title", width=60, height=12)
    assert "Title" in text and "lőss" in text and len(text.split("\n")) == 13 and max(map(len, text.split("\n"))) <= 60
    svg = train.plot_svg(curves, "Title", y_label="loss", log_y=True)
    assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>") and "lőss" in svg
    import xml.dom.minidom

    xml.dom.minidom.parseString(svg)
    for wrong in (lambda: train.plot([1, 2]), lambda: train.plot({"a": ([1, 2], [1])}), lambda: train.plot(curves, width=3)):
        with pytest.raises(ts.Error):
            wrong()


def test_anomalies():
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    before = {k: v.tolist() for k, v in model.state_dict().items()}
    found = train.detect_anomaly(model, lambda: ts.log(model(ts.full((1, 2), -1e9)) * 0).sum())
    assert found and found.op == "log" and "-inf" in found.text and not found.backward and found.module == ""

    class Inner(nn.Module):
        def forward(self, x):
            return ts.log(x)

    class Outer(nn.Module):
        def __init__(self):
            self.up, self.parts = nn.Linear(2, 2), [nn.ReLU(), Inner()]

        def forward(self, x):
            return self.parts[1](self.parts[0](self.up(x) * 0 - 1))

    outer = Outer()
    assert train.detect_anomaly(outer, lambda: outer(ts.ones((1, 2))).sum()).module == "parts.1"
    assert not train.detect_anomaly(model, lambda: model(ts.ones((1, 2))).sum())
    assert {k: v.tolist() for k, v in model.state_dict().items()} == before
    with pytest.raises(TypeError, match="3 of type int"):
        train.detect_anomaly(model, lambda: 3)
    t = trainer(metric=False)
    rows = [{"x": np.full(2, math.nan if i == 40 else 0, np.float32), "y": 0} for i in range(64)]
    with pytest.raises(ts.Error, match="step 3"):
        t.fit(data.DataLoader(rows, batch_size=16))


# ---- Progress ----


def test_progress_goes_through_pythons_output(capsys):
    t = trainer(epochs=3, progress=True)
    t.fit(loader())
    out = capsys.readouterr().out
    assert "12/12" in out and "loss" in out and "\033" not in out and "samples/s" in out
    stream = io.StringIO()
    stream.isatty = lambda: True
    sys.stdout, kept = stream, sys.stdout
    try:
        t = trainer(epochs=1, progress=True)
        t.fit(loader())
    finally:
        sys.stdout = kept
    assert "\r\033[K" in stream.getvalue() and "4/4" in stream.getvalue()


def test_progress_in_a_notebook_that_runs():
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cell = nbformat.v4.new_code_cell("""
from tessera import train
import time
progress = train.Progress(steps=3)
print("before")
for step in (1, 2, 3):
    time.sleep(0.25)
    progress.show(step, {"loss": 1 / step})
progress.close()
print("behind")""")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    nbclient.NotebookClient(notebook, timeout=60).execute()
    outputs = [(o.output_type, o.get("text") or o.data["text/plain"]) for o in cell.outputs]
    assert outputs[0] == ("stream", "before\n") and outputs[2] == ("stream", "behind\n"), outputs
    assert outputs[1][0] == "display_data" and "3/3" in outputs[1][1] and "\033" not in outputs[1][1], outputs


def test_progress_in_a_notebook(monkeypatch, capsys):
    """One output of the cell is updated; lines that stay are printed."""
    shown, updates = [], []

    class Handle:
        def update(self, value, raw):
            updates.append(value["text/plain"])

    def display(value, raw, display_id):
        assert raw and display_id
        shown.append(value["text/plain"])
        return Handle()

    ipython, sub = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    sub.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", sub)

    class Slow(train.Callback):
        def on_step(self, trainer, step, loss):
            time.sleep(0.25)

    t = trainer(epochs=1, progress=True)
    t.callback(Slow())
    t.fit(loader())
    assert len(shown) == 1 and "1/4" in shown[0] and len(updates) >= 2 and "4/4" in updates[-1]
    assert "\033" not in "".join(shown + updates) and "\r" not in "".join(shown + updates)
    assert "\033" not in capsys.readouterr().out
    ipython.get_ipython = lambda: None  # IPython is there, and this is none of its kernels
    progress = train.Progress(steps=2)
    progress.show(1, {"loss": 0.5})
    progress.close()
    assert "1/2" in capsys.readouterr().out and len(shown) == 1
