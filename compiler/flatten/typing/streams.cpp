// SPDX-License-Identifier: Apache-2.0
// inStream and actualStream [MLS, 15.2 and 15.3].
#include <algorithm>
#include <functional>
#include <utility>

#include "compiler/flatten/model/streams_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {

using ir::Op;

namespace {

/// The variable that a place is of; null where it is of none, or of several.
const Node* leaf_of_place(const Node& place) {
  switch (place.kind) {
    case NodeKind::variable:
      return &place;
    case NodeKind::index:
    case NodeKind::comprehension:
      return leaf_of_place(*place.children[0]);
    default:
      return nullptr;
  }
}

/// The same elements of another variable of equal dimensions; of an array of places, of each of them.
const Node* with_other_leaf(Nodes& nodes, const Node& place, const std::function<const Node*(const Node&)>& other) {
  if (place.kind == NodeKind::variable) return other(place);
  Node changed = place;
  std::size_t n = place.kind == NodeKind::array ? place.children.size() : 1;
  for (std::size_t k = 0; k < n; ++k) {
    changed.children[k] = with_other_leaf(nodes, *place.children[k], other);
    if (changed.children[k] == nullptr) return nullptr;
  }
  changed.instance = changed.children[0]->instance;
  return nodes.add(std::move(changed));
}

/// Places of variables: names, their elements, arrays of those.
bool is_place(const Node& node) {
  if (node.kind == NodeKind::array && node.children.empty()) return false;
  if (node.kind == NodeKind::index || node.kind == NodeKind::comprehension) return is_place(*node.children[0]);
  if (node.kind == NodeKind::array)
    return std::all_of(node.children.begin(), node.children.end(), [](const Node* part) { return is_place(*part); });
  return node.kind == NodeKind::variable && node.instance != nullptr;
}

const Node* variable_beside(Nodes& nodes, const Node& variable, const Instance& other) {
  Node node = variable;
  node.instance = &other;
  return nodes.add(std::move(node));
}

/// The flow of the elements of a stream variable: without the dimensions that the stream has in its connector.
const Node* flow_of_place(Typer& typer, const Node& place, const Stream& stream) {
  if (place.kind == NodeKind::comprehension) {
    const Node* inner = flow_of_place(typer, *place.children[0], stream);
    auto outer = place.dims.begin() + static_cast<std::ptrdiff_t>(place.axes.size());
    return typer.nodes().comprehension(inner, place.axes, {place.children.begin() + 1, place.children.end()},
                                       {place.dims.begin(), outer}, place.span);
  }
  Node flow = *leaf_of_place(place);
  flow.instance = stream.flow;
  flow.dims = typer.dimensions_of(*stream.flow);
  std::vector<const Node*> at;
  if (place.kind == NodeKind::index) at = place.subscripts;
  at.resize(stream.connector_rank, nullptr);
  at.resize(flow.dims.size(), typer.nodes().number(1, Basic::integer, place.span));
  return typer.nodes().index(typer.nodes().add(std::move(flow)), std::move(at), place.span);
}

bool has_factor(const Node& node, const Node& factor) {
  if (same_place(node, factor)) return true;
  if (node.kind != NodeKind::apply || (node.op != Op::mul && node.op != Op::neg)) return false;
  return std::any_of(node.children.begin(), node.children.end(), [&](const Node* c) { return has_factor(*c, factor); });
}

}  // namespace

/// `flow*actualStream(h)` has no jump where the flow changes its sign, so it makes no event there [MLS, 15.3].
const Node* Typer::beside_flow(const Node* x, const Node* factor) const {
  auto at = model.actual_streams.find(x);
  return at != model.actual_streams.end() && has_factor(*factor, *at->second.first) ? at->second.second : x;
}

std::optional<Typed> Typer::stream_operator(std::string_view name, const ast::Expr& expr) {
  if (name != "inStream" && name != "actualStream") return {};
  std::vector<const Node*> x;
  bool at_end = std::exchange(final_values, false);
  auto given = arguments_in_model(expr, 1, 1, x);
  final_values = at_end;
  if (!given) return given.failure();
  auto mistake = [&](const std::string& what) { return wrong(not_a_stream, x[0]->span, {name, what}); };
  const ast::Expr& written = *expr.arguments->positional[0];
  if (!is_place(*x[0])) return mistake("`" + syntax::print(written) + "`");
  auto in_stream = [&](const Node& leaf) -> const Node* {
    auto at = model.streams.find(leaf.instance);
    if (at != model.streams.end()) return variable_beside(nodes(), leaf, *at->second.in_stream);
    bool is_empty = leaf.instance->connection == ast::Connection::stream && size_of(leaf.dims) == 0;
    return is_empty ? &leaf : nullptr;
  };
  const Node* in = with_other_leaf(nodes(), *x[0], in_stream);
  if (in == nullptr) return mistake("`" + syntax::print(written) + "`, which is declared without `stream`");
  auto at_its_time = [&](const Node* node) { return at_end ? final_value(node, expr.span) : node; };
  if (name == "inStream" || size_of(in->dims) == 0) return at_its_time(in);
  auto actual = [&](const Node& place) {
    const Node* leaf = leaf_of_place(place);
    const Node* flow = flow_of_place(*this, place, model.streams.at(leaf->instance));
    return actual_stream(at_its_time(&place), at_its_time(with_other_leaf(nodes(), place, in_stream)), at_its_time(flow),
                         *leaf->instance, expr.span);
  };
  if (x[0]->kind != NodeKind::array) return actual(*x[0]);
  std::vector<const Node*> parts;
  for (const Node* part : x[0]->children) {
    auto value =
        part->kind == NodeKind::array ? wrong(not_a_stream, part->span, {name, "an array of arrays"}) : actual(*part);
    if (!value) return value;
    parts.push_back(value);
  }
  return nodes().array(std::move(parts), expr.span);
}

Typed Typer::actual_stream(const Node* own, const Node* in, const Node* flow, const Instance& variable, Span span) {
  auto real = [&](Op op, std::vector<const Node*> x) { return nodes().apply(op, std::move(x), Basic::real, span); };
  const FlowRange& range = model.flow_ranges.at(model.streams.at(&variable).flow);
  double nominal = *std::min_element(range.nominal.begin(), range.nominal.end());
  auto chosen = [&](const Node* m, const Node* a, const Node* b) -> const Node* {  // a where m > 0
    if (!model.smooth_streams)
      return nodes().choose(NodeKind::select,
                            nodes().apply(Op::greater, {m, nodes().number(0, Basic::real, span)}, Basic::boolean, span), a,
                            b, span);
    double width = stream_at_rest * nominal;
    const Node* size =
        real(Op::sqrt, {real(Op::add, {real(Op::mul, {m, m}), nodes().number(width * width, Basic::real, span)})});
    const Node* one = nodes().number(1, Basic::real, span);
    const Node* share =
        real(Op::mul, {nodes().number(0.5, Basic::real, span), real(Op::add, {one, real(Op::div, {m, size})})});
    return real(Op::add, {b, real(Op::mul, {share, real(Op::sub, {a, b})})});
  };
  if (model.smooth_streams) {  // the direction that bounds leave is no choice
    if (*std::min_element(range.min.begin(), range.min.end()) >= 0) return in;
    if (*std::max_element(range.max.begin(), range.max.end()) <= 0) return own;
  }
  const Node* value = nullptr;
  if (flow->dims.empty()) {
    value = chosen(flow, in, own);
  } else {
    auto each = generate(own->dims, span, [&](const std::vector<const Node*>& at) {
      std::vector<const Node*> of_flow(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(flow->dims.size()));
      return chosen(nodes().index(flow, of_flow, span), nodes().index(in, at, span), nodes().index(own, at, span));
    });
    if (!each) return each;
    value = each;
  }
  if (model.smooth_streams) return value;
  auto literal = without_events(value, span);
  if (!literal) return literal;
  model.actual_streams.emplace(value, std::make_pair(flow, static_cast<const Node*>(literal)));
  return value;
}

}  // namespace bolza::flatten
