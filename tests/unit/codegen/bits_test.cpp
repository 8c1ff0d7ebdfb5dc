// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/codegen/frame_internal.h"
#include "compiler/codegen/machine.h"
#include "hand_problem.h"
#include "kernel_call.h"

namespace bolza::codegen {
namespace {

using ir::ExprId;
using ir::Op;
using test::HandProblem;
using test::Points;
using test::Rows;

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// A deep mix of operators on three slots; about `operations` nodes.
std::vector<ExprId> big_body(ir::Dag& d, std::uint32_t operations) {
  std::vector<ExprId> v{d.slot(0), d.slot(1), d.slot(2)};
  while (v.size() < operations) {
    std::size_t n = v.size();
    ExprId a = v[n - 1], b = v[n - 2 - (n % 2)], c = v[(n * 7) % n];
    switch (n % 9) {
      case 0:
        v.push_back(d.make(Op::sin, d.mul(a, c)));
        break;
      case 1:
        v.push_back(d.div(a, d.add(d.number(2), d.mul(b, b))));
        break;
      case 2:
        v.push_back(d.make(Op::exp, d.neg(d.mul(a, a))));
        break;
      case 3:
        v.push_back(d.sub(d.mul(a, c), b));
        break;
      case 4:
        v.push_back(d.select(d.make(Op::less, a, c), b, d.add(a, c)));
        break;
      case 5:
        v.push_back(d.make(Op::tanh, d.add(a, b)));
        break;
      default:
        v.push_back(d.add(d.mul(a, d.number(0.5)), d.mul(c, d.number(0.01 * static_cast<double>(n % 11)))));
        break;
    }
  }
  std::vector<ExprId> roots;
  for (std::size_t k = 5; k < v.size(); k += v.size() / 40) roots.push_back(v[k]);
  roots.push_back(v.back());
  return roots;
}

TEST(Bits, do_not_depend_on_the_place_in_the_batch) {
  ir::Expressions all;
  std::vector<ExprId> roots = big_body(all.dag, 300);
  KernelStore store(host_machine(), Cache(""), test::open_jit);
  KernelShape shape = test::plain_shape(roots, 3);
  bolza_kernel kernel = store.get(all, std::span(&shape, 1), Tier::quick)[0];
  Points sample = test::random_points(3, 37, 5, -2, 2);
  std::vector<std::vector<double>> reference(37);
  for (std::size_t shift = 0; shift < 16; ++shift) {
    Rows point(3, 37 + shift, shift * 1e5), out(roots.size(), 37 + shift);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < 37; ++i) point.at(r, i + shift) = sample[r][i];
    test::PlainCall plain(3, roots.size(), 0, 37 + shift, point, out);
    kernel(&plain.call);
    for (std::size_t i = 0; i < 37; ++i)
      for (std::size_t o = 0; o < roots.size(); ++o) {
        if (shift == 0) reference[i].push_back(out.at(o, i));
        else ASSERT_TRUE(same_bits(out.at(o, i + shift), reference[i][o])) << "output " << o << " shifted by " << shift;
      }
  }
}

TEST(Bits, do_not_depend_on_the_number_of_threads) {
  HandProblem h = test::reaction_diffusion(9);
  auto compiled = compile(h.finish(1), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  bolza_function& f = *p.models[0]->rates;
  Points point = test::random_points(f.n_point, 1000, 5), weight = test::random_points(f.n_rows, 1000, 6);
  for (bolza_kind kind : {BOLZA_JACOBIAN, BOLZA_HESSIAN}) {
    test::Evaluated one = test::run(p, f, kind, point, h.problem.shared_values, weight, {}, 1);
    test::Evaluated four = test::run(p, f, kind, point, h.problem.shared_values, weight, {}, 4);
    EXPECT_EQ(one.out, four.out);
  }
}

TEST(Bits, are_the_same_in_both_tiers) {
  ir::Expressions all;
  std::vector<ExprId> roots = big_body(all.dag, 400);
  KernelShape shape = test::plain_shape(roots, 3);
  Points sample = test::random_points(3, 24, 8, -2, 2);
  std::vector<Rows> outs;
  for (Tier tier : {Tier::quick, Tier::optimised}) {
    KernelStore store(host_machine(), Cache(""), test::open_jit, 0);
    Rows point(3, 24), out(roots.size(), 24);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < 24; ++i) point.at(r, i) = sample[r][i];
    test::PlainCall plain(3, roots.size(), 0, 24, point, out);
    store.get(all, std::span(&shape, 1), tier)[0](&plain.call);
    outs.push_back(std::move(out));
  }
  for (std::size_t o = 0; o < roots.size(); ++o)
    for (std::size_t i = 0; i < 24; ++i) EXPECT_TRUE(same_bits(outs[0].at(o, i), outs[1].at(o, i)));
}

TEST(Bits, of_straight_line_code_are_those_of_loops) {
  ir::Expressions all;
  ir::Dag& d = all.dag;
  std::vector<ExprId> roots = big_body(d, 300);
  roots.push_back(d.mul(d.weight(0), d.add(d.slot(3), d.datum(1))));
  KernelShape shape = test::plain_shape(roots, 4, true);
  shape.slots[3] = SlotClass::shared;
  shape.adds.back() = 1;
  Points sample = test::random_points(4, 6, 8, -2, 2);
  sample[0][5] = sample[1][5] = std::numeric_limits<double>::quiet_NaN();
  const double shared[] = {0, 3.5}, datum[] = {7, 0.25};
  for (unsigned small : {0u, small_code}) {
    KernelStore store(host_machine(), Cache(""), test::open_jit, small);
    std::vector<KernelShape> both{shape, shape};
    both[1].solo = true;
    std::vector<bolza_kernel> kernels = store.get(all, both, Tier::quick);
    ASSERT_NE(kernels[0], kernels[1]);
    for (std::size_t i = 0; i < 6; ++i) {
      std::vector<Rows> outs;
      std::vector<int> status;
      for (bolza_kernel kernel : kernels) {
        Rows point(4, 1), weight(1, 1, 1.5), out(roots.size(), 1, 0.125);
        for (std::size_t r = 0; r < 4; ++r) point.at(r, 0) = sample[r][i];
        test::PlainCall plain(4, roots.size(), 1, 1, point, out);
        plain.index[3] = 1;
        plain.call.shared = shared, plain.call.datum = datum, plain.call.weight = weight.data();
        status.push_back(kernel(&plain.call));
        outs.push_back(std::move(out));
      }
      EXPECT_EQ(status[0], status[1]);
      EXPECT_EQ(status[0], i == 5 ? BOLZA_NONFINITE : 0);
      for (std::size_t o = 0; o < roots.size(); ++o) {
        double loop = outs[0].at(o, 0), line = outs[1].at(o, 0);
        EXPECT_TRUE(same_bits(loop, line) || (std::isnan(loop) && std::isnan(line))) << o;
      }
      if (i < 5) {
        EXPECT_EQ(outs[1].at(roots.size() - 1, 0), 0.125 + 1.5 * (3.5 + 0.25));
      }
    }
  }
}

class Split : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Split, body_agrees_with_the_interpreter) {
  ir::Expressions all;
  std::vector<ExprId> roots = big_body(all.dag, 6000);
  roots.insert(roots.end(), 2500, roots[3]);  // more stores than one part takes
  roots.push_back(all.dag.slot(1));
  roots.push_back(all.dag.number(7));
  KernelStore store(host_machine(GetParam()), Cache(""), test::open_jit);
  KernelShape shape = test::plain_shape(roots, 3);
  bolza_kernel kernel = store.get(all, std::span(&shape, 1), Tier::quick)[0];
  constexpr std::size_t n = 11;
  Rows point(3, n), out(roots.size(), n);
  Points sample = test::random_points(3, n, 4, -1, 1);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < n; ++i) point.at(r, i) = sample[r][i];
  test::PlainCall plain(3, roots.size(), 0, n, point, out);
  std::vector<double> scratch(1 << 16);
  plain.call.scratch = scratch.data(), plain.call.scratch_size = scratch.size();
  EXPECT_EQ(kernel(&plain.call), 0);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> slots{sample[0][i], sample[1][i], sample[2][i]};
    std::vector<double> expected = ir::evaluate(all, roots, {.slots = slots});
    for (std::size_t o = 0; o < roots.size(); ++o)  // contracted products against plain ones, through some hundred levels
      EXPECT_NEAR(out.at(o, i), expected[o], 1e-9 * (1 + std::fabs(expected[o]))) << o;
  }
}

TEST(Scratch, that_is_too_small_is_asked_for_and_nothing_is_written) {
  ir::Expressions all;
  std::vector<ExprId> roots(
      9000, all.dag.make(Op::sin, all.dag.slot(0)));  // their row addresses alone do not fit the stack's share
  KernelStore store(host_machine(), Cache(""), test::open_jit);
  KernelShape shape = test::plain_shape(roots, 1);
  bolza_kernel kernel = store.get(all, std::span(&shape, 1), Tier::quick)[0];
  Rows point(1, 8, 0.5), out(roots.size(), 8, 4);
  test::PlainCall plain(1, roots.size(), 0, 8, point, out);
  std::vector<double> scratch(wanted_scratch(all, shape, store.machine().width));
  ASSERT_GT(scratch.size(), 9000u);
  plain.call.scratch = scratch.data(), plain.call.scratch_size = scratch.size() / 2;
  EXPECT_EQ(kernel(&plain.call), BOLZA_SCRATCH);
  EXPECT_EQ(out.at(0, 0), 4);
  plain.call.scratch_size = scratch.size();
  EXPECT_EQ(kernel(&plain.call), 0);
  for (std::size_t o = 0; o < roots.size(); o += 111) EXPECT_DOUBLE_EQ(out.at(o, 7), std::sin(0.5));
}

INSTANTIATE_TEST_SUITE_P(widths, Split, testing::Values(0u, 4u, 1u));

TEST(Nonfinite, results_are_reported_and_padding_is_not) {
  ir::Expressions all;
  std::vector<ExprId> roots{all.dag.make(Op::log, all.dag.slot(0)), all.dag.mul(all.dag.slot(0), all.dag.slot(0))};
  KernelStore store(host_machine(), Cache(""), test::open_jit);
  KernelShape shape = test::plain_shape(roots, 1);
  bolza_kernel kernel = store.get(all, std::span(&shape, 1), Tier::quick)[0];
  Rows point(1, 13, -1.0), out(2, 13);  // the padding's logarithm is NaN
  test::PlainCall plain(1, 2, 0, 13, point, out);
  for (std::size_t i = 0; i < 13; ++i) point.at(0, i) = 2;
  EXPECT_EQ(kernel(&plain.call), 0);
  for (std::size_t i = 0; i < 13; ++i)
    for (double bad :
         {-1.0, 0.0, 1e200, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      point.at(0, i) = bad;
      EXPECT_EQ(kernel(&plain.call), BOLZA_NONFINITE) << i << " " << bad;
      point.at(0, i) = 2;
    }
}

}  // namespace
}  // namespace bolza::codegen
