// SPDX-License-Identifier: Apache-2.0
#include "workflow/mathml.h"

#include <array>
#include <cmath>
#include <map>

#include "base/numbers.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

using ir::Op;
using Parts = std::vector<std::string>;

/// The element of an operator that MathML has as it is; null: it has none.
const char* element_of(Op op) {
  switch (op) {
    case Op::neg:
    case Op::sub:
      return "minus";
    case Op::abs:
      return "abs";
    case Op::sqrt:
      return "root";
    case Op::exp:
      return "exp";
    case Op::log:
      return "ln";
    case Op::log10:
      return "log";
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "arcsin";
    case Op::acos:
      return "arccos";
    case Op::atan:
      return "arctan";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::tanh:
      return "tanh";
    case Op::asinh:
      return "arcsinh";
    case Op::acosh:
      return "arccosh";
    case Op::atanh:
      return "arctanh";
    case Op::floor:
      return "floor";
    case Op::ceil:
      return "ceiling";
    case Op::logical_not:
      return "not";
    case Op::add:
      return "plus";
    case Op::mul:
      return "times";
    case Op::div:
      return "divide";
    case Op::pow:
      return "power";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    case Op::rem:
      return "rem";
    case Op::quotient:
      return "quotient";
    case Op::less:
      return "lt";
    case Op::less_equal:
      return "leq";
    case Op::greater:
      return "gt";
    case Op::greater_equal:
      return "geq";
    case Op::equal:
      return "eq";
    case Op::not_equal:
      return "neq";
    case Op::logical_and:
      return "and";
    case Op::logical_or:
      return "or";
    default:
      return nullptr;
  }
}

std::string applied(const std::string& element, const std::string& arguments) {
  return "<apply><" + element + "/>" + arguments + "</apply>";
}

/// Pairs of a value and its condition, then the value elsewhere.
std::string piecewise(const Parts& parts) {
  std::string out = "<piecewise>";
  for (std::size_t k = 0; k + 1 < parts.size(); k += 2) out += "<piece>" + parts[k] + parts[k + 1] + "</piece>";
  return out + "<otherwise>" + parts.back() + "</otherwise></piecewise>";
}

/// Operators that others have to make up; "": none of them can.
std::string made_up(Op op, const Parts& a) {
  std::string zero = number_element(0);
  if (op == Op::no_event) return a[0];
  if (op == Op::select) return piecewise({a[1], a[0], a[2]});
  if (op == Op::sign)
    return piecewise({number_element(1), applied("gt", a[0] + zero), number_element(-1), applied("lt", a[0] + zero), zero});
  if (op == Op::mod)
    return applied("minus", a[0] + applied("times", applied("floor", applied("divide", a[0] + a[1])) + a[1]));
  return "";
}

}  // namespace

std::string number_element(double value) {
  if (std::isnan(value)) return "<notanumber/>";
  if (std::isinf(value)) return value > 0 ? "<infinity/>" : applied("minus", "<infinity/>");
  std::string text = exact_text(value);
  std::size_t e = text.find('e');
  if (e == std::string::npos) return "<cn>" + text + "</cn>";
  return "<cn type=\"e-notation\">" + text.substr(0, e) + "<sep/>" + text.substr(e + 1) + "</cn>";
}

std::string name_element(const std::string& id) { return "<ci>" + id + "</ci>"; }

std::string time_element() {
  return "<csymbol encoding=\"text\" definitionURL=\"http://www.sbml.org/sbml/symbols/time\">time</csymbol>";
}

std::string math_element(const std::string& content) {
  return "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">" + content + "</math>";
}

Result<std::string> mathml_of(const ir::Expressions& expressions, ir::ExprId root, const LeafMath& leaf,
                              Diagnostics& diagnostics) {
  const ir::Dag& dag = expressions.dag;
  std::map<ir::ExprId, std::string> text;
  for (ir::ExprId e : ir::reachable(dag, std::array{root})) {
    Op op = dag.op(e);
    std::string& own = text[e];
    if (op == Op::number) {
      own = number_element(dag.value(e));
      continue;
    }
    if (op == Op::slot || op == Op::datum) {
      own = leaf(op, dag.index(e));
      continue;
    }
    if (op == Op::call || op == Op::output)
      return diagnostics.error(no_sbml_for, {}, {"the model", "it calls a function that has statements"});
    Parts parts;
    std::string arguments;
    for (ir::ExprId operand : dag.operands(e)) parts.push_back(text.at(operand));
    for (const std::string& part : parts) arguments += part;
    const char* element = element_of(op);
    own = element ? applied(element, arguments) : made_up(op, parts);
    if (own.empty())
      return diagnostics.error(no_sbml_for, {}, {"the model", "SBML has no `" + std::string(ir::row_of(op).name) + "`"});
  }
  return text.at(root);
}

}  // namespace bolza::workflow
