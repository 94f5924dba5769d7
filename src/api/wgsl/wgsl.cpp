// Custom kernels as functions on tensors: checks definitions, and creates nodes for calls.
#include "tessera/wgsl.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <set>

#include "api/wgsl/wgsl_state.h"
#include "base/fail.h"
#include "base/ints.h"
#include "base/sizes.h"
#include "codegen/wgsl_text.h"
#include "codegen/workgroup_memory.h"
#include "ops/build.h"

namespace tessera {

namespace {

void check_names(const WgslDefinition& d) {
  const auto is_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; };
  if (d.name.empty() || !std::ranges::all_of(d.name, is_name)) {
    fail(ErrorKind::kValue,
         "wgsl_kernel: the name '{}' was given; one of letters, digits, '_', '-' and '.' is expected.", d.name);
  }
  std::set<std::string> seen{"params", "Params", "workgroup_x", "workgroup_y", "workgroup_z", d.entry_point};
  const auto check = [&](const std::string& name, std::set<std::string>& among) {
    if (!codegen::is_identifier(name))
      fail(ErrorKind::kValue, "wgsl_kernel '{}': '{}' is not a name that WGSL can declare.", d.name, name);
    if (!among.insert(name).second)
      fail(ErrorKind::kValue, "wgsl_kernel '{}': the name '{}' is taken already; give each its own.", d.name, name);
  };
  if (!codegen::is_identifier(d.entry_point))
    fail(ErrorKind::kValue, "wgsl_kernel '{}': the entry point '{}' is not a name of WGSL.", d.name, d.entry_point);
  std::set<std::string> members;
  for (const WgslInput& x : d.inputs) {
    check(x.name, seen);
    members.insert(x.name + "_size");
    if (d.strided) members.insert({x.name + "_strides", x.name + "_offset"});
  }
  for (const WgslOutput& x : d.outputs) {
    check(x.name, seen);
    members.insert(x.name + "_size");
  }
  for (const WgslParam& p : d.params) check(p.name, members);
}

void check(const WgslDefinition& d) {
  check_names(d);
  if (d.outputs.empty())
    fail(ErrorKind::kValue, "wgsl_kernel '{}': no outputs were given; one at least is expected.", d.name);
  for (const WgslOutput& x : d.outputs) {
    if (d.inputs.empty() && (!x.dtype.has_value() || std::holds_alternative<std::monostate>(x.shape))) {
      fail(ErrorKind::kValue, "wgsl_kernel '{}': without inputs, output '{}' needs a type and a shape of its own.",
           d.name, x.name);
    }
  }
  if (!d.params.empty() && d.raw_params != 0)
    fail(ErrorKind::kValue, "wgsl_kernel '{}': named params and {} raw bytes were given; one of the two is expected.",
         d.name, d.raw_params);
  if (d.raw_params % 4 != 0)
    fail(ErrorKind::kValue, "wgsl_kernel '{}': {} raw bytes were given; a multiple of 4 is expected.", d.name,
         d.raw_params);
  if (d.strided && (d.raw_params != 0 || codegen::declares_bindings(d.source))) {
    fail(
        ErrorKind::kValue,
        "wgsl_kernel '{}': its inputs are strided, and the source declares {}; the strides are members of the `params` "
        "that the engine writes.",
        d.name, d.raw_params != 0 ? "the params" : "the bindings");
  }
  const WgslSize w = d.workgroup_size;
  if (w.x == 0 || w.y == 0 || w.z == 0)
    fail(ErrorKind::kValue, "wgsl_kernel '{}': the workgroup size {}x{}x{} has no invocations.", d.name, w.x, w.y, w.z);
  if (std::holds_alternative<std::monostate>(d.grid) && w.y * w.z != 1)
    fail(ErrorKind::kValue, "wgsl_kernel '{}': a workgroup of {}x{}x{} needs a grid; only one along x has a default.",
         d.name, w.x, w.y, w.z);
  const auto stated = codegen::stated_workgroup(d.source, d.entry_point);
  if (stated.has_value() && *stated != std::array{w.x, w.y, w.z}) {
    fail(ErrorKind::kValue,
         "wgsl_kernel '{}': the source states a workgroup of {}x{}x{} and the definition {}x{}x{}; write "
         "@workgroup_size(workgroup_x, workgroup_y, workgroup_z) or give the same numbers.",
         d.name, (*stated)[0], (*stated)[1], (*stated)[2], w.x, w.y, w.z);
  }
}

WgslParams named(const CustomKernel& k, std::span<const std::uint32_t> words) {
  WgslParams params;
  for (const CustomParam& p : k.params) {
    const auto value = [&]<class T>(T) -> WgslValue {
      std::array<T, 4> v{};
      std::memcpy(v.data(), words.data() + p.word, static_cast<std::size_t>(p.count) * sizeof(T));
      if (p.count == 1) return v[0];
      if (p.count == 2) return std::array{v[0], v[1]};
      if (p.count == 3) return std::array{v[0], v[1], v[2]};
      return v;
    };
    params.push_back({p.name, p.dtype == DType::kF32   ? value(0.0F)
                              : p.dtype == DType::kI32 ? value(std::int32_t{})
                                                       : value(std::uint32_t{})});
  }
  return params;
}

std::uint32_t word_of(const CustomKernel& k, const CustomParam& p, double v) {
  if (p.dtype == DType::kF32) return std::bit_cast<std::uint32_t>(static_cast<float>(v));
  const double low = p.dtype == DType::kI32 ? -2147483648.0 : 0.0;
  const double high = p.dtype == DType::kI32 ? 2147483647.0 : 4294967295.0;
  if (!(v >= low && v <= high) || v != std::floor(v)) {
    fail(ErrorKind::kValue, "{}: {} was given for the param '{}'; an {} from {} to {} is expected.", k.name, v, p.name,
         name(p.dtype), low, high);
  }
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(v));
}

std::vector<Tensor> tensors(std::span<const NodePtr> nodes) {
  std::vector<Tensor> result;
  for (const NodePtr& n : nodes) result.emplace_back(n);
  return result;
}

std::shared_ptr<const CustomKernel> kernel_of(const WgslDefinition& d) {
  CustomKernel k;
  k.name = d.name;
  k.source = d.source;
  for (const WgslInput& x : d.inputs) k.inputs.emplace_back(x.name).strided = d.strided;
  for (const WgslOutput& x : d.outputs) k.outputs.push_back(x.name);
  k.entry_point = d.entry_point;
  k.workgroup = {d.workgroup_size.x, d.workgroup_size.y, d.workgroup_size.z};
  for (const WgslParam& p : d.params) k.params.push_back({p.name, p.value.dtype(), p.value.count()});
  k.raw_words = static_cast<int>(d.raw_params / 4);
  k.own_bindings = codegen::declares_bindings(d.source);
  k.workgroup_bytes = codegen::workgroup_memory(
      d.source, {{"workgroup_x", k.workgroup[0]}, {"workgroup_y", k.workgroup[1]}, {"workgroup_z", k.workgroup[2]}});
  // The wrappers need the layout of make_custom(): it is the same for a copy without functions.
  const auto layout = make_custom(k);
  if (d.cpu) {
    k.host = [cpu = d.cpu, layout](const CustomHostCall& call) {
      WgslHostCall out;
      out.inputs.assign(call.inputs.begin(), call.inputs.end());
      out.outputs.assign(call.outputs.begin(), call.outputs.end());
      for (const TensorSpec& t : call.input_tensors) out.input_shapes.push_back(t.shape);
      for (const TensorSpec& t : call.output_tensors) out.output_shapes.push_back(t.shape);
      out.params = named(*layout, call.params);
      if (layout->raw_words > 0) out.raw_params = std::as_bytes(call.params);
      cpu(out);
    };
  }
  if (d.gradient) {
    k.gradient = [gradient = d.gradient, layout](const CustomGradient& call) {
      std::vector<NodePtr> nodes;
      for (const Tensor& t : gradient(
               {tensors(call.inputs), tensors(call.outputs), tensors(call.gradients), named(*layout, call.params)})) {
        nodes.push_back(t.node());
      }
      return nodes;
    };
  }
  return make_custom(std::move(k));
}

Shape output_shape(const WgslDefinition& d, const WgslOutput& x, std::span<const Shape> inputs) {
  Shape shape = std::holds_alternative<Shape>(x.shape)                 ? std::get<Shape>(x.shape)
                : std::holds_alternative<WgslOutput::ShapeOf>(x.shape) ? std::get<WgslOutput::ShapeOf>(x.shape)(inputs)
                                                                       : inputs[0];
  for (const std::int64_t size : shape) {
    if (size < 0)
      fail(ErrorKind::kShape, "{}: output '{}' got the shape {}, with a negative size.", d.name, x.name, shape);
  }
  return shape;
}

std::vector<Tensor> call(const WgslKernel::State& s, const std::vector<Tensor>& inputs,
                         std::vector<std::uint32_t> params) {
  const WgslDefinition& d = s.definition;
  if (inputs.size() != d.inputs.size())
    fail(ErrorKind::kValue, "{}: {} inputs were given; it has {}.", d.name, inputs.size(), d.inputs.size());
  std::vector<NodePtr> nodes;
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined()) fail(ErrorKind::kValue, "{}: input '{}' is an empty Tensor.", d.name, d.inputs[i].name);
    if (d.inputs[i].dtype.has_value() && *d.inputs[i].dtype != inputs[i].dtype()) {
      fail(ErrorKind::kDType, "{}: input '{}' has type {}; {} is expected.", d.name, d.inputs[i].name,
           name(inputs[i].dtype()), name(*d.inputs[i].dtype));
    }
    if (d.strided && inputs[i].rank() > InputStrides::kMaxRank) {
      fail(ErrorKind::kShape, "{}: input '{}' has shape {}; strided inputs have a rank of at most {}.", d.name,
           d.inputs[i].name, inputs[i].shape(), InputStrides::kMaxRank);
    }
    nodes.push_back(inputs[i].node());
    shapes.push_back(inputs[i].shape());
  }
  CustomCall c;
  c.kernel = s.kernel;
  c.params = std::move(params);
  std::vector<Shape> results;
  for (const WgslOutput& x : d.outputs) {
    results.push_back(output_shape(d, x, shapes));
    c.outputs.push_back({x.dtype.has_value() ? *x.dtype : inputs[0].dtype(), results.back()});
    static_cast<void>(checked_numel(d.name, results.back(), c.outputs.back().dtype));
  }
  WgslSize grid;
  if (const auto* fixed = std::get_if<WgslSize>(&d.grid)) {
    grid = *fixed;
  } else if (const auto* of_shapes = std::get_if<WgslDefinition::Grid>(&d.grid)) {
    grid = (*of_shapes)(shapes, results, d.workgroup_size);
  } else {
    const std::int64_t groups = ceil_div(results[0].numel(), d.workgroup_size.x);
    grid.x = static_cast<std::uint32_t>(std::min<std::int64_t>(groups, 0xffffffffLL));
  }
  c.grid = {grid.x, grid.y, grid.z};
  const std::vector<NodePtr> made = ops::custom(std::move(c), std::move(nodes));
  if (made[0]->device() != nullptr) ops::check_custom(*made[0]->custom().call, made[0]->device()->info());
  return tensors(made);
}

}  // namespace

std::vector<std::uint32_t> param_words(const CustomKernel& k, const WgslParams& defaults, const WgslParams& given) {
  for (const WgslParam& g : given) {
    if (std::ranges::find(k.params, g.name, &CustomParam::name) != k.params.end()) continue;
    std::vector<std::string> names;
    for (const CustomParam& p : k.params) names.push_back(p.name);
    fail(ErrorKind::kValue, "{}: a param '{}' was given; it has [{}].", k.name, g.name, fmt::join(names, ", "));
  }
  std::vector<std::uint32_t> words(static_cast<std::size_t>(k.param_words));
  for (std::size_t i = 0; i < k.params.size(); ++i) {
    const CustomParam& p = k.params[i];
    const auto over = std::ranges::find(given, p.name, &WgslParam::name);
    const WgslValue& value = over != given.end() ? over->value : defaults[i].value;
    if (value.count() != p.count) {
      fail(ErrorKind::kValue, "{}: {} numbers were given for the param '{}'; it has {}.", k.name, value.count(), p.name,
           p.count);
    }
    for (int c = 0; c < p.count; ++c)
      words[static_cast<std::size_t>(p.word) + static_cast<std::size_t>(c)] = word_of(k, p, value[c]);
  }
  return words;
}

std::vector<std::uint32_t> raw_param_words(const WgslDefinition& d, std::span<const std::byte> bytes) {
  if (bytes.size() != d.raw_params)
    fail(ErrorKind::kValue, "{}: {} bytes of params were given; its definition says {}.", d.name, bytes.size(),
         d.raw_params);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

double WgslHostCall::param(const std::string& name) const {
  const auto found = std::ranges::find(params, name, &WgslParam::name);
  if (found == params.end())
    fail(ErrorKind::kValue, "A cpu function asked for the param '{}', which there is not.", name);
  return found->value[0];
}

WgslKernel::WgslKernel(WgslDefinition definition) : state_(std::make_shared<State>()) {
  check(definition);
  state_->kernel = kernel_of(definition);
  param_words(*state_->kernel, definition.params, {});  // the defaults are checked too
  state_->definition = std::move(definition);
}

const WgslDefinition& WgslKernel::definition() const { return state_->definition; }

WgslKernel WgslKernel::with_workgroup(WgslSize size) const {
  WgslDefinition d = state_->definition;
  d.workgroup_size = size;
  return WgslKernel(std::move(d));
}

std::vector<Tensor> WgslKernel::operator()(const std::vector<Tensor>& inputs, const WgslParams& params) const {
  if (state_->definition.raw_params != 0)
    fail(ErrorKind::kValue, "{}: its params are {} raw bytes; give them with call_raw().", state_->definition.name,
         state_->definition.raw_params);
  return call(*state_, inputs, param_words(*state_->kernel, state_->definition.params, params));
}

std::vector<Tensor> WgslKernel::call_raw(const std::vector<Tensor>& inputs, std::span<const std::byte> params) const {
  return call(*state_, inputs, raw_param_words(state_->definition, params));
}

std::vector<Tensor> WgslKernel::gradient(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
                                         const std::vector<Tensor>& gradients, const WgslParams& params) const {
  const WgslDefinition& d = state_->definition;
  if (!d.gradient) fail(ErrorKind::kUnsupported, "{}: its definition has no gradient function.", d.name);
  if (inputs.size() != d.inputs.size() || outputs.size() != d.outputs.size() || gradients.size() != outputs.size()) {
    fail(ErrorKind::kValue,
         "{}: gradient was given {} inputs, {} outputs and {} gradients; {}, {} and {} are expected.", d.name,
         inputs.size(), outputs.size(), gradients.size(), d.inputs.size(), d.outputs.size(), d.outputs.size());
  }
  const auto words = param_words(*state_->kernel, d.params, params);
  std::vector<Tensor> result = d.gradient({inputs, outputs, gradients, named(*state_->kernel, words)});
  if (result.size() != inputs.size()) {
    fail(ErrorKind::kValue, "{}: its gradient function gave {} tensors; {} are expected, one for each input.", d.name,
         result.size(), inputs.size());
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i].defined() && result[i].shape() != inputs[i].shape()) {
      fail(ErrorKind::kShape, "{}: its gradient function gave shape {} for input '{}' of shape {}.", d.name,
           result[i].shape(), d.inputs[i].name, inputs[i].shape());
    }
  }
  return result;
}

}  // namespace tessera
