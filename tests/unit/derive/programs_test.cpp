// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/program_derivatives.h"
#include "difference.h"
#include "program_builder.h"

namespace bolza::test {
namespace {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Op;
using ir::ProgramId;

/// Roots that use the outputs of one call inside larger expressions, so that chain rule, gradient and Hessian meet the call
/// node.
std::vector<ExprId> roots_over(Expressions& all, ProgramId program, bool with_context = true) {
  Dag& dag = all.dag;
  std::vector<ExprId> arguments;
  for (std::uint32_t k = 0; k < argument_count(all.programs[program.index()]); ++k)
    arguments.push_back(with_context && k == 0
                            ? dag.add(dag.slot(0), dag.mul(dag.number(0.1), dag.make(Op::sin, dag.slot(0))))
                            : dag.slot(k));
  ExprId call = dag.call(program, arguments);
  std::vector<ExprId> roots;
  for (std::uint32_t k = 0; k < output_count(all.programs[program.index()]); ++k)
    roots.push_back(dag.mul(dag.output(call, k), dag.slot(0)));
  return roots;
}

Vector run(const Expressions& all, ProgramId program, const Vector& arguments) {
  Vector outputs(output_count(all.programs[program.index()]));
  EXPECT_TRUE(bool(ir::Interpreter<long double>(all).run(program, arguments, outputs)));
  return outputs;
}

Vector joined(Vector a, const Vector& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The tangent along a direction against a difference quotient, and the adjoint against the tangent: w·(J v) = (Jᵀ w)·v.
void expect_products(Expressions& all, ProgramId program, const Vector& x, const std::string& what) {
  Vector direction, seeds;
  for (std::size_t k = 0; k < x.size(); ++k) direction.push_back(0.4L + 0.3L * static_cast<long double>(k % 4));
  for (std::size_t r = 0; r < output_count(all.programs[program.index()]); ++r)
    seeds.push_back(1 - 0.35L * static_cast<long double>(r % 5));
  auto along = [&](long double h) {
    Vector moved = x;
    for (std::size_t k = 0; k < x.size(); ++k) moved[k] += h * direction[k];
    return run(all, program, moved);
  };
  constexpr long double h = 1e-4L;
  Vector a = along(-2 * h), b = along(-h), c = along(h), d = along(2 * h);
  Vector tangent = run(all, derive::tangent(all, program), joined(x, direction));
  Vector adjoint = run(all, derive::adjoint(all, program), joined(x, seeds));
  long double by_tangent = 0, by_adjoint = 0;
  for (std::size_t r = 0; r < tangent.size(); ++r) {
    expect_close(tangent[r], (a[r] - 8 * b[r] + 8 * c[r] - d[r]) / (12 * h), what + " tangent");
    by_tangent += seeds[r] * tangent[r];
  }
  for (std::size_t k = 0; k < x.size(); ++k) by_adjoint += adjoint[k] * direction[k];
  expect_close(by_adjoint, by_tangent, what + " adjoint");
}

void expect_exact(Expressions& all, ProgramId program, const Vector& x, const std::string& what) {
  expect_products(all, program, x, what);
  EXPECT_TRUE(derivatives_agree(all, roots_over(all, program), x, what)) << what << " met a kink";
  ir::verify(all);
}

/// y = √x by Newton's method until the step is small: the number of trips depends on data.
ProgramId newton_sqrt(Expressions& all) {
  ProgramBuilder p(all, "newton_sqrt");
  auto x = p.input("x"), y = p.local("y"), step = p.local("step");
  p.assign(y, p.get(x));
  p.assign(step, p.number(1));
  p.loop_while(p.dag.make(Op::greater, p.dag.make(Op::abs, p.get(step)), p.number(1e-17)), [&] {
    ExprId next = p.dag.mul(p.number(0.5), p.dag.add(p.get(y), p.dag.div(p.get(x), p.get(y))));
    p.assign(step, p.dag.sub(next, p.get(y)));
    p.assign(y, next);
  });
  p.output(y);
  return p.done();
}

/// Horner's scheme over an input array, and the sum of squares of the coefficients.
ProgramId polynomial(Expressions& all, std::uint32_t n) {
  ProgramBuilder p(all, "polynomial");
  auto x = p.input("x");
  auto c = p.input_array("c", n);
  auto y = p.local("y"), a = p.local("a"), squares = p.local("squares");
  auto i = p.integer("i");
  p.loop_for(i, p.number(0), p.number(n - 1), [&] {
    p.load(a, c, p.get(i));
    p.assign(y, p.dag.add(p.dag.mul(p.get(y), p.get(x)), p.get(a)));
    p.assign(squares, p.dag.add(p.get(squares), p.dag.mul(p.get(a), p.get(a))));
  });
  p.output(y);
  p.output(squares);
  return p.done();
}

/// C = A·B for n × n matrices, all arrays, three nested loops.
ProgramId matrix_product(Expressions& all, std::uint32_t n) {
  ProgramBuilder p(all, "matrix_product");
  auto a = p.input_array("A", n * n), b = p.input_array("B", n * n), c = p.array("C", n * n);
  auto i = p.integer("i"), j = p.integer("j"), k = p.integer("k");
  auto u = p.local("u"), v = p.local("v"), w = p.local("w");
  auto at = [&](std::uint32_t row, std::uint32_t column) {
    return p.dag.add(p.dag.mul(p.number(n), p.get(row)), p.get(column));
  };
  ExprId last = p.number(n - 1);
  p.loop_for(i, p.number(0), last, [&] {
    p.loop_for(j, p.number(0), last, [&] {
      p.loop_for(k, p.number(0), last, [&] {
        p.load(u, a, at(i, k));
        p.load(v, b, at(k, j));
        p.load(w, c, at(i, j));
        p.store(c, at(i, j), p.dag.add(p.get(w), p.dag.mul(p.get(u), p.get(v))));
      });
    });
  });
  p.output_array(c);
  return p.done();
}

TEST(Programs, differentiate_a_while_loop) {
  Expressions all;
  ProgramId program = newton_sqrt(all);
  expect_exact(all, program, {2.0L}, "newton_sqrt");
  expect_exact(all, program, {0.31L}, "newton_sqrt");
  ExprId root = all.dag.output(all.dag.call(program, std::vector{all.dag.slot(0)}), 0);
  ExprId d = derive::gradient(all, root)[0].value;
  expect_close(evaluate(all, {d}, {9})[0], 1.0L / 6, "derivative of sqrt at 9");
}

TEST(Programs, differentiate_for_loops_over_arrays) {
  Expressions all;
  ProgramId program = polynomial(all, 4);
  expect_exact(all, program, {0.7L, 1.1L, -0.4L, 2, 0.3L}, "polynomial");
  Expressions other;
  ProgramId product = matrix_product(other, 2);
  expect_exact(other, product, {0.7L, 1.1L, -0.4L, 2, 0.3L, 0.2L, -0.6L, 1.4L}, "matrix product");
}

TEST(Programs, differentiate_branches_return_and_break) {
  Expressions all;
  ProgramBuilder p(all, "branches");
  auto x = p.input("x"), y = p.input("y"), r = p.local("r"), i = p.integer("i");
  p.assign(r, p.dag.mul(p.get(x), p.get(y)));
  p.branch(
      p.dag.make(Op::greater, p.get(x), p.number(2)),
      [&] {
        p.assign(r, p.dag.make(Op::exp, p.get(y)));
        p.exit_program();
      },
      [&] { p.assign(r, p.dag.add(p.get(r), p.dag.make(Op::sin, p.get(x)))); });
  p.loop_for(i, p.number(1), p.number(10), [&] {
    p.assign(r, p.dag.mul(p.get(r), p.dag.add(p.number(1.1), p.dag.mul(p.number(0.1), p.get(x)))));
    p.branch(p.dag.make(Op::greater, p.get(r), p.number(5)), [&] { p.exit_loop(); });
    p.branch(p.dag.make(Op::less, p.get(r), p.number(-8)), [&] { p.exit_program(); });
    p.assign(r, p.dag.add(p.get(r), p.dag.mul(p.get(y), p.get(i))));
  });
  p.assign(r, p.dag.mul(p.get(r), p.get(r)));
  p.output(r);
  ProgramId program = p.done();
  for (long double a : {-1.7L, -0.3L, 0.6L, 1.4L, 2.6L})
    for (long double b : {-1.1L, 0.35L, 1.2L}) expect_exact(all, program, {a, b}, "branches");
}

TEST(Programs, differentiate_overwritten_locals_and_stored_elements) {
  Expressions all;
  ProgramBuilder p(all, "overwriting");
  auto x = p.input("x"), y = p.input("y"), t = p.local("t");
  auto a = p.array("a", 3);
  auto i = p.integer("i"), k = p.integer("k");
  p.loop_for(i, p.number(0), p.number(5), [&] {
    p.assign(k, p.dag.make(Op::mod, p.get(i), p.number(3)));
    p.load(t, a, p.get(k));
    p.assign(x, p.dag.add(p.dag.make(Op::sin, p.get(x)), p.dag.mul(p.get(t), p.get(y))));
    p.store(a, p.get(k), p.dag.add(p.dag.mul(p.get(x), p.get(x)), p.dag.mul(p.number(0.2), p.get(t))));
    p.assign(y, p.dag.sub(p.get(y), p.dag.mul(p.number(0.1), p.get(x))));
  });
  p.output(x);
  p.output_array(a);
  ProgramId program = p.done();
  expect_exact(all, program, {0.8L, -0.6L}, "overwriting");
}

TEST(Programs, differentiate_nested_calls) {
  Expressions all;
  ProgramId root_of = newton_sqrt(all);
  ProgramBuilder p(all, "norms");
  auto x = p.input("x"), y = p.input("y"), s = p.local("s"), r = p.local("r"), i = p.integer("i");
  p.assign(s, p.dag.add(p.dag.mul(p.get(x), p.get(x)), p.dag.mul(p.get(y), p.get(y))));
  p.loop_for(i, p.number(1), p.number(3), [&] {
    p.call({r}, root_of, {p.dag.add(p.get(s), p.get(i))});
    p.assign(s, p.dag.add(p.get(s), p.dag.mul(p.get(r), p.get(x))));
  });
  p.output(s);
  p.output(r);
  ProgramId program = p.done();
  expect_exact(all, program, {1.2L, -0.7L}, "norms");
}

TEST(Programs, differentiate_loops_whose_range_depends_on_real_values) {
  Expressions all;
  ProgramBuilder p(all, "range");
  auto from = p.input("from"), step = p.input("step"), sum = p.local("sum"), t = p.local("t");
  ExprId to = p.dag.add(p.get(from), p.dag.mul(p.number(4.5), p.get(step)));  // five trips
  p.loop_for(t, p.get(from), to, [&] { p.assign(sum, p.dag.add(p.get(sum), p.dag.make(Op::sin, p.get(t)))); }, p.get(step));
  p.output(sum);
  ProgramId program = p.done();
  expect_exact(all, program, {0.4L, 0.3L}, "range");
}

TEST(Programs, differentiate_recursion) {
  Expressions all;
  ProgramBuilder p(all, "chain");  // f(x, n) = if n > 0.5 then sin(x·f(x, n − 1)) else x
  auto x = p.input("x"), n = p.input("n"), r = p.local("r"), inner = p.local("inner");
  p.branch(
      p.dag.make(Op::greater, p.get(n), p.number(0.5)),
      [&] {
        p.call({inner}, ProgramId(std::size_t{0}), {p.get(x), p.dag.sub(p.get(n), p.number(1))});
        p.assign(r, p.dag.make(Op::sin, p.dag.mul(p.get(x), p.get(inner))));
      },
      [&] { p.assign(r, p.get(x)); });
  p.output(r);
  all.programs.emplace_back();
  all.programs[0].name = "chain", all.programs[0].locals.resize(2), all.programs[0].inputs = {{false, 0}, {false, 1}};
  all.programs[0].outputs = {{false, 0}}, all.programs[0].blocks.resize(1);  // the signature, so that the call verifies
  ProgramId written = p.done();
  all.programs[0] = all.programs[written.index()];
  expect_exact(all, ProgramId(std::size_t{0}), {0.9L, 3}, "recursion");
}

TEST(Programs, are_left_out_of_branches_not_taken) {
  Expressions all;
  Dag& dag = all.dag;
  ProgramBuilder p(all, "quotient");  // 1/x by a loop, so that it stays a call
  auto x = p.input("x"), y = p.local("y"), i = p.integer("i");
  p.loop_while(p.dag.make(Op::less, p.get(i), p.number(2)), [&] {
    p.assign(y, p.dag.div(p.number(1), p.get(x)));
    p.assign(i, p.dag.add(p.get(i), p.number(1)));
  });
  p.output(y);
  ExprId call = dag.output(dag.call(p.done(), std::vector{dag.slot(0)}), 0);
  ExprId root = dag.select(dag.make(Op::greater, dag.slot(0), dag.zero()), dag.mul(call, dag.slot(1)), dag.slot(1));
  derive::WeightedHessian hessian = derive::hessian(all, std::span(&root, 1));
  std::vector<ExprId> values;
  for (const derive::GradientEntry& entry : hessian.gradient) values.push_back(entry.value);
  for (const derive::JacobianEntry& entry : derive::jacobian(all, std::span(&root, 1))) values.push_back(entry.value);
  EXPECT_EQ(evaluate(all, values, {0, 3}, {1}), (Vector{0, 1, 0, 1}));
  expect_close(evaluate(all, values, {2, 3}, {1})[0], -0.75L, "taken");
}

TEST(Programs, are_differentiated_once) {
  Expressions all;
  ProgramId program = polynomial(all, 3);
  ProgramId t = derive::tangent(all, program), a = derive::adjoint(all, program);
  EXPECT_EQ(derive::tangent(all, program), t);
  EXPECT_EQ(derive::adjoint(all, program), a);
  EXPECT_EQ(argument_count(all.programs[t.index()]), 8u);
  EXPECT_EQ(output_count(all.programs[t.index()]), 2u);
  EXPECT_EQ(argument_count(all.programs[a.index()]), 6u);
  EXPECT_EQ(output_count(all.programs[a.index()]), 4u);
}

TEST(Programs, have_third_derivatives) {
  Expressions all;
  ProgramId program = newton_sqrt(all);
  ExprId e = all.dag.output(all.dag.call(program, std::vector{all.dag.slot(0)}), 0);
  for (int order = 0; order < 3; ++order) e = derive::gradient(all, e)[0].value;
  expect_close(evaluate(all, {e}, {4})[0], 3.0L / 256, "third derivative of sqrt at 4");  // 3/8 x^(-5/2)
}

}  // namespace
}  // namespace bolza::test
