// Llama models in folders of the transformers package: config.json, model.safetensors, tokenizer.json.
#include <fmt/format.h>

#include "train/files.h"
#include "train/llama.h"

namespace tessera::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kIn = "self_attn.in_proj_weight";
constexpr std::string_view kOut = "self_attn.out_proj.weight";

struct Part {
  const char* name;
  std::int64_t from, to;  // rows of in_proj_weight
};
std::vector<Part> parts_of(const LlamaConfig& c) {
  const std::int64_t kv = c.kv_heads * (c.width / c.heads);
  return {{"self_attn.q_proj.weight", 0, c.width},
          {"self_attn.k_proj.weight", c.width, c.width + kv},
          {"self_attn.v_proj.weight", c.width + kv, c.width + 2 * kv}};
}

std::int64_t integer(const Json& config, const char* key, const fs::path& file) {
  const Json value = config.value(key, Json());
  if (value.is_number_integer() && value.get<std::int64_t>() >= 1) return value.get<std::int64_t>();
  throw Error(ErrorKind::kParse, fmt::format("'{}' has the {} {}; an integer of at least 1 is expected.", file.string(),
                                             key, value.dump()));
}

double number(const Json& config, const char* key, double otherwise) {
  const Json value = config.value(key, Json());
  return value.is_number() ? value.get<double>() : otherwise;
}

}  // namespace

Tree transformers_weights(const Llama& model) {
  std::vector<Tree::Named> out;
  for (const auto& [name, tensor] : model.state().flatten()) {
    if (name.ends_with(kIn)) {
      const std::string layer = name.substr(0, name.size() - kIn.size());
      for (const Part& part : parts_of(model.config())) {
        out.emplace_back(layer + part.name, slice(tensor, {{part.from, part.to}}));
      }
    } else if (name.ends_with(kOut)) {
      out.emplace_back(name.substr(0, name.size() - kOut.size()) + "self_attn.o_proj.weight", tensor);
    } else {
      out.emplace_back(name, tensor);
    }
  }
  return Tree::unflatten(out);
}

Tree weights_from_transformers(const Tree& tensors, const LlamaConfig& config) {
  constexpr std::string_view kTheirOut = "self_attn.o_proj.weight";
  const std::vector<Part> parts = parts_of(config);
  std::vector<Tree::Named> out;
  for (const auto& [name, tensor] : tensors.flatten()) {
    if (name.ends_with(parts[0].name)) {
      const std::string layer = name.substr(0, name.size() - std::string_view(parts[0].name).size());
      out.emplace_back(
          layer + std::string(kIn),
          concat({tensor, tensors.tensor(layer + parts[1].name), tensors.tensor(layer + parts[2].name)}, 0));
    } else if (name.ends_with(kTheirOut)) {
      out.emplace_back(name.substr(0, name.size() - kTheirOut.size()) + std::string(kOut), tensor);
    } else if (!name.ends_with(parts[1].name) && !name.ends_with(parts[2].name)) {
      out.emplace_back(name, tensor);
    }
  }
  return Tree::unflatten(out);
}

void save_llama(const fs::path& folder, const Llama& model, const Vocabulary& vocabulary, std::int32_t end) {
  make_folder(folder);
  const LlamaConfig& c = model.config();
  write_json(folder / "config.json", {{"architectures", {"LlamaForCausalLM"}},
                                      {"model_type", "llama"},
                                      {"vocab_size", c.vocabulary},
                                      {"hidden_size", c.width},
                                      {"intermediate_size", c.hidden},
                                      {"num_hidden_layers", c.layers},
                                      {"num_attention_heads", c.heads},
                                      {"num_key_value_heads", c.kv_heads},
                                      {"head_dim", c.width / c.heads},
                                      {"max_position_embeddings", c.context},
                                      {"hidden_act", "silu"},
                                      {"rms_norm_eps", c.norm_eps},
                                      {"rope_theta", c.rope_theta},
                                      {"attention_bias", false},
                                      {"mlp_bias", false},
                                      {"attention_dropout", 0.0},
                                      {"tie_word_embeddings", c.tied},
                                      {"bos_token_id", nullptr},
                                      {"eos_token_id", end < 0 ? Json() : Json(end)},
                                      {"pad_token_id", nullptr},
                                      {"torch_dtype", "float32"}});
  vocabulary.save(folder);
  io::save_safetensors(folder / "model.safetensors", transformers_weights(model), {{"format", "pt"}});
}

LoadedLlama load_llama(const fs::path& folder, double dropout) {
  const fs::path file = folder / "config.json";
  const Json json = read_json(file);
  if (json.value("model_type", Json()) != "llama") {
    throw Error(ErrorKind::kParse, fmt::format("'{}' has the model_type {}; \"llama\" is expected.", file.string(),
                                               json.value("model_type", Json()).dump()));
  }
  LlamaConfig c;
  c.vocabulary = integer(json, "vocab_size", file);
  c.width = integer(json, "hidden_size", file);
  c.hidden = integer(json, "intermediate_size", file);
  c.layers = integer(json, "num_hidden_layers", file);
  c.heads = integer(json, "num_attention_heads", file);
  c.kv_heads = json.contains("num_key_value_heads") ? integer(json, "num_key_value_heads", file) : c.heads;
  c.context = integer(json, "max_position_embeddings", file);
  c.norm_eps = number(json, "rms_norm_eps", 1e-6);
  const Json rope = json.value("rope_parameters", Json());  // of newer versions of transformers
  c.rope_theta = rope.is_object() ? number(rope, "rope_theta", 10000) : number(json, "rope_theta", 10000);
  c.tied = json.value("tie_word_embeddings", Json()) == true;
  c.dropout = dropout;
  Vocabulary vocabulary = Vocabulary::load(folder);
  if (!vocabulary.fits(c.vocabulary)) {
    throw Error(ErrorKind::kParse, fmt::format("'{}' has a vocab_size of {}, and its tokenizer.json has {} tokens.",
                                               file.string(), c.vocabulary, vocabulary.size()));
  }
  LoadedLlama out{Llama(c), std::move(vocabulary)};
  out.model.load(weights_from_transformers(io::load_safetensors(folder / "model.safetensors"), out.model.config()));
  return out;
}

}  // namespace tessera::app
