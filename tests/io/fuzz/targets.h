// Fuzz targets: parsers of files, called with any bytes. They return, or stop the program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/utf8.h"
#include "tessera/error.h"

namespace tessera::fuzz {

using Target = void (*)(std::span<const std::byte>);

void safetensors(std::span<const std::byte> bytes);
void gguf(std::span<const std::byte> bytes);
void json(std::span<const std::byte> bytes);
void idx(std::span<const std::byte> bytes);
void npy(std::span<const std::byte> bytes);
void zip(std::span<const std::byte> bytes);  // the archive of an npz file
// model_targets.cpp
void gguf_model(std::span<const std::byte> bytes);  // the vocabulary, the chat template and the config of a GGUF file
void tokenizer(std::span<const std::byte> bytes);   // tokenizer.json
void config(std::span<const std::byte> bytes);      // config.json
void context(std::span<const std::byte> bytes);     // a saved context
// data_targets.cpp
void csv(std::span<const std::byte> bytes);
void pnm(std::span<const std::byte> bytes);       // PPM and PGM images
void run_file(std::span<const std::byte> bytes);  // run.json of a checkpoint
void log(std::span<const std::byte> bytes);       // log.jsonl of a run
void shards(std::span<const std::byte> bytes);    // the index of safetensors files

/// Stops the program unless it holds.
void expect(bool holds, const char* what);

/// A new folder, which ends with the program.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};
/// Replaces the text of a file.
void write_file(const std::filesystem::path& file, std::string_view text);

inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Runs f, which may refuse its input with an Error of one of these kinds and a full sentence.
template <class F>
void refused(F f,
             std::initializer_list<ErrorKind> kinds = {ErrorKind::kParse, ErrorKind::kValue, ErrorKind::kUnsupported,
                                                       ErrorKind::kShape, ErrorKind::kDType}) {
  try {
    f();
  } catch (const Error& e) {
    const std::string_view text = e.what();
    expect(std::ranges::find(kinds, e.kind()) != kinds.end(), e.what());
    expect(text.ends_with('.') && text.size() < 4000, e.what());
    expect(is_utf8(text), "a message that is not UTF-8");
  }
}

struct Named {
  std::string_view name;
  Target target;
  bool slow = false;  // takes a model, or files
};
inline constexpr Named kTargets[] = {{"safetensors", safetensors},
                                     {"gguf", gguf},
                                     {"json", json},
                                     {"idx", idx},
                                     {"npy", npy},
                                     {"zip", zip},
                                     {"gguf_model", gguf_model, true},
                                     {"tokenizer", tokenizer, true},
                                     {"config", config, true},
                                     {"context", context, true},
                                     {"csv", csv},
                                     {"pnm", pnm},
                                     {"run_file", run_file},
                                     {"log", log, true},
                                     {"shards", shards, true}};

}  // namespace tessera::fuzz
