// Metrics of the C++ library for Python: made by name and keyword arguments.
#include <functional>
#include <map>

#include <tessera/train/metrics.h>

#include "train.h"

namespace tessera::python {

namespace {

using train::Metric;

/// The keyword arguments of a metric.
class MetricOptions {
 public:
  MetricOptions(const std::string& kind, nb::handle given) : kind_(kind), given_(given) {}
  template <class T>
  [[nodiscard]] T get(const char* name) const {
    return Call(kind_.c_str()).get<T>(nb::object(given_[name]), name);
  }
  template <class E>
  [[nodiscard]] E choose(const char* name, std::initializer_list<const char*> names) const {
    return Call(kind_.c_str()).choose<E>(nb::object(given_[name]), name, names);
  }
  [[nodiscard]] Device device() const {
    const nb::object device = given_["device"];
    return device.is_none() ? Device() : device_from(device, kind_);
  }
  [[nodiscard]] train::ClassOptions classes() const {
    return {.ignore_index = get<std::optional<std::int64_t>>("ignore_index"), .device = device()};
  }

 private:
  const std::string& kind_;
  nb::handle given_;
};

struct MetricKind {
  std::function<std::unique_ptr<Metric>(const MetricOptions&)> make;
  PythonMetric::Update update;
};

template <class M>
void update(Metric& metric, const Tensor& a, const Tensor& b) {
  static_cast<M&>(metric).update(a, b);
}

template <class M>
MetricKind of_classes() {
  return {[](const MetricOptions& o) { return std::make_unique<M>(o.classes()); }, update<M>};
}

template <class M>
MetricKind of_scores() {
  return {[](const MetricOptions& o) {
            const auto average = o.choose<train::Average>("average", {"macro", "micro", "weighted", "none"});
            return std::make_unique<M>(o.get<std::int64_t>("classes"), average, o.classes());
          },
          update<M>};
}

const std::map<std::string, MetricKind, std::less<>>& metric_kinds() {
  using namespace train;
  static const auto& all = *new std::map<std::string, MetricKind, std::less<>>{
      {"Mean", {[](const MetricOptions& o) { return std::make_unique<Mean>(o.device()); }, update<Mean>}},
      {"Accuracy", of_classes<Accuracy>()},
      {"Perplexity", of_classes<Perplexity>()},
      {"TopKAccuracy",
       {[](const MetricOptions& o) { return std::make_unique<TopKAccuracy>(o.get<std::int64_t>("k"), o.classes()); },
        update<TopKAccuracy>}},
      {"ConfusionMatrix",
       {[](const MetricOptions& o) {
          const auto normalize = o.choose<Normalize>("normalize", {"none", "target", "prediction", "all"});
          return std::make_unique<ConfusionMatrix>(o.get<std::int64_t>("classes"), normalize, o.classes());
        },
        update<ConfusionMatrix>}},
      {"Precision", of_scores<Precision>()},
      {"Recall", of_scores<Recall>()},
      {"F1", of_scores<F1>()},
      {"Auc",
       {[](const MetricOptions& o) {
          return std::make_unique<Auc>(
              AucOptions{.logits = o.get<bool>("logits"), .bins = o.get<std::int64_t>("bins"), .device = o.device()});
        },
        update<Auc>}},
      {"MeanAbsoluteError",
       {[](const MetricOptions& o) { return std::make_unique<MeanAbsoluteError>(o.device()); },
        update<MeanAbsoluteError>}},
      {"MeanSquaredError",
       {[](const MetricOptions& o) { return std::make_unique<MeanSquaredError>(o.get<bool>("root"), o.device()); },
        update<MeanSquaredError>}},
  };
  return all;
}

}  // namespace

void bind_metrics(nb::module_& m) {
  nb::class_<PythonMetric>(m, "_Metric")
      .def("update",
           [](PythonMetric& p, nb::handle a, nb::handle b) {
             Call call(p.kind.c_str());
             const Tensor first = call.get<Tensor>(a, "the first argument");
             p.update(*p.metric, first, call.get<Tensor>(b, "the second argument"));
           })
      .def("value", [](const PythonMetric& p) { return give(p.metric->value()); })
      .def("reset", [](PythonMetric& p) { p.metric->reset(); })
      .def("state", [](const PythonMetric& p) { return dict_of(nn::state_of(*p.metric)); })
      .def("set_state",
           [](PythonMetric& p, nb::handle state) { nn::set_state(*p.metric, tree_from(state, "load_state_dict")); });
  m.def("_metric_make", [](const std::string& kind, nb::handle options) {
    const auto found = metric_kinds().find(kind);
    if (found == metric_kinds().end()) raise(PyExc_ValueError, "There is no metric '" + kind + "'.");
    {
      const Waiting waiting;
      static_cast<void>(Device::current());
    }
    return PythonMetric{found->second.make(MetricOptions(kind, options)), kind, found->second.update};
  });
  m.def("_metric_kinds", [] {
    nb::list out;
    for (const auto& [kind, made] : metric_kinds()) out.append(nb::cast(kind));
    return out;
  });
}

}  // namespace tessera::python
