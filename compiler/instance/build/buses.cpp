// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/buses.h"

#include <algorithm>
#include <array>

#include "compiler/instance/build_internal.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

/// Of a copy: what says how to read its values, no bounds or starts.
void keep_units(Instance& copy) {
  std::erase_if(copy.attributes, [](const GivenAttribute& attribute) {
    constexpr std::array kept{"displayUnit", "quantity", "unit"};
    return std::find(kept.begin(), kept.end(), attribute.name) == kept.end() || !attribute.value.levels.empty();
  });
}

Instance& copy_of(InstanceTree& tree, const Instance& like, const Instance& parent) {
  Store& store = tree.store();
  Instance& copy = store.make();
  copy = like;
  copy.parent = &parent;
  copy.causality = ast::Causality::none;
  copy.is_hidden = false;
  copy.is_protected = parent.is_protected;
  copy.is_inner = false;
  copy.children.clear();
  copy.next_child = 0;
  if (copy.variability > Variability::parameter) copy.binding = {};
  keep_units(copy);
  if (copy.declaration && copy.declaration->condition) copy.declaration = nullptr;
  if (auto bases = store.instance_bases.find(&like); bases != store.instance_bases.end()) {
    std::vector<InstanceBase> same = bases->second;
    store.instance_bases[&copy] = std::move(same);
  }
  store.conditions_decided.insert(&copy);
  if (like.expandable) return copy;
  for (const Instance* child : like.children)
    if (!child->removed) add_child(store, copy, copy_of(tree, *child, copy));
  return copy;
}

}  // namespace

const Instance& add_member(InstanceTree& tree, const Instance& bus, std::string_view name, const Instance& like,
                           const std::vector<std::int64_t>& dimensions, Span named_at) {
  Instance& member = copy_of(tree, like, bus);
  member.name = name;
  member.span = named_at;
  member.dimensions.clear();
  for (std::int64_t size : dimensions) member.dimensions.push_back({size, nullptr, {}});
  add_child(tree.store(), Store::edit(bus), member);
  return member;
}

const Instance& add_bus(InstanceTree& tree, const Instance& bus, std::string_view name, Span named_at) {
  Instance& member = tree.store().make();
  member.name = name;
  member.span = named_at;
  member.parent = &bus;
  member.class_kind = ast::ClassKind::connector;
  member.is_connector = true;
  member.expandable = true;
  member.is_protected = bus.is_protected;
  tree.store().conditions_decided.insert(&member);
  add_child(tree.store(), Store::edit(bus), member);
  return member;
}

void enlarge(const Instance& member, const std::vector<std::int64_t>& dimensions) {
  Instance& edited = Store::edit(member);
  for (std::size_t d = 0; d < std::min(dimensions.size(), edited.dimensions.size()); ++d)
    edited.dimensions[d].size = std::max(edited.dimensions[d].size, dimensions[d]);
}

void remove_member(const Instance& member) { Store::edit(member).removed = true; }

}  // namespace bolza::instance
