// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/connections_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/equations/buses_internal.h"
#include "compiler/flatten/equations/equate_internal.h"
#include "compiler/flatten/equations/streams_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/groups/group_builder_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/connection_graph_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/nonuniform_arrays_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/overconstrained.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

namespace {

/// `c` or `m.c`, where c is a connector: its members may follow. [MLS, 9.1].
bool in_first_two(const instance::Resolved& resolved) {
  auto leads = [](const Instance& i) {
    return i.is_connector || (i.type != instance::Type::none && i.causality != ast::Causality::none);
  };
  if (resolved.through_outer || leads(*resolved.path[0].instance)) return true;
  return resolved.path.size() > 1 && leads(*resolved.path[1].instance);
}

}  // namespace

Outcome<Connections::Sides> Connections::sides(Typer& typer, const ast::Expr& expr, const Context& context) {
  if (expr.kind != ast::ExprKind::name) return typer.wrong(connect_not_connector, expr.span, {"an expression"});
  auto resolved = instance::lookup(model_.tree, context.scope, *expr.reference, model_.diagnostics);
  if (!resolved) return typer.reported();
  if (resolved->kind != instance::ResolvedKind::component) return typer.wrong(connect_not_connector, expr.span, {"a class"});
  if (resolved->removed) return Sides{{Side{}}, {}};
  auto ways = typer.ways(*resolved, expr.span);
  if (!ways) return ways.failure();
  Sides all{{}, ways->dims};
  for (const instance::Resolved& way : ways->all) {
    auto one = side(typer, way, expr.span, context);
    if (!one) return one.failure();
    all.all.push_back(*one);
  }
  return all;
}

Outcome<Connections::Side> Connections::side(Typer& typer, const instance::Resolved& resolved, Span span,
                                             const Context& context) {
  if (resolved.removed) return Side{};
  const Instance& connector = resolved.component();
  bool in_connector =
      std::any_of(resolved.path.begin(), resolved.path.end(), [](const auto& part) { return part.instance->is_connector; });
  in_connector |=
      connector.type != instance::Type::none && connector.causality != ast::Causality::none;  // as JModelica allows
  if (!in_connector) return typer.wrong(connect_not_connector, span, {instance::path_of(connector)});
  if (!in_first_two(resolved)) return typer.wrong(connect_too_deep, span, {instance::path_of(connector)});
  Side result;
  result.connector = &connector;
  const Instance& first = *resolved.path[0].instance;
  result.outside = first.is_connector && (first.parent == context.scope.instance || resolved.through_outer);
  result.hidden = result.outside && first.declaration && first.declaration->prefixes.protected_;
  auto node = typer.place(resolved, span);
  if (!node) return node.failure();
  result.node = node;
  return result;
}

Outcome<Connections::Side> Connections::element_of(Typer& typer, const Sides& sides, const std::vector<std::int64_t>& dims,
                                                   std::int64_t e, Span span) {
  if (!sides.dims.empty()) {
    if (sides.dims == dims) return sides.all[static_cast<std::size_t>(e)];
    return typer.wrong(sizes_differ, span, {"connection", dims_text(dims), dims_text(sides.dims)});
  }
  Side side = sides.all.front();
  if (side.node == nullptr) return side;
  const std::vector<std::int64_t>& own = side.node->dims;
  if (own.size() < dims.size() || !std::equal(dims.begin(), dims.end(), own.begin()))
    return typer.wrong(sizes_differ, span, {"connection", dims_text(dims), dims_text(own)});
  side.node = model_.nodes.element(side.node, indices_at(dims, e));
  return side;
}

namespace {

/// Constant, parameter or variable: connected members are of the same.
int variability_class(const Instance& i) {
  return i.variability == instance::Variability::constant ? 0 : i.variability == instance::Variability::parameter ? 1 : 2;
}

/// Whether a component is a member of an expandable connector, at any depth: then its direction is that of the other side.
bool is_in_bus(const Instance& i) {
  for (const Instance* around = i.parent; around; around = around->parent)
    if (around->expandable) return true;
  return false;
}

bool can_be_joined(const Instance& a, const Instance& b) {
  bool causal = a.causality != ast::Causality::none, other = b.causality != ast::Causality::none;
  bool members = a.parent && a.parent->is_connector && b.parent && b.parent->is_connector;
  return a.type == b.type && a.connection == b.connection && variability_class(a) == variability_class(b) &&
         (!members || causal == other || is_in_bus(a) || is_in_bus(b));
}

}  // namespace

/// A connection of what is not there to a name that a bus does not have: it adds none.
bool Connections::is_dropped(const ast::Expr& left, const ast::Expr& right, const Scope& scope) const {
  std::size_t of_left = 0, of_right = 0;
  auto a = known_part(model_, left, scope, of_left), b = known_part(model_, right, scope, of_right);
  if (!a || !b || a->removed == b->removed) return false;
  return a->removed ? of_right < right.reference->parts.size() : of_left < left.reference->parts.size();
}

void Connections::add(const ast::Equation& equation, const Context& context) {
  for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
    Typer typer = typer_in(model_, work, context);
    if (model_.has_buses && is_dropped(*equation.left, *equation.right, context.scope)) return Done{};
    auto left = sides(typer, *equation.left, context);
    auto right = left ? sides(typer, *equation.right, context) : left;
    if (!right) return right.failure();
    const std::vector<std::int64_t>& dims = left->dims.empty() ? right->dims : left->dims;
    for (std::int64_t e = 0; e < size_of(dims); ++e) {
      auto a = element_of(typer, *left, dims, e, equation.span);
      auto b = a ? element_of(typer, *right, dims, e, equation.span) : a;
      if (!b) return b.failure();
      if (auto done = join(work, typer, equation, context, *a, *b); !done) return done;
    }
    return Done{};
  });
}

Outcome<Done> Connections::join(Work& work, Typer& typer, const ast::Equation& equation, const Context& context,
                                const Side& a, const Side& b) {
  if (!a.node || !b.node) return Done{};
  if (a.node->dims != b.node->dims)
    return typer.wrong(sizes_differ, equation.span, {"connection", dims_text(a.node->dims), dims_text(b.node->dims)});
  if (has_overconstrained(model_, *a.connector)) {
    if (!a.node->dims.empty()) {
      add_elements(work.space, equation, context, a, b);
      return Done{};
    }
    if (auto done = find_broken(typer, equation, a, b); !done) return done;
  }
  return join_members(work, context, a, b, equation.span);
}

/// Overconstrained connectors one by one: of an array some may be broken.
void Connections::add_elements(const Space& given, const ast::Equation& equation, const Context& context, const Side& a,
                               const Side& b) {
  Space space = given;
  std::vector<const Node*> at;
  for (std::int64_t d : a.node->dims) {
    AxisId axis = model_.nodes.new_axis();
    space = extend_to(space, axis, d);
    at.push_back(model_.nodes.axis(axis, equation.span));
  }
  Side x = a, y = b;
  x.node = model_.nodes.index(a.node, at, equation.span);
  y.node = model_.nodes.index(b.node, at, equation.span);
  for_each_part(space, [&](Work& work) -> Outcome<Done> {
    Typer typer = typer_in(model_, work, context);
    if (auto done = find_broken(typer, equation, x, y); !done) return done;
    return join_members(work, context, x, y, equation.span);
  });
}

/// Which members of a connection are in the place where it is broken: the same ones for all instances.
Outcome<Done> Connections::find_broken(Typer& typer, const ast::Equation& equation, const Side& a, const Side& b) {
  const Instance &left = *a.connector, &right = *b.connector;
  if (!has_overconstrained(model_, left)) return Done{};
  broken_.erase(&left);
  if (is_overconstrained(model_, left)) {
    const ConnectionGraph& graph = connection_graph(model_);
    auto from = graph_nodes(model_, typer.work, graph, *a.node),
         to = from ? graph_nodes(model_, typer.work, graph, *b.node) : from;
    if (!to) return to.failure();
    std::vector<double> broken;
    for (std::size_t i = 0; i < from->size(); ++i)  // an empty array has no node
      broken.push_back(!(*from)[i].empty() && !(*to)[i].empty() &&
                               graph.broken.contains({&equation, (*from)[i].front(), (*to)[i].front()})
                           ? 1
                           : 0);
    auto same = typer.work.uniform(Known(std::move(broken)));
    if (!same) return same.failure();
    if (*same != 0) broken_.insert(&left);
    return Done{};
  }
  for (const Instance* member : left.children) {
    const Instance* other = right.child(member->name);
    if (member->removed || other == nullptr || other->removed) continue;
    auto x = typer.member(a.node, member->name, equation.span),
         y = x ? typer.member(b.node, member->name, equation.span) : x;
    if (!y) return y.failure();
    if (auto done = find_broken(typer, equation, {x, member}, {y, other}); !done) return done;
  }
  return Done{};
}

/// What is equal all the same where the loop is closed.
Outcome<Done> Connections::equality_rows(Work& work, const Context& context, const Side& a, const Side& b, Span span) {
  auto function = instance::equality_constraint(model_.tree, *a.connector, span, model_.diagnostics);
  if (!function) return model_.diagnostics.already_reported();
  Typer typer = typer_in(model_, work, context);
  auto residue = typer.applied(**function, {a.node, b.node}, span);
  if (!residue) return residue.failure();
  if (size_of(residue->dims) == 0) return Done{};
  auto zero = typer.repeated(model_.nodes.number(0, Basic::real, span), residue->dims);
  if (!zero) return zero.failure();
  emit_equation(model_, work.space, {residue, zero}, /*initial=*/false, span, context.names);
  return Done{};
}

Outcome<Done> Connections::join_members(Work& work, const Context& context, const Side& a, const Side& b, Span span) {
  const Instance &left = *a.connector, &right = *b.connector;
  auto mismatch = [&] {
    return model_.diagnostics.error(connect_mismatch, span, {instance::path_of(left), instance::path_of(right)},
                                    {{left.span, "declared here"}, {right.span, "declared here"}});
  };
  if (broken_.contains(&left)) return equality_rows(work, context, a, b, span);
  if (left.type != instance::Type::none || right.type != instance::Type::none)
    return can_be_joined(left, right) ? join_leaves(work, a, b, span) : mismatch();
  Typer typer(model_, work, context.scope);
  bool buses = left.expandable && right.expandable;
  for (const Instance* member : left.children) {
    const Instance* other = right.child(member->name);
    if (member->removed || (other && other->removed)) continue;
    if (other == nullptr || (!buses && left.children.size() != right.children.size())) return mismatch();
    auto of_left = typer.member(a.node, member->name, span),
         of_right = of_left ? typer.member(b.node, member->name, span) : of_left;
    if (!of_right) return of_right.failure();
    if (of_left->dims != of_right->dims)
      return typer.wrong(sizes_differ, span, {"connection", dims_text(of_left->dims), dims_text(of_right->dims)});
    Side x{of_left, member, a.outside, a.hidden}, y{of_right, other, b.outside, b.hidden};
    if (auto done = join_members(work, context, x, y, span); !done) return done;  // one mistake, one message
  }
  return Done{};
}

Outcome<Done> Connections::join_leaves(Work& work, const Side& a, const Side& b, Span span) {
  const Instance& member = *a.connector;
  if (member.variability <= instance::Variability::parameter) return join_parameters(work, a, b, span);
  if (member.type != instance::Type::string) join_elements(work.space, a, b, span);
  return Done{};
}

void Connections::join_elements(const Space& given, const Side& a, const Side& b, Span span) {
  Space space = given;
  std::vector<AxisId> axes;
  for (std::int64_t d : a.node->dims) {
    axes.push_back(model_.nodes.new_axis());
    space = extend_to(space, axes.back(), d);
  }
  for_each_part(space, [&](Work& work) -> Outcome<Done> {
    Indices indices;
    Lowering lowering(model_.nodes, model_.dag(), model_.diagnostics, work, model_.structural_leaves());
    for (AxisId axis : axes) indices.push_back(lowering.axis(axis));
    auto of_left = ids_of(model_, lowering, *a.node, indices), of_right = ids_of(model_, lowering, *b.node, indices);
    if (!of_left || !of_right) return of_left ? of_right.failure() : of_left.failure();
    join_ids(a, b, *of_left, *of_right, span);
    return Done{};
  });
}

void Connections::join_ids(const Side& a, const Side& b, const std::vector<std::uint32_t>& x,
                           const std::vector<std::uint32_t>& y, Span span) {
  std::size_t n = std::max(x.size(), y.size());
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t p = element(x[x.size() == 1 ? 0 : i], a, span), q = element(y[y.size() == 1 ? 0 : i], b, span);
    sets_.unite(p, q);
  }
}

Outcome<Done> Connections::join_parameters(Work& work, const Side& a, const Side& b, Span span) {
  const Instance &left = *a.connector, &right = *b.connector;
  Diagnostics quiet;
  auto x = instance::value_of(model_.tree, left, {}, span, quiet),
       y = instance::value_of(model_.tree, right, {}, span, quiet);
  bool known = x && y;
  if (known && !instance::equal(*x, *y))
    return model_.diagnostics.error(
        connect_parameters_differ, span,
        {instance::path_of(left), instance::path_of(right), instance::print(*x), instance::print(*y)},
        {{left.span, "declared here"}, {right.span, "declared here"}});
  bool can_change = left.type == instance::Type::real && left.variability == instance::Variability::parameter;
  if (!can_change || work.space.n != 1 || !a.node->dims.empty()) return Done{};
  GroupBuilder builder(model_, 1);
  EquationLeaves leaves(model_, builder, ExpressionPlace::attribute);
  Lowering lowering(model_.nodes, model_.dag(), model_.diagnostics, work, leaves);
  Scalar equal = lowering.apply(Op::equal, lowering.scalar(*a.node), lowering.scalar(*b.node));
  if (equal.failed()) return equal.failure();
  if (equal.is_known()) return Done{};
  std::string message = "connected parameters " + instance::path_of(left) + " and " + instance::path_of(right) + " differ";
  model_.flat.assertions.push_back(
      {builder.finish_term(lowering.expression(equal), span), message, ir::AssertionLevel::error, {}, {}});
  return Done{};
}

void Connections::check_sources(const std::vector<std::uint32_t>& set) {
  const Element* source = nullptr;
  for (std::uint32_t e : set) {
    if (!elements_[e].source) continue;
    if (source) {
      auto name = [&](const Element& at) { return ir::name_of(model_.flat, ir::VariableId(std::size_t{at.id})); };
      model_.diagnostics.error(two_sources, elements_[e].span, {name(*source), name(elements_[e])},
                               {{source->span, "the other one"}});
      return;
    }
    source = &elements_[e];
  }
}

/// Something that reads from a bus needs a source, unless an expression gives the member its value.
void Connections::check_written(const std::vector<std::uint32_t>& set) {
  const Element* member = nullptr;
  for (std::uint32_t e : set) {
    const Element& element = elements_[e];
    if (element.on_bus == nullptr && !element.reads) return;
    if (element.on_bus == nullptr) continue;
    if (element.on_bus->binding || model_.mentioned_in_buses.contains(element.on_bus)) return;
    if (member == nullptr) member = &element;
  }
  bool read = std::any_of(set.begin(), set.end(), [&](std::uint32_t e) { return elements_[e].reads; });
  if (member == nullptr || !read) return;
  model_.diagnostics.error(bus_member_not_written, member->span,
                           {ir::name_of(model_.flat, ir::VariableId(std::size_t{member->id}))});
}

std::uint32_t Connections::element(std::uint32_t id, const Side& side, Span span) {
  const Instance& member = *side.connector;
  bool in_bus = is_in_bus(member);
  bool comes_in = side.outside && !side.hidden, takes = !side.outside;
  bool source = !in_bus && (comes_in && member.causality == ast::Causality::input);
  source |= !in_bus && takes && member.causality == ast::Causality::output;
  std::uint32_t at = element(id, side.outside, member.connection, source, span);
  elements_[at].discrete = is_discrete(model_, member);
  elements_[at].on_bus = in_bus ? &member : nullptr;
  elements_[at].reads = !in_bus && member.causality == (takes ? ast::Causality::input : ast::Causality::output);
  return at;
}

std::uint32_t Connections::element(std::uint32_t id, bool outside, ast::Connection kind, bool source, Span span) {
  auto [at, is_new] = place_.emplace(std::make_pair(id, outside), static_cast<std::uint32_t>(elements_.size()));
  if (is_new) {
    elements_.push_back({id, outside, kind, false, source, false, nullptr, span});
    sets_.add();
  }
  return at->second;
}

namespace {

/// Groups of equal shape from rows of slots: one per (size, key).
struct RowsOfShape {
  std::vector<std::vector<std::uint32_t>> columns;
  std::vector<ir::RowId> rows;
  std::vector<Span> spans;
};

ir::Group with_spans(Model& model, ir::Group group, const std::vector<Span>& spans) {
  for (std::size_t i = 0; i < spans.size(); ++i) model.flat.origins[group.origins[i]].span = spans[i];
  return group;
}

/// Discrete values that are equal: the two sides stay apart.
void push_pairs(Model& model, RowsOfShape& shape) {
  GroupBuilder builder(model, shape.rows.size());
  Space space;
  space.n = shape.rows.size();
  std::vector<ExprId> sides;
  for (auto& column : shape.columns) sides.push_back(builder.slot(std::move(column)));
  NamedAxes none;
  ir::Group group = builder.finish(sides, {shape.rows, shape.rows}, shape.spans[0], space, none);
  model.flat.discrete_equations.section.groups.push_back(with_spans(model, std::move(group), shape.spans));
}

void push_group(Model& model, const std::vector<bool>& minus, RowsOfShape& shape) {
  GroupBuilder builder(model, shape.rows.size());
  Space space;
  space.n = shape.rows.size();
  ExprId sum;
  for (std::size_t k = 0; k < shape.columns.size(); ++k) {
    ExprId term = builder.slot(std::move(shape.columns[k]));
    if (k == 0) sum = minus[k] ? model.dag().neg(term) : term;
    else sum = minus[k] ? model.dag().sub(sum, term) : model.dag().add(sum, term);
  }
  NamedAxes none;
  ir::Group group = builder.finish({sum}, {std::move(shape.rows)}, shape.spans[0], space, none);
  model.flat.equations.groups.push_back(with_spans(model, std::move(group), shape.spans));
}

}  // namespace

void Connections::potential_rows(const std::vector<std::vector<std::uint32_t>>& sets) {
  RowsOfShape shape, discrete;
  for (RowsOfShape* rows : {&shape, &discrete}) rows->columns.resize(2);
  ir::Section& discrete_section = model_.flat.discrete_equations.section;
  for (auto set : sets) {  // discrete ones first: no continuous row must determine them
    std::stable_partition(set.begin(), set.end(), [&](std::uint32_t e) { return elements_[e].discrete; });
    for (std::size_t k = 1; k < set.size(); ++k) {
      bool both_discrete = elements_[set[0]].discrete && elements_[set[k]].discrete;
      RowsOfShape& rows = both_discrete ? discrete : shape;
      rows.columns[0].push_back(elements_[set[0]].id);
      rows.columns[1].push_back(elements_[set[k]].id);
      rows.spans.push_back(elements_[set[k]].span);
      rows.rows.emplace_back(std::size_t{(both_discrete ? discrete_section : model_.flat.equations).n_rows++});
    }
  }
  if (!shape.rows.empty()) push_group(model_, {false, true}, shape);
  if (!discrete.rows.empty()) push_pairs(model_, discrete);
}

void Connections::flow_rows(const std::vector<std::vector<std::uint32_t>>& sets) {
  std::map<std::vector<bool>, std::size_t> place;
  std::vector<std::pair<std::vector<bool>, RowsOfShape>> shapes;
  auto shape_for = [&](const std::vector<bool>& minus) -> RowsOfShape& {
    auto [at, is_new] = place.emplace(minus, shapes.size());
    if (is_new) {
      shapes.emplace_back(minus, RowsOfShape{});
      shapes.back().second.columns.resize(minus.size());
    }
    return shapes[at->second].second;
  };
  for (const auto& set : sets) {
    ir::RowId row(std::size_t{model_.flat.equations.n_rows++});
    std::size_t width = set.size() > static_cast<std::size_t>(longest_written_sum) ? 1 : set.size();
    for (std::size_t first = 0; first < set.size(); first += width) {
      std::vector<bool> minus;
      for (std::size_t k = first; k < first + width; ++k) minus.push_back(elements_[set[k]].outside);
      RowsOfShape& shape = shape_for(minus);
      for (std::size_t k = 0; k < width; ++k) shape.columns[k].push_back(elements_[set[first + k]].id);
      shape.rows.push_back(row);
      shape.spans.push_back(elements_[set[first]].span);
    }
  }
  for (auto& [minus, shape] : shapes) push_group(model_, minus, shape);
}

void Connections::make_equations() {
  for_each_component(model_.tree.root(), [&](const Instance& instance) {  // unconnected flows are sets of one
    if (instance.connection != ast::Connection::flow || instance.type == instance::Type::none) return;
    auto id = model_.first_id.find(&instance);
    if (id == model_.first_id.end()) return;
    const Instance* top = &instance;
    while (top->parent && (top->parent->is_connector || top->parent->class_kind == ast::ClassKind::record))
      top = top->parent;
    if (!top->is_connector) return;
    auto n = static_cast<std::uint32_t>(size_of(instance::all_dimensions(instance)));
    for (std::uint32_t i = 0; i < n; ++i) element(id->second + i, false, ast::Connection::flow, false, instance.span);
  });
  std::vector<std::vector<std::uint32_t>> potentials = sets_of(ast::Connection::none);
  std::vector<std::vector<std::uint32_t>> signals = across_buses(potentials);
  for (const auto& set : signals.empty() ? potentials : signals) check_sources(set);
  for (const auto& set : signals) check_written(set);
  potential_rows(potentials);
  flow_rows(sets_of(ast::Connection::flow));
  std::vector<std::vector<StreamEnd>> streams;
  for (const auto& set : sets_of(ast::Connection::stream)) {
    streams.emplace_back();
    for (std::uint32_t e : set) streams.back().push_back({elements_[e].id, elements_[e].outside, elements_[e].span});
  }
  stream_rows(model_, streams);
}

/// Sets joined where they share a member of a bus: inside of a component and outside of it, that is the same signal.
std::vector<std::vector<std::uint32_t>> Connections::across_buses(
    const std::vector<std::vector<std::uint32_t>>& sets) const {
  UnionFind joined(sets.size());
  std::map<std::uint32_t, std::uint32_t> first_with;
  for (std::uint32_t k = 0; k < sets.size(); ++k)
    for (std::uint32_t e : sets[k])
      if (elements_[e].on_bus) joined.unite(first_with.emplace(elements_[e].id, k).first->second, k);
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_first;
  if (first_with.empty()) return {};
  for (std::uint32_t k = 0; k < sets.size(); ++k) {
    auto& all = by_first[joined.find(k)];
    all.insert(all.end(), sets[k].begin(), sets[k].end());
  }
  std::vector<std::vector<std::uint32_t>> signals;
  for (auto& [first, all] : by_first) signals.push_back(std::move(all));
  return signals;
}

std::vector<std::vector<std::uint32_t>> Connections::sets_of(ast::Connection kind) {
  std::map<std::uint32_t, std::size_t> set_of;
  std::vector<std::vector<std::uint32_t>> sets;
  for (std::uint32_t e = 0; e < elements_.size(); ++e) {
    if (elements_[e].kind != kind) continue;
    auto [at, is_new] = set_of.emplace(sets_.find(e), sets.size());
    if (is_new) sets.emplace_back();
    sets[at->second].push_back(e);
  }
  return sets;
}

}  // namespace bolza::flatten
