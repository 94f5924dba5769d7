// Benchmarks of work along rows: sums, softmax, layer_norm.
#include "bench/bench.h"

namespace tessera::app {

namespace {

/// Runs over all matrices of the sizes; `traffic` is how often the matrix passes through memory.
void over_rows(const Bench& bench, const char* name, DType dtype, double traffic, const Bench::Function& function,
               bool affine = false) {
  for (const Sizes::Matrix& size : bench.sizes().rows) {
    const double bytes = traffic * static_cast<double>(size.rows * size.cols) * static_cast<double>(size_of(dtype));
    const auto inputs = [&] {
      std::vector<Tensor> in{bench.random({size.rows, size.cols}, dtype)};
      if (affine) in.insert(in.end(), {bench.random({size.cols}, dtype), bench.random({size.cols}, dtype)});
      return in;
    };
    const double seconds = bench.seconds_of(inputs, function, bench.copies_for_bytes(bytes));
    bench.report({name, {{"M", size.rows}, {"N", size.cols}}, "gbs", bytes * 1e-9 / seconds});
  }
}

void row_sum(const Bench& bench) {
  over_rows(bench, "row_sum_f32", f32, 1, [](const std::vector<Tensor>& in) { return sum(in[0], {-1}); });
}
void col_sum(const Bench& bench) {
  over_rows(bench, "col_sum_f32", f32, 1, [](const std::vector<Tensor>& in) { return sum(in[0], {0}); });
}
void full_sum(const Bench& bench) {
  const std::int64_t n = bench.sizes().elements;
  const double seconds = bench.seconds_of([&] { return std::vector{bench.random({n})}; },
                                          [](const std::vector<Tensor>& in) { return sum(in[0]); });
  bench.report({"full_sum_f32", {{"n", n}}, "gbs", 4e-9 * static_cast<double>(n) / seconds});
}
void softmax_f32(const Bench& bench) {
  over_rows(bench, "softmax_f32", f32, 2, [](const std::vector<Tensor>& in) { return softmax(in[0]); });
}
void softmax_f16(const Bench& bench) {
  over_rows(bench, "softmax_f16", f16, 2, [](const std::vector<Tensor>& in) { return softmax(in[0]); });
}
void layer_norm_f32(const Bench& bench) {
  over_rows(
      bench, "layer_norm_f32", f32, 2, [](const std::vector<Tensor>& in) { return layer_norm(in[0], in[1], in[2]); },
      true);
}

void layer_norm_f16(const Bench& bench) {
  over_rows(
      bench, "layer_norm_f16", f16, 2, [](const std::vector<Tensor>& in) { return layer_norm(in[0], in[1], in[2]); },
      true);
}
void rms_norm_f16(const Bench& bench) {
  over_rows(bench, "rms_norm_f16", f16, 2, [](const std::vector<Tensor>& in) { return rms_norm(in[0], in[1]); }, true);
}

/// The value and the gradient of sum(f(x) * x) in one evaluation, as in a training step: the matrix is read for both,
/// and both are written.
void step_of_rows(const Bench& bench, const char* name, Tensor (*f)(const Tensor& x, const Tensor& w)) {
  over_rows(
      bench, name, f16, 4,
      [f](const std::vector<Tensor>& in) {
        const auto [y, dx] = vjp([&](const Tensors& x) { return Tensors{f(x[0], in[1])}; }, {in[0]}, {in[0]});
        return stack({y[0], dx[0]});
      },
      true);
}
void layer_norm_step_f16(const Bench& bench) {
  step_of_rows(bench, "layer_norm_step_f16", [](const Tensor& x, const Tensor& w) { return layer_norm(x, w, w); });
}
void softmax_step_f16(const Bench& bench) {
  step_of_rows(bench, "softmax_step_f16", [](const Tensor& x, const Tensor&) { return softmax(x); });
}
void log_softmax_step_f16(const Bench& bench) {
  step_of_rows(bench, "log_softmax_step_f16", [](const Tensor& x, const Tensor&) { return log_softmax(x); });
}

void rms_norm_f32(const Bench& bench) {
  over_rows(bench, "rms_norm_f32", f32, 2, [](const std::vector<Tensor>& in) { return rms_norm(in[0], in[1]); }, true);
}
void batch_norm_f32(const Bench& bench) {
  // Columns are the channels: statistics of all rows, then one pass over the matrix.
  over_rows(
      bench, "batch_norm_f32", f32, 3,
      [](const std::vector<Tensor>& in) { return batch_norm_training(in[0], in[1], in[2], in[1], in[2]).result; },
      true);
}

/// As many rows as the matrix has, drawn at random.
void gather_rows(const Bench& bench, const char* name, DType dtype) {
  for (const Sizes::Matrix& size : bench.sizes().rows) {
    const double bytes = 2.0 * static_cast<double>(size.rows * size.cols) * static_cast<double>(size_of(dtype));
    const auto inputs = [&] {
      return std::vector{bench.random({size.rows, size.cols}, dtype),
                         random::randint({size.rows}, 0, size.rows, i32, bench.device())};
    };
    const double seconds = bench.seconds_of(
        inputs, [](const std::vector<Tensor>& in) { return take(in[0], in[1], 0); }, bench.copies_for_bytes(bytes));
    bench.report({name, {{"M", size.rows}, {"N", size.cols}}, "gbs", bytes * 1e-9 / seconds});
  }
}
void gather_f32(const Bench& bench) { gather_rows(bench, "gather_rows_f32", f32); }
void gather_f16(const Bench& bench) { gather_rows(bench, "gather_rows_f16", f16); }

/// The gradient of an embedding: rows added where they were taken.
void embedding_gradient_f32(const Bench& bench) {
  const Sizes::Matrix size = bench.sizes().rows.back();
  const auto inputs = [&] {
    return std::vector{bench.random({size.rows, size.cols}),
                       random::randint({size.rows}, 0, size.rows, i32, bench.device())};
  };
  const double seconds = bench.seconds_of(inputs, [](const std::vector<Tensor>& in) {
    return grad([&](const Tensor& w) { return sum(embedding(in[1], w) * in[0]); })(in[0]);
  });
  bench.report({"embedding_gradient_f32", {{"M", size.rows}, {"N", size.cols}}, "ms", 1e3 * seconds});
}

}  // namespace

std::vector<BenchRow> row_benches() {
  return {{"reduce", "row_sum_f32", row_sum},
          {"reduce", "col_sum_f32", col_sum},
          {"reduce", "full_sum_f32", full_sum},
          {"softmax", "softmax_f32", softmax_f32},
          {"softmax", "softmax_f16", softmax_f16},
          {"softmax", "softmax_step_f16", softmax_step_f16},
          {"softmax", "log_softmax_step_f16", log_softmax_step_f16},
          {"norms", "layer_norm_f32", layer_norm_f32},
          {"norms", "layer_norm_f16", layer_norm_f16},
          {"norms", "layer_norm_step_f16", layer_norm_step_f16},
          {"norms", "rms_norm_f16", rms_norm_f16},
          {"norms", "rms_norm_f32", rms_norm_f32},
          {"norms", "batch_norm_f32", batch_norm_f32},
          {"gather", "gather_rows_f32", gather_f32},
          {"gather", "gather_rows_f16", gather_f16},
          {"gather", "embedding_gradient_f32", embedding_gradient_f32}};
}

}  // namespace tessera::app
