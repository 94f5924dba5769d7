// Where the time and the memory go: kernels before they run, their times, a trace for a browser, the pool's numbers.
#include <cstdio>
#include <string>

#include <tessera/tessera.h>
namespace ts = tessera;

int main(int count, char** arguments) {
  const std::string trace = count > 1 ? arguments[1] : "profiling_trace.json";
  const ts::Device device = ts::Device::current();

  auto x = ts::random::normal({512, 256});
  auto w = ts::random::normal({256, 256});
  ts::eval(x, w);
  const auto layer = [&](const ts::Tensor& h) { return ts::softmax(ts::gelu(ts::matmul(h, w) * 0.0625)); };

  // What a graph becomes, without running it.
  const ts::Explanation plan = ts::explain(layer(x));
  std::printf("one layer is %zu kernels on %s\n", plan.kernels.size(), device.name().c_str());
  for (const ts::KernelText& kernel : plan.kernels) {
    std::printf("  %s: %zu characters of WGSL\n", kernel.label.c_str(), kernel.wgsl.size());
  }

  // How long its kernels take: measured while the profiler lives.
  {
    ts::Profiler profiler(device);
    for (int step = 0; step < 10; ++step) x = layer(x).eval();
    std::printf("\n%s", profiler.table().c_str());
    profiler.write_trace(trace);
    std::printf("%zu records are in %s, for chrome://tracing or Perfetto\n", profiler.records().size(), trace.c_str());
  }

  // What the device counted: ten layers are one plan, and intermediates reuse the pool's buffers.
  const ts::Statistics s = ts::statistics(device);
  std::printf("\nmemory: %.1f MiB in use, %.1f at the peak, %.1f allocated; %llu of %llu allocations from the pool\n",
              static_cast<double>(s.memory.in_use) / (1 << 20), static_cast<double>(s.memory.peak) / (1 << 20),
              static_cast<double>(s.memory.allocated) / (1 << 20), static_cast<unsigned long long>(s.memory.hits),
              static_cast<unsigned long long>(s.memory.hits + s.memory.misses));
  std::printf("plans: %llu made, %llu found again\n", static_cast<unsigned long long>(s.plan_misses),
              static_cast<unsigned long long>(s.plan_hits));
  if (s.submissions > 0) {  // the CPU backend submits nothing
    std::printf("GPU: %llu kernels in %llu submissions\n", static_cast<unsigned long long>(s.dispatches),
                static_cast<unsigned long long>(s.submissions));
  }
  x = w = {};
  std::printf("trim() gave %.1f MiB back\n", static_cast<double>(device.trim()) / (1 << 20));
}
