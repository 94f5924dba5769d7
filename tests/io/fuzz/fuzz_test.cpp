// Replays the corpus of the fuzz targets: every file, its truncations, and its single-byte changes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include "io/fuzz/targets.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(TESSERA_SOURCE_DIR) / "tests/io/fuzz/corpus";

std::vector<char> corpus_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Fuzz, TheCorpusIsParsedOrRefused) {
  for (const fuzz::Named& t : fuzz::kTargets) {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(kCorpus / t.name)) {
      SCOPED_TRACE(entry.path().string());
      const std::vector<char> whole = corpus_file(entry.path());
      t.target(std::as_bytes(std::span(whole)));
      // In memory of exactly this size, so that a sanitizer sees a read behind it.
      // All places of what is parsed at once, and some of what takes a model.
      const std::size_t step = t.slow ? std::max<std::size_t>(whole.size() / 32, 1) : 1;
      for (std::size_t size = 0; size < whole.size(); size += step) {
        const std::vector<char> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        t.target(std::as_bytes(std::span(part)));
      }
      std::vector<char> changed = whole;
      for (std::size_t at = 0; at < whole.size(); at += step) {
        for (const int flip : {1, 0x7f, 0x80, 0xff}) {
          changed[at] = static_cast<char>(whole[at] ^ static_cast<char>(flip));
          t.target(std::as_bytes(std::span(changed)));
        }
        changed[at] = whole[at];
      }
      ++files;
    }
    EXPECT_GE(files, 5) << t.name;
  }
}

}  // namespace
}  // namespace tessera::test
