// Rewrite rule: elementwise ops on images that are stored with channels last (channels_last.h) are computed in the
// order of memory, and a view gives them their shape.
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

bool matches(const Rewriter& out, const Graph::Entry& e) { return out.channels_last() && is_elementwise(e.op()); }

bool legal(const Rewriter&, const Graph::Entry& e) { return e.node->shape().rank() > 2 && e.node->numel() > 0; }

int rewrite(Rewriter& out, const Graph::Entry& e) {
  const Shape& shape = e.node->shape();
  const std::int64_t channels = shape[1];
  const std::int64_t places = shape.numel() / shape[0] / channels;
  const Shape memory{shape[0], places, channels};
  const std::int64_t image = places * channels;
  const auto view_of = [&](int in, const Shape& to, std::vector<Dim> dims) {
    const View view = make_view(std::move(dims), 0, {}, to.numel());
    if (view.identity() && out.graph().node(in).shape() == to) return in;
    auto node = std::make_shared<const Node>(Op::kView, out.graph().node(in).dtype(), to, nullptr,
                                             Node::Inputs{out.graph()[in].node}, view);
    return apply_rules(out, {std::move(node), {in}, nullptr});  // may be a view of a view
  };
  std::vector<int> inputs;
  for (const int in : e.inputs)
    inputs.push_back(view_of(in, memory, {{shape[0], image}, {places, 1}, {channels, places}}));
  const bool last = out.set_channels_last(false);  // for the other rules
  Node::Inputs nodes;
  for (const int in : inputs) nodes.push_back(out.graph()[in].node);
  auto node = std::make_shared<const Node>(e.op(), e.node->dtype(), memory, nullptr, std::move(nodes), e.node->attrs());
  const int result = apply_rules(out, {std::move(node), std::move(inputs), nullptr});
  out.set_channels_last(last);
  return view_of(result, shape, {{shape[0], image}, {channels, 1}, {places, channels}});
}

}  // namespace

extern const RewriteRule kChannelsLast{"channels last", matches, legal, rewrite};

}  // namespace tessera::schedule
