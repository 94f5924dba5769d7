// Messages between the processes of a job, as the collectives need them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tessera::distributed {

/// Messages of less than 2 GiB; those between two ranks with one tag arrive in order. Calls do not wait for other
/// ranks; any thread may call.
class Transport {
 public:
  struct Request {
    std::uint64_t handle = 0;
  };

  Transport() = default;
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// The memory must stay until test() says that the message is done. Errors of kind peer_lost.
  virtual Request send(std::span<const std::byte> data, int to, int tag) = 0;
  virtual Request receive(std::span<std::byte> data, int from, int tag) = 0;
  virtual bool test(Request& request) = 0;
  /// Leaves the job: waits until the other ranks do.
  virtual void finalize() = 0;
};

/// Joins the job by MPI. Error of kind unsupported without the library, of kind peer_lost if MPI fails.
std::unique_ptr<Transport> connect();

}  // namespace tessera::distributed
