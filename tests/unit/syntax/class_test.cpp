// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/syntax/parsing.h"

namespace bolza::syntax {
namespace {

using ast::ClassForm;
using ast::ClassKind;

TEST(StoredFile, reads_within_clauses) {
  EXPECT_FALSE(Parsed("model M end M;").file->has_within);
  Parsed root("within;\nmodel M end M;");
  EXPECT_TRUE(root.file->has_within);
  EXPECT_EQ(root.file->within, nullptr);
  Parsed nested("within A.B;\nfinal model M end M;\npackage P end P;");
  EXPECT_EQ(print(*nested.file->within), "A.B");
  ASSERT_EQ(nested.file->classes.size(), 2u);
  EXPECT_TRUE(nested.first().prefixes.final_);
  EXPECT_FALSE(nested.file->classes[1]->prefixes.final_);
}
TEST(StoredFile, reads_an_empty_file) { EXPECT_EQ(Parsed("").file->classes.size(), 0u); }
TEST(StoredFile, skips_a_byte_order_mark_and_reads_windows_line_ends) {
  Parsed p("\xEF\xBB\xBFmodel M\r\n  Real x; // \xC3\xA9\r\nend M;\r\n");
  ASSERT_TRUE(p.file);
  EXPECT_EQ(p.text(p.component(0).name_span), "x");
}

TEST(Class, reads_every_kind) {
  struct Row {
    const char* words;
    ClassKind kind;
  };
  for (Row row : {Row{"class", ClassKind::class_},
                  {"model", ClassKind::model},
                  {"block", ClassKind::block},
                  {"record", ClassKind::record},
                  {"connector", ClassKind::connector},
                  {"expandable connector", ClassKind::connector},
                  {"type", ClassKind::type},
                  {"package", ClassKind::package},
                  {"function", ClassKind::function},
                  {"pure function", ClassKind::function},
                  {"impure function", ClassKind::function},
                  {"operator", ClassKind::operator_},
                  {"operator record", ClassKind::operator_record},
                  {"operator function", ClassKind::operator_function},
                  {"optimization", ClassKind::optimization}}) {
    Parsed p(std::string("encapsulated partial ") + row.words + " C \"doc\" end C;");
    ASSERT_TRUE(p.file) << row.words;
    EXPECT_EQ(p.first().kind, row.kind) << row.words;
    EXPECT_TRUE(p.first().encapsulated && p.first().partial);
    EXPECT_EQ(p.first().comment.description, "doc");
  }
  EXPECT_TRUE(Parsed("expandable connector C end C;").first().expandable);
  EXPECT_TRUE(Parsed("impure function f end f;").first().impure);
}
TEST(Class, reads_short_definitions) {
  Parsed p("connector C = input A.Real[3, :](unit = \"m\") \"doc\" annotation(a = 1);");
  const ast::Class& c = p.first();
  EXPECT_EQ(c.form, ClassForm::alias);
  EXPECT_EQ(c.base_causality, ast::Causality::input);
  EXPECT_EQ(print(*c.base), "A.Real");
  EXPECT_EQ(c.base_dimensions.size(), 2u);
  EXPECT_EQ(print(*c.modification), "(unit = \"m\")");
  EXPECT_EQ(c.comment.description, "doc");
  EXPECT_NE(c.comment.annotation, nullptr);
}
TEST(Class, reads_enumerations) {
  Parsed p("type E = enumeration(a \"first\", b) \"doc\";");
  ASSERT_EQ(p.first().literals.size(), 2u);
  EXPECT_EQ(p.first().literals[0].comment.description, "first");
  EXPECT_TRUE(Parsed("type E = enumeration(:);").first().open_enumeration);
}
TEST(Class, reads_partial_derivatives) {
  Parsed p("function df = der(A.f, x, y) \"doc\";");
  EXPECT_EQ(p.first().form, ClassForm::partial_derivative);
  EXPECT_EQ(print(*p.first().base), "A.f");
  EXPECT_EQ(p.first().with_respect_to[1].identifier, "y");
}
TEST(Class, reads_class_extends) {
  Parsed p("package P redeclare replaceable model extends A(x = 1) \"doc\" Real y; end A; end P;");
  const ast::Class& a = *p.first().elements[0]->class_;
  EXPECT_EQ(a.form, ClassForm::extending);
  EXPECT_EQ(a.name, "A");
  EXPECT_EQ(print(*a.modification), "(x = 1)");
  EXPECT_TRUE(a.prefixes.redeclare && a.prefixes.replaceable);
}
TEST(Class, reads_operators_with_quoted_names) {
  Parsed p(
      "operator record C operator '+' function add end add; end '+'; encapsulated operator function '0' = zero; end C;");
  EXPECT_EQ(p.first().elements[0]->class_->name, "'+'");
  EXPECT_EQ(p.first().elements[1]->class_->kind, ClassKind::operator_function);
}
TEST(Class, joins_annotations_and_warns_about_misplaced_ones) {
  Parsed p("model M Real x; annotation(a = 1); Real y; equation x = 1; annotation(b = 2); y = 2; annotation(c = 3); end M;");
  EXPECT_EQ(p.codes(), "W102 W102");
  EXPECT_EQ(print(*p.first().comment.annotation), "(a = 1, b = 2, c = 3)");
  EXPECT_EQ(p.first().equations[0].items.size(), 2u);
}
TEST(Class, reads_sections_in_any_order_and_number) {
  Parsed p(R"(model M
    Real a; protected Real b; public Real c;
    initial equation a = 1; equation b = 1; initial algorithm c := 1; algorithm c := 2; c := 3;
    protected Real d; equation end M;)");
  const ast::Class& m = p.first();
  ASSERT_EQ(m.elements.size(), 4u);
  EXPECT_FALSE(m.elements[0]->component->prefixes.protected_);
  EXPECT_TRUE(m.elements[1]->component->prefixes.protected_);
  EXPECT_FALSE(m.elements[2]->component->prefixes.protected_);
  EXPECT_TRUE(m.elements[3]->component->prefixes.protected_);
  ASSERT_EQ(m.equations.size(), 3u);
  EXPECT_TRUE(m.equations[0].initial && !m.equations[1].initial);
  ASSERT_EQ(m.algorithms.size(), 2u);
  EXPECT_TRUE(m.algorithms[0].initial);
  EXPECT_EQ(m.algorithms[1].items.size(), 2u);
}
TEST(Class, reads_external_functions) {
  Parsed p(
      R"(function f input Real x; output Real y; external "C" y = g(x, 2) annotation(Include = "i"); annotation(Inline = true); end f;)");
  const ast::External& x = *p.first().external;
  EXPECT_EQ(x.language, "C");
  EXPECT_EQ(print(*x.output), "y");
  EXPECT_EQ(x.function, "g");
  EXPECT_EQ(x.arguments.size(), 2u);
  EXPECT_EQ(print(*x.annotation), "(Include = \"i\")");
  EXPECT_EQ(print(*p.first().comment.annotation), "(Inline = true)");
  EXPECT_FALSE(Parsed("function f external; end f;").first().external->called);
  EXPECT_FALSE(Parsed("function f external \"builtin\"; end f;").first().external->called);
}
TEST(Class, lets_class_and_attribute_names_agree_with_soft_words) {
  Parsed p(
      "model optimization Real constraint; Real minimize(start = 1); constraint.T maximize; equation constraint = 1; end "
      "optimization;");
  EXPECT_EQ(p.codes(), "");
  EXPECT_EQ(p.component(1).name, "minimize");
}

}  // namespace
}  // namespace bolza::syntax
