// Counters as a struct, as JSON and as Prometheus text, all from one table.
#include "tessera/metrics.h"

#include <variant>

#include <fmt/format.h>

#include "runtime/device.h"

namespace tessera {

namespace {

using Member = std::variant<std::uint64_t Statistics::*, double Statistics::*, std::uint64_t MemoryStats::*>;

/// A counter only grows; a gauge goes up and down.
enum class Type : std::uint8_t { kCounter, kGauge };

struct Row {
  const char* name;
  const char* help;
  Type type;
  Member member;
  double scale = 1;  // to the unit that the name says
};

constexpr Row kRows[] = {
    {"memory_allocated_bytes", "Bytes in buffers, in use or kept for reuse.", Type::kGauge, &MemoryStats::allocated},
    {"memory_in_use_bytes", "Bytes in buffers that are in use.", Type::kGauge, &MemoryStats::in_use},
    {"memory_peak_bytes", "The most bytes that were in use.", Type::kGauge, &MemoryStats::peak},
    {"pool_hits", "Allocations served from the pool.", Type::kCounter, &MemoryStats::hits},
    {"pool_misses", "Allocations that made a new buffer.", Type::kCounter, &MemoryStats::misses},
    {"plans", "Plans in the cache.", Type::kGauge, &Statistics::plans},
    {"plan_hits", "Evaluations that found their plan.", Type::kCounter, &Statistics::plan_hits},
    {"plan_misses", "Evaluations that made a plan.", Type::kCounter, &Statistics::plan_misses},
    {"pipelines", "Compiled kernels in the cache.", Type::kGauge, &Statistics::pipelines},
    {"pipeline_hits", "Kernels found compiled.", Type::kCounter, &Statistics::pipeline_hits},
    {"pipeline_misses", "Kernels that were compiled.", Type::kCounter, &Statistics::pipeline_misses},
    {"compile_seconds", "Time spent compiling kernels.", Type::kCounter, &Statistics::compile_ms, 1e-3},
    {"submissions", "Submissions to the device.", Type::kCounter, &Statistics::submissions},
    {"dispatches", "Kernels run.", Type::kCounter, &Statistics::dispatches},
    {"provider_seconds", "Host time inside the WebGPU library while submitting.", Type::kCounter,
     &Statistics::provider_ms, 1e-3},
    {"in_flight", "Submissions not known to have finished.", Type::kGauge, &Statistics::in_flight},
    {"throttled", "Submissions that waited for max_in_flight.", Type::kCounter, &Statistics::throttled},
    {"bind_groups", "Bind groups in the cache.", Type::kGauge, &Statistics::bind_groups},
    {"bind_group_hits", "Bind groups found.", Type::kCounter, &Statistics::bind_group_hits},
    {"bind_group_misses", "Bind groups made.", Type::kCounter, &Statistics::bind_group_misses},
    {"param_writes", "Submissions whose parameters were written anew.", Type::kCounter, &Statistics::param_writes},
    {"placed_on_host", "Graphs run on the host that the device could have run.", Type::kCounter,
     &Statistics::placed_on_host},
    {"placed_on_device", "Graphs run on the device that the host could have run.", Type::kCounter,
     &Statistics::placed_on_device},
    {"waits", "Times that a thread waited for the device.", Type::kCounter, &Statistics::waits},
    {"uploads", "Copies from the host to the device.", Type::kCounter, &Statistics::uploads},
    {"uploaded_bytes", "Bytes copied to the device.", Type::kCounter, &Statistics::uploaded_bytes},
    {"downloads", "Copies from the device to the host.", Type::kCounter, &Statistics::downloads},
    {"downloaded_bytes", "Bytes copied from the device.", Type::kCounter, &Statistics::downloaded_bytes},
};
constexpr const char* kErrorsHelp = "Evaluations, reads and waits that failed or were cancelled, by kind.";

/// A number as JSON and Prometheus both write it: whole where the counter is.
std::string value_of(const Row& row, const Statistics& s) {
  if (const auto* m = std::get_if<double Statistics::*>(&row.member)) return fmt::format("{}", s.*(*m) * row.scale);
  if (const auto* m = std::get_if<std::uint64_t MemoryStats::*>(&row.member)) return fmt::format("{}", s.memory.*(*m));
  return fmt::format("{}", s.*std::get<std::uint64_t Statistics::*>(row.member));
}

/// The inside of a string in quotes. JSON has no raw control characters, and bytes past ASCII need not be UTF-8.
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

/// The same as Prometheus wants it.
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
    for (const Row& row : kRows) out += fmt::format(",\n   \"{}\": {}", row.name, value_of(row, device.statistics));
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
      out += fmt::format("{}{{{}}} {}\n", full, labels_of(device), value_of(row, device.statistics));
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
