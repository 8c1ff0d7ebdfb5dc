// SPDX-License-Identifier: Apache-2.0
// Equal variables: chains with signs and constants, merged attributes, contradictions.
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/passes/simplify/alias_sets.h"
#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::Attribute;
using ir::VariableId;

TEST(alias_sets, keep_signs_and_offsets_along_chains) {
  AliasSets sets(6);
  std::vector<double> value{0, 2.5, 0, 0, 0, 0};
  auto unite = [&](std::size_t a, std::size_t b, double sign, double offset) {
    sets.unite(VariableId(a), VariableId(b), sign, offset);
  };
  unite(2, 1, -1, 3);   // v2 = 3 − v1
  unite(3, 2, 1, 0.5);  // v3 = v2 + 0.5
  unite(5, 4, -1, 1);   // v5 = 1 − v4
  unite(4, 3, -1, 0);   // v4 = −v3
  value[2] = 3 - value[1], value[3] = value[2] + 0.5, value[4] = -value[3], value[5] = 1 - value[4];
  for (std::size_t v = 1; v < 6; ++v) {
    AliasSets::Link link = sets.find(VariableId(v));
    EXPECT_EQ(link.representative, VariableId(std::size_t{1}));
    EXPECT_DOUBLE_EQ(link.sign * value[1] + link.offset, value[v]);
  }
}

TEST(aliases, of_a_state_carry_bounds_with_their_sign) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a"), b = m.real("b"), d = m.der(x);
  m.equation(d, -E(x));
  m.equation(E(a) + x, 2.0);  // a = 2 − x
  m.equation(b, -E(a));       // b = x − 2
  m.set(a, Attribute::min, -1.0);
  m.set(a, Attribute::max, 5.0);
  m.set(b, Attribute::max, 0.5);
  m.set(b, Attribute::initial_guess, -1.5);
  m.set(x, Attribute::min, -10.0);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.x, std::vector<VariableId>{x});
  EXPECT_EQ(p.z.size(), 0u);
  EXPECT_DOUBLE_EQ(p.x_numbers[0].min, -3);   // a ≤ 5
  EXPECT_DOUBLE_EQ(p.x_numbers[0].max, 2.5);  // b ≤ 0.5, tighter than a ≥ −1
  EXPECT_TRUE(p.x_numbers[0].has_guess);
  EXPECT_DOUBLE_EQ(p.x_numbers[0].guess, 0.5);
  PointOfProblem at = solve_point(p, {0.7}, {}, 0);
  std::vector<double> values = all_values(p, at, std::vector<double>(m.model.n_scalars, 0));
  EXPECT_DOUBLE_EQ(values[a.index()], 1.3);
  EXPECT_DOUBLE_EQ(values[b.index()], -1.3);
  EXPECT_DOUBLE_EQ(values[d.index()], -0.7);
}

TEST(aliases, prefer_inputs) {
  ModelBuilder m;
  VariableId x = m.real("x"), torque = m.real("torque"), u = m.input("u");
  m.equation(m.der(x), torque);
  m.equation(torque, u);
  m.set(torque, Attribute::max, 2.0);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.u, std::vector<VariableId>{u});
  EXPECT_EQ(p.z.size(), 0u);
  EXPECT_DOUBLE_EQ(p.u_numbers[0].max, 2.0);
}

TEST(aliases, with_bounds_that_exclude_each_other_are_told) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a");
  m.equation(m.der(x), 1.0);
  m.equation(a, -E(x));
  m.set(x, Attribute::min, 1.0);
  m.set(a, Attribute::min, 0.0);
  EXPECT_EQ(codes_of(m.model), std::vector<std::string>{"E404"});
}

TEST(aliases, with_contradicting_fixed_starts_are_told) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a");
  m.equation(m.der(x), 1.0);
  m.equation(a, -E(x));
  m.fix(x, 1);
  m.fix(a, 1);
  EXPECT_EQ(codes_of(m.model), std::vector<std::string>{"E406"});
  m.fix(a, -1);
  EXPECT_EQ(codes_of(m.model), std::vector<std::string>{});
}

TEST(aliases, between_states_leave_one_state) {
  ModelBuilder m;
  VariableId x = m.real("x"), y = m.real("y"), v = m.real("v"), w = m.real("w");
  VariableId dx = m.der(x), dy = m.der(y), force = m.real("force");
  m.equation(y, -E(x));
  m.equation(dx, v);
  m.equation(dy, w);
  m.equation(m.der(v), force);
  m.equation(force, 0.0 - E(x) + w);
  m.fix(y, -2);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.x, (std::vector<VariableId>{x, v}));
  EXPECT_TRUE(p.x_numbers[0].fixed);
  EXPECT_DOUBLE_EQ(p.x_numbers[0].start, 2);
  PointOfProblem at = solve_point(p, {2, 3}, {}, 0);
  std::vector<double> values = all_values(p, at, std::vector<double>(m.model.n_scalars, 0));
  EXPECT_DOUBLE_EQ(values[w.index()], -3);
  EXPECT_DOUBLE_EQ(values[dy.index()], -3);
  EXPECT_DOUBLE_EQ(values[force.index()], -2 - 3);
}

TEST(aliases, written_twice_are_left_out_and_contradictions_are_told) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a"), b = m.real("b");
  m.equation(m.der(x), 1.0);
  m.equation(a, -E(x));
  m.equation(E(b), E(a) + 1.0);
  m.equation(E(x), 1.0 - E(b));
  EXPECT_EQ(codes_of(m.model), std::vector<std::string>{"W406"});
  ModelBuilder wrong;
  VariableId c = wrong.real("c"), d = wrong.real("d");
  wrong.equation(E(c), E(d) + 1.0);
  wrong.equation(c, d);
  EXPECT_EQ(codes_of(wrong.model), std::vector<std::string>{"E416"});
  ModelBuilder half;
  c = half.real("c"), d = half.real("d");
  half.equation(E(c), E(d) + 1.0);
  half.equation(c, -E(d));
  PointOfProblem at;
  ir::Problem p = lowered(half.model);
  std::vector<double> values = all_values(p, solve_point(p, {}, {}, 0), std::vector<double>(half.model.n_scalars, 0));
  EXPECT_DOUBLE_EQ(values[c.index()], 0.5);
  EXPECT_DOUBLE_EQ(values[d.index()], -0.5);
}

TEST(aliases, of_constants_fold) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a"), b = m.real("b");
  m.equation(m.der(x), E(b) * x);
  m.equation(a, 3.0);
  m.equation(E(b), -E(a));
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.z.size(), 0u);
  EXPECT_DOUBLE_EQ(evaluate(p, p.rates, {0, 2}, p.shared_values)[0], -6);
}

}  // namespace
}  // namespace bolza::passes::test
