// What the benchmarks share: sizes that fit the device, how time is taken, and where results go.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "tessera/tessera.h"

namespace tessera::app {

using Json = nlohmann::ordered_json;

/// Problem sizes: large on a GPU, small on the CPU and on software adapters, tiny for --quick.
struct Sizes {
  struct Matrix {
    std::int64_t rows, cols;
  };
  struct Gemm {
    std::int64_t m, k, n;
  };
  std::int64_t elements = 0;       // of the elementwise ops and the full sum
  std::vector<Matrix> rows;        // of reductions, softmax, layer_norm
  std::int64_t transpose = 0;      // edge of the square matrix
  std::vector<std::int64_t> gemm;  // sizes of the square matmuls
  std::vector<Gemm> skinny;
  std::int64_t model = 0;       // width of the layers whose matmuls share an input
  std::int64_t copy_bytes = 0;  // problems with less traffic are repeated in one submission until they have this much
  double copy_flops = 0;        // the same for matmuls
};
Sizes sizes_for(const Device& device, bool quick);

/// One result: a name, what was measured, and a number with its unit.
struct Result {
  std::string bench;
  Json fields;       // sizes and the like, in order
  std::string unit;  // "gbs", "tflops", "us", "ms", "ms_per_1000_nodes", "percent", "tokens_per_s",
                     // "tok_s", "kernels_per_layer", "bytes_written"
  double value = 0;
};

/// Passed to every benchmark: the device, the sizes, and the sink for results.
class Bench {
 public:
  using Sink = std::function<void(const Result&)>;
  /// `device_seconds` is what making the device took.
  Bench(Device device, bool quick, Sink sink, double device_seconds = 0, BenchModel model = {});

  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  [[nodiscard]] bool quick() const { return quick_; }
  [[nodiscard]] const BenchModel& model() const { return model_; }
  [[nodiscard]] double device_seconds() const { return device_seconds_; }
  void report(const Result& result) const { sink_(result); }
  /// From now on each work is called once and its time means nothing: for those who look at its kernels.
  void run_once() { once_ = true; }

  /// Seconds of one call: calls are queued in batches with one wait after each; the median over the batches.
  [[nodiscard]] double seconds(const std::function<void()>& queue) const;
  /// Seconds that `work` takes on the host, the median over many single calls; `between` is called untimed after each.
  [[nodiscard]] double host_seconds(const std::function<void()>& work, const std::function<void()>& between) const;

  /// Seconds of one `function` on fresh inputs that stay on the device. `copies` independent problems with inputs of
  /// their own run in each submission, so that the cost of submitting does not hide the kernels.
  using Inputs = std::function<std::vector<Tensor>()>;
  using Function = std::function<Tensor(const std::vector<Tensor>&)>;
  [[nodiscard]] double seconds_of(const Inputs& make_inputs, const Function& function, std::int64_t copies = 1) const;
  /// The same for a function with so many results.
  using Functions = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
  [[nodiscard]] double seconds_of_all(const Inputs& make_inputs, const Functions& functions, std::size_t results,
                                      std::int64_t copies = 1) const;
  /// How many copies of a problem of that size to run in one submission.
  [[nodiscard]] std::int64_t copies_for_bytes(double bytes) const;
  [[nodiscard]] std::int64_t copies_for_flops(double flops) const;

  /// Uniform numbers in [-1, 1), on the device.
  [[nodiscard]] Tensor random(const Shape& shape, DType dtype = f32) const;

 private:
  Device device_;
  bool quick_;
  bool once_ = false;
  Sizes sizes_;
  Sink sink_;
  double device_seconds_;
  BenchModel model_;
};

/// A row of the table of benchmarks.
struct BenchRow {
  const char* group;
  const char* name;
  void (*run)(const Bench& bench);
};

// The parts of the table, one for each file.
std::vector<BenchRow> host_benches();         // bench_host.cpp: alloc, dispatch, coldstart
std::vector<BenchRow> memory_benches();       // bench_memory.cpp: elementwise, transpose
std::vector<BenchRow> row_benches();          // bench_rows.cpp: reduce, softmax, norms, gather
std::vector<BenchRow> gemm_benches();         // bench_gemm.cpp: gemm
std::vector<BenchRow> conv_benches();         // bench_conv.cpp: conv
std::vector<BenchRow> attention_benches();    // bench_attention.cpp: attention
std::vector<BenchRow> step_benches();         // bench_step.cpp: step
std::vector<BenchRow> resnet_benches();       // bench_resnet.cpp: conv, step
std::vector<BenchRow> train_benches();        // bench_train.cpp: train
std::vector<BenchRow> state_benches();        // bench_state.cpp: state
std::vector<BenchRow> llm_benches();          // bench_llm.cpp: llm
std::vector<BenchRow> plan_benches();         // bench_plan.cpp: plan
std::vector<BenchRow> loop_benches();         // bench_loop.cpp: loop
std::vector<BenchRow> quant_benches();        // bench_quant.cpp: quant
std::vector<BenchRow> sort_benches();         // bench_sort.cpp: sort, scan
std::vector<BenchRow> placement_benches();    // bench_placement.cpp: placement
std::vector<BenchRow> limits_benches();       // bench_limits.cpp: limits
std::vector<BenchRow> distributed_benches();  // bench_distributed.cpp: distributed

/// All of them, in the order in which they run (bench_command.cpp).
std::vector<BenchRow> all_benches();

/// Six elementwise ops over two inputs: as one graph, and each evaluated by itself.
Tensor chain6_fused(const std::vector<Tensor>& in);
double chain6_op_by_op_seconds(const Bench& bench, std::int64_t elements);

/// Random blocks; f16 scales of about 0.001 wherever the dtype has them.
Tensor random_blocks(DType dtype, std::int64_t n, std::int64_t k, const Device& device);
/// The dtypes that the weights of BenchModel can have.
std::vector<DType> weight_types();

/// Reorders its argument.
double median(std::vector<double>& values);

}  // namespace tessera::app
