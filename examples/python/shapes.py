"""Color images of ten shapes for resnet.py: drawn, so that nothing is downloaded, or those of an npz file such as CIFAR-10."""

import numpy as np


def circle(x, y, radius):
    return np.hypot(x, y) - radius


def box(x, y, width, height):
    return np.maximum(np.abs(x) - width, np.abs(y) - height)


def star(x, y, points, inner):
    """Points at a radius of 1, corners between them at `inner`. A regular polygon has corners at cos(pi / points)."""
    half = np.pi / points
    angle = np.abs((np.arctan2(y, x) + half) % (2 * half) - half)  # from the nearest point
    corner_x, corner_y, r = inner * np.cos(half), inner * np.sin(half), np.hypot(x, y)
    return ((r * np.cos(angle) - 1) * corner_y + r * np.sin(angle) * (1 - corner_x)) / np.hypot(corner_y, 1 - corner_x)


def checkers(x, y):
    inside = np.minimum(np.abs(x), np.abs(y))
    return np.maximum(box(x, y, .85, .85), np.where(x * y > 0, -inside, inside))


# Signed distances from the edge of a shape around the origin, negative inside. A shape has a radius of about 1.
SHAPES = {
    "disc": lambda x, y: circle(x, y, .9),
    "half disc": lambda x, y: np.maximum(circle(x + .4, y, 1), -.4 - x),
    "crescent": lambda x, y: np.maximum(circle(x, y, .95), -circle(x - .45, y, .75)),
    "ring": lambda x, y: np.abs(circle(x, y, .72)) - .2,
    "triangle": lambda x, y: star(x, y, 3, .5),
    "square": lambda x, y: box(x, y, .75, .75),
    "frame": lambda x, y: np.abs(box(x, y, .6, .6)) - .2,
    "cross": lambda x, y: np.minimum(box(x, y, .95, .28), box(x, y, .28, .95)),
    "star": lambda x, y: star(x, y, 5, .45),
    "checkers": checkers,
}


def colors(count, rng):
    """Two dark colors of the background and a bright one of the shape, [3, count, 3, 1, 1]. The last one differs from what is between the others."""
    (first, second), ink = rng.uniform(0, .5, (2, count, 3)), rng.uniform(.6, 1, (count, 3))
    between = [first, (first + second) / 2, second]
    while len(poor := np.flatnonzero(np.min([np.abs(ink - c).max(axis=1) for c in between], axis=0) < .3)):
        ink[poor] = rng.uniform(.6, 1, (len(poor), 3))
    return np.stack([first, second, ink])[..., None, None]


def paint(count, size, rng):
    """Images uint8 [count, 3, size, size] and classes int32 [count]: a bright shape of random color, size, position and angle, on a dark background
    that changes from one color to another, with noise."""
    labels = rng.integers(0, len(SHAPES), count, np.int32)
    radius = size * rng.uniform(.22, .38, (count, 1, 1))
    x, y = radius + (size - 2 * radius) * rng.random((2, count, 1, 1))
    angle, direction = rng.uniform(0, 2 * np.pi, (2, count, 1, 1))
    columns, rows = np.arange(size) + .5, np.arange(size)[:, None] + .5
    across, down = (columns - x) / radius, (rows - y) / radius
    u, v = across * np.cos(angle) + down * np.sin(angle), down * np.cos(angle) - across * np.sin(angle)
    distance = np.empty((count, size, size))
    for label, shape in enumerate(SHAPES.values()):
        distance[labels == label] = shape(u[labels == label], v[labels == label])
    covered = np.clip(.5 - distance * radius, 0, 1)[:, None]
    change = (columns - size / 2) * np.cos(direction) + (rows - size / 2) * np.sin(direction)
    first, second, ink = colors(count, rng)
    behind = first + np.clip(.5 + change / size, 0, 1)[:, None] * (second - first)
    values = behind + covered * (ink - behind) + rng.uniform(-.1, .1, behind.shape)
    return np.round(255 * np.clip(values, 0, 1)).astype(np.uint8), labels


def draw_shapes(count, size, seed):
    """Images and classes, painted in parts of at most 500."""
    rng = np.random.default_rng(seed)
    images, labels = zip(*(paint(min(500, count - at), size, rng) for at in range(0, count, 500)))
    return np.concatenate(images), np.concatenate(labels)


def shape_sets(count, size, seed):
    """Images and classes for the training and for the test, and the names of the classes: `count` images, and a fifth of that."""
    return *draw_shapes(count, size, seed), *draw_shapes(max(count // 5, 1), size, seed + 1_000_000_007), list(SHAPES)


def load_color_images(path):
    """The same of an npz file with train_images, train_labels, test_images and test_labels: uint8 [N, 3, H, W] or [N, H, W, 3], and integers."""
    file = np.load(path)
    sets = [file[name] for name in ("train_images", "train_labels", "test_images", "test_labels")]
    train_x, test_x = (np.ascontiguousarray(x if x.shape[1] == 3 else x.transpose(0, 3, 1, 2)) for x in sets[::2])
    train_y, test_y = (y.reshape(-1).astype(np.int32) for y in sets[1::2])
    return train_x, train_y, test_x, test_y, [str(i) for i in range(max(train_y.max(), test_y.max()) + 1)]
