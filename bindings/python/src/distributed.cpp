// tessera.distributed for Python: collectives between processes.
#include <tessera/distributed.h>

#include "python.h"
#include "state.h"

namespace tessera::python {

namespace {

namespace dist = distributed;

dist::Reduce reduce_from(const std::string& op, const char* what) {
  if (op == "sum") return dist::Reduce::kSum;
  if (op == "mean") return dist::Reduce::kMean;
  if (op == "min") return dist::Reduce::kMin;
  if (op == "max") return dist::Reduce::kMax;
  raise(PyExc_ValueError, std::string(what) + ": op is '" + op + "'; 'sum', 'mean', 'min' or 'max' is expected.");
}

int int_from(nb::handle h, const char* what, const char* name) {
  const std::int64_t value = integer_from(h, what, name);
  if (value < INT32_MIN || value > INT32_MAX) {
    raise(PyExc_ValueError, std::string(what) + ": " + name + " is " + std::to_string(value) + ", past 32 bits.");
  }
  return static_cast<int>(value);
}

Tensor operand_from(nb::handle x, const char* what) { return tensor_from(x, Device(), what, "x"); }

/// What may wait for other ranks, while other threads of Python run.
template <class F>
auto without_gil(F f) {
  const Waiting waiting;
  return f();
}

}  // namespace

std::optional<dist::Group> group_from(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  return *nb::inst_ptr<dist::Group>(given);
}

void bind_distributed(nb::module_& m) {
  nb::class_<dist::Group>(m, "_Group")
      .def(nb::init<>())
      .def("rank", &dist::Group::rank)
      .def("size", &dist::Group::size)
      .def("ranks",
           [](const dist::Group& g) {
             nb::list out;
             for (const int r : g.ranks()) out.append(r);
             return out;
           })
      .def("split", [](const dist::Group& g, nb::handle color, nb::handle key) {
        const int c = int_from(color, "split", "color");
        const int k = int_from(key, "split", "key");
        return without_gil([&] { return g.split(c, k); });
      });
  m.def("_distributed_init", [] { without_gil([] { dist::init(); }); });
  m.def("_distributed_leave", &dist::leave);
  m.def("_distributed_rank", &dist::rank);
  m.def("_distributed_size", &dist::size);
  m.def("_distributed_set_timeout", &dist::set_timeout);
  m.def("_distributed_library", [] {
    const dist::LibraryInfo info = dist::library();
    return nb::make_tuple(info.path, info.version, info.error);
  });
  m.def("_all_reduce", [](nb::handle x, const std::string& op, const dist::Group& group) {
    const Tensor in = operand_from(x, "all_reduce");
    const dist::Reduce reduce = reduce_from(op, "all_reduce");
    return give(without_gil([&] { return dist::all_reduce(in, reduce, group); }));
  });
  m.def("_all_gather", [](nb::handle x, nb::handle axis, const dist::Group& group) {
    const Tensor in = operand_from(x, "all_gather");
    const int at = int_from(axis, "all_gather", "axis");
    return give(without_gil([&] { return dist::all_gather(in, at, group); }));
  });
  m.def("_reduce_scatter", [](nb::handle x, const std::string& op, nb::handle axis, const dist::Group& group) {
    const Tensor in = operand_from(x, "reduce_scatter");
    const dist::Reduce reduce = reduce_from(op, "reduce_scatter");
    const int at = int_from(axis, "reduce_scatter", "axis");
    return give(without_gil([&] { return dist::reduce_scatter(in, reduce, at, group); }));
  });
  m.def("_broadcast", [](nb::handle x, nb::handle root, const dist::Group& group) {
    const Tensor in = operand_from(x, "broadcast");
    const int from = int_from(root, "broadcast", "root");
    return give(without_gil([&] { return dist::broadcast(in, from, group); }));
  });
  m.def("_send", [](nb::handle x, nb::handle to, const dist::Group& group) {
    const Tensor in = operand_from(x, "send");
    const int peer = int_from(to, "send", "to");
    return give(without_gil([&] { return dist::send(in, peer, group); }));
  });
  m.def("_recv", [](nb::handle like, nb::handle from, const dist::Group& group) {
    const Tensor in = operand_from(like, "recv");
    const int peer = int_from(from, "recv", "from_rank");
    return give(without_gil([&] { return dist::recv(in, peer, group); }));
  });
  m.def(
      "_average_gradients",
      [](nb::handle gradients, nb::handle bucket_bytes, nb::handle wire, const dist::Group& group) {
        const Tree tree = tree_from(gradients, "average_gradients");
        dist::GradientOptions options{.bucket_bytes = integer_from(bucket_bytes, "average_gradients", "bucket_bytes")};
        if (!wire.is_none()) options.wire = dtype_from(wire, "average_gradients");
        return dict_of(without_gil([&] { return dist::average_gradients(tree, options, group); }));
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  m.def("_barrier", [](const dist::Group& group) { without_gil([&] { dist::barrier(group); }); });
}

}  // namespace tessera::python
