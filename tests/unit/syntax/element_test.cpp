// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/syntax/parsing.h"

namespace bolza::syntax {
namespace {

Parsed in_model(const std::string& elements) { return Parsed("model M\n" + elements + "\nend M;\n"); }

TEST(Component, reads_all_that_a_clause_can_say) {
  Parsed p = in_model(
      "inner replaceable parameter input A.T[3] x[2](each start = 0) = e if c \"doc\" annotation(a = 1), y constrainedby "
      "B(z = 1);");
  ASSERT_TRUE(p.file) << p.message();
  ASSERT_EQ(p.first().elements.size(), 2u);
  const ast::Component& x = p.component(0);
  EXPECT_TRUE(x.prefixes.inner && x.prefixes.replaceable && !x.prefixes.outer);
  EXPECT_EQ(x.variability, ast::Variability::parameter);
  EXPECT_EQ(x.causality, ast::Causality::input);
  EXPECT_EQ(print(*x.type), "A.T");
  EXPECT_EQ(x.type_dimensions.size(), 1u);
  EXPECT_EQ(x.dimensions.size(), 1u);
  EXPECT_TRUE(x.modification->arguments[0]->each);
  EXPECT_EQ(print(*x.binding()), "e");
  EXPECT_EQ(print(*x.condition), "c");
  EXPECT_EQ(x.comment.description, "doc");
  EXPECT_NE(x.comment.annotation, nullptr);
  const ast::Component& y = p.component(1);
  EXPECT_EQ(y.type, x.type);
  EXPECT_EQ(print(*y.constrained_by->type), "B");
  EXPECT_EQ(p.text(y.name_span), "y");
}
TEST(Component, reads_flow_and_stream) {
  Parsed p = in_model("flow Real f; stream Real s; discrete output Real d; constant Integer c = 1;");
  EXPECT_EQ(p.component(0).connection, ast::Connection::flow);
  EXPECT_EQ(p.component(1).connection, ast::Connection::stream);
  EXPECT_EQ(p.component(2).variability, ast::Variability::discrete);
  EXPECT_EQ(p.component(3).variability, ast::Variability::constant);
}
TEST(Component, binds_a_string_after_an_expression_to_the_description) {
  Parsed p = in_model("parameter String s = \"a\" + \"b\"; parameter String t = \"a\" \"c\" + \"d\";");
  EXPECT_EQ(p.component(0).binding()->kind, ast::ExprKind::additive);
  EXPECT_EQ(p.component(1).binding()->kind, ast::ExprKind::string_literal);
  EXPECT_EQ(p.component(1).comment.description, "cd");
}
TEST(Import, reads_all_four_kinds) {
  Parsed p = in_model("import A.B.C; import X = A.B; import A.B.* \"doc\"; import A.B.{C, D};");
  auto import = [&](std::size_t i) { return p.first().elements[i]->import_; };
  EXPECT_EQ(import(0)->kind, ast::ImportKind::qualified);
  EXPECT_EQ(print(*import(0)->name), "A.B.C");
  EXPECT_EQ(import(1)->kind, ast::ImportKind::renaming);
  EXPECT_EQ(import(1)->alias, "X");
  EXPECT_EQ(import(2)->kind, ast::ImportKind::unqualified);
  EXPECT_EQ(print(*import(2)->name), "A.B");
  EXPECT_EQ(import(3)->kind, ast::ImportKind::several);
  EXPECT_EQ(import(3)->members[1].identifier, "D");
}
TEST(Extends, reads_modifications_and_selective_extension) {
  Parsed p = in_model("extends A(x = 1, break c, break connect(a.p, b.q)) annotation(e = 1); protected extends .B;");
  const ast::Extends& e = *p.first().elements[0]->extends;
  ASSERT_EQ(e.modification->arguments.size(), 3u);
  EXPECT_EQ(e.modification->arguments[1]->kind, ast::ArgumentKind::break_component);
  EXPECT_EQ(print(*e.modification->arguments[1]->name), "c");
  EXPECT_EQ(e.modification->arguments[2]->kind, ast::ArgumentKind::break_connect);
  EXPECT_EQ(print(*e.modification->arguments[2]->second), "b.q");
  EXPECT_NE(e.annotation, nullptr);
  EXPECT_TRUE(p.first().elements[1]->extends->protected_);
  EXPECT_TRUE(p.first().elements[1]->extends->type->global);
}

TEST(Modification, reads_nested_arguments_with_prefixes) {
  Parsed p = in_model("A a(each final b.c(d = 1) = 2 \"doc\", final e, f = break);");
  const auto& arguments = p.component(0).modification->arguments;
  ASSERT_EQ(arguments.size(), 3u);
  EXPECT_TRUE(arguments[0]->each && arguments[0]->final_);
  EXPECT_EQ(print(*arguments[0]->name), "b.c");
  EXPECT_EQ(print(*arguments[0]->modification), "(d = 1) = 2");
  EXPECT_EQ(arguments[0]->description, "doc");
  EXPECT_EQ(arguments[1]->modification, nullptr);
  EXPECT_TRUE(arguments[2]->modification->breaks);
}
TEST(Modification, reads_redeclarations_of_classes_and_components) {
  Parsed p = in_model(R"(A a(redeclare final package M = N(x = 1) "doc", redeclare each Real[2] v[3](start = 1) = w,
                            replaceable function f = g constrainedby h "x", final replaceable Real z);)");
  ASSERT_TRUE(p.file) << p.message();
  const auto& arguments = p.component(0).modification->arguments;
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0]->kind, ast::ArgumentKind::redeclaration);
  EXPECT_TRUE(arguments[0]->final_);
  EXPECT_EQ(print(*arguments[0]->element->class_->base), "N");
  EXPECT_TRUE(arguments[1]->each);
  EXPECT_EQ(arguments[1]->element->component->name, "v");
  EXPECT_EQ(print(*arguments[1]->element->component->binding()), "w");
  EXPECT_EQ(arguments[2]->kind, ast::ArgumentKind::replaceable);
  EXPECT_EQ(print(*arguments[2]->element->class_->constrained_by->type), "h");
  EXPECT_TRUE(arguments[3]->final_);
}
TEST(Modification, reads_annotations_as_modifications) {
  Parsed p =
      in_model("Real x annotation(Dialog(group = \"g\"), choices(choice(redeclare model A = B \"b\")), isMayer = true);");
  EXPECT_EQ(p.component(0).comment.annotation->arguments.size(), 3u);
}

}  // namespace
}  // namespace bolza::syntax
