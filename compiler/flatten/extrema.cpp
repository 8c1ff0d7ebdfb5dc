// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "compiler/flatten/extrema_internal.h"
#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/flatten/nodes/codes.h"

namespace bolza::flatten {
namespace {

using ir::Op;

bool has_extremum(const Node& node) {
  auto part = [](const Node* p) { return p != nullptr && has_extremum(*p); };
  return node.kind == NodeKind::extremum || std::any_of(node.children.begin(), node.children.end(), part);
}

/// Grows with every operand.
bool is_increasing(Op op) {
  return op == Op::add || op == Op::max || op == Op::min || op == Op::exp || op == Op::sqrt || op == Op::log ||
         op == Op::log10;
}

bool is_negative(const Node& node) {
  if (node.kind == NodeKind::apply && node.op == Op::neg) return !is_negative(*node.children[0]);
  return node.kind == NodeKind::number && node.value < 0;
}

/// The text of an expression in one line, as it stands in the model.
std::string text_at(const Sources& sources, Span span) {
  if (!span) return "maxOverTime";
  std::string text;
  for (char c : sources.text(span.file).substr(span.begin, span.end - span.begin)) {
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) text += c;
    else if (!text.empty() && text.back() != ' ') text += ' ';
  }
  return text;
}

}  // namespace

/// One side of `limit` for every part that |…|, max(…) or min(…) has.
void ExtremumSplit::bound(const Node& part, const Node& limit, Op op, Span span) {
  if (part.kind == NodeKind::apply && part.op == op) {
    for (const Node* child : part.children) bound(*child, limit, op, span);
    return;
  }
  if (part.kind == NodeKind::apply && part.op == Op::abs && op == Op::max) {
    bound(*part.children[0], limit, op, span);
    return bound(*model_.nodes.apply(Op::neg, {part.children[0]}, Basic::real, part.span), limit, op, span);
  }
  const Node* difference = model_.nodes.apply(Op::sub, {&part, &limit}, Basic::real, span);
  Node zero = *model_.nodes.number(0, Basic::real, span);
  zero.dims = difference->dims;
  NamedAxes no_names;
  std::uint32_t rows = emit_pairs(model_, work_.space, *difference, *model_.nodes.add(std::move(zero)),
                                  {&problem_.path.section, ExpressionPlace::path, span, &no_names});
  problem_.path.relations.insert(problem_.path.relations.end(), rows,
                                 op == Op::max ? ir::Relation::less_equal : ir::Relation::greater_equal);
}

Typed ExtremumSplit::parameter_for(const Node& extremum) {
  AuxiliaryRun run{0, 1, extremum.span, text_at(model_.tree.sources(), extremum.span), ir::VariableKind::parameter};
  run.free = true;
  Node node;
  node.kind = NodeKind::auxiliary;
  node.basic = Basic::real;
  node.value = static_cast<double>(add_auxiliaries(model_, run) & ~provisional::kind);
  node.span = extremum.span;
  const Node* parameter = model_.nodes.add(std::move(node));
  bound(*extremum.children[0], *parameter, extremum.op, extremum.span);
  return parameter;
}

Typed ExtremumSplit::replace(const Node& node, bool down) {
  if (!has_extremum(node)) return &node;
  if (node.kind == NodeKind::extremum) {
    bool fits = (node.op == Op::max) == down && !has_extremum(*node.children[0]);
    return fits ? parameter_for(node) : model_.diagnostics.error(extremum_not_monotone, node.span);
  }
  auto fail = [&] { return model_.diagnostics.error(extremum_not_monotone, node.span); };
  if (node.kind != NodeKind::apply) return fail();
  std::vector<const Node*> children = node.children;
  for (std::size_t k = 0; k < children.size(); ++k) {
    if (!has_extremum(*children[k])) continue;
    bool way = down;
    if (node.op == Op::neg || (node.op == Op::sub && k == 1)) way = !down;
    else if (node.op == Op::mul || (node.op == Op::div && k == 0)) way = down != is_negative(*node.children[1 - k]);
    else if (node.op != Op::sub && !is_increasing(node.op)) return fail();
    if (node.op == Op::mul && has_extremum(*node.children[1 - k])) return fail();
    auto part = replace(*children[k], way);
    if (!part) return part;
    children[k] = part;
  }
  return model_.nodes.apply(node.op, std::move(children), Basic::real, node.span);
}

Outcome<std::pair<const Node*, const Node*>> ExtremumSplit::sides(const Node& left, const Node& right,
                                                                  ir::Relation relation) {
  if (!has_extremum(left) && !has_extremum(right)) return std::pair(&left, &right);
  if (relation == ir::Relation::equal)
    return model_.diagnostics.error(extremum_not_monotone, has_extremum(left) ? left.span : right.span);
  bool down = relation == ir::Relation::less_equal;
  auto first = replace(left, down), second = first ? replace(right, !down) : first;
  if (!second) return second.failure();
  const Node *a = first, *b = second;
  return std::pair(a, b);
}

}  // namespace bolza::flatten
