// Programs stay within the limits of small devices: generated for random graphs and typical kernels, run nowhere.
#include <map>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program.h"
#include "runtime/null/null_device.h"
#include "runtime/registry.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

/// The value of a product or quotient of numbers and constants of the program.
std::uint64_t value_of(const std::string& text, const std::map<std::string, std::uint64_t>& constants) {
  static const std::regex token(R"(([A-Za-z_]\w*|\d+)u?|([*/()]))");
  std::uint64_t result = 1;
  char op = '*';
  std::vector<std::pair<std::uint64_t, char>> outer;
  const auto apply = [&](std::uint64_t v) { result = op == '*' ? result * v : result / v; };
  for (std::sregex_iterator it(text.begin(), text.end(), token), end; it != end; ++it) {
    const std::string t = it->str();
    if (t == "*" || t == "/") {
      op = t[0];
    } else if (t == "(") {
      outer.emplace_back(result, op);
      result = 1;
      op = '*';
    } else if (t == ")") {
      const std::uint64_t inner = result;
      std::tie(result, op) = outer.back();
      outer.pop_back();
      apply(inner);
    } else if (std::isdigit(static_cast<unsigned char>(t[0])) != 0) {
      apply(std::stoull(t));
    } else {
      apply(constants.at(t));
    }
  }
  return result;
}

std::uint64_t bytes_of(const std::string& type) {
  if (type.starts_with("vec4<")) return 16;
  if (type.starts_with("vec2<")) return 8;
  return 4;
}

void check_limits(const tessera::Program& program, const DeviceInfo& device) {
  const std::string& text = program.wgsl;
  if (text.find("workgroup_x") != std::string::npos) return;  // a text of its own: checked where it is called
  EXPECT_LE(program.writable.size(), device.limits.max_storage_buffers) << program.label;
  std::map<std::string, std::uint64_t> constants;
  static const std::regex constant(R"(const (\w+): u32 = ([^;]+);)");
  for (std::sregex_iterator it(text.begin(), text.end(), constant), end; it != end; ++it) {
    constants[(*it)[1]] = value_of((*it)[2], constants);
  }
  std::smatch size;
  ASSERT_TRUE(std::regex_search(text, size, std::regex(R"(@workgroup_size\(([^)]*)\))"))) << text;
  std::uint64_t invocations = 1;
  static const std::regex part(R"([^,\s]+)");
  const std::string sizes = size[1];
  for (std::sregex_iterator it(sizes.begin(), sizes.end(), part), end; it != end; ++it) {
    invocations *= value_of(it->str(), constants);
  }
  EXPECT_LE(invocations, device.limits.max_workgroup_size) << program.label;
  EXPECT_EQ(invocations, program.variant.workgroup) << program.label;
  std::uint64_t memory = 0;
  static const std::regex shared(R"(var<workgroup> \w+: array<([\w<>]+), ([^>]+)>;)");
  std::size_t found = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), shared), end; it != end; ++it, ++found) {
    memory += bytes_of((*it)[1]) * value_of((*it)[2], constants);
  }
  static const std::regex any_shared("var<workgroup>");
  const auto declared = std::distance(std::sregex_iterator(text.begin(), text.end(), any_shared), {});
  EXPECT_EQ(found, static_cast<std::size_t>(declared)) << "workgroup memory that this test does not understand";
  EXPECT_LE(memory, device.limits.max_workgroup_memory) << program.label;
  if (!device.features.f16) {
    EXPECT_EQ(text.find("enable f16"), std::string::npos);
    EXPECT_FALSE(std::regex_search(text, std::regex(R"(\bf16\b)"))) << text;
  }
  if (!device.features.subgroups) {
    EXPECT_EQ(text.find("subgroup"), std::string::npos);
  }
}

struct Small {
  const char* name;
  DeviceInfo info;
};

std::vector<Small> small_devices() {
  DeviceInfo browser;  // the standard's smallest limits, which are the struct's own
  DeviceInfo phone;
  phone.limits.max_workgroup_size = 128;
  phone.limits.max_workgroup_memory = 16384;
  DeviceInfo swiftshader;
  swiftshader.limits.max_storage_buffers = 10;
  swiftshader.limits.max_workgroup_memory = 32768;
  swiftshader.limits.subgroup_min = swiftshader.limits.subgroup_max = 4;
  swiftshader.features.subgroups = true;
  DeviceInfo varying;  // subgroups of no fixed size
  varying.limits.subgroup_min = 8;
  varying.limits.subgroup_max = 32;
  varying.features.subgroups = true;
  varying.features.f16 = true;
  return {{"browser", browser}, {"phone", phone}, {"swiftshader", swiftshader}, {"varying", varying}};
}

class Limits : public testing::Test {
 protected:
  void TearDown() override { runtime::set_default_device(nullptr); }

  template <class F>
  static void on_each(F run) {
    for (const Small& small : small_devices()) {
      const auto null = runtime::make_null_device(small.info);
      const Device device{null};
      device.set_current();
      run(device);
      for (const tessera::Program& program : null->programs()) {
        SCOPED_TRACE(small.name);
        check_limits(program, null->info());
      }
      EXPECT_GT(null->programs().size(), 0U);
    }
  }
};

TEST_F(Limits, RandomGraphs) {
  on_each([](const Device& device) {
    for (std::uint32_t seed = 1; seed <= (full() ? 1000U : 100U); ++seed) {
      const test::Program program = make_program(seed, device);
      for (const Sizes& sizes : {Sizes{6, 5, 4}, Sizes{40, 33, 12}}) {
        try {
          eval(program.build(sizes, device));
        } catch (const Error& e) {
          EXPECT_EQ(name(e.kind()), name(ErrorKind::kValue)) << e.what();  // nothing to take a maximum of
        }
      }
    }
  });
}

TEST_F(Limits, TypicalKernels) {
  on_each([](const Device& device) {
    const auto x = [&](const Shape& shape, DType t = f32) {
      return zeros(shape, t, device) + (t == boolean ? Tensor(true) : Tensor(1));
    };
    for (const DType t : {f32, f16, bf16, i32, i64, u8, boolean}) {
      for (const std::int64_t n : {1, 5, 64, 1000, 4096, 100003}) {
        eval(sum(x({3, n}, t), {1}), max(x({3, n}, t), {1}), argmax(x({3, n}, t), 1), sum(x({n, 3}, t), {0}));
      }
      for (const std::int64_t n : {1, 17, 64, 256, 2048}) {
        eval(matmul(x({n, 64}, t), x({64, n}, t)), matmul(x({200, n}, t), x({n, 200}, t)));
      }
    }
    for (const std::int64_t n : {7, 128, 1024, 5000}) {
      eval(softmax(x({9, n})), layer_norm(x({9, n}), x({n}), x({n})), rms_norm(x({9, n}, f16)));
    }
    std::vector<Tensor> many;
    for (int i = 0; i < 30; ++i) many.push_back(Tensor(std::vector<float>(6), {6}, device));
    Tensor total = many[0];
    for (const Tensor& t : many) total = total + t * t;
    eval(total, concat(many), stack(many, 1));
  });
}

}  // namespace
}  // namespace tessera::test
