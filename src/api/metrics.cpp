// Counters as a struct, as JSON and as Prometheus text, all from one table that lists them.
#include "tessera/metrics.h"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include <fmt/format.h>

#include "runtime/device.h"
#include "runtime/placement/placement.h"

namespace tessera {

namespace {

/// A counter only grows; a gauge goes up and down.
enum class Type : std::uint8_t { kCounter, kGauge };

/// The counters of a device, by part.
struct Sources : runtime::PlanStats, runtime::CompileStats, runtime::SubmitStats {
  const runtime::Counters* counters = nullptr;
  std::uint64_t placed_on_host = 0;
  std::uint64_t placed_on_device = 0;
};

struct Row {
  const char* name;
  const char* help;
  Type type;
  double scale;  // to the unit of the name
  std::string (*text)(const Statistics& s, double scale);
  void (*fill)(Statistics& s, const Sources& from);  // null: Device::memory_stats() has filled it
};

/// A number in the format of JSON and Prometheus: an integer if the counter is one.
template <auto kMember>
std::string text_of(const Statistics& s, double scale) {
  const auto value = [&] {
    if constexpr (requires { s.*kMember; }) {
      return s.*kMember;
    } else {
      return s.memory.*kMember;
    }
  }();
  if constexpr (std::is_same_v<decltype(value), const double>) return fmt::format("{}", value * scale);
  return fmt::format("{}", value);
}

template <auto kMember, auto kSource>
void fill(Statistics& s, const Sources& from) {
  if constexpr (requires { from.*kSource; }) {
    s.*kMember = from.*kSource;
  } else {
    s.*kMember = (from.counters->*kSource).load(std::memory_order_relaxed);
  }
}

/// A field of MemoryStats.
template <auto kMember>
constexpr Row row(const char* name, const char* help, Type type) {
  return {name, help, type, 1, text_of<kMember>, nullptr};
}
/// A field of Statistics, and where it comes from.
template <auto kMember, auto kSource>
constexpr Row row(const char* name, const char* help, Type type, double scale = 1) {
  return {name, help, type, scale, text_of<kMember>, fill<kMember, kSource>};
}

constexpr Row kRows[] = {
    row<&MemoryStats::allocated>("memory_allocated_bytes", "Bytes in buffers, in use or kept for reuse.", Type::kGauge),
    row<&MemoryStats::in_use>("memory_in_use_bytes", "Bytes in buffers that are in use.", Type::kGauge),
    row<&MemoryStats::peak>("memory_peak_bytes", "The most bytes that were in use.", Type::kGauge),
    row<&MemoryStats::hits>("pool_hits", "Allocations served from the pool.", Type::kCounter),
    row<&MemoryStats::misses>("pool_misses", "Allocations that made a new buffer.", Type::kCounter),
    row<&Statistics::plans, &runtime::PlanStats::plans>("plans", "Plans in the cache.", Type::kGauge),
    row<&Statistics::plan_hits, &runtime::PlanStats::hits>("plan_hits", "Evaluations that found their plan.",
                                                           Type::kCounter),
    row<&Statistics::plan_misses, &runtime::PlanStats::misses>("plan_misses", "Evaluations that made a plan.",
                                                               Type::kCounter),
    row<&Statistics::pipelines, &runtime::CompileStats::pipelines>("pipelines", "Compiled kernels in the cache.",
                                                                   Type::kGauge),
    row<&Statistics::pipeline_hits, &runtime::CompileStats::hits>("pipeline_hits", "Kernels found compiled.",
                                                                  Type::kCounter),
    row<&Statistics::pipeline_misses, &runtime::CompileStats::misses>("pipeline_misses", "Kernels that were compiled.",
                                                                      Type::kCounter),
    row<&Statistics::compile_ms, &runtime::CompileStats::compile_ms>("compile_seconds", "Time spent compiling kernels.",
                                                                     Type::kCounter, 1e-3),
    row<&Statistics::submissions, &runtime::SubmitStats::submissions>("submissions", "Submissions to the device.",
                                                                      Type::kCounter),
    row<&Statistics::dispatches, &runtime::SubmitStats::dispatches>("dispatches", "Kernels run.", Type::kCounter),
    row<&Statistics::provider_ms, &runtime::SubmitStats::provider_ms>(
        "provider_seconds", "Host time inside the WebGPU library while submitting.", Type::kCounter, 1e-3),
    row<&Statistics::in_flight, &runtime::SubmitStats::in_flight>(
        "in_flight", "Submissions not known to have finished.", Type::kGauge),
    row<&Statistics::throttled, &runtime::SubmitStats::throttled>(
        "throttled", "Submissions that waited for max_in_flight.", Type::kCounter),
    row<&Statistics::bind_groups, &runtime::SubmitStats::bind_groups>("bind_groups", "Bind groups in the cache.",
                                                                      Type::kGauge),
    row<&Statistics::bind_group_hits, &runtime::SubmitStats::bind_group_hits>("bind_group_hits", "Bind groups found.",
                                                                              Type::kCounter),
    row<&Statistics::bind_group_misses, &runtime::SubmitStats::bind_group_misses>("bind_group_misses",
                                                                                  "Bind groups made.", Type::kCounter),
    row<&Statistics::param_writes, &runtime::SubmitStats::param_writes>(
        "param_writes", "Submissions that wrote their parameters.", Type::kCounter),
    row<&Statistics::placed_on_host, &Sources::placed_on_host>(
        "placed_on_host", "Graphs run on the host that the device could have run.", Type::kCounter),
    row<&Statistics::placed_on_device, &Sources::placed_on_device>(
        "placed_on_device", "Graphs run on the device that the host could have run.", Type::kCounter),
    row<&Statistics::waits, &runtime::Counters::waits>("waits", "Times that a thread waited for the device.",
                                                       Type::kCounter),
    row<&Statistics::uploads, &runtime::Counters::uploads>("uploads", "Copies from the host to the device.",
                                                           Type::kCounter),
    row<&Statistics::uploaded_bytes, &runtime::Counters::uploaded_bytes>("uploaded_bytes",
                                                                         "Bytes copied to the device.", Type::kCounter),
    row<&Statistics::downloads, &runtime::Counters::downloads>("downloads", "Copies from the device to the host.",
                                                               Type::kCounter),
    row<&Statistics::downloaded_bytes, &runtime::Counters::downloaded_bytes>(
        "downloaded_bytes", "Bytes copied from the device.", Type::kCounter),
};
constexpr const char* kErrorsHelp = "Evaluations, reads and waits that failed or were cancelled, by kind.";

/// A string escaped for JSON, which has no raw control characters; bytes past ASCII need not be UTF-8.
std::string json_escaped(const std::string& text) {
  std::string out;
  for (const unsigned char c : text) {
    if (c == '\\' || c == '"') {
      out += {'\\', static_cast<char>(c)};
    } else if (c < 0x20 || c > 0x7e) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

/// The same for Prometheus.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string labels_of(const DeviceMetrics& device) {
  return fmt::format("device=\"{}\",serial=\"{}\"", escaped(device.info.id), device.serial);
}

std::string header(const std::string& name, const char* help, Type type) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type == Type::kCounter ? "counter" : "gauge");
}

}  // namespace

Statistics statistics(const Device& device) {
  runtime::Device& counting = *device.impl();
  Sources from{counting.plans().stats(), counting.compile_stats(), counting.submit_stats(), &counting.counters()};
  if (const runtime::Placer* placer = counting.placer()) {
    from.placed_on_host = placer->on_host_count();
    from.placed_on_device = placer->on_device_count();
  }
  Statistics s;
  s.memory = device.memory_stats();
  for (const Row& row : kRows) {
    if (row.fill != nullptr) row.fill(s, from);
  }
  std::ranges::copy(from.counters->errors, s.errors.begin());
  return s;
}

Metrics metrics() {
  Metrics out;
  for (const auto& device : runtime::live_devices()) {
    out.devices.push_back({device->serial(), device->info(), statistics(Device(device))});
  }
  return out;
}

std::string Metrics::json() const {
  std::string out = "{\"devices\": [";
  for (const DeviceMetrics& device : devices) {
    out += fmt::format("{}\n  {{\"device\": \"{}\", \"serial\": {}, \"name\": \"{}\", \"backend\": \"{}\"",
                       &device == devices.data() ? "" : ",", json_escaped(device.info.id), device.serial,
                       json_escaped(device.info.name), json_escaped(device.info.backend));
    for (const Row& row : kRows)
      out += fmt::format(",\n   \"{}\": {}", row.name, row.text(device.statistics, row.scale));
    out += ",\n   \"errors\": {";
    for (std::size_t kind = 0; kind < kErrorKinds; ++kind) {
      out += fmt::format("{}\"{}\": {}", kind == 0 ? "" : ", ", name(static_cast<ErrorKind>(kind)),
                         device.statistics.errors[kind]);
    }
    out += "}}";
  }
  return out + "]}\n";
}

std::string Metrics::prometheus() const {
  std::string out;
  if (devices.empty()) return out;
  out += header("tessera_device_info", "The devices that are alive.", Type::kGauge);
  for (const DeviceMetrics& device : devices) {
    out += fmt::format("tessera_device_info{{{},name=\"{}\",backend=\"{}\"}} 1\n", labels_of(device),
                       escaped(device.info.name), escaped(device.info.backend));
  }
  for (const Row& row : kRows) {
    const std::string full = fmt::format("tessera_{}{}", row.name, row.type == Type::kCounter ? "_total" : "");
    out += header(full, row.help, row.type);
    for (const DeviceMetrics& device : devices) {
      out += fmt::format("{}{{{}}} {}\n", full, labels_of(device), row.text(device.statistics, row.scale));
    }
  }
  out += header("tessera_errors_total", kErrorsHelp, Type::kCounter);
  for (const DeviceMetrics& device : devices) {
    for (std::size_t kind = 0; kind < kErrorKinds; ++kind) {
      out += fmt::format("tessera_errors_total{{{},kind=\"{}\"}} {}\n", labels_of(device),
                         name(static_cast<ErrorKind>(kind)), device.statistics.errors[kind]);
    }
  }
  return out;
}

}  // namespace tessera
