// The modules, optimizers, schedules and initialisers of points.json, constructed in C++.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/tessera.h"

namespace tessera::test {

struct ModuleCase {
  std::string name;  // its first word is the class
  std::function<nn::AnyModule()> make;
  std::function<Tensors(nn::Module&, const Tensors&)> call = {};  // default: m(x[0])
};
const std::vector<ModuleCase>& module_cases();

struct OptimizerCase {
  std::string name;
  std::function<std::unique_ptr<optim::Optimizer>(const optim::Parameters&)> make;
  double clip = 0;  // clip_grad_norm before the update
};
const std::vector<OptimizerCase>& optimizer_cases();

struct ScheduleCase {
  std::string name;
  optim::Schedule schedule;
};
const std::vector<ScheduleCase>& schedule_cases();

struct InitCase {
  std::string name;
  std::function<Tensor(const Shape&)> make;
};
const std::vector<InitCase>& init_cases();

}  // namespace tessera::test
