// `tessera runs`: compares the logs of training runs in a table and a plot.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "terminal.h"
#include "tessera/error.h"
#include "tessera/train/log.h"
#include "tessera/train/plot.h"

namespace tessera::app {

namespace {

namespace fs = std::filesystem;
using RunsJson = nlohmann::ordered_json;

constexpr std::size_t kMetricsShown = 3;  // of the validation, in the table
constexpr std::size_t kNameShown = 40;    // characters

struct LoggedRun {
  std::string name;
  std::vector<train::LogLine> lines;
};

/// A value of a kind of lines: "validation", "loss".
struct MetricName {
  std::string kind, name;
};

/// The steps and values of a metric in a run.
struct Logged {
  std::vector<double> steps, values;
  [[nodiscard]] bool empty() const { return values.empty(); }
};

Logged values_of(const LoggedRun& run, const MetricName& metric) {
  Logged out;
  for (const train::LogLine& line : run.lines) {
    if (line.kind != metric.kind) continue;
    for (const auto& [name, value] : line.values) {
      if (name != metric.name) continue;
      out.steps.push_back(static_cast<double>(line.step));
      out.values.push_back(value);
    }
  }
  return out;
}

bool larger_is_better(const std::string& name) {
  static constexpr std::string_view kParts[] = {"acc", "f1", "auc", "precision", "recall", "top", "reward", "score"};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

/// The position of the best value; none if all are NaN.
std::optional<std::size_t> best_of(const Logged& logged, const std::string& name) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < logged.values.size(); ++i) {
    const double v = logged.values[i];
    if (std::isnan(v)) continue;
    if (!best || (larger_is_better(name) ? v > logged.values[*best] : v < logged.values[*best])) best = i;
  }
  return best;
}

std::int64_t last_step(const LoggedRun& run) {
  std::int64_t last = 0;
  for (const train::LogLine& line : run.lines) last = std::max(last, line.step);
  return last;
}

double seconds_of(const LoggedRun& run) {
  return run.lines.empty() ? 0 : std::max(run.lines.back().time - run.lines.front().time, 0.0);
}

/// A name of a folder or a file for a terminal: without control characters.
std::string name_on_terminal(const std::string& name) {
  std::string out = RunsJson(name).dump(-1, ' ', false, RunsJson::error_handler_t::replace);
  out = out.substr(1, out.size() - 2);
  std::ranges::replace(out, '\x7F', '?');
  return out;
}

std::size_t characters_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string number_on_terminal(double v) {
  const double size = std::abs(v);
  return !std::isfinite(v) || (size >= 1e-3 && size < 1e6) || v == 0 ? fmt::format("{:.4f}", v)
                                                                     : fmt::format("{:.3e}", v);
}

/// All folders with a log at and below `folder`, by name. Logs that cannot be read are named on standard error.
std::vector<LoggedRun> runs_below(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw Error(ErrorKind::kIo, fmt::format("runs: there is no folder '{}'.", folder.string()));
  }
  std::set<fs::path> found;
  const auto check = [&](const fs::path& path) {
    std::error_code ignored;
    if (fs::is_regular_file(path / "log.jsonl", ignored)) found.insert(path);
  };
  check(folder);
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored)) check(it->path());
  }
  std::vector<LoggedRun> out;
  for (const fs::path& path : found) {
    const fs::path inside = path == folder ? fs::absolute(folder).lexically_normal() : fs::relative(path, folder);
    const fs::path last = inside.has_filename() ? inside : inside.parent_path();
    try {
      out.push_back({path == folder ? last.filename().string() : inside.string(), train::read_log(path)});
    } catch (const Error& e) {
      fmt::print(stderr, "tessera: {}\n", e.what());
    }
  }
  if (out.empty()) {
    throw Error(ErrorKind::kValue,
                fmt::format("runs: '{}' has no run; a folder with a log.jsonl is expected, which the Trainer and "
                            "`tessera train .. --out DIR` write.",
                            folder.string()));
  }
  return out;
}

/// All metrics of the runs, in the order in which they appear.
std::vector<MetricName> metrics_of(const std::vector<LoggedRun>& runs) {
  std::vector<MetricName> out;
  std::set<std::pair<std::string, std::string>> seen;
  for (const LoggedRun& run : runs) {
    for (const train::LogLine& line : run.lines) {
      for (const auto& [name, value] : line.values) {
        if (seen.emplace(line.kind, name).second) out.push_back({line.kind, name});
      }
    }
  }
  return out;
}

/// The metrics that an option means: those of that name, validation first.
std::vector<MetricName> chosen_metrics(const std::vector<MetricName>& all, const std::string& wanted) {
  std::vector<MetricName> out;
  const std::string name = wanted.empty() ? "loss" : wanted;
  for (const MetricName& m : all) {
    if (m.name != name && m.kind + "/" + m.name != name) continue;
    out.insert(m.kind == "validation" ? out.begin() : out.end(), m);
  }
  if (out.empty() && wanted.empty()) {
    std::ranges::copy_if(all, std::back_inserter(out), [](const MetricName& m) { return m.kind == "validation"; });
    if (out.empty()) out = all;
    if (out.size() > 1) out.resize(1);
  }
  if (out.empty() && !wanted.empty()) {
    std::vector<std::string> names;
    for (const MetricName& m : all) names.push_back(m.kind + "/" + m.name);
    throw Error(ErrorKind::kValue,
                fmt::format("runs: no run has a value '{}'; the values are {}.", wanted, fmt::join(names, ", ")));
  }
  return out;
}

// ---- Output ----

using Rows = std::vector<std::vector<std::string>>;  // the first one has the titles

void print_table(const Rows& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters_of(row[i]));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string space(widths[i] - characters_of(rows[r][i]), ' ');
      line += (i > 0 ? "  " : "") + (i == 0 ? rows[r][i] + space : space + rows[r][i]);
    }
    fmt::print("{}\n", r == 0 ? styled(Style::kBold, line) : line);
  }
}

Rows table_of(const std::vector<LoggedRun>& runs, const std::vector<MetricName>& columns) {
  Rows rows{{"run", "steps", "time", "train loss"}};
  for (const MetricName& m : columns) {
    rows[0].push_back(fmt::format("best {}", name_on_terminal(m.name)));
    rows[0].emplace_back("at step");
    rows[0].push_back(fmt::format("last {}", name_on_terminal(m.name)));
  }
  for (const LoggedRun& run : runs) {
    const Logged loss = values_of(run, {"train", "loss"});
    std::string name = name_on_terminal(run.name);
    while (characters_of(name) > kNameShown) name.erase(0, 1);
    rows.push_back({name, std::to_string(last_step(run)), time_text(seconds_of(run)),
                    loss.empty() ? "-" : number_on_terminal(loss.values.back())});
    for (const MetricName& m : columns) {
      const Logged logged = values_of(run, m);
      const std::optional<std::size_t> best = best_of(logged, m.name);
      rows.back().push_back(best ? number_on_terminal(logged.values[*best]) : "-");
      rows.back().push_back(best ? fmt::format("{:.0f}", logged.steps[*best]) : "-");
      rows.back().push_back(logged.empty() ? "-" : number_on_terminal(logged.values.back()));
    }
  }
  return rows;
}

RunsJson json_number(double v) {
  if (std::isfinite(v)) return v;
  return std::isnan(v) ? "NaN" : v > 0 ? "Infinity" : "-Infinity";
}

RunsJson json_of_run(const LoggedRun& run) {
  RunsJson out{{"run", run.name}, {"steps", last_step(run)}, {"seconds", seconds_of(run)}};
  for (const MetricName& m : metrics_of({run})) {
    const Logged logged = values_of(run, m);
    RunsJson value{{"last", json_number(logged.values.back())}};
    if (const std::optional<std::size_t> best = best_of(logged, m.name)) {
      value["best"] = json_number(logged.values[*best]);
      value["best_step"] = static_cast<std::int64_t>(logged.steps[*best]);
    }
    out["values"][m.kind][m.name] = value;
  }
  return out;
}

void write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw Error(ErrorKind::kIo, fmt::format("runs: '{}' cannot be written.", file));
}

/// One run: its metric in training and validation. Several: the metric of each.
std::vector<train::Curve> curves_of(const std::vector<LoggedRun>& runs, const std::vector<MetricName>& metrics) {
  std::vector<train::Curve> out;
  for (const LoggedRun& run : runs) {
    for (const MetricName& m : metrics) {
      Logged logged = values_of(run, m);
      if (logged.empty()) continue;
      out.push_back({runs.size() == 1 ? m.kind : run.name, std::move(logged.steps), std::move(logged.values)});
      if (runs.size() > 1) break;
    }
  }
  return out;
}

}  // namespace

int runs(const RunsOptions& o) {
  const std::vector<LoggedRun> runs = runs_below(o.folder);
  const std::vector<MetricName> all = metrics_of(runs);
  const std::vector<MetricName> metrics = chosen_metrics(all, o.metric);
  if (!o.json.empty()) {
    std::string text;
    for (const LoggedRun& run : runs) {
      text += json_of_run(run).dump(-1, ' ', false, RunsJson::error_handler_t::replace) + "\n";
    }
    if (o.json == "-") {
      fmt::print("{}", text);
    } else {
      write_text(o.json, text);
    }
  }
  const std::string name = metrics.empty() ? "" : metrics[0].name;
  const std::vector<train::Curve> curves = curves_of(runs, metrics);
  train::PlotOptions plot{.title = runs.size() == 1  ? runs[0].name
                                   : metrics.empty() ? ""
                                                     : fmt::format("{} {}", metrics[0].kind, name),
                          .y_label = runs.size() == 1 ? name : "",
                          .log_y = o.log};
  if (!o.svg.empty()) write_text(o.svg, train::plot_svg(curves, plot));
  if (o.json == "-") return 0;

  std::vector<MetricName> columns;
  if (o.metric.empty()) {
    std::ranges::copy_if(all, std::back_inserter(columns), [](const MetricName& m) { return m.kind == "validation"; });
    if (columns.size() > kMetricsShown) columns.resize(kMetricsShown);
  } else {
    columns = {metrics[0]};
  }
  print_table(table_of(runs, columns));
  if (curves.empty()) return 0;
  plot.color = writes_to_terminal() && std::getenv("NO_COLOR") == nullptr;
  fmt::print("\n{}", train::plot_text(curves, plot));
  return 0;
}

}  // namespace tessera::app
