// Scans, sorts and scatters of views against the oracle: every op, dtype and layout, read where the view lies.
#include <array>
#include <complex>

#include <fmt/format.h>

#include "ops/sort/sort.h"
#include "sort/support.h"
#include "support/check.h"

namespace tessera::test {
namespace {

class SortViews : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(SortViews);

/// Views of [6, 8, 10] with strides of all kinds: several axes of rows that do not merge, negative strides, zeros.
const std::vector<Layout>& views() {
  static const std::vector<Layout> kViews{
      {"contiguous", [](const Tensor& x) { return x; }},
      {"transposed", [](const Tensor& x) { return permute(x, {2, 1, 0}); }},
      {"heads",
       [](const Tensor& x) { return permute(reshape(slice(x, {{}, {}, {2, 8}}), {6, 8, 2, 3}), {0, 2, 1, 3}); }},
      {"sliced", [](const Tensor& x) { return slice(x, {{1, 6, 2}, {2, 8}, {3, 10}}); }},
      {"flipped", [](const Tensor& x) { return flip(x); }},
      {"flipped columns", [](const Tensor& x) { return flip(slice(x, {{2, 4}}), {2}); }},
      {"rows broadcast", [](const Tensor& x) { return broadcast_to(slice(x, {{2, 3}, {}, {1, 9}}), {4, 8, 8}); }},
      {"columns broadcast", [](const Tensor& x) { return broadcast_to(slice(x, {{}, {}, {3, 4}}), {6, 8, 9}); }},
      {"one row", [](const Tensor& x) { return slice(x, {{4, 5}, {3, 4}, {1, 6}}); }},
  };
  return kViews;
}

std::vector<DType> types_of(const Device& device) {
  if (device.info().type == DeviceType::kCpu) return dtypes_of(device);
  return {f32, i64};  // each is some fifty pipelines
}

/// The tensors, as the device and as the oracle compute them.
void expect_oracle(const std::vector<std::string>& names, const std::vector<Tensor>& tensors, const std::string& what) {
  std::vector<NodePtr> roots;
  for (const Tensor& t : tensors) roots.push_back(t.node());
  std::vector<Tensor> leaves;
  for (const Graph::Entry& e : snapshot(roots).entries) {
    if (e.storage != nullptr) leaves.emplace_back(e.node);
  }
  const auto values = read_values(leaves);
  const auto expected = reference::evaluate(roots, [&](const Node& n) {
    const auto leaf = std::ranges::find(leaves, &n, [](const Tensor& t) { return t.node().get(); });
    return values[static_cast<std::size_t>(leaf - leaves.begin())];
  });
  const auto got = read_values(tensors);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::string which = names[i] + " of " + what;
    ASSERT_EQ(got[i].i, expected[i].i) << which;
    ASSERT_EQ(got[i].f.size(), expected[i].f.size()) << which;
    // The largest element, of up to 2, and the logarithm of a sum are added.
    const double relative = names[i] == "logcumsumexp" ? (size_of(got[i].dtype) == 2 ? 8e-3 : 2e-6) : 0;
    for (std::size_t k = 0; k < got[i].f.size(); ++k)
      ASSERT_NEAR(got[i].f[k], expected[i].f[k], relative * (2 + std::fabs(expected[i].f[k]))) << which << " at " << k;
  }
}

struct Results {
  std::vector<std::string> names;
  std::vector<Tensor> tensors;
  void add(std::string name, const Tensor& t) {
    names.push_back(std::move(name));
    tensors.push_back(t);
  }
  void add(const std::string& name, const Indexed& x) {
    add(name, x.values);
    add(name + " indices", x.indices);
  }
};

TEST_P(SortViews, EveryOpTypeAndLayout) {
  for (const DType t : types_of(device_)) {
    // Small integers: sums and products of a few are exact in every type.
    const bool is_unsigned = t == u8 || t == u16 || t == u32 || t == u64 || t == boolean;
    const Tensor base =
        make_tensor(value_of(t, {6, 8, 10},
                             [&] {
                               std::vector<double> v;
                               for (const std::int32_t x : numbers<std::int32_t>(480, 5, is_unsigned ? 0 : -2, 2))
                                 v.push_back(x);
                               return v;
                             }()),
                    device_);
    for (const Layout& layout : views()) {
      const Tensor x = layout.view(base);
      Results r;
      const int last = x.rank() - 1;
      for (const int axis : {0, 1, last}) {
        if (axis == 1 && layout.name != "heads" && !on_cpu()) continue;
        r.add("cumsum", cumsum(x, axis));
        r.add("cummax", cummax(x, axis));
        r.add("sort", sort_with_indices(x, axis, axis == 0));
        if (axis == 0) r.add("topk", topk(x, 1, axis));
        if (axis != last) continue;
        r.add("cumprod", cumprod(x, axis));
        r.add("cummin", cummin(x, axis));
        if (is_float(t)) r.add("logcumsumexp", logcumsumexp(x, axis));
      }
      const NodePtr rows = ops::reshape(x.node(), {x.numel() / x.size(last), x.size(last)});
      r.add("exclusive backward", Tensor(ops::cumsum(rows, 1, {.exclusive = true, .reverse = true})));
      const Tensor order = argsort(x, 0);
      r.add("put_in_rows", Tensor(ops::put_in_rows(rows, argsort(Tensor(rows), 1).node())));
      r.add("put_in_rows at a view",
            Tensor(ops::put_in_rows(
                ops::permute(ops::reshape(x.node(), {x.size(0), x.numel() / x.size(0)}), std::array{1, 0}),
                ops::permute(ops::reshape(order.node(), {x.size(0), x.numel() / x.size(0)}), std::array{1, 0}))));
      r.add("searchsorted", searchsorted(sort(base, 2), x.shape() == base.shape() ? x : base));
      if (x.rank() == 3) r.add("searchsorted in views", searchsorted(x, slice(x, {{}, {}, {0, 2}})));
      for (const Scatter mode : {Scatter::kSet, Scatter::kAdd, Scatter::kMax}) {
        r.add(fmt::format("scatter {}", static_cast<int>(mode)), scatter(x, order, flip(x, {0}), 0, mode));
      }
      for (int axis = 0; axis < x.rank(); ++axis) {
        const Tensor at = arange(0, static_cast<double>(x.size(axis)), 1, i32) / Tensor(3);
        r.add("index_add", index_add(x, axis, cast(at, i32), flip(x, {axis})));
      }
      expect_oracle(r.names, r.tensors, fmt::format("{} {}", name(t), layout.name));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(SortViews, ComplexScans) {
  if (!on_cpu()) GTEST_SKIP() << "complex numbers are on the CPU alone";
  const Floats parts = numbers<float>(96, 9);
  std::vector<std::complex<float>> data;
  for (const float v : parts) data.emplace_back(v, 1.5F - v);
  const Tensor x(data, {8, 12});
  for (const Layout& layout : layouts()) {
    const Tensor view = layout.view(x);
    if (view.rank() == 0 || view.numel() == 0) continue;
    for (const auto op : {&cumsum, &cumprod}) {
      const Tensor y = op(view, 0) - op(contiguous(view + Tensor(0.0F)), 0);
      EXPECT_EQ(max(abs(y)).item<float>(), 0.0F) << layout.name;
    }
  }
}

/// Long rows: scans in tiles and radix sorts, of slices and of transposes.
TEST_P(SortViews, LongRows) {
  const std::vector<float> data = numbers<float>(3 * 9000, 11, -100, 100);
  const Tensor x(data, {3, 9000});
  const auto whole = [](const Tensor& v) { return floor(v); };
  const Tensor base = whole(x);
  const Tensor across = whole(Tensor(data, {9000, 3}));
  eval({base, across});
  Results r;
  for (const auto& [name, view] :
       std::vector<std::pair<std::string, Tensor>>{{"slice", slice(base, {{1, 3}, {5, 8805}})},
                                                   {"flip", flip(base, {1})},
                                                   {"transpose", permute(across, {1, 0})}}) {
    r.add("cumsum of a " + name, cumsum(view, 1));
    r.add("argsort of a " + name, argsort(view, 1));
    r.add("sort of a " + name, sort(view, 1));
  }
  expect_oracle(r.names, r.tensors, "long rows");
}

}  // namespace
}  // namespace tessera::test
