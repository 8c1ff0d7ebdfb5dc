// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/literal_events.h"

#include <algorithm>

#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/events/discrete_rows.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::VariableKind;

namespace {

// ---------------------------------------------------------------- arguments for events

/// Replaces the arguments of Programs that matter near an event only.
class Sides {
 public:
  explicit Sides(System& system) : system_(system), dag_(system.dag()), composer_(system.dag()) {
    for (const ir::Program& program : system.flat.expressions.programs) any_ = any_ || !program.event_sides.empty();
  }

  void run() {
    if (!any_) return;
    for (ir::Section* section : sections_of(system_.flat)) {
      std::vector<ir::Group> groups;
      for (ir::Group& group : section->groups) {
        if (group.n == 0 || !has_sides(instance_of(group, 0).applied.roots)) groups.push_back(std::move(group));
        else
          for (ir::Group& made : rewritten(group, section->n_rows)) groups.push_back(std::move(made));
      }
      section->groups = std::move(groups);
    }
  }

 private:
  bool has_sides(const std::vector<ExprId>& roots) const {
    std::vector<ExprId> all = ir::reachable(dag_, roots);
    return std::any_of(all.begin(), all.end(), [&](ExprId e) {
      return dag_.op(e) == ir::Op::call && !system_.flat.expressions.programs[dag_.program(e).index()].event_sides.empty();
    });
  }

  std::vector<ir::Group> rewritten(const ir::Group& group, std::uint32_t n_rows) {
    SectionBuilder builder(system_.options.enabled("group"));
    GroupInstance instance;
    for (std::size_t i = 0; i < group.n; ++i) {
      read_instance(group, i, instance);
      const Applied& a = instance.applied;
      instance.applied = composer_.canonical({without(a.roots), a.slots, a.data});
      builder.add(instance);
    }
    return builder.finish(n_rows).groups;
  }

  std::vector<ExprId> without(const std::vector<ExprId>& roots) {
    ir::NodeMap<ExprId> made;
    std::vector<ExprId> operands, out;
    for (ExprId e : ir::reachable(dag_, roots)) {
      operands.clear();
      for (ExprId operand : dag_.operands(e)) operands.push_back(*made.find(operand));
      if (dag_.op(e) == ir::Op::call)
        for (auto [input, nowhere] : system_.flat.expressions.programs[dag_.program(e).index()].event_sides)
          operands[input] = dag_.number(nowhere);
      made[e] = operands.empty() ? e : ir::with_operands(dag_, e, operands);
    }
    for (ExprId root : roots) out.push_back(*made.find(root));
    return out;
  }

  System& system_;
  ir::Dag& dag_;
  Composer composer_;
  bool any_ = false;
};

// ---------------------------------------------------------------- what nothing depends on

/// Discrete variables that are read by continuous equations or the optimisation problem, directly or through others.
class Needed {
 public:
  explicit Needed(System& system) : system_(system), needed_(system.n(), false) {
    auto is_target = [&](VariableId v) { return is_discrete_unknown(system, v); };
    rows_ = read_discrete_rows(system.dag(), system.flat.discrete_equations.section, is_target);
    of_variable_.resize(system.n());
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
      for (const Reading& reading : rows_.readings[r]) of_variable_[reading.variable.index()].push_back(rows_.instance[r]);
    needed_row_.assign(rows_.instances.size(), false);
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
      if (rows_.readings[r].empty()) need_row(rows_.instance[r]);
  }

  void run() {
    ir::FlatModel& flat = system_.flat;
    for (ir::Section* section : sections_of(flat))
      if (section != &flat.discrete_equations.section && section != &flat.initial_discrete_equations.section)
        for_each_instance(*section, [&](const GroupInstance& instance) { need(instance.applied.slots); });
    for (const ir::Termination& termination : flat.terminations) need(termination.condition.slots);
    for (const ir::Delay& delay : flat.delays)
      for (const ir::Term* term : {&delay.expression, &delay.time}) need(term->slots);
    while (!waiting_.empty()) {
      VariableId v = waiting_.back();
      waiting_.pop_back();
      if (VariableId of = system_.owner[v.index()]) need(of);
      for (std::uint32_t row : of_variable_[v.index()]) need_row(row);
    }
    drop();
  }

 private:
  void need(const std::vector<VariableId>& slots) {
    for (VariableId v : slots)
      if (v.index() < needed_.size()) need(v);
  }
  void need(VariableId v) {
    bool counts = system_.role(v) == ScalarRole::discrete || system_.role(v) == ScalarRole::timed;  // n(finalTime) needs n
    if (needed_[v.index()] || !counts) return;
    needed_[v.index()] = true;
    waiting_.push_back(v);
    if (const Applied* definition = system_.definition(v)) need(definition->slots);
  }
  void need_row(std::uint32_t row) {
    if (needed_row_[row]) return;
    needed_row_[row] = true;
    need(rows_.instances[row].applied.slots);
  }

  bool is_idle(VariableId v) const {
    return v.index() < needed_.size() && !needed_[v.index()] && system_.role(v) == ScalarRole::discrete &&
           !system_.definition(v);
  }
  bool reads_idle(const std::vector<VariableId>& slots) const {
    return std::any_of(slots.begin(), slots.end(), [&](VariableId v) { return is_idle(v); });
  }

  void drop() {
    ir::FlatModel& flat = system_.flat;
    for (ir::Section* section : {&flat.discrete_equations.section, &flat.initial_discrete_equations.section}) {
      SectionBuilder kept(system_.options.enabled("group"));
      std::uint32_t n = 0;
      for (GroupInstance& instance : instances_of(*section)) {
        if (reads_idle(instance.applied.slots)) continue;
        for (std::size_t k = 0; k < instance.rows.size(); ++k)
          instance.rows[k] = RowId(std::size_t{k % 2 == 0 ? n++ : n - 1});
        kept.add(instance);
      }
      *section = kept.finish(n);
    }
    std::erase_if(flat.samples, [&](const ir::Sampling& sampling) { return is_idle(sampling.variable); });
    std::erase_if(flat.assertions, [&](const ir::Assertion& a) {
      return reads_idle(a.condition.slots) ||
             std::any_of(a.values.begin(), a.values.end(), [&](const ir::Term& term) { return reads_idle(term.slots); });
    });
    for (std::size_t v = 0; v < needed_.size(); ++v)
      if (is_idle(VariableId(v))) idle_.push_back(VariableId(v));
    for (VariableId v : idle_) system_.roles[v.index()] = ScalarRole::unused;
  }

  System& system_;
  DiscreteRows rows_;
  std::vector<bool> needed_, needed_row_;                ///< [n_scalars], [instances of rows_]
  std::vector<std::vector<std::uint32_t>> of_variable_;  ///< [n_scalars] instances that may determine it
  std::vector<VariableId> waiting_, idle_;
};

// ---------------------------------------------------------------- what cannot stay

/// What is wrong with the first thing that only events can change; nothing when there is none.
Result<Done> refuse_events(System& system, Diagnostics& diagnostics) {
  const ir::FlatModel& flat = system.flat;
  auto refuse = [&](Span span, std::string_view what,
                    const char* instead =
                        "a relation in an `if` can stand here, and `--smooth eps` makes it smooth; "
                        "`bolza simulate` takes the model as it is") {
    return diagnostics.error(event_in_solve, span, {what}, {{{}, instead}});
  };
  if (std::none_of(
          flat.variables.begin(), flat.variables.end(),
          [](const ir::Variable& v) { return v.kind == VariableKind::discrete || v.kind == VariableKind::previous; }) &&
      flat.samples.empty() && flat.terminations.empty())
    return Done{};
  auto tells_ticks = [&](const ir::Variable& v) {
    bool discrete = v.kind == VariableKind::discrete || v.kind == VariableKind::sample;
    return discrete && !v.name.empty() && v.name[0].name.starts_with("$tick") && v.first.index() < system.n() &&
           system.role(v.first) != ScalarRole::unused;
  };
  for (const ir::Variable& v : flat.variables)
    if (tells_ticks(v))
      return refuse(v.span, "what this clock determines",
                    "equations that hold at the ticks of a clock are taken by `bolza simulate` only; here their limit for "
                    "short intervals can stand, as continuous equations");
  const ir::Section& rows = flat.discrete_equations.section;
  auto is_previous = [&](VariableId v) {
    return v.index() < system.n() && system.role(v) == ScalarRole::discrete &&
           ir::variable_of(flat, v).kind == VariableKind::previous;
  };
  if (!flat.samples.empty())
    return refuse(flat.samples[0].start.span ? flat.samples[0].start.span : system.span_of(flat.samples[0].variable),
                  "`sample`");
  if (!flat.reinitialisations.section.groups.empty())
    return refuse(system.span_of_origin(flat.reinitialisations.section.groups[0].origins[0]), "`reinit`",
                  flat.phases.empty() || flat.are_pieces
                      ? "`--nonsmooth auto` and `modes` solve a problem without free times of its own from jump to jump"
                      : "end the phase where the state jumps, and let a link say how the next one starts: "
                        "`constraint b.v(startTime) = -e*a.v(finalTime)`");
  if (!flat.terminations.empty()) return refuse(flat.terminations[0].condition.span, "`terminate`");
  if (!rows.groups.empty()) {
    std::string name = "a discrete equation";
    for (const ir::Column& column : rows.groups[0].slots)
      if (is_discrete_unknown(system, column[0])) name = "`" + system.name(column[0]) + "`";
    return refuse(system.span_of_origin(rows.groups[0].origins[0]), name);
  }
  for (const ir::Section* section : sections_of(system.flat))  // pre(x) of something continuous, in an equation
    for (const ir::Group& group : section->groups)
      for (const ir::Column& column : group.slots)
        for (std::uint32_t i = 0; i < (column.stride() == 0 && column.is_affine() ? 1 : group.n); ++i)
          if (is_previous(column[i]))
            return refuse(system.span_of_origin(group.origins[i]), "`" + system.name(column[i]) + "`");
  for (std::size_t v = 0; v < system.n(); ++v)
    if (is_discrete_unknown(system, VariableId(v)))
      return refuse(system.span_of(VariableId(v)), "`" + system.name(VariableId(v)) + "`");
  return Done{};
}

}  // namespace

Result<Done> take_events_literally(System& system, Diagnostics& diagnostics) {
  define_discrete(system, [&](VariableId v) { return system.role(v) != ScalarRole::discrete; });
  Sides(system).run();
  Needed(system).run();
  return refuse_events(system, diagnostics);
}

}  // namespace bolza::passes
