// Below tensors: buffers that you own, ops that write into them, and kernels of your own over them.
#include <cstdio>

#include <tessera/tessera.h>
namespace ts = tessera;

int main() {
  const ts::Device device = ts::Device::current();
  const ts::Executor ex(device);

  // y = softmax(x w), with the weights on the device and the ends on both sides.
  const auto buffer = [&](const char* label, std::uint64_t floats, ts::BufferLocation where) {
    return ts::Buffer::allocate(device, {.label = label, .size = 4 * floats, .location = where});
  };
  const ts::Buffer x = buffer("x", 2 * 3, ts::BufferLocation::kMirrored);
  const ts::Buffer w = buffer("w", 3 * 4, ts::BufferLocation::kDevice);
  const ts::Buffer y = buffer("y", 2 * 4, ts::BufferLocation::kMirrored);
  w.copy_to(std::vector<float>{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1});
  for (int step = 0; step < 3; ++step) {
    const auto s = static_cast<float>(step);
    x.copy_to(std::vector<float>{s, 1, 0, 0, 1, s});  // on the host; it moves when a kernel needs it
    ex.matmul(2, 4, 3, x, w, y);
    ex.softmax({y, {2, 4}}, -1, {y, {2, 4}});  // in place; submitted, not waited for
    std::printf("step %d:", step);
    for (const float v : y.copy_from<float>(8)) std::printf(" %.3f", static_cast<double>(v));  // waits
    std::printf("\n");
  }

  // A kernel of your own on the same memory, compiled once.
  const ts::CompiledWgsl halve(device, ts::WgslKernel({
                                           .name = "halve",
                                           .source = R"(
@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.b_size) { b[id.x] = 0.5 * a[id.x]; }
}
)",
                                           .inputs = {{"a", ts::f32}},
                                           .outputs = {{"b", ts::f32}},
                                           .cpu =
                                               [](const ts::WgslHostCall& call) {
                                                 const auto a = call.input<float>(0);
                                                 const auto b = call.output<float>(0);
                                                 for (std::size_t i = 0; i < b.size(); ++i) b[i] = 0.5F * a[i];
                                               },
                                       }));
  const ts::Buffer z = buffer("z", 2 * 4, ts::BufferLocation::kDevice);
  halve.dispatch({y, z}, {1, 1, 1}).wait();

  // And as a tensor, without a copy.
  const float total = ts::sum(z.tensor({2, 4})).item<float>();
  std::printf("half of two rows that sum to 1: %.3f\n", static_cast<double>(total));
  for (const ts::Buffer& b : {x, w, y, z}) b.free();
  return total > 0.999F && total < 1.001F ? 0 : 1;
}
