// SPDX-License-Identifier: Apache-2.0
#include "made.h"

namespace bolza::instance {
namespace {

std::string told(const std::string& text) { return Made(text).codes(); }

TEST(Restrictions, of_bases_follow_the_kinds) {
  EXPECT_EQ(told("model A Real x; end A; record R extends A; end R; model M R r; end M;"), "E224");
  EXPECT_EQ(told("connector A Real x; end A; model B extends A; end B; model M B b; end M;"), "E224");
  EXPECT_EQ(told("model A Real x; end A; block B extends A; end B; model M B b; end M;"), "E224");
  EXPECT_EQ(told("record A Real x; end A; model M extends A; end M;"), "");
  EXPECT_EQ(told("record A Real x; end A; connector C extends A; flow Real f; end C; model M C c; end M;"), "");
  EXPECT_EQ(told("block A Real x; end A; model M extends A; end M;"), "");
  EXPECT_EQ(told("partial class Icon end Icon; record R extends Icon; Real x; end R; model M R r; end M;"), "");
}

TEST(Restrictions, of_bases_refuse_dimensions_prefixes_and_types_with_components) {
  EXPECT_EQ(told("model A Real x; end A; model A3 = A[3]; model B extends A3; Real y; end B; model M B b; end M;"), "E224");
  EXPECT_EQ(told("connector A Real x; end A; connector I = input A; connector B extends I; end B; model M B b; end M;"),
            "E224");
  EXPECT_EQ(told("connector C extends Real; Real e; end C; model M C c; end M;"), "E224");
}

TEST(Restrictions, of_records_connectors_and_functions) {
  EXPECT_EQ(told("record R Real x; equation x = 1; end R; model M R r; end M;"), "E225");
  EXPECT_EQ(told("connector R input Real x; algorithm x := 1; end R; model M R r; end M;"), "E225");
  EXPECT_EQ(told("record R input Real x; end R; model M R r; end M;"), "E225");
  EXPECT_EQ(told("record R flow Real x; end R; model M R r; end M;"), "E225");
  EXPECT_EQ(told("connector R input Real y; protected input Real x; end R; model M R r; end M;"), "E225");
  std::string model = " model M parameter Integer n = 2; Real c[integer(f(n))]; end M;";
  EXPECT_EQ(told("function f input Real x; output Real y; Real z; algorithm y := x; end f;" + model), "E225");
  EXPECT_EQ(told("function f input Real x; output Real y; algorithm y := x; algorithm y := 2*x; end f; model M parameter "
                 "Integer n = 2; Real c[integer(f(n))]; end M;"),
            "E225");
}

TEST(Restrictions, of_functions_and_their_statements) {
  std::string model = " model M parameter Integer n = 2; Real c[integer(f(n))]; end M;";
  EXPECT_EQ(told("function f input Real x; output Real y; algorithm x := 1; y := x; end f;" + model), "E225");
  EXPECT_EQ(told("type In = input Real; type Out = output Real; function f In x; Out y; algorithm y := x; end f;" + model),
            "");
  EXPECT_EQ(told("block B parameter Real m = 1; end B; function f input Real x; output Real y; protected B b; algorithm "
                 "y := x + b.m; end f;" +
                 model),
            "E224");
  EXPECT_EQ(told("model M Real x; algorithm x := 1; break; end M;"), "E225");
  EXPECT_EQ(told("model M Real x; algorithm x := 1; return; end M;"), "E225");
  EXPECT_EQ(told("model M Real x; algorithm x := 1; for i in 1:3 loop if i > 1 then break; end if; end for; end M;"), "");
}

TEST(Restrictions, of_time_in_records_and_connectors) {
  EXPECT_EQ(told("record R Real x = time; end R; model M R r; end M;"), "E225");
  EXPECT_EQ(told("connector C input Real x = 2*sin(time); end C; model M C c; end M;"), "E225");
}

TEST(Restrictions, of_connectors_balance_flow_and_potential_variables) {
  EXPECT_EQ(told("connector C Real e; end C; model M C c; end M;"), "E250");
  EXPECT_EQ(told("connector C = Real; model M C c; end M;"), "");
  EXPECT_EQ(told("connector C Real e[2]; flow Real f[3]; end C; model M C c; end M;"), "E250");
  EXPECT_EQ(told("record R Real x, y; end R; connector C R e; flow Real f[2]; parameter Real p = 1; output Real o; end C; "
                 "model M C c; end M;"),
            "");
  EXPECT_EQ(told("record R Real x[2]; function equalityConstraint input R a, b; output Real r[1]; end equalityConstraint; "
                 "end R; connector C R e; flow Real f; end C; model M C c; end M;"),
            "");
}

TEST(Restrictions, of_blocks_need_directions) {
  EXPECT_EQ(told("connector C Real e; flow Real f; end C; block B C c; end B; model M B b; end M;"), "E252");
  EXPECT_EQ(told("connector In = input Real; block B In u; protected Real x; end B; model M B b; end M;"), "");
}

TEST(Restrictions, of_what_may_be_taken_out_of_a_class) {
  EXPECT_EQ(told("model A Real y = 3; class B Real x = 2; end B; end A; model M A.B b; end M;"), "E246");
  EXPECT_EQ(told("model M model A Real x = 2; end A; M.A a; end M;"), "") << "A alone would mean the same";
  EXPECT_EQ(told("model M model A Real x = 2; end A; .M.A a; end M;"), "E246");
  EXPECT_EQ(told("model A Real y = 3; constant Real c = 2; end A; model M parameter Integer n = integer(A.c); Real x[n]; "
                 "end M;"),
            "E246");
  EXPECT_EQ(told("model A Real y = 3; encapsulated class B Real x = 2; end B; end A; model M A.B b; end M;"), "");
  EXPECT_EQ(told("class A constant Real c = 3; class B Real x = 2; end B; end A; model M A.B b; end M;"), "");
  EXPECT_EQ(told("model A class B Real x = 2; end B; A.B b; Real y = 3; end A; model M A a; end M;"), "");
  EXPECT_EQ(told("partial package P class B Real x = 2; end B; end P; model M P.B b; end M;"), "W223");
  EXPECT_EQ(told("package P protected class B Real x; end B; end P; model M P.B b; end M;"), "E207");
  EXPECT_EQ(told("partial package P constant Integer n = 2; end P; model M Real x[P.n]; end M;"), "E223");
  EXPECT_EQ(told("class A function f input Real x; output Real y; algorithm y := x; end f; end A; model M A a[2]; Real "
                 "c[integer(a[1].f(2))]; end M;"),
            "E247");
  EXPECT_EQ(told("class A function f input Real x; output Real y; algorithm y := x; end f; end A; model M A a if true; Real "
                 "c[integer(a.f(2))]; end M;"),
            "E248");
  EXPECT_EQ(told("class A record C Real y = 1; function f input Real x; output Real y; algorithm y := x; end f; end C; "
                 "constant C c; end A; model M Real x[integer(A.c.f(2))]; end M;"),
            "E253");
  EXPECT_EQ(told("type T = Real; model M T T; end M;"), "E254");
  EXPECT_EQ(told("record R Integer i; end R; record S extends R; Integer j; end S; model A outer R r; Real x[r.j]; end A; "
                 "model M inner parameter S r(i = 1, j = 2); A a; end M;"),
            "E203");
}

TEST(Restrictions, of_imports) {
  EXPECT_EQ(told("model A model B Real x; end B; end A; model M import A.B; B b; end M;"), "E251");
  EXPECT_EQ(told("package P protected constant Integer n = 2; end P; model M import P.*; Real x[n]; end M;"), "E207");
  EXPECT_EQ(told("package P constant Integer n = 2; end P; package Q constant Integer n = 3; end Q; model M import P.n; "
                 "import Q.n; Real x[n]; end M;"),
            "E206");
  EXPECT_EQ(told("package P constant Integer n = 2; end P; model M import P.n; import P.n; Real x[n]; end M;"), "");
}

TEST(Restrictions, of_bases_that_can_be_replaced) {
  EXPECT_EQ(told("model M replaceable model A Real x; end A; extends A; end M;"), "E249");
  EXPECT_EQ(told("model B model A Real x; end A; end B; model M extends B; model A Real y; end A; A a; end M;"), "E220");
  EXPECT_EQ(told("model M Real x; class x end x; end M;"), "E220");
}

TEST(Restrictions, of_classes_around_operator_records) {
  EXPECT_EQ(
      told("package A operator record R end R; end A; package B extends A; constant Integer n = 1; end B; model M Real "
           "y[B.n]; end M;"),
      "E224");
  EXPECT_EQ(
      told("package A record R end R; end A; package B extends A; constant Integer n = 1; end B; model M Real y[B.n]; end "
           "M;"),
      "");
}

TEST(Restrictions, of_dimensions_by_the_constraining_type) {
  const std::string types = "model M type V = Real[3]; type W = Real[2, 3]; ", value = " = {{1, 2, 3}, {4, 5, 6}} ";
  EXPECT_EQ(told(types + "replaceable V x[2]" + value + "constrainedby W; end M;"), "E217");
  EXPECT_EQ(told(types + "replaceable V x[2]" + value + "constrainedby V; end M;"), "");
  EXPECT_EQ(told(types + "replaceable type T = V[2] constrainedby W; T x" + value + "; end M;"), "E217");
  EXPECT_EQ(told(types + "replaceable type T = V[2] constrainedby V; T x" + value + "; end M;"), "");
}

TEST(Restrictions, of_redeclarations_hold_also_where_nobody_uses_the_class) {
  const std::string classes =
      "class A Real x = 1; end A; class B Real x = 2; Real y = 3; end B; class C replaceable class X = "
      "A; end C; class D extends C(replaceable model X = B constrainedby B); end D; ";
  EXPECT_EQ(told(classes + "class E extends D(redeclare model X = A); end E; model M E e; end M;"), "E217");
  EXPECT_EQ(told(classes + "class E extends C(redeclare model X = A); end E; model M E e; end M;"), "");
}

TEST(Restrictions, of_functions_that_make_external_objects) {
  EXPECT_EQ(
      told("class T extends ExternalObject; function constructor output T t; external \"C\" t = make(); end constructor; "
           "function destructor input T t; external \"C\" drop(t); end destructor; end T; function f output Integer n; "
           "protected T t = T(); algorithm n := 1; end f; model M Real y[f()]; end M;"),
      "E290");
}

TEST(Restrictions, of_stream_variables_ask_for_one_flow) {
  EXPECT_EQ(told("connector C Real p; flow Real m; stream Real h[3]; end C; model M C c; end M;"), "");
  EXPECT_EQ(told("record R Real x, y; end R; connector C Real p; flow Real m; stream R r; end C; model M C c; end M;"), "");
  EXPECT_EQ(told("connector C stream Real h; end C; model M C c; end M;"), "E259");
  EXPECT_EQ(told("connector C Real p[2]; flow Real m[2]; stream Real h; end C; model M C c; end M;"), "E259");
  EXPECT_EQ(told("connector A Real p; flow Real m; end A; connector C A a; stream Real h; end C; model M C c; end M;"),
            "E259");
  EXPECT_EQ(told("model M stream Real h; end M;"), "E226");
}

TEST(Restrictions, of_redeclarations_keep_the_visibility) {
  EXPECT_EQ(told("model A replaceable Real x = 2; end A; model M extends A; protected redeclare Real x = 3; end M;"),
            "E216");
  EXPECT_EQ(told("model A protected replaceable Real x = 2; end A; model M extends A; redeclare Real x = 3; end M;"),
            "E216");
  EXPECT_EQ(told("model A replaceable Real x = 2; end A; model M extends A; redeclare Real x = 3; end M;"), "");
}

TEST(Restrictions, of_class_extends_hold_with_and_without_redeclare) {
  std::string a = "model A replaceable model B Real x; end B; model C Real x; end C; end A; ";
  for (std::string word : {"", "redeclare "}) {
    EXPECT_EQ(told(a + "model M extends A; " + word + "model extends B Real y; end B; B b; end M;"), "");
    EXPECT_EQ(told(a + "model M extends A; " + word + "model extends C Real y; end C; C c; end M;"), "W224");
    EXPECT_EQ(told(a + "model M extends A; " + word + "model extends D end D; end M;"), "E260");
    EXPECT_EQ(told(a + "model M extends A; " + word + "record extends B end B; end M;"), "E261");
    EXPECT_EQ(told(a + "model F extends A; " + word + "final model extends B end B; end F; model M extends F; " + word +
                   "model extends B end B; end M;"),
              "E262");
  }
  EXPECT_EQ(told("model M end M; model extends X end X; model N extends X; end N;"), "");
  EXPECT_EQ(told("model extends X end X; model M extends X; end M;"), "E260");
}

TEST(Restrictions, of_operators_choose_one_function_by_the_types_of_the_operands) {
  auto with = [](const std::string& inputs) {
    return told("operator record R Real v; encapsulated operator '+' function f import R; " + inputs +
                " output R r = R(1); algorithm end f; function g import R; input R a; input R b; output R r = R(2); "
                "algorithm end g; end '+'; end R; model M constant R a = R(1); constant R b = a + a; "
                "Real x[integer(b.v)]; end M;");
  };
  EXPECT_EQ(with("input R a; input Real b;"), "");
  EXPECT_EQ(with("input R a; input Integer b;"), "");
  EXPECT_EQ(with("input R b; input R c;"), "E263");
  EXPECT_EQ(with("input R b; input R c[:];"), "");
  EXPECT_EQ(told("operator record R Real v; end R; model M constant R a = R(1); constant R b = a + a; Real x[integer(b.v)]; "
                 "end M;"),
            "E264");
}

TEST(Restrictions, of_outer_components_keep_their_sizes) {
  EXPECT_EQ(told("model A outer Real p; Real x = p; end A; model M inner Real p[2] = {1, 2}; A a; end M;"), "E217");
  EXPECT_EQ(told("model A outer Real p[3]; end A; model M inner Real p[2] = {1, 2}; A a; end M;"), "E217");
  EXPECT_EQ(told("model A outer parameter Real p; end A; model M inner parameter Real p = 1; A a(p(unit = \"V\")); end M;"),
            "E219");
}

TEST(Restrictions, of_names) {
  EXPECT_EQ(told("model M Real Boolean = 3; end M;"), "E209");
  EXPECT_EQ(told("model M type Real = Integer; end M;"), "E209");
  EXPECT_EQ(told("type E = enumeration(a, fixed); model M E e; end M;"), "E225");
  EXPECT_EQ(told("type E = enumeration(a, a); model M E e; end M;"), "E225");
}

TEST(Restrictions, of_prefixes_inside_prefixed_components) {
  EXPECT_EQ(told("connector C Real e; flow Real f; end C; model M flow C c; end M;"), "E226");
  EXPECT_EQ(told("connector C Real e; flow Real f; input Real x; end C; model M input C c; end M;"), "E226");
  EXPECT_EQ(told("model A Real x; end A; model M parameter A a; end M;"), "E226");
}

TEST(Restrictions, of_replaceable_elements_hold_for_the_default_and_for_every_clause_on_the_way) {
  std::string two = "class A Real x; end A; class B Real x; Real y; end B;";
  EXPECT_EQ(told(two + "model M replaceable A a constrainedby B; end M;"), "E217");
  EXPECT_EQ(told(two + "class C replaceable class X = A; X x; end C; class D extends C(redeclare replaceable class X = B "
                       "constrainedby B); end D;"
                       "model M extends D(redeclare class X = A); end M;"),
            "E217");
  EXPECT_EQ(told(two + "class C final replaceable class X = A; X x; end C; model M C c(redeclare class X = B); end M;"),
            "E212");
}

}  // namespace
}  // namespace bolza::instance
