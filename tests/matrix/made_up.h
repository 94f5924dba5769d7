// Devices with matrix units that are not here, and the programs that the generator makes for them.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "codegen/program.h"
#include "schedule/support.h"

namespace tessera::test {

inline DeviceInfo made_up(std::uint32_t unit, std::uint32_t lanes, std::uint32_t memory, std::uint32_t threads) {
  DeviceInfo info = gpu_info();
  info.name = fmt::format("matrices of {}, subgroups of {}, {} bytes", unit, lanes, memory);
  info.matrices = {{unit, unit, unit, DType::kF16, DType::kF32}};
  info.limits.subgroup_min = info.limits.subgroup_max = lanes;
  info.limits.max_workgroup_memory = memory;
  info.limits.max_workgroup_size = threads;
  return info;
}

/// The same with sums of f16.
inline DeviceInfo with_half_sums(DeviceInfo info, bool matrices) {
  info.name += matrices ? ", sums of f16" : ", sums of f16 without matrices";
  info.half_sums = true;
  if (matrices) {
    info.matrices.push_back(info.matrices[0]);
    info.matrices.back().result = DType::kF16;
  } else {
    info.matrices.clear();
  }
  return info;
}

/// Like NVIDIA's, Apple's and AMD's, and with the least memory that WebGPU promises.
inline std::vector<DeviceInfo> made_up_devices() {
  return {made_up(16, 32, 49152, 1024),
          made_up(8, 32, 32768, 1024),
          made_up(16, 64, 65536, 1024),
          made_up(16, 32, 16384, 256),
          made_up(8, 32, 16384, 256),
          with_half_sums(made_up(16, 32, 49152, 1024), true),
          with_half_sums(made_up(8, 32, 16384, 256), true)};
}

struct MadeProgram {
  const DeviceInfo* device;
  Kernel kernel;
  Binding binding;
  codegen::MatmulShape shape;
  Program program;
};

/// Calls back with the program of every candidate of the products in these tensors.
class MadeUpTest : public NullTest {
 protected:
  static void each_program(const DeviceInfo& device, const std::vector<Tensor>& roots,
                           const std::function<void(const MadeProgram&)>& call) {
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    const Graph graph = schedule::simplify(snapshot(nodes), device);
    for (const Kernel& kernel : schedule::make_plan(graph, {}, device).kernels) {
      if (kernel.matmuls().empty()) continue;
      const Binding binding = bind(kernel, graph);
      for (const codegen::MatmulShape& shape :
           codegen::matmul_candidates(kernel, binding, device, schedule::DeviceModel(device))) {
        call({&device, kernel, binding, shape, codegen::generate(kernel, binding, codegen::variant_of(shape), device)});
      }
    }
  }

  /// Products of all kinds: sizes, transposes, views, types, epilogues, convolutions; some in one kernel.
  [[nodiscard]] std::vector<std::vector<Tensor>> matmuls() const {
    std::vector<std::vector<Tensor>> all;
    for (const Tensor& t : single_products()) all.push_back({t});
    for (const auto& widths : {std::vector<std::int64_t>{256, 128, 128}, {132, 260}, {17, 33}}) {
      for (const bool turned : {false, true}) {
        const Tensor x = input({68, 36}, f16);
        all.emplace_back();
        for (const std::int64_t n : widths) {
          const Tensor c = matmul(x, turned ? input({n, 36}, f16).T() : input({36, n}, f16));
          all.back().push_back(n == widths[0] ? c : relu(c + input({n}, f16)));
        }
      }
    }
    return all;
  }

  [[nodiscard]] std::vector<Tensor> single_products() const {
    std::vector<Tensor> all;
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{127, 129, 131},
                                  {128, 256, 64},
                                  {260, 132, 36},
                                  {16, 64, 64},
                                  {33, 17, 15},
                                  {4096, 4096, 4096},
                                  {40, 50, 0},
                                  {4097, 12, 4097}}) {
      for (const bool a : {false, true}) {
        for (const bool b : {false, true}) {
          const Tensor x = a ? input({k, m}, f16).T() : input({m, k}, f16);
          all.push_back(matmul(x, b ? input({n, k}, f16).T() : input({k, n}, f16)));
        }
      }
    }
    const Tensor c = matmul(input({68, 36}, f16), input({36, 72}, f16));
    all.push_back(relu(c + input({72}, f16)) + input({68, 72}, f16));
    all.push_back(cast(matmul(input({68, 36}, f16), input({36, 67}, f16)), bf16));
    all.push_back(matmul(input({2, 3, 68, 36}, f16), input({36, 72}, f16)));
    all.push_back(matmul(slice(input({70, 40}, f16), {{}, {3, 39}}), input({36, 72}, f16)));
    for (const ImageLayout layout : {ImageLayout::kChannelsFirst, ImageLayout::kChannelsLast}) {
      all.push_back(
          conv2d(input({2, 16, 16, 16}, f16), input({24, 16, 3, 3}, f16), {}, {.padding = 1, .layout = layout}));
    }
    all.push_back(matmul(input({68, 36}), input({36, 72})));
    const Tensor wide = input({68, 72}, f16);
    all.push_back(matmul(silu(slice(wide, {{}, {0, 36}})) * slice(wide, {{}, {36, {}}}), input({36, 72}, f16)));
    all.push_back(matmul(input({68, 36}, f16) * input({68, 1}, f16), input({72, 36}, f16).T() + 1.0));
    all.push_back(matmul(input({67, 33}, f16) + input({33}, f16), cast(input({33, 69}, i8), f16)));
    return all;
  }
};

}  // namespace tessera::test
