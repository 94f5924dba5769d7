// Programs of the chosen candidates, each made once.
#include "matrix/choosing_device.h"

#include <algorithm>

namespace tessera::test {

std::shared_ptr<const runtime::Executable> ChoosingDevice::compile(const Kernel& kernel, const Binding& binding) {
  if (kernel.matmuls().empty()) return Forwarding::compile(kernel, binding);
  auto shapes = codegen::matmul_candidates(kernel, binding, info(), model());
  std::erase_if(shapes, [&](const auto& s) { return s.unit != 0 && s.wm * s.wn > choice_.results; });
  // The smallest ones also as GPUs get them, without loops: of large ones a software driver takes minutes to compile.
  for (std::size_t i = 0; i < shapes.size() && !choice_.turning; ++i) {
    if (!shapes[i].rolled || shapes[i].bm * shapes[i].bn > 16 * 16) continue;
    codegen::MatmulShape plain = shapes[i];
    plain.rolled = false;
    shapes.insert(shapes.begin() + static_cast<std::ptrdiff_t>(++i), plain);
  }
  most_ = std::max(most_, shapes.size());
  std::size_t n = std::min(choice_.number, shapes.size() - 1);
  if (choice_.turning) {
    const auto by_matrices = std::ranges::count_if(shapes, [](const auto& s) { return s.unit != 0; });
    n = turn_++ % (by_matrices != 0 ? static_cast<std::size_t>(by_matrices) : shapes.size());
  }
  const codegen::MatmulShape& shape = shapes[n];
  shapes_.push_back(shape);
  const auto [it, is_new] = made_.try_emplace(kernel.signature() + '\n' + shape.key());
  Made& made = it->second;
  if (is_new) {
    made.kernel = kernel;
    made.variant = codegen::variant_of(shape);
    const Program program = codegen::generate(kernel, binding, made.variant, info());
    made.executable = inner_->compile_program(program, program.trusted);
    by_executable_[made.executable.get()] = &made;
  }
  return made.executable;
}

void ChoosingDevice::grid(const runtime::Executable& executable, const Binding& binding, std::uint32_t out[3]) const {
  const auto it = by_executable_.find(&executable);
  if (it == by_executable_.end()) return Forwarding::grid(executable, binding, out);
  codegen::grid_of(it->second->kernel, it->second->variant, binding, info(), out);
}

}  // namespace tessera::test
