// SPDX-License-Identifier: Apache-2.0
#include "made.h"

namespace bolza::instance {
namespace {

/// What a reference in the binding of `path` means.
Resolved resolved(Made& m, const std::string& path) {
  const ScopedExpr& binding = m.at(path).binding;
  Diagnostics d;
  auto found = lookup(*m.tree, binding.scope, *binding.expr->reference, d);
  EXPECT_TRUE(found) << (d.all().empty() ? "" : render(d.all()[0], m.sources));
  return found ? *found : Resolved{};
}

TEST(Lookup, finds_components_then_enclosing_constants) {
  Made m(
      "package P constant Real c = 3; model M parameter Real a = 1; parameter Real x = a; parameter Real y = c; end M; end "
      "P;",
      "P.M");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(&resolved(m, "x").component(), &m.at("a"));
  EXPECT_EQ(resolved(m, "y").component().parent->class_kind, ast::ClassKind::package);
  EXPECT_EQ(m.value("y"), "3");
}

TEST(Lookup, walks_through_arrays_of_components) {
  Made m("model B Real x[4]; end B; model A B b[2]; end A; model M A a[3]; Real y = a[2].b[1].x[3]; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  Resolved r = resolved(m, "y");
  ASSERT_EQ(r.path.size(), 3u);
  EXPECT_EQ(r.path[0].instance, &m.at("a"));
  EXPECT_EQ(r.path[2].subscripts.size(), 1u);
  EXPECT_EQ(m.dimensions("a.b.x"), (Sizes{3, 2, 4}));
}

TEST(Lookup, prefers_the_inner_name) {
  Made m("package P constant Real k = 1; package Q constant Real k = 2; model M parameter Real x = k; end M; end Q; end P;",
         "P.Q.M");
  EXPECT_EQ(m.value("x"), "2");
}

TEST(Lookup, of_constants_in_packages_reads_modified_and_inherited_ones) {
  Made m(
      "package A constant Real k = 1; constant Real l = 2*k; end A; package B extends A(k = 5); end B; package C = A(k = 7);"
      "model M parameter Real x = B.l; parameter Real y = C.l; parameter Real z = A.l; end M;");
  EXPECT_EQ(m.value("x"), "10");
  EXPECT_EQ(m.value("y"), "14");
  EXPECT_EQ(m.value("z"), "2");
}

TEST(Lookup, reads_all_four_kinds_of_imports) {
  const std::string library =
      "package L constant Real a = 1; package N constant Real b = 2; constant Real c = 3; constant Real d = 4; end N; end "
      "L;";
  EXPECT_EQ(Made(library + "model M import L.N; parameter Real x = N.b; end M;").value("x"), "2");
  EXPECT_EQ(Made(library + "model M import L.N.b; parameter Real x = b; end M;").value("x"), "2");
  EXPECT_EQ(Made(library + "model M import Q = L.N; parameter Real x = Q.c; end M;").value("x"), "3");
  EXPECT_EQ(Made(library + "model M import B = L.N.b; parameter Real x = B; end M;").value("x"), "2");
  EXPECT_EQ(Made(library + "model M import L.N.*; parameter Real x = c; end M;").value("x"), "3");
  EXPECT_EQ(Made(library + "model M import L.N.{c, d}; parameter Real x = c + d; end M;").value("x"), "7");
}

TEST(Lookup, imports_literals_of_enumerations) {
  const std::string library =
      "package L model N encapsulated type E = enumeration(a, b, c); end N; type F = enumeration(u, v); end L;";
  EXPECT_EQ(Made(library + "model M import L.N.E.b; parameter Integer x = Integer(b); end M;").value("x"), "2");
  EXPECT_EQ(Made(library + "model M import Q = L.F.v; parameter L.F x = Q; end M;").value("x"), "L.F.v");
  EXPECT_EQ(Made(library + "model M import L.F.{u, v}; parameter Boolean x = u < v; end M;").value("x"), "true");
  EXPECT_EQ(Made(library + "model M import L.F.w; parameter L.F x = w; end M;").value("x"), "E204");
}

TEST(Lookup, of_imports_sees_those_of_enclosing_classes_but_not_inherited_ones) {
  const std::string library = "package L constant Real a = 1; end L;";
  EXPECT_EQ(Made(library + "package P import L.a; model M parameter Real x = a; end M; end P;", "P.M").value("x"), "1");
  EXPECT_EQ(
      Made(library + "model A import L.a; end A; model M extends A; parameter Integer n = a; Real y[n]; end M;").codes(),
      "E203");
}

TEST(Lookup, of_ambiguous_imports_is_refused) {
  EXPECT_EQ(Made("package A constant Integer k = 1; end A; package B constant Integer k = 2; end B;"
                 "model M import A.*; import B.*; Real x[k]; end M;")
                .codes(),
            "E206");
  EXPECT_TRUE(
      Made("package A constant Integer k = 1; end A; package B = A; model M import A.*; import L = B; Real x[k]; end M;")
          .good());
}

TEST(Lookup, stops_at_encapsulated_classes) {
  const std::string head =
      "package L constant Integer k = 2; end L; package P constant Integer n = 3; encapsulated model M ";
  EXPECT_EQ(Made(head + "Real x[n]; end M; end P;", "P.M").codes(), "E203");
  EXPECT_EQ(Made(head + "Real x[L.k]; end M; end P;", "P.M").codes(), "E203");
  EXPECT_TRUE(Made(head + "import L; Real x[L.k] = {sin(1), 2}; end M; end P;", "P.M").good());
}

TEST(Lookup, of_unknown_names_suggests_the_near_one) {
  Made m("model M parameter Integer size1 = 2; Real x[siez1]; end M;");
  EXPECT_EQ(m.codes(), "E203");
  EXPECT_EQ(m.first(), "there is no `siez1` in model `M` | did you mean `size1`?");
  Made member("model A Integer level = 1; end A; model M A tank; Real x[tank.levle]; end M;");
  EXPECT_EQ(member.codes(), "E203");
  EXPECT_NE(member.first().find("did you mean `level`?"), std::string::npos) << member.first();
}

TEST(Lookup, of_unknown_classes_suggests_near_ones_or_the_path) {
  Made near("package P model Tank end Tank; end P; model M P.Tnak t; end M;");
  EXPECT_EQ(near.codes(), "E203");
  EXPECT_NE(near.first().find("did you mean `Tank`?"), std::string::npos) << near.first();
  Made type("model M Rael x; end M;");
  EXPECT_EQ(type.codes(), "E204");
  EXPECT_NE(type.first().find("did you mean `Real`?"), std::string::npos);
  Made missing("model M Buildings.Fluid.Pipe p; end M;");
  EXPECT_EQ(missing.codes(), "E204");
  EXPECT_NE(missing.first().find("set MODELICAPATH to the folder that holds it"), std::string::npos);
  EXPECT_EQ(Made("model M import Buildings.Fluid.*; Pipe p; end M;").codes(), "E204");
}

TEST(Lookup, of_a_missing_base_is_told_once) {
  Made m("model A extends Nowhere; parameter Integer n = k; Real x[n]; Real y[k]; end A; model M A a; end M;");
  EXPECT_EQ(m.codes(), "E204");
}

TEST(Lookup, of_something_that_is_no_class_is_refused) { EXPECT_EQ(Made("model M Real a; a b; end M;").codes(), "E205"); }

TEST(Lookup, does_not_enter_protected_sections_by_dots) {
  Made m("model A protected parameter Integer n = 2; end A; model M A a; Real x[a.n]; end M;");
  EXPECT_EQ(m.codes(), "E207");
  EXPECT_TRUE(Made("model A protected parameter Integer n = 2; end A; model M extends A; Real x[n]; end M;").good());
}

TEST(Lookup, in_enclosing_classes_finds_constants_only) {
  EXPECT_EQ(Made("package P parameter Integer n = 2; model M Real x[n]; end M; end P;", "P.M").codes(), "E208");
}

TEST(Lookup, of_local_classes_keeps_the_instance_around_them) {
  Made m("model M constant Integer n = 3; type V = Real[n]; model L V v; end L; L l; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.at("l").enclosing, &m.root());
  EXPECT_EQ(m.dimensions("l.v"), Sizes{3});
}

TEST(Lookup, of_enumerations_gives_the_literal) {
  Made m(
      "type E = enumeration(red, green, blue); type F = E; model M parameter E e = E.green; parameter E f = F.blue; "
      "parameter StateSelect s = StateSelect.prefer; Real x[E]; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(resolved(m, "e").literal, 2);
  EXPECT_EQ(m.value("f"), "E.blue");
  EXPECT_EQ(m.value("s"), "StateSelect.prefer");
  EXPECT_EQ(m.dimensions("x"), Sizes{3});
  EXPECT_EQ(
      Made("type E = enumeration(red, green); model M parameter E e = E.gren; Real x[if e == E.red then 1 else 2]; end M;")
          .codes(),
      "E203");
}

TEST(Lookup, tells_time_functions_and_types_apart) {
  Made m(
      "function f input Real x; output Real y; algorithm y := x; end f; model M Real a = time; Real b = sin(1); Real c = "
      "f(1); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(resolved(m, "a").kind, ResolvedKind::time);
  EXPECT_EQ(resolved(m, "b").kind, ResolvedKind::builtin_function);
  Resolved f = resolved(m, "c");
  EXPECT_EQ(f.kind, ResolvedKind::class_);
  EXPECT_EQ(full_name(*f.definition), "f");
}

TEST(Lookup, finds_functions_through_components) {
  Made m(
      "model A function f input Real x; output Real y; algorithm y := 2*x; end f; end A; model M A a; parameter Real z = "
      "a.f(4); end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("z"), "8");
}

TEST(Lookup, marks_paths_into_removed_components) {
  Made m("model A Real x; end A; model M A a if false; Real y = a.x; end M;");
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_TRUE(resolved(m, "y").removed);
}

TEST(Lookup, of_global_names_starts_at_the_top) {
  EXPECT_EQ(Made("package P constant Real k = 1; end P; package Q package P constant Real k = 2; end P;"
                 "model M parameter Real x = .P.k; parameter Real y = P.k; end M; end Q;",
                 "Q.M")
                .value("x"),
            "1");
}

TEST(Lookup, of_a_package_behind_a_class_of_its_name_is_done_with_a_warning_and_refused_by_strict) {
  std::string text = "package P model P Real x; end P; model A Real y; end A; model M P.A a; end M; end P;";
  Made lenient(text, "P.M");
  EXPECT_TRUE(lenient.good()) << lenient.messages();
  EXPECT_EQ(lenient.codes(), "W227");
  EXPECT_EQ(Made(text, "P.M", {}, {.strict = true}).codes(), "E203");
  EXPECT_EQ(Made("package P model P Real x; end P; model M P.B a; end M; end P;", "P.M").codes(), "E203");
}

}  // namespace
}  // namespace bolza::instance
