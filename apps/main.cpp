// The command line `tessera`: its subcommands and their options.
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"

int main(int argc, char** argv) {
  CLI::App app("Tessera: a deep-learning engine on WebGPU.", "tessera");
  app.require_subcommand(1);

  tessera::app::BenchOptions bench_options;
  CLI::App* bench = app.add_subcommand("bench", "Measures the engine on the chosen device.");
  bench->add_option("group", bench_options.groups, "Groups or names of benchmarks; all when there are none");
  bench->add_option("--json", bench_options.json, "Writes one JSON object a line to a file; - is standard output");
  bench->add_flag("--quick", bench_options.quick, "Tiny sizes: shows that everything runs");

  CLI11_PARSE(app, argc, argv);
  try {
    if (bench->parsed()) return tessera::app::bench(bench_options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tessera: {}\n", e.what());
    return 1;
  }
  return 0;
}
