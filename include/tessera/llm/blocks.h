// The blocks of language models as modules. A Config chooses among them; weights have the dtype of the file, the
// residual stream and the statistics of norms are f32.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tessera/export.h"
#include "tessera/fused.h"
#include "tessera/llm/config.h"
#include "tessera/nn/module.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {
namespace llm {

/// Pages of a cache, which sequences own in any order.
struct PageOptions {
  std::int64_t size = 0;  // tokens in a page; 0: a cache without pages
  /// Pages of all sequences together; 0: enough for every sequence to have a whole context.
  std::int64_t count = 0;
  /// Tokens that a sequence writes at once, at most: layers with a window keep the pages of window + chunk tokens.
  std::int64_t chunk = 512;
};

/// Keys and values of the tokens so far: state of a compiled step, written in place. Model::cache makes one.
///
/// With pages, a sequence has memory for the tokens that it has: reserve() takes pages before tokens are written, in
/// any order, and release() gives them back, so that another sequence can have the row. Layers with a window give back
/// the pages that fell out of it.
class Cache : public nn::Stateful {
 public:
  /// Of each layer, [batch, kv heads, context, head size], or with pages [pages, kv heads, page size, head size]. With
  /// f16 weights v is v / 32.
  std::vector<Tensor> k, v;
  /// In q8_0, k and v are i8, and blocks of them share a scale: f32 [.., head size / block].
  std::vector<Tensor> k_scales, v_scales;
  Tensor lengths;  // valid tokens of each sequence: i32 [batch]
  /// With pages, block tables i32 [batch, pages of a context]: one for each window of the model's layers.
  std::vector<Tensor> tables;

  Cache() = default;
  /// The dtype is a float or q8_0.
  Cache(const Config& config, std::int64_t batch, std::int64_t context, DType dtype, const Device& device,
        const PageOptions& pages = {});
  void fields(nn::Fields& f) override;
  /// Writes the rows [batch, kv heads, tokens, head size] of a layer from each sequence's position on, in place where
  /// nothing else holds the cache. `sequences`: which they are, integers [batch]; empty: all.
  void write(std::size_t layer, const Tensor& keys, const Tensor& values, const Tensor& starts,
             const Tensor& sequences = {});
  /// The block table of a layer for these sequences; empty without pages.
  [[nodiscard]] Tensor table(std::size_t layer, const Tensor& sequences = {}) const;

  /// Takes pages for tokens `from` to `to` - 1 of a sequence, which are about to be written, padding included; gives
  /// back what no token from `from` on attends to. A call that writes to pages that were not reserved is an Error at
  /// the next wait. Error of kind out_of_memory if too few pages are free: nothing is taken then.
  void reserve(std::int64_t sequence, std::int64_t from, std::int64_t to);
  /// Whether reserve() with these arguments would find enough free pages.
  [[nodiscard]] bool can_reserve(std::int64_t sequence, std::int64_t from, std::int64_t to) const;
  /// Gives back the pages of a sequence and makes its length 0. Until its row is reserved again, what is written to it
  /// is dropped.
  void release(std::int64_t sequence);
  /// Pages that no sequence has, of the layers with the fewest.
  [[nodiscard]] std::int64_t free_pages() const;
  /// Tokens that new sequences could have with them. A window does not limit it while it has room for a whole sequence.
  [[nodiscard]] std::int64_t free_tokens() const;

  /// Of the queries, keys and values of a model with weights of this dtype.
  [[nodiscard]] DType dtype_of_rows(DType weights) const;
  /// Whether it is q8_0.
  [[nodiscard]] bool quantized() const { return !k_scales.empty(); }
  [[nodiscard]] std::int64_t batch() const { return lengths.size(0); }
  [[nodiscard]] std::int64_t context() const { return context_; }
  [[nodiscard]] std::int64_t page_size() const { return pages_.size; }
  [[nodiscard]] const PageOptions& pages() const { return pages_; }

 private:
  /// The pages of the layers with one window, on the host.
  struct Pool {
    std::int64_t window = 0;            // 0: none
    std::int64_t count = 0;             // of pages; the first takes what is dropped
    std::int64_t most = 0;              // that one sequence has
    std::vector<std::int32_t> free;     // in descending order at first
    std::vector<std::int32_t> entries;  // of the block table
  };
  [[nodiscard]] Tensor updated(const Tensor& cache, const Tensor& rows, const Tensor& starts,
                               const Tensor& table) const;
  void check_sequence(std::int64_t sequence) const;
  void check_range(std::int64_t sequence, std::int64_t from, std::int64_t to) const;
  /// The page of the first token that a token from `from` on attends to.
  [[nodiscard]] std::int64_t first_page(const Pool& pool, std::int64_t from) const;
  /// Pages of a pool that are missing for tokens `from` to `to` - 1 of a sequence.
  [[nodiscard]] std::int64_t missing(const Pool& pool, std::int64_t sequence, std::int64_t from, std::int64_t to) const;

  std::int64_t context_ = 0;
  PageOptions pages_;
  std::vector<std::size_t> table_of_;  // of each layer
  std::vector<Pool> pools_;            // of each table
};

/// What all layers of one call share.
struct Pass {
  std::int64_t batch = 0, tokens = 0;
  bool causal = true;
  Tensor starts;  // the position of each sequence's first token, i32 [batch]; empty: 0
  /// Valid keys of each sequence, i32 [batch]: with a cache the tokens before and all of this call; in an encoder the
  /// tokens that are not padding. Empty: all.
  Tensor ends;
  /// Cosines and sines for each RoPE of the config: [batch or 1, 1, tokens, 1, pairs] and [.., 2, pairs]; with the last
  /// two axes swapped if pairs are adjacent.
  struct Rotation {
    Tensor cos, sin;
    bool interleaved = false;
    Tensor row = {};  // for one token: the cosines, and then the sines, [batch or 1, 2 * pairs]
  };
  std::vector<Rotation> rotations;
  Cache* cache = nullptr;
  Tensor sequences;    // of the cache, i32 [batch]; empty: all
  bool fused = false;  // a few tokens on a GPU: tessera/fused.h
};

/// x weight^T + bias in f32, for x [.., in] in f32, which is rounded to the dtype of the weights. With f16, the operand
/// saturates at 2 million (32 times 65,504), and the result has room for as much. weight is [out, in].
class Linear : public nn::Module {
 public:
  Tensor weight, bias;

  Linear() = default;
  Linear(std::int64_t in, std::int64_t out, bool with_bias, DType dtype, const Device& device);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& x) override;
};

/// Rows of weight [count, size] in f32.
class Table : public nn::Module {
 public:
  Tensor weight;

  Table() = default;
  Table(std::int64_t count, std::int64_t size, DType dtype, const Device& device);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& indices) override;
};

/// Of the last axis, in f32.
class Norm : public nn::Module {
 public:
  Tensor weight, bias;

  Norm(NormKind kind, std::int64_t size, double eps, const Device& device);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& x) override;
  /// Options of fused linear layers of norm(x), for the x that is set: that of an RMS norm itself, else norm(x).
  FusedLinearOptions fused(Tensor& x);

 private:
  NormKind kind_;
  double eps_;
};

/// Grouped-query attention with RoPE, QK-norm, a sliding window, soft-capping and sinks, as the config says.
class Attention : public nn::Module {
 public:
  Linear q, k, v, out;
  std::optional<Norm> q_norm, k_norm;
  Tensor sinks;  // [heads]

  Attention(const Config& config, std::size_t layer, DType dtype, const Device& device);
  void fields(nn::Fields& f) override;
  using Module::forward;
  Tensor forward(const Tensor& x, const Pass& pass);
  /// forward() for a few tokens: of the norm that `options` has, plus the residual, if it is given.
  Tensor decode(const Tensor& x, const Pass& pass, const FusedLinearOptions& options, const Tensor& residual);

 private:
  /// What follows the projections, [B, T, H * D] each: the result of attention, [B, T, Hq * D].
  Tensor attended(const std::vector<Tensor>& qkv, const Pass& pass);
  Tensor heads(const Tensor& x, std::int64_t count, std::optional<Norm>& norm, const Pass& pass) const;
  [[nodiscard]] Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Pass& pass) const;

  std::size_t layer_;
  std::int64_t heads_, kv_heads_, size_, window_;
  int rope_;
  QkNorm qk_norm_;
  double scale_;
  std::optional<double> softcap_;
};

/// down(activation(gate(x)) * up(x)), or down(activation(up(x))).
class Mlp : public nn::Module {
 public:
  std::optional<Linear> gate;
  Linear up, down;

  Mlp(const Config& config, DType dtype, const Device& device);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& x) override;
  Tensor decode(const Tensor& x, const FusedLinearOptions& options, const Tensor& residual);

 private:
  Activation activation_;
};

/// A mixture of experts. A few tokens gather the weights of their experts; many are sorted by expert, and tiles of
/// tokens of one expert are multiplied together.
class Experts : public nn::Module {
 public:
  Linear router;
  Linear gate, up, down;  // with a first axis of experts

  Experts(const Config& config, DType dtype, const Device& device);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& x) override;

 private:
  /// x [groups, rows, width] through the expert of each group, [groups].
  [[nodiscard]] Tensor apply(const Tensor& x, const Tensor& expert) const;

  ExpertsConfig config_;
  Activation activation_;
};

/// Attention and an MLP or experts, with their norms and residual sums.
class Block : public nn::Module {
 public:
  std::optional<Norm> attention_norm, attention_post_norm, mlp_norm, mlp_post_norm;
  Attention attention;
  std::optional<Mlp> mlp;
  std::optional<Experts> experts;

  Block(const Config& config, std::size_t layer, DType dtype, const Device& device);
  void fields(nn::Fields& f) override;
  using Module::forward;
  Tensor forward(const Tensor& x, const Pass& pass);

 private:
  Tensor decode(const Tensor& x, const Pass& pass);

  bool after_add_;
};

}  // namespace llm
}  // namespace tessera
