// What the bindings of text and of language models share: token ids of Python.
#pragma once

#include <vector>

#include <tessera/text.h>

#include "python.h"

namespace tessera::python {

/// The ids of anything that can be walked through. `what` is the function, for messages.
std::vector<text::TokenId> ids_from(nb::handle h, const char* what);
nb::list list_of(const std::vector<text::TokenId>& ids);

}  // namespace tessera::python
