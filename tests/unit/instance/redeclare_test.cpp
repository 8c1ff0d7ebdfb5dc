// SPDX-License-Identifier: Apache-2.0
#include "made.h"

namespace bolza::instance {
namespace {

const std::string parts =
    "partial model Pin Real v; end Pin;"
    "model R extends Pin; parameter Real r = 1; end R;"
    "model N extends Pin; parameter Real r = 2; parameter Real c = 3; end N;"
    "model W Real w; end W;";

TEST(Redeclaration, of_a_component_gives_it_another_class_and_keeps_the_modifiers_of_the_constraint) {
  Made m(parts +
         "model A replaceable R x(r = 5) constrainedby Pin(v(start = 7)); end A; model M A a(redeclare N x(c = 4)); A b; "
         "end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.at("a.x").definition->name(), "N");
  EXPECT_EQ(m.value("a.x.c"), "4");
  EXPECT_EQ(m.value("a.x.r"), "2");  // r = 5 was said of the original
  EXPECT_EQ(m.attribute("a.x.v", "start"), "7");
  EXPECT_EQ(m.value("b.x.r"), "5");
  EXPECT_EQ(m.attribute("b.x.v", "start"), "7");
}

TEST(Redeclaration, without_a_constraint_keeps_the_modifiers_of_the_original) {
  Made m(
      "model R parameter Real r = 1; end R; model N extends R; parameter Real c = 3; end N;"
      "model A replaceable R x(r = 5); end A; model M A a(redeclare N x(c = 4)); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("a.x.r"), "5");
  EXPECT_EQ(m.value("a.x.c"), "4");
}

TEST(Redeclaration, from_further_out_wins_and_all_modifiers_stay) {
  Made m(parts +
         "model A replaceable R x constrainedby Pin; end A; model B A a(redeclare replaceable R x(v(min = 1)));"
         "end B; model M B b(a(redeclare N x(v(max = 2)))); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.at("b.a.x").definition->name(), "N");
  EXPECT_EQ(m.attribute("b.a.x.v", "max"), "2");
  EXPECT_EQ(m.attribute("b.a.x.v", "min"), "1");
}

TEST(Redeclaration, keeps_prefixes_dimensions_and_the_condition_of_the_original) {
  Made m(parts +
         "model A replaceable parameter Real p[2] = {1, 2}; replaceable R x[3] constrainedby Pin; replaceable R y if false; "
         "end A;"
         "model M extends A(redeclare Real p, redeclare N x, redeclare R y(r = 3)); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.at("p").variability, Variability::parameter);
  EXPECT_EQ(m.value("p"), "{1, 2}");
  EXPECT_EQ(m.dimensions("x"), Sizes{3});
  EXPECT_TRUE(m.at("y").removed);
}

TEST(Redeclaration, as_an_element_of_a_body_is_about_the_inherited_one) {
  Made m(parts +
         "model A replaceable R x constrainedby Pin; replaceable model L = R constrainedby Pin; L l; end A;"
         "model M extends A; redeclare N x(c = 8); redeclare model L = N(c = 9); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("x.c"), "8");
  EXPECT_EQ(m.value("l.c"), "9");
  EXPECT_EQ(Made(parts + "model M redeclare N x; end M;").codes(), "E210");
}

TEST(Redeclaration, of_a_class_reaches_all_its_components) {
  Made m(parts +
         "model A replaceable model L = R(r = 6) constrainedby Pin(v(start = 1)); L l[2]; L k; end A;"
         "model M A a(redeclare model L = N(c = 4)); A b(L(r = 9)); A c; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("a.k.c"), "4");
  EXPECT_EQ(m.at("a.l").definition->name(), "N");
  EXPECT_EQ(m.attribute("a.k.v", "start"), "1");
  EXPECT_EQ(m.value("b.k.r"), "9");
  EXPECT_EQ(m.value("c.k.r"), "6");
}

TEST(Redeclaration, of_a_package_gives_its_constants_types_functions_and_classes) {
  Made m(
      "package F constant Integer n = 1; replaceable function f input Integer x; output Integer y; algorithm y := n*x; end "
      "f;"
      "replaceable record S Real a; end S; model Base S s; end Base; end F;"
      "package W extends F(n = 5); redeclare function f input Integer x; output Integer y; algorithm y := n*x + 100; end f;"
      "redeclare record S Real a; Real b; end S; end W;"
      "model T replaceable package P = F; P.Base base; parameter Integer k = P.n; parameter Integer h = P.f(2); end T;"
      "model M T t; T w(redeclare package P = W); T v(redeclare package P = F(n = 3)); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("t.k") + m.value("t.h"), "12");
  EXPECT_EQ(m.value("w.k"), "5");
  EXPECT_EQ(m.value("w.h"), "110");
  EXPECT_EQ(m.value("v.h"), "6");
  EXPECT_EQ(m.at("w.base.s").children.size(), 2u);
  EXPECT_EQ(m.at("t.base.s").children.size(), 1u);
}

TEST(Redeclaration, of_a_name_by_itself_looks_outside) {
  Made m(
      "package F constant Integer n = 1; end F; package W extends F(n = 5); end W;"
      "model T replaceable package P = F; parameter Integer k = P.n; end T;"
      "model S replaceable package P = F; T t(redeclare package P = P); end S; model M S s(redeclare package P = W); end "
      "M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("s.t.k"), "5");
}

TEST(Redeclaration, of_what_is_not_replaceable_is_done_with_a_warning_and_refused_by_strict) {
  for (std::string text : {"model A R x; end A; model M A a(redeclare N x); end M;",
                           "model A model L = R; L l; end A; model M A a(redeclare model L = N); end M;",
                           "model A replaceable R x constrainedby Pin; end A; model B A a(redeclare R x); end B; model M B "
                           "b(a(redeclare N x)); "
                           "end M;"}) {
    Made lenient(parts + text);
    EXPECT_TRUE(lenient.good()) << text << lenient.messages();
    EXPECT_NE(lenient.messages().find("W224"), std::string::npos) << text;
    EXPECT_EQ(Made(parts + text, "M", {}, {.strict = true}).codes(), "E216") << text;
  }
  EXPECT_EQ(Made(parts + "model A R x; end A; model M A a(redeclare W x); end M;").codes(), "W224 E217");
}

TEST(Redeclaration, of_what_is_final_or_constant_is_refused) {
  EXPECT_EQ(
      Made("model A replaceable constant Real x = 1; end A; model M A a(redeclare constant Real x = 2); end M;").codes(),
      "E216");
  EXPECT_EQ(Made("model A final Real x = 1; end A; model M A a(redeclare Real x = 2); end M;").codes(), "E212");
}

TEST(Redeclaration, that_does_not_fit_the_constraint_is_refused_with_the_reason) {
  Made m(parts + "model A replaceable R x constrainedby Pin; end A; model M A a(redeclare W x); end M;");
  EXPECT_EQ(m.codes(), "E217");
  EXPECT_NE(m.first().find("no public component `v`"), std::string::npos) << m.first();
  EXPECT_EQ(Made("model A replaceable Real x; end A; model M A a(redeclare Integer x); end M;").codes(), "E217");
  EXPECT_EQ(Made(parts + "model A replaceable model L = R; L l; end A; model M A a(redeclare model L = W); end M;").codes(),
            "E217");
}

TEST(Redeclaration, with_partial_classes_is_refused_when_a_component_is_made) {
  EXPECT_EQ(Made(parts + "model A replaceable model L = Pin; L l; end A; model M A a; end M;").codes(), "E223");
  EXPECT_TRUE(
      Made(parts + "model A replaceable model L = Pin; L l; end A; model M A a(redeclare model L = R); end M;").good());
}

TEST(Outer, is_the_inner_component_of_the_nearest_enclosing_instance) {
  Made m(
      "model W parameter Real g = 9; end W; model B outer W w; parameter Real h = w.g; end B; model C inner W w(g = 4); B "
      "b; end C;"
      "model M inner W w(g = 3); B b; C c; B d[2]; parameter Real k = c.b.w.g; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("b.h"), "3");
  EXPECT_EQ(m.value("c.b.h"), "4");
  EXPECT_EQ(m.value("d.h", {1}), "3");
  EXPECT_EQ(m.value("k"), "4");
  EXPECT_TRUE(m.at("b").child("w") == nullptr);
}

TEST(Outer, with_inner_is_both_the_outer_one_here_and_the_inner_one_below) {
  Made m(
      "model B outer parameter Real g; parameter Real h = g; end B; model C inner outer parameter Real g = 4; B b; "
      "parameter Real k = g; end C;"
      "model M inner parameter Real g = 3; C c; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("c.b.h"), "4");
  EXPECT_EQ(m.value("c.k"), "3");
}

TEST(Outer, without_inner_adds_one_at_the_top_with_the_message_of_its_class) {
  Made m(
      "model W parameter Real g = 9; annotation(missingInnerMessage = \"no W here\"); end W; model B outer W w; parameter "
      "Real h = w.g; end B;"
      "model M B b; B c; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.codes(), "W218");
  EXPECT_NE(m.first().find("no W here"), std::string::npos);
  EXPECT_EQ(m.value("c.h"), "9");
  EXPECT_EQ(m.at("w").parent, &m.root());
}

TEST(Outer, that_cannot_be_resolved_is_refused) {
  EXPECT_EQ(Made("partial model W end W; model B outer W w; end B; model M B b; end M;").codes(), "E218");
  EXPECT_EQ(Made("model B outer Real x; end B; model M B b; end M;").codes(), "E218");
  // from a package that is local to a component
  Made local(
      "class A package P outer constant Integer n; end P; Integer k = P.n; end A; class B inner constant Integer n = "
      "10; A a; end B; model M B b; end M;");
  EXPECT_TRUE(local.good()) << local.messages();
  EXPECT_EQ(Made("model B outer Real x; end B; model M inner Integer x = 1; B b; end M;").codes(), "E217");
  EXPECT_EQ(Made("model B outer parameter Real x = 3; end B; model M inner parameter Real x = 1; B b; end M;").codes(),
            "E219");
}

}  // namespace
}  // namespace bolza::instance
