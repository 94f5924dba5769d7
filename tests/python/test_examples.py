"""The programs of examples/python, in a reduced form."""

import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import tessera as ts

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/python"))
import digits  # noqa: E402
import diffusion  # noqa: E402
import dqn  # noqa: E402
import gpt  # noqa: E402
import lora  # noqa: E402
import lstm  # noqa: E402
import mnist  # noqa: E402
import resnet  # noqa: E402
import shapes  # noqa: E402
import vae  # noqa: E402

FULL = bool(os.environ.get("TESSERA_TEST_FULL"))
ON_CPU = ts.current_device().is_cpu
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


# ---- Twins of the jobs ----

# The form of the last line, and what its numbers are at least with the default options.
LAST_LINES = {
    lstm: (r"held-out accuracy: (\d\.\d{4})", [0.99]),
    vae: (r"held-out ELBO: (-\d+\.\d\d) nats per image", [-52]),
    diffusion: (r"samples read as the digit asked for: (\d\.\d{3})", [0.9]),
    resnet: (r"test accuracy: (\d\.\d{4})", [0.95]),
    dqn: (r"mean return of 20 episodes: (\d+\.\d) of 500, (?:not )?solved after \d+ steps", [475]),
    lora: (r"held-out lines right: (\d\.\d{3}) of the base's task, (\d\.\d{3}) of the adapter's", [0.98, 0.98]),
}


def run(capsys, program, arguments):
    """The numbers of the last line, and all that was printed."""
    program.main([str(a) for a in arguments])
    out = capsys.readouterr().out
    found = re.fullmatch(LAST_LINES[program][0], out.rstrip("\n").rsplit("\n", 1)[-1])
    assert found, out
    return [float(x) for x in found.groups()], out


many_steps = pytest.mark.skipif(not ON_CPU, reason="minutes on a software GPU")


@pytest.mark.skipif(not FULL or not ON_CPU, reason="minutes; on the CPU only")
@pytest.mark.parametrize("program", LAST_LINES, ids=lambda p: p.__name__)
def test_with_default_options(program, capsys):
    numbers, out = run(capsys, program, [])
    assert all(x >= least for x, least in zip(numbers, LAST_LINES[program][1])), out


def out_if_pictures(folder):
    """--out for a program that writes pictures, if they can be written here."""
    return [] if ts.data.image_library().error else ["--out", folder]


def test_brackets():
    made = lstm.bracket_sequences(50, 30, 3, 4, 9)
    for tokens, innermost in zip(made["tokens"], made["open"]):
        stack = []
        for token, kind in zip(tokens.tolist(), innermost.tolist()):
            if token % 2 == 0:
                stack.append(token // 2)
            else:
                assert stack.pop() == token // 2
            assert len(stack) <= 4 and kind == (stack[-1] + 1 if stack else 0)


def test_an_lstm_learns_brackets(capsys):
    arguments = "--kinds 2 --depth 3 --length 12 --samples 1280 --hidden 32".split()
    (accuracy,), out = run(capsys, lstm, arguments)
    assert accuracy >= 0.9, out  # always the most frequent answer: less than 0.5
    assert re.search(r"\nread: [()[\]]{12}\nopen: [.(\[]{12}\naccuracy on sequences of 24: ", out)


def test_drawn_digits():
    images, labels = digits.draw_digits(200, 16, 5)
    again, _ = digits.draw_digits(200, 16, 5)
    assert (images == again).all() and set(labels.tolist()) == set(range(10))
    ink = (images > 127).sum(axis=(1, 2))
    assert ink.min() > 12 and ink.max() < 110
    train_x, train_y, test_x, test_y = digits.digits_of(None, 1000, 1)
    assert test_x.shape == (100, 16, 16) and train_x.dtype == test_y.dtype == np.uint8


def test_a_vae_learns_digits(capsys, tmp_path):
    arguments = ["--data", DIGITS, "--epochs", 10, "--batch", 50, "--latent", 6, "--hidden", 96, "--lr", 5e-3, *out_if_pictures(tmp_path)]
    (elbo,), out = run(capsys, vae, arguments)
    assert elbo > -30, out
    for picture in tmp_path.glob("*.png"):
        assert ts.data.load_image(picture).shape[1:] == (10 * (48 + 2) + 2, 1)


@many_steps
def test_a_diffusion_model_learns_to_find_noise(capsys, tmp_path):
    arguments = ["--data", DIGITS, "--epochs", 1, "--channels", 8, "--levels", 20, "--samples", 2, *out_if_pictures(tmp_path)]
    _, out = run(capsys, diffusion, arguments)
    assert float(re.search(r"held-out loss: ([0-9.]+)", out)[1]) < 0.5, out  # zero noise: 1
    for picture in tmp_path.glob("*.png"):
        assert ts.data.load_image(picture).shape == (10 * (48 + 2) + 2, 2 * (48 + 2) + 2, 1)


def test_drawn_shapes():
    images, labels = shapes.draw_shapes(60, 32, 5)
    assert (images == shapes.draw_shapes(60, 32, 5)[0]).all() and images.shape == (60, 3, 32, 32) and set(labels.tolist()) == set(range(10))
    x, y = np.meshgrid(np.linspace(-1.3, 1.3, 99), np.linspace(-1.3, 1.3, 99))
    for name, distance in shapes.SHAPES.items():
        covered = distance(x, y) < 0
        assert 0.15 < covered.mean() < 0.5 and not covered[0].any(), name
        assert (covered == covered[::-1]).mean() > (0.5 if name == "checkers" else 0.99), name  # a shape and its mirror image are of one class


def test_a_residual_network_learns_patterns(capsys, tmp_path):
    rng = np.random.default_rng(1)
    rows, columns = np.arange(16)[:, None] // 2 % 2, np.arange(16) // 2 % 2
    patterns = np.stack([rows + 0 * columns, columns + 0 * rows, rows ^ columns])
    y = rng.integers(0, 3, 400)
    x = rng.normal(100 + 60 * patterns[y][..., None], 30, (400, 16, 16, 3)).clip(0, 255).astype(np.uint8)  # in the layout of CIFAR-10
    path = tmp_path / "patterns.npz"
    np.savez(path, train_images=x[:320], train_labels=y[:320, None], test_images=x[320:], test_labels=y[320:, None])
    arguments = ["--data", path, "--stages", 2, "--width", 8, "--epochs", 3, "--batch", 32, *out_if_pictures(tmp_path / "out")]
    (accuracy,), out = run(capsys, resnet, arguments)
    assert accuracy > 0.7, out  # at random: 0.33
    if "--out" in arguments:
        assert {"layer2.0.downsample.0.weight", "bn1.running_mean"} < set(ts.load(tmp_path / "out/model.safetensors"))
        assert ts.data.load_image(tmp_path / "out/readings.png").shape == (3 * (64 + 2) + 2, 10 * (64 + 2) + 2, 3)


def test_a_cart_pole():
    carts = dqn.CartPoles(2, np.random.default_rng(3))
    carts.step(np.array([0]), np.array([1]))
    assert carts.steps.tolist() == [1, 0]
    while not carts.over[0]:
        carts.step(np.array([0]), np.array([1]))
    assert carts.fallen.tolist() == [True, False] and 5 < carts.steps[0] < 15  # Gymnasium: 8 to 10 steps of constant pushing
    assert carts.states[0, 1] > 0 > carts.states[0, 2]  # pushed to the right, and leans to the left
    assert dqn.play(lambda states: (states[:, 2] + states[:, 3] > 0).astype(int), 5, 1) > 100


def test_a_replay_buffer_keeps_the_latest():
    memory = dqn.ReplayBuffer(4)
    for i in range(5):
        state = np.full((2, 4), i, np.float32)
        memory.add(state=state, action=np.array([0, 1]), next=state, fallen=np.array([False, True]))
    batch = memory.draw(64, np.random.default_rng(1))
    assert len(memory) == 4 and batch["state"].shape == (64, 4) and batch["action"].shape == (64, 1)
    assert set(np.asarray(batch["state"]).ravel().tolist()) == {3, 4}


@many_steps
def test_dqn_gets_better(capsys):
    arguments = ["--steps", 6000, "--hidden", 64, "--evaluate-every", 3000]
    (mean_return,), out = run(capsys, dqn, arguments)
    assert mean_return > 60, out  # random actions: about 22


@many_steps
def test_an_adapter_learns_another_task(capsys, tmp_path):
    arguments = ["--digits", 3, "--samples", 2560, "--batch", 64, "--width", 32, "--out", tmp_path]
    (base, adapted), out = run(capsys, lora, arguments)
    assert base > 0.7 and adapted > 0.7, out
    saved = ts.load(tmp_path / "adapter.safetensors")
    assert all(name.endswith(("lora_A", "lora_B")) for name in saved) and len(saved) == 2 * 2 * 4


def test_lines_of_the_training_are_not_held_out():
    some, others = (lora.sorting_lines(300, 3, True, held_out, 4) for held_out in (False, True))
    assert not {tuple(row[:3]) for row in some["tokens"].tolist()} & {tuple(row[:3]) for row in others["tokens"].tolist()}
    for tokens, targets in zip(some["tokens"].tolist(), some["targets"].tolist()):
        assert tokens[3] == 10 and targets == [-100] * 3 + sorted(tokens[:3], reverse=True) and tokens[4:] == targets[3:5]
