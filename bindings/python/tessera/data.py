"""Data sets and their loaders: batches as tensors on a device, loaded by threads ahead of their use.

A data set has samples by position: any object with `__len__` and `__getitem__` that returns a dict, a tuple, a list or a single value of
NumPy arrays, tensors and numbers, or a source of this module. Batches have the form of the samples; lists become tuples.

>>> import numpy as np
>>> from tessera import data
>>> digits = data.from_arrays({"image": np.zeros((10, 8, 8), np.float32), "label": np.arange(10)})
>>> loader = data.DataLoader(digits, batch_size=4)
>>> [batch["image"].shape for batch in loader]
[(4, 8, 8), (4, 8, 8), (2, 8, 8)]
"""

from __future__ import annotations

import atexit
import os
import weakref
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Sequence

from tessera import _core
from tessera._augment import (center_crop, crop, cutout, mixup, normalize, random_crop, random_erase, random_flip, random_resized_crop,
                              random_rotate, resize, resized_crop, rotate)
from tessera._core import Dataset, Tensor
from tessera._errors import ArgumentError, ArgumentTypeError
from tessera.distributed import Group
from tessera.text import _path

__all__ = ["DataLoader", "Dataset", "ImageLibrary", "center_crop", "concatenate", "crop", "cutout", "decode_image", "from_arrays", "from_csv",
           "from_idx", "from_image_folder", "from_npy", "from_npz", "from_safetensors", "from_tokens", "image_grid", "image_library",
           "load_image", "map", "mixup", "normalize", "random_crop", "random_erase", "random_flip", "random_resized_crop", "random_rotate",
           "resize", "resized_crop", "rotate", "save_png", "split", "subset"]


def _native(dataset: Any, what: str, raw: bool = False) -> Dataset:
    """A data set of the extension: the given one, or one that reads an object of Python."""
    if isinstance(dataset, Dataset):
        return dataset
    if isinstance(dataset, (Mapping, str, bytes)) or not hasattr(dataset, "__len__") or not hasattr(dataset, "__getitem__"):
        hint = " data.from_arrays() makes one of arrays by name." if isinstance(dataset, Mapping) else ""
        raise ArgumentTypeError(f"{what}: {dataset!r:.60} of type {type(dataset).__name__} was given; a data set with __len__ and "
                                f"__getitem__ is expected.{hint}")
    name = getattr(dataset, "name", None)
    return _core._data_python(dataset.__getitem__, name if callable(name) else None, len(dataset), raw)


def _function(function: Any, what: str, name: str) -> Any:
    if not callable(function):
        raise ArgumentTypeError(f"{what}: the argument '{name}' is {function!r} of type {type(function).__name__}; a function is expected.")
    return function


# ---- Sources ----


def from_arrays(arrays: Any) -> Dataset:
    """Rows of arrays with equally many rows: a dict of them by name, a tuple, or one. Their memory is not copied, and must not change.

    >>> import numpy as np
    >>> from tessera import data
    >>> data.from_arrays((np.eye(3), np.arange(3, dtype=np.int32)))[2]
    (array([0., 0., 1.]), array(2, dtype=int32))
    """
    return _core._data_arrays(arrays)


def _files(files: Any, what: str) -> dict[str, bytes]:
    if not isinstance(files, Mapping):
        raise ArgumentTypeError(f"{what}: {files!r:.60} of type {type(files).__name__} was given; a dict of paths by field is expected: "
                                "{'image': 'images', 'label': 'labels'}.")
    return {str(name): _path(path, what) for name, path in files.items()}


def from_npy(files: Mapping[str, str | os.PathLike[str]]) -> Dataset:
    """Rows of NumPy's npy files with equally many rows: from_npy({"image": "images.npy", "label": "labels.npy"})."""
    return _core._data_npy(_files(files, "from_npy"))


def from_npz(path: str | os.PathLike[str], names: Sequence[str] = ()) -> Dataset:
    """Rows of the arrays of an npz file, or of the arrays of these names.

    >>> import os, tempfile
    >>> import numpy as np
    >>> from tessera import data
    >>> path = os.path.join(tempfile.mkdtemp(), "points.npz")
    >>> np.savez(path, x=np.eye(2, dtype=np.float32), y=np.array([3, 4], np.int32))
    >>> data.from_npz(path)[1]
    {'x': array([0., 1.], dtype=float32), 'y': array(4, dtype=int32)}
    """
    return _core._data_npz(_path(path, "from_npz"), list(names))


def from_safetensors(path: str | os.PathLike[str], names: Sequence[str] = ()) -> Dataset:
    """Rows of the tensors of a safetensors file, or of the tensors of these names."""
    return _core._data_safetensors(_path(path, "from_safetensors"), list(names))


def from_idx(files: Mapping[str, str | os.PathLike[str]]) -> Dataset:
    """Rows of IDX files, the format of MNIST: from_idx({"image": "train-images-idx3-ubyte", "label": "train-labels-idx1-ubyte"})."""
    return _core._data_idx(_files(files, "from_idx"))


def from_csv(path: str | os.PathLike[str], fields: Mapping[str, str | Sequence[str]] | None = None, kinds: Mapping[str, str] | None = None, *,
             delimiter: str = ",", names: Sequence[str] = ()) -> Dataset:
    """The lines of a CSV file, parsed when they are loaded.

    `fields` has the columns of each field: a list of them makes a vector, and the field's own name a number; default: a field for each column. `kinds` of fields are
    "float" (float32, the default), "integer" (int64) or "label" (int32: the position among the texts that occur, sorted; see `classes`). `names` are
    those of the columns if the first line does not have them.

    >>> import os, tempfile
    >>> from tessera import data
    >>> path = os.path.join(tempfile.mkdtemp(), "flowers.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("length,width,kind\\n1.5,2,rose\\n3,4.5,lily\\n")
    >>> flowers = data.from_csv(path, {"x": ["length", "width"], "kind": "kind"}, {"kind": "label"})
    >>> flowers[1], flowers.classes
    ({'x': array([3. , 4.5], dtype=float32), 'kind': array(0, dtype=int32)}, {'kind': ['lily', 'rose']})
    """
    given = dict(fields or {})
    unknown = set(kinds or {}) - set(given)
    if unknown:
        raise ArgumentError(f"from_csv: a kind of '{min(unknown)}' was given, which is none of the fields.")
    for name, columns in given.items():
        if isinstance(columns, str) and columns != name:
            raise ArgumentError(f"from_csv: the column '{columns}' was given for the field '{name}'; a number has the name of its column, and a "
                                f"list of columns, ['{columns}'], makes a vector.")
    rows = [(str(name), [] if isinstance(columns, str) else list(columns), (kinds or {}).get(name, "float")) for name, columns in given.items()]
    return _core._data_csv(_path(path, "from_csv"), delimiter, list(names), rows)


def from_image_folder(folder: str | os.PathLike[str], extensions: Sequence[str] | None = None, channels: int = 3) -> Dataset:
    """Images in one folder per class: "image", uint8 [height, width, channels], and "label", int32. They are decoded when they are loaded.

    `extensions` are those of PNG, JPEG, PPM and PGM files by default. With `channels` 0, those of each file.
    """
    return _core._data_image_folder(_path(folder, "from_image_folder"), None if extensions is None else list(extensions), channels)


def from_tokens(source: Any, context: int, stride: int = 0, dtype: Any = "uint16", offset: int = 0, vocabulary: int = 0) -> Dataset:
    """Windows of a stream of tokens: "tokens", int32 [context], and "targets", the same moved by one.

    `source` is a file of uint16, int32 or uint32, which is mapped into memory, or a list or an array of ids. `stride` is that between the beginnings
    of windows (0: the context), `offset` the bytes in front of the first token, `vocabulary` what tokens are less than (0: any).

    >>> from tessera import data
    >>> data.from_tokens([1, 2, 3, 4, 5], context=2)[1]
    {'tokens': array([3, 4], dtype=int32), 'targets': array([4, 5], dtype=int32)}
    """
    if isinstance(source, (str, bytes, os.PathLike)):
        source = _path(source, "from_tokens")
    return _core._data_tokens(source, context, stride, dtype, offset, vocabulary)


# ---- Images ----


class ImageLibrary(NamedTuple):
    """The library that reads PNG and JPEG files; without one, `error` says why."""

    path: str
    version: str
    error: str


def image_library() -> ImageLibrary:
    """The library that reads PNG and JPEG files, which is beside the engine's own. PPM and PGM files need none."""
    return ImageLibrary(*_core._data_image_library())


def load_image(path: str | os.PathLike[str], channels: int = 0) -> Any:
    """The pixels of a PNG, JPEG, PPM or PGM file: uint8 [height, width, channels], a read-only array of NumPy. `channels` 1, 3 or 4 converts."""
    return _core._data_load_image(_path(path, "load_image"), channels)


def decode_image(file: Any, name: str = "the image", channels: int = 0) -> Any:
    """The same for the bytes of a file; `name` is for errors."""
    return _core._data_decode_image(file, name, channels)


def save_png(path: str | os.PathLike[str], image: Any) -> None:
    """Writes uint8 [height, width] or [height, width, channels] as a PNG file."""
    _core._data_save_png(_path(path, "save_png"), image)


def image_grid(images: Any, columns: int, padding: int = 2) -> Tensor:
    """Images [N, C, H, W], uint8 or floats from 0 to 1, in rows of `columns`: uint8 [height, width, C], for save_png().

    >>> import tessera as ts
    >>> ts.data.image_grid(ts.zeros((4, 1, 8, 8)), 2).shape
    (22, 22, 1)
    """
    return _core._data_image_grid(images, columns, padding)


# ---- Data sets of others ----


class _Mapped:
    """f of each sample of a data set of Python, as that returns it."""

    def __init__(self, dataset: Any, function: Callable[[Any], Any]) -> None:
        self._dataset, self._function = dataset, function
        name = getattr(dataset, "name", None)
        if callable(name):
            self.name = name

    def __len__(self) -> int:
        return len(self._dataset)

    def __getitem__(self, i: int) -> Any:
        return self._function(self._dataset[i])


def map(dataset: Any, function: Callable[[Any], Any]) -> Any:  # noqa: A001
    """function(sample) of each sample, when it is loaded. Arrays of a source are read-only.

    >>> from tessera import data
    >>> data.map([1, 2, 3], lambda x: (x, x * x))[2]
    (3, 9)
    """
    _function(function, "map", "function")
    if isinstance(dataset, Dataset):
        return _core._data_map(dataset, function)
    _native(dataset, "map")
    return _Mapped(dataset, function)


def subset(dataset: Any, positions: Sequence[int]) -> Dataset:
    """The samples at these positions.

    >>> from tessera import data
    >>> [int(x) for x in data.subset([10, 20, 30], [2, 0])]
    [30, 10]
    """
    return _core._data_subset(_native(dataset, "subset"), positions)


def split(dataset: Any, fractions: Sequence[float], seed: int = 0) -> list[Dataset]:
    """Disjoint parts of these fractions, which add up to at most 1, of a shuffled order.

    >>> from tessera import data
    >>> [len(part) for part in data.split(range(10), [0.8, 0.2])]
    [8, 2]
    """
    return _core._data_split(_native(dataset, "split"), fractions, seed)


def concatenate(datasets: Sequence[Any]) -> Dataset:
    """One after the other.

    >>> from tessera import data
    >>> [int(x) for x in data.concatenate([[1, 2], [3]])]
    [1, 2, 3]
    """
    return _core._data_concatenate([_native(d, "concatenate") for d in datasets])


# ---- Loaders ----

_loaders: weakref.WeakSet[DataLoader] = weakref.WeakSet()


@atexit.register
def _close_loaders() -> None:
    """Threads that need the interpreter must end before it does."""
    _core._data_finish()
    for loader in list(_loaders):
        loader.close()


class DataLoader:
    """Batches of a data set on a device, in an order that the seed and the epoch alone decide.

    An iteration goes to the end of the epoch; after a break the next one continues with the batch behind the last, and
    load_state_dict({"epoch": n}) starts an epoch anew. `workers` threads load samples, and functions of Python among them run in turn, since
    they hold the GIL; with 0 workers the thread that iterates loads them. `prefetch` batches at most wait on the device.

    What a data set or a function raises arrives as itself, with a note of the sample's name, which is `dataset.name(i)` if there is such a
    function. With `skip_bad` samples that raise an Exception are left out, with a line in the log and a count in state_dict().

    `collate(samples)` makes a batch, arrays without a name or by name, of a list of samples as the data set returns them; the default stacks
    each field along a new first axis. `part` of `parts` is every parts-th sample of the order, for processes that share an epoch;
    with a `group`, a distributed.Group, batch_size counts the samples of all its ranks, and this process loads its part of each batch. Parts
    have equal numbers of samples, unless `even` is false: then none is left out, for validation.

    >>> from tessera import data
    >>> loader = data.DataLoader([(i, i * i) for i in range(5)], batch_size=2, shuffle=True, seed=1)
    >>> sorted(int(y) for x, squares in loader for y in squares)
    [0, 1, 4, 9, 16]
    """

    def __init__(self, dataset: Any, batch_size: int = 1, shuffle: bool = False, seed: int = 0, drop_last: bool = False, workers: int = 2,
                 prefetch: int = 2, skip_bad: bool = False, collate: Callable[[list[Any]], Any] | None = None, device: Any = None, *,
                 part: int = 0, parts: int = 1, group: Group | None = None, even: bool = True) -> None:
        if collate is not None:
            _function(collate, "DataLoader", "collate")
        self.dataset = dataset
        self.batch_size = batch_size
        native = _native(dataset, "DataLoader", raw=collate is not None)
        self._core = _core._DataLoader(native, dict(batch_size=batch_size, shuffle=shuffle, seed=seed, drop_last=drop_last, workers=workers,
                                                    prefetch=prefetch, skip_bad=skip_bad, collate=collate, device=device, part=part,
                                                    parts=parts, group=None if group is None else group._group, even=even))
        _loaders.add(self)

    def __len__(self) -> int:
        """The number of batches of an epoch."""
        return self._core.size()

    def __iter__(self) -> Iterator[Any]:
        while (batch := self._core.next()) is not None:
            yield batch

    def state_dict(self) -> dict[str, int]:
        """Where it is: the epoch, the next batch of it, and how many samples were left out so far.

        >>> from tessera import data
        >>> loader = data.DataLoader(range(4), batch_size=2)
        >>> first = next(iter(loader))
        >>> loader.state_dict()
        {'epoch': 0, 'batch': 1, 'skipped': 0}
        """
        epoch, batch, skipped = self._core.state()
        return {"epoch": epoch, "batch": batch, "skipped": skipped}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Continues there, with the same batches as a loader that came there by itself."""
        unknown = set(state) - {"epoch", "batch", "skipped"}
        if unknown:
            raise ArgumentTypeError(f"DataLoader.load_state_dict: {sorted(unknown)[0]!r} was given; epoch, batch and skipped are expected.")
        self._core.set_state(state.get("epoch", 0), state.get("batch", 0), state.get("skipped", 0))

    @property
    def waited(self) -> float:
        """How long iterations have waited for batches, in seconds."""
        return self._core.waited()

    def close(self) -> None:
        """Ends its threads, after the samples that they are loading. Also done when nothing refers to it, and at the exit."""
        self._core.close()

    def __repr__(self) -> str:
        return f"DataLoader({type(self.dataset).__name__}, batch_size={self.batch_size})"
