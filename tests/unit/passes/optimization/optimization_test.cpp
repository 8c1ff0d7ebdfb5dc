// SPDX-License-Identifier: Apache-2.0
// Objectives and constraints as rows: sides, point values, integrals, least squares, bounds of eliminated variables.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::Attribute;
using ir::PointQuantity;
using ir::Relation;
using ir::VariableId;

constexpr double infinite = std::numeric_limits<double>::infinity();
const VariableId start{std::size_t{1}}, final{std::size_t{2}};

struct Oscillator : ModelBuilder {
  VariableId x = real("x"), v = real("v"), u = input("u"), power = real("power");
  VariableId k = parameter("k", 4.0);
  Oscillator() {
    equation(der(x), v);
    equation(der(v), u - E(k) * x);
    equation(power, E(u) * v);
    optimization();
  }
};

std::vector<double> point_rows(const ir::Problem& p, const std::vector<double>& values) {
  return evaluate(p, p.point, values, p.shared_values);
}

TEST(constraints, with_a_fixed_side_have_it_as_bound) {
  Oscillator m;
  m.path(E(m.x) * m.x, Relation::less_equal, E(m.k) * 2.0);
  m.path(3.0, Relation::less_equal, E(m.v) + m.x);
  m.path(E(m.v), Relation::equal, E(m.u) * 2.0);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.n_g, 3u);
  EXPECT_EQ(p.residual_rows[0].lower, -infinite);
  EXPECT_EQ(p.residual_rows[0].upper, 8);
  EXPECT_EQ(p.residual_rows[1].lower, 3);
  EXPECT_EQ(p.residual_rows[1].upper, infinite);
  EXPECT_EQ(p.residual_rows[2].lower, 0);
  EXPECT_EQ(p.residual_rows[2].upper, 0);
  auto g = evaluate(p, p.residuals, {0, 2, 5, 0.5}, p.shared_values);
  EXPECT_DOUBLE_EQ(g[0], 4);
  EXPECT_DOUBLE_EQ(g[1], 7);
  EXPECT_DOUBLE_EQ(g[2], 4);
}

TEST(constraints, of_one_expression_become_one_row) {
  Oscillator m;
  m.path(E(m.x) + m.v, Relation::less_equal, 2.0);
  m.path(E(m.x) + m.v, Relation::greater_equal, -1.0);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.n_g, 1u);
  EXPECT_EQ(p.residual_rows[0].lower, -1);
  EXPECT_EQ(p.residual_rows[0].upper, 2);
}

TEST(constraints, that_can_never_hold_are_told_and_those_that_always_hold_vanish) {
  Oscillator m;
  m.path(E(m.k), Relation::greater_equal, 1.0);
  EXPECT_EQ(lowered(m.model).n_g, 0u);
  m.path(E(m.k), Relation::less_equal, 1.0);
  std::vector<std::string> codes = codes_of(m.model);
  EXPECT_NE(std::find(codes.begin(), codes.end(), "E414"), codes.end());
}

TEST(constraints, come_from_bounds_of_eliminated_variables) {
  Oscillator m;
  m.set(m.power, Attribute::min, 0.0);
  m.set(m.power, Attribute::max, 7.0);
  m.set(m.der(m.v), Attribute::max, 3.0);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.n_g, 2u);
  EXPECT_EQ(p.residual_rows[0].name, "0 <= power <= 7");
  EXPECT_EQ(p.residual_rows[0].upper, 7);
  EXPECT_EQ(p.residual_rows[1].name, "der(v) <= 3");
  auto g = evaluate(p, p.residuals, {0, 2, 5, 0.5}, p.shared_values);
  EXPECT_DOUBLE_EQ(g[0], 2.5);
  EXPECT_DOUBLE_EQ(g[1], 0.5 - 8);
}

TEST(constraints, that_determine_what_no_equation_does_become_equations) {
  Oscillator m;
  VariableId w = m.real("w"), y = m.real("y");
  m.path(E(w), Relation::equal, E(m.x) * y);
  m.path(E(y) + m.v, Relation::equal, 2.0);
  m.path(E(m.x) + m.v, Relation::equal, m.u);
  m.path(E(w), Relation::less_equal, 3.0);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.z.size(), 0u);
  ASSERT_EQ(p.n_g, 2u);
  auto g = evaluate(p, p.residuals, {0, 2, 5, 0.5}, p.shared_values);
  EXPECT_DOUBLE_EQ(g[0], 6.5);
  EXPECT_DOUBLE_EQ(g[1], 2 * (2 - 5));
}

TEST(point_values, have_affine_places) {
  Oscillator m;
  m.at(final).free = true;
  m.set(final, Attribute::initial_guess, 5.0);
  VariableId middle = m.timed(m.x, (E(start) + final) / 2.0), end = m.timed(m.power, final);
  m.point(E(middle) + end, Relation::less_equal, 1.0);
  m.objective(final);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.places.size(), 2u);
  EXPECT_EQ(p.places[0].on_start, 0.5);
  EXPECT_EQ(p.places[0].on_final, 0.5);
  EXPECT_EQ(p.places[1].on_final, 1);
  ASSERT_EQ(p.values.size(), 3u);  // x in the middle; v and u at the end, because power is u·v
  std::vector<double> values;
  for (const ir::PointValue& value : p.values)
    values.push_back(value.quantity == PointQuantity::control ? 3 : value.place == 0 ? 0.25 : 2);
  auto rows = point_rows(p, values);
  EXPECT_DOUBLE_EQ(rows[0], 5);
  EXPECT_DOUBLE_EQ(rows[1], 0.25 + 6);
  EXPECT_EQ(p.point_rows[0].upper, 1);
  EXPECT_FALSE(p.shared_numbers[1].fixed);
}

TEST(point_values, at_the_ends_of_a_fixed_horizon_are_the_ends) {
  Oscillator m;
  m.objective(E(m.timed(m.x, 1.0)) + m.timed(m.x, 0.0) + m.timed(m.x, final) + m.timed(m.x, 0.25));
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.places.size(), 3u);
  std::vector<std::array<double, 3>> places;
  for (const ir::TimePlace& place : p.places) places.push_back({place.on_start, place.on_final, place.offset});
  std::sort(places.begin(), places.end());
  EXPECT_EQ(places, (std::vector<std::array<double, 3>>{{0, 0, 0.25}, {0, 1, 0}, {1, 0, 0}}));
}

TEST(point_values, outside_the_horizon_or_not_affine_are_told) {
  Oscillator outside;
  outside.objective(outside.timed(outside.x, 1.5));
  EXPECT_EQ(codes_of(outside.model), (std::vector<std::string>{"W990", "E412"}));
  Oscillator bent;
  bent.objective(bent.timed(bent.x, E(final) * final));
  EXPECT_EQ(codes_of(bent.model), (std::vector<std::string>{"W990", "E411"}));
  Oscillator untimed;
  untimed.objective(untimed.x);
  EXPECT_EQ(codes_of(untimed.model), (std::vector<std::string>{"W990", "E413"}));
}

TEST(point_values, in_a_path_constraint_become_tied_parameters) {
  Oscillator m;
  VariableId first = m.timed(m.x, start);
  m.path(E(m.x), Relation::less_equal, E(first) + 1.0);
  m.integrand(pow(E(m.x) - first, 2));
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.n_global, 3u);
  EXPECT_EQ(p.shared[2], first);
  EXPECT_FALSE(p.shared_numbers[2].fixed);
  ASSERT_EQ(p.n_k, 1u);
  std::vector<double> shared = p.shared_values;
  shared[2] = 0.5;
  EXPECT_DOUBLE_EQ(evaluate(p, p.point, std::vector<double>(p.values.size(), 2.0), shared)[1], 1.5);
  EXPECT_EQ(p.point_rows[0].lower, 0);
  EXPECT_EQ(p.point_rows[0].upper, 0);
  EXPECT_DOUBLE_EQ(evaluate(p, p.residuals, {0, 3, 0, 0}, shared)[0], 1.5);  // x − (first + 1)
  EXPECT_DOUBLE_EQ(evaluate(p, p.rates, {0, 3, 0, 0}, shared)[2], 6.25);
}

/// What the iterations of a state start from.
const ir::Numbers& numbers_of(const ir::Problem& p, VariableId state) {
  return p.x_numbers[static_cast<std::size_t>(std::find(p.x.begin(), p.x.end(), state) - p.x.begin())];
}

TEST(stated_starts, become_guesses_one_after_the_other) {
  Oscillator m;
  VariableId c = m.free_parameter("c", 0.5);
  m.point(E(m.timed(m.v, start)) - m.timed(m.x, start) * m.timed(m.x, start), Relation::equal, E(c) * 2.0);  // v = 2 c + x^2
  m.point(E(m.timed(m.x, start)) * 4.0, Relation::equal, E(m.k) * -3.0);
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(numbers_of(p, m.x).has_guess && numbers_of(p, m.v).has_guess);
  EXPECT_DOUBLE_EQ(numbers_of(p, m.x).guess, -3);
  EXPECT_DOUBLE_EQ(numbers_of(p, m.v).guess, 10);
  EXPECT_FALSE(numbers_of(p, m.x).fixed || numbers_of(p, m.v).fixed);
}

TEST(stated_starts, leave_alone_what_has_a_value_or_is_not_told_by_one_linear_equality) {
  auto has_guess = [](auto&& state) {
    Oscillator m;
    state(m);
    return numbers_of(lowered(m.model), m.x).has_guess;
  };
  auto at_start = [](Oscillator& m) { return E(m.timed(m.x, start)); };
  EXPECT_TRUE(has_guess([&](Oscillator& m) { m.point(at_start(m), Relation::equal, 2.0); }));
  EXPECT_FALSE(has_guess([&](Oscillator& m) { m.point(at_start(m), Relation::less_equal, 2.0); }));
  EXPECT_FALSE(has_guess([&](Oscillator& m) { m.point(at_start(m) * at_start(m), Relation::equal, 2.0); }));
  EXPECT_FALSE(has_guess([&](Oscillator& m) { m.point(at_start(m), Relation::equal, m.timed(m.x, final)); }));
  EXPECT_FALSE(has_guess([&](Oscillator& m) { m.point(at_start(m), Relation::equal, m.timed(m.v, start)); }));
  EXPECT_FALSE(has_guess([&](Oscillator& m) { m.point(at_start(m), Relation::equal, m.timed(m.u, start)); }));
  EXPECT_FALSE(has_guess([&](Oscillator& m) { m.point(E(m.timed(m.x, final)), Relation::equal, 2.0); }));
  EXPECT_FALSE(has_guess([&](Oscillator& m) {
    m.set(m.x, Attribute::start, 1.0);
    m.point(at_start(m), Relation::equal, 2.0);
  }));
}

TEST(objective, adds_the_integral_and_keeps_its_sign) {
  for (bool maximize : {false, true}) {
    Oscillator m;
    m.objective(E(m.timed(m.x, final)) * 3.0);
    m.integrand(E(m.u) * m.u);
    m.optimization().maximize = maximize;
    ir::Problem p = lowered(m.model);
    EXPECT_EQ(p.n_q, 1u);
    EXPECT_EQ(p.maximize, maximize);
    ASSERT_EQ(p.values.size(), 2u);
    EXPECT_EQ(p.values[1].quantity, PointQuantity::integral);
    EXPECT_DOUBLE_EQ(evaluate(p, p.rates, {0, 2, 0, 5}, p.shared_values)[2], 25);
    EXPECT_DOUBLE_EQ(point_rows(p, {1.5, 100})[0], 104.5);
    EXPECT_FALSE(p.point_is_least_squares);
  }
}

TEST(least_squares, of_measurements_give_one_residual_each) {
  Oscillator m;
  double data[]{0.3, -0.2, 0.7, 0.4, 0.1, 0.2, 0.8, 0.9, -0.5, 0.6};
  VariableId sigma = m.parameter("sigma", 0.5);
  for (int i = 0; i < 10; ++i) m.objective(pow((E(m.timed(m.x, 0.05 + 0.1 * i)) - data[i]) / sigma, 2));
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(p.point_is_least_squares);
  ASSERT_EQ(p.n_r, 10u);
  EXPECT_LE(p.point.section.groups.size(), 2u);  // still rolled
  std::vector<double> values;
  for (int i = 0; i < 10; ++i) values.push_back(0.1 * i);
  auto rows = point_rows(p, values);
  double expected = 0, by_residuals = 0;
  for (int i = 0; i < 10; ++i) expected += std::pow((0.1 * i - data[i]) / 0.5, 2);
  for (int i = 0; i < 10; ++i) by_residuals += 0.5 * rows[1 + i] * rows[1 + i];
  EXPECT_NEAR(rows[0], expected, 1e-12);
  EXPECT_NEAR(by_residuals, expected, 1e-12);
}

TEST(least_squares, in_the_integrand_give_residuals_and_products_do_not) {
  Oscillator m;
  m.integrand(0.5 * (E(m.x) * m.x + 3.0 * pow(E(m.u) - 1.0, 2)) / 2.0);
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(p.point_is_least_squares);
  ASSERT_EQ(p.integrand_residuals.section.n_rows, 2u);
  std::vector<double> at{0, 1.5, 0.2, 0.4};
  double q = evaluate(p, p.rates, at, p.shared_values)[2], sum = 0;
  for (double r : evaluate(p, p.integrand_residuals, at, p.shared_values)) sum += 0.5 * r * r;
  EXPECT_NEAR(q, sum, 1e-14);
  Oscillator product;
  product.integrand(E(product.x) * product.u);
  EXPECT_FALSE(lowered(product.model).point_is_least_squares);
  Oscillator negative;
  negative.integrand(-(E(negative.x) * negative.x));
  EXPECT_FALSE(lowered(negative.model).point_is_least_squares);
}

TEST(free_parameters, carry_what_depends_on_them) {
  Oscillator m;
  VariableId p1 = m.free_parameter("p1", 2.0), p2 = m.parameter("p2", E(p1) * 3.0), y = m.real("y");
  m.equation(m.der(y), E(p2) * y);
  m.fix(y, 0);
  m.set(y, Attribute::start, E(p2) + 1.0);
  m.set(m.u, Attribute::max, E(p1));
  m.objective(m.timed(y, final));
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.n_global, 3u);
  std::vector<double> shared = p.shared_values;
  EXPECT_EQ(shared[2], 2.0);
  shared[2] = 0.5;
  auto f = evaluate(p, p.rates, {0, 0, 0, 2, 0}, shared);
  EXPECT_DOUBLE_EQ(f[2], 3.0);
  ASSERT_EQ(p.initial_rows.size(), 1u);  // y = p2 + 1 at the start
  EXPECT_FALSE(p.x_numbers[2].fixed);
  EXPECT_DOUBLE_EQ(std::fabs(evaluate(p, p.initial, {0, 0, 0, 4, 0}, shared)[0]), 1.5);
  ASSERT_EQ(p.n_g, 1u);  // u <= p1
  EXPECT_DOUBLE_EQ(evaluate(p, p.residuals, {0, 0, 0, 0, 3}, shared)[0], 2.5);
}

TEST(static_problems, have_no_states) {
  ModelBuilder m;
  VariableId x = m.real("x"), y = m.real("y"), p1 = m.free_parameter("p1", 1.0);
  m.equation(m.der(x), E(p1) - E(x) * x);
  m.equation(E(y) + sin(E(y)), x);
  m.optimization().is_static = true;
  m.objective(E(y) + E(p1));
  m.path(E(x), Relation::greater_equal, 0.5);
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(p.is_static);
  EXPECT_EQ(p.x.size(), 0u);
  EXPECT_EQ(p.z.size(), 2u);
  EXPECT_EQ(p.n_k, 1u);
  EXPECT_EQ(p.n_g, 0u);
  auto h = evaluate(p, p.residuals, {0, 2, 0.3}, {0, 1, 4});
  EXPECT_NEAR(std::fabs(h[0]) + std::fabs(h[1]), std::fabs(0.3 + std::sin(0.3) - 2), 1e-12);
}

TEST(initial_equations, that_fix_a_state_become_its_start) {
  Oscillator m;
  VariableId x0 = m.parameter("x0", 0.25);
  m.initial(E(m.x) * 2.0, E(x0));
  m.initial(E(m.v) * m.v, E(m.x));
  m.initial(m.der(m.x), 0.0);
  ir::Problem p = lowered(m.model);
  EXPECT_TRUE(p.x_numbers[0].fixed);
  EXPECT_DOUBLE_EQ(p.x_numbers[0].start, 0.125);
  EXPECT_TRUE(p.x_numbers[1].fixed);  // der(x) = v
  EXPECT_EQ(p.initial_rows.size(), 1u);
}

}  // namespace
}  // namespace bolza::passes::test
