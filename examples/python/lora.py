"""Trains a small language model, freezes it, and gives it another task by a low-rank adapter: python lora.py [--rank N] [--out DIR].

The twin of `tessera train lora`. The base learns to write digits in ascending order, 4283>2348, and the adapter in descending order, 4283>8432. Its last
line: held-out lines right: 1.000 of the base's task, 0.998 of the adapter's (about; both at least 0.98)."""

import argparse
import copy
import pathlib

import numpy as np
import tessera as ts
import tessera.nn.functional as F
from gpt import IGNORED, Llama, generate
from tessera import nn, optim, train
from tessera.data import DataLoader, from_arrays

HELD_OUT = 500  # lines
ARROW = 10      # the token after the question; those of digits are the digits
TOKENS = "0123456789>"


def questions(count, digits, held_out, rng):
    """Random digits [count, digits]: of those that are held out if their sum, weighted by position, is a multiple of 11."""
    found = np.empty((0, digits), np.int32)
    while len(found) < count:
        some = rng.integers(0, 10, (2 * count, digits), np.int32)
        found = np.concatenate([found, some[(some @ np.arange(1, digits + 1) % 11 == 0) == held_out]])
    return found[:count]


def in_order(rows, descending):
    return np.sort(rows, axis=1)[:, ::-1] if descending else np.sort(rows, axis=1)


def sorting_lines(count, digits, descending, held_out, seed):
    """Lines such as 4283>2348 as "tokens" and "targets", both [count, 2 digits]; the question has no loss."""
    rows = questions(count, digits, held_out, np.random.default_rng(seed))
    answers, arrow = in_order(rows, descending), np.full((count, 1), ARROW, np.int32)
    return {"tokens": np.concatenate([rows, arrow, answers[:, :-1]], axis=1), "targets": np.concatenate([np.full_like(rows, IGNORED), answers], axis=1)}


def complete(model, digits, count):
    """Lines that are held out, and what the model writes after them."""
    rows = questions(count, digits, True, np.random.default_rng(1_000_003))
    return rows, generate(model, np.pad(rows, ((0, 0), (0, 1)), constant_values=ARROW), digits, 2 * digits + 1)


def lines_right(model, digits, descending):
    rows, answers = complete(model, digits, HELD_OUT)
    return (answers == in_order(rows, descending)).all(axis=1).mean()


def fit(model, o, epochs, lr, descending, out):
    def loader(count, held_out):
        lines = from_arrays(sorting_lines(count, o.digits, descending, held_out, o.seed))
        return DataLoader(lines, batch_size=o.batch, shuffle=not held_out, drop_last=not held_out, seed=o.seed)

    def loss(batch):
        return F.cross_entropy(model(batch["tokens"]).reshape(-1, len(TOKENS)), batch["targets"].reshape(-1), ignore_index=IGNORED)

    training = loader(o.samples, False)
    optimizer = optim.AdamW(model, lr=optim.one_cycle(lr, epochs * len(training), start=0.1), no_decay=optim.vectors_of(model))
    train.Trainer(model, optimizer, loss, epochs=epochs, clip_norm=1, out=out).fit(training, loader(HELD_OUT, True))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--digits", type=int, default=4, choices=range(2, 17), help="to sort", metavar="2..16")
    parser.add_argument("--samples", type=int, default=12800, help="lines of an epoch")
    parser.add_argument("--layers", type=int, default=2, help="of the base")
    parser.add_argument("--heads", type=int, default=4, help="of the base")
    parser.add_argument("--width", type=int, default=64, help="of the base")
    parser.add_argument("--rank", type=int, default=8, help="of the adapter")
    parser.add_argument("--base-epochs", type=int, default=4)
    parser.add_argument("--base-lr", type=float, default=3e-3, help="the highest rate for the base")
    parser.add_argument("--epochs", type=int, default=8, help="of the adapter")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--lr", type=float, default=1e-2, help="the highest rate for the adapter")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, help="a folder for checkpoints, logs and both sets of weights; runs that are there continue")
    o = parser.parse_args(arguments)

    ts.random.seed(o.seed)
    base = Llama(len(TOKENS), o.layers, o.heads, o.width, 0)
    print(f"The base sorts {o.digits} digits in ascending order: {base.parameter_count()} parameters")
    fit(base, o, o.base_epochs, o.base_lr, False, o.out and o.out / "base-run")

    adapted = copy.deepcopy(base)  # with parameters of its own
    layers = nn.lora(adapted, o.rank, ["layers.*"])  # everything but the adapter is frozen
    adapter = nn.lora_parameters(adapted)
    print(f"The adapter, of rank {o.rank} in {len(layers)} layers, sorts in descending order: {sum(t.size for t in adapter.values())} parameters")
    fit(adapted, o, o.epochs, o.lr, True, o.out and o.out / "adapter-run")

    states = {"base": base.state_dict(), "adapter": nn.lora_parameters(adapted)}
    if o.out:
        for name, state in states.items():
            ts.save(o.out / f"{name}.safetensors", state)
        print(f"saved: base.safetensors and adapter.safetensors in {o.out}")
    for model in base, adapted:
        lines = np.concatenate(complete(model, o.digits, 3), axis=1)
        print(*("".join(map(str, row[:o.digits])) + ">" + "".join(TOKENS[t] for t in row[o.digits:]) for row in lines), sep="  ")
    right = {}
    for name, what, model in ("base", "base", base), ("adapter", "with the adapter", adapted):
        right[name] = [lines_right(model, o.digits, descending) for descending in (False, True)]
        kib = sum(t.size for t in states[name].values()) * 4 / 1024
        print(f"{what}, {kib:.0f} KiB: {right[name][0]:.3f} ascending, {right[name][1]:.3f} descending")
    print(f"held-out lines right: {right['base'][0]:.3f} of the base's task, {right['adapter'][1]:.3f} of the adapter's")


if __name__ == "__main__":
    main()
