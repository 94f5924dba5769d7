// Custom kernels that several tests use, each with its twin in C++.
#pragma once

#include <gtest/gtest.h>

#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

inline const char* const kScaleSource = R"(@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.y_size) { return; }
  y[id.x] = params.factor * x[id.x];
}
)";

/// y = factor * x, in f32.
inline WgslDefinition scale_definition() {
  return {.name = "scale",
          .source = kScaleSource,
          .inputs = {{"x", f32}},
          .outputs = {"y"},
          .params = {{"factor", 2.0}},
          .cpu = [](const WgslHostCall& call) {
            const auto x = call.input<float>(0);
            const auto y = call.output<float>(0);
            for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(call.param("factor")) * x[i];
          }};
}

/// Sums and products of pairs of elements: two results of different types from two inputs.
inline WgslDefinition pairs_definition() {
  return {.name = "pairs",
          .source = R"(@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.sums_size) { sums[id.x] = a[id.x] + b[id.x]; }
  if (id.x == 0u) { count[0] = i32(params.sums_size); }
}
)",
          .inputs = {"a", "b"},
          .outputs = {"sums", {"count", i32, Shape{1}}},
          .cpu = [](const WgslHostCall& call) {
            for (std::size_t i = 0; i < call.output<float>(0).size(); ++i)
              call.output<float>(0)[i] = call.input<float>(0)[i] + call.input<float>(1)[i];
            call.output<std::int32_t>(1)[0] = static_cast<std::int32_t>(call.output_shapes[0].numel());
          }};
}

}  // namespace tessera::test
