// SPDX-License-Identifier: Apache-2.0
#include <sbml/math/ASTNode.h>

#include <cmath>
#include <map>

#include "base/numbers.h"
#include "compiler/sbml/codes.h"
#include "compiler/sbml/expression_internal.h"

namespace bolza::sbml {
namespace {

std::string literal(double value) {
  std::string text = exact_text(std::abs(value));
  if (std::abs(value) > 2e9 && text.find_first_of(".e") == std::string::npos) text += ".0";
  return std::signbit(value) && value != 0 ? "(-" + text + ")" : text;
}

/// Functions of one or two arguments: {0} is put in parentheses where it needs them, [0] is a whole argument.
const char* pattern_of(ASTNodeType_t type) {
  switch (type) {
    case AST_FUNCTION_ABS:
      return "abs([0])";
    case AST_FUNCTION_EXP:
      return "exp([0])";
    case AST_FUNCTION_LN:
      return "log([0])";
    case AST_FUNCTION_FLOOR:
      return "floor([0])";
    case AST_FUNCTION_CEILING:
      return "ceil([0])";
    case AST_FUNCTION_SIN:
      return "sin([0])";
    case AST_FUNCTION_COS:
      return "cos([0])";
    case AST_FUNCTION_TAN:
      return "tan([0])";
    case AST_FUNCTION_SEC:
      return "(1/cos([0]))";
    case AST_FUNCTION_CSC:
      return "(1/sin([0]))";
    case AST_FUNCTION_COT:
      return "(1/tan([0]))";
    case AST_FUNCTION_SINH:
      return "sinh([0])";
    case AST_FUNCTION_COSH:
      return "cosh([0])";
    case AST_FUNCTION_TANH:
      return "tanh([0])";
    case AST_FUNCTION_SECH:
      return "(1/cosh([0]))";
    case AST_FUNCTION_CSCH:
      return "(1/sinh([0]))";
    case AST_FUNCTION_COTH:
      return "(1/tanh([0]))";
    case AST_FUNCTION_ARCSIN:
      return "asin([0])";
    case AST_FUNCTION_ARCCOS:
      return "acos([0])";
    case AST_FUNCTION_ARCTAN:
      return "atan([0])";
    case AST_FUNCTION_ARCSEC:
      return "acos(1/{0})";
    case AST_FUNCTION_ARCCSC:
      return "asin(1/{0})";
    case AST_FUNCTION_ARCCOT:
      return "atan(1/{0})";
    case AST_FUNCTION_ARCSINH:
      return "log({0} + sqrt({0}^2 + 1))";
    case AST_FUNCTION_ARCCOSH:
      return "log({0} + sqrt({0} - 1)*sqrt({0} + 1))";
    case AST_FUNCTION_ARCTANH:
      return "(0.5*log((1 + {0})/(1 - {0})))";
    case AST_FUNCTION_ARCSECH:
      return "log(1/{0} + sqrt(1/{0} - 1)*sqrt(1/{0} + 1))";
    case AST_FUNCTION_ARCCSCH:
      return "log(1/{0} + sqrt(1/{0}^2 + 1))";
    case AST_FUNCTION_ARCCOTH:
      return "(0.5*log(({0} + 1)/({0} - 1)))";
    case AST_FUNCTION_QUOTIENT:
      return "div([0], [1])";
    case AST_FUNCTION_REM:
      return "rem([0], [1])";
    case AST_POWER:
    case AST_FUNCTION_POWER:
      return "{0}^{1}";
    case AST_DIVIDE:
      return "{0}/{1}";
    default:
      return nullptr;
  }
}

/// A name, a number, a call, or something in parentheses: needs none around it.
bool is_atom(const std::string& text) {
  bool exponent = false;
  int depth = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    char c = text[k];
    if (c == '\'') quoted = !quoted;
    if (quoted || c == '\'') continue;
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0 && k + 1 < text.size()) return false;
    exponent = k > 0 && (text[k - 1] == 'e' || text[k - 1] == 'E') && std::isdigit(static_cast<unsigned char>(text[0]));
    if (depth == 0 && c != ')' && std::string_view(" +-*/^<>=,").find(c) != std::string_view::npos && !exponent)
      return false;
  }
  return true;
}

std::string enclosed(const std::string& text) { return is_atom(text) ? text : "(" + text + ")"; }

}  // namespace

bool is_condition(const ASTNode& node) {
  if (node.isLogical() || node.isRelational()) return true;
  switch (node.getType()) {
    case AST_CONSTANT_TRUE:
    case AST_CONSTANT_FALSE:
    case AST_LOGICAL_IMPLIES:
      return true;
    case AST_FUNCTION_PIECEWISE:
      return node.getNumChildren() > 0 && is_condition(*node.getChild(0));
    default:
      return false;
  }
}

Reported Expressions::refuse(const std::string& what, const std::string& why) const {
  return diagnostics_.error(not_supported, at_, {what, why});
}

Result<std::string> Expressions::number(const ASTNode& node) const {
  if (!is_condition(node)) return text(node);
  Result<std::string> c = condition(node);
  if (!c) return diagnostics_.already_reported();
  return "(if " + *c + " then 1.0 else 0.0)";
}

Result<std::string> Expressions::condition(const ASTNode& node) const {
  if (is_condition(node)) return text(node);
  Result<std::string> value = text(node);
  if (!value) return diagnostics_.already_reported();
  return "(" + *value + " > 0 or " + *value + " < 0)";
}

Result<std::string> Expressions::joined(const ASTNode& node, const char* between, const char* empty, bool conditions) const {
  if (node.getNumChildren() == 0) return std::string(empty);
  std::string out;
  for (unsigned k = 0; k < node.getNumChildren(); ++k) {
    Result<std::string> one = conditions ? condition(*node.getChild(k)) : number(*node.getChild(k));
    if (!one) return diagnostics_.already_reported();
    out += (k ? between : "") + (node.getNumChildren() == 1 ? *one : enclosed(*one));
  }
  return out;
}

Result<std::string> Expressions::filled(const ASTNode& node, const char* pattern) const {
  std::string_view whole = pattern;
  unsigned wanted = whole.find("{1}") != whole.npos || whole.find("[1]") != whole.npos ? 2 : 1;
  if (node.getNumChildren() != wanted) return refuse("a function", "it has another number of arguments than it should");
  std::string arguments[2];
  for (unsigned k = 0; k < wanted; ++k) {
    Result<std::string> one = number(*node.getChild(k));
    if (!one) return diagnostics_.already_reported();
    arguments[k] = std::move(*one);
  }
  std::string out;
  for (const char* c = pattern; *c; ++c) {
    if (*c != '{' && *c != '[') {
      out += *c;
      continue;
    }
    const std::string& argument = arguments[c[1] - '0'];
    out += *c == '[' ? argument : enclosed(argument);
    c += 2;
  }
  return out;
}

Result<std::string> Expressions::piecewise(const ASTNode& node, bool conditions) const {
  std::string out = "(";
  unsigned n = node.getNumChildren();
  auto value = [&](unsigned k) { return conditions ? condition(*node.getChild(k)) : number(*node.getChild(k)); };
  if (n == 0) return refuse("`piecewise`", "it has no pieces");
  if (n % 2 == 0 && conditions) return refuse("`piecewise`", "it has neither a number nor an `otherwise`");
  for (unsigned k = 0; k + 1 < n; k += 2) {
    Result<std::string> one = value(k), when = condition(*node.getChild(k + 1));
    if (!one || !when) return diagnostics_.already_reported();
    out += "if " + *when + " then " + *one + " else ";
  }
  if (n % 2 == 0) return out + "log(-1 - abs(" + names_.time + ")))";  // no `otherwise`: not a number there
  Result<std::string> last = value(n - 1);
  if (!last) return diagnostics_.already_reported();
  return n == 1 ? *last : out + *last + ")";
}

/// One side of a relation of numbers, which may be infinite.
Result<std::string> Expressions::side(const ASTNode& node) const {
  bool negated = node.getType() == AST_MINUS && node.getNumChildren() == 1;
  const ASTNode& value = negated ? *node.getChild(0) : node;
  if (!value.isReal() || !std::isinf(value.getReal())) return number(node);
  return std::string(negated == (value.getReal() > 0) ? "(-1e300)" : "1e300");
}

/// Relations of numbers, chained: a < b < c. Equality of conditions, too.
Result<std::string> Expressions::relation(const ASTNode& node) const {
  const std::map<int, const char*> signs{
      {AST_RELATIONAL_LT, " < "}, {AST_RELATIONAL_LEQ, " <= "}, {AST_RELATIONAL_GT, " > "}, {AST_RELATIONAL_GEQ, " >= "}};
  std::string out;
  for (unsigned k = 0; k + 1 < node.getNumChildren(); ++k) {
    const ASTNode &a = *node.getChild(k), &b = *node.getChild(k + 1);
    bool logical = is_condition(a) && is_condition(b);
    Result<std::string> left = logical ? condition(a) : side(a), right = logical ? condition(b) : side(b);
    if (!left || !right) return diagnostics_.already_reported();
    std::string l = enclosed(*left), r = enclosed(*right), one;
    bool equal = node.getType() == AST_RELATIONAL_EQ;
    if (auto sign = signs.find(node.getType()); sign != signs.end()) one = l + sign->second + r;
    else if (logical)
      one = equal ? "(" + l + " and " + r + " or not " + l + " and not " + r + ")"
                  : "(" + l + " and not " + r + " or not " + l + " and " + r + ")";
    else
      one =
          equal ? "(" + l + " <= " + r + " and " + l + " >= " + r + ")" : "(" + l + " < " + r + " or " + l + " > " + r + ")";
    out += (k ? " and " : "") + one;
  }
  return out.empty() ? "true" : out;
}

Result<std::string> Expressions::exclusive(const ASTNode& node) const {
  std::string out = "false";
  for (unsigned k = 0; k < node.getNumChildren(); ++k) {
    Result<std::string> one = condition(*node.getChild(k));
    if (!one) return diagnostics_.already_reported();
    std::string b = enclosed(*one);
    out = k == 0 ? b : "((" + out + ") and not " + b + " or not (" + out + ") and " + b + ")";
  }
  return out;
}

Result<std::string> Expressions::extremum(const ASTNode& node, const char* name) const {
  std::string out;
  for (unsigned k = 0; k < node.getNumChildren(); ++k) {
    Result<std::string> one = number(*node.getChild(k));
    if (!one) return diagnostics_.already_reported();
    out = k == 0 ? *one : std::string(name) + "(" + out + ", " + *one + ")";
  }
  if (out.empty()) return refuse(std::string("`") + name + "`", "it has no arguments");
  return out;
}

Result<std::string> Expressions::factorial(const ASTNode& node) const {
  const ASTNode* argument = node.getNumChildren() == 1 ? node.getChild(0) : nullptr;
  if (!argument) return refuse("`factorial`", "it has another number of arguments than one");
  if (!argument->isNumber()) return filled(node, (std::string(factorial_name) + "([0])").c_str());
  double value = argument->getValue();
  if (value < 0 || value != std::floor(value)) return refuse("`factorial`", "its argument is not a whole number");
  return literal(std::tgamma(value + 1));
}

/// Functions that libsbml's parser of formulas knows by name only.
Result<std::string> Expressions::named_function(const ASTNode& node) const {
  std::string name = node.getName() ? node.getName() : "";
  if (name == decadic_logarithm) return filled(node, "log10([0])");
  if (name == "log2") return filled(node, "(log([0])/log(2))");
  if (name == "sign") return filled(node, "sign([0])");
  if (name == "ln") return filled(node, "log([0])");
  if (name == "min" || name == "max") return extremum(node, name.c_str());
  if (name == "Heaviside" || name == "heaviside") return filled(node, "(if {0} >= 0 then 1.0 else 0.0)");
  return diagnostics_.error(unknown_symbol, at_, {name});
}

Result<std::string> Expressions::text(const ASTNode& node) const {
  if (const char* pattern = pattern_of(node.getType())) return filled(node, pattern);
  unsigned n = node.getNumChildren();
  switch (node.getType()) {
    case AST_INTEGER:
      return literal(static_cast<double>(node.getInteger()));
    case AST_REAL:
    case AST_REAL_E:
    case AST_RATIONAL:
      if (std::isnan(node.getReal())) return refuse("`notanumber`", "it is not a number");
      if (std::isinf(node.getReal()))
        return refuse("`infinity`", "nothing is computed with it, values are compared with it");
      return literal(node.getReal());
    case AST_NAME_AVOGADRO:
      return literal(6.02214179e23);
    case AST_NAME_TIME:
      return names_.time;
    case AST_CONSTANT_PI:
      return std::string("3.141592653589793");
    case AST_CONSTANT_E:
      return std::string("2.718281828459045");
    case AST_CONSTANT_TRUE:
      return std::string("true");
    case AST_CONSTANT_FALSE:
      return std::string("false");
    case AST_NAME: {
      std::optional<std::string> name = names_.value(node.getName());
      if (!name) return diagnostics_.error(unknown_symbol, at_, {node.getName()});
      return *name;
    }
    case AST_PLUS:
      return joined(node, " + ", "0", false);
    case AST_TIMES:
      return joined(node, "*", "1", false);
    case AST_MINUS: {
      Result<std::string> a = number(*node.getChild(0));
      if (!a) return diagnostics_.already_reported();
      if (n == 1) return "(-" + enclosed(*a) + ")";
      Result<std::string> b = number(*node.getChild(1));
      if (!b) return diagnostics_.already_reported();
      return enclosed(*a) + " - " + enclosed(*b);
    }
    case AST_FUNCTION_ROOT: {
      Result<std::string> a = number(*node.getChild(n - 1));
      if (!a) return diagnostics_.already_reported();
      bool square = n == 1 || (node.getChild(0)->isNumber() && node.getChild(0)->getValue() == 2);
      if (square) return "sqrt(" + *a + ")";
      Result<std::string> degree = number(*node.getChild(0));
      if (!degree) return diagnostics_.already_reported();
      return "(" + *a + ")^(1/(" + *degree + "))";
    }
    case AST_FUNCTION_LOG: {
      Result<std::string> a = number(*node.getChild(n - 1));
      if (!a) return diagnostics_.already_reported();
      if (n == 1 || (node.getChild(0)->isNumber() && node.getChild(0)->getValue() == 10)) return "log10(" + *a + ")";
      Result<std::string> base = number(*node.getChild(0));
      if (!base) return diagnostics_.already_reported();
      return "(log(" + *a + ")/log(" + *base + "))";
    }
    case AST_FUNCTION_PIECEWISE:
      return piecewise(node, is_condition(node));
    case AST_FUNCTION_FACTORIAL:
      return factorial(node);
    case AST_FUNCTION_MIN:
      return extremum(node, "min");
    case AST_FUNCTION_MAX:
      return extremum(node, "max");
    case AST_RELATIONAL_EQ:
    case AST_RELATIONAL_NEQ:
    case AST_RELATIONAL_LT:
    case AST_RELATIONAL_LEQ:
    case AST_RELATIONAL_GT:
    case AST_RELATIONAL_GEQ:
      return relation(node);
    case AST_LOGICAL_AND:
      return joined(node, " and ", "true", true);
    case AST_LOGICAL_OR:
      return joined(node, " or ", "false", true);
    case AST_LOGICAL_XOR:
      return exclusive(node);
    case AST_LOGICAL_NOT: {
      Result<std::string> a = condition(*node.getChild(0));
      if (!a) return diagnostics_.already_reported();
      return "not (" + *a + ")";
    }
    case AST_LOGICAL_IMPLIES: {
      Result<std::string> a = condition(*node.getChild(0)), b = condition(*node.getChild(1));
      if (!a || !b) return diagnostics_.already_reported();
      return "not (" + *a + ") or (" + *b + ")";
    }
    case AST_FUNCTION_RATE_OF: {
      const ASTNode& of = *node.getChild(0);
      if (names_.rate && of.getType() == AST_NAME)
        if (auto rate = names_.rate(of.getName())) return *rate;
      Result<std::string> a = number(of);
      if (!a) return diagnostics_.already_reported();
      return "der(" + *a + ")";
    }
    case AST_FUNCTION_DELAY:
      if (n != 2) return refuse("`delay`", "it has another number of arguments than two");
      return names_.past ? names_.past(node, at_) : refuse("`delay`", "there are no values of the past here");
    case AST_FUNCTION:
      return named_function(node);
    default:
      return refuse(std::string("`") + (node.getName() ? node.getName() : "an operator") + "`",
                    "it has no counterpart in Modelica");
  }
}

}  // namespace bolza::sbml
