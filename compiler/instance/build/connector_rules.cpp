// SPDX-License-Identifier: Apache-2.0
// What connectors have to have [MLS, 9.3.1 and 4.6].
#include <algorithm>

#include "compiler/instance/build/restrictions_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"

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

/// Whether a type in it has a function `equalityConstraint`: then it has fewer equations than variables.
bool is_overconstrained(InstanceTree& tree, const Instance& c) {
  Diagnostics aside;
  std::vector<const Definition*> types{c.definition};
  if (c.declaration) {
    auto chain = resolve_type(tree, {c.parent, c.declared_in}, *c.declaration->type, false, aside);
    if (chain)
      for (const AliasStep& step : chain->steps) types.push_back(step.definition);
  }
  for (const Definition* type : types) {
    auto equality =
        type ? class_member(tree.store(), *type, "equalityConstraint", aside) : Result<const Definition*>(nullptr);
    if (equality && *equality) return true;
  }
  return std::any_of(c.children.begin(), c.children.end(),
                     [&](const Instance* child) { return is_overconstrained(tree, *child); });
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

}  // namespace

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
  if (simple || !n.known || n.flow == n.potential || is_overconstrained(tree, c)) return true;
  d.error(codes::unbalanced_connector, c.span, {path_of(c), std::to_string(n.flow), std::to_string(n.potential)},
          std::move(notes));
  return false;
}

}  // namespace bolza::instance
