// SPDX-License-Identifier: Apache-2.0
// What connectors have to have [MLS, 9.3.1 and 4.6].
#include <algorithm>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/build/restrictions_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/redeclare_internal.h"
#include "compiler/instance/overconstrained.h"

namespace bolza::instance {
namespace {

/// Scalar variables of a connector by what a connection does with them.
struct Count {
  std::int64_t flow = 0, potential = 0;
  bool known = true;                     ///< no sizes are open
  const Instance* undirected = nullptr;  ///< a variable that is neither input nor output
  const Instance* stream = nullptr;      ///< the first of them
};

std::int64_t elements_of(const Instance& instance, bool& known) {
  std::int64_t n = 1;
  for (const Dimension& dimension : instance.dimensions) {
    known &= dimension.size >= 0;
    n *= dimension.size;
  }
  return n;
}

void count(const Instance& c, std::int64_t times, Count& out) {
  if (c.removed || c.variability <= Variability::parameter) return;
  times *= elements_of(c, out.known);
  if (c.type != Type::none) {
    if (c.connection == ast::Connection::stream) {
      if (!out.stream) out.stream = &c;
      return;
    }
    bool flow = c.connection == ast::Connection::flow;
    if (c.causality != ast::Causality::none && !flow) return;
    if (!out.undirected) out.undirected = &c;
    (flow ? out.flow : out.potential) += times;
    return;
  }
  for (const Instance* child : c.children) count(*child, times, out);
}

/// The classes that the type of a component goes through.
std::vector<Resolved> types_of(InstanceTree& tree, const Instance& c) {
  Diagnostics aside;
  auto as_class = [](const Definition* definition, const Instance* enclosing) {
    return Resolved{.kind = ResolvedKind::class_, .definition = definition, .enclosing = enclosing};
  };
  std::vector<Resolved> types;
  if (c.definition) types.push_back(as_class(c.definition, c.enclosing));
  if (!c.declaration) return types;
  Scope scope{c.parent, c.declared_in};
  auto chain = resolve_type(tree, scope, *c.declaration->type, false, aside);
  if (chain)
    for (const AliasStep& step : chain->steps)
      types.push_back(as_class(step.definition, enclosing_instance(tree.store(), scope, *step.definition)));
  return types;
}

/// Whether a type in it has a function `equalityConstraint`: then it has fewer equations than variables.
bool has_overconstrained(InstanceTree& tree, const Instance& c) {
  return is_overconstrained(tree, c) || std::any_of(c.children.begin(), c.children.end(), [&](const Instance* child) {
           return has_overconstrained(tree, *child);
         });
}

/// What flows with streams has one direction: that of the one scalar flow variable beside them [MLS, 15.1].
bool check_streams(const Instance& c, Diagnostics& d) {
  Count n;
  for (const Instance* child : c.children) {
    bool other = child->is_connector && child->type == Type::none;
    if (!other) count(*child, 1, n);
    else if (!check_streams(*child, d)) return false;
  }
  if (!n.stream || !n.known || n.flow == 1) return true;
  d.error(codes::stream_without_flow, n.stream->span, {n.stream->name, std::to_string(n.flow)});
  return false;
}

constexpr std::string_view equality_name = "equalityConstraint";

}  // namespace

bool is_overconstrained(InstanceTree& tree, const Instance& component) {
  Diagnostics aside;
  std::vector<Resolved> types = types_of(tree, component);
  return std::any_of(types.begin(), types.end(), [&](const Resolved& type) {
    auto function = class_member(tree.store(), *type.definition, equality_name, aside);
    return function && *function;
  });
}

Result<const Instance*> equality_constraint(InstanceTree& tree, const Instance& component, Span used_at, Diagnostics& d) {
  for (const Resolved& type : types_of(tree, component)) {
    auto has = class_member(tree.store(), *type.definition, equality_name, d);
    if (!has) return d.already_reported();
    if (!*has) continue;
    auto function = member_class(tree, type, equality_name, d);
    if (!function) return d.already_reported();
    if (!function->definition) continue;
    return instance_of(tree, *function->definition, function->enclosing, used_at, d);
  }
  return static_cast<const Instance*>(nullptr);
}

bool check_connector(InstanceTree& tree, const Instance& c, Diagnostics& d) {
  if (!c.is_connector || c.removed || c.expandable || !c.parent || c.parent->is_connector) return true;
  Count n;
  count(c, 1, n);
  if (!check_streams(c, d)) return false;
  std::vector<Note> notes{{c.definition ? c.definition->ast->name_span : Span{}, "its class"}};
  if (!c.definition) notes.clear();
  if (c.parent->class_kind == ast::ClassKind::block && !c.is_hidden && n.undirected) {
    d.error(codes::no_direction, c.span, {c.name, n.undirected->name}, std::move(notes));
    return false;
  }
  bool simple =
      c.type != Type::none;  // `connector Signal = Real`, as JModelica's models have it: a signal without direction
  if (simple || !n.known || n.flow == n.potential || has_overconstrained(tree, c)) return true;
  d.error(codes::unbalanced_connector, c.span, {path_of(c), std::to_string(n.flow), std::to_string(n.potential)},
          std::move(notes));
  return false;
}

}  // namespace bolza::instance
