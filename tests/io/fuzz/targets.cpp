// Each target parses the bytes as one format and checks what the parser promises: ranges inside of the file, and errors
// of kind parse with a full sentence.
#include "io/fuzz/targets.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include <unistd.h>

#include "io/gguf/gguf_format.h"
#include "io/idx_header.h"
#include "io/json_document.h"
#include "io/npy/npy.h"
#include "io/npy/zip.h"
#include "io/safetensors/safetensors_format.h"

namespace tessera::fuzz {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tessera_fuzz_XXXXXX").string();
  expect(::mkdtemp(pattern.data()) != nullptr, "no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

void write_file(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::remove(file);  // to truncate it is slower on ext4, which then writes to the disk at once
  std::ofstream(file, std::ios::binary) << text;
}

namespace {

template <class F>
void parse(F f) {
  try {
    f(io::Fault("fuzz", "fuzz"));
  } catch (const Error& e) {
    const std::string_view text = e.what();
    expect(e.kind() == ErrorKind::kParse, "an error that is not of kind parse");
    expect(text.starts_with("fuzz: 'fuzz' ") && text.ends_with('.') && text.size() < 2000, e.what());
    expect(is_utf8(text), "a message that is not UTF-8");
  }
}

}  // namespace

void safetensors(std::span<const std::byte> bytes) {
  for (const bool known : {true, false}) {
    parse([&](const io::Fault& fault) {
      const auto size = known ? std::optional<std::uint64_t>(bytes.size()) : std::nullopt;
      const io::SafetensorsHeader header = io::read_header(bytes, size, fault);
      std::uint64_t at = header.entries.empty() ? 0 : header.entries.front().offset;
      for (const io::TensorEntry& e : header.entries) {
        expect(e.offset == at && (!known || e.offset + e.bytes <= bytes.size()), "a tensor outside of the file");
        expect(e.bytes == static_cast<std::uint64_t>(e.shape.numel()) * size_of(e.dtype), "bytes of another shape");
        at += e.bytes;
      }
    });
  }
}

void gguf(std::span<const std::byte> bytes) {
  parse([&](const io::Fault& fault) {
    const io::GgufHeader header = io::parse_gguf(bytes, fault);
    std::uint64_t end = 0;
    for (const io::GgufEntry& e : header.entries) {
      expect(e.offset >= end && e.offset <= bytes.size() && e.bytes <= bytes.size() - e.offset,
             "overlaps, or is outside");
      expect(e.offset % header.alignment == 0, "a tensor that is not aligned");
      expect(e.bytes == static_cast<std::uint64_t>(e.shape.numel() / block_elements(e.type)) * block_bytes(e.type),
             "bytes of another shape");
      end = e.offset + e.bytes;
    }
    // The same from the first bytes of the file, once they hold the header.
    for (const bool known : {true, false}) {
      const auto size = known ? std::optional<std::uint64_t>(bytes.size()) : std::nullopt;
      const std::size_t count = std::min<std::size_t>(static_cast<std::size_t>(header.bytes), bytes.size());
      const auto first = io::parse_gguf(bytes.first(count), size, fault);
      expect(first && first->entries.size() == header.entries.size() && first->bytes == header.bytes,
             "another header from its own bytes");
      const auto half = io::parse_gguf(bytes.first(count / 2), size, fault);
      expect(!half || header.bytes - count / 2 < header.alignment, "a header from a half of it");
    }
    for (const auto& [key, value] : header.metadata.entries()) {
      expect(is_utf8(key) && header.metadata.find(key) == &value, "a key that is not found");
      expect(value.str().size() < 1000 && !value.type_text().empty(), "a value that is not printed");
    }
  });
}

void json(std::span<const std::byte> bytes) {
  parse([&](const io::Fault& fault) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const nlohmann::json document = io::parse_json(text, "a text", fault);
    expect(document.is_object(), "no object");
    // What was parsed is written and parsed again.
    const nlohmann::json again = io::parse_json(document.dump(), "a text", fault);
    expect(again == document, "another document");
  });
}

void idx(std::span<const std::byte> bytes) {
  parse([&](const io::Fault& fault) {
    const io::IdxHeader header = io::parse_idx(bytes, fault);
    expect(header.offset + static_cast<std::uint64_t>(header.shape.numel()) * size_of(header.dtype) == bytes.size(),
           "bytes of another shape");
  });
}

void npy(std::span<const std::byte> bytes) {
  parse([&](const io::Fault& fault) {
    const io::HostArray array = io::npy_array({bytes, nullptr, false}, fault);
    expect(array.view.bytes.size() == static_cast<std::uint64_t>(array.shape.numel()) * size_of(array.dtype),
           "bytes of another shape");
  });
}

void zip(std::span<const std::byte> bytes) {
  parse([&](const io::Fault& fault) {
    for (const io::ZipMember& member : io::zip_members(bytes, fault)) {
      expect(member.offset <= bytes.size() && member.packed <= bytes.size() - member.offset,
             "a member outside of the file");
      parse([&](const io::Fault& of_member) {
        const HostView whole = io::unzip({bytes, nullptr, false}, member, of_member);
        expect(whole.bytes.size() == member.size, "another size");
        const std::vector<std::byte> first = io::unzip_first({bytes, nullptr, false}, member, 300);
        expect(first.size() == std::min<std::size_t>(300, member.size), "fewer of the first bytes");
        expect(std::equal(first.begin(), first.end(), whole.bytes.begin()), "other first bytes");
      });
    }
  });
  refused(
      [&] {
        for (const auto& [name, array] : io::npz_arrays({bytes, nullptr, false}, "fuzz", "fuzz")) {
          expect(array.view.bytes.size() == static_cast<std::uint64_t>(array.shape.numel()) * size_of(array.dtype),
                 "bytes of another shape");
        }
      },
      {ErrorKind::kParse});
}

}  // namespace tessera::fuzz

#ifdef TESSERA_LIBFUZZER
/// The target is named by the environment: TESSERA_FUZZ=gguf.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tessera::fuzz::Target kTarget = [] {
    const char* name = std::getenv("TESSERA_FUZZ");
    for (const auto& t : tessera::fuzz::kTargets) {
      if (name != nullptr && t.name == name) return t.target;
    }
    std::abort();
  }();
  kTarget(std::as_bytes(std::span(data, size)));
  return 0;
}
#endif
