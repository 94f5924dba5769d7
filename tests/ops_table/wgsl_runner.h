// Runs one WGSL expression over arrays on the adapter of the WebGPU tests.
#pragma once

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "codegen/prelude.h"
#include "webgpu/support.h"

namespace tessera {

using Words = std::vector<std::uint32_t>;

inline std::size_t words_of(const std::string& type) { return type == "I64" || type == "U64" ? 2 : 1; }

class WgslRunner {
 public:
  WgslRunner() : device_(runtime::make_test_device()) {}

  /// `expression` of x0, x1, ..: values of the given types, bool as words of 0 and 1.
  Words run(const std::string& expression, const std::vector<std::string>& types, const std::string& result,
            const std::vector<Words>& inputs) {
    const std::size_t n = inputs[0].size() / words_of(types[0]);
    Program program;
    program.label = expression;
    std::string main;
    std::string bindings;
    std::vector<std::unique_ptr<runtime::Buffer>> buffers;
    for (std::size_t a = 0; a < types.size(); ++a) {
      declare(a, types[a], "in" + std::to_string(a), "read", bindings, program);
      const std::string element = "in" + std::to_string(a) + "[id.x]";
      main += "    let x" + std::to_string(a) + " = " + (types[a] == "bool" ? element + " != 0u" : element) + ";\n";
      buffers.push_back(device_->create_buffer(inputs[a].size() * 4));
      runtime::put(*device_, *buffers.back(), inputs[a]);
    }
    declare(types.size(), result, "result", "read_write", bindings, program);
    buffers.push_back(device_->create_buffer(n * words_of(result) * 4));
    main += "    result[id.x] = " + (result == "bool" ? "select(0u, 1u, " + expression + ")" : expression) + ";\n";
    const std::string text = bindings + "struct Params { n: u32, a: u32, b: u32, c: u32 }\n@group(0) @binding(" +
                             std::to_string(types.size() + 1) +
                             ") var<uniform> p: Params;\n@compute @workgroup_size(64)\n"
                             "fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n  if (id.x < p.n) {\n" +
                             main + "  }\n}\n";
    program.wgsl = codegen::prelude_for(text) + text;
    program.param_words = 4;
    std::vector<runtime::Buffer*> pointers;
    pointers.reserve(buffers.size());
    for (const auto& b : buffers) pointers.push_back(b.get());
    runtime::Submission submission;
    runtime::add_dispatch(submission, device_->compile_program(program, true), pointers,
                          {static_cast<std::uint32_t>(n), 0, 0, 0}, static_cast<std::uint32_t>((n + 63) / 64));
    device_->submit(submission);
    return runtime::get<std::uint32_t>(*device_, *buffers.back(), n * words_of(result));
  }

 private:
  static void declare(std::size_t binding, const std::string& type, const std::string& name, const std::string& access,
                      std::string& bindings, Program& program) {
    bindings += "@group(0) @binding(" + std::to_string(binding) + ") var<storage, " + access + "> " + name +
                ": array<" + (type == "bool" ? "u32" : type) + ">;\n";
    program.writable.push_back(access != "read");
    program.buffer_of.push_back(static_cast<int>(binding));
  }

  std::shared_ptr<runtime::WebGpuDevice> device_;
};

}  // namespace tessera
