"""A training step on 8x8 digits beside PyTorch's eager step: a convolutional network of 29 thousand parameters, AdamW, batches of 128.

usage: digits_step.py [--steps 300] [tessera torch]; prints a JSON line for each. The losses of the first steps show that both train."""
import argparse
import json
import time

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("what", nargs="*", default=["tessera", "torch"])
parser.add_argument("--steps", type=int, default=300)
options = parser.parse_args()
rng = np.random.default_rng(0)
labels = rng.integers(0, 10, 128).astype(np.int32)
pictures = (rng.standard_normal((128, 1, 8, 8)) * 0.2 + labels[:, None, None, None] / 10).astype(np.float32)


def report(name, step, read, synchronize):
    losses = [read(step()) for _ in range(3)]
    end = time.perf_counter() + 1
    while time.perf_counter() < end:  # GPUs that were idle need a while to reach their clock
        step()
    synchronize()
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(options.steps):
            loss = step()
        last = read(loss)
        best = min(best, (time.perf_counter() - start) / options.steps)
    print(json.dumps({"benchmark": "digits_step", "library": name, "ms": round(best * 1e3, 4), "losses": losses, "last": last}), flush=True)


def run_tessera():
    import tessera as ts
    import tessera.nn.functional as F
    from tessera import nn, optim

    ts.random.seed(0)
    model = nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                          nn.Flatten(), nn.Linear(1024, 10))
    optimizer = optim.AdamW(model, lr=1e-3)
    x, y = ts.array(pictures), ts.array(labels)

    @ts.compile(state=[model, optimizer])
    def step(x, y):
        loss, gradients = ts.value_and_grad(model, lambda x, y: F.cross_entropy(model(x), y))(x, y)
        optimizer.update(model, gradients)
        return loss

    report("tessera", lambda: step(x, y), lambda loss: round(loss.item(), 4), ts.synchronize)


def run_torch():
    import torch
    import torch.nn.functional as F
    from torch import nn

    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                          nn.Flatten(), nn.Linear(1024, 10)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=device == "cuda")
    x, y = torch.tensor(pictures, device=device), torch.tensor(labels, device=device).long()

    def step():
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    report("torch", step, lambda loss: round(loss.item(), 4), torch.cuda.synchronize if device == "cuda" else lambda: None)


for name in options.what:
    {"tessera": run_tessera, "torch": run_torch}[name]()
