// Random draws: each takes the next position of a generator, so that no two share their bits.
#include "tessera/random.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "api/transforms/draws.h"
#include "base/fail.h"
#include "ops/build.h"
#include "runtime/registry.h"
#include "tessera/math.h"

namespace tessera {

catalog::Rows catalog::random() {
  static constexpr std::array kRows{
      Row{"Random", "floats", kNoGradient, kComposed,
          "random::uniform, random::normal, random::exponential, random::gamma, random::truncated_normal"},
      Row{"Random", "bool, integers", kNoGradient, kComposed, "random::bernoulli, random::randint"},
  };
  return kRows;
}

}  // namespace tessera

namespace tessera::random {

struct Generator::State : std::enable_shared_from_this<Generator::State> {
  std::mutex mutex;
  DrawPosition next;  // of the next draw
};

/// The generators that the thread used during a Fork, each with its position before.
struct Fork::State {
  std::vector<std::pair<std::shared_ptr<Generator::State>, DrawPosition>> before;
  State* outer = nullptr;
};

namespace {

using StatePtr = std::shared_ptr<Generator::State>;

Generator& common() {
  static Generator generator(0);
  return generator;
}

thread_local StatePtr in_use;
thread_local DrawLog* logging = nullptr;
thread_local Fork::State* forked = nullptr;

const StatePtr& ambient() { return in_use != nullptr ? in_use : common().shared(); }

DrawPosition position_of(Generator::State& g) {
  const std::lock_guard lock(g.mutex);
  return g.next;
}

/// Before a change of the generator.
void note_fork(Generator::State& g) {
  for (Fork::State* f = forked; f != nullptr; f = f->outer) {
    const auto known = [&](const auto& entry) { return entry.first.get() == &g; };
    if (std::ranges::none_of(f->before, known)) f->before.emplace_back(g.shared_from_this(), position_of(g));
  }
}

/// The next position of a generator.
DrawPosition take(Generator::State& g) {
  note_fork(g);
  const std::lock_guard lock(g.mutex);
  return {g.next.seed, g.next.counter++};
}

void move_to(Generator::State& g, const DrawPosition& next) {
  note_fork(g);
  const std::lock_guard lock(g.mutex);
  g.next = next;
}

/// Error of kind value while a log records: states would be constants of the trace.
void check_not_traced(std::string_view what) {
  if (logging == nullptr) return;
  fail(ErrorKind::kValue,
       "{}: a function that compile() or scan() traces asked for the state of a random generator, and later calls "
       "would use the one of the trace; ask for it outside of the function.",
       what);
}

RandomState ask(Generator::State& g, std::string_view what) {
  check_not_traced(what);
  const DrawPosition next = position_of(g);
  return {next.seed, next.counter};
}

/// A seed far from the generator's own: multiplied by an odd constant, and mixed.
std::uint64_t split_seed(const DrawPosition& at) {
  std::uint64_t z = at.seed + 0x9e3779b97f4a7c15ULL * (at.counter + 1);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace

// ---- Tapes ----

/// The tapes of a thread, innermost last.
struct Tapes {
  struct Entry {
    std::vector<DrawPosition>* record = nullptr;
    const std::vector<DrawPosition>* play = nullptr;
    std::size_t next = 0;
    bool endless = false;  // past its end it gives positions of no generator
  };
  static std::vector<Entry>& all() {
    static thread_local std::vector<Entry> entries;
    return entries;
  }
  static bool playing() {
    return std::ranges::any_of(all(), [](const Entry& e) { return e.play != nullptr; });
  }
  static std::vector<DrawPosition>& of(DrawTape& tape) { return tape.positions_; }
  static const std::vector<DrawPosition>& of(const DrawTape& tape) { return tape.positions_; }

  /// The next position of the innermost playing tape, or else take(); recording tapes store it.
  template <class Take>
  static DrawPosition next(const Take& take) {
    std::vector<Entry>& entries = all();
    if (entries.empty()) return take();
    const DrawPosition* given = nullptr;
    for (std::size_t i = entries.size(); i-- > 0;) {
      Entry& e = entries[i];
      if (e.endless && e.next >= e.play->size()) return {~std::uint64_t{0}, e.next++};
      if (e.play == nullptr || e.next >= e.play->size()) continue;
      const DrawPosition& position = (*e.play)[e.next++];
      if (given == nullptr) given = &position;
    }
    const DrawPosition result = given != nullptr ? *given : take();
    for (const Entry& e : entries) {
      if (e.record != nullptr) e.record->push_back(result);
    }
    return result;
  }
};

DrawTape::Record::Record(DrawTape& tape) { Tapes::all().push_back({.record = &Tapes::of(tape)}); }
DrawTape::Record::~Record() { Tapes::all().pop_back(); }
DrawTape::Play::Play(const DrawTape& tape) { Tapes::all().push_back({.play = &Tapes::of(tape)}); }
DrawTape::Play::~Play() { Tapes::all().pop_back(); }

struct DrawTape::Rehearse::Hidden {
  std::vector<Tapes::Entry> tapes;
};
DrawTape::Rehearse::Rehearse(const DrawTape& tape) : hidden_(std::make_unique<Hidden>()) {
  Tapes::all().swap(hidden_->tapes);
  Tapes::all().push_back({.play = &Tapes::of(tape), .endless = true});
}
DrawTape::Rehearse::~Rehearse() { Tapes::all().swap(hidden_->tapes); }

bool DrawTape::playing() { return Tapes::playing(); }

// ---- Logs ----

namespace {

/// The position of a draw, which the thread's log and tapes record.
DrawPosition draw_from(const StatePtr& from) {
  return Tapes::next([&] {
    const DrawPosition taken = take(*from);
    if (logging != nullptr) logging->note_draw(from, taken);
    return taken;
  });
}

/// Sets a generator, which the thread's log records; a tape that is repeated does so without generators.
void set(const StatePtr& g, const DrawPosition& next) {
  if (Tapes::playing()) return;
  move_to(*g, next);
  if (logging != nullptr) logging->note_state(g, next);
}

}  // namespace

DrawLog::DrawLog() : outer_(logging), ambient_(ambient()), generators_(1) {
  common();  // not created by the function
  logging = this;
}

void DrawLog::stop() {
  if (logging == this) logging = outer_;
}

DrawLog* DrawLog::current() { return logging; }

bool DrawLog::distinct() const {
  std::vector<DrawPosition> sorted = drawn_;
  const auto key = [](const DrawPosition& s) { return std::pair(s.seed, s.counter); };
  std::ranges::sort(sorted, {}, key);
  return std::ranges::adjacent_find(sorted) == sorted.end();
}

std::size_t DrawLog::index_of(const StatePtr& state) {
  if (state == ambient_) return 0;
  const auto at = static_cast<std::size_t>(std::ranges::find(generators_, state, &Source::state) - generators_.begin());
  if (at == generators_.size()) generators_.push_back({state});
  return at;
}

void DrawLog::note_draw(const StatePtr& from, const DrawPosition& position) {
  if (outer_ != nullptr) outer_->note_draw(from, position);
  events_.push_back({.kind = Kind::kDraw, .from = index_of(from)});
  drawn_.push_back(position);
}

void DrawLog::note_split(const StatePtr& from, const StatePtr& made) {
  if (outer_ != nullptr) outer_->note_split(from, made);
  events_.push_back({.kind = Kind::kSplit, .from = index_of(from), .made = index_of(made)});
}

void DrawLog::note_state(const StatePtr& of, const DrawPosition& position) {
  if (outer_ != nullptr) outer_->note_state(of, position);
  events_.push_back({.kind = Kind::kState, .from = index_of(of), .next = position});
}

void DrawLog::note_made(const StatePtr& made, std::uint64_t seed) {
  if (outer_ != nullptr) outer_->note_made(made, seed);
  generators_.push_back({made, true, seed});
}

void DrawLog::repeat(std::vector<DrawPosition>& drawn) const {
  std::vector<StatePtr> states;
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    states.push_back(i == 0 ? ambient() : generators_[i].state);
    if (!generators_[i].own) continue;
    states[i] = std::make_shared<Generator::State>();
    states[i]->next.seed = generators_[i].seed;
    if (logging != nullptr) logging->note_made(states[i], generators_[i].seed);
  }
  for (const Event& e : events_) {
    const StatePtr& from = states[e.from];
    switch (e.kind) {
      case Kind::kDraw:
        drawn.push_back(draw_from(from));
        break;
      case Kind::kSplit:
        move_to(*states[e.made], {Tapes::next([&] {
                                    if (logging != nullptr) logging->note_split(from, states[e.made]);
                                    return DrawPosition{split_seed(take(*from)), 0};
                                  }).seed,
                                  0});
        break;
      case Kind::kState:
        set(from, e.next);
        break;
    }
  }
}

void DrawLog::again(std::span<DrawPosition> drawn, std::span<DrawPosition> room) const {
  for (std::size_t i = 0; i < generators_.size(); ++i) room[i] = {generators_[i].seed, 0};
  const auto state = [&](std::size_t i) -> Generator::State& { return i == 0 ? *ambient() : *generators_[i].state; };
  const auto next = [&](std::size_t i) {
    return generators_[i].own ? DrawPosition{room[i].seed, room[i].counter++} : take(state(i));
  };
  std::size_t at = 0;
  for (const Event& e : events_) {
    switch (e.kind) {
      case Kind::kDraw:
        drawn[at++] = Tapes::next([&] { return next(e.from); });
        break;
      case Kind::kSplit:
        room[e.made] = Tapes::next([&] { return DrawPosition{split_seed(next(e.from)), 0}; });
        break;
      case Kind::kState:
        if (generators_[e.from].own) {
          room[e.from] = e.next;
        } else if (!Tapes::playing()) {
          move_to(state(e.from), e.next);
        }
        break;
    }
  }
}

// ---- Generators ----

namespace {

NodePtr draw(const Shape& shape, const Device& device) {
  return ops::random_bits(shape, draw_from(ambient()),
                          device.impl() != nullptr ? device.impl() : runtime::default_device());
}

}  // namespace

Generator::Generator(std::uint64_t seed) : state_(std::make_shared<State>()) {
  state_->next.seed = seed;
  if (logging != nullptr) logging->note_made(state_, seed);
}

Generator Generator::split() {
  bool asked = false;
  Generator made(Tapes::next([&] {
                   asked = true;
                   return DrawPosition{split_seed(take(*state_)), 0};
                 }).seed);
  if (asked && logging != nullptr) logging->note_split(state_, made.state_);
  return made;
}

std::uint64_t Generator::seed() const { return position_of(*state_).seed; }
RandomState Generator::state() const { return ask(*state_, "Generator::state"); }
void Generator::set_state(const RandomState& state) { set(state_, {state.seed, state.position}); }

Use::Use(const Generator& generator) : before_(std::exchange(in_use, generator.shared())) {}
Use::~Use() { in_use = std::move(before_); }

Fork::Fork() : state_(std::make_unique<State>()) {
  check_not_traced("random::Fork");
  state_->outer = std::exchange(forked, state_.get());
}
Fork::~Fork() {
  forked = state_->outer;
  for (const auto& [generator, position] : state_->before) move_to(*generator, position);
}

RandomState state() { return ask(*common().shared(), "random::state"); }
void set_state(const RandomState& state) { set(common().shared(), {state.seed, state.position}); }
void set_seed(std::uint64_t seed) { set_state({.seed = seed}); }

Tensor uniform(const Shape& shape, const Tensor& low, const Tensor& high, DType dtype, const Device& device) {
  return Tensor(ops::random_uniform(draw(shape, device), node_of(low), node_of(high), dtype));
}
Tensor normal(const Shape& shape, const Tensor& mean, const Tensor& deviation, DType dtype, const Device& device) {
  const NodePtr first = draw(shape, device);
  const NodePtr second = draw(shape, device);
  return Tensor(ops::random_normal(first, second, node_of(mean), node_of(deviation), dtype));
}
Tensor bernoulli(const Shape& shape, const Tensor& probability, const Device& device) {
  return less(uniform(shape, 0.0, 1.0, DType::kF32, device), probability);
}
Tensor randint(const Shape& shape, std::int64_t low, std::int64_t high, DType dtype, const Device& device) {
  return Tensor(ops::random_integers(draw(shape, device), low, high, dtype));
}

Tensor exponential(const Shape& shape, const Tensor& rate, DType dtype, const Device& device) {
  // 1 - u is in (0, 1], where the logarithm is finite.
  return cast(negative(log1p(negative(uniform(shape, 0.0, 1.0, f32, device)))) / rate, dtype);
}

Tensor gamma(const Shape& shape, const Tensor& alpha, DType dtype, const Device& device) {
  // Marsaglia and Tsang: a cubed normal is accepted in more than 95 of 100 tries; all of eight tries fail about once in
  // 10^11 draws, and then the last is used. Below 1 the draw for alpha + 1 is scaled down.
  constexpr int kTries = 8;
  const Tensor a = cast(broadcast_to(alpha, shape), f32);
  const Tensor low = less(a, 1.0);
  const Tensor d = where(low, a + 1.0, a) - 1.0 / 3;
  const Tensor c = rsqrt(d * 9.0);
  Tensor result;
  for (int i = 0; i < kTries; ++i) {
    const Tensor x = normal(shape, 0.0, 1.0, f32, device);
    const Tensor u = 1.0 - uniform(shape, 0.0, 1.0, f32, device);
    const Tensor t = c * x + 1.0;
    const Tensor v = t * t * t;
    const Tensor positive = greater(t, 0.0);
    const Tensor bound = square(x) * 0.5 + d * (1.0 - v + log(where(positive, v, 1.0)));
    const Tensor ok = logical_and(positive, less(log(u), bound));
    const Tensor draw_of = d * where(positive, v, 1.0);
    // The first accepted value stays: `result` is negative until then.
    result = result.defined()
                 ? where(greater(result, 0.0), result, where(ok, draw_of, i + 1 == kTries ? draw_of : -draw_of))
                 : where(ok, draw_of, -draw_of);
  }
  const Tensor boost = power(1.0 - uniform(shape, 0.0, 1.0, f32, device), 1.0 / a);
  return cast(where(low, result * boost, result), dtype);
}

Tensor truncated_normal(const Shape& shape, double low, double high, double mean, double deviation, DType dtype,
                        const Device& device) {
  if (!(low < high))
    fail(ErrorKind::kValue, "truncated_normal: [{}, {}] was given; the first should be less.", low, high);
  if (!(deviation > 0))
    fail(ErrorKind::kValue, "truncated_normal: a deviation of {} was given; above 0 is expected.", deviation);
  const auto at = [&](double x) { return std::erf((x - mean) / deviation / std::sqrt(2.0)); };
  const Tensor u = uniform(shape, at(low), at(high), f32, device);
  return cast(clamp(erfinv(u) * (deviation * std::sqrt(2.0)) + mean, low, high), dtype);
}

}  // namespace tessera::random
