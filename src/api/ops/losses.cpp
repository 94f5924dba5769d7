// Losses as formulas; those over classes read the logits in place.
#include "tessera/losses.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "base/numbers.h"
#include "ops/gradient.h"
#include "ops/index/index.h"
#include "tessera/grad.h"
#include "tessera/linalg.h"
#include "tessera/math.h"

namespace tessera {

catalog::Rows catalog::losses() {
  static constexpr std::array kRows{
      Row{"Losses", kFloats, kGradient, kComposed,
          "mse_loss, l1_loss, smooth_l1_loss, huber_loss, cross_entropy, nll_loss, binary_cross_entropy, "
          "binary_cross_entropy_with_logits, kl_div, cosine_similarity, cosine_embedding_loss, "
          "hinge_embedding_loss, triplet_margin_loss",
          kInF32},
  };
  return kRows;
}

namespace {

/// The dtype of a loss. Losses compute with wide() operands, and the result is cast last.
DType loss_type(const Tensor& input, const Tensor& target) {
  return promote(ops::float_of(input.node()), target.dtype());
}

Tensor reduced(const Tensor& x, Reduction reduction, DType t) {
  if (reduction == Reduction::kNone) return cast(x, t);
  return cast(reduction == Reduction::kSum ? sum(x) : mean(x), t);
}

/// max(x, 0) with slope 1 at 0, as in PyTorch's margin losses; that of relu is 0.
Tensor above_zero(const Tensor& x) { return clamp(x, 0.0, Tensor()); }

void same_shape(std::string_view what, const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape())
    fail(ErrorKind::kShape, "{}: an input of shape {} and a target of shape {} were given; they should be the same.",
         what, a.shape(), b.shape());
}

// ---- Over classes: the logits as [outer, classes, inner] ----

struct Classes {
  Tensor given;  // [outer, classes, inner]
  Tensor x;      // the same, wide
  std::int64_t outer = 1;
  std::int64_t classes = 1;
  std::int64_t inner = 1;
  Shape rest;  // the shape without the classes
};

Classes classes_of(std::string_view what, const Tensor& logits) {
  if (logits.rank() == 0)
    fail(ErrorKind::kShape, "{}: a single number was given; an axis of classes is expected.", what);
  Classes c;
  const int axis = logits.rank() == 1 ? 0 : 1;
  for (int i = 0; i < logits.rank(); ++i) {
    const std::int64_t size = logits.shape()[i];
    if (i == axis) {
      c.classes = size;
    } else {
      (i < axis ? c.outer : c.inner) *= size;
      c.rest.push_back(size);
    }
  }
  c.given = reshape(floating(logits), {c.outer, c.classes, c.inner});
  c.x = wide(c.given);
  return c;
}

/// Class indices in [0, classes) as i32 [outer, 1, inner], and which of them are not ignored.
struct Targets {
  Tensor index;
  Tensor counts;  // bool; empty: all
};

Targets targets_of(std::string_view what, const Classes& c, const Tensor& target, std::optional<std::int64_t> ignore) {
  if (!is_integer(target.dtype()))
    fail(ErrorKind::kDType,
         "{}: a target of type {} was given; class indices, or probabilities of the shape of the "
         "logits are expected.",
         what, name(target.dtype()));
  if (target.shape() != c.rest)
    fail(ErrorKind::kShape, "{}: a target of shape {} was given; {} is expected.", what, target.shape(), c.rest);
  const Shape shape{c.outer, 1, c.inner};
  Tensor index = reshape(size_of(target.dtype()) < size_of(i32) ? cast(target, i32) : target, shape);
  Tensor counts;
  if (ignore.has_value() && holds(index.dtype(), *ignore)) {
    counts = not_equal(index, full({}, Tensor(*ignore), index.dtype(), index.device()));
    index = where(counts, index, 0);
  }
  // A class below 0 is invalid, although such an index counts from the end elsewhere: it is moved out of bounds.
  if (is_signed(index.dtype())) index = where(less(index, 0), index - c.classes, index);
  return {Tensor(ops::checked_index(index.node(), c.classes)), counts};
}

/// x[o, index[o, 0, i], i] as [outer, 1, inner], whose gradient is a comparison instead of a scatter. Read from the
/// logits as given: a wide copy would have to be written.
Tensor pick(const Classes& c, const Tensor& index) {
  const auto f = [c, given = stop_gradient(c.given)](const Tensors& a) {
    const Tensor rows = reshape(arange(0, static_cast<double>(c.outer), 1, i32, a[0].device()), {c.outer, 1, 1});
    const Tensor cols = reshape(arange(0, static_cast<double>(c.inner), 1, i32, a[0].device()), {1, 1, c.inner});
    const Tensor at = (rows * static_cast<std::int32_t>(c.classes) + a[1]) * static_cast<std::int32_t>(c.inner) + cols;
    return Tensors{wide(Tensor(ops::gather(reshape(given, {given.numel()}).node(), at.node())))};
  };
  const auto back = [c](const Tensors& a, const Tensors&, const Tensors& g) {
    const Tensor number = reshape(arange(0, static_cast<double>(c.classes), 1, i32, a[0].device()), {1, c.classes, 1});
    return Tensors{where(equal(number, a[1]), g[0], 0.0), Tensor()};
  };
  return custom_vjp(f, back)({c.x, index})[0];
}

Tensor class_weights(std::string_view what, const Classes& c, const Tensor& weight) {
  if (weight.rank() != 1 || weight.numel() != c.classes)
    fail(ErrorKind::kShape, "{}: a weight of shape {} was given; [{}] is expected.", what, weight.shape(), c.classes);
  return cast(weight, c.x.dtype());
}

/// The loss of each position [outer, 1, inner] and its weight in the mean, reduced.
Tensor finish(const Classes& c, const Tensor& loss, const Tensor& share, Reduction reduction) {
  const DType t = ops::float_of(c.given.node());
  if (reduction == Reduction::kNone) return cast(reshape(loss, c.rest), t);
  const Tensor total = sum(loss);
  if (reduction == Reduction::kSum) return cast(total, t);
  return cast(share.defined() ? total / sum(share) : total / static_cast<double>(c.outer * c.inner), t);
}

/// Weighted by class and without ignored positions; `smooth` is the sum over the classes, for label smoothing.
Tensor by_index(std::string_view what, const Classes& c, const Tensor& log_p_of_target, const Targets& t,
                const Tensor& smooth, const CrossEntropyOptions& o) {
  Tensor loss = negative(log_p_of_target);
  Tensor share;
  if (o.weight.defined()) {
    const Tensor w = class_weights(what, c, o.weight);
    share = reshape(Tensor(ops::gather(w.node(), reshape(t.index, {t.index.numel()}).node())), t.index.shape());
    loss = loss * share;
  }
  if (smooth.defined())
    loss = loss * (1 - o.label_smoothing) + smooth * (o.label_smoothing / static_cast<double>(c.classes));
  if (t.counts.defined()) {
    loss = where(t.counts, loss, 0.0);
    share = share.defined() ? where(t.counts, share, 0.0) : cast(t.counts, loss.dtype());
  }
  return finish(c, loss, share, o.reduction);
}

/// With an optional weight per element.
Tensor weighted(const Tensor& loss, const Tensor& weight, Reduction reduction, DType t) {
  if (!weight.defined()) return reduced(loss, reduction, t);
  return reduced(loss * weight, reduction, promote(t, weight.dtype()));
}

Tensor huber(const Tensor& difference, double delta) {
  const Tensor d = abs(difference);
  const Tensor loss = where(less(d, delta), square(d) * 0.5, (d - 0.5 * delta) * delta);
  const auto rule = [delta](const Gradient::Call& call) -> std::vector<NodePtr> {
    return {call.gradients[0] * ops::clamp(call.inputs[0], ops::number(-delta), ops::number(delta))};
  };
  return Tensor(ops::with_gradient("huber_loss", {difference.node()}, loss.node(), rule));
}

}  // namespace

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  same_shape("mse_loss", input, target);
  return reduced(square(wide(input) - wide(target)), reduction, loss_type(input, target));
}

Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  same_shape("l1_loss", input, target);
  return reduced(abs(wide(input) - wide(target)), reduction, loss_type(input, target));
}

Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, double beta, Reduction reduction) {
  if (beta < 0) fail(ErrorKind::kValue, "smooth_l1_loss: a beta of {} was given; it must not be negative.", beta);
  if (beta == 0) return l1_loss(input, target, reduction);
  same_shape("smooth_l1_loss", input, target);
  return reduced(huber(wide(input) - wide(target), beta) / beta, reduction, loss_type(input, target));
}

Tensor huber_loss(const Tensor& input, const Tensor& target, double delta, Reduction reduction) {
  if (!(delta > 0)) fail(ErrorKind::kValue, "huber_loss: a delta of {} was given; above 0 is expected.", delta);
  same_shape("huber_loss", input, target);
  return reduced(huber(wide(input) - wide(target), delta), reduction, loss_type(input, target));
}

Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& o) {
  if (!(o.label_smoothing >= 0 && o.label_smoothing <= 1))
    fail(ErrorKind::kValue, "cross_entropy: a label smoothing of {} was given; 0 to 1 is expected.", o.label_smoothing);
  const Classes c = classes_of("cross_entropy", logits);
  if (is_float(target.dtype())) {
    same_shape("cross_entropy", logits, target);
    if (o.ignore_index.has_value())
      fail(ErrorKind::kValue, "cross_entropy: ignore_index {} was given with probabilities; it needs class indices.",
           *o.ignore_index);
    Tensor p = reshape(wide(target), c.x.shape());
    if (o.label_smoothing > 0) p = p * (1 - o.label_smoothing) + o.label_smoothing / static_cast<double>(c.classes);
    Tensor each = p * log_softmax(c.x, 1);
    if (o.weight.defined()) each = each * reshape(class_weights("cross_entropy", c, o.weight), {1, c.classes, 1});
    return finish(c, negative(sum(each, {1}, true)), {}, o.reduction);
  }
  const Targets t = targets_of("cross_entropy", c, target, o.ignore_index);
  const Tensor lse = logsumexp(c.x, {1}, true);
  Tensor smooth;
  if (o.label_smoothing > 0) {
    // The sum over classes of -log p, each with its weight.
    if (o.weight.defined()) {
      const Tensor w = reshape(class_weights("cross_entropy", c, o.weight), {1, c.classes, 1});
      smooth = sum(w * (lse - c.x), {1}, true);
    } else {
      smooth = lse * static_cast<double>(c.classes) - sum(c.x, {1}, true);
    }
  }
  return by_index("cross_entropy", c, pick(c, t.index) - lse, t, smooth, o);
}

Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, const CrossEntropyOptions& o) {
  if (o.label_smoothing != 0)
    fail(ErrorKind::kValue, "nll_loss: a label smoothing of {} was given; cross_entropy has it.", o.label_smoothing);
  const Classes c = classes_of("nll_loss", log_probabilities);
  const Targets t = targets_of("nll_loss", c, target, o.ignore_index);
  return by_index("nll_loss", c, pick(c, t.index), t, {}, o);
}

Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight, Reduction reduction) {
  same_shape("binary_cross_entropy", input, target);
  const Tensor x = wide(input);
  const Tensor given = wide(target);
  // Logarithms are clamped to -100, as in PyTorch, so that a confident wrong answer has a finite loss and a large
  // gradient.
  const auto logs = [](const Tensor& p) { return std::pair(maximum(log(p), -100.0), maximum(log(1.0 - p), -100.0)); };
  const auto [yes, no] = logs(x);
  const auto rule = [logs](const Gradient::Call& call) -> std::vector<NodePtr> {
    const Tensor p(call.inputs[0]);
    const Tensor t(call.inputs[1]);
    const Tensor g(call.gradients[0]);
    const auto [log_p, log_rest] = logs(p);
    return {(g * (p - t) / clamp((1.0 - p) * p, 1e-12, Tensor())).node(), (g * (log_rest - log_p)).node()};
  };
  const Tensor loss(ops::with_elementwise_gradient("binary_cross_entropy", {x.node(), given.node()},
                                                   negative(given * yes + (1.0 - given) * no).node(), rule));
  return weighted(loss, weight, reduction, loss_type(input, target));
}

Tensor binary_cross_entropy_with_logits(const Tensor& logits, const Tensor& target, const Tensor& weight,
                                        const Tensor& pos_weight, Reduction reduction) {
  same_shape("binary_cross_entropy_with_logits", logits, target);
  const Tensor x = wide(logits);
  const Tensor t = wide(target);
  Tensor loss;
  if (pos_weight.defined()) {
    const Tensor w = (pos_weight - 1.0) * t + 1.0;
    loss = (1.0 - t) * x + w * softplus(negative(x));
  } else {
    loss = softplus(x) - t * x;
  }
  return weighted(loss, weight, reduction, ops::float_of(logits.node()));
}

Tensor kl_div(const Tensor& input, const Tensor& target, bool log_target, Reduction reduction) {
  same_shape("kl_div", input, target);
  const Tensor x = wide(input);
  const Tensor t = wide(target);
  return reduced(log_target ? exp(t) * (t - x) : xlogy(t, t) - t * x, reduction, loss_type(input, target));
}

Tensor cosine_similarity(const Tensor& a, const Tensor& b, int axis, double eps) {
  // The axis is one of the broadcast shape, along which either operand may be repeated.
  const Shape shape = ops::broadcast_shapes("cosine_similarity", std::array{a.shape(), b.shape()});
  const auto unit = [&](const Tensor& v) {
    const Tensor w = broadcast_to(wide(v), shape);
    return w * rsqrt(clamp(sum(square(w), {axis}, true), eps * eps, Tensor()));
  };
  return cast(sum(unit(a) * unit(b), {axis}), loss_type(a, b));
}

Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin,
                             Reduction reduction) {
  const int axis = std::max(a.rank(), b.rank()) > 1 ? 1 : 0;
  const Tensor x = wide(a);
  const Tensor y = wide(b);
  constexpr double kEps = 1e-12;  // as in PyTorch, inside the root
  const auto inverse = [&](const Tensor& v) { return rsqrt(sum(square(v), {axis}) + kEps); };
  const Tensor cosine = sum(x * y, {axis}) * inverse(x) * inverse(y);
  const Tensor apart = where(equal(target, -1), above_zero(cosine - margin), 0.0);
  return reduced(where(equal(target, 1), 1.0 - cosine, apart), reduction, loss_type(a, b));
}

Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, double margin, Reduction reduction) {
  // A target other than 1 and -1 counts as both, as in PyTorch.
  const Tensor x = wide(input);
  const Tensor near = where(not_equal(target, -1), x, 0.0);
  const Tensor far = where(not_equal(target, 1), above_zero(margin - x), 0.0);
  return reduced(near + far, reduction, ops::float_of(input.node()));
}

Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin,
                           double p, double eps, Reduction reduction) {
  const auto distance = [&](const Tensor& a, const Tensor& b) {
    return linalg::vector_norm(wide(a) - wide(b) + eps, p, {-1});
  };
  return reduced(above_zero(distance(anchor, positive) - distance(anchor, negative) + margin), reduction,
                 promote(loss_type(anchor, positive), negative.dtype()));
}

}  // namespace tessera
