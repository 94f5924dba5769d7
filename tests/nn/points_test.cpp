// Modules, optimizers, schedules and initialisers against PyTorch's numbers (points.json, by make_points.py).
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "nn/cases.h"
#include "nn/support.h"

namespace tessera::test {

namespace {

const nlohmann::json& points() {
  static const nlohmann::json all = [] {
    std::ifstream file(std::string(TESSERA_SOURCE_DIR) + "/tests/nn/points.json");
    return file ? nlohmann::json::parse(file) : nlohmann::json::object();
  }();
  return all;
}

std::vector<double> numbers(const nlohmann::json& packed) { return packed.at(1).get<std::vector<double>>(); }
Shape shape(const nlohmann::json& packed) { return Shape(packed.at(0).get<std::vector<std::int64_t>>()); }

Tensor tensor(const nlohmann::json& packed, DType dtype = f32) {
  const std::vector<double> all = numbers(packed);
  return Tensor(std::vector<float>(all.begin(), all.end()), shape(packed), test_device()).astype(dtype);
}

Tree tree(const nlohmann::json& named) {
  std::vector<Tree::Named> all;
  for (const auto& [name, packed] : named.items()) all.emplace_back(name, tensor(packed));
  return all.empty() ? Tree() : Tree::unflatten(all);
}

void expect_close(const Tensor& got, const nlohmann::json& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(got.shape(), shape(expected)) << what;
  expect_near(doubles(got), numbers(expected), tolerance, what);
}

/// sum(output * w) over all outputs, with the weights of make_points.py.
Tensor loss_of(const Tensors& outputs) {
  Tensor loss;
  double offset = 0;
  for (const Tensor& y : outputs) {
    std::vector<float> w(static_cast<std::size_t>(y.numel()));
    for (std::size_t i = 0; i < w.size(); ++i) {
      w[i] = static_cast<float>(std::cos(1.7 * (static_cast<double>(i) + offset) + 0.3));
    }
    const Tensor part = sum(y * Tensor(w, y.shape(), test_device()));
    loss = loss.defined() ? loss + part : part;
    offset += static_cast<double>(y.numel());
  }
  return loss;
}

/// The names that both have; a test failure for those of only one.
void expect_same_names(const std::string& section, const std::set<std::string>& ours) {
  std::set<std::string> theirs;
  for (const auto& [name, point] : points().at(section).items()) theirs.insert(name);
  for (const std::string& name : ours)
    EXPECT_TRUE(theirs.contains(name)) << "points.json has no " << section << " " << name;
  for (const std::string& name : theirs)
    EXPECT_TRUE(ours.contains(name)) << "cases.cpp has no " << section << " " << name;
}

/// The groups of all matches in the public headers of a folder, or in one of them.
std::set<std::string> declared(const std::string& folder, const std::string& pattern, const std::string& only = {}) {
  std::set<std::string> names;
  const std::regex expression(pattern);
  const std::filesystem::path all = std::filesystem::path(TESSERA_SOURCE_DIR) / "include/tessera" / folder;
  for (const auto& header : std::filesystem::directory_iterator(all)) {
    if (!only.empty() && header.path().filename() != only) continue;
    std::ifstream file(header.path());
    EXPECT_TRUE(file) << header.path();
    std::string line;
    while (std::getline(file, line)) {
      std::smatch match;
      if (!std::regex_search(line, match, expression)) continue;
      for (std::size_t i = 1; i < match.size(); ++i) {
        if (match[i].matched) names.insert(match[i]);
      }
    }
  }
  return names;
}

template <class Case>
std::set<std::string> first_words(const std::vector<Case>& cases) {
  std::set<std::string> names;
  for (const Case& c : cases) names.insert(c.name.substr(0, c.name.find(' ')));
  return names;
}

template <class Case>
std::set<std::string> names_of(const std::vector<Case>& cases) {
  std::set<std::string> names;
  for (const Case& c : cases) names.insert(c.name);
  return names;
}

class Points : public NnTest {
 protected:
  void SetUp() override {
    NnTest::SetUp();
    ASSERT_FALSE(points().empty()) << "tests/nn/points.json is missing: run make_points.py where PyTorch is installed";
  }
};

}  // namespace

// ---- Everything that the headers declare has a case ----

TEST(Cases, EveryModule) {
  std::set<std::string> all = declared("nn", "^class (\\w+) : public|^using (\\w+) = (?:Activation|Adaptive)");
  // Bases, containers without a forward function, and what PyTorch does not have: see modules_test.cpp.
  for (const char* name : {"Activation", "ActivationAlong", "ActivationWith", "AdaptivePool", "ALiBi", "BatchNorm",
                           "Conv", "ConvTranspose", "InstanceNorm", "KvCache", "Lambda", "Module", "ModuleDict",
                           "ModuleList", "Recurrent", "RoPE", "StepCalls"}) {
    EXPECT_EQ(all.erase(name), 1U) << name;
  }
  EXPECT_GT(all.size(), 60U);
  const std::set<std::string> cases = first_words(module_cases());
  for (const std::string& name : all) EXPECT_TRUE(cases.contains(name)) << name << " has no case in cases.cpp";
}

TEST(Cases, EveryOptimizerScheduleAndInitialiser) {
  const auto check = [](const std::set<std::string>& all, const std::set<std::string>& cases, std::size_t least) {
    EXPECT_GE(all.size(), least);
    for (const std::string& name : all) EXPECT_TRUE(cases.contains(name)) << name << " has no case in cases.cpp";
  };
  std::set<std::string> optimizers = declared("optim", "^class (\\w+) : public Optimizer");
  optimizers.erase("OptimizerWith");  // a base
  check(optimizers, first_words(optimizer_cases()), 12);
  check(declared("optim", "^Schedule (\\w+)\\("), first_words(schedule_cases()), 11);
  check(declared("nn", "^Tensor (\\w+)\\(", "init.h"), first_words(init_cases()), 13);
}

// ---- PyTorch's numbers ----

TEST_F(Points, Modules) {
  expect_same_names("modules", names_of(module_cases()));
  for (const ModuleCase& c : module_cases()) {
    SCOPED_TRACE(c.name);
    const auto& all = points().at("modules");
    if (!all.contains(c.name)) continue;
    const auto& point = all.at(c.name);
    nn::AnyModule m = c.make();
    m->load(tree(point.at("state")));
    Tensors inputs;
    std::vector<std::size_t> differentiable;
    for (std::size_t i = 0; i < point.at("inputs").size(); ++i) {
      const bool has = !point.at("input gradients")[i].is_null();
      inputs.push_back(tensor(point.at("inputs")[i], has ? f32 : i32));
      if (has) differentiable.push_back(i);
    }
    const auto call = [&](nn::Module& module, const Tensors& x) {
      return c.call ? c.call(module, x) : Tensors{module(x[0])};
    };
    nn::AnyModule other = m;  // for the gradients of inputs
    Tensors outputs;
    if (m->trainable_parameters().empty()) {
      outputs = call(*m, inputs);
    } else {
      auto [value, gradients, aux] = value_and_grad(*m, [&] {
        Tensors y = call(*m, inputs);
        Tensor loss = loss_of(y);
        return std::pair<Tensor, Tensors>(loss, std::move(y));
      })();
      outputs = std::move(aux);
      EXPECT_EQ(gradients.size(), point.at("gradients").size());
      for (const auto& [name, g] : gradients.flatten()) {
        expect_close(g, point.at("gradients").at(name), 2e-5, c.name + ", gradient of " + name);
      }
    }
    ASSERT_EQ(outputs.size(), point.at("outputs").size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      expect_close(outputs[i], point.at("outputs")[i], 1e-5, c.name + ", output " + std::to_string(i));
    }
    for (const auto& [name, b] : m->buffers().flatten()) {
      expect_close(b, point.at("buffers").at(name), 1e-5, c.name + ", buffer " + name);
    }
    if (differentiable.empty()) continue;
    Tensors variables;
    for (const std::size_t i : differentiable) variables.push_back(inputs[i]);
    const Tensors gradients = value_and_grad_of(
                                  [&](const Tensors& x) {
                                    Tensors given = inputs;
                                    for (std::size_t i = 0; i < x.size(); ++i) given[differentiable[i]] = x[i];
                                    return loss_of(call(*other, given));
                                  },
                                  variables)
                                  .second;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      expect_close(gradients[i], point.at("input gradients")[differentiable[i]], 2e-5,
                   c.name + ", gradient of input " + std::to_string(i));
    }
  }
}

TEST_F(Points, Optimizers) {
  expect_same_names("optimizers", names_of(optimizer_cases()));
  const auto& problem = points().at("problem");
  const Tensor x = tensor(problem.at("x"));
  const Tensor y = tensor(problem.at("y"));
  for (const OptimizerCase& c : optimizer_cases()) {
    SCOPED_TRACE(c.name);
    if (!points().at("optimizers").contains(c.name)) continue;
    const auto& after = points().at("optimizers").at(c.name);
    Tree p{{"weight", tensor(problem.at("weight"))}, {"bias", tensor(problem.at("bias"))}};
    const auto optimizer = c.make(p);
    for (int i = 0; i < 20; ++i) {
      auto [value, g] = value_and_grad_of(
          [&](const Tensors& v) { return mean(square(tanh(matmul(x, v[0].T()) + v[1]) - y)); }, p.tensors());
      Tree gradients = p.with_tensors(g);
      if (c.clip > 0) gradients = optim::clip_grad_norm(gradients, c.clip).gradients;
      optimizer->update(p, gradients);
      if (i % 5 != 4) continue;
      for (const auto& [name, t] : p.flatten()) {
        expect_close(t, after[static_cast<std::size_t>(i / 5)].at(name), 2e-5,
                     c.name + ", " + name + " after " + std::to_string(i + 1));
      }
    }
  }
}

TEST_F(Points, Schedules) {
  expect_same_names("schedules", names_of(schedule_cases()));
  for (const ScheduleCase& c : schedule_cases()) {
    if (!points().at("schedules").contains(c.name)) continue;
    const auto values = points().at("schedules").at(c.name).get<std::vector<double>>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Tensor rate = c.schedule(full({}, static_cast<double>(i), f32, test_device()));
      ASSERT_EQ(rate.rank(), 0);
      ASSERT_NEAR(rate.item<double>(), values[i], 2e-6) << c.name << " at step " << i;
    }
  }
}

TEST_F(Points, Initialisers) {
  expect_same_names("inits", names_of(init_cases()));
  random::set_seed(5);
  for (const InitCase& c : init_cases()) {
    SCOPED_TRACE(c.name);
    if (!points().at("inits").contains(c.name)) continue;
    const auto& point = points().at("inits").at(c.name);
    if (point.contains("value")) {
      expect_close(c.make(shape(point.at("value"))), point.at("value"), 1e-9, c.name);
      continue;
    }
    const Tensor t = c.make({400, 300});
    const auto deviation = point.at("deviation").get<double>();
    EXPECT_NEAR(mean(t).item<double>(), point.at("mean").get<double>(), 0.02 * deviation + 1e-7);
    EXPECT_NEAR(stddev(t).item<double>(), deviation, 0.02 * deviation + 1e-7);
    const auto low = point.at("low").get<double>();
    const auto high = point.at("high").get<double>();
    const bool bounded = c.name.ends_with("uniform") || c.name == "trunc_normal" || deviation < 1e-9;
    const double slack = bounded ? 0.01 * (high - low) + 1e-6 : 0.3 * (high - low);
    EXPECT_NEAR(min(t).item<double>(), low, slack);
    EXPECT_NEAR(max(t).item<double>(), high, slack);
  }
}

}  // namespace tessera::test
