// Kernels with a text of their own: what all calls of one share, and what one call adds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/dtype.h"
#include "tessera/shape.h"

namespace tessera {

class Node;

/// The type and shape of one input or output of a call.
struct CustomTensor {
  DType dtype = DType::kF32;
  Shape shape;
  friend bool operator==(const CustomTensor&, const CustomTensor&) = default;
};

/// A member of the uniform: 1 to 4 numbers of one type.
struct CustomParam {
  std::string name;
  DType dtype = DType::kF32;  // f32, i32 or u32
  int count = 1;
  int word = 0;  // where it lies: set by make_custom()
};

/// What a host function is given: bytes as they lie in tensors, row-major.
struct CustomHostCall {
  std::span<const std::span<const std::byte>> inputs;
  std::span<const std::span<std::byte>> outputs;
  std::span<const CustomTensor> input_tensors;
  std::span<const CustomTensor> output_tensors;
  std::span<const std::uint32_t> params;
};

/// The gradients of the inputs (null where there is none), given those of the outputs (null where nothing uses one).
struct CustomGradient {
  std::span<const std::shared_ptr<const Node>> inputs;
  std::span<const std::shared_ptr<const Node>> outputs;
  std::span<const std::shared_ptr<const Node>> gradients;
  std::span<const std::uint32_t> params;
};

/// One kernel. Its bindings are the inputs, the outputs, then the uniform if it has words.
struct CustomKernel {
  std::string name;
  std::string source;
  std::vector<std::string> inputs;   // names in the text
  std::vector<std::string> outputs;  // names in the text
  std::string entry_point = "main";
  std::array<std::uint32_t, 3> workgroup{64, 1, 1};
  std::vector<CustomParam> params;
  int raw_words = 0;                  // without `params`: words of a uniform whose type the text declares
  std::uint64_t workgroup_bytes = 0;  // of workgroup memory that the text asks for
  bool own_bindings = false;          // the text declares all bindings: nothing is put in front of it
  /// The engine's own text: functions of the preludes are put in front, and bounds are proven, not checked.
  bool trusted = false;
  bool zero_fill = true;  // workgroup memory starts as zeros; only what is trusted may do without
  int pinned = 0;         // own bindings: so many inputs are bound as if they were written (BufferForm::pinned)
  /// Functions of the engine's own over inputs of u32. `fn dequantize_quad(quad: u32) -> vec4<f32>`, the last and the
  /// only one that names inputs, gives four neighbours of the only result: matmuls may read them so, and the kernel
  /// does not run.
  std::string decode;
  std::function<void(const CustomHostCall&)> host;
  std::function<std::vector<std::shared_ptr<const Node>>(const CustomGradient&)> gradient;

  // Set by make_custom().
  std::uint64_t id = 0;  // equal ids mean equal kernels
  int sizes_at = -1;     // word of the first NAME_size: the element counts of inputs and outputs; -1: none
  int param_words = 0;
};

/// Lays out the parameters and gives the kernel its id: by content, but one of its own where it has a host function,
/// which cannot be compared.
std::shared_ptr<const CustomKernel> make_custom(CustomKernel kernel);

/// One call of a kernel, shared by the nodes of its results.
struct CustomCall {
  std::shared_ptr<const CustomKernel> kernel;
  std::vector<CustomTensor> inputs;
  std::vector<CustomTensor> outputs;
  std::vector<std::uint32_t> params;  // the uniform's words
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::vector<std::weak_ptr<const Node>> results;  // the nodes, in the order of `outputs`

  friend bool operator==(const CustomCall& a, const CustomCall& b);
};

/// kCustom: which result of which call; equal by content.
struct CustomResult {
  std::shared_ptr<const CustomCall> call;
  int output = 0;
  friend bool operator==(const CustomResult& a, const CustomResult& b) {
    return a.output == b.output && (a.call == b.call || *a.call == *b.call);
  }
};

}  // namespace tessera
