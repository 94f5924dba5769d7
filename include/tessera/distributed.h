// Collectives between the processes of an MPI job: ops on tensors that all ranks call together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tessera/dtype.h"
#include "tessera/export.h"
#include "tessera/shape.h"
#include "tessera/tensor.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace distributed {

/// Whether processes can be connected at all: not in a browser, where there is always one rank.
#if defined(__EMSCRIPTEN__)
inline constexpr bool kSupported = false;
#else
inline constexpr bool kSupported = true;
#endif

/// Joins the other processes that mpirun or srun started. In a process that was started alone there is one rank,
/// nothing is loaded, and every collective returns its argument. Else it loads the library tessera_mpi, from beside the
/// engine's own or from the path in TESSERA_MPI_LIBRARY, and initializes MPI unless the program did; MPI is finalized
/// when the process exits normally. Further calls do nothing. Error of kind unsupported if there is no library, of kind
/// peer_lost if MPI fails.
void init();

/// This process among all, and their number. Error of kind value in one of several processes before init().
int rank();
int size();

/// The library of collectives, for `tessera doctor`. Does not initialize MPI.
struct LibraryInfo {
  std::string path;     // empty: there is none
  std::string version;  // of MPI
  std::string error;    // why there is none
};
LibraryInfo library();
/// How many processes were started together with this one, by the environment of mpirun or srun; 1 if none were.
int launched_size();
/// The rank of this one there.
int launched_rank();

/// Seconds that a collective waits for other ranks; 0: without end. TESSERA_DISTRIBUTED_TIMEOUT sets the first value;
/// without it, 1800. Past them the collective is an Error of kind peer_lost that names the ranks it waited for, and
/// every later one too.
void set_timeout(double seconds);

/// Leaves the job: this process does not run the collectives that the others wait for. Later collectives here are
/// Errors of kind peer_lost, and the exit of the process does not wait for the others, so the launcher ends the job.
/// For handlers of errors at the end of a program. Does nothing in a process that was started alone.
void leave() noexcept;

/// Ranks that run collectives with each other; by default all of them. Copies refer to one group.
class Group {
 public:
  Group();
  /// This process in the group, and the number of its ranks.
  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  /// The rank in all processes of each.
  [[nodiscard]] const std::vector<int>& ranks() const;
  /// A group for each color, of the ranks that gave it, ordered by key and then by rank. All ranks of this group call
  /// it. A rank with a negative color is in none: its group has size 0.
  [[nodiscard]] Group split(int color, int key = 0) const;

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  explicit Group(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

enum class Reduce : std::uint8_t { kSum, kMean, kMin, kMax };

// Collectives: all ranks of the group call the same ones in the same order, with equal shapes and dtypes; a mismatch is
// an Error of kind value on all of them. Called directly, they compute their argument and wait for the other ranks. In
// a function that compile() traces, they are steps of the plan: each call of the compiled function runs all that the
// trace made, in that order, also those whose results nothing uses, and kernels that do not wait for one run meanwhile.
// See docs/distributed.md.

/// The reduction of x over the ranks. Sums of f16 and bf16 are computed in f32, integers wrap; the mean is of floats
/// and complex numbers, the sum not of bool. The result has the same bits on all ranks, and in every run with that many
/// ranks. The gradient of a sum is the sum of the gradients, that of a mean their mean; that of min and max goes to the
/// ranks that have the extreme, in equal parts.
Tensor all_reduce(const Tensor& x, Reduce op = Reduce::kSum, const Group& group = {});
/// The tensors of all ranks, concatenated along an axis in the order of ranks.
Tensor all_gather(const Tensor& x, int axis = 0, const Group& group = {});
/// The part of this rank of all_reduce(x): the axis is split into as many equal parts as there are ranks. Sums and
/// means have gradients.
Tensor reduce_scatter(const Tensor& x, Reduce op = Reduce::kSum, int axis = 0, const Group& group = {});
/// The tensor of rank `root`; the other ranks give one of its shape and dtype. The gradient is summed at the root.
Tensor broadcast(const Tensor& x, int root = 0, const Group& group = {});
/// Sends x to another rank, which calls recv(). Returns a zero of rank 0 and of x's dtype: added to a loss, it gives x
/// its gradient from the receiver.
Tensor send(const Tensor& x, int to, const Group& group = {});
/// The tensor that another rank sends, with the shape, dtype and device of `like`. If gradients pass through `like`,
/// the gradient of the result is sent back, and that of `like` is zero.
Tensor recv(const Tensor& like, int from, const Group& group = {});

struct GradientOptions {
  std::int64_t bucket_bytes = std::int64_t{32} << 20;  // of the gradients that are sent together, at least
  std::optional<DType> wire = {};  // f16 or bf16: what is sent for wider gradients; the mean is rounded to it
};
/// The positions of tensors of one dtype and device that are sent together: until they have so many bytes, the last
/// ones first, as the backward pass goes. It depends on shapes, dtypes and devices alone; tensors without elements are
/// in none.
std::vector<std::vector<std::size_t>> buckets(const std::vector<Tensor>& tensors, std::int64_t bucket_bytes);
/// The mean of the gradients over the ranks, for data-parallel training: gradients of one dtype are sent together, in
/// buckets, the last ones of the tree first. In a compiled step a bucket is sent as soon as the backward pass has
/// written it, while the device computes the others.
Tree average_gradients(const Tree& gradients, const GradientOptions& options = {}, const Group& group = {});

/// Waits until all ranks are here. Not in a function that compile() or scan() traces.
void barrier(const Group& group = {});

}  // namespace distributed
}  // namespace tessera
