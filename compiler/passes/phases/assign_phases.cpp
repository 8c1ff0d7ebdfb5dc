// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/phases/assign_phases.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/union_find.h"
#include "compiler/ir/print.h"
#include "compiler/passes/parameters/affine_in_parameters.h"
#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::Op;

namespace {

constexpr std::size_t most_phases = 2000;

class Assignment {
 public:
  Assignment(System& system, Diagnostics& diagnostics) : system_(system), diagnostics_(diagnostics), together_(system.n()) {}

  Result<Done> run() {
    if (std::size_t n = system_.n_phases(); n > most_phases)
      return diagnostics_.error(too_many_phases, system_.flat.span, {system_.flat.name, std::to_string(n)});
    std::size_t before = diagnostics_.errors();
    declared();
    ir::FlatModel& flat = system_.flat;
    join_rows(flat.equations, "equation");
    join_rows(flat.initial_equations, "initial equation");
    join_rows(flat.optimization->path.section, "constraint");
    for (ir::Section* section :
         {&flat.discrete_equations.section, &flat.initial_discrete_equations.section, &flat.reinitialisations.section})
      join_rows(*section, "equation");
    for (ir::Term* term : terms_of(flat)) join(term->slots, term->span, "condition");
    spread();
    if (diagnostics_.errors() > before) return diagnostics_.already_reported();
    place_integrands();
    refuse_outer_times();
    if (!system_.flat.are_pieces) refuse_links_without_time();
    for (std::uint32_t k = 0; k < system_.n_phases(); ++k) check_horizon(k);
    if (!system_.flat.are_pieces) refuse_circle();
    if (diagnostics_.errors() > before) return diagnostics_.already_reported();
    return Done{};
  }

 private:
  /// Varies in a phase; derivatives and values before an event are with their owner.
  bool counts(VariableId v) const { return system_.varies(v) && system_.role(v) != ScalarRole::time && !is_flag(v); }
  bool is_flag(VariableId v) const {
    ir::VariableKind kind = ir::variable_of(system_.flat, v).kind;
    return kind == ir::VariableKind::initial_flag || kind == ir::VariableKind::terminal_flag ||
           kind == ir::VariableKind::homotopy;
  }

  void declared() {
    for (const ir::Variable& variable : system_.flat.variables) {
      if (!variable.first_phase) continue;
      std::uint32_t each = variable.size / variable.n_phases;
      for (std::uint32_t e = 0; e < variable.size; ++e) {
        VariableId v(variable.first.index() + e);
        if (!counts(v)) continue;
        system_.phase[v.index()] = *variable.first_phase + e / each;
      }
    }
    for (std::uint32_t v = 0; v < system_.n(); ++v)
      if (system_.owner[v] && system_.role(VariableId(std::size_t{v})) != ScalarRole::timed)
        unite(VariableId(std::size_t{v}), system_.owner[v], {}, "");
  }

  void join_rows(const ir::Section& section, const char* what) {
    std::vector<VariableId> first(section.n_rows);
    for_each_instance(section, [&](const GroupInstance& i) {
      VariableId one = join(i.applied.slots, system_.span_of_origin(i.origin), what);
      if (!one) return;
      for (RowId row : i.rows) {
        if (first[row.index()]) unite(first[row.index()], one, system_.span_of_origin(i.origin), what);
        first[row.index()] = one;
      }
    });
  }

  /// All of them are in one phase; gives one of them, or none.
  VariableId join(std::span<const VariableId> slots, Span span, const char* what) {
    VariableId first;
    for (VariableId v : slots) {
      if (!counts(v)) continue;
      if (first && !unite(first, v, span, what)) return first;
      first = v;
    }
    return first;
  }

  bool unite(VariableId a, VariableId b, Span span, const char* what) {
    std::uint32_t x = together_.find(a.value), y = together_.find(b.value);
    if (x == y) return true;
    if (system_.phase[x] != no_phase && system_.phase[y] != no_phase && system_.phase[x] != system_.phase[y]) {
      diagnostics_.error(
          phases_mixed, span,
          {what, system_.name(a), name_of_phase(system_.phase[x]), system_.name(b), name_of_phase(system_.phase[y])});
      return false;
    }
    std::uint32_t known = system_.phase[x] != no_phase ? x : y;
    together_.unite(x, y);
    std::uint32_t one = together_.find(x);
    system_.phase[one] = system_.phase[known];
    return true;
  }

  const std::string& name_of_phase(std::uint32_t phase) const { return system_.flat.phases[phase].name; }

  void spread() {
    for (std::uint32_t v = 0; v < system_.n(); ++v) {
      if (!counts(VariableId(std::size_t{v}))) continue;
      system_.phase[v] = system_.phase[together_.find(v)];
      const ir::Variable& variable = ir::variable_of(system_.flat, VariableId(std::size_t{v}));
      bool is_known = system_.phase[v] != no_phase || variable.of || variable.first.value != v;
      if (!is_known) refuse_outside(variable, v);
    }
    for (std::uint32_t v = 0; v < system_.n(); ++v)
      if (!counts(VariableId(std::size_t{v}))) system_.phase[v] = no_phase;
  }

  /// One error for all that a component has.
  void refuse_outside(const ir::Variable& variable, std::uint32_t v) {
    const std::string& part = variable.name.front().name;
    bool of_component = variable.name.size() > 1;
    if (of_component && !outside_.insert(part).second) return;
    std::vector<Note> notes;
    if (of_component)
      notes.push_back({{}, "a component is a phase when it is given a time: `" + part + "(finalTime = ...)`"});
    diagnostics_.error(outside_phases, variable.span, {system_.name(VariableId(std::size_t{v}))}, std::move(notes));
  }

  void check_horizon(std::uint32_t k) {
    PhaseEnds ends = system_.ends_of(k);
    const ir::Numbers &start = system_.numbers[ends.start.index()], &final = system_.numbers[ends.final.index()];
    double earliest = start.fixed ? start.start : start.min, latest = final.fixed ? final.start : final.max;
    bool known = start.fixed && final.fixed;
    bool fits = earliest < latest || (system_.flat.are_pieces && !known);
    if (fits && !system_.flat.are_pieces) return check_length(k, ends);
    if (fits) return;
    diagnostics_.error(phase_ends_early, system_.flat.phases[k].span,
                       {name_of_phase(k), number_text(latest) + (final.fixed ? "" : " at the latest"),
                        number_text(earliest) + (start.fixed ? "" : " at the earliest")});
  }

  /// Both ends may be computed from the same free times, `a.finalTime + 1` and `a.finalTime + 0.5`.
  void check_length(std::uint32_t k, const PhaseEnds& ends) {
    HorizonTimes times(system_);
    auto of = [&](VariableId v) { return times.of(ir::Term{system_.dag().slot(0), {v}, {}, {}}); };
    AffineInParameters length = plus(of(ends.final), of(ends.start), -1);
    if (!length.known || length.on_time != 0 || times.range(length).upper > 0) return;
    auto text = [&](VariableId v) {
      const ir::Term* binding = binding_of(system_.flat, v);
      return binding ? ir::to_text(system_.flat, *binding) : system_.name(v);
    };
    diagnostics_.error(phase_ends_early, system_.flat.phases[k].span,
                       {name_of_phase(k), text(ends.final), text(ends.start)});
  }

  /// a starts where b ends, and b where a does.
  void refuse_circle() {
    std::uint32_t n = system_.n_phases();
    std::vector<std::uint32_t> before(n, no_phase), reached_from(n, no_phase);
    std::map<VariableId, std::uint32_t> ends_there;
    for (std::uint32_t k = 0; k < n; ++k) ends_there[system_.ends_of(k).final] = k;
    for (std::uint32_t k = 0; k < n; ++k)
      if (auto other = ends_there.find(system_.ends_of(k).start); other != ends_there.end()) before[k] = other->second;
    for (std::uint32_t k = 0; k < n; ++k) {
      std::uint32_t at = k;
      for (; at != no_phase && reached_from[at] == no_phase; at = before[at]) reached_from[at] = k;
      if (at == no_phase || reached_from[at] != k) continue;
      std::string names = "`" + name_of_phase(at) + "`";
      for (std::uint32_t other = before[at]; other != at; other = before[other]) names += ", `" + name_of_phase(other) + "`";
      diagnostics_.error(phases_in_circle, system_.flat.phases[at].span, {names});
      return;
    }
  }

  /// `b.x(startTime) = a.x`
  void refuse_links_without_time() {
    const ir::ConstraintSection& path = system_.flat.optimization->path;
    for_each_instance(path.section, [&](const GroupInstance& i) {
      std::uint32_t own = system_.phase_of(i.applied.slots);
      if (own == no_phase || path.relations[i.rows[0].index()] != ir::Relation::equal) return;
      for (VariableId v : i.applied.slots) {
        if (system_.role(v) != ScalarRole::timed) continue;
        std::uint32_t other = system_.phase[system_.owner[v.index()].index()];
        if (other == own || other == no_phase) continue;
        auto varies = std::find_if(i.applied.slots.begin(), i.applied.slots.end(), [&](VariableId w) { return counts(w); });
        diagnostics_.error(link_without_time, system_.span_of_origin(i.origin),
                           {system_.name(*varies), name_of_phase(other)});
        return;
      }
    });
  }

  // ------------------------------------------------------------ integrands

  void place_integrands() {
    ir::Section& integrand = system_.flat.optimization->integrand;
    SectionBuilder builder(system_.options.enabled("group"));
    for_each_instance(integrand, [&](const GroupInstance& i) {
      if (i.rows[0].index() < system_.n_phases()) {
        join(i.applied.slots, system_.span_of_origin(i.origin), "integrand");
        return builder.add(i);
      }
      for (const Applied& part : addends(i.applied)) {
        join(part.slots, system_.span_of_origin(i.origin), "integrand");
        std::uint32_t phase = system_.phase_of(part.slots);
        if (phase == no_phase) diagnostics_.error(names_no_phase, system_.span_of_origin(i.origin), {"integrand"});
        else builder.add({part, {RowId(std::size_t{phase})}, i.origin});
      }
    });
    integrand = builder.finish(system_.n_phases());
  }

  /// a + b − c as three, and w·(a + b) with a number w (the weight of a scenario) as two.
  std::vector<Applied> addends(const Applied& sum) {
    struct Open {
      ExprId expression;
      bool negative = false;
      std::optional<ExprId> weight;
    };
    ir::Dag& dag = system_.dag();
    std::vector<Open> open{{sum.root(), false, {}}};
    std::vector<Applied> found;
    while (!open.empty()) {
      auto [e, negative, weight] = open.back();
      open.pop_back();
      Op op = dag.op(e);
      std::vector<ExprId> x(dag.operands(e).begin(), dag.operands(e).end());
      if (op == Op::add || op == Op::sub) {
        open.push_back({x[1], negative != (op == Op::sub), weight});
        open.push_back({x[0], negative, weight});
      } else if (op == Op::neg) {
        open.push_back({x[0], !negative, weight});
      } else if (op == Op::mul && !weight && is_number(x[0])) {
        open.push_back({x[1], negative, x[0]});
      } else if (op == Op::mul && !weight && is_number(x[1])) {
        open.push_back({x[0], negative, x[1]});
      } else {
        ExprId part = weight ? dag.mul(*weight, e) : e;
        found.push_back(part_of(sum, negative ? dag.neg(part) : part));
      }
    }
    return found;
  }
  bool is_number(ExprId e) const {
    Op op = system_.dag().op(e);
    return op == Op::datum || op == Op::number;
  }

  Applied part_of(const Applied& whole, ExprId root) {
    ir::CanonicalShape shape = ir::canonical_shape(system_.dag(), std::span(&root, 1));
    Applied part{shape.roots, {}, {}};
    for (std::uint32_t slot : shape.slots) part.slots.push_back(whole.slots[slot]);
    for (const auto& source : shape.data) part.data.push_back(source.is_literal ? source.literal : whole.data[source.datum]);
    return part;
  }

  // ------------------------------------------------------------ startTime, finalTime of the class around

  void refuse_outer_times() {
    for (ir::Section* section : sections_of(system_.flat))
      for_each_instance(
          *section, [&](const GroupInstance& i) { refuse_outer_times(i.applied.slots, system_.span_of_origin(i.origin)); });
    for (ir::Term* term : terms_of(system_.flat)) refuse_outer_times(term->slots, term->span);
    for (const ir::Variable& variable : system_.flat.variables) {
      for (const ir::Term& term : variable.binding.terms) refuse_outer_times(term.slots, term.span);
      for (const ir::ElementValues& values : variable.attributes)
        for (const ir::Term& term : values.terms) refuse_outer_times(term.slots, term.span);
    }
  }

  void refuse_outer_times(std::span<const VariableId> slots, Span span) {
    for (VariableId v : slots)
      if (system_.role(v) == ScalarRole::start_time || system_.role(v) == ScalarRole::final_time) {
        diagnostics_.error(time_of_no_phase, span, {system_.name(v)});
        return;
      }
  }

  System& system_;
  Diagnostics& diagnostics_;
  UnionFind together_;             ///< variables of one phase, which `System::phase` of the least of them says
  std::set<std::string> outside_;  ///< components that are no phases, and were reported
};

}  // namespace

Result<Done> assign_phases(System& system, Diagnostics& diagnostics) {
  if (system.flat.phases.empty()) return Done{};
  if (system.keeps_events()) return diagnostics.error(phases_at_once, system.flat.span, {system.flat.name});
  return Assignment(system, diagnostics).run();
}

}  // namespace bolza::passes
