// Whether the calling thread is tracing a function.
#include "tessera/tracing.h"

#include "api/transforms/host_calls.h"
#include "api/transforms/loop_trace.h"
#include "graph/made_nodes.h"

namespace tessera {

thread_local int LoopTrace::count = 0;
thread_local LoopCalls* LoopCalls::current = nullptr;
thread_local HostCalls* HostCalls::current = nullptr;

bool is_tracing() { return MadeNodes::noting(); }
bool is_compiling() { return MadeNodes::noting() && !LoopTrace::now(); }
void detail::note_state_write() { LoopCalls::note_write(); }

}  // namespace tessera
