// SPDX-License-Identifier: Apache-2.0
// Discrete equations and algorithms with `when`, evaluated with numbers worked out by hand.
#include "tests/unit/flatten/flattened.h"

namespace bolza::flatten::testing {
namespace {

/// Values by printed name: "x", "pre(n)", "initial()"; what is not given is 0.
double right_side(const Flattened& m, const std::string& of, const std::map<std::string, double>& given) {
  const ir::FlatModel& flat = *m.flat;
  auto value = [&](ir::VariableId id) {
    auto at = given.find(ir::name_of(flat, id));
    return at == given.end() ? 0.0 : at->second;
  };
  for (const ir::Group& group : flat.discrete_equations.section.groups)
    for (std::size_t r = 0; r < group.roots.size(); r += 2)
      for (std::uint32_t i = 0; i < group.n; ++i) {
        const ir::Dag& dag = flat.expressions.dag;
        if (dag.op(group.roots[r]) != ir::Op::slot) continue;
        if (ir::name_of(flat, group.slots[dag.index(group.roots[r])][i]) != of) continue;
        std::vector<double> slots, data;
        for (const ir::Column& column : group.slots) slots.push_back(value(column[i]));
        for (const auto& numbers : group.data) data.push_back(numbers[i]);
        return ir::evaluate(flat.expressions, group.roots, {.slots = slots, .data = data})[r + 1];
      }
  ADD_FAILURE() << "no equation for " << of;
  return std::nan("");
}

TEST(Events, set_variables_at_the_rising_edge_only) {
  Flattened m(
      "model M Boolean b; Integer n, k; equation b = time > 1; when b then n = pre(n) + 1; elsewhen {initial(), time > 2} "
      "then "
      "n = 10*pre(n); end when; when {b, initial()} then k = pre(k) + 5; end when; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  auto n = [&](double b, double before, double second, double second_before, double initial) {
    return right_side(m, "n",
                      {{"b", b},
                       {"pre(b)", before},
                       {"$when1", second},
                       {"pre($when1)", second_before},
                       {"initial()", initial},
                       {"pre(n)", 7}});
  };
  EXPECT_EQ(n(0, 0, 0, 0, 0), 7);
  EXPECT_EQ(n(1, 0, 0, 0, 0), 8);
  EXPECT_EQ(n(1, 1, 0, 0, 0), 7);
  EXPECT_EQ(n(1, 1, 1, 0, 0), 70);
  EXPECT_EQ(n(1, 0, 1, 0, 0), 8);   // the first clause comes first
  EXPECT_EQ(n(0, 1, 0, 0, 0), 7);   // falling edges do nothing
  EXPECT_EQ(n(1, 0, 0, 0, 1), 70);  // at the start only what says initial()
  EXPECT_EQ(right_side(m, "k", {{"initial()", 1}, {"pre(k)", 2}}), 7);
  EXPECT_EQ(right_side(m, "b", {{"time", 1.5}}), 1);
}

TEST(Events, in_algorithms_begin_with_the_value_before) {
  Flattened m(
      "model M Boolean b, big; Integer n(start = 3); Real q; equation b = time > 1; algorithm when b then n := n + 1; "
      "n := 2*n; end when; big := n > 8; when big then q := time; end when; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  std::map<std::string, double> at{{"b", 1}, {"pre(b)", 0}, {"pre(n)", 4}, {"time", 1.25}, {"pre(q)", 9}};
  EXPECT_EQ(right_side(m, "n", at), 10);
  EXPECT_EQ(right_side(m, "big", at), 1);
  EXPECT_EQ(right_side(m, "$when1", at), 1);
  EXPECT_EQ(right_side(m, "q", at), 1.25);
  at["pre($when1)"] = 1;
  EXPECT_EQ(right_side(m, "q", at), 9);
  at["pre(b)"] = 1;
  EXPECT_EQ(right_side(m, "n", at), 4);
}

}  // namespace
}  // namespace bolza::flatten::testing
