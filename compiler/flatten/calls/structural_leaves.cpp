// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/calls/structural_leaves_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/calls/lower_call_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

using ir::ExprId;

namespace {

double number_at(const instance::Value& value, const std::vector<std::int64_t>& own) {
  std::size_t at = 0;
  for (std::size_t d = 0; d < own.size(); ++d)
    at = at * static_cast<std::size_t>(value.dimensions[d]) + static_cast<std::size_t>(own[d] - 1);
  return value.numbers[at];
}

/// One instance's value.
Result<double> value_at(Model& model, const Node& node, const std::vector<std::int64_t>& indices) {
  std::size_t own = node.instance->rank(), outer = indices.size() - own;
  Result<const instance::Value*> value =
      value_of(model, *node.instance, {indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(outer)}, node.span);
  if (!value) return model.diagnostics.already_reported();
  if ((*value)->numbers.empty()) return model.diagnostics.error(string_in_expression, node.span);
  return number_at(**value, {indices.begin() + static_cast<std::ptrdiff_t>(outer), indices.end()});
}

/// The way to a component from below `top`, outermost first.
std::vector<const Instance*> way_from(const Instance* top, const Instance& component) {
  std::vector<const Instance*> way;
  for (const Instance* i = &component; i != top && i != nullptr; i = i->parent) way.push_back(i);
  std::reverse(way.begin(), way.end());
  return way;
}

/// A part of a record, of a record in it, ….
Typed part_of(Typer& typer, Typed record, const std::vector<const Instance*>& way, Span span) {
  for (const Instance* field : way)
    if (record) record = typer.member(record, field->name, span);
  return record;
}

/// Whether the value is one that an input brings: of an input itself, or of a field of one.
bool comes_with_call(const Frame& frame, const Instance& component) {
  return component.type != instance::Type::real && component.type != instance::Type::none &&
         is_input(*way_from(frame.function, component).front());
}

/// Where in the value that a variable was given its element is: at the levels that the value tells apart, then at the
/// variable's own indices. (`indices` has those of all the records around first.)
Indices indices_in_value(const Frame& frame, const Instance& local, const Indices& indices) {
  const instance::ScopedExpr& given = local.binding;
  std::vector<const Instance*> way = way_from(frame.function, local);
  auto first_of = [&](const Instance* wanted) {
    std::size_t at = 0;
    for (const Instance* i : way) {
      if (i == wanted) break;
      at += i->rank();
    }
    return at;
  };
  Indices out;
  for (const instance::ArrayLevel& level : given.levels)
    for (std::size_t d = 0; d < level.count; ++d) out.push_back(indices.at(first_of(level.instance) + level.first + d));
  for (std::size_t d = first_of(given.whole ? given.whole : &local); d < indices.size(); ++d) out.push_back(indices[d]);
  return out;
}

}  // namespace

Scalar known_value(Model& model, Lowering& lowering, const Node& node, const Indices& indices) {
  bool uniform = true;
  for (const Scalar& index : indices) {
    if (index.failed()) return index;
    if (!index.is_known()) return model.diagnostics.error(not_known_at_compile_time, node.span, {"the subscript"});
    uniform &= index.known.is_uniform();
  }
  std::size_t n = uniform ? 1 : lowering.work.space.n;
  std::vector<double> each(n);
  std::vector<std::int64_t> at(indices.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t d = 0; d < at.size(); ++d) at[d] = static_cast<std::int64_t>(indices[d].known[i]);
    auto value = value_at(model, node, at);
    if (!value) return model.diagnostics.already_reported();
    each[i] = *value;
  }
  return Known(std::move(each));
}

Scalar value_in_frame(Model& model, Lowering& lowering, Frame& frame, const Node& node, const Indices& indices) {
  const Instance& local = *node.instance;
  if (auto value = frame.values.find(&local); value != frame.values.end()) return value->second;
  bool inside = false;
  for (const Instance* i = &local; i != nullptr; i = i->parent) inside |= i == frame.function;
  if (!inside || (local.variability == instance::Variability::constant && local.binding))
    return known_value(model, lowering, node, indices);
  if (local.rank() == 0 && comes_with_call(frame, local) && !frame.at_run_time.contains(&local)) return frame.ask_for(local);
  if (local.binding && !is_input(local)) {
    Typer typer(model, lowering.work, local.binding.scope, &frame);
    auto value = typer.expression(*local.binding.expr);
    if (local.binding.whole) value = part_of(typer, value, way_from(local.binding.whole, local), node.span);
    if (!value) return value.failure();
    Indices at = indices_in_value(frame, local, indices);
    if (value->dims.size() == at.size()) return lowering.element(*value, at);
    return model.diagnostics.error(value_size, local.binding.span,
                                   {instance::path_of(local), dims_text(dims_in(frame, local)), dims_text(value->dims)});
  }
  return model.diagnostics.error(not_known_at_compile_time, node.span, {"`" + instance::path_of(local) + "`"});
}

Scalar StructuralLeaves::variable(Lowering& lowering, const Node& node, const Indices& indices) {
  bool has_value = node.kind == NodeKind::variable && node.instance != nullptr && node.level <= Level::parameter;
  if (frame_ != nullptr && node.kind == NodeKind::variable && node.instance != nullptr)
    return value_in_frame(model_, lowering, *frame_, node, indices);
  if (!has_value) {
    std::string name = node.instance                     ? "`" + instance::path_of(*node.instance) + "`"
                       : node.kind == NodeKind::variable ? "`time`"
                                                         : "a value that changes";
    return model_.diagnostics.error(not_known_at_compile_time, node.span, {name});
  }
  model_.evaluated.insert(node.instance);
  return known_value(model_, lowering, node, indices);
}

Scalar StructuralLeaves::call(Lowering& lowering, const Node& node, const Indices& indices) {
  return lower_call(model_, lowering, node, indices);
}

ExprId StructuralLeaves::datum(const Known&) {
  expects(false, "what is computed at compile time stays a number");
  return {};
}

Scalar StructuralLeaves::select(Lowering& lowering, const Node& node, const Indices& indices) {
  Scalar condition = lowering.scalar(*node.children[0]);
  if (condition.failed()) return condition;
  if (!condition.is_known()) return model_.diagnostics.error(not_known_at_compile_time, node.span, {"the result of a call"});
  if (!condition.known.is_uniform()) return lowering.work.split_by(condition.known);
  const Node& value = *node.children[condition.known.uniform() != 0 ? 1 : 2];
  return lowering.element(value, value.dims.empty() ? Indices{} : indices);
}

Scalar StructuralLeaves::long_sum(Lowering& lowering, const Node& node, const Indices&) {
  return lowering.written_sum(node);
}

Scalar StructuralLeaves::element_at_run_time(Lowering& lowering, const Node& node, const Indices&) {
  return lowering.diagnostics.error(not_known_at_compile_time, node.span, {"the subscript"});
}

}  // namespace bolza::flatten
