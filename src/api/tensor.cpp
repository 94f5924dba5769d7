// Tensors: created from host data, evaluated, read back, printed.
#include "tessera/tensor.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <ostream>

#include "api/storage_of.h"
#include "base/call_back.h"
#include "base/fail.h"
#include "base/sizes.h"
#include "graph/node.h"
#include "graph/op.h"
#include "ops/build.h"
#include "ops/quant/quant.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/new_storage.h"
#include "runtime/placement/placement.h"
#include "runtime/registry.h"
#include "tessera/async.h"
#include "tessera/ops.h"
#include "tessera/quant.h"

namespace tessera {

namespace {

const Node& check(const NodePtr& node) {
  if (node == nullptr) fail(ErrorKind::kValue, "An empty Tensor was used; it holds no value.");
  return *node;
}

std::shared_ptr<runtime::Device> device_of(const Device& device) {
  return device.impl() != nullptr ? device.impl() : runtime::default_device();
}

std::size_t byte_count(const Node& n) { return static_cast<std::size_t>(n.numel()) * size_of(n.dtype()); }

}  // namespace

std::shared_ptr<Storage> storage_of(const NodePtr& node) {
  if (is_block(node->dtype())) {
    fail(ErrorKind::kDType,
         "read: a tensor of the block dtype {} has no elements in memory; read to_blocks(x), or "
         "dequantize it by astype(f32).",
         name(node->dtype()));
  }
  runtime::evaluate(std::span(&node, 1), node->device() != nullptr ? node->device() : runtime::default_device(),
                    runtime::Purpose::kRead);
  auto storage = runtime::current_storage(*node);
  if (storage == nullptr)
    fail(ErrorKind::kValue, "A tensor of shape {} has no data: it was donated.", node->shape().str());
  return storage;
}

namespace detail {
void ragged(std::size_t got, std::int64_t expected) {
  fail(ErrorKind::kShape, "Tensor: a nested list has a row of {} entries where {} were expected.", got, expected);
}
}  // namespace detail

Tensor Tensor::from_number(double v) { return Tensor(ops::scalar({v, true}, DType::kF32)); }
Tensor Tensor::from_number(std::complex<double> v) { return Tensor(ops::scalar({v, true}, DType::kC64)); }
Tensor Tensor::from_number(std::int64_t v) {
  const bool fits = v >= INT32_MIN && v <= INT32_MAX;
  return Tensor(ops::scalar({v, true}, fits ? DType::kI32 : DType::kI64));
}
Tensor Tensor::from_number(std::uint64_t v) {
  if (v <= static_cast<std::uint64_t>(INT64_MAX)) return from_number(static_cast<std::int64_t>(v));
  return Tensor(ops::scalar({v, true}, DType::kU64));
}
Tensor Tensor::from_number(bool v) { return Tensor(ops::scalar({std::int64_t{v ? 1 : 0}}, DType::kBool)); }

Tensor::Tensor(const std::vector<bool>& data, const Shape& shape, const Device& device) {
  const std::vector<unsigned char> bytes(data.begin(), data.end());
  *this = from_bytes(bytes.data(), bytes.size(), DType::kBool, shape, device);
}

Tensor Tensor::from_bytes(const void* data, std::size_t count, DType dtype, const Shape& shape, const Device& device) {
  const std::int64_t numel = checked_numel("Tensor", shape, dtype);
  if (count != static_cast<std::size_t>(numel)) {
    fail(ErrorKind::kShape, "Tensor: {} elements were given for shape {}, which has {}.", count, shape.str(), numel);
  }
  if (is_block(dtype)) {
    return from_blocks(dtype, std::span(static_cast<const std::byte*>(data), byte_size(dtype, numel)), shape, device);
  }
  const auto target = device_of(device);
  runtime::check_type("Tensor", dtype, target->info());
  auto storage = runtime::storage_from(target, shape.numel(), dtype,
                                       std::span(static_cast<const std::byte*>(data), count * size_of(dtype)));
  auto node = std::make_shared<const Node>(Op::kInput, dtype, shape, target, Node::Inputs{});
  node->publish(std::move(storage));
  return Tensor(std::move(node));
}

const Shape& Tensor::shape() const { return check(node_).shape(); }
std::int64_t Tensor::size(int axis) const { return shape()[ops::normal_axis("size", axis, rank())]; }
DType Tensor::dtype() const { return check(node_).dtype(); }
Device Tensor::device() const { return check(node_).device() != nullptr ? Device(node_->device()) : Device::current(); }
bool Tensor::is_evaluated() const {
  if (!is_block(check(node_).dtype())) return node_->storage() != nullptr;
  std::shared_ptr<const Node::Inputs> hold;
  return std::ranges::all_of(ops::planes_of(*node_, hold), [](const NodePtr& p) { return p->storage() != nullptr; });
}

namespace {
void evaluate(std::span<const Tensor> tensors, runtime::Purpose purpose) {
  std::vector<NodePtr> nodes;
  nodes.reserve(tensors.size());
  bool anywhere = false;  // the default device is created only for a tensor without one
  for (const Tensor& t : tensors) {
    anywhere = anywhere || check(t.node()).device() == nullptr;
    nodes.push_back(t.node());
  }
  runtime::evaluate(nodes, anywhere ? runtime::default_device() : nullptr, purpose);
}
}  // namespace

void eval(std::span<const Tensor> tensors) { evaluate(tensors, runtime::Purpose::kCompute); }

const Tensor& Tensor::eval() const {
  tessera::eval(std::span(this, 1));
  return *this;
}

void Tensor::read_bytes(DType expected, const std::function<void*(std::size_t)>& place,
                        std::function<void(std::exception_ptr)> done) const {
  detail::check_read(*this, expected);
  auto storage = storage_of(node_);
  const std::size_t bytes = byte_count(*node_);
  void* to = place(bytes);
  if (bytes == 0) return call_back(done, nullptr);
  const Storage::Side side = storage->readable();
  side.device->download({{side.buffer, 0, bytes, to}}, [storage, done = std::move(done)](std::exception_ptr error) {
    call_back(done, std::move(error));
  });
}

void Tensor::read_bytes_now(DType expected, void* to) const {
  check(node_);
  const auto on = node_->device() != nullptr ? node_->device() : runtime::default_device();
  const auto start = std::chrono::steady_clock::now();
  runtime::wait_for(
      *on, [&](runtime::Done done) { read_bytes(expected, [to](std::size_t) { return to; }, std::move(done)); });
  if (runtime::Placer* placer = on->placer()) placer->observe(start);
}

void read_each(std::span<const Tensor> tensors, const std::function<void(std::size_t, runtime::Read&)>& aim,
               std::function<void(std::exception_ptr)> done) {
  evaluate(tensors, runtime::Purpose::kRead);
  std::vector<std::shared_ptr<Storage>> storages;
  std::shared_ptr<runtime::Device> device;
  for (const Tensor& t : tensors) {
    storages.push_back(storage_of(t.node()));
    const auto& on = storages.back()->device();
    if (device != nullptr && device != on) fail(ErrorKind::kDevice, "read_all: the tensors are on two devices.");
    device = on;
  }
  std::vector<runtime::Read> reads;       // from the device, with one wait
  std::vector<runtime::Read> host_reads;  // at once
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::size_t bytes = byte_count(*tensors[i].node());
    if (bytes == 0) continue;
    const Storage::Side side = storages[i]->readable();
    runtime::Read read{side.buffer, 0, bytes};
    aim(i, read);
    (side.device == device.get() ? reads : host_reads).push_back(std::move(read));
  }
  std::exception_ptr failed;
  if (!host_reads.empty()) {
    runtime::host_device()->download(std::move(host_reads),
                                     [&](std::exception_ptr error) { failed = std::move(error); });
  }
  if (reads.empty() || failed) return call_back(done, failed);
  device->download(std::move(reads), [storages = std::move(storages), done = std::move(done)](
                                         std::exception_ptr error) { call_back(done, std::move(error)); });
}

void read_all(std::span<const Tensor> tensors,
              std::function<void(std::vector<std::vector<std::byte>>, std::exception_ptr)> done) {
  auto all = std::make_shared<std::vector<std::vector<std::byte>>>(tensors.size());
  read_each(
      tensors,
      [&](std::size_t i, runtime::Read& read) {
        (*all)[i].resize(read.bytes);
        read.to = (*all)[i].data();
      },
      [all, done = std::move(done)](std::exception_ptr error) { done(std::move(*all), std::move(error)); });
}

namespace {
void check_item(const Tensor& t) {
  if (t.numel() != 1)
    fail(ErrorKind::kShape, "item: the tensor has shape {} and {} elements; item() reads exactly one.", t.shape().str(),
         t.numel());
}

template <class T>
T stored_as(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// An element as stored in memory.
Scalar element_at(DType t, const std::byte* bytes) {
  switch (t) {
    case DType::kBool:
      return {std::int64_t{stored_as<std::uint8_t>(bytes) != 0 ? 1 : 0}};
    case DType::kI8:
      return {std::int64_t{stored_as<std::int8_t>(bytes)}};
    case DType::kU8:
      return {std::int64_t{stored_as<std::uint8_t>(bytes)}};
    case DType::kI16:
      return {std::int64_t{stored_as<std::int16_t>(bytes)}};
    case DType::kU16:
      return {std::int64_t{stored_as<std::uint16_t>(bytes)}};
    case DType::kI32:
      return {std::int64_t{stored_as<std::int32_t>(bytes)}};
    case DType::kU32:
      return {std::int64_t{stored_as<std::uint32_t>(bytes)}};
    case DType::kI64:
      return {stored_as<std::int64_t>(bytes)};
    case DType::kU64:
      return {stored_as<std::uint64_t>(bytes)};
    case DType::kF16:
      return {double{static_cast<float>(stored_as<Half>(bytes))}};
    case DType::kBF16:
      return {double{static_cast<float>(stored_as<BFloat16>(bytes))}};
    case DType::kF32:
      return {double{stored_as<float>(bytes)}};
    case DType::kF64:
      return {stored_as<double>(bytes)};
    case DType::kC64:
      return {std::complex<double>(stored_as<std::complex<float>>(bytes))};
    case DType::kC128:
      return {stored_as<std::complex<double>>(bytes)};
    default:  // no element of a block dtype is in memory
      return {0.0};
  }
}

std::string element_text(DType t, const Scalar& s) {
  if (t == DType::kBool) return s.as_int() != 0 ? "true" : "false";
  if (is_complex(t)) return fmt::format("{:.6g}{:+.6g}i", s.as_complex().real(), s.as_complex().imag());
  if (is_float(t)) return fmt::format("{:.6g}", s.as_double());
  return t == DType::kU64 ? fmt::format("{}", static_cast<std::uint64_t>(s.as_int())) : fmt::format("{}", s.as_int());
}

/// The single element; `real`: it must not be complex.
Scalar item_of(const Tensor& t, bool real, const std::function<void(void*)>& read) {
  check_item(t);
  if (real && is_complex(t.dtype())) {
    fail(ErrorKind::kDType, "item: the tensor has type {}; read it as std::complex, or take real(x) or imag(x).",
         name(t.dtype()));
  }
  std::array<std::byte, 16> bytes{};
  read(bytes.data());
  return element_at(t.dtype(), bytes.data());
}
}  // namespace

double Tensor::item() const {
  const Scalar value = item_of(*this, true, [this](void* to) { read_bytes_now(dtype(), to); });
  constexpr std::int64_t kExact = std::int64_t{1} << 53U;
  const bool wide = dtype() == DType::kI64 || dtype() == DType::kU64;
  if (wide && (value.as_int() > kExact || value.as_int() < (dtype() == DType::kU64 ? 0 : -kExact))) {
    fail(ErrorKind::kDType, "item: {} of type {} is past 2^53, where a double is not exact; read it by item<{}>().",
         element_text(dtype(), value), name(dtype()), dtype() == DType::kI64 ? "std::int64_t" : "std::uint64_t");
  }
  return value.as_double();
}

double Tensor::item_as_double() const {
  return item_of(*this, true, [this](void* to) { read_bytes_now(dtype(), to); }).as_double();
}

std::int64_t Tensor::item_as_int() const {
  return item_of(*this, true, [this](void* to) { read_bytes_now(dtype(), to); }).as_int();
}

std::complex<double> Tensor::item_as_complex() const {
  return item_of(*this, false, [this](void* to) { read_bytes_now(dtype(), to); }).as_complex();
}

Tensor Tensor::to(const Device& target) const {
  check(node_);
  const auto on = device_of(target);
  if (node_->device() == nullptr || node_->device() == on) return *this;
  if (is_block(dtype())) {
    std::shared_ptr<const Node::Inputs> hold;
    std::vector<NodePtr> planes;
    for (const NodePtr& plane : ops::planes_of(*node_, hold)) planes.push_back(Tensor(plane).to(target).node());
    return Tensor(ops::blocks(dtype(), shape(), std::move(planes), ops::is_transposed(*node_)));
  }
  std::vector<std::byte> bytes(byte_count(*node_));
  read_bytes_now(dtype(), bytes.data());
  const Tensor moved = from_bytes(bytes.data(), static_cast<std::size_t>(numel()), dtype(), shape(), Device(on));
  // The gradient goes back to the tensor's device.
  return Tensor(ops::with_gradient("to", {node_}, moved.node(), [from = node_->device()](const Gradient::Call& call) {
    return std::vector<NodePtr>{Tensor(call.gradients[0]).to(Device(from)).node()};
  }));
}

Tensor Tensor::astype(DType t) const {
  // cast(x, t) refuses block dtypes, so that compositions do not dequantize what they are given.
  return is_block(dtype()) && dtype() != t ? dequantize(t) : cast(t);
}
Tensor Tensor::reshape(const Shape& shape) const { return tessera::reshape(*this, shape); }
Tensor Tensor::T() const { return rank() < 2 ? *this : transpose(); }

namespace {

void print(const Shape& shape, int axis, std::int64_t& at, const std::function<std::string(std::int64_t)>& element,
           std::string& out) {
  if (axis == shape.rank()) {
    out += element(at++);
    return;
  }
  constexpr std::int64_t kEdge = 3;
  std::int64_t inner = 1;
  for (int i = axis + 1; i < shape.rank(); ++i) inner *= shape[i];
  out += '[';
  for (std::int64_t i = 0; i < shape[axis]; ++i) {
    if (i > 0) out += axis + 1 == shape.rank() ? ", " : ",\n" + std::string(static_cast<std::size_t>(axis) + 1, ' ');
    if (shape[axis] > 2 * kEdge && i == kEdge) {
      out += "...";
      at += (shape[axis] - 2 * kEdge) * inner;
      i = shape[axis] - kEdge - 1;
      continue;
    }
    print(shape, axis + 1, at, element, out);
  }
  out += ']';
}

}  // namespace

std::string Tensor::str() const {
  const DType t = dtype();
  if (is_block(t)) return fmt::format("{} ({}, {})", shape().str(), name(t), device().info().id);
  std::vector<std::byte> bytes(byte_count(*node_));
  read_bytes_now(t, bytes.data());
  std::string out;
  std::int64_t at = 0;
  print(
      shape(), 0, at,
      [&](std::int64_t i) {
        return element_text(t, element_at(t, bytes.data() + static_cast<std::size_t>(i) * size_of(t)));
      },
      out);
  return fmt::format("{} ({}, {})", out, name(t), device().info().id);
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << x.str(); }

}  // namespace tessera
