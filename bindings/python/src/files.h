// What the bindings of files share: paths, text and progress of Python.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <tessera/io.h>

#include "python.h"

namespace tessera::python {

std::filesystem::path path_from(const nb::bytes& path);
/// Text of Python as UTF-8. `function` and `what` are for messages: "save_gguf", "the name".
std::string utf8_from(nb::handle text, const char* function, const char* what);
nb::dict dict_of(const std::vector<Tree::Named>& named);
/// A function of Python that is called with (loaded, total, name); None is none.
std::function<void(const io::LoadProgress&)> progress_from(nb::handle function);

}  // namespace tessera::python
