// A device on which tests choose the shapes that matmuls run with.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/forwarding.h"
#include "runtime/webgpu/webgpu_device.h"

namespace tessera::test {

/// Leaves all work to a WebGPU device, but runs each product with one of its candidates. `info` says what it pretends
/// to be: the other's, with less.
class ChoosingDevice final : public runtime::Forwarding<> {
 public:
  ChoosingDevice(std::shared_ptr<runtime::WebGpuDevice> inner, const DeviceInfo& info)
      : Forwarding(info, inner->config()), inner_(std::move(inner)) {}

  /// From now on the n-th candidate of each product, its last where it has fewer. Of those for matrix units only the
  /// ones in which a subgroup has at most `results`.
  void choose(std::size_t n, std::uint32_t results) { start({.number = n, .turning = false, .results = results}); }
  /// From now on another candidate for each product in turn, of those for matrix units where there are any.
  void choose_in_turn(std::uint32_t results) { start({.number = 0, .turning = true, .results = results}); }
  /// Candidates of the product that had most of them since the choice.
  [[nodiscard]] std::size_t most() const { return most_; }
  /// What ran since the choice.
  [[nodiscard]] const std::vector<codegen::MatmulShape>& shapes() const { return shapes_; }

  std::shared_ptr<const runtime::Executable> compile(const Kernel& kernel, const Binding& binding) override;
  void grid(const runtime::Executable& executable, const Binding& binding, std::uint32_t out[3]) const override;

 protected:
  [[nodiscard]] std::shared_ptr<runtime::Device> target() const override { return inner_; }

 private:
  struct Choice {
    std::size_t number = 0;
    bool turning = false;
    std::uint32_t results = UINT32_MAX;
  };
  void start(const Choice& choice) {
    choice_ = choice;
    most_ = 0;
    shapes_.clear();
  }
  struct Made {
    std::shared_ptr<const runtime::Executable> executable;
    Kernel kernel;
    Variant variant;
  };

  std::shared_ptr<runtime::WebGpuDevice> inner_;
  Choice choice_;
  std::size_t turn_ = 0;
  std::size_t most_ = 0;
  std::vector<codegen::MatmulShape> shapes_;
  std::map<std::string, Made> made_;
  std::unordered_map<const runtime::Executable*, const Made*> by_executable_;
};

}  // namespace tessera::test
