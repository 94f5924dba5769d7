// The command line `tessera`: its subcommands and their options.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.h"
#include "llm/command.h"
#include "tessera/catalog.h"
#include "tessera/distributed.h"
#include "train/command.h"

int main(int argc, char** argv) {
  CLI::App app("Tessera: a deep-learning engine on WebGPU.", "tessera");
  app.require_subcommand(1);

  bool json = false;
  CLI::App* doctor = app.add_subcommand("doctor", "Lists and tests the devices, and reports what is missing.");
  doctor->add_flag("--json", json, "Prints one JSON object");

  tessera::app::DemoOptions demo_options;
  CLI::App* demo = app.add_subcommand("demo", "Shows devices and kernels, then trains a model live that answers sums.");
  demo->add_option("--steps", demo_options.steps, "Steps of training; default: as many as tessera train gpt makes");

  const std::function<int()> train_job = tessera::app::add_train(app);

  CLI::App* ops = app.add_subcommand("ops", "Prints the table of ops: dtypes, gradients, and implementation.");

  tessera::app::BenchOptions bench_options;
  CLI::App* bench = app.add_subcommand("bench", "Benchmarks the engine on the selected device.");
  bench->add_option("group", bench_options.groups, "Groups or names of benchmarks; default: all");
  bench->add_option("--json", bench_options.json, "Writes one JSON object per line to a file; - is standard output");
  bench->add_flag("--quick", bench_options.quick, "Tiny sizes: checks that everything runs");
  bench
      ->add_option("--params", bench_options.model.params,
                   "Groups state and llm: 1b is a model of 1.24 billion parameters, 8b (llm) of 8.0; default: tiny")
      ->check(CLI::IsMember({"tiny", "1b", "8b"}));
  bench->add_option("--type", bench_options.model.type, "Group llm: the dtype of the weights; default: f16")
      ->check(CLI::IsMember({"f16", "bf16", "f32", "q8_0", "q4_0", "q4_1", "q4_k", "q5_k", "q6_k", "mxfp4"}));
  bench->add_option("--batch", bench_options.model.batch, "Group llm: sequences; default: 1")
      ->check(CLI::Range(1, 1024));
  bench->add_option("--context", bench_options.model.context, "Group llm: tokens; default: 512, of a tiny model 64")
      ->check(CLI::Range(1, 1 << 20));

  tessera::app::TuneOptions tune_options;
  CLI::App* tune =
      app.add_subcommand("tune", "Autotunes matmuls and convolutions, and stores the fastest kernels for later runs.");
  tune->add_option(
      "matmul", tune_options.matmuls,
      "TYPE:MxNxK or TYPE:BATCHxMxNxK, and :nt for a transposed second matrix; TYPE:conv:NxCxHxW:OxHxW with "
      ":sSTRIDE, :pPADDING, :gGROUPS and :last; default: a list of common sizes");
  tune->add_flag("--json", tune_options.json, "Prints one JSON object per line; the table goes to standard error");
  tune->add_flag("--quick", tune_options.quick, "Tiny matmuls: checks that everything runs");

  tessera::app::InspectOptions inspect_options;
  CLI::App* inspect = app.add_subcommand(
      "inspect", "Prints metadata, tensors and totals of a safetensors file, a GGUF file or a Hugging Face folder.");
  inspect->add_option("file", inspect_options.path, "The file or the folder")->required();
  inspect->add_flag("--json", inspect_options.json, "Prints one JSON object");

  const std::function<std::optional<int>()> llm_command = tessera::app::add_llm(app);

  tessera::app::ConvertOptions convert_options;
  const auto add_convert = [&](const char* name, const char* help, const char* input) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("in", convert_options.in, input)->required();
    command->add_option("out", convert_options.out, "The GGUF file to write")->required();
    command->add_flag("--pure", convert_options.pure, "The type for all matrices, the output weights too");
    command->add_flag("--json", convert_options.json, "Prints one JSON object");
    return command;
  };
  const std::string types = tessera::app::convert_types_text();
  CLI::App* quantize = add_convert("quantize", "Writes a model as a GGUF file with quantized weights.",
                                   "A GGUF file, a safetensors file or a Hugging Face folder");
  quantize->add_option("type", convert_options.type, types)->required();
  CLI::App* convert = add_convert("convert", "Writes a Hugging Face folder as a GGUF file.", "The folder");
  convert->add_option("--type", convert_options.type, types + "; default: f16");

  tessera::app::RunsOptions runs_options;
  CLI::App* runs = app.add_subcommand("runs", "Compares the logs of training runs in a table and a plot.");
  runs->add_option("folder", runs_options.folder, "Runs are the folders below it that have a log.jsonl")
      ->capture_default_str();
  runs->add_option("--metric", runs_options.metric,
                   "A value of the logs, such as loss, accuracy or train/loss; default: the loss of the validation, or "
                   "of the training");
  runs->add_option("--svg", runs_options.svg, "Writes the plot to a file");
  runs->add_option("--json", runs_options.json, "Writes one JSON object per run to a file; - is standard output");
  runs->add_flag("--log", runs_options.log, "A logarithmic axis of values");

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
    if (demo->parsed()) return tessera::app::demo(demo_options);
    if (app.got_subcommand("train")) return train_job();
    if (bench->parsed()) return tessera::app::bench(bench_options);
    if (tune->parsed()) return tessera::app::tune(tune_options);
    if (inspect->parsed()) return tessera::app::inspect(inspect_options);
    if (runs->parsed()) return tessera::app::runs(runs_options);
    if (const std::optional<int> code = llm_command()) return *code;
    if (quantize->parsed() || convert->parsed()) return tessera::app::convert(convert_options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tessera: {}\n", e.what());
    tessera::distributed::leave();  // other ranks may wait for this one
    return 1;
  }
  return 0;
}
