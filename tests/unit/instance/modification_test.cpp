// SPDX-License-Identifier: Apache-2.0
#include "made.h"

namespace bolza::instance {
namespace {

TEST(Modification, of_the_user_wins_over_that_of_the_class) {
  Made m("model A Real x(start = 1, max = 5); end A; model M A a(x(start = 2)); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.attribute("a.x", "start"), "2");
  EXPECT_EQ(m.attribute("a.x", "max"), "5");
  EXPECT_EQ(m.attribute("a.x", "min"), "none");
}

TEST(Modification, merges_through_three_levels_of_inheritance) {
  Made m(
      "model A parameter Real p = 1; parameter Real q = 1; parameter Real r = 1; end A;"
      "model B extends A(p = 2, q = 2); end B; model C extends B(q = 3); end C; model M C c(r = 4); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("c.p"), "2");
  EXPECT_EQ(m.value("c.q"), "3");
  EXPECT_EQ(m.value("c.r"), "4");
}

TEST(Modification, keeps_the_scope_it_was_written_in) {
  Made m("model A parameter Real x = 0; end A; model M parameter Real x = 7; A a(x = x); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.at("a.x").binding.scope.instance, &m.root());
  EXPECT_EQ(m.value("a.x"), "7");
}

TEST(Modification, reads_dotted_names_like_nested_ones) {
  Made m("model A Real x; end A; model B A a; end B; model M B b(a.x.start = 3, a(x(unit = \"m\"))); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.attribute("b.a.x", "start"), "3");
  EXPECT_EQ(m.attribute("b.a.x", "unit"), "\"m\"");
}

TEST(Modification, in_outer_dotted_form_beats_an_inner_nested_one) {
  Made m("model A parameter Real x = 1; end A; model B A a(x = 2); end B; model M B b(a.x = 3); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("b.a.x"), "3");
}

TEST(Modification, of_a_type_stands_behind_that_of_the_component) {
  Made m(
      "type Length = Real(unit = \"m\", min = 0); type Long = Length(min = 10); model M Long x(max = 20); Long y(min = 1); "
      "end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.attribute("x", "min"), "10");
  EXPECT_EQ(m.attribute("x", "unit"), "\"m\"");
  EXPECT_EQ(m.attribute("x", "max"), "20");
  EXPECT_EQ(m.attribute("y", "min"), "1");
}

TEST(Modification, of_an_element_that_is_not_there_names_the_near_one) {
  Made m("model A Real level; end A; model M A a(levl(start = 1)); end M;");
  EXPECT_EQ(m.codes(), "E210");
  EXPECT_EQ(m.first(), "model `A` has no element `levl` that could be modified | did you mean `level`?");
}

TEST(Modification, of_an_attribute_that_is_not_there_names_the_near_one) {
  Made m("model M Real x(strat = 1); end M;");
  EXPECT_EQ(m.codes(), "E210");
  EXPECT_NE(m.first().find("did you mean `start`?"), std::string::npos) << m.first();
  EXPECT_EQ(Made("model M Boolean b(max = true); end M;").codes(), "E210");
}

TEST(Modification, knows_the_attributes_of_optimica) {
  Made m("model M parameter Real p(free = true, initialGuess = 2); Integer k(free = true, initialGuess = 1); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.attribute("p", "initialGuess"), "2");
  EXPECT_EQ(m.attribute("k", "free"), "true");
}

TEST(Modification, twice_in_one_list_is_refused_and_merging_is_not) {
  EXPECT_EQ(Made("model M Real x(start = 1, start = 2); end M;").codes(), "E211");
  EXPECT_EQ(Made("model A Real x; end A; model M A a(x.start = 1, x(start = 2)); end M;").codes(), "E211");
  EXPECT_TRUE(Made("model A Real x; end A; model M A a(x.start = 1, x(unit = \"m\") = 2); end M;").good());
}

TEST(Modification, of_an_element_of_an_array_is_refused) {
  const std::string tank = "model A Real x(start = 1); parameter Real k[2] = {1, 2}; end A; ";
  for (const char* one : {"k[2] = 3", "k[2](min = 0)", "k[2].min = 0"})
    EXPECT_EQ(Made(tank + "model M A a(" + one + "); end M;").codes(), "E265") << one;
  EXPECT_EQ(Made(tank + "model M A a[2](x[1](start = 3)); end M;").codes(), "E265");
  for (const char* one : {"a[2].k = {3, 4}", "a[2](k = {3, 4})"}) {
    Made m(tank + "model L A a[2]; end L; model M extends L(" + one + "); end M;");
    EXPECT_EQ(m.codes(), "E265") << one;
    EXPECT_NE(m.messages().find("all elements together: `a.k` with an array of values"), std::string::npos) << m.messages();
  }
  EXPECT_TRUE(Made(tank + "model M A a[2](x(start = {3, 4}), each k = {3, 4}); end M;").good());
}

TEST(Modification, of_something_final_is_refused) {
  EXPECT_EQ(Made("model A final parameter Real p = 1; end A; model M A a(p = 2); end M;").codes(), "E212");
  EXPECT_EQ(
      Made("model A parameter Real p = 1; end A; model B extends A(final p = 3); end B; model M B b(p = 2); end M;").codes(),
      "E212");
  EXPECT_EQ(Made("model A Real x(final start = 1); end A; model M A a(x(start = 2)); end M;").codes(), "E212");
  EXPECT_EQ(
      Made("model A Real x; end A; model B final A a(x(start = 1)); end B; model M B b(a(x(start = 2))); end M;").codes(),
      "E212");
}

TEST(Modification, may_make_final_what_was_open) {
  Made m("model A parameter Real p = 1; end A; model B A a(final p = 2); end B; model M B b; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("b.a.p"), "2");
  EXPECT_TRUE(m.at("b.a.p").binding.final_);
}

TEST(Modification, of_an_array_names_the_dimensions_it_is_split_over) {
  Made m(
      "model Tank parameter Real h = 0; parameter Real v[2] = {0, 0}; end Tank;"
      "model M Tank t[3](each h = 1, v = {{1, 2}, {3, 4}, {5, 6}}); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_TRUE(m.at("t.h").binding.levels.empty());
  ASSERT_EQ(m.at("t.v").binding.levels.size(), 1u);
  EXPECT_EQ(m.at("t.v").binding.levels[0].instance, &m.at("t"));
  EXPECT_EQ(m.value("t.h", {2}), "1");
  EXPECT_EQ(m.value("t.v", {2}), "{3, 4}");
  EXPECT_EQ(m.dimensions("t.v"), (Sizes{3, 2}));
}

TEST(Modification, of_an_attribute_of_an_array_has_its_dimensions_unless_each) {
  Made m("model M Real x[2](start = {1, 2}, each max = 3); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  ASSERT_EQ(m.at("x").attribute("start")->levels.size(), 1u);
  EXPECT_EQ(m.at("x").attribute("start")->levels[0].count, 1u);
  EXPECT_TRUE(m.at("x").attribute("max")->levels.empty());
}

TEST(Modification, through_two_arrays_keeps_the_level_that_each_does_not_take) {
  Made m("model A parameter Real x = 0; end A; model B A a[2]; end B; model M B b[3](a(each x = {1, 2, 3})); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("b.a.x", {2, 1}), "2");
  EXPECT_EQ(m.value("b.a.x", {3, 2}), "3");
}

TEST(Modification, in_a_type_with_dimensions_covers_those_only) {
  Made m("type V = Real[3](start = {1, 2, 3}); model M V x[2]; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.dimensions("x"), (Sizes{2, 3}));
  const ScopedExpr& start = *m.at("x").attribute("start");
  ASSERT_EQ(start.levels.size(), 1u);
  EXPECT_EQ(start.levels[0].first, 1u);
  EXPECT_EQ(start.levels[0].count, 1u);
}

TEST(Modification, of_a_whole_record_reaches_its_fields) {
  Made m(
      "record R Real a = 1; Real b[2]; end R; model A parameter R r(b = {0, 0}); end A;"
      "model M parameter R s(a = 5, b = {6, 7}); A x(r = s); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.at("x.r.a").binding.whole, &m.at("x.r"));
  EXPECT_EQ(m.value("x.r.a"), "5");
  EXPECT_EQ(m.value("x.r.b"), "{6, 7}");
}

TEST(Modification, of_a_record_and_of_its_field_together_is_refused) {
  EXPECT_EQ(Made("record R Real a; end R; model M parameter R s(a = 1); parameter R r(a = 2) = s; end M;").codes(), "E215");
  EXPECT_EQ(
      Made("record R parameter Integer n; end R; model M parameter R s(n = 1); parameter R r(n = 2) = s; end M;").codes(),
      "E255");
}

TEST(Modification, cannot_give_a_value_to_a_model) {
  EXPECT_EQ(Made("model A Real x; end A; model M A a = 3; end M;").codes(), "E214");
}

TEST(Modification, with_break_takes_a_value_away) {
  Made m("model A parameter Real p = 1; end A; model M A a(p = break); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.binding("a.p"), "none");
}

TEST(Modification, of_protected_elements_is_for_classes_that_extend) {
  EXPECT_EQ(Made("model A protected parameter Real p = 1; end A; model M A a(p = 2); end M;").codes(), "E213");
  EXPECT_EQ(Made("model A protected replaceable class B Real x = 1; end B; B b; end A; class C Real x = 2; end C;"
                 "model M A a(redeclare class B = C); end M;")
                .codes(),
            "E213");
  EXPECT_EQ(Made("model A protected parameter Real p = 1; end A; model M extends A(p = 2); end M;").codes(), "");
}

TEST(Modification, from_the_command_line_is_strongest) {
  Made m("model A parameter Real k = 1; parameter Integer n = 2; Real x[n]; end A; model M A a(k = 2); end M;", "M",
         {"a.k=3", "a.n = 5"});
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("a.k"), "3");
  EXPECT_EQ(m.dimensions("a.x"), Sizes{5});
  EXPECT_EQ(Made("model M parameter Real k = 1; end M;", "M", {"kk=3"}).codes(), "E210");
}

}  // namespace
}  // namespace bolza::instance
