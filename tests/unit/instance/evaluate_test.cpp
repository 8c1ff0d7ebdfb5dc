// SPDX-License-Identifier: Apache-2.0
#include "made.h"

namespace bolza::instance {
namespace {

TEST(Evaluate, computes_with_numbers) {
  EXPECT_EQ(computed("Real", "1 + 2*3 - 4/8"), "6.5");
  EXPECT_EQ(computed("Real", "-2^2"), "-4");
  EXPECT_EQ(computed("Integer", "7 - 2 - 1"), "4");
  EXPECT_EQ(computed("Integer", "mod(-7, 3)"), "2");
  EXPECT_EQ(computed("Integer", "rem(-7, 3)"), "-1");
  EXPECT_EQ(computed("Integer", "div(-7, 3)"), "-2");
  EXPECT_EQ(computed("Integer", "integer(-2.5)"), "-3");
  EXPECT_EQ(computed("Real", "abs(-2.5) + sign(-3)"), "1.5");
  EXPECT_EQ(computed("Real", "sqrt(16) + exp(0) + log10(100) + atan2(0, 1)"), "7");
  EXPECT_EQ(computed("Real", "max(2, 3.5) + min(1, 2)"), "4.5");
  EXPECT_EQ(computed("Real", "semiLinear(-2, 3, 5)"), "-10");
}

TEST(Evaluate, computes_with_booleans_strings_and_enumerations) {
  EXPECT_EQ(computed("Boolean", "not (1 < 2) or 3 >= 3 and true"), "true");
  EXPECT_EQ(computed("String", "\"a\" + \"b\""), "\"ab\"");
  EXPECT_EQ(computed("Boolean", "\"a\" < \"b\""), "true");
  EXPECT_EQ(computed("E", "E.b", "type E = enumeration(a, b);"), "M.E.b");
  EXPECT_EQ(computed("Integer", "Integer(E.b)", "type E = enumeration(a, b);"), "2");
  EXPECT_EQ(computed("E", "E(1)", "type E = enumeration(a, b);"), "M.E.a");
  EXPECT_EQ(computed("String", "String(E.a) + String(3)", "type E = enumeration(a, b);"), "\"a3\"");
  EXPECT_EQ(computed("String", "String(3.14159265)"), "\"3.14159\"");  // six significant digits
  EXPECT_EQ(computed("String", "String(3.14159265, significantDigits = 4)"), "\"3.142\"");
  EXPECT_EQ(computed("String", "String(5.2353535345, format = \"2.6f\")"), "\"5.235354\"");
  EXPECT_EQ(computed("String", "String(6565.35, format = \"2.0e\")"), "\"7e+03\"");
  EXPECT_EQ(computed("String", "String(42, minimumLength = 4, leftJustified = false)"), "\"  42\"");
  EXPECT_EQ(computed("String", "String(true, 6) + String(E.b, 2)", "type E = enumeration(a, b);"), "\"true  b \"");
  EXPECT_EQ(computed("String", "String(42, format = \"05d\")"), "\"00042\"");
  EXPECT_EQ(computed("String", "String(42, format = \"s\")"), "E241");
  EXPECT_EQ(computed("Real", "if 1 > 2 then 3 elseif true then 4 else 5"), "4");
}

TEST(Evaluate, names_instances_from_the_simulated_model_on) {
  EXPECT_EQ(computed("String", "getInstanceName()"), "\"M\"");
  EXPECT_EQ(
      computed("String", "a.b.name", "model A B b; end A; model B parameter String name = getInstanceName(); end B; A a;"),
      "\"M.a.b\"");
}

TEST(Evaluate, locals_that_begin_with_what_has_no_value_yet_may_stay_unread) {
  auto f = [](const char* result) {
    return std::string(
               "function f output Real y; protected Real a; Real b = a - 2; Real c = 4; algorithm a := 3; c := c + a; y "
               ":= ") +
           result + "; end f;";
  };
  EXPECT_EQ(computed("Real", "f()", f("c")), "7");
  EXPECT_EQ(computed("Real", "f()", f("1/0")), "E238");
}

TEST(Evaluate, builds_arrays) {
  EXPECT_EQ(computed("Real[2]", "{1, 2.5}"), "{1, 2.5}");
  EXPECT_EQ(computed("Real[2, 3]", "[1, 2, 3; 4, 5, 6]"), "{{1, 2, 3}, {4, 5, 6}}");
  EXPECT_EQ(computed("Real[2, 2]", "[{1, 2}, {3, 4}]"), "{{1, 3}, {2, 4}}");
  EXPECT_EQ(computed("Integer[4]", "1:2:7"), "{1, 3, 5, 7}");
  EXPECT_EQ(computed("Real[3]", "0:0.5:1"), "{0, 0.5, 1}");
  EXPECT_EQ(computed("Integer[0]", "1:0"), "{}");
  EXPECT_EQ(computed("Integer[2, 2]", "{i + 10*j for i in 1:2, j in 1:2}"), "{{11, 12}, {21, 22}}");
  EXPECT_EQ(computed("Integer[2, 2]", "identity(2)"), "{{1, 0}, {0, 1}}");
  EXPECT_EQ(computed("Real[2, 2]", "diagonal({1, 2})"), "{{1, 0}, {0, 2}}");
  EXPECT_EQ(computed("Real[2, 2]", "fill(1.5, 2, 2)"), "{{1.5, 1.5}, {1.5, 1.5}}");
  EXPECT_EQ(computed("Real[3]", "linspace(0, 1, 3)"), "{0, 0.5, 1}");
  EXPECT_EQ(computed("Real[3]", "cat(1, {1}, {2, 3})"), "{1, 2, 3}");
  EXPECT_EQ(computed("Real[3]", "cross({1, 0, 0}, {0, 1, 0})"), "{0, 0, 1}");
  EXPECT_EQ(computed("Real[3, 2]", "transpose([1, 2, 3; 4, 5, 6])"), "{{1, 4}, {2, 5}, {3, 6}}");
  EXPECT_EQ(computed("Real[2, 2]", "outerProduct({1, 2}, {3, 4})"), "{{3, 4}, {6, 8}}");
  EXPECT_EQ(computed("Real[2, 2]", "symmetric([1, 2; 3, 4])"), "{{1, 2}, {2, 4}}");
  EXPECT_EQ(computed("Real[3, 3]", "skew({1, 2, 3})"), "{{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}}");
  EXPECT_EQ(computed("Real[4]", "vector([1, 2, 3, 4])"), "{1, 2, 3, 4}");
  EXPECT_EQ(computed("Real", "scalar([3])"), "3");
}

TEST(Evaluate, computes_with_arrays) {
  EXPECT_EQ(computed("Real", "{1, 2, 3}*{4, 5, 6}"), "32");
  EXPECT_EQ(computed("Real[2]", "[1, 2; 3, 4]*{5, 6}"), "{17, 39}");
  EXPECT_EQ(computed("Real[2]", "{5, 6}*[1, 2; 3, 4]"), "{23, 34}");
  EXPECT_EQ(computed("Real[2, 2]", "[1, 2; 3, 4]^2"), "{{7, 10}, {15, 22}}");
  EXPECT_EQ(computed("Real[2]", "{1, 2} .* {3, 4} + 2*{1, 1}"), "{5, 10}");
  EXPECT_EQ(computed("Real[2]", "{1, 2} ./ {2, 4} .+ 1"), "{1.5, 1.5}");
  EXPECT_EQ(computed("Real", "sum(i^2 for i in 1:4)"), "30");
  EXPECT_EQ(computed("Real", "product({1, 2, 3}) + max({1, 5, 2}) - min([4, 3])"), "8");
  EXPECT_EQ(computed("Integer[2]", "size([1, 2, 3; 4, 5, 6])"), "{2, 3}");
  EXPECT_EQ(computed("Integer", "ndims([1, 2]) + size({1, 2, 3}, 1)"), "5");
  EXPECT_EQ(computed("Real[2]", "sin({0, 0})"), "{0, 0}");
}

TEST(Evaluate, selects_parts_of_arrays) {
  const std::string a = "constant Real a[2, 3] = [1, 2, 3; 4, 5, 6];";
  EXPECT_EQ(computed("Real", "a[2, end]", a), "6");
  EXPECT_EQ(computed("Real[2]", "a[:, 1]", a), "{1, 4}");
  EXPECT_EQ(computed("Real[2]", "a[1, {3, 1}]", a), "{3, 1}");
  EXPECT_EQ(computed("Real[2]", "a[2, 2:end]", a), "{5, 6}");
  EXPECT_EQ(computed("Real[3]", "a[1]", a), "{1, 2, 3}");
  EXPECT_EQ(computed("Real", "sum(a[i, i] for i in 1:2)", a), "6");
  EXPECT_EQ(computed("Real", "sum(a[1, i] for i)", a), "6");
  EXPECT_EQ(computed("Real", "a[3, 1]", a), "E237");
}

TEST(Evaluate, follows_parameters_whatever_their_order) {
  Made m("model M parameter Real a = 2*b; parameter Real b = c + 1; parameter Real c = 3; end M;");
  EXPECT_EQ(m.value("a"), "8");
}

TEST(Evaluate, reads_records_and_arrays_of_records) {
  Made m(
      "record R Real a; Real b[2]; end R; model M parameter R r(a = 1, b = {2, 3}); parameter R s[2] = {R(1, {1, 2}), R(a = "
      "5, b = {6, 7})};"
      "parameter Real x = r.b[2] + s[2].a; parameter Real y[2] = s.a; parameter Real z[2, 2] = s.b; parameter Real w[2] = "
      "s[:].b[1]; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("x"), "8");
  EXPECT_EQ(m.value("y"), "{1, 5}");
  EXPECT_EQ(m.value("z"), "{{1, 2}, {6, 7}}");
  EXPECT_EQ(m.value("w"), "{1, 6}");
  EXPECT_EQ(m.value("r"), "R(a = 1, b = {2, 3})");
}

TEST(Evaluate, takes_sizes_from_values) {
  Made m(
      "model A parameter Integer n; parameter Real x[n] = ones(n); Real y[size(x, 1), 2*n]; end A;"
      "model M parameter Real b[:] = {0, 1}; parameter Real c[:, :] = [1, 2, 3]; A a(n = size(b, 1)); Real z[:] = {time, "
      "time, time}; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.dimensions("a.y"), (Sizes{2, 4}));
  EXPECT_EQ(m.dimensions("c"), (Sizes{1, 3}));
  EXPECT_EQ(m.dimensions("z"), Sizes{3});
}

TEST(Evaluate, gives_elements_of_arrays_of_components_their_own_values) {
  Made m(
      "model A parameter Real k = 1; parameter Real l = 2*k; end A; model M parameter Real q[3] = {5, 6, 7}; A a[3](k = q);"
      "parameter Real s = a[2].l; parameter Real t[3] = a.l; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("s"), "12");
  EXPECT_EQ(m.value("t"), "{10, 12, 14}");
  EXPECT_EQ(m.value("a.l", {3}), "14");
}

TEST(Evaluate, of_sizes_that_differ_between_elements_is_refused) {
  EXPECT_EQ(Made("model A parameter Integer n = 1; Real x[n]; end A; model M A a[2](n = {1, 2}); end M;").codes(), "");
  EXPECT_EQ(Made("record R parameter Integer n; Real x[n]; end R; model M parameter R r[2](n = {1, 2}, x = {{1}, {1, 2}});"
                 "Real y[size(r.x, 2)]; end M;")
                .codes(),
            "E256");
  EXPECT_EQ(Made("record R parameter Integer n; Real x[n]; end R; record P R r[2]; end P;"
                 "model M P q(r(each n = 1)); P p(r(n = {1, 2})) = q; end M;")
                .codes(),
            "E236");
  EXPECT_TRUE(Made("model A parameter Integer n = 1; Real x[n]; end A; model M A a[2](n = {2, 2}); end M;").good());
}

TEST(Evaluate, runs_functions) {
  const std::string power =
      "function power input Real x; input Integer n = 2; output Real y; algorithm y := 1; for i in 1:n loop y := y*x; end "
      "for; end power;";
  EXPECT_EQ(computed("Real", "power(3)", power), "9");
  EXPECT_EQ(computed("Real", "power(n = 3, x = 2)", power), "8");
  EXPECT_EQ(computed("Real[2]", "f({1, 2, 3})",
                     "function f input Real x[:]; output Real y[size(x, 1) - 1]; algorithm for i in 1:size(y, 1) loop y[i] "
                     ":= x[i + 1] - x[i]; end for; end f;"),
            "{1, 1}");
  EXPECT_EQ(computed("Integer", "f(10)",
                     "function f input Integer n; output Integer y; protected Integer i = 0; algorithm y := 0; while true "
                     "loop i := i + 1; "
                     "if i > n then break; elseif mod(i, 2) == 0 then y := y + i; end if; end while; end f;"),
            "30");
  EXPECT_EQ(computed("Real", "g(2)",
                     "function f input Real x; output Real a; output Real b; algorithm a := x; b := 2*x; return; end f;"
                     "function g input Real x; output Real y; protected Real p; Real q; algorithm (p, q) := f(x); (, y) := "
                     "f(p + q); end g;"),
            "12");
  EXPECT_EQ(
      computed("Integer", "f(5)",
               "function f input Integer n; output Integer y; algorithm y := if n <= 1 then 1 else n*f(n - 1); end f;"),
      "120");
}

TEST(Evaluate, calls_functions_of_scalars_for_each_element) {
  const std::string f = "function f input Real x; input Real k = 2; output Real y; algorithm y := k*x; end f;";
  EXPECT_EQ(computed("Real[3]", "f({1, 2, 3})", f), "{2, 4, 6}");
  EXPECT_EQ(computed("Real[2, 2]", "f([1, 2; 3, 4], [1, 2; 3, 4])", f), "{{1, 4}, {9, 16}}");
  EXPECT_EQ(computed("Real[2]", "f({1, 2}, {1, 2, 3})", f), "E235");
  Made m(f + "model M Real x[3]; Real y[:] = f(x); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.dimensions("y"), Sizes{3});
}

TEST(Evaluate, begins_locals_with_what_is_declared_before_anything_is_assigned) {
  EXPECT_EQ(computed("Real", "f(2)",
                     "function f input Real x; output Real y; protected Real s = x; Real t = s + 1; algorithm s := 10; y := "
                     "100*s + t; end f;"),
            "1003");
}

TEST(Evaluate, gives_each_element_of_an_array_of_local_records_its_own_values) {
  const std::string f =
      "record R Real a; Real b = 10*a; Real v[2]; end R; record Q R r[2]; Real c; end Q;"
      "function f input Real x; output Real y; protected R r[3](a = {1, x, 3}, v = {{1, 2}, {3, 4}, {5, 6}});"
      "Q q[2](each r(a = {1, 2}, each v = {0, 0}), c = {5, 6}); algorithm "
      "y := r[2].a + 100*r[2].b + 10000*r[3].v[1] + 1e6*q[1].r[2].b + 1e8*q[2].c; end f;";
  EXPECT_EQ(computed("Real", "f(2)", f), "620052002");
  EXPECT_EQ(computed("Real", "f()",
                     "record R Real a; end R; function f output Real y; protected R r[3](a = {1, 2}); "
                     "algorithm y := r[3].a; end f;"),
            "E235");
}

TEST(Evaluate, sizes_fields_of_records_by_other_fields) {
  const std::string f =
      "record P parameter Integer n; Real v[n]; end P; record C parameter Integer n; Real z[n + 1]; end C;"
      "function f input P p; output C c(n = p.n); algorithm c.z := cat(1, p.v, {sum(p.v)}); end f;";
  EXPECT_EQ(computed("C", "f(P(n = 2, v = {1, 2}))", f), "M.C(n = 2, z = {1, 2, 3})");
  EXPECT_EQ(computed("P", "P(n = 3, v = {1, 2})", f), "E235");
  // what is structural is known where the rest is not
  Made m("model M " + f + "Real x = time; P p(n = 2, v = {x, x}); C c = f(p); C d = f(P(n = 3, v = {x, 1, 2})); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.dimensions("c.z"), (Sizes{3}));
  EXPECT_EQ(m.dimensions("d.z"), (Sizes{4}));
}

TEST(Evaluate, runs_functions_over_records) {
  EXPECT_EQ(computed("Real", "(f(2)).b[2]",
                     "record R Real a; Real b[2]; end R; function f input Real x; output R r; algorithm r.a := x; r.b[1] := "
                     "1; r.b[2] := r.a + 3; end f;"),
            "5");
}

TEST(Evaluate, refuses_what_is_not_known_at_compile_time) {
  EXPECT_EQ(Made("model M Real n = time; Real x[integer(n)]; end M;").codes(), "E230");
  EXPECT_EQ(Made("model M Real x[integer(time)]; end M;").codes(), "E230");
  EXPECT_EQ(Made("model M parameter Integer n(free = true) = 2; Real x[n]; end M;").codes(), "E231");
  EXPECT_EQ(Made("model M parameter Integer n(fixed = false) = 2; Real x[n]; end M;").codes(), "E231");
  EXPECT_EQ(Made("model M parameter Integer n; Real x[n]; end M;").codes(), "E232");
  Made start("model M parameter Integer n(start = 3); Real x[n]; end M;");
  EXPECT_TRUE(start.good());
  EXPECT_EQ(start.codes(), "W230");
  EXPECT_EQ(start.dimensions("x"), Sizes{3});
}

TEST(Evaluate, finds_cycles) {
  EXPECT_EQ(Made("model M parameter Integer n = k; parameter Integer k = n; Real x[n]; end M;").codes(), "E233");
  EXPECT_EQ(Made("model M Real x[size(y, 1)]; Real y[size(x, 1)]; end M;").codes().substr(0, 4), "E233");
}

TEST(Evaluate, checks_operands_sizes_and_domains) {
  EXPECT_EQ(computed("Real", "1 + \"a\""), "E234");
  EXPECT_EQ(computed("Real", "true + 1"), "E234");
  EXPECT_EQ(computed("String[1, 2]", "[\"a\", 1]"), "E234");
  EXPECT_EQ(computed("Real[2]", "{1, \"a\"}"), "E234");
  EXPECT_EQ(computed("R[1]", "vector({R(1)})", "record R Real a; end R;"), "E234");
  EXPECT_EQ(computed("R[1, 1]", "promote({R(1)}, 2)", "record R Real a; end R;"), "E234");
  EXPECT_EQ(computed("Real[2]", "{1, 2} + 1"), "E234");
  EXPECT_EQ(computed("Real[2]", "{1, 2} + {1, 2, 3}"), "E235");
  EXPECT_EQ(computed("Real[2]", "{1, 2, 3}"), "E235");
  EXPECT_EQ(computed("Integer", "1.5"), "E234");
  EXPECT_EQ(computed("Real", "1/0"), "E238");
  EXPECT_EQ(computed("Real", "sqrt(-1)"), "E238");
  EXPECT_EQ(Made("model M Real x[-1]; end M;").codes(), "E228");
  EXPECT_EQ(Made("model M Real x[1.5]; end M;").codes(), "E228");
  EXPECT_EQ(Made("model M Real x[:]; end M;").codes(), "E229");
  EXPECT_EQ(Made("model M Real x[:](each start = 1); end M;").codes(), "E229");
  EXPECT_EQ(Made("model M Real x[:, 2](start = {{1, 2}, {3, 4}, {5, 6}}); end M;").dimensions("x"),
            (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(Made("model A Real x[:](start = {1, 2, 3}); end A; model M A a[2](x(start = {{1, 2, 3}, {4, 5, 6}})); end M;")
                .dimensions("a.x"),
            (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(Made("model A parameter Integer h = 0; Real x[h]; end A; model M A t[3](h = 1); end M;").codes(), "E235");
}

TEST(Evaluate, checks_calls) {
  const std::string f =
      "function f input Real x; output Real y; algorithm assert(x > 0, \"x must be positive\"); y := x; end f;";
  EXPECT_EQ(computed("Real", "f()", f), "E241");
  EXPECT_EQ(computed("Real", "f(1, 2)", f), "E241");
  EXPECT_EQ(computed("Real", "f(z = 1)", f), "E241");
  EXPECT_EQ(computed("Real", "f(-1)", f), "E240");
  EXPECT_EQ(computed("Real", "f(1)", "function f input Real x; output Real y; external \"C\"; end f;"), "E244");
  EXPECT_EQ(computed("Real", "f(R(\"a\"))",
                     "record R String a; end R; function f input R r; output Real y; external \"C\"; end f;"),
            "E242");
  EXPECT_EQ(computed("Integer", "f(\"no\")",
                     "function f input String s; output Integer y = 1; external \"C\" ModelicaError(s); end f;"),
            "E245");
  EXPECT_EQ(computed("Real", "f(0.5)", "function f input Real x; output Real y; external \"C\" y = lgamma(x); end f;"),
            "0.5723649429247001");  // log of the root of pi
}

TEST(Evaluate, ends_what_does_not_end) {
  EXPECT_EQ(computed("Real", "f(1)", "function f input Real x; output Real y; algorithm y := f(x); end f;"), "E239");
  EXPECT_EQ(computed("Real", "f(1)",
                     "function f input Real x; output Real y; algorithm y := x; while true loop y := 1; end while; end f;"),
            "E239");
}

TEST(Shape, follows_structure_where_values_are_not_known) {
  Made m(
      "function f input Real x[:]; output Real y[2*size(x, 1)]; algorithm y := cat(1, x, x); end f;"
      "model M Real x[3]; Real s[:] = f(x); Real w[:, :] = {i*x for i in 1:4}; end M;");
  Made simple(
      "model M Real x[3]; Real a[2, 3]; Real r[:] = a*x; Real t[:, :] = [a; a]; Real u[:] = der(x); Real v[:] = x[2:end] .* "
      "x[{1, 2}];"
      "Real z[:] = if time > 1 then x else 2*x; Real q[:] = x(1); end M;");
  ASSERT_TRUE(simple.good()) << simple.messages();
  EXPECT_EQ(simple.dimensions("r"), Sizes{2});
  EXPECT_EQ(simple.dimensions("t"), (Sizes{4, 3}));
  EXPECT_EQ(simple.dimensions("u"), Sizes{3});
  EXPECT_EQ(simple.dimensions("v"), Sizes{2});
  EXPECT_EQ(simple.dimensions("z"), Sizes{3});
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.dimensions("s"), Sizes{6});
  EXPECT_EQ(m.dimensions("w"), (Sizes{4, 3}));
}

}  // namespace
}  // namespace bolza::instance
