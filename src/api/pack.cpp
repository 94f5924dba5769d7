// Arenas: their layout, the graph that fills them, and tensors that are in one already.
#include "tessera/pack.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "base/fail.h"
#include "base/ints.h"
#include "base/recycler.h"
#include "graph/op.h"
#include "ops/build.h"
#include "runtime/device.h"
#include "runtime/memory/new_storage.h"
#include "tessera/device.h"
#include "tessera/ops.h"
#include "tessera/tracing.h"

namespace tessera {

namespace {

std::int64_t padded(std::int64_t numel) { return round_up(numel, kPackUnit); }

/// Elements of the largest arena. Dtypes of at most 4 bytes have the same.
std::int64_t largest(DType dtype, const DeviceInfo& device) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31U;  // kernels count in 32 bits
  const std::uint64_t binding = device.limits.max_storage_binding_size;
  if (device.type == DeviceType::kCpu || binding == 0) return kMost;
  return std::min<std::int64_t>(kMost, static_cast<std::int64_t>(binding / std::max<std::size_t>(size_of(dtype), 4)));
}

/// A tensor's place in memory that it may share with others: in a storage, or in a node without one.
struct Place {
  std::shared_ptr<Storage> storage;
  NodePtr node;
  std::int64_t offset = 0;
};

std::optional<Place> place_of(const Node& node) {
  if (node.tracked()) return std::nullopt;
  if (auto storage = node.storage()) {
    if (storage->parent() == nullptr || storage->stale()) return std::nullopt;
    return Place{storage->parent(), nullptr, static_cast<std::int64_t>(storage->offset() / size_of(node.dtype()))};
  }
  const auto inputs = node.inputs();
  if (node.op() != Op::kView || inputs == nullptr || inputs->size() != 1) return std::nullopt;
  const std::vector<ViewLevel>& levels = node.view().levels;
  if (levels.size() != 1 || levels[0].dims.size() > 1) return std::nullopt;
  if (!levels[0].dims.empty() && levels[0].dims[0].stride != 1) return std::nullopt;
  return Place{nullptr, inputs->front(), levels[0].offset};
}

/// Whether the elements between tensors are zeros: of an arena, or of one that was cast or scaled by a number.
bool has_zeros_between(const NodePtr& node) {
  if (node->op() == Op::kPack) return true;
  const auto inputs = node->inputs();
  if (inputs == nullptr || inputs->empty()) return false;
  const NodePtr& first = inputs->front();
  if (node->op() == Op::kCast || node->op() == Op::kMark) return has_zeros_between(first);
  if (node->op() != Op::kMultiply && node->op() != Op::kDivide) return false;
  const NodePtr& by = inputs->back();
  const auto under = by->op() == Op::kView ? by->inputs() : nullptr;
  const bool number = by->op() == Op::kScalar || (under != nullptr && under->front()->numel() == 1);
  return number && has_zeros_between(first);
}

/// An evaluated tensor with this storage.
Tensor with_storage(std::shared_ptr<Storage> storage, const Shape& shape, const Tensor& like) {
  auto node = std::allocate_shared<const Node>(Recycler<Node>(), Op::kInput, like.dtype(), shape, like.node()->device(),
                                               Node::Inputs{});
  node->replace_storage(std::move(storage));
  return Tensor(std::move(node));
}

}  // namespace

Packing::Packing(std::vector<Shape> shapes, DType dtype, const Device& device) : shapes_(std::move(shapes)) {
  std::vector<std::size_t> order(shapes_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_partition(order, [&](std::size_t i) { return shapes_[i].rank() >= 2; });
  const std::int64_t most = largest(dtype, device.info());
  for (const std::size_t i : order) {
    const std::int64_t count = shapes_[i].numel();
    if (count == 0) continue;
    if (arenas_.empty() || arenas_.back().numel + padded(count) > most) arenas_.emplace_back();
    Arena& arena = arenas_.back();
    arena.tensors.push_back(i);
    arena.offsets.push_back(arena.numel);
    arena.numel += padded(count);
  }
  for (Arena& arena : arenas_) {
    if (arena.tensors.size() == 1) arena.numel = shapes_[arena.tensors[0]].numel();
  }
}

void Packing::check(const std::vector<Tensor>& tensors) const {
  if (tensors.size() != shapes_.size()) {
    fail(ErrorKind::kValue, "pack: {} tensors were given for a layout of {}.", tensors.size(), shapes_.size());
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].defined()) fail(ErrorKind::kValue, "pack: tensor {} is an empty Tensor.", i);
    if (tensors[i].shape() != shapes_[i]) {
      fail(ErrorKind::kShape, "pack: tensor {} has the shape {}; {} is expected.", i, tensors[i].shape().str(),
           shapes_[i].str());
    }
    if (tensors[i].dtype() != tensors[0].dtype()) {
      fail(ErrorKind::kDType, "pack: tensor 0 has the dtype {} and tensor {} the dtype {}; one dtype is expected.",
           name(tensors[0].dtype()), i, name(tensors[i].dtype()));
    }
  }
}

std::vector<Packing::Member> Packing::members(std::size_t arena) const {
  const Arena& a = arenas_.at(arena);
  std::vector<Member> all;
  for (std::size_t k = 0; k < a.tensors.size(); ++k) {
    const std::int64_t end = k + 1 < a.offsets.size() ? a.offsets[k + 1] : a.numel;
    all.push_back({a.tensors[k], end - a.offsets[k]});
  }
  return all;
}

/// The arena that the tensors are in; an empty Tensor if they are in none.
Tensor Packing::found(const Arena& arena, const std::vector<Tensor>& tensors, bool zeros) const {
  const Tensor& front = tensors[arena.tensors[0]];
  if (arena.tensors.size() == 1) {
    auto storage = front.node()->storage();
    if (is_tracing() || front.is_tracked()) return front.reshape({arena.numel});
    return storage == nullptr ? Tensor() : with_storage(std::move(storage), {arena.numel}, front);
  }
  const std::optional<Place> first = place_of(*front.node());
  if (!first.has_value() || first->offset % kPackUnit != 0) return {};
  bool gaps = false;
  for (std::size_t k = 0; k < arena.tensors.size(); ++k) {
    const Tensor& t = tensors[arena.tensors[k]];
    const std::optional<Place> place = k == 0 ? first : place_of(*t.node());
    if (!place.has_value() || place->storage != first->storage || place->node != first->node ||
        place->offset != first->offset + arena.offsets[k])
      return {};
    gaps = gaps || t.numel() % kPackUnit != 0;
  }
  if (zeros && gaps && (first->node == nullptr || !has_zeros_between(first->node))) return {};
  const std::size_t size = size_of(front.dtype());
  const std::int64_t end = first->offset + arena.numel;
  if (first->storage != nullptr) {
    if (static_cast<std::size_t>(end) * size > first->storage->bytes()) return {};
    return with_storage(first->offset == 0
                            ? first->storage
                            : runtime::range_of_storage(first->storage, first->offset, arena.numel, front.dtype()),
                        {arena.numel}, front);
  }
  if (end > first->node->numel()) return {};
  const ops::Range range{first->offset, end, 1};
  return Tensor(ops::slice(ops::reshape(first->node, {first->node->numel()}), std::span(&range, 1)));
}

bool Packing::holds(const std::vector<Tensor>& tensors, bool zeros) const {
  check(tensors);
  return std::ranges::all_of(arenas_, [&](const Arena& a) { return found(a, tensors, zeros).defined(); });
}

std::vector<Tensor> Packing::pack(const std::vector<Tensor>& tensors, bool zeros) const {
  check(tensors);
  std::vector<Tensor> result;
  for (const Arena& arena : arenas_) {
    if (Tensor there = found(arena, tensors, zeros); there.defined()) {
      result.push_back(std::move(there));
      continue;
    }
    if (arena.tensors.size() == 1) {
      result.push_back(tensors[arena.tensors[0]].reshape({arena.numel}));
      continue;
    }
    Node::Inputs pieces;
    for (const std::size_t i : arena.tensors) {
      const std::int64_t count = tensors[i].numel();
      const Tensor flat = tensors[i].reshape({count});
      pieces.push_back(count == padded(count) ? flat.node() : pad(flat, {{0, padded(count) - count}}).node());
    }
    const DType dtype = tensors[0].dtype();
    auto device = ops::common_device("pack", pieces);
    result.emplace_back(
        std::make_shared<const Node>(Op::kPack, dtype, Shape{arena.numel}, std::move(device), std::move(pieces)));
  }
  return result;
}

std::vector<Tensor> Packing::unpack(const std::vector<Tensor>& arenas) const {
  if (arenas.size() != arenas_.size()) {
    fail(ErrorKind::kValue, "unpack: {} arenas were given for a layout of {}.", arenas.size(), arenas_.size());
  }
  std::vector<Tensor> result(shapes_.size());
  for (std::size_t a = 0; a < arenas.size(); ++a) {
    const Arena& arena = arenas_[a];
    const Tensor& flat = arenas[a];
    if (flat.shape() != Shape{arena.numel}) {
      fail(ErrorKind::kShape, "unpack: arena {} has the shape {}; [{}] is expected.", a, flat.shape().str(),
           arena.numel);
    }
    const auto storage = flat.node()->storage();
    const bool there = storage != nullptr && !flat.is_tracked() && !is_tracing() && storage->valid_on_device();
    for (std::size_t k = 0; k < arena.tensors.size(); ++k) {
      const Shape& shape = shapes_[arena.tensors[k]];
      Tensor& tensor = result[arena.tensors[k]];
      if (!there) {
        const ops::Range range{arena.offsets[k], arena.offsets[k] + shape.numel(), 1};
        tensor = Tensor(ops::slice(flat.node(), std::span(&range, 1))).reshape(shape);
      } else if (arena.tensors.size() == 1) {
        tensor = with_storage(storage, shape, flat);
      } else {
        tensor = with_storage(runtime::range_of_storage(storage, arena.offsets[k], shape.numel(), flat.dtype()), shape,
                              flat);
      }
    }
  }
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (result[i].defined()) continue;
    const bool any = !arenas.empty();
    result[i] = any ? zeros(shapes_[i], arenas[0].dtype(), arenas[0].device()) : zeros(shapes_[i]);
  }
  return result;
}

Packed pack(const std::vector<Tensor>& tensors) {
  if (tensors.empty()) fail(ErrorKind::kValue, "pack: no tensors were given; it takes at least one.");
  std::vector<Shape> shapes;
  for (const Tensor& t : tensors) {
    if (!t.defined()) fail(ErrorKind::kValue, "pack: tensor {} is an empty Tensor.", shapes.size());
    shapes.push_back(t.shape());
  }
  const Packing packing(std::move(shapes), tensors[0].dtype(), tensors[0].device());
  Packed result;
  result.arenas = packing.pack(tensors);
  result.tensors = packing.unpack(result.arenas);
  return result;
}

}  // namespace tessera
