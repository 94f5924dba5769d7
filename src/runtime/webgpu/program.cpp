// Compiles programs to pipelines: two caches, the compilation, and error messages.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/fail.h"
#include "base/ints.h"
#include "base/log.h"
#include "base/os/system.h"
#include "runtime/webgpu/device.h"

namespace tessera::runtime::webgpu {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The file of the dumped text; empty if TESSERA_DUMP is not set.
std::filesystem::path dump(const Program& program) {
  const std::filesystem::path folder = os::environment("TESSERA_DUMP").value_or("");
  if (folder.empty()) return {};
  std::string name = program.label.substr(0, 80);
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-'; }, '_');
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto path = folder / fmt::format("{}-{:016x}.wgsl", name, std::hash<std::string>{}(program.wgsl));
  std::ofstream file(path);
  file << program.wgsl;
  if (!file) log_warn("TESSERA_DUMP: cannot write {}.", path.string());
  return path;
}

/// Text that does not compile is dumped with another extension.
void set_aside(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!path.empty()) std::filesystem::rename(path, path.string() + ".failed", ignored);
}

[[noreturn]] void fail_limit(const Program& program, std::string_view what, std::uint64_t given, std::uint64_t limit) {
  throw Error(ErrorKind::kLimit,
              fmt::format("Kernel '{}' needs {} {}; the device has {}.", program.label, given, what, limit),
              {.requested = given, .available = limit, .op = program.label});
}

}  // namespace

const Layout& DeviceImpl::layout_of(const Program& program) {
  std::string key;
  for (const bool writable : program.writable) key += writable ? 'w' : 'r';
  if (program.param_words > 0) key += 'u';
  const std::string name = program.reports ? key + "+reports" : key;
  const std::lock_guard lock(program_mutex_);
  std::unique_ptr<Layout>& known = layouts_[name];
  if (known != nullptr) return *known;
  const Functions& api = core_->api();
  std::vector<WGPUBindGroupLayoutEntry> entries;
  for (const char kind : key) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = static_cast<std::uint32_t>(entries.size());
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type = kind == 'w'   ? WGPUBufferBindingType_Storage
                        : kind == 'r' ? WGPUBufferBindingType_ReadOnlyStorage
                                      : WGPUBufferBindingType_Uniform;
    entry.buffer.hasDynamicOffset = kind == 'u' ? 1U : 0U;
    entries.push_back(entry);
  }
  auto layout = std::make_unique<Layout>();
  layout->id = layouts_.size();
  layout->storage = program.writable.size();
  layout->uniform = program.param_words > 0;
  WGPUBindGroupLayoutDescriptor group = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
  group.label = view(key);
  group.entryCount = entries.size();
  group.entries = entries.data();
  layout->group = BindGroupLayoutHandle(api, api.wgpuDeviceCreateBindGroupLayout(core_->device(), &group));
  layout->reports = program.reports;
  const std::array raw{layout->group.get(), program.reports ? reports_.layout(*core_) : nullptr};
  WGPUPipelineLayoutDescriptor pipeline = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
  pipeline.label = view(key);
  pipeline.bindGroupLayoutCount = program.reports ? 2 : 1;
  pipeline.bindGroupLayouts = raw.data();
  layout->pipeline = PipelineLayoutHandle(api, api.wgpuDeviceCreatePipelineLayout(core_->device(), &pipeline));
  known = std::move(layout);
  return *known;
}

std::shared_ptr<const Pipeline> DeviceImpl::build(const Program& program, bool trusted) {
  const Clock::time_point start = Clock::now();
  const auto alive = core_->alive();
  const Functions& api = core_->api();
  const ErrorCatch errors;
  auto pipeline = std::make_shared<Pipeline>();
  pipeline->layout = &layout_of(program);
  WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
  source.code = view(program.wgsl);
  WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
  descriptor.nextInChain = &source.chain;
  descriptor.label = view(program.label);
  const bool own = core_->provider().traits().own;
  WGPUShaderRuntimeChecks checks = WGPUShaderRuntimeChecks_None;
  if (own && program.zero_fill) checks |= TesseraShaderRuntimeChecks_ZeroFill;
  // Software drivers unroll all loops with known bounds, and take minutes to compile the result.
  if (own && info().type == DeviceType::kSoftware) checks |= WGPUShaderRuntimeChecks_ForceLoopBounding;
  const ShaderModuleHandle module(
      api, trusted ? api.wgpuDeviceCreateShaderModuleTrusted(core_->device(), &descriptor, checks)
                   : api.wgpuDeviceCreateShaderModule(core_->device(), &descriptor));
  if (!errors.caught() && !core_->lost()) {
    WGPUComputePipelineDescriptor compute = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    compute.label = view(program.label);
    compute.layout = pipeline->layout->pipeline.get();
    compute.compute.module = module.get();
    compute.compute.entryPoint = view(program.entry_point);
    TesseraComputePipelineExtras extras{};
    if (trusted && !program.zero_fill && own) {
      extras.chain.sType = static_cast<WGPUSType>(TesseraSType_ComputePipelineExtras);
      extras.keepWorkgroupMemory = 1U;
      compute.nextInChain = &extras.chain;
    }
    pipeline->handle = ComputePipelineHandle(api, api.wgpuDeviceCreateComputePipeline(core_->device(), &compute));
  }
  if (core_->lost()) throw core_->lost_error();
  if (errors.caught()) {
    if (errors.type() == WGPUErrorType_OutOfMemory) {
      throw translate(errors.type(), errors.message(), fmt::format("compiling the kernel '{}'", program.label));
    }
    throw shader_error(program, errors.message());
  }
  const double ms = ms_since(start);
  {
    const std::lock_guard lock(program_mutex_);
    compile_stats_.compile_ms += ms;
  }
  pipeline_store_.compiled(ms);
  log_debug("compiled {} in {:.1f} ms: {} bytes of WGSL, workgroup {}{}", program.label, ms, program.wgsl.size(),
            program.variant.workgroup, trusted ? "" : ", checked");
  return pipeline;
}

std::shared_ptr<const Pipeline> DeviceImpl::pipeline_of(const Program& program, bool trusted) {
  if (!config().pipeline_cache) {
    {
      const std::lock_guard lock(program_mutex_);
      ++compile_stats_.misses;
    }
    return build(program, trusted);
  }
  std::string key = trusted ? "t" : "c";
  key += program.zero_fill ? 'z' : 'k';
  for (const bool writable : program.writable) key += writable ? 'w' : 'r';
  key += program.param_words > 0 ? "u\n" : "\n";
  key += program.entry_point + '\n';
  key += program.wgsl;
  std::promise<std::shared_ptr<const Pipeline>> promise;
  {
    std::unique_lock lock(program_mutex_);
    if (const auto* known = pipelines_.find(key)) {
      ++compile_stats_.hits;
      const auto other = *known;
      lock.unlock();
      return other.get();  // another thread may still be compiling it
    }
    pipelines_.put(key, promise.get_future().share());
    ++compile_stats_.misses;
  }
  try {
    auto pipeline = build(program, trusted);
    promise.set_value(pipeline);
    return pipeline;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(program_mutex_);
    pipelines_.erase(key);
    throw;
  }
}

std::shared_ptr<WebGpuExecutable> DeviceImpl::make_executable(const Program& program, bool trusted) {
  const std::filesystem::path dumped = dump(program);
  if (program.writable.size() > info().limits.max_storage_buffers) {
    fail_limit(program, "storage buffers", program.writable.size(), info().limits.max_storage_buffers);
  }
  const auto param_bytes = static_cast<std::uint64_t>(program.param_words) * sizeof(std::uint32_t);
  if (param_bytes > limits_.maxUniformBufferBindingSize) {
    fail_limit(program, "bytes of parameters", param_bytes, limits_.maxUniformBufferBindingSize);
  }
  if (program.buffer_of.size() != program.writable.size()) {
    fail(ErrorKind::kValue, "Kernel '{}' has {} storage bindings but names the buffers of {}.", program.label,
         program.writable.size(), program.buffer_of.size());
  }
  auto executable = std::make_shared<WebGpuExecutable>();
  executable->program = program;
  executable->core = core_;
  executable->uniform_bytes = static_cast<std::uint32_t>(
      std::min(round_up(param_bytes, ParamRing::kAlign), limits_.maxUniformBufferBindingSize));
  try {
    executable->pipeline =
        pipeline_of(program, trusted && !config().debug && core_->api().wgpuDeviceCreateShaderModuleTrusted != nullptr);
  } catch (...) {
    set_aside(dumped);
    throw;
  }
  return executable;
}

std::shared_ptr<const Executable> DeviceImpl::compile_program(const Program& program, bool trusted) {
  return make_executable(program, trusted);
}

std::shared_ptr<const Executable> DeviceImpl::compile(const Kernel& kernel, const Binding& binding) {
  if (core_->lost()) throw core_->lost_error();
  const Variant variant = tuning_ != nullptr ? tuning_->variant_for(kernel, binding, info(), model())
                                             : codegen::choose_variant(kernel, binding, info(), model());
  std::string key = kernel.signature();
  key += '\n';
  key += variant.key;
  if (config().pipeline_cache) {
    const std::lock_guard lock(program_mutex_);
    if (const auto* known = executables_.find(key)) {
      ++compile_stats_.hits;
      return *known;
    }
  }
  const Program program = codegen::generate(kernel, binding, variant, info());
  auto executable = make_executable(program, program.trusted);
  executable->kernel = kernel;
  executable->has_kernel = true;
  if (!config().pipeline_cache) return executable;
  std::vector<std::shared_ptr<const Executable>> evicted;  // destroyed outside of the lock
  const std::lock_guard lock(program_mutex_);
  return executables_.put(std::move(key), std::move(executable), &evicted);
}

void DeviceImpl::grid(const Executable& executable, const Binding& binding, std::uint32_t out[3]) const {
  const auto& own = static_cast<const WebGpuExecutable&>(executable);
  if (!own.has_kernel) {
    fail(ErrorKind::kValue, "Kernel '{}' was given as a program: its grid is the caller's to choose.", own.label());
  }
  codegen::grid_of(own.kernel, own.program.variant, binding, info(), out);
}

CompileStats DeviceImpl::compile_stats() const {
  const std::lock_guard lock(program_mutex_);
  CompileStats stats = compile_stats_;
  stats.pipelines = pipelines_.size();
  return stats;
}

}  // namespace tessera::runtime::webgpu
