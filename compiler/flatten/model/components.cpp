// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/model/components_internal.h"

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/instance/evaluate.h"

namespace bolza::flatten {

bool is_input(const Instance& instance) { return instance.causality == ast::Causality::input; }
bool is_output(const Instance& instance) { return instance.causality == ast::Causality::output; }

bool is_top_level_input(const Instance& instance) {
  if (instance.causality != ast::Causality::input || instance.type == instance::Type::none) return false;
  for (const Instance* i = instance.parent; i != nullptr && i->parent != nullptr; i = i->parent)
    if (!i->is_phase && !i->is_connector && i->causality != ast::Causality::input) return false;
  return true;
}

std::vector<const Instance*> leaves_of(const Instance& component) {
  std::vector<const Instance*> leaves, todo{&component};
  while (!todo.empty()) {
    const Instance* next = todo.back();
    todo.pop_back();
    if (next->type != instance::Type::none) leaves.push_back(next);
    for (std::size_t k = next->children.size(); k-- > 0;) todo.push_back(next->children[k]);
  }
  return leaves;
}

bool is_part_parameter(const Instance& field) {
  if (field.variability > instance::Variability::parameter) return false;
  const Instance* record = field.parent;
  while (record && record->variability <= instance::Variability::parameter) record = record->parent;
  return record != nullptr && record->parent != nullptr && record->class_kind == ast::ClassKind::record;
}

bool is_discrete(const Model& model, const Instance& instance) {
  if (model.set_at_start.contains(&instance)) return true;
  if (instance.variability <= instance::Variability::parameter) return false;
  bool by_type = instance.type == instance::Type::integer || instance.type == instance::Type::boolean ||
                 instance.type == instance::Type::enumeration || instance.type == instance::Type::clock;
  return by_type || instance.variability == instance::Variability::discrete || model.assigned_in_when.contains(&instance);
}

std::string unit_of(Model& model, const Instance& variable) {
  const instance::ScopedExpr* given = variable.type == instance::Type::real ? variable.attribute("unit") : nullptr;
  auto value = given ? instance::try_evaluate(model.tree, *given) : std::nullopt;
  return value && value->strings.size() == 1 ? value->strings[0] : "";
}

Space space_of(Model& model, const Instance& instance, bool own) {
  std::vector<const Instance*> path;
  for (const Instance* i = own ? &instance : instance.parent; i != nullptr; i = i->parent) path.push_back(i);
  Space space;
  for (std::size_t k = path.size(); k-- > 0;)
    for (std::size_t d = 0; d < path[k]->rank() && space.n > 0; ++d)
      space = extend_to(space, model.axis_of(*path[k], d), path[k]->dimensions[d].size);
  return space;
}

}  // namespace bolza::flatten
