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

#include "graph/call.h"

namespace tessera {

/// An input or output of a kernel. User kernels bind elements; the engine's also say how they read and write them.
struct KernelBinding {
  KernelBinding(std::string n, int w = 1) : name(std::move(n)), width(w) {}
  KernelBinding(const char* n, int w = 1) : name(n), width(w) {}

  std::string name;  // in the text
  int width;         // elements of one access: 1, 2 or 4
  /// With width 4: inputs are read by load_NAME(i), which gives access i in f32 whatever the dtype, and outputs are
  /// written by store_NAME(i, value).
  bool convert = false;
  /// An input that is bound as read_write: see BufferForm::pinned.
  bool pinned = false;
  /// An input of rank 4 at most that may be a view: the kernel binds what lies under the view, and its strides and
  /// offset are the members NAME_strides (vec4<u32>, an entry for each axis) and NAME_offset (u32) of the uniform, in
  /// accesses. With a width above 1, rows along the last axis are contiguous.
  bool strided = false;
  /// Of a strided input [.., cols] of a kernel over rows: its view has four axes, and NAME_size_1 to NAME_size_3 (u32)
  /// are members too, the sizes of the last three. 3: three axes of rows and one of columns; 4: of the row-major index.
  /// 0: the axes are those of the shape.
  int row_axes = 0;
  /// Only views whose neighbors along the last axis are neighbors in memory, or one element.
  bool coalesced = false;
  bool words = false;  // bound as u32 or a vector of them, whatever the dtype
  /// An output that is this input with some elements replaced: they share memory, and the text names the output alone.
  int updates = -1;
  int strides_at = -1;  // word of NAME_strides, before that of NAME_offset: set by make_custom()
};

/// Where the elements of a strided input are, in accesses: negative strides wrap modulo 2^32, as index arithmetic does.
struct InputStrides {
  static constexpr int kMaxRank = 4;
  std::array<std::uint32_t, kMaxRank> strides{};
  std::uint32_t offset = 0;
  std::array<std::uint32_t, kMaxRank - 1> sizes{};  // with row_axes
  /// Words of the uniform.
  static int words(const KernelBinding& b) { return kMaxRank + 1 + (b.row_axes > 0 ? kMaxRank - 1 : 0); }
};

/// A member of the uniform: 1 to 4 numbers of one dtype.
struct CustomParam {
  std::string name;
  DType dtype = DType::kF32;  // f32, i32 or u32
  int count = 1;
  int word = 0;  // offset in words: set by make_custom()
};

/// The arguments of a host function: the bytes of row-major tensors. User kernels have no strided inputs here.
struct CustomHostCall {
  std::span<const std::span<const std::byte>> inputs;
  std::span<const std::span<std::byte>> outputs;
  std::span<const TensorSpec> input_tensors;
  std::span<const TensorSpec> output_tensors;
  std::span<const std::uint32_t> params;
  std::span<const KernelBinding> bindings;  // of the inputs
  /// Of a strided input of an engine kernel, whose bytes are those of the tensor under the view.
  [[nodiscard]] InputStrides strides(std::size_t input) const;
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
  /// The WGSL of a user; a kernel of the engine has none, since codegen/kernels writes it from `text` and `variant`.
  std::string source;
  std::string text;    // the name in the kernel table of codegen/kernels, or of a file of kernels/
  Attributes variant;  // what that text depends on
  std::vector<KernelBinding> inputs;
  std::vector<KernelBinding> outputs;
  std::string entry_point = "main";
  std::array<std::uint32_t, 3> workgroup{64, 1, 1};
  std::vector<CustomParam> params;
  int raw_words = 0;                  // without `params`: words of a uniform whose type is declared in the source
  std::uint64_t workgroup_bytes = 0;  // of workgroup memory in the source
  bool own_bindings = false;          // the source declares all bindings: no header is added
  /// A kernel of the engine: the preludes are available, and its indices are proven to be in bounds, so they are not
  /// checked.
  bool trusted = false;
  bool zero_fill = false;  // workgroup memory of a trusted kernel starts as zeros; that of others always does
  /// Its text has functions that dequantize four neighbors of the only result (codegen/kernels/quant.h). Matmuls and
  /// gathers may call them to dequantize on load, and then the kernel does not run.
  bool dequantizes = false;
  /// The same kernel with strided inputs, which is called if some of them are views. Its parameters start with those of
  /// this one.
  std::shared_ptr<const CustomKernel> on_views;
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

/// Storage buffers that it binds: an input that is updated shares the binding of its output.
std::size_t bindings_of(const CustomKernel& kernel);

/// The strides of a row-major tensor of this shape as that input.
InputStrides row_major_strides(const Shape& shape, const KernelBinding& input);
/// Writes the members of a strided input.
void put_strides(std::span<std::uint32_t> params, const KernelBinding& input, const InputStrides& strides);

/// One call of a kernel, shared by the nodes of its results.
struct CustomCall {
  std::shared_ptr<const CustomKernel> kernel;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> bound;  // instead of `inputs`, if some are strided: the tensors under the views
  std::vector<TensorSpec> outputs;
  std::vector<std::uint32_t> params;  // the uniform's words
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::vector<std::weak_ptr<const Node>> results;  // the nodes, in the order of `outputs`

  [[nodiscard]] const std::vector<TensorSpec>& bound_inputs() const { return bound.empty() ? inputs : bound; }
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
