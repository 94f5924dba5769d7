// What a page can look at: the kernels that tensors would take, and what a profiler measured, as JSON.
#include <map>
#include <memory>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>
#include <tessera/explain.h>
#include <tessera/profile.h>

#include "guarded.h"
#include "handles.h"
#include "module.h"

using Json = nlohmann::json;

namespace tessera::web {

namespace {

struct Profile {
  Statistics before;
  std::unique_ptr<Profiler> profiler;
  Device device;
};
std::map<std::int32_t, Profile>& profiles() {
  static auto& all = *new std::map<std::int32_t, Profile>;
  return all;
}

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json report(Profile& profile) {
  Json kernels = Json::array();
  for (const KernelRecord& r : profile.profiler->records()) {
    kernels.push_back({{"label", r.label},
                       {"startUs", r.start_us},
                       {"durationUs", r.duration_us},  // null where it is NaN
                       {"bytes", r.bytes},
                       {"bytesWritten", r.written},
                       {"flops", r.flops}});
  }
  const PeakRecord& most = profile.profiler->peak();
  Json holders = Json::array();
  for (const PeakRecord::Holder& h : most.holders) holders.push_back({{"what", h.what}, {"bytes", h.bytes}});
  const Statistics now = statistics(profile.device);
  const Statistics& before = profile.before;
  return {{"kernels", kernels},
          {"peak", {{"bytes", most.bytes}, {"kernel", most.kernel}, {"holders", holders}}},
          {"submissions", now.submissions - before.submissions},
          {"dispatches", now.dispatches - before.dispatches},
          {"plansMade", now.plan_misses - before.plan_misses},
          {"pipelinesMade", now.pipeline_misses - before.pipeline_misses},
          {"uploads", now.uploads - before.uploads},
          {"uploadedBytes", now.uploaded_bytes - before.uploaded_bytes},
          {"downloads", now.downloads - before.downloads},
          {"downloadedBytes", now.downloaded_bytes - before.downloaded_bytes}};
}

}  // namespace

extern "C" {

/// The graph and the kernels that the tensors' values still need; null where that failed. To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_explain(const std::int32_t* tensors, std::int32_t count) {
  return guarded_text([&] {
    const Explanation found = explain(tensors_of({tensors, static_cast<std::size_t>(count)}));
    Json kernels = Json::array();
    for (const KernelText& k : found.kernels) {
      kernels.push_back({{"label", k.label}, {"kind", k.kind}, {"ops", k.ops}, {"text", k.text}, {"wgsl", k.wgsl}});
    }
    return to_text({{"graph", found.graph}, {"kernels", kernels}});
  });
}

/// Begins to measure; the number of the profile.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_profile_start() {
  try {
    static std::int32_t next = 1;
    const Device& device = main_device();
    profiles().emplace(next, Profile{statistics(device), std::make_unique<Profiler>(device), device});
    return next++;
  } catch (...) {
    keep_error(std::current_exception());
    return -1;
  }
}

/// Ends it; the promise is settled with the report as JSON when all that was submitted has finished.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_profile_stop(std::int32_t number, std::int32_t promise) {
  const auto found = std::make_shared<Profile>(std::move(profiles().at(number)));
  profiles().erase(number);
  try {
    found->profiler->on_measured([found, promise](const std::exception_ptr& failure) {
      std::string text;
      bool ok = failure == nullptr;
      try {
        if (ok) text = to_text(report(*found));
      } catch (...) {
        ok = false;
        keep_error(std::current_exception());
      }
      if (failure != nullptr) keep_error(failure);
      found->profiler.reset();
      const auto size = static_cast<double>(text.size());
      tessera_js_piece(promise, 0, size, 0, text.data(), 0, 0, size);
      tessera_js_read(promise, ok ? 1 : 0);
    });
    return 0;
  } catch (...) {
    keep_error(std::current_exception());
    return -1;
  }
}
}

}  // namespace tessera::web
