// Configs: both forms of config.json, the defaults of architectures, and errors with the key.
#include <fstream>

#include "llm/support.h"
#include "support/errors.h"

namespace tessera::test {

namespace {

using llm::Config;

/// A config.json of Llama 3.2 1B in the form of transformers 4, with lines replaced.
std::string llama3(const std::string& model_type = "llama", const std::string& more = "") {
  return R"({"architectures": ["LlamaForCausalLM"], "attention_bias": false, "head_dim": 64, "hidden_act": "silu",
    "hidden_size": 2048, "intermediate_size": 8192, "max_position_embeddings": 131072, "mlp_bias": false,
    "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8, "rms_norm_eps": 1e-05,
    "rope_scaling": {"factor": 32.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
      "original_max_position_embeddings": 8192, "rope_type": "llama3"},
    "rope_theta": 500000.0, "tie_word_embeddings": true, "torch_dtype": "bfloat16", "vocab_size": 128256,
    "model_type": ")" +
         model_type + "\"" + more + "}";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_error(const std::string& json, ErrorKind kind, const std::vector<std::string>& words) {
  const Error e = error_of([&] { (void)Config::parse(json, "FILE"); });
  EXPECT_EQ(e.kind(), kind) << e.what();
  for (const std::string& word : words) EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
}

}  // namespace

TEST(LlmConfig, Llama) {
  const Config c = Config::parse(llama3());
  EXPECT_EQ(c.model_type, "llama");
  EXPECT_EQ(c.vocabulary, 128256);
  EXPECT_EQ(c.width, 2048);
  EXPECT_EQ(c.layers.size(), 16U);
  EXPECT_EQ(c.kv_heads, 8);
  EXPECT_EQ(c.head_size, 64);
  EXPECT_EQ(c.context, 131072);
  EXPECT_TRUE(c.tied);
  EXPECT_FALSE(c.qkv_bias);
  ASSERT_EQ(c.ropes.size(), 1U);
  ASSERT_EQ(c.ropes[0].frequencies.size(), 32U);
  EXPECT_DOUBLE_EQ(c.ropes[0].frequencies[0], 1.0);                                     // short waves stay
  EXPECT_NEAR(c.ropes[0].frequencies[31] * 32, std::pow(500000.0, -62.0 / 64), 1e-12);  // long ones are divided
  // The form of transformers 5.
  const std::string newer =
      replaced(replaced(llama3(), "\"rope_scaling\": {", "\"rope_parameters\": {\"rope_theta\": 500000.0, "),
               "\"rope_theta\": 500000.0, \"tie", "\"tie");
  EXPECT_EQ(Config::parse(newer), c);
  // Without the optional keys.
  std::string plain = replaced(llama3(), "\"head_dim\": 64,", "");
  plain = replaced(plain, "\"num_key_value_heads\": 8,", "");
  plain = replaced(plain, "\"tie_word_embeddings\": true,", "");
  EXPECT_EQ(Config::parse(plain).kv_heads, 32);
  EXPECT_EQ(Config::parse(plain).head_size, 64);
  EXPECT_FALSE(Config::parse(plain).tied);
}

TEST(LlmConfig, WindowsAndPatterns) {
  const auto windows = [](const Config& c) {
    std::vector<std::int64_t> all;
    for (const llm::LayerConfig& l : c.layers) all.push_back(l.window);
    return all;
  };
  using Windows = std::vector<std::int64_t>;
  EXPECT_EQ(windows(Config::parse(llama3("mistral", R"(, "sliding_window": 4096)"))), Windows(16, 4096));
  EXPECT_EQ(windows(Config::parse(llama3("mistral", R"(, "sliding_window": null)"))), Windows(16, 0));
  EXPECT_EQ(windows(Config::parse(llama3("llama", R"(, "sliding_window": 4096)"))), Windows(16, 0));
  const std::string qwen = R"(, "sliding_window": 100, "max_window_layers": 14, "use_sliding_window": )";
  EXPECT_EQ(windows(Config::parse(llama3("qwen2", qwen + "false"))), Windows(16, 0));
  Windows last(16, 0);
  last[14] = last[15] = 100;
  EXPECT_EQ(windows(Config::parse(llama3("qwen2", qwen + "true"))), last);
  // Gemma 3 in the form of transformers 4: five layers with a window and a RoPE of their own, then one without.
  const Config gemma = Config::parse(llama3(
      "gemma3_text", R"(, "sliding_window": 512, "hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": 256,
                          "sliding_window_pattern": 6, "rope_local_base_freq": 10000.0)"));
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(gemma.layers[i].window, (i + 1) % 6 == 0 ? 0 : 512) << i;
    EXPECT_EQ(gemma.layers[i].rope, (i + 1) % 6 == 0 ? 0 : 1) << i;
  }
  ASSERT_EQ(gemma.ropes.size(), 2U);
  EXPECT_NEAR(gemma.ropes[1].frequencies[16], 0.01, 1e-12);
  EXPECT_EQ(gemma.activation, llm::Activation::kGeluTanh);
  EXPECT_EQ(gemma.attention_scale, 1.0 / 16);
  EXPECT_EQ(gemma.norm, llm::NormKind::kRmsOnePlus);
  // SmolLM3: every fourth layer has no RoPE.
  const Config smol = Config::parse(llama3("smollm3"));
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(smol.layers[i].rope, (i + 1) % 4 == 0 ? -1 : 0) << i;
}

TEST(LlmConfig, Yarn) {
  const std::string json = replaced(replaced(llama3(), "\"rope_type\": \"llama3\"", "\"type\": \"yarn\""),
                                    "\"rope_theta\": 500000.0", "\"rope_theta\": 10000.0");
  const llm::Rope rope = Config::parse(json).ropes[0];
  EXPECT_NEAR(rope.magnitude, 0.1 * std::log(32.0) + 1, 1e-12);
  // 64 elements, 8,192 tokens before scaling: pairs up to 12 stay, pairs from 25 on are divided by 32.
  for (std::size_t i = 0; i < 32; ++i) {
    const double plain = std::pow(10000.0, -2.0 * static_cast<double>(i) / 64);
    const double ramp = std::clamp((static_cast<double>(i) - 12) / 13, 0.0, 1.0);
    EXPECT_NEAR(rope.frequencies[i] / plain, ramp / 32 + (1 - ramp), 1e-9) << i;
  }
}

TEST(LlmConfig, Errors) {
  expect_error("", ErrorKind::kParse, {"FILE"});
  expect_error("[1]", ErrorKind::kParse, {"FILE", "object"});
  expect_error("{\"model_type\": \"llama\"", ErrorKind::kParse, {"FILE", "byte"});
  expect_error("{}", ErrorKind::kParse, {"model_type"});
  expect_error("{\"model_type\": 3}", ErrorKind::kParse, {"model_type", "3", "string"});
  expect_error(std::string(200, '[') + std::string(200, ']'), ErrorKind::kParse, {"object"});
  expect_error(llama3("mamba2"), ErrorKind::kUnsupported, {"mamba2", "llama"});
  expect_error(replaced(llama3(), "\"hidden_size\": 2048,", ""), ErrorKind::kParse, {"FILE", "hidden_size"});
  expect_error(replaced(llama3(), "\"hidden_size\": 2048", "\"hidden_size\": \"2048\""), ErrorKind::kParse,
               {"hidden_size", "integer"});
  expect_error(replaced(llama3(), "\"hidden_size\": 2048", "\"hidden_size\": 2048.5"), ErrorKind::kParse,
               {"hidden_size", "integer"});
  for (const std::string value : {"0", "-1", "99999999999", "18446744073709551615"}) {
    expect_error(replaced(llama3(), "\"hidden_size\": 2048", "\"hidden_size\": " + value), ErrorKind::kValue,
                 {"hidden_size", value});
  }
  expect_error(replaced(llama3(), "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 7"), ErrorKind::kValue,
               {"num_key_value_heads", "7", "32"});
  expect_error(replaced(llama3(), "\"num_hidden_layers\": 16", "\"num_hidden_layers\": 100000"), ErrorKind::kValue,
               {"num_hidden_layers"});
  expect_error(replaced(llama3(), "1e-05", "-1.0"), ErrorKind::kValue, {"rms_norm_eps"});
  expect_error(replaced(llama3(), "500000.0", "1e999"), ErrorKind::kParse, {"FILE"});
  expect_error(replaced(llama3(), "\"head_dim\": 64", "\"head_dim\": 63"), ErrorKind::kValue, {"63", "even"});
  expect_error(replaced(llama3(), "\"silu\"", "\"relu2\""), ErrorKind::kUnsupported, {"hidden_act", "relu2"});
  expect_error(replaced(llama3(), "\"llama3\"", "\"dynamic\""), ErrorKind::kUnsupported,
               {"rope_scaling.rope_type", "dynamic"});
  expect_error(replaced(llama3(), "\"high_freq_factor\": 4.0", "\"high_freq_factor\": 0.5"), ErrorKind::kValue,
               {"rope_scaling.high_freq_factor"});
  expect_error(replaced(llama3(), "\"low_freq_factor\": 1.0,", ""), ErrorKind::kParse,
               {"rope_scaling.low_freq_factor"});
  expect_error(llama3("llama", R"(, "quantization_config": {"quant_method": "gptq"})"), ErrorKind::kUnsupported,
               {"quant_method", "gptq"});
  expect_error(llama3("qwen3", R"(, "layer_types": ["full_attention"])"), ErrorKind::kValue, {"layer_types", "16"});
  expect_error(llama3("qwen3_moe", R"(, "num_experts": 8, "num_experts_per_tok": 9, "moe_intermediate_size": 8)"),
               ErrorKind::kValue, {"num_experts_per_tok", "9", "8"});
}

// Whatever byte of a config changes, it is parsed or refused with an Error.
TEST(LlmConfig, DamagedText) {
  const std::string good = llama3("gpt_oss", R"(, "num_local_experts": 8, "num_experts_per_tok": 2)");
  (void)Config::parse(good);
  std::uint32_t state = 1;
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (int k = 0; k < 1 + i % 3; ++k) {
      state = state * 1664525 + 1013904223;
      text[state % text.size()] = static_cast<char>(state >> 24U);
    }
    if (i % 5 == 0) text.resize(state % text.size());
    try {
      (void)Config::parse(text);
    } catch (const Error& e) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace tessera::test
