// Lines of progress: when they are due, what they say, and that a terminal's line is rewritten.
#include "tessera/train/progress.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using train::Progress;

TEST(Progress, PlainLinesAreTwentyOfARun) {
  std::string text;
  {
    Progress progress({.steps = 1000, .unit = "images", .terminal = 0, .print = [&](auto part) { text += part; }});
    int shown = 0;
    for (std::int64_t i = 1; i <= 1000; ++i) {
      if (!progress.due(i)) continue;
      ++shown;
      if (i == 50) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      progress.show(i, static_cast<double>(i * 32), {{"loss", 0.30125}, {"rate", 1e-3}});
    }
    EXPECT_EQ(shown, 21) << "the first one, and each 50th";
    progress.line("done");
    EXPECT_GE(progress.seconds(), 0.005);
  }
  EXPECT_TRUE(text.starts_with("step    1/1000  loss 0.3013  rate 1.00e-03\nstep   50/1000  loss 0.3013")) << text;
  EXPECT_NE(text.find(" images/s  0 s left\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" images/s\ndone\n")) << text;
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Progress, ATerminalsLineIsRewritten) {
  std::string text;
  const auto print = [&](std::string_view part) { text += part; };
  {
    Progress progress({.steps = 5, .terminal = 1, .print = print});
    ASSERT_TRUE(progress.due(1));
    progress.show(1, 1, {{"größe\033[2J", 12345678}});
    EXPECT_FALSE(progress.due(2)) << "less than 200 ms later";
    EXPECT_TRUE(progress.due(5)) << "the last step";
    EXPECT_EQ(text, "\r\033[Kstep 1/5  größe?[2J 1.23e+07");
    text.clear();
    progress.line("a line");
    EXPECT_EQ(text, "\r\033[Ka line\n");
    text.clear();
    progress.show(2, 2, {{std::string(300, 'x'), 1}});
    EXPECT_LT(text.size(), 250U) << "it does not wrap";
    Progress moved = std::move(progress);
    moved.show(3, 3, {{"loss", NAN}});
    EXPECT_NE(text.find("step 3/5  loss nan"), std::string::npos) << text;
    text.clear();
  }
  EXPECT_EQ(text, "\r\033[K") << "the open line is cleared, once";
}

TEST(Progress, ARunOfUnknownLength) {
  std::string text;
  Progress progress({.terminal = 0, .print = [&](auto part) { text += part; }});
  EXPECT_TRUE(progress.due(17));
  progress.show(17, 0, {});
  EXPECT_FALSE(progress.due(99));
  EXPECT_TRUE(progress.due(200));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  progress.show(200, 4000, {});
  EXPECT_TRUE(text.starts_with("step 17\nstep 200  ")) << text;
  EXPECT_TRUE(text.ends_with("k samples/s\n")) << text;
  Progress sparse({.steps = 10, .terminal = 0, .plain_every = 4, .print = [](auto) {}});
  sparse.show(1, 0, {});
  for (std::int64_t i = 2; i <= 10; ++i) EXPECT_EQ(sparse.due(i), i == 4 || i == 8 || i == 10) << i;
}

TEST(Progress, TimeLeftOfAContinuedRun) {
  std::string text;
  Progress progress({.steps = 100'000'000, .terminal = 0, .print = [&](auto part) { text = part; }});
  progress.show(99'000'000, 0, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  progress.show(99'000'001, 8, {});
  // A million steps of 30 ms are 8 hours; a machine under load is slower.
  EXPECT_NE(text.find(" h "), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" min left\n")) << text;
}

TEST(Progress, BadOptionsAreErrors) {
  EXPECT_EQ(error_of([] { const Progress p({.steps = -1}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { const Progress p({.plain_every = -1}); }).kind(), ErrorKind::kValue);
}

}  // namespace
}  // namespace tessera::test
