"""Gray images of digits for vae.py and diffusion.py: drawn from strokes, so that nothing is downloaded, or read from IDX files."""

import numpy as np
import tessera as ts
from mnist import load_idx
from tessera import data


def arc(x, y, across, down, start, end, *more):
    """Points of a part of an ellipse, in degrees clockwise from the right, and more points after them."""
    angles = np.radians(np.linspace(start, end, 13))
    return [*(x + across * np.cos(angles) + 1j * (y + down * np.sin(angles))), *more]


# Strokes as complex numbers x + y i, where y points down. A digit fills 0.2 to 0.8 across and 0.1 to 0.9 down.
STROKES = [
    [arc(.5, .5, .28, .4, 0, 360)],
    [[.34 + .28j, .52 + .1j, .52 + .9j]],
    [arc(.5, .32, .26, .22, 190, 400, .24 + .9j, .78 + .9j)],
    [arc(.45, .3, .27, .2, 205, 450), arc(.45, .7, .3, .2, 270, 515)],
    [[.62 + .9j, .62 + .1j, .2 + .62j, .82 + .62j]],
    [[.74 + .1j, .33 + .1j, .3 + .47j], arc(.47, .65, .28, .25, 225, 505)],
    [arc(.7, .62, .45, .52, 265, 180), arc(.5, .68, .25, .22, 180, 540)],
    [[.22 + .1j, .78 + .1j, .42 + .9j]],
    [arc(.5, .3, .22, .2, 90, 450), arc(.5, .7, .27, .2, 270, 630)],
    [arc(.5, .33, .25, .23, 0, 360), [.75 + .33j, .73 + .55j, .6 + .9j]],
]


def draw_one(digit, count, size, rng):
    """Images uint8 [count, size, size] of one digit with random slant, size, position, bends and width of the pen."""

    def between(low, high):
        return rng.uniform(low, high, (count, 1))

    angle, shear, width, height = between(-.2, .2), between(-.25, .25), between(.8, 1.05), between(.85, 1.05)
    shift, bend = between(-.05, .05) + 1j * between(-.04, .04), between(-.04, .04) + 1j * between(-.04, .04)
    phase, radius = between(0, 2 * np.pi), between(.04, .075)

    def moved(points):
        x, y = points.real, points.imag
        across = (x - .5 + bend.real * np.sin(5 * y + phase)) * width + shear * (.5 - y)
        down = (y - .5 + bend.imag * np.sin(5 * x + phase)) * height
        return (.5 + .5j + shift + (across + 1j * down) * np.exp(1j * angle)).astype(np.complex64)[:, None]

    first = moved(np.concatenate([stroke[:-1] for stroke in STROKES[digit]]))  # of each line: [count, 1, lines]
    line = moved(np.concatenate([stroke[1:] for stroke in STROKES[digit]])) - first
    centers = ((np.arange(size) + .5) / size).astype(np.float32)
    pixels = (centers + 1j * centers[:, None]).reshape(-1, 1)
    at = (pixels - first) * (1 / line)  # the real part goes along the line from 0 to 1, the imaginary part is beside it
    beyond = at.real - np.clip(at.real, 0, 1)
    distance = np.sqrt(((beyond ** 2 + at.imag ** 2) * np.abs(line) ** 2).min(axis=2))
    return (255 * np.clip((radius - distance) * size + .5, 0, 1)).astype(np.uint8).reshape(count, size, size)


def draw_digits(count, size, seed):
    """Images uint8 [count, size, size] and labels uint8 [count]."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 10, count, np.uint8)
    images = np.empty((count, size, size), np.uint8)
    for digit in range(10):
        rows = np.flatnonzero(labels == digit)
        for some in np.split(rows, range(100, len(rows), 100)):
            images[some] = draw_one(digit, len(some), size, rng)
    return images, labels


def digits_of(folder, count, seed):
    """Images and labels for the training and for the test: the IDX files of a folder in MNIST's names, or `count` and a tenth of that drawn."""
    if folder:
        names = "train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"
        return tuple(load_idx(folder / f"{name}-ubyte") for name in names)
    return *draw_digits(count, 16, seed), *draw_digits(max(count // 10, 1), 16, seed + 1)


def as_floats(images, white):
    """float32 in [0, 1], where 1 is `white` and what is brighter: 255, or 16 for the digits of scikit-learn."""
    return np.minimum(images / np.float32(white), 1)


def save_sheet(path, images, columns):
    """Writes images [N, H, W] of floats from 0 to 1 as one PNG file, in rows of `columns`; small ones are magnified."""
    times = max(48 // images.shape[2], 1)
    large = ts.repeat(ts.repeat(ts.clip(images, 0, 1), times, axis=1), times, axis=2)
    data.save_png(path, data.image_grid(ts.expand_dims(large, axis=1), columns))
