// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/values_internal.h"

#include "base/expects.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

const Node* own_element(Model& model, Work& work, const Instance& instance) {
  Typer typer(model, work, scope_of(instance));
  std::vector<const Node*> own;
  for (std::size_t d = 0; d < instance.rank(); ++d)
    own.push_back(model.nodes.axis(model.axis_of(instance, d), instance.span));
  return model.nodes.index(typer.own_component(instance, instance.span), own, instance.span);
}

Typed element_for(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given, bool is_binding) {
  Indices indices;
  auto node = value_for(model, work, target, given, is_binding, indices);
  if (!node) return node;
  std::vector<const Node*> at;
  for (const Scalar& index : indices) {
    AxisId axis = model.nodes.new_axis();
    work.space.axes.emplace_back(axis, index.known);
    at.push_back(model.nodes.axis(axis, node->span));
  }
  return model.nodes.index(node, at, node->span);
}

/// A value whose scope is in no array is the same expression for all elements: it is typed without their space, so that an
/// array constructor of n entries costs n, not n for each of the n elements.
static Typed typed_once(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given) {
  const Instance* place = given.scope.instance ? given.scope.instance : &target;
  Work alone;
  if (space_of(model, *place, place != &target).axes.empty()) {
    Typer typer(model, alone, given.scope);
    auto node = typer.expression(*given.expr);
    if (node || !node.failure().is(Again::How::split)) return node;
  }
  return Typer(model, work, given.scope).expression(*given.expr);
}

Typed value_for(Model& model, Work& work, const Instance& target, const instance::ScopedExpr& given, bool is_binding,
                Indices& indices) {
  auto node = typed_once(model, work, target, given);
  Typer typer(model, work, given.scope);
  if (!node) return node;
  std::vector<const Instance*> fields;  // from below `whole` to the target
  const Instance* holder = &target;
  for (; given.whole != nullptr && holder != given.whole; holder = holder->parent) fields.push_back(holder);
  for (std::size_t k = fields.size(); node && k-- > 0;) node = typer.member(node, fields[k]->name, given.span);
  if (!node) return node;

  auto index_of = [&](const Instance& instance, std::size_t d) {
    const Known* known = work.space.find(model.axis_of(instance, d));
    expects(known != nullptr, "a value is asked for where all elements are in scope");
    return Scalar(*known);
  };
  std::vector<std::int64_t> expected;
  std::size_t own_from = 0;  // dimensions of the holder that its own levels name come first
  for (const instance::ArrayLevel& level : given.levels) {
    for (std::uint32_t d = level.first; d < level.first + level.count; ++d) {
      indices.push_back(index_of(*level.instance, d));
      expected.push_back(level.instance->dimensions[d].size);
    }
    if (level.instance == holder) own_from = level.first + level.count;
  }
  if (is_binding || given.whole != nullptr)
    for (std::size_t d = own_from; d < holder->rank(); ++d) {
      indices.push_back(index_of(*holder, d));
      expected.push_back(holder->dimensions[d].size);
    }
  for (std::size_t k = fields.size(); k-- > 0;)
    for (std::size_t d = 0; d < fields[k]->rank(); ++d) {
      indices.push_back(index_of(*fields[k], d));
      expected.push_back(fields[k]->dimensions[d].size);
    }
  if (node->dims == expected) return node;
  bool scalar_for_all = node->dims.empty() && (given.each || !is_binding);
  if (scalar_for_all) {
    indices.clear();
    return node;
  }
  return model.diagnostics.error(value_size, given.span,
                                 {instance::path_of(target), dims_text(expected), dims_text(node->dims)});
}

}  // namespace bolza::flatten
