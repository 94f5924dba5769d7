// A small training run whose losses depend on all of its state: shuffled batches with a smaller last one, dropout,
// running statistics, moments and a schedule.
#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "tessera/data/loader.h"
#include "tessera/train/checkpoint.h"
#include "tessera/train/metrics.h"
#include "tessera/train/trainer.h"
#include "trainer/support.h"

namespace tessera::test {

/// Points in four dimensions of three classes.
inline data::DatasetPtr points(std::int64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0, 0.5F);
  std::vector<float> x;
  std::vector<std::int32_t> y;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::int32_t>(random() % 3);
    y.push_back(label);
    for (int k = 0; k < 4; ++k) x.push_back(noise(random) + (k == label ? 2.0F : 0.0F));
  }
  return data::from_arrays({{"x", data::Array(std::move(x), {count, 4})}, {"y", data::Array(std::move(y), {count})}});
}

struct PointsModel : nn::Module {
  explicit PointsModel(double p = 0.2) : up(4, 16), norm(16), dropout(p), down(16, 3) {}
  void fields(nn::Fields& f) override {
    f("up", up);
    f("norm", norm);
    f("dropout", dropout);
    f("down", down);
  }
  Tensor forward(const Tensor& x) override { return down(dropout(relu(norm(up(x))))); }
  nn::Linear up;
  nn::BatchNorm1d norm;
  nn::Dropout dropout;
  nn::Linear down;
};

/// Losses by step, as they were seen: one step may be made several times.
using Losses = std::map<std::int64_t, std::set<float>>;

/// Everything that a process makes for a run. Nothing of it is the same in two processes but the seeds.
struct SmallRun {
  struct Setup {
    Device device = Device::current();
    std::int64_t count = 44;
    std::int64_t batch = 8;
    double dropout = 0.2;
    std::uint64_t seed = 1;
    int workers = 1;
    std::function<data::Sample(data::Sample)> read = {};  // of each sample of the training, on a thread of the loader
  };
  SmallRun(train::TrainerOptions options, Setup setup)
      : device_scope((setup.device.set_current(), random::set_seed(setup.seed), true)),
        model(setup.dropout),
        optimizer(model, {.lr = optim::cosine(0.05, 60, {.warmup = 3})}),
        training(setup.read ? data::map(points(setup.count, 1), setup.read) : points(setup.count, 1),
                 {.batch = setup.batch, .shuffle = true, .seed = 5, .workers = setup.workers, .device = setup.device}),
        validation(points(20, 2), {.batch = 8, .workers = setup.workers, .device = setup.device}),
        trainer(
            model, optimizer,
            [this](const Tree& batch) {
              const Tensor logits = model(batch["x"]);
              accuracy.update(logits, batch["y"]);
              return cross_entropy(logits, batch["y"]);
            },
            quiet(std::move(options))) {
    trainer.metric("accuracy", accuracy);
    trainer.callback(std::make_shared<Recorder>(*this));
  }
  explicit SmallRun(train::TrainerOptions options = {}) : SmallRun(std::move(options), Setup()) {}

  train::Result fit() { return trainer.fit(training, &validation); }

  static train::TrainerOptions quiet(train::TrainerOptions options) {
    options.progress = false;
    return options;
  }

  struct Recorder : train::Callback {
    explicit Recorder(SmallRun& r) : run(r) {}
    void on_step(train::Trainer& trainer, std::int64_t step, const Tensor& loss) override {
      if (run.reads) run.losses[step].insert(loss.item<float>());
      if (run.on_step) run.on_step(trainer, step);
    }
    void on_validation(train::Trainer& /*trainer*/, std::int64_t step, const train::Values& values) override {
      run.validations[step].insert(static_cast<float>(values.at(0).second));
    }
    SmallRun& run;
  };

  bool device_scope;
  PointsModel model;
  optim::AdamW optimizer;
  train::Accuracy accuracy;
  data::DataLoader training, validation;
  train::Trainer trainer;
  Losses losses, validations;
  bool reads = true;
  std::function<void(train::Trainer&, std::int64_t)> on_step;
};

/// Adds what another process saw.
inline void add(Losses& all, const Losses& more) {
  for (const auto& [step, losses] : more) all[step].insert(losses.begin(), losses.end());
}

}  // namespace tessera::test
