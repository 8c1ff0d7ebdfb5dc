// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/codegen/schedule_internal.h"
#include "hand_problem.h"

namespace bolza::codegen {
namespace {

using ir::ExprId;
using ir::Op;

TEST(Schedule, keeps_parts_small_and_temporaries_few_in_long_chains) {
  ir::Dag d;
  ExprId e = d.slot(0);
  for (int k = 0; k < 20000; ++k) e = d.make(Op::sin, d.add(e, d.number(k % 7)));
  std::vector<SlotClass> slots{SlotClass::point};
  Schedule s = make_schedule(d, std::span(&e, 1), slots);
  EXPECT_GE(s.parts.size(), 37u);  // 20,000 sines and, for six of seven, a sum
  for (const Schedule::Part& part : s.parts) EXPECT_LE(part.end - part.begin, 2 * part_limit);
  EXPECT_LE(s.n_temporaries, 2u);  // one value crosses each boundary, places are used again
}

TEST(Schedule, computes_once_per_instance_what_no_point_changes) {
  ir::Dag d;
  ExprId x = d.slot(0), p = d.slot(1), q = d.make(Op::exp, d.mul(p, d.datum(0)));
  ExprId root = d.mul(q, x);
  std::vector<SlotClass> slots{SlotClass::point, SlotClass::shared};
  Schedule s = make_schedule(d, std::span(&root, 1), slots);
  ASSERT_EQ(s.n_fixed_parts, 1u);
  for (std::uint32_t k = s.parts[0].begin; k < s.parts[0].end; ++k) EXPECT_NE(s.order[k], root);
  EXPECT_EQ(s.order[s.parts[1].end - 1], root);
  std::vector<SlotClass> both_point{SlotClass::point, SlotClass::point};
  EXPECT_EQ(make_schedule(d, std::span(&root, 1), both_point).n_fixed_parts, 0u);
}

TEST(Reciprocals, take_the_place_of_divisions_by_fixed_values_only) {
  ir::Dag d;
  ExprId x = d.slot(0), y = d.slot(1), p = d.slot(2);
  std::vector<SlotClass> slots{SlotClass::point, SlotClass::point, SlotClass::shared};
  std::vector<ExprId> roots{d.div(x, p), d.div(x, y), d.div(d.add(p, d.one()), p)};
  std::vector<ExprId> now = use_reciprocals(d, roots, slots);
  EXPECT_EQ(now[0], d.mul(x, d.div(d.one(), p)));
  EXPECT_EQ(now[1], roots[1]);
  EXPECT_EQ(now[2], roots[2]);
}

TEST(FixedValues, are_those_of_their_instance) {
  test::HandProblem h({"a", "b", "c"}, {}, {}, {}, {{"p", 1.7}});
  ir::Dag& d = h.dag();
  ExprId fixed = d.make(Op::exp, d.mul(h.s(1), d.datum(0)));
  h.group(h.problem.rates, {d.div(h.s(0), fixed)}, {{h.x(0), h.x(1)}, {h.shared(2), h.shared(2)}}, {{0, 1}}, {{0.5, -1.5}});
  h.group(h.problem.rates, {d.make(Op::log, h.s(0))}, {{h.shared(2)}}, {{2}});
  auto compiled = compile(h.finish(), h.sources, {.open_jit = test::open_jit, .cache = ""});
  const bolza_problem& p = compiled->problem();
  test::Points point = test::random_points(4, 300, 1);
  test::Evaluated value = test::run(p, *p.models[0]->rates, BOLZA_VALUE, point, h.problem.shared_values);
  EXPECT_EQ(value.status, 0);
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_NEAR(value.out[0][i], point[1][i] / std::exp(0.85), 1e-15);  // two roundings more than a division
    EXPECT_NEAR(value.out[1][i], point[2][i] / std::exp(-2.55), 2e-14);
    EXPECT_NEAR(value.out[2][i], std::log(1.7), 1e-15);
  }
}

}  // namespace
}  // namespace bolza::codegen
