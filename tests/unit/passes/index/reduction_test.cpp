// SPDX-License-Identifier: Apache-2.0
// Index reduction: what is differentiated, what becomes a state, that solutions of the reduced system satisfy the original
// one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::VariableId;

std::set<std::string> names(const ir::Problem& p, const std::vector<VariableId>& list) {
  std::set<std::string> result;
  for (VariableId v : list) result.insert(ir::name_of(p.flat, v));
  return result;
}

double at(const ir::Problem& p, const std::vector<double>& values, const std::string& name) {
  for (std::size_t v = 0; v < values.size(); ++v)
    if (ir::name_of(p.flat, VariableId(v)) == name) return values[v];
  ADD_FAILURE() << "no variable " << name;
  return 0;
}

struct Pendulum {
  ModelBuilder m;
  VariableId x = m.real("x"), y = m.real("y"), vx = m.real("vx"), vy = m.real("vy"), tension = m.real("tension");
  Pendulum() {
    m.equation(m.der(x), vx);
    m.equation(m.der(y), vy);
    m.equation(m.der(vx), -E(tension) * x);
    m.equation(m.der(vy), -E(tension) * y - 9.81);
    m.equation(E(x) * x + E(y) * y, 1.0);
  }
};

TEST(reduction, makes_a_pendulum_solvable) {
  Pendulum pendulum;
  ir::Problem p = lowered(pendulum.m.model, {{.point = {{"x", 0.6}, {"y", -0.8}}}});
  EXPECT_EQ(p.structure.index, 3u);
  EXPECT_EQ(p.structure.remaining_index, 1u);
  EXPECT_EQ(names(p, p.x), (std::set<std::string>{"x", "vx"}));
  PointOfProblem here = solve_point(p, {0.6, 0.5}, {}, 0);
  ASSERT_TRUE(here.converged);
  std::vector<double> v = all_values(p, here, std::vector<double>(p.flat.n_scalars));
  double y = at(p, v, "y"), vy = at(p, v, "vy");
  EXPECT_NEAR(std::fabs(y), 0.8, 1e-9);
  EXPECT_NEAR(0.6 * 0.5 + y * vy, 0, 1e-9);
  EXPECT_NEAR(at(p, v, "tension"), 0.25 + vy * vy - 9.81 * y, 1e-8);  // T = v² − g y, from the second derivative
}

TEST(reduction, chooses_by_the_point) {
  Pendulum pendulum;
  ir::Problem beside = lowered(pendulum.m.model, {{.point = {{"x", 1.0}, {"y", 0.01}}}});
  EXPECT_EQ(names(beside, beside.x), (std::set<std::string>{"y", "vy"}));
  ir::Problem below = lowered(pendulum.m.model, {{.point = {{"x", 0.01}, {"y", -1.0}}}});
  EXPECT_EQ(names(below, below.x), (std::set<std::string>{"x", "vx"}));
  ASSERT_EQ(below.structure.choices.size(), 1u);
  EXPECT_FALSE(below.structure.choices[0].is_constant);
  EXPECT_EQ(names(below, below.structure.choices[0].kept), (std::set<std::string>{"x", "vx"}));
}

TEST(reduction, keeps_constraints_as_invariants_in_an_optimisation_where_no_choice_is_good_everywhere) {
  Pendulum pendulum;
  pendulum.m.optimization();
  pendulum.m.set(pendulum.y, ir::Attribute::start, -1.0);
  ir::Problem p = lowered(pendulum.m.model);
  EXPECT_EQ(p.structure.index, 3u);
  EXPECT_EQ(p.structure.n_differentiated, 4u);
  EXPECT_EQ(names(p, p.x), (std::set<std::string>{"x", "y", "vx", "vy"}));
  EXPECT_EQ(p.structure.choices.at(0).invariants.size(), 1u);
  EXPECT_EQ(p.initial_rows.size(), 2u) << "x^2 + y^2 = 1 and its first derivative";
  std::vector<double> state;
  for (VariableId v : p.x) {
    std::string name = ir::name_of(p.flat, v);
    state.push_back(name == "x" ? 0.6 : name == "y" ? -0.8 : name == "vx" ? 0.4 : 0.3);
  }
  PointOfProblem here = solve_point(p, state, {}, 0);
  ASSERT_TRUE(here.converged);
  std::vector<double> v = all_values(p, here, std::vector<double>(p.flat.n_scalars));
  EXPECT_NEAR(at(p, v, "tension"), 0.25 + 9.81 * 0.8, 1e-8);  // v² − g y
}

TEST(reduction, chooses_in_an_optimisation_where_a_choice_is_good_everywhere) {
  for (bool positive : {true, false}) {
    ModelBuilder m;  // each grows faster than the other sees, below -5 it falls
    VariableId a = m.real("a"), b = m.real("b");
    m.equation(m.der(a), 1.0 - E(b));
    m.equation(E(a) + 0.1 * E(a) * a, E(b) + 0.1 * E(b) * b);
    m.equation(m.der(b), m.real("rate"));
    m.optimization();
    for (VariableId v : {a, b}) {
      m.set(v, ir::Attribute::start, 20.0);
      if (positive) m.set(v, ir::Attribute::min, 0.0);
    }
    ir::Problem p = lowered(m.model);
    EXPECT_EQ(p.x.size(), positive ? 1u : 2u);
    EXPECT_EQ(p.structure.choices.at(0).invariants.size(), positive ? 0u : 1u);
    EXPECT_EQ(p.structure.n_differentiated, 1u);
  }
}

TEST(reduction, prefers_what_is_regular_everywhere) {
  ModelBuilder m;  // energy of a body whose capacity grows with its temperature, and vanishes at T = -5
  VariableId energy = m.real("energy"), T = m.real("T");
  m.equation(m.der(energy), 1.0 - E(T));
  m.equation(E(energy), E(T) + 0.1 * E(T) * T);
  m.equation(m.der(T), m.real("rate"));
  m.set(T, ir::Attribute::start, 20.0);
  EXPECT_EQ(names(lowered(m.model), lowered(m.model).x), std::set<std::string>{"T"}) << "energy is a function of T";
}

TEST(reduction, starts_where_the_start_values_are_good) {
  Pendulum pendulum;
  pendulum.m.set(pendulum.x, ir::Attribute::start, 1.0);
  pendulum.m.set(pendulum.y, ir::Attribute::start, 0.0);
  pendulum.m.at(pendulum.x).fixed = {true};  // would be the taste, but y determines nothing at y = 0
  EXPECT_EQ(names(lowered(pendulum.m.model), lowered(pendulum.m.model).x), (std::set<std::string>{"y", "vy"}));
}

TEST(reduction, honours_state_select_where_it_can) {
  for (bool first : {true, false}) {
    ModelBuilder m;  // two inertias on one shaft
    VariableId p1 = m.real("p1"), p2 = m.real("p2"), w1 = m.real("w1"), w2 = m.real("w2"), torque = m.real("torque"),
               gap = m.parameter("gap", 0.3);
    m.equation(m.der(p1), w1);
    m.equation(m.der(p2), w2);
    m.equation(2.0 * E(m.der(w1)), 5.0 - E(torque));
    m.equation(3.0 * E(m.der(w2)), torque);
    m.equation(E(p1) - p2, gap);
    for (VariableId v : {first ? p1 : p2, first ? w1 : w2}) m.at(v).state_select_prefer = true;
    ir::Problem p = lowered(m.model);
    EXPECT_EQ(names(p, p.x), (first ? std::set<std::string>{"p1", "w1"} : std::set<std::string>{"p2", "w2"}));
    EXPECT_EQ(p.structure.index, 3u);
    EXPECT_TRUE(p.structure.choices[0].is_constant);
    PointOfProblem here = solve_point(p, {0.1, 0.2}, {}, 0);
    ASSERT_TRUE(here.converged);
    std::vector<double> v = all_values(p, here, std::vector<double>(p.flat.n_scalars));
    EXPECT_NEAR(at(p, v, "torque"), 3.0, 1e-12);  // 5 N m on 5 kg m²: 1 rad/s²
    EXPECT_NEAR(at(p, v, "der(w1)"), 1.0, 1e-12);
    EXPECT_NEAR(at(p, v, "w1"), at(p, v, "w2"), 1e-12);
  }
}

TEST(reduction, tells_of_state_select_that_cannot_be_honoured) {
  ModelBuilder m;
  VariableId a = m.real("a"), b = m.real("b"), l = m.real("l");
  m.equation(m.der(a), l);
  m.equation(m.der(b), -E(l));
  m.equation(E(a) + 2.0 * E(b), 1.0);
  m.at(a).state_select_always = m.at(b).state_select_always = true;
  EXPECT_EQ(codes_of(m.model), std::vector<std::string>{"E418"});
  m.at(b).state_select_always = false;
  m.at(b).state_select_never = true;
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(names(p, p.x), std::set<std::string>{"a"});
  m.at(a).state_select_always = false;
  m.at(a).state_select_never = true;
  EXPECT_EQ(codes_of(m.model), std::vector<std::string>{"E427"});
}

TEST(reduction, differentiates_what_state_select_asks_for) {
  auto coil = [](auto&& change) {
    ModelBuilder m;
    VariableId flux = m.real("flux"), i = m.real("i");
    m.equation(m.der(flux), -3.0 * E(i));
    m.equation(E(flux), 2.0 * E(i) + E(i) * i * i);
    change(m, flux, i);
    return m.model;
  };
  auto states = [](const ir::FlatModel& model) { return names(lowered(model), lowered(model).x); };
  std::set<std::string> flux{"flux"}, current{"i"};
  EXPECT_EQ(states(coil([](auto&, auto, auto) {})), flux);
  EXPECT_EQ(states(coil([](auto& m, auto f, auto) { m.at(f).state_select_never = true; })), current);
  EXPECT_EQ(states(coil([](auto& m, auto, auto i) { m.at(i).state_select_prefer = true; })), current);
  EXPECT_EQ(states(coil([](auto& m, auto f, auto i) { m.at(f).state_select_prefer = m.at(i).state_select_prefer = true; })),
            flux);
  EXPECT_EQ(states(coil([](auto& m, auto, auto i) { m.at(i).state_select_prefer = true, m.optimization(); })), flux);
  ir::FlatModel reduced = coil([](auto& m, auto f, auto) { m.at(f).state_select_never = true; });
  ir::Problem p = lowered(reduced);
  PointOfProblem here = solve_point(p, {0.5}, {}, 0);
  ASSERT_TRUE(here.converged);
  std::vector<double> v = all_values(p, here, std::vector<double>(p.flat.n_scalars));
  EXPECT_NEAR(at(p, v, "flux"), 1.125, 1e-12);
  EXPECT_NEAR(at(p, v, "der(flux)"), -1.5, 1e-12);
  EXPECT_EQ(p.structure.index, 1u) << "of the model as it is written";
}

TEST(reduction, leaves_preferences_where_a_start_would_be_lost) {
  enum { neither, state, both, fixed, cases };
  for (int which = 0; which < cases; ++which) {
    ModelBuilder m;
    VariableId flux = m.real("flux"), i = m.real("i");
    m.equation(m.der(flux), -3.0 * E(i));
    m.equation(E(flux), 2.0 * E(i) + E(i) * i * i);
    m.at(i).state_select_prefer = true;
    if (which == fixed) m.fix(flux, 5.0);
    else if (which != neither) m.set(flux, ir::Attribute::start, 5.0);
    if (which == both) m.set(i, ir::Attribute::start, 1.0);
    ir::Problem p = lowered(m.model);
    EXPECT_EQ(names(p, p.x), std::set<std::string>{which == state ? "flux" : "i"}) << which;
  }
}

TEST(reduction, leaves_preferences_where_a_state_would_jump) {
  enum { input, edge, time, cases };
  for (int which = 0; which < cases; ++which) {
    ModelBuilder m;  // what an input or an event moves is not a state
    VariableId x = m.real("x"), y = m.real("y");
    E moves = which == input ? E(m.input("u")) : sin(E(VariableId(std::size_t{0})));
    E bend = which == edge ? E(ir::Op::abs, {y}) : E(y) * y * y;
    m.equation(m.der(x), -E(y));
    m.equation(x, E(y) + moves + bend);
    m.at(y).state_select_prefer = true;
    ir::Problem p = lowered(m.model);
    EXPECT_EQ(names(p, p.x), std::set<std::string>{which == time ? "y" : "x"}) << which;
  }
}

TEST(reduction, differentiates_functions_of_time_and_refuses_inputs) {
  ModelBuilder m;
  VariableId x = m.real("x"), v = m.real("v"), force = m.real("force"), mass = m.parameter("mass", 2.0);
  m.equation(m.der(x), v);
  m.equation(E(mass) * m.der(v), force);
  m.equation(x, sin(3.0 * E(VariableId(std::size_t{0}))));
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(p.x.empty());
  EXPECT_EQ(p.structure.index, 3u);
  PointOfProblem here = solve_point(p, {}, {}, 0.4);
  ASSERT_TRUE(here.converged);
  std::vector<double> values = all_values(p, here, std::vector<double>(p.flat.n_scalars));
  EXPECT_NEAR(at(p, values, "force"), -18 * std::sin(1.2), 1e-12);

  ModelBuilder n;
  VariableId y = n.real("y"), u = n.input("u"), f = n.real("f");
  n.equation(n.der(y), f);
  n.equation(E(y) * y, u);
  Diagnostics diagnostics;
  ASSERT_TRUE(lower(n.model, {}, diagnostics).failed());
  EXPECT_EQ(diagnostics.all()[0].code->id, "E417");
  EXPECT_EQ(diagnostics.all()[0].message, "the derivative of the input `u` is needed");
}

TEST(reduction, names_dependent_constraints) {
  ModelBuilder m;  // the same constraint twice, with different right-hand sides
  VariableId x = m.real("x"), y = m.real("y"), f = m.real("f"), g = m.real("g"), p = m.parameter("p", 2.0);
  m.equation(m.der(x), E(f) + 0.5 * E(g));
  m.equation(m.der(y), E(f) - E(g));
  m.equation(E(x) - y, sin(E(VariableId(std::size_t{0}))));
  m.equation(E(p) * x - E(p) * y, 1.0);
  EXPECT_EQ(codes_of(m.model), std::vector<std::string>{"E419"});
}

TEST(reduction, leaves_an_index_1_system_alone) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a");
  m.equation(m.der(x), a);
  m.equation(E(a) + pow(E(a), 3), x);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.structure.index, 1u);
  EXPECT_EQ(p.structure.n_differentiated, 0u);
  EXPECT_TRUE(p.structure.choices.empty());
}

/// Inertias connected by rigid shafts with gaps: index 3, one angle and one speed are states.
ModelBuilder shafts(std::uint32_t n) {
  ModelBuilder m;
  VariableId phi = m.real("phi", n), w = m.real("w", n), tau = m.real("tau", n + 1), dphi = m.der(phi), dw = m.der(w);
  m.equation(tau, 1.0);
  m.equation(element(tau, n), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    m.equation(element(dphi, i), element(w, i));
    m.equation(E(element(dw, i)) * 0.5, E(element(tau, i)) - element(tau, i + 1));
    if (i > 0) m.equation(E(element(phi, i - 1)) - 1.1 * E(element(phi, i)), 0.01);
  }
  return m;
}

TEST(reduction, keeps_a_chain_rolled) {
  std::size_t shapes[2], k = 0;
  for (std::uint32_t n : {40u, 400u}) {
    ir::Problem p = lowered(shafts(n).model, {{.disabled = {"fuse"}}});
    EXPECT_EQ(p.x.size(), 2u);
    EXPECT_EQ(p.structure.choices.size(), 1u);
    EXPECT_EQ(p.structure.n_differentiated, 2 * (n - 1) + n);
    shapes[k++] = p.flat.expressions.dag.size();
    PointOfProblem here = solve_point(p, {0.2, 0.3}, {}, 0);
    ASSERT_TRUE(here.converged);
    std::vector<double> v = all_values(p, here, std::vector<double>(p.flat.n_scalars));
    ModelBuilder written = shafts(n);
    for (double r : residuals(written.model, written.model.equations, v)) EXPECT_NEAR(r, 0, 1e-9);
    double torque = 0;
    for (std::uint32_t i = 1; i <= n; ++i) torque += 0.5 * at(p, v, "der(w[" + std::to_string(i) + "])");
    EXPECT_NEAR(torque, 1.0, 1e-9);  // all torque accelerates some inertia
    EXPECT_NEAR(at(p, v, "der(w[2])"), at(p, v, "der(w[1])") / 1.1, 1e-9);
  }
  EXPECT_EQ(shapes[0], shapes[1]);  // ten times as long, no more expressions
}

}  // namespace
}  // namespace bolza::passes::test
