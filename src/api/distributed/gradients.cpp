// average_gradients(): gradients in buckets, and a collective for each.
#include <algorithm>

#include "base/fail.h"
#include "tessera/distributed.h"
#include "tessera/ops.h"
#include "tessera/pack.h"

namespace tessera::distributed {

namespace {

using Tensors = std::vector<Tensor>;

Tensor averaged(const Tensor& x, const GradientOptions& options, const Group& group) {
  const bool narrow = options.wire.has_value() && size_of(x.dtype()) > size_of(*options.wire);
  if (!narrow) return all_reduce(x, Reduce::kMean, group);
  return all_reduce(x.astype(*options.wire), Reduce::kMean, group).astype(x.dtype());
}

}  // namespace

std::vector<std::vector<std::size_t>> buckets(const std::vector<Tensor>& tensors, std::int64_t bucket_bytes) {
  struct Open {
    std::vector<std::size_t> positions = {};
    std::int64_t bytes = 0;
  };
  std::vector<std::vector<std::size_t>> full;
  std::vector<Open> open;  // by dtype and device
  for (std::size_t i = tensors.size(); i-- > 0;) {
    const Tensor& t = tensors[i];
    if (t.numel() == 0) continue;
    auto at = std::ranges::find_if(open, [&](const Open& other) {
      const Tensor& like = tensors[other.positions[0]];
      return like.dtype() == t.dtype() && like.device() == t.device();
    });
    if (at == open.end()) at = open.insert(open.end(), Open{});
    at->positions.push_back(i);
    at->bytes += t.numel() * static_cast<std::int64_t>(size_of(t.dtype()));
    if (at->bytes < bucket_bytes) continue;
    full.push_back(std::move(at->positions));
    open.erase(at);
  }
  for (Open& rest : open) full.push_back(std::move(rest.positions));
  return full;
}

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
  for (const std::vector<std::size_t>& bucket : buckets(tensors, options.bucket_bytes)) {
    Tensors some;
    for (const std::size_t i : bucket) some.push_back(tensors[i]);
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
    for (std::size_t k = 0; k < some.size(); ++k) tensors[bucket[k]] = std::move(some[k]);
  }
  return gradients.with_tensors(tensors);
}

}  // namespace tessera::distributed
