#!/usr/bin/env python3
"""Writes the corpus of the fuzz targets: small files of every format, valid and not. fuzz_test.cpp replays it."""

import io
import json
import struct
import zipfile
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"


def write(target, name, data):
    (FOLDER / target).mkdir(parents=True, exist_ok=True)
    (FOLDER / target / name).write_bytes(data)


def text(value):
    return struct.pack("<Q", len(value)) + value


def key(name, kind, value):
    return text(name) + struct.pack("<I", kind) + value


def array(kind, count, data):
    return struct.pack("<IQ", kind, count) + data


def tensor(name, sizes, kind, offset):
    return text(name) + struct.pack("<I", len(sizes)) + b"".join(struct.pack("<Q", n) for n in sizes) + struct.pack("<IQ", kind, offset)


def gguf(keys=(), tensors=(), data=b"", version=3, alignment=32):
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys)) + b"".join(keys) + b"".join(tensors)
    return out + bytes(-len(out) % alignment) + data if tensors else out


def safetensors(header, data=b""):
    body = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(body)) + body + data


scalars = [key(b"k%d" % kind, kind, value) for kind, value in enumerate(
    [b"\1", b"\2", b"\3\0", b"\4\0", b"\5\0\0\0", b"\6\0\0\0", struct.pack("<f", 1.5), b"\1", text("\u00e4".encode()), None, bytes(8), bytes(8),
     struct.pack("<d", 1e300)]) if value]
arrays = [key(b"a%d" % kind, 9, array(kind, 2, value)) for kind, value in enumerate(
    [bytes(2), bytes(2), bytes(4), bytes(4), bytes(8), bytes(8), bytes(8), b"\0\1", text(b"x") + text(b""), None, bytes(16), bytes(16), bytes(16)]) if value]
write("gguf", "empty", gguf())
write("gguf", "version2", gguf(version=2))
write("gguf", "scalars", gguf(scalars))
write("gguf", "arrays", gguf(arrays))
write("gguf", "nested", gguf([key(b"n", 9, array(9, 1, array(0, 1, b"\0")))]))
write("gguf", "alignment", gguf([key(b"general.alignment", 4, struct.pack("<I", 64))], [tensor(b"t", (2, 3), 0, 0)], bytes(24), alignment=64))
write("gguf", "tensors", gguf((), [tensor(b"f", (4,), 0, 0), tensor(b"q", (32, 2), 2, 32), tensor(b"k", (256,), 12, 96), tensor(b"s", (), 24, 256)], bytes(257)))
write("gguf", "overlap", gguf((), [tensor(b"a", (8,), 0, 0), tensor(b"b", (8,), 0, 0)], bytes(64)))
write("gguf", "huge", gguf((), [tensor(b"a", (1 << 62, 1 << 62), 0, 0)], bytes(32)))
write("gguf", "counts", b"GGUF" + struct.pack("<IQQ", 3, 2**64 - 1, 2**64 - 1))
write("gguf", "empty_past_end", gguf([key(b"general.alignment", 4, struct.pack("<I", 64))], [tensor(b"t", (2, 0), 0, 0)], alignment=1))
write("gguf", "big_endian", b"GGUF" + struct.pack(">IQQ", 3, 0, 0))


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


write("safetensors", "empty", safetensors({}))
write("safetensors", "two", safetensors({"__metadata__": {"format": "pt"}, "a": entry(), "b": entry("BF16", (2, 2), (8, 16))}, bytes(16)))
write("safetensors", "scalar", safetensors({"a": entry("I64", (), (0, 8))}, bytes(8)))
write("safetensors", "overlap", safetensors({"a": entry(), "b": entry()}, bytes(8)))
write("safetensors", "huge", safetensors({"a": entry("F32", (1 << 62, 1 << 62), (0, 8))}, bytes(8)))
write("safetensors", "no_object", safetensors(b"[]"))
write("safetensors", "length", struct.pack("<Q", 2**63))

write("json", "empty", b"{}")
write("json", "values", json.dumps({"i": 1, "n": -2, "f": 1.5e10, "t": True, "z": None, "s": "\u00e4\U0001f600\n", "l": [1, [2, {"a": []}]], "o": {"x": {}}}).encode())
write("json", "large", b'{"a": 18446744073709551616, "b": -9223372036854775809, "c": 1e999, "d": -0.0, "e": 5e-324}')
write("json", "twice", b'{"a": 1, "a": 2}')
write("json", "surrogate", b'{"\\ud800": 1}')
write("json", "deep", b'{"a":' + b"[" * 80 + b"]" * 80 + b"}")
write("json", "zero", b'{"a": "\0"}')


def idx(code, sizes, data):
    return bytes([0, 0, code, len(sizes)]) + b"".join(struct.pack(">I", n) for n in sizes) + data


write("idx", "u8", idx(8, (2, 3), bytes(6)))
write("idx", "f64", idx(14, (), bytes(8)))
write("idx", "none", idx(13, (0, 5), b""))
write("idx", "rank", idx(8, (1,) * 8, b"\1"))
write("idx", "huge", idx(12, (2**32 - 1,) * 4, b"\1"))
write("idx", "gzip", b"\x1f\x8b\x08\x00")


def npy(descr, shape, data, order="False", version=1):
    head = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY" + bytes((version, 0)) + struct.pack("<H" if version == 1 else "<I", len(head)) + head + data


write("npy", "f4", npy("'<f4'", "(2, 3)", bytes(24)))
write("npy", "big", npy("'>i2'", "(3,)", bytes(6), version=2))
write("npy", "fortran", npy("'<u2'", "(2, 3)", bytes(12), order="True", version=3))
write("npy", "bool", npy("'|b1'", "()", b"\1"))
write("npy", "complex", npy("'>c8'", "(1, 1)", bytes(8), order="True"))
write("npy", "none", npy("'<f8'", "(0, 5)", b""))
write("npy", "huge", npy("'<f8'", "(4611686018427387904, 4611686018427387904)", bytes(8)))
write("npy", "fields", npy("[('a', '<f4')]", "(1,)", bytes(4)))


def archive(members, method, **given):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, data in members.items():
            about = zipfile.ZipInfo(name)
            about.compress_type = method
            with file.open(about, "w", **given) as member:
                member.write(data)
    return stream.getvalue()


MEMBERS = {"a.npy": npy("'<f4'", "(4,)", bytes(16)), "b.npy": npy("'|u1'", "(90,)", b"tessera, " * 10)}
write("zip", "none", archive({}, zipfile.ZIP_STORED))
write("zip", "stored", archive(MEMBERS, zipfile.ZIP_STORED))
write("zip", "deflated", archive(MEMBERS, zipfile.ZIP_DEFLATED))
write("zip", "wide", archive(MEMBERS, zipfile.ZIP_DEFLATED, force_zip64=True))
write("zip", "bzip2", archive({"a.npy": b"a"}, zipfile.ZIP_BZIP2))
stored = archive(MEMBERS, zipfile.ZIP_STORED)
write("zip", "overlap", stored[: (entry_of_b := stored.rindex(b"PK\1\2")) + 42] + bytes(4) + stored[entry_of_b + 46 :])
zeros = npy("'<f4'", "(30000,)", bytes(120000))
large = archive({"a.npy": zeros}, zipfile.ZIP_DEFLATED)
write("zip", "large", large)
write("zip", "claimed", large.replace(struct.pack("<I", len(zeros)), struct.pack("<I", 150000)))
write("zip", "comment", archive({"a.npy": b"a"}, zipfile.ZIP_STORED)[:-2] + b"\5\0hello")

# ---- What is around a model ----

U32, F32, BOOL, STRING, I32 = 4, 6, 7, 8, 5


def u32(name, value):
    return key(name.encode(), U32, struct.pack("<I", value))


def f32(name, value):
    return key(name.encode(), F32, struct.pack("<f", value))


def flag(name, value):
    return key(name.encode(), BOOL, bytes([value]))


def string(name, value):
    return key(name.encode(), STRING, text(value.encode()))


def strings(name, values):
    return key(name.encode(), 9, array(STRING, len(values), b"".join(text(v.encode()) for v in values)))


def numbers(name, kind, code, values):
    return key(name.encode(), 9, array(kind, len(values), b"".join(struct.pack(code, v) for v in values)))


def model(architecture, tokens=4, extra=(), tensors=(), width=8):
    """Metadata with the sizes of a model; the data of its tensors are zeros."""
    keys = [string("general.architecture", architecture)]
    sizes = {"embedding_length": width, "block_count": 2, "context_length": 16, "feed_forward_length": 8, "attention.head_count": 2, "attention.head_count_kv": 1}
    keys += [u32(f"{architecture}.{name}", size) for name, size in sizes.items()]
    keys += [f32(f"{architecture}.attention.layer_norm_rms_epsilon", 1e-5), *extra]
    rows, at, data = [], 0, 0
    for name, shape in [("token_embd.weight", (width, tokens)), *tensors]:
        rows.append(tensor(name.encode(), shape, 0, at))
        data = at + 4 * shape[0] * (shape[1] if len(shape) > 1 else 1)
        at = -(-data // 32) * 32
    return gguf(keys, rows, struct.pack("<f", 1) * (data // 4))


def vocabulary(kind, tokens, types=None, scores=True, merges=(), **ids):
    keys = [string("tokenizer.ggml.model", kind), strings("tokenizer.ggml.tokens", tokens)]
    if scores:
        keys.append(numbers("tokenizer.ggml.scores", F32, "<f", [-i for i in range(len(tokens))]))
    keys.append(numbers("tokenizer.ggml.token_type", I32, "<i", types or [1] * len(tokens)))
    if merges:
        keys.append(strings("tokenizer.ggml.merges", merges))
    return keys + [u32(f"tokenizer.ggml.{name}", value) for name, value in ids.items()]


LOW = "\u2581"
write("gguf_model", "llama", model("llama", 6, vocabulary("llama", ["<unk>", "<s>", "</s>", LOW, "a", LOW + "a"], [2, 3, 3, 1, 1, 1], bos_token_id=1, eos_token_id=2)
                                   + [flag("tokenizer.ggml.add_bos_token", True), flag("tokenizer.ggml.add_space_prefix", False)]))
write("gguf_model", "chat", model("qwen2", 4, vocabulary("gpt2", ["a", "b", "ab", "<|im_end|>"], [1, 1, 1, 3], False, ["a b"], eos_token_id=3)
                                  + [string("tokenizer.ggml.pre", "qwen2"), string("tokenizer.chat_template", "{{ messages }}"), f32("general.sampling.temp", 0.7),
                                     f32("general.sampling.top_k", 3e38), f32("general.sampling.top_p", 0.9)]))
write("gguf_model", "bert", model("bert", 5, vocabulary("bert", ["[PAD]", "[UNK]", "[CLS]", "[SEP]", LOW + "a"], [3, 3, 3, 3, 1], False, cls_token_id=2, seperator_token_id=3)
                                  + [u32("bert.pooling_type", 1), f32("bert.attention.layer_norm_epsilon", 1e-5)], [("token_types.weight", (8, 2))]))
write("gguf_model", "t5", gguf(vocabulary("t5", ["<pad>", "</s>", "<unk>", "<0x41>", LOW + "a"], [3, 3, 2, 6, 1], eos_token_id=1)
                               + [numbers("tokenizer.ggml.precompiled_charsmap", 0, "<B", [1, 2, 200])]))
write("gguf_model", "yarn", model("gpt-oss", 4, [u32("gpt-oss.expert_count", 4), u32("gpt-oss.expert_used_count", 2), u32("gpt-oss.expert_feed_forward_length", 8),
                                                 string("gpt-oss.rope.scaling.type", "yarn"), f32("gpt-oss.rope.scaling.factor", 4), f32("gpt-oss.rope.scaling.attn_factor", 1),
                                                 u32("gpt-oss.rope.scaling.original_context_length", 4), u32("gpt-oss.attention.sliding_window", 4)]))
write("gguf_model", "windows", model("gemma3", 4, [u32("gemma3.attention.sliding_window", 4), key(b"gemma3.attention.sliding_window_pattern", 9, array(BOOL, 2, b"\1\0")),
                                                   u32("gemma3.attention.key_length", 4), u32("gemma3.rope.dimension_count", 2), f32("gemma3.attention.scale", 0.5)]))
write("gguf_model", "longrope", model("phi3", 4, [u32("phi3.rope.scaling.original_context_length", 8)],
                                      [("rope_factors_long.weight", (2,)), ("rope_factors_short.weight", (2,))]))
write("gguf_model", "experts", model("qwen3moe", 4, [u32("qwen3moe.expert_count", 2), u32("qwen3moe.expert_used_count", 1), u32("qwen3moe.expert_feed_forward_length", 8),
                                                     numbers("qwen3moe.no_rope_layers", I32, "<i", [1, 0])]))


def dump(value):
    return json.dumps(value, separators=(",", ":")).encode()


def bpe(tokens, merges, **others):
    return {"type": "BPE", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges, **others}


ADDED = [{"id": 3, "content": "<s>", "special": True}]
TEMPLATE = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
write("tokenizer", "bytes", dump({"added_tokens": ADDED, "normalizer": {"type": "NFC"}, "pre_tokenizer": BYTES, "post_processor": TEMPLATE, "decoder": BYTES,
                                  "model": bpe(["a", "b", "ab"], ["a b"])}))
write("tokenizer", "split", dump({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
    {"type": "Split", "pattern": {"Regex": "\\s+"}, "behavior": "Isolated", "invert": False}, {"type": "Digits", "individual_digits": True},
    {**BYTES, "use_regex": False}]}, "model": bpe(["a", "b", "ab"], [["a", "b"]])}))
write("tokenizer", "pieces", dump({"added_tokens": ADDED, "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": LOW}]},
                                   "model": bpe(["<unk>", LOW, "a", "<s>", LOW + "a", "<0x41>"], [LOW + " a"], byte_fallback=True, unk_token="<unk>")}))
write("tokenizer", "wordpiece", dump({"added_tokens": [{"id": 0, "content": "[CLS]", "special": True}], "post_processor": {"type": "BertProcessing", "sep": ["[CLS]", 0], "cls": ["[CLS]", 0]},
                                      "model": {"type": "WordPiece", "continuing_subword_prefix": "##", "unk_token": "[UNK]", "vocab": {"[CLS]": 0, "[UNK]": 1, "a": 2, "##b": 3}}}))
write("tokenizer", "unigram", dump({"pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "always"}, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "AQID"},
                                    "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], [LOW + "a", -1.5], ["<0x41>", 1e300]]}}))
write("tokenizer", "ids", dump({"added_tokens": [{"id": 16000000, "content": "x"}], "pre_tokenizer": BYTES, "model": bpe(["a"], [])}))
write("tokenizer", "nested", b'{"pre_tokenizer":' + b'{"type":"Sequence","pretokenizers":[' * 100 + b"]}" * 100 + b',"model":' + dump(bpe(["a"], [])) + b"}")

SIZES = {"vocab_size": 8, "hidden_size": 8, "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 8, "max_position_embeddings": 16,
         "num_hidden_layers": 2, "hidden_act": "silu"}
write("config", "llama", dump({"model_type": "llama", **SIZES, "rms_norm_eps": 1e-5, "rope_theta": 1e4, "rope_scaling": {
    "rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8}}))
write("config", "yarn", dump({"model_type": "qwen3", **SIZES, "head_dim": 4, "rope_parameters": {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4, "beta_fast": 32,
                                                                                                "mscale": 1, "mscale_all_dim": 1}}))
write("config", "longrope", dump({"model_type": "phi3", **SIZES, "partial_rotary_factor": 0.5, "original_max_position_embeddings": 8,
                                  "rope_scaling": {"type": "longrope", "short_factor": [1], "long_factor": [2]}}))
write("config", "partial", dump({"model_type": "phi3", **SIZES, "partial_rotary_factor": 1e300}))
write("config", "gemma3", dump({"model_type": "gemma3_text", **SIZES, "hidden_act": "gelu_pytorch_tanh", "sliding_window": 4, "layer_types": ["sliding_attention", "full_attention"],
                                "query_pre_attn_scalar": 4, "final_logit_softcapping": None}))
write("config", "experts", dump({"model_type": "qwen3_moe", **SIZES, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 4, "decoder_sparse_step": 2,
                                 "mlp_only_layers": [0], "norm_topk_prob": True}))
write("config", "gpt_oss", dump({"model_type": "gpt_oss", **SIZES, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 4, "swiglu_limit": 7,
                                 "quantization_config": {"quant_method": "mxfp4"}}))
write("config", "bert", dump({"model_type": "bert", "vocab_size": 8, "hidden_size": 8, "num_attention_heads": 2, "intermediate_size": 8, "max_position_embeddings": 16,
                              "num_hidden_layers": 1, "hidden_act": "gelu", "type_vocab_size": 2, "layer_norm_eps": 1e-12}))
write("config", "gpt2", dump({"model_type": "gpt2", "vocab_size": 8, "n_embd": 8, "n_head": 2, "n_layer": 1, "n_positions": 16, "activation_function": "gelu_new"}))


def saved(count, about=None, dtype="F32", rows=None, **others):
    """A context of the model of model_targets.cpp: one layer, one head of 8, '@' for the model's own text."""
    rows = count if rows is None else rows
    size = 4 * 8 * rows
    header = {"__metadata__": about or {"format": "tessera context 1", "model": "@" * 16, "note turn": "1"}, "cache.k.0": entry(dtype, (1, 1, rows, 8), (0, size)),
              "cache.v.0": entry(dtype, (1, 1, rows, 8), (size, 2 * size)), "tokens": entry("I32", (count,), (2 * size, 2 * size + 4 * count)), **others}
    return safetensors(dump(header), bytes(2 * size) + struct.pack(f"<{count}i", *range(count)))


write("context", "empty", saved(0))
write("context", "three", saved(3))
write("context", "full", saved(8))
write("context", "too_long", saved(9))
write("context", "rows", saved(2, rows=3))
write("context", "other_model", saved(1, {"format": "tessera context 1", "model": "0" * 16}))
write("context", "other_format", saved(1, {"format": "pt"}))

# ---- Data sets and runs ----

write("csv", "plain", b"a,b\n1,2.5\n-3e2, +4 \nnan,inf\n")
write("csv", "quotes", b'"a","b"\r\n1,"x\n""y"",z"\r\n"2",""\r\n\r\n3,"\n"')
write("csv", "unclosed", b'a,b\n1,2\n"3,4\n5,6\n"7",8\n')
write("csv", "reopened", b'a\nx","y\nx","y\n"1"\n')
write("csv", "semicolons", b"\xef\xbb\xbfred;1\nblue;2\n;;\n")
write("csv", "names", b"a,a.b,,a\n1,2,3,4\n")
write("csv", "integers", b"9223372036854775807,1e39\n-9223372036854775809,0x10\n")
write("pnm", "gray", b"P5\n2 2\n255\n\0\1\2\xff")
write("pnm", "color", b"P6 # a comment\n1\t2 9\n\0\1\2\3\4\5")
write("pnm", "wide", b"P5 2 1 65535 \1\0\xff\xff")
write("pnm", "large", b"P6 2147483647 2147483647 255\n")
write("pnm", "sample", b"P5 1 1 3 \4")
write("pnm", "none", b"P5 0 1 255 ")
write("pnm", "other", b"P4 1 1\n\0")
RUN = {"format": "tessera-checkpoint", "version": 1, "library": "0.1.0", "step": 100, "metric": 0.25, "maximize": True, "values": {"name": "\u00e4", "": ""},
       "files": {"model.safetensors": {"bytes": 18446744073709551615, "hash": "0123456789abcdef"}}}
write("run_file", "whole", dump(RUN))
write("run_file", "least", dump({**RUN, "values": {}, "files": {}}).replace(b'"metric":0.25,', b""))
write("run_file", "infinite", dump(RUN).replace(b"0.25", b"1e999"))
write("run_file", "step", dump({**RUN, "step": 2**63}))
write("run_file", "version", dump({**RUN, "version": 2}))
write("run_file", "kinds", dump({**RUN, "values": {"a": 1}, "files": {"b": []}}))
LINE = {"step": 100, "kind": "train", "time": 1763490000.25, "loss": 0.5}
write("log", "lines", b"".join(dump({**LINE, "step": i}) + b"\n" for i in range(3)) + b"\r\n" + dump({"step": 3, "kind": "note", "text": "\u00e4\n"}) + b"\n")
write("log", "not_finite", dump({**LINE, "a": "NaN", "b": "Infinity", "c": "-Infinity"}) + b"\n")
write("log", "cut", dump(LINE) + b"\n" + dump(LINE)[:20])
write("log", "negative", dump({**LINE, "step": -(2**63)}) + b"\n")
write("log", "nested", b'{"step":1,"kind":"a","b":' + b"[" * 300 + b"]" * 300 + b"}\n")
write("log", "kinds", b'{"step":1.5,"kind":"a"}\n')
SHARDS = {"x": "a", "y": "a", "z": "b"}
write("shards", "whole", dump({"metadata": {"total_size": 12}, "weight_map": SHARDS}))
write("shards", "missing", dump({"weight_map": {**SHARDS, **{f"t{i}": f"shard-{i:05d}" * 4 for i in range(120)}}}))
write("shards", "other_tensor", dump({"weight_map": {"x": "b"}}))
write("shards", "itself", dump({"weight_map": {"x": "index.json"}}))
write("shards", "above", dump({"weight_map": {"x": "../a"}}))
write("shards", "no_map", dump({"weight_map": []}))
write("shards", "none", dump({"weight_map": {}}))
