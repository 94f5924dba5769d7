// Low-rank adapters of Linear layers.
#include "tessera/nn/lora.h"

#include <algorithm>
#include <cmath>

#include "nn/check.h"
#include "nn/fail.h"
#include "tessera/nn/init.h"
#include "tessera/nn/linear.h"
#include "tessera/ops.h"

namespace tessera::nn {

std::vector<std::string> lora(Module& model, std::int64_t rank, const std::vector<std::string>& where,
                              const LoraOptions& options) {
  check_sizes("lora", {{"rank", rank}});
  std::vector<std::pair<std::string, Linear*>> found;
  std::string all;
  model.apply([&](const std::string& name, Module& m) {
    auto* linear = dynamic_cast<Linear*>(&m);
    if (linear == nullptr) return;
    all += (all.empty() ? "" : ", ") + name;
    if (std::ranges::any_of(where, [&](const std::string& p) { return matches(p, name); })) {
      found.emplace_back(name, linear);
    }
  });
  if (found.empty()) {
    fail(ErrorKind::kValue, "lora: no Linear of {} matches '{}'; its Linear layers are: {}.", model.kind(),
         fmt::join(where, "', '"), all.empty() ? "none" : all);
  }
  model.freeze();
  std::vector<std::string> names;
  for (auto& [name, linear] : found) {
    const Tensor& w = linear->weight;
    const double bound = 1 / std::sqrt(static_cast<double>(w.size(1)));
    linear->lora_a = init::uniform({rank, w.size(1)}, -bound, bound, w.dtype(), w.device());
    linear->lora_b = zeros({w.size(0), rank}, w.dtype(), w.device());
    linear->lora_scale = options.alpha > 0 ? options.alpha / static_cast<double>(rank) : 1;
    linear->lora_dropout = options.dropout;
    linear->unfreeze("lora_?");
    names.push_back(name);
  }
  return names;
}

void merge_lora(Module& model) {
  model.apply([](const std::string&, Module& m) {
    auto* linear = dynamic_cast<Linear*>(&m);
    if (linear == nullptr || !linear->lora_a.defined()) return;
    linear->weight = linear->weight + matmul(linear->lora_b, linear->lora_a) * linear->lora_scale;
    linear->lora_a = {};
    linear->lora_b = {};
  });
}

Tree lora_parameters(const Module& model) {
  std::vector<Tree::Named> named;
  for (auto& [name, tensor] : model.parameters().flatten()) {
    if (name.ends_with("lora_A") || name.ends_with("lora_B")) named.emplace_back(name, tensor);
  }
  return named.empty() ? Tree() : Tree::unflatten(named);
}

}  // namespace tessera::nn
