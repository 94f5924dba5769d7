// Cancellation: the waiter learns at once, what was not submitted is not run, what is in flight does no harm.
#include "support.h"

namespace tessera::test {
namespace {

bool is_cancelled(const std::function<void()>& f) { return error_of(f).kind() == ErrorKind::kCancelled; }

TEST_F(Held, WhatWasNotSubmittedIsNotRun) {
  held_->hold_room = true;
  const Tensor x = lazy();
  Async<> evaluated = eval_async(x);
  Async<std::vector<float>> values = read<float>(x);
  EXPECT_TRUE(evaluated.cancel());
  EXPECT_TRUE(values.cancel());
  EXPECT_FALSE(values.cancel()) << "once is enough";
  EXPECT_TRUE(is_cancelled([&] { evaluated.get(); }));
  EXPECT_TRUE(is_cancelled([&] { static_cast<void>(values.get()); }));
  EXPECT_EQ(held_->release(), 2U);
  EXPECT_EQ(held_->submissions, 0);
  EXPECT_FALSE(x.is_evaluated());
  EXPECT_EQ(statistics(Device(held_)).errors_of(ErrorKind::kCancelled), 2U);
  held_->hold_room = false;
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(Held, WhatIsInFlightFinishesWithoutHarm) {
  held_->hold_callbacks = true;
  const std::uint64_t before = Device(held_).memory_stats().in_use;
  Async<std::vector<float>> values = read<float>(lazy());
  EXPECT_TRUE(values.cancel());
  EXPECT_TRUE(is_cancelled([&] { static_cast<void>(values.get()); }));
  EXPECT_GT(Device(held_).memory_stats().in_use, before) << "the read in flight still writes from its buffer";
  EXPECT_EQ(held_->release(), 1U);
  EXPECT_EQ(Device(held_).memory_stats().in_use, before);
}

TEST_F(Held, ABlockedWaiterLearnsAtOnce) {
  held_->hold_callbacks = true;
  Async<std::vector<float>> values = read<float>(lazy());
  std::atomic<bool> cancelled = false;
  std::thread waiter([&] { cancelled = is_cancelled([&] { static_cast<void>(values.get()); }); });
  values.cancel();
  waiter.join();
  EXPECT_TRUE(cancelled);
  held_->release();
}

TEST_F(Held, CallbacksAndFuturesLearnToo) {
  held_->hold_callbacks = true;
  Async<std::vector<float>> by_callback = read<float>(lazy());
  bool told = false;
  by_callback.then(
      [&](Async<std::vector<float>> done) { told = is_cancelled([&] { static_cast<void>(done.get()); }); });
  by_callback.cancel();
  EXPECT_TRUE(told);
  Async<std::vector<float>> by_future = read<float>(lazy());
  auto future = by_future.future();
  by_future.cancel();
  EXPECT_TRUE(is_cancelled([&] { static_cast<void>(future.get()); }));
  held_->release();
}

TEST_F(Held, StopTokens) {
  std::stop_source source;
  held_->hold_callbacks = true;
  Async<std::vector<float>> values = read<float>(lazy(), source.get_token());
  const Tensor x = lazy();
  Async<> evaluated = eval_async(std::span(&x, 1), source.get_token());
  EXPECT_FALSE(values.ready());
  source.request_stop();
  EXPECT_TRUE(values.ready());
  EXPECT_TRUE(is_cancelled([&] { static_cast<void>(values.get()); }));
  EXPECT_TRUE(is_cancelled([&] { evaluated.get(); }));
  // Asked for before it began: nothing runs at all.
  const int before = held_->submissions;
  EXPECT_TRUE(is_cancelled([&] { static_cast<void>(read<float>(lazy(), source.get_token()).get()); }));
  EXPECT_TRUE(is_cancelled([&] { static_cast<void>(read_all(std::span(&x, 1), source.get_token()).get()); }));
  EXPECT_EQ(held_->submissions, before);
  held_->release();
  // A token whose operation has finished does nothing.
  std::stop_source late;
  held_->hold_callbacks = false;
  Async<std::vector<float>> finished = read<float>(lazy(), late.get_token());
  late.request_stop();
  EXPECT_EQ(finished.get()[0], 2.0F);
}

Async<int> two_steps(Tensor a, Tensor b, Probe, int& reached) {
  reached = 1;
  co_await read<float>(a);
  reached = 2;
  co_await read<float>(b);
  reached = 3;
  co_return 1;
}

Async<int> outer_of(Tensor a, Tensor b, Probe probe, int& reached) {
  Probe own(*probe.alive);
  const int got = co_await two_steps(a, b, probe, reached);
  reached = 4;
  co_return got;
}

TEST_F(Held, ACancelledCoroutineEndsAtItsAwait) {
  held_->hold_callbacks = true;
  std::atomic<int> frames = 0;
  int reached = 0;
  const Tensor second = lazy();
  Async<int> result = outer_of(lazy(), second, Probe(frames), reached);
  EXPECT_EQ(reached, 1);
  EXPECT_GT(frames, 0);
  std::stop_source source;
  result.cancel_on(source.get_token());
  source.request_stop();
  EXPECT_EQ(frames, 0) << "both frames are gone at once";
  EXPECT_TRUE(is_cancelled([&] { result.get(); }));
  held_->release();
  EXPECT_EQ(reached, 1);
  EXPECT_FALSE(second.is_evaluated());
}

Async<int> count_up(Tensor t, std::atomic<int>& rounds) {
  for (;;) {
    co_await read<float>(t);  // on this device ready at once: the coroutine never suspends
    ++rounds;
  }
}

TEST_F(Held, ACoroutineThatRunsIsStoppedAtItsNextAwait) {
  std::atomic<int> rounds = 0;
  Async<int> endless;
  Gate begun;
  // The loop runs inside the call; so another thread makes it, awaiting first what the test lets go.
  held_->hold_callbacks = true;
  endless = count_up(lazy(), rounds);
  std::thread runner([&] {
    held_->hold_callbacks = false;
    held_->release();  // the coroutine goes on here, and never comes back by itself
  });
  while (rounds < 10) std::this_thread::yield();
  EXPECT_TRUE(endless.cancel());
  runner.join();
  EXPECT_TRUE(is_cancelled([&] { endless.get(); }));
}

TEST_F(Held, CancellingBesideCompletionIsSafe) {
  // Both sides at once, many times: one of them wins, nothing is leaked and nobody hangs.
  std::atomic<int> frames = 0;
  int cancelled = 0;
  for (int i = 0; i < 300; ++i) {
    held_->hold_callbacks = true;
    int reached = 0;
    Async<int> result = outer_of(lazy(), lazy(), Probe(frames), reached);
    std::thread releasing([&] {
      held_->hold_callbacks = false;
      while (held_->release() > 0) {
      }
    });
    if (i % 3 != 0) std::this_thread::yield();
    result.cancel();
    try {
      EXPECT_EQ(result.get(), 1);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kCancelled);
      ++cancelled;
    }
    releasing.join();
    held_->release();
    ASSERT_EQ(frames, 0) << i;
  }
  EXPECT_GT(cancelled, 0);
}

}  // namespace
}  // namespace tessera::test
