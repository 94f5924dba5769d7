// Custom kernels (WGSL of users and of ops): the kernel, and the arguments of one call.
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

/// The dtype and shape of one input or output of a call.
struct CustomTensor {
  DType dtype = DType::kF32;
  Shape shape;
  friend bool operator==(const CustomTensor&, const CustomTensor&) = default;
};

/// A member of the uniform: 1 to 4 numbers of one dtype.
struct CustomParam {
  std::string name;
  DType dtype = DType::kF32;  // f32, i32 or u32
  int count = 1;
  int word = 0;  // offset in words: set by make_custom()
};

/// The arguments of a host function: the bytes of row-major tensors.
struct CustomHostCall {
  std::span<const std::span<const std::byte>> inputs;
  std::span<const std::span<std::byte>> outputs;
  std::span<const CustomTensor> input_tensors;
  std::span<const CustomTensor> output_tensors;
  std::span<const std::uint32_t> params;
};

/// The arguments of a gradient function, which returns the gradients of the inputs (null for none); gradients of unused
/// outputs are null.
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
  int raw_words = 0;                  // without `params`: words of a uniform whose type is declared in the source
  std::uint64_t workgroup_bytes = 0;  // of workgroup memory in the source
  bool own_bindings = false;          // the source declares all bindings: no header is added
  /// A kernel of the engine: the preludes are available, and its indices are proven to be in bounds, so they are not
  /// checked.
  bool trusted = false;
  bool zero_fill = true;  // workgroup memory starts as zeros; only trusted kernels may disable it
  int pinned = 0;         // own bindings: this many inputs are bound as read_write (BufferForm::pinned)
  /// WGSL functions over inputs of u32. The last one, `fn dequantize_quad(quad: u32) -> vec4<f32>`, is the only one
  /// that names inputs; it returns four neighbors of the only result. Matmuls may call it to dequantize on load, and
  /// then the kernel does not run.
  std::string decode;
  std::function<void(const CustomHostCall&)> host;
  std::function<std::vector<std::shared_ptr<const Node>>(const CustomGradient&)> gradient;

  // Set by make_custom().
  std::uint64_t id = 0;  // equal ids mean equal kernels
  int sizes_at = -1;     // word of the first NAME_size, an element count of an input or output; -1: none
  int param_words = 0;
};

/// Lays out the parameters and assigns the id: by content, but a unique one if there is a host function, which cannot
/// be compared.
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

/// kCustom: one result of a call; equal by content.
struct CustomResult {
  std::shared_ptr<const CustomCall> call;
  int output = 0;
  friend bool operator==(const CustomResult& a, const CustomResult& b) {
    return a.output == b.output && (a.call == b.call || *a.call == *b.call);
  }
};

}  // namespace tessera
