// Public attention functions.
#include "tessera/attention.h"

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "ops/attention/attention.h"
#include "runtime/registry.h"

namespace tessera {

catalog::Rows catalog::attention() {
  static constexpr std::array kRows{
      Row{"Attention", "f32, f16, bf16", kGradient, kKernel, "scaled_dot_product_attention", kLow},
      Row{"Attention", "floats", kGradient, kComposed, "rope, alibi"},
  };
  return kRows;
}

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options) {
  ops::AttentionSpec spec;
  spec.mask = options.mask.node();
  spec.causal = options.causal;
  spec.scale = options.scale;
  spec.window = options.window;
  spec.softcap = options.softcap;
  spec.sinks = options.sinks.node();
  spec.lengths = options.lengths.node();
  spec.block_table = options.block_table.node();
  spec.k_scales = options.k_scales.node();
  spec.v_scales = options.v_scales.node();
  return Tensor(ops::attention(node_of(q), node_of(k), node_of(v), spec));
}

Tensor rope(const Tensor& x, const Tensor& positions, const RopeOptions& options) {
  return Tensor(ops::rope(node_of(x), node_of(positions), options.base, options.scaling, options.interleaved));
}

Tensor rope(const Tensor& x, std::int64_t offset, const RopeOptions& options) {
  if (x.rank() < 2) fail(ErrorKind::kShape, "rope: x must be [.., length, size]; it is {}.", x.shape().str());
  const auto first = static_cast<double>(offset);
  const NodePtr positions =
      ops::arange(first, first + static_cast<double>(x.size(-2)), 1, DType::kI32, node_of(x)->device());
  return Tensor(ops::rope(node_of(x), positions, options.base, options.scaling, options.interleaved));
}

Tensor alibi(std::int64_t heads, std::int64_t lq, std::int64_t lk, DType dtype, const Device& device) {
  return Tensor(ops::alibi(heads, lq, lk, dtype, device.impl() != nullptr ? device.impl() : runtime::default_device()));
}

}  // namespace tessera
