// average_gradients(): gradients in buckets, and a collective for each.
#include <algorithm>
#include <map>
#include <span>

#include "base/fail.h"
#include "base/ints.h"
#include "tessera/distributed.h"
#include "tessera/ops.h"
#include "tessera/pack.h"

namespace tessera::distributed {

namespace {

using Tensors = std::vector<Tensor>;

/// Gradients of one dtype and device that are sent together, by their positions.
struct Bucket {
  std::vector<std::size_t> positions = {};
  std::int64_t bytes = 0;
};

/// Full ones in the order in which they fill up, from the last gradient on: the backward pass writes that one first.
/// It depends on the names and shapes alone, so it is the same on all ranks.
std::vector<Bucket> buckets_of(const Tensors& gradients, std::int64_t bytes) {
  std::vector<Bucket> full;
  std::vector<std::pair<Tensor, Bucket>> open;  // by dtype and device
  for (std::size_t i = gradients.size(); i-- > 0;) {
    const Tensor& g = gradients[i];
    if (g.numel() == 0) continue;
    auto at = std::ranges::find_if(open, [&](const auto& other) {
      return other.first.dtype() == g.dtype() && other.first.device() == g.device();
    });
    if (at == open.end()) at = open.insert(open.end(), {g, Bucket{}});
    at->second.positions.push_back(i);
    at->second.bytes += g.numel() * static_cast<std::int64_t>(size_of(g.dtype()));
    if (at->second.bytes < bytes) continue;
    full.push_back(std::move(at->second));
    open.erase(at);
  }
  for (auto& [like, bucket] : open) full.push_back(std::move(bucket));
  return full;
}

Tensor averaged(const Tensor& x, const GradientOptions& options, const Group& group) {
  const bool narrow = options.wire.has_value() && size_of(x.dtype()) > size_of(*options.wire);
  if (!narrow) return all_reduce(x, Reduce::kMean, group);
  return all_reduce(x.astype(*options.wire), Reduce::kMean, group).astype(x.dtype());
}

}  // namespace

Tree average_gradients(const Tree& gradients, const GradientOptions& options, const Group& group) {
  if (options.bucket_bytes < 1) {
    fail(ErrorKind::kValue, "average_gradients: bucket_bytes is {}; at least 1 is expected.", options.bucket_bytes);
  }
  if (options.wire.has_value() && *options.wire != f16 && *options.wire != bf16) {
    fail(ErrorKind::kDType, "average_gradients: wire is {}; f16 or bf16 is expected.", name(*options.wire));
  }
  Tensors tensors;
  for (const auto& [path, g] : gradients.flatten()) {
    if (!g.defined()) fail(ErrorKind::kValue, "average_gradients: the gradient '{}' is an empty Tensor.", path);
    if (!is_float(g.dtype())) {
      fail(ErrorKind::kDType, "average_gradients: the gradient '{}' is {}; a float is expected.", path,
           name(g.dtype()));
    }
    tensors.push_back(g);
  }
  if (group.size() == 1) return gradients;
  for (const Bucket& bucket : buckets_of(tensors, options.bucket_bytes)) {
    Tensors some;
    for (const std::size_t i : bucket.positions) some.push_back(tensors[i]);
    const bool alone = some.size() == 1 || std::ranges::any_of(some, &Tensor::is_tracked);
    if (alone) {
      for (Tensor& t : some) t = averaged(t, options, group);
    } else {
      std::vector<Shape> shapes;
      for (const Tensor& t : some) shapes.push_back(t.shape());
      const Packing packing(std::move(shapes), some[0].dtype(), some[0].device());
      Tensors arenas = packing.pack(some);
      for (Tensor& arena : arenas) arena = averaged(arena, options, group);
      some = packing.unpack(arenas);
    }
    for (std::size_t k = 0; k < some.size(); ++k) tensors[bucket.positions[k]] = std::move(some[k]);
  }
  return gradients.with_tensors(tensors);
}

}  // namespace tessera::distributed
