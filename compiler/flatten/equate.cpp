// Equations: continuous ones become residuals, equations between discrete values keep their two sides.
#include <algorithm>

#include "compiler/flatten/codes.h"
#include "compiler/flatten/function_internal.h"
#include "compiler/flatten/translate_internal.h"

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

const Node* row_of(Nodes& nodes, const Node* array, std::size_t k) {
  if (array->kind == NodeKind::array) return array->children[k];
  std::vector<const Node*> subscripts{nodes.number(static_cast<double>(k + 1), Basic::integer, array->span)};
  return nodes.index(array, std::move(subscripts), array->span);
}

bool sides_of(Typer& typer, const Node* left, const Node* right, Span span, std::vector<Sides>& out) {
  if (left->kind == NodeKind::array && left->basic == Basic::record && left->dims == right->dims) {
    for (std::size_t k = 0; k < left->children.size(); ++k)
      if (!sides_of(typer, left->children[k], row_of(typer.nodes(), right, k), span, out)) return false;
    return true;
  }
  if (left->basic == Basic::record || right->basic == Basic::record) {
    if (left->basic != right->basic || left->dims != right->dims)
      return typer.wrong(types_differ, span, {type_text(*left), type_text(*right)}), false;
    for (const Instance* field : left->instance->children) {
      const Node* a = typer.member(left, field->name, span);
      const Node* b = a ? typer.member(right, field->name, span) : nullptr;
      if (!b) return false;
      if (field->variability > instance::Variability::parameter && !sides_of(typer, a, b, span, out)) return false;
    }
    return true;
  }
  if (left->basic == Basic::string && right->basic == Basic::string)
    return typer.wrong(unsupported, span, {"a String that changes while the model runs"}), false;
  bool numbers = is_numeric(left->basic) && is_numeric(right->basic);
  if (!numbers && (left->basic != right->basic || left->basic == Basic::string))
    return typer.wrong(types_differ, span, {type_text(*left), type_text(*right)}), false;
  if (left->dims != right->dims)
    return typer.wrong(sizes_differ, span, {"equation", dims_text(left->dims), dims_text(right->dims)}), false;
  out.push_back({left, right});
  return true;
}

void emit_equation(Model& model, const Space& space, const Sides& sides, bool initial, Span span, const NamedAxes& names) {
  bool gives = initial && (is_discrete_place(model, *sides.left) || is_discrete_place(model, *sides.right));
  if (!gives && !is_discrete_equation(sides, initial)) {
    const Node* residual = model.nodes.apply(ir::Op::sub, {sides.left, sides.right}, Basic::real, span);
    ir::Section& section = initial ? model.flat.initial_equations : model.flat.equations;
    emit_rows(model, space, *residual, {&section, initial ? Place::initial_equation : Place::equation, span, &names});
    return;
  }
  for (const Node* side : {sides.left, sides.right})
    if (!gives && level_in(*side, initial) == Level::continuous && !has_by_product(*side)) {
      model.diagnostics.error(not_discrete, side->span, {type_text(*side)});
      return;
    }
  ir::DiscreteSection& section = initial ? model.flat.initial_discrete_equations : model.flat.discrete_equations;
  emit_pairs(model, space, *sides.left, *sides.right, {&section.section, Place::discrete, span, &names});
}

}  // namespace bolza::flatten
