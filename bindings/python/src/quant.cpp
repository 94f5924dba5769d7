// Weights in blocks of a few bits, from Python.
#include "python.h"

namespace tessera::python {

namespace {

QuantFormat format_from(const std::string& text, std::string_view what) {
  std::string known;
  for (int i = 0; i <= static_cast<int>(QuantFormat::kQ6_K); ++i) {
    const auto format = static_cast<QuantFormat>(i);
    if (text == name(format)) return format;
    known += (i > 0 ? ", " : "") + std::string(name(format));
  }
  raise(PyExc_ValueError, std::string(what) + ": the format is '" + text + "'; expected one of " + known + ".");
}

std::unique_ptr<BufferView> bytes_of(nb::handle h) {
  try {
    return std::make_unique<BufferView>(h, PyBUF_SIMPLE);
  } catch (const nb::python_error&) {
    raise(PyExc_TypeError, "QuantizedTensor.from_blocks: the blocks are " + kind_text(h) +
                               "; bytes, or an array whose bytes lie in one piece, are expected.");
  }
}

}  // namespace

void bind_quant(nb::module_& m) {
  nb::class_<QuantizedTensor>(m, "QuantizedTensor",
                              R"(Weights [N, K] in blocks of a few bits for each element, as GGUF files hold them.

from_blocks() takes such blocks, quantize() makes them of a matrix; quantized_matmul() and dequantize() use them.)")
      .def_static(
          "from_blocks",
          [](const std::string& format, nb::handle blocks, nb::handle shape, nb::handle device) {
            const QuantFormat f = format_from(format, "QuantizedTensor.from_blocks");
            const auto bytes = bytes_of(blocks);
            const Shape sizes = shape_from(shape, "QuantizedTensor.from_blocks");
            const Device on = device.is_none() ? Device{} : device_from(device, "QuantizedTensor.from_blocks");
            const Waiting waiting;
            return QuantizedTensor::from_blocks(
                f, {static_cast<const std::byte*>((**bytes).buf), static_cast<std::size_t>((**bytes).len)}, sizes, on);
          },
          nb::arg("format"), nb::arg("blocks"), nb::arg("shape"), nb::arg("device").none() = nb::none(),
          "From the bytes of a file: rows of K / 32 (K / 256 for the K formats) blocks.")
      .def_static(
          "quantize",
          [](nb::handle x, const std::string& format) {
            const QuantFormat f = format_from(format, "QuantizedTensor.quantize");
            const Tensor from = tensor_from(x, {}, "QuantizedTensor.quantize", "x");
            const Waiting waiting;
            return QuantizedTensor::quantize(from, f);
          },
          nb::arg("x"), nb::arg("format"), "Quantizes a float matrix, rounding to nearest: Q4_0 or Q8_0. Waits for x.")
      .def_prop_ro("format", [](const QuantizedTensor& q) { return std::string(name(q.format())); })
      .def_prop_ro("shape", [](const QuantizedTensor& q) { return give(q.shape()); })
      .def_prop_ro("device", [](const QuantizedTensor& q) { return give(q.device()); })
      .def_prop_ro("nbytes", [](const QuantizedTensor& q) { return q.bytes(); })
      .def("__repr__", [](const QuantizedTensor& q) {
        return "<QuantizedTensor " + std::string(name(q.format())) + " " + q.shape().str() + " on " +
               q.device().info().id + ">";
      });
  m.def(
      "dequantize",
      [](const QuantizedTensor& q, nb::handle dtype) {
        return give(dequantize(q, dtype.is_none() ? f32 : dtype_from(dtype, "dequantize")));
      },
      nb::arg("q"), nb::arg("dtype").none() = nb::none());
  m.def(
      "quantized_matmul",
      [](nb::handle x, const QuantizedTensor& q) {
        return give(matmul(tensor_from(x, q.device(), "quantized_matmul", "x"), q));
      },
      nb::arg("x"), nb::arg("q"));
}

}  // namespace tessera::python
