// Matching, blocks, elimination, diagnosis of models that cannot be sorted.
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/passes/incidence.h"
#include "model_builder.h"

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

TEST(structure, a_linear_loop_is_torn) {
  ModelBuilder m;
  VariableId x = m.real("x"), a = m.real("a"), b = m.real("b"), d = m.der(x);
  m.equation(d, E(a) + b);
  m.equation(E(a) + 2.0 * E(b), x);
  m.equation(3.0 * E(a) - b, 1.0);
  ir::Problem p = lowered(m.model);
  EXPECT_EQ(p.z.size(), 1u);
  PointOfProblem at = solve_point(p, {4.0}, {}, 0);
  ASSERT_TRUE(at.converged);
  EXPECT_NEAR(at.rates[0], 6.0 / 7.0 + 11.0 / 7.0, 1e-9);  // a = 6/7, b = 11/7
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
  auto random = [&](std::uint32_t n) { return static_cast<std::uint32_t>((state = state * 6364136223846793005ull + 1442695040888963407ull) >> 33) % n; };
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
