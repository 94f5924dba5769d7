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
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

using C64 = std::complex<float>;
using C128 = std::complex<double>;

const Row& row_of(Decomposition which) {
  static const std::vector<Row> kRows{
      {"cholesky",
       {host::cholesky<float>, host::cholesky<double>, host::cholesky<C64>, host::cholesky<C128>},
       {"x"},
       {"l"}},
      {"qr", {host::qr<float>, host::qr<double>, host::qr<C64>, host::qr<C128>}, {"x"}, {"q", "r"}},
      {"solve", {host::solve<float>, host::solve<double>, host::solve<C64>, host::solve<C128>}, {"a", "b"}, {"x"}},
      {"inv", {host::inverse<float>, host::inverse<double>, host::inverse<C64>, host::inverse<C128>}, {"x"}, {"y"}},
      {"det",
       {host::determinant<float>, host::determinant<double>, host::determinant<C64>, host::determinant<C128>},
       {"x"},
       {"det", "sign", "logabs"}},
      {"svd", {host::svd<float>, host::svd<double>, host::svd<C64>, host::svd<C128>}, {"x"}, {"u", "s", "vh"}},
      {"eigh",
       {host::eigh<float>, host::eigh<double>, host::eigh<C64>, host::eigh<C128>},
       {"x"},
       {"values", "vectors"}},
  };
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
    return CustomTensor{t, result};
  };
  const auto real = [&](CustomTensor x) { return CustomTensor{real_of(t), x.shape}; };
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
