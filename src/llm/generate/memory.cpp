// Sums up the bytes of weights and caches, and says what would fit.
#include "llm/generate/memory.h"

#include <algorithm>

#include "base/bytes_text.h"
#include "base/fail.h"
#include "tessera/memory.h"

namespace tessera::llm {

namespace {

std::uint64_t bytes_in(std::uint64_t elements, DType dtype) { return elements * size_of(dtype); }

}  // namespace

WeightBytes weight_bytes(const io::GgufFile& file, std::optional<DType> dtype) {
  WeightBytes out;
  for (const io::GgufEntry& e : file.entries()) {
    const auto elements = static_cast<std::uint64_t>(e.shape.numel());
    const bool matrix = e.shape.rank() > 1;
    const bool plain = io::block_elements(e.type) == 1;
    if (matrix) out.elements += elements;
    out.bytes += !matrix ? bytes_in(elements, f32) : plain && dtype ? bytes_in(elements, *dtype) : e.bytes;
  }
  return out;
}

WeightBytes weight_bytes(const io::HfFolder& folder, std::optional<DType> dtype) {
  WeightBytes out;
  for (const io::TensorEntry& e : folder.entries()) {
    auto elements = static_cast<std::uint64_t>(e.shape.numel());
    const bool packed = e.name.ends_with("_blocks") && e.dtype == u8;  // MXFP4, two elements in a byte
    if (packed) elements *= 2;
    const bool matrix = e.shape.rank() > 1;
    if (matrix) out.elements += elements;
    const DType stored = !matrix ? f32 : packed ? dtype.value_or(bf16) : dtype && is_float(e.dtype) ? *dtype : e.dtype;
    out.bytes += bytes_in(elements, stored);
  }
  return out;
}

std::uint64_t cache_bytes(const Config& config, DType dtype) {
  const auto elements = static_cast<std::uint64_t>(config.kv_heads * config.head_size) * config.layers.size() * 2;
  // In q8_0 blocks of 32 elements have a scale in f32.
  return is_float(dtype) ? bytes_in(elements, dtype) : elements / 32 * 36;
}

void check_fit(const WeightBytes& weights, std::uint64_t token_bytes, std::int64_t context, const Device& device,
               std::uint64_t memory) {
  const Device on = device.impl() != nullptr ? device : Device::current();
  const DeviceInfo& info = on.info();
  const std::optional<std::uint64_t> free = memory != 0 ? memory : available_memory(on);
  if (!free) return;  // not known
  const std::uint64_t room = *free;
  const std::uint64_t cache = token_bytes * static_cast<std::uint64_t>(context);
  if (weights.bytes + cache <= room) return;
  std::vector<std::string> ways;
  if (weights.bytes < room && token_bytes > 0) {
    const std::uint64_t most = (room - weights.bytes) / token_bytes;
    if (most >= 256) ways.push_back(fmt::format("a context of at most {} tokens", most / 256 * 256));
  }
  // Bits of an element, with scales.
  for (const auto& [format, bits] : {std::pair("q8_0", 8.5), std::pair("q4_k", 4.5)}) {
    const auto bytes = static_cast<std::uint64_t>(static_cast<double>(weights.elements) * bits / 8);
    if (bytes < weights.bytes && bytes + cache <= room) {
      ways.push_back(fmt::format("weights in {}, {}", format, bytes_text(bytes)));
      break;
    }
  }
  if (info.type != DeviceType::kCpu) {
    const std::optional<std::uint64_t> cpu = available_memory(Device::create({.device = "cpu"}));
    if (cpu && weights.bytes + cache <= *cpu) {
      ways.push_back(fmt::format("the CPU, which has {} (TESSERA_DEVICE=cpu)", bytes_text(*cpu)));
    }
  }
  if (ways.empty()) ways.emplace_back("a smaller model");
  fail(ErrorKind::kOutOfMemory,
       "The model does not fit: it has {} of weights and needs {} for a context of {} tokens, and {} has {}{}. What "
       "would fit: {}.",
       bytes_text(weights.bytes), bytes_text(cache), context, info.name, bytes_text(room),
       memory != 0 ? " to use" : " that is not in use", fmt::join(ways, "; "));
}

}  // namespace tessera::llm
