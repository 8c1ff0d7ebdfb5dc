// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/simplify/eliminate_aliases.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/shapes/linearity.h"
#include "compiler/passes/simplify/alias_sets.h"
#include "compiler/passes/system/codes.h"
#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {
namespace {

/// a = sign·b + offset; b absent: a = offset.
struct Equality {
  VariableId a, b;
  double sign = 1, offset = 0;
};

class AliasElimination {
 public:
  AliasElimination(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        linearity_(system.flat.expressions),
        values_(system),
        sets_(system.n()) {}

  Result<Done> run() {
    collect();
    define();
    if (failed_) return diagnostics_.already_reported();
    if (std::none_of(removed_.begin(), removed_.end(), [](bool gone) { return gone; })) return Done{};
    Composer composer(system_.dag());
    system_.flat.equations = without_removed_rows();
    insert_definitions(system_, composer);
    return Done{};
  }

 private:
  // ------------------------------------------------------------ finding

  std::optional<Equality> recognise(const GroupInstance& instance) {
    const Applied& a = instance.applied;
    if (a.roots.size() != 1 || a.slots.empty() || a.slots.size() > 2) return {};
    for (VariableId v : a.slots)
      if (!can_alias(v)) return {};
    const LinearParts first = linearity_.linear_parts(a.root(), 0);
    if (!first.linear) return {};
    std::optional<double> c0 = number(first.coefficient, a);
    if (!c0 || *c0 == 0) return {};
    if (a.slots.size() == 1) {
      std::optional<double> rest = number(first.rest, a);
      if (!rest || system_.role(a.slots[0]) != ScalarRole::algebraic) return {};
      return Equality{a.slots[0], {}, 1, -*rest / *c0};
    }
    const LinearParts second = linearity_.linear_parts(first.rest, 1);
    if (!second.linear) return {};
    std::optional<double> c1 = number(second.coefficient, a), rest = number(second.rest, a);
    if (!c1 || !rest || std::fabs(*c1) != std::fabs(*c0)) return {};
    return Equality{a.slots[0], a.slots[1], -*c1 / *c0, -*rest / *c0};
  }

  bool can_alias(VariableId v) const {
    ScalarRole role = system_.role(v);
    return role == ScalarRole::algebraic || role == ScalarRole::state || role == ScalarRole::input;
  }

  /// The value of an expression without slots.
  std::optional<double> number(ExprId e, const Applied& a) {
    for (ExprId node : ir::reachable(system_.dag(), std::span(&e, 1)))
      if (system_.dag().op(node) == ir::Op::slot || system_.dag().op(node) == ir::Op::call) return {};
    double value = values_.of(e, {}, a.data);
    if (!std::isfinite(value)) return {};
    return value;
  }

  void collect() {
    std::vector<std::uint32_t> parts(system_.flat.equations.n_rows, 0);
    for_each_instance(system_.flat.equations, [&](const GroupInstance& i) {
      for (RowId row : i.rows) ++parts[row.index()];
    });
    removed_.assign(system_.flat.equations.n_rows, false);
    for_each_instance(system_.flat.equations, [&](const GroupInstance& i) {
      if (parts[i.rows[0].index()] != 1) return;
      if (std::optional<Equality> equality = recognise(i)) take(*equality, i);
    });
  }

  void take(const Equality& e, const GroupInstance& instance) {
    if (!e.b) {
      AliasSets::Link link = sets_.find(e.a);
      VariableId kept = link.representative;
      if (system_.role(kept) != ScalarRole::algebraic || constants_.contains(kept)) return;
      constants_[kept] = {link.sign * (e.offset - link.offset), instance.origin};
      removed_[instance.rows[0].index()] = true;
      return;
    }
    AliasSets::Link a = sets_.find(e.a), b = sets_.find(e.b);
    VariableId one = a.representative, other = b.representative;
    if (one == other) return close_circle(e, a, b, instance);
    if (constants_.contains(one) || constants_.contains(other)) return;
    if (rank(one) >= 3 && rank(other) >= 3 && !both_states(one, other)) return;  // not an alias: an equation too many
    bool keep_other = rank(other) > rank(one) || (rank(other) == rank(one) && other < one);
    if (keep_other) sets_.unite(e.a, e.b, e.sign, e.offset);
    else sets_.unite(e.b, e.a, e.sign, -e.sign * e.offset);
    removed_[instance.rows[0].index()] = true;
    gone_.emplace_back(keep_other ? one : other, instance.origin);
  }

  /// Both sides are the same variable: (sa − s·sb)·r = s·ob + offset − oa.
  void close_circle(const Equality& e, const AliasSets::Link& a, const AliasSets::Link& b, const GroupInstance& instance) {
    double factor = a.sign - e.sign * b.sign, rest = e.sign * b.offset + e.offset - a.offset;
    if (factor != 0) return take({a.representative, {}, 1, rest / factor}, instance);
    removed_[instance.rows[0].index()] = true;
    Span span = system_.span_of_origin(instance.origin);
    if (std::fabs(rest) <= 1e-12 * std::max(1.0, std::fabs(a.offset))) {
      diagnostics_.warning(redundant_equation, span);
      return;
    }
    failed_ = true;
    diagnostics_.error(contradiction, span, {"0", number_text(rest)});
  }

  bool both_states(VariableId a, VariableId b) const {
    return system_.role(a) == ScalarRole::state && system_.role(b) == ScalarRole::state;
  }

  /// What stays: inputs and states, then discrete variables never, then variables with a start of their own, then short
  /// names.
  int rank(VariableId v) const {
    switch (system_.role(v)) {
      case ScalarRole::input:
      case ScalarRole::state:
        return 3;
      default:
        return ir::variable_of(system_.flat, v).name.size() == 1 ? 2 : 1;
    }
  }

  // ------------------------------------------------------------ defining

  void define() {
    for (auto [kept, value] : constants_) {
      system_.definitions[kept.index()] = constant(system_.dag(), value.first);
      system_.definition_origins[kept.index()] = value.second;
    }
    for (auto [v, origin] : gone_) {
      AliasSets::Link link = sets_.find(v);
      auto at = constants_.find(link.representative);
      if (at != constants_.end()) {
        system_.definitions[v.index()] = constant(system_.dag(), link.sign * at->second.first + link.offset);
      } else {
        system_.definitions[v.index()] = signed_variable(system_.dag(), link.representative, link.sign, link.offset);
        system_.merged[v.index()] = true;
        merge(v, link);
      }
      system_.definition_origins[v.index()] = origin;
    }
  }

  ir::Numbers& numbers(VariableId v) { return system_.numbers[v.index()]; }

  void merge(VariableId v, const AliasSets::Link& link) {
    VariableId kept = link.representative;
    ir::Numbers& to = numbers(kept);
    const ir::Numbers& from = numbers(v);
    auto seen = [&](double value) {
      return link.sign * (value - link.offset);
    };  // value of v as a value of the kept variable
    double low = seen(link.sign > 0 ? from.min : from.max), high = seen(link.sign > 0 ? from.max : from.min);
    merge_bounds(v, kept, to, low, high);
    if (!to.has_nominal && from.has_nominal) {
      to.nominal = from.nominal;
      to.has_nominal = true;
    }
    if (!to.has_guess && from.has_guess) {
      to.guess = seen(from.guess);
      to.has_guess = true;
    }
    merge_start(v, kept, to, from, seen(from.start));
    StateSelect &own = system_.select[kept.index()], other = system_.select[v.index()];
    if (own == StateSelect::standard || (other != StateSelect::standard && other > own)) own = other;
    if (system_.role(v) == ScalarRole::state) merge_derivative(v, kept, link.sign);
  }

  void merge_bounds(VariableId v, VariableId kept, ir::Numbers& to, double low, double high) {
    to.min = std::max(to.min, low);
    to.max = std::min(to.max, high);
    if (to.min <= to.max) return;
    failed_ = true;
    diagnostics_.error(bounds_crossed, system_.span_of(kept), {system_.name(kept), number_text(to.min), number_text(to.max)},
                       {{system_.span_of(v), "the same variable as `" + system_.name(v) + "`, with its own bounds"}});
    to.max = to.min;
  }

  void merge_start(VariableId v, VariableId kept, ir::Numbers& to, const ir::Numbers& from, double start) {
    if (from.fixed && to.fixed && std::fabs(start - to.start) > 1e-9 * std::max(1.0, std::fabs(start))) {
      failed_ = true;
      diagnostics_.error(fixed_conflict, system_.span_of(kept),
                         {system_.name(kept), system_.name(v), number_text(to.start), number_text(from.start)},
                         {{system_.span_of(v), "the other one"}});
      return;
    }
    bool nearer = from.has_start && start_depth(v) < start_depth(kept);  // Modelica 8.6.2: the outer modification wins
    if ((from.fixed && !to.fixed) || (!to.has_start && from.has_start) || (from.fixed == to.fixed && nearer)) {
      start_depth_[kept] = start_depth(v);
      to.start = start;
      to.has_start = from.has_start;
      to.fixed |= from.fixed;
      if (!to.has_guess) to.guess = start;
    }
  }

  std::uint32_t start_depth(VariableId v) const {
    auto at = start_depth_.find(v);
    return at != start_depth_.end() ? at->second : ir::variable_of(system_.flat, v).start_depth;
  }

  void merge_derivative(VariableId v, VariableId kept, double sign) {
    VariableId own = system_.derivative[v.index()], other = system_.derivative[kept.index()];
    system_.definitions[own.index()] = signed_variable(system_.dag(), other, sign, 0);
    system_.merged[own.index()] = true;
    ir::Numbers &to = numbers(other), &from = numbers(own);
    merge_bounds(own, other, to, sign > 0 ? from.min : -from.max, sign > 0 ? from.max : -from.min);
  }

  // ------------------------------------------------------------ rows

  ir::Section without_removed_rows() {
    std::vector<RowId> numbers(removed_.size());
    std::uint32_t n = 0;
    for (std::size_t r = 0; r < removed_.size(); ++r)
      if (!removed_[r]) numbers[r] = RowId(std::size_t{n++});
    SectionBuilder builder(system_.options.enabled("group"));
    for_each_instance(system_.flat.equations, [&](const GroupInstance& instance) {
      if (removed_[instance.rows[0].index()]) return;
      GroupInstance kept = instance;
      for (RowId& row : kept.rows) row = numbers[row.index()];
      builder.add(kept);
    });
    return builder.finish(n);
  }

  System& system_;
  Diagnostics& diagnostics_;
  Linearity linearity_;
  ParameterValues values_;
  AliasSets sets_;
  std::vector<bool> removed_;
  std::map<VariableId, std::pair<double, std::uint32_t>> constants_;
  std::vector<std::pair<VariableId, std::uint32_t>> gone_;
  std::map<VariableId, std::uint32_t> start_depth_;  ///< of kept variables whose start is another's
  bool failed_ = false;
};

}  // namespace

Result<Done> eliminate_aliases(System& system, Diagnostics& diagnostics) {
  return AliasElimination(system, diagnostics).run();
}

}  // namespace bolza::passes
