// The matrices of a batch as Eigen maps. Eigen is slow to compile: only this folder includes it.
#pragma once

#include <complex>

#include <Eigen/Core>

#include "base/fail.h"
#include "base/thread_pool.h"
#include "ops/linalg/decompose/host.h"

namespace tessera::ops::host {

using Eigen::Index;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The type of sizes and eigenvalues.
template <class T>
using Real = typename Eigen::NumTraits<T>::Real;

/// "of the batch's matrix 3", where there is more than one.
inline std::string which_matrix(std::int64_t i, std::int64_t count) {
  return count == 1 ? "the matrix" : fmt::format("matrix {} of {}", i, count);
}

/// One call over matrices of type T: views of the inputs and outputs at each place of the batch.
template <class T>
struct Batch {
  const CustomHostCall& call;
  std::int64_t count = 1;

  explicit Batch(const CustomHostCall& c) : call(c) {
    const Shape& s = c.input_tensors[0].shape;
    for (int i = 0; i + 2 < s.rank(); ++i) count *= s[i];
  }
  [[nodiscard]] Eigen::Map<const RowMajor<T>> in(std::size_t i, std::int64_t at) const {
    const Shape& s = call.input_tensors[i].shape;
    const Index rows = s[s.rank() - 2];
    const Index cols = s.back();
    return {reinterpret_cast<const T*>(call.inputs[i].data()) + at * rows * cols, rows, cols};
  }
  template <class R = T>
  [[nodiscard]] Eigen::Map<RowMajor<R>> out(std::size_t i, std::int64_t at, Index rows, Index cols) const {
    return {reinterpret_cast<R*>(call.outputs[i].data()) + at * rows * cols, rows, cols};
  }
  template <class F>
  void each(F f) const {
    ThreadPool::global().parallel_for(count, 1, [&](std::int64_t b, std::int64_t e) {
      for (std::int64_t i = b; i < e; ++i) f(i);
    });
  }
};

}  // namespace tessera::ops::host
