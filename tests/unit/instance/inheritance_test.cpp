// SPDX-License-Identifier: Apache-2.0
#include "made.h"

namespace bolza::instance {
namespace {

TEST(Inheritance, puts_inherited_components_where_extends_stands) {
  Made m("model A Real a; end A; model B Real b; end B; model M Real first; extends A; Real middle; extends B; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  std::string names;
  for (const Instance* child : m.root().children) names += std::string(child->name) + " ";
  EXPECT_EQ(names, "first a middle b ");
}

TEST(Inheritance, collects_equations_with_their_scopes) {
  Made m("model A Real x; equation x = 1; end A; model M extends A; Real y; equation y = x; initial equation x = 2; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  ASSERT_EQ(m.root().equations.size(), 2u);
  EXPECT_EQ(m.root().equations[0].scope.lexical->name(), "A");
  EXPECT_EQ(m.root().equations[1].scope.lexical->name(), "M");
  EXPECT_EQ(m.root().initial_equations.size(), 1u);
}

TEST(Inheritance, through_a_diamond_gives_elements_and_equations_once) {
  Made m(
      "model A Real x; equation x = 1; end A; model B extends A(x(start = 2)); end B; model C extends A(x(max = 3)); end C;"
      "model M extends B; extends C; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.root().children.size(), 1u);
  EXPECT_EQ(m.root().equations.size(), 1u);
  EXPECT_EQ(m.attribute("x", "start"), "2");
  EXPECT_EQ(m.attribute("x", "max"), "3");
}

TEST(Inheritance, accepts_identical_declarations_and_refuses_others) {
  EXPECT_TRUE(
      Made("model A Real x = 1 \"one\"; end A; model B Real x = 1 \"other\"; end B; model M extends A; extends B; end M;")
          .good());
  EXPECT_EQ(Made("model A Real x = 1; end A; model B Real x = 2; end B; model M extends A; extends B; end M;").codes(),
            "E220");
  EXPECT_EQ(Made("model M Real x; Real x; end M;").codes(), "W225");
  EXPECT_EQ(Made("model M Real x; Real x; end M;", "M", {}, {.strict = true}).codes(), "E220");
  EXPECT_EQ(Made("model M Real x; Real x = 1; end M;").codes(), "E220");
}

TEST(Inheritance, compares_declarations_with_what_extends_clauses_say_about_them) {
  const std::string bases = "model A Real x(start = 1); end A; model B Real x(start = 1, nominal = 2, max = 3); end B; ";
  Made same(bases + "model M extends A(x(nominal = 2), x.max = 3); extends B; end M;");
  ASSERT_TRUE(same.good()) << same.messages();
  EXPECT_EQ(same.attribute("x", "nominal"), "2");
  EXPECT_EQ(Made(bases + "model M extends A; extends B; end M;").codes(), "E220");
  EXPECT_EQ(Made(bases + "model M extends A(x(nominal = 2), x.max = 4); extends B; end M;").codes(), "E220");
  // what is said about both from outside does not make them the same
  EXPECT_EQ(
      Made(bases + "model N extends A; extends B; end N; model M N n(x(start = 0, nominal = 1, max = 2)); end M;").codes(),
      "E220");
}

TEST(Inheritance, of_identical_declarations_serves_both_bases) {
  Made m(
      "model A parameter Integer n = 2; Real x[n]; end A; model B parameter Integer n = 2; Real y[n]; end B; model M "
      "extends A; extends B; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.dimensions("y"), Sizes{2});
}

TEST(Inheritance, through_a_diamond_may_be_made_final_along_both_ways) {
  Made m(
      "model A parameter Real p = 1; end A; model B extends A(final p = 2); end B; model C extends A(final p = 2); end C;"
      "model M extends B; extends C; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("p"), "2");
}

TEST(Inheritance, follows_short_classes) {
  Made m("model A parameter Real p = 1; end A; model B = A(p = 2); model M B b; extends B; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("b.p"), "2");
  EXPECT_EQ(m.value("p"), "2");
}

TEST(Inheritance, of_itself_is_refused) {
  EXPECT_EQ(Made("model M extends N; end M; model N extends M; end N;").codes(), "E221");
  EXPECT_EQ(Made("type A = B; type B = A; model M A x; end M;").codes(), "E221");
}

TEST(Inheritance, does_not_let_a_base_see_what_the_derived_class_adds) {
  EXPECT_EQ(Made("model A parameter Real p = q; parameter Integer n = k; Real x[n]; end A; model M extends A; parameter "
                 "Integer k = 2; end M;")
                .codes(),
            "E203");
}

TEST(Inheritance, of_types_carries_attributes) {
  Made m("type Length extends Real(unit = \"m\"); end Length; model M Length x; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.at("x").type, Type::real);
  EXPECT_EQ(m.attribute("x", "unit"), "\"m\"");
}

TEST(Inheritance, of_dimensions_through_types) {
  Made m("type V = Real[3]; type W = V[2]; model M W x[4]; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.dimensions("x"), (Sizes{4, 2, 3}));
}

TEST(Prefixes, come_from_connector_types_and_from_parents) {
  Made m(
      "connector RealInput = input Real; connector Pin Real v; flow Real i; end Pin; record R Real a; end R;"
      "model M RealInput u; Pin p; parameter R r(a = 1); output R y; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_TRUE(m.at("u").is_connector);
  EXPECT_EQ(m.at("u").causality, ast::Causality::input);
  EXPECT_TRUE(m.at("p").is_connector);
  EXPECT_EQ(m.at("p.i").connection, ast::Connection::flow);
  EXPECT_EQ(m.at("r.a").variability, Variability::parameter);
  EXPECT_EQ(m.at("y.a").causality, ast::Causality::output);
}

TEST(Prefixes, that_do_not_fit_are_refused) {
  EXPECT_EQ(Made("connector C flow input Real x; end C; model M C c; end M;").codes().substr(0, 4), "E226");
  EXPECT_EQ(Made("model A Real x; end A; model M input A a; end M;").codes(), "E226");
  EXPECT_EQ(Made("connector C flow Boolean b; end C; model M C c; end M;").codes(), "E226");
}

TEST(Kinds, that_have_no_instances_are_refused) {
  EXPECT_EQ(Made("package P end P; model M P p; end M;").codes(), "E224");
  EXPECT_EQ(Made("function f input Real x; output Real y; algorithm y := x; end f; model M f g; end M;").codes(), "E224");
  EXPECT_EQ(Made("optimization O Real x; end O; model M O o; end M;").codes(), "E224");
  EXPECT_EQ(Made("package M end M;").codes(), "E224");
  EXPECT_EQ(Made("model M extends Real; end M;").codes(), "E224");
}

TEST(Kinds, partial_classes_are_refused) {
  EXPECT_EQ(Made("partial model A Real x; end A; model M A a; end M;").codes(), "E223");
  EXPECT_EQ(Made("partial model M Real x; end M;").codes(), "E223");
}

TEST(Kinds, a_class_inside_itself_is_refused) {
  Made m("model M B b; end M; model B A a; end B; model A B b; end A;");
  EXPECT_EQ(m.codes(), "E222");
  EXPECT_EQ(m.first(), "a `B` contains a `B`: `b.a.b`");
}

TEST(Conditions, remove_components) {
  Made m(
      "model A Real x; end A; model M parameter Boolean b = false; parameter Integer n = 2; A a if b; A c if n > 1; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_TRUE(m.at("a").removed);
  EXPECT_TRUE(m.at("a").children.empty());
  EXPECT_FALSE(m.at("c").removed);
  EXPECT_EQ(m.at("c").children.size(), 1u);
}

TEST(Conditions, that_are_no_boolean_or_not_known_are_refused) {
  EXPECT_EQ(Made("model A Real x; end A; model M A a if 1; end M;").codes(), "E227");
  EXPECT_EQ(Made("model A Real x; end A; model M Boolean b = time > 1; A a if b; end M;").codes(), "E230");
}

TEST(Unsupported, constructs_are_named) {
  auto told = [](const std::string& text) {
    Made m(text);
    return m.codes() + ": " + m.first();
  };
  EXPECT_NE(told("model A Real x; end A; model M extends A(break x); end M;").find("`break` in an extends clause"),
            std::string::npos);
}

TEST(Unsupported, constructs_that_are_not_used_do_not_matter) {
  EXPECT_TRUE(Made("package P expandable connector C end C; model A outer Real x; end A; model D Real x; end D; end P; "
                   "model M P.D d; end M;")
                  .good());
  EXPECT_TRUE(
      Made("model A replaceable Real x = 1; replaceable model B Real y; end B; B b; end A; model M A a; end M;").good());
}

}  // namespace
}  // namespace bolza::instance
