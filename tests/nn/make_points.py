"""Writes points.json: PyTorch's numbers for the modules, optimizers, schedules and initialisers of tests/nn/points_test.cpp.

    python make_points.py [file]

Needs PyTorch 2.9 or later. Numbers are those of float64, rounded to nine digits. A module's loss is sum(output * w), with w[i] =
cos(1.7 i + 0.3) over the elements of all outputs in order. The names of the entries are those of points_test.cpp, which has the
constructors again in C++.
"""

import json
import math
import pathlib
import sys

import torch
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent
torch.set_default_dtype(torch.float64)


def number(v):
    v = float(f"{float(v):.9g}")
    return int(v) if math.isfinite(v) and v == int(v) else v


def packed(t):
    """A tensor as [shape, numbers]."""
    return [list(t.shape), [number(v) for v in t.detach().reshape(-1).tolist()]]


def weights(count, offset):
    return torch.cos(1.7 * (torch.arange(count, dtype=torch.float64) + offset) + 0.3)


# ---- Modules: name -> (module, inputs, call); inputs are shapes, or tensors that have no gradient ----

def plain(m, *x):
    return m(*x)


def with_state(m, x, *state):
    """Recurrent modules: output and last states."""
    y, last = m(x, state[0] if len(state) == 1 else tuple(state)) if state else m(x)
    return [y, *last] if isinstance(last, tuple) else [y, last]


def attention(m, q, k=None, v=None, **more):
    k = q if k is None else k
    v = k if v is None else v
    return m(q, k, v, need_weights=False, **more)[0]


def causal(n):
    return torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)


def evaluated(m):
    m.eval()
    return m


def modules():
    ids = torch.tensor([[0, 2, 1], [4, 2, 2]])
    x = (2, 3, 5)
    activations = {
        "ReLU": nn.ReLU(), "ReLU6": nn.ReLU6(), "SELU": nn.SELU(), "SiLU": nn.SiLU(), "Mish": nn.Mish(), "Tanh": nn.Tanh(),
        "Sigmoid": nn.Sigmoid(), "LogSigmoid": nn.LogSigmoid(), "Softplus": nn.Softplus(), "Softsign": nn.Softsign(),
        "Tanhshrink": nn.Tanhshrink(), "Hardsigmoid": nn.Hardsigmoid(), "Hardswish": nn.Hardswish(), "ELU": nn.ELU(1.3),
        "CELU": nn.CELU(1.3), "LeakyReLU": nn.LeakyReLU(0.2), "Softshrink": nn.Softshrink(0.4), "Hardshrink": nn.Hardshrink(0.4),
        "Softmax": nn.Softmax(1), "LogSoftmax": nn.LogSoftmax(1), "Softmin": nn.Softmin(-1), "GELU": nn.GELU(),
        "GELU tanh": nn.GELU("tanh"), "Hardtanh": nn.Hardtanh(-0.5, 0.7), "Threshold": nn.Threshold(0.1, -0.3),
        "RReLU eval": evaluated(nn.RReLU()), "PReLU": nn.PReLU(), "PReLU channels": nn.PReLU(3), "Identity": nn.Identity(),
        "Dropout eval": evaluated(nn.Dropout(0.4)),
    }
    rows = {name: (m, [x], plain) for name, m in activations.items()}
    layer = dict(dim_feedforward=6, dropout=0.0)
    rows |= {
        "GLU": (nn.GLU(1), [(2, 4, 3)], plain),
        "Linear": (nn.Linear(5, 4), [x], plain),
        "Linear without bias": (nn.Linear(5, 4, bias=False), [(5,)], plain),
        "Bilinear": (nn.Bilinear(3, 4, 2), [(2, 3), (2, 4)], plain),
        "Embedding": (nn.Embedding(5, 3), [ids], plain),
        "Embedding padding": (nn.Embedding(5, 3, padding_idx=2), [ids], plain),
        "Flatten": (nn.Flatten(), [(2, 3, 2)], plain),
        "Unflatten": (nn.Unflatten(1, (2, 3)), [(2, 6)], plain),
        "Sequential": (nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), [(2, 3)], plain),
        "Conv1d": (nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2), [(2, 4, 7)], plain),
        "Conv1d unbatched": (nn.Conv1d(2, 3, 2, bias=False), [(2, 5)], plain),
        "Conv2d": (nn.Conv2d(2, 3, (3, 2), stride=(1, 2), padding=(1, 0), dilation=(1, 2)), [(2, 2, 4, 5)], plain),
        "Conv2d same": (nn.Conv2d(2, 2, 3, padding="same"), [(1, 2, 4, 4)], plain),
        "ConvTranspose1d": (nn.ConvTranspose1d(4, 4, 3, stride=2, padding=1, output_padding=1, groups=2), [(1, 4, 4)], plain),
        "ConvTranspose2d": (nn.ConvTranspose2d(2, 3, 3, stride=2), [(1, 2, 3, 3)], plain),
        "BatchNorm1d": (nn.BatchNorm1d(3), [(4, 3)], plain),
        "BatchNorm1d of a sequence": (nn.BatchNorm1d(3, momentum=None), [(2, 3, 4)], plain),
        "BatchNorm2d": (nn.BatchNorm2d(3, eps=1e-3, momentum=0.3), [(2, 3, 2, 2)], plain),
        "BatchNorm2d eval": (evaluated(nn.BatchNorm2d(3)), [(2, 3, 2, 2)], plain),
        "BatchNorm2d without statistics": (nn.BatchNorm2d(2, affine=False, track_running_stats=False), [(2, 2, 2, 3)], plain),
        "BatchNorm3d": (nn.BatchNorm3d(2), [(2, 2, 2, 2, 2)], plain),
        "LayerNorm": (nn.LayerNorm(5), [x], plain),
        "LayerNorm of two axes": (nn.LayerNorm((3, 5), eps=1e-3, bias=False), [x], plain),
        "RMSNorm": (nn.RMSNorm(5, eps=1e-5), [x], plain),
        "GroupNorm": (nn.GroupNorm(2, 4), [(2, 4, 3)], plain),
        "InstanceNorm1d": (nn.InstanceNorm1d(3), [(2, 3, 4)], plain),
        "InstanceNorm2d": (nn.InstanceNorm2d(3, affine=True), [(2, 3, 3, 2)], plain),
        "InstanceNorm1d tracked": (nn.InstanceNorm1d(3, momentum=0.3, affine=True, track_running_stats=True), [(2, 3, 4)], plain),
        "InstanceNorm2d tracked eval": (evaluated(nn.InstanceNorm2d(3, track_running_stats=True)), [(2, 3, 2, 2)], plain),
        "Softplus beta": (nn.Softplus(2.5), [x], plain),
        "MaxPool1d": (nn.MaxPool1d(3, stride=2, padding=1), [(1, 2, 7)], plain),
        "MaxPool2d": (nn.MaxPool2d(2), [(1, 2, 4, 6)], plain),
        "AvgPool1d": (nn.AvgPool1d(2), [(1, 2, 6)], plain),
        "AvgPool2d": (nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False), [(1, 2, 5, 5)], plain),
        "AdaptiveAvgPool1d": (nn.AdaptiveAvgPool1d(3), [(1, 2, 7)], plain),
        "AdaptiveAvgPool2d": (nn.AdaptiveAvgPool2d(2), [(1, 2, 5, 3)], plain),
        "AdaptiveMaxPool1d": (nn.AdaptiveMaxPool1d(3), [(1, 2, 7)], plain),
        "AdaptiveMaxPool2d": (nn.AdaptiveMaxPool2d((2, 3)), [(1, 2, 5, 6)], plain),
        "Upsample": (nn.Upsample(scale_factor=2), [(1, 2, 3)], plain),
        "Upsample bilinear": (nn.Upsample(size=(5, 4), mode="bilinear", align_corners=True), [(1, 2, 3, 2)], plain),
        "PixelShuffle": (nn.PixelShuffle(2), [(1, 8, 2, 3)], plain),
        "PixelUnshuffle": (nn.PixelUnshuffle(2), [(1, 2, 4, 2)], plain),
        "MultiheadAttention": (nn.MultiheadAttention(8, 2), [(3, 2, 8)], attention),
        "MultiheadAttention causal": (nn.MultiheadAttention(8, 2, bias=False, batch_first=True), [(2, 4, 8)],
                                      lambda m, q: attention(m, q, attn_mask=causal(4))),
        "MultiheadAttention of other widths": (nn.MultiheadAttention(8, 2, kdim=5, vdim=3), [(2, 1, 8), (4, 1, 5), (4, 1, 3)], attention),
        "TransformerEncoderLayer": (nn.TransformerEncoderLayer(4, 2, **layer), [(3, 2, 4)], plain),
        "TransformerEncoderLayer norm first": (nn.TransformerEncoderLayer(4, 2, activation="gelu", batch_first=True, norm_first=True, **layer), [(2, 3, 4)],
                                               lambda m, x: m(x, src_mask=causal(3))),
        "TransformerDecoderLayer": (nn.TransformerDecoderLayer(4, 2, **layer), [(3, 2, 4), (5, 2, 4)], lambda m, x, y: m(x, y, tgt_mask=causal(3))),
        "TransformerDecoderLayer norm first": (nn.TransformerDecoderLayer(4, 2, batch_first=True, norm_first=True, **layer), [(1, 3, 4), (1, 2, 4)], plain),
        "TransformerEncoder": (nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, batch_first=True, **layer), 2, nn.LayerNorm(4), enable_nested_tensor=False),
                               [(1, 3, 4)], plain),
        "TransformerDecoder": (nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, batch_first=True, **layer), 2, nn.LayerNorm(4)), [(1, 2, 4), (1, 3, 4)], plain),
        "RNN": (nn.RNN(3, 4), [(5, 2, 3)], with_state),
        "RNN relu": (nn.RNN(3, 2, num_layers=2, nonlinearity="relu", bidirectional=True, bias=False), [(3, 2, 3)], with_state),
        "LSTM": (nn.LSTM(3, 4), [(5, 2, 3)], with_state),
        "LSTM deep": (nn.LSTM(3, 2, num_layers=2, bidirectional=True, batch_first=True), [(2, 4, 3), (4, 2, 2), (4, 2, 2)], with_state),
        "GRU": (nn.GRU(3, 4), [(5, 3)], with_state),
        "GRU deep": (nn.GRU(3, 2, num_layers=2, bidirectional=True), [(3, 2, 3), (4, 2, 2)], with_state),
    }
    return rows


def module_point(name, m, inputs, call):
    with torch.no_grad():
        for n, p in m.named_parameters():
            p.add_(0.2 * torch.randn_like(p))
            if getattr(m, "padding_idx", None) is not None:
                p[m.padding_idx] = 0
        for n, b in m.named_buffers():
            if n.endswith("running_mean"):
                b.add_(torch.randn_like(b))
            elif n.endswith("running_var"):
                b.add_(torch.rand_like(b))
    point = {"state": {n: packed(t) for n, t in m.state_dict().items()}}
    tensors = [torch.randn(i, requires_grad=True) if isinstance(i, tuple) else i for i in inputs]
    point["inputs"] = [packed(t) for t in tensors]
    outputs = call(m, *tensors)
    outputs = outputs if isinstance(outputs, list) else [outputs]
    loss, offset = 0, 0
    for y in outputs:
        loss = loss + (y.reshape(-1) * weights(y.numel(), offset)).sum()
        offset += y.numel()
    loss.backward()
    point["outputs"] = [packed(y) for y in outputs]
    point["gradients"] = {n: packed(p.grad) for n, p in m.named_parameters()}
    point["input gradients"] = [packed(t.grad) if t.requires_grad else None for t in tensors]
    point["buffers"] = {n: packed(b) for n, b in m.named_buffers()}
    return point


# ---- Optimizers: name -> a function of the parameters that gives a function which does one step ----

def of(kind, **options):
    def make(p):
        optimizer = kind(p.values(), **options)
        return optimizer.step
    return make


class Lion:
    """By hand: PyTorch has none."""

    def __init__(self, params, lr, betas, weight_decay):
        self.params, self.lr, self.betas, self.decay = list(params), lr, betas, weight_decay
        self.m = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for p, m in zip(self.params, self.m):
            direction = torch.sign(b1 * m + (1 - b1) * p.grad)
            p.mul_(1 - self.lr * self.decay).sub_(self.lr * direction)
            m.mul_(b2).add_(p.grad, alpha=1 - b2)


def muon(**options):
    def make(p):
        first = torch.optim.Muon([p["weight"]], **options)
        second = torch.optim.AdamW([p["bias"]], lr=0.02)

        def step():
            kept = torch.Tensor.bfloat16
            torch.Tensor.bfloat16 = lambda self: self.clone()  # PyTorch iterates in bf16; ours in f32
            try:
                first.step()
            finally:
                torch.Tensor.bfloat16 = kept
            second.step()
        return step
    return make


def groups(p):
    optimizer = torch.optim.AdamW([{"params": [p["weight"]]}, {"params": [p["bias"]], "lr": 0.05, "weight_decay": 0.0}], lr=0.01, weight_decay=0.2)
    return optimizer.step


def clipped(p):
    optimizer = torch.optim.SGD(p.values(), lr=0.5)

    def step():
        torch.nn.utils.clip_grad_norm_(p.values(), 0.1)
        optimizer.step()
    return step


def scheduled(p):
    optimizer = torch.optim.AdamW(p.values(), lr=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20)

    def step():
        optimizer.step()
        schedule.step()
    return step


O = torch.optim
OPTIMIZERS = {
    "SGD": of(O.SGD, lr=0.1),
    "SGD momentum": of(O.SGD, lr=0.05, momentum=0.9, weight_decay=0.01),
    "SGD dampening": of(O.SGD, lr=0.05, momentum=0.9, dampening=0.4),
    "SGD nesterov": of(O.SGD, lr=0.05, momentum=0.8, nesterov=True),
    "SGD clipped": clipped,
    "Adam": of(O.Adam, lr=0.01),
    "Adam decay": of(O.Adam, lr=0.02, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.05),
    "Adam amsgrad": of(O.Adam, lr=0.05, betas=(0.5, 0.6), amsgrad=True),
    "AdamW": of(O.AdamW, lr=0.01),
    "AdamW amsgrad": of(O.AdamW, lr=0.02, betas=(0.5, 0.6), weight_decay=0.1, amsgrad=True),
    "AdamW groups": groups,
    "AdamW cosine": scheduled,
    "Adamax": of(O.Adamax, lr=0.01, weight_decay=0.01),
    "NAdam": of(O.NAdam, lr=0.01),
    "NAdam decoupled": of(O.NAdam, lr=0.01, weight_decay=0.1, momentum_decay=0.01, decoupled_weight_decay=True),
    "RAdam": of(O.RAdam, lr=0.01),
    "RAdam decay": of(O.RAdam, lr=0.02, betas=(0.8, 0.9), weight_decay=0.05),
    "RMSprop": of(O.RMSprop, lr=0.01),
    "RMSprop centered": of(O.RMSprop, lr=0.005, alpha=0.9, momentum=0.5, centered=True, weight_decay=0.01),
    "Adagrad": of(O.Adagrad, lr=0.05),
    "Adagrad decay": of(O.Adagrad, lr=0.1, lr_decay=0.1, weight_decay=0.01, initial_accumulator_value=0.2),
    "Adadelta": of(O.Adadelta),
    "Adafactor": of(O.Adafactor, lr=0.05, eps=(2 ** -23, 1e-3)),
    "Adafactor decay": of(O.Adafactor, lr=0.1, weight_decay=0.1, d=1.2, eps=(2 ** -23, 1e-3)),
    "Lion": lambda p: Lion(p.values(), 0.01, (0.9, 0.99), 0.0).step,
    "Lion decay": lambda p: Lion(p.values(), 0.02, (0.8, 0.95), 0.1).step,
    "Muon": muon(lr=0.02),
    "Muon matched": muon(lr=0.02, momentum=0.9, nesterov=False, adjust_lr_fn="match_rms_adamw"),
}


def problem():
    generator = torch.Generator().manual_seed(3)
    rand = lambda *shape: torch.randn(*shape, generator=generator)  # noqa: E731
    return {"x": rand(6, 4), "y": rand(6, 3), "weight": rand(3, 4) * 0.5, "bias": rand(3) * 0.5}


def optimizer_point(make):
    given = problem()
    p = {n: nn.Parameter(given[n].clone()) for n in ("weight", "bias")}
    step = make(p)
    after = []
    for i in range(20):
        for t in p.values():
            t.grad = None
        loss = ((torch.tanh(given["x"] @ p["weight"].T + p["bias"]) - given["y"]) ** 2).mean()
        loss.backward()
        step()
        if i % 5 == 4:
            after.append({n: packed(t) for n, t in p.items()})
    return after


# ---- Schedules: 60 values ----

L = torch.optim.lr_scheduler
SCHEDULES = {
    "constant": lambda o: L.LambdaLR(o, lambda s: 1.0),
    "step_decay": lambda o: L.StepLR(o, 7, gamma=0.5),
    "multistep": lambda o: L.MultiStepLR(o, [10, 25, 40], gamma=0.3),
    "exponential": lambda o: L.ExponentialLR(o, 0.9),
    "cosine": lambda o: L.LambdaLR(o, lambda s: 0.1 + 0.9 * (1 + math.cos(math.pi * min(s, 50) / 50)) / 2),
    "cosine warmup": lambda o: L.LambdaLR(o, lambda s: s / 8 if s < 8 else (1 + math.cos(math.pi * min((s - 8) / 42, 1))) / 2),
    "cosine_restarts": lambda o: L.CosineAnnealingWarmRestarts(o, 7, 1, eta_min=0.1),
    "cosine_restarts doubled": lambda o: L.CosineAnnealingWarmRestarts(o, 5, 2),
    "linear": lambda o: L.LinearLR(o, start_factor=0.25, end_factor=1.0, total_iters=20),
    "polynomial": lambda o: L.PolynomialLR(o, 40, power=2.0),
    "one_cycle": lambda o: L.OneCycleLR(o, 1.0, total_steps=60, cycle_momentum=False),
    "one_cycle linear": lambda o: L.OneCycleLR(o, 1.0, total_steps=60, pct_start=0.4, div_factor=10, final_div_factor=100, anneal_strategy="linear", cycle_momentum=False),
    "inverse_sqrt": lambda o: L.LambdaLR(o, lambda s: s / 10 if s < 10 else math.sqrt(10 / s)),
    "join": lambda o: L.SequentialLR(o, [L.LinearLR(o, 0.1, 1.0, 10), L.ExponentialLR(o, 0.95)], [10]),
}


def schedule_point(make):
    p = nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([p], lr=1.0)
    schedule = make(optimizer)
    values = []
    for _ in range(60):
        values.append(number(optimizer.param_groups[0]["lr"]))
        optimizer.step()
        schedule.step()
    return values


# ---- Initialisers: statistics of many numbers, or a small result ----

I = nn.init
INITS = {
    "uniform": lambda t: I.uniform_(t, -0.3, 0.5), "normal": lambda t: I.normal_(t, 0.1, 0.4), "constant": lambda t: I.constant_(t, 0.7),
    "zeros": I.zeros_, "ones": I.ones_, "trunc_normal": lambda t: I.trunc_normal_(t, 0.2, 1.5, -1.0, 2.0),
    "xavier_uniform": lambda t: I.xavier_uniform_(t, 1.5), "xavier_normal": lambda t: I.xavier_normal_(t),
    "kaiming_uniform": lambda t: I.kaiming_uniform_(t, a=math.sqrt(5)), "kaiming_normal": lambda t: I.kaiming_normal_(t, mode="fan_out", nonlinearity="relu"),
    "orthogonal": lambda t: I.orthogonal_(t, 1.2), "eye": I.eye_, "dirac": lambda t: I.dirac_(t, 2),
}


def init_point(name, make):
    if name in ("eye", "dirac"):
        return {"value": packed(make(torch.empty((3, 4) if name == "eye" else (4, 3, 3, 2))))}
    t = make(torch.empty(400, 300))
    return {"mean": number(t.mean()), "deviation": number(t.std(unbiased=False)), "low": number(t.min()), "high": number(t.max())}


def main():
    torch.manual_seed(1)
    points = {"torch": torch.__version__, "modules": {}, "optimizers": {}, "schedules": {}, "inits": {}}
    for name, (m, inputs, call) in modules().items():
        points["modules"][name] = module_point(name, m, inputs, call)
    points["problem"] = {n: packed(t) for n, t in problem().items()}
    for name, make in OPTIMIZERS.items():
        points["optimizers"][name] = optimizer_point(make)
    for name, make in SCHEDULES.items():
        points["schedules"][name] = schedule_point(make)
    for name, make in INITS.items():
        points["inits"][name] = init_point(name, make)
    lines = []
    for section, rows in points.items():
        if isinstance(rows, str):
            lines.append(f'"{section}": {json.dumps(rows)}')
        else:
            body = ",\n".join(f" {json.dumps(n)}: {json.dumps(v, separators=(',', ':'))}" for n, v in rows.items())
            lines.append(f'"{section}": {{\n{body}\n}}')
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "points.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(path, path.stat().st_size, "bytes;", *(f"{len(v)} {k}" for k, v in points.items() if isinstance(v, dict)))


if __name__ == "__main__":
    main()
