// SPDX-License-Identifier: Apache-2.0
// spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues) [MLS, 3.7.5].
#include <array>

#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {
namespace {

constexpr std::array<std::string_view, 6> names{"in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"};
constexpr std::size_t needed = 4, positive = 3;  // arguments that must be given; the only Boolean one

const Node* pair_of(Nodes& nodes, double left, double right, Span span) {
  return nodes.array({nodes.number(left, Basic::real, span), nodes.number(right, Basic::real, span)}, span);
}

}  // namespace

Outcome<Done> Typer::check_profile(const Node& node) {
  const Node *places = node.children[needed], *values = node.children[needed + 1];
  for (const Node* x : {places, values}) {
    if (x->dims.size() != 1 || !is_numeric(x->basic)) return wrong(expected_type, x->span, {"a vector", type_text(*x)});
    if (x->level > Level::parameter) return wrong(value_varies, x->span, {"spatialDistribution"});
  }
  if (places->dims[0] == values->dims[0] && places->dims[0] > 0) return Done{};
  return wrong(sizes_differ, values->span, {"profile at the start", dims_text(places->dims), dims_text(values->dims)});
}

Typed Typer::spatial_distribution(const ast::Expr& expr) {
  auto given = named_arguments(expr, names);
  if (!given) return given.failure();
  Node node;
  node.kind = NodeKind::transported;
  node.children = std::move(*given);
  node.span = expr.span;
  for (std::size_t k = 0; k < needed; ++k) {
    const Node* x = node.children[k];
    if (x == nullptr) return wrong(argument_count, expr.span, {"spatialDistribution", "4", std::to_string(k)});
    bool fits = k == positive ? x->basic == Basic::boolean : is_numeric(x->basic);
    if (!x->dims.empty() || !fits)
      return wrong(expected_type, x->span, {k == positive ? "a scalar Boolean" : "a scalar number", type_text(*x)});
  }
  for (std::size_t k = needed; k < names.size(); ++k)
    if (node.children[k] == nullptr) node.children[k] = pair_of(nodes(), 0, k == needed ? 1 : 0, expr.span);
  if (auto done = check_profile(node); !done) return done.failure();
  return nodes().add(std::move(node));
}

const Node* Typer::right_end(const Node& left) {
  Node node = left;
  node.value = 1;
  return nodes().add(std::move(node));
}

}  // namespace bolza::flatten
