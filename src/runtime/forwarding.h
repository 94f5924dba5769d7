// A device that forwards all calls to an inner device, which may be replaced.
#pragma once

#include "runtime/device.h"

namespace tessera::runtime {

/// Derived classes override what differs. Pool, plans and placement belong to this device.
template <class Base = Device>
class Forwarding : public Base {
 public:
  using Base::Base;

  std::unique_ptr<Buffer> create_buffer(std::size_t bytes) override { return target()->create_buffer(bytes); }
  void upload(Buffer& to, std::size_t offset, std::span<const std::byte> from) override {
    target()->upload(to, offset, from);
  }
  void download(std::vector<Read> reads, Done done) override { target()->download(std::move(reads), std::move(done)); }
  std::shared_ptr<const Executable> compile(const Kernel& kernel, const Binding& binding) override {
    return target()->compile(kernel, binding);
  }
  void grid(const Executable& executable, const Binding& binding, std::uint32_t out[3]) const override {
    target()->grid(executable, binding, out);
  }
  void submit(const Submission& submission) override { target()->submit(submission); }
  void when_room(Done go) override { target()->when_room(std::move(go)); }
  void on_done(Done done) override { target()->on_done(std::move(done)); }
  void wait() override { target()->wait(); }
  [[nodiscard]] bool can_wait() const override { return target()->can_wait(); }
  void poll() override { target()->poll(); }
  [[nodiscard]] bool is_available() const override { return target()->is_available(); }
  [[nodiscard]] CompileStats compile_stats() const override { return target()->compile_stats(); }
  [[nodiscard]] SubmitStats submit_stats() const override { return target()->submit_stats(); }
  void set_profiling(bool on) override { target()->set_profiling(on); }
  std::vector<KernelTime> times() override { return target()->times(); }

 protected:
  [[nodiscard]] virtual std::shared_ptr<Base> target() const = 0;
};

}  // namespace tessera::runtime
