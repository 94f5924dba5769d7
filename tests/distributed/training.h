// A small training run of a group of ranks, and of one process beside it.
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "distributed/support.h"
#include "trainer/small_run.h"

namespace tessera::test {

using Group = dist::Group;

/// One process, beside the others.
inline Group alone() { return Group().split(dist::rank()); }

struct Net : nn::Module {
  Net(const Group& group, double p) : up(4, 16, false), norm(16, {.group = group}), dropout(p), down(16, 3) {}
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

struct TrainingSetup {
  double dropout = 0;
  std::int64_t batch = 12;
  std::function<Tensor(const Tensor& loss)> change = {};
  std::function<void(train::Trainer&, std::int64_t)> on_step = {};
  bool shards = false;
  DType dtype = f32;  // of the parameters
  using Made = std::unique_ptr<optim::Optimizer>;
  std::function<Made(const optim::Parameters&)> make = [](const optim::Parameters& p) -> Made {
    return std::make_unique<optim::AdamW>(p, optim::AdamWOptions{.lr = optim::cosine(0.05, 60, {.warmup = 3})});
  };
};

/// Everything of a run of a group. Ranks begin with other weights, of which the first rank's count.
struct Training {
  Training(const Group& group, train::TrainerOptions options, const TrainingSetup& given = {})
      : setup((random::set_seed(7 + static_cast<std::uint64_t>(group.rank())), given)),
        model(group, setup.dropout),
        shards(shards_of(group, options)),
        optimizer(setup.make(shards ? shards->parameters() : optim::Parameters(model))),
        training(points(50, 1),
                 {.batch = setup.batch, .shuffle = true, .seed = 5, .drop_last = true, .workers = 1, .group = group}),
        validation(points(23, 2), {.batch = 8, .workers = 1, .group = group, .even = false}),
        trainer(
            model, *optimizer, [this](const Tree& batch) { return loss_of(batch); }, of(group, std::move(options))) {
    trainer.metric("accuracy", accuracy);
    trainer.metric("counts", counts);
    trainer.callback(std::make_shared<Recorder>(*this));
  }
  train::Result fit() { return trainer.fit(training, &validation); }

  Tensor loss_of(const Tree& batch) {
    const Tensor logits = model(batch["x"]);
    accuracy.update(logits, batch["y"]);
    counts.update(logits, batch["y"]);
    const Tensor loss = cross_entropy(logits, batch["y"]);
    return model.training() && setup.change ? setup.change(loss) : loss;
  }
  std::optional<optim::Shards> shards_of(const Group& group, const train::TrainerOptions& options) {
    model.to(setup.dtype);
    if (!setup.shards) return std::nullopt;
    return optim::Shards(model, group, options.exchange);
  }
  train::TrainerOptions of(const Group& group, train::TrainerOptions options) {
    options.group = group;
    if (shards) options.shards = &*shards;
    options.progress = false;
    return options;
  }

  struct Recorder : train::Callback {
    explicit Recorder(Training& r) : run(r) {}
    void on_step(train::Trainer& trainer, std::int64_t step, const Tensor& loss) override {
      run.losses.push_back(loss.item<float>());
      if (run.setup.on_step) run.setup.on_step(trainer, step);
    }
    void on_validation(train::Trainer& /*trainer*/, std::int64_t /*step*/, const train::Values& values) override {
      for (const auto& [name, value] : values) run.seen.push_back(value);
      run.counted = sum(run.counts.counts()).item();
    }
    void on_epoch(train::Trainer& /*trainer*/, std::int64_t /*epoch*/, const train::Values& values) override {
      for (const auto& [name, value] : values) run.seen.push_back(value);
      run.seen.push_back(sum(run.counts.counts()).item());
    }
    Training& run;
  };

  TrainingSetup setup;
  Net model;
  std::optional<optim::Shards> shards;
  TrainingSetup::Made optimizer;
  train::Accuracy accuracy;
  train::ConfusionMatrix counts{3};
  data::DataLoader training, validation;
  train::Trainer trainer;
  std::vector<float> losses;
  std::vector<double> seen;  // values of validations and epochs
  double counted = 0;        // samples of the latest validation
};

inline std::vector<float> weights_of(nn::Module& model) {
  std::vector<float> all;
  for (const auto& [name, t] : nn::state_of(model).flatten()) {
    const std::vector<float> values = t.astype(f32).to_vector<float>();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

template <class T>
void expect_near(const std::vector<T>& got, const std::vector<T>& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], tolerance) << what << " " << i;
}

/// The folder of the first rank; the others have none.
inline std::filesystem::path folder_of(const RunFolder& folder) {
  return dist::rank() == 0 ? folder.path() / "run" : std::filesystem::path();
}

inline bool divides(std::int64_t batch) { return batch % dist::size() == 0; }

}  // namespace tessera::test
