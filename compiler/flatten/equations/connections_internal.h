// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <set>

#include "base/union_find.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// Collects what `connect` joins, scalar by scalar, and makes the equations of the connection sets [MLS, 9.2]:
/// potentials are equal, flows sum to zero (inside with plus, outside with minus), unconnected flows are zero; streams as
/// stream_rows says.
class Connections {
 public:
  explicit Connections(Model& model) : model_(model) {}

  /// One connect equation for all instances of the context.
  void add(const ast::Equation& equation, const Context& context);
  void make_equations();

 private:
  struct Side {
    const Node* node = nullptr;
    const Instance* connector = nullptr;
    bool outside = false;
    bool hidden = false;  ///< a protected connector of the class itself: what comes in there is no source
  };
  bool is_dropped(const ast::Expr& left, const ast::Expr& right, const Scope& scope) const;
  /// What stands on one side: one place, or one for each element of a nonuniform array, of these sizes.
  struct Sides {
    std::vector<Side> all;
    std::vector<std::int64_t> dims;
  };
  Outcome<Sides> sides(Typer& typer, const ast::Expr& expr, const Context& context);
  Outcome<Side> side(Typer& typer, const instance::Resolved& resolved, Span span, const Context& context);
  /// The element of a side for a position in the slice of a nonuniform array that is on one of the two; nothing, after a
  /// message, where it has none.
  Outcome<Side> element_of(Typer& typer, const Sides& sides, const std::vector<std::int64_t>& dims, std::int64_t e,
                           Span span);
  Outcome<Done> join(Work& work, Typer& typer, const ast::Equation& equation, const Context& context, const Side& a,
                     const Side& b);
  Outcome<Done> join_members(Work& work, const Context& context, const Side& a, const Side& b, Span span);
  Outcome<Done> join_leaves(Work& work, const Side& a, const Side& b, Span span);
  void add_elements(const Space& space, const ast::Equation& equation, const Context& context, const Side& a, const Side& b);
  Outcome<Done> find_broken(Typer& typer, const ast::Equation& equation, const Side& a, const Side& b);
  Outcome<Done> equality_rows(Work& work, const Context& context, const Side& a, const Side& b, Span span);
  /// The elements of two leaves of equal size.
  void join_elements(const Space& space, const Side& a, const Side& b, Span span);
  void join_ids(const Side& a, const Side& b, const std::vector<std::uint32_t>& x, const std::vector<std::uint32_t>& y,
                Span span);
  std::uint32_t element(std::uint32_t id, bool outside, ast::Connection kind, bool source, Span span);
  std::uint32_t element(std::uint32_t id, const Side& side, Span span);
  void check_written(const std::vector<std::uint32_t>& set);
  /// Parameters and constants of connected connectors are equal: checked now where both are known, asserted otherwise.
  Outcome<Done> join_parameters(Work& work, const Side& a, const Side& b, Span span);
  void check_sources(const std::vector<std::uint32_t>& set);
  /// The connection sets of one kind, as lists of elements.
  std::vector<std::vector<std::uint32_t>> sets_of(ast::Connection kind);
  std::vector<std::vector<std::uint32_t>> across_buses(const std::vector<std::vector<std::uint32_t>>& sets) const;
  void potential_rows(const std::vector<std::vector<std::uint32_t>>& sets);
  void flow_rows(const std::vector<std::vector<std::uint32_t>>& sets);

  struct Element {
    std::uint32_t id = 0;
    bool outside = false;
    ast::Connection kind = ast::Connection::none;
    bool discrete = false, source = false;
    bool reads = false;                ///< takes the value: the input of a component, an output of the whole
    const Instance* on_bus = nullptr;  ///< the member of an expandable connector
    Span span;
  };
  Model& model_;
  std::set<const Instance*> broken_;  ///< members on the left of the connection that is being made
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> place_;
  std::vector<Element> elements_;
  UnionFind sets_;  ///< of elements that are connected
};

}  // namespace bolza::flatten
