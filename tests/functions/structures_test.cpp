// compile() and value_and_grad() over structures of tensors, and what reading says inside of a traced function.
#include <ranges>
#include <sstream>
#include <thread>

#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;

struct Layer {
  Tensor weight, bias;
  void fields(auto& f) {
    f("weight", weight);
    f("bias", bias);
  }
};

enum class Mode : std::uint8_t { kAdd, kMultiply };

struct Net {
  std::vector<Layer> layers;
  std::optional<Tensor> scale;
  Mode mode = Mode::kAdd;
  void fields(auto& f) {
    f("layers", layers);
    f("scale", scale);
    f("mode", mode);
  }
};

Tensor at_or(const Tree& t) { return t.empty() ? Tensor(0.0F) : t.tensors()[0][0]; }

Floats floats(const Tensor& x) { return x.astype(f32).to_vector<float>(); }

template <class T>
Tensors tensors_of(const T& value) {
  Tensors all;
  detail::append_tensors(value, all);
  return all;
}

class Structures : public DeviceTest {
 protected:
  [[nodiscard]] Tensor at(float value) const { return Tensor(Floats{value, value + 1}, {2}, device_); }

  /// A compiled function of the structure gives it back with other tensors, from one trace.
  template <class T>
  void round_trip(const T& value, std::size_t expected, const std::string& what) {
    SCOPED_TRACE(what);
    const auto twice = [](const T& given) {
      T copy = given;
      detail::visit_tensors(copy, [](Tensor& t) {
        if (t.defined()) t = t * 2;
      });
      return copy;
    };
    static_assert(Structure<T>);
    const auto compiled = compile(twice);
    static_assert(std::same_as<std::remove_cvref_t<decltype(compiled(value))>, T>);
    const auto generic = compile([&](const auto& given) { return twice(given); });
    static_assert(std::same_as<decltype(generic(value)), T>);
    EXPECT_EQ(tensors_of(value).size(), expected);
    for (int i = 0; i < 3; ++i) {
      for (const T& result : {compiled(value), generic(value)}) {
        std::string given_text;
        std::string text;
        detail::describe(value, given_text);
        detail::describe(result, text);
        EXPECT_EQ(text, given_text);
        const Tensors before = tensors_of(value);
        const Tensors after = tensors_of(result);
        ASSERT_EQ(after.size(), expected);
        for (std::size_t k = 0; k < expected; ++k) EXPECT_EQ(floats(after[k]), floats(before[k] * 2));
      }
    }
    EXPECT_EQ(compiled.traces(), 1U);
    EXPECT_EQ(generic.traces(), 1U);
  }
};

TEST_P(Structures, AreGivenBackInTheirForm) {
  round_trip(at(1), 1, "Tensor");
  round_trip(Tree{{"a", at(1)}, {"b", Tree::list({at(2), Tree{{"c", at(3)}}})}}, 3, "Tree");
  round_trip(Tree(at(1)), 1, "leaf");
  round_trip(std::pair(at(1), Tensors{at(2), at(3)}), 3, "pair of a tensor and a vector");
  round_trip(std::tuple(at(1), Tree{{"a", at(2)}}, at(3)), 3, "tuple");
  round_trip(std::array{at(1), at(2)}, 2, "array");
  round_trip(std::map<std::string, Tensor>{{"b", at(1)}, {"a", at(2)}}, 2, "map");
  round_trip(std::vector<std::pair<Tensor, Tree>>{{at(1), {{"a", at(2)}}}, {at(3), {}}}, 3, "vector of pairs");
  round_trip(std::optional<Tensor>(at(1)), 1, "optional");
  round_trip(Layer{at(1), at(2)}, 2, "struct");
  round_trip(Layer{at(1), {}}, 1, "struct with an empty tensor");
  round_trip(Net{{{at(1), at(2)}, {at(3), {}}}, at(4)}, 4, "struct of structs");
}

TEST_P(Structures, AListToAListIsCompiled) {
  auto list = compile([](const Tensors& in) { return Tensors{in[0] + in[1]}; });
  static_assert(std::same_as<decltype(list), Compiled>);
  static_assert(std::same_as<decltype(compile(TensorFunction())), Compiled>);
  EXPECT_EQ(floats(list({at(1), at(2)})[0]), (Floats{3, 5}));
  const auto sum_of = compile([](const Tensors& in) { return in[0] + in[1]; });  // another form
  EXPECT_EQ(floats(sum_of({at(1), at(2)})), (Floats{3, 5}));
  const auto none = compile([this] { return at(4); });
  EXPECT_EQ(floats(none()), (Floats{4, 5}));
  const std::function<Tensor(Tensor, const Tensor&)> function = [](const Tensor& a, const Tensor& b) { return a * b; };
  EXPECT_EQ(floats(compile(function)(at(1), 3)), (Floats{3, 6}));  // a number is a tensor of rank 0
  const auto pointer = compile(+[](Tensor a, const std::optional<Tensor>& b) { return b ? a + *b : a; });
  EXPECT_EQ(floats(pointer(at(1), std::nullopt)), (Floats{1, 2}));
  EXPECT_EQ(floats(pointer(at(1), at(1))), (Floats{2, 4}));
  EXPECT_EQ(pointer.traces(), 2U);
}

TEST_P(Structures, AnotherStructureIsTracedAgain) {
  int calls = 0;
  const auto f = compile([&](const Tree& p, const Net& net, int times, const std::string& name) {
    ++calls;
    Tensor sum = p.contains(name) ? p[name] * times : Tensor(0.0F);
    for (const Layer& layer : net.layers) {
      if (net.mode == Mode::kAdd) sum += layer.weight;
      if (net.mode == Mode::kMultiply) sum *= layer.weight;
      if (layer.bias.defined()) sum += layer.bias;
    }
    return net.scale ? sum * *net.scale : sum;
  });
  const Net net{{{at(1), {}}}, {}};
  const Tree p{{"a", at(1)}, {"b", at(10)}};
  std::size_t traces = 0;
  const auto expect = [&](const Floats& expected, const Tree& tree, const Net& n, int times, const std::string& name) {
    ++traces;
    for (int i = 0; i < 2; ++i) EXPECT_EQ(floats(f(tree, n, times, name)), expected);
    EXPECT_EQ(f.traces(), traces);
    EXPECT_EQ(calls, static_cast<int>(traces));
  };
  expect({2, 4}, p, net, 1, "a");
  expect({3, 6}, p, net, 2, "a");
  expect({11, 13}, p, net, 1, "b");
  expect({11, 13}, Tree{{"b", at(10)}}, net, 1, "b");
  expect({2, 4}, Tree{{"b", at(10)}, {"a", at(1)}}, net, 1, "a");
  expect({5, 8}, p, {{{at(1), at(3)}}, {}}, 1, "a");
  expect({2, 5}, p, {{{at(1), {}}, {at(0), {}}}, {}}, 1, "a");
  expect({1, 4}, p, {{{at(1), {}}}, {}, Mode::kMultiply}, 1, "a");
  expect({4, 12}, p, {{{at(1), {}}}, at(2)}, 1, "a");
  // A list and a dict of the same tensors differ, and so do empty ones.
  const auto g = compile([](const Tree& t) { return Tensor(t.kind() == Tree::Kind::kDict ? 1.0F : 2.0F) + at_or(t); });
  EXPECT_EQ(g(Tree{{"0", at(0)}}).item<float>(), 1);
  EXPECT_EQ(g(Tree::list({at(0)})).item<float>(), 2);
  EXPECT_EQ(g(Tree()).item<float>(), 1);
  EXPECT_EQ(g(Tree::list({})).item<float>(), 2);
}

TEST_P(Structures, ResultsHaveTheFormOfTheirTrace) {
  // How many tensors there are depends on a size.
  const auto rows = compile([](const Tensor& x) {
    std::map<std::string, Tensor> all;
    for (std::int64_t i = 0; i < x.size(0); ++i) all.emplace("row" + std::to_string(i), x[i]);
    return all;
  });
  for (const std::int64_t n : {2, 3, 0, 2, 3}) {
    const auto result = rows(arange(static_cast<double>(2 * n), f32, device_).reshape({n, 2}));
    ASSERT_EQ(result.size(), static_cast<std::size_t>(n));
    if (n > 1) {
      EXPECT_EQ(floats(result.at("row1")), (Floats{2, 3}));
    }
  }
  EXPECT_EQ(rows.traces(), 3U);
  // With dynamic axes, one trace has all sizes. The axis is that of each tensor of the argument.
  const auto means = compile(
      [](const Tree& t, const Tensor& scale) { return t.map([&](const Tensor& x) { return x.mean({0}) * scale; }); },
      {.dynamic_axes = {{0, 0, "n"}}});
  for (const std::int64_t n : {5, 9, 4}) {
    const Tree result = means({{"a", ones({n, 2}, f32, device_)}, {"b", ones({n, 3}, f32, device_)}}, at(1)[0]);
    EXPECT_EQ(floats(result["a"]), (Floats{1, 1}));
    EXPECT_EQ(result["b"].shape(), (Shape{3}));
  }
  EXPECT_EQ(means.traces(), 1U);
}

TEST_P(Structures, DonationCountsArguments) {
  const auto step = compile(
      [](const Tensor& x, const Tree& p, const Layer& layer) {
        return std::pair(x.sum(), p.map([&](const Tensor& w) { return w + layer.weight; }));
      },
      {.donate = {1}});
  const Tensor x = at(1).eval();
  const Layer layer{at(1).eval(), {}};
  Tree p{{"a", at(1)}, {"b", at(2)}};
  eval(p);
  const Tree given = p;
  Tensor loss;
  std::tie(loss, p) = step(x, p, layer);
  EXPECT_EQ(floats(p["b"]), (Floats{3, 5}));
  for (const auto& [name, t] : given.flatten()) {
    const Error error = error_of([&] { static_cast<void>(t.to_vector<float>()); });
    EXPECT_NE(std::string(error.what()).find("donated"), std::string::npos) << error.what();
  }
  EXPECT_EQ(floats(x), (Floats{1, 2}));
  EXPECT_EQ(floats(layer.weight), (Floats{1, 2}));
  for (int i = 0; i < 3; ++i) std::tie(loss, p) = step(x, p, layer);
  EXPECT_EQ(floats(p["a"]), (Floats{5, 10}));
  EXPECT_EQ(step.traces(), 1U);
  // A tied weight is copied.
  const Tensor tied = at(5).eval();
  EXPECT_EQ(floats(step(x, {{"a", tied}, {"b", tied}}, layer).second["b"]), (Floats{6, 8}));
}

TEST_P(Structures, BadOptionsAndArguments) {
  const auto message = [](const auto& f) { return std::string(error_of(f).what()); };
  const auto sum_of = [](const Tensor& x, const Tree& t) { return x + t["a"]; };
  const Tree t{{"a", at(1)}};
  EXPECT_EQ(message([&] { compile(sum_of, {.donate = {2}})(at(1), t); }),
            "compile: argument 2 is to be donated, and there are 2 arguments.");
  EXPECT_EQ(message([&] { compile(sum_of, {.dynamic_axes = {{3, 0, "n"}}})(at(1), t); }),
            "compile: axis 0 of argument 3 is to be dynamic ('n'), and there are 2 arguments; an argument with tensors "
            "is expected.");
  EXPECT_EQ(message([&] {
              compile([](const Tensor& x, int k) { return x * k; }, {.dynamic_axes = {{1, 0, "n"}}})(at(1), 2);
            }),
            "compile: axis 0 of argument 1 is to be dynamic ('n'), and it has no tensors; an argument with tensors is "
            "expected.");
  EXPECT_EQ(message([&] { compile(sum_of, {.max_traces = 0}); }), "compile: max_traces is 0; at least 1 is expected.");
  EXPECT_EQ(message([&] { compile(sum_of)(Tensor(), t); }), "compile: argument 0 is an empty Tensor.");
  EXPECT_EQ(message([&] { compile([](const Tensor&) { return Tensor(); })(at(1)); }),
            "compile: the function returned an empty Tensor.");
  EXPECT_EQ(error_of([&] { compile(sum_of)(at(1), Tree()); }).kind(), ErrorKind::kValue);  // the function's own
}

TEST_P(Structures, AtMostSoManyStructuresAreKept) {
  int calls = 0;
  const auto f = compile(
      [&](const Tensors& all, bool negate) {
        ++calls;
        Tensor sum = all[0];
        for (std::size_t i = 1; i < all.size(); ++i) sum += all[i];
        return negate ? -sum : sum;
      },
      {.max_traces = 2});
  for (const std::size_t n : {1U, 2U, 1U, 3U, 1U, 2U}) {  // 2 is gone when it is used again
    EXPECT_EQ(floats(f(Tensors(n, at(1)), false))[0], static_cast<float>(n));
  }
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(f.traces(), 2U);
}

TEST_P(Structures, InsideOtherGraphs) {
  const auto inner =
      compile([](const Tree& p, const Tensor& x) { return std::tuple((p["w"] * x).sum(), Tree{{"y", x * 2}}); },
              {.donate = {0}});
  const Tree p{{"w", at(1)}};
  const auto loss_of = [&](const Tree& q, const Tensor& x) {
    auto [loss, rest] = inner(q, x);
    return loss + rest["y"].sum();
  };
  const auto [loss, g] = value_and_grad(loss_of, argnums<0>)(p, at(3));
  EXPECT_EQ(loss.item(), 11 + 14);
  EXPECT_EQ(floats(g["w"]), (Floats{3, 4}));
  const auto outer = compile([&](const Tree& q, const Tensor& x) { return value_and_grad(loss_of, argnums<0>)(q, x); });
  for (int i = 0; i < 2; ++i) {
    const auto [again, gradient] = outer(p, at(3));
    EXPECT_EQ(again.item(), 25);
    EXPECT_EQ(floats(gradient["w"]), (Floats{3, 4}));
  }
  EXPECT_EQ(outer.traces(), 1U);
  Tensor variable = at(1);
  variable.requires_grad();
  std::get<0>(inner({{"w", variable}}, at(3))).backward();
  EXPECT_EQ(floats(variable.grad()), (Floats{3, 4}));
}

TEST_P(Structures, ThreadsMayCallWithAnyStructure) {
  const auto sums = compile([](const Tensors& all) {
    Tensor sum = all[0];
    for (std::size_t i = 1; i < all.size(); ++i) sum += all[i];
    return std::pair(sum, all.size() > 1 ? Tensors{sum * 2} : Tensors{});
  });
  std::vector<std::thread> threads;
  std::array<int, 4> wrong{};
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    threads.emplace_back([&, k] {
      for (int i = 0; i < 12; ++i) {
        const std::size_t n = 1 + (k + static_cast<std::size_t>(i)) % 3;
        const auto [sum, twice] = sums(Tensors(n, at(2)));
        if (floats(sum)[0] != 2.0F * static_cast<float>(n) || twice.size() != (n > 1 ? 1U : 0U)) ++wrong[k];
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
  EXPECT_EQ(sums.traces(), 3U);
}

TEST_P(Structures, GradientsHaveTheFormOfTheArguments) {
  const Tensor x = at(3);
  const Tensor target(std::vector<std::int32_t>{1, 0}, {2}, device_);
  const auto f = [](const Tree& p, const Tensor& in, const Tensor& integers, const Layer& layer, int k) {
    return (p["w"].square() * in * layer.weight * k + integers * p["b.0"]).sum();
  };
  const Tree p{{"w", at(1)}, {"b", Tree::list({at(5)})}};
  const Layer layer{at(2), {}};
  const auto [value, dp] = value_and_grad(f, argnums<0>)(p, x, target, layer, 2);
  static_assert(std::same_as<std::remove_cvref_t<decltype(dp)>, Tree>);
  EXPECT_EQ(value.item(), 1 * 3 * 2 * 2 + 4 * 4 * 3 * 2 + 5);
  EXPECT_EQ(dp.names(), p.names());
  EXPECT_EQ(floats(dp["w"]), (Floats{2 * 1 * 3 * 2 * 2, 2 * 2 * 4 * 3 * 2}));
  EXPECT_EQ(floats(dp["b.0"]), (Floats{1, 0}));
  const auto [same, several] = value_and_grad(f, argnums<3, 0, 1>)(p, x, target, layer, 2);
  static_assert(std::same_as<std::remove_cvref_t<decltype(several)>, std::tuple<Layer, Tree, Tensor>>);
  EXPECT_EQ(floats(std::get<0>(several).weight), (Floats{6, 32}));
  EXPECT_FALSE(std::get<0>(several).bias.defined());
  EXPECT_EQ(floats(std::get<1>(several)["w"]), floats(dp["w"]));
  EXPECT_EQ(floats(std::get<2>(several)), (Floats{4, 24}));
  EXPECT_EQ(same.item(), value.item());
  EXPECT_EQ(floats(grad(f, argnums<0>)(p, x, target, layer, 2)["w"]), floats(dp["w"]));
  // Without argnums: all of them, as an array if they are tensors.
  const auto product = [](const Tensor& a, const Tensor& b) { return (a * b).sum(); };
  static_assert(std::same_as<decltype(grad(product)(x, x)), std::array<Tensor, 2>>);
  static_assert(std::same_as<decltype(grad(product, argnums<1>)(x, x)), Tensor>);
  static_assert(std::same_as<decltype(grad([](const Tensors& a) { return a[0].sum(); })(Tensors{x})), Tensors>);
  EXPECT_EQ(floats(grad(product, argnums<1, 0>)(x, at(1))[0]), floats(x));
  EXPECT_EQ(grad([](const Tensor& a) { return a * a; })(3.0).item(), 6);
  const auto [both, pair] = value_and_grad([](const Tree& a, const Tensor& b) { return (a["w"] * b).sum(); })(p, x);
  EXPECT_EQ(floats(std::get<1>(pair)), (Floats{1, 2}));
  EXPECT_EQ(floats(std::get<0>(pair)["b.0"]), (Floats{0, 0}));  // not used
  // The gradient of a gradient.
  const auto slope = [&](const Tree& q) { return grad(f, argnums<0>)(q, x, target, layer, 2)["w"].sum(); };
  EXPECT_EQ(floats(grad(slope)(p)["w"]), (Floats{2 * 3 * 2 * 2, 2 * 4 * 3 * 2}));
}

TEST_P(Structures, AuxIsReturnedWithoutHistory) {
  const Tree p{{"w", at(1)}};
  const auto f = [](const Tree& q, const Tensor& x) {
    const Tensor y = q["w"] * x;
    return std::pair(y.square().sum(), std::tuple(y, Tree{{"twice", y * 2}}, std::string("text")));
  };
  const auto [value, gradients, aux] = value_and_grad(f, argnums<0>)(p, at(3));
  EXPECT_EQ(value.item(), 9 + 64);
  EXPECT_EQ(floats(gradients["w"]), (Floats{18, 64}));
  EXPECT_EQ(floats(std::get<0>(aux)), (Floats{3, 8}));
  EXPECT_EQ(floats(std::get<1>(aux)["twice"]), (Floats{6, 16}));
  EXPECT_EQ(std::get<2>(aux), "text");
  for (const Tensor& t : {value, gradients["w"], std::get<0>(aux), std::get<1>(aux)["twice"]}) {
    EXPECT_FALSE(t.is_tracked());
  }
  const auto [only, second] = grad(f, argnums<0>)(p, at(3));
  EXPECT_EQ(floats(only["w"]), (Floats{18, 64}));
  EXPECT_EQ(std::get<2>(second), "text");
  // To an outer gradient, aux is a value like any other.
  const auto outer = [&](const Tree& q) { return std::get<0>(value_and_grad(f, argnums<0>)(q, at(3)).aux).sum(); };
  EXPECT_EQ(floats(grad(outer)(p)["w"]), (Floats{3, 4}));
  // In a compiled step.
  const auto step = compile([&](const Tree& q) {
    auto [loss, g, rest] = value_and_grad(f, argnums<0>)(q, at(3));
    return std::tuple(loss, g, std::get<1>(rest));
  });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(floats(std::get<2>(step(p))["twice"]), (Floats{6, 16}));
}

TEST_P(Structures, GradientsOfIntegersAreErrors) {
  const Tensor integers(std::vector<std::int32_t>{1, 2}, {2}, device_);
  const auto message = [](const auto& f) {
    const Error error = error_of(f);
    EXPECT_EQ(error.kind(), ErrorKind::kDType);
    return std::string(error.what());
  };
  const auto sum_of = [](const Tree& t, const Tensor& x) { return (t.tensors()[0] * x).sum(); };
  const Tree mixed{{"a", at(1)}, {"b", integers}};
  EXPECT_EQ(message([&] { value_and_grad(sum_of, argnums<0>)(mixed, at(1)); }),
            "value_and_grad: tensor 1 of argument 0 has type i32; gradients are taken with respect to floats.");
  EXPECT_EQ(message([&] { value_and_grad(sum_of, argnums<1>)(mixed, integers); }),
            "value_and_grad: argument 1 has type i32; gradients are taken with respect to floats.");
  EXPECT_EQ(value_and_grad(sum_of, argnums<1>)(mixed, at(2)).first.item(), 2 + 6);
}

TEST_P(Structures, ReadingInsideATraceSaysWhatToDo) {
  const Tensor constant = at(1);  // captured: has a value
  const std::vector<std::pair<std::string, std::function<void(const Tensor&)>>> reads{
      {"item<float>", [](const Tensor& x) { static_cast<void>(x.sum().item<float>()); }},
      {"item<int>", [](const Tensor& x) { static_cast<void>(x.sum().item<int>()); }},
      {"item", [](const Tensor& x) { static_cast<void>(x.sum().item()); }},
      {"to_vector", [](const Tensor& x) { static_cast<void>(x.to_vector<float>()); }},
      {"data", [](const Tensor& x) { static_cast<void>(x.data<float>()); }},
      {"read", [](const Tensor& x) { x.read<float>([](const Floats&, const std::exception_ptr&) {}); }},
      {"read_async", [](const Tensor& x) { x.read_async<float>().get(); }},
      {"read_all", [](const Tensor& x) { read_all(std::span(&x, 1), [](const auto&, const auto&) {}); }},
      {"Async", [](const Tensor& x) { tessera::read<float>(x).get(); }},
      {"str", [](const Tensor& x) { static_cast<void>(x.str()); }},
      {"operator<<",
       [](const Tensor& x) {
         std::ostringstream out;
         out << x;
       }},
      {"eval", [](const Tensor& x) { x.eval(); }},
      {"eval of several", [](const Tensor& x) { tessera::eval(x, x + 1); }},
      {"host_view", [](const Tensor& x) { host_view(x); }},
      {"read_into",
       [](const Tensor& x) {
         Floats to(2);
         read_into(x, std::as_writable_bytes(std::span(to)));
       }},
      {"Buffer::of", [](const Tensor& x) { static_cast<void>(Buffer::of(x)); }},
      {"allclose", [](const Tensor& x) { static_cast<void>(allclose(x, x)); }},
      {"nonzero", [](const Tensor& x) { nonzero(x); }},
      {"masked_select", [](const Tensor& x) { masked_select(x, x.greater(0)); }},
      {"mask", [](const Tensor& x) { static_cast<void>(x[x.greater(0)]); }},
      {"unique", [](const Tensor& x) { unique(x); }},
      {"bincount", [](const Tensor& x) { bincount(x.astype(i32)); }},
  };
  for (const auto& [name, read] : reads) {
    EXPECT_NO_THROW(read(constant)) << name;
    const auto traced = [&, &read_it = read](const Tensor& x) {
      read_it(constant);
      read_it(x);
      return x;
    };
    const auto derived = [&, &read_it = read](const Tensor& x) {
      read_it(x * 2 + constant);
      return x;
    };
    const auto stepped = [&, &read_it = read](const Tensors& carry, const Tensors& /*xs*/) {
      read_it(carry[0] + 1);
      return Scanned{carry, {}};
    };
    const std::vector<std::pair<std::string, std::function<void()>>> places{
        {"an argument", [&] { compile(traced)(at(1)); }},
        {"a result", [&] { compile(derived)(at(1)); }},
        {"the carry of a scan", [&] { scan(stepped, {at(1)}, {}, {.length = 3}); }},
    };
    for (const auto& [where, call] : places) {
      const Error error = error_of(call);
      EXPECT_EQ(error.kind(), ErrorKind::kValue) << name << " of " << where;
      EXPECT_NE(std::string(error.what()).find("compile() or scan() traces"), std::string::npos)
          << name << " of " << where << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find("Return it from the function"), std::string::npos)
          << name << " of " << where << ": " << error.what();
    }
  }
  const auto backward = compile([](const Tensor& x) {
    Tensor w = x;
    w.requires_grad();
    (w * w).sum().backward();
    return w.grad();
  });
  const Error error = error_of([&] { backward(at(1)); });
  EXPECT_EQ(error.kind(), ErrorKind::kValue);
  EXPECT_NE(std::string(error.what()).find("use value_and_grad() or grad() inside of it"), std::string::npos);
}

TESSERA_ON_ALL_DEVICES(Structures);

}  // namespace
}  // namespace tessera::test
