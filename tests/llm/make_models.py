#!/usr/bin/env python3
"""Makes the models of tests/llm/models: tiny configs with random weights, and the outputs of the transformers package.

    python3 tests/llm/make_models.py OUT [NAME ...]

needs PyTorch and transformers (5.x), and no network; OUT/report.txt says what was made. Each folder has config.json and safetensors as save_pretrained()
writes them, and expected.safetensors: `ids` [2, T], `lengths` [2] and `logits` [2, T, vocabulary] in f32 (rows behind
a length are not compared); for encoders `hidden`, `pooled` and `mean`. Weights are rounded to f16 before the outputs
are computed, and are large enough that a mistake in any block changes the logits.
"""

import json
import math
import os
import sys
import traceback

import torch
import transformers
from safetensors.torch import save_file

T = 14
LENGTHS = [T, 9]
VOCABULARY = 80

BASE = dict(
    vocab_size=VOCABULARY,
    hidden_size=32,
    intermediate_size=40,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=0,
)


def plain(theta=10000.0, **more):
    return dict(rope_type="default", rope_theta=theta, **more)


LLAMA3 = dict(
    rope_type="llama3", rope_theta=1000.0, factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16
)
YARN = dict(rope_type="yarn", rope_theta=10000.0, factor=4.0, original_max_position_embeddings=512, beta_fast=32.0, beta_slow=1.0)
SHORT = [1.0, 1.1, 1.25]
LONG = [1.5, 2.0, 4.0]

# Name of the folder, class of the config, class of the model, config, options of this script.
MODELS = [
    ("llama", "LlamaConfig", "LlamaForCausalLM", dict(BASE, rope_parameters=LLAMA3, tie_word_embeddings=True, head_dim=8), {}),
    (
        "llama_linear",
        "LlamaConfig",
        "LlamaForCausalLM",
        dict(
            BASE,
            num_key_value_heads=4,
            rope_parameters=dict(rope_type="linear", rope_theta=10000.0, factor=2.0),
            tie_word_embeddings=False,
            attention_bias=True,
            mlp_bias=True,
        ),
        {},
    ),
    ("llama_yarn", "LlamaConfig", "LlamaForCausalLM", dict(BASE, max_position_embeddings=2048, rope_parameters=YARN, tie_word_embeddings=True), {}),
    (
        "mistral",
        "MistralConfig",
        "MistralForCausalLM",
        dict(BASE, sliding_window=5, head_dim=16, rope_parameters=plain(), tie_word_embeddings=False),
        {"shard": "24KB"},
    ),
    ("qwen2", "Qwen2Config", "Qwen2ForCausalLM", dict(BASE, rope_parameters=plain(1e6), tie_word_embeddings=True, use_sliding_window=False), {}),
    (
        "qwen3",
        "Qwen3Config",
        "Qwen3ForCausalLM",
        dict(BASE, rope_parameters=plain(1e6), head_dim=16, tie_word_embeddings=True),
        {"dtype": torch.bfloat16},
    ),
    (
        "gemma2",
        "Gemma2Config",
        "Gemma2ForCausalLM",
        dict(
            BASE,
            head_dim=16,
            query_pre_attn_scalar=24,
            attn_logit_softcapping=4.0,
            final_logit_softcapping=6.0,
            sliding_window=5,
            rope_parameters=plain(),
        ),
        {},
    ),
    (
        "gemma3",
        "Gemma3TextConfig",
        "Gemma3ForCausalLM",
        dict(
            BASE,
            num_hidden_layers=3,
            head_dim=8,
            query_pre_attn_scalar=12,
            sliding_window=5,
            layer_types=["sliding_attention", "sliding_attention", "full_attention"],
            rope_parameters={
                "full_attention": dict(rope_type="linear", rope_theta=100000.0, factor=8.0),
                "sliding_attention": plain(),
            },
        ),
        {},
    ),
    (
        "phi3",
        "Phi3Config",
        "Phi3ForCausalLM",
        dict(BASE, rope_parameters=plain(), sliding_window=6, tie_word_embeddings=False),
        {},
    ),
    (
        "phi4_mini",
        "Phi3Config",
        "Phi3ForCausalLM",
        dict(
            BASE,
            rope_parameters=dict(
                rope_type="longrope",
                rope_theta=10000.0,
                partial_rotary_factor=0.75,
                short_factor=SHORT,
                long_factor=LONG,
                original_max_position_embeddings=8,
                factor=8.0,
            ),
            partial_rotary_factor=0.75,
            original_max_position_embeddings=8,
            sliding_window=None,
            tie_word_embeddings=True,
        ),
        {"short": 6},
    ),
    (
        "smollm3",
        "SmolLM3Config",
        "SmolLM3ForCausalLM",
        dict(
            BASE,
            num_hidden_layers=3,
            no_rope_layers=[1, 0, 1],
            rope_parameters=plain(5e6),
            tie_word_embeddings=True,
            use_sliding_window=False,
        ),
        {},
    ),
    ("olmo2", "Olmo2Config", "Olmo2ForCausalLM", dict(BASE, rope_parameters=plain(5e5), tie_word_embeddings=False), {}),
    (
        "gpt2",
        "GPT2Config",
        "GPT2LMHeadModel",
        dict(
            vocab_size=VOCABULARY,
            n_embd=32,
            n_layer=2,
            n_head=4,
            n_inner=64,
            n_positions=32,
            bos_token_id=1,
            eos_token_id=2,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
        ),
        {},
    ),
    (
        "qwen3_moe",
        "Qwen3MoeConfig",
        "Qwen3MoeForCausalLM",
        dict(
            BASE,
            num_hidden_layers=3,
            head_dim=8,
            moe_intermediate_size=12,
            num_experts=5,
            num_experts_per_tok=2,
            norm_topk_prob=True,
            mlp_only_layers=[1],
            decoder_sparse_step=1,
            rope_parameters=plain(1e6),
            tie_word_embeddings=True,
        ),
        {},
    ),
    (
        "mixtral",
        "MixtralConfig",
        "MixtralForCausalLM",
        dict(
            BASE,
            intermediate_size=16,
            num_local_experts=4,
            num_experts_per_tok=2,
            sliding_window=None,
            rope_parameters=plain(1e6),
            tie_word_embeddings=True,
        ),
        {},
    ),
    (
        "gpt_oss",
        "GptOssConfig",
        "GptOssForCausalLM",
        dict(
            BASE,
            intermediate_size=16,
            max_position_embeddings=2048,
            head_dim=8,
            num_local_experts=4,
            num_experts_per_tok=2,
            sliding_window=5,
            layer_types=["sliding_attention", "full_attention"],
            rope_parameters=dict(YARN, truncate=False),
            tie_word_embeddings=False,
        ),
        {},
    ),
    (
        "gpt_oss_mxfp4",
        "GptOssConfig",
        "GptOssForCausalLM",
        dict(
            BASE,
            intermediate_size=32,
            max_position_embeddings=2048,
            head_dim=8,
            num_hidden_layers=1,
            num_local_experts=4,
            num_experts_per_tok=2,
            sliding_window=5,
            layer_types=["sliding_attention"],
            rope_parameters=dict(YARN, truncate=False),
            tie_word_embeddings=False,
        ),
        {"mxfp4": True},
    ),
    (
        "bert",
        "BertConfig",
        "BertModel",
        dict(BASE, type_vocab_size=2, hidden_act="gelu", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0),
        {"encoder": True},
    ),
    (
        "minilm",
        "BertConfig",
        "BertModel",
        dict(
            BASE,
            intermediate_size=24,
            num_attention_heads=2,
            type_vocab_size=2,
            hidden_act="gelu",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        ),
        {"encoder": True, "sentence": True},
    ),
]


def randomize(model, name, dtype):
    """Weights with activations of about 1, which dtype holds exactly."""
    one_plus = name.startswith("gemma")
    with torch.no_grad():
        for key, p in model.named_parameters():
            if "norm" in key.lower() or ".ln_" in key:
                base = 0.0 if one_plus or key.endswith("bias") else 1.0
                p.copy_(base + 0.3 * torch.randn_like(p))
            elif "embed" in key or ".wte" in key or ".wpe" in key:
                # Gemma multiplies embeddings by sqrt(hidden_size); tied ones are also the output weights.
                p.copy_(torch.randn_like(p) * 0.5)
            elif p.dim() == 1 or "bias" in key:
                p.copy_(0.4 * torch.randn_like(p))
            else:
                fan = p.shape[-1]
                p.copy_(torch.randn_like(p) * 1.3 / math.sqrt(fan))
            p.copy_(p.to(dtype).float())


FP4 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0]


def mxfp4_experts(model, log):
    """Replaces the weights of experts by values of MXFP4; returns the blocks and scales as the checkpoints have them."""
    packed = {}
    state = dict(model.named_parameters())
    for key, p in state.items():
        if not (key.endswith("experts.gate_up_proj") or key.endswith("experts.down_proj")):
            continue
        e, k, n = p.shape  # used as x @ p
        blocks = torch.randint(0, 256, (e, n, k // 32, 16), dtype=torch.uint8)
        scales = torch.randint(122, 126, (e, n, k // 32), dtype=torch.uint8)
        table = torch.tensor(FP4)
        low, high = table[(blocks & 15).long()], table[(blocks >> 4).long()]
        values = torch.stack([low, high], -1).reshape(e, n, k // 32, 32)
        values = torch.ldexp(values, (scales.int() - 127)[..., None]).reshape(e, n, k).transpose(1, 2).contiguous()
        try:
            from transformers.integrations.mxfp4 import convert_moe_packed_tensors

            theirs = convert_moe_packed_tensors(blocks.clone(), scales.clone(), dtype=torch.float32).cpu()
            log(f"mxfp4 of {key}: theirs {tuple(theirs.shape)} ours {tuple(values.shape)} equal {torch.equal(theirs, values)}")
            if theirs.shape == values.shape:
                values = theirs
        except Exception:
            log("no reference for mxfp4: " + traceback.format_exc(limit=2))
        with torch.no_grad():
            p.copy_(values)
        packed[key + "_blocks"], packed[key + "_scales"] = blocks, scales
    return packed


def make(out, name, config_class, model_class, arguments, options, log):
    torch.manual_seed(sum(map(ord, name)))
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    config = getattr(transformers, config_class)(**arguments)
    config._attn_implementation = "eager"
    dtype = options.get("dtype", torch.float16)
    model = getattr(transformers, model_class)(config).float().eval()
    randomize(model, name, dtype)
    packed = mxfp4_experts(model, log) if options.get("mxfp4") else {}
    for key, b in model.named_buffers():
        if "inv_freq" in key:
            log(f"  {key} {b.tolist()}")
    ids = torch.randint(3, VOCABULARY, (2, T))
    mask = torch.tensor([[1 if t < n else 0 for t in range(T)] for n in LENGTHS])
    expected = {"ids": ids.int(), "lengths": torch.tensor(LENGTHS, dtype=torch.int32)}
    with torch.no_grad():
        if options.get("encoder"):
            kinds = torch.randint(0, 2, (2, T))
            r = model(input_ids=ids, attention_mask=mask, token_type_ids=kinds)
            m = mask[..., None].float()
            mean = (r.last_hidden_state * m).sum(1) / m.sum(1)
            expected |= {"types": kinds.int(), "hidden": r.last_hidden_state, "pooled": r.pooler_output, "mean": mean}
            main = r.last_hidden_state
        else:
            r = model(input_ids=ids, attention_mask=mask, use_cache=False)
            expected["logits"] = main = r.logits
            for row, n in enumerate(LENGTHS):
                if "short" in options:
                    continue
                alone = model(input_ids=ids[row : row + 1, :n], use_cache=False).logits
                log(f"  row {row} alone: largest difference {(alone - r.logits[row : row + 1, :n]).abs().max().item():.2e}")
            if "short" in options:
                expected["short_logits"] = model(input_ids=ids[:, : options["short"]], use_cache=False).logits
    log(f"  outputs: std {main.std().item():.3f} largest {main.abs().max().item():.2f} finite {bool(torch.isfinite(main).all())}")
    save_file({k: v.contiguous().clone() for k, v in expected.items()}, os.path.join(folder, "expected.safetensors"))
    model = model.to(dtype)
    more = {"max_shard_size": options["shard"]} if "shard" in options else {}
    model.save_pretrained(folder, **more)
    if packed:
        from safetensors.torch import load_file

        path = os.path.join(folder, "model.safetensors")
        state = load_file(path)
        for key in list(state):
            if key.endswith("experts.gate_up_proj") or key.endswith("experts.down_proj"):
                del state[key]
        save_file({k: v.contiguous() for k, v in {**state, **packed}.items()}, path)
        config_path = os.path.join(folder, "config.json")
        c = json.load(open(config_path))
        c["quantization_config"] = {"quant_method": "mxfp4", "modules_to_not_convert": ["model.embed_tokens", "lm_head"]}
        json.dump(c, open(config_path, "w"), indent=2, sort_keys=True)
    if options.get("sentence"):
        os.makedirs(os.path.join(folder, "1_Pooling"), exist_ok=True)
        pooling = {
            "word_embedding_dimension": 32,
            "pooling_mode_cls_token": False,
            "pooling_mode_mean_tokens": True,
            "pooling_mode_max_tokens": False,
            "pooling_mode_mean_sqrt_len_tokens": False,
        }
        json.dump(pooling, open(os.path.join(folder, "1_Pooling", "config.json"), "w"), indent=2)
        modules = [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ]
        json.dump(modules, open(os.path.join(folder, "modules.json"), "w"), indent=2)
    generation = os.path.join(folder, "generation_config.json")
    if os.path.exists(generation):
        os.remove(generation)
    for file in sorted(os.listdir(folder)):
        path = os.path.join(folder, file)
        log(f"  {file} {os.path.getsize(path) if os.path.isfile(path) else '(folder)'}")
        if file.endswith(".safetensors"):
            from safetensors import safe_open

            with safe_open(path, "pt") as f:
                for key in f.keys():
                    part = f.get_slice(key)
                    log(f"    {key} {part.get_dtype()} {part.get_shape()}")


def main():
    out, chosen = sys.argv[1], sys.argv[2:]
    os.makedirs(out, exist_ok=True)
    report = open(os.path.join(out, "report.txt"), "w")

    def log(text):
        print(text, file=report, flush=True)

    log(f"transformers {transformers.__version__}, PyTorch {torch.__version__}")
    failed = 0
    for name, config_class, model_class, arguments, options in MODELS:
        if chosen and name not in chosen:
            continue
        log(name)
        try:
            make(out, name, config_class, model_class, arguments, options, log)
        except Exception:
            failed += 1
            log(traceback.format_exc())
            print(f"{name}: failed", file=sys.stderr)
    log(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
