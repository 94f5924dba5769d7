// The table of lowerings. A lowering is a file of its own with two lines here.
#include "schedule/calls/calls.h"

#include <algorithm>
#include <array>

#include "base/fail.h"
#include "graph/op.h"

namespace tessera::schedule {

extern const Lowering kLowerAttention, kLowerAttentionBackward;                       // attention.cpp
extern const Lowering kLowerConv, kLowerConvInput, kLowerConvWeight;                  // conv.cpp
extern const Lowering kLowerFusedLinear;                                              // fused_linear.cpp
extern const Lowering kLowerNextafter;                                                // nextafter.cpp
extern const Lowering kLowerMaxPool, kLowerMaxPoolGradient;                           // pool.cpp
extern const Lowering kLowerDequantize, kLowerQuantize, kLowerQuantizedMatmul;        // quant.cpp
extern const Lowering kLowerScan;                                                     // scan.cpp
extern const Lowering kLowerScatter;                                                  // scatter.cpp
extern const Lowering kLowerSort, kLowerPutInRows, kLowerSearchsorted, kLowerPicked;  // sort.cpp

std::span<const Lowering> lowerings() {
  static const std::array kLowerings{
      kLowerAttention,
      kLowerAttentionBackward,
      kLowerConv,
      kLowerConvInput,
      kLowerConvWeight,
      kLowerNextafter,
      kLowerMaxPool,
      kLowerMaxPoolGradient,
      kLowerDequantize,
      kLowerQuantize,
      kLowerQuantizedMatmul,
      kLowerScan,
      kLowerScatter,
      kLowerSort,
      kLowerPutInRows,
      kLowerSearchsorted,
      kLowerPicked,
      kLowerFusedLinear,
  };
  return kLowerings;
}

const Lowering& lowering_of(const Call& call) {
  const auto rows = lowerings();
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const Lowering& x) { return x.op == call.op; });
  if (it == rows.end()) fail(ErrorKind::kUnsupported, "The call {} has no lowering in schedule/calls.", call.op);
  return *it;
}

std::uint64_t CallToLower::binding_limit() const {
  return device.type == DeviceType::kCpu ? ~std::uint64_t{0} : device.limits.max_storage_binding_size;
}

bool CallToLower::binds(std::int64_t elements) const {
  return elements <= INT32_MAX && static_cast<std::uint64_t>(elements) * 4 <= binding_limit();
}

LoweredCall lower(const Call& call, std::span<const TensorSpec> inputs, const DeviceInfo& device,
                  const CallLayout& layout) {
  LoweredCall result;
  for (const TensorSpec& t : inputs) {
    result.placeholders.push_back(std::make_shared<const Node>(Op::kInput, t.dtype, t.shape, nullptr, Node::Inputs{}));
  }
  const DeviceModel model(device);
  result.results = lowering_of(call).lower({call, result.placeholders, device, model, layout});
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    const Node& made = *result.results.at(i);
    if (made.dtype() != call.outputs[i].dtype || made.shape() != call.outputs[i].shape) {
      fail(ErrorKind::kUnsupported,
           "The lowering of {} made a result {} of type {} and shape {}; {} and {} were promised.", call.op, i,
           name(made.dtype()), made.shape().str(), name(call.outputs[i].dtype), call.outputs[i].shape.str());
    }
  }
  return result;
}

}  // namespace tessera::schedule
