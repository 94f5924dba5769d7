// Tests of collectives: every process that mpirun starts runs all of them, in one order; the first one prints.
#include <cstdio>

#include <gtest/gtest.h>

#include "tessera/tessera.h"

namespace {

/// Of the other ranks, what failed.
class Failures final : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::printf("rank %d: %s:%d: %s\n", tessera::distributed::rank(),
                result.file_name() != nullptr ? result.file_name() : "", result.line_number(), result.summary());
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    tessera::distributed::init();
    tessera::Device::create({.device = "cpu"}).set_current();
  } catch (const tessera::Error& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
  if (tessera::distributed::rank() != 0) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Failures);
  }
  return RUN_ALL_TESTS();
}
