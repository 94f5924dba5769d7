// Kernel times as a table and as a trace.
#include "tessera/profile.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/profiling.h"
#include "base/call_back.h"
#include "base/fail.h"
#include "runtime/device.h"
#include "runtime/memory/peaks.h"
#include "runtime/placement/placement.h"
#include "runtime/planning.h"
#include "runtime/registry.h"

namespace tessera {

namespace {

using Clock = std::chrono::steady_clock;

/// The devices that have profilers, each with the spans since they were last taken.
struct Profiled {
  struct Span {
    std::string track, label;
    Clock::time_point begin, end;
  };
  struct Entry {
    int profilers = 0;
    Clock::time_point start;
    std::vector<Span> spans;
  };
  std::mutex mutex;
  std::map<const runtime::Device*, Entry> devices;
  std::atomic<int> count = 0;  // of all profilers
};
Profiled& profiled() {
  static auto& all = *new Profiled;
  return all;
}
void count_profiler(const runtime::Device* device, int by) {
  const std::lock_guard lock(profiled().mutex);
  const auto it = profiled().devices.try_emplace(device, Profiled::Entry{0, Clock::now(), {}}).first;
  it->second.profilers += by;
  profiled().count += by;
  if (it->second.profilers == 0) profiled().devices.erase(it);
}

void set_profiling(const Device& device, bool on) {
  runtime::watch_peaks(*device.impl(), on);
  runtime::watch_planning(*device.impl(), on);
  device.impl()->set_profiling(on);
  if (runtime::Placer* placer = device.impl()->placer()) {
    placer->set_recording(on);
    runtime::host_device()->set_profiling(on);
  }
}

}  // namespace

bool is_profiled(const runtime::Device& device) {
  if (profiled().count.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard lock(profiled().mutex);
  return profiled().devices.contains(&device);
}

Profiler::Profiler(Device device) : device_(std::move(device)) {
  if (device_.impl() == nullptr || device_.impl()->can_wait()) device_.synchronize();
  count_profiler(device_.impl().get(), 1);
  set_profiling(device_, true);
}

Profiler::~Profiler() {
  count_profiler(device_.impl().get(), -1);
  try {
    set_profiling(device_, false);
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a lost device has nothing to switch off
  }
}

void Profiler::on_measured(std::function<void(std::exception_ptr)> done) {
  device_.impl()->on_done([done = std::move(done)](std::exception_ptr error) { call_back(done, std::move(error)); });
}

const std::vector<KernelRecord>& Profiler::records() {
  if (device_.impl()->can_wait()) device_.synchronize();
  const auto take = [&](runtime::Device& from) {
    for (runtime::KernelTime& t : from.times()) {
      records_.push_back({std::move(t.label), t.start_us, t.duration_us, t.bytes, t.written, t.flops, from.info().id});
    }
  };
  take(*device_.impl());
  if (device_.impl()->placer() != nullptr) take(*runtime::host_device());
  return records_;
}

const std::vector<SpanRecord>& Profiler::spans() {
  const std::lock_guard lock(profiled().mutex);
  Profiled::Entry& entry = profiled().devices.at(device_.impl().get());
  const auto us = [](Clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); };
  for (Profiled::Span& s : entry.spans) {
    spans_.push_back({std::move(s.track), std::move(s.label), us(s.begin - entry.start), us(s.end - s.begin)});
  }
  entry.spans.clear();
  return spans_;
}

HostSpan::HostSpan(const Device& device, std::string_view track, std::string_view label, std::int64_t number) {
  if (device.impl() == nullptr || !is_profiled(*device.impl())) return;
  try {
    track_ = track;
    label_ = number < 0 ? std::string(label) : fmt::format("{} {}", label, number);
    device_ = device;
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): a trace without it
  }
  begin_ = Clock::now();
}

HostSpan::~HostSpan() {
  if (device_.impl() == nullptr) return;
  const Clock::time_point end = Clock::now();
  const std::lock_guard lock(profiled().mutex);
  const auto it = profiled().devices.find(device_.impl().get());
  if (it == profiled().devices.end()) return;  // its profiler is gone
  try {
    it->second.spans.push_back({std::move(track_), std::move(label_), begin_, end});
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): a trace without it
  }
}

const std::vector<PlacementRecord>& Profiler::placements() {
  if (runtime::Placer* placer = device_.impl()->placer()) {
    for (runtime::PlacementDecision& d : placer->take_decisions())
      placements_.push_back({std::move(d.what), d.on_host, d.host_us, d.device_us});
  }
  return placements_;
}

const PeakRecord& Profiler::peak() {
  if (std::optional<runtime::Peak> most = runtime::take_peak(*device_.impl()); most && most->bytes > peak_.bytes) {
    peak_ = {most->bytes, std::move(most->kernel), {}};
    for (runtime::Peak::Holder& h : most->holders) peak_.holders.push_back({std::move(h.what), h.bytes});
  }
  return peak_;
}

const PlanningRecord& Profiler::planning() {
  const PassTimes more = runtime::take_planning(*device_.impl());
  planning_.nodes += more.nodes;
  for (const PassTimes::Pass& pass : more.passes) {
    auto it = std::ranges::find(planning_.passes, pass.name, &PlanningRecord::Pass::name);
    if (it == planning_.passes.end()) it = planning_.passes.insert(it, {std::string(pass.name), 0});
    it->ms += pass.ms;
  }
  return planning_;
}

std::string Profiler::table() {
  struct Row {
    std::uint64_t calls = 0, bytes = 0, flops = 0;
    double us = 0;
  };
  std::map<std::string, Row> rows;
  double total = 0;
  for (const KernelRecord& r : records()) {
    Row& row = rows[r.where == device_.info().id ? r.label : fmt::format("{} ({})", r.label, r.where)];
    ++row.calls;
    row.us += r.duration_us;
    row.bytes += r.bytes;
    row.flops += r.flops;
    total += r.duration_us;
  }
  std::vector<std::pair<std::string, Row>> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.us > b.second.us; });
  std::string out = fmt::format("{:<44} {:>7} {:>12} {:>10} {:>6} {:>9} {:>10}\n", "kernel", "calls", "total us",
                                "mean us", "%", "GB/s", "GFLOP/s");
  for (const auto& [label, r] : sorted) {
    const double us = std::max(r.us, 1e-9);
    out += fmt::format("{:<44.44} {:>7} {:>12.1f} {:>10.2f} {:>6.1f} {:>9.1f} {:>10.1f}\n", label, r.calls, r.us,
                       r.us / static_cast<double>(r.calls), 100 * r.us / std::max(total, 1e-9),
                       static_cast<double>(r.bytes) / us * 1e-3, static_cast<double>(r.flops) / us * 1e-3);
  }
  for (const PlacementRecord& p : placements()) {
    out += fmt::format("placed on the {:<6} {:<24} host {:.1f} us, device {:.1f} us predicted\n",
                       p.on_host ? "host" : "device", p.what, p.host_us, p.device_us);
  }
  if (const PeakRecord& p = peak(); p.bytes > 0) {
    constexpr std::size_t kShown = 4;
    out += fmt::format("peak {:.3f} MiB in {}, held by", static_cast<double>(p.bytes) / (1 << 20), p.kernel);
    for (std::size_t i = 0; i < std::min(kShown, p.holders.size()); ++i) {
      out += fmt::format("{} {} ({:.3f} MiB)", i > 0 ? "," : "", p.holders[i].what,
                         static_cast<double>(p.holders[i].bytes) / (1 << 20));
    }
    out += p.holders.size() > kShown ? fmt::format(" and {} more\n", p.holders.size() - kShown) : "\n";
  }
  return out;
}

void Profiler::write_trace(const std::string& path) {
  std::ofstream file(path);
  file << "{\"traceEvents\":[\n";
  const char* between = "";
  const auto event = [&](const std::string& text) {
    file << between << text;
    between = ",\n";
  };
  const auto quoted = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  };
  const auto name_row = [&](std::size_t row, const std::string& name) {
    event(fmt::format(R"({{"name":"thread_name","ph":"M","pid":1,"tid":{},"args":{{"name":{}}}}})", row, quoted(name)));
  };
  name_row(1, "kernels");
  for (const KernelRecord& r : records()) {
    event(
        fmt::format(R"({{"name":{},"ph":"X","pid":1,"tid":1,"ts":{:.3f},"dur":{:.3f},"args":{{"bytes":{},"written":{},)"
                    R"("flops":{}}}}})",
                    quoted(r.label), r.start_us, r.duration_us, r.bytes, r.written, r.flops));
  }
  std::map<std::string, std::size_t> rows;
  for (const SpanRecord& s : spans()) {
    const auto [row, added] = rows.try_emplace(s.track, rows.size() + 2);
    if (added) name_row(row->second, s.track);
    event(fmt::format(R"({{"name":{},"ph":"X","pid":1,"tid":{},"ts":{:.3f},"dur":{:.3f}}})", quoted(s.label),
                      row->second, s.start_us, s.duration_us));
  }
  file << "\n]}\n";
  file.flush();
  if (!file) fail(ErrorKind::kIo, "write_trace: the file {} cannot be written.", path);
}

}  // namespace tessera
