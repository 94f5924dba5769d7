// The rows of the catalog: those of the elementwise table are generated from it, the others are listed.
#include "tessera/catalog.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "ops/elementwise/elementwise.h"

namespace tessera {

namespace {

using Made = OpInfo::Made;
constexpr Made kComposed = Made::kComposition;
constexpr Made kPrimitive = Made::kPrimitive;
constexpr Made kKernel = Made::kKernel;
constexpr Made kLibrary = Made::kLibrary;

struct Group {
  std::string_view family;
  std::string_view types;
  bool gradient;
  Made made;
  std::string_view names;  // separated by spaces
};

constexpr std::string_view kAny = "any";
constexpr std::string_view kAnyComplex = "any, complex";
constexpr std::string_view kNumbers = "numbers";
constexpr std::string_view kNumbersComplex = "numbers, complex";
constexpr std::string_view kFloats = "floats; integers become f32";

constexpr std::array kGroups{
    Group{"Creation", kAnyComplex, false, kPrimitive, "empty zeros ones full linspace eye"},
    Group{"Creation", kAny, false, kPrimitive, "arange"},
    Group{"Random", "floats", false, kComposed,
          "random::uniform random::normal random::exponential random::gamma "
          "random::truncated_normal"},
    Group{"Random", "bool, integers", false, kComposed,
          "random::bernoulli random::randint random::categorical "
          "random::multinomial random::permutation"},
    Group{"Elementwise", kAny, true, kComposed, "clamp clip nan_to_num copysign"},
    Group{"Elementwise", kAnyComplex, true, kComposed, "positive"},
    Group{"Elementwise", kFloats, true, kComposed, "erfc xlogy logaddexp hypot"},
    Group{"Elementwise", kNumbers, true, kComposed, "fmod"},
    Group{"Elementwise", "f32, f64", true, kKernel, "nextafter"},
    Group{"Elementwise", "integers", false, kComposed, "lcm"},
    Group{"Elementwise", kNumbersComplex, false, kComposed, "isclose allclose"},
    Group{
        "Activations", kFloats, true, kComposed,
        "relu relu6 gelu gelu_tanh silu elu selu celu leaky_relu prelu rrelu softplus mish hardtanh hardsigmoid "
        "hardswish threshold logsigmoid tanhshrink softshrink hardshrink glu swiglu geglu softmax log_softmax softmin "
        "gumbel_softmax dropout"},
    Group{"Movement", kAnyComplex, true, kPrimitive,
          "reshape permute transpose broadcast_to expand_dims squeeze flip contiguous slice pad concat stack split"},
    Group{"Movement", kAnyComplex, true, kComposed, "roll rot90 repeat tile meshgrid"},
    Group{"Indexing", kAnyComplex, true, kPrimitive, "index take take_along_axis gather embedding"},
    Group{"Indexing", kAnyComplex, true, kComposed, "index_set masked_fill"},
    Group{"Indexing", kAnyComplex, true, kKernel, "index_add scatter scatter_add masked_select"},
    Group{"Indexing", kAnyComplex, false, kKernel, "nonzero unique"},
    Group{"Indexing", kAny, false, kKernel, "bincount histogram searchsorted"},
    Group{"Indexing", "integers", false, kComposed, "one_hot"},
    Group{"Reductions", kNumbersComplex, true, kPrimitive, "sum prod"},
    Group{"Reductions", kNumbers, true, kPrimitive, "max min"},
    Group{"Reductions", "floats; integers become f32, complex", true, kComposed, "mean"},
    Group{"Reductions", kFloats, true, kComposed, "var stddev logsumexp"},
    Group{"Reductions", kNumbers, false, kPrimitive, "argmax argmin"},
    Group{"Reductions", kAnyComplex, false, kPrimitive, "any all"},
    Group{"Scans", kNumbersComplex, true, kKernel, "cumsum cumprod"},
    Group{"Scans", kNumbers, true, kKernel, "cummax cummin logcumsumexp"},
    Group{"Sorting", kAny, true, kKernel, "sort sort_with_indices topk"},
    Group{"Sorting", kAny, false, kKernel, "argsort"},
    Group{"Sorting", kNumbers, true, kComposed, "median quantile"},
    Group{"Contractions", kNumbersComplex, true, kPrimitive, "matmul"},
    Group{"Contractions", kNumbersComplex, true, kComposed, "dot vdot outer einsum tensordot addmm kron cross"},
    Group{"Contractions", kAnyComplex, true, kComposed, "triu tril diagonal trace"},
    Group{"Convolution", "floats", true, kPrimitive, "conv1d conv2d conv_transpose1d conv_transpose2d"},
    Group{"Convolution", kAny, true, kComposed, "unfold fold pixel_shuffle pixel_unshuffle"},
    Group{"Pooling", kNumbers, true, kComposed,
          "max_pool1d max_pool2d max_pool1d_with_indices max_pool2d_with_indices avg_pool1d avg_pool2d "
          "adaptive_avg_pool adaptive_max_pool global_avg_pool global_max_pool interpolate"},
    Group{"Normalization", kFloats, true, kComposed,
          "layer_norm rms_norm batch_norm batch_norm_training group_norm instance_norm normalize local_response_norm"},
    Group{"Attention", "f32, f16, bf16", true, kKernel, "scaled_dot_product_attention"},
    Group{"Attention", "floats", true, kComposed, "rope alibi"},
    Group{"Losses", kFloats, true, kComposed,
          "mse_loss l1_loss smooth_l1_loss huber_loss cross_entropy nll_loss binary_cross_entropy "
          "binary_cross_entropy_with_logits kl_div cosine_similarity cosine_embedding_loss hinge_embedding_loss "
          "triplet_margin_loss"},
    Group{"Quantized weights", "Q4_0, Q4_1, Q5_0, Q8_0, Q4_K, Q5_K, Q6_K", false, kKernel, "dequantize"},
    Group{"Quantized weights", "f32, f16, bf16 times Q4_0 to Q6_K", true, kKernel, "quantized matmul"},
    Group{"Linear algebra", "f32, f64, complex", true, kLibrary,
          "linalg::cholesky linalg::solve linalg::inv linalg::det "
          "linalg::slogdet"},
    Group{"Linear algebra", "f32, f64, complex", false, kLibrary,
          "linalg::qr linalg::svd linalg::svdvals linalg::eigh linalg::eigvalsh linalg::pinv linalg::matrix_rank "
          "linalg::lstsq"},
    Group{"Linear algebra", "floats, complex", true, kComposed, "linalg::matrix_norm linalg::vector_norm"},
};

std::string types_of(TypeRule rule) {
  switch (rule) {
    case TypeRule::kSame:
    case TypeRule::kReal:
    case TypeRule::kComplex:
    case TypeRule::kCompare:
    case TypeRule::kTest:
    case TypeRule::kLogical:
    case TypeRule::kWhere:
    case TypeRule::kCast:
      return "any";
    case TypeRule::kFloat:
      return std::string(kFloats);
    case TypeRule::kBits:
      return "integers, bool";
    case TypeRule::kShift:
    case TypeRule::kIndex:
      return "integers";
    case TypeRule::kNumeric:
      return "numbers";
  }
  return "";
}

std::string types_of(const ElementwiseOp& row) {
  const bool complex = row.complex.cpu != nullptr || row.rule == TypeRule::kLogical || row.rule == TypeRule::kCast;
  return types_of(row.rule) + (complex ? ", complex" : "");
}

std::string_view made_of(Made made) {
  switch (made) {
    case Made::kElementwise:
      return "elementwise";
    case Made::kPrimitive:
      return "loop nest";
    case Made::kComposition:
      return "composition";
    case Made::kKernel:
      return "kernel";
    case Made::kLibrary:
      return "library";
  }
  return "";
}

}  // namespace

std::vector<OpInfo> op_catalog() {
  std::vector<OpInfo> result;
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.rule == TypeRule::kIndex) continue;  // internal to indexing
    result.push_back({std::string(row.name), "Elementwise", types_of(row),
                      row.vjp != nullptr || row.rule == TypeRule::kComplex, true, Made::kElementwise});
  }
  for (const Group& g : kGroups) {
    std::string_view rest = g.names;
    while (!rest.empty()) {
      // "quantized matmul" is one name of two words: the only one of its group.
      const std::size_t end = g.names == "quantized matmul" ? std::string_view::npos : rest.find(' ');
      result.push_back({std::string(rest.substr(0, end)), std::string(g.family), std::string(g.types), g.gradient,
                        g.made != Made::kLibrary, g.made});
      rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
  }
  return result;
}

std::string op_catalog_page() {
  const std::vector<OpInfo> ops = op_catalog();
  std::size_t on_cpu = 0;
  for (const OpInfo& op : ops) on_cpu += op.gpu ? 0 : 1;
  std::string page = fmt::format(
      "# Ops\n\nGenerated by `tessera ops` from the tables of the engine. {} ops; {} of them run on the CPU only, "
      "through a library.\n\n- **Dtypes**: supported operand dtypes; \"any\" is bool, i8 to u64, f16, bf16, f32, "
      "and f64 on the CPU; \"complex\" is c64 and c128, on the CPU, without gradients.\n- **Gradient**: whether "
      "gradients pass through. Comparisons and indices have none; `grad` reports it with the op's name.\n- "
      "**Implementation**: *elementwise* and *loop nest* are fused by the scheduler, a *composition* is a formula "
      "of them, a *kernel* is hand-written, a *library* runs on the CPU, to which the tensors are copied.\n",
      ops.size(), on_cpu);
  std::vector<std::string> families;
  for (const OpInfo& op : ops) {
    if (std::find(families.begin(), families.end(), op.family) == families.end()) families.push_back(op.family);
  }
  for (const std::string& family : families) {
    page += fmt::format(
        "\n## {}\n\n| op | dtypes | gradient | runs on | implementation |\n| --- | --- | --- | --- | --- |\n", family);
    for (const OpInfo& op : ops) {
      if (op.family != family) continue;
      page += fmt::format("| `{}` | {} | {} | {} | {} |\n", op.name, op.types, op.gradient ? "yes" : "no",
                          op.gpu ? "GPU, CPU" : "CPU", made_of(op.made));
    }
  }
  return page;
}

}  // namespace tessera
