// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/buses_internal.h"

#include <algorithm>
#include <set>

#include "base/expects.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/connect_equations_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/buses.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {
namespace {

/// One side of a connection, as far as there are components of its names.
struct BusEnd {
  instance::Resolved known;
  ast::List<ast::NamePart> rest;  ///< names that an expandable connector does not have yet
  const Instance& at() const { return known.component(); }
};

class BusMembers {
 public:
  explicit BusMembers(Model& model) : model_(model) {}

  void run() {
    do {
      changed_ = false;
      for_each_connection(model_, [&](const ast::Equation& equation, const Context& context) {
        if (equation.kind == ast::EquationKind::connect) visit(equation, context);
      });
    } while (changed_);
    report_open();
  }

  const std::set<const Instance*>& used() const { return used_; }

 private:
  void visit(const ast::Equation& equation, const Context& context) {
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      auto a = end_of(typer, *equation.left), b = end_of(typer, *equation.right);
      if (!a || !b) return Done{};
      if (!a->rest.empty() && !b->rest.empty()) {
        open_.emplace(&equation, a->rest.front().span);
        lead_through(*a);
        lead_through(*b);
        return Done{};
      }
      open_.erase(&equation);
      for (const BusEnd* end : {&*a, &*b}) mark(end->known);
      if (!a->rest.empty()) return grow(typer, *a, *b);
      if (!b->rest.empty()) return grow(typer, *b, *a);
      if (auto done = fit(typer, *a, *b); !done) return done;
      if (auto done = fit(typer, *b, *a); !done) return done;
      if (a->at().expandable && b->at().expandable) unite(a->at(), b->at());
      return Done{};
    });
  }

  /// Nothing for what is no component, or one that is not there: said where the connection is made.
  std::optional<BusEnd> end_of(Typer& typer, const ast::Expr& expr) {
    std::size_t known = 0;
    auto resolved = known_part(model_, expr, typer.scope, known);
    if (!resolved || resolved->removed) return {};
    return BusEnd{std::move(*resolved), expr.reference->parts.subspan(known)};
  }

  /// That members of expandable connectors on the way are wanted.
  void mark(const instance::Resolved& way) {
    for (const instance::PathPart& part : way.path)
      for (const Instance* i = part.instance; i != nullptr; i = i->parent)
        if (i->parent && i->parent->expandable) changed_ |= used_.insert(i).second;
  }

  /// `bus.a.x` makes `bus.a` an expandable connector.
  bool lead_through(const BusEnd& end) {
    if (end.rest.size() < 2) return false;
    used_.insert(&instance::add_bus(model_.tree, end.at(), end.rest[0].identifier, end.rest[0].span));
    changed_ = true;
    return true;
  }

  Outcome<Done> grow(Typer& typer, const BusEnd& bus, const BusEnd& other) {
    if (lead_through(bus)) return Done{};
    auto sizes = sizes_of(typer, bus.rest[0], other);
    if (!sizes) return sizes.failure();
    const ast::NamePart& part = bus.rest[0];
    expects(bus.at().child(part.identifier) == nullptr, "a name that leads nowhere is no member yet");
    const Instance& member = instance::add_member(model_.tree, bus.at(), part.identifier, other.at(), *sizes, part.span);
    added_.insert(&member);
    used_.insert(&member);
    changed_ = true;
    return Done{};
  }

  /// An array that a connection added is as long as the largest subscript says.
  Outcome<Done> fit(Typer& typer, const BusEnd& bus, const BusEnd& other) {
    const Instance& member = bus.at();
    if (!added_.contains(&member) || bus.known.path.back().subscripts.empty()) return Done{};
    auto sizes = sizes_of(typer, {member.name, member.span, bus.known.path.back().subscripts}, other);
    if (!sizes) return sizes.failure();
    for (std::size_t d = 0; d < std::min(sizes->size(), member.rank()); ++d)
      changed_ |= (*sizes)[d] > member.dimensions[d].size;
    instance::enlarge(member, *sizes);
    return Done{};
  }

  /// Sizes of a member that is named with these subscripts and connected to the other side.
  Outcome<std::vector<std::int64_t>> sizes_of(Typer& typer, const ast::NamePart& part, const BusEnd& other) {
    Typed place = typer.place(other.known, part.span);
    if (!place) return place.failure();
    std::vector<std::int64_t> sizes;
    std::size_t taken = 0;
    for (const ast::Subscript& subscript : part.subscripts) {
      if (subscript.whole()) {
        if (taken < place->dims.size()) sizes.push_back(place->dims[taken++]);
        continue;
      }
      typer.ends.push_back(0);
      auto index = typer.expression(*subscript.index);
      typer.ends.pop_back();
      if (!index) return index.failure();
      if (!index->dims.empty()) ++taken;
      auto largest = largest_value(typer, *index);
      if (!largest) return largest.failure();
      sizes.push_back(*largest);
    }
    for (; taken < place->dims.size(); ++taken) sizes.push_back(place->dims[taken]);
    return sizes;
  }

  static Outcome<std::int64_t> largest_value(Typer& typer, const Node& index) {
    std::vector<double> values;
    if (index.dims.empty()) {
      auto known = typer.value_now(index);
      if (!known) return known.failure();
      for (std::size_t i = 0; i < typer.work.space.n; ++i) values.push_back((*known)[i]);
    } else {
      auto known = typer.range_values(index);
      if (!known) return known.failure();
      values = std::move(*known);
    }
    return values.empty() ? 0 : static_cast<std::int64_t>(*std::max_element(values.begin(), values.end()));
  }

  /// Connected buses have the same members.
  void unite(const Instance& a, const Instance& b) {
    give(a, b);
    give(b, a);
    for (std::size_t k = 0; k < a.children.size(); ++k) {
      const Instance& mine = *a.children[k];
      if (mine.removed) continue;
      const Instance& other = *b.child(mine.name);
      if (used_.contains(&mine) != used_.contains(&other)) {
        used_.insert(&mine);
        used_.insert(&other);
        changed_ = true;
      }
      if (mine.expandable && other.expandable) unite(mine, other);
      grow_to(mine, other);
      grow_to(other, mine);
    }
  }

  void give(const Instance& from, const Instance& to) {
    for (std::size_t k = 0; k < from.children.size(); ++k) {
      const Instance& mine = *from.children[k];
      if (to.child(mine.name) || mine.removed) continue;
      added_.insert(&instance::add_member(model_.tree, to, mine.name, mine, own_sizes(mine), mine.span));
      changed_ = true;
    }
  }

  void grow_to(const Instance& member, const Instance& other) {
    if (!added_.contains(&member) || member.rank() != other.rank()) return;
    for (std::size_t d = 0; d < member.rank(); ++d) changed_ |= other.dimensions[d].size > member.dimensions[d].size;
    instance::enlarge(member, own_sizes(other));
  }

  static std::vector<std::int64_t> own_sizes(const Instance& instance) {
    std::vector<std::int64_t> sizes;
    for (const instance::Dimension& dimension : instance.dimensions) sizes.push_back(dimension.size);
    return sizes;
  }

  void report_open() {
    for_each_connection(model_, [&](const ast::Equation& equation, const Context&) {
      auto at = open_.find(&equation);
      if (at == open_.end()) return;
      model_.diagnostics.error(open_bus_member, equation.left->span, {syntax::print(*equation.left)});
      open_.erase(at);
    });
  }

  Model& model_;
  std::set<const Instance*> added_, used_;
  std::map<const ast::Equation*, Span> open_;  ///< of which both sides name members that are not there
  bool changed_ = false;
};

/// Names in expressions that lead through expandable connectors.
class BusMentions {
 public:
  BusMentions(Model& model, const std::set<std::string_view>& names) : model_(model), names_(names) {}

  void in(const ast::Expr* expr, const Scope& scope) {
    if (expr == nullptr) return;
    if (expr->reference && expr->kind != ast::ExprKind::call) name(*expr->reference, scope);
    for (const ast::Expr* operand : expr->operands) in(operand, scope);
    for (const auto& row : expr->rows)
      for (const ast::Expr* entry : row) in(entry, scope);
    for (const ast::Iterator& iterator : expr->iterators) in(iterator.range, scope);
    if (!expr->arguments) return;
    for (const ast::Expr* argument : expr->arguments->positional) in(argument, scope);
    for (const ast::NamedArgument& argument : expr->arguments->named) in(argument.value, scope);
  }

  void in(const ast::Equation& equation, const Scope& scope) {
    if (equation.kind != ast::EquationKind::connect) {
      in(equation.left, scope);
      in(equation.right, scope);
    }
    for (const ast::Equation* inner : equation.body) in(*inner, scope);
    for (const auto& branch : equation.branches) {
      in(branch.condition, scope);
      for (const ast::Equation* inner : branch.body) in(*inner, scope);
    }
  }

  void in(const ast::Statement& statement, const Scope& scope) {
    in(statement.target, scope);
    in(statement.value, scope);
    for (const ast::Statement* inner : statement.body) in(*inner, scope);
    for (const auto& branch : statement.branches) {
      in(branch.condition, scope);
      for (const ast::Statement* inner : branch.body) in(*inner, scope);
    }
  }

 private:
  void name(const ast::Reference& reference, const Scope& scope) {
    bool may_be = std::any_of(reference.parts.begin(), reference.parts.end(),
                              [&](const ast::NamePart& part) { return names_.contains(part.identifier); });
    if (!may_be || reference.parts.size() < 2) return;
    Diagnostics quiet;
    auto resolved = instance::lookup(model_.tree, scope, reference, quiet);
    if (!resolved || resolved->kind != instance::ResolvedKind::component) return;
    for (const Instance* i = &resolved->component(); i->parent != nullptr; i = i->parent)
      if (i->parent->expandable) model_.mentioned_in_buses.insert(i);
  }

  Model& model_;
  const std::set<std::string_view>& names_;
};

void find_mentions(Model& model, const std::set<std::string_view>& names) {
  BusMentions mentions(model, names);
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    mentions.in(instance.binding.expr, instance.binding.scope);
    for (const auto* equations : {&instance.equations, &instance.initial_equations})
      for (const auto& equation : *equations) mentions.in(*equation.node, equation.scope);
    for (const auto* sections : {&instance.algorithms, &instance.initial_algorithms})
      for (const auto& section : *sections)
        for (const ast::Statement* statement : section.node->items) mentions.in(*statement, section.scope);
  });
}

}  // namespace

std::optional<instance::Resolved> known_part(Model& model, const ast::Expr& expr, const Scope& scope, std::size_t& known) {
  if (expr.kind != ast::ExprKind::name) return {};
  const auto& parts = expr.reference->parts;
  for (known = parts.size(); known > 0; --known) {
    Diagnostics quiet;
    ast::Reference part{expr.reference->global, parts.first(known), expr.reference->span};
    auto resolved = instance::lookup(model.tree, scope, part, quiet);
    if (!resolved) continue;
    if (resolved->kind != instance::ResolvedKind::component) return {};
    bool open = known < parts.size() && !resolved->removed;
    if (open && !resolved->component().expandable) return {};
    return *resolved;
  }
  return {};
}

void complete_buses(Model& model) {
  for_each_component(model.tree.root(), [&](const Instance& instance) { model.has_buses |= instance.expandable; });
  if (!model.has_buses) return;
  BusMembers members(model);
  members.run();
  std::vector<const Instance*> unused;
  std::set<std::string_view> names;
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    if (!instance.parent || !instance.parent->expandable) return;
    names.insert(instance.name);
    if (!members.used().contains(&instance) && instance.variability > instance::Variability::parameter)
      unused.push_back(&instance);
  });
  find_mentions(model, names);
  for (const Instance* member : unused)
    if (!model.mentioned_in_buses.contains(member) && !member->binding) instance::remove_member(*member);
}

}  // namespace bolza::flatten
