// Runs the command line as a user would.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace tessera::test {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Runs `tessera`, which lies beside this test, on the CPU unless `environment` says something else.
inline Outcome run(const std::string& arguments, const std::string& environment = "TESSERA_DEVICE=cpu") {
  const auto binary = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "tessera";
  const auto folder = std::filesystem::temp_directory_path();
  const std::string stem = folder / ("tessera-command-" + std::to_string(getpid()));
  const std::string command = "env -u TESSERA_DEVICE -u TESSERA_WEBGPU_LIBRARY " + environment + " '" +
                              binary.string() + "' " + arguments + " >'" + stem + ".out' 2>'" + stem + ".err'";
  const int status = std::system(command.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(stem + ".out"), read_file(stem + ".err")};
  std::filesystem::remove(stem + ".out");
  std::filesystem::remove(stem + ".err");
  return outcome;
}

}  // namespace tessera::test
