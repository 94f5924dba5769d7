// `tessera tune`: measures products of matrices on the chosen device, and keeps the fastest program of each.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "tessera/tessera.h"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kTooSlow = 0.5e6;  // us that one run of a product of the usual list may take

double flops(const MatmulSizes& s) {
  return 2.0 * static_cast<double>(s.batch) * static_cast<double>(s.m) * static_cast<double>(s.n) *
         static_cast<double>(s.k);
}

std::string text(const MatmulSizes& s) {
  return fmt::format("{}:{}{}x{}x{}{}", name(s.dtype), s.batch > 1 ? fmt::format("{}x", s.batch) : "", s.m, s.n, s.k,
                     s.transposed ? ":nt" : "");
}

[[noreturn]] void refuse(const std::string& word, const std::string& why) {
  throw Error(ErrorKind::kValue,
              fmt::format("'{}' is not a product: {}. Products are TYPE:MxNxK or TYPE:BATCHxMxNxK with a type of f32, "
                          "f16 or bf16, and :nt after it where the second matrix lies transposed, such as "
                          "f16:32x14336x4096:nt.",
                          word, why));
}

/// "f16:4096x4096x4096", "f16:8x128x128x64:nt".
MatmulSizes parse(const std::string& word) {
  MatmulSizes s;
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos) refuse(word, "it has no type");
  const std::string type = word.substr(0, colon);
  const std::map<std::string, DType> types{{"f32", DType::kF32}, {"f16", DType::kF16}, {"bf16", DType::kBF16}};
  const auto found = types.find(type);
  if (found == types.end()) refuse(word, fmt::format("'{}' is not one of its types", type));
  s.dtype = found->second;
  std::string rest = word.substr(colon + 1);
  if (const std::size_t order = rest.find(':'); order != std::string::npos) {
    const std::string how = rest.substr(order + 1);
    if (how != "nt" && how != "nn") refuse(word, fmt::format("'{}' is neither nn nor nt", how));
    s.transposed = how == "nt";
    rest.resize(order);
  }
  std::vector<std::int64_t> sizes;
  const char* at = rest.data();
  const char* const end = rest.data() + rest.size();
  while (true) {
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || value < 1) refuse(word, "its sizes are not positive numbers");
    sizes.push_back(value);
    if (next == end) break;
    if (*next != 'x') refuse(word, "its sizes are not separated by 'x'");
    at = next + 1;
  }
  if (sizes.size() != 3 && sizes.size() != 4) refuse(word, fmt::format("it has {} sizes", sizes.size()));
  if (sizes.size() == 4) s.batch = sizes[0];
  s.m = sizes[sizes.size() - 3];
  s.n = sizes[sizes.size() - 2];
  s.k = sizes[sizes.size() - 1];
  return s;
}

/// Squares, and the products of transformers: few rows by large weights in both layouts, many rows, and attention.
std::vector<MatmulSizes> usual(bool quick) {
  std::vector<MatmulSizes> all;
  if (quick) return {{DType::kF32, 48, 64, 32}, {DType::kF16, 64, 48, 64, 1, true}};
  for (const DType dtype : {DType::kF16, DType::kF32}) {
    for (std::int64_t edge = 512; edge <= 8192; edge *= 2) all.push_back({dtype, edge, edge, edge});
    for (const std::int64_t rows : {8, 16, 32, 64, 128, 512, 2048}) {
      for (const auto& [n, k] : {std::pair<std::int64_t, std::int64_t>{4096, 4096}, {14336, 4096}, {4096, 14336}}) {
        for (const bool transposed : {false, true}) all.push_back({dtype, rows, n, k, 1, transposed});
      }
    }
    for (const std::int64_t tokens : {128, 512, 2048}) {
      all.push_back({dtype, tokens, tokens, 128, 32, true});
      all.push_back({dtype, tokens, 128, tokens, 32});
    }
  }
  return all;
}

bool fits(const MatmulSizes& s, const DeviceInfo& device) {
  const std::int64_t largest = std::max({s.m * s.k, s.k * s.n, s.m * s.n}) * s.batch;
  const auto bytes = static_cast<std::uint64_t>(largest) * size_of(s.dtype);
  return bytes <= std::min(device.limits.max_storage_binding_size, device.limits.max_buffer_size);
}

Json to_json(const TuneResult& r) {
  return {{"product", r.product},   {"suggested", r.suggested}, {"suggested_us", r.suggested_us},
          {"winner", r.winner},     {"winner_us", r.winner_us}, {"candidates", r.candidates},
          {"measured", r.measured}, {"demoted", r.demoted}};
}

}  // namespace

int tune(const TuneOptions& options) {
  std::vector<MatmulSizes> products;
  for (const std::string& word : options.products) products.push_back(parse(word));
  const bool named = !products.empty();
  if (!named) products = usual(options.quick);
  const Device device = Device::current();
  if (!device.info().id.starts_with("webgpu")) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("There is nothing to tune on the device {}: only WebGPU devices choose between programs. "
                            "TESSERA_DEVICE=webgpu names one.",
                            device.info().id));
  }
  std::FILE* out = options.json ? stderr : stdout;
  const std::string file = tuning_status(device.info()).file;
  fmt::print(out, "{} ({}), choices kept in {}\n", device.name(), device.info().id,
             file.empty() ? "no file, since TESSERA_CACHE is empty" : file);
  fmt::print(out, "{:<32} {:>12} {:>12} {:>6}  {}\n", "product", "suggested us", "winner us", "ratio", "winner's tile");
  bool failed = false;
  std::map<DType, double> us_per_flop;  // the best so far
  for (const MatmulSizes& s : products) {
    const auto known = us_per_flop.find(s.dtype);
    const bool slow = known != us_per_flop.end() && known->second * flops(s) > kTooSlow;
    if (!named && (slow || !fits(s, device.info()))) {
      fmt::print(out, "{:<32} left out: it {} on this device\n", text(s), slow ? "takes too long" : "does not fit");
      continue;
    }
    try {
      const TuneResult r = tune_matmul(device, s);
      const bool usable = r.suggested_us > 0;
      fmt::print(out, "{:<32} {:>12} {:>12.1f} {:>6}  {}{}\n", text(s),
                 usable ? fmt::format("{:.1f}", r.suggested_us) : "wrong", r.winner_us,
                 usable ? fmt::format("{:.2f}", r.suggested_us / r.winner_us) : "-", r.winner,
                 r.demoted.empty() ? "" : fmt::format(" ({} demoted)", r.demoted.size()));
      if (options.json) fmt::print("{}\n", to_json(r).dump());
      const double rate = r.winner_us / flops(s);
      us_per_flop[s.dtype] = known != us_per_flop.end() ? std::min(known->second, rate) : rate;
    } catch (const Error& e) {
      failed = true;
      fmt::print(out, "{:<32} failed: {}\n", text(s), e.what());
      if (options.json) fmt::print("{}\n", Json{{"product", text(s)}, {"error", e.what()}}.dump());
      if (!device.is_available()) break;
    }
    std::fflush(stdout);
    if (device.is_available()) device.trim();
  }
  return failed ? 1 : 0;
}

}  // namespace tessera::app
