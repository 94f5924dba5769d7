"""Modules, optimizers and compiled steps, against PyTorch's numbers (tests/nn/points.json) and as people use them."""

import copy
import gc
import json
import math
import pickle
import re
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
from tessera import _core, nn, optim

POINTS = json.loads((Path(__file__).resolve().parent.parent / "nn" / "points.json").read_text())


def tensor(packed, dtype=ts.float32):
    return ts.array(np.array(packed[1], np.float32).reshape(packed[0])).astype(dtype)


def close(got, packed, tolerance, what):
    assert got.shape == tuple(packed[0]), what
    np.testing.assert_allclose(np.asarray(got.astype(ts.float32)).reshape(-1), packed[1], rtol=tolerance, atol=tolerance, err_msg=what)


# ---- PyTorch's numbers ----


def recurrent(m, x, *state):
    y, last = m(x, *([state[0]] if len(state) == 1 else [state] if state else []))
    return [y, *last] if isinstance(last, tuple) else [y, last]


LAYER = dict(dim_feedforward=6, dropout=0.0)
MODULES = {
    **{name: getattr(nn, name) for name in ("ReLU", "ReLU6", "SELU", "SiLU", "Mish", "Tanh", "Sigmoid", "LogSigmoid", "Softplus", "Softsign",
                                            "Tanhshrink", "Hardsigmoid", "Hardswish", "GELU", "PReLU", "Identity", "Flatten")},
    "ELU": lambda: nn.ELU(1.3),
    "CELU": lambda: nn.CELU(1.3),
    "LeakyReLU": lambda: nn.LeakyReLU(0.2),
    "Softshrink": lambda: nn.Softshrink(0.4),
    "Hardshrink": lambda: nn.Hardshrink(0.4),
    "Softmax": lambda: nn.Softmax(1),
    "LogSoftmax": lambda: nn.LogSoftmax(1),
    "Softmin": lambda: nn.Softmin(-1),
    "GELU tanh": lambda: nn.GELU("tanh"),
    "Hardtanh": lambda: nn.Hardtanh(-0.5, 0.7),
    "Threshold": lambda: nn.Threshold(0.1, -0.3),
    "RReLU eval": lambda: nn.RReLU().eval(),
    "PReLU channels": lambda: nn.PReLU(3),
    "Dropout eval": lambda: nn.Dropout(0.4).eval(),
    "GLU": lambda: nn.GLU(1),
    "Linear": lambda: nn.Linear(5, 4),
    "Linear without bias": lambda: nn.Linear(5, 4, bias=False),
    "Bilinear": lambda: nn.Bilinear(3, 4, 2),
    "Embedding": lambda: nn.Embedding(5, 3),
    "Embedding padding": lambda: nn.Embedding(5, 3, padding_idx=2),
    "Unflatten": lambda: nn.Unflatten(1, (2, 3)),
    "Sequential": lambda: nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)),
    "Conv1d": lambda: nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2),
    "Conv1d unbatched": lambda: nn.Conv1d(2, 3, 2, bias=False),
    "Conv2d": lambda: nn.Conv2d(2, 3, (3, 2), stride=(1, 2), padding=(1, 0), dilation=(1, 2)),
    "Conv2d same": lambda: nn.Conv2d(2, 2, 3, padding="same"),
    "ConvTranspose1d": lambda: nn.ConvTranspose1d(4, 4, 3, stride=2, padding=1, output_padding=1, groups=2),
    "ConvTranspose2d": lambda: nn.ConvTranspose2d(2, 3, 3, stride=2),
    "BatchNorm1d": lambda: nn.BatchNorm1d(3),
    "BatchNorm1d of a sequence": lambda: nn.BatchNorm1d(3, momentum=None),
    "BatchNorm2d": lambda: nn.BatchNorm2d(3, eps=1e-3, momentum=0.3),
    "BatchNorm2d eval": lambda: nn.BatchNorm2d(3).eval(),
    "BatchNorm2d without statistics": lambda: nn.BatchNorm2d(2, affine=False, track_running_stats=False),
    "BatchNorm3d": lambda: nn.BatchNorm3d(2),
    "LayerNorm": lambda: nn.LayerNorm(5),
    "LayerNorm of two axes": lambda: nn.LayerNorm((3, 5), eps=1e-3, bias=False),
    "RMSNorm": lambda: nn.RMSNorm(5, eps=1e-5),
    "GroupNorm": lambda: nn.GroupNorm(2, 4),
    "InstanceNorm1d": lambda: nn.InstanceNorm1d(3),
    "InstanceNorm2d": lambda: nn.InstanceNorm2d(3, affine=True),
    "InstanceNorm1d tracked": lambda: nn.InstanceNorm1d(3, momentum=0.3, affine=True, track_running_stats=True),
    "InstanceNorm2d tracked eval": lambda: nn.InstanceNorm2d(3, track_running_stats=True).eval(),
    "Softplus beta": lambda: nn.Softplus(2.5),
    "MaxPool1d": lambda: nn.MaxPool1d(3, stride=2, padding=1),
    "MaxPool2d": lambda: nn.MaxPool2d(2),
    "AvgPool1d": lambda: nn.AvgPool1d(2),
    "AvgPool2d": lambda: nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False),
    "AdaptiveAvgPool1d": lambda: nn.AdaptiveAvgPool1d(3),
    "AdaptiveAvgPool2d": lambda: nn.AdaptiveAvgPool2d(2),
    "AdaptiveMaxPool1d": lambda: nn.AdaptiveMaxPool1d(3),
    "AdaptiveMaxPool2d": lambda: nn.AdaptiveMaxPool2d((2, 3)),
    "Upsample": lambda: nn.Upsample(scale_factor=2),
    "Upsample bilinear": lambda: nn.Upsample(size=(5, 4), mode="bilinear", align_corners=True),
    "PixelShuffle": lambda: nn.PixelShuffle(2),
    "PixelUnshuffle": lambda: nn.PixelUnshuffle(2),
    "MultiheadAttention": lambda: nn.MultiheadAttention(8, 2),
    "MultiheadAttention causal": (lambda: nn.MultiheadAttention(8, 2, bias=False, batch_first=True), lambda m, x: [m(x, is_causal=True)]),
    "MultiheadAttention of other widths": lambda: nn.MultiheadAttention(8, 2, kdim=5, vdim=3),
    "TransformerEncoderLayer": lambda: nn.TransformerEncoderLayer(4, 2, **LAYER),
    "TransformerEncoderLayer norm first": (lambda: nn.TransformerEncoderLayer(4, 2, activation="gelu", batch_first=True, norm_first=True, **LAYER),
                                           lambda m, x: [m(x, is_causal=True)]),
    "TransformerDecoderLayer": (lambda: nn.TransformerDecoderLayer(4, 2, **LAYER), lambda m, x, y: [m(x, y, tgt_is_causal=True)]),
    "TransformerDecoderLayer norm first": lambda: nn.TransformerDecoderLayer(4, 2, batch_first=True, norm_first=True, **LAYER),
    "TransformerEncoder": lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, batch_first=True, **LAYER), 2, nn.LayerNorm(4)),
    "TransformerDecoder": lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, batch_first=True, **LAYER), 2, nn.LayerNorm(4)),
    "RNN": (lambda: nn.RNN(3, 4), recurrent),
    "RNN relu": (lambda: nn.RNN(3, 2, num_layers=2, nonlinearity="relu", bidirectional=True, bias=False), recurrent),
    "LSTM": (lambda: nn.LSTM(3, 4), recurrent),
    "LSTM deep": (lambda: nn.LSTM(3, 2, num_layers=2, bidirectional=True, batch_first=True), recurrent),
    "GRU": (lambda: nn.GRU(3, 4), recurrent),
    "GRU deep": (lambda: nn.GRU(3, 2, num_layers=2, bidirectional=True), recurrent),
}


def loss_of(outputs):
    loss, offset = 0, 0
    for y in outputs:
        w = np.cos(1.7 * (np.arange(y.size) + offset) + 0.3).astype(np.float32)
        loss = loss + (y.reshape(-1) * ts.array(w)).sum()
        offset += y.size
    return loss


def test_every_point_and_every_module_has_a_case():
    assert set(MODULES) == set(POINTS["modules"])
    assert set(OPTIMIZERS) == set(POINTS["optimizers"])
    assert set(SCHEDULES) == set(POINTS["schedules"])
    assert set(INITS) == set(POINTS["inits"])
    cases = {name.split(" ")[0] for name in MODULES}
    assert set(_core._nn_kinds()) - cases == {"ALiBi", "RoPE"}


def test_python_has_what_the_headers_declare():
    include = Path(__file__).resolve().parent.parent.parent / "include" / "tessera"
    text = "".join(p.read_text() for p in sorted((include / "nn").glob("*.h")))
    classes = set(re.findall(r"^(?:class|using) (\w+) (?:: public|= (?:Activation|Adaptive))", text, re.M))
    bases = {"Activation", "ActivationAlong", "ActivationWith", "AdaptivePool", "BatchNorm", "Conv", "ConvTranspose", "InstanceNorm", "Lambda", "Recurrent",
             "StepCalls"}
    assert len(classes) > 60 and [c for c in sorted(classes - bases) if not hasattr(nn, c)] == []
    initial = re.findall(r"^Tensor (\w+)\(", (include / "nn" / "init.h").read_text(), re.M)
    assert len(initial) > 10 and all(hasattr(nn.init, f) and hasattr(nn.init, f + "_") for f in initial)
    optimizers = re.findall(r"^class (\w+) : public", (include / "optim" / "optimizers.h").read_text(), re.M)
    schedules = re.findall(r"^Schedule (\w+)\(", (include / "optim" / "schedule.h").read_text(), re.M)
    assert len(optimizers) > 10 and len(schedules) > 10 and all(hasattr(optim, name) for name in optimizers + schedules)


@pytest.mark.parametrize("name", MODULES)
def test_modules_as_in_pytorch(name):
    make, call = MODULES[name] if isinstance(MODULES[name], tuple) else (MODULES[name], lambda m, *x: [m(*x)])
    point = POINTS["modules"][name]
    m = make()
    state = {n: tensor(p) for n, p in point["state"].items()}
    assert m.load_state_dict(state) == ([], [], [])
    inputs = [tensor(p, ts.float32 if g else ts.int32) for p, g in zip(point["inputs"], point["input gradients"])]
    other = copy.deepcopy(m)  # for the gradients of inputs
    if m.parameters():
        (_, outputs), gradients = ts.value_and_grad(m, lambda *x: (lambda y: (loss_of(y), y))(call(m, *x)), has_aux=True)(*inputs)
        assert set(gradients) == set(point["gradients"])
        for n, g in gradients.items():
            close(g, point["gradients"][n], 2e-5, f"gradient of {n}")
    else:
        outputs = call(m, *inputs)
    assert len(outputs) == len(point["outputs"])
    for y, expected in zip(outputs, point["outputs"]):
        close(y, expected, 1e-5, "output")
    assert set(m.buffers()) == set(point["buffers"])
    for n, b in m.buffers().items():
        close(b, point["buffers"][n], 1e-5, f"buffer {n}")
    places = tuple(i for i, g in enumerate(point["input gradients"]) if g)
    if places:
        for i, g in zip(places, ts.grad(lambda *x: loss_of(call(other, *x)), argnums=places)(*inputs)):
            close(g, point["input gradients"][i], 2e-5, f"gradient of input {i}")


OPTIMIZERS = {
    "SGD": lambda p: optim.SGD(p, lr=0.1),
    "SGD momentum": lambda p: optim.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.01),
    "SGD dampening": lambda p: optim.SGD(p, lr=0.05, momentum=0.9, dampening=0.4),
    "SGD nesterov": lambda p: optim.SGD(p, lr=0.05, momentum=0.8, nesterov=True),
    "SGD clipped": lambda p: optim.SGD(p, lr=0.5),
    "Adam": lambda p: optim.Adam(p, lr=0.01),
    "Adam decay": lambda p: optim.Adam(p, lr=0.02, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.05),
    "Adam amsgrad": lambda p: optim.Adam(p, lr=0.05, betas=(0.5, 0.6), amsgrad=True),
    "AdamW": lambda p: optim.AdamW(p, lr=0.01),
    "AdamW amsgrad": lambda p: optim.AdamW(p, lr=0.02, betas=(0.5, 0.6), weight_decay=0.1, amsgrad=True),
    "AdamW groups": lambda p: optim.AdamW(p, lr=0.01, weight_decay=0.2, groups={"b*": {"lr": 0.05, "weight_decay": 0}}),
    "AdamW cosine": lambda p: optim.AdamW(p, lr=optim.cosine(0.1, 20)),
    "Adamax": lambda p: optim.Adamax(p, lr=0.01, weight_decay=0.01),
    "NAdam": lambda p: optim.NAdam(p, lr=0.01),
    "NAdam decoupled": lambda p: optim.NAdam(p, lr=0.01, weight_decay=0.1, momentum_decay=0.01, decoupled_weight_decay=True),
    "RAdam": lambda p: optim.RAdam(p, lr=0.01),
    "RAdam decay": lambda p: optim.RAdam(p, lr=0.02, betas=(0.8, 0.9), weight_decay=0.05),
    "RMSprop": lambda p: optim.RMSprop(p, lr=0.01),
    "RMSprop centered": lambda p: optim.RMSprop(p, lr=0.005, alpha=0.9, momentum=0.5, centered=True, weight_decay=0.01),
    "Adagrad": lambda p: optim.Adagrad(p, lr=0.05),
    "Adagrad decay": lambda p: optim.Adagrad(p, lr=0.1, lr_decay=0.1, weight_decay=0.01, initial_accumulator_value=0.2),
    "Adadelta": lambda p: optim.Adadelta(p),
    "Adafactor": lambda p: optim.Adafactor(p, lr=0.05),
    "Adafactor decay": lambda p: optim.Adafactor(p, lr=0.1, d=1.2, weight_decay=0.1),
    "Lion": lambda p: optim.Lion(p, lr=0.01),
    "Lion decay": lambda p: optim.Lion(p, lr=0.02, betas=(0.8, 0.95), weight_decay=0.1),
    "Muon": lambda p: optim.Muon(p, lr=0.02, adamw={"lr": 0.02}),
    "Muon matched": lambda p: optim.Muon(p, lr=0.02, momentum=0.9, nesterov=False, adjust_lr_fn="match_rms_adamw", adamw={"lr": 0.02}),
}


class Problem(nn.Module):
    def __init__(self):
        self.weight, self.bias = tensor(POINTS["problem"]["weight"]), tensor(POINTS["problem"]["bias"])

    def forward(self, x):
        return ts.tanh(x @ self.weight.T + self.bias)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_as_in_pytorch(name):
    x, y = tensor(POINTS["problem"]["x"]), tensor(POINTS["problem"]["y"])
    model = Problem()
    optimizer = OPTIMIZERS[name](model)

    def train(x, y):
        loss, gradients = ts.value_and_grad(model, lambda x, y: ((model(x) - y) ** 2).mean())(x, y)
        if "clipped" in name:
            gradients, _ = optim.clip_grad_norm(gradients, 0.1)
        optimizer.update(model, gradients)
        return loss

    step = ts.compile(train, state=[model, optimizer])
    for i in range(20):
        step(x, y)
        if i % 5 == 4:
            for n, t in model.parameters().items():
                close(t, POINTS["optimizers"][name][i // 5][n], 2e-5, f"{n} after {i + 1}")
    assert step.traces == 1 and optimizer.steps.item() == 20


SCHEDULES = {
    "constant": optim.constant(1),
    "step_decay": optim.step_decay(1, 7, 0.5),
    "multistep": optim.multistep(1, [10, 25, 40], 0.3),
    "exponential": optim.exponential(1, 0.9),
    "cosine": optim.cosine(1, 50, minimum=0.1),
    "cosine warmup": optim.cosine(1, 50, warmup=8),
    "cosine_restarts": optim.cosine_restarts(1, 7, 1, 0.1),
    "cosine_restarts doubled": optim.cosine_restarts(1, 5, 2),
    "linear": optim.linear(0.25, 1, 20),
    "polynomial": optim.polynomial(1, 40, 2),
    "one_cycle": optim.one_cycle(1, 60),
    "one_cycle linear": optim.one_cycle(1, 60, start=0.4, divide=10, final_divide=100, linear=True),
    "inverse_sqrt": optim.inverse_sqrt(1, 10),
    "join": optim.join([optim.linear(0.1, 1, 10), optim.exponential(1, 0.95)], [10]),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules_as_in_pytorch(name):
    got = ts.stack([SCHEDULES[name](i) for i in range(60)])
    np.testing.assert_allclose(np.asarray(got), POINTS["schedules"][name], atol=2e-6)


INITS = {
    "uniform": lambda s: nn.init.uniform(s, -0.3, 0.5),
    "normal": lambda s: nn.init.normal(s, 0.1, 0.4),
    "constant": lambda s: nn.init.constant(s, 0.7),
    "zeros": nn.init.zeros,
    "ones": nn.init.ones,
    "trunc_normal": lambda s: nn.init.trunc_normal(s, 0.2, 1.5, -1, 2),
    "xavier_uniform": lambda s: nn.init.xavier_uniform(s, 1.5),
    "xavier_normal": nn.init.xavier_normal,
    "kaiming_uniform": lambda s: nn.init.kaiming_uniform_(ts.empty(s), a=math.sqrt(5)),
    "kaiming_normal": lambda s: nn.init.kaiming_normal_(ts.empty(s), mode="fan_out", nonlinearity="relu"),
    "orthogonal": lambda s: nn.init.orthogonal(s, 1.2),
    "eye": nn.init.eye,
    "dirac": lambda s: nn.init.dirac(s, 2),
}


@pytest.mark.parametrize("name", INITS)
def test_initial_values_as_in_pytorch(name):
    point = POINTS["inits"][name]
    if "value" in point:
        return close(INITS[name](point["value"][0]), point["value"], 1e-9, name)
    t = np.asarray(INITS[name]((400, 300)), np.float64)
    slack = 0.02 * point["deviation"] + 1e-6
    assert abs(t.mean() - point["mean"]) < slack and abs(t.std() - point["deviation"]) < slack
    if name.endswith("uniform") or name == "trunc_normal":
        np.testing.assert_allclose([t.min(), t.max()], [point["low"], point["high"]], atol=0.01 * (point["high"] - point["low"]))


# ---- Modules of one's own ----


class Mlp(nn.Module):
    def __init__(self, sizes):
        self.layers = [nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]
        self.scale = ts.ones(())
        self.register_buffer("calls", ts.zeros((), ts.int32))

    def forward(self, x):
        self.calls = self.calls + 1
        for layer in self.layers[:-1]:
            x = ts.tanh(layer(x))
        return self.layers[-1](x) * self.scale


def trainer(model, optimizer, state):
    def train(x, y):
        loss, gradients = ts.value_and_grad(model, lambda x, y: ((model(x) - y) ** 2).mean())(x, y)
        optimizer.update(model, gradients)
        return loss

    return ts.compile(train, state=state)


def data():
    x = ts.linspace(-1, 1, 32).reshape(-1, 1)
    return x, ts.sin(3 * x)


def test_a_module_of_ten_lines_is_trained_by_a_compiled_step():
    model = Mlp([1, 16, 1])
    assert list(model.parameters()) == ["layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias", "scale"]
    assert list(model.buffers()) == ["calls"] and model.parameter_count() == 50
    optimizer = optim.Adam(model, lr=2e-2)
    step = trainer(model, optimizer, [model, optimizer])
    x, y = data()
    weight = model.layers[0].weight
    first = step(x, y).item()
    for _ in range(199):
        last = step(x, y)
    assert last.item() < 0.02 * first
    assert step.traces == 1 and step.kernel_count > 0
    assert model.calls.item() == 200 and optimizer.steps.item() == 200
    assert weight is model.layers[0].weight and weight.requires_grad is False


def test_an_update_of_all_parameters_takes_few_kernels():
    model = ts.nn.Sequential(*[ts.nn.Linear(256, 256) for _ in range(6)])
    optimizer = ts.optim.AdamW(model)
    x = ts.random.normal((8, 256))

    def gradients():
        return ts.value_and_grad(model, lambda: (model(x) ** 2).mean())()

    def train():
        loss, g = gradients()
        optimizer.update(model, g)
        return loss

    alone = ts.compile(gradients, state=[model])
    alone()
    step = ts.compile(train, state=[model, optimizer])
    losses = [float(step()) for _ in range(3)]
    assert losses[2] < losses[0] and step.traces == 1
    assert step.kernel_count <= alone.kernel_count + 4
    holders = {h.name: h for h in step.memory().holders}
    assert holders["0.weight"].kind == "parameters" and holders["0.weight"].bytes == 256 * 256 * 4
    assert holders["state.0.weight.exp_avg"].kind == "optimizer"


def test_a_compiled_step_gives_the_numbers_of_an_eager_one():
    models = [Mlp([1, 8, 1])]
    models.append(copy.deepcopy(models[0]))
    optimizers = [optim.AdamW(m, lr=optim.cosine(1e-2, 10)) for m in models]
    x, y = data()
    step = trainer(models[0], optimizers[0], [models[0], optimizers[0]])
    for _ in range(5):
        a = step(x, y)
        b, gradients = ts.value_and_grad(models[1], lambda x, y: ((models[1](x) - y) ** 2).mean())(x, y)
        optimizers[1].update(models[1], gradients)
        np.testing.assert_allclose(a.item(), b.item(), rtol=1e-5)
    for (n, a), b in zip(models[0].state_dict().items(), models[1].state_dict().values()):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-4, atol=1e-6, err_msg=n)
    np.testing.assert_allclose(optimizers[0].learning_rate.item(), optimizers[1].learning_rate.item(), rtol=1e-6)


def test_snapshots_keep_their_values_while_the_step_writes_in_place():
    model = Mlp([1, 8, 1])
    optimizer = optim.SGD(model, lr=0.1, momentum=0.9)
    step = trainer(model, optimizer, [model, optimizer])
    x, y = data()
    step(x, y)
    before = {n: np.array(t) for n, t in model.state_dict().items()}
    kept, clone, moments = model.state_dict(), copy.deepcopy(model), optimizer.state_dict()
    momentum = np.array(moments["state.scale.momentum_buffer"])
    step(x, y)
    for n, t in kept.items():
        np.testing.assert_array_equal(np.asarray(t), before[n])
        np.testing.assert_array_equal(np.asarray(clone.state_dict()[n]), before[n])
    np.testing.assert_array_equal(np.asarray(moments["state.scale.momentum_buffer"]), momentum)
    assert not np.array_equal(np.asarray(model.scale), before["scale"])


def test_a_step_updates_in_place():
    model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
    optimizer = optim.AdamW(model)
    step, x, y = trainer(model, optimizer, [model, optimizer]), ts.ones((4, 8)), ts.zeros((4, 1))

    def copies():
        with ts.profile() as p:
            step(x, y).item()
        return sum(r["label"] == "copy" for r in p.records)

    step(x, y).item()
    assert copies() == 0
    kept = model.state_dict()
    assert copies() > 0 and len(kept) == 9  # what others hold is copied first
    assert copies() == 0


def test_a_forgotten_state_is_an_error_that_says_so():
    model = Mlp([1, 4, 1])
    optimizer = optim.SGD(model, lr=0.1)
    x, y = data()
    before = model.scale.item()
    constant, written = "is a constant of the compiled function", "'step' is written inside a compiled function"
    for state, what in (([optimizer], constant), ([model], written), ([], constant)):
        with pytest.raises(ts.Error, match=rf"{what}.*compile\(step, state=\[model, optimizer\]\)"):
            trainer(model, optimizer, state)(x, y)
    norm = nn.BatchNorm1d(1)
    with pytest.raises(ts.Error, match="BatchNorm1d: 'running_mean' is written inside"):
        ts.compile(lambda x: norm(x))(x)
    assert model.scale.item() == before and model.calls.item() == 0 and optimizer.steps.item() == 0
    assert norm.running_mean.tolist() == [0.0]
    assert ts.compile(lambda x: norm(x), state=norm)(x).shape == (32, 1) and norm.num_batches_tracked.item() == 1
    with pytest.raises(ts.Error, match="of type int was given in the state"):
        ts.compile(lambda x: x, state=[3])


def test_other_modes_frozen_parameters_and_arguments_are_traced_again():
    model = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.BatchNorm1d(4))
    run = ts.compile(lambda x, flip=False: model(-x if flip else x), state=[model])
    x = ts.ones((8, 2))
    run(x)
    assert run.traces == 1 and model[2].num_batches_tracked.item() == 1
    model.eval()
    assert run(x).tolist() == model(x).tolist() and run.traces == 2
    assert model[2].num_batches_tracked.item() == 1
    run(x)
    run(x, flip=True)
    assert run.traces == 3
    model.train()
    run(x)
    assert run.traces == 3 and model[2].num_batches_tracked.item() == 2


def test_state_may_be_tensors_too_and_arguments_are_donated_beside_it():
    cache, position = [ts.zeros((2, 4))], ts.zeros((), ts.int32)

    def append(x, other):
        cache[0][:] = cache[0] + x
        position[...] = position + 1
        return other * 2

    step = ts.compile(append, state=[cache, position], donate_argnums=1)
    for i in range(3):
        assert step(ts.ones((2, 4)), ts.ones(3)).tolist() == [2.0] * 3
    assert cache[0].tolist() == [[3.0] * 4] * 2 and position.item() == 3 and step.traces == 1


def test_dicts_and_lists_of_the_state_take_new_tensors():
    state = {"w": ts.ones(2), "moments": [ts.zeros(2)], "more": (ts.zeros(1),)}
    net = nn.Module()
    net.pair = [ts.zeros(1), ts.zeros(1)]
    w = state["w"]

    @ts.compile(state=[state, net])
    def step(g):
        state["moments"][0] = 0.5 * state["moments"][0] + g
        state["w"] = state["w"] - state["moments"][0]
        net.pair[1] = net.pair[1] + 1
        return state["w"].sum()

    assert [step(ts.ones(2)).item() for _ in range(3)] == [0, -3, -6.5]
    assert state["w"] is w and w.tolist() == [-3.25, -3.25] and net.pair[1].item() == 3 and step.traces == 1
    with pytest.raises(ts.Error, match="added or removed tensors of its state"):
        ts.compile(lambda: state.update(new=ts.ones(1)), state=[state])()
    state.pop("new")
    with pytest.raises(ZeroDivisionError):
        ts.compile(lambda: state.update(w=state["w"] + 1) or 1 / 0, state=[state])()
    assert state["w"] is w and w.tolist() == [-3.25, -3.25]


def test_rates_and_schedules_need_no_other_trace():
    w = nn.Module()
    w.w = ts.ones(2)
    optimizer = optim.SGD(w, lr=1.0)
    step = ts.compile(lambda g: optimizer.update(w, {"w": g}), state=[w, optimizer])
    step(ts.ones(2))
    optimizer.learning_rate = 0.25
    step(ts.ones(2))
    assert w.w.tolist() == [-0.25, -0.25] and step.traces == 1
    optimizer = optim.SGD(w, lr=lambda step: 1 / (step + 1))
    step = ts.compile(lambda g: optimizer.update(w, {"w": g}), state=[w, optimizer])
    rates = []
    for _ in range(3):
        step(ts.zeros(2))
        rates.append(optimizer.learning_rate.item())
    np.testing.assert_allclose(rates, [1, 1 / 2, 1 / 3], rtol=1e-6)
    with pytest.raises(ts.Error, match="the rate of group 0 is a schedule"):
        optimizer.set_rate(0.1)


def test_a_module_as_an_argument_must_be_state():
    model, x = nn.Linear(2, 2), ts.ones((1, 2))
    with pytest.raises(ts.Error, match="a Linear was given as an argument, and is not part of the state"):
        ts.compile(lambda m, x: m(x))(model, x)
    with pytest.raises(ts.Error, match="a SGD was given as an argument"):
        ts.compile(lambda o, x: x)(optim.SGD(model), x)
    run = ts.compile(lambda m, x: m(x), state=model)
    before = run(model, x)
    model.weight = model.weight * 2
    model.bias = model.bias * 2
    np.testing.assert_allclose(np.asarray(run(model, x)), 2 * np.asarray(before), rtol=1e-6)
    assert run.traces == 1
    with pytest.raises(ts.Error, match=r"pass the model before the function.*value_and_grad\(model, f\)"):
        ts.grad(lambda m, x: m(x).sum())(model, x)
    with pytest.raises(ts.Error, match="a function is expected"):
        ts.value_and_grad(model, 0)
    assert list(ts.grad(model, lambda x: model(x).sum())(x)) == ["weight", "bias"]


def test_checkpoints_of_modules_give_the_same_gradients():
    model = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4), nn.Tanh())
    other, x = copy.deepcopy(model), ts.random.normal((5, 2))
    layer = ts.checkpoint(model)
    expected = ts.value_and_grad(other, lambda x: (other(x)[:, 0] ** 2).sum())(x)
    got = ts.value_and_grad(model, lambda x: (layer(x)[:, 0] ** 2).sum())(x)
    for n, g in expected[1].items():
        np.testing.assert_allclose(np.asarray(got[1][n]), np.asarray(g), rtol=1e-5, atol=1e-6)
    assert got[0].item() == expected[0].item()
    for n, b in other.buffers().items():
        np.testing.assert_array_equal(np.asarray(model.buffers()[n]), np.asarray(b))


def test_auxiliary_results_and_buffers_have_no_gradient():
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    (loss, aux), _ = ts.value_and_grad(model, lambda x: (lambda y: (y.sum(), {"y": y, "n": 1}))(model(x)), has_aux=True)(ts.ones((3, 2)))
    assert not any(t.requires_grad for t in (loss, aux["y"], model[1].running_mean, model[0].weight)) and aux["n"] == 1


def test_variables_of_backward_stay_variables():
    model, x = nn.Linear(2, 1, bias=False), ts.ones((1, 2))
    model.weight.requires_grad_()
    optimizer = optim.AdamW(model, lr=0.1)
    before = model.weight.tolist()
    for i in range(2):
        model.weight.zero_grad()
        (model(x) ** 2).sum().backward()
        optimizer.update(model, {"weight": model.weight.grad})
    assert model.weight.requires_grad and model.weight.tolist() != before
    assert not any(t.requires_grad for t in optimizer.state_dict().values())
    step = trainer(model, optimizer, [model, optimizer])
    step(x, ts.zeros((1, 1)))
    step(x, ts.zeros((1, 1)))
    assert step.traces == 1 and model.weight.requires_grad
    model.weight.zero_grad()
    model(x).sum().backward()
    assert model.weight.grad.tolist() == [[1, 1]]
    model.load_state_dict({"weight": [[1, 2]]})
    model(x).sum().backward()
    assert model.weight.grad.tolist() == [[2, 2]] and model.weight.tolist() == [[1, 2]]


# ---- State, names and modes ----


def test_strict_loading_lists_what_does_not_fit_and_replaces_nothing():
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    before = model[0].weight.tolist()
    given = {"0.weight": ts.zeros((3, 2)), "0.bias": ts.zeros(4), "1.weight": ts.zeros((1, 3)), "head.weight": ts.zeros(1)}
    with pytest.raises(ts.Error, match=r"1 missing: 1.bias; 1 unexpected: head.weight; 1 mismatched: 0.bias: \[4\] was given, and \[3\] is expected"):
        model.load_state_dict(given)
    assert model[0].weight.tolist() == before
    report = model.load_state_dict(given, strict=False)
    assert report.missing == ["1.bias"] and report.unexpected == ["head.weight"] and len(report.mismatched) == 1
    assert model[0].weight.tolist() == [[0, 0]] * 3
    model.load_state_dict({n: np.asarray(t, np.float64) for n, t in model.state_dict().items()})
    assert model[0].weight.dtype == ts.float32
    with pytest.raises(ts.Error, match="of type list was given; a dict of tensors by name is expected"):
        model.load_state_dict([1])
    with pytest.raises(ts.Error, match="the names nope are not in the module, which has 0.weight"):
        model.update({"nope": ts.zeros(1)})


def test_files_keep_a_model_and_its_optimizer(tmp_path):
    model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(8, 2))
    optimizer = optim.AdamW(model, lr=1e-2)
    x = ts.random.normal((3, 1, 4, 4))
    _, gradients = ts.value_and_grad(model, lambda x: (model(x) ** 2).mean())(x)
    optimizer.update(model, gradients)
    ts.save(tmp_path / "model.safetensors", model.state_dict())
    ts.save(tmp_path / "optimizer.safetensors", optimizer.state_dict())
    other = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(8, 2))
    moments = optim.AdamW(other, lr=1e-2)
    other.load_state_dict(ts.load(tmp_path / "model.safetensors"))
    moments.load_state_dict(ts.load(tmp_path / "optimizer.safetensors"))
    optimizer.update(model, gradients)
    moments.update(other, gradients)
    for (n, a), b in zip(model.state_dict().items(), other.state_dict().values()):
        assert np.array_equal(np.asarray(a), np.asarray(b)), n
    assert model.eval()(x).tolist() == other.eval()(x).tolist()
    with pytest.raises(ts.Error, match="the state does not fit"):
        moments.load_state_dict({})


def test_frozen_parameters_stay():
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1)).freeze("0.*")
    optimizer = optim.SGD(model, lr=0.1)
    before = model[0].weight.tolist()
    loss = ts.value_and_grad(model, lambda x: (model(x) ** 2).sum())
    _, gradients = loss(ts.ones((1, 2)))
    assert list(gradients) == ["1.weight", "1.bias"]
    optimizer.update(model, gradients)
    assert model[0].weight.tolist() == before
    model.unfreeze()
    with pytest.raises(ts.Error, match=r"which the optimizer does not know.*Call add\(model\)"):
        optimizer.update(model, loss(ts.ones((1, 2)))[1])
    optimizer.add(model)
    optimizer.update(model, loss(ts.ones((1, 2)))[1])
    assert model[0].weight.tolist() != before
    with pytest.raises(ts.Error, match="no parameter matches 'head.*'; the parameters are 0.weight"):
        model.freeze("head.*")
    with pytest.raises(ts.Error, match="no trainable parameters"):
        ts.value_and_grad(model.freeze(), lambda x: model(x).sum())(ts.ones((1, 2)))


def test_parts_are_lists_dicts_and_containers():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.pair = (nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False))
            self.by_name = {"a": nn.Linear(1, 1, bias=False)}
            self.list = nn.ModuleList([nn.PReLU()]).append(nn.PReLU())
            self.dict = nn.ModuleDict({"b": nn.PReLU()})
            self.shared = self.pair[0]
            self.sizes = [1, 2]
            self._private = ts.ones(1)
            self.nothing = None

    assert len(nn.Sequential(nn.ReLU(), nn.Tanh(), nn.ReLU())[1:]) == 2 and len(nn.ModuleList().extend([nn.ReLU()])) == 1
    named = nn.Sequential({"fc": nn.Linear(1, 2), "act": nn.ReLU()})
    assert list(named.state_dict()) == ["fc.weight", "fc.bias"] and named(ts.ones(1)).shape == (2,) and named.fc is named[0]
    net = Net()
    assert list(net.state_dict()) == ["pair.0.weight", "pair.1.weight", "by_name.a.weight", "list.0.weight", "list.1.weight", "dict.b.weight"]
    assert [n for n, _ in net.named_modules()][:3] == ["", "pair.0", "pair.1"]
    seen = []
    net.apply(lambda m: seen.append(type(m).__name__))
    assert seen[-1] == "Net" and len(seen) == 9
    net.eval()
    assert not any(m.training for m in net.modules())
    assert repr(nn.Sequential(nn.Linear(2, 1, bias=False), Mlp([1, 1]))) == (
        "Sequential(\n  (0): Linear(in_features=2, out_features=1, bias=False)\n  (1): Mlp(\n"
        "    (layers.0): Linear(in_features=1, out_features=1, bias=True)\n  )\n)")
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)
    assert encoder.layers[1].self_attn.out_proj.weight.shape == (4, 4)
    assert encoder.layers[1].linear1.weight is not encoder.layers[0].linear1.weight
    with pytest.raises(ts.Error, match="call the whole one"):
        encoder.layers[0](ts.zeros((1, 1, 4)))
    with pytest.raises(ts.Error, match="a Module is expected"):
        nn.Sequential(nn.Linear(1, 1), ts.relu)
    with pytest.raises(ts.Error, match="has no function forward"):
        net(1)


def test_tensors_are_attributes():
    layer = nn.Linear(2, 2)
    weight = layer.weight
    layer.weight = ts.eye(2)
    layer.bias[...] = 1
    assert weight is layer.weight and layer(ts.array([1.0, 2.0])).tolist() == [2.0, 3.0]
    layer.bias = None
    assert layer(ts.array([1.0, 2.0])).tolist() == [1.0, 2.0] and list(layer.state_dict()) == ["weight"]
    with pytest.raises(ts.Error, match="was assigned to 'weight', which is a tensor"):
        layer.weight = 3
    start = ts.ones(2)
    a, b = nn.Module(), nn.Module()
    a.w = b.w = start
    a.w = a.w * 2
    assert b.w.tolist() == start.tolist() == [1, 1] and a.w.tolist() == [2, 2]
    weight.requires_grad_()  # PyTorch's style
    layer(ts.ones((1, 2))).sum().backward()
    assert layer.weight.grad.tolist() == [[1, 1], [1, 1]]
    half = nn.Linear(2, 1).to(ts.float16)
    assert half.bias.dtype == ts.float16 and half(ts.ones(2, ts.float16)).dtype == ts.float16
    assert nn.Linear(2, 1, dtype="bfloat16", device="cpu").weight.dtype == ts.bfloat16
    assert nn.BatchNorm1d(2).to("float16").num_batches_tracked.dtype != ts.float16
    assert nn.Linear(2, 1).to("cpu").weight.device == "cpu"
    with pytest.raises(ts.Error, match="a float dtype is expected"):
        half.to(ts.int32)
    with pytest.raises(ts.Error, match="'in_features' is 2.5 of type float; an integer is expected"):
        nn.Linear(2.5, 1)
    with pytest.raises(ts.Error, match="'approximate' is 'x'; 'none' or 'tanh' is expected"):
        nn.GELU("x")


def test_shared_modules_have_one_name_and_load_under_each():
    class Tied(nn.Module):
        def __init__(self):
            self.embed = nn.Embedding(4, 3)
            self.head = self.embed

    tied = Tied()
    assert list(tied.state_dict()) == ["embed.weight"] and tied.parameter_count() == 12
    tied.load_state_dict({"embed.weight": ts.ones((4, 3)), "head.weight": ts.ones((4, 3))})
    tied.load_state_dict({"head.weight": ts.zeros((4, 3))})
    assert tied.embed.weight.sum().item() == 0
    loss, gradients = ts.value_and_grad(tied, lambda i: (tied.embed(i) @ tied.head.weight.T).sum())(ts.array([0]))
    assert list(gradients) == ["embed.weight"]


def test_copies_and_pickles_are_independent():
    model = nn.Sequential(nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), 1, nn.LayerNorm(4)), Mlp([4, 3, 1]))
    x = ts.random.normal((2, 3, 4))
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(np.asarray(other(x)), np.asarray(model(x)))
        before = model[1].layers[0].weight.tolist()
        other.update({"1.layers.0.weight": ts.zeros((3, 4))})
        assert model[1].layers[0].weight.tolist() == before
    w = {"w": ts.ones(2)}
    for kind in (optim.SGD, optim.Muon, optim.AdamW):
        optimizer = kind(w, lr=optim.constant(0.1))
        optimizer.update(w, {"w": ts.ones(2)})
        other = copy.deepcopy(optimizer)
        other.update(w, {"w": ts.ones(2)})
        assert type(other) is kind and (optimizer.steps.item(), other.steps.item()) == (1, 2)


def test_a_module_goes_with_its_last_reference():
    gc.disable()
    try:
        model = nn.Sequential(nn.Linear(2, 2), nn.MultiheadAttention(4, 2))
        step = ts.compile(lambda x: model[0](x), state=[model])
        step(ts.ones((1, 2)))
        seen = weakref.ref(model[0]), weakref.ref(model[1])
        del model, step
        assert [r() for r in seen] == [None, None]
    finally:
        gc.enable()


# ---- Optimizers ----


def test_options_of_optimizers():
    w = {"weight": ts.ones(2), "bias": ts.ones(2)}
    optimizer = optim.SGD(w, lr=0.5, weight_decay=1.0, no_decay=["b*"])
    optimizer.update(w, {"weight": ts.zeros(2), "bias": ts.zeros(2)})
    assert w["weight"].tolist() == [0.5, 0.5] and w["bias"].tolist() == [1, 1]
    with pytest.raises(ts.Error, match="AdamW: the option 'rate' was given; one of lr, weight_decay, no_decay, betas, eps, amsgrad is expected"):
        optim.AdamW(w, groups={"b*": {"rate": 1}})
    with pytest.raises(ts.Error, match="no parameter is in the group of the pattern 'c'"):
        optim.AdamW(w, groups={"c": {"lr": 1}})
    with pytest.raises(ts.Error, match="'betas' has 1 numbers; two are expected"):
        optim.Adam(w, betas=(0.9,))
    with pytest.raises(ts.Error, match="a list of patterns"):
        optim.Adam(w, no_decay="bias")
    with pytest.raises(ts.Error, match="a Module, or a dict of tensors by name, is expected"):
        optim.Adam([ts.ones(1)])
    with pytest.raises(ts.Error, match="has the shape \\[3\\]; \\[2\\] is expected"):
        optimizer.update(w, {"weight": ts.ones(3)})
    with pytest.raises(ts.Error, match="use one of its classes"):
        optim.Optimizer(w)
    grouped = optim.AdamW(w, lr=0.1, groups={"bias": {"lr": 0.2}})
    np.testing.assert_allclose([grouped.rate().item(), grouped.rate(1).item()], [0.1, 0.2], rtol=1e-6)


def test_averages_and_plateaus():
    model = nn.Linear(1, 1)
    ema = optim.Ema(model, decay=0.5)
    own = model.weight.item()
    step = ts.compile(lambda: (model.update({"weight": model.weight + 1}), ema.update(model)) and None, state=[model, ema])
    step()
    step()
    np.testing.assert_allclose([model.weight.item(), ema.parameters()["weight"].item()], [own + 2, own + 1.25], rtol=1e-5)
    ema.swap(model)
    np.testing.assert_allclose(model.weight.item(), own + 1.25, rtol=1e-5)
    ema.swap(model)
    np.testing.assert_allclose(model.weight.item(), own + 2, rtol=1e-5)
    ema.load_state_dict(ema.state_dict())
    optimizer = optim.SGD(model, lr=1.0)
    plateau = optim.ReduceOnPlateau(patience=1)
    assert [plateau.step(m, optimizer) for m in (1.0, 1.0, 1.0, 1.0)] == [False, False, True, False]
    np.testing.assert_allclose(optimizer.learning_rate.item(), 0.1, rtol=1e-6)
    with pytest.raises(ts.Error, match="'min' or 'max' is expected"):
        optim.ReduceOnPlateau("up")


def test_clipping_keeps_the_structure():
    gradients = [ts.array([3.0]), {"b": ts.array([4.0])}]
    clipped, norm = optim.clip_grad_norm(gradients, 2.5)
    assert norm.item() == 5 and abs(clipped[1]["b"].item() - 2) < 1e-5
    assert optim.clip_grad_value(gradients, 3.5)[1]["b"].item() == 3.5
    with pytest.raises(ts.Error, match="a positive number is expected"):
        optim.clip_grad_norm(gradients, 0)


# ---- Whole trainings ----


def test_a_small_cnn_overfits_one_batch():
    model = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64, 3))
    x, y = ts.random.normal((12, 1, 8, 8)), ts.arange(12) % 3
    optimizer = optim.AdamW(model, lr=1e-2)

    def loss_of(x, y):
        logits = model(x)
        return nn.functional.cross_entropy(logits, y), logits

    @ts.compile(state=[model, optimizer])
    def step(x, y):
        (loss, logits), gradients = ts.value_and_grad(model, loss_of, has_aux=True)(x, y)
        gradients, _ = optim.clip_grad_norm(gradients, 1.0)
        optimizer.update(model, gradients)
        return loss, (ts.argmax(logits, axis=1) == y).astype(ts.float32).mean()

    for _ in range(60):
        loss, accuracy = step(x, y)
    assert loss.item() < 0.05 and accuracy.item() == 1.0 and step.traces == 1
    assert math.isfinite(float(model[1].running_var.sum())) and model[1].num_batches_tracked.item() == 60


def test_threads_may_call_one_module():
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.LSTM(4, 3))
    x = ts.random.normal((5, 2, 4))
    expected = np.asarray(model(x)[0])
    wrong = []

    def run():
        for _ in range(10):
            if not np.array_equal(np.asarray(model(x)[0]), expected):
                wrong.append(1)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
