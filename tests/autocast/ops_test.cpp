// Every op of the catalog inside of an Autocast scope: its dtype follows its class, and its values those outside.
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "ops/build.h"
#include "support/devices.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using T = const Tensor&;
using Class = OpInfo::Autocast;

struct Row {
  std::string op;
  Tensors (*f)(T x, T y);  // two [4, 4] of one float dtype, with elements between 0.25 and 1
};

Tensor images(T x) { return reshape(x, {1, 4, 2, 2}); }
Tensor signal(T x) { return reshape(x, {1, 4, 4}); }
Tensor heads(T x) { return reshape(x, {1, 2, 2, 4}); }
Tensor channel(T x, double v) { return tessera::full({4}, v, x.dtype(), x.device()); }
Tensor places(T x) { return remainder(arange(0, 4, 1, i32, x.device()), 2); }
Tensor table(T x) { return reshape(remainder(arange(0, 16, 1, i32, x.device()), 4), {4, 4}); }
Tensor boolean_of(T x) { return ones(x.shape(), boolean, x.device()); }
using Bytes = std::vector<std::byte>;
/// Symmetric and positive definite.
Tensor definite(T x) { return (x + x.T()) * 0.5 + eye(4, 4, 0, x.dtype(), x.device()) * 4.0; }
Tensor quantized() { return quantize(reshape(arange(0, 64, 1, f32), {2, 32}) * 0.01, q8_0); }

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      {"clamp", [](T x, T) { return Tensors{clamp(x, 0.3, 0.6)}; }},
      {"clip", [](T x, T) { return Tensors{clip(x, 0.3, 0.6)}; }},
      {"nan_to_num", [](T x, T) { return Tensors{nan_to_num(x)}; }},
      {"copysign", [](T x, T y) { return Tensors{copysign(x, -y)}; }},
      {"positive", [](T x, T) { return Tensors{positive(x)}; }},
      {"erfc", [](T x, T) { return Tensors{erfc(x)}; }},
      {"xlogy", [](T x, T y) { return Tensors{xlogy(x, y)}; }},
      {"logaddexp", [](T x, T y) { return Tensors{logaddexp(x, y)}; }},
      {"hypot", [](T x, T y) { return Tensors{hypot(x, y)}; }},
      {"fmod", [](T x, T y) { return Tensors{fmod(x, y)}; }},
      {"nextafter", [](T x, T y) { return Tensors{nextafter(x, y)}; }},
      {"isclose", [](T x, T y) { return Tensors{isclose(x, y)}; }},
      {"allclose", [](T x, T y) { return Tensors{tessera::full({}, allclose(x, y) ? 1 : 0)}; }},

      {"relu", [](T x, T) { return Tensors{relu(x)}; }},
      {"relu6", [](T x, T) { return Tensors{relu6(x)}; }},
      {"gelu", [](T x, T) { return Tensors{gelu(x)}; }},
      {"gelu_tanh", [](T x, T) { return Tensors{gelu_tanh(x)}; }},
      {"silu", [](T x, T) { return Tensors{silu(x)}; }},
      {"elu", [](T x, T) { return Tensors{elu(-x)}; }},
      {"selu", [](T x, T) { return Tensors{selu(-x)}; }},
      {"celu", [](T x, T) { return Tensors{celu(-x)}; }},
      {"leaky_relu", [](T x, T) { return Tensors{leaky_relu(-x)}; }},
      {"prelu", [](T x, T) { return Tensors{prelu(-x, channel(x, 0.25))}; }},
      {"rrelu", [](T x, T) { return Tensors{rrelu(-x, 0.125, 0.25, true)}; }},
      {"softplus", [](T x, T) { return Tensors{softplus(x)}; }},
      {"mish", [](T x, T) { return Tensors{mish(x)}; }},
      {"hardtanh", [](T x, T) { return Tensors{hardtanh(x)}; }},
      {"hardsigmoid", [](T x, T) { return Tensors{hardsigmoid(x)}; }},
      {"hardswish", [](T x, T) { return Tensors{hardswish(x)}; }},
      {"threshold", [](T x, T) { return Tensors{threshold(x, 0.5, 0.25)}; }},
      {"logsigmoid", [](T x, T) { return Tensors{logsigmoid(x)}; }},
      {"tanhshrink", [](T x, T) { return Tensors{tanhshrink(x)}; }},
      {"softshrink", [](T x, T) { return Tensors{softshrink(x)}; }},
      {"hardshrink", [](T x, T) { return Tensors{hardshrink(x)}; }},
      {"glu", [](T x, T) { return Tensors{glu(x)}; }},
      {"swiglu", [](T x, T y) { return Tensors{swiglu(x, y)}; }},
      {"geglu", [](T x, T y) { return Tensors{geglu(x, y)}; }},
      {"softmax", [](T x, T) { return Tensors{softmax(x)}; }},
      {"log_softmax", [](T x, T) { return Tensors{log_softmax(x)}; }},
      {"softmin", [](T x, T) { return Tensors{softmin(x)}; }},
      {"gumbel_softmax", [](T x, T) { return Tensors{gumbel_softmax(x)}; }},
      {"dropout", [](T x, T) { return Tensors{dropout(x, 0.25)}; }},

      {"reshape", [](T x, T) { return Tensors{reshape(x, {2, 8})}; }},
      {"permute", [](T x, T) { return Tensors{permute(x, {1, 0})}; }},
      {"transpose", [](T x, T) { return Tensors{transpose(x)}; }},
      {"broadcast_to", [](T x, T) { return Tensors{broadcast_to(x, {2, 4, 4})}; }},
      {"expand_dims", [](T x, T) { return Tensors{expand_dims(x, 0)}; }},
      {"squeeze", [](T x, T) { return Tensors{squeeze(reshape(x, {1, 16}))}; }},
      {"flip", [](T x, T) { return Tensors{flip(x, {0})}; }},
      {"contiguous", [](T x, T) { return Tensors{contiguous(x.T())}; }},
      {"slice", [](T x, T) { return Tensors{slice(x, {{1, 3}})}; }},
      {"pad", [](T x, T) { return Tensors{pad(x, {{1, 1}, {0, 0}}, 0.5)}; }},
      {"concat", [](T x, T y) { return Tensors{concat({x, y}, 0)}; }},
      {"stack", [](T x, T y) { return Tensors{stack({x, y}, 0)}; }},
      {"split", [](T x, T) { return split(x, 2, 0); }},
      {"roll", [](T x, T) { return Tensors{roll(x, {1}, {0})}; }},
      {"rot90", [](T x, T) { return Tensors{rot90(x)}; }},
      {"repeat", [](T x, T) { return Tensors{repeat(x, 2, 0)}; }},
      {"tile", [](T x, T) { return Tensors{tile(x, {2, 1})}; }},
      {"meshgrid", [](T x, T y) { return meshgrid({reshape(x, {16}), reshape(y, {16})}); }},

      {"index", [](T x, T) { return Tensors{index(x, {At(1)})}; }},
      {"take", [](T x, T) { return Tensors{take(x, places(x), 0)}; }},
      {"take_along_axis", [](T x, T) { return Tensors{take_along_axis(x, table(x), 0)}; }},
      {"gather", [](T x, T) { return Tensors{gather(x, 0, table(x))}; }},
      {"embedding", [](T x, T) { return Tensors{embedding(places(x), x)}; }},
      {"slice_update", [](T x, T y) { return Tensors{slice_update(x, slice(y, {{0, 2}}), {1}, {0})}; }},
      {"index_set", [](T x, T) { return Tensors{index_set(x, {At(1)}, channel(x, 0.5))}; }},
      {"masked_fill", [](T x, T y) { return Tensors{masked_fill(x, greater(y, 0.5), 0.25)}; }},
      {"one_hot", [](T x, T) { return Tensors{one_hot(places(x), 2, x.dtype())}; }},
      {"index_add", [](T x, T y) { return Tensors{index_add(x, 0, places(x), y)}; }},
      {"scatter", [](T x, T y) { return Tensors{scatter(x, table(x), y, 1)}; }},
      {"scatter_add", [](T x, T y) { return Tensors{scatter_add(x, table(x), y, 1)}; }},
      {"masked_select", [](T x, T y) { return Tensors{masked_select(x, greater(y, 0.5))}; }},
      {"nonzero", [](T x, T) { return Tensors{nonzero(greater(x, 0.5))}; }},
      {"unique",
       [](T x, T) {
         const Unique u = unique(x);
         return Tensors{u.values, u.counts};
       }},
      {"histogram", [](T x, T) { return Tensors{histogram(x, 4, 0, 1)}; }},
      {"searchsorted", [](T x, T y) { return Tensors{searchsorted(sort(reshape(x, {16})), y)}; }},

      {"sum", [](T x, T) { return Tensors{sum(x, {0})}; }},
      {"prod", [](T x, T) { return Tensors{prod(x, {0})}; }},
      {"max", [](T x, T) { return Tensors{max(x, {0})}; }},
      {"min", [](T x, T) { return Tensors{min(x, {0})}; }},
      {"mean", [](T x, T) { return Tensors{mean(x, {0})}; }},
      {"var", [](T x, T) { return Tensors{var(x, {0})}; }},
      {"stddev", [](T x, T) { return Tensors{stddev(x, {0})}; }},
      {"logsumexp", [](T x, T) { return Tensors{logsumexp(x, {0})}; }},
      {"argmax", [](T x, T) { return Tensors{argmax(x, 0)}; }},
      {"argmin", [](T x, T) { return Tensors{argmin(x, 0)}; }},
      {"any", [](T x, T) { return Tensors{any(x)}; }},
      {"all", [](T x, T) { return Tensors{all(x)}; }},
      {"cumsum", [](T x, T) { return Tensors{cumsum(x, 0)}; }},
      {"cumprod", [](T x, T) { return Tensors{cumprod(x, 0)}; }},
      {"logcumsumexp", [](T x, T) { return Tensors{logcumsumexp(x, 0)}; }},
      {"cummax", [](T x, T) { return Tensors{cummax(x, 0).values}; }},
      {"cummin", [](T x, T) { return Tensors{cummin(x, 0).values}; }},
      {"sort", [](T x, T) { return Tensors{sort(x)}; }},
      {"sort_with_indices", [](T x, T) { return Tensors{sort_with_indices(x).values, sort_with_indices(x).indices}; }},
      {"topk", [](T x, T) { return Tensors{topk(x, 2).values}; }},
      {"argsort", [](T x, T) { return Tensors{argsort(x)}; }},
      {"median", [](T x, T) { return Tensors{median(x)}; }},
      {"quantile", [](T x, T) { return Tensors{quantile(x, 0.3)}; }},

      {"matmul", [](T x, T y) { return Tensors{matmul(x, y), matmul(stack({x, y}, 0), y), matmul(x, channel(y, 1))}; }},
      {"dot", [](T x, T y) { return Tensors{dot(x, y)}; }},
      {"vdot", [](T x, T y) { return Tensors{vdot(x, y)}; }},
      {"einsum",
       [](T x, T y) {
         return Tensors{einsum("ij,jk->ik", {x, y}), einsum("ij->i", {x}), einsum("ij->ji", {x}),
                        einsum("ij,jk,kl->il", {x, y, x})};
       }},
      {"tensordot", [](T x, T y) { return Tensors{tensordot(x, y, 1), tensordot(x, y, 0)}; }},
      {"addmm", [](T x, T y) { return Tensors{addmm(x, x, y), addmm(x, x, y, 0.5, 2.0), addmm(x, x, y, 0)}; }},
      {"outer", [](T x, T y) { return Tensors{outer(x, y)}; }},
      {"kron", [](T x, T y) { return Tensors{kron(x, y)}; }},
      {"cross", [](T x, T y) { return Tensors{cross(slice(x, {{}, {0, 3}}), slice(y, {{}, {0, 3}}))}; }},
      {"triu", [](T x, T) { return Tensors{triu(x)}; }},
      {"tril", [](T x, T) { return Tensors{tril(x)}; }},
      {"diagonal", [](T x, T) { return Tensors{diagonal(x)}; }},
      {"trace", [](T x, T) { return Tensors{trace(x)}; }},

      {"conv1d", [](T x, T y) { return Tensors{conv1d(signal(x), reshape(y, {4, 4, 1}), channel(x, 0.5))}; }},
      {"conv2d",
       [](T x, T y) {
         return Tensors{conv2d(images(x), reshape(y, {4, 4, 1, 1}), channel(x, 0.5), {.padding = 1}),
                        conv2d(images(x), reshape(y, {1, 4, 2, 2}))};
       }},
      {"conv_transpose1d",
       [](T x, T y) { return Tensors{conv_transpose1d(signal(x), reshape(y, {4, 4, 1}), channel(x, 0.5))}; }},
      {"conv_transpose2d",
       [](T x, T y) {
         return Tensors{
             conv_transpose2d(images(x), reshape(y, {4, 1, 2, 2}), tessera::full({1}, 0.5, x.dtype(), x.device()))};
       }},
      {"unfold", [](T x, T) { return Tensors{unfold(images(x), 2)}; }},
      {"fold", [](T x, T) { return Tensors{fold(reshape(x, {1, 4, 4}), {3, 3}, 2)}; }},
      {"pixel_shuffle", [](T x, T) { return Tensors{pixel_shuffle(images(x), 2)}; }},
      {"pixel_unshuffle", [](T x, T) { return Tensors{pixel_unshuffle(images(x), 2)}; }},
      {"max_pool1d", [](T x, T) { return Tensors{max_pool1d(signal(x), 2)}; }},
      {"max_pool2d", [](T x, T) { return Tensors{max_pool2d(images(x), 2)}; }},
      {"max_pool1d_with_indices", [](T x, T) { return Tensors{max_pool1d_with_indices(signal(x), 2).first}; }},
      {"max_pool2d_with_indices", [](T x, T) { return Tensors{max_pool2d_with_indices(images(x), 2).first}; }},
      {"avg_pool1d", [](T x, T) { return Tensors{avg_pool1d(signal(x), 2)}; }},
      {"avg_pool2d", [](T x, T) { return Tensors{avg_pool2d(images(x), 2)}; }},
      {"adaptive_avg_pool", [](T x, T) { return Tensors{adaptive_avg_pool(signal(x), 3)}; }},
      {"adaptive_max_pool", [](T x, T) { return Tensors{adaptive_max_pool(signal(x), 3)}; }},
      {"global_avg_pool", [](T x, T) { return Tensors{global_avg_pool(images(x))}; }},
      {"global_max_pool", [](T x, T) { return Tensors{global_max_pool(images(x))}; }},
      {"interpolate",
       [](T x, T) {
         Tensors all;
         for (const auto mode : {InterpolationMode::kNearest, InterpolationMode::kLinear, InterpolationMode::kCubic}) {
           all.push_back(interpolate(images(x), {.scale = {2.0, 2.0}, .mode = mode}));
         }
         return all;
       }},

      {"layer_norm", [](T x, T) { return Tensors{layer_norm(x, channel(x, 2), channel(x, 1)), layer_norm(x)}; }},
      {"rms_norm", [](T x, T) { return Tensors{rms_norm(x, channel(x, 2))}; }},
      {"batch_norm", [](T x, T) { return Tensors{batch_norm(x, channel(x, 0.5), channel(x, 1))}; }},
      {"batch_norm_training",
       [](T x, T) { return Tensors{batch_norm_training(x, {}, {}, channel(x, 2), channel(x, 1)).result}; }},
      {"group_norm", [](T x, T) { return Tensors{group_norm(x, 2, channel(x, 2), channel(x, 1))}; }},
      {"instance_norm", [](T x, T) { return Tensors{instance_norm(signal(x))}; }},
      {"normalize", [](T x, T) { return Tensors{normalize(x)}; }},
      {"local_response_norm", [](T x, T) { return Tensors{local_response_norm(images(x), 3)}; }},

      {"scaled_dot_product_attention",
       [](T x, T y) {
         return Tensors{
             scaled_dot_product_attention(heads(x), heads(y), heads(x), {.causal = true}),
             scaled_dot_product_attention(reshape(x, {2, 2, 4}), reshape(y, {2, 2, 4}), reshape(x, {2, 2, 4}))};
       }},
      {"rope", [](T x, T) { return Tensors{rope(x)}; }},
      {"alibi", [](T x, T) { return Tensors{alibi(2, 4, 4, x.dtype(), x.device())}; }},

      {"mse_loss", [](T x, T y) { return Tensors{mse_loss(x, y), mse_loss(x, y, Reduction::kNone)}; }},
      {"l1_loss", [](T x, T y) { return Tensors{l1_loss(x, y), l1_loss(x, y, Reduction::kNone)}; }},
      {"smooth_l1_loss", [](T x, T y) { return Tensors{smooth_l1_loss(x, y)}; }},
      {"huber_loss", [](T x, T y) { return Tensors{huber_loss(x, y)}; }},
      {"cross_entropy",
       [](T x, T y) {
         return Tensors{cross_entropy(x, places(x)), cross_entropy(x, softmax(y).astype(y.dtype())),
                        cross_entropy(x, places(x), {.reduction = Reduction::kNone})};
       }},
      {"nll_loss", [](T x, T) { return Tensors{nll_loss(-x, places(x))}; }},
      {"binary_cross_entropy", [](T x, T y) { return Tensors{binary_cross_entropy(x, y)}; }},
      {"binary_cross_entropy_with_logits", [](T x, T y) { return Tensors{binary_cross_entropy_with_logits(x, y)}; }},
      {"kl_div", [](T x, T y) { return Tensors{kl_div(-x, y)}; }},
      {"cosine_similarity", [](T x, T y) { return Tensors{cosine_similarity(x, y)}; }},
      {"cosine_embedding_loss", [](T x, T y) { return Tensors{cosine_embedding_loss(x, y, places(x) * 2 - 1)}; }},
      {"hinge_embedding_loss", [](T x, T) { return Tensors{hinge_embedding_loss(x, remainder(table(x), 2) * 2 - 1)}; }},
      {"triplet_margin_loss", [](T x, T y) { return Tensors{triplet_margin_loss(x, y, flip(x, {0}))}; }},

      {"dequantize", [](T x, T) { return Tensors{dequantize(quantized(), x.dtype())}; }},
      {"quantize", [](T x, T) { return Tensors{dequantize(quantize(reshape(tile(x, {2, 1}), {1, 32}), q8_0))}; }},

      {"linalg::cholesky", [](T x, T) { return Tensors{linalg::cholesky(definite(x))}; }},
      {"linalg::solve", [](T x, T y) { return Tensors{linalg::solve(definite(x), y)}; }},
      {"linalg::inv", [](T x, T) { return Tensors{linalg::inv(definite(x))}; }},
      {"linalg::det", [](T x, T) { return Tensors{linalg::det(definite(x))}; }},
      {"linalg::slogdet", [](T x, T) { return Tensors{linalg::slogdet(definite(x)).logabsdet}; }},
      {"linalg::qr", [](T x, T) { return Tensors{linalg::qr(definite(x)).r}; }},
      {"linalg::svd", [](T x, T) { return Tensors{linalg::svd(definite(x)).s}; }},
      {"linalg::svdvals", [](T x, T) { return Tensors{linalg::svdvals(definite(x))}; }},
      {"linalg::eigh", [](T x, T) { return Tensors{linalg::eigh(definite(x)).values}; }},
      {"linalg::eigvalsh", [](T x, T) { return Tensors{linalg::eigvalsh(definite(x))}; }},
      {"linalg::pinv", [](T x, T) { return Tensors{linalg::pinv(definite(x))}; }},
      {"linalg::matrix_rank", [](T x, T) { return Tensors{linalg::matrix_rank(definite(x))}; }},
      {"linalg::lstsq", [](T x, T y) { return Tensors{linalg::lstsq(definite(x), y)}; }},
      {"linalg::matrix_norm",
       [](T x, T) { return Tensors{linalg::matrix_norm(x), linalg::matrix_norm(x, linalg::MatrixNorm::kNuclear)}; }},
      {"linalg::vector_norm", [](T x, T) { return Tensors{linalg::vector_norm(x), linalg::vector_norm(x, 3)}; }},

      {"random::uniform", [](T x, T) { return Tensors{random::uniform({4}, 0.0, 1.0, x.dtype())}; }},
      {"random::normal", [](T x, T) { return Tensors{random::normal({4}, 0.0, 1.0, x.dtype())}; }},
      {"random::exponential", [](T x, T) { return Tensors{random::exponential({4}, 1.0, x.dtype())}; }},
      {"random::gamma", [](T x, T) { return Tensors{random::gamma({4}, 2.0, x.dtype())}; }},
      {"random::truncated_normal",
       [](T x, T) { return Tensors{random::truncated_normal({4}, -2, 2, 0, 1, x.dtype())}; }},
      {"random::bernoulli", [](T x, T) { return Tensors{random::bernoulli(x.shape(), 0.5)}; }},
      {"random::categorical", [](T x, T) { return Tensors{random::categorical(x)}; }},
      {"random::multinomial", [](T x, T) { return Tensors{random::multinomial(x, 2)}; }},
      {"zeros", [](T x, T) { return Tensors{zeros({4}, x.dtype())}; }},
      {"full",
       [](T x,
          T) { return Tensors{tessera::full({4}, 0.5, x.dtype()), tessera::full({4}, sum(x).astype(x.dtype()))}; }},
      {"linspace", [](T x, T) { return Tensors{linspace(0, 1, 5, x.dtype())}; }},
      {"eye", [](T x, T) { return Tensors{eye(3, 3, 0, x.dtype())}; }},
      {"arange", [](T x, T) { return Tensors{arange(0, 4, 1, x.dtype())}; }},
  };
  return kRows;
}

/// Ops without float operands or results; empty and ones are zeros.
const std::set<std::string> kWithoutFloats{"lcm",   "bincount", "random::randint", "random::permutation",
                                           "empty", "ones"};

bool is_autocast(DType t) { return t == f32 || t == f16 || t == bf16; }

class AutocastOps : public testing::Test {
 protected:
  void SetUp() override { open({"cpu", "cpu", {}, 0}); }

  static Tensor operand(DType t, int seed) {
    std::vector<float> v(16);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.25F + static_cast<float>((i * 7 + seed) % 16) * 0.046875F;
    return Tensor(v, {4, 4}).astype(t).eval();
  }

  /// `of`: the dtype of the operands.
  static void check(const std::string& name, Class c, DType of, const std::function<Tensors()>& f) {
    random::set_seed(1);
    Tensors plain;
    try {
      plain = f();
      for (const Tensor& t : plain) t.eval();  // rounded to its dtype
    } catch (const Error&) {
      return;  // not for this dtype
    }
    for (const DType low : {f16, bf16}) {
      random::set_seed(1);
      Tensors inside;
      {
        const Autocast scope(low);
        inside = f();
        for (const Tensor& t : inside) t.eval();  // what plans build has the dtypes of the graph
      }
      ASSERT_EQ(inside.size(), plain.size()) << name;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const DType given = plain[i].dtype();
        const bool stays = !is_autocast(given) || !is_autocast(of) || c == Class::kPromote;
        const DType expected = stays ? given : (c == Class::kLow ? low : f32);
        EXPECT_EQ(inside[i].dtype(), expected)
            << name << " " << i << " of " << tessera::name(given) << " in a scope of " << tessera::name(low);
        const std::vector<double> a = plain[i].astype(f64).to_vector<double>();
        const std::vector<double> b = inside[i].astype(f64).to_vector<double>();
        ASSERT_EQ(a.size(), b.size()) << name;
        const bool halved = given == f16 || given == bf16 || expected == f16 || expected == bf16;
        const double unit = given == bf16 || expected == bf16 ? 0x1p-8 : 0x1p-11;
        for (std::size_t k = 0; k < a.size(); ++k) {
          // Operands are rounded once, and so is the result; nothing else is less exact than outside.
          const bool same_dtypes = expected == given && (c != Class::kLow || given != f32);
          const double allowed = !halved || same_dtypes ? 0 : 6 * unit * (std::abs(a[k]) + 0.5);
          if (a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k]))) continue;
          EXPECT_LE(std::abs(a[k] - b[k]), allowed) << name << " " << i << "[" << k << "]: " << b[k] << ", outside "
                                                    << a[k] << " of " << tessera::name(given);
        }
      }
    }
  }
};

TEST_F(AutocastOps, EveryOpOfTheCatalogHasARow) {
  std::set<std::string> known = kWithoutFloats;
  for (const Row& r : rows()) EXPECT_TRUE(known.insert(r.op).second) << r.op << " is there twice";
  for (const OpInfo& op : op_catalog()) {
    if (op.made == OpInfo::Made::kElementwise) continue;
    EXPECT_EQ(known.erase(op.name), 1U) << op.name << " has no row here";
  }
  EXPECT_TRUE(known.empty()) << *known.begin() << " is not in the catalog";
}

// Ops that do not take a block dtype say what to do; nothing else happens.
TEST_F(AutocastOps, BlockDtypesAreTakenOrRefused) {
  const std::set<std::string> taken{"matmul",     "slice",       "flip",    "split",     "reshape",
                                    "permute",    "transpose",   "index",   "take",      "embedding",
                                    "contiguous", "expand_dims", "squeeze", "dequantize"};
  // They do not read x, or only its shape.
  const std::set<std::string> without{"random::bernoulli", "quantize", "positive"};
  const auto refused = [](const std::string& name, const std::function<Tensors()>& f) {
    try {
      for (const Tensor& t : f()) t.eval();
    } catch (const Error& e) {
      const std::string text = e.what();
      // Rows with sizes of their own may be refused for their shapes first.
      const bool says = text.find("astype(") != std::string::npos || text.find("quantize(x") != std::string::npos ||
                        text.find("a float") != std::string::npos || e.kind() == ErrorKind::kShape;
      EXPECT_TRUE(says) << name << ": " << text;
      return true;
    }
    return false;
  };
  for (const DType t : {q8_0, q4_k}) {
    const Bytes blocks(byte_size(t, 256 * 256));
    const Tensor x = from_blocks(t, blocks, {256, 256});
    int count = 0;
    for (const Row& row : rows()) {
      const bool was = refused(row.op, [&] { return row.f(x, x); });
      EXPECT_TRUE(was || taken.contains(row.op) || without.contains(row.op)) << row.op << " takes " << name(t);
      count += was ? 1 : 0;
    }
    EXPECT_GT(count, 150);
    for (const OpInfo& op : op_catalog()) {
      if (op.made != OpInfo::Made::kElementwise || op.name == "cast") continue;
      const auto all = elementwise_ops();
      const auto row = std::ranges::find(all, op.name, &ElementwiseOp::name);
      const auto call = [&](const Tensor& first, const Tensor& second) {
        std::vector<NodePtr> in{first.node()};
        if (row->arity > 1) in.push_back(second.node());
        if (row->arity > 2) in = {boolean_of(first).node(), first.node(), second.node()};
        return Tensors{Tensor(ops::elementwise(row->op, in))};
      };
      EXPECT_TRUE(refused(op.name, [&] { return call(x, Tensor(1.5)); })) << op.name;
      EXPECT_TRUE(row->arity == 1 || refused(op.name, [&] { return call(ones({256}), x); })) << op.name;
    }
  }
}

TEST_F(AutocastOps, DtypesFollowTheClass) {
  std::map<std::string, Class> classes;
  for (const OpInfo& op : op_catalog()) classes[op.name] = op.autocast;
  for (const Row& row : rows()) {
    for (const DType t : {f32, f16, bf16, f64, i32}) {
      const Tensor x = operand(t, 0);
      const Tensor y = operand(t, 5);
      check(row.op, classes.at(row.op), t, [&] { return row.f(x, y); });
    }
  }
}

TEST_F(AutocastOps, ElementwiseDtypesFollowTheClass) {
  // The ops whose rows say kInF32: overflow or lose digits in halves.
  std::set<std::string> wide{"exp",    "expm1",      "log",   "log2",   "log10",  "log1p",   "rsqrt",
                             "square", "reciprocal", "tan",   "asin",   "acos",   "sinh",    "cosh",
                             "asinh",  "acosh",      "atanh", "erfinv", "lgamma", "digamma", "power"};
  for (const OpInfo& info : op_catalog()) {
    if (info.made != OpInfo::Made::kElementwise || info.name == "cast") continue;
    const auto rows = elementwise_ops();
    const auto row = std::ranges::find(rows, info.name, &ElementwiseOp::name);
    ASSERT_NE(row, rows.end());
    EXPECT_EQ(wide.erase(info.name) == 1, info.autocast == Class::kF32) << info.name;
    for (const DType t : {f32, f16, bf16, f64, i32, boolean, c64}) {
      Tensor x = operand(is_complex(t) ? f32 : t, 0).astype(t);
      const Tensor y = operand(is_complex(t) ? f32 : t, 5).astype(t);
      if (info.name == "acosh" && is_float(t)) x = (x + 1.0).eval();
      check(info.name, info.autocast, t, [&] {
        std::vector<NodePtr> in{x.node()};
        if (row->arity > 1) in.push_back(y.node());
        if (row->arity > 2) in = {greater(x, 0.5).node(), x.node(), y.node()};
        const Tensor r(ops::elementwise(row->op, in));
        return Tensors{is_complex(r.dtype()) ? abs(r) : r};
      });
    }
  }
  EXPECT_TRUE(wide.empty()) << *wide.begin() << " is not in the catalog";
}

}  // namespace
}  // namespace tessera::test
