"""summary(model, input): layers, shapes, parameters, FLOPs and memory, without computing anything."""

from __future__ import annotations

from typing import Any, NamedTuple

from tessera._core import Tensor
from tessera._module import Module
from tessera._transforms import no_grad

_MIB = 1024.0 * 1024.0


class SummaryRow(NamedTuple):
    """One module: parameters and FLOPs are its own, without those of its parts."""

    name: str
    kind: str
    output: tuple[int, ...] | None  # the shape of the last call's result; None: it was not called, or gave something else
    parameters: int
    trainable: int
    flops: float  # of matmuls, convolutions and attention; 0: none, or not known


class Summary(NamedTuple):
    """What summary() returns; str() is a table."""

    rows: list[SummaryRow]
    parameters: int
    trainable: int
    flops: float
    parameter_bytes: int
    buffer_bytes: int
    output_bytes: int  # results of modules without parts, as if all were stored

    def __str__(self) -> str:
        lines = [("name", "kind", "output", "parameters", "MFLOPs")]
        for r in self.rows:
            lines.append((r.name or "(all)", r.kind, "-" if r.output is None else str(list(r.output)), str(r.parameters),
                          f"{r.flops / 1e6:.2f}" if r.flops > 0 else "-"))
        widths = [max(len(line[i]) for line in lines) for i in range(5)]
        text = "\n".join("  ".join(c.ljust(w) if i < 3 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))) for line in lines)
        return (f"{text}\n{self.parameters} parameters ({self.trainable} trainable, {self.parameter_bytes / _MIB:.2f} MiB), "
                f"{self.flops / 1e6:.2f} MFLOPs, outputs {self.output_bytes / _MIB:.2f} MiB\n")


class _Watch:
    """What the calls of modules show."""

    def __init__(self) -> None:
        self.outputs: dict[int, Tensor] = {}
        self.flops: dict[int, float] = {}

    def called(self, module: Module, result: Any) -> None:
        first = result[0] if isinstance(result, (tuple, list)) and result else result
        if isinstance(first, Tensor):
            self.outputs[id(module)] = first

    def computed(self, module: Module, flops: float) -> None:
        self.flops[id(module)] = self.flops.get(id(module), 0.0) + flops


def summary(model: Module, *inputs: Any, **options: Any) -> Summary:
    """Calls the model with the inputs to learn the shapes. Nothing is computed, and running statistics do not change.

    >>> import tessera as ts
    >>> from tessera import nn
    >>> print(nn.summary(nn.Sequential(nn.Linear(100, 50), nn.ReLU()), ts.zeros((8, 100))))
    name   kind        output   parameters  MFLOPs
    (all)  Sequential  [8, 50]           0       -
    0      Linear      [8, 50]        5050    0.08
    1      ReLU        [8, 50]           0       -
    5050 parameters (5050 trainable, 0.02 MiB), 0.08 MFLOPs, outputs 0.00 MiB
    <BLANKLINE>
    """
    modules = list(model.named_modules())
    buffers = {name: t.detach() for name, t in model.buffers().items()}
    watch = _Watch()
    for _, m in modules:
        object.__setattr__(m, "_watch", watch)
    try:
        with no_grad():
            model(*inputs, **options)
    finally:
        for _, m in modules:
            m.__dict__.pop("_watch", None)
        model.update(buffers)
    trainable = {id(t) for t in model.trainable_parameters().values()}
    own: dict[int, list[Tensor]] = {id(m): [] for _, m in modules}
    for slot in model._slots():
        if not slot.buffer:
            own[id(slot.owner)].append(slot.tensor)
    rows, outputs = [], 0
    for i, (name, m) in enumerate(modules):
        y = watch.outputs.get(id(m))
        tensors = own[id(m)]
        rows.append(SummaryRow(name, m._kind(), None if y is None else tuple(y.shape), sum(t.size for t in tensors),
                               sum(t.size for t in tensors if id(t) in trainable), watch.flops.get(id(m), 0.0)))
        has_parts = i + 1 < len(modules) and modules[i + 1][0].startswith(f"{name}." if name else "")
        outputs += y.nbytes if y is not None and not has_parts else 0
    everything = list(model.parameters().values())
    return Summary(rows, sum(r.parameters for r in rows), sum(r.trainable for r in rows), sum(r.flops for r in rows),
                   sum(t.nbytes for t in everything), sum(t.nbytes for t in buffers.values()), outputs)
