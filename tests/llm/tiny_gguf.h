// A GGUF file with random weights of Llama's form, a vocabulary with a token for each byte, and a chat template.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tessera/gguf.h"

namespace tessera::test {

struct TinyGguf {
  std::int64_t width = 32, layers = 2, heads = 4, kv_heads = 2, hidden = 48, context = 256;
  bool vocabulary = true, chat = true;
  io::GgmlType type = io::GgmlType::kF32;  // of matrices
  unsigned seed = 1;
};

/// The vocabulary: <unk>, <s>, </s>, 256 bytes, a space, letters, pieces, and <|im_start|>, <|im_end|>.
inline std::vector<std::string> tiny_tokens() {
  std::vector<std::string> tokens{"<unk>", "<s>", "</s>"};
  for (int i = 0; i < 256; ++i) tokens.push_back(fmt::format("<0x{:02X}>", i));
  tokens.emplace_back("\xE2\x96\x81");
  for (char c = 'a'; c <= 'z'; ++c) tokens.emplace_back(1, c);
  for (const char* piece :
       {"he", "ll", "hell", "hello", "\xE2\x96\x81hello", "wo", "rl", "worl", "world", "lo", "or"}) {
    tokens.emplace_back(piece);
  }
  tokens.emplace_back("<|im_start|>");
  tokens.emplace_back("<|im_end|>");
  return tokens;
}

inline void save_tiny_gguf(const std::filesystem::path& file, const TinyGguf& o = {}) {
  const std::vector<std::string> tokens = tiny_tokens();
  const auto count = static_cast<std::int64_t>(tokens.size());
  io::GgufMetadata m{{"general.architecture", "llama"},
                     {"general.name", "tiny"},
                     {"llama.embedding_length", static_cast<std::uint32_t>(o.width)},
                     {"llama.block_count", static_cast<std::uint32_t>(o.layers)},
                     {"llama.context_length", static_cast<std::uint32_t>(o.context)},
                     {"llama.feed_forward_length", static_cast<std::uint32_t>(o.hidden)},
                     {"llama.attention.head_count", static_cast<std::uint32_t>(o.heads)},
                     {"llama.attention.head_count_kv", static_cast<std::uint32_t>(o.kv_heads)},
                     {"llama.attention.layer_norm_rms_epsilon", 1e-5F},
                     {"llama.rope.freq_base", 10000.0F}};
  if (o.vocabulary) {
    std::vector<float> scores;
    std::vector<std::int32_t> types;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool control = i == 1 || i == 2 || tokens[i].starts_with("<|");
      types.push_back(i == 0 ? 2 : control ? 3 : i < 259 ? 6 : 1);
      scores.push_back(-static_cast<float>(i));
    }
    m.set("tokenizer.ggml.model", "llama");
    m.set("tokenizer.ggml.tokens", tokens);
    m.set("tokenizer.ggml.scores", scores);
    m.set("tokenizer.ggml.token_type", types);
    m.set("tokenizer.ggml.bos_token_id", std::uint32_t{1});
    m.set("tokenizer.ggml.eos_token_id", std::uint32_t{2});
    m.set("tokenizer.ggml.add_bos_token", true);
  }
  if (o.chat) {
    m.set("tokenizer.chat_template",
          "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }} {{ m.content }}<|im_end|>{% endfor %}"
          "{% if add_generation_prompt %}<|im_start|>assistant {% endif %}");
  }
  std::mt19937 random(o.seed);
  std::vector<Tree::Named> tensors;
  const auto add = [&](const std::string& name, const Shape& shape) {
    std::normal_distribution<float> normal(0, shape.rank() == 1 ? 0.1F : 0.25F);
    std::vector<float> v(static_cast<std::size_t>(shape.numel()));
    for (float& x : v) x = (shape.rank() == 1 ? 1.0F : 0.0F) + normal(random);
    const Tensor t(v, shape, Device::create({.device = "cpu"}));
    tensors.emplace_back(name,
                         shape.rank() == 1 || o.type == io::GgmlType::kF32 ? t : quantize(t, *io::dtype_of(o.type)));
  };
  const std::int64_t head = o.width / o.heads;
  add("token_embd.weight", {count, o.width});
  add("output_norm.weight", {o.width});
  add("output.weight", {count, o.width});
  for (std::int64_t i = 0; i < o.layers; ++i) {
    const std::string p = fmt::format("blk.{}.", i);
    add(p + "attn_norm.weight", {o.width});
    add(p + "attn_q.weight", {o.width, o.width});
    add(p + "attn_k.weight", {o.kv_heads * head, o.width});
    add(p + "attn_v.weight", {o.kv_heads * head, o.width});
    add(p + "attn_output.weight", {o.width, o.width});
    add(p + "ffn_norm.weight", {o.width});
    add(p + "ffn_gate.weight", {o.hidden, o.width});
    add(p + "ffn_up.weight", {o.hidden, o.width});
    add(p + "ffn_down.weight", {o.width, o.hidden});
  }
  io::save_gguf(file, m, tensors);
}

}  // namespace tessera::test
