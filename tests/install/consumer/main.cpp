// A user's program: computes on every device, catches an Error, and prints which provider it found.
#include <cmath>
#include <cstdio>

#include <tessera/tessera.h>
namespace ts = tessera;

namespace {

// Rows of softmax(relu(a b)), where every row of the product is (3, -3, 3).
bool computes(const ts::Device& device) {
  const ts::Tensor a(std::vector<float>(12, 1), {4, 3}, device);
  const ts::Tensor b(std::vector<float>{1, -1, 1, 1, -1, 1, 1, -1, 1}, {3, 3}, device);
  const std::vector<float> y = ts::softmax(ts::relu(ts::matmul(a, b))).to_vector<float>();
  const float high = std::exp(3.0F) / (2 * std::exp(3.0F) + 1);
  bool good = y.size() == 12;
  for (std::size_t i = 0; i < y.size(); ++i) good &= std::abs(y[i] - (i % 3 == 1 ? 1 - 2 * high : high)) < 1e-6F;
  std::printf("%s on %s\n", good ? "right" : "WRONG", device.info().id.c_str());
  return good;
}

// Thrown inside the library, caught here by its type.
bool catches() {
  try {
    ts::matmul(ts::ones({2, 3}), ts::ones({2, 3}));
  } catch (const ts::Error& e) {
    std::printf("caught %s: %s\n", std::string(ts::name(e.kind())).c_str(), e.what());
    return e.kind() == ts::ErrorKind::kShape;
  } catch (...) {
    std::printf("caught something that is no tessera::Error\n");
  }
  return false;
}

}  // namespace

int main() {
  const ts::ProviderInfo provider = ts::Device::provider();
  std::printf("provider %s\n", provider.error.empty() ? provider.path.c_str() : provider.error.c_str());
  bool good = catches();
  for (const ts::DeviceInfo& info : ts::Device::list()) {
    ts::DeviceConfig config;
    config.device = info.id;
    good &= computes(ts::Device::create(config));
  }
  return good ? 0 : 1;
}
