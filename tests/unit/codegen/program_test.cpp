// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "hand_problem.h"
#include "kernel_call.h"

namespace bolza::codegen {
namespace {

using ir::BlockId;
using ir::ExprId;
using ir::Op;
using ir::Program;
using ir::Statement;
using ir::StatementKind;
using test::HandProblem;

Statement assign(std::uint32_t target, ExprId value) {
  Statement s{};
  s.kind = StatementKind::assign, s.target = target, s.value = value;
  return s;
}

/// y = Newton's square root of a, by a while-loop; locals a, y, change.
Program newton_root(ir::Dag& d) {
  Program p;
  p.name = "root";
  p.locals = {{"a"}, {"y"}, {"change"}};
  p.inputs = {{false, 0}};
  p.outputs = {{false, 1}};
  Statement loop{};
  loop.kind = StatementKind::loop_while;
  loop.value = d.make(Op::greater, d.make(Op::abs, d.slot(2)), d.number(1e-14));
  loop.body = BlockId(std::size_t{1});
  ExprId next = d.mul(d.number(0.5), d.add(d.slot(1), d.div(d.slot(0), d.slot(1))));
  p.blocks = {{assign(1, d.slot(0)), assign(2, d.one()), loop},
              {assign(2, d.sub(next, d.slot(1))), assign(1, d.add(d.slot(1), d.slot(2)))}};
  return p;
}

/// s = Σ_{k=1..4} c_k x^k by a local array and a for-loop that leaves when k > n; locals x, n, s, k, power, c.
Program polynomial(ir::Dag& d) {
  Program p;
  p.name = "polynomial";
  p.locals = {{"x"}, {"n"}, {"s"}, {"k"}, {"power"}, {"c"}};
  p.arrays = {{"c", 4}};
  p.inputs = {{false, 0}, {false, 1}};
  p.outputs = {{false, 2}};
  for (int k = 0; k < 4; ++k) {
    Statement store{};
    store.kind = StatementKind::store, store.array = 0, store.index = d.number(k), store.value = d.number(1.5 - k);
    if (p.blocks.empty()) p.blocks.emplace_back();
    p.blocks[0].push_back(store);
  }
  p.blocks[0].push_back(assign(4, d.one()));
  Statement loop{}, branch{}, leave{}, load{};
  loop.kind = StatementKind::loop_for, loop.target = 3, loop.from = d.one(), loop.step = d.one(), loop.to = d.number(4);
  loop.body = BlockId(std::size_t{1});
  p.blocks[0].push_back(loop);
  branch.kind = StatementKind::branch, branch.value = d.make(Op::greater, d.slot(3), d.slot(1)),
  branch.body = BlockId(std::size_t{2});
  leave.kind = StatementKind::exit_loop;
  load.kind = StatementKind::load, load.target = 5, load.array = 0, load.index = d.sub(d.slot(3), d.one());
  p.blocks.push_back(
      {branch, assign(4, d.mul(d.slot(4), d.slot(0))), load, assign(2, d.add(d.slot(2), d.mul(d.slot(5), d.slot(4))))});
  p.blocks.push_back({leave});
  return p;
}

/// The same with the coefficients as a fixed array.
Program polynomial_of_data(ir::Dag& d) {
  Program p = polynomial(d);
  p.arrays = {ir::fixed_array("c", {1.5, 0.5, -0.5, -1.5}, ir::ScalarType::real)};
  std::erase_if(p.blocks[0], [](const Statement& s) { return s.kind == StatementKind::store; });
  return p;
}

HandProblem with_programs(Program (*sum)(ir::Dag&) = polynomial) {
  HandProblem h({"a", "b"}, {}, {}, {}, {});
  ir::Expressions& all = h.problem.flat.expressions;
  all.programs.push_back(newton_root(all.dag));
  all.programs.push_back(sum(all.dag));
  ir::Dag& d = all.dag;
  ExprId a = h.s(0), b = h.s(1);
  ExprId argument = d.add(d.mul(a, a), d.one());
  ExprId root = d.output(d.call(ir::ProgramId(std::size_t{0}), std::span(&argument, 1)), 0);
  std::vector<ExprId> arguments{b, d.number(3)};
  ExprId poly = d.output(d.call(ir::ProgramId(std::size_t{1}), arguments), 0);
  h.group(h.problem.rates, {d.mul(root, b), d.mul(poly, a)}, {{h.x(0), h.x(1)}, {h.x(1), h.x(0)}}, {{0, 0}, {1, 1}});
  return h;
}

double root_of(double x) { return std::sqrt(x * x + 1); }
double poly_of(double x) { return 1.5 * x + 0.5 * x * x - 0.5 * x * x * x; }

TEST(Programs, with_loops_and_arrays_give_the_closed_form_in_every_lane) {
  HandProblem h = with_programs();
  auto compiled = compile(h.finish(), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  test::Points point = test::random_points(3, 21, 2, -1, 2);
  test::Evaluated value = test::run(p, *p.models[0]->rates, BOLZA_VALUE, point, h.problem.shared_values);
  EXPECT_EQ(value.status, 0);
  for (std::size_t i = 0; i < 21; ++i) {
    double a = point[1][i], b = point[2][i];
    double expected0 = root_of(a) * b + root_of(b) * a, expected1 = poly_of(b) * a + poly_of(a) * b;
    EXPECT_NEAR(value.out[0][i], expected0, 1e-13 * (1 + std::fabs(expected0)));
    EXPECT_NEAR(value.out[1][i], expected1, 1e-13 * (1 + std::fabs(expected1)));
  }
}

TEST(Programs, with_fixed_arrays_give_what_stores_give) {
  HandProblem by_stores = with_programs(), by_data = with_programs(polynomial_of_data);
  auto first = compile(by_stores.finish(), by_stores.sources, {.open_jit = test::open_jit, .cache = ""});
  auto second = compile(by_data.finish(), by_data.sources, {.open_jit = test::open_jit, .cache = ""});
  test::Points point = test::random_points(3, 21, 2, 0.3, 2), weight(2, std::vector<double>(21, 1.0));
  const bolza_problem &p = first->problem(), &q = second->problem();
  for (auto kind : {BOLZA_VALUE, BOLZA_JACOBIAN, BOLZA_HESSIAN}) {
    test::Points weights = kind == BOLZA_HESSIAN ? weight : test::Points();
    test::Evaluated expected = test::run(p, *p.models[0]->rates, kind, point, by_stores.problem.shared_values, weights);
    test::Evaluated found = test::run(q, *q.models[0]->rates, kind, point, by_data.problem.shared_values, weights);
    EXPECT_EQ(found.status, 0);
    EXPECT_EQ(found.out, expected.out);
  }
}

TEST(Programs, are_differentiated_with_their_tape) {
  HandProblem h = with_programs();
  auto compiled = compile(h.finish(), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  bolza_function& f = *p.models[0]->rates;
  test::Points point = test::random_points(3, 21, 2, 0.3, 2), weight(2, std::vector<double>(21, 1.0));
  test::Evaluated jacobian = test::run(p, f, BOLZA_JACOBIAN, point, h.problem.shared_values);
  test::Evaluated hessian = test::run(p, f, BOLZA_HESSIAN, point, h.problem.shared_values, weight);
  EXPECT_EQ(jacobian.status, 0);
  EXPECT_EQ(hessian.status, 0);
  auto d_root = [](double x) { return x / root_of(x); };
  auto d_poly = [](double x) { return 1.5 + x - 1.5 * x * x; };
  auto d2_root = [](double x) { return 1 / std::pow(root_of(x), 3); };
  for (std::size_t i = 0; i < 21; ++i) {
    double a = point[1][i], b = point[2][i];
    for (std::size_t k = 0; k < f.jac_nnz; ++k) {
      double own = f.jac_col[k] == 1 ? a : b, other = f.jac_col[k] == 1 ? b : a;
      double expected = f.jac_row[k] == 0 ? d_root(own) * other + root_of(other) : d_poly(own) * other + poly_of(other);
      EXPECT_NEAR(jacobian.out[f.n_rows + k][i], expected, 1e-12 * (1 + std::fabs(expected)));
    }
    for (std::size_t k = 0; k < f.hess_nnz; ++k) {
      double expected = f.hess_row[k] != f.hess_col[k] ? d_root(a) + d_root(b) + d_poly(a) + d_poly(b)
                        : f.hess_row[k] == 1           ? (d2_root(a) + 1 - 3 * a) * b
                                                       : (d2_root(b) + 1 - 3 * b) * a;
      // the Newton iteration's second derivative converges one step behind its value
      EXPECT_NEAR(hessian.out[k][i], expected, 1e-9 * (1 + std::fabs(expected))) << f.hess_row[k] << f.hess_col[k];
    }
  }
}

/// y = Σ x over n turns, each pushed on and popped from the tape: as large a tape as one likes.
Program long_tape(ir::Dag& d) {
  Program p;
  p.name = "tape";
  p.locals = {{"x"}, {"n"}, {"y"}, {"k"}, {"t"}};
  p.inputs = {{false, 0}, {false, 1}};
  p.outputs = {{false, 2}};
  auto loop = [&](std::size_t body) {
    Statement s{};
    s.kind = StatementKind::loop_for, s.target = 3, s.from = d.one(), s.step = d.one(), s.to = d.slot(1),
    s.body = BlockId(body);
    return s;
  };
  Statement push{}, pop{};
  push.kind = StatementKind::push, push.value = d.slot(0);
  pop.kind = StatementKind::pop, pop.target = 4;
  p.blocks = {{loop(1), loop(2)}, {push}, {pop, assign(2, d.add(d.slot(2), d.slot(4)))}};
  return p;
}

TEST(Programs, that_need_more_tape_are_run_again_without_adding_twice) {
  HandProblem h({"a", "b"}, {}, {}, {}, {});
  ir::Expressions& all = h.problem.flat.expressions;
  all.programs.push_back(long_tape(all.dag));
  std::vector<ExprId> arguments{h.s(0), h.s(1)};
  ExprId y = h.dag().output(h.dag().call(ir::ProgramId(std::size_t{0}), arguments), 0);
  h.group(h.problem.rates, {h.dag().neg(y)}, {{h.x(0), h.x(0)}, {h.x(1), h.time()}}, {{0, 0}});
  h.problem.rates.section.n_rows = 2;
  auto compiled = compile(h.finish(), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  test::Points point{{5, 30000, 7}, {2, 0.5, 3}, {20000, 9, 11}};
  test::Evaluated value = test::run(p, *p.models[0]->rates, BOLZA_VALUE, point, h.problem.shared_values);
  EXPECT_EQ(value.status, 0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(value.out[0][i], -point[1][i] * (point[0][i] + point[2][i]));
}

TEST(Programs, that_fail_a_check_say_so_and_give_no_number) {
  HandProblem h({"a"}, {}, {}, {}, {});
  ir::Expressions& all = h.problem.flat.expressions;
  Program p;
  p.name = "guarded";
  p.locals = {{"x"}};
  p.inputs = {{false, 0}}, p.outputs = {{false, 0}};
  Statement check{};
  check.kind = StatementKind::check, check.value = all.dag.make(Op::greater, all.dag.slot(0), all.dag.zero());
  p.blocks = {{check}};
  all.programs.push_back(p);
  ExprId x = h.s(0);
  h.group(h.problem.rates, {h.dag().output(h.dag().call(ir::ProgramId(std::size_t{0}), std::span(&x, 1)), 0)}, {{h.x(0)}},
          {{0}});
  auto compiled = compile(h.finish(), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& problem = compiled->problem();
  test::Points point{{0, 0, 0}, {2, -1, 3}};
  test::Evaluated value = test::run(problem, *problem.models[0]->rates, BOLZA_VALUE, point, h.problem.shared_values);
  EXPECT_EQ(value.status, BOLZA_ASSERT | BOLZA_NONFINITE);
  EXPECT_EQ(value.out[0][0], 2);
  EXPECT_TRUE(std::isnan(value.out[0][1]));
  EXPECT_EQ(value.out[0][2], 3);
}

}  // namespace
}  // namespace bolza::codegen
