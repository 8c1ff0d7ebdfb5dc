// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/applied.h"

#include "base/expects.h"
#include "compiler/ir/substitute.h"

namespace bolza::passes {

using ir::Column;
using ir::Group;
using ir::Section;

void read_instance(const Group& group, std::size_t i, GroupInstance& instance) {
  instance.applied.roots = group.roots;
  instance.applied.slots.clear();
  instance.applied.data.clear();
  instance.rows.clear();
  instance.applied.slots.reserve(group.slots.size());
  instance.applied.data.reserve(group.data.size());
  instance.rows.reserve(group.rows.size());
  for (const Column& column : group.slots) instance.applied.slots.push_back(column[i]);
  for (const ir::DataColumn& numbers : group.data) instance.applied.data.push_back(numbers[i]);
  for (const auto& rows : group.rows) instance.rows.push_back(rows[i]);
  instance.origin = group.origins[i];
}

GroupInstance instance_of(const Group& group, std::size_t i) {
  GroupInstance instance;
  read_instance(group, i, instance);
  return instance;
}

void for_each_instance(const Section& section, const std::function<void(const GroupInstance&)>& visit) {
  GroupInstance instance;
  for (const Group& group : section.groups)
    for (std::size_t i = 0; i < group.n; ++i) {
      read_instance(group, i, instance);
      visit(instance);
    }
}

std::size_t n_instances(const Section& section) {
  std::size_t n = 0;
  for (const Group& group : section.groups) n += group.n;
  return n;
}

std::vector<GroupInstance> instances_of(const Section& section) {
  std::vector<GroupInstance> all;
  all.reserve(n_instances(section));
  for (const Group& group : section.groups)
    for (std::size_t i = 0; i < group.n; ++i) all.push_back(instance_of(group, i));
  return all;
}

// ---------------------------------------------------------------- collecting

std::size_t SectionBuilder::group_for(const GroupInstance& instance, std::uint64_t key) {
  const Applied& a = instance.applied;
  if (merge_ && last_ < groups_.size() && last_key_ == key && groups_[last_].roots == a.roots) return last_;
  auto [at, is_new] = place_.emplace(std::pair(key, a.roots), groups_.size());
  if (!merge_ && !is_new) at->second = groups_.size();
  last_ = at->second;
  last_key_ = key;
  if (last_ < groups_.size()) return last_;
  groups_.push_back({.roots = a.roots, .slots = {}, .data = {}, .rows = {}, .origins = {}});
  groups_.back().slots.resize(a.slots.size());
  groups_.back().data.resize(a.data.size());
  groups_.back().rows.resize(a.roots.size());
  return last_;
}

void SectionBuilder::add(const GroupInstance& instance, std::uint64_t key) {
  const Applied& a = instance.applied;
  Collected& group = groups_[group_for(instance, key)];
  expects(
      group.slots.size() == a.slots.size() && group.data.size() == a.data.size() && instance.rows.size() == a.roots.size(),
      "instances of one shape have equally many slots, data and rows");
  for (std::size_t k = 0; k < a.slots.size(); ++k) group.slots[k].push_back(a.slots[k]);
  for (std::size_t k = 0; k < a.data.size(); ++k) group.data[k].push_back(a.data[k]);
  for (std::size_t r = 0; r < instance.rows.size(); ++r) group.rows[r].push_back(instance.rows[r]);
  group.origins.push_back(instance.origin);
}

Section SectionBuilder::finish(std::uint32_t n_rows) {
  Section section;
  section.n_rows = n_rows;
  for (Collected& from : groups_) {
    Group group;
    group.roots = std::move(from.roots);
    group.n = static_cast<std::uint32_t>(from.origins.size());
    for (auto& ids : from.slots) group.slots.push_back(Column::listed(std::move(ids)));
    group.data = std::move(from.data);
    group.rows = std::move(from.rows);
    group.origins = std::move(from.origins);
    section.groups.push_back(std::move(group));
  }
  groups_.clear();
  place_.clear();
  return section;
}

// ---------------------------------------------------------------- composing

std::size_t Composer::KeyHash::operator()(const std::vector<std::uint32_t>& key) const {
  std::uint64_t h = key.size();
  for (std::uint32_t v : key) {
    h = (h ^ v) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return h;
}

bool Composer::touches(const Applied& what, const Lookup& replacement) {
  for (VariableId v : what.slots)
    if (replacement(v)) return true;
  return false;
}

const ir::CanonicalShape& Composer::shape_for(const Applied& what, const std::vector<const Applied*>& replaced,
                                              const std::vector<std::uint32_t>& representative) {
  std::vector<std::uint32_t> key;
  key.reserve(what.roots.size() + replaced.size() + representative.size() + 2);
  for (ExprId root : what.roots) key.push_back(root.value);
  key.push_back(ExprId::none);
  key.push_back(static_cast<std::uint32_t>(what.data.size()));
  for (const Applied* by : replaced) key.push_back(by ? by->root().value : ExprId::none);
  key.insert(key.end(), representative.begin(), representative.end());
  auto [at, is_new] = memo_.try_emplace(std::move(key));
  if (!is_new) return at->second;

  std::vector<ExprId>
      slots;  // numbers over the expanded list of slots: replaced slots are followed by those of their replacement
  std::uint32_t next_slot = 0, next_datum = static_cast<std::uint32_t>(what.data.size());
  for (const Applied* by : replaced) {
    if (!by) {
      slots.push_back(dag_.slot(next_slot++));
      continue;
    }
    std::vector<ExprId> inner_slots, inner_data;
    for (std::size_t k = 0; k < by->slots.size(); ++k) inner_slots.push_back(dag_.slot(next_slot++));
    for (std::size_t k = 0; k < by->data.size(); ++k) inner_data.push_back(dag_.datum(next_datum++));
    slots.push_back(ir::substitute(dag_, by->root(), {.slots = inner_slots, .data = inner_data}));
  }
  std::vector<ExprId> roots = ir::substitute(dag_, what.roots, {.slots = slots});
  at->second = ir::canonical_shape(dag_, roots, representative);
  return at->second;
}

namespace {

/// For every slot the first one that names the same variable.
std::vector<std::uint32_t> first_places(const std::vector<VariableId>& slots) {
  constexpr std::size_t few = 24;
  std::vector<std::uint32_t> result(slots.size());
  if (slots.size() <= few) {
    for (std::uint32_t k = 0; k < slots.size(); ++k)
      for (result[k] = 0; slots[result[k]] != slots[k];) ++result[k];
    return result;
  }
  std::unordered_map<VariableId, std::uint32_t> first;
  for (std::uint32_t k = 0; k < slots.size(); ++k) result[k] = first.emplace(slots[k], k).first->second;
  return result;
}

}  // namespace

Applied Composer::compose(const Applied& what, const Lookup& replacement) {
  std::vector<const Applied*> replaced;
  replaced.reserve(what.slots.size());
  std::size_t n_slots = what.slots.size(), n_data = what.data.size();
  for (VariableId v : what.slots) {
    const Applied* by = replaced.emplace_back(replacement(v));
    if (by) {
      n_slots += by->slots.size();
      n_data += by->data.size();
    }
  }
  std::vector<VariableId> slots;
  std::vector<double> data;
  slots.reserve(n_slots);
  data.reserve(n_data);
  data = what.data;
  for (std::size_t k = 0; k < what.slots.size(); ++k) {
    const Applied* by = replaced[k];
    VariableId v = what.slots[k];
    if (!by) {
      slots.push_back(v);
      continue;
    }
    slots.insert(slots.end(), by->slots.begin(), by->slots.end());
    data.insert(data.end(), by->data.begin(), by->data.end());
  }
  std::vector<std::uint32_t> representative = first_places(slots);
  const ir::CanonicalShape& shape = shape_for(what, replaced, representative);
  Applied result;
  result.roots = shape.roots;
  result.slots.reserve(shape.slots.size());
  result.data.reserve(shape.data.size());
  for (std::uint32_t old : shape.slots) result.slots.push_back(slots[old]);
  for (const auto& source : shape.data) result.data.push_back(source.is_literal ? source.literal : data[source.datum]);
  return result;
}

Applied Composer::canonical(const Applied& what) {
  return compose(what, [](VariableId) { return nullptr; });
}

}  // namespace bolza::passes
