// Loads the library tessera_mpi and sends messages by it. The build for browsers leaves this out.
#include <array>
#include <mutex>

#include <tessera_mpi.h>

#include "api/distributed/transport.h"
#include "base/fail.h"
#include "base/os/own_library.h"
#include "tessera/distributed.h"

namespace tessera::distributed {

namespace {

#define TESSERA_MPI_FUNCTIONS(X) \
  X(tesseraMpiVersion)           \
  X(tesseraMpiInit)              \
  X(tesseraMpiFinalize)          \
  X(tesseraMpiSend)              \
  X(tesseraMpiReceive)           \
  X(tesseraMpiTest)              \
  X(tesseraMpiErrorText)

struct MpiFunctions {
#define TESSERA_MPI_MEMBER(name) decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  TESSERA_MPI_FUNCTIONS(TESSERA_MPI_MEMBER)
#undef TESSERA_MPI_MEMBER
};

struct LoadedMpi {
  MpiFunctions functions;
  LibraryInfo info;
};

LoadedMpi load_mpi() {
  const LoadedOwnLibrary library(
      {.name = "tessera_mpi",
       .variable = "TESSERA_MPI_LIBRARY",
       .what = "MPI",
       .purpose = "collectives",
       .to_have_it = "Build the engine where there is an mpicc (Debian: libopenmpi-dev; docs/distributed.md)"});
  LoadedMpi out;
  out.info.path = library.path();
#define TESSERA_MPI_TAKE(name) library.take(out.functions.name, #name);
  TESSERA_MPI_FUNCTIONS(TESSERA_MPI_TAKE)
#undef TESSERA_MPI_TAKE
  out.info.version = out.functions.tesseraMpiVersion();
  return out;
}

const LoadOutcome<LoadedMpi>& mpi_outcome() { return load_once(load_mpi); }

// The mutex makes calls come one at a time, as MPI_THREAD_SERIALIZED asks; no call waits for another rank with it.
class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(const MpiFunctions& functions) : mpi_(functions) {
    check("MPI_Init_thread", mpi_.tesseraMpiInit(&job_));
    if (job_.threads == 0) {
      fail(ErrorKind::kUnsupported,
           "distributed::init: MPI was initialized without threads; MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE is "
           "expected of MPI_Init_thread.");
    }
  }

  [[nodiscard]] int rank() const override { return job_.rank; }
  [[nodiscard]] int size() const override { return job_.size; }

  Request send(std::span<const std::byte> data, int to, int tag) override {
    TesseraMpiRequest request{};
    const std::lock_guard lock(mutex_);
    check("MPI_Isend", mpi_.tesseraMpiSend(data.data(), static_cast<int>(data.size()), to, tag, &request));
    return {request.handle};
  }
  Request receive(std::span<std::byte> data, int from, int tag) override {
    TesseraMpiRequest request{};
    const std::lock_guard lock(mutex_);
    check("MPI_Irecv", mpi_.tesseraMpiReceive(data.data(), static_cast<int>(data.size()), from, tag, &request));
    return {request.handle};
  }
  bool test(Request& request) override {
    TesseraMpiRequest started{request.handle};
    int done = 0;
    const std::lock_guard lock(mutex_);
    const int code = mpi_.tesseraMpiTest(&started, &done);
    request.handle = started.handle;
    check("MPI_Test", code);
    return done != 0;
  }
  void finalize() override { mpi_.tesseraMpiFinalize(); }

 private:
  void check(const char* what, int code) const {
    if (code == 0) return;
    std::array<char, 512> text{};
    mpi_.tesseraMpiErrorText(code, text.data(), text.size());
    fail(ErrorKind::kPeerLost, "{} failed: {}.", what, text.data());
  }

  const MpiFunctions& mpi_;
  TesseraMpiJob job_{};
  std::mutex mutex_;
};

}  // namespace

std::unique_ptr<Transport> connect() {
  const LoadOutcome<LoadedMpi>& mpi = mpi_outcome();
  if (mpi.error) throw Error(*mpi.error);
  return std::make_unique<MpiTransport>(mpi.loaded->functions);
}

LibraryInfo library() {
  const LoadOutcome<LoadedMpi>& mpi = mpi_outcome();
  if (mpi.error) return {.path = {}, .version = {}, .error = mpi.error->what()};
  return mpi.loaded->info;
}

}  // namespace tessera::distributed
