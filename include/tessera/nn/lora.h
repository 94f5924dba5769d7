// Low-rank adapters (LoRA) of the Linear layers of any module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

struct LoraOptions {
  double alpha = 0;  // scales the adapter by alpha / rank; 0: by 1
  double dropout = 0;
};
/// Adds an adapter to each Linear whose name matches one of the patterns, "layers.*.self_attn.out_proj" or "*": y gains
/// scale * x A^T B^T, with A [rank, in] random and B [out, rank] zeros. Everything but the adapters is frozen. Returns
/// the names of the layers. Error of kind value if no Linear matches.
std::vector<std::string> lora(Module& model, std::int64_t rank, const std::vector<std::string>& where = {"*"},
                              const LoraOptions& options = {});
/// Adds the adapters to the weights and removes them. Parameters stay frozen: unfreeze() if that is not wanted.
void merge_lora(Module& model);
/// The tensors of the adapters alone: names that end in lora_A and lora_B. load(tree, false) or update() takes them.
Tree lora_parameters(const Module& model);

}  // namespace nn
}  // namespace tessera
