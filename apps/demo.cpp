// `tessera demo`: the devices, a graph and its kernels, speeds, and a model that is trained live and answers sums.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "bench/bench.h"
#include "commands.h"
#include "selftest.h"
#include "terminal.h"
#include "train/gpt.h"

namespace tessera::app {

namespace {

constexpr std::int64_t kRows = 64;
constexpr std::int64_t kInner = 256;
constexpr std::int64_t kCols = 128;
constexpr std::size_t kLines = 12;  // of WGSL

void heading(const char* text) { fmt::print("\n{}\n", styled(Style::kBold, text)); }

/// The selected device and, if that is another one, the CPU.
std::vector<Device> devices_to_show() {
  std::vector<Device> out{Device::current()};
  if (out[0].info().type != DeviceType::kCpu) {
    try {
      out.push_back(Device::create({.device = "cpu"}));
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a build without the CPU backend shows one device
    }
  }
  return out;
}

void show_devices(const Device& chosen) {
  heading("Devices");
  for (const DeviceInfo& info : Device::list()) {
    std::string note;
    if (info.id == chosen.info().id) {
      note = styled(Style::kGood, "<- selected");
    } else if (info.type == DeviceType::kSoftware) {
      note = styled(Style::kDim, "for tests: TESSERA_DEVICE=" + info.id);
    }
    fmt::print("  {:<9} {:<40.40} {:<17} {}\n", info.id, info.name, type_text(info.type), note);
  }
}

struct Problem {
  std::vector<float> a, b, bias;

  Problem() : a(kRows * kInner), b(kInner * kCols), bias(kCols) {
    for (std::vector<float>* v : {&a, &b, &bias}) {
      for (std::size_t i = 0; i < v->size(); ++i)
        (*v)[i] = std::sin(0.1F + 0.73F * static_cast<float>(i) + static_cast<float>(v->size() % 7));
    }
  }

  [[nodiscard]] Tensor on(const Device& device) const {
    const Tensor x(a, {kRows, kInner}, device);
    const Tensor w(b, {kInner, kCols}, device);
    const Tensor c(bias, {kCols}, device);
    return softmax(gelu(matmul(x, w) * 0.125 + c));
  }

  /// The same with plain loops in double precision.
  [[nodiscard]] std::vector<double> on_host() const {
    std::vector<double> out;
    for (std::int64_t i = 0; i < kRows; ++i) {
      double total = 0;
      for (std::int64_t j = 0; j < kCols; ++j) {
        double dot = 0;
        for (std::int64_t k = 0; k < kInner; ++k) {
          dot += static_cast<double>(a[static_cast<std::size_t>(i * kInner + k)]) *
                 static_cast<double>(b[static_cast<std::size_t>(k * kCols + j)]);
        }
        const double v = dot * 0.125 + static_cast<double>(bias[static_cast<std::size_t>(j)]);
        out.push_back(std::exp(v * 0.5 * std::erfc(-v / std::sqrt(2.0))));
        total += out.back();
      }
      for (std::int64_t j = 0; j < kCols; ++j) out[out.size() - static_cast<std::size_t>(j) - 1] /= total;
    }
    return out;
  }
};

/// The body of a map kernel. Each invocation computes four elements alike: only the first is shown.
void show_wgsl(const std::string& wgsl) {
  static const std::regex kOtherElements("^let (e[1-3]|\\w+_[1-3])\\b.*");
  const std::size_t begin = std::min(wgsl.rfind("fn map0"), wgsl.rfind("@compute"));
  std::istringstream stream(wgsl.substr(std::min(begin, wgsl.size())));
  std::size_t shown = 0;
  for (std::string line; shown < kLines && std::getline(stream, line);) {
    if (line.empty() || std::regex_match(line, kOtherElements)) continue;
    fmt::print("  {}\n", styled(Style::kDim, fmt::format("| {:.110}", line)));
    ++shown;
    if (line == "}") break;
  }
}

/// Steps of a graph that compute something.
std::ptrdiff_t count_steps(const std::string& graph) {
  std::ptrdiff_t steps = 0;
  std::istringstream stream(graph);
  for (std::string line; std::getline(stream, line);) {
    const auto is = [&](const char* what) { return line.find(what) != std::string::npos; };
    if (is(" = ") && !is(" = input ") && !is(" = scalar ") && !is(" = view ")) ++steps;
  }
  return steps;
}

void show_graph(const Device& device, const Problem& problem) {
  heading("A graph");
  fmt::print("  y = softmax(gelu(matmul(a, b) * 0.125 + bias))    a [{}, {}], b [{}, {}]\n", kRows, kInner, kInner,
             kCols);
  const Explanation plan = explain(problem.on(device));
  fmt::print("  Nothing has run yet. The {} ops become {} kernels:\n", count_steps(plan.graph), plan.kernels.size());
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) fmt::print("    {}. {:.100}\n", i + 1, plan.kernels[i].label);
  const Tensor a(problem.a, {kRows, kInner}, device);
  const Explanation simple = explain(gelu(a * a + a));
  fmt::print("  A simpler one, gelu(a * a + a), becomes {} kernel. Its generated WGSL, shortened:\n",
             simple.kernels.size());
  show_wgsl(simple.kernels.at(0).wgsl);
}

/// Sizes that take well under a second each.
struct SpeedSizes {
  std::int64_t elements, rows, matmul;
};
SpeedSizes speed_sizes(DeviceType type) {
  switch (type) {
    case DeviceType::kDiscreteGpu:
      return {.elements = 1 << 26, .rows = 65536, .matmul = 4096};
    case DeviceType::kIntegratedGpu:
      return {.elements = 1 << 24, .rows = 16384, .matmul = 1024};
    case DeviceType::kSoftware:
      return {.elements = 1 << 20, .rows = 512, .matmul = 256};
    default:
      return {.elements = 1 << 22, .rows = 4096, .matmul = 512};
  }
}

/// Chain fused and op by op and softmax in GB/s, matmul in GFLOP/s.
std::vector<double> speeds(const Device& device) {
  const Bench bench(device, false, [](const Result&) {});
  const SpeedSizes sizes = speed_sizes(device.info().type);
  const double chain = 12e-9 * static_cast<double>(sizes.elements);
  const double table = 8e-9 * static_cast<double>(sizes.rows) * 1024;
  const double flops = 2e-9 * std::pow(static_cast<double>(sizes.matmul), 3);
  const auto one = [&](const Shape& shape) { return std::vector{bench.random(shape)}; };
  const auto two = [&](const Shape& shape) { return std::vector{bench.random(shape), bench.random(shape)}; };
  return {chain / bench.seconds_of([&] { return two({sizes.elements}); }, chain6_fused),
          chain / chain6_op_by_op_seconds(bench, sizes.elements),
          table / bench.seconds_of([&] { return one({sizes.rows, 1024}); },
                                   [](const std::vector<Tensor>& in) { return softmax(in[0]); }),
          flops / bench.seconds_of([&] { return two({sizes.matmul, sizes.matmul}); },
                                   [](const std::vector<Tensor>& in) { return matmul(in[0], in[1]); })};
}

void show_speed(const std::vector<Device>& devices) {
  heading("Speed");
  std::vector<std::vector<double>> columns;
  fmt::print("  {:<34} {:<8}", "", "");
  for (const Device& device : devices) {
    columns.push_back(speeds(device));
    fmt::print(" {:>12}", device.info().id);
  }
  fmt::print("\n");
  constexpr const char* kRowNames[] = {"six elementwise ops, fused", "the same, op by op", "softmax over rows of 1024",
                                       "matmul, f32"};
  for (std::size_t row = 0; row < std::size(kRowNames); ++row) {
    fmt::print("  {:<34} {:<8}", kRowNames[row], row == 3 ? "GFLOP/s" : "GB/s");
    for (const auto& column : columns) fmt::print(" {:>12.4g}", column[row]);
    fmt::print("\n");
  }
}

bool show_agreement(const std::vector<Device>& devices, const Problem& problem) {
  heading("Do they agree?");
  const std::vector<double> expected = problem.on_host();
  bool good = true;
  for (const Device& device : devices) {
    const std::vector<float> got = problem.on(device).to_vector<float>();
    double most = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double difference = std::abs(static_cast<double>(got[i]) - expected[i]);
      most = difference <= most ? most : difference;  // NaN stays
    }
    const bool close = most < 1e-5;
    good = good && close;
    fmt::print("  {:<9} the graph above against plain loops in f64: largest difference {:.2g}  {}\n", device.info().id,
               most, close ? styled(Style::kGood, "ok") : styled(Style::kBad, "too much"));
  }
  return good;
}

/// Answers what the user types, or three sums if nobody does.
void ask_sums(SumsModel& trained) {
  const auto show = [&](const std::vector<Sum>& sums) {
    const std::vector<std::string> answers = trained.sums.answers(trained.model, sums);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const bool right = answers[i] == std::to_string(sums[i].a + sums[i].b);
      fmt::print("  {}+{}={}{}\n", sums[i].a, sums[i].b, styled(right ? Style::kGood : Style::kBad, answers[i]),
                 right ? "" : fmt::format("  (it is {})", sums[i].a + sums[i].b));
    }
  };
  if (!reads_from_terminal() || !writes_to_terminal()) return show({{27, 58}, {99, 1}, {64, 36}});
  fmt::print("\nType a sum of two numbers up to 99, such as 27+58; an empty line ends.\n");
  for (std::string line; fmt::print("> "), std::fflush(stdout), std::getline(std::cin, line) && !line.empty();) {
    try {
      show({trained.sums.parse(line)});
    } catch (const Error& e) {
      fmt::print("  {}\n", e.what());
    }
  }
}

}  // namespace

int demo(const DemoOptions& options) {
  const std::vector<Device> devices = devices_to_show();
  const Problem problem;
  fmt::print("{}: tensors, a lazy graph, fused WGSL kernels\n", styled(Style::kBold, "Tessera"));
  show_devices(devices[0]);
  show_graph(devices[0], problem);
  show_speed(devices);
  const bool good = show_agreement(devices, problem);
  heading("Training");
  fmt::print("A small transformer learns to add: tessera train gpt.\n");
  SumsModel trained = train_sums({.steps = options.steps});
  fmt::print("held-out exact match: {:.3f}\n", trained.sums.exact_match(trained.model, trained.sums.held_out()));
  ask_sums(trained);
  fmt::print("\n  Next: tessera train gpt --text FILE, tessera train mnist, tessera doctor, tessera bench.\n");
  return good ? 0 : 1;
}

}  // namespace tessera::app
