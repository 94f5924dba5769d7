#!/usr/bin/env python3
"""Makes tests/data/images with Pillow (13.0.0): small files of each kind, and beside each JPEG the pixels that Pillow decodes, as PPM or PGM.

Run where Pillow and NumPy are: python tests/data/make_images.py
"""

from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).parent / "images"


def smooth(height, width, channels):
    """Waves that JPEG keeps: u8 [height, width, channels]."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [127 + 100 * np.sin(x / (3.0 + c) + c) * np.cos(y / (4.0 - c) - c) for c in range(channels)]
    return np.stack(planes, -1).round().astype(np.uint8)


def save(image, name, **options):
    image.save(HERE / name, **options)
    if name.endswith(".jpg"):
        with Image.open(HERE / name) as decoded:
            decoded.load()
            mode = "L" if decoded.mode == "L" else "RGB"
            decoded.convert(mode).save((HERE / name).with_suffix(".pgm" if mode == "L" else ".ppm"))


def main():
    HERE.mkdir(exist_ok=True)
    gray = Image.fromarray(smooth(9, 13, 1)[:, :, 0], "L")
    rgb = Image.fromarray(smooth(19, 17, 3), "RGB")
    save(gray, "gray.jpg", quality=90)
    save(rgb, "rgb.jpg", quality=90, subsampling=0)
    save(rgb, "half.jpg", quality=90, subsampling=2)  # 4:2:0
    save(rgb, "progressive.jpg", quality=90, subsampling=0, progressive=True)
    save(rgb, "restart.jpg", quality=90, subsampling=0, restart_marker_blocks=2)
    save(Image.fromarray(smooth(8, 8, 4), "CMYK"), "cmyk.jpg", quality=90)

    small = smooth(5, 7, 4)
    Image.fromarray(small, "RGBA").save(HERE / "rgba.png")
    Image.fromarray(small[:, :, :2].copy(), "LA").save(HERE / "gray_alpha.png")
    wide = smooth(5, 7, 1)[:, :, 0].astype("<u2") * 257 + 3
    Image.frombytes("I;16", (7, 5), wide.tobytes()).save(HERE / "gray16.png")
    Image.fromarray((smooth(5, 11, 1)[:, :, 0] > 127)).save(HERE / "bits.png")
    palette = Image.fromarray((np.arange(35, dtype=np.uint8) % 3).reshape(5, 7), "P")
    palette.putpalette([10, 20, 30, 200, 100, 50, 0, 255, 7])
    palette.save(HERE / "palette.png")
    palette.save(HERE / "palette_alpha.png", transparency=1)


main()
