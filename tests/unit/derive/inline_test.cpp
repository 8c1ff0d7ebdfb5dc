// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/inline.h"

#include "compiler/derive/guard.h"
#include "difference.h"
#include "program_builder.h"

namespace bolza::test {
namespace {

using ir::Expressions;
using ir::ExprId;
using ir::Op;
using ir::ProgramId;

/// Inlined outputs against the interpreter running the Program.
void expect_same(Expressions& all, ProgramId program, const std::vector<Vector>& points) {
  std::size_t n = argument_count(all.programs[program.index()]);
  std::vector<ExprId> arguments;
  for (std::uint32_t k = 0; k < n; ++k) arguments.push_back(all.dag.slot(k));
  auto outputs = derive::inline_program(all, program, arguments);
  ASSERT_TRUE(outputs);
  for (const Vector& x : points) {
    Vector expected(outputs->size());
    ASSERT_TRUE(bool(ir::Interpreter<long double>(all).run(program, x, expected)));
    Vector found = evaluate(all, *outputs, x);
    for (std::size_t r = 0; r < found.size(); ++r) EXPECT_EQ(found[r], expected[r]);
  }
}

TEST(Inline, unrolls_loops_over_arrays) {
  Expressions all;
  ProgramBuilder p(all, "moving_sums");
  auto a = p.input_array("a", 4);
  auto sum = p.local("sum"), t = p.local("t");
  auto i = p.integer("i");
  auto b = p.array("b", 4);
  p.loop_for(i, p.number(0), p.number(3), [&] {
    p.load(t, a, p.get(i));
    p.assign(sum, p.dag.add(p.get(sum), p.dag.mul(p.get(t), p.dag.add(p.get(i), p.number(1)))));
    p.store(b, p.dag.sub(p.number(3), p.get(i)), p.get(sum));
  });
  p.output_array(b);
  expect_same(all, p.done(), {{1, 2, 3, 4}, {0.5L, -0.25L, 8, 1}});
}

TEST(Inline, turns_branches_and_early_returns_into_selections) {
  Expressions all;
  ProgramBuilder p(all, "root_or_zero");
  auto x = p.input("x"), y = p.local("y");
  p.branch(p.dag.make(Op::less_equal, p.get(x), p.number(0)), [&] { p.exit_program(); });
  p.assign(y, p.dag.make(Op::sqrt, p.get(x)));
  p.branch(
      p.dag.make(Op::greater, p.get(y), p.number(3)), [&] { p.assign(y, p.number(3)); },
      [&] { p.assign(y, p.dag.mul(p.get(y), p.get(x))); });
  p.output(y);
  ProgramId program = p.done();
  expect_same(all, program, {{-1}, {0}, {4}, {16}});
  auto outputs = derive::inline_program(all, program, std::vector{all.dag.slot(0)});
  std::vector<ExprId> guarded = derive::guard(all.dag, *outputs);
  EXPECT_EQ(evaluate(all, {derive::gradient(all, guarded[0])[0].value}, {0})[0], 0);
}

TEST(Inline, follows_literal_arguments_through_while_loops_and_breaks) {
  Expressions all;
  ProgramBuilder p(all, "power");  // x^n by repetition
  auto x = p.input("x"), n = p.input("n"), r = p.local("r"), k = p.integer("k");
  p.assign(r, p.number(1));
  p.loop_while(p.number(1), [&] {
    p.branch(p.dag.make(Op::greater_equal, p.get(k), p.get(n)), [&] { p.exit_loop(); });
    p.assign(r, p.dag.mul(p.get(r), p.get(x)));
    p.assign(k, p.dag.add(p.get(k), p.number(1)));
  });
  p.output(r);
  ProgramId program = p.done();
  auto cube = derive::inline_program(all, program, std::vector{all.dag.slot(0), all.dag.number(3)});
  ASSERT_TRUE(cube);
  EXPECT_EQ(evaluate(all, *cube, {2})[0], 8);
  EXPECT_FALSE(derive::inline_program(all, program, std::vector{all.dag.slot(0), all.dag.slot(1)}));
  std::vector<ExprId> call = derive::call_or_inline(all, program, std::vector{all.dag.slot(0), all.dag.slot(1)});
  EXPECT_EQ(all.dag.op(call[0]), Op::output);
}

TEST(Inline, inlines_calls_and_reports_checks) {
  Expressions all;
  ProgramBuilder inner(all, "half");
  auto a = inner.input("a"), b = inner.local("b");
  inner.check(inner.dag.make(Op::greater, inner.get(a), inner.number(0)), "a must be positive");
  inner.assign(b, inner.dag.mul(inner.number(0.5), inner.get(a)));
  inner.output(b);
  ProgramId half = inner.done();
  ProgramBuilder p(all, "quarter");
  auto x = p.input("x"), y = p.local("y");
  p.branch(p.dag.make(Op::greater, p.get(x), p.number(1)), [&] {
    p.call({y}, half, {p.get(x)});
    p.call({y}, half, {p.get(y)});
  });
  p.output(y);
  ProgramId program = p.done();
  std::vector<derive::InlinedCheck> checks;
  auto outputs = derive::inline_program(all, program, std::vector{all.dag.slot(0)}, &checks);
  ASSERT_TRUE(outputs);
  EXPECT_EQ(evaluate(all, *outputs, {8})[0], 2);
  ASSERT_EQ(checks.size(), 2u);
  EXPECT_EQ(evaluate(all, {checks[0].condition}, {-5})[0], 1);  // that path is not taken
  EXPECT_EQ(checks[0].text, "a must be positive");
}

TEST(Inline, leaves_branches_with_much_in_them_to_a_call_which_computes_one_side) {
  auto inlined = [](int terms) {
    Expressions all;
    ProgramBuilder p(all, "branches");
    auto x = p.input("x"), y = p.local("y");
    p.branch(p.dag.make(Op::greater, p.get(x), p.number(1)), [&] {
      p.assign(y, p.get(x));
      for (int k = 0; k < terms; ++k) p.assign(y, p.dag.make(Op::sin, p.get(y)));
    });
    p.output(y);
    return derive::inline_program(all, p.done(), std::vector{all.dag.slot(0)}).has_value();
  };
  EXPECT_TRUE(inlined(100));
  EXPECT_FALSE(inlined(1000));
}

TEST(Inline, stops_at_its_limits_and_at_indices_outside) {
  Expressions all;
  ProgramBuilder p(all, "endless");
  auto x = p.input("x"), i = p.integer("i");
  p.loop_for(i, p.number(1), p.number(1e9), [&] { p.assign(x, p.dag.make(Op::sin, p.get(x))); });
  p.output(x);
  EXPECT_FALSE(derive::inline_program(all, p.done(), std::vector{all.dag.slot(0)}));
  ProgramBuilder q(all, "outside");
  auto t = q.local("t");
  auto a = q.input_array("a", 2);
  q.load(t, a, q.number(2));
  q.output(t);
  EXPECT_FALSE(derive::inline_program(all, q.done(), std::vector{all.dag.slot(0), all.dag.slot(1)}));
}

}  // namespace
}  // namespace bolza::test
