"""The programs of examples/python, in a reduced form."""

import json
import os
import re
import sys
from pathlib import Path

import pytest
import tessera as ts

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/python"))
import gpt  # noqa: E402
import mnist  # noqa: E402

FULL = bool(os.environ.get("TESSERA_TEST_FULL"))
DIGITS = str(ROOT / "tests/train/digits")


def losses(out):
    return [float(x) for x in re.findall(r"validation loss ([0-9.]+)", out)]


def test_digits(capsys, tmp_path):
    mnist.main(["--data", DIGITS, "--epochs", "6", "--batch", "50", "--out", str(tmp_path / "model.safetensors")])
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


def test_a_text_of_tokens(capsys, tmp_path):
    if ts.text.library().error:
        pytest.skip(ts.text.library().error)
    points = json.loads((ROOT / "tests/text/points.json").read_text())
    (tmp_path / "tokenizer.json").write_text(json.dumps(next(t["json"] for t in points["tokenizers"] if t["name"] == "gpt2")))
    (tmp_path / "text").write_text("the quick brown fox jumps over the lazy dog \u00e9\n" * 60, encoding="utf-8")
    arguments = ["--text", str(tmp_path / "text"), "--tokenizer", str(tmp_path / "tokenizer.json"), "--layers", "2", "--width", "32", "--context", "16",
                 "--steps", "80", "--lr", "1e-2", "--sample", "20"]
    gpt.main([*arguments, "--prompt", "the quick", "--out", str(tmp_path / "model")])
    out = capsys.readouterr().out
    assert losses(out)[-1] < 0.7
    assert (tmp_path / "model/tokenizer.json").read_text() == (tmp_path / "tokenizer.json").read_text()
    config, tensors = json.loads((tmp_path / "model/config.json").read_text()), ts.load(str(tmp_path / "model/model.safetensors"))
    assert config["vocab_size"] == 400 and tensors["model.layers.1.self_attn.k_proj.weight"].shape == (32, 32) and len(tensors) == 2 * 9 + 2
    theirs = ts.load(str(ROOT / "tests/train/llama/tied/model.safetensors"))  # of the transformers package
    assert {re.sub(r"\d+", "0", name) for name in tensors} == {re.sub(r"\d+", "0", name) for name in theirs}
    assert out.split("---\n")[1].startswith("the quick brown")
    with pytest.raises(SystemExit, match="The text has 0 tokens; at least 170"):
        (tmp_path / "text").write_text("")
        gpt.main(arguments)


def test_a_text(capsys, tmp_path):
    (tmp_path / "text").write_text("the quick brown fox jumps over the lazy dog\n" * 60)
    gpt.main(["--text", str(tmp_path / "text"), "--layers", "2", "--width", "32", "--context", "32", "--steps", "100", "--lr", "1e-2", "--dropout", "0.1",
              "--prompt", "the quick", "--sample", "80"])
    out = capsys.readouterr().out
    assert losses(out)[-1] < 0.7
    assert len(out.split("---\n")[1]) == len("the quick") + 80 + 1
