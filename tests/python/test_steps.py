"""Compiled training steps: their state, what is donated and traced again, and whole trainings."""

import copy
import math

import numpy as np
import pytest
import tessera as ts
from nn_points import Mlp
from tessera import nn, optim


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
