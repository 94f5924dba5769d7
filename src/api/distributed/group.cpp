// The job that this process is in: what launchers say of it, init(), and groups of ranks.
#include "api/distributed/group.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "api/distributed/exchange.h"
#include "base/fail.h"
#include "base/os/system.h"

namespace tessera::distributed {

namespace {

std::optional<int> number_in(const char* variable) {
  const auto text = os::environment(variable);
  if (!text) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return value;
}

struct Launched {
  int rank = 0;
  int size = 1;
};

/// What Open MPI's mpirun, MPICH's and MVAPICH's, and srun put into the environment.
Launched launched() {
  static const Launched kFound = [] {
    constexpr std::array<std::pair<const char*, const char*>, 4> kVariables{
        {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
         {"PMI_SIZE", "PMI_RANK"},
         {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
         {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}};
    for (const auto& [size, rank] : kVariables) {
      const auto n = number_in(size);
      const auto r = number_in(rank);
      if (n && r && *n > 0 && *r >= 0 && *r < *n) return Launched{*r, *n};
    }
    return Launched{};
  }();
  return kFound;
}

enum class Stage : std::uint8_t { kNone, kJoining, kJoined };
std::atomic<Stage> stage = Stage::kNone;

constexpr const char* kTimeout = "TESSERA_DISTRIBUTED_TIMEOUT";
constexpr int kSeconds = 1800;

Job& all() {
  static Job& once = *[] {
    auto* job = new Job;
    job->timeout = std::max(number_in(kTimeout).value_or(kSeconds), 0);
    job->world = std::make_shared<Group::State>();
    job->world->ranks = {0};
    return job;
  }();
  return once;
}

void join(Job& job) {
  if (const auto text = os::environment(kTimeout); text && number_in(kTimeout).value_or(-1) < 0) {
    fail(ErrorKind::kValue, "distributed::init: {} is '{}'; a whole number of seconds is expected.", kTimeout, *text);
  }
  job.transport = connect();
  if (job.transport->size() != launched().size) {
    fail(ErrorKind::kUnsupported,
         "distributed::init: {} processes were started, and the MPI of the library tessera_mpi ({}) sees {}: it is "
         "another "
         "MPI than that of the launcher.",
         launched().size, library().version, job.transport->size());
  }
  auto world = std::make_shared<Group::State>();
  world->ranks.resize(static_cast<std::size_t>(job.transport->size()));
  std::iota(world->ranks.begin(), world->ranks.end(), 0);
  world->rank = job.transport->rank();
  job.world = std::move(world);
  // After a failure the others may wait forever: the launcher ends the job where a process leaves without finalizing.
  std::atexit([] {
    if (!all().broken && all().exchanges == 0) all().transport->finalize();
  });
}

}  // namespace

Job& job() {
  if (launched().size > 1 && stage != Stage::kJoined) {
    fail(ErrorKind::kValue,
         "distributed: this process is one of {}, and has not joined the others: call distributed::init() first.",
         launched().size);
  }
  return all();
}

std::shared_ptr<Group::State> members_of(std::string_view what, const Group& group) {
  Job& joined = job();
  std::shared_ptr<Group::State> state = group.state() != nullptr ? group.state() : joined.world;
  if (state->rank < 0) fail(ErrorKind::kValue, "{}: this process is not in the group: its color was negative.", what);
  return state;
}

std::shared_ptr<Block> Group::State::block(std::size_t bytes) {
  const std::lock_guard lock(mutex);
  std::shared_ptr<Block>* found = nullptr;  // the smallest one that is large enough, else any that is unused
  for (std::shared_ptr<Block>& one : blocks) {
    if (one.use_count() > 1) continue;
    const bool fits = one->size() >= bytes;
    if (found == nullptr || (fits && ((*found)->size() < bytes || one->size() < (*found)->size()))) found = &one;
  }
  if (found == nullptr) found = &blocks.emplace_back();
  if (*found == nullptr || (*found)->size() < bytes) {
    *found = nullptr;  // before the next one is allocated
    try {
      *found = std::make_shared<Block>(std::max<std::size_t>(bytes, 1));
    } catch (...) {
      blocks.erase(blocks.begin() + (found - blocks.data()));
      throw;
    }
  }
  return *found;
}

GroupUse::GroupUse(std::shared_ptr<Group::State> group, std::string_view what) : group_(std::move(group)) {
  const std::lock_guard lock(group_->mutex);
  if (group_->uses > 0 && group_->user != std::this_thread::get_id()) {
    fail(ErrorKind::kValue,
         "{}: another thread is running a collective of the same group; they run one at a time, in one order.", what);
  }
  group_->user = std::this_thread::get_id();
  ++group_->uses;
}

GroupUse::~GroupUse() {
  const std::lock_guard lock(group_->mutex);
  --group_->uses;
}

void init() {
  if (launched().size == 1) return;
  Stage none = Stage::kNone;
  if (!stage.compare_exchange_strong(none, Stage::kJoining)) {
    if (none == Stage::kJoined) return;
    fail(ErrorKind::kValue, "distributed::init: another thread is in it.");
  }
  try {
    join(all());
    stage = Stage::kJoined;
  } catch (...) {
    stage = Stage::kNone;
    throw;
  }
}

int rank() { return job().world->rank; }
int size() { return job().world->size(); }
int launched_size() { return launched().size; }
int launched_rank() { return launched().rank; }

void set_timeout(double seconds) {
  if (!(seconds >= 0)) {
    fail(ErrorKind::kValue, "distributed::set_timeout: {} seconds were given; at least 0 are expected.", seconds);
  }
  all().timeout = seconds;
}

void leave() noexcept {
  if (stage == Stage::kJoined) all().broken = true;
}

Group::Group() = default;
int Group::rank() const { return state_ != nullptr ? state_->rank : distributed::rank(); }
int Group::size() const { return state_ != nullptr ? state_->size() : distributed::size(); }
const std::vector<int>& Group::ranks() const { return state_ != nullptr ? state_->ranks : job().world->ranks; }

Group Group::split(int color, int key) const {
  struct Choice {
    int color;
    int key;
    int tag;
    int rank;  // in this group
  };
  const std::shared_ptr<State> from = members_of("split", *this);
  Job& joined = job();
  std::vector<Choice> choices(static_cast<std::size_t>(from->size()));
  choices[static_cast<std::size_t>(from->rank)] = {color, key, joined.next_tag, from->rank};
  if (from->size() > 1) {
    const GroupUse use(from, "split");
    from->queue.run([&] {
      Exchange exchange(from, "split");
      exchange.agree();
      const std::span<std::byte> all_choices = exchange.memory(choices.size() * sizeof(Choice));
      std::ranges::copy(std::as_bytes(std::span(choices)), all_choices.begin());
      exchange.all_gather(all_choices.data(), sizeof(Choice));
      std::ranges::copy(all_choices, std::as_writable_bytes(std::span(choices)).begin());
    });
  }
  // A tag that none of them uses; groups of other colors have no rank in common with this one.
  int tag = 0;
  for (const Choice& c : choices) tag = std::max(tag, c.tag);
  joined.next_tag = tag + 2;
  std::ranges::stable_sort(choices, {}, [](const Choice& c) { return std::pair(c.key, c.rank); });
  auto state = std::make_shared<State>();
  state->rank = -1;
  state->tag = tag;
  for (const Choice& c : choices) {
    if (color < 0 || c.color != color) continue;
    if (c.rank == from->rank) state->rank = state->size();
    state->ranks.push_back(from->ranks[static_cast<std::size_t>(c.rank)]);
  }
  return Group(std::move(state));
}

}  // namespace tessera::distributed
