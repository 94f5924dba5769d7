"""Optimizers and schedules against PyTorch's numbers (nn_points.py), their options, averages and clipping."""

import re
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
from nn_points import POINTS, close, tensor
from tessera import nn, optim


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


def test_every_optimizer_and_schedule_has_a_case():
    assert set(OPTIMIZERS) == set(POINTS["optimizers"])
    assert set(SCHEDULES) == set(POINTS["schedules"])


def test_python_has_what_the_headers_declare():
    include = Path(__file__).resolve().parent.parent.parent / "include" / "tessera"
    optimizers = re.findall(r"^class (\w+) : public", (include / "optim" / "optimizers.h").read_text(), re.M)
    schedules = re.findall(r"^Schedule (\w+)\(", (include / "optim" / "schedule.h").read_text(), re.M)
    assert len(optimizers) > 10 and len(schedules) > 10 and all(hasattr(optim, name) for name in optimizers + schedules)


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
