// Compositions of halves on long rows and at large magnitudes, against the same in f64: only the inputs and the result
// are rounded, whatever lies between.
#include <cmath>
#include <map>
#include <set>

#include "support/bounds.h"
#include "support/devices.h"
#include "support/values.h"
#include "tessera/catalog.h"

namespace tessera::test {
namespace {

/// What the elements of the two inputs are.
enum class Data : std::uint8_t { kZeros, kOnes, kSmall, kUnit, kLarge };

constexpr std::int64_t kLongest = 1'000'003;

struct HalfRow {
  std::string op;  // of the catalog; what stands behind a blank tells rows of one op apart
  std::vector<Data> data;
  Tensor (*f)(const Tensor& x, const Tensor& y);  // two vectors; of floats of the same dtype
  double absolute = 0;                            // what f32 loses to cancellation, beside the rounding of the result
  std::int64_t longest = kLongest;
};

Tensor as_row(const Tensor& x) { return reshape(x, {1, x.numel()}); }
Tensor as_column(const Tensor& x) { return reshape(x, {x.numel(), 1}); }
Tensor as_image(const Tensor& x) { return reshape(x, {1, 1, x.numel()}); }
Tensor as_heads(const Tensor& x) { return reshape(x, {1, 1, x.numel(), 1}); }
Tensor pairs(const Tensor& x, const Tensor& y) { return stack({x, y}, 1); }
Tensor constant(const Tensor& like, const Shape& shape, double v) {
  return full(shape, v, like.dtype(), like.device());
}
/// 0, 1, 0, 1, ..
Tensor classes(const Tensor& x) { return remainder(arange(0, static_cast<double>(x.numel()), 1, i32, x.device()), 2); }

const std::vector<Data> kAll{Data::kZeros, Data::kOnes, Data::kSmall, Data::kLarge};
const std::vector<Data> kPositive{Data::kOnes, Data::kSmall, Data::kLarge};
/// For norms: WGSL's division may be off by 2.5 ulps, so the mean of equal numbers may miss them by one, and a small
/// epsilon makes that large. Zeros show what the epsilon is.
const std::vector<Data> kUneven{Data::kZeros, Data::kSmall, Data::kLarge};

const std::vector<HalfRow>& rows() {
  using T = const Tensor&;
  static const std::vector<HalfRow> kRows{
      {"sum", kAll, [](T x, T) { return sum(x); }},
      {"prod", {Data::kOnes}, [](T x, T) { return prod(x); }},
      {"mean", kAll, [](T x, T) { return mean(x); }},
      {"mean of columns", {Data::kOnes, Data::kLarge}, [](T x, T y) { return mean(pairs(x, y), {0}); }},
      {"mean gradient", kPositive, [](T x, T) { return grad([](T a) { return mean(a); })(x); }},
      {"var", kAll, [](T x, T) { return var(x); }, 0x1p-44},
      {"stddev", kAll, [](T x, T) { return stddev(x); }, 0x1p-22},
      {"logsumexp", kAll, [](T x, T) { return logsumexp(x); }},
      {"max gradient", {Data::kOnes}, [](T x, T) { return grad([](T a) { return max(a); })(x); }},
      {"prod gradient", {Data::kOnes}, [](T x, T) { return grad([](T a) { return prod(a); })(x); }},

      {"cumsum", kAll, [](T x, T) { return cumsum(x, 0); }},
      {"cumprod", {Data::kOnes}, [](T x, T) { return cumprod(x, 0); }},
      {"logcumsumexp", kAll, [](T x, T) { return logcumsumexp(x, 0); }},

      {"softmax", kAll, [](T x, T) { return softmax(x); }},
      {"softmax of columns", {Data::kSmall}, [](T x, T y) { return softmax(pairs(x, y), 0); }},
      {"log_softmax", kAll, [](T x, T) { return log_softmax(x); }},
      {"softmin", kAll, [](T x, T) { return softmin(x); }},

      {"layer_norm", kUneven, [](T x, T) { return layer_norm(x, {}, {}, 1e-12); }, 4e-6},
      {"layer_norm weights",
       {Data::kSmall, Data::kLarge},
       [](T x, T y) { return layer_norm(as_row(x), constant(x, {x.numel()}, 2), y, 1e-12); },
       4e-6},
      {"rms_norm", kAll, [](T x, T) { return rms_norm(x, {}, 1e-8); }},
      {"batch_norm", kAll,
       [](T x, T) { return batch_norm(as_column(x), constant(x, {1}, 1), constant(x, {1}, 0), {}, {}, 1e-8); }},
      {"batch_norm_training", kUneven,
       [](T x, T) { return batch_norm_training(as_column(x), {}, {}, {}, {}, 0.1, 1e-5).result; }, 4e-6},
      {"batch_norm_training statistics",
       {Data::kOnes, Data::kSmall},
       [](T x, T) {
         return batch_norm_training(as_column(x), constant(x, {1}, 1), constant(x, {1}, 1), {}, {}, 0.1, 1e-5).var;
       }},
      {"group_norm", kUneven, [](T x, T) { return group_norm(as_image(x), 1, {}, {}, 1e-12); }, 4e-6},
      {"instance_norm", kUneven, [](T x, T) { return instance_norm(as_image(x), {}, {}, 1e-12); }, 4e-6},
      {"normalize", kAll, [](T x, T) { return normalize(as_row(x)); }},
      {"normalize 3", {Data::kOnes, Data::kLarge}, [](T x, T) { return normalize(as_row(x), 3); }},
      {"local_response_norm", kPositive, [](T x, T) { return local_response_norm(reshape(x, {1, x.numel(), 1}), 5); }},
      {"linalg::vector_norm", kAll, [](T x, T) { return linalg::vector_norm(x, 2); }},
      {"linalg::vector_norm 3", kPositive, [](T x, T) { return linalg::vector_norm(x, 3); }},
      {"linalg::vector_norm 0", kPositive, [](T x, T) { return linalg::vector_norm(x, 0); }},
      {"linalg::matrix_norm", kAll, [](T x, T y) { return linalg::matrix_norm(pairs(x, y)); }},

      {"avg_pool1d", kAll, [](T x, T) { return avg_pool1d(as_image(x), x.numel()); }},
      {"avg_pool2d", kAll, [](T x, T) { return avg_pool2d(reshape(x, {1, 1, 1, x.numel()}), {1, 7}); }},
      {"adaptive_avg_pool", kAll, [](T x, T) { return adaptive_avg_pool(as_image(x), 1); }},
      {"adaptive_avg_pool uneven", {Data::kOnes}, [](T x, T) { return adaptive_avg_pool(as_image(x), 9); }, 0, 70'000},
      {"global_avg_pool", kAll, [](T x, T) { return global_avg_pool(as_image(x)); }},
      {"interpolate",
       {Data::kZeros, Data::kOnes, Data::kSmall},
       [](T x, T) {
         return interpolate(as_image(x), {.size = std::vector<std::int64_t>{7}, .mode = InterpolationMode::kLinear});
       },
       // Places along the axis are f32.
       0x1p-8,
       70'000},

      {"scaled_dot_product_attention", kAll,
       [](T x, T y) { return scaled_dot_product_attention(as_heads(constant(x, {1}, 1)), as_heads(x), as_heads(y)); }},
      {"scaled_dot_product_attention many",
       {Data::kSmall},
       [](T x, T y) { return scaled_dot_product_attention(as_heads(constant(x, {16}, 1)), as_heads(x), as_heads(y)); },
       // Keys are added one after the other, and WGSL lets a device round each sum either way.
       70'000 * 0x1p-24,
       70'000},
      {"rope", {Data::kOnes, Data::kSmall}, [](T x, T y) { return rope(pairs(x, y)); }, 1e-6},
      {"alibi", {Data::kOnes}, [](T x, T) { return alibi(2, 1, x.numel(), x.dtype(), x.device()); }},

      {"mse_loss", kAll, [](T x, T y) { return mse_loss(x, y * 0.5); }},
      {"mse_loss gradient",
       {Data::kOnes, Data::kSmall},
       [](T x, T y) { return grad([&](T a) { return mse_loss(a, y * 0.5); })(x); }},
      {"l1_loss", kAll, [](T x, T y) { return l1_loss(x, negative(y)); }},
      {"smooth_l1_loss", kAll, [](T x, T y) { return smooth_l1_loss(x, negative(y)); }},
      {"huber_loss", kAll, [](T x, T y) { return huber_loss(x, negative(y)); }},
      {"cross_entropy", kAll, [](T x, T y) { return cross_entropy(pairs(x, y), classes(x)); }},
      {"cross_entropy gradient",
       {Data::kOnes, Data::kSmall},
       [](T x, T y) { return grad([&](T a) { return cross_entropy(a, classes(x)); })(pairs(x, y)); }},
      {"cross_entropy smooth", kAll,
       [](T x, T) { return cross_entropy(as_row(x), zeros({1}, i32, x.device()), {.label_smoothing = 0.25}); }},
      {"cross_entropy weights", kAll,
       [](T x, T y) { return cross_entropy(pairs(x, y), classes(x), {.weight = constant(x, {2}, 0.25)}); }},
      {"cross_entropy ignored", kAll,
       [](T x, T y) { return cross_entropy(pairs(x, y), classes(x), {.ignore_index = 0}); }},
      {"nll_loss", kAll, [](T x, T y) { return nll_loss(pairs(x, y), classes(x)); }},
      {"binary_cross_entropy", {Data::kZeros, Data::kUnit}, [](T x, T y) { return binary_cross_entropy(x, y); }},
      {"binary_cross_entropy_with_logits", kAll,
       [](T x, T) { return binary_cross_entropy_with_logits(x, constant(x, {x.numel()}, 0.25)); }},
      {"kl_div", kPositive, [](T x, T y) { return kl_div(negative(x), y); }},
      {"cosine_similarity", kPositive, [](T x, T y) { return cosine_similarity(as_row(x), as_row(y)); }},
      {"cosine_embedding_loss", kPositive,
       [](T x, T y) { return cosine_embedding_loss(pairs(x, y), pairs(x, x), classes(x) * 2 - 1); }},
      {"hinge_embedding_loss", kAll, [](T x, T y) { return hinge_embedding_loss(x, classes(y) * 2 - 1); }},
      {"triplet_margin_loss", kPositive,
       [](T x, T y) { return triplet_margin_loss(as_row(x), as_row(-y), as_row(y)); }},

      {"median", kPositive, [](T x, T) { return median(x); }, 0, 70'000},
      {"quantile", kPositive, [](T x, T) { return quantile(x, 0.3); }, 0, 70'000},
  };
  return kRows;
}

/// Ops that only choose among elements, or draw at random.
const std::set<std::string> kChoose{"max",
                                    "min",
                                    "argmax",
                                    "argmin",
                                    "any",
                                    "all",
                                    "cummax",
                                    "cummin",
                                    "max_pool1d",
                                    "max_pool2d",
                                    "sort",
                                    "max_pool1d_with_indices",
                                    "topk",
                                    "argsort",
                                    "max_pool2d_with_indices",
                                    "sort_with_indices",
                                    "adaptive_max_pool",
                                    "global_max_pool"};
const std::set<std::string> kFamilies{"Reductions", "Scans",  "Pooling", "Normalization",
                                      "Attention",  "Losses", "Sorting"};

TEST(HalvesTable, EveryCompositionHasARow) {
  std::set<std::string> known = kChoose;
  for (const HalfRow& r : rows()) known.insert(r.op.substr(0, r.op.find(' ')));
  for (const OpInfo& op : op_catalog()) {
    EXPECT_TRUE(!kFamilies.contains(op.family) || known.contains(op.name)) << op.name << " has no row here";
  }
}

std::vector<double> numbers(Data data, DType t, std::int64_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto draw = [&](double low, double high) {
    return reference::round_to(std::uniform_real_distribution<double>(low, high)(random), t);
  };
  std::vector<double> v(static_cast<std::size_t>(n));
  for (double& e : v) {
    switch (data) {
      case Data::kZeros:
        e = 0;
        break;
      case Data::kOnes:
        e = 1;
        break;
      case Data::kSmall:
        e = draw(0.5, 1.5);
        break;
      case Data::kUnit:
        e = draw(0, 1);
        break;
      case Data::kLarge:
        e = draw(30000, 60000);
        break;
    }
  }
  return v;
}

class Halves : public DeviceTest {};

/// Half the distance between neighbours of the dtype around v.
double half_ulp(double v, DType t) { return std::max(std::abs(v), smallest_normal(t)) * unit_roundoff(t); }

void compare(const HalfRow& row, const std::string& name, const Tensor& got, const std::vector<double>& expected,
             DType t) {
  ASSERT_EQ(got.dtype(), t) << name;
  const std::vector<float> g = got.astype(f32).to_vector<float>();
  ASSERT_EQ(g.size(), expected.size()) << name;
  int wrong = 0;
  for (std::size_t i = 0; i < g.size() && wrong < 3; ++i) {
    const double e = expected[i];
    // Sums of a million elements in f32 are within a few parts in 10^5 of the true ones, where halves have 10^-3.
    const double allowed = half_ulp(e, t) + 4e-5 * std::abs(e) + row.absolute;
    const double v = g[i];
    const bool same = v == reference::round_to(e, t) || (std::isnan(v) && std::isnan(e)) || std::abs(v - e) <= allowed;
    const bool overflows = std::isinf(v) && std::abs(e) + allowed >= largest(t);
    if (same || overflows) continue;
    ++wrong;
    ADD_FAILURE() << name << "[" << i << "]: " << v << ", expected " << e << " within " << allowed;
  }
}

TEST_P(Halves, LongRowsAndLargeMagnitudes) {
  const Device host = Device::create({.device = "cpu"});
  const std::vector<std::int64_t> sizes =
      full() ? std::vector<std::int64_t>{65519, 65520, 70000, kLongest} : std::vector<std::int64_t>{65520, kLongest};
  const std::vector<DType> types = full() || on_cpu() ? std::vector{f16, bf16} : std::vector{f16};
  for (const std::int64_t given : sizes) {
    std::map<std::pair<Data, DType>, std::array<std::vector<double>, 2>> inputs;
    for (const HalfRow& row : rows()) {
      const std::int64_t n = std::min(given, row.longest);
      if (n != given && !full() && given != kLongest) continue;
      for (const DType t : types) {
        for (const Data data : row.data) {
          // The longest rows in a plain run: one kind of data, of one dtype.
          if (!full() && n == kLongest && (t != f16 || data != row.data.back())) continue;
          auto& in = inputs[{data, t}];
          if (in[0].empty()) in = {numbers(data, t, given, 1), numbers(data, t, given, 2)};
          const auto tensor = [&](std::size_t k, DType as, const Device& device) {
            const std::vector<double> v(in[k].begin(), in[k].begin() + n);
            return make_tensor(value_of(as, {n}, v), device);
          };
          const std::vector<double> expected =
              row.f(tensor(0, f64, host), tensor(1, f64, host)).astype(f64).to_vector<double>();
          compare(row,
                  row.op + " of " + std::to_string(n) + " " + std::string(tessera::name(t)) + ", data " +
                      std::to_string(static_cast<int>(data)),
                  row.f(tensor(0, t, device_), tensor(1, t, device_)), expected, t);
        }
      }
    }
  }
}

TEST_P(Halves, WeakScalarsStayWide) {
  for (const DType t : {f16, bf16}) {
    const auto value = [&](const Tensor& x) { return x.astype(f32).to_vector<float>()[0]; };
    const auto one = [&](double v) { return full({3}, v, t, device_); };
    EXPECT_NEAR(value(one(60000) / 1e5), 0.6, 0.6 / 256);
    EXPECT_NEAR(value(one(60000) / Tensor(std::int64_t{100000})), 0.6, 0.6 / 256);
    EXPECT_NEAR(value(one(1) * 1e-8 * 1e8), 1, 1e-6);
    EXPECT_NEAR(value(one(0.5) * 1e6 * 1e-6), 0.5, 1e-6);
    EXPECT_EQ(value((1.0 - one(1)) * -1e9), 0);
    EXPECT_EQ(value(maximum(one(1) * 1e5, 2e5) - 2e5), 0);
    EXPECT_NEAR(value(power(one(2), 0.1)), std::pow(2.0, 0.1), 0.01);
    // A number that is stored is a half.
    EXPECT_EQ(value(full({3}, 0.1, t, device_) - full({3}, 0.1, t, device_)), 0);
    EXPECT_EQ(full({3}, 1e5, f16, device_).astype(f32).to_vector<float>()[0], INFINITY);
    EXPECT_EQ((one(1) * 2.0).dtype(), t);
    EXPECT_EQ((2.0 * one(1)).dtype(), t);
    const Tensor g = grad([&](const Tensor& x) { return sum(x * 1e5 * 1e-5); })(one(1));
    EXPECT_NEAR(value(g), 1, 1e-2);
  }
}

TESSERA_ON_ALL_DEVICES(Halves);

}  // namespace
}  // namespace tessera::test
