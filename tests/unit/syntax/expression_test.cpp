// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/syntax/parsing.h"

namespace bolza::syntax {
namespace {

using ast::Expr;
using ast::ExprKind;
using ast::Operator;

/// The tree with every operation in brackets: an oracle for precedence that does not depend on the printer.
std::string shape(const Expr& e) {
  auto joined = [](auto& items, auto separator) {
    std::string s = "(";
    for (std::size_t i = 0; i < items.size(); ++i) s += (i ? separator(i - 1) : std::string()) + shape(*items[i]);
    return s + ")";
  };
  auto constant = [](std::string s) { return [s](std::size_t) { return s; }; };
  switch (e.kind) {
    case ExprKind::name:
      return print(*e.reference);
    case ExprKind::integer_literal:
    case ExprKind::real_literal:
      return std::string(e.text);
    case ExprKind::unary:
      return "(" + std::string(spelling(e.op)) + " " + shape(*e.operands[0]) + ")";
    case ExprKind::power:
    case ExprKind::relation:
      return joined(e.operands, constant(std::string(spelling(e.op))));
    case ExprKind::additive:
    case ExprKind::multiplicative:
      return joined(e.operands, [&](std::size_t i) { return std::string(spelling(e.operators[i])); });
    case ExprKind::logical_and:
      return joined(e.operands, constant("&"));
    case ExprKind::logical_or:
      return joined(e.operands, constant("|"));
    case ExprKind::range:
      return joined(e.operands, constant(":"));
    case ExprKind::if_:
      return "if" + joined(e.operands, constant(","));
    case ExprKind::call:
      return print(*e.reference) + joined(e.arguments->positional, constant(","));
    default:
      return "?";
  }
}
std::string shape(const std::string& text) {
  ParsedExpression p(text);
  return p.file ? shape(p.expression()) : p.codes();
}

TEST(Expression, binds_products_tighter_than_sums) { EXPECT_EQ(shape("a + b*c - d/e"), "(a+(b*c)-(d/e))"); }
TEST(Expression, keeps_sums_as_one_chain_from_left_to_right) {
  ParsedExpression p("a - b + c .- d");
  const Expr& e = p.expression();
  ASSERT_EQ(e.kind, ExprKind::additive);
  EXPECT_EQ(e.operands.size(), 4u);
  EXPECT_EQ(e.operators[0], Operator::subtract);
  EXPECT_EQ(e.operators[2], Operator::elementwise_subtract);
}
TEST(Expression, keeps_parentheses_apart_from_chains) { EXPECT_EQ(shape("a - (b - c)"), "(a-(b-c))"); }
TEST(Expression, binds_a_sign_looser_than_a_power) { EXPECT_EQ(shape("-x^2"), "(- (x^2))"); }
TEST(Expression, binds_a_sign_so_that_quotients_keep_their_value) { EXPECT_EQ(shape("-a/b*c"), "((- a)/b*c)"); }
TEST(Expression, binds_not_looser_than_relations) { EXPECT_EQ(shape("not a == b"), "(not (a==b))"); }
TEST(Expression, binds_and_tighter_than_or) { EXPECT_EQ(shape("a or b and not c or d"), "(a|(b&(not c))|d)"); }
TEST(Expression, binds_ranges_looser_than_sums) { EXPECT_EQ(shape("1:2*n + 1"), "(1:((2*n)+1))"); }
TEST(Expression, reads_a_range_with_a_step) { EXPECT_EQ(shape("10:-1:0"), "(10:(- 1):0)"); }
TEST(Expression, reads_if_expressions_with_all_branches) {
  EXPECT_EQ(shape("if a then b elseif c then d else e + f"), "if(a,b,c,d,(e+f))");
}
TEST(Expression, reads_an_if_inside_an_if) {
  EXPECT_EQ(shape("if if a then b else c then d else if e then f else g"), "if(if(a,b,c),d,if(e,f,g))");
}
TEST(Expression, reads_signs_after_operators_and_warns) {
  ParsedExpression p("2*-3*x^-2 + -a");
  EXPECT_EQ(p.codes(), "W101 W101 W101");
  EXPECT_EQ(shape(p.expression()), "((2*(- 3)*(x^(- 2)))+(- a))");
}
TEST(Expression, allows_a_sign_at_the_beginning_of_either_side_of_a_relation) {
  EXPECT_EQ(ParsedExpression("-a < -b").codes(), "");
}
TEST(Expression, lexes_elementwise_operators_with_maximal_munch) {
  EXPECT_EQ(shape("2 ./ v .* w .^ 2"), "(2./v.*(w.^2))");
  EXPECT_EQ(shape("2.*x"), "(2.*x)");  // the number 2. times x
  ParsedExpression p("2.*x");
  EXPECT_EQ(p.expression().operators[0], Operator::multiply);
}

TEST(Expression, reads_numbers_with_their_values) {
  for (auto [text, value] :
       {std::pair("1.", 1.0), {"1.e7", 1e7}, {".5", 0.5}, {"1e3", 1000.0}, {"0.1E-2", 0.001}, {"4.9e-324", 4.9e-324}}) {
    ParsedExpression p(text);
    ASSERT_EQ(p.expression().kind, ExprKind::real_literal) << text;
    EXPECT_EQ(p.expression().number, value) << text;
  }
  ParsedExpression integer("9223372036854775807");
  EXPECT_EQ(integer.expression().kind, ExprKind::integer_literal);
  EXPECT_EQ(integer.expression().integer, 9223372036854775807);
}
TEST(Expression, reads_integers_beyond_64_bits_as_reals_with_a_warning) {
  ParsedExpression p("9223372036854775808");
  EXPECT_EQ(p.codes(), "W104");
  EXPECT_EQ(p.expression().kind, ExprKind::real_literal);
  EXPECT_EQ(p.expression().number, 9223372036854775808.0);
}
TEST(Expression, refuses_numbers_beyond_double_range_but_not_tiny_ones) {
  EXPECT_EQ(ParsedExpression("1e999").codes(), "E127");
  ParsedExpression p("1e-999");
  EXPECT_EQ(p.expression().number, 0.0);
}
TEST(Expression, resolves_escapes_in_strings) {
  ParsedExpression p(R"("a\"b\\c\n\té")");
  EXPECT_EQ(p.expression().text, "a\"b\\c\n\té");
}

TEST(Expression, reads_component_references_with_subscripts) {
  ParsedExpression p(".a.b[1, :, end].'q x'[i]");
  const ast::Reference& r = *p.expression().reference;
  EXPECT_TRUE(r.global);
  ASSERT_EQ(r.parts.size(), 3u);
  EXPECT_EQ(r.parts[1].subscripts.size(), 3u);
  EXPECT_TRUE(r.parts[1].subscripts[1].whole());
  EXPECT_EQ(r.parts[1].subscripts[2].index->kind, ExprKind::end);
  EXPECT_EQ(r.parts[2].identifier, "'q x'");
  EXPECT_EQ(p.text(r.parts[1].span), "b");
}
TEST(Expression, reads_calls_with_positional_and_named_arguments) {
  ParsedExpression p("A.f(x, 2, tol = 1e-3, n = {1})");
  const Expr& e = p.expression();
  EXPECT_EQ(e.arguments->positional.size(), 2u);
  ASSERT_EQ(e.arguments->named.size(), 2u);
  EXPECT_EQ(e.arguments->named[1].name, "n");
}
TEST(Expression, reads_der_initial_and_pure_as_calls) {
  for (std::string name : {"der", "initial", "pure"}) {
    ParsedExpression p(name + "(x)");
    ASSERT_EQ(p.expression().kind, ExprKind::call);
    EXPECT_EQ(p.expression().reference->parts[0].identifier, name);
  }
  EXPECT_EQ(reprinted("initial()"), "initial()");
}
TEST(Expression, reads_a_timed_variable_as_a_call) {
  ParsedExpression p("tank[2].level[3](finalTime)");
  EXPECT_EQ(p.expression().kind, ExprKind::call);
  EXPECT_EQ(print(*p.expression().reference), "tank[2].level[3]");
}
TEST(Expression, reads_reductions_and_comprehensions) {
  ParsedExpression sum("sum(x[i]*j for i in 1:3, j)");
  ASSERT_EQ(sum.expression().arguments->iterators.size(), 2u);
  EXPECT_EQ(sum.expression().arguments->iterators[1].range, nullptr);
  ParsedExpression array("{i^2 for i in 1:3}");
  EXPECT_EQ(array.expression().kind, ExprKind::comprehension);
}
TEST(Expression, reads_partial_function_application) {
  ParsedExpression p("integrate(function P.f(a = 1), 0, g = function h())");
  EXPECT_EQ(p.expression().arguments->positional[0]->kind, ExprKind::partial_function);
  EXPECT_EQ(p.expression().arguments->positional[0]->arguments->named[0].name, "a");
  EXPECT_EQ(p.expression().arguments->named[0].value->kind, ExprKind::partial_function);
}
TEST(Expression, reads_matrices_by_rows) {
  ParsedExpression p("[1, 2, 3; 4, 5, 6]");
  ASSERT_EQ(p.expression().rows.size(), 2u);
  EXPECT_EQ(p.expression().rows[1].size(), 3u);
  EXPECT_EQ(p.expression().rows[1][0]->integer, 4);
}
TEST(Expression, tells_a_parenthesised_subscript_from_a_subscripted_name) {
  EXPECT_EQ(ParsedExpression("(a.x)[2]").expression().kind, ExprKind::subscripted);
  EXPECT_EQ(ParsedExpression("a.x[2]").expression().kind, ExprKind::name);
  ParsedExpression p("(f(x)).re");
  EXPECT_EQ(p.expression().kind, ExprKind::member);
  EXPECT_EQ(p.expression().operands[0]->kind, ExprKind::call);
}
TEST(Expression, spans_exactly_the_text_of_each_part) {
  ParsedExpression p("a + f(b, c)*2");
  const Expr& e = p.expression();
  EXPECT_EQ(p.text(e.span), "a + f(b, c)*2");
  EXPECT_EQ(p.text(e.operands[1]->span), "f(b, c)*2");
  EXPECT_EQ(p.text(e.operands[1]->operands[0]->arguments->span), "(b, c)");
}

TEST(Print, reprints_expressions_so_that_they_parse_to_the_same_text) {
  for (std::string text : {"a + b*c",
                           "(a + b)*c",
                           "a - (b - c)",
                           "-x^2",
                           "(-x)^2",
                           "a/(b*c)",
                           "not (a and b)",
                           "(a or b) and c",
                           "if a then b else c",
                           "1 + (if a then b else c)",
                           "{1, 2, {3}}",
                           "[1, 2; 3, 4]",
                           "sum(x[i] for i in 1:n)",
                           "f(a, b = 2)",
                           "x[:, end]",
                           "(a.x)[2]",
                           "\"a\\\"b\\n\"",
                           "a < b and c <> d",
                           "1:2:n",
                           "(1:3)*2",
                           "f(function g(a = 1))",
                           "2*(-3)",
                           "a .* b ./ c",
                           "x^(-2)",
                           "(f(x)).re"}) {
    std::string once = reprinted(text);
    EXPECT_EQ(reprinted(once), once) << text;
    ParsedExpression a(text), b(once);
    ASSERT_TRUE(a.file && b.file) << once;
    EXPECT_EQ(shape(a.expression()), shape(b.expression())) << once;
  }
}

}  // namespace
}  // namespace bolza::syntax
