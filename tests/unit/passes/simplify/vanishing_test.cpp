// SPDX-License-Identifier: Apache-2.0
// Terms that parameters make zero: what leaves the equations, what becomes of states, and what stays an input.
#include <gtest/gtest.h>

#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::VariableId;

/// Two capacitances of 2 and 3 joined by a resistor, a current u into the first: 2·ẋ = u − i, 3·ẏ = i, R·i = x − y.
struct Joined : ModelBuilder {
  VariableId x = real("x"), y = real("y"), i = real("i"), u = input("u"), R = parameter("R", 0.0);
  Joined() {
    equation(2.0 * E(der(x)), E(u) - i);
    equation(3.0 * E(der(y)), i);
    equation(E(R) * i, E(x) - y);
  }
};

TEST(vanishing_terms, a_resistance_of_zero_joins_two_capacitances) {
  Joined m;
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.x.size(), 1u);
  EXPECT_DOUBLE_EQ(solve_point(p, {4}, {10}, 0).rates[0], 10.0 / (2 + 3));
  ASSERT_EQ(p.structure.vanished.size(), 1u);
  EXPECT_EQ(p.structure.vanished[0].parameters, std::vector<VariableId>{m.R});
  ir::Problem other = lowered(m.model, {.values = {{"R", 0.5}}});
  ASSERT_EQ(other.x.size(), 2u);
  EXPECT_TRUE(other.structure.vanished.empty());
  std::vector<double> rates = solve_point(other, {4, 1}, {10}, 0).rates;
  EXPECT_DOUBLE_EQ(rates[0], (10 - 6.0) / 2);
  EXPECT_DOUBLE_EQ(rates[1], 6.0 / 3);
}

TEST(vanishing_terms, a_capacitance_of_zero_leaves_no_state) {
  ModelBuilder m;  // C·v̇ = u − v/50, C = k·(1 + v²) with k = 0
  VariableId v = m.real("v"), C = m.real("C"), u = m.input("u"), k = m.parameter("k", 0.0);
  m.equation(E(C) * m.der(v), E(u) - E(v) / 50.0);
  m.equation(C, E(k) * (1.0 + E(v) * v));
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(p.x.empty());
  PointOfProblem at = solve_point(p, {}, {2}, 0);
  EXPECT_NEAR(all_values(p, at, std::vector<double>(m.model.n_scalars, 0))[v.index()], 100, 1e-9);
  EXPECT_EQ(lowered(m.model, {.values = {{"k", 1.0}}}).x.size(), 1u);
}

TEST(vanishing_terms, what_is_known_through_other_equations_counts) {
  ModelBuilder m;  // a = b − 1, b = p, and a·ẋ = x − y: with p = 1 an algebraic x = y
  VariableId x = m.real("x"), y = m.real("y"), a = m.real("a"), b = m.real("b"), p = m.parameter("p", 1.0);
  m.equation(E(a) * m.der(x), E(x) - y);
  m.equation(a, E(b) - 1.0);
  m.equation(b, p);
  m.equation(m.der(y), -E(y));
  EXPECT_EQ(lowered(m.model).x, std::vector<VariableId>{y});
  EXPECT_EQ(lowered(m.model, {.values = {{"p", 3.0}}}).x.size(), 2u);
}

TEST(vanishing_terms, a_branch_that_a_parameter_decides_against_is_no_occurrence) {
  ModelBuilder m;  // 0 = if p > 0 then i·p − v else v − w, i = w
  VariableId i = m.real("i"), v = m.real("v"), w = m.real("w"), p = m.parameter("p", 0.0), x = m.real("x");
  m.equation(m.der(x), E(i) + v);
  m.equation(choose(greater(p, 0.0), E(i) * p - v, E(v) - w), 0.0);
  m.equation(i, w);
  m.equation(E(w) + 3.0 * E(v), 8.0);
  EXPECT_DOUBLE_EQ(solve_point(lowered(m.model), {0}, {}, 0).rates[0], 4);  // v = w = i = 2
  ir::Problem other = lowered(m.model, {.values = {{"p", 5.0}}});
  EXPECT_DOUBLE_EQ(solve_point(other, {0}, {}, 0).rates[0], 3);  // v = 5 i, 16 i = 8
}

TEST(vanishing_terms, values_stay_inputs_where_structure_does_not_depend_on_them) {
  ModelBuilder m;
  VariableId x = m.real("x"), d = m.der(x), k = m.parameter("k", 0.0);
  m.equation(d, 1.0 - E(k) * x);
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(p.structure.vanished.empty());
  ASSERT_EQ(p.shared, (std::vector<VariableId>{VariableId(std::size_t{1}), VariableId(std::size_t{2}), k}));
  EXPECT_DOUBLE_EQ(evaluate(p, p.rates, {0, 4}, {0, 1, 2})[0], 1 - 2 * 4.0);
}

TEST(vanishing_terms, a_state_whose_derivative_is_read_elsewhere_stays) {
  ModelBuilder m;  // C·ẋ = x − y² with C = 0, and an initial equation for ẋ
  VariableId x = m.real("x"), y = m.real("y"), d = m.der(x), C = m.parameter("C", 0.0);
  m.equation(E(C) * d, E(x) - pow(E(y), 2));
  m.equation(m.der(y), 3.0);
  m.initial(E(d), 30.0);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.x.size(), 1u);
  EXPECT_EQ(p.structure.n_differentiated, 1u);
  PointOfProblem at = solve_point(p, {p.x[0] == y ? 5.0 : 25.0}, {}, 0);  // ẋ = 2·y·ẏ
  EXPECT_NEAR(all_values(p, at, std::vector<double>(m.model.n_scalars, 0))[d.index()], 30, 1e-6);
}

/// A machine between sources s and a star point n that hangs free: an inductance of the zero sequence, 3·x = Σ i, and
/// currents whose sum is zero, through a ratio. That x = 0 stands in no equation.
struct FreeStar : ModelBuilder {
  VariableId x = real("x"), mean = real("mean"), n = real("n"), ratio = parameter("ratio", 0.7), G = parameter("G", 0.25);
  std::vector<VariableId> v, i, pin, s;
  explicit FreeStar(double third = 1) {
    for (const char* k : {"1", "2", "3"}) {
      v.push_back(real(std::string("v") + k)), i.push_back(real(std::string("i") + k));
      pin.push_back(real(std::string("pin") + k)), s.push_back(input(std::string("s") + k));
    }
    equation(0.1 * E(der(x)), mean);
    equation(3.0 * E(mean), E(v[0]) + v[1] + v[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      equation(v[k], E(s[k]) - n);
      equation(E(i[k]) * ratio, pin[k]);
    }
    equation(E(pin[0]) + pin[1] + third * E(pin[2]), 0.0);
    equation(-3.0 * E(x), E(i[0]) + i[1] + i[2]);
    equation(E(i[0]) - i[1], E(G) * (E(v[0]) - v[1]));
    equation(E(i[1]) - i[2], E(G) * (E(v[1]) - v[2]));
  }
};

TEST(vanishing_sums, a_star_point_that_hangs_free_leaves_no_zero_sequence) {
  FreeStar m;
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(p.x.empty());
  PointOfProblem at = solve_point(p, {}, {1, 4, 10}, 0);
  ASSERT_TRUE(at.converged);
  std::vector<double> values = all_values(p, at, std::vector<double>(m.model.n_scalars, 0));
  EXPECT_NEAR(values[m.n.index()], 5, 1e-12);
  EXPECT_NEAR(values[m.i[2].index()], 0.25 * 5, 1e-12);
  ASSERT_EQ(p.structure.vanished.size(), 1u);
  EXPECT_EQ(p.structure.vanished[0].parameters, std::vector<VariableId>{m.ratio});
  EXPECT_EQ(lowered(m.model, {{.disabled = {"vanishing-sums"}}}).x.size(), 1u);  // regular by structure, singular by numbers
}

TEST(vanishing_sums, sums_that_are_not_the_same_leave_the_state) {
  FreeStar m(0.5);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.x, std::vector<VariableId>{m.x});
  EXPECT_TRUE(p.structure.vanished.empty());
}

}  // namespace
}  // namespace bolza::passes::test
