// Decompositions of matrices as host functions: their shapes, their checks and their table.
#include <array>
#include <complex>

#include "base/fail.h"
#include "ops/linalg/decompose/host.h"
#include "ops/linalg/linalg.h"

namespace tessera::ops {

namespace {

struct Row {
  const char* name;
  std::array<void (*)(const CustomHostCall&), 4> hosts;  // f32, f64, c64, c128
  std::vector<KernelBinding> inputs;
  std::vector<KernelBinding> outputs;
};

using C128 = std::complex<double>;

/// `from` and `to` are elements of two dtypes, as many of each.
template <class From, class To>
void convert(std::span<const std::byte> from, std::span<std::byte> to) {
  const auto* x = reinterpret_cast<const From*>(from.data());
  auto* y = reinterpret_cast<To*>(to.data());
  for (std::size_t i = 0; i < from.size() / sizeof(From); ++i) y[i] = static_cast<To>(x[i]);
}

/// c64 in c128: an instantiation of Eigen for each dtype would take minutes to compile.
template <void (*kHost)(const CustomHostCall&)>
void in_c128(const CustomHostCall& call) {
  const auto twice = [](const auto& spans) {
    std::vector<std::vector<C128>> memory;
    for (const auto& span : spans) memory.emplace_back((2 * span.size() + sizeof(C128) - 1) / sizeof(C128));
    return memory;
  };
  std::vector<std::vector<C128>> in = twice(call.inputs);
  std::vector<std::vector<C128>> out = twice(call.outputs);
  std::vector<std::span<const std::byte>> inputs;
  std::vector<std::span<std::byte>> outputs;
  for (std::size_t i = 0; i < in.size(); ++i) {
    convert<std::complex<float>, C128>(call.inputs[i], std::as_writable_bytes(std::span(in[i])));
    inputs.push_back(std::as_bytes(std::span(in[i])).first(2 * call.inputs[i].size()));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    outputs.push_back(std::as_writable_bytes(std::span(out[i])).first(2 * call.outputs[i].size()));
  }
  CustomHostCall wide = call;
  wide.inputs = inputs;
  wide.outputs = outputs;
  kHost(wide);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (is_complex(call.output_tensors[i].dtype)) {
      convert<C128, std::complex<float>>(outputs[i], call.outputs[i]);
    } else {
      convert<double, float>(outputs[i], call.outputs[i]);
    }
  }
}

const Row& row_of(Decomposition which) {
#define TESSERA_HOSTS(f) {host::f<float>, host::f<double>, in_c128<host::f<C128>>, host::f<C128>}
  static const std::vector<Row> kRows{
      {"cholesky", TESSERA_HOSTS(cholesky), {"x"}, {"l"}},
      {"qr", TESSERA_HOSTS(qr), {"x"}, {"q", "r"}},
      {"solve", TESSERA_HOSTS(solve), {"a", "b"}, {"x"}},
      {"inv", TESSERA_HOSTS(inverse), {"x"}, {"y"}},
      {"det", TESSERA_HOSTS(determinant), {"x"}, {"det", "sign", "logabs"}},
      {"svd", TESSERA_HOSTS(svd), {"x"}, {"u", "s", "vh"}},
      {"eigh", TESSERA_HOSTS(eigh), {"x"}, {"values", "vectors"}},
  };
#undef TESSERA_HOSTS
  return kRows[static_cast<std::size_t>(which)];
}

/// A kernel for each decomposition and dtype, created once: they have no WGSL.
std::shared_ptr<const CustomKernel> kernel_of(Decomposition which, DType dtype) {
  static const auto kKernels = [] {
    std::vector<std::shared_ptr<const CustomKernel>> all;
    for (int i = 0; i <= static_cast<int>(Decomposition::kEigh); ++i) {
      const Row& row = row_of(static_cast<Decomposition>(i));
      for (const auto host : row.hosts) {
        CustomKernel k;
        k.name = row.name;
        k.inputs = row.inputs;
        k.outputs = row.outputs;
        k.host = host;
        k.trusted = true;
        all.push_back(make_custom(std::move(k)));
      }
    }
    return all;
  }();
  const bool wide = real_of(dtype) == DType::kF64;
  return kKernels[4 * static_cast<std::size_t>(which) + (wide ? 1 : 0) + (is_complex(dtype) ? 2 : 0)];
}

}  // namespace

void check_matrices(std::string_view what, const NodePtr& x, bool square) {
  const Shape& s = x->shape();
  if (s.rank() < 2) fail(ErrorKind::kShape, "{}: matrices [.., M, N] are expected; the shape is {}.", what, s.str());
  if (square && s[s.rank() - 2] != s.back()) {
    fail(ErrorKind::kShape, "{}: the matrices must be square; the shape is {}.", what, s.str());
  }
}

std::vector<NodePtr> decompose(Decomposition which, std::vector<NodePtr> inputs) {
  const Row& row = row_of(which);
  check_matrices(row.name, inputs[0], which != Decomposition::kQr && which != Decomposition::kSvd);
  const Shape& s = inputs[0]->shape();
  const DType t = inputs[0]->dtype();
  const Shape batch(std::span(s.begin(), static_cast<std::size_t>(s.rank() - 2)));
  const std::int64_t m = s[s.rank() - 2];
  const std::int64_t n = s.back();
  const std::int64_t k = std::min(m, n);
  const auto shape = [&](std::initializer_list<std::int64_t> sizes) {
    Shape result = batch;
    for (const std::int64_t size : sizes) result.push_back(size);
    return TensorSpec{t, result};
  };
  const auto real = [&](TensorSpec x) { return TensorSpec{real_of(t), x.shape}; };
  CustomCall call;
  call.kernel = kernel_of(which, t);
  switch (which) {
    case Decomposition::kCholesky:
    case Decomposition::kInverse:
      call.outputs = {shape({n, n})};
      break;
    case Decomposition::kQr:
      call.outputs = {shape({m, k}), shape({k, n})};
      break;
    case Decomposition::kSolve:
      call.outputs = {{t, inputs[1]->shape()}};
      break;
    case Decomposition::kDeterminant:
      call.outputs = {shape({}), shape({}), real(shape({}))};
      break;
    case Decomposition::kSvd:
      call.outputs = {shape({m, k}), real(shape({k})), shape({k, n})};
      break;
    case Decomposition::kEigh:
      call.outputs = {real(shape({n})), shape({n, n})};
      break;
  }
  return custom(std::move(call), std::move(inputs));
}

}  // namespace tessera::ops
