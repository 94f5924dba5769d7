#!/usr/bin/env python3
"""Writes llama/: small models of the transformers package with random weights, and their logits: pip install transformers torch tokenizers
(5.23, 2.11, 0.23)."""

from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import BPE
from transformers import LlamaConfig, LlamaForCausalLM

CASES = {
    "tied": dict(num_attention_heads=2, num_key_value_heads=2, tie_word_embeddings=True),
    "grouped": dict(num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=False, rms_norm_eps=1e-3,
                    rope_parameters={"rope_type": "default", "rope_theta": 500.0}),
}

torch.manual_seed(0)
for name, options in CASES.items():
    folder = Path(__file__).parent / "llama" / name
    model = LlamaForCausalLM(LlamaConfig(vocab_size=11, hidden_size=16, intermediate_size=24, num_hidden_layers=2, max_position_embeddings=16,
                                         initializer_range=0.4, **options)).eval()
    for p in model.parameters():
        if p.dim() == 1:  # norms
            torch.nn.init.uniform_(p, 0.5, 1.5)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink()
    Tokenizer(BPE({c: i for i, c in enumerate("abcdefghij\n")}, [])).save(str(folder / "tokenizer.json"))
    tokens = torch.randint(0, 11, (3, 16))
    with torch.no_grad():
        save_file({"tokens": tokens.to(torch.int32), "logits": model(tokens).logits}, folder / "logits.safetensors")
