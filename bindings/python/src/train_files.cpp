// Checkpoints, logs, progress and plots of tessera.train for Python.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>
#include <tessera/train/checkpoint.h>
#include <tessera/train/plot.h>
#include <tessera/train/progress.h>

#include "files.h"
#include "train.h"

namespace tessera::python {

namespace {

using train::Checkpoints;

/// f(checkpoints) without the GIL: other threads of Python run while files are written.
template <class F>
auto without_gil(Checkpoints& c, const F& f) {
  const Waiting waiting;
  return f(c);
}

struct PythonCheckpoints {
  explicit PythonCheckpoints(std::unique_ptr<Checkpoints> c) : checkpoints(std::move(c)) {}
  ~PythonCheckpoints() {
    const nb::gil_scoped_release release;  // for its thread
    checkpoints.reset();
  }
  PythonCheckpoints(const PythonCheckpoints&) = delete;
  PythonCheckpoints& operator=(const PythonCheckpoints&) = delete;
  std::unique_ptr<Checkpoints> checkpoints;
};

struct PythonLog {
  std::unique_ptr<train::RunLog> log;
  [[nodiscard]] train::RunLog& get() const {
    if (log == nullptr) throw Error(ErrorKind::kValue, "RunLog: it was closed.");
    return *log;
  }
};

struct PythonProgress {
  std::unique_ptr<train::Progress> progress;
  [[nodiscard]] train::Progress& get() const {
    if (progress == nullptr) throw Error(ErrorKind::kValue, "Progress: it was closed.");
    return *progress;
  }
};

/// Rows (name, x, y).
std::vector<train::Curve> curves_from(nb::handle rows) {
  std::vector<train::Curve> curves;
  Call call("plot");
  for (nb::handle row : rows) {
    curves.push_back({utf8_text(nb::object(row[0]), "plot", "the name"), call.get<std::vector<double>>(row[1], "x"),
                      call.get<std::vector<double>>(row[2], "y")});
  }
  return curves;
}

train::PlotOptions plot_options_from(nb::handle given) {
  Call call("plot");
  const auto read = [&]<class T>(const char* name, T& field) { field = call.get<T>(nb::object(given[name]), name); };
  train::PlotOptions o;
  read("title", o.title);
  read("x_label", o.x_label);
  read("y_label", o.y_label);
  read("width", o.width);
  read("height", o.height);
  read("log_x", o.log_x);
  read("log_y", o.log_y);
  read("color", o.color);
  return o;
}

}  // namespace

std::function<void(std::string_view)> printer_from(nb::handle function) {
  return [f = kept(nb::borrow(function))](std::string_view text) {
    const nb::gil_scoped_acquire lock;
    (*f)(nb::str(text.data(), text.size()));
  };
}

void bind_train_files(nb::module_& m) {
  nb::class_<PythonCheckpoints>(m, "_Checkpoints")
      .def("__init__",
           [](PythonCheckpoints* self, const nb::bytes& folder, int keep_last, bool keep_best) {
             const std::filesystem::path path = path_from(folder);
             std::unique_ptr<Checkpoints> made;
             {
               const Waiting waiting;
               made = std::make_unique<Checkpoints>(
                   path, train::CheckpointOptions{.keep_last = keep_last, .keep_best = keep_best});
             }
             new (self) PythonCheckpoints(std::move(made));
           })
      .def(
          "save",
          [](PythonCheckpoints& c, nb::handle objects, std::int64_t step,
             const std::map<std::string, std::string>& values, std::optional<double> metric, bool maximize) {
            HeldObjects held(objects);
            Aside aside;
            held.put_aside(aside);
            const Waiting waiting;
            c.checkpoints->save(held.all(), {.step = step, .values = values}, metric, maximize);
          },
          nb::arg("objects"), nb::arg("step"), nb::arg("values"), nb::arg("metric").none(), nb::arg("maximize"))
      .def("wait", [](PythonCheckpoints& c) { without_gil(*c.checkpoints, [](Checkpoints& own) { own.wait(); }); })
      .def("saving", [](PythonCheckpoints& c) { return c.checkpoints->saving(); })
      .def("steps", [](PythonCheckpoints& c) { return c.checkpoints->steps(); })
      .def("latest", [](PythonCheckpoints& c) { return c.checkpoints->latest(); })
      .def("best", [](PythonCheckpoints& c) { return c.checkpoints->best(); })
      .def("load", [](PythonCheckpoints& c, std::int64_t step, nb::handle objects) {
        HeldObjects held(objects);
        Aside aside;
        held.put_aside(aside);
        train::RunState run;
        {
          const Waiting waiting;
          run = c.checkpoints->load(step, held.all());
        }
        return nb::make_tuple(run.step, nb::cast(run.values));
      });

  nb::class_<PythonLog>(m, "_RunLog")
      .def("__init__",
           [](PythonLog* self, const nb::bytes& folder) {
             new (self) PythonLog{std::make_unique<train::RunLog>(path_from(folder))};
           })
      .def("write",
           [](PythonLog& l, std::int64_t step, nb::handle kind, nb::handle values) {
             l.get().write(step, utf8_text(kind, "RunLog.write", "the kind"), values_from(values, "RunLog.write"));
           })
      .def("note", [](PythonLog& l, std::int64_t step,
                      nb::handle text) { l.get().note(step, utf8_text(text, "RunLog.note", "the text")); })
      .def("continue_from",
           [](PythonLog& l, std::int64_t step, const nb::list& again) {
             std::vector<std::string> kinds;
             for (const nb::handle kind : again) kinds.push_back(utf8_text(kind, "RunLog.continue_from", "a kind"));
             l.get().continue_from(step, kinds);
           })
      .def("flush",
           [](PythonLog& l) {
             train::RunLog& log = l.get();
             const Waiting waiting;
             log.flush();
           })
      .def("close", [](PythonLog& l) { l.log.reset(); });
  m.def("_train_read_log", [](const nb::bytes& folder) {
    const std::filesystem::path path = path_from(folder);
    std::vector<train::LogLine> lines;
    {
      const Waiting waiting;
      lines = train::read_log(path);
    }
    nb::list out;
    for (const train::LogLine& l : lines) {
      out.append(nb::make_tuple(l.step, l.kind, l.time, dict_of(l.values), l.text));
    }
    return out;
  });

  nb::class_<PythonProgress>(m, "_Progress")
      .def("__init__",
           [](PythonProgress* self, std::int64_t steps, nb::handle unit, bool terminal, std::int64_t plain_every,
              nb::handle print) {
             new (self) PythonProgress{std::make_unique<train::Progress>(
                 train::ProgressOptions{.steps = steps,
                                        .unit = utf8_text(unit, "Progress", "the unit"),
                                        .terminal = terminal ? 1 : 0,
                                        .plain_every = plain_every,
                                        .print = printer_from(print)})};
           })
      .def("due", [](PythonProgress& p, std::int64_t step) { return p.get().due(step); })
      .def("show", [](PythonProgress& p, std::int64_t step, double done,
                      nb::handle values) { p.get().show(step, done, values_from(values, "Progress.show")); })
      .def("line",
           [](PythonProgress& p, nb::handle text) { p.get().line(utf8_text(text, "Progress.line", "the text")); })
      .def("close", [](PythonProgress& p) { p.progress.reset(); });

  m.def("_train_plot", [](nb::handle curves, nb::handle options, bool svg) {
    const std::vector<train::Curve> all = curves_from(curves);
    return svg ? train::plot_svg(all, plot_options_from(options)) : train::plot_text(all, plot_options_from(options));
  });
}

}  // namespace tessera::python
