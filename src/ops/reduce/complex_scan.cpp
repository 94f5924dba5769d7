// Cumulative sums and products of complex numbers: host functions only.
#include <fmt/format.h>

#include "ops/elementwise/complex_math.h"
#include "ops/own_kernel.h"
#include "ops/sort/sort.h"

namespace tessera::ops {

namespace {

template <class T>
void scan_row(const std::complex<T>* x, std::int64_t cols, ScanOptions o, bool product, std::complex<T>* y) {
  complex::Complex run = product ? 1 : 0;
  for (std::int64_t i = 0; i < cols; ++i) {
    const std::int64_t at = o.reverse ? cols - 1 - i : i;
    const complex::Complex before = run;
    run = product ? complex::multiply(run, complex::wide(x[at])) : run + complex::wide(x[at]);
    y[at] = static_cast<std::complex<T>>(o.exclusive ? before : run);
  }
}

template <class T>
void scan_rows(const CustomHostCall& call, ScanOptions o, bool product) {
  const Shape& shape = call.input_tensors[0].shape;
  const std::int64_t cols = shape.back();
  const std::complex<T>* x = host_input<std::complex<T>>(call, 0).data();
  std::complex<T>* y = host_output<std::complex<T>>(call, 0).data();
  host_for(shape[0], cols, [&](std::size_t row) {
    const std::size_t first = row * static_cast<std::size_t>(cols);
    scan_row(x + first, cols, o, product, y + first);
  });
}

}  // namespace

NodePtr complex_scan(const NodePtr& x, int axis, ScanOptions o, bool product) {
  const char* what = product ? "cumprod" : "cumsum";
  const RowsOf r = rows_of(what, x, axis);
  if (x->numel() == 0) return x;
  const DType t = x->dtype();
  const std::string key =
      fmt::format("{}_{}{}{}", what, name(t), o.exclusive ? "_exclusive" : "", o.reverse ? "_reverse" : "");
  const auto kernel = own_kernel(key, [&] {
    CustomKernel k;
    k.inputs = {"x"};
    k.outputs = {"y"};
    k.host = [o, product, t](const CustomHostCall& call) {
      t == DType::kC64 ? scan_rows<float>(call, o, product) : scan_rows<double>(call, o, product);
    };
    return k;
  });
  return r.back(call_own(kernel, {r.rows}, {{t, r.rows->shape()}}, {}, 1)[0]);
}

}  // namespace tessera::ops
