"""Mixed precision, loss scaling, gradient accumulation and checkpointed modules; models that PyTorch exported."""

import math
import threading
from pathlib import Path

import numpy as np
import pytest

import tessera as ts
from tessera import nn, optim
from tessera.nn import functional as F

MODELS = Path(__file__).resolve().parent.parent / "nn" / "models"


def test_autocast_scopes():
    x = ts.ones((2, 2))
    with ts.autocast(ts.float16):
        assert (x @ x).dtype == ts.float16
        assert ts.sum(x.astype(ts.float16)).dtype == ts.float32
        assert (x + (x @ x)).dtype == ts.float32
        with ts.autocast("bfloat16"):
            assert (x @ x).dtype == ts.bfloat16
        with ts.autocast(ts.float16, enabled=False):
            assert (x @ x).dtype == ts.float32
        seen = []
        thread = threading.Thread(target=lambda: seen.append((x @ x).dtype))
        thread.start()
        thread.join()
        assert seen == [ts.float32]
        assert (x @ x).dtype == ts.float16
        assert F.linear(x, x, ts.ones(2)).dtype == ts.float16
        assert nn.Linear(2, 2)(x).dtype == ts.float16
    assert (x @ x).dtype == ts.float32

    @ts.autocast(ts.bfloat16)
    def f(n):
        return x @ x if n == 0 else f(n - 1)

    assert f(2).dtype == ts.bfloat16
    assert (x @ x).dtype == ts.float32
    with pytest.raises(RuntimeError), ts.autocast(ts.float16):
        raise RuntimeError
    assert (x @ x).dtype == ts.float32
    with pytest.raises(TypeError, match="float16 or bfloat16 is expected"):
        ts.autocast(ts.float32)


@pytest.mark.parametrize("f", [
    ts.sum, ts.prod, ts.mean, ts.std, ts.var, lambda x: ts.cumulative_sum(x, axis=0), lambda x: ts.cumulative_prod(x, axis=0), ts.exp, ts.log,
    lambda x: x ** 2, lambda x: x ** 0.3, ts.logsumexp, ts.softmax, F.softmax, F.log_softmax, lambda x: F.layer_norm(x, (2,)),
    lambda x: F.group_norm(x, 1), lambda x: F.mse_loss(x, x * 0.5), lambda x: F.cross_entropy(x, ts.array([0, 1])), F.softplus,
    lambda x: F.normalize(x), lambda x: ts.linalg.vector_norm(x), lambda x: x.sum(), lambda x: x.mean(), lambda x: x.std(),
])
def test_wrappers_of_float32_ops(f):
    x = ts.array([[0.5, 1.0], [0.25, 0.75]], dtype=ts.float16)
    with ts.autocast(ts.float16):
        assert f(x).dtype == ts.float32
        assert f(x.astype(ts.float32)).dtype == ts.float32


def test_compiled_functions_are_traced_per_scope():
    f = ts.compile(lambda a: a @ a)
    x = ts.ones((2, 2))
    assert f(x).dtype == ts.float32
    with ts.autocast(ts.float16):
        assert f(x).dtype == ts.float16
    assert f(x).dtype == ts.float32
    assert f.traces == 2


def classifier():
    ts.random.seed(3)
    return nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 3))


@pytest.mark.parametrize("low", [None, "float16", "bfloat16"])
def test_overfit_one_batch(low):
    model = classifier()
    optimizer, scaler = optim.AdamW(model, lr=0.02), optim.LossScaler()
    x, y = ts.random.normal((16, 8)), ts.random.randint((16,), 0, 3)

    def loss_of(x, y):
        with ts.autocast(low or "float16", enabled=low is not None):
            loss = F.cross_entropy(model(x), y)
        return scaler.scale(loss), loss

    @ts.compile(state=[model, optimizer, scaler])
    def step(x, y):
        (_, loss), gradients = ts.value_and_grad(model, loss_of, has_aux=True)(x, y)
        assert all(g.dtype == ts.float32 for g in gradients.values())
        skipped = scaler.update(optimizer, model, gradients)
        return loss, skipped

    for _ in range(60):
        loss, skipped = step(x, y)
    assert loss.item() < 0.05
    assert step.traces == 1


def test_an_overflow_skips_the_update():
    model = nn.Linear(3, 2)
    optimizer, scaler = optim.AdamW(model, lr=0.1), optim.LossScaler(growth_interval=2)
    good = {n: ts.ones(p.shape) for n, p in model.parameters().items()}
    assert not scaler.update(optimizer, model, good).item()
    before = {n: np.array(t) for n, t in {**model.state_dict(), **optimizer.state_dict()}.items()}
    assert scaler.update(optimizer, model, {**good, "bias": ts.array([1.0, math.inf])}).item()
    after = {**model.state_dict(), **optimizer.state_dict()}
    for name, value in before.items():
        assert np.array_equal(np.array(after[name]), value), name
    assert scaler.factor.item() == 32768.0 and scaler.skipped.item() == 1
    unscaled = scaler.unscale(good)
    assert unscaled.finite.item() and unscaled.gradients["bias"].tolist() == [1 / 32768] * 2
    scaler.update(optimizer, model, unscaled._replace(gradients=optim.clip_grad_norm(unscaled.gradients, 1.0)[0]))
    scaler.update(optimizer, model, good)
    assert scaler.factor.item() == 65536.0
    other = optim.LossScaler()
    other.load_state_dict(scaler.state_dict())
    assert other.skipped.item() == 1
    with pytest.raises(ts.Error, match="above 1"):
        optim.LossScaler(growth_factor=0.5)
    with pytest.raises(TypeError, match="an optimizer is expected"):
        scaler.update(model, optimizer, good)


def test_micro_batches_equal_one_batch():
    whole, parts = classifier(), classifier()
    a, b = optim.AdamW(whole, lr=0.01), optim.AdamW(parts, lr=0.01)
    accumulator = optim.Accumulator(parts)
    x, y = ts.random.normal((24, 8)), ts.random.randint((24,), 0, 3)

    @ts.compile(state=[parts, accumulator])
    def accumulate(x, y):
        loss, gradients = ts.value_and_grad(parts, lambda: F.cross_entropy(parts(x), y))()
        accumulator.add(gradients)
        return loss

    @ts.compile(state=[parts, b, accumulator])
    def apply():
        b.update(parts, accumulator.take())

    for _ in range(3):
        _, gradients = ts.value_and_grad(whole, lambda: F.cross_entropy(whole(x), y))()
        a.update(whole, gradients)
        for i in range(0, 24, 6):
            accumulate(x[i:i + 6], y[i:i + 6])
        assert accumulator.count.item() == 4
        apply()
    for name, p in whole.parameters().items():
        assert np.allclose(np.array(p), np.array(parts.parameters()[name]), atol=2e-5), name


class Block(nn.Module):
    def __init__(self, calls):
        self.linear, self.norm, self.dropout, self._calls = nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.3), calls

    def forward(self, x, scale=1.0):
        self._calls.append(1)
        return x + self.dropout(ts.tanh(self.linear(self.norm(x)))) * scale


def test_checkpointed_modules():
    calls = []
    net = nn.Sequential(Block(calls), Block(calls), nn.Linear(4, 1))
    x = ts.random.normal((8, 4))

    def gradients():
        state = {n: t for n, t in net.state_dict().items()}
        ts.random.seed(5)
        loss, g = ts.value_and_grad(net, lambda: ts.mean(net(x) ** 2))()
        buffers = {n: np.array(b) for n, b in net.buffers().items()}
        net.load_state_dict(state)
        return loss.item(), {n: np.array(t) for n, t in g.items()}, buffers

    plain = gradients()
    assert len(calls) == 2
    net.checkpoint("?")
    again = gradients()
    assert len(calls) == 2 + 4
    assert plain[0] == again[0]
    for a, b in zip(plain[1:], again[1:]):
        assert all(np.allclose(a[n], b[n], atol=1e-6) for n in a)
    step = ts.compile(lambda: net(x).sum(), state=[net])
    step()
    net.checkpoint("?", on=False)
    step()
    assert step.traces == 2
    with pytest.raises(ts.Error, match="no module matches 'layers"):
        net.checkpoint("layers.*")


# ---- Files of PyTorch ----


def cnn():
    return nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1, bias=False),
                         nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))


class Encoder(nn.Module):
    def __init__(self):
        self.embedding = nn.Embedding(20, 16)
        layer = nn.TransformerEncoderLayer(16, 2, dim_feedforward=32, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(16))
        self.head = nn.Linear(16, 5)

    def forward(self, ids):
        return self.head(ts.mean(self.encoder(self.embedding(ids)), axis=1))


@pytest.mark.parametrize(("name", "make"), [("cnn", cnn), ("encoder", Encoder)])
def test_exported_models(name, make):
    model = make()
    report = model.load_state_dict(ts.load(MODELS / f"{name}.safetensors"))
    assert report == ([], [], [])
    points = ts.load(MODELS / f"{name}.points.safetensors")
    x = points["input"]
    assert np.allclose(np.array(model.eval()(x)), np.array(points["output"]), rtol=1e-5, atol=1e-5)
    model.train()

    def loss_of():
        y = model(x)
        w = np.cos(1.7 * np.arange(y.size) + 0.3).astype(np.float32)
        return (y * ts.array(w.reshape(y.shape))).sum()

    loss, gradients = ts.value_and_grad(model, loss_of)()
    assert math.isclose(loss.item(), points["loss"].item(), rel_tol=2e-5)
    for n, g in gradients.items():
        assert np.allclose(np.array(g), np.array(points[f"gradients.{n}"]), rtol=5e-5, atol=5e-5), n
    for n, b in model.buffers().items():
        assert np.allclose(np.array(b), np.array(points[f"buffers.{n}"]), rtol=1e-5, atol=1e-5), n


# ---- Memory ----


def test_memory_before_the_first_step():
    model = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))
    optimizer = optim.AdamW(model)

    @ts.compile(state=[model, optimizer])
    def step(x):
        loss, gradients = ts.value_and_grad(model, lambda: ts.mean(model(x) ** 2))()
        optimizer.update(model, gradients)
        return loss

    x = ts.zeros((512, 64))
    estimate = step.memory(x)
    assert optimizer.steps.item() == 0 and step.traces == 0
    parameters = sum(p.size * 4 for p in model.parameters().values())
    assert parameters <= estimate.parameters < parameters + 4096
    assert 2 * parameters <= estimate.optimizer < 2 * parameters + 4096
    assert estimate.arguments == 512 * 64 * 4 and estimate.intermediates >= 512 * 256 * 4
    assert estimate.peak == sum(estimate[:6]) == sum(h.bytes for h in estimate.holders)
    names = {h.name: h.kind for h in estimate.holders}
    assert names["0.weight"] == "parameters" and names["state.2.weight.exp_avg"] == "optimizer"
    assert estimate.holders[0].bytes == max(h.bytes for h in estimate.holders)
    step(x)
    assert step.traces == 1
    assert ts.compile(lambda a: a @ a).memory(ts.zeros((8, 8))).results > 0
