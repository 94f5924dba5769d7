// Metrics: scikit-learn's numbers, edges, gradients, compiled steps with state, and counts past 2^24.
#include "tessera/train/metrics.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using train::Average;
using train::Normalize;

struct MetricsOn : DeviceTest {};
TESSERA_ON_ALL_DEVICES(MetricsOn);

double number(const Tensor& x) { return x.item<double>(); }

const std::vector<int> kTarget{0, 1, 2, 0, 1, 2, 2, 2};
const std::vector<int> kGuess{0, 2, 1, 0, 0, 1, 2, 2};

Tensor guess() { return Tensor(kGuess, {8}); }
Tensor target() { return Tensor(kTarget, {8}); }
/// Logits whose largest is the guess.
Tensor logits() { return one_hot(guess(), 4) * 3.0 - 1.0; }

// precision_score, recall_score and f1_score of scikit-learn for kTarget and kGuess.
TEST_P(MetricsOn, PrecisionRecallAndF1) {
  struct Case {
    Average average;
    double precision, recall, f1;
  };
  for (const Case& c :
       {Case{Average::kMacro, 4.0 / 9, 0.5, (0.8 + 0 + 4.0 / 7) / 3}, Case{Average::kMicro, 0.5, 0.5, 0.5},
        Case{Average::kWeighted, (2 * 2.0 / 3 + 4 * 2.0 / 3) / 8, 0.5, (2 * 0.8 + 4 * 4.0 / 7) / 8}}) {
    train::Precision precision(4, c.average);
    train::Recall recall(4, c.average);
    train::F1 f1(4, c.average);
    for (train::ClassScore* score : std::initializer_list<train::ClassScore*>{&precision, &recall, &f1}) {
      EXPECT_TRUE(std::isnan(number(score->value())));
      score->update(slice(logits(), {{0, 3}}), slice(target(), {{0, 3}}));
      score->update(slice(guess(), {{3, 8}}), slice(target(), {{3, 8}}));
    }
    EXPECT_NEAR(number(precision.value()), c.precision, 1e-6);
    EXPECT_NEAR(number(recall.value()), c.recall, 1e-6);
    EXPECT_NEAR(number(f1.value()), c.f1, 1e-6);
    f1.reset();
    EXPECT_TRUE(std::isnan(number(f1.value())));
  }
  train::F1 each(4, Average::kNone);
  each.update(guess(), target());
  const std::vector<float> scores = each.value().to_vector<float>();
  ASSERT_EQ(scores.size(), 4U);
  EXPECT_NEAR(scores[0], 0.8, 1e-6);
  EXPECT_EQ(scores[1], 0);
  EXPECT_NEAR(scores[2], 4.0 / 7, 1e-6);
  EXPECT_EQ(scores[3], 0) << "a class that does not occur";
}

TEST_P(MetricsOn, ConfusionAndItsNormalizations) {
  const std::vector<float> counts{2, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0};
  train::ConfusionMatrix plain(4);
  plain.update(logits(), target());
  EXPECT_EQ(plain.value().to_vector<float>(), counts);
  plain.update(guess(), target());
  EXPECT_EQ(plain.counts().dtype(), i64);
  std::vector<std::int64_t> twice;
  for (const float c : counts) twice.push_back(2 * static_cast<std::int64_t>(c));
  EXPECT_EQ(plain.counts().to_vector<std::int64_t>(), twice);
  const auto normalized = [&](Normalize how) {
    train::ConfusionMatrix m(4, how);
    EXPECT_TRUE(std::isnan(m.value().to_vector<float>()[5]));
    m.update(guess(), target());
    return m.value().to_vector<float>();
  };
  EXPECT_EQ(normalized(Normalize::kTarget),
            (std::vector<float>{1, 0, 0, 0, 0.5F, 0, 0.5F, 0, 0, 0.5F, 0.5F, 0, 0, 0, 0, 0}));
  const float third = 1.0F / 3;
  EXPECT_EQ(normalized(Normalize::kPrediction),
            (std::vector<float>{2 * third, 0, 0, 0, third, 0, third, 0, 0, 1, 2 * third, 0, 0, 0, 0, 0}));
  EXPECT_EQ(normalized(Normalize::kAll)[0], 0.25F);
}

TEST_P(MetricsOn, AccuracyOfLogitsClassesAndTokens) {
  train::Accuracy accuracy({.ignore_index = -100});
  EXPECT_TRUE(std::isnan(number(accuracy.value())));
  accuracy.update(logits(), target());
  EXPECT_EQ(number(accuracy.value()), 0.5);
  // [N, C, T] with ignored tokens: 3 of 4 that count are right.
  const Tensor tokens(std::vector<int>{1, 0, -100, 0, 1, -100}, {2, 3});
  const Tensor scores(std::vector<float>{0, 5, 1, 1, 0, 9, 2, 1, 0, 3, 3, 0}, {2, 2, 3});
  accuracy.update(scores, tokens);
  EXPECT_NEAR(number(accuracy.value()), 7.0 / 12, 1e-6);
  accuracy.update(scores.astype(f16), tokens.astype(i64));
  EXPECT_NEAR(number(accuracy.value()), 10.0 / 16, 1e-6);
  accuracy.update(zeros({0, 2}), zeros({0}, i32));
  EXPECT_NEAR(number(accuracy.value()), 10.0 / 16, 1e-6) << "an empty batch";
  train::Accuracy single;
  single.update(Tensor(std::vector<float>{1, 2, 2}, {3}), Tensor(std::vector<int>{1}, {1}).reshape({}));
  EXPECT_EQ(number(single.value()), 1) << "of equal logits the first";
  train::Accuracy flags;
  flags.update(Tensor(std::vector<bool>{true, false}, {2}), Tensor(std::vector<bool>{true, true}, {2}));
  EXPECT_EQ(number(flags.value()), 0.5);
  train::Accuracy ignored({.ignore_index = 7});
  ignored.update(zeros({2, 3}), full({2}, 7, i32));
  EXPECT_TRUE(std::isnan(number(ignored.value()))) << "only ignored targets";
}

TEST_P(MetricsOn, TopK) {
  const float nan = std::nanf("");
  const Tensor scores(std::vector<float>{0.5F, 0.2F, 0.2F, 0.3F, 0.4F, 0.2F, 0.2F, 0.4F, 0.3F, 0.7F, 0.2F, 0.1F},
                      {4, 3});
  const Tensor labels(std::vector<int>{0, 1, 2, 2}, {4});
  const auto top = [&](std::int64_t k, const Tensor& x, const Tensor& y) {
    train::TopKAccuracy metric(k);
    metric.update(x, y);
    return number(metric.value());
  };
  EXPECT_EQ(top(2, scores, labels), 0.75);  // the example of top_k_accuracy_score
  EXPECT_EQ(top(1, scores, labels), 0.5);
  EXPECT_EQ(top(3, scores, labels), 1);
  EXPECT_EQ(top(9, scores, labels), 1) << "k above the number of classes";
  const Tensor ties = zeros({4, 4});
  const Tensor each = arange(4, i32);
  for (const std::int64_t k : {1, 2, 3, 4}) EXPECT_EQ(top(k, ties, each), static_cast<double>(k) / 4);
  EXPECT_EQ(top(1, Tensor(std::vector<float>{nan, 1, 2, nan}, {2, 2}), Tensor(std::vector<int>{0, 0}, {2})), 0);
  EXPECT_EQ(top(2, Tensor(std::vector<float>{nan, 1, 2, nan}, {2, 2}), Tensor(std::vector<int>{0, 0}, {2})), 0.5);
  // Along axis 1 of [N, C, T].
  train::TopKAccuracy tokens(1, {.ignore_index = -1});
  tokens.update(Tensor(std::vector<float>{0, 5, 1, 1, 0, 9}, {1, 2, 3}), Tensor(std::vector<int>{1, 1, -1}, {1, 3}));
  EXPECT_EQ(number(tokens.value()), 0.5);
}

/// The exact area, pair by pair.
double area(const std::vector<float>& scores, const std::vector<int>& labels) {
  double wins = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (labels[i] != 1 || labels[j] != 0) continue;
      ++pairs;
      wins += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
    }
  }
  return wins / pairs;
}

TEST_P(MetricsOn, AucIsThatOfAllPairs) {
  const auto auc = [](const std::vector<float>& scores, const std::vector<int>& labels, bool logits) {
    train::Auc metric({.logits = logits});
    const auto n = static_cast<std::int64_t>(scores.size());
    metric.update(Tensor(scores, {n}), Tensor(labels, {n}));
    return number(metric.value());
  };
  EXPECT_NEAR(auc({0.1F, 0.4F, 0.35F, 0.8F}, {0, 0, 1, 1}, false), 0.75, 1e-6);  // the example of roc_auc_score
  EXPECT_NEAR(auc({0.5F, 0.5F, 0.5F}, {0, 1, 0}, false), 0.5, 1e-6) << "ties";
  EXPECT_NEAR(auc({1, 0, 1, 0}, {1, 0, 1, 0}, false), 1, 1e-6);
  EXPECT_NEAR(auc({-1e30F, 1e30F, INFINITY, -INFINITY}, {0, 1, 1, 0}, true), 1, 1e-6);
  EXPECT_TRUE(std::isnan(auc({0.1F, 0.9F}, {1, 1}, false))) << "one class";
  EXPECT_TRUE(std::isnan(auc({0.1F, NAN}, {1, 0}, false)));
  EXPECT_TRUE(std::isnan(number(train::Auc().value()))) << "no samples";
  std::mt19937 random(3);
  std::normal_distribution<float> noise(0, 2);
  std::vector<float> scores(600);
  std::vector<int> labels(600);
  train::Auc metric({.logits = true});
  for (std::size_t i = 0; i < scores.size(); ++i) {
    labels[i] = static_cast<int>(random() % 3 == 0);
    scores[i] = noise(random) + static_cast<float>(labels[i]);
  }
  for (std::int64_t i = 0; i < 3; ++i) {
    const Slice part{200 * i, 200 * (i + 1)};
    metric.update(slice(Tensor(scores, {600}), {part}), slice(Tensor(labels, {600}), {part}));
  }
  EXPECT_NEAR(number(metric.value()), area(scores, labels), 1e-3);
}

TEST_P(MetricsOn, PerplexityIgnoresTargets) {
  train::Perplexity perplexity({.ignore_index = -100});
  EXPECT_TRUE(std::isnan(number(perplexity.value())));
  perplexity.update(zeros({2, 5, 3}), Tensor(std::vector<int>{0, -100, 4, -100, -100, -100}, {2, 3}));
  EXPECT_NEAR(number(perplexity.value()), 5, 1e-5);
  perplexity.update(zeros({1, 5}), Tensor(std::vector<int>{-100}, {1}));
  EXPECT_NEAR(number(perplexity.value()), 5, 1e-5) << "nothing but ignored targets";
  perplexity.update_loss(std::log(5.0) + 1, 2);
  EXPECT_NEAR(number(perplexity.value()), 5 * std::exp(0.5), 1e-4);
}

TEST_P(MetricsOn, Errors) {
  train::MeanAbsoluteError absolute;
  train::MeanSquaredError squared;
  train::MeanSquaredError root(true);
  EXPECT_TRUE(std::isnan(number(absolute.value())));
  const Tensor p(std::vector<float>{2.5F, 0, 2, 8}, {2, 2});  // mean_absolute_error's example
  const Tensor t(std::vector<float>{3, -0.5F, 2, 7}, {2, 2});
  absolute.update(p, t);
  squared.update(slice(p, {{0, 1}}), slice(t, {{0, 1}}));
  squared.update(slice(p, {{1, 2}}), slice(t, {{1, 2}}));
  root.update(p.astype(f16), t);
  EXPECT_NEAR(number(absolute.value()), 0.5, 1e-6);
  EXPECT_NEAR(number(squared.value()), 0.375, 1e-6);
  EXPECT_NEAR(number(root.value()), std::sqrt(0.375), 1e-6);
}

TEST_P(MetricsOn, MeansAreWeighted) {
  train::Mean mean;
  EXPECT_TRUE(std::isnan(number(mean.value())));
  mean.update(2.0, 3);
  mean.update(Tensor(std::vector<float>{10, NAN}, {2}), Tensor(std::vector<float>{1, 0}, {2}));
  EXPECT_EQ(number(mean.value()), 4);
  mean.update(Tensor(std::vector<int>{4, 4}, {2}));
  EXPECT_EQ(number(mean.value()), 4);
  train::Mean copy = mean;
  copy.update(NAN);
  EXPECT_TRUE(std::isnan(number(copy.value())));
  EXPECT_EQ(number(mean.value()), 4) << "a copy is independent";
  mean.reset();
  EXPECT_TRUE(std::isnan(number(mean.value())));
}

// As far as a run of billions of tokens gets.
TEST_P(MetricsOn, CountsPastWhatF32Holds) {
  train::Accuracy accuracy;
  const std::int64_t many = (std::int64_t{1} << 33) + 1;
  nn::set_state(accuracy, Tree{{"correct", full({}, many, i64)}, {"count", full({}, many, i64)}});
  accuracy.update(Tensor(std::vector<int>{1, 0}, {2}), Tensor(std::vector<int>{1, 1}, {2}));
  const Tree state = nn::state_of(accuracy);
  EXPECT_EQ(state["correct"].item<std::int64_t>(), many + 1);
  EXPECT_EQ(state["count"].item<std::int64_t>(), many + 2);
}

TEST(Metrics, AMeanOfMoreUpdatesThanF32Counts) {
  Device::create({.device = "cpu"}).set_current();
  train::Mean mean;
  // 2^24 ones and 5,000 threes: a sum of ones in f32 alone would stay at 2^24.
  const double before = 1 << 24;
  nn::set_state(mean, Tree{{"sum", zeros({})},
                           {"weight", zeros({})},
                           {"total_sum", full({}, before, f32)},
                           {"total_weight", full({}, before, f32)},
                           {"updates", zeros({}, i32)}});
  const auto step = compile([&] { mean.update(3.0); }, mean);
  for (int i = 0; i < 5000; ++i) step();
  const Tree state = nn::state_of(mean);
  EXPECT_EQ(state["total_weight"].item() + state["weight"].item(), before + 5000);
  EXPECT_EQ(state["updates"].item(), 5000 - 4096);
  EXPECT_NEAR(number(mean.value()), (before + 15000) / (before + 5000), 1e-6);
}

TEST_P(MetricsOn, PartOfACompiledTrainingStep) {
  random::set_seed(4);
  nn::Linear model(6, 3);
  optim::SGD optimizer(model, {.lr = 0.1});
  struct All {
    train::Accuracy accuracy;
    train::TopKAccuracy top{2};
    train::ConfusionMatrix confusion{3};
    train::F1 f1{3};
    train::Perplexity perplexity;
    train::Auc auc{{.logits = true, .bins = 64}};
    train::Mean mean;
    void update(const Tensor& scores, const Tensor& y, const Tensor& loss) {
      accuracy.update(scores, y);
      top.update(scores, y);
      confusion.update(scores, y);
      f1.update(scores, y);
      perplexity.update(scores, y);
      auc.update(slice(scores, {Slice{}, {1, 2}}).reshape({scores.size(0)}), equal(y, 1));
      mean.update(loss);
    }
  };
  All compiled;
  All eager;
  const auto step = compile(
      [&](const Tensor& x, const Tensor& y) {
        auto [loss, gradients] = value_and_grad(model, [&] {
          const Tensor scores = model(x);
          const Tensor l = cross_entropy(scores, y);
          compiled.update(scores, y, l);
          return l;
        })();
        optimizer.update(model, gradients);
        return loss;
      },
      model, optimizer, compiled.accuracy, compiled.top, compiled.confusion, compiled.f1, compiled.perplexity,
      compiled.auc, compiled.mean);
  for (int i = 0; i < 3; ++i) {
    const Tensor x = random::normal({10, 6}).eval();
    const Tensor y = random::randint({10}, 0, 3).eval();
    const nn::Linear before = model;
    nn::Linear same = before;
    // Eagerly, inside of a gradient too.
    const auto [loss, gradients] = value_and_grad(same, [&] {
      const Tensor scores = same(x);
      const Tensor l = cross_entropy(scores, y);
      eager.update(scores, y, l);
      return l;
    })();
    EXPECT_NEAR(number(step(x, y)), number(loss), 1e-5);
  }
  EXPECT_EQ(step.traces(), 1U);
  EXPECT_EQ(number(nn::state_of(compiled.accuracy)["count"]), 30);
  EXPECT_EQ(compiled.confusion.value().to_vector<float>(), eager.confusion.value().to_vector<float>());
  for (const auto& [a, b] : {std::pair{compiled.accuracy.value(), eager.accuracy.value()},
                             {compiled.top.value(), eager.top.value()},
                             {compiled.f1.value(), eager.f1.value()},
                             {compiled.perplexity.value(), eager.perplexity.value()},
                             {compiled.auc.value(), eager.auc.value()},
                             {compiled.mean.value(), eager.mean.value()}}) {
    EXPECT_NEAR(number(a), number(b), 1e-5);
  }
  // The next epoch, with the state of a checkpoint.
  const Tree saved = nn::state_of(compiled.f1);
  compiled.accuracy.reset();
  compiled.f1.reset();
  step(random::normal({10, 6}), random::randint({10}, 0, 3));
  EXPECT_EQ(step.traces(), 1U);
  EXPECT_EQ(number(nn::state_of(compiled.accuracy)["count"]), 10);
  EXPECT_EQ(number(sum(nn::state_of(compiled.f1)["actual"])), 10);
  nn::set_state(compiled.f1, saved);
  EXPECT_NEAR(number(compiled.f1.value()), number(eager.f1.value()), 1e-5);
}

// An accuracy and a mean cost a step three dispatches: the largest logit, its comparison with the target, the sums.
TEST_P(MetricsOn, AddFewKernelsToAStep) {
  nn::Linear model(6, 3);
  train::Accuracy accuracy;
  train::Mean mean;
  const auto loss_of = [&](const Tensor& x, const Tensor& y, bool measured) {
    const Tensor scores = model(x);
    const Tensor loss = cross_entropy(scores, y);
    if (measured) accuracy.update(scores, y);
    if (measured) mean.update(loss, x.size(0));
    return loss;
  };
  const auto plain = compile([&](const Tensor& x, const Tensor& y) { return loss_of(x, y, false); }, model);
  const auto measured =
      compile([&](const Tensor& x, const Tensor& y) { return loss_of(x, y, true); }, model, accuracy, mean);
  const Tensor x = random::normal({10, 6});
  const Tensor y = random::randint({10}, 0, 3);
  EXPECT_EQ(number(plain(x, y)), number(measured(x, y)));
  EXPECT_LE(measured.kernel_count(), plain.kernel_count() + 3);
  EXPECT_NEAR(number(mean.value()), number(plain(x, y)), 1e-6);
}

TEST(Metrics, BadArgumentsAreErrors) {
  Device::create({.device = "cpu"}).set_current();
  const auto fails = [](ErrorKind kind, const std::string& part, const std::function<void()>& f) {
    const Error e = error_of(f);
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  };
  train::Accuracy accuracy;
  train::ConfusionMatrix confusion(3);
  fails(ErrorKind::kShape, "predictions of shape [4, 3] of f32 and targets of shape [5]",
        [&] { accuracy.update(zeros({4, 3}), zeros({5}, i32)); });
  fails(ErrorKind::kDType, "targets of dtype f32", [&] { accuracy.update(zeros({4, 3}), zeros({4})); });
  fails(ErrorKind::kShape, "4 classes were given; 3 classes are expected",
        [&] { confusion.update(zeros({2, 4}), zeros({2}, i32)); });
  fails(ErrorKind::kShape, "equal shapes are expected",
        [] { train::MeanSquaredError().update(zeros({4, 1}), zeros({4})); });
  fails(ErrorKind::kValue, "a k of 0", [] { const train::TopKAccuracy top(0); });
  fails(ErrorKind::kValue, "0 classes", [] { const train::F1 f1(0); });
  fails(ErrorKind::kValue, "1 bins", [] { const train::Auc auc({.bins = 1}); });
  fails(ErrorKind::kShape, "floats, and targets of their shape",
        [] { train::Auc().update(zeros({3}), zeros({4}, i32)); });
  // Classes that do not exist are found on the device.
  for (const int wrong : {3, -1}) {
    fails(ErrorKind::kValue, "was given for an axis of size 3", [&] {
      confusion.update(zeros({1, 3}), Tensor(std::vector<int>{wrong}, {1}));
      (void)confusion.value().to_vector<float>();
    });
    confusion.reset();
    fails(ErrorKind::kValue, "was given for an axis of size 3", [&] {
      confusion.update(Tensor(std::vector<int>{wrong}, {1}), zeros({1}, i32));
      (void)confusion.value().to_vector<float>();
    });
    confusion.reset();
  }
  const auto forgotten = compile([&](const Tensor& x, const Tensor& y) {
    accuracy.update(x, y);
    return x;
  });
  fails(ErrorKind::kValue, "does not have it in its state", [&] { forgotten(zeros({4, 3}), zeros({4}, i32)); });
}

}  // namespace
}  // namespace tessera::test
