// The extension module tessera._core.
#include "call.h"

NB_MODULE(_core, m) {
  using namespace tessera::python;
  nb::set_leak_warnings(false);  // tensors may live until the process ends
  bind_errors(m);
  bind_types(m);
  bind_devices(m);
  bind_tensor(m);
  bind_arrays(m);
  bind_transforms(m);
  bind_wgsl(m);
  bind_quant(m);
  bind_state(m);
  bind_modules(m);
  bind_optimizers(m);
  bind_io(m);
  bind_gguf(m);
  bind_text(m);
  bind_llm(m);
  bind_data(m);
  bind_data_sources(m);
  bind_data_augment(m);
  bind_metrics(m);
  bind_train(m);
  bind_train_files(m);
  bind_distributed(m);
  Results results;
  bind_results(results);
  Modules modules{m, m.def_submodule("ops"), m.def_submodule("linalg"), m.def_submodule("random"),
                  m.def_submodule("functional")};
  bind_ops(modules);
}
