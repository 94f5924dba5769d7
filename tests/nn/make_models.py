"""Writes models/*.safetensors: PyTorch models as a user exports them, and what PyTorch computes with them, for models_test.cpp and
tests/python/test_models.py.

    python make_models.py [folder]

Needs PyTorch 2.9 or later and safetensors; the committed files were made with PyTorch 2.11. NAME.safetensors is the state_dict of a model, in
float32. NAME.points.safetensors has its inputs, its outputs in evaluation mode ("output"), and of one pass in training mode the loss, the
gradients ("gradients.NAME") and the buffers afterwards ("buffers.NAME"), computed in float64 from the same numbers. The loss is
sum(output * w), with w[i] = cos(1.7 i + 0.3). gpt2.points.safetensors has the losses of ten steps of AdamW instead.
"""

import pathlib
import sys

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

HERE = pathlib.Path(__file__).resolve().parent


class Cnn(nn.Sequential):
    """Convolutions with batch norm."""

    def __init__(self):
        super().__init__(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1, bias=False),
                         nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))


class Encoder(nn.Module):
    """A transformer encoder with a classifier of the mean."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 16)
        layer = nn.TransformerEncoderLayer(16, 2, dim_feedforward=32, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(16), enable_nested_tensor=False)
        self.head = nn.Linear(16, 5)

    def forward(self, ids):
        return self.head(self.encoder(self.embedding(ids)).mean(1))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)

    def forward(self, x):
        n, length, width = x.shape
        q, k, v = (t.view(n, length, self.heads, -1).transpose(1, 2) for t in self.c_attn(x).split(width, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(n, length, width))


class Mlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.c_fc = nn.Linear(width, 4 * width)
        self.c_proj = nn.Linear(4 * width, width)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(width), Attention(width, heads)
        self.ln_2, self.mlp = nn.LayerNorm(width), Mlp(width)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt2(nn.Module):
    """GPT-2's structure: learned positions, pre-norm, tanh GELU, and the token embedding as the head."""

    def __init__(self, vocabulary=32, context=16, width=24, heads=3, layers=3):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        self.h = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        for name, p in self.named_parameters():
            if p.ndim == 2:
                nn.init.normal_(p, 0.0, 0.02 if not name.endswith("c_proj.weight") else 0.02 / (2 * layers) ** 0.5)
            elif name.endswith("bias"):
                nn.init.zeros_(p)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1]))
        for block in self.h:
            x = block(x)
        return self.ln_f(x) @ self.wte.weight.T


def rounded(model):
    """Numbers that float32 has, in float64."""
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(p.float())
    return model.double()


def save(folder, name, state, points):
    for file in (f"{name}.safetensors", f"{name}.points.safetensors"):
        (folder / file).touch(0o644)
    save_file({n: t.detach().contiguous().to(torch.float32 if t.is_floating_point() else t.dtype) for n, t in state.items()},
              folder / f"{name}.safetensors")
    save_file({n: t.detach().contiguous().to(torch.float32 if t.is_floating_point() else torch.int32) for n, t in points.items()},
              folder / f"{name}.points.safetensors")


def exported(folder, name, model, x):
    with torch.no_grad():
        for n, p in model.named_parameters():
            p.add_(0.1 * torch.randn_like(p))
        for n, b in model.named_buffers():
            if n.endswith(("running_mean", "running_var")):
                b.copy_((b + torch.rand_like(b)).float())
    rounded(model)
    state = {n: t.clone() for n, t in model.state_dict().items()}
    points = {"input": x, "output": model.eval()(x)}
    y = model.train()(x)
    loss = (y.reshape(-1) * torch.cos(1.7 * torch.arange(y.numel(), dtype=torch.float64) + 0.3)).sum()
    loss.backward()
    points["loss"] = loss
    points |= {f"gradients.{n}": p.grad for n, p in model.named_parameters()}
    points |= {f"buffers.{n}": b for n, b in model.named_buffers()}
    save(folder, name, state, points)


def trained(folder, name, model):
    rounded(model)
    state = {n: t.clone() for n, t in model.state_dict().items()}
    ids = torch.randint(0, 32, (4, 17))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.95), weight_decay=0.1)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(ids[:, :-1]).reshape(-1, 32), ids[:, 1:].reshape(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    print(name, losses)
    save(folder, name, state, {"ids": ids, "losses": torch.tensor(losses, dtype=torch.float64),
                               "ln_f.weight": model.ln_f.weight, "wpe.weight": model.wpe.weight})


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "models"
    folder.mkdir(exist_ok=True)
    torch.manual_seed(5)
    torch.set_num_threads(1)
    exported(folder, "cnn", Cnn(), (torch.randn(4, 1, 8, 8)).float().double())
    exported(folder, "encoder", Encoder(), torch.randint(0, 20, (3, 6)))
    trained(folder, "gpt2", Gpt2())


main()
