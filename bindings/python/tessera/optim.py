"""Optimizers, learning-rate schedules, gradient clipping and averages of parameters, with PyTorch's names and defaults.

>>> import tessera as ts
>>> model = ts.nn.Linear(2, 1)
>>> optimizer = ts.optim.AdamW(model, lr=ts.optim.cosine(1e-2, 100, warmup=10), no_decay=["*bias"])
>>> loss, gradients = ts.value_and_grad(model, lambda x: (model(x) ** 2).mean())(ts.ones((4, 2)))
>>> optimizer.update(model, gradients)
>>> optimizer.steps.item()
1
"""

from __future__ import annotations

from typing import Any, Callable, Mapping, NamedTuple, Sequence, Union

from tessera import _core
from tessera._core import Schedule, Tensor
from tessera._errors import ArgumentTypeError
from tessera._module import Module, entries_of
from tessera._tree import flatten, unflatten
from tessera.distributed import Group

Rate = Union[float, Schedule, Callable[[Tensor], Any]]
Groups = Mapping[str, Mapping[str, Any]]
Parameters = Union[Module, Mapping[str, Tensor]]


def _dict(tensors: Any) -> Any:
    return dict(tensors) if isinstance(tensors, Mapping) else tensors


class Optimizer:
    """The base of all optimizers. The number of updates, learning rates and moments are tensors of the optimizer.

    It is made for the trainable parameters of a module, or for a dict of tensors by name. `lr` is a number, a schedule, or a function
    of the number of updates (a float32 tensor of rank 0). `no_decay` lists patterns of parameters without weight decay. `groups`
    gives parameters whose names match a pattern other options: {"head.*": {"lr": 1e-2}}.
    """

    def __init__(self, parameters: Parameters, groups: Groups | None = None, **options: Any) -> None:
        kind = type(self)._native_class
        if not kind:
            raise ArgumentTypeError("Optimizer: the base class was called; use one of its classes, such as AdamW.")
        if groups is not None and not (isinstance(groups, Mapping) and all(isinstance(g, Mapping) for g in groups.values())):
            raise ArgumentTypeError(f"{kind}: the groups are {groups!r}; a dict of options by pattern is expected: {{'head.*': {{'lr': 1e-2}}}}.")
        own = {pattern: dict(g) for pattern, g in (groups or {}).items()}
        self._native = _core._optim_make(kind, entries_of(parameters, kind, trainable=True), options, own)

    _native_class: str = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__module__ == "tessera.optim":
            cls._native_class = cls.__name__

    def update(self, parameters: Parameters, gradients: Mapping[str, Tensor], when: Tensor | None = None) -> None:
        """One step: replaces the parameters that have a gradient. Inside a compiled function the model and the optimizer must be
        part of its state: compile(step, state=[model, optimizer]). Where `when`, a bool of rank 0, is false, parameters and state stay
        as they were; that is decided on the device."""
        self._native.update(entries_of(parameters, f"{type(self).__name__}.update"), _dict(gradients), when)

    def add(self, parameters: Parameters) -> None:
        """Makes state for parameters that have none: those that were frozen when the optimizer was made."""
        self._native.add(entries_of(parameters, f"{type(self).__name__}.add", trainable=True))

    @property
    def steps(self) -> Tensor:
        """The number of updates so far."""
        return self._native.steps()

    @property
    def learning_rate(self) -> Tensor:
        """The learning rate of the latest update, or of the next one if it is a number; assign a number for the next update.

        >>> import tessera as ts
        >>> optimizer = ts.optim.SGD({"w": ts.ones(2)}, lr=0.5)
        >>> optimizer.learning_rate = 0.25
        >>> optimizer.learning_rate.item()
        0.25
        """
        return self._native.rate(0)

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        self.set_rate(rate)

    def rate(self, group: int = 0) -> Tensor:
        """The learning rate of a group; group 0 has the parameters that match no pattern."""
        return self._native.rate(group)

    def set_rate(self, rate: float, group: int = 0) -> None:
        """A new rate from the next update on; a compiled step is not traced again. Error for a group with a schedule."""
        self._native.set_rate(float(rate), group)

    def state_dict(self) -> dict[str, Tensor]:
        """The number of updates, rates and moments by name: "step", "lr.0", "state.weight.exp_avg"."""
        return self._native.state()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """What state_dict() gave. Error that lists names that are missing or unexpected."""
        self._native.set_state(dict(state) if isinstance(state, Mapping) else state)

    def to(self, device: Any) -> Optimizer:
        """Copies the state to a device, together with model.to(device)."""
        self._native.to(device)
        return self


class Shards:
    """Gradients and the state of an optimizer in equal parts over the ranks of a job (ZeRO 1 and 2), for a Trainer.

    The optimizer is made for `shards.parameters()`: this rank's part of each trainable parameter, by its name. Not for Adafactor and Muon.

    >>> import tessera as ts
    >>> model = ts.nn.Linear(4, 2)
    >>> shards = ts.optim.Shards(model)
    >>> optimizer = ts.optim.AdamW(shards.parameters(), lr=1e-3, no_decay=["*bias"])
    >>> trainer = ts.train.Trainer(model, optimizer, lambda batch: model(batch).mean(), shards=shards, progress=False)
    """

    def __init__(self, model: Parameters, group: Group | None = None, *, bucket_bytes: int = 32 << 20, wire: Any = None) -> None:
        tensors = {name: tensor for name, tensor, _ in entries_of(model, "Shards", trainable=True)[1]}
        self._native = _core._Shards(tensors, None if group is None else group._group, bucket_bytes, wire)

    def parameters(self) -> dict[str, Tensor]:
        """This rank's parts, of rank 1."""
        return self._native.parameters()


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum.

    >>> import tessera as ts
    >>> w = {"w": ts.array([1., 2.])}
    >>> ts.optim.SGD(w, lr=0.5).update(w, {"w": ts.ones(2)})
    >>> w["w"].tolist()
    [0.5, 1.5]
    """

    def __init__(self, parameters: Parameters, lr: Rate = 1e-3, momentum: float = 0.0, dampening: float = 0.0, weight_decay: float = 0.0,
                 nesterov: bool = False, *, no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
                         no_decay=no_decay)


class Adam(Optimizer):
    """Adam; weight decay is added to the gradient."""

    def __init__(self, parameters: Parameters, lr: Rate = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.0, amsgrad: bool = False, *, no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, no_decay=no_decay)


class AdamW(Optimizer):
    """Adam with decoupled weight decay."""

    def __init__(self, parameters: Parameters, lr: Rate = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 1e-2, amsgrad: bool = False, *, no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, no_decay=no_decay)


class Adamax(Optimizer):
    """Adam with the infinity norm."""

    def __init__(self, parameters: Parameters, lr: Rate = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.0, *, no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, no_decay=no_decay)


class NAdam(Optimizer):
    """Adam with Nesterov momentum."""

    def __init__(self, parameters: Parameters, lr: Rate = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.0, momentum_decay: float = 4e-3, decoupled_weight_decay: bool = False, *,
                 no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
                         decoupled_weight_decay=decoupled_weight_decay, no_decay=no_decay)


class RAdam(Optimizer):
    """Adam with a rectified adaptive rate."""

    def __init__(self, parameters: Parameters, lr: Rate = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0.0, decoupled_weight_decay: bool = False, *, no_decay: Sequence[str] = (),
                 groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay,
                         decoupled_weight_decay=decoupled_weight_decay, no_decay=no_decay)


class RMSprop(Optimizer):
    """Divides by a moving root mean square of the gradients."""

    def __init__(self, parameters: Parameters, lr: Rate = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0.0,
                 momentum: float = 0.0, centered: bool = False, *, no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum, centered=centered,
                         no_decay=no_decay)


class Adagrad(Optimizer):
    """Divides by the root of the sum of all squared gradients."""

    def __init__(self, parameters: Parameters, lr: Rate = 1e-2, lr_decay: float = 0.0, weight_decay: float = 0.0,
                 initial_accumulator_value: float = 0.0, eps: float = 1e-10, *, no_decay: Sequence[str] = (),
                 groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, lr_decay=lr_decay, weight_decay=weight_decay,
                         initial_accumulator_value=initial_accumulator_value, eps=eps, no_decay=no_decay)


class Adadelta(Optimizer):
    """Rates from moving averages of gradients and updates."""

    def __init__(self, parameters: Parameters, lr: Rate = 1.0, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0.0, *,
                 no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, no_decay=no_decay)


class Adafactor(Optimizer):
    """Second moments of matrices as a row and a column. eps[0] of 0 is the epsilon of the dtype."""

    def __init__(self, parameters: Parameters, lr: Rate = 1e-2, beta2_decay: float = -0.8, eps: tuple[float | None, float] = (None, 1e-3),
                 d: float = 1.0, weight_decay: float = 0.0, *, no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, beta2_decay=beta2_decay, eps=(eps[0] or 0.0, eps[1]), d=d, weight_decay=weight_decay,
                         no_decay=no_decay)


class Lion(Optimizer):
    """The sign of the momentum, with MLX's defaults."""

    def __init__(self, parameters: Parameters, lr: Rate = 1e-4, betas: tuple[float, float] = (0.9, 0.99), weight_decay: float = 0.0, *,
                 no_decay: Sequence[str] = (), groups: Groups | None = None) -> None:
        super().__init__(parameters, groups, lr=lr, betas=betas, weight_decay=weight_decay, no_decay=no_decay)


class Muon(Optimizer):
    """Momentum whose matrices are made orthogonal. Parameters that are not matrices, or match `use_adamw`, use AdamW with the options
    `adamw`: group 1."""

    def __init__(self, parameters: Parameters, lr: Rate = 1e-3, weight_decay: float = 0.1, momentum: float = 0.95, nesterov: bool = True,
                 eps: float = 1e-7, ns_steps: int = 5, adjust_lr_fn: str = "original", *, no_decay: Sequence[str] = (),
                 adamw: Mapping[str, Any] | None = None, use_adamw: Sequence[str] = ()) -> None:
        super().__init__(parameters, None, lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, eps=eps, ns_steps=ns_steps,
                         adjust_lr_fn=adjust_lr_fn, no_decay=no_decay, adamw=dict(adamw or {}), use_adamw=use_adamw)


def vectors_of(parameters: Parameters) -> list[str]:
    """The names of parameters with fewer than two axes, biases and the weights of norms: for no_decay.

    >>> import tessera as ts
    >>> ts.optim.vectors_of(ts.nn.Linear(2, 3))
    ['bias']
    """
    return [name for name, t, _ in entries_of(parameters, "vectors_of", trainable=True)[1] if t.ndim < 2]


# ---- Gradients ----


def _over_leaves(gradients: Any, function: Callable[[dict[str, Tensor]], Any]) -> tuple[Any, Any]:
    """function of all tensors by number, and the same structure with its results."""
    leaves, structure = flatten(gradients)
    result, other = function({str(i): t for i, t in enumerate(leaves)})
    return unflatten(structure, [result[str(i)] for i in range(len(leaves))]), other


def clip_grad_norm(gradients: Any, max_norm: float) -> tuple[Any, Tensor]:
    """Scales all gradients by one factor, so that their norm is at most max_norm; also returns the norm before. Nothing is read back.

    >>> import tessera as ts
    >>> clipped, norm = ts.optim.clip_grad_norm({"w": ts.array([3., 4.])}, 1.0)
    >>> norm.item(), [round(v, 3) for v in clipped["w"].tolist()]
    (5.0, [0.6, 0.8])
    """
    return _over_leaves(gradients, lambda named: _core._optim_clip_grad_norm(named, max_norm))


def clip_grad_value(gradients: Any, limit: float) -> Any:
    """Limits each element to [-limit, limit].

    >>> import tessera as ts
    >>> ts.optim.clip_grad_value({"w": ts.array([3., -4.])}, 1.0)["w"].tolist()
    [1.0, -1.0]
    """
    return _over_leaves(gradients, lambda named: (_core._optim_clip_grad_value(named, limit), None))[0]


# ---- Averages, and rates that follow a metric ----


class Ema:
    """An exponential moving average of the parameters: average += (1 - decay) (parameter - average).

    >>> import tessera as ts
    >>> w = {"w": ts.zeros(1)}
    >>> ema = ts.optim.Ema(w, decay=0.5)
    >>> ema.update({"w": ts.ones(1)})
    >>> ema.parameters()["w"].tolist()
    [0.5]
    """

    def __init__(self, parameters: Parameters, decay: float = 0.999) -> None:
        self._native = _core._Ema(entries_of(parameters, "Ema", trainable=True), decay)

    def update(self, parameters: Parameters) -> None:
        """Adds the parameters to the averages. Inside a compiled function the object must be part of its state."""
        self._native.update(entries_of(parameters, "Ema.update"))

    def parameters(self) -> dict[str, Tensor]:
        """The averages by name."""
        return self._native.parameters()

    def swap(self, parameters: Parameters) -> None:
        """Exchanges the averages and the parameters of the model: twice gives the model back its own."""
        self._native.swap(entries_of(parameters, "Ema.swap"))

    def state_dict(self) -> dict[str, Tensor]:
        return self._native.state()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self._native.set_state(dict(state))


class UnscaledGradients(NamedTuple):
    """Gradients without the factor of a LossScaler, in float32, and whether all of them were finite."""

    gradients: dict[str, Tensor]
    finite: Tensor


class LossScaler:
    """Dynamic loss scaling, as PyTorch's GradScaler: multiplies the loss, so that small gradients do not vanish in float16, and skips
    updates whose gradients overflowed. Everything happens on the device, and nothing is read back.

    A skipped update leaves parameters, moments and the optimizer's step as they were and multiplies the scale by `backoff_factor`;
    `growth_interval` updates in a row without one multiply it by `growth_factor`.

    >>> import tessera as ts
    >>> model = ts.nn.Linear(2, 1)
    >>> optimizer, scaler = ts.optim.SGD(model), ts.optim.LossScaler(init_scale=1024)
    >>> def loss_of(x):
    ...     with ts.autocast(ts.float16):
    ...         loss = ts.mean(model(x) ** 2)
    ...     return scaler.scale(loss), loss
    >>> def step(x):
    ...     (_, loss), gradients = ts.value_and_grad(model, loss_of, has_aux=True)(x)
    ...     scaler.update(optimizer, model, gradients)
    ...     return loss
    >>> train = ts.compile(step, state=[model, optimizer, scaler])
    >>> loss = train(ts.ones((4, 2)))
    >>> scaler.factor.item(), scaler.skipped.item()
    (1024.0, 0)
    """

    def __init__(self, init_scale: float = 65536.0, growth_factor: float = 2.0, backoff_factor: float = 0.5, growth_interval: int = 2000,
                 *, device: Any = None) -> None:
        self._native = _core._LossScaler(init_scale, growth_factor, backoff_factor, growth_interval, device)

    def scale(self, loss: Tensor) -> Tensor:
        """The loss in float32, times the scale."""
        return self._native.scale(loss)

    def unscale(self, gradients: Mapping[str, Tensor]) -> UnscaledGradients:
        """For clipping, which needs the norm of the gradients themselves:

            unscaled = scaler.unscale(gradients)
            clipped, norm = optim.clip_grad_norm(unscaled.gradients, 1.0)
            scaler.update(optimizer, model, unscaled._replace(gradients=clipped))
        """
        return UnscaledGradients(*self._native.unscale(_dict(gradients)))

    def update(self, optimizer: Optimizer, parameters: Parameters, gradients: Mapping[str, Tensor] | UnscaledGradients) -> Tensor:
        """One step of the optimizer, unless a gradient is not finite, and the scale of the next one. The result is whether the step was
        skipped, a bool of rank 0."""
        if not isinstance(optimizer, Optimizer):
            raise ArgumentTypeError(f"LossScaler.update: {optimizer!r} of type {type(optimizer).__name__} was given; an optimizer is expected.")
        unscaled = gradients if isinstance(gradients, UnscaledGradients) else self.unscale(gradients)
        return self._native.update(optimizer._native, entries_of(parameters, "LossScaler.update"), _dict(unscaled.gradients), unscaled.finite)

    @property
    def factor(self) -> Tensor:
        """The factor of the next loss."""
        return self._native.factor()

    @property
    def skipped(self) -> Tensor:
        """The number of skipped updates."""
        return self._native.skipped()

    def state_dict(self) -> dict[str, Tensor]:
        return self._native.state()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self._native.set_state(dict(state))


class Accumulator:
    """Sums the gradients of micro-batches in float32, for one update by their mean.

    >>> import tessera as ts
    >>> w = {"w": ts.zeros(1)}
    >>> accumulator = ts.optim.Accumulator(w)
    >>> accumulator.add({"w": ts.array([1.])})
    >>> accumulator.add({"w": ts.array([3.])})
    >>> accumulator.take()["w"].tolist(), accumulator.count.item()
    ([2.0], 0)
    """

    def __init__(self, parameters: Parameters) -> None:
        self._native = _core._Accumulator(entries_of(parameters, "Accumulator", trainable=True))

    def add(self, gradients: Mapping[str, Tensor]) -> None:
        """Inside a compiled function the object must be part of its state."""
        self._native.add(_dict(gradients))

    def take(self) -> dict[str, Tensor]:
        """The mean of the gradients since the last call; the sums become zero."""
        return self._native.take()

    @property
    def count(self) -> Tensor:
        """The number of gradients since the last take()."""
        return self._native.count()

    def state_dict(self) -> dict[str, Tensor]:
        return self._native.state()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self._native.set_state(dict(state))


class ReduceOnPlateau:
    """Reduces the learning rates if a metric does not improve any more: step() once per epoch. Runs on the host."""

    def __init__(self, mode: str = "min", factor: float = 0.1, patience: int = 10, threshold: float = 1e-4, threshold_mode: str = "rel",
                 cooldown: int = 0, min_lr: float = 0.0, eps: float = 1e-8) -> None:
        for name, value, known in (("mode", mode, ("min", "max")), ("threshold_mode", threshold_mode, ("rel", "abs"))):
            if value not in known:
                raise ArgumentTypeError(f"ReduceOnPlateau: the argument '{name}' is {value!r}; '{known[0]}' or '{known[1]}' is expected.")
        self._native = _core._ReduceOnPlateau(mode == "max", factor, patience, threshold, threshold_mode == "rel", cooldown, min_lr, eps)

    def step(self, metric: float, optimizer: Optimizer) -> bool:
        """Whether it reduced a rate. Reads the rates."""
        return self._native.step(float(metric), optimizer._native)


# ---- Schedules: functions of the number of updates ----


def constant(rate: float) -> Schedule:
    """The same rate at every step."""
    return _core._optim_constant(rate)


def step_decay(rate: float, every: int, gamma: float = 0.1) -> Schedule:
    """rate gamma^(step / every), rounded down."""
    return _core._optim_step_decay(rate, every, gamma)


def multistep(rate: float, milestones: Sequence[int], gamma: float = 0.1) -> Schedule:
    """rate gamma^n behind n of the milestones."""
    return _core._optim_multistep(rate, list(milestones), gamma)


def exponential(rate: float, gamma: float) -> Schedule:
    """rate gamma^step."""
    return _core._optim_exponential(rate, gamma)


def cosine(rate: float, steps: int, minimum: float = 0.0, warmup: int = 0) -> Schedule:
    """From the rate to the minimum in half a cosine over `steps`, which include the warm-up, then the minimum.

    >>> import tessera as ts
    >>> rate = ts.optim.cosine(1.0, 100, warmup=10)
    >>> [round(rate(s).item(), 3) for s in (0, 5, 10, 55, 100)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return _core._optim_cosine(rate, steps, minimum, warmup)


def cosine_restarts(rate: float, first: int, factor: int = 1, minimum: float = 0.0) -> Schedule:
    """Half cosines one after the other; each is `factor` times as long as the one before it."""
    return _core._optim_cosine_restarts(rate, first, factor, minimum)


def linear(start: float, end: float, steps: int) -> Schedule:
    """A line over `steps`, then its end."""
    return _core._optim_linear(start, end, steps)


def polynomial(rate: float, steps: int, power: float = 1.0) -> Schedule:
    """rate (1 - step / steps)^power, then 0."""
    return _core._optim_polynomial(rate, steps, power)


def one_cycle(max_rate: float, steps: int, start: float = 0.3, divide: float = 25.0, final_divide: float = 1e4,
              linear: bool = False) -> Schedule:
    """Rises to max_rate in the first part `start` of the steps, then falls. The first rate is max_rate / divide, the last one is the
    first / final_divide."""
    return _core._optim_one_cycle(max_rate, steps, start, divide, final_divide, linear)


def inverse_sqrt(rate: float, warmup: int) -> Schedule:
    """Rises in a line to the rate at `warmup` steps, then falls as 1 / sqrt(step)."""
    return _core._optim_inverse_sqrt(rate, warmup)


def join(schedules: Sequence[Schedule | Callable[[Tensor], Any]], boundaries: Sequence[int]) -> Schedule:
    """schedules[i] from step boundaries[i - 1] on, where its own steps begin at 0.

    >>> import tessera as ts
    >>> rate = ts.optim.join([ts.optim.linear(0.0, 1.0, 10), ts.optim.constant(1.0)], [10])
    >>> rate(5).item(), rate(20).item()
    (0.5, 1.0)
    """
    return _core._optim_join(list(schedules), list(boundaries))
