// Custom kernels: where their parameters lie, and when two of them are the same.
#include "graph/custom.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>

#include "base/ints.h"

namespace tessera {

namespace {

/// An id for each content, never given twice. Kept for good, as the pipelines made of it are.
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
  for (const std::string& name : k.inputs) text += fmt::format("i {}\n", name);
  for (const std::string& name : k.outputs) text += fmt::format("o {}\n", name);
  for (const CustomParam& p : k.params) text += fmt::format("p {} {} {}\n", p.name, name(p.dtype), p.count);
  return text + "\n" + k.source;
}

}  // namespace

std::shared_ptr<const CustomKernel> make_custom(CustomKernel kernel) {
  // WGSL's rule for uniforms: pairs lie at multiples of 2 words, threes and fours of 4; the whole ends on the largest.
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
  } else if (!kernel.own_bindings) {
    kernel.sizes_at = word;
    word += static_cast<int>(kernel.inputs.size() + kernel.outputs.size());
  }
  kernel.param_words = round_up(word, align);
  kernel.id = id_of(kernel.host ? std::string() : content_of(kernel));
  return std::make_shared<const CustomKernel>(std::move(kernel));
}

bool operator==(const CustomCall& a, const CustomCall& b) {
  return a.kernel->id == b.kernel->id && a.grid == b.grid && a.params == b.params && a.inputs == b.inputs &&
         a.outputs == b.outputs;
}

}  // namespace tessera
