"""Low-rank adapters (LoRA) of the Linear layers of any module."""

from __future__ import annotations

from typing import Iterator, Sequence

from tessera import _core
from tessera._core import Tensor
from tessera._errors import ArgumentError, UnsupportedError
from tessera._module import Module
from tessera.nn import init
from tessera.nn._layers import Linear
from tessera.nn._native import Native, Part


def _linears(model: Module) -> Iterator[tuple[str, Module]]:
    """Linear layers, also those inside of modules that the library computes as a whole."""
    return ((name, m) for name, m in model.named_modules() if isinstance(m, Linear) or isinstance(m, Part) and m._class == "Linear")


def lora(model: Module, rank: int, where: Sequence[str] = ("*",), *, alpha: float = 0.0, dropout: float = 0.0) -> list[str]:
    """Adds an adapter to each Linear whose name matches one of the patterns, and returns their names.

    A layer's result gains scale * x A^T B^T, with A [rank, in] random and B [out, rank] zeros; the scale is alpha / rank, or 1 without
    alpha. Everything but the adapters is frozen. Make the optimizer afterwards.

    >>> import tessera as ts
    >>> from tessera import nn
    >>> model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    >>> nn.lora(model, 2, ["0"], alpha=4)
    ['0']
    >>> list(model.trainable_parameters())
    ['0.lora_A', '0.lora_B']
    >>> nn.merge_lora(model)
    >>> list(model.parameters())
    ['0.weight', '0.bias', '2.weight', '2.bias']
    """
    if not isinstance(rank, int) or rank < 1:
        raise ArgumentError(f"lora: a rank of {rank!r} was given; an integer of at least 1 is expected.")
    if isinstance(where, str):
        raise ArgumentError(f"lora: {where!r} was given; a list of patterns is expected.")
    if not 0 <= dropout < 1:
        raise ArgumentError(f"lora: a dropout of {dropout} was given; it is from 0 to below 1.")
    all_of_them = list(_linears(model))
    found = [(name, m) for name, m in all_of_them if any(_core._nn_matches(p, name) for p in where)]
    if not found:
        patterns, names = "', '".join(where), ", ".join(name for name, _ in all_of_them) or "none"
        raise ArgumentError(f"lora: no Linear of {type(model).__name__} matches '{patterns}'; its Linear layers are: {names}.")
    if dropout > 0 and (part := next((name for name, m in found if isinstance(m, Part)), None)) is not None:
        raise UnsupportedError(f"lora: a dropout of {dropout} was given for '{part}', which is computed as part of another module; 0 is expected.")
    model.freeze()
    for _, m in found:
        weight: Tensor = m.weight
        bound = weight.shape[1] ** -0.5
        m.lora_A = init.uniform((rank, weight.shape[1]), -bound, bound, dtype=weight.dtype, device=weight.device)
        m.lora_B = init.zeros((weight.shape[0], rank), dtype=weight.dtype, device=weight.device)
        object.__setattr__(m, "_lora", (alpha / rank if alpha > 0 else 1.0, dropout))
        m.unfreeze("lora_?")
    _note_parts(model)
    return [name for name, _ in found]


def _note_parts(model: Module) -> None:
    for m in model.modules():
        if isinstance(m, Native):
            object.__setattr__(m, "_adapted", any(isinstance(p, Part) and p._lora is not None for p in m.modules()))


def merge_lora(model: Module) -> None:
    """Adds the adapters to the weights and removes them. Parameters stay frozen: unfreeze() if that is not wanted."""
    for _, m in _linears(model):
        if m._lora is None:
            continue
        m.weight = (m.weight + m.lora_B @ m.lora_A * m._lora[0]).detach()
        for name in ("lora_A", "lora_B", "_lora"):
            del m.__dict__[name]
    _note_parts(model)


def lora_parameters(model: Module) -> dict[str, Tensor]:
    """The tensors of the adapters alone, to save them: model.update() loads them into a model with such adapters."""
    return {name: t for name, t in model.state_dict().items() if name.endswith(("lora_A", "lora_B"))}
