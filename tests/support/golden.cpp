// Normalised declarations of kernels, and the files that they are compared with.
#include "support/golden.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace tessera::test {

namespace {

namespace fs = std::filesystem;

/// Words that keep their meaning in every text: keywords, attributes, types, built-in values and functions.
const std::set<std::string>& own_words() {
  static const std::set<std::string> kWords = [] {
    std::istringstream text(R"(
    alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if
    let loop override requires return struct switch true var while off f16 f32 f64 i32 u32 i64 u64 bool vec2 vec3
    vec4 mat2x2 mat2x4 mat4x4 array atomic ptr storage uniform workgroup private function read write read_write
    binding group compute workgroup_size builtin subgroups subgroup_uniformity wgpu_cooperative_matrix coop_mat16x16
    coop_mat8x8 A B C coopLoad coopLoadT coopStore coopStoreT coopMultiplyAdd global_invocation_id
    local_invocation_id local_invocation_index workgroup_id num_workgroups subgroup_size subgroup_invocation_id
    num_subgroups subgroup_id x y z w xy yz zw xyz xx yy xyzw workgroupBarrier storageBarrier workgroupUniformLoad
    subgroupAdd subgroupMax subgroupMin subgroupMul subgroupShuffle subgroupShuffleXor subgroupShuffleDown
    subgroupShuffleUp subgroupBroadcast subgroupBroadcastFirst subgroupExclusiveAdd subgroupInclusiveAdd subgroupAll
    subgroupAny subgroupBallot atomicAdd atomicSub atomicMax atomicMin atomicAnd atomicOr atomicXor atomicExchange
    atomicCompareExchangeWeak atomicLoad atomicStore bitcast select all any abs acos acosh asin asinh atan atan2
    atanh ceil clamp cos cosh countLeadingZeros countOneBits countTrailingZeros cross distance dot exp exp2
    extractBits firstLeadingBit firstTrailingBit floor fma fract frexp insertBits inverseSqrt ldexp length log log2
    max min mix modf normalize pow quantizeToF16 reverseBits round saturate sign sin sinh smoothstep sqrt step tan
    tanh transpose trunc arrayLength pack2x16float unpack2x16float pack4x8snorm unpack4x8snorm dot4I8Packed
    dot4U8Packed unpack4xI8 unpack4xU8
    )");
    return std::set<std::string>(std::istream_iterator<std::string>(text), {});
  }();
  return kWords;
}

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A word of a text, or what stands between words.
struct Token {
  std::string text;
  bool name = false;  // an identifier that is not WGSL's own
};

std::vector<Token> tokens_of(std::string_view wgsl) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < wgsl.size();) {
    const char c = wgsl[i];
    std::size_t end = i + 1;
    if (wgsl.substr(i, 2) == "//") {
      i = std::min(wgsl.find('\n', i), wgsl.size());
      continue;
    }
    if (starts_word(c)) {
      while (end < wgsl.size() && in_word(wgsl[end])) ++end;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (end < wgsl.size() && (in_word(wgsl[end]) || wgsl[end] == '.')) ++end;
    } else if (c == ' ' || c == '\t') {
      while (end < wgsl.size() && (wgsl[end] == ' ' || wgsl[end] == '\t')) ++end;
    }
    std::string text(c == ' ' || c == '\t' ? std::string_view(" ") : wgsl.substr(i, end - i));
    const bool name = starts_word(c) && !own_words().contains(text);
    tokens.push_back({std::move(text), name});
    i = end;
  }
  return tokens;
}

/// Without blank lines and spaces at the ends of lines.
std::string tidy(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos) out += line.substr(first, line.find_last_not_of(' ') - first + 1) + '\n';
  }
  return out;
}

/// FNV-1a, in 48 bits.
std::string hash_of(std::string_view text) {
  std::uint64_t h = 14695981039346656037ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:012x}", h >> 16U);
}

bool updating() {
  const char* update = std::getenv("TESSERA_UPDATE_GOLDENS");
  return update != nullptr && *update != 0 && *update != '0';
}

fs::path folder(const std::string& set) { return fs::path(TESSERA_SOURCE_DIR) / "tests" / "golden" / set; }

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// The texts of a set that updates have met; written when the process ends.
struct Texts {
  std::map<std::string, std::map<std::string, std::string>> of_set;  // set, hash, text
  ~Texts() {
    for (const auto& [set, texts] : of_set) {
      std::ofstream out(folder(set) / "declarations.wgsl", std::ios::binary);
      for (const auto& [hash, text] : texts) out << "// " << hash << '\n' << text;
    }
  }
};

std::string known_text(const std::string& set, const std::string& hash) {
  const std::string all = read(folder(set) / "declarations.wgsl");
  const std::size_t at = all.find("// " + hash + '\n');
  if (at == std::string::npos) return "(not in declarations.wgsl)\n";
  const std::size_t first = all.find('\n', at) + 1;
  return all.substr(first, all.find("\n// ", first) - first + 1);
}

/// What the first declaration that differs was and is.
std::string first_difference(const std::string& set, const std::string& expected, const std::string& got,
                             const std::map<std::string, std::string>& texts) {
  std::istringstream a(expected);
  std::istringstream b(got);
  std::string x;
  std::string y;
  for (int line = 1;; ++line) {
    const bool more_a = static_cast<bool>(std::getline(a, x));
    const bool more_b = static_cast<bool>(std::getline(b, y));
    if (!more_a && !more_b) return "nothing";
    if (more_a == more_b && x == y) continue;
    const std::string before = x.substr(0, x.find(' '));
    const auto after = texts.find(y.substr(0, y.find(' ')));
    return fmt::format("line {}: expected '{}', got '{}'.\n---- before\n{}---- now\n{}", line, x, y,
                       known_text(set, before), after == texts.end() ? "" : after->second);
  }
}

}  // namespace

std::vector<Declaration> declarations_of(std::string_view wgsl) {
  const std::vector<Token> tokens = tokens_of(wgsl);
  std::vector<std::vector<Token>> parts(1);
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    parts.back().push_back(tokens[i]);
    if (text == "{" || text == "(") ++depth;
    if (text == "}" || text == ")") --depth;
    if (depth == 0 && (text == "}" || text == ";")) parts.emplace_back();
  }
  std::map<std::string, int> numbers;
  std::map<std::string, std::set<std::size_t>> users;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const Token& t : parts[p]) {
      if (!t.name) continue;
      numbers.try_emplace(t.text, static_cast<int>(numbers.size()));
      users[t.text].insert(p);
    }
  }
  std::vector<Declaration> result;
  for (const std::vector<Token>& part : parts) {
    Declaration d;
    std::map<std::string, std::size_t> own;
    std::string text;
    for (const Token& t : part) {
      if (!t.name) {
        text += t.text;
        continue;
      }
      const auto [it, is_new] = own.try_emplace(t.text, own.size());
      if (is_new) d.names.push_back(users[t.text].size() > 1 ? numbers[t.text] : -1);
      text += fmt::format("n{}", it->second);
    }
    d.text = tidy(text);
    if (!d.text.empty() && d.text != ";\n") result.push_back(std::move(d));
  }
  return result;
}

void expect_golden(const std::string& set, const std::string& name, std::span<const Program> programs) {
  static Texts all;
  std::map<std::string, std::string> texts;
  std::string got;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    std::string lines;
    for (const Declaration& d : declarations_of(programs[i].wgsl)) {
      const std::string hash = hash_of(d.text);
      texts[hash] = d.text;
      lines += hash;
      for (const int n : d.names) lines += n < 0 ? " ." : fmt::format(" {}", n);
      lines += '\n';
    }
    const auto [it, is_new] = known.try_emplace(lines, i);
    got += is_new ? fmt::format("program {}\n{}", i, lines) : fmt::format("program {} as {}\n", i, it->second);
  }
  const fs::path file = folder(set) / (name + ".txt");
  if (updating()) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << got;
    all.of_set[set].merge(texts);
    return;
  }
  const std::string expected = read(file);
  EXPECT_TRUE(expected == got) << "The WGSL differs from " << file << " at "
                               << first_difference(set, expected, got, texts)
                               << "Where that is meant, TESSERA_UPDATE_GOLDENS=1 writes the files anew.";
}

}  // namespace tessera::test
