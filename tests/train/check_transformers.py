#!/usr/bin/env python3
"""Loads what `tessera train gpt --out` saves into the transformers package, and compares: check_transformers.py TESSERA.

TESSERA is the command line. Needs `pip install transformers torch tokenizers` (written with 5.23, 2.11 and 0.23); ends with 77 and the
reason where one is missing. The other direction, logits of transformers in our model, is tests/train/gpt_test.cpp."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import AutoModelForCausalLM, AutoTokenizer
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TEXT = "the quick brown fox jumps over the lazy dog, \u00e9\u20ac\U0001f600 \"quoted\"\\\n" * 20
CASES = {
    "tied": "--layers 2 --width 32 --heads 4 --context 24 --steps 20",
    "grouped queries, untied": "--layers 3 --width 48 --heads 6 --kv-heads 2 --hidden 80 --context 24 --steps 20 --untied --dropout 0.1",
}


def tessera_gpt(tessera, *arguments):
    return subprocess.run([tessera, "train", "gpt", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def byte_level_bpe(file):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator([TEXT], trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"]))
    tokenizer.save(str(file))


def load(folder, text, characters=True):
    """Model and tokenizer, which gives a token for each character, if they are the tokens, and the text back."""
    tokenizer, fast = AutoTokenizer.from_pretrained(folder), Tokenizer.from_file(str(folder / "tokenizer.json"))
    ids = tokenizer(text)["input_ids"]
    assert ids == fast.encode(text).ids and (len(ids) == len(text)) == characters
    assert tokenizer.decode(ids) == text == fast.decode(ids)
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    assert model.dtype == torch.float32 and type(model).__name__ == "LlamaForCausalLM"
    return model, tokenizer, torch.tensor(ids)


def check_text(tessera, folder, file, arguments):
    tessera_gpt(tessera, "--text", file, "--out", folder, "--sample", 0, *arguments)
    model, tokenizer, ids = load(folder, TEXT, "--tokenizer" not in arguments)
    prompt = tokenizer.decode(ids[:5])
    ours = tessera_gpt(tessera, "--text", file, "--load", folder, "--steps", 0, "--context", 24, "--batch", 1, "--eval-batches", 1000,
                       "--prompt", prompt, "--sample", 12, "--temperature", 0)
    held_out = ids[len(ids) // 10 * 9:]
    windows = torch.stack([held_out[i:i + 25] for i in range(0, len(held_out) - 24, 24)])
    with torch.no_grad():
        logits = model(windows[:, :-1]).logits
        loss = torch.nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), windows[:, 1:].reshape(-1)).item()
        written = model.generate(ids[None, :5], max_new_tokens=12, do_sample=False, eos_token_id=None)
    printed = float(re.search(r"validation loss ([0-9.]+)", ours)[1])
    assert abs(printed - loss) < 1e-4, (printed, loss)
    sample = ours.split("---\n")[1]
    assert sample.removesuffix("\n") == tokenizer.decode(written[0]), (sample, tokenizer.decode(written[0]))
    return f"validation loss {loss:.6f} here and {printed} there, the same greedy text"


def check_sums(tessera, folder):
    printed = tessera_gpt(tessera, "--steps", 600, "--out", folder, "--prompt", "27+58")
    model, tokenizer, _ = load(folder, "27+58=85\n1+1=2\n")
    ids = tokenizer("27+58=", return_tensors="pt")["input_ids"]
    written = tokenizer.decode(model.generate(ids, max_new_tokens=7, do_sample=False)[0], skip_special_tokens=True)
    answer = written.removeprefix("27+58=").split("\n")[0]
    assert f"\n27+58={answer}\n" in printed, (printed, written)
    return f"27+58={answer} here and there"


def main(tessera):
    with tempfile.TemporaryDirectory() as aside:
        file = Path(aside) / "text"
        file.write_text(TEXT)
        for number, (name, arguments) in enumerate(CASES.items()):
            print(f"{name}: {check_text(tessera, Path(aside) / str(number), file, arguments.split())}")
        tokens = Path(aside) / "tokenizer.json"
        byte_level_bpe(tokens)
        arguments = [*CASES["tied"].split(), "--tokenizer", tokens]
        print(f"byte-level BPE: {check_text(tessera, Path(aside) / 'tokens', file, arguments)}")
        print(f"sums: {check_sums(tessera, Path(aside) / 'sums')}")


if __name__ == "__main__":
    main(sys.argv[1])
