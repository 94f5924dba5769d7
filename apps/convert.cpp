// `tessera quantize` and `tessera convert`: models as GGUF files in another type, with a table of what was written.
#include <algorithm>
#include <cstdio>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "terminal.h"
#include "tessera/tessera.h"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;

/// Tensors of one type in the file.
struct Total {
  std::uint64_t tensors = 0, before = 0, after = 0;
  double error = 0;
  std::string worst = {};  // the tensor with that error
};

void add(Total& total, const llm::ConvertedTensor& t) {
  ++total.tensors;
  total.before += t.bytes_before;
  total.after += t.bytes_after;
  if (t.error > total.error) {
    total.error = t.error;
    total.worst = t.name;
  }
}

void print_json(const std::vector<llm::ConvertedTensor>& made) {
  Json all{{"tensors", Json::array()}};
  Total total;
  for (const llm::ConvertedTensor& t : made) {
    add(total, t);
    all["tensors"].push_back({{"name", t.name},
                              {"from", io::name(t.from)},
                              {"to", io::name(t.to)},
                              {"shape", std::vector<std::int64_t>(t.shape.begin(), t.shape.end())},
                              {"bytes_before", t.bytes_before},
                              {"bytes_after", t.bytes_after},
                              {"relative_rmse", t.error},
                              {"other_type", t.other}});
  }
  all["bytes_before"] = total.before;
  all["bytes_after"] = total.after;
  all["relative_rmse"] = total.error;
  fmt::print("{}\n", all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void print_table(const std::vector<llm::ConvertedTensor>& made) {
  std::map<std::string, Total> totals;
  Total all;
  for (const llm::ConvertedTensor& t : made) {
    add(totals[std::string(io::name(t.to))], t);
    add(all, t);
  }
  fmt::print("{}\n", styled(Style::kBold, fmt::format("{:<8} {:>8} {:>12} {:>12} {:>14}  {}", "type", "tensors",
                                                      "before", "after", "relative rmse", "largest in")));
  const auto print = [](const std::string& name, const Total& t) {
    fmt::print("{:<8} {:>8} {:>12} {:>12} {:>14}  {}\n", name, t.tensors, bytes_text(t.before), bytes_text(t.after),
               t.error > 0 ? fmt::format("{:.5f}", t.error) : "0", t.worst);
  };
  for (const auto& [name, t] : totals) print(name, t);
  print("all", all);
  constexpr std::size_t kShown = 8;
  std::vector<const llm::ConvertedTensor*> others;
  for (const llm::ConvertedTensor& t : made) {
    if (t.other) others.push_back(&t);
  }
  if (others.empty()) return;
  fmt::print("\n{} tensors have rows that are not whole blocks, and another type:\n", others.size());
  for (std::size_t i = 0; i < std::min(kShown, others.size()); ++i) {
    fmt::print("  {} {} {}\n", others[i]->name, others[i]->shape.str(), io::name(others[i]->to));
  }
  if (others.size() > kShown) fmt::print("  and {} more\n", others.size() - kShown);
}

/// A bar on standard error, if a person reads the output.
void show_progress(const llm::ConvertProgress& p) {
  constexpr std::size_t kWidth = 30;
  const double part = p.total == 0 ? 1 : static_cast<double>(p.done) / static_cast<double>(p.total);
  const auto full = static_cast<std::size_t>(part * kWidth);
  fmt::print(stderr, "\r[{}{}] {:3.0f} % {:<40.40}", std::string(full, '#'), std::string(kWidth - full, ' '),
             100 * part, p.tensor->name);
  if (p.done == p.total) fmt::print(stderr, "\r{:80}\r", "");
  std::fflush(stderr);
}

}  // namespace

std::string convert_types_text() { return fmt::format("{}", fmt::join(llm::convert_types(), ", ")); }

int convert(const ConvertOptions& options) {
  llm::ConvertOptions given{.type = options.type, .pure = options.pure};
  if (writes_to_terminal()) given.progress = show_progress;
  const std::vector<llm::ConvertedTensor> made = llm::convert(options.in, options.out, given);
  if (options.json) {
    print_json(made);
  } else {
    print_table(made);
  }
  return 0;
}

}  // namespace tessera::app
