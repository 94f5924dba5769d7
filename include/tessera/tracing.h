// Whether the calling thread is tracing a function.
#pragma once

#include "tessera/export.h"

namespace TESSERA_API tessera {

/// True inside a function that compile() or scan() traces: tensors that depend on its arguments have no values, and
/// must not be kept after the trace.
bool is_tracing();
/// The same for compile() alone: captured tensors are constants of all later calls.
bool is_compiling();

namespace detail {
/// A traced function stored a tensor that the function around it returns: a loop cannot replay that.
void note_state_write();
}  // namespace detail

}  // namespace tessera
