// The command line `tessera`: its subcommands and their options.
#include <algorithm>
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.h"
#include "tessera/catalog.h"

int main(int argc, char** argv) {
  CLI::App app("Tessera: a deep-learning engine on WebGPU.", "tessera");
  app.require_subcommand(1);

  bool json = false;
  CLI::App* doctor = app.add_subcommand("doctor", "Shows and tests the devices, and says what is missing.");
  doctor->add_flag("--json", json, "Prints one JSON object");

  CLI::App* demo = app.add_subcommand("demo", "Shows in a few seconds what the engine does.");

  CLI::App* ops = app.add_subcommand("ops", "Prints the table of ops: types, gradients, and how each is made.");

  tessera::app::BenchOptions bench_options;
  CLI::App* bench = app.add_subcommand("bench", "Measures the engine on the chosen device.");
  bench->add_option("group", bench_options.groups, "Groups or names of benchmarks; all when there are none");
  bench->add_option("--json", bench_options.json, "Writes one JSON object a line to a file; - is standard output");
  bench->add_flag("--quick", bench_options.quick, "Tiny sizes: shows that everything runs");

  tessera::app::TuneOptions tune_options;
  CLI::App* tune = app.add_subcommand(
      "tune", "Measures which programs of matmuls and convolutions are the fastest, for all later runs.");
  tune->add_option(
      "matmul", tune_options.matmuls,
      "TYPE:MxNxK or TYPE:BATCHxMxNxK, and :nt for a transposed second matrix; TYPE:conv:NxCxHxW:OxHxW with "
      ":sSTRIDE, :pPADDING, :gGROUPS and :last; the usual ones when there are none");
  tune->add_flag("--json", tune_options.json, "Prints one JSON object a line; the table goes to standard error");
  tune->add_flag("--quick", tune_options.quick, "Tiny matmuls: shows that everything runs");

  // CLI11 would only say that a subcommand is missing.
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(commands, argv[1]) == commands.end()) {
    fmt::print(stderr, "tessera: there is no command '{}'; the commands are {}.\n", argv[1], fmt::join(commands, ", "));
    return 2;
  }
  CLI11_PARSE(app, argc, argv);
  try {
    if (doctor->parsed()) return tessera::app::doctor(json);
    if (ops->parsed()) {
      fmt::print("{}", tessera::op_catalog_page());
      return 0;
    }
    if (demo->parsed()) return tessera::app::demo();
    if (bench->parsed()) return tessera::app::bench(bench_options);
    if (tune->parsed()) return tessera::app::tune(tune_options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tessera: {}\n", e.what());
    return 1;
  }
  return 0;
}
