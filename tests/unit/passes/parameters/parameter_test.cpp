// SPDX-License-Identifier: Apache-2.0
// Values of parameters: order, cycles, missing ones, overrides; attributes.
#include <gtest/gtest.h>

#include "compiler/passes/parameters/evaluate_parameters.h"
#include "tests/unit/passes/model_builder.h"

namespace bolza::passes::test {
namespace {

using ir::Attribute;
using ir::VariableId;
using Codes = std::vector<std::string>;

struct Decay : ModelBuilder {
  VariableId a = parameter("a", 0.0), b = parameter("b", 2.0), x = real("x");
  Decay() {
    at(a).binding.terms = {term(E(b) * 3.0)};  // declared before what it needs
    equation(der(x), -E(a) * x);
  }
};

TEST(parameters, are_evaluated_in_the_order_of_their_dependencies) {
  Decay m;
  ir::Problem p = lowered(m.model);
  ASSERT_EQ(p.shared.size(), 3u);
  EXPECT_EQ(p.shared[2], m.a);
  EXPECT_DOUBLE_EQ(p.shared_values[2], 6);
}

TEST(parameters, can_be_given_other_values) {
  Decay m;
  EXPECT_DOUBLE_EQ(lowered(m.model, {.values = {{"b", 5.0}}}).shared_values[2], 15);
  ir::Problem p = lowered(m.model);
  Diagnostics diagnostics;
  auto values = shared_values(p, {{"b", 7.0}}, diagnostics);
  ASSERT_TRUE(values);
  EXPECT_DOUBLE_EQ((*values)[2], 21);
}

TEST(parameters, that_need_each_other_are_told) {
  Decay m;
  m.at(m.b).binding.terms = {m.term(E(m.a) + 1.0)};
  Diagnostics diagnostics;
  ASSERT_TRUE(lower(m.model, {}, diagnostics).failed());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code->id, "E401");
  EXPECT_EQ(diagnostics.all()[0].message, "the value of `a` depends on itself: `a` needs `b` needs `a`");
}

TEST(parameters, without_value_take_their_start_or_zero_and_say_so) {
  Decay m;
  m.at(m.b).binding.terms.clear();
  EXPECT_EQ(codes_of(m.model), Codes{"W402"});
  m.set(m.b, Attribute::start, 4.0);
  EXPECT_EQ(codes_of(m.model), Codes{"W401"});
  EXPECT_DOUBLE_EQ(lowered(m.model).shared_values[2], 12);
}

TEST(parameters, that_are_not_finite_are_told) {
  Decay m;
  m.at(m.b).binding.terms = {m.term(E(1.0) / (E(m.a) * 0.0))};
  m.at(m.a).binding.terms = {m.term(2.0)};
  EXPECT_EQ(codes_of(m.model), Codes{"E403"});
}

TEST(attributes, are_checked) {
  Decay zero;
  zero.set(zero.x, Attribute::nominal, 0.0);
  EXPECT_EQ(codes_of(zero.model), Codes{"E405"});
  Decay crossed;
  crossed.set(crossed.x, Attribute::min, 2.0);
  crossed.set(crossed.x, Attribute::max, 1.0);
  EXPECT_EQ(codes_of(crossed.model), Codes{"E404"});
  Decay outside;
  outside.set(outside.x, Attribute::max, 1.0);
  outside.set(outside.x, Attribute::initial_guess, 3.0);
  EXPECT_EQ(codes_of(outside.model), Codes{"W403"});
}

TEST(attributes, are_evaluated_with_parameters) {
  Decay m;
  m.fix(m.x, 0);
  m.set(m.x, Attribute::start, E(m.a) / 4.0);
  m.set(m.x, Attribute::nominal, E(m.b) * -10.0);
  ir::Problem p = lowered(m.model);
  EXPECT_DOUBLE_EQ(p.x_numbers[0].start, 1.5);
  EXPECT_DOUBLE_EQ(p.x_numbers[0].nominal, 20);
  EXPECT_TRUE(p.x_numbers[0].fixed);
  EXPECT_EQ(p.x_numbers[0].max, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace bolza::passes::test
