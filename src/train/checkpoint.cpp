// Writes checkpoints on a thread, finds those that are there, and loads them after all checks.
#include "tessera/train/checkpoint.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <set>
#include <system_error>
#include <thread>

#include "base/fail.h"
#include "base/log.h"
#include "base/os/files.h"
#include "base/os/system.h"
#include "tessera/io.h"
#include "tessera/ops.h"
#include "tessera/quant.h"
#include "tessera/train/run_file.h"
#include "train/host_copy.h"

namespace tessera::train {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kOld = ".old";        // a checkpoint whose replacement was on its way
constexpr std::string_view kTemporary = ".tmp";  // of hidden folders: not complete, or on their way out
constexpr const char* kRunFile = "run.json";

std::string name_of(std::int64_t step) { return fmt::format("{}{:06}", kPrefix, step); }
std::string file_of(const std::string& object) { return object + ".safetensors"; }

/// "step-000500", and "step-000500.old".
std::optional<std::int64_t> step_of(std::string name) {
  if (name.ends_with(kOld)) name.resize(name.size() - kOld.size());
  if (!name.starts_with(kPrefix)) return std::nullopt;
  std::int64_t step = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
  if (error != std::errc() || stop != end || step < 0 || name_of(step) != name) return std::nullopt;
  return step;
}

[[noreturn]] void fail_io(const fs::path& path, const char* what, const std::error_code& error) {
  fail(ErrorKind::kIo, "Checkpoints: '{}' cannot be {}: {}.", path.string(), what, error.message());
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail_io(from, "renamed", error);
}

/// Removes a checkpoint: first its name, so that none is ever half there.
void discard(const fs::path& path) {
  const fs::path hidden = path.parent_path() / fmt::format(".{}{}", path.filename().string(), kTemporary);
  std::error_code error;
  fs::remove_all(hidden, error);
  move(path, hidden);
  fs::remove_all(hidden, error);
}

/// The names in a folder; none if there is no folder.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error && error != std::errc::no_such_file_or_directory) fail_io(folder, "read", error);
  return names;
}

void check_objects(const Saved& objects) {
  std::set<std::string_view> seen;
  for (const auto& [name, object] : objects) {
    if (name.empty() || name.front() == '.' || name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos) {
      fail(ErrorKind::kValue,
           "Checkpoints: an object has the name '{}', which is the name of its file; a name without slashes that does "
           "not begin with a dot is expected.",
           name);
    }
    if (object == nullptr) fail(ErrorKind::kValue, "Checkpoints: the object '{}' is null.", name);
    if (!seen.insert(name).second) fail(ErrorKind::kValue, "Checkpoints: two objects have the name '{}'.", name);
  }
}

// The format has no block dtypes: the blocks of a tensor are a tensor of u8, and the metadata of the file says what
// they are.
std::string blocks_key(const std::string& name) { return "blocks." + name; }
std::string blocks_text(const Tensor& q) { return fmt::format("{} {}", name(q.dtype()), q.shape().str()); }
Shape blocks_shape(const Tensor& q) { return {static_cast<std::int64_t>(byte_size(q.dtype(), q.numel()))}; }
/// Has the dtype and the shape of the blocks, for the header of a file.
Tensor stored_blocks(const Tensor& q) { return zeros(blocks_shape(q), u8); }

/// What a save writes.
struct Job {
  std::vector<std::string> names;              // of the objects
  std::vector<io::SafetensorsLayout> layouts;  // of their files
  std::shared_ptr<HostCopy> tensors;
  RunFile file;
};

}  // namespace

struct Checkpoints::State {
  fs::path folder;
  CheckpointOptions options;
  std::thread writer = {};
  std::atomic<bool> writing = false;
  std::exception_ptr failed = {};  // of the last save; the writer's until it is joined

  void join() {
    if (writer.joinable()) writer.join();
  }

  void run(const Job& job) noexcept {
    try {
      write(job);
    } catch (const fs::filesystem_error& e) {
      failed = std::make_exception_ptr(Error(ErrorKind::kIo, fmt::format("Checkpoints: {}.", e.what())));
    } catch (...) {
      failed = std::current_exception();
    }
    writing = false;
  }

  void write(const Job& job) {
    job.tensors->wait();
    clean();
    const std::int64_t step = job.file.run.step;
    const fs::path path = folder / name_of(step);
    const fs::path temporary = folder / fmt::format(".{}{}", name_of(step), kTemporary);
    std::error_code error;
    os::make_folders(folder);
    fs::create_directory(temporary, error);
    if (error) fail_io(temporary, "made", error);
    try {
      write_files(job, temporary);
      if (fs::exists(path, error)) {
        const fs::path old = folder / (name_of(step) + std::string(kOld));
        move(path, old);
        move(temporary, path);
        os::sync_folder(folder);
        discard(old);
      } else {
        move(temporary, path);
        os::sync_folder(folder);
      }
    } catch (...) {
      fs::remove_all(temporary, error);
      throw;
    }
    prune(step);
  }

  static void write_files(const Job& job, const fs::path& to) {
    RunFile file = job.file;
    for (std::size_t i = 0; i < job.names.size(); ++i) {
      const std::vector<HostCopy::Item>& items = job.tensors->items()[i];
      RunFile::File& entry = file.files[file_of(job.names[i])];
      ByteHash hash;
      os::replace_file_with(to / file_of(job.names[i]), [&](const os::Append& append) {
        const auto add = [&](std::span<const std::byte> bytes) {
          append(bytes);
          hash.add(bytes);
          entry.bytes += bytes.size();
        };
        add(std::as_bytes(std::span(job.layouts[i].header)));
        for (const std::size_t k : job.layouts[i].order) add(items[k].bytes);
      });
      entry.hash = hash.str();
    }
    os::replace_file(to / kRunFile, file.text());
    os::sync_folder(to);
  }

  /// Removes what an earlier process did not finish.
  void clean() const {
    std::error_code error;
    for (const std::string& name : names_in(folder)) {
      if (name.starts_with(fmt::format(".{}", kPrefix)) && name.ends_with(kTemporary)) {
        fs::remove_all(folder / name, error);
        if (error) fail_io(folder / name, "removed", error);
      } else if (name.ends_with(kOld) && step_of(name).has_value()) {
        const fs::path current = folder / name_of(*step_of(name));
        if (fs::exists(current, error)) {
          discard(folder / name);
        } else {
          move(folder / name, current);
        }
      }
    }
  }

  /// Removes the checkpoints that are not to be kept. What cannot be removed stays.
  void prune(std::int64_t written) const {
    if (options.keep_last <= 0) return;
    std::vector<std::int64_t> all = steps();
    const std::optional<std::int64_t> kept = options.keep_best ? best() : std::nullopt;
    for (std::size_t i = 0; i + static_cast<std::size_t>(options.keep_last) < all.size(); ++i) {
      if (all[i] == written || all[i] == kept) continue;
      try {
        if (metric_of(all[i]).has_value()) discard(folder / name_of(all[i]));
      } catch (const Error& e) {
        log_warn("{}", e.what());
      }
    }
  }

  [[nodiscard]] std::vector<std::int64_t> steps() const {
    std::set<std::int64_t> found;
    std::error_code error;
    for (const std::string& name : names_in(folder)) {
      const std::optional<std::int64_t> step = step_of(name);
      if (step.has_value() && fs::is_regular_file(folder / name / kRunFile, error)) found.insert(*step);
    }
    return {found.begin(), found.end()};
  }

  [[nodiscard]] fs::path path_of(std::int64_t step) const {
    const fs::path path = folder / name_of(step);
    std::error_code error;
    return fs::exists(path, error) ? path : folder / (name_of(step) + std::string(kOld));
  }

  /// What run.json says of the metric; nothing if it is not ours.
  struct Metric {
    std::optional<double> value;
    bool maximize;
  };
  [[nodiscard]] std::optional<Metric> metric_of(std::int64_t step) const {
    try {
      const RunFile file = RunFile::read(path_of(step) / kRunFile);
      return Metric{file.metric, file.maximize};
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<std::int64_t> best() const {
    std::optional<std::int64_t> found;
    double value = 0;
    const std::vector<std::int64_t> all = steps();
    for (const std::int64_t step : all) {
      const std::optional<Metric> metric = metric_of(step);
      if (!metric.has_value() || !metric->value.has_value()) continue;
      if (found.has_value() && !(metric->maximize ? *metric->value > value : *metric->value < value)) continue;
      found = step;
      value = *metric->value;
    }
    return found;
  }
};

Checkpoints::Checkpoints(fs::path folder, const CheckpointOptions& options)
    : state_(new State{std::move(folder), options}) {
  if (options.keep_last < 0) {
    fail(ErrorKind::kValue,
         "Checkpoints: keep_last is {}; the number of checkpoints to keep, or 0 for all, is expected.",
         options.keep_last);
  }
  if (state_->folder.empty()) fail(ErrorKind::kValue, "Checkpoints: the name of the folder is empty.");
}

Checkpoints::~Checkpoints() {
  if (state_ == nullptr) return;
  state_->join();
  if (state_->failed == nullptr) return;
  try {
    std::rethrow_exception(state_->failed);
  } catch (const std::exception& e) {
    log_error("A checkpoint was not written: {}", e.what());
  } catch (...) {
    log_error("A checkpoint was not written.");
  }
}

Checkpoints::Checkpoints(Checkpoints&&) noexcept = default;

Checkpoints& Checkpoints::operator=(Checkpoints&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

void Checkpoints::save(const Saved& objects, const RunState& run, std::optional<double> metric, bool maximize) {
  wait();
  check_objects(objects);
  if (run.step < 0)
    fail(ErrorKind::kValue, "Checkpoints::save: a step of {} was given; 0 or more is expected.", run.step);
  const auto job = std::make_shared<Job>();
  job->file = {run, metric, maximize};
  static_cast<void>(job->file.text());  // its texts are checked here
  for (const auto& [name, object] : objects) {
    std::vector<Tree::Named> named;
    io::Metadata metadata;
    nn::visit(*object, [&](const nn::Field& field) {
      named.emplace_back(field.name, is_block(field.tensor.dtype()) ? stored_blocks(field.tensor) : field.tensor);
      if (is_block(field.tensor.dtype())) metadata[blocks_key(field.name)] = blocks_text(field.tensor);
    });
    job->names.push_back(name);
    job->layouts.push_back(io::safetensors_layout(named, metadata));
  }
  job->tensors = HostCopy::start(objects);
  state_->writing = true;
  if constexpr (os::kHasThreads) {
    try {
      state_->writer = std::thread([state = state_.get(), job] { state->run(*job); });
      return;
    } catch (const std::system_error& e) {
      log_warn("A checkpoint is written without a thread of its own: {}", e.what());
    }
  }
  state_->run(*job);
}

bool Checkpoints::saving() const { return state_->writing; }

void Checkpoints::wait() {
  state_->join();
  if (state_->failed != nullptr) std::rethrow_exception(std::exchange(state_->failed, nullptr));
}

std::vector<std::int64_t> Checkpoints::steps() const { return state_->steps(); }

std::optional<std::int64_t> Checkpoints::latest() const {
  const std::vector<std::int64_t> all = steps();
  return all.empty() ? std::nullopt : std::optional(all.back());
}

std::optional<std::int64_t> Checkpoints::best() const { return state_->best(); }

namespace {

/// A file of a checkpoint, which was checked against run.json.
struct CheckedFile {
  CheckedFile(const fs::path& path, const RunFile::File& expected)
      : mapped(std::make_shared<const os::MappedFile>(path)), tensors({mapped->bytes(), mapped, false}, path.string()) {
    ByteHash hash;
    hash.add(mapped->bytes());
    if (mapped->bytes().size() == expected.bytes && hash.str() == expected.hash) return;
    fail(
        ErrorKind::kParse,
        "Checkpoints::load: '{}' has {} bytes with the hash {}, and run.json beside it says {} bytes with the hash {}: "
        "the file was changed, or belongs to another checkpoint.",
        path.string(), mapped->bytes().size(), hash.str(), expected.bytes, expected.hash);
  }

  std::shared_ptr<const os::MappedFile> mapped;
  io::SafetensorsFile tensors;
};

/// The tensor of a file that has the name, dtype and shape of the one that an object has.
Tensor read_tensor(const CheckedFile& from, const std::string& name, const Tensor& has) {
  const io::TensorEntry& entry = from.tensors.entry(name);
  const auto check = [&](const char* what, const std::string& given, const std::string& expected) {
    if (given == expected) return;
    fail(ErrorKind::kParse, "Checkpoints::load: the tensor '{}' of '{}' has the {} {}; {} is expected.", name,
         from.tensors.path().string(), what, given, expected);
  };
  const bool blocks = is_block(has.dtype());
  const auto text = from.tensors.metadata().find(blocks_key(name));
  const bool has_blocks = text != from.tensors.metadata().end();
  if (blocks && has_blocks) check("blocks", text->second, blocks_text(has));
  if (blocks != has_blocks) {
    check("dtype", has_blocks ? text->second : std::string(tessera::name(entry.dtype)),
          blocks ? blocks_text(has) : std::string(tessera::name(has.dtype())));
  }
  check("shape", entry.shape.str(), (blocks ? blocks_shape(has) : has.shape()).str());
  check("dtype", std::string(tessera::name(entry.dtype)), std::string(tessera::name(blocks ? u8 : has.dtype())));
  if (!blocks) return from.tensors.tensor(name, has.device());
  const std::span<const std::byte> bytes =
      from.mapped->bytes().subspan(static_cast<std::size_t>(entry.offset), static_cast<std::size_t>(entry.bytes));
  return from_blocks(has.dtype(), bytes, has.shape(), has.device());
}

/// The tensors of a file for the members of an object.
void read_object(const CheckedFile& from, const std::string& name, nn::Stateful& object,
                 std::vector<std::pair<Tensor*, Tensor>>& writes) {
  const std::string path = from.tensors.path().string();
  std::set<std::string, std::less<>> known;
  nn::visit(object, [&](const nn::Field& field) {
    known.insert(field.name);
    if (!from.tensors.contains(field.name)) {
      fail(ErrorKind::kParse, "Checkpoints::load: '{}' has no tensor '{}', which '{}' has.", path, field.name, name);
    }
    writes.emplace_back(&field.tensor, read_tensor(from, field.name, field.tensor));
  });
  for (const io::TensorEntry& entry : from.tensors.entries()) {
    if (known.contains(entry.name)) continue;
    fail(ErrorKind::kParse, "Checkpoints::load: '{}' has a tensor '{}', which '{}' does not have.", path, entry.name,
         name);
  }
}

}  // namespace

RunState Checkpoints::load(std::int64_t step, const Saved& objects) {
  state_->join();  // its Error is that of the next save
  check_objects(objects);
  const std::vector<std::int64_t> all = steps();
  if (!std::ranges::binary_search(all, step)) {
    fail(ErrorKind::kValue, "Checkpoints::load: '{}' has no checkpoint of step {}; there are {}.",
         state_->folder.string(), step, all.empty() ? "none" : fmt::format("those of steps {}", fmt::join(all, ", ")));
  }
  const fs::path path = state_->path_of(step);
  RunFile file = RunFile::read(path / kRunFile);
  if (file.run.step != step) {
    fail(ErrorKind::kParse, "Checkpoints::load: '{}' is of step {}; {} is expected.", (path / kRunFile).string(),
         file.run.step, step);
  }
  std::vector<std::pair<Tensor*, Tensor>> writes;
  for (const auto& [name, object] : objects) {
    const auto entry = file.files.find(file_of(name));
    std::error_code error;
    if (entry == file.files.end() || !fs::exists(path / file_of(name), error)) {
      fail(ErrorKind::kParse, "Checkpoints::load: '{}' has no file '{}' with the tensors of '{}'.", path.string(),
           file_of(name), name);
    }
    read_object(CheckedFile(path / file_of(name), entry->second), name, *object, writes);
  }
  for (auto& [slot, value] : writes) *slot = std::move(value);
  return std::move(file.run);
}

}  // namespace tessera::train
