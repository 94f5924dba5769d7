// A user's first lines: a small network's forward pass on whatever device there is.
#include <cstdio>

#include <tessera/tessera.h>
namespace ts = tessera;

int main() {
  auto x = ts::random::normal({1024, 512});
  auto w = ts::random::normal({512, 256});
  auto y = ts::softmax(ts::gelu(ts::matmul(x, w) * 0.125));  // nothing has run yet
  auto top = ts::argmax(y, 1);
  ts::eval(y, top);  // planned, fused, submitted; does not wait
  std::printf("%s on %s\n", top.str().c_str(), top.device().name().c_str());
}
