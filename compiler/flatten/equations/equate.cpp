// SPDX-License-Identifier: Apache-2.0
// Equations: continuous ones become residuals, equations between discrete values keep their two sides.
#include "compiler/flatten/equations/equate_internal.h"

#include <algorithm>

#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/sides_internal.h"

namespace bolza::flatten {
namespace {

/// One of several values that a call gives, as the status that comes with a result: let pass, though Modelica asks for
/// arguments that change at events only.
bool has_by_product(const Node& node) {
  if (node.kind == NodeKind::call && node.call != nullptr && node.instance != nullptr) {
    auto is_port = [](const Instance* child) { return is_output(*child); };
    const auto& children = node.call->function->children;
    return node.instance->parent != node.call->function || std::count_if(children.begin(), children.end(), is_port) > 1;
  }
  return std::any_of(node.children.begin(), node.children.end(),
                     [](const Node* child) { return child != nullptr && has_by_product(*child); });
}

/// The level of an expression; at the start the time is a number as any.
Level level_in(const Node& node, bool initial) {
  if (!initial || node.level != Level::continuous) return node.level;
  if (node.kind == NodeKind::variable && node.instance == nullptr) return Level::parameter;
  if (node.kind != NodeKind::apply && node.kind != NodeKind::select) return node.level;
  Level level = Level::parameter;
  for (const Node* child : node.children) level = std::max(level, level_in(*child, true));
  return level;
}

/// Numbers that are compared with continuous ones are continuous; a Real is discrete when all it depends on is.
bool is_discrete_equation(const Sides& sides, bool initial) {
  const Node &a = *sides.left, &b = *sides.right;
  if (a.basic != Basic::real && b.basic != Basic::real) return true;
  return std::max(level_in(a, initial), level_in(b, initial)) == Level::discrete;
}

/// A discrete variable or pre of one, or an element: what an initial equation may give a value to, whatever the other side
/// is.
bool is_discrete_place(const Model& model, const Node& side) {
  const Node* place = side.kind == NodeKind::index ? side.children[0] : &side;
  if (place->kind == NodeKind::previous) place = place->children[0];
  if (place->kind == NodeKind::index) place = place->children[0];
  auto id = model.first_id.find(place->instance);
  return place->kind == NodeKind::variable && id != model.first_id.end() &&
         ir::variable_of(model.flat, ir::VariableId(std::size_t{id->second})).kind == ir::VariableKind::discrete;
}

}  // namespace

void emit_equation(Model& model, const Space& space, const Sides& sides, bool initial, Span span, const NamedAxes& names) {
  bool gives = initial && (is_discrete_place(model, *sides.left) || is_discrete_place(model, *sides.right));
  if (!gives && !is_discrete_equation(sides, initial)) {
    const Node* residual = model.nodes.apply(ir::Op::sub, {sides.left, sides.right}, Basic::real, span);
    ir::Section& section = initial ? model.flat.initial_equations : model.flat.equations;
    emit_rows(model, space, *residual,
              {&section, initial ? ExpressionPlace::initial_equation : ExpressionPlace::equation, span, &names});
    return;
  }
  for (const Node* side : {sides.left, sides.right})
    if (!gives && level_in(*side, initial) == Level::continuous && !has_by_product(*side)) {
      model.diagnostics.error(not_discrete, side->span, {type_text(*side)});
      return;
    }
  ir::DiscreteSection& section = initial ? model.flat.initial_discrete_equations : model.flat.discrete_equations;
  emit_pairs(model, space, *sides.left, *sides.right, {&section.section, ExpressionPlace::discrete, span, &names});
}

}  // namespace bolza::flatten
