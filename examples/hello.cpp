// A user's first lines: a small network's forward pass on whatever device there is.
#include <iostream>

#include <tessera/tessera.h>
namespace ts = tessera;

int main() {
  auto x = ts::random::normal({1024, 512});
  auto w = ts::random::normal({512, 256});
  auto y = (x.matmul(w) * 0.125).gelu().softmax();  // nothing has run yet
  auto top = y.argmax(1);
  ts::eval(y, top);  // planned, fused, submitted; does not wait
  std::cout << top << " on " << top.device().name() << '\n';
}
