"""Models over Ray Datasets: map_batches() runs a function or a module on columns of a dataset, in worker processes of a cluster.

Ray is not installed with this package: `pip install "ray[data]"` installs it, and the first use imports it (docs/guide/ray.md).

>>> import numpy as np
>>> import ray.data  # doctest: +SKIP
>>> import tessera as ts
>>> import tessera.ray
>>> def load():
...     model = ts.nn.Linear(2, 1)
...     model.load_state_dict(ts.load("/models/classifier.safetensors"))
...     return model
>>> rows = ray.data.from_numpy(np.ones((1000, 2), np.float32))  # doctest: +SKIP
>>> scored = tessera.ray.map_batches(rows, load, outputs="score", workers=2)  # doctest: +SKIP
>>> scored.schema().names  # doctest: +SKIP
['data', 'score']
"""

from __future__ import annotations

import importlib
import os
import warnings
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from tessera import _core
from tessera._creation import array
from tessera._errors import ArgumentError, ArgumentTypeError
from tessera._module import Module
from tessera._transforms import compile, no_grad
from tessera._tree import is_tensor

__all__ = ["map_batches"]

_NUMBERS = "biufc"  # kinds of NumPy's dtypes that tensors have


def _ray() -> Any:
    """The package ray, with ray.data."""
    try:
        importlib.import_module("ray.data")
        return importlib.import_module("ray")
    except ImportError as error:
        raise ImportError(f"tessera.ray needs Ray Data, which cannot be imported ({error}): install it with pip install \"ray[data]\".",
                          name="ray") from error


def _listed(names: Any) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"


def _shape(x: Any) -> str:
    return str(list(x.shape))


# ---- In a worker ----


def _stacked(values: Any) -> Any:
    """Rows that are arrays of one shape, such as a column of lists, as one array of numbers; otherwise what was given."""
    if values.dtype != object or not all(isinstance(v, np.ndarray) for v in values):
        return values
    rows = [_stacked(v) for v in values]
    shapes = {(v.shape, v.dtype) for v in rows}
    return np.stack(rows) if len(shapes) == 1 and rows[0].dtype.kind in _NUMBERS else values


def _numbers(name: str, values: Any) -> Any:
    """A column as an array of numbers."""
    values = _stacked(values)
    if values.dtype.kind in _NUMBERS:
        return values
    if values.dtype != object:
        given = f"values of dtype {values.dtype}"
    elif rows := [v for v in values if isinstance(v, np.ndarray)]:
        other = next((v for v in rows if v.shape != rows[0].shape), None)
        given = (f"rows of dtype {rows[0].dtype}" if other is None else
                 f"rows of different shapes, {_shape(rows[0])} and {_shape(other)}")
    else:
        given = f"values of type {type(values[0]).__name__}" if len(values) else "no values, and no numeric type"
    raise ArgumentError(f"map_batches: the column '{name}' has {given}; numbers, or arrays of numbers of one shape, are expected.")


def _filled(values: Any, rows: int) -> Any:
    """So many rows: the last one is repeated. Without any row, zeros."""
    if not len(values):
        return np.zeros((rows, *values.shape[1:]), values.dtype)
    return np.concatenate([values, np.broadcast_to(values[-1:], (rows - len(values), *values.shape[1:]))])


class _Worker:
    """What a worker of map_batches() holds: the loaded function. Ray calls it with one batch at a time."""

    def __init__(self, load: Callable[[], Any], inputs: list[str] | None, outputs: str | list[str] | None, keep: list[str] | None,
                 dtypes: str | dict[str, str] | None, batch_size: int, threads: int, device: Any, compiled: bool) -> None:
        os.environ.setdefault("TESSERA_THREADS", str(threads))  # the engine reads it when it first computes
        self._inputs, self._outputs, self._keep, self._dtypes = inputs, outputs, keep, dtypes
        # Every task ends with a smaller batch. It is filled up to batch_size, so that there is one trace with one set of intermediates;
        # dynamic_axes would keep intermediates for each size, and not all functions have a form for any size.
        self._rows = batch_size if compiled else 0
        self._function: Callable[..., Any] | Exception
        try:
            self._function = self._loaded(load, device, compiled)
        except Exception as error:  # raised with the first batch, since Ray restarts workers whose constructor fails, and calls that its own error
            self._function = error

    @staticmethod
    def _loaded(load: Callable[[], Any], device: Any, compiled: bool) -> Callable[..., Any]:
        if device is not None:
            _core.set_device(device() if callable(device) else device)
        function: Callable[..., Any] = load()
        if not callable(function):
            raise ArgumentTypeError(f"map_batches: load() returned {function!r:.60} of type {type(function).__name__}; a function or a Module "
                                    "is expected.")
        if isinstance(function, Module):
            function.eval()
        if not compiled:
            return function
        traced: Callable[..., Any] = compile(lambda *tensors: function(*tensors))
        return traced

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        if isinstance(self._function, Exception):
            raise self._function
        names = self._names(batch)
        columns = [_numbers(name, batch[name]) for name in names]
        rows = len(columns[0])
        if rows < self._rows:
            columns = [_filled(values, self._rows) for values in columns]
        with no_grad():
            result = self._function(*(array(values, self._dtype(name, values)) for name, values in zip(names, columns)))
            results = self._named(result, len(columns[0]))
            _core.eval(*results.values())
        kept = {name: batch[name] for name in self._there(batch, self._keep, "keep")}
        for name in results:
            if name in kept:
                raise ArgumentError(f"map_batches: the result '{name}' has the name of a column that is kept; give it another name by outputs, "
                                    "or leave the column out of keep.")
        return {**kept, **{name: np.asarray(x)[:rows] for name, x in results.items()}}

    def _names(self, batch: dict[str, Any]) -> list[str]:
        if self._inputs is None and len(batch) != 1:
            raise ArgumentError(f"map_batches: the dataset has the columns {_listed(batch)}; name those of the arguments by inputs.")
        return self._there(batch, self._inputs, "inputs")

    @staticmethod
    def _there(batch: dict[str, Any], names: list[str] | None, argument: str) -> list[str]:
        if names is None:
            return list(batch)
        for name in names:
            if name not in batch:
                raise ArgumentError(f"map_batches: {argument} has the column '{name}'; the dataset has the columns {_listed(batch)}.")
        return names

    def _dtype(self, name: str, values: Any) -> str | None:
        given = self._dtypes.get(name) if isinstance(self._dtypes, dict) else self._dtypes
        return "float32" if given is None and values.dtype == np.float64 else given

    def _named(self, result: Any, rows: int) -> dict[str, Any]:
        """The results by column."""
        names = [self._outputs] if isinstance(self._outputs, str) else self._outputs
        if isinstance(result, dict):
            missing = [name for name in names or () if name not in result]
            if missing:
                raise ArgumentError(f"map_batches: outputs has '{missing[0]}'; the function returned {_listed(result)}.")
            named = {str(name): result[name] for name in names or result}
        else:
            parts = list(result) if isinstance(result, (list, tuple)) else [result]
            names = names or (["output"] if len(parts) == 1 else [f"output_{i}" for i in range(len(parts))])
            if len(parts) != len(names):
                raise ArgumentError(f"map_batches: the function returned {len(parts)} tensors; outputs names {len(names)}, {_listed(names)}.")
            named = dict(zip(names, parts))
        for name, x in named.items():
            if not is_tensor(x):
                raise ArgumentTypeError(f"map_batches: the result '{name}' is {x!r:.60} of type {type(x).__name__}; a tensor is expected.")
            if x.ndim == 0 or x.shape[0] != rows:
                raise ArgumentError(f"map_batches: the result '{name}' has the shape {_shape(x)}; a first axis of {rows} is expected, the number of "
                                    "rows in the batch.")
        return named


# ---- In the driver ----


def _names_of(names: Any, argument: str, empty: bool = False) -> list[str] | None:
    """A list of columns, or None."""
    if names is None:
        return None
    found = [names] if isinstance(names, str) else list(names) if isinstance(names, (list, tuple)) else [names]
    if not all(isinstance(name, str) for name in found):
        raise ArgumentTypeError(f"map_batches: {argument} is {names!r:.60}; a name of a column or a list of them is expected.")
    if len(set(found)) != len(found) or not (found or empty):
        raise ArgumentError(f"map_batches: {argument} is {names!r:.60}; different names are expected{'' if empty else ', at least one'}.")
    return found


def _dtypes_of(dtypes: Any) -> str | dict[str, str] | None:
    """By name, as workers get them."""
    if isinstance(dtypes, Mapping):
        return {str(name): _core._dtype(dtype).name for name, dtype in dtypes.items()}
    return None if dtypes is None else _core._dtype(dtypes).name


def _pool(workers: Any) -> dict[str, int]:
    """The arguments of ActorPoolStrategy."""
    least, most = workers if isinstance(workers, tuple) and len(workers) == 2 else (workers, workers)
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in (least, most)):
        raise ArgumentTypeError(f"map_batches: workers is {workers!r:.60}; a number, or a tuple of the least and the most, is expected.")
    if not 1 <= least <= most:
        raise ArgumentError(f"map_batches: workers is {workers!r}; at least 1 is expected, and of two numbers the smaller one first.")
    return {"size": least} if isinstance(workers, int) else {"min_size": least, "max_size": most}


def map_batches(dataset: Any, load: Callable[[], Callable[..., Any]], *, inputs: str | Sequence[str] | None = None,
                outputs: str | Sequence[str] | None = None, keep: str | Sequence[str] | None = None, dtypes: Any = None,
                batch_size: int = 256, workers: int | tuple[int, int] = 1, device: str | Callable[[], str] | None = None,
                compile: bool = True, num_cpus: float = 1, num_gpus: float = 0, **options: Any) -> Any:  # noqa: A002
    """The dataset with the results of a function for each row. Like all of Ray Data it is lazy: the workers start when rows are read.

    `load` runs once in each of the `workers` processes, and returns the function or the Module to apply; modules are put into evaluation mode.
    It is called with tensors of at most `batch_size` rows, of the columns `inputs` in that order (None: the only column), and without
    gradients. float64 becomes float32; `dtypes`, one for all inputs or a dict by column, converts otherwise.

    The result is a tensor, a tuple of tensors or a dict of them, with one row for each row of the batch. `outputs` are their columns: by
    default "output", "output_0", "output_1", .., or the keys of the dict, of which it may select some. `keep` are the columns of the dataset
    that stay (None: all, []: none).

    `compile` traces the function once for batches of batch_size rows, and fills smaller ones up; rows must not depend on each other then.
    `device` is that of each worker, such as "cpu" or "webgpu", or a function that runs in the worker and returns it. `num_cpus` and `num_gpus`
    are what Ray reserves for a worker; the CPU backend has num_cpus threads, unless TESSERA_THREADS is set. `workers` may be (least, most).
    Other arguments are those of Ray's Dataset.map_batches, such as `memory` and `runtime_env`.
    """
    ray = _ray()
    if not isinstance(dataset, ray.data.Dataset):
        raise ArgumentTypeError(f"map_batches: {dataset!r:.60} of type {type(dataset).__name__} was given; a ray.data.Dataset is expected.")
    if not callable(load) or isinstance(load, Module):
        raise ArgumentTypeError(f"map_batches: {load!r:.60} of type {type(load).__name__} was given as load; a function is expected that returns "
                                "the model: it runs once in each worker.")
    if not isinstance(batch_size, int) or batch_size < 1:
        raise ArgumentError(f"map_batches: batch_size is {batch_size!r}; a number of rows, at least 1, is expected.")
    pool = _pool(workers)
    if type(dataset).__name__ != "MaterializedDataset":
        _warn_of_no_cpu(ray, max(pool.values()) * num_cpus)
    arguments = dict(load=load, inputs=_names_of(inputs, "inputs"), outputs=_names_of(outputs, "outputs"), keep=_names_of(keep, "keep", True),
                     dtypes=_dtypes_of(dtypes), batch_size=batch_size, threads=max(int(num_cpus), 1), device=device, compiled=bool(compile))
    return dataset.map_batches(_Worker, fn_constructor_kwargs=arguments, batch_size=batch_size, batch_format="numpy",
                               compute=ray.data.ActorPoolStrategy(**pool), num_cpus=num_cpus, num_gpus=num_gpus or None, **options)


def _warn_of_no_cpu(ray: Any, wanted: float) -> None:
    cpus = ray.cluster_resources().get("CPU", 0) if ray.is_initialized() else 0
    if 0 < cpus <= wanted:
        warnings.warn(f"map_batches: the workers take {wanted:g} CPUs, and the cluster has {cpus:g}. Tasks that read or transform the dataset "
                      "would wait for a CPU without end: use fewer workers, a smaller num_cpus, or materialize() the dataset first.",
                      stacklevel=3)
