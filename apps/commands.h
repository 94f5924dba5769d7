// The subcommands of the command line; each returns the exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::app {

int doctor(bool json);

struct DemoOptions {
  std::optional<std::int64_t> steps;  // of training
};
int demo(const DemoOptions& options);

/// The model of benchmarks that have one.
struct BenchModel {
  std::string params;        // "1b" or "8b"; "tiny" or empty: a tiny one
  std::string type;          // a name of weight_types(); empty: f16
  std::int64_t batch = 1;    // sequences
  std::int64_t context = 0;  // tokens; 0: 512, of a tiny model 64
};

struct BenchOptions {
  std::vector<std::string> groups;  // or names of benchmarks; empty: all
  std::string json;                 // a file, "-": standard output, empty: none
  bool quick = false;
  BenchModel model;  // of the groups state and llm
};
int bench(const BenchOptions& options);

struct TuneOptions {
  std::vector<std::string> matmuls;  // "f16:4096x4096x4096"; empty: the usual ones
  bool json = false;                 // one object per line on standard output, the table on standard error
  bool quick = false;
};
int tune(const TuneOptions& options);

struct InspectOptions {
  std::string path;   // a safetensors file, its index, a GGUF file or a model folder
  bool json = false;  // one object on standard output
};
int inspect(const InspectOptions& options);

struct ConvertOptions {
  std::string in;   // a GGUF file, a safetensors file or a model folder
  std::string out;  // a GGUF file
  std::string type = "f16";
  bool pure = false;  // one type for all matrices
  bool json = false;  // one object on standard output
};
int convert(const ConvertOptions& options);
/// "f32, f16, ..", for the help.
std::string convert_types_text();

struct RunsOptions {
  std::string folder = ".";
  std::string metric;  // "loss", "validation/accuracy"; empty: the validation loss, or the train loss
  std::string svg;     // a file for the plot
  std::string json;    // a file for one object per run, "-": standard output, empty: none
  bool log = false;    // a logarithmic axis of values
};
int runs(const RunsOptions& options);

}  // namespace tessera::app
