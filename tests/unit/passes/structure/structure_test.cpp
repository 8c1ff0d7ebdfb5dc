// SPDX-License-Identifier: Apache-2.0
// Matching, blocks, elimination, diagnosis of models that cannot be sorted.
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/passes/structure/incidence.h"
#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::VariableId;

TEST(structure, an_explicit_ode_becomes_rates) {
  ModelBuilder m;  // van der Pol
  VariableId x1 = m.real("x1"), x2 = m.real("x2"), u = m.input("u"), d1 = m.der(x1), d2 = m.der(x2);
  m.equation(d1, (1.0 - E(x2) * x2) * x1 - x2 + u);
  m.equation(d2, x1);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.x.size(), 2u);
  EXPECT_EQ(p.z.size(), 0u);
  EXPECT_EQ(p.u.size(), 1u);
  auto f = evaluate(p, p.rates, {0, 0.3, 0.7, 0.2}, p.shared_values);
  EXPECT_DOUBLE_EQ(f[0], (1 - 0.49) * 0.3 - 0.7 + 0.2);
  EXPECT_DOUBLE_EQ(f[1], 0.3);
}

TEST(structure, an_implicit_derivative_becomes_an_algebraic_with_its_residual) {
  ModelBuilder m;
  VariableId x = m.real("x"), d = m.der(x);
  m.equation(E(d) + pow(E(d), 3), E(x) * 2.0);
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.z.size(), 1u);
  EXPECT_EQ(p.z[0], d);
  PointOfProblem at = solve_point(p, {5.0}, {}, 0);
  ASSERT_TRUE(at.converged);
  EXPECT_NEAR(at.rates[0], 2.0, 1e-9);  // v + v^3 = 10
}

TEST(structure, a_coefficient_that_may_be_zero_is_not_divided_by) {
  ModelBuilder m;
  VariableId x = m.real("x"), y = m.real("y"), d = m.der(x), e = m.der(y);
  m.equation(E(y) * d, 1.0);
  m.equation(e, 1.0);
  EXPECT_EQ(lowered(m.model).z.size(), 1u);
  m.set(y, ir::Attribute::min, 0.5);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.z.size(), 0u);
  EXPECT_DOUBLE_EQ(evaluate(p, p.rates, {0, 3, 4}, p.shared_values)[0], 0.25);
}

TEST(structure, a_divisor_is_no_pole_where_iterations_start) {
  ModelBuilder m;  // r = 1/g, 0.1 r = 0.9·x: g = 1/(9 x), from g = 0
  VariableId x = m.real("x"), r = m.real("r"), g = m.real("g");
  m.equation(m.der(x), g);
  m.equation(r, 1.0 / E(g));
  m.equation(0.1 * E(r), 0.9 * E(x));
  ir::Problem p = lowered(m.model);
  PointOfProblem at = solve_point(p, {2}, {}, 0);
  ASSERT_TRUE(at.converged);
  EXPECT_NEAR(at.rates[0], 1.0 / 18, 1e-9);
}

TEST(structure, a_linear_loop_is_solved) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a"), b = m.real("b"), d = m.der(x), k = m.parameter("k", 3.0);
  m.equation(d, E(a) + b);
  m.equation(E(a) + 2.0 * E(b), x);
  m.equation(E(k) * a - b, 1.0);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.z.size(), 0u);
  ASSERT_EQ(p.structure.loops.size(), 1u);
  EXPECT_TRUE(p.structure.loops[0].is_solved);
  EXPECT_NEAR(evaluate(p, p.rates, {0, 4.0}, p.shared_values)[0], 6.0 / 7.0 + 11.0 / 7.0, 1e-12);  // a = 6/7, b = 11/7
}

TEST(structure, a_loop_whose_coefficient_cancels_is_left_to_numbers) {
  ModelBuilder m;  // a (0.1 + 0.2 − k) = …: zero but for rounding, with k = 0.3
  VariableId x = m.real("x"), a = m.real("a"), b = m.real("b"), d = m.der(x), k = m.parameter("k", 0.3);
  m.equation(d, a);
  m.equation(E(b), 0.1 * E(a) + 0.2 * E(a) - x);
  m.equation(E(k) * a - b, 1.0);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.z.size(), 1u);
  EXPECT_FALSE(p.structure.loops.at(0).is_solved);
}

TEST(structure, a_nonlinear_loop_is_torn) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a"), b = m.real("b"), c = m.real("c"), d = m.der(x);
  m.equation(d, E(a) + b);
  m.equation(E(a) + 2.0 * E(b), x);
  m.equation(E(c), E(a) * a);
  m.equation(3.0 * E(c) + E(b), 1.0);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.z.size(), 1u);
  ASSERT_EQ(p.structure.loops.size(), 1u);
  EXPECT_EQ(p.structure.loops[0].size, 3u);
  EXPECT_EQ(p.structure.loops[0].torn.size(), 1u);
  PointOfProblem at = solve_point(p, {1.5}, {}, 0);
  ASSERT_TRUE(at.converged);
  std::vector<double> v = all_values(p, at, std::vector<double>(p.flat.n_scalars));
  EXPECT_NEAR(v[a.index()] + 2 * v[b.index()], 1.5, 1e-10);
  EXPECT_NEAR(3 * v[a.index()] * v[a.index()] + v[b.index()], 1.0, 1e-10);
}

TEST(forms, keep_what_they_say) {
  ModelBuilder m;
  VariableId x = m.real("x"), vx = m.real("vx"), y = m.real("y"), vy = m.real("vy"), f = m.real("f");
  m.equation(m.der(x), vx);
  m.equation(m.der(y), vy);
  m.equation(m.der(vx), -E(f) * x);
  m.equation(m.der(vy), -E(f) * y - 9.81);
  m.equation(E(x) * x + E(y) * y, 1.0);
  PassOptions options;
  options.point = {{"x", 0.6}, {"y", -0.8}};
  options.form = Form::original;
  ir::Problem p = lowered(m.model, options);
  EXPECT_EQ(p.x.size(), 4u);  // as written
  EXPECT_EQ(p.z.size(), 5u);
  EXPECT_EQ(p.structure.remaining_index, 3u);
  std::map<std::string, std::uint32_t> index;
  for (std::size_t k = 0; k < p.x.size(); ++k) index[ir::name_of(p.flat, p.x[k])] = p.x_index[k];
  for (std::size_t k = 0; k < p.z.size(); ++k) index[ir::name_of(p.flat, p.z[k])] = p.z_index[k];
  EXPECT_EQ(index["x"], 1u);  // positions, speeds, force: what Hairer and Wanner call variables of index 1, 2, 3
  EXPECT_EQ(index["vx"], 2u);
  EXPECT_EQ(index["f"], 3u);
  std::vector<double> point{0, 0.6, 0.2, -0.8, 0.5, 9, 8, 7, 6, 5};  // F at a point that satisfies nothing
  std::vector<double> h = evaluate(p, p.residuals, point, p.shared_values);
  std::sort(h.begin(), h.end());
  EXPECT_NEAR(h[0] * h[1] * h[2] * h[3] * h[4], 0, 1e-9);  // the length constraint holds
  options.form = Form::reduced;
  ir::Problem reduced = lowered(m.model, options);
  EXPECT_EQ(reduced.x.size(), 2u);
  EXPECT_EQ(reduced.z.size(), 9u);  // 5 equations and 4 derivatives of them, nothing solved
  EXPECT_EQ(reduced.structure.remaining_index, 1u);
}

TEST(structure, too_few_equations_name_the_unknowns) {
  ModelBuilder m;
  VariableId a = m.real("a"), b = m.real("b"), c = m.real("c");
  m.equation(E(a) * b, 2.0);
  m.equation(sin(E(c)), 1.0);
  Diagnostics diagnostics;
  ASSERT_TRUE(lower(m.model, {}, diagnostics).failed());
  const Diagnostic& d = diagnostics.all()[0];
  EXPECT_EQ(d.code->id, "E407");
  EXPECT_EQ(d.message, "the model has 2 equations for 3 unknowns");
  std::string notes;
  for (const Note& note : d.notes) notes += note.text + "\n";
  EXPECT_EQ(notes, "1 equation for 2 unknowns\nnot determined: `a`\nnot determined: `b`\ncontains them: 0 = a*b - 2\n");
}

TEST(structure, a_singular_part_is_named) {
  ModelBuilder m;
  VariableId a = m.real("a"), b = m.real("b"), c = m.real("c");
  m.equation(sin(E(a)), 0.5);
  m.equation(exp(E(a)), 2.0);
  m.equation(E(b) * c, 2.0);
  Diagnostics diagnostics;
  ASSERT_TRUE(lower(m.model, {}, diagnostics).failed());
  EXPECT_EQ(diagnostics.all()[0].code->id, "E408");
  EXPECT_EQ(diagnostics.all()[0].message, "a part of the model has 2 equations for 1 unknown");
}

TEST(matching, is_maximum_on_random_graphs) {
  std::uint64_t state = 12345;
  auto random = [&](std::uint32_t n) {
    return static_cast<std::uint32_t>((state = state * 6364136223846793005ull + 1442695040888963407ull) >> 33) % n;
  };
  for (int trial = 0; trial < 200; ++trial) {
    std::uint32_t rows = 1 + random(7), columns = 1 + random(7);
    Incidence g;
    g.n_columns = columns;
    g.begin = {0};
    for (std::uint32_t r = 0; r < rows; ++r) {
      for (std::uint32_t c = 0; c < columns; ++c)
        if (random(3) == 0) g.columns.push_back(c);
      g.begin.push_back(static_cast<std::uint32_t>(g.columns.size()));
    }
    Matching m = empty_matching(g);
    maximise(g, m);
    // König: the size of a maximum matching is rows minus the largest deficiency of a set of rows.
    std::uint32_t best = 0;
    for (std::uint32_t set = 0; set < (1u << rows); ++set) {
      std::uint32_t neighbours = 0, size = 0;
      for (std::uint32_t r = 0; r < rows; ++r) {
        if (!(set >> r & 1)) continue;
        ++size;
        for (std::uint32_t c : g.row(r)) neighbours |= 1u << c;
      }
      std::uint32_t reached = static_cast<std::uint32_t>(__builtin_popcount(neighbours));
      if (size > reached) best = std::max(best, size - reached);
    }
    EXPECT_EQ(m.size, rows - best);
  }
}

}  // namespace
}  // namespace bolza::passes::test
