// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/syntax/parsing.h"

namespace bolza::syntax {
namespace {

using ast::EquationKind;
using ast::StatementKind;

Parsed equations(const std::string& text) { return Parsed("model M\nequation\n" + text + "\nend M;\n"); }
Parsed statements(const std::string& text) { return Parsed("function f\nalgorithm\n" + text + "\nend f;\n"); }
const ast::Equation& equation(const Parsed& p, std::size_t i = 0) { return *p.first().equations[0].items[i]; }
const ast::Statement& statement(const Parsed& p, std::size_t i = 0) { return *p.first().algorithms[0].items[i]; }

TEST(Equation, reads_equalities_calls_and_connections) {
  Parsed p = equations(
      "x + y = 2 \"doc\" annotation(a = 1); (a, , b) = f(x); assert(x > 0, \"m\"); connect(a.p[1], b.n); (u) = 3;");
  ASSERT_TRUE(p.file) << p.message();
  EXPECT_EQ(equation(p, 0).kind, EquationKind::equality);
  EXPECT_EQ(equation(p, 0).comment.description, "doc");
  ASSERT_EQ(equation(p, 1).left->kind, ast::ExprKind::tuple);
  ASSERT_EQ(equation(p, 1).left->operands.size(), 3u);
  EXPECT_EQ(equation(p, 1).left->operands[1], nullptr);
  EXPECT_EQ(equation(p, 2).kind, EquationKind::call);
  EXPECT_EQ(equation(p, 3).kind, EquationKind::connect);
  EXPECT_EQ(print(*equation(p, 3).left), "a.p[1]");
  EXPECT_EQ(equation(p, 4).left->kind, ast::ExprKind::name);
}
TEST(Equation, reads_if_with_all_branches) {
  Parsed p = equations("if a then x = 1; y = 2; elseif b then x = 3; else end if;");
  const ast::Equation& e = equation(p);
  ASSERT_EQ(e.branches.size(), 3u);
  EXPECT_EQ(e.branches[0].body.size(), 2u);
  EXPECT_EQ(print(*e.branches[1].condition), "b");
  EXPECT_EQ(e.branches[2].condition, nullptr);
  EXPECT_EQ(e.branches[2].body.size(), 0u);
}
TEST(Equation, tells_if_equations_from_if_expressions) {
  Parsed p = equations(
      "if if a then b else c then x = if d then 1 else if e then 2 else 3; else if f then x = 4; end if; end if; y = if a "
      "then b else c;");
  ASSERT_TRUE(p.file) << p.message();
  EXPECT_EQ(equation(p).branches[0].condition->kind, ast::ExprKind::if_);
  EXPECT_EQ(equation(p).branches[1].body[0]->kind, EquationKind::if_);
  EXPECT_EQ(equation(p, 1).kind, EquationKind::equality);
}
TEST(Equation, reads_loops_and_when) {
  Parsed p = equations(
      "for i in 1:3, j loop x[i, j] = 1; end for; when {a, b} then y = 1; elsewhen c then reinit(z, 0); end when;");
  EXPECT_EQ(equation(p, 0).iterators.size(), 2u);
  EXPECT_EQ(equation(p, 0).body.size(), 1u);
  ASSERT_EQ(equation(p, 1).branches.size(), 2u);
  EXPECT_EQ(equation(p, 1).branches[1].body[0]->kind, EquationKind::call);
}
TEST(Equation, reads_initial_as_a_call_and_as_a_section) {
  Parsed p = Parsed("model M equation when initial() then x = 1; end when; initial equation y = 2; end M;");
  ASSERT_TRUE(p.file) << p.message();
  EXPECT_EQ(p.first().equations.size(), 2u);
}

TEST(Statement, reads_every_form) {
  Parsed p = statements(R"(x := 1 "doc"; a.b[2] := 2; (u, , v) := g(x); h(x);
    if a then x := 1; elseif b then return; else break; end if;
    for i in 1:3 loop x := i; end for; while x > 0 loop x := x - 1; end while; when c then x := 0; end when; return;)");
  ASSERT_TRUE(p.file) << p.message();
  StatementKind kinds[] = {StatementKind::assign, StatementKind::assign, StatementKind::multi_assign,
                           StatementKind::call,   StatementKind::if_,    StatementKind::for_,
                           StatementKind::while_, StatementKind::when,   StatementKind::return_};
  for (std::size_t i = 0; i < std::size(kinds); ++i) EXPECT_EQ(statement(p, i).kind, kinds[i]) << i;
  EXPECT_EQ(statement(p, 0).comment.description, "doc");
  EXPECT_EQ(print(*statement(p, 1).target), "a.b[2]");
  EXPECT_EQ(statement(p, 4).branches[2].body[0]->kind, StatementKind::break_);
  EXPECT_EQ(print(*statement(p, 6).value), "x > 0");
  EXPECT_EQ(statement(p, 6).body.size(), 1u);
}

Parsed optimization(const std::string& body, const std::string& head = "") {
  return Parsed("optimization O" + head + "\n" + body + "\nend O;\n");
}

TEST(Optimica, reads_class_attributes) {
  Parsed p = optimization("Real x;", "(objective = x(finalTime), finalTime(free = true, min = 1))");
  EXPECT_EQ(p.first().attributes->arguments.size(), 2u);
  EXPECT_EQ(p.codes(), "");
}
TEST(Optimica, reads_relation_chains_with_labels_and_comments) {
  Parsed p =
      optimization("constraint x(finalTime) = 1; -1 <= x + y <= 1 \"box\"; low: x >= 0; a = b = c; x < 3; tie: x = y;");
  ASSERT_TRUE(p.file) << p.message();
  auto constraint = [&](std::size_t i) -> const ast::Constraint& { return *p.first().constraints[0].items[i]; };
  EXPECT_EQ(constraint(0).relations[0], ast::ConstraintRelation::equal);
  ASSERT_EQ(constraint(1).operands.size(), 3u);
  EXPECT_EQ(print(*constraint(1).operands[1]), "x + y");
  EXPECT_EQ(constraint(1).relations[1], ast::ConstraintRelation::less_equal);
  EXPECT_EQ(constraint(1).comment.description, "box");
  EXPECT_EQ(constraint(2).name, "low");
  EXPECT_EQ(print(*constraint(2).operands[0]), "x");
  EXPECT_EQ(constraint(3).operands.size(), 3u);
  EXPECT_EQ(constraint(4).relations[0], ast::ConstraintRelation::less);
  EXPECT_EQ(constraint(5).name, "tie");
}
TEST(Optimica, reads_loops_and_conditions_of_constraints) {
  Parsed p = optimization("constraint for i in 1:3 loop x[i] <= 1; end for; if a then x <= 1; else x >= 2; end if;");
  ASSERT_TRUE(p.file) << p.message();
  EXPECT_EQ(p.first().constraints[0].items[0]->body.size(), 1u);
  EXPECT_EQ(p.first().constraints[0].items[1]->branches.size(), 2u);
}
TEST(Optimica, mixes_sections) {
  Parsed p = optimization("Real x; constraint x <= 1; equation der(x) = u; constraint x >= 0; public Real y; constraint");
  ASSERT_TRUE(p.file) << p.message();
  EXPECT_EQ(p.first().constraints.size(), 3u);
  EXPECT_EQ(p.first().elements.size(), 2u);
}
TEST(Doml, reads_objectives_among_declarations_and_behind_equations) {
  Parsed p = optimization(
      "Real x; minimize J = x(finalTime) \"cost\"; maximize x(1)^2; equation der(x) = 1; minimize integral(x);");
  ASSERT_TRUE(p.file) << p.message();
  ASSERT_EQ(p.first().elements.size(), 4u);
  const ast::Objective& named = *p.first().elements[1]->objective;
  EXPECT_EQ(named.name, "J");
  EXPECT_FALSE(named.maximize);
  EXPECT_EQ(named.comment.description, "cost");
  EXPECT_TRUE(p.first().elements[2]->objective->maximize);
  EXPECT_EQ(print(*p.first().elements[2]->objective->expression), "x(1)^2");
  EXPECT_EQ(p.first().elements[3]->objective->name, "");
}
TEST(Doml, reads_annotations_between_declarations_and_equations_with_a_warning) {
  Parsed p = optimization("Real x; annotation(solver = \"ipopt\"); equation der(x) = 1;");
  EXPECT_EQ(p.codes(), "W102");
  EXPECT_EQ(print(*p.first().comment.annotation), "(solver = \"ipopt\")");
}
TEST(Doml, reads_attributes_on_a_model_with_a_warning) {
  Parsed p("model M(startTime = 0.0, finalTime = 1.0) Real x; end M;");
  EXPECT_EQ(p.codes(), "W103");
  EXPECT_EQ(p.first().attributes->arguments.size(), 2u);
}

TEST(WordsOfFields, are_names_where_they_mean_nothing_else) {
  Parsed names("model M Real field, indomain; parameter field u; equation field = indomain; end M;");
  EXPECT_EQ(names.codes(), "");
  EXPECT_FALSE(names.component(2).field);
  Parsed words("model M \"text\" field Real u; parameter field A.B v; equation u = f(1) indomain o.left \"side\"; end M;");
  EXPECT_EQ(words.codes(), "");
  EXPECT_TRUE(words.component(0).field);
  EXPECT_TRUE(words.component(1).field);
  EXPECT_EQ(print(*words.first().equations[0].items[0]->domain), "o.left");
  EXPECT_EQ(words.first().equations[0].items[0]->comment.description, "side");
}

}  // namespace
}  // namespace bolza::syntax
