// SPDX-License-Identifier: Apache-2.0
// What the flat model says of variables, problems and repetition.
#include "tests/unit/flatten/flattened.h"

namespace bolza::flatten::testing {
namespace {

std::string rod(int n) {
  return "model Rod parameter Integer n = " + std::to_string(n) +
         "; parameter Real D = 0.1, h = 1/n; Real c[n](each start = 1, each fixed = true); input Real u; equation "
         "der(c[1]) = D*(c[2] - c[1])/h^2 + u; for i in 2:n - 1 loop der(c[i]) = D*(c[i + 1] - 2*c[i] + c[i - 1])/h^2 - "
         "c[i]^2; end for; "
         "der(c[n]) = D*(c[n - 1] - c[n])/h^2; end Rod;";
}

TEST(Repetition, keeps_the_number_of_groups_whatever_the_number_of_cells) {
  Flattened small(rod(10), "Rod"), large(rod(10000), "Rod");
  ASSERT_TRUE(small.flat && large.flat) << small.messages() << large.messages();
  EXPECT_EQ(small.flat->equations.groups.size(), 3u);
  EXPECT_EQ(large.flat->equations.groups.size(), 3u);
  EXPECT_EQ(large.flat->equations.n_rows, 10000u);
  EXPECT_EQ(small.flat->expressions.dag.size(), large.flat->expressions.dag.size());
}

TEST(Repetition, keeps_columns_of_a_loop_affine) {
  Flattened m(rod(1000), "Rod");
  ASSERT_TRUE(m.flat);
  for (const ir::Group& group : m.flat->equations.groups)
    for (const ir::Column& column : group.slots) EXPECT_TRUE(column.is_affine());
}

TEST(Variables, have_contiguous_ids_outer_dimensions_first) {
  Flattened m(
      "package P model T Real l[2]; end T; model M T t[3]; Real s; equation t.l = {{1,2},{3,4},{5,6}}; s = t[2].l[1]; end "
      "M; end P;",
      "P.M");
  ASSERT_TRUE(m.flat) << m.messages();
  const ir::Variable& l = m.variable("t.l");
  EXPECT_EQ(l.dimensions, (std::vector<std::uint32_t>{3, 2}));
  EXPECT_EQ(ir::name_of(*m.flat, ir::VariableId(l.first.index() + 3)), "t[2].l[2]");
}

TEST(Variables, that_are_derivatives_exist_only_for_states) {
  Flattened m("model M Real x[4](start = {1,2,3,4}); equation der(x[1]) = 1; der(x[2]) = 2; x[3] = 0; x[4] = 1; end M;",
              "M");
  ASSERT_TRUE(m.flat) << m.messages();
  const ir::Variable& d = m.variable("x", ir::VariableKind::derivative);
  EXPECT_EQ(d.size, 2u);
  EXPECT_EQ(d.of, m.variable("x").first);
}

TEST(Variables, evaluated_for_the_structure_are_marked) {
  Flattened m(
      "model M parameter Integer m = 1, n = m + 1; parameter Boolean b = c; parameter Boolean c = true, d = true; parameter "
      "Real k = 2; "
      "Real x[n]; Real y = time if d; equation if b then x = k*ones(2); else x = zeros(2); end if; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  for (const char* name : {"m", "n", "b", "c", "d"}) EXPECT_TRUE(m.variable(name).evaluate) << name;
  EXPECT_FALSE(m.variable("k").evaluate);
}

TEST(Problem, input_handed_down_stays_a_control) {
  Flattened m(
      "package P model S input Real u; Real x; equation der(x) = u; end S; "
      "optimization O(objective = s.x(finalTime)) S s; input Real u = s.u; input Real d(free = false) = time; end O; end P;",
      "P.O");
  ASSERT_TRUE(m.flat) << m.messages();
  EXPECT_EQ(m.variable("u").kind, ir::VariableKind::input);
  EXPECT_EQ(m.variable("d").kind, ir::VariableKind::unknown);
}

TEST(Problem, timed_values_share_their_time_slot) {
  Flattened m(
      "optimization O(objective = x[1](finalTime) + x[2](finalTime) + y(finalTime/2), finalTime = 2) "
      "Real x[2](each start = 0, each fixed = true), y; equation der(x) = {1, 2}; y = x[1]; constraint x(finalTime/2) <= "
      "{1, 1}; end O;",
      "O");
  ASSERT_TRUE(m.flat) << m.messages();
  EXPECT_EQ(m.flat->time_slots.size(), 2u);
  Point p(m);
  EXPECT_DOUBLE_EQ(p.value(m.flat->time_slots[1].time), 1.0);
}

TEST(Problem, constraints_are_point_or_path_by_variability) {
  Flattened m(
      "optimization O(objective = 0, finalTime(free = true)) Real x(start = 1); parameter Real p(free = true); equation "
      "der(x) = p; "
      "constraint x(finalTime) = 0; p >= 1; finalTime <= p; x <= x(startTime); x < 3; end O;",
      "O");
  ASSERT_TRUE(m.flat) << m.messages();
  EXPECT_EQ(m.flat->optimization->point.section.n_rows, 3u);
  EXPECT_EQ(m.flat->optimization->path.section.n_rows, 2u);
  EXPECT_EQ(m.flat->optimization->path.relations[1], ir::Relation::less_equal);
}

TEST(Problem, integrals_and_point_terms_are_separated) {
  Flattened m(
      "optimization O(finalTime = 2) Real x(start = 1); input Real u; parameter Real w = 3; "
      "maximize J = w*x(finalTime) - integral(u^2)/w + 5; equation der(x) = u; end O;",
      "O");
  ASSERT_TRUE(m.flat) << m.messages();
  const ir::OptimizationProblem& problem = *m.flat->optimization;
  EXPECT_TRUE(problem.maximize);
  EXPECT_EQ(problem.objective_name, "J");
  Point p(m);
  p.set("u", {6});
  EXPECT_DOUBLE_EQ(p.rows(problem.integrand)[0], -12);
}

TEST(Problem, state_starts_are_initial_values_in_doml) {
  std::string body = " Real x(start = 1), y(start = 2, fixed = false), z(start = 3); ";
  std::string rest = "equation der(x) = 1; der(y) = 1; z = x; end O;";
  Flattened doml("optimization O(finalTime = 2)" + body + "minimize x(finalTime); " + rest, "O");
  Flattened optimica("optimization O(finalTime = 2, objective = x(finalTime))" + body + rest, "O");
  ASSERT_TRUE(doml.flat && optimica.flat);
  EXPECT_EQ(doml.variable("x").fixed, std::vector<bool>{true});
  EXPECT_EQ(doml.variable("y").fixed, std::vector<bool>{false});
  EXPECT_TRUE(doml.variable("z").fixed.empty());
  EXPECT_TRUE(optimica.variable("x").fixed.empty());
}

TEST(Problem, options_of_annotations_are_read_with_nested_names) {
  Flattened m(
      "optimization O(objective = 0, finalTime = 1) Real x = time; "
      "annotation(solver(tol = 1e-3, chain = {stage(method = \"collocation\", mesh = 10), stage(mesh = \"50\")}), Steps = "
      "\"5\", "
      "experiment(Interval = 0.1)); end O;",
      "O");
  ASSERT_TRUE(m.flat) << m.messages();
  std::string names;
  for (const ir::AnnotationOption& option : m.flat->solver) names += option.name + " ";
  EXPECT_EQ(names, "solver.tol solver.chain.1.method solver.chain.1.mesh solver.chain.2.mesh Steps ");
  ASSERT_EQ(m.flat->experiment.size(), 1u);
  EXPECT_EQ(m.flat->experiment[0].name, "Interval");
}

}  // namespace
}  // namespace bolza::flatten::testing
