"""The Trainer: the loop around a step, with validation, metrics, logs, checkpoints and recovery. Runs on the C++ library's.

>>> import numpy as np
>>> import tessera as ts
>>> from tessera import data, nn, optim, train
>>> x = np.random.default_rng(0).normal(size=(256, 2)).astype(np.float32)
>>> points = data.from_arrays({"x": x, "y": (x.sum(axis=1) > 0).astype(np.int32)})
>>> model = nn.Linear(2, 2)
>>> accuracy = train.Accuracy()
>>> def loss(batch):
...     logits = model(batch["x"])
...     accuracy.update(logits, batch["y"])
...     return nn.functional.cross_entropy(logits, batch["y"])
>>> trainer = train.Trainer(model, optim.Adam(model, lr=0.1), loss, epochs=4, progress=False)
>>> trainer.metric("accuracy", accuracy)
>>> result = trainer.fit(data.DataLoader(points, batch_size=32, shuffle=True))
>>> result.ending, result.step, result.train["accuracy"] > 0.9
('done', 32, True)
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import os
import weakref
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence

from tessera import _core
from tessera._core import Tensor
from tessera._errors import ArgumentError, ArgumentTypeError, UnsupportedError
from tessera._module import Module, _trainable, _Walk, reporting
from tessera._progress import Output
from tessera._transforms import _State
from tessera._tree import is_tensor
from tessera.data import DataLoader
from tessera.distributed import Group
from tessera.optim import Optimizer, ReduceOnPlateau, Shards
from tessera.text import _path

# ---- Objects of Python for the extension ----


def _rows(tree: Any, name: str = "") -> Iterator[tuple[str, Tensor]]:
    """The tensors of dicts and lists, by name."""
    if is_tensor(tree):
        yield name or "value", tree
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield from _rows(value, f"{name}.{key}" if name else str(key))
    elif isinstance(tree, (list, tuple)):
        for i, value in enumerate(tree):
            yield from _rows(value, f"{name}.{i}" if name else str(i))


class _Collect:
    """What the extension asks for: the mode of an object and its tensors by module, (module, [(name, tensor, is buffer)]), or None if they
    are as before."""

    def __init__(self, value: Any, trained: bool) -> None:
        self._value, self._trained = value, trained
        self._state = _State([value])
        self._last: Any = None
        self.names: dict[int, str] = {}  # of the modules

    def __call__(self) -> tuple[str, list[tuple[str, list[tuple[str, Tensor, bool]]]]] | None:
        mode = self._state.mode()
        tensors = self._state._collect()
        now = (mode, [id(t) for t in tensors])
        if now == self._last:
            return None
        self._last = now
        if not isinstance(self._value, Module):
            return repr(mode), [("", [(name, t, not self._trained) for name, t in _rows(self._value)])]
        walk = _Walk(self._value)
        self.names = {id(m): name for name, m in walk.modules}
        rows: dict[str, list[tuple[str, Tensor, bool]]] = {name: [] for name, _ in walk.modules}
        for s in walk.slots:
            rows[self.names[id(s.owner)]].append((s.key, s.tensor, s.buffer or not _trainable(s)))
        return repr(mode), list(rows.items())

    def settled(self) -> contextlib.AbstractContextManager[None]:
        return self._state.settled()


def _held(value: Any, what: str, name: str) -> Any:
    """An object with state as the extension takes it: its own object, or (class, function that lists the tensors)."""
    native = getattr(value, "_native", None)
    if isinstance(native, (_core._Optimizer, _core._Ema, _core._LossScaler, _core._Accumulator, _core._Metric)):
        return native
    if isinstance(value, (Module, dict, list)):
        return type(value).__name__, _Collect(value, False)
    raise ArgumentTypeError(f"{what}: '{name}' is {value!r:.60} of type {type(value).__name__}; a module, an optimizer, an Ema, a metric, or "
                            "a dict or a list of tensors is expected.")


def _objects(given: Mapping[str, Any], what: str) -> list[tuple[str, Any]]:
    if not isinstance(given, Mapping):
        raise ArgumentTypeError(f"{what}: {given!r:.60} of type {type(given).__name__} was given; a dict of objects by name is expected: "
                                "{'model': model, 'optimizer': optimizer}.")
    return [(str(name), _held(value, what, str(name))) for name, value in given.items()]


# ---- Metrics ----


class Metric(Module):
    """The base of metrics: sums on the device that update() changes, inside of a step or outside. Nothing is read back before value().

    A class of one's own has its sums as tensors, made in __init__ and by reset():

    >>> import tessera as ts
    >>> from tessera import train
    >>> class Largest(train.Metric):
    ...     def __init__(self):
    ...         self.largest = ts.zeros(())
    ...     def update(self, x):
    ...         self.largest = ts.maximum(self.largest, x.max())
    ...     def value(self):
    ...         return self.largest
    ...     def reset(self):
    ...         self.largest = ts.zeros(())
    >>> metric = Largest()
    >>> metric.update(ts.array([1., 3.]))
    >>> metric.value().item()
    3.0
    """

    def update(self, *args: Any) -> None:
        """Adds samples. In a compiled step the metric must be part of its state; a Trainer sees to that."""
        raise UnsupportedError(f"{type(self).__name__} has no function update(); define it.")

    def value(self) -> Tensor:
        """The value of the samples since the last reset(), NaN without samples."""
        raise UnsupportedError(f"{type(self).__name__} has no function value(); define it.")

    def reset(self) -> None:
        """Forgets all samples."""
        raise UnsupportedError(f"{type(self).__name__} has no function reset(); define it.")


class _NativeMetric(Metric):
    """A metric of the C++ library."""

    def __init__(self, **options: Any) -> None:
        object.__setattr__(self, "_native", _core._metric_make(type(self).__name__, options))

    def _add(self, a: Any, b: Any) -> None:
        self._native.update(a, b)

    def value(self) -> Tensor:
        return self._native.value()

    def reset(self) -> None:
        self._native.reset()

    def state_dict(self) -> dict[str, Tensor]:
        return self._native.state()

    def load_state_dict(self, state: Mapping[str, Any], strict: bool = True) -> Any:
        self._native.set_state(dict(state))


class Mean(_NativeMetric):
    """The mean of numbers, weighted by how many samples each of them stands for.

    >>> from tessera import train
    >>> mean = train.Mean()
    >>> mean.update(1.0)
    >>> mean.update(4.0, 2.0)
    >>> mean.value().item()
    3.0
    """

    def __init__(self, device: Any = None) -> None:
        super().__init__(device=device)

    def update(self, value: Any, weight: Any = 1.0) -> None:
        """A number or a tensor of them; the weight broadcasts."""
        self._add(value, weight)


class _OfClasses(_NativeMetric):
    def update(self, predictions: Any, target: Any) -> None:
        """Logits or probabilities [N, C, ...], or classes of the shape of the targets; targets are integers [N, ...]."""
        self._add(predictions, target)


class Accuracy(_OfClasses):
    """The part of the samples whose class is predicted.

    >>> import tessera as ts
    >>> from tessera import train
    >>> accuracy = train.Accuracy()
    >>> accuracy.update(ts.array([[0.1, 0.9], [0.8, 0.2]]), ts.array([1, 1]))
    >>> accuracy.value().item()
    0.5
    """

    def __init__(self, ignore_index: int | None = None, device: Any = None) -> None:
        super().__init__(ignore_index=ignore_index, device=device)


class TopKAccuracy(_OfClasses):
    """The part of the samples whose class is among the k largest logits."""

    def __init__(self, k: int, ignore_index: int | None = None, device: Any = None) -> None:
        super().__init__(k=k, ignore_index=ignore_index, device=device)


class ConfusionMatrix(_OfClasses):
    """counts[target, prediction], of shape [C, C]. `normalize` is 'none', or what sums to 1: 'target', 'prediction' or 'all'."""

    def __init__(self, classes: int, normalize: str = "none", ignore_index: int | None = None, device: Any = None) -> None:
        super().__init__(classes=classes, normalize=normalize, ignore_index=ignore_index, device=device)


class _Score(_OfClasses):
    def __init__(self, classes: int, average: str = "macro", ignore_index: int | None = None, device: Any = None) -> None:
        super().__init__(classes=classes, average=average, ignore_index=ignore_index, device=device)


class Precision(_Score):
    """Of the predictions of a class, the part that is right. `average`: 'macro', 'micro', 'weighted', or 'none' for all classes."""


class Recall(_Score):
    """Of the samples of a class, the part that is predicted. `average`: 'macro', 'micro', 'weighted', or 'none' for all classes."""


class F1(_Score):
    """The harmonic mean of precision and recall. `average`: 'macro', 'micro', 'weighted', or 'none' for all classes."""


class Auc(_NativeMetric):
    """The area under the ROC curve of two classes, counted in `bins`. `logits`: scores are any numbers, else probabilities."""

    def __init__(self, logits: bool = False, bins: int = 4096, device: Any = None) -> None:
        super().__init__(logits=logits, bins=bins, device=device)

    def update(self, scores: Any, target: Any) -> None:
        """Scores of class 1, and targets 0 and 1 of the same shape."""
        self._add(scores, target)


class Perplexity(_OfClasses):
    """exp of the mean loss of all tokens."""

    def __init__(self, ignore_index: int | None = None, device: Any = None) -> None:
        super().__init__(ignore_index=ignore_index, device=device)


class _Errors(_NativeMetric):
    def update(self, prediction: Any, target: Any) -> None:
        """Two tensors of one shape."""
        self._add(prediction, target)


class MeanAbsoluteError(_Errors):
    """The mean of |prediction - target| over all elements."""

    def __init__(self, device: Any = None) -> None:
        super().__init__(device=device)


class MeanSquaredError(_Errors):
    """The mean of (prediction - target)^2 over all elements, or its root."""

    def __init__(self, root: bool = False, device: Any = None) -> None:
        super().__init__(root=root, device=device)


# ---- The Trainer ----


class Callback:
    """What happens in a run, in order: a class with some of these functions. They may use everything, and trainer.stop().

    What they raise ends fit(), which saves nothing then. After a device was lost, updates since the last host copy are made again, with their
    callbacks.
    """

    def on_start(self, trainer: Trainer) -> None:
        """fit() begins."""

    def on_step(self, trainer: Trainer, step: int, loss: Tensor) -> None:
        """After each update; loss.item() waits for the device."""

    def on_validation(self, trainer: Trainer, step: int, values: dict[str, float]) -> None:
        """After a validation."""

    def on_epoch(self, trainer: Trainer, epoch: int, values: dict[str, float]) -> None:
        """After an epoch and its validation; epochs count from 0."""

    def on_checkpoint(self, trainer: Trainer, step: int) -> None:
        """A checkpoint is on the disk."""

    def on_end(self, trainer: Trainer) -> None:
        """fit() ends."""

    def state(self) -> str:
        """What the callback remembers, saved with each checkpoint."""
        return ""

    def set_state(self, text: str) -> None:
        """Called with the saved state() when a run continues."""


_EVENTS = ("on_start", "on_step", "on_validation", "on_epoch", "on_checkpoint", "on_end", "state", "set_state")
_ENDINGS = ("done", "stopped", "early", "interrupted")


@dataclasses.dataclass(frozen=True)
class Result:
    """How fit() ended."""

    step: int
    """The number of updates."""
    ending: str
    """"done"; "stopped" by stop(); "early", by `patience`; "interrupted", by Ctrl-C."""
    train: dict[str, float]
    """Loss and metrics of the last epoch."""
    validation: dict[str, float]
    best: float | None
    """The best value of `monitor`."""
    losses_of_device: int
    """How often the device was lost and restored."""


class Trainer:
    """Trains a model by an optimizer: loss(batch) returns the loss of a batch, and may update metrics.

    The step is compiled: loss() is called once per trace, in training mode, and in evaluation mode for validation. All other arguments are
    those of the C++ Trainer: `epochs`, and at most `steps` updates; `accumulate` batches for an update; `clip_norm`, the largest norm of
    the gradients; `autocast` to float16 (with loss scaling) or bfloat16. `out` is a folder for checkpoints and logs, from whose latest
    checkpoint a run continues (`resume`). Checkpoints are saved every `checkpoint_every` updates, or at the end of each epoch: the last `keep_last`, and
    the best by the validation value `monitor`, after `patience` epochs without a better one the run ends. `snapshot_every` updates the
    state is copied to the host, for the case that the device is lost. Ctrl-C finishes the step, saves and returns a Result with the ending
    "interrupted", a second one raises KeyboardInterrupt; with stop_on_interrupt=False the first one does.

    In a job of several ranks (tessera.distributed) they train one model together: all ranks of `group` make the same calls, with loaders of
    that group. They exchange gradients in buckets of `bucket_bytes`, and as float16 or bfloat16 with `wire`. The first rank shows, logs and
    saves. With `shards`, an optim.Shards of the model that the optimizer was made for, each rank has its part of the optimizer's state.
    """

    def __init__(self, model: Module | dict[str, Tensor], optimizer: Optimizer, loss: Callable[[Any], Tensor], *, epochs: int = 1, steps: int = 0,
                 accumulate: int = 1, clip_norm: float = 0.0, autocast: Any = None, out: str | os.PathLike[str] | None = None,
                 resume: bool = True, checkpoint_every: int = 0, keep_last: int = 3, monitor: str = "loss", maximize: bool = False,
                 patience: int = 0, validate_every: int = 0, log_every: int = 0, snapshot_every: int = 100, progress: bool = True,
                 stop_on_interrupt: bool = True, unit: str = "samples", group: Group | None = None, bucket_bytes: int = 32 << 20,
                 wire: Any = None, shards: Shards | None = None) -> None:
        if not isinstance(model, (Module, dict)):
            raise ArgumentTypeError(f"Trainer: {model!r:.60} of type {type(model).__name__} was given as the model; a Module, or a dict of "
                                    "tensors by name, is expected.")
        if not isinstance(optimizer, Optimizer):
            raise ArgumentTypeError(f"Trainer: {optimizer!r:.60} of type {type(optimizer).__name__} was given; an optimizer is expected.")
        if not callable(loss) or isinstance(loss, Module):
            raise ArgumentTypeError(f"Trainer: {loss!r:.60} of type {type(loss).__name__} was given as the loss; a function of a batch is "
                                    "expected: Trainer(model, optimizer, lambda batch: ...).")
        options = {k: v for k, v in locals().items() if k not in ("self", "model", "optimizer", "loss")}
        options["out"] = None if out is None else _path(out, "Trainer")
        options["group"] = None if group is None else group._group
        self._shards = shards
        options["shards"] = None if shards is None else shards._native
        self.model, self.optimizer = model, optimizer
        self._loss = loss
        self._collects = [_Collect(model, True)]
        self._metrics: dict[str, Metric] = {}
        self._callbacks: list[Callback] = []
        self._states: dict[str, Any] = {}
        # The extension refers to this object weakly: it is none that Python's garbage collector can look into.
        own = weakref.ref(self)
        self._output: Output | None = None
        if progress:
            options["print"], options["terminal"] = (lambda text: _alive(own)._print(text)), Output().terminal
        self._held = _core._HeldModule(type(model).__name__, _weakly(self._collects[0]))
        self._native = _core._Trainer(self._held, optimizer._native, lambda batch, training: _alive(own)._call(batch, training), options)

    def _print(self, text: str) -> None:
        if self._output is None:
            self._output = Output()
        self._output(text)

    def _call(self, batch: Any, training: bool) -> Tensor:
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._mode(training))
            stack.enter_context(reporting(self._held, self._collects[0].names))
            for collect in self._collects:
                stack.enter_context(collect.settled())
            loss = self._loss(batch)
        if not is_tensor(loss):
            raise ArgumentTypeError(f"Trainer: the loss function gave {loss!r:.60} of type {type(loss).__name__}; a tensor with a single number "
                                    "is expected.")
        return loss

    @contextlib.contextmanager
    def _mode(self, training: bool) -> Iterator[None]:
        """Training as the modules are set, and if the model is in evaluation mode all of them; else evaluation."""
        modules = list(self.model.modules()) if isinstance(self.model, Module) else []
        before = [m.training for m in modules]
        try:
            if modules and not (training and before[0]):
                for m in modules:
                    object.__setattr__(m, "training", training)
            yield
        finally:
            for m, mode in zip(modules, before):
                object.__setattr__(m, "training", mode)

    def metric(self, name: str, metric: Metric) -> None:
        """A metric that the loss function updates: reset before each epoch and each validation."""
        if not isinstance(metric, Metric):
            raise ArgumentTypeError(f"Trainer.metric: {metric!r:.60} of type {type(metric).__name__} was given; a Metric is expected.")
        if isinstance(metric, _NativeMetric):
            self._native.metric(name, metric._native)
        else:
            collect, own = _Collect(metric, False), weakref.ref(metric)
            self._native.metric(name, (_weakly(collect), lambda: _alive(own).value(), lambda: _alive(own).reset()))
            self._collects.append(collect)
        self._metrics[name] = metric

    def state(self, name: str, value: Any) -> None:
        """An object that the loss function or a callback changes (an Ema, another module): part of the compiled step and of checkpoints."""
        held = _held(value, "Trainer.state", name)
        if isinstance(held, tuple):
            collect = held[1]
            self._native.state(name, (held[0], _weakly(collect)))
            self._collects.append(collect)
        else:
            self._native.state(name, held)
        self._states[name] = value

    def callback(self, callback: Callback) -> None:
        """Calls the functions of an object as the run goes on."""
        if not isinstance(callback, Callback):
            raise ArgumentTypeError(f"Trainer.callback: {callback!r:.60} of type {type(callback).__name__} was given; a Callback is expected.")
        events = [e for e in _EVENTS if getattr(type(callback), e) is not getattr(Callback, e)]
        own, called = weakref.ref(self), weakref.ref(callback)

        def call(event: str, *args: Any) -> Any:
            function = getattr(_alive(called), event)
            return function(*args) if event in ("state", "set_state") else function(_alive(own), *args)

        self._native.callback(call, events)
        self._callbacks.append(callback)

    def plateau(self, plateau: ReduceOnPlateau) -> None:
        """Steps with the value of `monitor` at the end of each epoch; its state is saved."""
        if not isinstance(plateau, ReduceOnPlateau):
            raise ArgumentTypeError(f"Trainer.plateau: {plateau!r:.60} of type {type(plateau).__name__} was given; a ReduceOnPlateau is expected.")
        self._native.plateau(plateau._native)
        self._states[f"plateau {id(plateau)}"] = plateau

    def fit(self, train: DataLoader, validation: DataLoader | None = None) -> Result:
        """Trains until the epochs or the steps are done, or something else ends the run. An Error, with the step, for a loss that is not finite."""
        _check_loader(train, "Trainer.fit")
        if validation is not None:
            _check_loader(validation, "Trainer.fit")
        self._output = None
        step, ending, values, validated, best, losses = self._native.fit(train._core, None if validation is None else validation._core)
        return Result(step, _ENDINGS[ending], values, validated, best, losses)

    def evaluate(self, loader: DataLoader) -> dict[str, float]:
        """Loss and metrics over a loader from its first batch on, in evaluation mode."""
        _check_loader(loader, "Trainer.evaluate")
        return self._native.evaluate(loader._core)

    def stop(self) -> None:
        """Ends fit() after this update; the state is saved. From any thread."""
        self._native.stop()

    @property
    def step(self) -> int:
        """The number of updates so far."""
        return self._native.step()

    def load_best(self) -> bool:
        """Loads the best checkpoint of `out` into the model, the optimizer and the objects of state(); False if there is none."""
        return self._native.load_best()

    def load_latest(self) -> bool:
        """Loads the latest checkpoint of `out`; False if there is none."""
        return self._native.load_latest()


def _check_loader(loader: Any, what: str) -> None:
    if not isinstance(loader, DataLoader):
        raise ArgumentTypeError(f"{what}: {loader!r:.60} of type {type(loader).__name__} was given; a DataLoader is expected.")


def _alive(reference: Callable[[], Any]) -> Any:
    target = reference()
    if target is None:
        raise ArgumentError("Trainer: it exists no more, and was asked for something.")
    return target


def _weakly(collect: _Collect) -> Callable[[], Any]:
    own = weakref.ref(collect)
    return lambda: _alive(own)()


# ---- Checkpoints, logs, plots ----


class RunState(NamedTuple):
    """Where a run was when a checkpoint was saved."""

    step: int
    values: dict[str, str]


_saving: weakref.WeakSet[Checkpoints] = weakref.WeakSet()


@atexit.register
def _finish_saves() -> None:
    failed: BaseException | None = None
    for checkpoints in list(_saving):
        try:
            checkpoints.wait()
        except Exception as error:  # the others are finished first
            failed = error
    if failed is not None:
        raise failed


class Checkpoints:
    """Checkpoints DIR/step-000500/ of objects by name: model.safetensors, a file for each other object, run.json.

    A checkpoint appears by one rename when all its files are on the disk, and what is not complete is never read. The last `keep_last`
    are kept (0: all), and with `keep_best` the one with the best metric.

    >>> import tempfile
    >>> import tessera as ts
    >>> from tessera import nn, train
    >>> model = nn.Linear(2, 1)
    >>> checkpoints = train.Checkpoints(tempfile.mkdtemp())
    >>> checkpoints.save({"model": model}, 10, metric=0.5)
    >>> checkpoints.wait()
    >>> weight = model.weight.tolist()
    >>> model.weight = ts.zeros((1, 2))
    >>> checkpoints.load(checkpoints.latest, {"model": model}).step, model.weight.tolist() == weight
    (10, True)
    """

    def __init__(self, folder: str | os.PathLike[str], keep_last: int = 3, keep_best: bool = True) -> None:
        self._native = _core._Checkpoints(_path(folder, "Checkpoints"), keep_last, keep_best)
        _saving.add(self)

    def save(self, objects: Mapping[str, Any], step: int, values: Mapping[str, str] | None = None, metric: float | None = None,
             maximize: bool = False) -> None:
        """Takes the tensors as they are now and writes them on another thread. Waits for the save before it, and raises its FileError."""
        self._native.save(_objects(objects, "Checkpoints.save"), step, dict(values or {}), metric, maximize)

    def wait(self) -> None:
        """Waits until the last save is on the disk."""
        self._native.wait()

    @property
    def steps(self) -> list[int]:
        """The steps of all complete checkpoints, ascending."""
        return self._native.steps()

    @property
    def latest(self) -> int | None:
        return self._native.latest()

    @property
    def best(self) -> int | None:
        return self._native.best()

    def load(self, step: int | None, objects: Mapping[str, Any]) -> RunState:
        """Loads a checkpoint into the objects. All files are read and checked first: a ParseError or an ArgumentError with the tensor's name leaves
        the objects as they are."""
        if step is None:
            raise ArgumentError("Checkpoints.load: there is no checkpoint.")
        return RunState(*self._native.load(step, _objects(objects, "Checkpoints.load")))


class LogLine(NamedTuple):
    """A line of a log: numbers of a kind ("train", "validation"), or a note."""

    step: int
    kind: str
    time: float
    """Seconds since 1970."""
    values: dict[str, float]
    text: str


class RunLog:
    """Writes log.jsonl and a TensorBoard event file into a folder, as the Trainer does.

    >>> import tempfile
    >>> from tessera import train
    >>> folder = tempfile.mkdtemp()
    >>> with train.RunLog(folder) as log:
    ...     log.write(1, "train", {"loss": 0.5})
    >>> [(line.step, line.values) for line in train.read_log(folder)]
    [(1, {'loss': 0.5})]
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._native = _core._RunLog(_path(folder, "RunLog"))

    def write(self, step: int, kind: str, values: Mapping[str, float]) -> None:
        """A line of numbers; in TensorBoard they are kind/name."""
        self._native.write(step, kind, dict(values))

    def note(self, step: int, text: str) -> None:
        """A line of text."""
        self._native.note(step, text)

    def continue_from(self, step: int, again: Iterable[str] = ()) -> None:
        """Removes what was written for later steps than this one, and of this step the lines of the kinds `again`, which the run writes again: a
        validation that came after the checkpoint. Lines that cannot be read are left out, and log.jsonl.damaged is the log as it was."""
        self._native.continue_from(step, [again] if isinstance(again, str) else list(again))

    def flush(self) -> None:
        """Waits until all lines are on the disk."""
        self._native.flush()

    def close(self) -> None:
        """Ends the log."""
        self._native.close()

    def __enter__(self) -> RunLog:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def read_log(folder: str | os.PathLike[str]) -> list[LogLine]:
    """The lines of a run's log.jsonl."""
    return [LogLine(*line) for line in _core._train_read_log(_path(folder, "read_log"))]


class Progress:
    """The progress of a loop of one's own, as the Trainer shows it: a line of the terminal or of a notebook's cell that is rewritten, else
    plain lines.

    >>> from tessera import train
    >>> progress = train.Progress(steps=2)
    >>> for step in (1, 2):
    ...     if progress.due(step):
    ...         progress.show(step, {"loss": 1 / step})
    step 1/2  loss 1.0000
    step 2/2  loss 0.5000
    """

    def __init__(self, steps: int = 0, unit: str = "samples", plain_every: int = 0) -> None:
        output = Output()
        self._native = _core._Progress(steps, unit, output.terminal, plain_every, output)

    def due(self, step: int) -> bool:
        """Whether show() would print now: other steps need not read their values."""
        return self._native.due(step)

    def show(self, step: int, values: Mapping[str, float], done: float = 0.0) -> None:
        """`done`: units so far in this process, for the speed."""
        self._native.show(step, float(done), dict(values))

    def line(self, text: str) -> None:
        """A line that stays."""
        self._native.line(text)

    def close(self) -> None:
        """Ends the line."""
        self._native.close()


def _curves(given: Any) -> list[tuple[str, list[float], list[float]]]:
    if not isinstance(given, Mapping):
        raise ArgumentTypeError(f"plot: {given!r:.60} of type {type(given).__name__} was given; a dict of curves by name is expected: "
                                "{'loss': (steps, losses)}, or {'loss': losses}.")
    rows = []
    for name, curve in given.items():
        x, y = curve if isinstance(curve, tuple) and len(curve) == 2 else (range(len(curve)), curve)
        rows.append((str(name), [float(v) for v in x], [float(v) for v in y]))
    return rows


def plot(curves: Mapping[str, Any], title: str = "", *, x_label: str = "step", y_label: str = "", width: int = 0, height: int = 0,
         log_x: bool = False, log_y: bool = False, color: bool = False) -> str:
    """Curves as text for a terminal: {name: (x, y)} or {name: y}. Values that are not finite are gaps. `width` by `height` characters.

    >>> from tessera import train
    >>> text = train.plot({"loss": ([0, 1, 2], [1.0, 0.5, 0.25])}, "A run")
    >>> "A run" in text and "loss" in text
    True
    """
    options = {k: v for k, v in locals().items() if k != "curves"}
    return _core._train_plot(_curves(curves), options, False)


def plot_svg(curves: Mapping[str, Any], title: str = "", *, x_label: str = "step", y_label: str = "", width: int = 0, height: int = 0,
             log_x: bool = False, log_y: bool = False) -> str:
    """The same as an SVG image of `width` by `height` pixels.

    >>> from tessera import train
    >>> train.plot_svg({"loss": [1.0, 0.5, 0.25]})[:4]
    '<svg'
    """
    options = {k: v for k, v in locals().items() if k != "curves"}
    return _core._train_plot(_curves(curves), {**options, "color": False}, True)


# ---- NaN and infinity ----


class Anomaly(NamedTuple):
    """What made the first value that is not finite."""

    found: bool
    module: str
    op: str
    backward: bool
    text: str

    def __bool__(self) -> bool:
        return self.found


def detect_anomaly(model: Module | dict[str, Tensor], loss: Callable[[], Tensor]) -> Anomaly:
    """Runs loss() and its gradients op by op, without compile, and finds the op that made the first NaN or infinity on the way to what is not
    finite. Slow: for one step.

    >>> import tessera as ts
    >>> from tessera import nn, train
    >>> model = nn.Linear(2, 1)
    >>> found = train.detect_anomaly(model, lambda: ts.log(model(ts.ones((1, 2))) * 0).sum())
    >>> found.op
    'log'
    """
    if not callable(loss):
        raise ArgumentTypeError(f"detect_anomaly: {loss!r:.60} of type {type(loss).__name__} was given; a function is expected.")
    collect = _Collect(model, True)

    held = _core._HeldModule(type(model).__name__, collect)

    def call() -> Tensor:
        with collect.settled(), reporting(held, collect.names):
            value = loss()
        if not is_tensor(value):
            raise ArgumentTypeError(f"detect_anomaly: the function gave {value!r:.60} of type {type(value).__name__}; a tensor with a single "
                                    "number is expected.")
        return value

    return Anomaly(*_core._train_detect_anomaly(held, call))
