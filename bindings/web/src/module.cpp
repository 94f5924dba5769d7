// What the package's JavaScript calls: plain numbers in, numbers of tensors out; -1 says that tessera_error() has more.
#include "module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>
#include <tessera/tessera.h>

#include "arguments.h"
#include "guarded.h"
#include "handles.h"
#include "objects.h"
#include "ops.h"

using Json = nlohmann::json;

extern "C" {
// src/callbacks.js.
/// Calls a function of JavaScript with tensors; how many it gave, whose numbers are ours now, or -1 where it threw.
std::int32_t tessera_js_call(std::int32_t function, const std::int32_t* arguments, std::int32_t count,
                             std::int32_t* out, std::int32_t room);
}

namespace tessera::web {

namespace {

constexpr std::int32_t kMostTensors = 4096;  // of one call

struct Thrown {};  // by JavaScript, which keeps what it was

std::string last_error;

void set_error(std::string_view kind, const std::string& message, const Error::Fields& fields = {}) {
  const Json error{{"kind", kind},
                   {"message", message},
                   {"requested", fields.requested},
                   {"available", fields.available},
                   {"line", fields.line},
                   {"column", fields.column},
                   {"op", fields.op}};
  last_error = error.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void set_error(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& e) {
    set_error(name(e.kind()), e.what(), e.fields());
  } catch (const Thrown&) {
    last_error.clear();
  } catch (const std::bad_alloc&) {
    set_error("out_of_memory", "The page has no memory left for the engine.");
  } catch (const std::exception& e) {
    set_error("value", e.what());
  }
}

/// A compiled function, with state or without.
struct CompiledFunction {
  std::function<Tensors(const Tensors&)> call;
  std::function<std::size_t()> traces;
};

struct State {
  Device main;
  Device cpu;
  std::map<std::int32_t, CompiledFunction> compiled;
  std::map<std::int32_t, WgslKernel> kernels;
  std::int32_t next = 1;
  bool keep_host_copies = false;
};
State& state() {
  static auto& value = *new State;
  return value;
}

const Device& cpu() {
  State& s = state();
  if (s.cpu.impl() == nullptr) {
    DeviceConfig config;
    config.device = "cpu";
    s.cpu = Device::create(config);
  }
  return s.cpu;
}

template <class T>
std::optional<T> maybe(const Json& json, const char* key) {
  return json.contains(key) && !json[key].is_null() ? std::optional<T>(json[key].get<T>()) : std::nullopt;
}
std::optional<DType> dtype_at(const Json& json, const char* key) {
  const auto number = maybe<int>(json, key);
  return number ? std::optional<DType>(static_cast<DType>(*number)) : std::nullopt;
}
WgslSize size_of(const std::vector<std::uint32_t>& v) {
  return {v.empty() ? 1 : v[0], v.size() > 1 ? v[1] : 1, v.size() > 2 ? v[2] : 1};
}
/// Numbers that JavaScript marked as float, int or uint.
WgslParams params_of(const Json& json) {
  WgslParams params;
  for (const Json& p : json) {
    const auto type = p["type"].get<std::string>();
    const auto value = p["value"].get<double>();
    if (type == "i32") {
      params.push_back({p["name"].get<std::string>(), static_cast<std::int32_t>(value)});
    } else if (type == "u32") {
      params.push_back({p["name"].get<std::string>(), static_cast<std::uint32_t>(value)});
    } else {
      params.push_back({p["name"].get<std::string>(), value});
    }
  }
  return params;
}

/// What a kernel's gradient function in JavaScript gives, for inputs, outputs, their gradients and the parameters as
/// numbers. Number 0 is a tensor that there is not.
std::vector<Tensor> call_gradient(std::int32_t function, const WgslGradient& call) {
  std::vector<std::int32_t> in;
  for (const auto* list : {&call.inputs, &call.outputs, &call.gradients}) {
    for (const Tensor& t : *list) in.push_back(t.defined() ? keep(t) : 0);
  }
  for (const WgslParam& p : call.params) {
    const double value = p.value[0];
    in.push_back(keep(p.value.dtype() == f32 ? Tensor(value) : Tensor(static_cast<std::int64_t>(value))));
  }
  std::vector<std::int32_t> out(call.inputs.size());
  const std::int32_t count = tessera_js_call(function, in.data(), static_cast<std::int32_t>(in.size()), out.data(),
                                             static_cast<std::int32_t>(out.size()));
  for (const std::int32_t n : in) {
    if (n != 0) release(n);
  }
  if (count < 0) throw Thrown{};
  std::vector<Tensor> results;
  for (const std::int32_t n : out) {
    results.push_back(n == 0 ? Tensor() : tensor_of(n));
    if (n != 0) release(n);
  }
  return results;
}

}  // namespace

std::int32_t give(std::vector<Tensor> tensors, std::int32_t* out) {
  if (static_cast<std::int32_t>(tensors.size()) > kMostTensors) {
    throw Error(ErrorKind::kLimit, "An op gave more than 4096 tensors.");
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) out[i] = keep(std::move(tensors[i]));
  return static_cast<std::int32_t>(tensors.size());
}

std::span<const std::int32_t> numbers(const std::int32_t* first, std::int32_t count) {
  return {first, static_cast<std::size_t>(count)};
}

std::vector<Tensor> call_function(std::int32_t function, const std::vector<Tensor>& arguments) {
  std::vector<std::int32_t> in;
  for (const Tensor& t : arguments) in.push_back(keep(t));
  std::vector<std::int32_t> out(kMostTensors);
  const std::int32_t count =
      tessera_js_call(function, in.data(), static_cast<std::int32_t>(in.size()), out.data(), kMostTensors);
  for (const std::int32_t n : in) release(n);
  if (count < 0) throw Thrown{};
  std::vector<Tensor> results = tensors_of(numbers(out.data(), count));
  for (std::int32_t i = 0; i < count; ++i) release(out[static_cast<std::size_t>(i)]);
  return results;
}

void keep_error(const std::exception_ptr& failure) { set_error(failure); }
char* text_for_js(const std::string& text) {
  char* out = static_cast<char*>(std::malloc(text.size() + 1));  // NOLINT(cppcoreguidelines-no-malloc)
  std::memcpy(out, text.c_str(), text.size() + 1);
  return out;
}
const Device& main_device() { return state().main; }

extern "C" {

/// The last error as JSON; empty where JavaScript threw it. To be freed.
EMSCRIPTEN_KEEPALIVE char* tessera_error() { return text_for_js(last_error); }

/// Creates the device, or recreates a lost one of the same name. The config is JSON.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_open(const char* config) {
  return guarded([&] {
    setenv("TESSERA_CACHE", "", 0);  // a page has no files
    const Json json = Json::parse(config);
    State& s = state();
    if (s.main.impl() != nullptr && !s.main.is_available()) {
      s.main.restore();
    } else {
      DeviceConfig own;
      own.device = json.value("device", "");
      own.max_buffer_size = json.value("maxBufferSize", std::uint64_t{0});
      own.memory_budget = json.value("memoryBudget", std::uint64_t{0});
      own.deterministic = json.value("deterministic", false);
      own.half_sums = json.value("halfSums", false);
      own.keep_host_copies = s.keep_host_copies = json.value("keepHostCopies", false);
      own.placement = Placement::kDevice;  // measuring would wait
      s.main = own.device == "cpu" ? cpu() : Device::create(own);
    }
    s.main.set_current();
    return 0;
  });
}

EMSCRIPTEN_KEEPALIVE char* tessera_device() {
  const Device& device = state().main;
  if (device.impl() == nullptr) return text_for_js("null");
  const DeviceInfo& info = device.info();
  const Json json{
      {"id", info.id},
      {"name", info.name},
      {"vendor", info.vendor},
      {"backend", info.backend},
      {"available", device.is_available()},
      {"software", info.type == DeviceType::kSoftware},
      {"features",
       {{"f16", info.features.f16}, {"subgroups", info.features.subgroups}, {"timestamps", info.features.timestamps}}},
      {"limits",
       {{"maxBufferSize", info.limits.max_buffer_size},
        {"maxStorageBindingSize", info.limits.max_storage_binding_size},
        {"maxStorageBuffers", info.limits.max_storage_buffers},
        {"maxWorkgroupSize", info.limits.max_workgroup_size}}}};
  return text_for_js(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

EMSCRIPTEN_KEEPALIVE char* tessera_memory() {
  const Device& device = state().main;
  Json json{{"tensors", live()}, {"compiled", state().compiled.size()}};
  if (device.impl() != nullptr) {
    const MemoryStats stats = device.memory_stats();
    json.update({{"bytes", stats.in_use}, {"allocated", stats.allocated}, {"peak", stats.peak}});
  }
  return text_for_js(json.dump());
}

EMSCRIPTEN_KEEPALIVE char* tessera_catalog() {
  Json names = Json::array();
  for (const OpInfo& op : op_catalog()) names.push_back(op.name);
  return text_for_js(names.dump());
}

/// Runs the callbacks that are ready.
EMSCRIPTEN_KEEPALIVE void tessera_poll() { poll(state().main); }

/// A tensor whose bytes JavaScript writes before it is used. `out` has the sizes, and gets where to write: a pointer,
/// or 0 and an object of WebGPU.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_tensor(std::int32_t dtype, std::int32_t rank, double* out) {
  return guarded([&] {
    const auto type = static_cast<DType>(dtype);
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(rank));
    std::transform(out, out + rank, sizes.begin(), [](double d) { return static_cast<std::int64_t>(d); });
    const Shape shape(sizes);
    out[0] = out[1] = 0;
    if (shape.numel() == 0) return keep(Tensor::from_bytes(nullptr, 0, type, shape));
    const Device device = Device::current();
    // Copies of the host are kept where init() asked for them.
    const bool kept = state().keep_host_copies && device != cpu();
    const Buffer buffer =
        Buffer::allocate(device, {.label = "tensor",
                                  .size = static_cast<std::uint64_t>(shape.numel()) * size_of(type),
                                  .location = kept ? BufferLocation::kMirrored : BufferLocation::kDevice});
    Tensor made = buffer.tensor(shape, type);
    const RawBytes to = buffer.to_write();
    out[0] = static_cast<double>(reinterpret_cast<std::uintptr_t>(to.host));
    out[1] = static_cast<double>(reinterpret_cast<std::uintptr_t>(to.object));
    return keep(std::move(made));
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_copy(std::int32_t tensor) {
  return guarded([&] { return keep(tensor_of(tensor)); });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_release(std::int32_t tensor) {
  return guarded([&] {
    release(tensor);
    return 0;
  });
}
/// Type, then sizes; the rank.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_describe(std::int32_t tensor, double* out) {
  return guarded([&] {
    const Tensor& t = tensor_of(tensor);
    *out = static_cast<double>(t.dtype());
    for (int i = 0; i < t.rank(); ++i) out[i + 1] = static_cast<double>(t.size(i));
    return t.rank();
  });
}

EMSCRIPTEN_KEEPALIVE std::int32_t tessera_call(std::int32_t op, const double* words, std::int32_t count,
                                               std::int32_t* out) {
  return guarded([&] {
    Arguments arguments({words, static_cast<std::size_t>(count)});
    return give(call_op(op, arguments), out);
  });
}

EMSCRIPTEN_KEEPALIVE std::int32_t tessera_eval(const std::int32_t* tensors, std::int32_t count) {
  return guarded([&] {
    eval(tensors_of(numbers(tensors, count)));
    return 0;
  });
}

/// Computes and reads all; tessera_js_read() settles the promise, perhaps before this returns.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_read(const std::int32_t* tensors, std::int32_t count, std::int32_t promise) {
  return guarded([&] {
    const std::vector<Tensor> all = tensors_of(numbers(tensors, count));
    std::vector<double> totals;
    for (const Tensor& t : all)
      totals.push_back(static_cast<double>(t.numel()) * static_cast<double>(size_of(t.dtype())));
    const auto take = [promise, totals](std::size_t i, std::size_t at, const RawBytes& piece) {
      tessera_js_piece(promise, static_cast<std::int32_t>(i), totals[i], static_cast<double>(at), piece.host,
                       static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(piece.object)),
                       static_cast<double>(piece.offset), static_cast<double>(piece.size));
    };
    read_pieces(all, take).then([promise](Async<> finished) {
      const bool ok = guarded([&] {
                        finished.get();
                        return 0;
                      }) == 0;
      tessera_js_read(promise, ok ? 1 : 0);
    });
    return 0;
  });
}

/// On the CPU, or from there to the device.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_to(std::int32_t tensor, std::int32_t to_cpu) {
  return guarded([&] { return keep(tensor_of(tensor).to(to_cpu != 0 ? cpu() : state().main)); });
}
/// Where new tensors go: to the CPU, or to the device.
EMSCRIPTEN_KEEPALIVE void tessera_use(std::int32_t use_cpu) { (use_cpu != 0 ? cpu() : state().main).set_current(); }

/// The value of the function, then the gradient of each argument.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_value_and_grad(std::int32_t function, const std::int32_t* arguments,
                                                         std::int32_t count, std::int32_t* out) {
  return guarded([&] {
    auto [value, gradients] = value_and_grad_of(
        [&](const Tensors& x) {
          Tensors results = call_function(function, x);
          if (results.size() != 1) {
            throw Error(ErrorKind::kValue, "grad: the function gave " + std::to_string(results.size()) +
                                               " tensors; expected one, a single number.");
          }
          return results[0];
        },
        tensors_of(numbers(arguments, count)));
    std::vector<Tensor> all{std::move(value)};
    for (Tensor& g : gradients) all.push_back(std::move(g));
    return give(std::move(all), out);
  });
}

/// `options`: {donate, dynamicAxes: [{argument, axis, name}], state: [number]}; the state are modules and optimizers.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_compile(std::int32_t function, const char* options) {
  return guarded([&] {
    State& s = state();
    const Json json = Json::parse(options);
    CompileOptions own;
    own.donate = json.at("donate").get<std::vector<int>>();
    for (const Json& a : json.at("dynamicAxes")) {
      own.dynamic_axes.push_back(
          {a.at("argument").get<int>(), a.at("axis").get<int>(), a.at("name").get<std::string>()});
    }
    const auto step = [function](const Tensors& x) { return call_function(function, x); };
    CompiledFunction made;
    if (json.at("state").empty()) {
      const Compiled compiled = compile(step, own);
      made = {compiled, [compiled] { return compiled.traces(); }};
    } else {
      std::vector<std::shared_ptr<nn::Stateful>> objects;  // which the step refers to
      std::vector<nn::StateRef> refs;
      for (const Json& number : json.at("state")) {
        objects.push_back(object_of(number.get<std::int32_t>()));
        refs.emplace_back(*objects.back());
      }
      const nn::CompiledStep compiled(step, std::move(refs), own);
      made = {[compiled, objects](const Tensors& x) { return compiled(x); }, [compiled] { return compiled.traces(); }};
    }
    s.compiled.emplace(s.next, std::move(made));
    return s.next++;
  });
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_run(std::int32_t compiled, const std::int32_t* arguments, std::int32_t count,
                                              std::int32_t* out) {
  return guarded([&] {
    const CompiledFunction function = state().compiled.at(compiled);  // it may be disposed by itself
    return give(function.call(tensors_of(numbers(arguments, count))), out);
  });
}
EMSCRIPTEN_KEEPALIVE void tessera_compiled_release(std::int32_t compiled) { state().compiled.erase(compiled); }
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_traces(std::int32_t compiled) {
  return guarded([&] { return static_cast<std::int32_t>(state().compiled.at(compiled).traces()); });
}

/// The carry of the last step, then ys. The function is given the carry and x, and gives the carry and y. A length of
/// -1: that of xs.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_scan(std::int32_t function, const std::int32_t* arguments, std::int32_t carry,
                                               std::int32_t count, double length, std::int32_t reverse,
                                               double checkpoint_every, double unroll, std::int32_t* out) {
  return guarded([&] {
    const auto step = [function](const Tensors& c, const Tensors& x) {
      Tensors all = c;
      all.insert(all.end(), x.begin(), x.end());
      Tensors given = call_function(function, all);
      const auto split = given.begin() + static_cast<std::ptrdiff_t>(std::min(c.size(), given.size()));
      return Scanned{Tensors(given.begin(), split), Tensors(split, given.end())};
    };
    ScanOptions options{.reverse = reverse != 0,
                        .checkpoint_every = static_cast<std::int64_t>(checkpoint_every),
                        .unroll = static_cast<std::int64_t>(unroll)};
    if (length >= 0) options.length = static_cast<std::int64_t>(length);
    const Tensors all = tensors_of(numbers(arguments, count));
    const auto split = all.begin() + carry;
    Scanned s = scan(step, Tensors(all.begin(), split), Tensors(split, all.end()), options);
    for (Tensor& y : s.ys) s.carry.push_back(std::move(y));
    return give(std::move(s.carry), out);
  });
}

/// A kernel from its definition as JSON, and the number of its gradient function, or 0.
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_kernel(const char* definition, std::int32_t gradient) {
  return guarded([&] {
    const Json json = Json::parse(definition);
    WgslDefinition d;
    d.name = json["name"].get<std::string>();
    d.source = json["source"].get<std::string>();
    for (const Json& i : json["inputs"]) d.inputs.emplace_back(i["name"].get<std::string>(), dtype_at(i, "dtype"));
    for (const Json& o : json["outputs"]) {
      WgslOutput::AnyShape shape;
      if (const auto sizes = maybe<std::vector<std::int64_t>>(o, "shape")) shape = Shape(*sizes);
      d.outputs.emplace_back(o["name"].get<std::string>(), dtype_at(o, "dtype"), shape);
    }
    d.params = params_of(json["params"]);
    d.strided = maybe<bool>(json, "strided").value_or(false);
    if (const auto size = maybe<std::vector<std::uint32_t>>(json, "workgroupSize")) d.workgroup_size = size_of(*size);
    if (const auto grid = maybe<std::vector<std::uint32_t>>(json, "grid")) d.grid = size_of(*grid);
    if (gradient != 0) {
      d.gradient = [gradient](const WgslGradient& call) { return call_gradient(gradient, call); };
    }
    State& s = state();
    s.kernels.emplace(s.next, WgslKernel(std::move(d)));
    return s.next++;
  });
}
/// The text that the device would be given for a call with inputs like these; to be freed. Empty: tessera_error().
EMSCRIPTEN_KEEPALIVE char* tessera_kernel_text(std::int32_t kernel, const std::int32_t* inputs, std::int32_t count) {
  std::string text;
  guarded([&] {
    std::vector<Tensor> like;
    for (const Tensor& t : tensors_of(numbers(inputs, count))) like.push_back(zeros(t.shape(), t.dtype()));
    text = explain(state().kernels.at(kernel)(like)).kernels.back().wgsl;
    return 0;
  });
  return text_for_js(text);
}
EMSCRIPTEN_KEEPALIVE std::int32_t tessera_kernel_call(std::int32_t kernel, const std::int32_t* inputs,
                                                      std::int32_t count, const char* params, std::int32_t* out) {
  return guarded([&] {
    return give(state().kernels.at(kernel)(tensors_of(numbers(inputs, count)), params_of(Json::parse(params))), out);
  });
}
}

std::int32_t failed() {
  set_error(std::current_exception());
  return -1;
}

}  // namespace tessera::web
