// summary(model, input): layers, shapes, parameters, FLOPs and memory, without computing anything.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

struct SummaryRow {
  std::string name, kind;
  Shape output;                 // of the last call
  bool called = false;          // whether there was one
  std::int64_t parameters = 0;  // of the module itself, without its parts
  std::int64_t trainable = 0;
  double flops = 0;  // of the module itself; 0: not known, or none
};
struct Summary {
  std::vector<SummaryRow> rows;  // each module, parts after what contains them
  std::int64_t parameters = 0, trainable = 0;
  double flops = 0;  // of one forward pass: matmuls, convolutions, attention
  std::int64_t parameter_bytes = 0, buffer_bytes = 0;
  std::int64_t output_bytes = 0;          // results of modules without parts, as if all were stored, in f32
  [[nodiscard]] std::string str() const;  // a table
};

/// Calls the model, or f, to learn the shapes; nothing is computed, and running statistics do not change.
Summary summary(Module& model, const Tensor& input);
Summary summary(Module& model, const std::function<void()>& f);

}  // namespace nn
}  // namespace tessera
