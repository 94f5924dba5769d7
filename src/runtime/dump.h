// TESSERA_DUMP=dir: graphs and kernels as text files.
#pragma once

#include <string>

#include "schedule/plan.h"

namespace tessera::runtime {

/// The folder of TESSERA_DUMP, or empty.
const std::string& dump_folder();
/// Writes plan-<id>.dot, .txt (graph and kernels) once for each plan.
void dump_graph(const Graph& graph, const schedule::Plan& plan);
/// A kernel, and the kernels of a plan, as text.
std::string to_text(const Kernel& kernel);
std::string to_text(const schedule::Plan& plan);

}  // namespace tessera::runtime
