// Decompositions of single matrices by Eigen, for each matrix of a batch. The only file that includes Eigen.
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "base/fail.h"
#include "base/thread_pool.h"
#include "ops/linalg.h"

namespace tessera::ops {

namespace {

using Eigen::Index;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// "of the batch's matrix 3", where there is more than one.
std::string which_matrix(std::int64_t i, std::int64_t count) {
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
  [[nodiscard]] Eigen::Map<RowMajor<T>> out(std::size_t i, std::int64_t at, Index rows, Index cols) const {
    return {reinterpret_cast<T*>(call.outputs[i].data()) + at * rows * cols, rows, cols};
  }
  template <class F>
  void each(F f) const {
    ThreadPool::global().parallel_for(count, 1, [&](std::int64_t b, std::int64_t e) {
      for (std::int64_t i = b; i < e; ++i) f(i);
    });
  }
};

template <class T>
void cholesky(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto x = batch.in(0, i);
    const Eigen::LLT<Matrix<T>, Eigen::Lower> llt(x);
    if (llt.info() != Eigen::Success || !x.allFinite()) {
      fail(ErrorKind::kValue, "cholesky: {} is not positive definite.", which_matrix(i, batch.count));
    }
    batch.out(0, i, x.rows(), x.cols()) = Matrix<T>(llt.matrixL());
  });
}

template <class T>
void qr(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto x = batch.in(0, i);
    const Index k = std::min(x.rows(), x.cols());
    const Eigen::HouseholderQR<Matrix<T>> made(x);
    batch.out(0, i, x.rows(), k) = made.householderQ() * Matrix<T>::Identity(x.rows(), k);
    batch.out(1, i, k, x.cols()) = Matrix<T>(made.matrixQR().topRows(k).template triangularView<Eigen::Upper>());
  });
}

template <class T>
Eigen::PartialPivLU<Matrix<T>> invertible(const char* what, const Batch<T>& batch, std::int64_t i) {
  Eigen::PartialPivLU<Matrix<T>> lu(batch.in(0, i));
  const auto pivots = lu.matrixLU().diagonal();
  for (Index k = 0; k < pivots.size(); ++k) {
    if (pivots[k] == 0) fail(ErrorKind::kValue, "{}: {} is singular.", what, which_matrix(i, batch.count));
  }
  return lu;
}

template <class T>
void solve(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto b = batch.in(1, i);
    if (b.rows() == 0) return;
    batch.out(0, i, b.rows(), b.cols()) = invertible("solve", batch, i).solve(Matrix<T>(b));
  });
}

template <class T>
void inverse(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const Index n = batch.in(0, i).rows();
    if (n > 0) batch.out(0, i, n, n) = invertible("inv", batch, i).inverse();
  });
}

template <class T>
void determinant(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    T det = 1;
    T sign = 1;
    T log = 0;
    if (batch.in(0, i).rows() > 0) {
      const Eigen::PartialPivLU<Matrix<T>> lu(batch.in(0, i));
      sign = static_cast<T>(lu.permutationP().determinant());
      det = sign;
      const auto pivots = lu.matrixLU().diagonal();
      for (Index k = 0; k < pivots.size(); ++k) {
        det *= pivots[k];
        sign *= static_cast<T>((pivots[k] > 0) - (pivots[k] < 0));
        log += std::log(std::abs(pivots[k]));
      }
    }
    batch.out(0, i, 1, 1)(0, 0) = det;
    batch.out(1, i, 1, 1)(0, 0) = sign;
    batch.out(2, i, 1, 1)(0, 0) = log;
  });
}

template <class T>
void svd(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto x = batch.in(0, i);
    const Index k = std::min(x.rows(), x.cols());
    if (k == 0) return;
    if (!x.allFinite())
      fail(ErrorKind::kValue, "svd: {} has numbers that are not finite.", which_matrix(i, batch.count));
    const auto keep = [&](const auto& made) {
      batch.out(0, i, x.rows(), k) = made.matrixU();
      batch.out(1, i, k, 1) = made.singularValues();
      batch.out(2, i, k, x.cols()) = made.matrixV().transpose();
    };
    constexpr Index kSmall = 32;
    const unsigned thin = Eigen::ComputeThinU | Eigen::ComputeThinV;
    if (k <= kSmall) {
      keep(Eigen::JacobiSVD<Matrix<T>>(x, thin));
    } else {
      keep(Eigen::BDCSVD<Matrix<T>>(x, thin));
    }
  });
}

template <class T>
void eigh(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto x = batch.in(0, i);
    if (x.rows() == 0) return;
    const Eigen::SelfAdjointEigenSolver<Matrix<T>> made(x);
    if (made.info() != Eigen::Success || !x.allFinite()) {
      fail(ErrorKind::kValue, "eigh: the values of {} were not found: it has numbers that are not finite.",
           which_matrix(i, batch.count));
    }
    batch.out(0, i, x.rows(), 1) = made.eigenvalues();
    batch.out(1, i, x.rows(), x.rows()) = made.eigenvectors();
  });
}

struct Row {
  const char* name;
  void (*single)(const CustomHostCall&);
  void (*wide)(const CustomHostCall&);
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

const Row& row_of(Decomposition which) {
  static const std::vector<Row> kRows{
      {"cholesky", cholesky<float>, cholesky<double>, {"x"}, {"l"}},
      {"qr", qr<float>, qr<double>, {"x"}, {"q", "r"}},
      {"solve", solve<float>, solve<double>, {"a", "b"}, {"x"}},
      {"inv", inverse<float>, inverse<double>, {"x"}, {"y"}},
      {"det", determinant<float>, determinant<double>, {"x"}, {"det", "sign", "logabs"}},
      {"svd", svd<float>, svd<double>, {"x"}, {"u", "s", "vh"}},
      {"eigh", eigh<float>, eigh<double>, {"x"}, {"values", "vectors"}},
  };
  return kRows[static_cast<std::size_t>(which)];
}

/// A kernel for each decomposition and type, made once: they have no text.
std::shared_ptr<const CustomKernel> kernel_of(Decomposition which, DType dtype) {
  static const auto kKernels = [] {
    std::vector<std::shared_ptr<const CustomKernel>> all;
    for (int i = 0; i <= static_cast<int>(Decomposition::kEigh); ++i) {
      const Row& row = row_of(static_cast<Decomposition>(i));
      for (const bool wide : {false, true}) {
        CustomKernel k;
        k.name = row.name;
        k.inputs = row.inputs;
        k.outputs = row.outputs;
        k.host = wide ? row.wide : row.single;
        k.trusted = true;
        all.push_back(make_custom(std::move(k)));
      }
    }
    return all;
  }();
  return kKernels[2 * static_cast<std::size_t>(which) + (dtype == DType::kF64 ? 1 : 0)];
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
      call.outputs = {shape({}), shape({}), shape({})};
      break;
    case Decomposition::kSvd:
      call.outputs = {shape({m, k}), shape({k}), shape({k, n})};
      break;
    case Decomposition::kEigh:
      call.outputs = {shape({n}), shape({n, n})};
      break;
  }
  return custom(std::move(call), std::move(inputs));
}

}  // namespace tessera::ops
