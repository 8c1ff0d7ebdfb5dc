// SPDX-License-Identifier: Apache-2.0
// The invariants of a System, stage by stage: see system.h.
#include "base/expects.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

namespace {

bool is_known(const System& system, VariableId v) { return v && v.index() < system.n(); }

/// Of a variable that stays: it exists and has no definition.
bool is_kept(const System& system, VariableId v) { return is_known(system, v) && !system.definition(v); }

std::size_t roots_in(const std::vector<EventRow>& rows) {
  std::size_t n = 0;
  for (const EventRow& row : rows) n += row.value.roots.size();
  return n;
}

// ---------------------------------------------------------------- flat

void verify_tables(const System& system) {
  std::size_t n = system.n();
  expects(system.roles.size() == n && system.numbers.size() == n && system.derivative.size() == n &&
              system.owner.size() == n && system.select.size() == n && system.definitions.size() == n &&
              system.definition_origins.size() == n && system.merged.size() == n && system.phase.size() == n,
          "tables of a system have one entry per scalar variable");
}

void verify_derivatives(const System& system) {
  for (std::size_t v = 0; v < system.n(); ++v)
    if (system.roles[v] == ScalarRole::derivative)
      expects(is_known(system, system.owner[v]), "a derivative belongs to a variable");
  for (std::size_t v = 0; v < system.n(); ++v) {
    VariableId derivative = system.derivative[v];
    bool wanted = system.roles[v] == ScalarRole::state && !system.definitions[v];
    expects(derivative || !wanted, "a state has a derivative");
    if (!derivative) continue;
    expects(is_known(system, derivative) && system.owner[derivative.index()] == VariableId(v),
            "the derivative of a variable belongs to it");
  }
}

void verify_definitions(const System& system) {
  for (std::size_t v = 0; v < system.n(); ++v) {
    const auto& definition = system.definitions[v];
    expects(definition || !system.merged[v], "what is merged has a definition");
    expects(definition || system.roles[v] != ScalarRole::dependent, "a dependent parameter has a definition");
    if (!definition) continue;
    expects(definition->roots.size() == 1, "a definition has one root");
    expects(system.definition_origins[v] < system.flat.origins.size(), "a definition has an origin");
    for (VariableId used : definition->slots)
      expects(is_kept(system, used), "definitions use only variables without definition");
  }
}

void verify_event_values(const System& system) {
  VariableId last;
  for (const EventValue& value : system.event_values) {
    expects(is_known(system, value.variable) && system.role(value.variable) == ScalarRole::discrete,
            "remembered values are discrete variables");
    expects(!last || last < value.variable, "remembered values are in the order of their variables");
    expects(value.indicators.size() == (value.role == ir::DiscreteRole::part ? 2u : 1u), "one indicator, of a part two");
    expects(value.origin < system.flat.origins.size(), "a remembered value has an origin");
    last = value.variable;
  }
}

// ---------------------------------------------------------------- sorted

void verify_schedule(const System& system) {
  std::uint32_t n = system.flat.equations.n_rows;
  expects(system.treatments.size() == n, "every row has a treatment");
  expects(system.schedule.size() == n, "every row is scheduled once");
  std::vector<bool> scheduled(n, false), done(n, false), matched(system.n(), false);
  for (std::size_t k = 0; k < n; ++k) {
    RowId row = system.schedule[k];
    expects(row && row.index() < n && !scheduled[row.index()], "every row is scheduled once");
    scheduled[row.index()] = true;
    std::uint32_t block = system.treatments[row.index()].block;
    expects(block < n && !done[block], "rows of one block are neighbours");
    if (k + 1 < n && system.schedule[k + 1].index() < n && system.treatments[system.schedule[k + 1].index()].block != block)
      done[block] = true;
  }
  for (const Treatment& treatment : system.treatments) {
    expects(treatment.loop == Treatment{}.loop || treatment.loop < system.structure.loops.size(), "loops exist");
    if (!treatment.matched) continue;
    expects(is_known(system, treatment.matched) && system.is_unknown(treatment.matched), "rows are matched with unknowns");
    expects(!matched[treatment.matched.index()], "rows are matched with different unknowns");
    matched[treatment.matched.index()] = true;
  }
}

// ---------------------------------------------------------------- solved

void verify_lists(const System& system) {
  const Solved& solved = system.solved;
  expects(solved.rate_sum.size() <= system.n(), "a sum of rates is a derivative that is not in z");
  std::vector<bool> listed(system.n(), false);
  auto check = [&](const std::vector<VariableId>& list, auto&& belongs) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      VariableId v = list[k];
      expects(is_kept(system, v), "x, z and u have no definition");
      expects(!listed[v.index()], "x, z and u are different variables");
      expects(belongs(v), "x are states, z unknowns, u inputs");
      expects(v.index() < solved.position.size() && solved.position[v.index()] == k, "positions are those in x, z and u");
      listed[v.index()] = true;
    }
  };
  check(solved.x, [&](VariableId v) { return system.role(v) == ScalarRole::state; });
  check(solved.z, [&](VariableId v) { return system.is_unknown(v); });
  check(solved.u, [&](VariableId v) { return system.role(v) == ScalarRole::input; });
  for (std::size_t v = 0; v < solved.rate_sum.size(); ++v)
    if (solved.rate_sum[v])
      expects(system.roles[v] == ScalarRole::derivative && !system.definitions[v] && !listed[v],
              "a sum of rates is a derivative that is not in z");
}

void verify_solved_rows(const System& system) {
  const Solved& solved = system.solved;
  expects(solved.rates.n_rows == solved.x.size(), "a rate for every state");
  expects(solved.residuals.n_rows == solved.z.size() && solved.residual_origins.size() == solved.z.size(),
          "a residual with an origin for every algebraic");
  expects(solved.initial_origins.size() == solved.initial.n_rows, "an origin for every initial equation");
  for (const ir::Section* section : {&solved.rates, &solved.residuals, &solved.initial})
    for (const ir::Group& group : section->groups)
      for (const ir::Column& column : group.slots)
        for (std::size_t i = 0; i < group.n; ++i)
          expects(is_kept(system, column[i]), "what is solved reads variables without definition");
}

// ---------------------------------------------------------------- discrete

void verify_events(const System& system) {
  const EventRows& events = system.events;
  expects(roots_in(events.values) == events.updates.size(), "a value for every update");
  std::size_t indicators = roots_in(events.indicators);
  for (const DiscreteUpdate& update : events.updates) {
    expects(is_known(system, update.variable) && system.role(update.variable) == ScalarRole::discrete,
            "updates are of discrete variables");
    expects(!update.indicator || *update.indicator < indicators, "updates name indicators that exist");
  }
  expects(roots_in(events.initial_values) == events.initial.size(), "a value for everything that has an initial one");
  expects(roots_in(events.fires) == events.reset.size() && roots_in(events.sets) == events.reset.size(),
          "a condition and a value for every reinit");
  for (VariableId v : events.reset) expects(is_kept(system, v) && system.role(v) == ScalarRole::state, "reinit sets states");
  expects(events.conditions.size() >= events.assertions.size() + events.terminations.size(),
          "a condition for every message");
  std::size_t profiles = 0;
  for (const ir::Transport& transport : system.flat.transports) profiles += 2 * transport.places.size();
  if (system.keeps_events())
    expects(events.delays.size() == 3 * system.flat.delays.size() + profiles, "three rows for every delay, then profiles");
}

// ---------------------------------------------------------------- lowered

void verify_row(const System& system, const LoweredRow& row) {
  expects(row.parts.size() == row.origins.size(), "a row has an origin for every part");
  for (std::uint32_t origin : row.origins)
    expects(origin < system.flat.origins.size(), "a row has an origin for every part");
  expects(!(row.lower > row.upper), "the sides of a row are in order");
}

void verify_residuals(const System& system, const std::vector<LoweredRow>& rows) {
  for (const LoweredRow& row : rows) {
    verify_row(system, row);
    expects(row.parts.size() == 1, "a residual has one part");
  }
}

void verify_lowered(const System& system) {
  const Lowered& lowered = system.lowered;
  for (const auto* rows : {&lowered.path, &lowered.point})
    for (const LoweredRow& row : *rows) verify_row(system, row);
  verify_row(system, lowered.objective);
  verify_residuals(system, lowered.point_residuals);
  for (const auto* rows : {&lowered.integrands, &lowered.violations})
    for (const LoweredRow& row : *rows) verify_row(system, row);
  for (const auto& rows : lowered.integrand_residuals) verify_residuals(system, rows);
  for (const ir::PointValue& value : lowered.values) {
    if (value.quantity == ir::PointQuantity::integral) continue;
    const Solved& solved = system.solved;
    std::size_t size = value.quantity == ir::PointQuantity::algebraic ? solved.z.size()
                       : value.quantity == ir::PointQuantity::control ? solved.u.size()
                                                                      : solved.x.size();
    expects(value.place < lowered.places.size(), "point values name places that exist");
    expects(value.index < size, "point values name quantities that exist");
  }
}

}  // namespace

void verify(const System& system) {
  if (system.stage == SystemStage::assembled) return verify(system.problem);
  verify_tables(system);
  verify_derivatives(system);
  verify_definitions(system);
  verify_event_values(system);
  if (system.stage >= SystemStage::sorted) verify_schedule(system);
  if (system.stage >= SystemStage::solved) {
    verify_lists(system);
    verify_solved_rows(system);
  }
  if (system.stage >= SystemStage::discrete) verify_events(system);
  if (system.stage >= SystemStage::lowered) verify_lowered(system);
}

}  // namespace bolza::passes
