// A pipeline of batches: while one is computed, the next is uploaded and the one before is read back.
#include <cstdio>
#include <vector>

#include <tessera/tessera.h>
namespace ts = tessera;

namespace {

/// One batch from the host and back. Suspends at co_await; goes on when the device has finished.
ts::Async<float> run_batch(int number, ts::Tensor weights) {
  const std::vector<float> data(64 * 32, static_cast<float>(number));
  const ts::Tensor x(data, {64, 32});  // uploaded behind what runs
  const ts::Tensor y = ts::sum(ts::relu(ts::matmul(x, weights)));
  const std::vector<float> values = co_await ts::read<float>(y);
  co_return values[0];
}

/// All batches at once: each call returns as soon as its batch was submitted.
ts::Async<float> run_all(int batches, ts::Tensor weights) {
  std::vector<ts::Async<float>> started;
  for (int i = 0; i < batches; ++i) started.push_back(run_batch(i, weights));
  float total = 0;
  for (auto& batch : started) total += co_await batch;
  co_return total;
}

}  // namespace

int main() {
  const ts::Device device = ts::create_device().get();  // made on another thread
  device.set_current();
  const ts::Tensor weights = ts::full({32, 16}, 0.5);
  const float total = run_all(8, weights).get();
  std::printf("8 batches on %s: the sum is %g\n", device.name().c_str(), total);

  // A read that nobody needs any more.
  ts::Async<std::vector<float>> late = ts::read<float>(ts::sum(weights));
  std::printf("cancelled %s\n", late.cancel() ? "in time" : "too late, it was ready");

  const ts::Statistics counted = ts::statistics(device);
  std::printf("%llu bytes up in %llu uploads, %llu bytes down in %llu reads, %llu kernels\n",
              static_cast<unsigned long long>(counted.uploaded_bytes), static_cast<unsigned long long>(counted.uploads),
              static_cast<unsigned long long>(counted.downloaded_bytes),
              static_cast<unsigned long long>(counted.downloads), static_cast<unsigned long long>(counted.dispatches));
  // 64 x 16 products of 32 * 0.5 * i each, for i from 0 to 7.
  return total == 64 * 16 * 16.0F * 28 ? 0 : 1;
}
