// Custom kernels: the layout of their parameters, and their identity.
#include "graph/custom.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>

#include "base/ints.h"

namespace tessera {

namespace {

/// An id per content, never reused. Entries are never removed, since pipelines are keyed by the id.
std::uint64_t id_of(const std::string& content) {
  static std::mutex mutex;
  static auto& ids = *new std::unordered_map<std::string, std::uint64_t>;
  static std::uint64_t last = 0;
  const std::lock_guard lock(mutex);
  if (content.empty()) return ++last;
  const auto [it, fresh] = ids.try_emplace(content, last + 1);
  if (fresh) ++last;
  return it->second;
}

std::string content_of(const CustomKernel& k) {
  std::string text = fmt::format("{}\n{}\n{},{},{}\n{} {} {}\n", k.name, k.entry_point, k.workgroup[0], k.workgroup[1],
                                 k.workgroup[2], k.raw_words, k.own_bindings, k.trusted);
  for (const KernelBinding& b : k.inputs) text += fmt::format("i {}{}\n", b.name, b.strided ? " strided" : "");
  for (const KernelBinding& b : k.outputs) text += fmt::format("o {}\n", b.name);
  text += fmt::format("{}\n", k.text);
  for (const std::int64_t word : k.variant) text += fmt::format("v {}\n", word);
  for (const CustomParam& p : k.params) text += fmt::format("p {} {} {}\n", p.name, name(p.dtype), p.count);
  return text + "\n" + k.source;
}

}  // namespace

std::shared_ptr<const CustomKernel> make_custom(CustomKernel kernel) {
  // WGSL's layout of uniforms: vec2 at multiples of 2 words, vec3 and vec4 of 4; the struct is padded to the largest
  // alignment.
  int word = 0;
  int align = 1;
  for (CustomParam& p : kernel.params) {
    const int own = p.count == 1 ? 1 : (p.count == 2 ? 2 : 4);
    align = std::max(align, own);
    p.word = round_up(word, own);
    word = p.word + p.count;
  }
  if (kernel.raw_words > 0) {
    word = kernel.raw_words;
  } else if (!kernel.own_bindings && !kernel.trusted) {
    kernel.sizes_at = word;
    word += static_cast<int>(kernel.inputs.size() + kernel.outputs.size());
  }
  for (KernelBinding& b : kernel.inputs) {
    if (!b.strided) continue;
    align = std::max(align, 4);
    b.strides_at = round_up(word, 4);
    word = b.strides_at + InputStrides::words(b);
  }
  kernel.param_words = round_up(word, align);
  kernel.id = id_of(kernel.host ? std::string() : content_of(kernel));
  return std::make_shared<const CustomKernel>(std::move(kernel));
}

std::size_t bindings_of(const CustomKernel& kernel) {
  const auto updates = std::ranges::count_if(kernel.outputs, [](const KernelBinding& b) { return b.updates >= 0; });
  return kernel.inputs.size() + kernel.outputs.size() - static_cast<std::size_t>(updates);
}

InputStrides row_major_strides(const Shape& shape, const KernelBinding& input) {
  InputStrides s;
  if (input.row_axes > 0) {
    return {{input.row_axes == 3 ? static_cast<std::uint32_t>(shape.back()) : 1, 0, 0, 1}, 0, {1, 1, 1}};
  }
  const int width = input.width;
  std::uint64_t stride = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    const bool last = i == shape.rank() - 1;
    s.strides.at(static_cast<std::size_t>(i)) = static_cast<std::uint32_t>(stride);
    stride *= static_cast<std::uint64_t>(last ? shape[i] / width : shape[i]);
  }
  return s;
}

void put_strides(std::span<std::uint32_t> params, const KernelBinding& input, const InputStrides& strides) {
  auto at = params.begin() + input.strides_at;
  at = std::copy(strides.strides.begin(), strides.strides.end(), at);
  *at++ = strides.offset;
  if (input.row_axes > 0) std::copy(strides.sizes.begin(), strides.sizes.end(), at);
}

InputStrides CustomHostCall::strides(std::size_t input) const {
  InputStrides s;
  const auto at = params.begin() + bindings[input].strides_at;
  std::copy_n(at, s.strides.size(), s.strides.begin());
  s.offset = at[InputStrides::kMaxRank];
  if (bindings[input].row_axes > 0) std::copy_n(at + InputStrides::kMaxRank + 1, s.sizes.size(), s.sizes.begin());
  return s;
}

bool operator==(const CustomCall& a, const CustomCall& b) {
  return a.kernel->id == b.kernel->id && a.grid == b.grid && a.params == b.params && a.inputs == b.inputs &&
         a.bound == b.bound && a.outputs == b.outputs;
}

}  // namespace tessera
