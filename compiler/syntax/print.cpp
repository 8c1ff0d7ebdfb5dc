// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/print.h"

#include <array>

namespace bolza::syntax {

using ast::Expr;
using ast::ExprKind;

std::string_view spelling(ast::Operator op) {
  constexpr std::array words{"+", "-",  ".+", ".-", "*",  "/",  ".*",  "./", "^",  ".^",
                             "<", "<=", ">",  ">=", "==", "<>", "and", "or", "not"};
  return words[static_cast<std::size_t>(op)];
}

std::string_view spelling(ast::ClassKind kind) {
  constexpr std::array words{"class",   "model",    "block",    "record",          "connector",         "type",
                             "package", "function", "operator", "operator record", "operator function", "optimization"};
  return words[static_cast<std::size_t>(kind)];
}

std::string_view spelling(ast::ConstraintRelation relation) {
  constexpr std::array words{"=", "<=", ">=", "<", ">"};
  return words[static_cast<std::size_t>(relation)];
}

namespace {

/// How tightly a kind binds; an operand that binds less tightly than its place needs parentheses.
int tightness(const Expr& e) {
  switch (e.kind) {
    case ExprKind::if_:
      return 0;
    case ExprKind::range:
      return 1;
    case ExprKind::logical_or:
      return 2;
    case ExprKind::logical_and:
      return 3;
    case ExprKind::relation:
      return 5;
    case ExprKind::unary:
      return e.op == ast::Operator::not_ ? 4 : 6;
    case ExprKind::additive:
      return 6;
    case ExprKind::multiplicative:
      return 7;
    case ExprKind::power:
      return 8;
    default:
      return 9;
  }
}

class Printer {
 public:
  std::string out;

  void put(const ast::Reference& r) {
    for (std::size_t i = 0; i < r.parts.size(); ++i) {
      if (i > 0 || r.global) out += '.';
      out += r.parts[i].identifier;
      subscripts(r.parts[i].subscripts);
    }
  }

  void put(const Expr& e, int needed = 0) {
    bool parentheses = tightness(e) < needed;
    if (parentheses) out += '(';
    bare(e);
    if (parentheses) out += ')';
  }

  void put(const ast::Modification& m) {
    if (!m.arguments.empty()) {
      out += '(';
      for (std::size_t i = 0; i < m.arguments.size(); ++i) {
        if (i > 0) out += ", ";
        argument(*m.arguments[i]);
      }
      out += ')';
    }
    if (m.value == nullptr && !m.breaks) return;
    if (!m.arguments.empty()) out += ' ';
    out += m.assigned ? ":= " : "= ";
    if (m.breaks) out += "break";
    else put(*m.value);
  }

 private:
  template <class Items>
  void commas(const Items& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += ", ";
      if (items[i] != nullptr) put(*items[i]);
    }
  }

  void subscripts(ast::List<ast::Subscript> list) {
    if (list.empty()) return;
    out += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out += ", ";
      if (list[i].whole()) out += ':';
      else put(*list[i].index);
    }
    out += ']';
  }

  void iterators(ast::List<ast::Iterator> list) {
    if (list.empty()) return;
    out += " for ";
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out += ", ";
      out += list[i].name;
      if (list[i].range != nullptr) {
        out += " in ";
        put(*list[i].range);
      }
    }
  }

  void arguments(const ast::Arguments& a) {
    out += '(';
    commas(a.positional);
    for (std::size_t i = 0; i < a.named.size(); ++i) {
      if (i > 0 || !a.positional.empty()) out += ", ";
      out += a.named[i].name;
      out += " = ";
      put(*a.named[i].value);
    }
    iterators(a.iterators);
    out += ')';
  }

  void argument(const ast::Argument& a) {
    if (a.kind == ast::ArgumentKind::break_connect) {
      out += "break connect(";
      put(*a.first);
      out += ", ";
      put(*a.second);
      out += ')';
      return;
    }
    if (a.kind == ast::ArgumentKind::break_component) out += "break ";
    if (a.kind == ast::ArgumentKind::redeclaration) out += "redeclare ";
    if (a.each) out += "each ";
    if (a.final_) out += "final ";
    if (a.kind == ast::ArgumentKind::replaceable) out += "replaceable ";
    if (a.name != nullptr) put(*a.name);
    if (a.element != nullptr) element(*a.element);
    if (a.modification != nullptr) {
      if (a.modification->arguments.empty()) out += ' ';
      put(*a.modification);
    }
  }

  void element(const ast::Element& e) {
    if (e.component != nullptr) {
      put(*e.component->type);
      subscripts(e.component->type_dimensions);
      out += ' ';
      out += e.component->name;
      subscripts(e.component->dimensions);
      if (e.component->modification != nullptr) put(*e.component->modification);
    } else if (e.class_ != nullptr) {
      out += spelling(e.class_->kind);
      out += ' ';
      out += e.class_->name;
      if (e.class_->base != nullptr) {
        out += " = ";
        put(*e.class_->base);
      }
      if (e.class_->modification != nullptr) put(*e.class_->modification);
    }
  }

  void text(std::string_view value) {
    out += '"';
    for (char c : value) {
      if (c == '"' || c == '\\') out += '\\';
      if (c == '\n') out += "\\n";
      else out += c;
    }
    out += '"';
  }

  /// Operands of a chain bind tighter than the chain, the first one at least as tightly.
  void chain(const Expr& e, int level) {
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      const Expr& operand = *e.operands[i];
      if (i > 0) {
        std::string_view op =
            spelling(e.operators.empty() ? (e.kind == ExprKind::logical_and ? ast::Operator::and_ : ast::Operator::or_)
                                         : e.operators[i - 1]);
        bool tight = e.kind == ExprKind::multiplicative;
        if (!tight) out += ' ';
        out += op;
        if (!tight) out += ' ';
      }
      bool leading_sign = i == 0 && operand.kind == ExprKind::unary && operand.op != ast::Operator::not_ && level == 6;
      put(operand, leading_sign ? 0 : level + 1);
    }
  }

  void if_expression(const Expr& e) {
    for (std::size_t i = 0; i + 1 < e.operands.size(); i += 2) {
      out += i == 0 ? "if " : " elseif ";
      put(*e.operands[i]);
      out += " then ";
      put(*e.operands[i + 1]);
    }
    out += " else ";
    put(*e.operands.back());
  }

  void matrix(const Expr& e) {
    out += '[';
    for (std::size_t i = 0; i < e.rows.size(); ++i) {
      if (i > 0) out += "; ";
      commas(e.rows[i]);
    }
    out += ']';
  }

  void range(const Expr& e) {
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      if (i > 0) out += ':';
      put(*e.operands[i], 2);
    }
  }

  void infix(const Expr& e, int needed) {
    put(*e.operands[0], needed);
    bool tight = e.kind == ExprKind::power;
    if (!tight) out += ' ';
    out += spelling(e.op);
    if (!tight) out += ' ';
    put(*e.operands[1], needed);
  }

  void bare(const Expr& e) {
    switch (e.kind) {
      case ExprKind::integer_literal:
      case ExprKind::real_literal:
        out += e.text;
        break;
      case ExprKind::string_literal:
        text(e.text);
        break;
      case ExprKind::boolean_literal:
        out += e.boolean ? "true" : "false";
        break;
      case ExprKind::end:
        out += "end";
        break;
      case ExprKind::name:
        put(*e.reference);
        break;
      case ExprKind::unary:
        out += spelling(e.op);
        if (e.op == ast::Operator::not_) out += ' ';
        put(*e.operands[0], e.op == ast::Operator::not_ ? 5 : 7);
        break;
      case ExprKind::power:
        infix(e, 9);
        break;
      case ExprKind::relation:
        infix(e, 6);
        break;
      case ExprKind::additive:
        chain(e, 6);
        break;
      case ExprKind::multiplicative:
        chain(e, 7);
        break;
      case ExprKind::logical_and:
        chain(e, 3);
        break;
      case ExprKind::logical_or:
        chain(e, 2);
        break;
      case ExprKind::range:
        range(e);
        break;
      case ExprKind::if_:
        if_expression(e);
        break;
      case ExprKind::partial_function:
        out += "function ";
        [[fallthrough]];
      case ExprKind::call:
        put(*e.reference);
        arguments(*e.arguments);
        break;
      case ExprKind::array:
      case ExprKind::comprehension:
        out += '{';
        commas(e.operands);
        iterators(e.iterators);
        out += '}';
        break;
      case ExprKind::matrix:
        matrix(e);
        break;
      case ExprKind::tuple:
        out += '(';
        commas(e.operands);
        out += ')';
        break;
      case ExprKind::subscripted:
        out += '(';
        put(*e.operands[0]);
        out += ')';
        subscripts(e.subscripts);
        break;
      case ExprKind::member:
        member(e);
        break;
    }
  }

  void member(const Expr& e) {
    bool subscripted = e.operands[0]->kind == ExprKind::subscripted;
    if (!subscripted) out += '(';
    put(*e.operands[0]);
    if (!subscripted) out += ')';
    out += '.';
    put(*e.reference);
  }
};

}  // namespace

std::string print(const Expr& expression) {
  Printer p;
  p.put(expression);
  return std::move(p.out);
}

std::string print(const ast::Reference& reference) {
  Printer p;
  p.put(reference);
  return std::move(p.out);
}

std::string print(const ast::Modification& modification) {
  Printer p;
  p.put(modification);
  return std::move(p.out);
}

}  // namespace bolza::syntax
