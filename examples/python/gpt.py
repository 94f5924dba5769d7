"""Trains a small transformer of Llama's form on a text, or on sums: python gpt.py [--text FILE [--tokenizer FILE]] [--steps N].

The twin of `tessera train gpt`. The tokens of a text are its characters, or those of a tokenizer.json. Without a text it makes sums, and answers
pairs that it was not trained on."""

import argparse
import json
import pathlib

import numpy as np
import tessera as ts
import tessera.nn.functional as F
from tessera import nn, optim

IGNORED = -100  # a target without a loss


class Layer(nn.Module):
    def __init__(self, width, heads, dropout):
        hidden = (width * 8 // 3 + 31) // 32 * 32
        self.input_layernorm = nn.RMSNorm(width, eps=1e-5)
        self.self_attn = nn.MultiheadAttention(width, heads, dropout=dropout, bias=False, batch_first=True, rope=True)
        self.post_attention_layernorm = nn.RMSNorm(width, eps=1e-5)
        self.gate_proj = nn.Linear(width, hidden, bias=False)
        self.up_proj = nn.Linear(width, hidden, bias=False)
        self.down_proj = nn.Linear(hidden, width, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, cache=None):
        z = self.input_layernorm(x)
        x = x + self.dropout(self.self_attn(z, is_causal=True) if cache is None else self.self_attn.decode(z, cache))
        z = self.post_attention_layernorm(x)
        return x + self.dropout(self.down_proj(F.silu(self.gate_proj(z)) * self.up_proj(z)))


class Llama(nn.Module):
    """Tokens [B, T] to logits [B, T, vocabulary]; the head is the embedding."""

    def __init__(self, vocabulary, layers, heads, width, dropout):
        self.embed_tokens = nn.Embedding(vocabulary, width)
        self.layers = [Layer(width, heads, dropout) for _ in range(layers)]
        self.norm = nn.RMSNorm(width, eps=1e-5)
        self.dropout = nn.Dropout(dropout)
        for name, p in self.parameters().items():
            if p.ndim == 2:
                residual = name.endswith(("out_proj.weight", "down_proj.weight"))
                nn.init.normal_(p, 0, 0.02 / (2 * layers) ** 0.5 if residual else 0.02)

    def forward(self, tokens, caches=None):
        x = self.dropout(self.embed_tokens(tokens))
        for i, layer in enumerate(self.layers):
            x = layer(x, caches and caches[i])
        return self.norm(x) @ self.embed_tokens.weight.T


def generate(model, rows, count, context, temperature=0.0):
    """The next `count` tokens of rows of one length."""
    model.eval()
    caches = [layer.self_attn.cache(len(rows), context) for layer in model.layers]

    @ts.compile(state=[model, *caches])
    def following(tokens):
        logits = model(tokens, caches)[:, -1]
        return ts.argmax(logits, axis=-1) if temperature == 0 else ts.random.categorical(logits / temperature)

    rows, fresh, used = np.asarray(rows, np.int32), len(rows[0]), 0
    start = fresh
    for _ in range(count):
        if used + fresh > context:  # the cache starts again with its second half
            fresh, used = max(context // 2, 1), 0
            for cache in caches:
                cache.position = ts.zeros(1, dtype=ts.int32)
        following_tokens = np.asarray(following(ts.array(rows[:, -fresh:])), np.int32)
        rows, used, fresh = np.concatenate([rows, following_tokens[:, None]], 1), used + fresh, 1
    model.train()
    return rows[:, start:]


class Characters:
    """A tokenizer whose tokens are the characters of a text."""

    def __init__(self, text):
        self.characters = sorted(set(text))
        self.vocab_size, self.ids = len(self.characters), {c: i for i, c in enumerate(self.characters)}

    def encode(self, text, add_special_tokens=False):
        if unknown := set(text) - set(self.ids):
            raise SystemExit(f"The character {min(unknown)!r} is not one of the {self.vocab_size} of the text.")
        return [self.ids[c] for c in text]

    def decode(self, ids):
        return "".join(self.characters[i] for i in ids)

    def json(self):
        """Its tokenizer.json: BPE without merges."""
        model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False,
                 "byte_fallback": False, "vocab": self.ids, "merges": []}
        return json.dumps({"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None, "pre_tokenizer": None,
                           "post_processor": None, "decoder": {"type": "Fuse"}, "model": model}, indent=2)


class Text:
    """Nine tenths of a text for training, the rest for validation."""

    def __init__(self, text, tokenizer, context):
        self.tokenizer, self.context, self.vocabulary = tokenizer, context, tokenizer.vocab_size
        tokens = np.array(self.encode(text), np.int32)
        self.train, self.held_out = np.split(tokens, [len(tokens) // 10 * 9])
        if len(self.held_out) <= context:
            raise SystemExit(f"The text has {len(tokens)} tokens; at least {10 * (context + 1)} are expected for a context of {context}.")
        if tokens.max() >= self.vocabulary:
            raise SystemExit(f"The tokenizer has {self.vocabulary} tokens, and the id {tokens.max()}; ids without gaps are expected.")

    def encode(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False)

    def windows(self, tokens, starts):
        at = starts[:, None] + np.arange(self.context + 1)
        return tokens[at][:, :-1], tokens[at][:, 1:]

    def draw(self, batch, rng):
        return self.windows(self.train, rng.integers(0, len(self.train) - self.context, batch))

    def validation(self, batch):
        return self.windows(self.held_out, np.arange(0, len(self.held_out) - self.context, self.context)[:batch])


class Sums:
    """Lines such as 27+58=58: the digits of the answer are in reverse order, in which each follows from those before it."""

    tokenizer = Characters("\n+0123456789=")
    characters, vocabulary = tokenizer.characters, tokenizer.vocab_size
    context = 10  # 99+99=891 and the end of the line

    def __init__(self, rng):
        pairs = rng.permutation(100 * 100)
        self.held_out, self.train = pairs[:1000], pairs[1000:]

    def encode(self, text):
        return [self.characters.index(c) for c in text]

    def batch(self, pairs):
        tokens, targets = np.zeros((len(pairs), 9), np.int32), np.full((len(pairs), 9), IGNORED, np.int32)
        for row, (a, b) in enumerate(zip(pairs // 100, pairs % 100)):
            question = f"{a}+{b}="
            line = self.encode(question + str(a + b)[::-1] + "\n")
            tokens[row, :len(line) - 1] = line[:-1]
            targets[row, len(question) - 1:len(line) - 1] = line[len(question):]
        return tokens, targets

    def draw(self, batch, rng):
        return self.batch(rng.choice(self.train, batch))

    def validation(self, batch):
        return self.batch(self.held_out)

    def answers(self, model, pairs):
        """The model's answer to each pair, as plain digits."""
        questions = [f"{p // 100}+{p % 100}=" for p in pairs]
        answers = {}
        for length in sorted(set(map(len, questions))):
            some = [q for q in questions if len(q) == length]
            for question, row in zip(some, generate(model, [self.encode(q) for q in some], 4, self.context)):
                answers[question] = "".join(self.characters[t] for t in row).split("\n")[0][::-1]
        return [(q, answers[q]) for q in questions]


def save(folder, model, heads, context, tokenizer_json):
    """A folder that AutoModelForCausalLM and AutoTokenizer of the transformers package load."""
    names = {"self_attn.out_proj": "self_attn.o_proj", **{f"{p}_proj": f"mlp.{p}_proj" for p in ("gate", "up", "down")}}
    tensors = {}
    for name, t in model.state_dict().items():
        *path, last = name.split(".")
        if last == "in_proj_weight":
            parts = zip("qkv", ts.split(t, 3))
            tensors |= {f"model.{'.'.join(path)}.{part}_proj.weight": w for part, w in parts}
            continue
        for ours, theirs in names.items():
            name = name.replace(f".{ours}.", f".{theirs}.")
        tensors[f"model.{name}"] = t
    width, layers = model.embed_tokens.weight.shape[1], len(model.layers)
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": model.embed_tokens.weight.shape[0], "hidden_size": width,
              "intermediate_size": model.layers[0].up_proj.weight.shape[0], "num_hidden_layers": layers, "num_attention_heads": heads,
              "num_key_value_heads": heads, "head_dim": width // heads, "max_position_embeddings": context, "hidden_act": "silu",
              "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "attention_bias": False, "mlp_bias": False, "tie_word_embeddings": True,
              "bos_token_id": None, "eos_token_id": None, "pad_token_id": None, "torch_dtype": "float32"}
    ts.io.save_safetensors(folder / "model.safetensors", tensors, metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    (folder / "tokenizer.json").write_text(tokenizer_json, encoding="utf-8")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": false}')
    print(f"saved: {folder}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", type=pathlib.Path, help="default: sums")
    parser.add_argument("--tokenizer", type=pathlib.Path, help="a tokenizer.json for the text; default: its characters")
    for name, sums, text in ("layers", 2, 4), ("heads", 4, 4), ("width", 64, 128), ("batch", 128, 12), ("steps", 1500, 2000):
        parser.add_argument(f"--{name}", type=int, help=f"default: {text}, and {sums} for sums")
    parser.add_argument("--context", type=int, default=64, help="of a text")
    parser.add_argument("--lr", type=float, help="default: 1e-3, and 3e-3 for sums")
    parser.add_argument("--dropout", type=float, default=0)
    parser.add_argument("--out", type=pathlib.Path, help="a folder for config.json, model.safetensors and tokenizer.json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prompt", default="")
    parser.add_argument("--sample", type=int, default=200, help="tokens")
    o = parser.parse_args(arguments)
    usual = dict(layers=4, heads=4, width=128, batch=12, steps=2000, lr=1e-3) if o.text else dict(layers=2, heads=4, width=64, batch=128, steps=1500, lr=3e-3)
    for name, value in usual.items():
        if getattr(o, name) is None:
            setattr(o, name, value)

    if o.out:
        o.out.mkdir(parents=True, exist_ok=True)
    ts.random.seed(o.seed)
    rng = np.random.default_rng(o.seed)
    if o.text:
        text = o.text.read_text(encoding="utf-8")
        data = Text(text, ts.text.Tokenizer(o.tokenizer) if o.tokenizer else Characters(text), o.context)
        prompt = data.encode(o.prompt) or data.encode("\n" if "\n" in text else text[:1]) or [0]
    else:
        data = Sums(rng)
    model = Llama(data.vocabulary, o.layers, o.heads, o.width, o.dropout)
    optimizer = optim.AdamW(model, lr=optim.cosine(o.lr, o.steps, minimum=o.lr / 10, warmup=min(100, o.steps // 10)), betas=(0.9, 0.99),
                            weight_decay=0.1, no_decay=optim.vectors_of(model))

    def loss_of(tokens, targets):
        logits = model(tokens)
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=IGNORED)

    @ts.compile(state=[model, optimizer])
    def step(tokens, targets):
        loss, gradients = ts.value_and_grad(model, loss_of)(tokens, targets)
        gradients, _ = optim.clip_grad_norm(gradients, 1.0)
        optimizer.update(model, gradients)
        return loss

    validation_loss = ts.compile(loss_of, state=[model])
    print(f"{model.parameter_count()} parameters")
    every = max(min(250, o.steps // 4), 1)
    for i in range(1, o.steps + 1):
        loss = step(*map(ts.array, data.draw(o.batch, rng)))
        if i % every == 0 or i == o.steps:
            model.eval()
            validation = validation_loss(*map(ts.array, data.validation(200))).item()
            model.train()
            print(f"step {i}: train loss {loss.item():.4f}, validation loss {validation:.4f}", flush=True)

    if o.out:
        save(o.out, model, o.heads, data.context, o.tokenizer.read_text(encoding="utf-8") if o.text and o.tokenizer else data.tokenizer.json())
    if o.text:
        written = generate(model, [prompt], o.sample, o.context, temperature=0.8)[0]
        print(f"---\n{o.prompt}{data.tokenizer.decode(written)}\n---")
        return
    answers = data.answers(model, data.held_out)
    print(*(q + a for q, a in answers[:5]), sep="\n")
    right = sum(a == str(sum(map(int, q[:-1].split("+")))) for q, a in answers)
    print(f"held-out exact match: {right / len(answers):.3f}")


if __name__ == "__main__":
    main()
