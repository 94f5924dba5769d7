// Cumulative sums and products of complex numbers: on the host only.
#include "ops/elementwise/complex_math.h"
#include "ops/host_call.h"
#include "ops/reduce/scan.h"

namespace tessera::ops {

namespace {

template <class T>
void scan_row(const HostRow<std::complex<T>>& x, std::int64_t cols, const ScanAttributes& a, std::complex<T>* y) {
  const bool product = a.kind == ScanKind::kProd;
  complex::Complex run = product ? 1 : 0;
  for (std::int64_t i = 0; i < cols; ++i) {
    const std::int64_t at = a.reverse ? cols - 1 - i : i;
    const std::complex<T> v = x[static_cast<std::size_t>(at)];
    const complex::Complex before = run;
    run = product ? complex::multiply(run, complex::wide(v)) : run + complex::wide(v);
    y[at] = static_cast<std::complex<T>>(a.exclusive ? before : run);
  }
}

template <class T>
void scan_rows(const CustomHostCall& call, const ScanAttributes& a) {
  const Shape& shape = call.output_tensors[0].shape;
  const std::int64_t cols = shape.back();
  std::complex<T>* y = host_output<std::complex<T>>(call, 0).data();
  host_for(shape[0], cols, [&](std::size_t row) {
    const auto each = static_cast<std::size_t>(cols);
    scan_row(HostRow<std::complex<T>>(call, 0, row, each), cols, a, y + row * each);
  });
}

}  // namespace

void complex_scan_host(const ScanAttributes& a, const CustomHostCall& call) {
  call.input_tensors[0].dtype == DType::kC64 ? scan_rows<float>(call, a) : scan_rows<double>(call, a);
}

}  // namespace tessera::ops
