// Tensors of block dtypes from Python: from the bytes of files, and back.
#include "python.h"

namespace tessera::python {

namespace {

std::unique_ptr<BufferView> bytes_of(nb::handle h) {
  try {
    return std::make_unique<BufferView>(h, PyBUF_SIMPLE);
  } catch (const nb::python_error&) {
    raise(PyExc_TypeError, "from_blocks: the blocks are " + kind_text(h) +
                               "; bytes, or an array whose bytes lie in one piece, are expected.");
  }
}

}  // namespace

void bind_quant(nb::module_& m) {
  m.def(
      "from_blocks",
      [](nb::handle dtype, nb::handle blocks, nb::handle shape, nb::handle device) {
        const DType t = dtype_from(dtype, "from_blocks: the dtype");
        const auto bytes = bytes_of(blocks);
        const Shape sizes = shape_from(shape, "from_blocks");
        const Device on = device_from(device, "from_blocks");
        const Waiting waiting;
        return give(from_blocks(
            t, {static_cast<const std::byte*>((**bytes).buf), static_cast<std::size_t>((**bytes).len)}, sizes, on));
      },
      nb::arg("dtype"), nb::arg("blocks"), nb::arg("shape"), nb::arg("device").none() = nb::none());
  m.def(
      "to_blocks",
      [](const Handle& q) {
        std::vector<std::byte> blocks;
        {
          const Waiting waiting;
          blocks = to_blocks(q.value);
        }
        return nb::bytes(reinterpret_cast<const char*>(blocks.data()), blocks.size());
      },
      nb::arg("q"));
}

}  // namespace tessera::python
