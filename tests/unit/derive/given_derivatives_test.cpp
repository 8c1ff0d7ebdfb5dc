// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/derive/hessian.h"
#include "compiler/derive/inline.h"
#include "compiler/derive/jacobian.h"
#include "compiler/ir/interpret.h"
#include "program_builder.h"

namespace bolza::test {
namespace {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::GivenDerivative;
using ir::Op;
using ir::ProgramId;
using Takes = GivenDerivative::Takes;

/// y = x² k, and a derivative that is wrong on purpose: 3 k dx.
struct Example {
  Expressions all;
  ProgramId f;

  explicit Example(Takes of_x, Takes of_k) {
    ProgramBuilder b(all, "f");
    std::uint32_t x = b.input("x"), k = b.input("k"), y = b.local("y");
    b.assign(y, all.dag.mul(all.dag.mul(b.get(x), b.get(x)), b.get(k)));
    b.output(y);
    f = b.done();
    ProgramBuilder d(all, "df");
    d.input("x"), k = d.input("k");
    std::uint32_t dx = d.input("dx"), dy;
    d.input("dk");
    dy = d.local("dy");
    d.assign(dy, all.dag.mul(all.dag.number(3), all.dag.mul(d.get(k), d.get(dx))));
    d.output(dy);
    ProgramId df = d.done();
    all.programs[f.index()].derivatives = {{df, {{of_x, 0}, {of_k, 0}}}};
  }

  ExprId call() {
    std::vector<ExprId> arguments{all.dag.slot(0), all.dag.slot(1)};
    return all.dag.output(all.dag.call(f, arguments), 0);
  }
  double value(ExprId e, std::vector<double> slots) {
    return ir::evaluate(all, std::span(&e, 1), {.slots = slots, .data = {}, .weights = {}, .directions = {}})[0];
  }
  /// ∂f/∂slot at x = 5, k = 2.
  double partial(std::uint32_t slot) {
    ExprId root = call();
    for (const derive::JacobianEntry& entry : derive::jacobian(all, std::span(&root, 1)))
      if (entry.slot == slot) return value(entry.value, {5, 2});
    return 0;
  }
  double by(derive::By what, std::vector<ExprId> directions) {
    ExprId root = call();
    return value(derive::tangents(all, std::span(&root, 1), directions, what)[0], {5, 2, 0.5});
  }
};

TEST(GivenDerivatives, it_uses_the_given_derivative_instead_of_the_symbolic_one) {
  Example e(Takes::direction, Takes::direction);
  EXPECT_EQ(e.partial(0), 6);  // 3 k, not 2 x k = 20
  EXPECT_EQ(e.partial(1), 0);  // not x² = 25
  EXPECT_EQ(e.by(derive::By::time, {e.all.dag.slot(2)}), 3);
  ExprId root = e.call(), one = e.all.dag.one();
  auto entries = derive::weighted_hessian(e.all, std::span(&root, 1), std::span(&one, 1)).entries;
  for (const derive::HessianEntry& entry : entries) {
    bool twice_x = entry.row == 0 && entry.column == 0;
    if (twice_x) {
      EXPECT_EQ(e.value(entry.value, {5, 2}), 0) << "the derivative of 3 k, not 2 k";
    }
  }
}

TEST(GivenDerivatives, it_uses_it_inside_other_programs) {
  Example e(Takes::direction, Takes::direction);
  ProgramBuilder b(e.all, "outer");
  std::uint32_t x = b.input("x"), y = b.local("y"), z = b.local("z");
  b.call({y}, e.f, {b.get(x), b.number(4)});
  b.assign(z, e.all.dag.mul(b.number(2), b.get(y)));
  b.output(z);
  ProgramId outer = b.done();
  std::vector<double> out(1);
  ir::Interpreter<double> run(e.all);
  ProgramId tangent = derive::tangent(e.all, outer), adjoint = derive::adjoint(e.all, outer);
  ASSERT_TRUE(run.run(tangent, std::vector<double>{5, 1}, out));
  EXPECT_EQ(out[0], 24);
  ASSERT_TRUE(run.run(adjoint, std::vector<double>{5, 1}, out));
  EXPECT_EQ(out[0], 24);
}

TEST(GivenDerivatives, it_differentiates_the_statements_where_an_argument_must_not_change) {
  Example e(Takes::direction, Takes::zero);
  EXPECT_EQ(e.partial(0), 6);
  EXPECT_EQ(e.partial(1), 25);
}

TEST(GivenDerivatives, it_takes_derivatives_with_assumptions_only_by_time) {
  Example e(Takes::direction, Takes::assumed);
  EXPECT_EQ(e.partial(0), 20);
  EXPECT_EQ(e.partial(1), 25);
  EXPECT_EQ(e.by(derive::By::time, {e.all.dag.slot(2), e.all.dag.number(1)}), 3);
  EXPECT_EQ(e.by(derive::By::variables, {e.all.dag.slot(2), e.all.dag.number(1)}), 20 * 0.5 + 25);
}

TEST(GivenDerivatives, it_takes_second_derivatives_where_directions_are_the_first) {
  Example e(Takes::same, Takes::direction);
  e.all.programs[e.f.index()].derivatives[0].arguments[0].same_as = 1;
  EXPECT_EQ(e.by(derive::By::time, {e.all.dag.slot(1), e.all.dag.slot(2)}), 3 * 2 * 2);
  EXPECT_EQ(e.by(derive::By::time, {e.all.dag.slot(2), e.all.dag.slot(2)}), 20 * 0.5 + 25 * 0.5);
}

TEST(GivenDerivatives, it_inlines_calls_with_assumptions_after_index_reduction) {
  Example e(Takes::direction, Takes::assumed);
  std::vector<ExprId> arguments{e.all.dag.slot(0), e.all.dag.slot(1)};
  EXPECT_FALSE(derive::inline_program(e.all, e.f, arguments));
  EXPECT_TRUE(derive::inline_program(e.all, e.f, arguments, nullptr, {.late = true}));
  Example exact(Takes::direction, Takes::direction);
  EXPECT_FALSE(derive::inline_program(exact.all, exact.f, arguments, nullptr, {.late = true}));
}

/// y = {sin(x0) x1, x1²} from outside; the third argument is an Integer.
ProgramId foreign(Expressions& all) {
  ProgramBuilder b(all, "foreign");
  b.input_array("x", 2);
  ProgramId id = b.done();
  ir::Program& program = all.programs[id.index()];
  program.locals.push_back({"n", ir::ScalarType::integer});
  program.inputs.push_back({false, 0});
  program.arrays.push_back({"y", 2, ir::ScalarType::real});
  program.outputs.push_back({true, 1});
  auto call = [](const void*, const double* x, double* y) {
    y[0] = std::sin(x[0]) * x[1] * x[2];
    y[1] = x[1] * x[1];
    return 0;
  };
  program.foreign = ir::Foreign{"foreign", "foreign", call, nullptr};
  ir::verify(all);
  return id;
}

TEST(GivenDerivatives, it_takes_difference_quotients_of_foreign_functions) {
  Expressions all;
  ProgramId f = foreign(all);
  std::vector<ExprId> arguments{all.dag.slot(0), all.dag.slot(1), all.dag.number(2)};
  ExprId call = all.dag.call(f, arguments);
  std::vector<ExprId> roots{all.dag.output(call, 0), all.dag.output(call, 1)};
  for (double scale : {1e-3, 1.0, 1e5}) {
    std::vector<double> at{0.7, scale};
    auto value = [&](ExprId e) {
      return ir::evaluate(all, std::span(&e, 1), {.slots = at, .data = {}, .weights = {}, .directions = {}})[0];
    };
    std::array expected{2 * std::cos(0.7) * scale, 2 * std::sin(0.7), 0.0, 2 * scale};
    for (const derive::JacobianEntry& entry : derive::jacobian(all, roots)) {
      double exact = expected[2 * entry.root + entry.slot];
      EXPECT_NEAR(value(entry.value), exact, 1e-9 * (1 + std::abs(exact)) + 1e-10 * scale);  // ε^(2/3), a central quotient
    }
  }
}

TEST(GivenDerivatives, it_takes_quotients_of_quotients_for_curvature) {
  Expressions all;
  ProgramId f = foreign(all);
  std::vector<ExprId> arguments{all.dag.slot(0), all.dag.slot(1), all.dag.number(2)};
  ExprId root = all.dag.output(all.dag.call(f, arguments), 0), one = all.dag.one();
  std::vector<double> at{0.7, 1.5};
  std::vector<std::array<double, 3>> seen;
  for (const derive::HessianEntry& e : derive::weighted_hessian(all, std::span(&root, 1), std::span(&one, 1)).entries)
    seen.push_back(
        {static_cast<double>(e.row), static_cast<double>(e.column),
         ir::evaluate(all, std::span(&e.value, 1), {.slots = at, .data = {}, .weights = {}, .directions = {}})[0]});
  for (auto [row, column, value] : seen) {
    double exact = row == 0 ? -2 * std::sin(0.7) * 1.5 : column == 0 ? 2 * std::cos(0.7) : 0;
    EXPECT_NEAR(value, exact, 2e-4) << row << column;  // ε^(1/3) and what two steps of 6e-6 leave
  }
  EXPECT_EQ(seen.size(), 3u);
}

}  // namespace
}  // namespace bolza::test
