// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/interpret.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compiler/ir/print.h"

namespace bolza::test {
namespace {

using ir::Expressions;
using ir::ExprId;
using ir::Op;
using ir::ProgramId;
using ir::RunStatus;
using ir::Statement;
using ir::StatementKind;

/// factorial-like loop: r := 1; for i in 1:n loop r := r*i
ProgramId factorial(Expressions& all) {
  ir::Program p;
  p.name = "factorial";
  p.locals = {{"n", ir::ScalarType::integer}, {"r"}, {"i", ir::ScalarType::integer}};
  p.inputs = {{false, 0}};
  p.outputs = {{false, 1}};
  Statement start{.kind = StatementKind::assign}, loop{.kind = StatementKind::loop_for}, step{.kind = StatementKind::assign};
  start.target = 1;
  start.value = all.dag.one();
  loop.target = 2;
  loop.from = loop.step = all.dag.one();
  loop.to = all.dag.slot(0);
  loop.body = ir::BlockId(std::size_t{1});
  step.target = 1;
  step.value = all.dag.mul(all.dag.slot(1), all.dag.slot(2));
  p.blocks = {{start, loop}, {step}};
  all.programs.push_back(p);
  ir::verify(all);
  return ProgramId(all.programs.size() - 1);
}

TEST(Interpreter, evaluates_expressions_and_calls) {
  Expressions all;
  ProgramId program = factorial(all);
  ExprId call = all.dag.call(program, std::vector{all.dag.slot(0)});
  ExprId root = all.dag.add(all.dag.output(call, 0), all.dag.datum(0));
  EXPECT_EQ(ir::evaluate(all, std::vector{root}, {.slots = std::vector{5.0}, .data = std::vector{0.5}})[0], 120.5);
  EXPECT_EQ(ir::evaluate(all, std::vector{root}, {.slots = std::vector{0.0}, .data = std::vector{0.0}})[0], 1);
}

TEST(Interpreter, stops_at_its_operation_limit) {
  Expressions all;
  ProgramId program = factorial(all);
  ir::Interpreter<double> interpreter(all, 10'000);
  double result = 0;
  ir::RunReport report = interpreter.run(program, std::vector{1e12}, {&result, 1});
  EXPECT_EQ(report.status, RunStatus::operation_limit);
  EXPECT_TRUE(std::isnan(result));
  EXPECT_TRUE(bool(interpreter.run(program, std::vector{4.0}, {&result, 1})));
  EXPECT_EQ(result, 24);
}

TEST(Interpreter, keeps_integers_within_what_doubles_hold_exactly) {
  Expressions all;
  ProgramId program = factorial(all);
  all.programs[program.index()].locals[1].type = ir::ScalarType::integer;
  ir::Interpreter<double> interpreter(all);
  double result = 0;
  EXPECT_TRUE(bool(interpreter.run(program, std::vector{18.0}, {&result, 1})));
  EXPECT_EQ(result, 6402373705728000.0);
  ir::RunReport report = interpreter.run(program, std::vector{19.0}, {&result, 1});
  EXPECT_EQ(report.status, RunStatus::integer_overflow);
  EXPECT_EQ(report.text, "r");
  EXPECT_TRUE(std::isnan(result));
}

TEST(Interpreter, reports_indices_outside_their_array) {
  Expressions all;
  ir::Program p;
  p.name = "third";
  p.locals = {{"i", ir::ScalarType::integer}, {"y"}};
  p.arrays = {{"a", 2}};
  p.inputs = {{true, 0}, {false, 0}};
  p.outputs = {{false, 1}};
  Statement load{.kind = StatementKind::load};
  load.target = 1;
  load.index = all.dag.slot(0);
  p.blocks = {{load}};
  all.programs = {p};
  ir::Interpreter<double> interpreter(all);
  double result = 0;
  EXPECT_TRUE(bool(interpreter.run(ProgramId(std::size_t{0}), std::vector{7.0, 8.0, 1.0}, {&result, 1})));
  EXPECT_EQ(result, 8);
  ir::RunReport report = interpreter.run(ProgramId(std::size_t{0}), std::vector{7.0, 8.0, 2.0}, {&result, 1});
  EXPECT_EQ(report.status, RunStatus::index_out_of_range);
  EXPECT_EQ(report.text, "3 of a[2]");
}

TEST(Interpreter, reads_fixed_arrays) {
  Expressions all;
  ir::Program p;
  p.name = "third";
  p.locals = {{"i", ir::ScalarType::integer}, {"y"}};
  p.arrays = {ir::fixed_array("a", {7, 8}, ir::ScalarType::real)};
  p.inputs = {{false, 0}};
  p.outputs = {{false, 1}};
  Statement load{.kind = StatementKind::load};
  load.target = 1;
  load.index = all.dag.slot(0);
  p.blocks = {{load}};
  all.programs = {p};
  ir::verify(all);
  ir::Interpreter<double> interpreter(all);
  double result = 0;
  EXPECT_TRUE(bool(interpreter.run(ProgramId(std::size_t{0}), std::vector{1.0}, {&result, 1})));
  EXPECT_EQ(result, 8);
  EXPECT_EQ(interpreter.run(ProgramId(std::size_t{0}), std::vector{2.0}, {&result, 1}).text, "3 of a[2]");
  EXPECT_EQ(ir::fixed_array("b", {7, 8}, ir::ScalarType::real).fixed->digest, p.arrays[0].fixed->digest);
  EXPECT_NE(ir::fixed_array("b", {8, 7}, ir::ScalarType::real).fixed->digest, p.arrays[0].fixed->digest);
}

TEST(Interpreter, uses_modelicas_integer_operators) {
  Expressions all;
  auto value = [&](Op op, double a, double b) {
    ExprId root = all.dag.make(op, all.dag.slot(0), all.dag.slot(1));
    return ir::evaluate(all, std::vector{root}, {.slots = std::vector{a, b}})[0];
  };
  EXPECT_EQ(value(Op::mod, -3, 1.4), -3 + 3 * 1.4);   // mod has the sign of the divisor
  EXPECT_NEAR(value(Op::rem, -3, 1.4), -0.2, 1e-15);  // rem that of the dividend
  EXPECT_EQ(value(Op::quotient, -7, 2), -3);
}

TEST(Print, uses_the_fewest_parentheses) {
  Expressions all;
  ir::Dag& dag = all.dag;
  ExprId a = dag.slot(0), b = dag.slot(1), c = dag.slot(2);
  auto text = [&](ExprId e) {
    return ir::to_text(all, e, [](Op, std::uint32_t k) { return std::string(1, static_cast<char>('a' + k)); });
  };
  EXPECT_EQ(text(dag.sub(a, dag.sub(b, c))), "a - (b - c)");
  EXPECT_EQ(text(dag.sub(dag.sub(a, b), c)), "a - b - c");
  EXPECT_EQ(text(dag.div(a, dag.mul(b, c))), "a/(b*c)");
  EXPECT_EQ(text(dag.make(Op::pow, dag.neg(a), dag.number(2))), "(-a)^2");
  EXPECT_EQ(text(dag.neg(dag.make(Op::pow, a, dag.number(-3)))), "-a^(-3)");
  EXPECT_EQ(text(dag.make(Op::atan2, a, dag.make(Op::sqrt, b))), "atan2(a, sqrt(b))");
  EXPECT_NE(text(dag.add(dag.select(dag.make(Op::less, a, b), a, b), dag.one())).find("(if a < b then a else b)"),
            std::string::npos);
  EXPECT_EQ(text(dag.make(Op::logical_not, dag.make(Op::less, a, b))), "not a < b");
  EXPECT_EQ(ir::to_text(0.1), "0.1");
  EXPECT_EQ(ir::to_text(1e-6), "1e-06");
}

TEST(Print, cuts_what_is_too_long_without_walking_it) {
  Expressions all;
  ExprId e = all.dag.slot(0);
  for (int i = 0; i < 60; ++i)
    e = all.dag.mul(all.dag.make(Op::sin, e), all.dag.make(Op::cos, e));  // 2^60 leaves when written out
  std::string text = ir::to_text(all, e, {.limit = 100});
  EXPECT_LT(text.size(), 2000u);
  EXPECT_NE(text.find("…"), std::string::npos);
}

TEST(Print, shows_programs) {
  Expressions all;
  ProgramId program = factorial(all);
  EXPECT_EQ(ir::to_text(all, program), "function factorial(n) -> (r)\n  r := 1;\n  for i in 1:1:n loop\n    r := " +
                                           std::string("r*i") + ";\n  end\nend factorial;\n");
}

}  // namespace
}  // namespace bolza::test
