// `tessera tune`: autotunes matmuls and convolutions on the selected device, and stores the fastest kernel of each.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "tessera/tessera.h"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kTooSlow = 0.5e6;  // us that one run of an entry of the default list may take

/// What is measured.
struct Job {
  std::string text;
  DType dtype = DType::kF32;
  double flops = 0;
  std::int64_t largest = 0;  // elements of the largest tensor
  std::function<TuneResult(const Device&)> measure;
};

Job job_of(const MatmulSizes& s) {
  const std::string batch = s.batch > 1 ? fmt::format("{}x", s.batch) : "";
  return {fmt::format("{}:{}{}x{}x{}{}", name(s.dtype), batch, s.m, s.n, s.k, s.transposed ? ":nt" : ""), s.dtype,
          2.0 * static_cast<double>(s.batch) * static_cast<double>(s.m) * static_cast<double>(s.n) *
              static_cast<double>(s.k),
          std::max({s.m * s.k, s.k * s.n, s.m * s.n}) * s.batch,
          [s](const Device& device) { return tune_matmul(device, s); }};
}

/// A convolution of the usual kind: one stride and padding for both axes.
struct Conv {
  DType dtype = DType::kF32;
  std::int64_t n = 1, c = 1, h = 1, w = 1;     // images
  std::int64_t o = 1, taps_h = 1, taps_w = 1;  // filters
  std::int64_t stride = 1, padding = 0, groups = 1;
  bool last = false;  // channels
};

Job job_of(const Conv& s) {
  const ConvSizes sizes{s.dtype,
                        s.last ? Shape{s.n, s.h, s.w, s.c} : Shape{s.n, s.c, s.h, s.w},
                        Shape{s.o, s.c / s.groups, s.taps_h, s.taps_w},
                        {.stride = s.stride,
                         .padding = s.padding,
                         .groups = s.groups,
                         .layout = s.last ? ImageLayout::kChannelsLast : ImageLayout::kChannelsFirst}};
  const std::int64_t places =
      s.n * ((s.h + 2 * s.padding - s.taps_h) / s.stride + 1) * ((s.w + 2 * s.padding - s.taps_w) / s.stride + 1);
  const auto option = [](const char* name, std::int64_t value, std::int64_t usual) {
    return value == usual ? "" : fmt::format(":{}{}", name, value);
  };
  return {
      fmt::format("{}:conv:{}x{}x{}x{}:{}x{}x{}{}{}{}{}", name(s.dtype), s.n, s.c, s.h, s.w, s.o, s.taps_h, s.taps_w,
                  option("s", s.stride, 1), option("p", s.padding, 0), option("g", s.groups, 1), s.last ? ":last" : ""),
      s.dtype, 2.0 * static_cast<double>(places) * static_cast<double>(sizes.weights.numel()),
      std::max({sizes.images.numel(), sizes.weights.numel(), places * s.o}),
      [sizes](const Device& device) { return tune_conv2d(device, sizes); }};
}

[[noreturn]] void refuse(const std::string& word, const std::string& why) {
  throw Error(
      ErrorKind::kValue,
      fmt::format(
          "'{}' is not a matmul or a convolution: {}. Matmuls are TYPE:MxNxK or TYPE:BATCHxMxNxK with a type of "
          "f32, f16 or bf16, and :nt after it if the second matrix is stored transposed, such as "
          "f16:32x14336x4096:nt; convolutions are TYPE:conv:NxCxHxW:OxHxW for images and filters, with "
          ":sSTRIDE, :pPADDING, :gGROUPS and :last (channels) after it if they are not 1, 0, 1 and first, "
          "such as f16:conv:32x64x56x56:128x3x3:s2:p1.",
          word, why));
}

std::int64_t number(const std::string& word, std::string_view text, std::int64_t least) {
  std::int64_t value = 0;
  const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || next != text.data() + text.size() || value < least) {
    refuse(word, fmt::format("'{}' is not a number of at least {}", text, least));
  }
  return value;
}

std::vector<std::string> parts_of(std::string_view text, char between) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == between) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// "32x64x56x56".
std::vector<std::int64_t> sizes_of(const std::string& word, const std::string& text) {
  std::vector<std::int64_t> sizes;
  for (const std::string& part : parts_of(text, 'x')) sizes.push_back(number(word, part, 1));
  return sizes;
}

/// What follows "f16:conv:".
Job parse_conv(const std::string& word, DType dtype, const std::vector<std::string>& parts) {
  if (parts.size() < 4) refuse(word, "the images or filters are missing");
  const std::vector<std::int64_t> images = sizes_of(word, parts[2]);
  const std::vector<std::int64_t> filters = sizes_of(word, parts[3]);
  if (images.size() != 4) refuse(word, fmt::format("the images have {} sizes, not four", images.size()));
  if (filters.size() != 3) refuse(word, fmt::format("the filters have {} sizes, not three", filters.size()));
  Conv s{dtype, images[0], images[1], images[2], images[3], filters[0], filters[1], filters[2]};
  for (std::size_t i = 4; i < parts.size(); ++i) {
    const std::string& option = parts[i];
    const std::string_view value = std::string_view(option).substr(std::min<std::size_t>(option.size(), 1));
    if (option == "last") {
      s.last = true;
    } else if (option.starts_with('s')) {
      s.stride = number(word, value, 1);
    } else if (option.starts_with('p')) {
      s.padding = number(word, value, 0);
    } else if (option.starts_with('g')) {
      s.groups = number(word, value, 1);
    } else {
      refuse(word, fmt::format("'{}' is not an option", option));
    }
  }
  return job_of(s);
}

/// "f16:4096x4096x4096", "f16:8x128x128x64:nt", "f16:conv:32x64x56x56:64x3x3:p1".
Job parse(const std::string& word) {
  const std::vector<std::string> parts = parts_of(word, ':');
  if (parts.size() < 2) refuse(word, "it has no type");
  const std::map<std::string, DType> types{{"f32", DType::kF32}, {"f16", DType::kF16}, {"bf16", DType::kBF16}};
  const auto type = types.find(parts[0]);
  if (type == types.end()) refuse(word, fmt::format("'{}' is not a supported type", parts[0]));
  if (parts[1] == "conv") return parse_conv(word, type->second, parts);
  const std::vector<std::int64_t> sizes = sizes_of(word, parts[1]);
  if (sizes.size() != 3 && sizes.size() != 4) refuse(word, fmt::format("it has {} sizes", sizes.size()));
  const std::size_t m = sizes.size() - 3;
  MatmulSizes s{type->second, sizes[m], sizes[m + 1], sizes[m + 2], m == 1 ? sizes[0] : 1, false};
  for (std::size_t i = 2; i < parts.size(); ++i) {
    if (parts[i] != "nt" && parts[i] != "nn") refuse(word, fmt::format("'{}' is neither nn nor nt", parts[i]));
    s.transposed = parts[i] == "nt";
  }
  return job_of(s);
}

/// Square matmuls, matmuls of transformers (few rows by large weights in both layouts, many rows, and attention) and
/// convolutions of residual networks.
std::vector<Job> usual(bool quick) {
  std::vector<Job> all;
  if (quick) {
    return {job_of(MatmulSizes{DType::kF32, 48, 64, 32}), job_of(MatmulSizes{DType::kF16, 64, 48, 64, 1, true}),
            job_of(Conv{DType::kF32, 1, 8, 12, 12, 16, 3, 3, 1, 1})};
  }
  for (const DType dtype : {DType::kF16, DType::kF32}) {
    const auto matmul = [&](const MatmulSizes& s) { all.push_back(job_of(s)); };
    for (std::int64_t edge = 512; edge <= 8192; edge *= 2) matmul({dtype, edge, edge, edge});
    for (const std::int64_t rows : {8, 16, 32, 64, 128, 512, 2048}) {
      for (const auto& [n, k] : {std::pair<std::int64_t, std::int64_t>{4096, 4096}, {14336, 4096}, {4096, 14336}}) {
        for (const bool transposed : {false, true}) matmul({dtype, rows, n, k, 1, transposed});
      }
    }
    for (const std::int64_t tokens : {128, 512, 2048}) {
      matmul({dtype, tokens, tokens, 128, 32, true});
      matmul({dtype, tokens, 128, tokens, 32});
    }
    for (const bool last : {false, true}) {
      for (const std::int64_t images : {1, 32}) {
        for (std::int64_t c = 64, edge = 56; c <= 512; c *= 2, edge /= 2) {
          all.push_back(job_of(Conv{dtype, images, c, edge, edge, c, 3, 3, 1, 1, 1, last}));
          if (c == 512) continue;
          all.push_back(job_of(Conv{dtype, images, c, edge, edge, 2 * c, 3, 3, 2, 1, 1, last}));
        }
      }
    }
  }
  return all;
}

bool fits(const Job& job, const DeviceInfo& device) {
  const auto bytes = static_cast<std::uint64_t>(job.largest) * size_of(job.dtype);
  return bytes <= std::min(device.limits.max_storage_binding_size, device.limits.max_buffer_size);
}

Json to_json(const TuneResult& r) {
  return {{"matmul", r.matmul},     {"suggested", r.suggested}, {"suggested_us", r.suggested_us},
          {"winner", r.winner},     {"winner_us", r.winner_us}, {"candidates", r.candidates},
          {"measured", r.measured}, {"demoted", r.demoted}};
}

}  // namespace

int tune(const TuneOptions& options) {
  std::vector<Job> jobs;
  for (const std::string& word : options.matmuls) jobs.push_back(parse(word));
  const bool named = !jobs.empty();
  if (!named) jobs = usual(options.quick);
  const Device device = Device::current();
  if (!device.info().id.starts_with("webgpu")) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("There is nothing to tune on the device {}: only WebGPU devices choose between kernels. "
                            "Select one with TESSERA_DEVICE=webgpu.",
                            device.info().id));
  }
  std::FILE* out = options.json ? stderr : stdout;
  const std::string file = tuning_status(device.info()).file;
  fmt::print(out, "{} ({}), results stored in {}\n", device.name(), device.info().id,
             file.empty() ? "no file, because TESSERA_CACHE is empty" : file);
  fmt::print(out, "{:<40} {:>12} {:>12} {:>6}  {}\n", "matmul", "default us", "winner us", "ratio", "winner's tile");
  bool failed = false;
  std::map<DType, double> us_per_flop;  // the best so far
  for (const Job& job : jobs) {
    const auto known = us_per_flop.find(job.dtype);
    const bool slow = known != us_per_flop.end() && known->second * job.flops > kTooSlow;
    if (!named && (slow || !fits(job, device.info()))) {
      fmt::print(out, "{:<40} skipped: it {} on this device\n", job.text, slow ? "takes too long" : "does not fit");
      continue;
    }
    try {
      const TuneResult r = job.measure(device);
      const bool usable = r.suggested_us > 0;
      fmt::print(out, "{:<40} {:>12} {:>12.1f} {:>6}  {}{}\n", job.text,
                 usable ? fmt::format("{:.1f}", r.suggested_us) : "wrong", r.winner_us,
                 usable ? fmt::format("{:.2f}", r.suggested_us / r.winner_us) : "-", r.winner,
                 r.demoted.empty() ? "" : fmt::format(" ({} demoted)", r.demoted.size()));
      if (options.json) fmt::print("{}\n", to_json(r).dump());
      const double rate = r.winner_us / job.flops;
      us_per_flop[job.dtype] = known != us_per_flop.end() ? std::min(known->second, rate) : rate;
    } catch (const Error& e) {
      failed = true;
      fmt::print(out, "{:<40} failed: {}\n", job.text, e.what());
      if (options.json) fmt::print("{}\n", Json{{"matmul", job.text}, {"error", e.what()}}.dump());
      if (!device.is_available()) break;
    }
    std::fflush(stdout);
    if (device.is_available()) device.trim();
  }
  return failed ? 1 : 0;
}

}  // namespace tessera::app
