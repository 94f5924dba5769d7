// The job that this process is in, and its groups of ranks.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "api/distributed/queue.h"
#include "api/distributed/transport.h"
#include "base/host_memory.h"
#include "tessera/distributed.h"

namespace tessera::distributed {

/// Memory of messages.
using Block = std::vector<std::byte, HostAllocator<std::byte>>;

struct Group::State {
  std::vector<int> ranks;  // of all processes
  int rank = 0;            // this one among them; -1: it is none of them
  int tag = 0;             // of collectives; the next one is that of send() and recv()
  Queue queue = {};

  std::mutex mutex = {};  // of what follows
  std::thread::id user = {};
  int uses = 0;                                     // of that thread: collectives that it has started
  std::vector<std::shared_ptr<Block>> blocks = {};  // later collectives reuse them

  [[nodiscard]] int size() const { return kSupported ? static_cast<int>(ranks.size()) : 1; }
  /// Memory for messages: its first touch takes longer than a copy, so it is used again.
  [[nodiscard]] std::shared_ptr<Block> block(std::size_t bytes);
};

/// While it lives, collectives of the group are this thread's. Error of kind value if they are another one's.
class GroupUse {
 public:
  GroupUse(std::shared_ptr<Group::State> group, std::string_view what);
  ~GroupUse();
  GroupUse(const GroupUse&) = delete;
  GroupUse& operator=(const GroupUse&) = delete;

 private:
  std::shared_ptr<Group::State> group_;
};

/// The job, which is never destroyed: messages may be on their way when the process exits.
struct Job {
  std::unique_ptr<Transport> transport;  // null: this process is alone
  std::shared_ptr<Group::State> world;
  std::atomic<double> timeout = 0;   // seconds; 0: none
  std::atomic<bool> broken = false;  // a message did not arrive
  std::atomic<int> exchanges = 0;    // that are running
  std::atomic<int> next_tag = 2;
};

/// Error of kind value before init() in one of several processes.
Job& job();

/// The state of a group, the world's for a default one. Error of kind value if this process is not in it.
std::shared_ptr<Group::State> members_of(std::string_view what, const Group& group);

}  // namespace tessera::distributed
