// Collectives on bytes in host memory: rings and trees of messages between two ranks.
#include "api/distributed/exchange.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/ranges.h>

#include "api/distributed/elements.h"
#include "base/fail.h"

namespace tessera::distributed {

namespace {

using Clock = std::chrono::steady_clock;

/// Long messages go in parts, so that what has arrived is added or forwarded while the rest is on its way.
constexpr std::size_t kSegment = std::size_t{1} << 18U;

/// What a rank is about to run.
struct Intent {
  std::array<char, 256> text{};
  std::uint64_t bytes = 0;
};
/// Whether all ranks are about to run the same.
struct Verdict {
  enum class Kind : std::uint32_t { kSame, kDiffers, kLost };
  Kind kind = Kind::kSame;
  std::array<char, 1020> text{};
};

template <std::size_t N>
void put_text(std::array<char, N>& to, std::string_view text) {
  to.fill(0);
  std::ranges::copy(text.substr(0, N - 1), to.begin());
}

std::string ranks_text(std::vector<int> ranks) {
  std::ranges::sort(ranks);
  ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());
  return fmt::format("rank{} {}", ranks.size() > 1 ? "s" : "", fmt::join(ranks, ", "));
}

template <class T>
std::span<std::byte> bytes_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace

Exchange::Exchange(std::shared_ptr<Group::State> group, std::string what)
    : group_(std::move(group)), job_(job()), what_(std::move(what)) {
  if (job_.broken) {
    fail(ErrorKind::kPeerLost,
         "{}: an earlier collective of this process failed, or the process left the job, so this one cannot run.",
         what_);
  }
  ++job_.exchanges;
}

Exchange::~Exchange() {
  if (std::ranges::any_of(messages_, [](const Message& m) { return !m.done; })) {
    job_.broken = true;
    // Messages may still be written there.
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory,bugprone-unhandled-exception-at-new)
    new std::vector<std::shared_ptr<const void>>(std::move(held_));
  }
  --job_.exchanges;
}

std::span<std::byte> Exchange::memory(std::size_t bytes) {
  std::shared_ptr<Block> block = group_->block(bytes);
  std::byte* const data = block->data();
  hold(std::move(block));
  return std::span(data, bytes);
}

Exchange::Range Exchange::part(std::size_t count, int i) const {
  const auto n = static_cast<std::size_t>(size());
  const auto at = [&](std::size_t k) { return k * (count / n) + std::min(k, count % n); };
  const auto k = static_cast<std::size_t>(i);
  return {at(k), at(k + 1)};
}

// ---- Messages ----

void Exchange::start_send(const std::byte* data, std::size_t bytes, int to, int tag) {
  for (std::size_t at = 0; at < bytes; at += kSegment) {
    const std::size_t length = std::min(kSegment, bytes - at);
    messages_.push_back(
        {job_.transport->send({data + at, length}, group_->ranks[static_cast<std::size_t>(to)], tag), to});
  }
}

Exchange::Range Exchange::start_receive(std::byte* data, std::size_t bytes, int from, int tag) {
  const std::size_t first = messages_.size();
  for (std::size_t at = 0; at < bytes; at += kSegment) {
    const std::size_t length = std::min(kSegment, bytes - at);
    messages_.push_back(
        {job_.transport->receive({data + at, length}, group_->ranks[static_cast<std::size_t>(from)], tag), from});
  }
  return {first, messages_.size()};
}

bool Exchange::arrives(Message& message, double seconds) {
  // Ranks that compute on the same cores need them: after a while of polling, this one sleeps between two looks.
  constexpr int kSpins = 64;
  const auto start = Clock::now();
  for (int i = 0; !message.done; ++i) {
    if (job_.transport->test(message.request)) {
      message.done = true;
      break;
    }
    if (i < kSpins) continue;
    const std::chrono::duration<double> waited = Clock::now() - start;
    if (seconds > 0 && waited.count() > seconds) return false;
    // Beside the program, its threads should have the cores.
    if (waited.count() < (Queue::beside() ? 5e-5 : 5e-3)) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(waited.count() < 1 ? 50 : 1000));
    }
  }
  return true;
}

void Exchange::lost() {
  std::vector<int> missing;
  for (const Message& m : messages_) {
    if (!m.done) missing.push_back(m.peer);
  }
  job_.broken = true;
  fail(ErrorKind::kPeerLost, "{}: {} did not answer in {} s.", what_, ranks_text(std::move(missing)),
       job_.timeout.load());
}

void Exchange::wait(std::size_t message) {
  if (!arrives(messages_[message], job_.timeout)) lost();
}

void Exchange::wait_all() {
  for (std::size_t i = 0; i < messages_.size(); ++i) wait(i);
  messages_.clear();
}

// ---- Collectives ----

// The first rank of the group hears from all others, and answers: so all of them know of a mismatch, and who is
// missing.
void Exchange::agree() {
  struct Notes {
    Intent mine;
    Verdict verdict;
    std::vector<Intent> others;
  };
  if (size() == 1) return;
  const auto notes = std::make_shared<Notes>();
  hold(notes);
  put_text(notes->mine.text, what_);
  const auto others = static_cast<std::size_t>(size() - 1);
  if (rank() != 0) {
    start_receive(bytes_of(notes->verdict).data(), sizeof(Verdict), 0, group_->tag);
    start_send(bytes_of(notes->mine).data(), sizeof(Intent), 0, group_->tag);
    // The first rank waits for the others, and then has to say so.
    const double seconds = job_.timeout > 0 ? job_.timeout * 1.25 + 1 : 0;
    if (!arrives(messages_[0], seconds)) lost();
    wait_all();
  } else {
    notes->others.resize(others);
    for (int r = 1; r < size(); ++r) {
      start_receive(bytes_of(notes->others[static_cast<std::size_t>(r - 1)]).data(), sizeof(Intent), r, group_->tag);
    }
    std::vector<int> missing;
    for (std::size_t i = 0; i < others; ++i) {
      // All have waited as long as the first one that is missing.
      if (!arrives(messages_[i], missing.empty() ? job_.timeout.load() : 1e-3))
        missing.push_back(static_cast<int>(i) + 1);
    }
    const std::vector<Message> heard = messages_;
    Verdict& verdict = notes->verdict;
    for (std::size_t i = 0; i < others && missing.empty() && verdict.kind == Verdict::Kind::kSame; ++i) {
      if (notes->others[i].text == notes->mine.text) continue;
      verdict.kind = Verdict::Kind::kDiffers;
      put_text(verdict.text,
               fmt::format("Rank {} runs {}, and rank 0 {}; all ranks of a group run the same collectives in the "
                           "same order, with equal shapes and dtypes.",
                           i + 1, notes->others[i].text.data(), notes->mine.text.data()));
    }
    if (!missing.empty()) {
      verdict.kind = Verdict::Kind::kLost;
      put_text(verdict.text,
               fmt::format("{}: {} did not answer in {} s.", what_, ranks_text(missing), job_.timeout.load()));
    }
    for (int r = 1; r < size(); ++r) {
      if (heard[static_cast<std::size_t>(r - 1)].done) {
        start_send(bytes_of(verdict).data(), sizeof(Verdict), r, group_->tag);
      }
    }
    for (std::size_t i = others; i < messages_.size(); ++i) wait(i);
    if (missing.empty()) messages_.clear();
  }
  const Verdict& verdict = notes->verdict;
  if (verdict.kind == Verdict::Kind::kSame) return;
  if (verdict.kind == Verdict::Kind::kLost) {
    job_.broken = true;
    fail(ErrorKind::kPeerLost, "{}", verdict.text.data());
  }
  fail(ErrorKind::kValue, "{}", verdict.text.data());
}

void Exchange::ring_reduce(Reduce op, DType dtype, std::byte* work, std::size_t count) {
  const std::size_t element = size_of(dtype);
  const std::size_t room = part(count, 0).count() * element;
  const std::span<std::byte> arrived = memory(room);
  const int next = wrapped(rank() + 1);
  const int before = wrapped(rank() - 1);
  for (int s = 0; s + 1 < size(); ++s) {
    const Range to_send = part(count, wrapped(rank() - s - 1));
    const Range mine = part(count, wrapped(rank() - s - 2));
    const Range segments = start_receive(arrived.data(), mine.count() * element, before, group_->tag);
    start_send(work + to_send.begin * element, to_send.count() * element, next, group_->tag);
    for (std::size_t m = segments.begin; m < segments.end; ++m) {
      wait(m);
      const std::size_t at = (m - segments.begin) * kSegment;
      const std::size_t length = std::min(kSegment, mine.count() * element - at);
      combine(op, dtype, work + mine.begin * element + at, arrived.data() + at, length / element);
    }
  }
  wait_all();
  const Range own = part(count, rank());
  if (op == Reduce::kMean) divide(dtype, work + own.begin * element, own.count(), size());
}

void Exchange::ring_gather(std::byte* data, std::size_t count, std::size_t element) {
  const int next = wrapped(rank() + 1);
  const int before = wrapped(rank() - 1);
  for (int s = 0; s + 1 < size(); ++s) {
    const Range to_send = part(count, wrapped(rank() - s));
    const Range other = part(count, wrapped(rank() - s - 1));
    const Range segments = start_receive(data + other.begin * element, other.count() * element, before, group_->tag);
    start_send(data + to_send.begin * element, to_send.count() * element, next, group_->tag);
    for (std::size_t m = segments.begin; m < segments.end; ++m) wait(m);
  }
  wait_all();
}

// Elements that are summed in f32 and sent in 16 bits go straight to the rank that sums them: partial sums on their way
// around a ring would be rounded at each rank. The order of the sum is that of the ring.
void Exchange::reduce_halves(Reduce op, DType dtype, const std::byte* data, std::byte* to, std::size_t count) {
  const std::size_t element = size_of(dtype);
  const Range own = part(count, rank());
  const std::size_t most = part(count, 0).count();
  const std::span<std::byte> arrived = memory(most * element);
  const std::span<std::byte> other_wide = memory(most * sizeof(float));
  const std::span<std::byte> sum = memory(most * sizeof(float));
  auto* const total = reinterpret_cast<float*>(sum.data());
  auto* const other = reinterpret_cast<float*>(other_wide.data());
  const auto add = [&](const std::byte* from, std::size_t at, std::size_t length, bool first) {
    widen(dtype, from, first ? total + at : other + at, length);
    if (first) return;
    // As around the ring: what is there so far arrives, and the own elements are added to it.
    combine(op, DType::kF32, reinterpret_cast<std::byte*>(other + at), reinterpret_cast<const std::byte*>(total + at),
            length);
    std::copy_n(other + at, length, total + at);
  };
  for (int s = 1; s < size(); ++s) {
    const int from = wrapped(rank() + s);
    const int receiver = wrapped(rank() - s);
    const Range to_send = part(count, receiver);
    const Range segments = start_receive(arrived.data(), own.count() * element, from, group_->tag);
    start_send(data + to_send.begin * element, to_send.count() * element, receiver, group_->tag);
    for (std::size_t m = segments.begin; m < segments.end; ++m) {
      wait(m);
      const std::size_t at = (m - segments.begin) * kSegment;
      const std::size_t length = std::min(kSegment, own.count() * element - at);
      add(arrived.data() + at, at / element, length / element, s == 1);
    }
    wait_all();
  }
  add(data + own.begin * element, 0, own.count(), size() == 1);
  if (op == Reduce::kMean) divide(DType::kF32, sum.data(), own.count(), size());
  narrow(dtype, total, to, own.count());
}

void Exchange::all_reduce(Reduce op, DType dtype, std::byte* data, std::size_t count) {
  if (size() == 1 || count == 0) return;
  if (dtype == DType::kF16 || dtype == DType::kBF16) {
    reduce_halves(op, dtype, data, data + part(count, rank()).begin * size_of(dtype), count);
  } else {
    ring_reduce(op, dtype, data, count);
  }
  ring_gather(data, count, size_of(dtype));
}

void Exchange::reduce_scatter(Reduce op, DType dtype, const std::byte* data, std::byte* to, std::size_t count) {
  if (count == 0) return;
  const std::size_t all = count * static_cast<std::size_t>(size());
  if (dtype == DType::kF16 || dtype == DType::kBF16) return reduce_halves(op, dtype, data, to, all);
  std::byte* const work = memory(all * size_of(dtype)).data();
  std::memcpy(work, data, all * size_of(dtype));
  ring_reduce(op, dtype, work, all);
  std::memcpy(to, work + part(all, rank()).begin * size_of(dtype), count * size_of(dtype));
}

void Exchange::all_gather(std::byte* data, std::size_t bytes) {
  ring_gather(data, static_cast<std::size_t>(size()), bytes);
}

// A binomial tree: rank 0 is the root, and rank r hears from r without its lowest bit.
void Exchange::broadcast(std::byte* data, std::size_t bytes, int root) {
  const int at = wrapped(rank() - root);
  int low = 1;
  while (low < size() && (at & low) == 0) low <<= 1;
  const int from = at - low;
  Range segments;
  if (at != 0) segments = start_receive(data, bytes, wrapped(from + root), group_->tag);
  for (std::size_t begin = 0, m = segments.begin; begin < bytes; begin += kSegment, ++m) {
    if (at != 0) wait(m);
    for (int bit = low >> 1; bit > 0; bit >>= 1) {
      if (at + bit < size()) {
        start_send(data + begin, std::min(kSegment, bytes - begin), wrapped(at + bit + root), group_->tag);
      }
    }
  }
  wait_all();
}

void Exchange::send(const std::byte* data, std::size_t bytes, int to, std::string_view tensor) {
  const auto intent = std::make_shared<Intent>();
  hold(intent);
  put_text(intent->text, tensor);
  intent->bytes = bytes;
  start_send(bytes_of(*intent).data(), sizeof(Intent), to, group_->tag + 1);
  start_send(data, bytes, to, group_->tag + 1);
  wait_all();
}

void Exchange::receive(std::byte* data, std::size_t bytes, int from, std::string_view tensor) {
  const auto intent = std::make_shared<Intent>();
  hold(intent);
  start_receive(bytes_of(*intent).data(), sizeof(Intent), from, group_->tag + 1);
  wait_all();
  const bool same = intent->bytes == bytes && std::string_view(intent->text.data()) == tensor;
  start_receive(same ? data : memory(intent->bytes).data(), intent->bytes, from, group_->tag + 1);
  wait_all();
  if (!same) {
    fail(ErrorKind::kValue, "recv: rank {} sent {}; {} is expected.", from, intent->text.data(), tensor);
  }
}

}  // namespace tessera::distributed
