// Texts of kernels that are compared with files in tests/golden, whatever their identifiers are called.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/program.h"

namespace tessera::test {

/// A top-level declaration of a program: its text with numbered names, and which names of the program they are.
struct Declaration {
  std::string text;        // without comments and blank lines; n0, n1, .. for identifiers that are not WGSL's own
  std::vector<int> names;  // for each of them its number in the whole program; -1 for one that no other text uses
};
std::vector<Declaration> declarations_of(std::string_view wgsl);

/// Compares the programs with tests/golden/<set>/<name>.txt, which lists their declarations by hash, and is a test
/// failure where they differ. With TESSERA_UPDATE_GOLDENS=1 the file is written instead, and so is
/// tests/golden/<set>/declarations.wgsl with the texts when the process ends: run all tests of the set then.
void expect_golden(const std::string& set, const std::string& name, std::span<const Program> programs);

}  // namespace tessera::test
