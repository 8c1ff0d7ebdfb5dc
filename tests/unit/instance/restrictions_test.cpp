#include "made.h"

namespace bolza::instance {
namespace {

std::string told(const std::string& text) { return Made(text).codes(); }

TEST(Restrictions, of_bases_follow_the_kinds) {
  EXPECT_EQ(told("model A Real x; end A; record R extends A; end R; model M R r; end M;"), "E224");
  EXPECT_EQ(told("connector A Real x; end A; model B extends A; end B; model M B b; end M;"), "E224");
  EXPECT_EQ(told("model A Real x; end A; block B extends A; end B; model M B b; end M;"), "E224");
  EXPECT_EQ(told("record A Real x; end A; model M extends A; end M;"), "");
  EXPECT_EQ(told("record A Real x; end A; connector C extends A; end C; model M C c; end M;"), "");
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
  EXPECT_EQ(told("connector R Real x; algorithm x := 1; end R; model M R r; end M;"), "E225");
  EXPECT_EQ(told("record R input Real x; end R; model M R r; end M;"), "E225");
  EXPECT_EQ(told("record R flow Real x; end R; model M R r; end M;"), "E225");
  EXPECT_EQ(told("connector R Real y; protected Real x; end R; model M R r; end M;"), "E225");
  std::string model = " model M parameter Integer n = 2; Real c[integer(f(n))]; end M;";
  EXPECT_EQ(told("function f input Real x; output Real y; Real z; algorithm y := x; end f;" + model), "E225");
  EXPECT_EQ(told("function f input Real x; output Real y; algorithm y := x; algorithm y := 2*x; end f; model M parameter "
                 "Integer n = 2; Real c[integer(f(n))]; end M;"),
            "E225");
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
