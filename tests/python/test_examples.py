"""The programs of examples/python, in a reduced form."""

import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/python"))
import gpt  # noqa: E402
import mnist  # noqa: E402

FULL = bool(os.environ.get("TESSERA_TEST_FULL"))
DIGITS = str(ROOT / "tests/train/digits")


def losses(out):
    return [float(x) for x in re.findall(r"validation loss ([0-9.]+)", out)]


def test_digits(capsys, tmp_path):
    mnist.main(["--data", DIGITS, "--epochs", "8", "--batch", "50", "--out", str(tmp_path / "model.safetensors")])
    assert float(capsys.readouterr().out.split("test accuracy: ")[-1]) >= 0.98
    assert (tmp_path / "model.safetensors").exists()


def test_without_data(capsys):
    with pytest.raises(SystemExit):
        mnist.main(["--data", "/no/such/folder"])
    assert "tools/fetch_data.sh mnist" in capsys.readouterr().err


@pytest.mark.skipif(not FULL or not (ROOT / "data/mnist").exists(), reason="minutes, and needs tools/fetch_data.sh mnist")
def test_mnist(capsys):
    mnist.main(["--data", str(ROOT / "data/mnist")])
    assert float(capsys.readouterr().out.split("test accuracy: ")[-1]) >= 0.99


def test_sums(capsys):
    gpt.main(["--steps", "100", "--width", "32"])
    out = capsys.readouterr().out
    assert losses(out)[-1] < 0.8 * losses(out)[0]
    assert re.search(r"\n\d+\+\d+=.*\nheld-out exact match: 0\.\d{3}\n$", out)


@pytest.mark.skipif(not FULL, reason="a minute or two")
def test_sums_are_learned(capsys):
    gpt.main([])
    assert float(capsys.readouterr().out.split("held-out exact match: ")[-1]) >= 0.99


def test_a_text(capsys, tmp_path):
    (tmp_path / "text").write_text("the quick brown fox jumps over the lazy dog\n" * 60)
    gpt.main(["--text", str(tmp_path / "text"), "--layers", "2", "--width", "32", "--context", "32", "--steps", "100", "--lr", "1e-2", "--dropout", "0.1",
              "--prompt", "the quick", "--sample", "80"])
    out = capsys.readouterr().out
    assert losses(out)[-1] < 0.7
    assert len(out.split("---\n")[1]) == len("the quick") + 80 + 1
