// SPDX-License-Identifier: Apache-2.0
#include "workflow/mathml.h"

#include <array>
#include <cmath>
#include <map>
#include <variant>
#include <vector>

#include "base/numbers.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

using ir::Op;

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

/// What an expression is written as: text, and operands by their numbers.
using Piece = std::variant<std::string, std::size_t>;
using Pieces = std::vector<Piece>;

Pieces operator+(Pieces a, const Pieces& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Pieces text(const std::string& t) { return {Piece(t)}; }

Pieces applied(const std::string& element, const Pieces& arguments) {
  return text("<apply><" + element + "/>") + arguments + text("</apply>");
}

/// Pairs of a value and its condition, then the value elsewhere.
Pieces piecewise(const std::vector<Pieces>& parts) {
  Pieces out = text("<piecewise>");
  for (std::size_t k = 0; k + 1 < parts.size(); k += 2)
    out = out + text("<piece>") + parts[k] + parts[k + 1] + text("</piece>");
  return out + text("<otherwise>") + parts.back() + text("</otherwise></piecewise>");
}

/// Operators that others have to make up; none: none of them can.
Pieces made_up(Op op) {
  const Pieces a = {Piece(std::size_t{0})}, b = {Piece(std::size_t{1})}, c = {Piece(std::size_t{2})};
  const Pieces zero = text(number_element(0));
  if (op == Op::no_event) return a;
  if (op == Op::select) return piecewise({b, a, c});
  if (op == Op::sign)
    return piecewise(
        {text(number_element(1)), applied("gt", a + zero), text(number_element(-1)), applied("lt", a + zero), zero});
  if (op == Op::mod) return applied("minus", a + applied("times", applied("floor", applied("divide", a + b)) + b));
  return {};
}

/// Writes expressions out; what they share is written as often as it is read.
class MathWriter {
 public:
  MathWriter(const ir::Dag& dag, const LeafMath& leaf) : dag_(dag), leaf_(leaf) {}

  /// What an expression is made of. None: MathML has it not.
  Pieces pieces_of(ir::ExprId e) const {
    Op op = dag_.op(e);
    if (op == Op::number) return text(number_element(dag_.value(e)));
    if (op == Op::slot || op == Op::datum) return text(leaf_(op, dag_.index(e)));
    const char* element = element_of(op);
    if (!element) return made_up(op);
    Pieces operands;
    for (std::size_t k = 0; k < dag_.operands(e).size(); ++k) operands.emplace_back(k);
    return applied(element, operands);
  }

  std::string written(ir::ExprId root) const {
    std::string out;
    std::vector<std::variant<std::string, ir::ExprId>> open{root};  // the last one is next
    while (!open.empty()) {
      auto next = std::move(open.back());
      open.pop_back();
      if (const auto* t = std::get_if<std::string>(&next)) {
        out += *t;
        continue;
      }
      auto e = std::get<ir::ExprId>(next);
      Pieces pieces = pieces_of(e);
      for (std::size_t k = pieces.size(); k-- > 0;)
        if (const auto* operand = std::get_if<std::size_t>(&pieces[k])) open.emplace_back(dag_.operands(e)[*operand]);
        else open.emplace_back(std::get<std::string>(pieces[k]));
    }
    return out;
  }

 private:
  const ir::Dag& dag_;
  const LeafMath& leaf_;
};

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

Result<std::string> mathml_of(const ir::Expressions& expressions, ir::ExprId root, const std::string& what,
                              const LeafMath& leaf, Diagnostics& diagnostics) {
  const ir::Dag& dag = expressions.dag;
  MathWriter writer(dag, leaf);
  std::map<ir::ExprId, double> length;
  auto refuse = [&](const std::string& why) { return diagnostics.error(no_sbml_for, {}, {what, why}); };
  for (ir::ExprId e : ir::reachable(dag, std::array{root})) {
    Op op = dag.op(e);
    if (op == Op::call || op == Op::output) return refuse("it calls a function that has statements");
    Pieces pieces = writer.pieces_of(e);
    if (pieces.empty()) return refuse("SBML has no `" + std::string(ir::row_of(op).name) + "`");
    double& own = length[e];
    for (const Piece& piece : pieces) {
      const auto* operand = std::get_if<std::size_t>(&piece);
      own += operand ? length.at(dag.operands(e)[*operand]) : static_cast<double>(std::get<std::string>(piece).size());
    }
    if (own > static_cast<double>(longest_mathml))
      return refuse("its text would be longer than " + std::to_string(longest_mathml / 1'000'000) +
                    " MB: SBML writes out again what expressions share; give what is read often a variable of its own");
  }
  return writer.written(root);
}

}  // namespace bolza::workflow
