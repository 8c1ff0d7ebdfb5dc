// SPDX-License-Identifier: Apache-2.0
// Every invariant of a System, broken by hand: verify aborts.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::VariableId;

const VariableId the_time{std::size_t{0}};

/// Two states, an alias, a block of two equations, a discrete variable with memory and a reinit.
ir::FlatModel with_events() {
  ModelBuilder b;
  VariableId h = b.real("h"), v = b.real("v"), alias = b.real("alias"), p = b.real("p"), q = b.real("q");
  VariableId low = b.discrete("low"), n = b.discrete("n", ir::ValueType::integer);
  b.equation(b.der(h), v);
  b.equation(b.der(v), E(q) - 9.81);
  b.equation(alias, h);
  b.equation(E(p) + sin(E(q)), h);
  b.equation(E(q) + sin(E(p)), v);
  b.discrete_equation(low, less(E(h), 0.0));
  VariableId before = b.pre(n);
  b.discrete_equation(n, choose(E(low), E(before) + 1.0, E(before)));
  b.initial_discrete(before, 3.0);
  b.reinit(v, E(low), E(v) * -0.8);
  b.initial(E(p) * p, 0.25);
  return b.model;
}

ir::FlatModel with_optimization() {
  ModelBuilder b;
  VariableId x = b.real("x"), y = b.real("y"), u = b.input("u"), k = b.free_parameter("k", 1.0);
  VariableId twice = b.parameter("twice", E(k) * 2.0);
  b.equation(b.der(x), E(u) - E(twice) * x);
  b.equation(E(y) + sin(E(y)), x);
  b.path(E(x) * u, ir::Relation::less_equal, 2.0);
  VariableId end = b.timed(x, E(VariableId(std::size_t{ModelBuilder::final_time})));
  b.point(end, ir::Relation::equal, 1.0);
  b.objective(E(end) * end);
  b.integrand(E(u) * u + E(x) * x);
  return b.model;
}

System after(const char* pass, ir::FlatModel model) {
  System system(std::move(model), {});
  Diagnostics diagnostics;
  std::vector<PassTime> times;
  Result<Done> done = run_passes(system, diagnostics, times, {.last = pass, .print_after = {}, .print = {}});
  EXPECT_FALSE(done.failed()) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
  return system;
}

void expect_broken(const System& whole, const std::function<void(System&)>& damage, const char* message) {
  System system = whole;
  verify(system);
  damage(system);
  EXPECT_DEATH(verify(system), message);
}

VariableId first_of(const System& system, ScalarRole role) {
  for (std::size_t v = 0; v < system.n(); ++v)
    if (system.roles[v] == role && !system.definitions[v]) return VariableId(v);
  ADD_FAILURE() << "no variable of the role";
  return {};
}

VariableId defined(const System& system) {
  for (std::size_t v = 0; v < system.n(); ++v)
    if (system.definitions[v]) return VariableId(v);
  ADD_FAILURE() << "no variable has a definition";
  return {};
}

TEST(Verify, finds_broken_tables) {
  System s = after("group", with_events());
  auto table = "one entry per scalar variable";
  expect_broken(s, [](System& b) { b.roles.pop_back(); }, table);
  expect_broken(s, [](System& b) { b.numbers.pop_back(); }, table);
  expect_broken(s, [](System& b) { b.derivative.pop_back(); }, table);
  expect_broken(s, [](System& b) { b.owner.pop_back(); }, table);
  expect_broken(s, [](System& b) { b.definitions.pop_back(); }, table);
  expect_broken(s, [](System& b) { b.definition_origins.pop_back(); }, table);
  expect_broken(s, [](System& b) { b.select.pop_back(); }, table);
  expect_broken(s, [](System& b) { b.merged.pop_back(); }, table);
}

TEST(Verify, finds_broken_derivatives) {
  System s = after("group", with_events());
  std::size_t x = first_of(s, ScalarRole::state).index(), d = first_of(s, ScalarRole::derivative).index();
  expect_broken(s, [&](System& b) { b.derivative[x] = {}; }, "a state has a derivative");
  expect_broken(s, [&](System& b) { b.owner[d] = {}; }, "a derivative belongs to a variable");
  expect_broken(s, [&](System& b) { b.derivative[x] = the_time; }, "the derivative of a variable belongs to it");
}

TEST(Verify, finds_broken_definitions) {
  System s = after("eliminate-aliases", with_events());
  std::size_t v = defined(s).index();
  expect_broken(s, [&](System& b) { b.definitions[v]->roots.push_back(b.definitions[v]->root()); }, "has one root");
  expect_broken(s, [&](System& b) { b.definition_origins[v] = 1000; }, "a definition has an origin");
  expect_broken(s, [&](System& b) { b.definitions[v]->slots = {VariableId(v)}; }, "only variables without definition");
  expect_broken(s, [&](System& b) { b.definitions[v]->slots = {VariableId(b.n())}; }, "only variables without definition");
  expect_broken(s, [&](System& b) { b.definitions[v].reset(); }, "what is merged has a definition");
  System o = after("evaluate-parameters", with_optimization());
  std::size_t dependent = defined(o).index();
  expect_broken(o, [&](System& b) { b.definitions[dependent].reset(); }, "a dependent parameter has a definition");
}

TEST(Verify, finds_broken_remembered_values) {
  System s = after("extract-events", with_events());
  ASSERT_FALSE(s.event_values.empty());
  expect_broken(s, [](System& b) { b.event_values[0].variable = the_time; }, "are discrete variables");
  expect_broken(s, [](System& b) { b.event_values.push_back(b.event_values[0]); }, "in the order of their variables");
  expect_broken(s, [](System& b) { b.event_values[0].indicators.clear(); }, "one indicator, of a part two");
  expect_broken(s, [](System& b) { b.event_values[0].origin = 1000; }, "a remembered value has an origin");
}

TEST(Verify, finds_broken_schedules) {
  System s = after("sort-equations", with_events());
  ASSERT_GE(s.schedule.size(), 3u);
  ASSERT_EQ(s.structure.loops.size(), 1u);
  expect_broken(s, [](System& b) { b.treatments.pop_back(); }, "every row has a treatment");
  expect_broken(s, [](System& b) { b.schedule.pop_back(); }, "every row is scheduled once");
  expect_broken(s, [](System& b) { b.schedule[0] = b.schedule[1]; }, "every row is scheduled once");
  auto scatter = [](System& b) {
    b.treatments[b.schedule[0].index()].block = b.treatments[b.schedule.back().index()].block;
  };
  expect_broken(s, scatter, "rows of one block are neighbours");
  expect_broken(s, [](System& b) { b.treatments[0].loop = 7; }, "loops exist");
  expect_broken(s, [](System& b) { b.treatments[0].matched = the_time; }, "rows are matched with unknowns");
  expect_broken(s, [](System& b) { b.treatments[0].matched = b.treatments[1].matched; }, "matched with different unknowns");
}

TEST(Verify, finds_broken_standard_forms) {
  System s = after("eliminate-explicit", with_events());
  ASSERT_EQ(s.solved.x.size(), 2u);
  ASSERT_FALSE(s.solved.z.empty());
  ASSERT_FALSE(s.solved.residuals.groups.empty());
  ASSERT_EQ(s.solved.initial.n_rows, 1u);
  expect_broken(s, [](System& b) { b.solved.x[0] = defined(b); }, "have no definition");
  expect_broken(s, [](System& b) { b.solved.x[1] = b.solved.x[0]; }, "different variables");
  expect_broken(s, [](System& b) { b.solved.x[0] = b.solved.z[0]; }, "x are states");
  expect_broken(s, [](System& b) { b.solved.z[0] = b.solved.x[0]; }, "different variables");
  expect_broken(s, [](System& b) { b.solved.u.push_back(the_time); }, "u inputs");
  expect_broken(s, [](System& b) { b.solved.position[b.solved.x[0].index()] = 1; }, "positions are those");
  expect_broken(s, [](System& b) { b.solved.rate_sum[b.solved.x[0].index()] = true; }, "a sum of rates");
  expect_broken(s, [](System& b) { b.solved.rate_sum.resize(b.n() + 1); }, "a sum of rates");
  expect_broken(s, [](System& b) { ++b.solved.rates.n_rows; }, "a rate for every state");
  expect_broken(s, [](System& b) { ++b.solved.residuals.n_rows; }, "a residual with an origin");
  expect_broken(s, [](System& b) { b.solved.residual_origins.pop_back(); }, "a residual with an origin");
  expect_broken(s, [](System& b) { b.solved.initial_origins.pop_back(); }, "an origin for every initial equation");
  auto read_defined = [](System& b) { b.solved.residuals.groups[0].slots[0] = ir::Column::affine(defined(b), 0); };
  expect_broken(s, read_defined, "reads variables without definition");
}

TEST(Verify, finds_broken_events) {
  System s = after("initial-discrete", with_events());
  ASSERT_FALSE(s.events.updates.empty());
  ASSERT_FALSE(s.events.initial.empty());
  ASSERT_EQ(s.events.reset.size(), 1u);
  expect_broken(s, [](System& b) { b.events.values.pop_back(); }, "a value for every update");
  expect_broken(s, [](System& b) { b.events.updates[0].variable = the_time; }, "updates are of discrete variables");
  expect_broken(s, [](System& b) { b.events.updates[0].indicator = 9; }, "indicators that exist");
  expect_broken(s, [](System& b) { b.events.initial.pop_back(); }, "has an initial one");
  expect_broken(s, [](System& b) { b.events.fires.pop_back(); }, "a condition and a value for every reinit");
  expect_broken(s, [](System& b) { b.events.sets.pop_back(); }, "a condition and a value for every reinit");
  expect_broken(s, [](System& b) { b.events.reset[0] = the_time; }, "reinit sets states");
  expect_broken(s, [](System& b) { b.events.assertions.emplace_back(); }, "a condition for every message");
  expect_broken(s, [](System& b) { b.flat.delays.emplace_back(); }, "three rows for every delay");
}

TEST(Verify, finds_broken_optimization_rows) {
  System s = after("lower-optimization", with_optimization());
  ASSERT_EQ(s.lowered.path.size(), 1u);
  ASSERT_FALSE(s.lowered.values.empty());
  ASSERT_FALSE(s.lowered.integrand_residuals.empty() || s.lowered.integrand_residuals[0].empty());
  expect_broken(s, [](System& b) { b.lowered.path[0].origins.pop_back(); }, "an origin for every part");
  expect_broken(s, [](System& b) { b.lowered.path[0].origins[0] = 1000; }, "an origin for every part");
  expect_broken(s, [](System& b) { b.lowered.objective.origins.emplace_back(); }, "an origin for every part");
  expect_broken(s, [](System& b) { b.lowered.point[0].lower = std::numeric_limits<double>::infinity(); }, "are in order");
  auto split = [](System& b) {
    LoweredRow& row = b.lowered.integrand_residuals[0][0];
    row.parts.push_back(row.parts[0]), row.origins.push_back(row.origins[0]);
  };
  expect_broken(s, split, "a residual has one part");
  expect_broken(s, [](System& b) { b.lowered.values[0].place = 9; }, "places that exist");
  expect_broken(s, [](System& b) { b.lowered.values[0].index = 9; }, "quantities that exist");
}

TEST(Verify, finds_broken_problems) {
  System s = after("assemble", with_optimization());
  expect_broken(s, [](System& b) { b.problem.x.pop_back(); }, "");
}

}  // namespace
}  // namespace bolza::passes::test
