// The measurement of a thread, and the innermost timer of it.
#include "base/pass_timer.h"

#include <algorithm>
#include <utility>

namespace tessera {

namespace {

thread_local PassTimes* measured = nullptr;
thread_local PassTimer* innermost = nullptr;

}  // namespace

void PassTimes::add(std::string_view name, double ms) {
  const auto it = std::ranges::find(passes, name, &Pass::name);
  if (it != passes.end()) {
    it->ms += ms;
  } else {
    passes.push_back({name, ms});
  }
}

void PassTimes::add(const PassTimes& more) {
  nodes += more.nodes;
  for (const Pass& pass : more.passes) add(pass.name, pass.ms);
}

MeasurePasses::MeasurePasses(PassTimes* times) : outer_(std::exchange(measured, times)) {}

MeasurePasses::~MeasurePasses() { measured = outer_; }

void MeasurePasses::count_nodes(std::uint64_t nodes) {
  if (measured != nullptr) measured->nodes += nodes;
}

PassTimer::PassTimer(std::string_view name) : name_(name), times_(measured) {
  if (times_ == nullptr) return;
  outer_ = std::exchange(innermost, this);
  start_ = std::chrono::steady_clock::now();
}

PassTimer::~PassTimer() {
  if (times_ == nullptr) return;
  const auto whole = std::chrono::steady_clock::now() - start_;
  times_->add(name_, std::chrono::duration<double, std::milli>(whole - inside_).count());
  innermost = outer_;
  if (outer_ != nullptr) outer_->inside_ += whole;
}

}  // namespace tessera
