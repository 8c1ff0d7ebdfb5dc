// SPDX-License-Identifier: Apache-2.0
// Residual rows evaluated with numbers that were worked out by hand: a row is 0 exactly when the translation means the same.
#include "tests/unit/flatten/flattened.h"

namespace bolza::flatten::testing {
namespace {

TEST(Rows, of_matrix_products_hold_for_hand_computed_values) {
  Flattened m(
      "model M parameter Real A[2,3] = [1,2,3;4,5,6]; Real x[3], y[2], q, B[2,2], P[2,2]; equation "
      "x = {1, -1, 2}; y = A*x; q = x*x + y*A*x; B = A*transpose(A); P = B^2; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set("x", {1, -1, 2});
  p.set("y", {5, 11});    // 1-2+6, 4-5+12
  p.set("q", {6 + 146});  // |x|^2 = 6, y'Ax = 25 + 121
  p.set("B", {14, 32, 32, 77});
  p.set("P", {14 * 14 + 32 * 32, 14 * 32 + 32 * 77, 14 * 32 + 32 * 77, 32 * 32 + 77 * 77});
  EXPECT_DOUBLE_EQ(p.worst(), 0);
}

TEST(Rows, of_very_long_chains_keep_their_signs) {
  std::string chain = "time";
  double expected = 3;
  for (int i = 1; i <= 1000; ++i) {
    chain += (i % 3 == 0 ? " - " : " + ") + std::to_string(i) + "*x";
    expected += (i % 3 == 0 ? -2.0 : 2.0) * i;
  }
  Flattened m("model M Real x, y; equation x = 2; y = " + chain + "; end M;", "M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set_time(3);
  p.set("x", {2});
  p.set("y", {expected});
  EXPECT_NEAR(p.worst(), 0, 1e-6);
}

TEST(Rows, of_slices_take_the_right_elements) {
  Flattened m(
      "model M Real a[3,4], r[4], c[3], s[2,2], d[2], e; equation "
      "a = {{10*i + j for j in 1:4} for i in 1:3}; r = a[2,:]; c = a[:,end]; s = a[{3,1}, 2:2:4]; "
      "d = a[end, {1, end}]; e = (a[:, 2])[3] + (a*{1,0,0,0})[2]; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set("a", {11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34});
  p.set("r", {21, 22, 23, 24});
  p.set("c", {14, 24, 34});
  p.set("s", {32, 34, 12, 14});
  p.set("d", {31, 34});
  p.set("e", {32 + 21});
  EXPECT_DOUBLE_EQ(p.worst(), 0);
}

TEST(Rows, of_array_built_ins_hold) {
  Flattened m(
      "model M Real v[3], k[3,3], c[3], l[5], f[2,3], cat1[2,5], s[3,3], red[4], pr, w[6]; equation "
      "v = {1,2,3}; k = skew(v); c = cross(v, {0,1,0}); l = linspace(1, 3, 5); f = fill(time, 2, 3); "
      "cat1 = [f, [7,8;9,10]]; s = symmetric([1,2,3;4,5,6;7,8,9]); red = {sum(v), product(v), min(v), max(v[i]*i for i in "
      "1:2)}; "
      "pr = scalar([[5]]) + ndims(f) + sum(size(f)); w = vector([1,2,3,4,5,6]); end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set_time(4);
  p.set("v", {1, 2, 3});
  p.set("k", {0, -3, 2, 3, 0, -1, -2, 1, 0});
  p.set("c", {-3, 0, 1});
  p.set("l", {1, 1.5, 2, 2.5, 3});
  p.set("f", {4, 4, 4, 4, 4, 4});
  p.set("cat1", {4, 4, 4, 7, 8, 4, 4, 4, 9, 10});
  p.set("s", {1, 2, 3, 2, 5, 6, 3, 6, 9});
  p.set("red", {6, 6, 1, 4});
  p.set("pr", {5 + 2 + 5});
  p.set("w", {1, 2, 3, 4, 5, 6});
  EXPECT_DOUBLE_EQ(p.worst(), 0);
}

TEST(Rows, of_long_sums_add_up) {
  Flattened m(
      "model M Real x[10], y, z, t, M[10,10], q; equation for i in 1:10 loop x[i] = i; end for; "
      "y = 3 - 2*sum(x)/5; z = sqrt(sum(x[i]^2 for i in 1:10)); t = sum(i*j*x[j] for i in 1:3, j in 1:4); "
      "M = outerProduct(x, x); q = x*M*x; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  std::vector<double> x(10), outer;
  for (int i = 0; i < 10; ++i) x[static_cast<std::size_t>(i)] = i + 1;
  for (double a : x)
    for (double b : x) outer.push_back(a * b);
  p.set("x", x);
  p.set("y", {3 - 2 * 55.0 / 5});
  p.set("z", {std::sqrt(385.0)});
  p.set("t", {6 * 30.0});  // (1+2+3)·(1+4+9+16)
  p.set("M", outer);
  p.set("q", {385.0 * 385.0});
  for (const ir::Variable& v : m.flat->variables)
    if (v.name[0].name.starts_with("$sum")) {
      // an auxiliary variable equals the sum that its row adds up: 385 for z; for q one per row of M*x
      std::vector<double> values;
      if (v.size == 1) values = {385};
      else
        for (double a : x) values.push_back(385 * a);
      p.set(v.name[0].name, values);
    }
  EXPECT_NEAR(p.worst(), 0, 1e-9);
}

TEST(Rows, of_a_sum_whose_inner_size_depends_on_the_iterator_hold) {
  Flattened m(
      "model M Real x[4], y, z[3]; equation x = {1,2,3,4}; y = sum(sum(x[1:i]) for i in 1:4); "
      "for i in 1:3 loop z[i] = sum(x[i:4]); end for; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set("x", {1, 2, 3, 4});
  p.set("y", {1 + 3 + 6 + 10});
  p.set("z", {10, 9, 7});
  EXPECT_DOUBLE_EQ(p.worst(), 0);
}

TEST(Rows, of_functions_run_their_algorithms) {
  Flattened m(
      "package P function newton input Real a; output Real x; output Integer n; algorithm x := a; n := 0; "
      "while abs(x*x - a) > 1e-12 and n < 50 loop x := (x + a/x)/2; n := n + 1; end while; end newton; "
      "function prefix input Real x[:]; output Real s[size(x, 1)]; algorithm for i in 1:size(x, 1) loop s[i] := "
      "sum(x[1:i]); "
      "if s[i] > 5 then break; end if; end for; end prefix; "
      "function swap input Real a[2]; output Real b[2]; algorithm b := a; b := {b[2], b[1]}; return; end swap; "
      "model M Real r, s[4], t[2], u; Integer n; equation (r, n) = newton(time); s = prefix({time, 2, 3, 4}); t = "
      "swap({time, 7}); "
      "u = newton(9.0); end M; end P;",
      "P.M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set_time(2);
  p.set("r", {std::sqrt(2.0)});
  p.set("n", {5});  // residuals 2, 0.25, 6.9e-3, 6.0e-6, 4.5e-12, 0: each is (r/2x)² of the one before
  p.set("s", {2, 4, 7, 0});
  p.set("t", {7, 2});
  p.set("u", {3});
  EXPECT_NEAR(p.worst(), 0, 1e-9);
}

TEST(Rows, of_calls_in_loops_use_the_values_before_the_statement) {
  Flattened m(
      "package P function rotate input Real a; input Real b; output Real c; output Real d; algorithm c := b; d := -a; end "
      "rotate; "
      "function turns input Real a; input Integer n; output Real x; output Real y; algorithm x := a; y := 1; "
      "for i in 1:n loop (x, y) := rotate(x, y); end for; end turns; "
      "model M Real x, y; Integer n; equation n = 3; (x, y) = turns(time, n); end M; end P;",
      "P.M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set_time(5);
  p.set("n", {3});
  p.set("x", {-1});  // (5, 1) -> (1, -5) -> (-5, -1) -> (-1, 5)
  p.set("y", {5});
  EXPECT_DOUBLE_EQ(p.worst(), 0);
}

TEST(Rows, of_literal_tables_in_loops_that_are_written_out_hold) {
  Flattened m(
      "package P function f input Real x[3]; input Integer k; output Real y; algorithm y := 0; for i in 1:3 loop "
      "y := y + sum(x[1:i])*({10, 20, 30})[min(k, i)]; end for; end f; "
      "model M Real y; Integer k; equation k = 2; y = f({1, 2, time}, k); end M; end P;",
      "P.M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set_time(3);
  p.set("k", {2});
  p.set("y", {1 * 10 + 3 * 20 + 6 * 20});
  EXPECT_DOUBLE_EQ(p.worst(), 0);
}

TEST(Rows, of_algorithm_sections_give_the_assigned_variables) {
  Flattened m(
      "model M Real x, y[3], z(start = 4); parameter Real g[3] = {1, 2, 3}; equation x = time; algorithm "
      "for i in 1:3 loop y[i] := g[i]*x; end for; if y[3] > 10 then z := 1; end if; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  for (double t : {2.0, 5.0}) {
    Point p(m);
    p.set_time(t);
    p.set("x", {t});
    p.set("y", {t, 2 * t, 3 * t});
    p.set("z", {3 * t > 10 ? 1.0 : 4.0});
    EXPECT_DOUBLE_EQ(p.worst(), 0) << t;
  }
}

TEST(Rows, of_if_equations_follow_the_condition) {
  Flattened m(
      "model M Real x, y[2]; equation x = time; if x > 1 then y = {x, 2}; elseif x > 0 then y[1] = -x; y[2] = x; else y = "
      "zeros(2); "
      "end if; end M;",
      "M");
  ASSERT_TRUE(m.flat) << m.messages();
  for (double t : {-1.0, 0.5, 3.0}) {
    Point p(m);
    p.set_time(t);
    p.set("x", {t});
    p.set("y", t > 1 ? std::vector<double>{t, 2} : t > 0 ? std::vector<double>{-t, t} : std::vector<double>{0, 0});
    EXPECT_DOUBLE_EQ(p.worst(), 0) << t;
  }
}

TEST(Rows, of_array_components_and_their_modifiers_hold) {
  Flattened m(
      "package P model Leg parameter Real k = 1; Real x[2]; Real y = k*x[1] + x[2]; equation x = {k, 2*k}; end Leg; "
      "model Robot Leg leg[3](k = {1, 2, 3}); end Robot; "
      "model M Robot robot[2](leg(k = {{1, 2, 3}, {4, 5, 6}})); Real s = sum(robot.leg.k) + robot[2].leg[1].x[2]; "
      "Real v[3] = robot[2].leg[:].y; end M; end P;",
      "P.M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  std::vector<double> x, y;
  for (double k = 1; k <= 6; ++k) {
    x.insert(x.end(), {k, 2 * k});
    y.push_back(k * k + 2 * k);
  }
  p.set("robot.leg.x", x);
  p.set("robot.leg.y", y);
  p.set("s", {21 + 8});
  p.set("v", {y[3], y[4], y[5]});
  EXPECT_DOUBLE_EQ(p.worst(), 0);
}

TEST(Rows, of_connections_are_kirchhoffs_laws) {
  // a source of 10 V over r1 = 2 and two parallel resistors of 4: 2.5 A in all, 1.25 A each
  Flattened m(
      "package P connector Pin Real v; flow Real i; end Pin; "
      "model R Pin p, n; parameter Real r; equation p.v - n.v = r*p.i; p.i + n.i = 0; end R; "
      "model V Pin p, n; equation p.v - n.v = 10; p.i + n.i = 0; end V; model G Pin p; equation p.v = 0; end G; "
      "model Two Pin a, b; R r[2](each r = 4); equation for i in 1:2 loop connect(a, r[i].p); connect(r[i].n, b); end for; "
      "end Two; "
      "model M V v; R r1(r = 2); Two two; G g; equation connect(v.p, r1.p); connect(r1.n, two.a); connect(two.b, v.n); "
      "connect(g.p, v.n); end M; end P;",
      "P.M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set("v.p.v", {10}), p.set("v.p.i", {-2.5}), p.set("v.n.v", {0}), p.set("v.n.i", {2.5});
  p.set("r1.p.v", {10}), p.set("r1.p.i", {2.5}), p.set("r1.n.v", {5}), p.set("r1.n.i", {-2.5});
  p.set("two.a.v", {5}), p.set("two.a.i", {2.5}), p.set("two.b.v", {0}), p.set("two.b.i", {-2.5});
  p.set("two.r.p.v", {5, 5}), p.set("two.r.p.i", {1.25, 1.25}), p.set("two.r.n.v", {0, 0}),
      p.set("two.r.n.i", {-1.25, -1.25});
  p.set("g.p.v", {0}), p.set("g.p.i", {0});
  EXPECT_DOUBLE_EQ(p.worst(), 0);
  EXPECT_EQ(m.flat->equations.n_rows, 22u);  // as many as there are potentials and flows
}

TEST(Rows, of_derivatives_of_sums_and_products_follow_the_rules) {
  Flattened m("model M parameter Real c = 3; Real x, y; equation der(x) = 2; der(c*x*y + x - time) = 0; end M;", "M");
  ASSERT_TRUE(m.flat) << m.messages();
  Point p(m);
  p.set("x", {5});
  p.set("y", {7});
  p.set_derivative("x", {2});
  p.set_derivative("y", {-43.0 / 15});  // 3·(2·7 + 5·y') + 2 − 1 = 0
  EXPECT_NEAR(p.worst(), 0, 1e-12);
}

}  // namespace
}  // namespace bolza::flatten::testing
