// Collectives on bytes in host memory, over messages between two ranks.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/distributed/group.h"
#include "tessera/distributed.h"

namespace tessera::distributed {

/// One collective of this rank with the others of a group, which runs one at a time (Group::State::queue). Its
/// algorithms depend on the number of ranks and elements alone, so the order of every sum does too. Errors of kind
/// peer_lost: MPI's, and ranks that do not answer in time.
class Exchange {
 public:
  /// `what` names the collective, its dtype and shape.
  Exchange(std::shared_ptr<Group::State> group, std::string what);
  /// What messages still use is kept forever.
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Memory that lives as long as messages use it.
  void hold(std::shared_ptr<const void> memory) { held_.push_back(std::move(memory)); }
  /// Such memory, of the group.
  [[nodiscard]] std::span<std::byte> memory(std::size_t bytes);

  /// Waits for all ranks. Error of kind value on all of them if one runs something else.
  void agree();
  /// `data` becomes the reduction; of all elements, on all ranks.
  void all_reduce(Reduce op, DType dtype, std::byte* data, std::size_t count);
  /// `to` becomes this rank's part of the reduction of `data`, which has `count` elements for each rank.
  void reduce_scatter(Reduce op, DType dtype, const std::byte* data, std::byte* to, std::size_t count);
  /// `data` has room for `bytes` of each rank; this rank's are there.
  void all_gather(std::byte* data, std::size_t bytes);
  void broadcast(std::byte* data, std::size_t bytes, int root);
  /// `tensor`: its dtype and shape.
  void send(const std::byte* data, std::size_t bytes, int to, std::string_view tensor);
  /// Error of kind value if the sender's tensor is another one; it is received all the same.
  void receive(std::byte* data, std::size_t bytes, int from, std::string_view tensor);

 private:
  struct Message {
    Transport::Request request;
    int peer = 0;  // in the group
    bool done = false;
  };
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t count() const { return end - begin; }
  };
  [[nodiscard]] int size() const { return group_->size(); }
  [[nodiscard]] int rank() const { return group_->rank; }
  [[nodiscard]] int wrapped(int r) const { return ((r % size()) + size()) % size(); }
  /// Elements that rank i reduces.
  [[nodiscard]] Range part(std::size_t count, int i) const;

  // Messages of at most kSegment bytes each.
  void start_send(const std::byte* data, std::size_t bytes, int to, int tag);
  Range start_receive(std::byte* data, std::size_t bytes, int from, int tag);
  /// Waits for a message; false at the deadline.
  bool arrives(Message& message, double seconds);
  void wait(std::size_t message);
  void wait_all();
  [[noreturn]] void lost();

  /// Rank i gets the sums of part i, which start at rank i + 1 and go around.
  void ring_reduce(Reduce op, DType dtype, std::byte* work, std::size_t count);
  void ring_gather(std::byte* data, std::size_t count, std::size_t element);
  /// `to` becomes this rank's part of the reduction of f16 or bf16, which may be its part of `data`.
  void reduce_halves(Reduce op, DType dtype, const std::byte* data, std::byte* to, std::size_t count);

  std::shared_ptr<Group::State> group_;
  Job& job_;
  std::string what_;
  std::vector<Message> messages_;
  std::vector<std::shared_ptr<const void>> held_;
};

}  // namespace tessera::distributed
