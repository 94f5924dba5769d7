// `tessera bench`: selects rows of the table of benchmarks, runs them, and prints a table or JSON lines.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/bench.h"
#include "commands.h"
#include "terminal.h"

namespace tessera::app {

namespace {

// In the order in which they run.
constexpr std::array kGroups{"alloc",     "dispatch", "elementwise", "reduce",    "softmax",   "norms",
                             "transpose", "gather",   "gemm",        "conv",      "attention", "step",
                             "train",     "state",    "llm",         "plan",      "loop",      "quant",
                             "sort",      "scan",     "placement",   "coldstart", "limits",    "distributed"};
/// Run only if they are named: one allocates gigabytes of device memory, the other needs several ranks.
constexpr std::array<std::string_view, 2> kOnlyNamed{"limits", "distributed"};

}  // namespace

std::vector<BenchRow> all_benches() {
  std::vector<BenchRow> rows;
  for (const std::string_view group : kGroups) {
    for (const auto& part : {host_benches(), memory_benches(), row_benches(), gemm_benches(), conv_benches(),
                             attention_benches(), step_benches(), resnet_benches(), train_benches(), state_benches(),
                             llm_benches(), plan_benches(), loop_benches(), quant_benches(), sort_benches(),
                             placement_benches(), limits_benches(), distributed_benches()})
      std::ranges::copy_if(part, std::back_inserter(rows), [&](const BenchRow& row) { return row.group == group; });
  }
  return rows;
}

namespace {

std::vector<BenchRow> chosen(const std::vector<std::string>& wanted) {
  std::vector<BenchRow> rows = all_benches();
  const auto fits = [](const std::string& word, const BenchRow& row) { return word == row.group || word == row.name; };
  for (const std::string& word : wanted) {
    if (std::ranges::any_of(rows, [&](const BenchRow& row) { return fits(word, row); })) continue;
    throw Error(ErrorKind::kValue, fmt::format("There is no benchmark or group of benchmarks '{}'; the groups are {}.",
                                               word, fmt::join(kGroups, ", ")));
  }
  if (wanted.empty()) {
    std::erase_if(rows,
                  [](const BenchRow& row) { return std::ranges::find(kOnlyNamed, row.group) != kOnlyNamed.end(); });
    return rows;
  }
  std::erase_if(rows, [&](const BenchRow& row) {
    return std::ranges::none_of(wanted, [&](const std::string& word) { return fits(word, row); });
  });
  return rows;
}

std::string size_text(const Json& fields) {
  std::string out;
  for (const auto& [key, value] : fields.items()) {
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", key,
                       value.is_string() ? value.get<std::string>() : value.dump());
  }
  return out;
}

std::string unit_text(const std::string& unit) {
  if (unit == "gbs") return "GB/s";
  if (unit == "tflops") return "TFLOP/s";
  if (unit == "tokens_per_s" || unit == "tok_s") return "tokens/s";
  if (unit == "kernels_per_layer") return "kernels/layer";
  return unit == "percent" ? "%" : unit;
}

std::string value_text(double value) {
  const int digits = value >= 1000 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 3 : 5;
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace

int bench(const BenchOptions& options) {
  distributed::init();
  if (distributed::rank() > 0) be_quiet();  // of several ranks the first one speaks
  const std::vector<BenchRow> rows = chosen(options.groups);
  std::ofstream file;
  if (distributed::rank() == 0 && !options.json.empty() && options.json != "-") {
    file.open(options.json);
    if (!file) throw Error(ErrorKind::kIo, fmt::format("bench: the file '{}' cannot be written.", options.json));
  }
  std::ostream& json = options.json == "-" ? std::cout : file;
  // With JSON on standard output the table goes to standard error.
  std::FILE* out = options.json == "-" && distributed::rank() == 0 ? stderr : stdout;

  const auto start = std::chrono::steady_clock::now();
  const Device device = Device::current();
  const std::chrono::duration<double> device_time = std::chrono::steady_clock::now() - start;
  fmt::print(out, "{} ({})\n", device.name(), device.info().id);
  fmt::print(out, "{:<30} {:<34} {:>10} {}\n", "benchmark", "size", "result", "unit");
  const auto write_line = [&](Json line) {
    line["device"] = device.name();
    if (!options.json.empty()) json << line.dump() << std::endl;
  };
  const Bench runner(
      device, options.quick,
      [&](const Result& r) {
        fmt::print(out, "{:<30} {:<34} {:>10} {}\n", r.bench, size_text(r.fields), value_text(r.value),
                   unit_text(r.unit));
        std::fflush(out);
        Json line{{"bench", r.bench}};
        line.update(r.fields);
        line[r.unit] = r.value;
        write_line(std::move(line));
      },
      device_time.count(), options.model);
  bool failed = false;
  for (const BenchRow& row : rows) {
    try {
      row.run(runner);
    } catch (const Error& e) {
      failed = true;
      fmt::print(out, "{:<30} failed: {}\n", row.name, e.what());
      write_line({{"bench", row.name}, {"error", e.what()}});
    }
    if (device.is_available()) device.trim();
  }
  return failed ? 1 : 0;
}

}  // namespace tessera::app
