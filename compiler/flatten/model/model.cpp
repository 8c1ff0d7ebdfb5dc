// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/model/model_internal.h"

#include <bit>

#include "base/expects.h"
#include "compiler/flatten/model/connection_graph_internal.h"
#include "compiler/flatten/model/fields_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/tables/table_internal.h"
#include "compiler/ir/canonical.h"

namespace bolza::flatten {

Model::Model(instance::InstanceTree& tree, Diagnostics& diagnostics)
    : tree(tree),
      diagnostics(diagnostics),
      actions(std::make_shared<instance::Actions>(tree)),
      fields(std::make_unique<FieldPlan>()) {
  final_time.name = "finalTime";
  final_time.type = instance::Type::real;
  final_time.variability = instance::Variability::parameter;
  first_id.emplace(&final_time, 2);
}

Model::~Model() = default;

AxisId Model::axis_of(const Instance& instance, std::size_t dimension) {
  auto [at, is_new] = first_axis.emplace(&instance, AxisId(std::size_t{nodes.next_axis}));
  if (is_new) nodes.next_axis += static_cast<std::uint32_t>(instance.rank());
  return AxisId(at->second.index() + dimension);
}

std::vector<AxisId> Model::axes_to(const Instance* innermost) {
  std::vector<const Instance*> path;
  for (const Instance* i = innermost; i != nullptr; i = i->parent) path.push_back(i);
  std::vector<AxisId> axes;
  for (std::size_t k = path.size(); k-- > 0;)
    for (std::size_t d = 0; d < path[k]->rank(); ++d) axes.push_back(axis_of(*path[k], d));
  return axes;
}

Result<const instance::Value*> value_of(Model& model, const Instance& component, const std::vector<std::int64_t>& outer,
                                        Span used_at) {
  auto key = std::make_pair(&component, outer);
  if (auto known = model.values.find(key); known != model.values.end()) return &known->second;
  auto value = instance::value_of(model.tree, component, outer, used_at, model.diagnostics);
  if (!value) return model.diagnostics.already_reported();
  return &model.values.emplace(std::move(key), std::move(*value)).first->second;
}

std::vector<std::uint64_t> key_of(std::span<const ir::Term> terms) {
  std::vector<std::uint64_t> key;
  for (const ir::Term& term : terms) {
    key.insert(key.end(), {term.root.value, term.slots.size()});
    for (ir::VariableId id : term.slots) key.push_back(id.value);
    for (double number : term.data) key.push_back(std::bit_cast<std::uint64_t>(number));
  }
  return key;
}

std::uint32_t time_slot(Model& model, const ir::Term& time) {
  ir::Term term = ir::canonical(model.dag(), time);
  auto [at, is_new] =
      model.time_slot_of.emplace(key_of(std::span(&term, 1)), static_cast<std::uint32_t>(model.flat.time_slots.size()));
  if (is_new) model.flat.time_slots.push_back({std::move(term)});
  return at->second;
}

const Node* final_time(Model& model, Span span) {
  Node time;
  time.kind = NodeKind::variable;
  time.level = Level::parameter;
  time.instance = &model.final_time;
  time.span = span;
  return model.nodes.add(std::move(time));
}

std::uint32_t timed_value(Model& model, std::uint32_t of, std::uint32_t slot) {
  std::uint64_t key = std::uint64_t{slot} << 32 | of;
  auto [at, is_new] = model.timed_of.emplace(key, static_cast<std::uint32_t>(model.timed.size()));
  if (is_new) model.timed.push_back({of, slot});
  return at->second;
}

}  // namespace bolza::flatten
