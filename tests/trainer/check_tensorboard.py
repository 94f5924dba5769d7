#!/usr/bin/env python3
"""Reads the event files of `tessera train gpt --out DIR` with PyPI's tensorboard, and compares them with the log:
check_tensorboard.py TESSERA BUILD_FOLDER.

Uses the tensorboard of this Python, or installs what it needs to read event files into BUILD_FOLDER/tensorboard (16 MB; NumPy is this
Python's); ends with 77 and the reason where there is none."""

import importlib.util
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGES = ["tensorboard==2.21.0", "protobuf==7.36.2", "absl-py==2.5.1"]


def import_tensorboard(build):
    """EventAccumulator, or None and the reason."""
    folder = build / "tensorboard"
    if importlib.util.find_spec("tensorboard") is None and not folder.exists():
        # Without the server's packages. pip leaves nothing behind if it fails.
        with tempfile.TemporaryDirectory(dir=build) as aside:
            made = subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "1", "--no-deps",
                                   "--target", f"{aside}/new", *PACKAGES])
            if made.returncode == 0:
                os.rename(f"{aside}/new", folder)
    sys.path.append(str(folder))
    try:
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
        return EventAccumulator, None
    except ImportError as error:
        return None, str(error)


def train(tessera, folder, *arguments):
    small = "--digits 1 --layers 1 --heads 1 --width 8 --batch 4 --eval-every 2"
    command = [tessera, "train", "gpt", *small.split(), "--out", folder, *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "TESSERA_DEVICE": "cpu"})


def logged(folder):
    """Of each tag the steps and values in f32."""
    values = {}
    for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        for name, value in fields.items():
            if name not in ("step", "kind", "time", "text"):
                f32 = struct.unpack("f", struct.pack("f", float(value)))[0]
                values.setdefault(f"{fields['kind']}/{name}", []).append((fields["step"], fields["time"], f32))
    return values


def check(accumulator_type, folder):
    accumulator = accumulator_type(str(folder), size_guidance={"scalars": 0}, purge_orphaned_data=True)
    accumulator.Reload()
    expected = logged(folder)
    assert sorted(accumulator.Tags()["scalars"]) == sorted(expected), (accumulator.Tags(), expected)
    for tag, points in expected.items():
        found = [(e.step, e.wall_time, e.value) for e in accumulator.Scalars(tag)]
        assert len(found) == len(points), (tag, found, points)
        for (step, time, value), (s, t, v) in zip(found, points):
            assert step == s and time == t and (value == v or math.isnan(value) and math.isnan(v)), (tag, found, points)
    return {tag: len(points) for tag, points in expected.items()}


def main(tessera, build):
    accumulator_type, reason = import_tensorboard(Path(build))
    if accumulator_type is None:
        print(f"skipped: {reason}")
        return 77
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside) / "Lauf é"
        train(tessera, folder, "--steps", "9")
        print("a run:", check(accumulator_type, folder))
        train(tessera, folder, "--steps", "5", "--seed", "2")
        print("another one in its folder:", check(accumulator_type, folder))
        assert len(list(folder.glob("events.out.tfevents.*"))) == 2
        train(tessera, Path(aside) / "diverges", "--steps", "30", "--lr", "1e30", "--min-lr", "1e30", "--warmup", "0")
        print("one that diverges:", check(accumulator_type, Path(aside) / "diverges"))
        assert any(math.isnan(v) for _, _, v in logged(Path(aside) / "diverges")["train/loss"])
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
