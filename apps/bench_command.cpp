// `tessera bench`: chooses rows of the table of benchmarks, runs them, and prints a table or JSON lines.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench.h"
#include "commands.h"

namespace tessera::app {

namespace {

std::vector<BenchRow> all_benches() {
  std::vector<BenchRow> rows;
  for (const auto& part : {memory_benches(), row_benches(), product_benches()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

std::vector<BenchRow> chosen(const std::vector<std::string>& wanted) {
  const std::vector<BenchRow> all = all_benches();
  if (wanted.empty()) return all;
  std::vector<BenchRow> out;
  for (const std::string& word : wanted) {
    const std::size_t before = out.size();
    std::ranges::copy_if(all, std::back_inserter(out),
                         [&](const auto& r) { return word == r.group || word == r.name; });
    if (out.size() > before) continue;
    std::vector<std::string> groups;
    for (const BenchRow& row : all) {
      if (std::ranges::find(groups, row.group) == groups.end()) groups.emplace_back(row.group);
    }
    throw Error(ErrorKind::kValue, fmt::format("There is no benchmark or group of benchmarks '{}'; the groups are {}.",
                                               word, fmt::join(groups, ", ")));
  }
  return out;
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
  return unit == "percent" ? "%" : unit;
}

std::string value_text(double value) {
  const int digits = value >= 1000 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 3 : 5;
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace

int bench(const BenchOptions& options) {
  const std::vector<BenchRow> rows = chosen(options.groups);
  std::ofstream file;
  if (!options.json.empty() && options.json != "-") {
    file.open(options.json);
    if (!file) throw Error(ErrorKind::kIo, fmt::format("bench: the file '{}' cannot be written.", options.json));
  }
  std::ostream& json = options.json == "-" ? std::cout : file;
  // With JSON on standard output the table goes to standard error.
  std::FILE* out = options.json == "-" ? stderr : stdout;

  const Device device = Device::current();
  fmt::print(out, "{} ({})\n", device.name(), device.info().id);
  fmt::print(out, "{:<26} {:<34} {:>10} {}\n", "benchmark", "size", "result", "unit");
  const auto write_line = [&](Json line) {
    line["device"] = device.name();
    if (!options.json.empty()) json << line.dump() << std::endl;
  };
  const Bench runner(device, options.quick, [&](const Result& r) {
    fmt::print(out, "{:<26} {:<34} {:>10} {}\n", r.bench, size_text(r.fields), value_text(r.value), unit_text(r.unit));
    std::fflush(out);
    Json line{{"bench", r.bench}};
    line.update(r.fields);
    line[r.unit] = r.value;
    write_line(std::move(line));
  });
  bool failed = false;
  for (const BenchRow& row : rows) {
    try {
      row.run(runner);
    } catch (const Error& e) {
      failed = true;
      fmt::print(out, "{:<26} failed: {}\n", row.name, e.what());
      write_line({{"bench", row.name}, {"error", e.what()}});
    }
    if (device.is_available()) device.trim();
  }
  return failed ? 1 : 0;
}

}  // namespace tessera::app
