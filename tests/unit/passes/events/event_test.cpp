// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::Op;
using ir::ValueType;
using ir::VariableId;
using ::testing::DoubleEq;
using ::testing::ElementsAre;

const VariableId time_id{std::size_t{0}};

/// x' = -x while x > 1, else -1; and the shared values with every discrete value set by hand.
struct Values {
  const ir::Problem& problem;
  std::vector<double> shared;
  explicit Values(const ir::Problem& p) : problem(p), shared(p.shared_values) {}
  std::vector<double> of(ir::Function ir::EventPart::* f, const std::vector<double>& point) const {
    return evaluate(problem, (*problem.hybrid).*f, point, shared);
  }
};

TEST(Events, remember_a_relation_and_share_equal_ones) {
  ModelBuilder b;
  VariableId x = b.real("x"), y = b.real("y"), d = b.der(x);
  b.fix(x, 2);
  b.equation(d, choose(greater(x, 1), -E(x), -1.0));
  b.equation(y, choose(less(1, x), 5, 6));
  ir::Problem p = lowered(b.model);
  ASSERT_TRUE(p.hybrid);
  ASSERT_EQ(p.hybrid->discrete.size(), 1u);  // x > 1 and 1 < x are the same
  Values values(p);
  EXPECT_THAT(values.of(&ir::EventPart::update, {0, 2}), ElementsAre(1));
  EXPECT_THAT(values.of(&ir::EventPart::update, {0, 0.5}), ElementsAre(0));
  EXPECT_THAT(values.of(&ir::EventPart::indicators, {0, 0.5}), ElementsAre(DoubleEq(0.5)));  // 1 - x: false where positive
  EXPECT_FALSE(p.hybrid->discrete[0].positive_is_true);
  std::uint32_t m = p.hybrid->discrete[0].now;
  for (double remembered : {0.0, 1.0}) {  // the rate follows what is remembered, whatever x is
    values.shared[m] = remembered;
    EXPECT_THAT(evaluate(p, p.rates, {0, 3}, values.shared), ElementsAre(remembered ? -3 : -1));
  }
}

TEST(Events, leave_relations_of_parameters_and_inside_no_event_literal) {
  ModelBuilder b;
  VariableId x = b.real("x"), k = b.parameter("k", 2.0);
  b.fix(x, 2);
  b.equation(b.der(x), choose(greater(k, 1), -E(x), 0) + choose(E(Op::no_event, {less(x, 1)}), 1, 2));
  ir::Problem p = lowered(b.model);
  EXPECT_FALSE(p.hybrid);
  EXPECT_THAT(evaluate(p, p.rates, {0, 3}, p.shared_values), ElementsAre(-1));
}

TEST(Events, mark_indicators_of_time_alone) {
  ModelBuilder b;
  VariableId x = b.real("x"), k = b.parameter("k", 2.0);
  b.equation(b.der(x), choose(less(time_id, k), 1, 0) + choose(less(x, k), 1, 0));
  ir::Problem p = lowered(b.model);
  ASSERT_EQ(p.hybrid->discrete.size(), 2u);
  EXPECT_TRUE(p.hybrid->discrete[0].time_only);
  EXPECT_FALSE(p.hybrid->discrete[1].time_only);
}

TEST(Events, keep_rolled_groups_rolled) {
  ModelBuilder b;
  constexpr std::uint32_t n = 40;
  VariableId x = b.real("x", n), d = b.der(x);
  for (std::uint32_t i = 0; i < n; ++i) b.equation(element(d, i), choose(less(element(x, i), 1), 1, -E(element(x, i))));
  ir::Problem p = lowered(b.model);
  EXPECT_EQ(p.rates.section.groups.size(), 1u);
  EXPECT_EQ(p.hybrid->update.section.groups.size(), 1u);
  EXPECT_EQ(p.hybrid->indicators.section.groups.size(), 1u);
  EXPECT_EQ(p.hybrid->discrete.size(), n);
}

/// floor, ceil, div, mod, rem at several places, against the C library's functions.
TEST(Events, parts_hold_between_their_ends) {
  struct Case {
    Op op;
    double x, value, distance_down, distance_up;
  };
  for (const Case& c : {Case{Op::floor, 2.25, 2, 0.25, 0.75}, Case{Op::floor, -0.5, -1, 0.5, 0.5},
                        Case{Op::ceil, 2.25, 3, 0.25, 0.75}, Case{Op::quotient, 2.25, 2, 0.25, 0.75},
                        Case{Op::quotient, -2.25, -2, 0.75, 0.25}, Case{Op::quotient, 0.25, 0, 1.25, 0.75}}) {
    ModelBuilder b;
    VariableId x = b.real("x"), y = b.real("y");
    b.equation(b.der(x), 1);
    b.equation(y, c.op == Op::quotient ? E(c.op, {x, 1}) : E(c.op, {x}));
    ir::Problem p = lowered(b.model);
    Values values(p);
    ASSERT_THAT(values.of(&ir::EventPart::update, {0, c.x}), ElementsAre(c.value));
    values.shared[p.hybrid->discrete[0].now] = c.value;
    EXPECT_THAT(values.of(&ir::EventPart::indicators, {0, c.x}),
                ElementsAre(DoubleEq(c.distance_down), DoubleEq(c.distance_up)));
  }
}

TEST(Events, mod_and_rem_are_continuous_between_events) {
  for (Op op : {Op::mod, Op::rem}) {
    ModelBuilder b;
    VariableId x = b.real("x");
    b.equation(b.der(x), E(op, {x, 3}));
    ir::Problem p = lowered(b.model);
    Values values(p);
    for (double at : {7.5, -7.5}) {
      values.shared[p.hybrid->discrete[0].now] = values.of(&ir::EventPart::update, {0, at})[0];
      double expected = op == Op::rem ? std::fmod(at, 3) : at - std::floor(at / 3) * 3;
      EXPECT_THAT(evaluate(p, p.rates, {0, at}, values.shared), ElementsAre(DoubleEq(expected)));
    }
  }
}

/// A bouncing ball: h' = v, v' = -g, when h < 0 then reinit(v, -e pre(v)), counting.
ModelBuilder ball() {
  ModelBuilder b;
  VariableId h = b.real("h"), v = b.real("v"), g = b.parameter("g", 9.81);
  VariableId c = b.discrete("c"), n = b.discrete("n", ValueType::integer);
  b.fix(h, 1), b.fix(v, 0);
  b.equation(b.der(h), v);
  b.equation(b.der(v), -E(g));
  b.discrete_equation(c, less(h, 0));
  E fires = both(c, no(b.pre(c)));
  b.discrete_equation(n, choose(fires, E(b.pre(n)) + 1, b.pre(n)));
  b.reinit(v, fires, E(-0.8) * E(b.pre(v)));
  return b;
}

TEST(Events, order_updates_by_what_they_need) {
  ir::Problem p = lowered(ball().model);
  std::vector<std::string> names;
  for (const ir::DiscreteValue& m : p.hybrid->discrete) names.push_back(ir::name_of(p.flat, m.variable));
  EXPECT_THAT(names, ElementsAre("$relation1", "c", "n"));
  EXPECT_FALSE(p.hybrid->discrete[0].before);
  EXPECT_TRUE(p.hybrid->discrete[1].before);
}

TEST(Events, reinit_sets_the_state_from_values_before) {
  ir::Problem p = lowered(ball().model);
  ASSERT_EQ(p.hybrid->reinit_states.size(), 1u);
  EXPECT_EQ(ir::name_of(p.flat, p.x[p.hybrid->reinit_states[0]]), "v");
  EXPECT_TRUE(p.hybrid->previous.empty()) << "the state itself is what it was before the event";
  Values values(p);
  values.shared[p.hybrid->discrete[1].now] = 1;
  EXPECT_THAT(values.of(&ir::EventPart::reinit, {0, 0, -4}), ElementsAre(1, DoubleEq(3.2)));
  values.shared[*p.hybrid->discrete[1].before] = 1;
  EXPECT_EQ(values.of(&ir::EventPart::reinit, {0, 0, -4})[0], 0);
}

/// w = 2 v + 1 is not a state of its own: setting it sets v to (value - 1)/2.
TEST(Events, reinit_of_an_alias_sets_the_state_behind_it) {
  ModelBuilder b = ball();
  VariableId v = element(b.model.variables[4].first, 0), w = b.real("w"), c = b.model.variables[6].first;
  (void)c;
  b.equation(w, E(2) * E(v) + 1);
  b.reinit(w, less(5, time_id), 9);
  ir::Problem p = lowered(b.model);
  ASSERT_EQ(p.hybrid->reinit_states.size(), 2u);
  EXPECT_EQ(p.hybrid->reinit_states[0], p.hybrid->reinit_states[1]);
  Values values(p);
  EXPECT_DOUBLE_EQ(values.of(&ir::EventPart::reinit, {0, 0, 0})[3], 4);
}

TEST(Events, functions_of_parameters_are_no_discrete_values) {
  ModelBuilder b;
  VariableId k = b.parameter("k", 3.0), on = b.discrete("on"), n = b.discrete("n", ValueType::integer), x = b.real("x");
  b.discrete_equation(n, choose(on, 4, 5));
  b.discrete_equation(on, less(k, 2));
  b.equation(b.der(x), E(n));
  ir::Problem p = lowered(b.model);
  EXPECT_FALSE(p.hybrid);
  EXPECT_THAT(evaluate(p, p.rates, {0, 0}, p.shared_values), ElementsAre(5));
  ir::Problem other = lowered(b.model, {.values = {{"k", 1}}});
  EXPECT_THAT(evaluate(other, other.rates, {0, 0}, other.shared_values), ElementsAre(4));
}

TEST(Events, samples_follow_parameters) {
  ModelBuilder b;
  VariableId T = b.parameter("T", 0.5), tick = b.tick(0, T), n = b.discrete("n", ValueType::integer), x = b.real("x");
  b.discrete_equation(n, choose(tick, E(b.pre(n)) + 1, b.pre(n)));
  b.equation(b.der(x), E(n));
  ir::Problem p = lowered(b.model), slow = lowered(b.model, {.values = {{"T", 2}}});
  ASSERT_EQ(p.hybrid->samples.size(), 1u);
  EXPECT_EQ(p.hybrid->samples[0].interval, 0.5);
  EXPECT_EQ(slow.hybrid->samples[0].interval, 2);
  EXPECT_GE(p.hybrid->samples[0].entry, p.hybrid->discrete[0].now);
}

TEST(Events, initial_values_of_what_a_when_determines_are_values_before) {
  ModelBuilder b = ball();
  VariableId n = b.model.variables[7].first;
  ASSERT_EQ(ir::name_of(b.model, n), "n");
  b.initial_discrete(n, 7);
  ir::Problem p = lowered(b.model);
  ASSERT_EQ(p.hybrid->initial_targets.size(), 1u);
  EXPECT_EQ(p.hybrid->initial_targets[0], *p.hybrid->discrete[2].before);
}

TEST(Events, pre_of_something_eliminated_is_its_expression_before) {
  ModelBuilder b;
  VariableId x = b.real("x"), y = b.real("y"), held = b.discrete("held", ValueType::real), tick = b.tick(0, 1);
  b.equation(b.der(x), -E(x));
  b.equation(y, E(3) * E(x) + E(time_id));
  b.discrete_equation(held, choose(tick, b.pre(y), b.pre(held)));
  ir::Problem p = lowered(b.model);
  ASSERT_EQ(p.hybrid->previous.size(), 1u);
  Values values(p);
  values.shared[p.hybrid->previous[0].before] = 2;
  values.shared[p.hybrid->samples[0].entry] = 1;
  EXPECT_THAT(values.of(&ir::EventPart::update, {10, 0}), ElementsAre(16));
}

TEST(Events, report_what_does_not_pair) {
  ModelBuilder b = ball();
  b.discrete("lonely");
  EXPECT_THAT(codes_of(b.model), ElementsAre("E422"));
  ModelBuilder c = ball();
  c.discrete_equation(c.model.variables[6].first, less(time_id, 3));
  EXPECT_THAT(codes_of(c.model), ElementsAre("E422"));
  ModelBuilder d = ball();
  VariableId y = d.real("y");
  d.equation(E(y) * E(y) * E(y) + E(y), time_id);
  d.reinit(y, less(time_id, 1), 0);
  EXPECT_THAT(codes_of(d.model), ElementsAre("E423"));
}

// ---------------------------------------------------------------- optimisation

TEST(Events, are_literal_in_optimisation_and_what_remembers_is_refused) {
  ModelBuilder b;
  VariableId x = b.real("x"), u = b.input("u"), on = b.discrete("on");
  b.fix(x, 1);
  b.discrete_equation(on, less(x, 0.5));
  b.equation(b.der(x), choose(on, 0, u));
  b.integrand(E(x) * E(x));
  ir::Problem p = lowered(b.model);
  EXPECT_FALSE(p.hybrid);
  EXPECT_EQ(evaluate(p, p.rates, {0, 0.2, 7}, p.shared_values)[0], 0);
  EXPECT_EQ(evaluate(p, p.rates, {0, 0.8, 7}, p.shared_values)[0], 7);
  ModelBuilder with_memory = ball();
  with_memory.objective(1);
  EXPECT_THAT(codes_of(with_memory.model), ElementsAre("E421"));
}

TEST(Smooth, blends_branches_over_a_width) {
  ModelBuilder b;
  VariableId x = b.real("x"), u = b.input("u");
  b.fix(x, 1);
  b.equation(b.der(x), choose(less(x, 1), 3, 5) + E(Op::abs, {u}) + E(Op::max, {x, u}));
  b.integrand(E(x));
  constexpr double eps = 1e-2;
  ir::Problem p = lowered(b.model, {{.smooth = eps}});
  auto rate = [&](double at, double control) { return evaluate(p, p.rates, {0, at, control}, p.shared_values)[0]; };
  double round = std::sqrt(4 + eps * eps);
  EXPECT_NEAR(rate(1, -1), 4 + std::sqrt(1 + eps * eps) + (1 - 1 + round) / 2, 1e-13);  // half way
  EXPECT_NEAR(rate(0.5, 0), 3 + eps + (0.5 + std::hypot(0.5, eps)) / 2, 1e-13);         // 50 widths away
  EXPECT_NEAR(rate(1.5, 0), 5 + eps + (1.5 + std::hypot(1.5, eps)) / 2, 1e-13);
}

TEST(Smooth, keeps_guards_of_branches) {
  ModelBuilder b;
  VariableId x = b.real("x");
  b.fix(x, 1);
  b.equation(b.der(x), choose(greater(x, 0), E(Op::sqrt, {x}), 0));
  b.integrand(E(x));
  ir::Problem p = lowered(b.model, {{.smooth = 1e-3}});
  double far = evaluate(p, p.rates, {0, -1}, p.shared_values)[0];
  EXPECT_NEAR(far, 0, 1e-12);
  EXPECT_NEAR(evaluate(p, p.rates, {0, 4}, p.shared_values)[0], 2, 1e-12);
}

TEST(Smooth, rounds_roots_of_sums_of_squares_and_no_others) {
  ModelBuilder b;
  VariableId x = b.real("x"), u = b.input("u"), v = b.input("v");
  b.fix(x, 1);
  E length = E(Op::sqrt, {E(Op::pow, {u, 2}) + E(Op::pow, {E(Op::cos, {x}), 2}) * E(Op::pow, {v, 2})});
  b.equation(b.der(x), length + E(Op::sqrt, {E(Op::pow, {u, 2}) + E(v)}) + E(Op::sqrt, {E(Op::pow, {u, 2}) + E(1)}));
  b.integrand(E(x));
  constexpr double eps = 1e-2;
  ir::Problem p = lowered(b.model, {{.smooth = eps}});
  auto rate = [&](double at, double one, double two) { return evaluate(p, p.rates, {0, at, one, two}, p.shared_values)[0]; };
  EXPECT_NEAR(rate(0.5, 0, 0), eps + 0 + 1, 1e-14);
  double c = std::cos(0.5);
  EXPECT_NEAR(rate(0.5, 3, 2), std::sqrt(9 + 4 * c * c + eps * eps) + std::sqrt(11) + std::sqrt(10), 1e-13);
}

}  // namespace
}  // namespace bolza::passes::test
