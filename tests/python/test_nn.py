"""Modules against PyTorch's numbers (nn_points.py) and as people use them."""

import copy
import gc
import math
import pickle
import re
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest
import tessera as ts
from nn_points import POINTS, Mlp, close, tensor
from tessera import _core, nn, optim


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


def test_every_module_and_initial_value_has_a_case():
    assert set(MODULES) == set(POINTS["modules"])
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


def test_adapters_train_alone_and_merge():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True), nn.Linear(4, 2))
    x, y = ts.random.normal((2, 5, 3)), ts.random.normal((2, 5, 2))
    before, state = np.asarray(model(x)), model.state_dict()
    assert nn.lora(model, 2, ["0", "*.linear1"], alpha=4) == ["0", "2.linear1"]
    np.testing.assert_allclose(np.asarray(model(x)), before, atol=1e-6)  # B starts as zeros
    assert list(model.trainable_parameters()) == ["0.lora_A", "0.lora_B", "2.linear1.lora_A", "2.linear1.lora_B"]
    optimizer = optim.Adam(model, lr=0.05)
    step = ts.compile(lambda x, y: train(model, optimizer, x, y), state=[model, optimizer])
    losses = [step(x, y).item() for _ in range(30)]
    assert losses[-1] < 0.8 * losses[0] and step.traces == 1
    assert all(np.array_equal(np.asarray(model.state_dict()[n]), np.asarray(t)) for n, t in state.items())
    adapter, trained = nn.lora_parameters(model), np.asarray(model(x))
    assert list(adapter) == ["0.lora_A", "0.lora_B", "2.linear1.lora_A", "2.linear1.lora_B"] and adapter["2.linear1.lora_A"].shape == (2, 4)
    fresh = copy.deepcopy(model)
    nn.merge_lora(model)
    assert list(model.state_dict()) == list(state)
    np.testing.assert_allclose(np.asarray(model(x)), trained, atol=1e-5)
    fresh.update({n: ts.zeros(t.shape) for n, t in adapter.items()})
    np.testing.assert_allclose(np.asarray(fresh(x)), before, atol=1e-6)
    fresh.update(adapter)
    np.testing.assert_allclose(np.asarray(fresh(x)), trained, atol=1e-5)
    with pytest.raises(ts.Error, match="no Linear of Sequential matches 'q'; its Linear layers are: 0, 2.self_attn.out_proj, 2.linear1, 2.linear2, 3"):
        nn.lora(model, 2, ["q"])
    with pytest.raises(ts.Error, match="a rank of 0"):
        nn.lora(model, 0)
    with pytest.raises(ts.Error, match="a list of patterns"):
        nn.lora(model, 1, "0")
    with pytest.raises(ts.Error, match="'2.linear1', which is computed as part of another module"):
        nn.lora(model, 1, ["2.linear1"], dropout=0.5)
    layer = nn.Linear(8, 8)
    nn.lora(layer, 4, dropout=0.5)
    layer.lora_B = ts.ones((8, 4))
    assert not np.array_equal(np.asarray(layer(ts.ones(8))), np.asarray(layer(ts.ones(8))))
    layer.eval()
    assert np.array_equal(np.asarray(layer(ts.ones(8))), np.asarray(layer(ts.ones(8))))


def test_an_adapter_of_attention_decodes():
    attention = nn.MultiheadAttention(8, 2, batch_first=True, rope=True).eval()
    x, before = ts.random.normal((2, 4, 8)), attention.out_proj.weight.tolist()
    assert nn.lora(attention, 2) == ["out_proj"]
    attention.out_proj.lora_B = ts.random.normal((8, 2))
    cache = attention.cache(2, 4)
    parts = [attention.decode(x[:, i:i + 1], cache) for i in range(4)]
    np.testing.assert_allclose(np.asarray(ts.concat(parts, axis=1)), np.asarray(attention(x, is_causal=True)), atol=1e-5)
    assert attention.out_proj.weight.tolist() == before


def train(model, optimizer, x, y):
    loss, gradients = ts.value_and_grad(model, lambda: ((model(x) - y) ** 2).mean())()
    optimizer.update(model, gradients)
    return loss


def test_summaries_compute_nothing():
    class Net(nn.Module):
        def __init__(self):
            self.conv, self.norm = nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4)
            self.encoder = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
            self.unused = nn.Linear(2, 2)

        def forward(self, x):
            h = ts.relu(self.norm(self.conv(x)))
            return self.encoder(h.reshape(h.shape[0], 4, -1).mT)

    net = Net().freeze("unused.*")
    summary = nn.summary(net, ts.zeros((2, 1, 6, 6)))
    rows = {r.name: r for r in summary.rows}
    assert [r.name for r in summary.rows][:4] == ["", "conv", "norm", "encoder"] and rows["conv"].kind == "Conv2d"
    assert rows[""].output == (2, 36, 4) and rows["conv"].output == (2, 4, 6, 6) and rows["unused"].output is None
    assert rows["conv"].flops == 2 * 9 * 2 * 4 * 36 and rows["encoder"].flops > 2 * 2 * 36 * (4 * 12 + 16 + 32 + 32)
    assert summary.parameters == net.parameter_count() == summary.trainable + 6
    assert net.norm.num_batches_tracked.item() == 0 and summary.buffer_bytes > 0
    assert "(all)" in str(summary) and f"{summary.parameters} parameters ({summary.trainable} trainable" in str(summary)
    with pytest.raises(ts.Error):
        nn.summary(net, ts.zeros((2, 3, 6, 6)))
    assert all("_watch" not in m.__dict__ for m in net.modules())
    assert nn.summary(nn.LSTM(3, 4), ts.zeros((5, 2, 3))).rows[0].output == (5, 2, 4)


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
