// SPDX-License-Identifier: Apache-2.0
// Expressions as text. A stack of pieces instead of recursion, so that deep expressions print, and stop at the limit.
#include <cmath>

#include "base/numbers.h"
#include "compiler/ir/print.h"

namespace bolza::ir {
namespace {

/// Binding strength of Modelica's operators; atoms are highest.
enum Strength { conditional, disjunction, conjunction, negation, relation, sum, product, power, atom };

Strength strength_of(const Dag& dag, ExprId e) {
  switch (dag.op(e)) {
    case Op::select:
      return conditional;
    case Op::logical_or:
      return disjunction;
    case Op::logical_and:
      return conjunction;
    case Op::logical_not:
      return negation;
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
      return relation;
    case Op::add:
    case Op::sub:
    case Op::neg:
      return sum;
    case Op::mul:
    case Op::div:
      return product;
    case Op::pow:
      return power;
    case Op::number:
      return dag.value(e) < 0 ? sum : atom;
    default:
      return atom;  // leaves and functions: every other operator prints as name(…)
  }
}

class Printer {
 public:
  Printer(const Expressions& all, const LeafName& leaf, std::size_t limit)
      : all_(all),
        dag_(all.dag),
        leaf_(leaf),
        limit_(limit) {}

  std::string run(ExprId root) {
    push(root, conditional);
    while (!pieces_.empty()) {
      Piece piece = std::move(pieces_.back());
      pieces_.pop_back();
      if (!piece.expr) {
        text_ += piece.text;
      } else if (text_.size() >= limit_) {
        text_ += "…";
      } else {
        expression(piece.expr, piece.least);
      }
    }
    return std::move(text_);
  }

 private:
  struct Piece {
    std::string text;
    ExprId expr;
    Strength least = conditional;
  };

  void push(std::string text) { pieces_.push_back({std::move(text), {}, conditional}); }
  void push(ExprId e, Strength least) { pieces_.push_back({"", e, least}); }

  void expression(ExprId e, Strength least) {
    bool parentheses = strength_of(dag_, e) < least;
    if (parentheses) {
      text_ += '(';
      push(")");
    }
    Op op = dag_.op(e);
    if (op == Op::number) {
      text_ += to_text(dag_.value(e));
    } else if (op == Op::call || op == Op::output) {
      call(e);
    } else if (row_of(op).arity == 0) {
      std::string name = leaf_(op, dag_.index(e));  // data are numbers, perhaps negative
      text_ += name.starts_with('-') && least > sum ? "(" + name + ")" : name;
    } else {
      operation(e);
    }
  }

  void operation(ExprId e) {
    std::span<const ExprId> x = dag_.operands(e);
    std::string name(row_of(dag_.op(e)).name);
    switch (strength_of(dag_, e)) {
      case conditional:
        push(x[2], conditional);
        push(" else ");
        push(x[1], conditional);
        push(" then ");
        push(x[0], conditional);
        push("if ");
        break;
      case disjunction:
        infix(x, " or ", disjunction, disjunction);
        break;
      case conjunction:
        infix(x, " and ", conjunction, conjunction);
        break;
      case negation:
        push(x[0], relation);
        push("not ");
        break;
      case relation:
        infix(x, " " + name + " ", sum, sum);
        break;
      case sum:
        if (dag_.op(e) == Op::neg) {
          push(x[0], product);
          push("-");
        } else infix(x, " " + name + " ", sum, product);
        break;
      case product:
        infix(x, name, product, power);
        break;
      case power:
        infix(x, "^", atom, atom);
        break;
      case atom:
        function(name, x);
        break;
    }
  }

  void infix(std::span<const ExprId> x, std::string between, Strength left, Strength right) {
    push(x[1], right);
    push(std::move(between));
    push(x[0], left);
  }

  void function(const std::string& name, std::span<const ExprId> x) {
    push(")");
    for (std::size_t i = x.size(); i-- > 0;) {
      push(x[i], conditional);
      if (i > 0) push(", ");
    }
    push(name + "(");
  }

  void call(ExprId e) {
    bool later = dag_.op(e) == Op::output && dag_.index(e) > 0;
    if (later) push("[" + std::to_string(dag_.index(e) + 1) + "]");
    ExprId node = dag_.op(e) == Op::output ? dag_.operands(e)[0] : e;
    ProgramId program = dag_.program(node);
    bool known = program.index() < all_.programs.size();
    function(known ? all_.programs[program.index()].name : "program" + std::to_string(program.value), dag_.operands(node));
  }

  const Expressions& all_;
  const Dag& dag_;
  const LeafName& leaf_;
  std::size_t limit_;
  std::string text_;
  std::vector<Piece> pieces_;  // last is next
};

std::string letter_name(Op op, std::uint32_t k) {
  const char* letter = op == Op::slot ? "s" : op == Op::datum ? "d" : op == Op::weight ? "w" : "v";
  return letter + std::to_string(k + 1);
}

}  // namespace

std::string to_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  return exact_text(value);
}

std::string to_text(const Expressions& expressions, ExprId root, const LeafName& leaf, PrintOptions options) {
  return Printer(expressions, leaf, options.limit).run(root);
}

std::string to_text(const Expressions& expressions, ExprId root, PrintOptions options) {
  return to_text(expressions, root, letter_name, options);
}

std::string to_text(const FlatModel& model, const Group& group, std::size_t root, std::size_t instance,
                    PrintOptions options) {
  auto leaf = [&](Op op, std::uint32_t k) {
    if (op == Op::slot) return name_of(model, group.slots[k][instance]);
    if (op == Op::datum) return to_text(group.data[k][instance]);
    return letter_name(op, k);
  };
  return to_text(model.expressions, group.roots[root], leaf, options);
}

std::string to_text(const FlatModel& model, const Term& term, PrintOptions options) {
  auto leaf = [&](Op op, std::uint32_t k) {
    if (op == Op::slot) return name_of(model, term.slots[k]);
    if (op == Op::datum) return to_text(term.data[k]);
    return letter_name(op, k);
  };
  return to_text(model.expressions, term.root, leaf, options);
}

}  // namespace bolza::ir
